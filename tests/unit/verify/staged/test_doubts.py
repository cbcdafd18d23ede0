"""Why a text is left to a person where nothing but its probability speaks against it."""

from __future__ import annotations

import pytest

from coditect.verify.staged.stages import assess

VISITORS = "The visitor log is kept for 90 days at the front desk."
LOST = "If a laptop is lost, employees must report it within 24 hours."


@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ("Laptops are encrypted within 90 days.", ("“Laptops”", "“encrypted”")),
        ("Office plants are watered within 24 hours.", ("“Office plants”", "“watered”")),
    ],
)
def test_doubt_names_what_the_nearest_statement_does_not_say(claim: str, missing: tuple[str, ...]) -> None:
    """An unrelated sentence has the number of the claim and not its subject: these words are the reason."""
    found = assess(claim, [VISITORS, LOST], 0.7)
    assert found.label != "supported"
    assert all(each in found.doubt for each in missing)
    assert "90" not in found.doubt
    assert "24" not in found.doubt


def test_doubt_stays_empty_where_a_signal_gives_the_reason_or_none_is_due() -> None:
    """A contradiction is told by its own signal, and what is supported is not doubted."""
    refuted = assess("The visitor log is kept for 30 days at the front desk.", [VISITORS, LOST], 0.7)
    supported = assess(VISITORS, [VISITORS, LOST], 0.7)
    assert refuted.label != "supported" == supported.label
    assert (refuted.doubt, supported.doubt) == ("", "")
