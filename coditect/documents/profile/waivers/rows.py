"""Registers of exceptions: rows of tables, and forms whose lines are a label and what is filled in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from coditect.documents.profile.agreements.facts import lengths_in
from coditect.documents.profile.waivers.facts import KIND_OF, NOUN, TABLE, WaiverFact, whole
from coditect.documents.profile.waivers.parts import tidy
from coditect.documents.profile.waivers.times import day_of
from coditect.language.quantities.dates import find_dates
from coditect.schemas import WaiverDecision, WaiverKind

__all__ = ["RegisterLine", "read_rows"]

_I = re.IGNORECASE
_BAR = " | "
_LABELLED = re.compile(r"(?P<label>[A-Z#][^:|]{0,60}?(?:: \d{4}-\d\d-\d\d)?):\s+(?P<value>\S.*)", re.DOTALL)
_BRACKETS = re.compile(r"\([^()]*\)")
_ENTRIES = {
    "until": "column_until",
    "begins": "column_begins",
    "by": "column_by",
    "granted": "column_granted",
    "length": "column_length",
    "status": "column_status",
    "condition": "column_condition",
    "provision": "column_provision",
    "holder": "column_holder",
    "reference": "column_reference",
}
"""In the order in which a label is tried for: "Date granted" is no "Granted to"."""
_WEAK = frozenset(("granted", "reference", "holder"))
"""Fields whose words have to begin or end a label: "Firm" and "Name of firm", not "Confirmed system tests"."""
_FIELDS = tuple(_ENTRIES)
_WORDS = {field: whole(entry) for field, entry in _ENTRIES.items()}
_OTHER = whole("other_columns")
_AHEAD = re.compile(
    r"\b(?:review|next|due|birth|requested\s+on|date\s+requested|request\s+date|reported|updated)\b", _I
)
"""Days of a register that neither begin nor end an exception."""
_NOUN = re.compile(rf"(?<![\w-]){NOUN}(?![\w-])", _I)
_VERBS: tuple[tuple[re.Pattern[str], WaiverKind], ...] = (
    (re.compile(r"\bwaived\b", _I), "waiver"),
    (re.compile(r"\bexempt(?:ed|ions?)?\b", _I), "exemption"),
    (re.compile(r"\baccept(?:ed\s+by|ed\s+on|ance\s+expires|or)\b", _I), "risk acceptance"),
)
_ORDER: tuple[WaiverKind, ...] = (
    "exception",
    "waiver",
    "exemption",
    "dispensation",
    "risk acceptance",
    "compensating control",
)
_DECISIVE = frozenset(("until", "granted", "by", "status", "begins", "length"))
_DECISIONS: tuple[WaiverDecision, ...] = ("refused", "withdrawn", "requested")
_SAID = {each: re.compile(rf"(?<![\w-])(?:{TABLE.pattern(each)})(?![\w-])", _I) for each in _DECISIONS}
_OPEN, _EMPTY = (re.compile(rf"\W*(?:{TABLE.pattern(each)})\W*", _I) for each in ("open_cells", "empty_cells"))
_OPEN_WITHIN = re.compile(rf"(?<![\w-])(?:{TABLE.pattern('open_ended')})(?![\w-])", _I)
_FEWEST = 3
"""Fields that a row or a form has to have, so that it is one of exceptions."""
_LONGEST_LABEL, _LABEL_WORDS = 60, 5


@dataclass(frozen=True, slots=True)
class RegisterLine:
    """A sentence of a document, or a row of one of its tables.

    Attributes:
        text: verbatim.
        about: what the document and the section that it stands in are called.
        key: its number in the document.
    """

    text: str
    about: str
    key: int = 0


def read_rows(lines: Iterable[RegisterLine]) -> Iterator[tuple[WaiverFact, RegisterLine, RegisterLine]]:
    """The exceptions of the tables and forms of a document: (what it says, its first line, its last line).

    Args:
        lines: of one document, in order.
    """
    header: tuple[str, ...] = ()
    form: list[tuple[str, str, RegisterLine]] = []
    for line in lines:
        parts = [part.strip() for part in line.text.split(_BAR)]
        pair = _pair(parts)
        if form and (pair is None or line.about != form[-1][2].about or _starts_again(form, pair[0])):
            yield from _form(form)
            form = []
        if pair is not None and not (header and len(parts) == len(header)):
            form.append((*pair, line))
            header = ()
            continue
        cells, header = _cells(parts, header)
        if cells and (fact := _row(cells, tuple(cells), line.about)) is not None:
            yield replace(fact, end=len(line.text)), line, line
    yield from _form(form)


def _pair(parts: Sequence[str]) -> tuple[str, str] | None:
    """A label and its value: "Approved by: CISO", or a row of two cells."""
    if len(parts) == 1 and (found := _LABELLED.fullmatch(parts[0])) and len(found["label"].split()) <= _LABEL_WORDS:
        return found["label"], found["value"]
    if len(parts) == 2 and parts[0] and len(parts[0]) <= _LONGEST_LABEL and _LABELLED.fullmatch(parts[1]) is None:
        return None if _is_label(parts[1]) else (parts[0].rstrip(":"), parts[1])
    return None


def _is_label(said: str) -> bool:
    """Whether words are the head of a column and nothing else."""
    return any(_WORDS[each].fullmatch(said.strip()) for each in _FIELDS)


def _starts_again(form: Sequence[tuple[str, str, RegisterLine]], label: str) -> bool:
    return any(label == known for known, _, _ in form)


def _cells(parts: Sequence[str], header: tuple[str, ...]) -> tuple[dict[str, str], tuple[str, ...]]:
    """(value by label of a row, the header that holds from here on)."""
    if len(parts) < 2:
        return {}, ()
    labelled = [_LABELLED.fullmatch(part) for part in parts]
    if all(labelled):
        return {found["label"]: found["value"] for found in labelled if found}, header
    if len(parts) == len(header) and len(parts) > 2:
        return {label: value for label, value in zip(header, parts, strict=True) if value and label}, header
    names_fields = sum(_field(part) != "" for part in parts) >= 2 and all(len(part) <= _LONGEST_LABEL for part in parts)
    return {}, tuple(parts) if names_fields else header if len(parts) == len(header) else ()


def _field(label: str) -> str:
    """What a column or line holds by its label; "" for something else."""
    said = tidy(_BRACKETS.sub(" ", label))
    if len(said) > _LONGEST_LABEL or _AHEAD.search(said):
        return ""
    for each in _FIELDS:
        found = _WORDS[each].search(said)
        if found is not None and (each not in _WEAK or found.end() == len(said) or found.start() == 0):
            return each
    return ""


def _kind(labels: Iterable[str], about: str) -> WaiverKind | None:
    """What the rows of a table are, by its labels, or else by what the table and its document are called."""
    named = [each for each in labels if not _OTHER.search(each)]
    if len(named) < len(tuple(labels)):
        return None
    by_labels, by_name = (_kinds_in(said) for said in (" ; ".join(named), about))
    instead = by_labels & {
        "compensating control"
    }  # a column of any register of exceptions, unless nothing else names it
    found = by_labels - instead or by_name or instead
    return next((kind for kind in _ORDER if kind in found), None)


def _kinds_in(said: str) -> set[WaiverKind]:
    found = {KIND_OF[" ".join(each[0].casefold().split())] for each in _NOUN.finditer(said)}
    return found | {kind for pattern, kind in _VERBS if pattern.search(said)}


def _row(cells: Mapping[str, str], labels: tuple[str, ...], about: str) -> WaiverFact | None:
    kind = _kind(labels, about)
    if kind is None:
        return None
    said: dict[str, str] = {}
    for label, value in cells.items():
        field = _field(label)
        if not field or _EMPTY.fullmatch(value):
            continue
        if field == "provision" and field in said:
            said[field] = f"{said[field]}{_BAR}{value}"
        said.setdefault(field, value)
    if len(said) < _FEWEST or _DECISIVE.isdisjoint(said):
        return None
    if kind == "risk acceptance" and not ({"by", "granted", "until"} & set(said)):
        return None
    until, is_open = _end(said.get("until", ""))
    length = next(lengths_in(said.get("length", ""), 0, len(said.get("length", ""))), None)
    if not until and not is_open and length is None and "until" in said:
        length = next(lengths_in(said["until"], 0, len(said["until"])), None)
    return WaiverFact(
        kind=kind,
        decision=_decision(said.get("status", "")),
        holder=said.get("holder", ""),
        provision=said.get("provision", ""),
        by=said.get("by", ""),
        granted=_day(said.get("granted", ""), last=False),
        begins=_day(said.get("begins", ""), last=False),
        until=until,
        is_open=is_open,
        length=length,
        condition=said.get("condition", ""),
        reference=said.get("reference", ""),
    )


def _decision(status: str) -> WaiverDecision:
    return next((each for each in _DECISIONS if _SAID[each].search(status)), "granted")


def _end(cell: str) -> tuple[str, bool]:
    """(the last day, whether there is said to be none)."""
    if day := _day(cell, last=True):
        return day, False
    return "", bool(cell) and (_OPEN.fullmatch(cell) is not None or _OPEN_WITHIN.search(cell) is not None)


def _day(cell: str, *, last: bool) -> str:
    days = (day_of(str(mark.data.get("iso") or ""), last=last) for mark in find_dates(cell, 0, len(cell)))
    return next((each for each in days if each), "")


def _form(lines: Sequence[tuple[str, str, RegisterLine]]) -> Iterator[tuple[WaiverFact, RegisterLine, RegisterLine]]:
    if not lines:
        return
    cells = {label: value for label, value, _ in lines}
    first, last = lines[0][2], lines[-1][2]
    fact = _row(cells, tuple(cells), first.about)
    if fact is not None and {"until", "by", "granted", "begins"} & {
        _field(label) for label, value in cells.items() if value
    }:
        yield replace(fact, end=len(first.text)), first, last
