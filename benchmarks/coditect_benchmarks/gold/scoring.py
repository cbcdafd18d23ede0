"""How often what the product reads is what the gold says: norms, their parts and definitions, with intervals.

Norms are paired as those of two annotators are (:func:`coditect_benchmarks.gold.agreement.pair_norms`). A part is right when its
code points are those of the gold by Dice >= 0.8, articles and punctuation at the edges aside, or when both have none. Conditions
and exceptions are compared as one: which of the two a phrase is called changes nothing that it says. A norm is *fully right* when
kind (permission, power and right are one), polarity, holder, action, times with triggers, conditions with exceptions are all right.
Source of the intervals: Wilson 1927, 95 %.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from coditect_benchmarks.gold.agreement import overlap, pair_norms
from coditect_benchmarks.gold.readings import Reading, ReadNorm
from coditect_benchmarks.gold.records import COARSE, Norm, Span
from coditect_benchmarks.gold.store import GoldUnit

__all__ = ["Miss", "bare_words", "score", "scores_as_text", "show_miss", "wilson"]

_RIGHT = 0.8
_EDGE = re.compile(r"^(?:(?:the|an?|any|each|every|all|its|their|his|our|such)\s+)+|^[\W_]+|[\W_]+$", re.IGNORECASE)
_BE = re.compile(r"\s*(?:also\s+)?be\s+", re.IGNORECASE)
_NOT_LABEL = re.compile(r"[^\w]+")
# What an appendix belongs to is part of its name where it is printed; the guideline asks for what a person would cite.
_OF_A_PART = re.compile(r"\b(appendix|supplement|annex|schedule|exhibit)( \w{1,4})? to (?:sub)?part \w+")
PARTS = ("kind", "polarity", "holder", "action", "times", "conditions", "fully right")
SHARES = (*PARTS, "fine kind", "locator", "missed", "invented", "definitions missed", "definitions invented")


@dataclass(frozen=True, slots=True)
class Miss:
    """A norm that was read wrongly, missed or invented, for whoever looks why."""

    unit: str
    wrong: tuple[str, ...]
    gold: Norm[Span] | None
    read: Norm[Span] | None


@dataclass(slots=True)
class _Tally:
    counts: dict[str, Counter[bool]] = field(default_factory=lambda: defaultdict(Counter))
    times: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, right: bool) -> None:
        """Count one thing that was read rightly or not."""
        self.counts[name][right] += 1

    def figures(self) -> dict[str, Any]:
        """Shares with their 95 % intervals, by name, as JSON; None where nothing was counted."""
        found: dict[str, Any] = {}
        for name in SHARES:
            right, n = self.counts[name][True], self.counts[name].total()
            found[name] = {"share": right / n if n else None, "n": n, "interval": wilson(right, n)}
        both, total = self.times["both"], self.times["gold"] + self.times["read"]
        found["deadlines and frequencies F1"] = {"share": 2 * both / total if total else None, "n": self.times["gold"]}
        return found


def wilson(right: int, n: int, z: float = 1.96) -> tuple[float, float] | None:
    """The interval of a share, 95 % unless told otherwise; None of nothing."""
    if not n:
        return None
    p, square = right / n, z * z
    centre, half = p + square / (2 * n), z * sqrt(p * (1 - p) / n + square / (4 * n * n))
    return (centre - half) / (1 + square / n), (centre + half) / (1 + square / n)


def score(
    gold: Sequence[GoldUnit], readings: Mapping[str, Reading], texts: Mapping[str, str]
) -> tuple[dict[str, dict[str, Any]], list[Miss]]:
    """Compare; figures over all, by genre and by family ("genre: family"), and every norm that is not fully right."""
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    misses: list[Miss] = []
    for each in gold:
        text, reading = texts[each.unit.document], readings[each.unit.id]
        to = [tallies[key] for key in ("all", each.unit.genre, f"{each.unit.genre}: {each.unit.family}")]
        by_norm = {id(read.norm): read for read in reading.norms}
        for wanted, read in pair_norms(each.label.norms, [read.norm for read in reading.norms]):
            miss = _compare(text, wanted, None if read is None else by_norm[id(read)], to)
            if miss:
                misses.append(Miss(each.unit.id, miss, wanted, read))
        _compare_definitions(text, each, reading, to)
    return {name: tally.figures() for name, tally in tallies.items()}, misses


def _compare(text: str, wanted: Norm[Span] | None, read: ReadNorm | None, to: Iterable[_Tally]) -> tuple[str, ...]:
    for tally in to:
        if wanted is not None:
            tally.add("missed", read is None)
        if read is not None:
            tally.add("invented", wanted is None)
    if wanted is None or read is None:
        return ("missed" if read is None else "invented",)
    norm = read.norm
    counted = {
        "kind": COARSE[wanted.kind] == COARSE[norm.kind],
        "polarity": wanted.polarity == norm.polarity,
        "holder": _same(text, wanted.holder, norm.holder),
        "action": _same(text, _verbal(text, wanted.action), _verbal(text, norm.action)),
        "times": _times_right(text, wanted, norm),
        "conditions": _same(text, (*wanted.conditions, *wanted.exceptions), (*norm.conditions, *norm.exceptions)),
    }
    found, missing, extra = _timing(text, wanted, norm)
    for tally in to:
        for name, right in {**counted, "fully right": all(counted.values())}.items():
            tally.add(name, right)
        tally.add("fine kind", wanted.kind == norm.kind)
        if wanted.locator:
            tally.add("locator", _cites(_label(text, wanted.locator), _labels(read.locator)))
        tally.times.update(both=found, gold=found + missing, read=found + extra)
    return tuple(name for name, right in counted.items() if not right)


def _compare_definitions(text: str, each: GoldUnit, reading: Reading, to: Iterable[_Tally]) -> None:
    wanted = [_words(text, definition.term) for definition in each.label.definitions]
    read = [bare_words(term) for term, _ in reading.definitions]
    for tally in to:
        for term in wanted:
            tally.add("definitions missed", term not in read)
        for term in read:
            tally.add("definitions invented", term not in wanted)


def _words(text: str, spans: Iterable[Span]) -> str:
    return bare_words(" ".join(text[start:end] for start, end in spans))


def bare_words(words: str) -> str:
    """Words in small letters, without articles and punctuation at their edges: as holders and terms are compared."""
    return " ".join(_EDGE.sub("", words).lower().split())


def _label(text: str, spans: Iterable[Span]) -> list[str]:
    return _labels(" ".join(text[start:end] for start, end in spans))


def _labels(locator: str) -> list[str]:
    """Words and numbers of a locator in order, without what an appendix is of: "Appendix C to Part 7" is cited "Appendix C"."""
    return _OF_A_PART.sub(r"\1\2", _NOT_LABEL.sub(" ", locator).lower()).split()


def _cites(wanted: list[str], read: list[str]) -> bool:
    """Whether a locator ends as the gold's does and holds its other numbers in order; annotators saw only a unit's surroundings."""
    rest = iter(read)
    return read[-1:] == wanted[-1:] and all(each in rest for each in wanted)


def _trimmed(text: str, spans: Iterable[Span]) -> list[Span]:
    found = []
    for span in spans:
        lo, hi = span
        while (match := _EDGE.search(text[lo:hi])) and match.group():
            if match.start() == 0:
                lo += match.end()
            else:
                hi -= match.end() - match.start()
        if lo < hi:
            found.append((lo, hi))
    return found


def _same(text: str, first: Iterable[Span], second: Iterable[Span]) -> bool:
    a, b = _trimmed(text, first), _trimmed(text, second)
    if not a or not b:
        return not a and not b
    if overlap(a, b) >= _RIGHT:
        return True
    # The same name in two places is the same holder.
    return _words(text, a) == _words(text, b)


def _verbal(text: str, spans: Sequence[Span]) -> list[Span]:
    """An action without the "be" that a passive may be told with."""
    found = list(spans)
    if found and (match := _BE.match(text, *found[0])):
        found[0] = match.end(), found[0][1]
    return found


def _relevant(norm: Norm[Span]) -> list[Any]:
    return [time for time in norm.times if time.kind in ("deadline", "frequency")]


def _times_right(text: str, wanted: Norm[Span], read: Norm[Span]) -> bool:
    return _timing(text, wanted, read)[1:] == (0, 0)


def _timing(text: str, wanted: Norm[Span], read: Norm[Span]) -> tuple[int, int, int]:
    """Deadlines and frequencies in both, in the gold alone, and in the reading alone; with their triggers."""
    rest = _relevant(read)
    found = 0
    for time in _relevant(wanted):
        for other in rest:
            if (
                other.kind == time.kind
                and overlap(other.text, time.text) >= 0.5
                and _trigger_right(text, time.trigger, other.trigger)
            ):
                rest.remove(other)
                found += 1
                break
    return found, len(_relevant(wanted)) - found, len(rest)


def _trigger_right(text: str, wanted: Sequence[Span], read: Sequence[Span]) -> bool:
    a, b = _trimmed(text, wanted), _trimmed(text, read)
    return (not a and not b) or (bool(a) and bool(b) and overlap(a, b) >= 0.5)


def show_miss(miss: Miss, gold: Sequence[GoldUnit], texts: Mapping[str, str]) -> str:
    """A miss as a person reads it: the unit, and each part of both norms in words."""
    unit = next(each.unit for each in gold if each.unit.id == miss.unit)
    text = texts[unit.document]
    lines = [
        f"{unit.id} {unit.genre}: {', '.join(miss.wrong)}",
        f"  before: ...{text[max(unit.before[0], unit.before[1] - 200) : unit.before[1]]!r}",
        f"  unit:   {text[unit.span[0] : unit.span[1]]!r}",
    ]
    for name, norm in (("gold", miss.gold), ("read", miss.read)):
        if norm is not None:
            parts = [f"{norm.kind}"]
            for part in ("text", "holder", "action", "conditions", "exceptions"):
                parts.append(f"{part}={[text[a:b] for a, b in getattr(norm, part)]}")
            parts += [
                f"{t.kind}={[text[a:b] for a, b in t.text]} from {[text[a:b] for a, b in t.trigger]}"
                for t in norm.times
            ]
            lines.append(f"  {name}: " + "; ".join(parts))
    return "\n".join(lines)


def scores_as_text(figures: Mapping[str, Mapping[str, Any]]) -> str:
    """The figures as a table in Markdown: one row a genre and family, shares in per cent with their intervals."""
    names = (*SHARES, "deadlines and frequencies F1")
    lines = ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for key in sorted(figures, key=lambda k: (k != "all", k)):
        cells = [_cell(figures[key][name]) for name in names]
        lines.append(f"| {key} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(value: Mapping[str, Any]) -> str:
    if value["share"] is None:
        return "-"
    interval = value.get("interval")
    around = f" [{100 * interval[0]:.0f}-{100 * interval[1]:.0f}]" if interval else ""
    return f"{100 * value['share']:.1f}{around} of {value['n']}"
