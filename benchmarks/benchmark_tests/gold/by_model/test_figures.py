"""Two readings side by side, and which lines are met."""

from __future__ import annotations

from typing import Any

from coditect_benchmarks.gold.by_model.figures import COLUMNS, TARGETS, beside_as_text, targets_as_text
from coditect_benchmarks.gold.scoring import SHARES, wilson

F1 = "deadlines and frequencies F1"


def _row(right: int, n: int, f1: float | None = None, **others: tuple[int, int]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in SHARES:
        own, total = others.get(name.replace(" ", "_"), (right, n))
        found[name] = {"share": own / total if total else None, "n": total, "interval": wilson(own, total)}
    found[F1] = {"share": f1, "n": 4}
    return found


def test_cells_hold_both_readings_with_intervals() -> None:
    """Genres, and families where they are asked for; what neither has is a dash."""
    first = {"all": _row(8, 10, 0.5), "call": _row(0, 0), "call: earnings": _row(1, 2)}
    second = {"all": _row(9, 10, 0.75), "call": _row(0, 0), "call: earnings": _row(2, 2)}
    lines = beside_as_text(first, second).splitlines()
    assert [line.split(" | ")[0] for line in lines] == ["|", "|---" + "|---" * len(COLUMNS) + "|", "| all", "| call"]
    assert lines[2].startswith("| all | 80.0 [49-94] of 10 → 90.0 [60-98] of 10 |")
    assert lines[2].endswith("| 50.0 of 4 → 75.0 of 4 |")
    assert lines[3].startswith("| call | - → - |")
    assert "| call: earnings | 50.0 [9-91] of 2 → 100.0 [34-100] of 2 |" in beside_as_text(first, second, families=True)


def test_targets_tell_what_is_met_and_what_is_short() -> None:
    """More is better of shares, less of what is missed; definitions as F1 of those found."""
    row = _row(19, 20, 0.85, missed=(1, 20), invented=(2, 20), definitions_missed=(0, 6), definitions_invented=(1, 7))
    told = dict(line.split(": ", 1) for line in targets_as_text(row).splitlines())
    assert list(told) == list(TARGETS)
    assert told["fully right"] == "95.0 (asked >= 80): met"
    assert told["polarity"] == "95.0 (asked >= 99): not met, short by 4.0"
    assert told["missed"] == "5.0 (asked <= 5): met"
    assert told["invented"] == "10.0 (asked <= 4): not met, short by 6.0"
    assert told[F1] == "85.0 (asked >= 90): not met, short by 5.0"
    assert told["definitions F1"] == "92.3 (asked >= 95): not met, short by 2.7"


def test_nothing_to_count_is_said() -> None:
    """Neither met nor short."""
    told = targets_as_text(_row(0, 0)).splitlines()
    assert told[0] == "fully right: nothing to count"
    assert told[-1] == "definitions F1: nothing to count"
