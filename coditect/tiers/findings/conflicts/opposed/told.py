"""What is told of statements that are at odds: their sides, in one order."""

from __future__ import annotations

from dataclasses import dataclass

from coditect.tiers.findings.conflicts.approvals import APPROVAL, ROLE
from coditect.tiers.findings.conflicts.assertions.definitions import DEFINITION
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.strictness import Relation
from coditect.tiers.findings.said.statements import Statement

__all__ = ["MOST_SIDES", "TWO_SIDED", "Side", "StatementConflict", "by_document", "by_value", "side_of"]

MOST_SIDES = 5
"""Documents that one conflict sets against each other."""

TWO_SIDED = ("modality", APPROVAL, ROLE, DEFINITION)
"""Kinds of which two statements are told, and no more."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one document says.

    Attributes:
        statement: the sentence that says it.
        says: the measure as printed; in a modality conflict the sentence.
        value: its normalised value; in a modality conflict "must", "must not", "may" or "need not".
    """

    statement: Statement
    says: str
    value: float | str


@dataclass(frozen=True, slots=True)
class StatementConflict:
    """Statements of different documents on one subject that differ.

    Attributes:
        kind: the measure's kind, "modality" or "approval".
        head: what it is a measure of, or the stem of the verb.
        verb: the verb, or the unit or name, as it is printed.
        subject: what the closest two have in common, as printed in the first of them.
        sides: two or more, of different documents and with at least two values, ordered by value and document.
        similarity: of the closest two, 0..1.
        relation: "stricter" where each of them fulfils the looser ones that bind it; else "conflict".
    """

    kind: str
    head: str
    verb: str
    subject: str
    sides: tuple[Side, ...]
    similarity: float
    relation: Relation = "conflict"

    @property
    def places(self) -> tuple[tuple[str, int], ...]:
        """(document id, first code point) of its statements."""
        return tuple(side.statement.place for side in self.sides)


def side_of(entry: Entry) -> Side:
    """What the document of an entry says."""
    return Side(entry.statement, entry.says, entry.value)


def by_value(side: Side) -> tuple[bool, float, str, str, int]:
    """Sides in the order of their values, words behind numbers."""
    number = side.value if isinstance(side.value, float) else 0.0
    return isinstance(side.value, str), number, str(side.value), *side.statement.order


def by_document(entry: Entry) -> tuple[str, int, str, str]:
    """Entries in the order of their documents."""
    return (*entry.statement.order, entry.says, entry.verb)
