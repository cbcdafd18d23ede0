"""The sentences of the gold as the product puts them before whoever parses: composed, with the way back to the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast
from unittest.mock import patch

from coditect.documents.source import SourceText
from coditect.language.marks import Mark
from coditect.language.norms.binding import NormReading
from coditect.language.provisions.composed import ComposedText
from coditect.schemas import DocumentVersion
from coditect.tiers.extractions import provisions
from coditect.tiers.extractions.document import DocumentReading, extraction_records, read_document
from coditect_benchmarks.gold.readings import Reading, ReadNorm
from coditect_benchmarks.gold.records import Norm, Span, Time
from coditect_benchmarks.gold.store import GoldUnit
from coditect_benchmarks.parsing.clauses import Clause, Place, clause_of_mark
from coditect_benchmarks.parsing.features import Sentence

_VERSION: dict[str, Any] = {"corpus_id": "gold", "document_id": "document", "version_id": "version"}

__all__ = ["Task", "as_norm", "collect", "readings_of"]


@dataclass(slots=True)
class Task:
    """A sentence to be parsed.

    Attributes:
        document: its name in the gold.
        text: the sentence, composed where it is of a list.
        places: of its pieces in the document's canonical text.
        starts: of its pieces in :attr:`text`.
        own: what of :attr:`text` is told here; the rest only leads to it.
        is_item: whether it is an item of a list, a lead-in or a tail.
        clauses: what the rules read and the product kept.
        dropped: what the rules read and the product did not keep, because it is told elsewhere.
        bare: the clauses of all its modal expressions, once a parser that decides by itself has asked for them.
        sentence: its tokens, once a tagger has asked for them; ``features`` likewise.
    """

    document: str
    text: str
    places: list[Place]
    starts: list[int]
    own: Place
    is_item: bool
    clauses: list[Clause] = field(default_factory=list)
    dropped: list[Clause] = field(default_factory=list)
    bare: list[Clause] | None = None
    sentence: Sentence | None = None
    features: dict[tuple[int, bool, bool], tuple[int, list[list[str]]]] = field(default_factory=dict)

    def spans(self, start: int, end: int) -> list[Span]:
        """The places of the document that a stretch of the text consists of."""
        found = []
        for number, (begin, (first, stop)) in enumerate(zip(self.starts, self.places, strict=True)):
            limit = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
            lo, hi = max(start, begin), min(end, limit, begin + stop - first)
            if lo < hi:
                found.append((first + lo - begin, first + hi - begin))
        return found

    def position(self, place: int) -> int | None:
        """Where in the text a code point of the document stands; None where it does not."""
        for begin, (first, stop) in zip(self.starts, self.places, strict=True):
            if first <= place < stop:
                return begin + place - first
        return None


def collect(gold: Sequence[GoldUnit], sources: Mapping[str, SourceText]) -> list[Task]:
    """Every sentence that the product parses in the units of the gold, and what its rules read there."""
    tasks: list[Task] = []
    for name in sorted({each.unit.document for each in gold}):
        units = [each.unit.span for each in gold if each.unit.document == name]
        reading = read_document(sources[name])
        version = DocumentVersion.model_construct(**_VERSION, name="")
        with _recorded() as seen:
            for _ in extraction_records(version, reading, "derivation"):
                pass
        for record in seen:
            task = _task(name, reading, record)
            if any(_shared(p, u) for p in task.places for u in units):
                tasks.append(task)
    return tasks


@dataclass(slots=True)
class _Record:
    composed: ComposedText
    own: Place
    is_item: bool
    readings: list[NormReading]
    kept: set[int] = field(default_factory=set)


@contextmanager
def _recorded() -> Iterator[list[_Record]]:
    """While this lasts, what is read of composed sentences is written down."""
    records: dict[int, _Record] = {}
    now: dict[str, Any] = {}
    room = provisions.ProvisionNorms
    norms, readings, mark = room.norms, room._readings, room._mark

    def see_norms(self: provisions.ProvisionNorms, index: int) -> list[Mark]:
        now.update(own=self._own(index), is_item=self.is_item(index) or self._lists.places[index].leads >= 0)
        return norms(self, index)

    def see_readings(
        self: provisions.ProvisionNorms,
        composed: ComposedText,
        *rest: Sequence[Place] | None,
        **more: Any,  # noqa: ANN401 - whatever the product asks for
    ) -> list[NormReading]:
        found = readings(self, composed, *rest, **more)
        records[id(composed)] = _Record(composed, now["own"], now["is_item"], found)
        return found

    def see_mark(
        self: provisions.ProvisionNorms, index: int, reading: NormReading, composed: ComposedText
    ) -> Mark | None:
        made = mark(self, index, reading, composed)
        if made is not None:
            records[id(composed)].kept.add(id(reading))
        return made

    with (
        patch.object(room, "norms", see_norms),
        patch.object(room, "_readings", see_readings),
        patch.object(room, "_mark", see_mark),
    ):
        found: list[_Record] = []
        yield found
        found += records.values()


def _task(name: str, reading: DocumentReading, record: _Record) -> Task:
    composed = record.composed
    at = [begin for begin, place in zip(composed.starts, composed.places, strict=True) if place[0] == record.own[0]]
    own = (at[0] if at else 0, len(composed.text))
    task = Task(
        name,
        composed.text,
        [reading.matched.span(*place) for place in composed.places],
        list(composed.starts),
        own,
        record.is_item,
    )
    for each in record.readings:
        clause = clause_of_mark(composed.text, each.mark, (each.cue.start, each.cue.end))
        (task.clauses if id(each) in record.kept else task.dropped).append(clause)
    return task


def _shared(first: Span, second: Span) -> int:
    return max(0, min(first[1], second[1]) - max(first[0], second[0]))


def as_norm(task: Task, clause: Clause) -> Norm[Span]:
    """A clause in the shape of a label, with the places of the document."""

    def spans(place: Place | None) -> list[Span]:
        return task.spans(*place) if place else []

    return Norm[Span].model_construct(
        kind=cast(Any, clause.kind),
        force="mandatory",
        polarity="negative" if clause.kind in ("prohibition", "exemption") else "positive",
        text=tuple(spans(clause.whole)),
        cue=tuple(spans(clause.cue)),
        holder=tuple(spans(clause.holder)),
        action=tuple(p for part in clause.action for p in spans(part)),
        object=(),
        times=tuple(
            Time[Span].model_construct(
                kind=cast(Any, time.kind), text=tuple(spans(time.text)), trigger=tuple(spans(time.trigger))
            )
            for time in clause.times
        ),
        conditions=tuple(p for part in clause.conditions for p in spans(part)),
        exceptions=(),
        counterparty=(),
        locator=(),
    )


def readings_of(gold: Sequence[GoldUnit], clauses: Sequence[tuple[Task, Clause]]) -> dict[str, Reading]:
    """Clauses by the unit that they lie in, for the scorer of the gold."""
    by_document: dict[str, list[Norm[Span]]] = {}
    for task, clause in clauses:
        by_document.setdefault(task.document, []).append(as_norm(task, clause))
    found = {}
    for each in gold:
        norms = []
        for norm in by_document.get(each.unit.document, ()):
            # Where most of its words lie in the unit; of a composed norm the piece that does most.
            if not norm.text:
                continue
            part = max(norm.text, key=lambda span: _shared(span, each.unit.span))
            if _shared(part, each.unit.span) * 2 >= part[1] - part[0]:
                norms.append(ReadNorm(norm, "", 1.0))
        found[each.unit.id] = Reading(tuple(norms), ())
    return found
