"""Which items of lists say something else because their lead-in was amended."""

from __future__ import annotations

from coditect.knowledge.report.changes.impact import led_items
from coditect.tiers.changes.provisions import NO_PARENT, Provision, ProvisionKind


def _provision(index: int, text: str, parent: int, kind: ProvisionKind = "text") -> Provision:
    return Provision(index, kind, "", "", "", "", text, index, index + 1, parent, ())


PROVISIONS = [
    _provision(0, "Languages:", NO_PARENT, "heading"),
    _provision(1, "Notices are in English and either in:", 0),
    _provision(2, "each language of the office; or", 1),
    _provision(3, "that of the customer.", 1),
    _provision(4, "A notice is short.", 0),
    _provision(5, "It has one page.", 4),
]


def test_items_of_an_amended_lead_in_are_told_with_it() -> None:
    """An item ends the sentence that its lead-in begins."""
    assert led_items(PROVISIONS, {1}) == {2: 1, 3: 1}


def test_what_stands_below_a_heading_or_a_whole_sentence_says_what_it_said() -> None:
    """Neither is a lead-in."""
    assert led_items(PROVISIONS, {0, 4}) == {}
    assert led_items(PROVISIONS, set()) == {}
