r"""From quotes to offsets: a label as an annotator writes it, resolved in the canonical text.

A quote is text of the unit, white space and invisible characters aside, curly quotation marks as straight ones. Three signs are
added: ``^quote`` looks in the surroundings (path and the text before) instead; ``first words ~~ last words`` is everything from the
one to the other; ``quote@@2`` is the second occurrence. Without a number the first occurrence in the norm's own text is meant, else
the first in the unit; for a locator the last one before the end of the norm's text, since a number stands before what it numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

from coditect_benchmarks.gold.records import Label, Span, Unit

__all__ = ["UnresolvedQuote", "resolve", "restore"]

Choice: TypeAlias = Callable[[list[Span]], Span | None]
Found = TypeVar("Found")

_ORDINAL = re.compile(r"@@(\d+)$")
_STRAIGHT = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "\u00a0": " "})
_QUOTED = frozenset(
    {
        "text",
        "cue",
        "holder",
        "counterparty",
        "action",
        "object",
        "trigger",
        "conditions",
        "exceptions",
        "term",
        "meaning",
    }
) | {"lead_in", "items", "tail", "document"}


class UnresolvedQuote(ValueError):  # noqa: N818 - says what it is, as the field's word is
    """A quote that does not stand in the text where it has to stand."""


class _Stretch:
    """Some spans of a text, matched without regard to white space and invisible characters."""

    def __init__(self, text: str, spans: Sequence[Span]) -> None:
        self._chars: list[str] = []
        self._places: list[int] = []
        for start, end in spans:
            self._add(text, start, end)
        self.matched = "".join(self._chars)

    def _add(self, text: str, start: int, end: int) -> None:
        if self._chars and self._chars[-1] != " ":
            self._put(" ", start)
        for place in range(start, end):
            character = text[place].translate(_STRAIGHT)
            if unicodedata.category(character) == "Cf":
                continue
            if character.isspace():
                if self._chars and self._chars[-1] != " ":
                    self._put(" ", place)
            else:
                self._put(character, place)

    def _put(self, character: str, place: int) -> None:
        self._chars.append(character)
        self._places.append(place)

    def occurrences(self, words: str) -> list[Span]:
        """Where some words stand, as spans of the text."""
        return [
            (self._places[m.start()], self._places[m.start() + len(words) - 1] + 1)
            for m in re.finditer(f"(?={re.escape(words)})", self.matched)
        ]


def _plain(words: str) -> str:
    kept = "".join(c for c in words.translate(_STRAIGHT) if unicodedata.category(c) != "Cf")
    return " ".join(kept.split())


class _Reader:
    """Resolves the quotes of one unit."""

    def __init__(self, text: str, unit: Unit) -> None:
        self._unit = _Stretch(text, [unit.span])
        self._around = _Stretch(text, [*unit.path, unit.before])

    def find(self, quote: str, choose: Choice) -> Span:
        """The span of a quote; ``choose`` picks among occurrences that no number tells apart, None where none will do."""
        around = quote.startswith("^")
        words = quote[1:] if around else quote
        number = _ORDINAL.search(words)
        if number:
            words = words[: number.start()]
        first, elided, last = words.partition(" ~~ ")
        found = (self._around if around else self._unit).occurrences(_plain(first)) if _plain(first) else []
        if elided:
            found = [span for span in (self._reach(start, last, around) for start in found) if span]
        if not found:
            raise UnresolvedQuote(f"not in the {'surroundings' if around else 'unit'}: {quote!r}")
        if number:
            if int(number.group(1)) > len(found) or int(number.group(1)) < 1:
                raise UnresolvedQuote(f"occurs {len(found)} times: {quote!r}")
            return found[int(number.group(1)) - 1]
        chosen = choose(found) if not around else found[-1]
        if chosen is None:
            raise UnresolvedQuote(f"not after the span before it: {quote!r}")
        return chosen

    def _reach(self, start: Span, last: str, around: bool) -> Span | None:
        ends = (self._around if around else self._unit).occurrences(_plain(last))
        return next(((start[0], end[1]) for end in ends if end[0] >= start[1]), None)

    def find_text(self, quotes: Sequence[str]) -> list[Span]:
        """The spans that compose a norm; of those in the unit, each after the one before."""
        spans: list[Span] = []
        reached = 0
        for quote in quotes:
            span = self.find(quote, _from(reached))
            if not quote.startswith("^"):
                reached = span[1]
            spans.append(span)
        return spans


def resolve(text: str, unit: Unit, label: Label[str]) -> Label[Span]:
    """A label with offsets.

    Args:
        text: the canonical text of the unit's document.
        unit: the unit that is labelled.
        label: as written.

    Raises:
        UnresolvedQuote: a quote is not there; all that fail are named.
    """
    reader = _Reader(text, unit)
    failures: list[str] = []
    record = label.model_dump()
    for number, norm in enumerate(record["norms"]):
        where = f"norms[{number}]"
        own = norm["text"] = _attempt(failures, f"{where}.text", reader.find_text, norm["text"]) or []
        norm["locator"] = _find_all(reader, norm["locator"], _before_end(own), f"{where}.locator", failures)
        _fill(norm, reader, own, where, failures)
    for key in ("definitions", "references"):
        for number, entry in enumerate(record[key]):
            _fill(entry, reader, [], f"{key}[{number}]", failures)
    if record["list"]:
        record["list"]["items"] = _attempt(failures, "list.items", reader.find_text, record["list"]["items"]) or []
        _fill(record["list"], reader, [], "list", failures)
    if failures:
        raise UnresolvedQuote("; ".join(failures))
    return Label[Span].model_validate(record)


def _attempt(failures: list[str], where: str, find: Callable[..., Found], *arguments: object) -> Found | None:
    try:
        return find(*arguments)
    except UnresolvedQuote as error:
        failures.append(f"{where}: {error}")
        return None


def _find_all(reader: _Reader, quotes: Sequence[str], choose: Choice, where: str, failures: list[str]) -> list[Span]:
    found = [_attempt(failures, where, reader.find, quote, choose) for quote in quotes]
    return [span for span in found if span]


def _fill(record: dict[str, Any], reader: _Reader, own: Sequence[Span], where: str, failures: list[str]) -> None:
    """Resolve the quotes of a part of a label in place; those that are resolved already stay."""
    for key, value in record.items():
        if key == "times":
            for number, time in enumerate(value):
                _fill(time, reader, own, f"{where}.times[{number}]", failures)
        elif key in _QUOTED and all(isinstance(quote, str) for quote in value):
            record[key] = _find_all(reader, value, _within(own), f"{where}.{key}", failures)


def _from(place: int) -> Choice:
    """The first occurrence that starts at a place or after it."""
    return lambda found: next((s for s in found if s[0] >= place), None)


def _within(own: Sequence[Span]) -> Choice:
    """The first occurrence inside the norm's own text, else the first of all."""
    return lambda found: next((s for s in found if any(a <= s[0] and s[1] <= b for a, b in own)), found[0])


def _before_end(own: Sequence[Span]) -> Choice:
    """The last occurrence that starts no later than the norm's last span, else the first of all."""
    last = own[-1][0] if own else 0
    return lambda found: next((s for s in reversed(found) if s[0] <= last), found[0])


def restore(text: str, label: Label[Span]) -> dict[str, Any]:
    """A label with the text of its spans instead of the offsets, to be read by a person."""

    def quote(value: object, key: str) -> object:
        if isinstance(value, dict):
            return {k: quote(v, k) for k, v in value.items()}
        if not isinstance(value, (list, tuple)):
            return value
        quoted = key in _QUOTED or key == "locator"
        return [text[v[0] : v[1]] if quoted else quote(v, "") for v in value]

    restored = quote(label.model_dump(exclude_defaults=True), "")
    return restored if isinstance(restored, dict) else {}
