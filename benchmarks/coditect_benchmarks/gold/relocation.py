"""Offsets that were made for a former canonical text, brought to the text that the product reads today.

A reader that gets better changes white space and the marks between cells, and every offset behind them. Where the former and the
present text are the same but for these, each offset has one place in the new one; where they are not, the unit has to be labelled
again, and is named.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coditect_benchmarks.gold.records import Unit
from coditect_benchmarks.gold.sources import Library, digest

__all__ = ["Relocation", "former_texts"]

_CELL = "|"
"""What readers put between the cells of a table."""

_NUMBERS = frozenset({"depths", "weight"})
"""Fields whose numbers are no offsets."""


def former_texts(folder: Path) -> dict[str, str]:
    """Canonical texts that ``texts`` of a former tree wrote, by their sha256.

    Raises:
        ValueError: a file is not the text that its name says.
    """
    found = {}
    for file in sorted(folder.glob("*.txt")):
        found[file.stem] = file.read_bytes().decode()
        if digest(found[file.stem]) != file.stem:
            raise ValueError(f"{file}: not the text with this sha256")
    return found


class Relocation:
    """Moves units, with whatever offsets are said of them.

    Args:
        library: the texts of today.
        former: the texts that the offsets were made for, by sha256.
    """

    def __init__(self, library: Library, former: Mapping[str, str]) -> None:
        self._library = library
        self._former = former
        self._solid: dict[tuple[str, str], tuple[list[int], list[int], str]] = {}

    def unit(self, unit: Unit) -> Unit:
        """A unit in the text of today.

        Raises:
            ValueError: as :meth:`moved`.
        """
        return Unit.model_validate(self.moved(unit, unit.model_dump() | {"sha256": self._places(unit)[2]}))

    def moved(self, unit: Unit, said: Any) -> Any:  # noqa: ANN401 - any JSON
        """What is said of a unit, every offset moved.

        Raises:
            ValueError: the former text is not at hand, or the texts differ in more than white space and cells.
        """
        before, now, _ = self._places(unit)
        return _moved(said, before, now)

    def _places(self, unit: Unit) -> tuple[list[int], list[int], str]:
        """Where the characters that are neither white space nor marks of cells stood and stand, and the sha256 of today's text."""
        key = (unit.document, unit.sha256)
        if key not in self._solid:
            current = self._library.source(unit.document).text
            former = current if digest(current) == unit.sha256 else self._former.get(unit.sha256)
            if former is None:
                raise ValueError(f"{unit.document}: its former text {unit.sha256[:12]} is not at hand")
            before, now = _solid(former), _solid(current)
            if [former[at] for at in before] != [current[at] for at in now]:
                raise ValueError(
                    f"{unit.document}: more than white space and cells changed; its units are to be labelled again"
                )
            self._solid[key] = before, now, digest(current)
        return self._solid[key]


def _solid(text: str) -> list[int]:
    return [at for at, character in enumerate(text) if not character.isspace() and character != _CELL]


def _moved(said: Any, before: list[int], now: list[int]) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(said, dict):
        return {k: value if k in _NUMBERS else _moved(value, before, now) for k, value in said.items()}
    if isinstance(said, (list, tuple)):
        if len(said) == 2 and all(type(each) is int for each in said):
            first, last = bisect_left(before, said[0]), bisect_left(before, said[1])
            if first == last:  # nothing but white space
                at = now[first] if first < len(now) else (now[-1] + 1 if now else 0)
                return at, at
            return now[first], now[last - 1] + 1
        return [_moved(each, before, now) for each in said]
    return said
