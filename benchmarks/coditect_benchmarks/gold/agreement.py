"""How far two passes over the same units agree: Cohen's kappa for classes, F1 for spans, by genre and over all.

Norms of the two passes are paired one to one so that the overlap of their texts is greatest. Kappas count a norm that the other
pass has not as "none"; fields are compared on paired norms only.
Source: Cohen 1960 (kappa); Tjong Kim Sang and De Meulder 2003 (exact span F1); overlap F1 counts code points.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from coditect_benchmarks.gold.records import COARSE, Label, Norm, Span, Unit

__all__ = ["FIELDS", "agreement_of", "as_text", "kappa", "overlap", "pair_norms"]

FIELDS = (
    "text",
    "holder",
    "counterparty",
    "action",
    "object",
    "times",
    "trigger",
    "conditions",
    "exceptions",
    "locator",
)
_LEAST_OVERLAP = 0.3
"""Norms whose texts share less than this (Dice) are not the same norm."""


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's kappa of two judges; None where there is nothing to judge or only one class in sight."""
    if not pairs:
        return None
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(first[c] * second[c] for c in first) / len(pairs) ** 2
    if chance >= 1.0:
        return None
    return (sum(a == b for a, b in pairs) / len(pairs) - chance) / (1 - chance)


def _chars(spans: Iterable[Span]) -> set[int]:
    return {place for start, end in spans for place in range(start, end)}


def overlap(first: Iterable[Span], second: Iterable[Span]) -> float:
    """Dice coefficient of the code points of two lists of spans, 0..1."""
    a, b = _chars(first), _chars(second)
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0


def pair_norms(
    first: Sequence[Norm[Span]], second: Sequence[Norm[Span]]
) -> list[tuple[Norm[Span] | None, Norm[Span] | None]]:
    """The norms of two passes, paired; None stands where one has no counterpart."""
    if not first or not second:
        return [*((a, None) for a in first), *((None, b) for b in second)]
    likeness = np.array([[overlap(a.text, b.text) + 0.01 * overlap(a.action, b.action) for b in second] for a in first])
    rows, columns = linear_sum_assignment(-likeness)
    paired = [
        (int(r), int(c))
        for r, c in zip(rows, columns, strict=True)
        if overlap(first[r].text, second[c].text) >= _LEAST_OVERLAP
    ]
    met_first, met_second = {r for r, _ in paired}, {c for _, c in paired}
    return [
        *((first[r], second[c]) for r, c in paired),
        *((a, None) for i, a in enumerate(first) if i not in met_first),
        *((None, b) for i, b in enumerate(second) if i not in met_second),
    ]


@dataclass(slots=True)
class _Spans:
    """Counts of one field: spans that are the same, spans of each pass, and the same in code points."""

    same: int = 0
    first: int = 0
    second: int = 0
    same_chars: int = 0
    first_chars: int = 0
    second_chars: int = 0

    def add(self, first: Sequence[Span], second: Sequence[Span]) -> None:
        """Count the spans of one field of one unit in both passes."""
        a, b = _chars(first), _chars(second)
        self.same += sum((Counter(first) & Counter(second)).values())
        self.first += len(first)
        self.second += len(second)
        self.same_chars += len(a & b)
        self.first_chars += len(a)
        self.second_chars += len(b)

    def f1(self) -> dict[str, Any]:
        """F1 of exact spans and of code points, 0..1, None where there are none; and how many spans each pass has."""
        total, chars = self.first + self.second, self.first_chars + self.second_chars
        return {
            "exact": 2 * self.same / total if total else None,
            "overlap": 2 * self.same_chars / chars if chars else None,
            "spans": [self.first, self.second],
        }


@dataclass(slots=True)
class _Tally:
    units: int = 0
    identical: int = 0
    classes: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    norms: _Spans = field(default_factory=_Spans)
    fields: dict[str, _Spans] = field(default_factory=lambda: defaultdict(_Spans))

    def add(self, first: Label[Span], second: Label[Span]) -> None:
        """Count one unit in both passes."""
        self.units += 1
        self.identical += first.model_copy(update={"note": "", "unsure": False}) == second.model_copy(
            update={"note": "", "unsure": False}
        )
        self.classes["norm or not"].append((str(bool(first.norms)), str(bool(second.norms))))
        self.classes["unit"].append((_unit_class(first), _unit_class(second)))
        pairs = pair_norms(first.norms, second.norms)
        self.norms.first += len(first.norms)
        self.norms.second += len(second.norms)
        for a, b in pairs:
            self.classes["kind"].append((a.kind if a else "none", b.kind if b else "none"))
            self.classes["kind, coarse"].append((COARSE[a.kind] if a else "none", COARSE[b.kind] if b else "none"))
            self.classes["polarity"].append((a.polarity if a else "none", b.polarity if b else "none"))
            self.classes["force"].append((a.force if a else "none", b.force if b else "none"))
            if a and b:
                self.norms.same += 1
                self.classes["kind, paired norms"].append((a.kind, b.kind))
                self.classes["polarity, paired norms"].append((a.polarity, b.polarity))
                for name in FIELDS:
                    self.fields[name].add(_spans(a, name), _spans(b, name))
        for name, spans in (("term", _terms), ("meaning", _meanings), ("reference", _references)):
            self.fields[name].add(spans(first), spans(second))
        if first.list and second.list:
            self.fields["list items"].add(first.list.items, second.list.items)
            self.classes["connective"].append((first.list.connective, second.list.connective))

    def figures(self) -> dict[str, Any]:
        """What both passes agree on, by name, as JSON."""
        total = self.norms.first + self.norms.second
        return {
            "units": self.units,
            "identical": self.identical,
            "norms": [self.norms.first, self.norms.second, self.norms.same],
            "norms f1": 2 * self.norms.same / total if total else None,
            "kappa": {name: kappa(pairs) for name, pairs in self.classes.items()},
            "agree": {
                name: sum(a == b for a, b in pairs) / len(pairs) for name, pairs in self.classes.items() if pairs
            },
            "spans": {name: spans.f1() for name, spans in self.fields.items()},
        }


def _spans(norm: Norm[Span], name: str) -> list[Span]:
    if name == "times":
        return [span for time in norm.times for span in time.text]
    if name == "trigger":
        return [span for time in norm.times for span in time.trigger]
    return list(getattr(norm, name))


def _terms(label: Label[Span]) -> list[Span]:
    return [span for definition in label.definitions for span in definition.term]


def _meanings(label: Label[Span]) -> list[Span]:
    return [span for definition in label.definitions for span in definition.meaning]


def _references(label: Label[Span]) -> list[Span]:
    return [span for reference in label.references for span in reference.text]


def _unit_class(label: Label[Span]) -> str:
    return "norm" if label.norms else "definition" if label.definitions else str(label.statement)


def agreement_of(
    units: Mapping[str, Unit], first: Mapping[str, Label[Span]], second: Mapping[str, Label[Span]]
) -> dict[str, Any]:
    """Figures over all units that both passes have labelled, and by genre.

    Returns:
        "all" and each genre -> units, identical, norms, kappa, agree (plain share of agreement), spans.
    """
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    for name in sorted(first.keys() & second.keys()):
        for key in ("all", units[name].genre):
            tallies[key].add(first[name], second[name])
    return {key: tally.figures() for key, tally in tallies.items()}


def as_text(figures: Mapping[str, Any]) -> str:
    """The figures as a table that a person reads."""
    lines = []
    for genre, values in figures.items():
        norms = values["norms"]
        lines.append(
            f"{genre}: {values['units']} units, {values['identical']} identical; norms {norms[0]} and {norms[1]}, "
            f"{norms[2]} paired, F1 {_number(values['norms f1'])}"
        )
        lines += [
            f"  kappa {name:24} {_number(v)}   agree {_number(values['agree'][name])}"
            for name, v in values["kappa"].items()
        ]
        lines += [
            f"  spans {name:24} exact {_number(v['exact'])}   overlap {_number(v['overlap'])}   n {v['spans'][0]}, {v['spans'][1]}"
            for name, v in values["spans"].items()
        ]
    return "\n".join(lines)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
