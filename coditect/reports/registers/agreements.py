"""Agreements as a table, a row each: parties, days, and of each field what is said, the sentence that says it, and its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from coditect.reports.registers.calendar import DatedDocument
from coditect.reports.registers.tables import TableFormat, write_table
from coditect.reports.registers.workbooks import Cell
from coditect.schemas import AGREEMENT_FIELDS, AgreementRow, AgreementTerm

__all__ = ["AGREEMENT_COLUMNS", "FIELD_NAMES", "dates_of_agreements", "days_of", "said_of", "write_agreements"]

FIELD_NAMES = {
    "term": "term",
    "renewal": "renewal",
    "renewal_notice": "notice of renewal",
    "termination": "termination at will",
    "governing_law": "governing law",
    "assignment": "assignment",
    "subcontracting": "subcontracting",
    "audit": "audit and inspection",
    "data_location": "where data may be",
}
"""What the fields are called for people."""

_HEAD = ("document", "title", "parties", "dated", "begins", "ends", "ends_basis", "renewed", "notice_by", "standing")

AGREEMENT_COLUMNS = (
    *_HEAD,
    *(f"{field}{part}" for field in AGREEMENT_FIELDS for part in ("", "_quote", "_place", "_item")),
    "silent",
    "document_id",
    "notice_passed",
    "renews_until",
    "begins_basis",
    "fixed_until",
    "termination_by_others",
    "amended_by",
    "amends",
)
"""Names of the columns, in order: of each field what is said, the sentence, where it stands, and the item."""


def write_agreements(rows: Iterable[AgreementRow], file: BinaryIO, form: TableFormat) -> int:
    """Write agreements, and say how many; see :func:`coditect.reports.registers.tables.write_table`."""
    return write_table(rows, AGREEMENT_COLUMNS, _cells, file, form, "agreements")


def said_of(term: AgreementTerm) -> str:
    """What an agreement says of a field, for people: "automatic, 1 year, at most 2 times"."""
    times = "" if term.times is None else f"at most {term.times} time{'' if term.times == 1 else 's'}"
    since = f"from {term.since}" if term.since else ""
    notice = f"notice {term.length}" if term.field == "termination" and term.length else ""
    length = "" if notice else term.length
    first, second = (length, term.value) if term.field == "renewal_notice" else (term.value, length)
    if term.field == "governing_law" and f"{first} law" in " ".join(term.text.split()):
        first = f"{first} law"  # "Austrian law applies" names the law by an adjective
    by = f"by {_ARTICLE.sub(lambda found: found[0].lower(), term.who)}" if term.who else ""
    return " ".join(", ".join(filter(None, (first, second, since, times, by, notice))).split())


_ARTICLE = re.compile(r"\A(?:The|An?|Either|Each|Any|Both)\b")


def days_of(row: AgreementRow) -> str:
    """When an agreement begins and ends, and by when notice is due, for people."""
    renewed = f", {row.renewed} renewal{'' if row.renewed == 1 else 's'} counted" if row.renewed else ""
    ends = f"ends {row.ends} ({row.ends_basis}{renewed})" if row.ends else "no last day known"
    if row.fixed_until:
        ends = f"fixed term until {row.fixed_until}, then it goes on: no last day known"
    guessed = " (the day on which it was made)" if row.begins_basis == "dated" else ""
    begins = f"begins {row.begins}{guessed}" if row.begins else "no first day known"
    days = "; ".join(filter(None, (begins, ends, _notice(row))))
    return f"as first made, before what amends it: {days}" if row.amended_by else days


def _notice(row: AgreementRow) -> str:
    """By when notice of renewal is due; where that day has passed, what follows from it."""
    if not row.notice_passed:
        return f"notice by {row.notice_by}" if row.notice_by else ""
    renewal, notice = row.term("renewal"), row.term("renewal_notice")
    if row.renews_until:
        follows = f"it renews until {row.renews_until} unless notice was given"
    elif notice is not None and notice.value == "to ask for it":
        follows = f"it ends on {row.ends} unless renewal was asked for"
    elif renewal is not None and renewal.value == "automatic" and not row.renewed:
        follows = "it renews by itself unless notice was given"
    else:
        follows = "look at the sentence for what follows"
    return f"the last day for notice was {row.notice_by}: {follows}"


AS_SIGNED = "as first signed"
"""Of a day: what amendments say is not counted in."""


def dates_of_agreements(rows: Iterable[AgreementRow]) -> Iterator[DatedDocument]:
    """What of the agreements stands in a calendar: their last days, and the last days for notice.

    Of an agreement that is amended they are as first signed, and say so.
    """
    for row in rows:
        mark = f" ({AS_SIGNED}; amended by {', '.join(row.amended_by)}: read it)" if row.amended_by else ""
        if row.notice_by:
            yield f"last day for notice of renewal{mark}", row.document, row.notice_by
        if row.ends:
            yield f"last day of the agreement{mark}", row.document, row.ends


def _cells(row: AgreementRow) -> Iterator[list[Cell]]:
    cells: list[Cell] = [
        row.document,
        row.title,
        "; ".join(row.parties),
        row.dated,
        row.begins,
        row.ends,
        row.ends_basis,
        row.renewed,
        row.notice_by,
        row.standing,
    ]
    for field in AGREEMENT_FIELDS:
        term = row.term(field)
        cells += (
            ["", "", "", ""] if term is None else [said_of(term), term.text, term.locator or term.heading, term.item_id]
        )
    passed = "yes" if row.notice_passed else ""
    others = "; ".join(said_of(each) for each in [each for each in row.terms if each.field == "termination"][1:])
    yield [
        *cells,
        ", ".join(row.silent),
        row.document_id,
        passed,
        row.renews_until,
        row.begins_basis,
        row.fixed_until,
        others,
        "; ".join(row.amended_by),
        row.amends,
    ]
