"""What is asked or allowed before and after, compared field by field as it was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import get_args

from coditect.language.terms import terms
from coditect.schemas import (
    Deadline,
    DefinitionData,
    DutyChange,
    DutyClass,
    DutyField,
    Extraction,
    NormData,
    QuantityData,
)
from coditect.tiers.changes.strictness import direction_of_change
from coditect.tiers.extractions.document import NORMATIVE

__all__ = ["DUTY_CLASSES", "WEIGHTS", "classes_of", "compare_duties", "duties_in", "states_duty", "weight_of"]

WEIGHTS: Mapping[DutyField, float] = {
    "duty": 5.0,
    "modality": 5.0,
    "deadline": 4.0,
    "frequency": 4.0,
    "duration": 4.0,
    "amount": 4.0,
    "actor": 3.0,
    "exception": 3.0,
    "condition": 3.0,
    "definition": 3.0,
    "action": 2.0,
    "object": 2.0,
}
"""How much a difference weighs in the order of a work list: whether one is bound, then what a system is set to, then the rest."""

DUTY_CLASSES: tuple[DutyClass, ...] = get_args(DutyClass)
"""In the order in which they are told: what came and became more, what differs, what became less and went, what only moved."""

ALIKE = 0.3
"""Share of their words that two readings have in common, at least, to be of one duty."""

_WORDS_OF_FORCE = {"obligation": "must", "prohibition": "must not", "permission": "may"}
_MEASURED = frozenset(("amount", "percentage", "count", "date"))


def compare_duties(old: Sequence[Extraction], new: Sequence[Extraction]) -> tuple[DutyChange, ...]:
    """What differs in what two versions of a provision ask, allow or define; nothing where all is read the same.

    Args:
        old: Tier 1 of the provision as it was.
        new: as it is.
    """
    found: list[DutyChange] = []
    ours, theirs = ([each for each in side if each.extraction_kind in NORMATIVE] for side in (old, new))
    pairs = _pairs(ours, theirs)
    for a, b in pairs:
        found += _norms(ours[a], theirs[b])
    found += [_change("duty", before=ours[a].source_text) for a in range(len(ours)) if a not in {p[0] for p in pairs}]
    found += [
        _change("duty", after=theirs[b].source_text) for b in range(len(theirs)) if b not in {p[1] for p in pairs}
    ]
    found += _sets("amount", _amounts(old), _amounts(new))
    found += _definitions(old, new)
    if pairs:
        found += _untold(old, new, found)
    return tuple(dict.fromkeys(found))


def classes_of(old: Sequence[Extraction], new: Sequence[Extraction]) -> dict[DutyClass, int]:
    """How many duties of two versions of a provision came, went, or became stricter, looser or other; only what happened.

    Args:
        old: Tier 1 of the provision as it was.
        new: as it is.
    """
    ours, theirs = ([each for each in side if each.extraction_kind in NORMATIVE] for side in (old, new))
    pairs = _pairs(ours, theirs)
    found: Counter[DutyClass] = Counter()
    for a, b in pairs:
        if changes := _norms(ours[a], theirs[b]):
            found[direction_of_change(ours[a], theirs[b], changes)] += 1
    found["removed"] += len(ours) - len(pairs)
    found["added"] += len(theirs) - len(pairs)
    for change in _definitions(old, new):
        found["changed" if change.before and change.after else "added" if change.after else "removed"] += 1
    if not found.total() and (_sets("amount", _amounts(old), _amounts(new)) or (pairs and _untold(old, new, ()))):
        found["changed"] += 1  # a figure differs that no part of a duty holds
    return {name: found[name] for name in DUTY_CLASSES if found[name]}


def duties_in(extractions: Iterable[Extraction]) -> int:
    """How many duties are read in a text: what asks, allows or defines something."""
    return sum(states_duty((each,)) for each in extractions)


def states_duty(extractions: Iterable[Extraction]) -> bool:
    """Whether anything is asked, allowed or defined."""
    return any(each.extraction_kind in NORMATIVE or each.extraction_kind == "definition" for each in extractions)


def weight_of(changes: Iterable[DutyChange]) -> float:
    """How much the duty changed: the heaviest field, and a little for each further one."""
    weights = sorted((WEIGHTS[change.field] for change in changes), reverse=True)
    return round(weights[0] + 0.1 * len(weights[1:]), 2) if weights else 0.0


def _pairs(old: Sequence[Extraction], new: Sequence[Extraction]) -> list[tuple[int, int]]:
    """Which reading is which: the most alike first, the order of the text deciding between equals."""
    ranked = sorted(
        (-_alike(a, b), abs(i - j), i, j) for i, a in enumerate(old) for j, b in enumerate(new) if _alike(a, b) >= ALIKE
    )
    taken: dict[int, int] = {}
    for _, _, i, j in ranked:
        if i not in taken and j not in taken.values():
            taken[i] = j
    return sorted(taken.items())


def _alike(a: Extraction, b: Extraction) -> float:
    ours, theirs = (frozenset(terms(_told(each))) for each in (a, b))
    return len(ours & theirs) / max(len(ours | theirs), 1)


def _told(extraction: Extraction) -> str:
    norm = extraction.read_as(NormData)
    return " ".join(filter(None, (norm.actor, norm.object, norm.subject, norm.action))) or extraction.source_text


def _norms(old: Extraction, new: Extraction) -> list[DutyChange]:
    a, b = old.read_as(NormData), new.read_as(NormData)
    found = []
    forces = [f"{_WORDS_OF_FORCE[each.extraction_kind]}" for each in (old, new)]
    strengths = [norm.strength or "mandatory" for norm in (a, b)]
    if forces[0] != forces[1] or strengths[0] != strengths[1]:
        found.append(_change("modality", a.modality or forces[0], b.modality or forces[1]))
    plain: tuple[tuple[DutyField, Callable[[NormData], str | None]], ...] = (
        ("actor", lambda norm: norm.actor),
        ("action", lambda norm: norm.action),
        ("object", lambda norm: norm.object or norm.subject),
        ("duration", lambda norm: norm.duration),
    )
    for field, read in plain:
        before, after = read(a) or "", read(b) or ""
        if terms(before) != terms(after):
            found.append(_change(field, before, after))
    if [_due(each) for each in a.limits] != [_due(each) for each in b.limits]:
        found.append(_change("deadline", _printed(a.limits), _printed(b.limits)))
    if _often(a) != _often(b):
        found.append(
            _change("frequency", a.frequency.text if a.frequency else "", b.frequency.text if b.frequency else "")
        )
    found += _sets("condition", a.conditions, b.conditions)
    found += _sets("exception", a.exceptions, b.exceptions)
    return found


def _due(due: Deadline | str) -> object:
    if not isinstance(due, Deadline):
        return terms(due)
    return due.hours, due.iso, due.comparator, due.relation, bool(due.business_days), terms(due.trigger or "")


def _printed(limits: Iterable[Deadline | str]) -> str:
    return "; ".join(each.text if isinstance(each, Deadline) else each for each in limits)


def _often(norm: NormData) -> object:
    often = norm.frequency
    return (often.per_year, often.comparator) if often is not None else None


def _amounts(extractions: Iterable[Extraction]) -> list[str]:
    """Figures that are no times of a duty: these are compared as its deadline and frequency."""
    figures = (each.read_as(QuantityData) for each in extractions if each.extraction_kind == "quantity")
    return [figure.text for figure in figures if figure.quantity_kind in _MEASURED and figure.text]


def _untold(old: Iterable[Extraction], new: Iterable[Extraction], told: Iterable[DutyChange]) -> list[DutyChange]:
    """Times that only one side has and that no part of a duty was read to hold: nobody may call that the same duty."""
    words = [each.before for each in told], [each.after for each in told]
    sides = [
        [
            each.text
            for one in side
            if one.extraction_kind == "quantity"
            and (each := one.read_as(QuantityData)).quantity_kind not in _MEASURED
            and each.text
            and not any(" ".join(each.text.split()) in place for place in places)
        ]
        for side, places in zip((old, new), words, strict=True)
    ]
    return _sets("amount", *sides)


def _sets(field: DutyField, old: Sequence[str], new: Sequence[str]) -> list[DutyChange]:
    """What only one side has, side by side in their order."""
    ours, theirs = ({terms(each): each for each in side} for side in (old, new))
    gone = [each for key, each in ours.items() if key not in theirs]
    come = [each for key, each in theirs.items() if key not in ours]
    most = max(len(gone), len(come))
    padded = ([*side, *[""] * (most - len(side))] for side in (gone, come))
    return [_change(field, before, after) for before, after in zip(*padded, strict=True)]


def _definitions(old: Sequence[Extraction], new: Sequence[Extraction]) -> list[DutyChange]:
    sides = []
    for side in (old, new):
        read = [each.read_as(DefinitionData) for each in side if each.extraction_kind == "definition"]
        sides.append({terms(each.term or ""): f"{each.term}: {each.definition or ''}".rstrip(": ") for each in read})
    before, after = sides
    return [
        _change("definition", before.get(key, ""), after.get(key, ""))
        for key in dict.fromkeys((*before, *after))
        if terms(before.get(key, "")) != terms(after.get(key, ""))
    ]


def _change(field: DutyField, before: str = "", after: str = "") -> DutyChange:
    return DutyChange(field=field, before=" ".join(before.split()), after=" ".join(after.split()))
