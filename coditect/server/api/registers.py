"""Registers: duties, definitions, deadlines and whatever else the documents say, row by row; and what they refer to in vain."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from coditect.knowledge.report.absent import absent_targets
from coditect.knowledge.report.registers.agreements import agreement_rows, ending_within
from coditect.knowledge.report.registers.conflicts import MOST_PAIRS, conflict_page
from coditect.knowledge.report.registers.rows import defined_often, register_rows
from coditect.knowledge.report.registers.selection import RegisterFilters, hours_of, is_in_working_days
from coditect.knowledge.report.registers.waivers import waiver_rows, waivers_ending_within
from coditect.knowledge.report.shapes import (
    absent_shape,
    agreements_shape,
    conflicts_shape,
    register_shape,
    waivers_shape,
)
from coditect.schemas import Modality, RegisterKind, Severity, WaiverStatus
from coditect.server.answers import answer, cursor_after, first_of, page_of
from coditect.server.api.common import REFUSALS, AsOf, Cursor, Limit, Reading, Today
from coditect.server.api.described import AbsentList, AgreementPage, ConflictPairs, RegisterPage, WaiverPage
from coditect.server.problems import Problem

__all__ = ["router"]

router = APIRouter(responses=REFUSALS, tags=["registers"])

Register = Literal["all", "obligations", "definitions", "deadlines", "claims"]

_KINDS: dict[Register, frozenset[RegisterKind]] = {
    "all": frozenset(),
    "obligations": frozenset(("obligation", "prohibition")),
    "definitions": frozenset(("definition",)),
    "deadlines": frozenset(("obligation", "prohibition", "permission")),
    "claims": frozenset(("claim",)),
}


def _kinds(register: Register, asked: frozenset[RegisterKind], permissions: bool) -> frozenset[RegisterKind]:
    """The kinds of rows that a register holds; of those that it has, only what was asked for.

    Raises:
        Problem: 422, it has none of them.
    """
    own = set(_KINDS[register])
    if permissions and register == "obligations":
        own.add("permission")
    if asked and own and not own & asked:
        there = ", ".join(sorted(own))
        raise Problem(422, "the request is not valid", f"query.kind: the register of {register} has {there}.")
    return frozenset(own & asked if own and asked else own or asked)


@router.get(
    "/corpora/{corpus_id}/registers/{register}",
    operation_id="list_register",
    responses={200: {"model": RegisterPage}},
)
def list_register(
    opened: Reading,
    register: Annotated[Register, Path(description="Which register.")],
    actor: Annotated[list[str] | None, Query(description="Words of who acts; any of them.")] = None,
    document: Annotated[list[str] | None, Query(description="Names, or patterns with *.")] = None,
    topic: Annotated[list[str] | None, Query(description="Only what speaks to these.")] = None,
    locator: Annotated[list[str] | None, Query(description="Paths, with what stands below them.")] = None,
    contains: Annotated[list[str] | None, Query(description="Words that the text holds; all of them.")] = None,
    modality: Annotated[list[Modality] | None, Query(description="Only of this force.")] = None,
    severity: Annotated[list[Severity] | None, Query(description="Of claims.")] = None,
    kind: Annotated[list[RegisterKind] | None, Query(description="Only rows of these kinds.")] = None,
    permissions: Annotated[bool, Query(description="Of obligations: what is permitted and exempt as well.")] = False,
    due_within: Annotated[
        str,
        Query(
            max_length=40,
            description="'72 hours', '10 days', '3 business days'; working days with the weekends that they may span.",
        ),
    ] = "",
    in_force: Annotated[bool, Query(description="Leave out what is superseded, expired or not yet in force.")] = False,
    several: Annotated[bool, Query(description="Of definitions: only terms that are defined more than once.")] = False,
    today: Today = None,
    as_of: AsOf = None,
    cursor: Cursor = "",
    limit: Limit = 100,
) -> Response:
    """The rows of a register, in the order of documents and texts; 'next' asks for the page behind."""
    kinds = _kinds(register, frozenset(kind or ()), permissions)
    filters = RegisterFilters(
        kinds=kinds,
        forces=frozenset(modality or ()),
        actors=tuple(actor or ()),
        documents=tuple(document or ()),
        topics=tuple(topic or ()),
        locators=tuple(locator or ()),
        words=tuple(contains or ()),
        due_within=hours_of(due_within) if due_within else None,
        in_working_days=is_in_working_days(due_within or ""),
        severities=frozenset(severity or ()),
        timed=register == "deadlines",
        in_force=in_force,
    )
    view, day = opened.noted("register", as_of), today or opened.knowledge.clock()[:10]
    found = register_rows(view, filters, day)
    rows = list(defined_often(found) if several else found)
    asked = f"{view.manifest.build_id} {filters!r} {several} {day}"
    page, following = page_of(rows, cursor, limit, asked, view.generation)
    return answer(opened.request, {**register_shape(page, view, day), "total": len(rows), "next": following})


@router.get(
    "/corpora/{corpus_id}/agreements", operation_id="list_agreements", responses={200: {"model": AgreementPage}}
)
def list_agreements(
    opened: Reading,
    document: Annotated[
        list[str] | None, Query(description="Names, or patterns with *, whatever their role; default: all contracts.")
    ] = None,
    ends_within: Annotated[
        str, Query(max_length=40, description="Ends, or notice is due, within '90 days', '6 months' from 'today'.")
    ] = "",
    today: Today = None,
    as_of: AsOf = None,
    cursor: Cursor = "",
    limit: Limit = 100,
) -> Response:
    """Contracts with their parties, days, term, renewal, notice, law and leave, each with its sentence; 'next' asks for more."""
    hours = hours_of(ends_within) if ends_within else None
    view, day = opened.noted("register", as_of), today or opened.knowledge.clock()[:10]
    found = agreement_rows(view, day, documents=tuple(document or ()))
    rows = [each for each in found if hours is None or ending_within(each, day, hours)]
    page, following = page_of(
        rows, cursor, limit, f"{view.manifest.build_id} {document} {ends_within} {day}", view.generation
    )
    return answer(opened.request, {**agreements_shape(page, view, day), "total": len(rows), "next": following})


@router.get("/corpora/{corpus_id}/conflicts", operation_id="list_conflicts", responses={200: {"model": ConflictPairs}})
def list_conflicts(
    opened: Reading,
    document: Annotated[
        list[str] | None, Query(description="Names, or patterns with *, of which each pair has at least one.")
    ] = None,
    today: Today = None,
    as_of: AsOf = None,
    cursor: Cursor = "",
    limit: Annotated[int, Query(ge=1, le=MOST_PAIRS, description="Pairs of a page.")] = 20,
) -> Response:
    """Possible conflicts: pairs of sentences near in meaning that fix different things, nearest first, for a person to read.

    'total' says how many there are, 'next' asks for those behind.
    """
    view, day = opened.noted("register", as_of), today or opened.knowledge.clock()[:10]
    asked = f"{view.shown_as} conflicts {document} {day}"
    first = first_of(cursor, asked, view.generation)
    embedder = opened.knowledge.models.ranking()
    found = conflict_page(view, embedder, day, documents=tuple(document or ()), first=first, most=limit)
    following = cursor_after(first + limit, found.total, asked, view.generation)
    return answer(opened.request, {**conflicts_shape(found.rows, view, day, found.total), "next": following})


@router.get("/corpora/{corpus_id}/waivers", operation_id="list_waivers", responses={200: {"model": WaiverPage}})
def list_waivers(
    opened: Reading,
    document: Annotated[list[str] | None, Query(description="Names, or patterns with *.")] = None,
    status: Annotated[list[WaiverStatus] | None, Query(description="Only what stands so on that day.")] = None,
    ends_within: Annotated[
        str, Query(max_length=40, description="The last day is within '90 days', '6 months' from 'today'.")
    ] = "",
    rules: Annotated[
        bool, Query(description="Also rules about exceptions: how long they hold, who grants them.")
    ] = False,
    today: Today = None,
    as_of: AsOf = None,
    cursor: Cursor = "",
    limit: Limit = 100,
) -> Response:
    """Exceptions and waivers: who is excused from what, by whom, until when, each with its sentence; 'next' asks for more."""
    hours = hours_of(ends_within) if ends_within else None
    view, day = opened.noted("register", as_of), today or opened.knowledge.clock()[:10]
    found = waiver_rows(view, day, documents=tuple(document or ()), statuses=tuple(status or ()), rules=rules)
    rows = [each for each in found if hours is None or waivers_ending_within(each, hours)]
    asked = f"{view.manifest.build_id} {document} {status} {ends_within} {rules} {day}"
    page, following = page_of(rows, cursor, limit, asked, view.generation)
    return answer(opened.request, {**waivers_shape(page, view, day), "total": len(rows), "next": following})


@router.get(
    "/corpora/{corpus_id}/references", operation_id="list_absent_references", responses={200: {"model": AbsentList}}
)
def list_references(opened: Reading, as_of: AsOf = None) -> Response:
    """What the documents refer to and the corpus does not hold."""
    view = opened.noted("references", as_of)
    return answer(opened.request, absent_shape(absent_targets(view), view))
