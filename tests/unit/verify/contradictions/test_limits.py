"""What a claim says of every case, and the evidence under a condition."""

from __future__ import annotations

import pytest

from coditect.language.reading.sentence import read_sentence
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.alignment.matching import find_pairs
from coditect.verify.contradictions.limits import find_unlimited, is_limit_kept

LIMITED = "The tenant may enter the cellar if the owner has agreed to the visit."
FREE = "The tenant may enter the cellar with the key."
DESPITE = "The tenant may enter the cellar despite a ban on visitors at night."


@pytest.mark.parametrize(
    ("claim", "evidence", "words"),
    [
        ("The tenant may enter the cellar at will.", LIMITED, ("will", "if")),
        ("The tenant may enter the cellar in all cases.", LIMITED, ("cases", "if")),
        ("The tenant may, without exception, enter the cellar.", LIMITED, ("exception", "if")),
        ("The tenant may enter the cellar.", LIMITED, None),
        ("The tenant may enter the cellar at willow.", LIMITED, None),
        ("The tenant may enter the cellar at will.", FREE, None),
        ("The tenant may enter the cellar at will.", DESPITE, None),
        ("The tenant may enter the cellar at will if the owner has agreed to the visit.", LIMITED, None),
        ("The tenant may enter the cellar at will.", LIMITED.replace("cellar", "cellar at will"), None),
    ],
)
def test_every_case_contradicts_a_condition_that_the_claim_has_not(
    claim: str, evidence: str, words: tuple[str, str] | None
) -> None:
    """Only whole words of every case, only against a condition, and only where its words are lost."""
    pair = find_pairs(read_sentence(claim), 0, EvidenceIndex([evidence]))[0]
    found = list(find_unlimited(pair))
    assert len(found) == (words is not None)
    for each in found:
        assert each.kind == "condition"
        assert all(word in each.detail for word in words or ())


@pytest.mark.parametrize(
    ("claim", "kept"),
    [
        ("Entering the cellar requires the owner's consent.", True),
        ("Entering the cellar does not require the owner's consent.", False),
        ("The tenant must enter the cellar with the owner's consent.", False),
    ],
)
def test_what_nothing_is_allowed_without_may_be_demanded(claim: str, kept: bool) -> None:
    """ "Not without it" demands it; it makes no duty of the rest."""
    evidence = EvidenceIndex(["The tenant may not enter the cellar without the owner's consent."])
    assert is_limit_kept(find_pairs(read_sentence(claim), 0, evidence)[0]) is kept
