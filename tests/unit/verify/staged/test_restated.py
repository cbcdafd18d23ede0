"""What counts as its evidence told again, of which no second reader is asked, and what a statement says behind its attribution."""

from __future__ import annotations

import pytest

from coditect.verify.staged.comparison import compare
from coditect.verify.staged.measures import measure_support
from coditect.verify.staged.stages import assess, claim_start, ruled_label

QUOTE = "The failure of either party to enforce a provision shall not be a waiver of its right to enforce it later."
BACKUP = "The operator shall keep every encrypted backup of the customer's records in a second region for seven years."


@pytest.mark.parametrize("claim", [QUOTE, f"  {QUOTE.upper()} ", BACKUP.replace("shall", "must")])
def test_what_lacks_nothing_is_told_again(claim: str) -> None:
    """Word for word, and with another word that binds alike."""
    assert compare(claim, [QUOTE, BACKUP]).is_restated


@pytest.mark.parametrize(
    "claim",
    [
        QUOTE.replace("either", "only the first"),  # not all of whom the statement speaks of
        BACKUP.replace("the customer's records", "records"),
        BACKUP.replace(" in a second region", ""),
        BACKUP.replace("every encrypted", "an encrypted"),
    ],
)
def test_what_leaves_something_out_is_not_told_again(claim: str) -> None:
    """A word of the statement without a counterpart, or a quantifier of it: the second reader is asked."""
    found = compare(claim, [QUOTE, BACKUP])
    assert not found.found, "no rule speaks against it"
    assert not found.is_restated


@pytest.mark.parametrize("lead", ["According to the document, ", "The text states that ", "For clarity, "])
def test_attribution_changes_no_verdict_and_moves_its_places(lead: str) -> None:
    """What a statement is supported or refuted by is the same behind it, as many code points later."""
    for said in ("the operator must keep every encrypted backup of the customer's records in a second region for seven years.",
                 "the operator shall not keep every encrypted backup of the customer's records in a second region."):  # fmt: skip
        plain, led = assess(said, [BACKUP], 0.7, offset=3), assess(lead + said, [BACKUP], 0.7, offset=3)
        assert (led.label, led.score) == (plain.label, plain.score)
        assert len(led.signals) == len(plain.signals)
        for one, other in zip(led.signals, plain.signals, strict=True):
            assert (one.name, one.evidence) == (other.name, other.evidence)
            if other.claim_start is not None:
                assert one.claim_start == other.claim_start + len(lead)
        assert ruled_label(lead + said, [BACKUP], 0.7) == ruled_label(said, [BACKUP], 0.7)
        assert measure_support(lead + said, [BACKUP]) == measure_support(said, [BACKUP])


def test_attribution_of_a_fragment_stays() -> None:
    """Where next to nothing is left behind it, the text is read as it stands."""
    assert claim_start("According to the document, badges.", [BACKUP]) == 0
    assert claim_start("According to the document, operators keep backups for years.", [BACKUP]) > 0
