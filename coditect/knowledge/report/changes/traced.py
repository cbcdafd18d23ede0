"""The work list as a language model reads it: what it names, what it confirms, and what words alone would have named.

What was signed, quotes or cites what changed stays whoever reads. A statement that words alone name and the model does not is set
aside, and told: only where every request that showed it beside its changes was answered, and none showed a text that speaks to a
model.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from coditect.agents.roles.on_request.tracer import Traced, Tracing
from coditect.knowledge.report.changes.asked import (
    PlacedChange,
    PlacedStatement,
    Portion,
    changes_of,
    portions_of,
    statements_of_others,
)
from coditect.knowledge.report.changes.impact import by_weight, owner_of, resting
from coditect.knowledge.report.changes.report import ComparedStates
from coditect.models.port import Embedder
from coditect.schemas import AffectedItem, CorpusChanges, TracedChange

__all__ = ["AnsweredPortion", "ReadableList", "traced_list"]

_MOST_CHANGES = 3
"""Changes that a statement is told to rest on, at most: as many as words alone tell."""


@dataclass(frozen=True)
class ReadableList:
    """A work list, and what a model is asked about it.

    Attributes:
        states: what was compared; its work list is that of rules and words.
        embedder: finds statements that are near in meaning where not all are read; None: words alone do.
    """

    states: ComparedStates
    embedder: Embedder | None

    @cached_property
    def changes(self) -> list[PlacedChange]:
        """The changes that something can rest on."""
        return changes_of(self.states.compared)

    @cached_property
    def statements(self) -> list[PlacedStatement]:
        """The statements of the documents that did not change."""
        return statements_of_others(self.states.after, self.states.compared)

    @cached_property
    def named(self) -> list[tuple[int, AffectedItem]]:
        """(index of a statement, the line) of each that words alone name, in the order of the list."""
        lines = [each for each in self.states.changes.affected if each.kind == "statement"]
        spans = self._spans({each.document for each in lines})
        placed: dict[str, list[tuple[int, PlacedStatement]]] = defaultdict(list)
        for index, statement in enumerate(self.statements):
            placed[statement.shown.document].append((index, statement))
        found = []
        for line in lines:
            start = spans[line.document, line.item_id]
            inside = (index for index, each in placed[line.document] if each.span[0] <= start < each.span[1])
            found += [(index, line) for index in islice(inside, 1)]
        return found

    def _spans(self, names: set[str]) -> dict[tuple[str, str], int]:
        """Where the items of some documents begin, by the document's name and the item's id."""
        after = self.states.after
        return {
            (version.name, each.extraction_id): each.char_offset_start
            for document_id, version in after.documents.items()
            if version.name in names
            for each in after.each_extraction(document_id)
        }

    def portions(self) -> list[Portion]:
        """What each request shows."""
        return portions_of(self.changes, self.statements, self.named, self.embedder)


@dataclass(frozen=True, slots=True)
class AnsweredPortion:
    """A request and what came of it.

    Attributes:
        portion: what it showed.
        tracing: what the answer says, its numbers those of the portion; None where none could be used.
        request_sha256: of the request.
    """

    portion: Portion
    tracing: Tracing | None
    request_sha256: str


def traced_list(
    asked: ReadableList, answers: Sequence[AnsweredPortion], tracer: str, unread: Sequence[str]
) -> CorpusChanges:
    """The changes, with the work list as the model reads it.

    Args:
        asked: what it was asked about.
        answers: all requests.
        tracer: version of the role, and the model.
        unread: what was not answered, in words.
    """
    told: dict[int, dict[int, TracedChange]] = defaultdict(dict)
    for answer in answers:
        for each in answer.tracing.traced if answer.tracing is not None else ():
            change = asked.changes[answer.portion.changes[each.change]].change.number
            told[answer.portion.statements[each.statement]].setdefault(change, _traced(each, change, answer))
    by_words: dict[int, list[AffectedItem]] = defaultdict(list)
    for index, line in asked.named:
        by_words[index].append(line)
    lines = [_line(asked, index, changes, by_words[index]) for index, changes in sorted(told.items())]
    seen = _seen(asked, answers)
    read = [(index, line) for index, line in asked.named if set(line.changes) <= seen[index] | told[index].keys()]
    denied = [line for index, line in read if not told[index]]
    gone = {(line.document, line.item_id) for _, line in read}
    kept = (
        each
        for each in asked.states.changes.affected
        if each.kind != "statement" or (each.document, each.item_id) not in gone
    )
    return asked.states.changes.model_copy(
        update={
            "affected": by_weight([*kept, *lines]),
            "tracer": tracer,
            "set_aside": by_weight(denied),
            "unread": tuple(unread),
        }
    )


def _traced(each: Traced, change: int, answer: AnsweredPortion) -> TracedChange:
    return TracedChange(
        change=change,
        statement_words=each.statement_words,
        before_words=each.before_words,
        reason=each.reason,
        request_sha256=answer.request_sha256,
    )


def _seen(asked: ReadableList, answers: Iterable[AnsweredPortion]) -> dict[int, set[int]]:
    """Beside which changes each statement was read so that silence counts."""
    seen: dict[int, set[int]] = defaultdict(set)
    for answer in answers:
        if answer.tracing is None or answer.tracing.addressed:
            continue
        numbers = {asked.changes[each].change.number for each in answer.portion.changes}
        for index in answer.portion.statements:
            seen[index] |= numbers
    return seen


def _line(
    asked: ReadableList, index: int, told: Mapping[int, TracedChange], words: Sequence[AffectedItem]
) -> AffectedItem:
    """The line of a statement that the model names: of one document's changes, the heaviest first."""
    statement = asked.statements[index]
    placed = {each.change.number: each for each in asked.changes if each.change.number in told}
    first = resting(each.change for each in placed.values())[0]
    document = placed[first.number].document
    own = resting(each.change for each in placed.values() if each.document is document)[:_MOST_CHANGES]
    numbers = tuple(each.number for each in own)
    return AffectedItem(
        kind="statement",
        item_id=words[0].item_id if words else statement.item_id,
        document=statement.shown.document,
        place=statement.place,
        text=statement.shown.text,
        owner=owner_of(asked.states.after, statement.document_id),
        changed_document=document.changes.document,
        changes=numbers,
        reason=told[numbers[0]].reason,
        weight=own[0].weight,
        named_by=("words", "model") if words else ("model",),
        traced=tuple(told[number] for number in numbers),
    )
