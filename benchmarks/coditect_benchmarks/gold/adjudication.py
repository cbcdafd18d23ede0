"""Where two passes differ: a pack for a third reader, and what is settled once that reader has spoken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, model_validator

from coditect_benchmarks.gold.records import Label, PackUnit, Span

__all__ = ["Case", "Ruling", "differences", "settle"]


class Case(PackUnit):
    """A unit on which the passes differ, both labels as written, and the parts in which they do."""

    first: Label[str]
    second: Label[str]
    differs: tuple[str, ...]


class Ruling(BaseModel):
    """What the third reader says of a unit: take one label as it is, or write another."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    take: Literal["first", "second"] | None = None
    label: Label[str] | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Ruling:
        if (self.take is None) == (self.label is None):
            raise ValueError("either take or label")
        if self.label and self.label.id != self.id:
            raise ValueError("the label is of another unit")
        return self


def differences(first: Label[Span], second: Label[Span]) -> tuple[str, ...]:
    """The parts in which two labels of a unit differ ("norms[0].holder"); notes and doubts do not count."""
    found: list[str] = []
    _compare("", first.model_dump(exclude={"note", "unsure"}), second.model_dump(exclude={"note", "unsure"}), found)
    return tuple(found)


def _compare(where: str, first: object, second: object, found: list[str]) -> None:
    if isinstance(first, dict) and isinstance(second, dict):
        for key in first:
            _compare(f"{where}.{key}" if where else key, first[key], second[key], found)
    elif (
        isinstance(first, tuple)
        and isinstance(second, tuple)
        and len(first) == len(second)
        and any(isinstance(value, dict) for value in first)
    ):
        for number, (a, b) in enumerate(zip(first, second, strict=True)):
            _compare(f"{where}[{number}]", a, b, found)
    elif first != second:
        found.append(where)


def settle(
    first: Mapping[str, Label[str]],
    second: Mapping[str, Label[str]],
    differing: Mapping[str, tuple[str, ...]],
    rulings: Mapping[str, Ruling],
) -> tuple[dict[str, Label[str]], tuple[str, ...]]:
    """The final label of each unit.

    Args:
        first: labels of one pass, by id.
        second: labels of the other.
        differing: what :func:`differences` says, by id.
        rulings: what the third reader says, by id.

    Returns:
        final labels by id, and the ids that are still open: labelled once only, or differing without a ruling.
    """
    final: dict[str, Label[str]] = {}
    open_ids: list[str] = []
    for name in sorted(first.keys() | second.keys()):
        ruling = rulings.get(name)
        if ruling and ruling.label:
            final[name] = ruling.label
        elif name not in first or name not in second:
            open_ids.append(name)
        elif not differing[name]:
            final[name] = first[name]
        elif ruling:
            final[name] = first[name] if ruling.take == "first" else second[name]
        else:
            open_ids.append(name)
    return final, tuple(open_ids)
