"""Registers for assistants: duties, deadlines, definitions, contracts and exceptions, a page at a time, each with its citation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from coditect.assistants.citing import Citing
from coditect.assistants.fencing import fenced
from coditect.assistants.paging import page_after
from coditect.assistants.registers.shapes import (
    AgreementFound,
    AgreementsAnswer,
    RegisterAnswer,
    RegisteredStatement,
    TermFound,
    WaiverFound,
    WaiversAnswer,
)
from coditect.schemas import AgreementRow, AgreementTerm, RegisterKind, RegisterRow, WaiverRow

if TYPE_CHECKING:
    from coditect.assistants.desk import AssistantDesk
    from coditect.store.view import View

__all__ = ["RegisterDesk", "RegisterName", "RegisterQuestion"]

RegisterName = Literal["obligations", "deadlines", "definitions"]

_KINDS: dict[RegisterName, frozenset[RegisterKind]] = {
    "obligations": frozenset(("obligation", "prohibition")),
    "deadlines": frozenset(("obligation", "prohibition", "permission")),
    "definitions": frozenset(("definition",)),
}


@dataclass(frozen=True, slots=True)
class RegisterQuestion:
    """What every register is asked with.

    Attributes:
        corpus_id: the corpus.
        documents: names, or patterns with ``*``; none: all.
        cursor: from the page before; "": the first page.
        limit: rows of a page.
        generation: of the corpus; None: the current one.
    """

    corpus_id: str
    documents: Sequence[str] = ()
    cursor: str = ""
    limit: int = 20
    generation: int | None = None


class RegisterDesk:
    """The registers of a desk: what its caller may not read is not there.

    Args:
        desk: of whoever asks.
    """

    def __init__(self, desk: AssistantDesk) -> None:
        self._desk = desk

    def register(
        self,
        name: RegisterName,
        asked: RegisterQuestion,
        *,
        actor: str = "",
        contains: str = "",
        due_within: str = "",
        permissions: bool = False,
        in_force: bool = False,
    ) -> RegisterAnswer:
        """A page of a register of statements.

        Args:
            name: which.
            asked: of what, and which page.
            actor: words of who acts; "": whoever does.
            contains: words that the text holds; "": any.
            due_within: "72 hours", "10 days"; "": whenever it is due.
            permissions: of obligations: whether what is permitted is listed, too.
            in_force: whether what does not bind on the day is left out.
        Raises:
            NotFound: no such corpus, generation or document, or the caller may not know of it.
            UsageError: no length of time, or not a cursor.
        """
        from coditect.knowledge.report.registers.selection import RegisterFilters, hours_of, is_in_working_days

        filters = RegisterFilters(
            kinds=_KINDS[name] | (frozenset(("permission",)) if permissions else frozenset()),
            actors=(actor,) if actor else (),
            documents=tuple(asked.documents),
            words=(contains,) if contains else (),
            due_within=hours_of(due_within) if due_within else None,
            in_working_days=is_in_working_days(due_within),
            timed=name == "deadlines",
            in_force=in_force,
        )
        view, today = self._opened(asked)
        rows = list(self._desk.knowledge.register(asked.corpus_id, filters, as_of=view.generation, today=today))
        page, following = page_after(rows, asked.cursor, asked.limit)
        versions = _versions(view)
        citing = Citing(asked.corpus_id, view.generation)
        return RegisterAnswer(
            corpus_id=asked.corpus_id,
            generation=view.generation,
            today=today,
            lines=tuple(_line(each, versions[each.document], citing) for each in page),
            total=len(rows),
            next_cursor=following,
        )

    def agreements(self, asked: RegisterQuestion, *, ends_within: str = "") -> AgreementsAnswer:
        """A page of contracts.

        Args:
            asked: of what, and which page.
            ends_within: "90 days": only what ends, or whose notice is due, so soon; "": all.
        Raises:
            NotFound: no such corpus, generation or document, or the caller may not know of it.
            UsageError: no length of time, or not a cursor.
        """
        from coditect.knowledge.report.registers.agreements import ending_within
        from coditect.knowledge.report.registers.selection import hours_of

        hours = hours_of(ends_within) if ends_within else None
        view, today = self._opened(asked)
        found = self._desk.knowledge.agreements(
            asked.corpus_id, documents=tuple(asked.documents), as_of=view.generation, today=today
        )
        rows = [each for each in found if hours is None or ending_within(each, today, hours)]
        page, following = page_after(rows, asked.cursor, asked.limit)
        versions = _versions(view)
        citing = Citing(asked.corpus_id, view.generation)
        return AgreementsAnswer(
            corpus_id=asked.corpus_id,
            generation=view.generation,
            today=today,
            agreements=tuple(_agreement(each, versions[each.document], citing) for each in page),
            total=len(rows),
            next_cursor=following,
        )

    def waivers(self, asked: RegisterQuestion, *, ends_within: str = "") -> WaiversAnswer:
        """A page of exceptions.

        Args:
            asked: of what, and which page.
            ends_within: "90 days": only what ends so soon; "": all.
        Raises:
            NotFound: no such corpus, generation or document, or the caller may not know of it.
            UsageError: no length of time, or not a cursor.
        """
        from coditect.knowledge.report.registers.selection import hours_of
        from coditect.knowledge.report.registers.waivers import waivers_ending_within

        hours = hours_of(ends_within) if ends_within else None
        view, today = self._opened(asked)
        found = self._desk.knowledge.waivers(
            asked.corpus_id, documents=tuple(asked.documents), as_of=view.generation, today=today
        )
        rows = [each for each in found if hours is None or waivers_ending_within(each, hours)]
        page, following = page_after(rows, asked.cursor, asked.limit)
        versions = _versions(view)
        citing = Citing(asked.corpus_id, view.generation)
        return WaiversAnswer(
            corpus_id=asked.corpus_id,
            generation=view.generation,
            today=today,
            waivers=tuple(_waiver(each, versions[each.document], citing) for each in page),
            total=len(rows),
            next_cursor=following,
        )

    def _opened(self, asked: RegisterQuestion) -> tuple[View, str]:
        return self._desk.view(asked.corpus_id, "read", asked.generation), self._desk.knowledge.clock()[:10]


def _versions(view: View) -> Mapping[str, str]:
    """Ids of versions by the names of their documents."""
    return {each.name: each.version_id for each in view.documents.values()}


def _parts(**said: str) -> str:
    """What is said, a part a line, fenced as a whole."""
    return fenced("\n".join(f"{name}: {' '.join(words.split())}" for name, words in said.items() if words))


def _line(row: RegisterRow, version_id: str, citing: Citing) -> RegisteredStatement:
    told = _parts(
        who=row.actor,
        what=" ".join(each for each in (row.action, row.object if row.object not in row.action else "") if each),
        due=row.deadline,
        counted_from=row.trigger,
        recurs=row.frequency,
        lasts=row.duration,
        only_if="; ".join(row.conditions),
        unless="; ".join(row.exceptions),
        term=row.term,
        meaning=row.meaning,
        leaves_out=row.excludes,
        amended=row.amended,
    )
    return RegisteredStatement(
        kind=row.kind,
        force=row.force,
        told=told,
        deadline_hours=row.deadline_hours,
        deadline_in_working_days=row.deadline_in_working_days,
        due=row.due,
        per_year=row.per_year,
        role=row.role or "",
        standing=row.standing,
        decided=row.decision or "",
        citation=citing.of_statement(version_id, row),
    )


def _agreement(row: AgreementRow, version_id: str, citing: Citing) -> AgreementFound:
    return AgreementFound(
        document=row.document,
        parties=tuple(map(fenced, row.parties)),
        standing=row.standing,
        dated=row.dated,
        begins=row.begins,
        ends=row.ends,
        ends_basis=row.ends_basis,
        notice_by=row.notice_by,
        notice_passed=row.notice_passed,
        renews_until=row.renews_until,
        amended_by=row.amended_by,
        amends=row.amends,
        silent=row.silent,
        terms=tuple(
            TermFound(field=each.field, told=_term(each), citation=citing.of_statement(version_id, each, row.document))
            for each in row.terms
        ),
    )


def _term(term: AgreementTerm) -> str:
    return _parts(value=term.value, length=term.length, who=term.who, counted_from=term.since)


def _waiver(row: WaiverRow, version_id: str, citing: Citing) -> WaiverFound:
    return WaiverFound(
        kind=row.kind,
        status=row.status,
        told=_parts(
            who=row.holder, excused_from=row.provision, by=row.granted_by, condition=row.condition, number=row.reference
        ),
        granted_on=row.granted_on,
        begins=row.begins,
        ends=row.ends,
        days_left=row.days_left,
        citation=citing.of_statement(version_id, row),
    )
