"""Telling: which statements the rules of gaps have to look at, as far as a statement by itself and its document say so.

Most statements of a corpus tell no rule anything: they refer to no document, leave nothing open, are no row of a table. A rule that
is given those that tell it something finds what it finds among all of them; where it needs the others as well, since it asks what
nobody says, it is given a way to read them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntFlag
from functools import cache, cached_property
from typing import Protocol

from coditect.documents.profile.citations import OutwardReference
from coditect.language.matched import as_matched
from coditect.language.patterns.beginnings import quick
from coditect.language.tables import read_table
from coditect.language.terms import terms
from coditect.tiers.findings.naming import beyond, is_specific, numbers_of, speaks_of
from coditect.tiers.findings.said.printed import PrintedWords, printed_words
from coditect.tiers.findings.said.statements import Statement
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.tables import DatedColumn, cells, dated_column, due_in

__all__ = [
    "AllStatements",
    "LiveStatements",
    "MeasuredPlace",
    "NamedPlace",
    "StatementSource",
    "Telling",
    "defined_by",
    "named_itself",
    "names_spoken_of",
    "section_numbers",
    "term_key",
    "told_by",
    "wanted_of",
]

_TERM = re.compile(r"[\"“]([^\"“”]{3,80})[\"”]")
_PLACEHOLDER = re.compile(r"\{\{[^}]*\}\}")
_ITSELF = re.compile(
    rf"\bThis\s+(?P<name>(?:[A-Z{{][\w{{}}&-]*\s+){{1,5}}(?:{read_table('documents').pattern('reviewed')}|(?-i:Agreement|AGREEMENT)))\b",
    re.IGNORECASE,
)
_NAME_OF_ITS_OWN = quick(
    rf"\b(?:[Tt]he|[Oo]ur)\s+(?P<name>(?:[A-Z][\w&-]*\s+(?:and\s+|of\s+)?){{1,6}}(?i:{read_table('documents').pattern('reviewed')}))"
    r"\s+(?:\((?:the\s+)?[“\"]?[A-Z][\w -]{1,20}[”\"]?\)\s+)?"
    r"(?:(?:as\s+)?(?:outlined|described|set\s+out|set\s+forth|contained|established|presented|laid\s+down)\s+"
    r"(?:herein|here|below|in\s+this\s+document)\b)"
)


class Telling(IntFlag):
    """What a statement tells."""

    PLACE = 1
    """A place that is not there in its document, or in another one; or a part, such as a schedule."""
    CODE = 2
    """The number of a document."""
    TERM = 4
    """A term with capitals."""
    ROLE = 8
    """A role whose tasks are laid down elsewhere."""
    OPEN = 16
    """Something open, or what stands before it."""
    ROW = 32
    """A row of a table, or a line of labels or with a day below one."""
    HEADING = 64
    """Nothing but a heading."""
    LAST = 128
    """When something was last done."""
    OFTEN = 256
    """How often something is done."""


class StatementSource(Protocol):
    """The statements of a corpus: those that tell some rule something, and all of them where a rule asks what nobody says."""

    @property
    def telling(self) -> Sequence[Statement]:
        """At least the statements that tell something, in the order of all."""
        ...

    @property
    def every(self) -> Sequence[Statement]:
        """All statements, in order."""
        ...

    @property
    def named(self) -> Iterable[NamedPlace]:
        """The documents that statements speak of, by document and place."""
        ...

    @property
    def defined(self) -> Collection[str]:
        """The terms that sentences with definitions print in quotation marks, by :func:`term_key`."""
        ...

    @property
    def self_names(self) -> Sequence[frozenset[str]]:
        """The stems of what documents call themselves."""
        ...

    @property
    def measures(self) -> Iterable[MeasuredPlace]:
        """The measures of all statements, by document and place."""
        ...

    def shown(self, reference: OutwardReference) -> tuple[str, int] | None:
        """The place of the last statement that holds a reference; None where none does."""
        ...

    def of_document(self, document_id: str) -> Sequence[Statement]:
        """All statements of a document, in order."""
        ...

    def fixing(self, kind: str, documents: Iterable[str]) -> Sequence[Statement]:
        """The statements of some documents that fix a measure of a kind, by document and place."""
        ...

    @property
    def documents(self) -> Collection[str]:
        """The documents that statements may stand in."""
        ...

    def printed(self, document_id: str) -> PrintedWords:
        """What a document prints, without its statements."""
        ...

    def numbers(self, document_id: str) -> frozenset[str]:
        """The numbers of the sections of a document."""
        ...


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """The name of a document in a statement that speaks of it.

    Attributes:
        document_id: the document that the statement stands in.
        char_start: where it begins there.
        name: as it is printed.
    """

    document_id: str
    char_start: int
    name: str


@dataclass(frozen=True, slots=True)
class MeasuredPlace:
    """A measure that a statement fixes.

    Attributes:
        document_id: the document.
        kind: of the measure.
        head: what it is a measure of.
        verb: that as printed.
    """

    document_id: str
    kind: str
    head: str
    verb: str


class AllStatements:
    """Statements that are all at hand.

    Args:
        statements: of a corpus, in any order.
    """

    def __init__(self, statements: Iterable[Statement]) -> None:
        self.every: Sequence[Statement] = sorted(statements, key=lambda statement: statement.order)

    @property
    def telling(self) -> Sequence[Statement]:
        """All of them: a rule passes over what tells it nothing."""
        return self.every

    @property
    def named(self) -> Iterable[NamedPlace]:
        """See :attr:`StatementSource.named`."""
        return (NamedPlace(*each.place, name) for each in self.every for name in names_spoken_of(each))

    @cached_property
    def defined(self) -> Collection[str]:
        """See :attr:`StatementSource.defined`."""
        return {key for each in self.every for key in defined_by(each)}

    @cached_property
    def self_names(self) -> Sequence[frozenset[str]]:
        """See :attr:`StatementSource.self_names`."""
        return sorted({stems for each in self.every for stems in named_itself(each)}, key=sorted)

    @property
    def measures(self) -> Iterable[MeasuredPlace]:
        """See :attr:`StatementSource.measures`."""
        for each in self.every:
            for measure in each.sentence.measures:
                yield MeasuredPlace(each.place[0], measure.kind, measure.head, measure.verb)

    def shown(self, reference: OutwardReference) -> tuple[str, int] | None:
        """See :meth:`StatementSource.shown`."""
        return self._shown.get(reference.extraction_id)

    @cached_property
    def _shown(self) -> dict[str, tuple[str, int]]:
        return {each: s.place for s in self.every for each in s.sentence.extraction_ids}

    def of_document(self, document_id: str) -> Sequence[Statement]:
        """See :meth:`StatementSource.of_document`."""
        return self._by_document.get(document_id, [])

    def fixing(self, kind: str, documents: Iterable[str]) -> Sequence[Statement]:
        """See :meth:`StatementSource.fixing`."""
        own = (each for document_id in documents for each in self.of_document(document_id))
        return [each for each in own if any(measure.kind == kind for measure in each.sentence.measures)]

    @property
    def documents(self) -> Collection[str]:
        """See :attr:`StatementSource.documents`."""
        return self._by_document

    def printed(self, document_id: str) -> PrintedWords:
        """See :meth:`StatementSource.printed`."""
        return printed_words(self.of_document(document_id))

    def numbers(self, document_id: str) -> frozenset[str]:
        """See :meth:`StatementSource.numbers`."""
        return section_numbers(self.of_document(document_id))

    @cached_property
    def _by_document(self) -> dict[str, list[Statement]]:
        found: dict[str, list[Statement]] = {}
        for each in self.every:
            found.setdefault(each.place[0], []).append(each)
        return found


@dataclass(frozen=True)
class LiveStatements:
    """The statements of the documents that are not past.

    Attributes:
        source: of all documents.
        standings: which of these are past.
    """

    source: StatementSource
    standings: Standings

    @cached_property
    def telling(self) -> Sequence[Statement]:
        """At least those that tell something, in order."""
        return [each for each in self.source.telling if not self.standings.is_past(each.place[0])]

    @cached_property
    def every(self) -> Sequence[Statement]:
        """All of them, in order."""
        return [each for each in self.source.every if not self.standings.is_past(each.place[0])]

    def of_document(self, document_id: str) -> Sequence[Statement]:
        """Those of a document, in order."""
        return () if self.standings.is_past(document_id) else self.source.of_document(document_id)

    def among(self, documents: Iterable[str]) -> list[Statement]:
        """Those of some documents, in the order of all."""
        own = (each for document_id in documents for each in self.of_document(document_id))
        return sorted(own, key=lambda statement: statement.order)

    @cached_property
    def documents(self) -> list[str]:
        """The documents that are not past."""
        return [each for each in self.source.documents if not self.standings.is_past(each)]

    @property
    def printed(self) -> Iterator[tuple[str, PrintedWords]]:
        """What each document prints, one after the other."""
        return ((each, self.source.printed(each)) for each in self.documents)


def term_key(name: str) -> str:
    """A name without case and plural: how a defined term is known again."""
    return " ".join(name.casefold().split()).removesuffix("s")


def defined_by(statement: Statement) -> list[str]:
    """What a sentence with a definition prints in quotation marks."""
    if "definition" not in statement.sentence.kinds:
        return []
    return [term_key(term) for term in _TERM.findall(as_matched(statement.sentence.text))]


def named_itself(statement: Statement) -> list[frozenset[str]]:
    """The stems of what a document calls itself: "This Contingency Plan is created …", "the Security Policy outlined herein"."""
    text = as_matched(statement.sentence.text)
    found = [*_ITSELF.finditer(text)] if "This " in text or "THIS " in text else []
    found += _NAME_OF_ITS_OWN.finditer(text)
    return [frozenset(terms(_PLACEHOLDER.sub(" ", match["name"]))) for match in found]


def names_spoken_of(statement: Statement) -> list[str]:
    """The documents that a statement speaks of by a name that says which one is meant."""
    text = statement.sentence.text
    return [name for name in statement.sentence.documents if is_specific(name) and speaks_of(text, name)]


def section_numbers(statements: Iterable[Statement]) -> frozenset[str]:
    """The numbers of the sections of a document, by all of its statements."""
    return numbers_of({each.chunk.chunk_id: each.chunk for each in statements}.values())


def told_by(statements: Sequence[Statement], rules: Mapping[Telling, Callable[[Statement], bool]]) -> list[Telling]:
    """What each statement of a document tells.

    Args:
        statements: all of the document, in document order.
        rules: whether a statement tells something, by what.
    """
    numbers = section_numbers(statements)
    found = []
    column: DatedColumn | None = None
    for number, statement in enumerate(statements):
        told = _places(statement, numbers)
        text = statement.sentence.text
        if " | " in text or cells(text):
            told |= Telling.ROW
        elif (labels := dated_column(text)) is not None:
            column = labels
            told |= Telling.ROW
        elif column is not None and due_in(text, column):
            told |= Telling.ROW
        behind = statements[number + 1 : number + 2]
        if any(each.sentence.open_point for each in (statement, *behind)):
            told |= Telling.OPEN
        for what, tells in rules.items():
            told |= what if tells(statement) else Telling(0)
        found.append(told)
    return found


def _places(statement: Statement, numbers: frozenset[str]) -> Telling:
    """Whether a statement refers to a part, to a place in another document, or to one behind the last of its own."""
    for place in statement.sentence.places:
        label, _, name = place.partition("|")
        if name or not label[0].isdigit() or beyond(label, numbers):
            return Telling.PLACE
    return Telling(0)


def wanted_of(document_id: str, standings: Standings, *, is_house: bool, is_dated: bool) -> Telling:
    """What a statement of a document must tell for a rule to look at it.

    Args:
        document_id: the document.
        standings: what the documents are.
        is_house: whether the corpus holds documents of a house, beside which an agreement's terms are looked at.
        is_dated: whether any statement of the corpus says when something was last done.
    """
    is_contract, is_outside = standings.is_contract(document_id), standings.is_outside(document_id)
    is_duty = standings.is_normative(document_id) and not is_outside
    return _wanted(is_house or not is_contract, not is_contract and not is_outside, is_duty, is_dated)


@cache
def _wanted(asks_terms: bool, asks_roles: bool, asks_headings: bool, asks_how_often: bool) -> Telling:
    """What a statement must tell, put together once for each kind of document."""
    wanted = Telling.PLACE | Telling.CODE | Telling.OPEN | Telling.ROW | Telling.LAST
    asked = {
        Telling.TERM: asks_terms,
        Telling.ROLE: asks_roles,
        Telling.HEADING: asks_headings,
        Telling.OFTEN: asks_how_often,
    }
    for what, is_asked in asked.items():
        wanted |= what if is_asked else Telling(0)
    return wanted
