"""Checks that items of lists name without a verb, with how often each is due."""

from __future__ import annotations

import pytest

from coditect.tiers.findings.conflicts.assertions.checks import checks_of


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Quarterly access reviews (can be combined with meetings)", ("review", "Quarterly", 4.0, "access")),
        ("- Annual access reviews to identify anomalies", ("review", "Annual", 1.0, "access")),
        ("• monthly backup tests.", ("test", "monthly", 12.0, "backup")),
        ("(b) Weekly log file reviews", ("review", "Weekly", 52.18, "log file")),
        ("Monthly reviews", None),
        ("Annual report of audits", None),
        ("Quarterly access reviews are done by the clerk", None),
        ("Access reviews: document quarterly access reviews", None),
        ("Quarterly access reviews. Locks are kept", None),
        ("Control: a | Quarterly access reviews", None),
        (f"Quarterly access reviews {'of the store ' * 20}", None),
    ],
)
def test_an_item_tells_which_check_is_due_how_often(text: str, told: tuple[str, str, float, str] | None) -> None:
    """Of something, and without a verb, by which an interval is read elsewhere."""
    assert [(each.head, each.says, each.value, each.rest) for each in checks_of(text)] == (
        [] if told is None else [told]
    )
