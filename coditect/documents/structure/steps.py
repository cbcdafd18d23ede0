"""Steps of a sequence of labels: which label comes behind which, and which is the first."""

from __future__ import annotations

from coditect.documents.structure.labels import INSERTED, LabelReading

__all__ = ["base", "follows", "goes_on", "is_first"]


def follows(before: LabelReading | None, reading: LabelReading) -> int:
    """How many steps ``reading`` lies after ``before`` in one sequence, or 0."""
    if before is None or before.style != reading.style or before.path[:-1] != reading.path[:-1]:
        return 0
    last, previous = reading.path[-1], before.path[-1]
    if isinstance(last, int) and isinstance(previous, int):
        return max(0, last - previous)
    if isinstance(last, str) and isinstance(previous, str) and len(last) == len(previous) == 1:
        return max(0, ord(last) - ord(previous))
    return 0


def goes_on(before: LabelReading | None, reading: LabelReading) -> bool:
    """Whether a label is the next of another's sequence, or one that an amendment put behind it; "(2)" is behind "(1.1)", too."""
    if before is None:
        return False
    if follows(before, reading) == 1:
        return True
    if reading.style.startswith(INSERTED):
        return before.style == reading.style.removeprefix(INSERTED) and before.path == reading.path[:-1]
    return follows(base(before), reading) == 1


def base(reading: LabelReading) -> LabelReading:
    """The label behind which an amendment put another one: "(1)" of "(1A)"; the label itself where none did."""
    if not reading.style.startswith(INSERTED):
        return reading
    return LabelReading(reading.style.removeprefix(INSERTED), reading.path[:-1], reading.rank)


def is_first(reading: LabelReading) -> bool:
    """Whether a label is the first of its sequence."""
    return reading.path[-1] in (1, "a", "A", "i")
