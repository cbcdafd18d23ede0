"""Reads published mappings: OSCAL mapping collections, JSON of procedures and what they implement, and tables with a column map."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from coditect.documents.readers.archive import check_archive
from coditect.documents.readers.canonical import decode
from coditect.documents.readers.failures import LIBRARY_FAILURES
from coditect.documents.readers.limits import ReadLimits
from coditect.errors import ReadError, UsageError

__all__ = ["CLAIM_FIELDS", "PublishedClaim", "read_claims"]

CLAIM_FIELDS = ("document", "requirement", "relationship")
"""What a column of a table of claims can hold."""

_SEVERAL = (";", "\n")
"""What parts the ids in one cell; a comma may be part of an id's title."""


@dataclass(frozen=True, slots=True)
class PublishedClaim:
    """A line of a published mapping.

    Attributes:
        ends: the names on both sides; of an OSCAL map either may be the requirement.
        relationship: what the mapping says that they have in common; "" for nothing.
        standard: the framework that it names; "" for none.
    """

    ends: tuple[str, str]
    relationship: str = ""
    standard: str = ""


def read_claims(
    raw: bytes, name: str, *, standard: str | None = None, columns: str | None = None
) -> list[PublishedClaim]:
    """Read a published mapping.

    Args:
        raw: the bytes of the file.
        name: of the file; its ending says what it is.
        standard: the framework that is checked, as the file names it; None: whichever it names, if that is one.
        columns: of a table: "document=HEAD,requirement=HEAD" and, where there is such, ",relationship=HEAD".

    Raises:
        ReadError: damaged, or none of the forms.
        UsageError: it holds no claim, or of several standards, and none is named; or the columns are not there.
    """
    if name.lower().endswith((".csv", ".tsv", ".xlsx", ".xlsm")):
        claims = list(_of_table(raw, name, _columns(columns)))
    else:
        claims = list(_of_json(_parsed(raw, name), name))
    named = sorted({each.standard for each in claims if each.standard})
    if standard is not None and standard not in named:
        raise UsageError(
            "the mapping does not name this standard", standard=standard, file=name, it_names="; ".join(named) or "none"
        )
    if standard is None and len(named) > 1:
        raise UsageError(
            "the mapping is of several standards",
            file=name,
            it_names="; ".join(named),
            hint="Say which one the framework is: --standard NAME.",
        )
    chosen = [each for each in claims if standard is None or each.standard == standard]
    if not chosen:
        raise UsageError("the mapping holds no claim", file=name, hint="Check that it is the file that was meant.")
    return chosen


def _parsed(raw: bytes, name: str) -> Mapping[str, Any]:
    text, _ = decode(raw, name)
    try:
        found = json.loads(text.removeprefix("\ufeff"))
    except (json.JSONDecodeError, RecursionError) as error:
        raise ReadError(
            "the mapping is no JSON", name=name, reason=str(error), hint="Restore it from its source."
        ) from error
    if not isinstance(found, dict):
        raise _unknown(name)
    return found


def _unknown(name: str) -> ReadError:
    return ReadError(
        "not a mapping that can be read",
        name=name,
        hint='Known are OSCAL mapping collections, JSON with "procedures" that say what they "implement", .csv, .tsv and .xlsx.',
    )


def _of_json(found: Mapping[str, Any], name: str) -> Iterator[PublishedClaim]:
    try:
        if "mapping-collection" in found:
            yield from _of_collection(found["mapping-collection"])
        elif "procedures" in found:
            yield from _of_procedures(found["procedures"])
        else:
            raise _unknown(name)
    except (KeyError, TypeError, AttributeError) as error:
        raise ReadError(
            "the mapping is malformed", name=name, reason=repr(error), hint="Check it against the schema of its form."
        ) from error


def _of_procedures(procedures: list[Mapping[str, Any]]) -> Iterator[PublishedClaim]:
    for each in procedures:
        for said in each.get("implements", ()):
            ids = dict.fromkeys((*said.get("requirements", ()), *said.get("controls", ())))
            for identity in ids:
                yield PublishedClaim((str(each["id"]), str(identity)), "implements", str(said["standard"]))


def _of_collection(collection: Mapping[str, Any]) -> Iterator[PublishedClaim]:
    for mapping in collection["mappings"]:
        for each in mapping["maps"]:
            for source in each["sources"]:
                for target in each["targets"]:
                    yield PublishedClaim((_end(source), _end(target)), str(each.get("relationship", "")))


def _end(item: Mapping[str, Any]) -> str:
    """The id of one side; where a program had to change it to a token of OSCAL, as it printed it."""
    printed = [str(each["value"]) for each in item.get("props", ()) if each.get("name") == "printed-id"]
    return printed[0] if printed else str(item["id-ref"])


def _columns(told: str | None) -> dict[str, str]:
    headers = dict(each.split("=", 1) for each in (told or "").split(",") if "=" in each)
    headers = {field.strip(): header.strip() for field, header in headers.items()}
    if not {"document", "requirement"} <= set(headers) or not set(headers) <= set(CLAIM_FIELDS):
        raise UsageError(
            "a table of claims needs its columns",
            told=told or "",
            hint="Name them as they are headed: --mapping-columns document=HEAD,requirement=HEAD",
        )
    return headers


def _of_table(raw: bytes, name: str, headers: dict[str, str]) -> Iterator[PublishedClaim]:
    rows = _workbook(raw, name) if name.lower().endswith((".xlsx", ".xlsm")) else _delimited(raw, name)
    wanted = {header.casefold() for header in headers.values()}
    places: dict[str, int] | None = None
    seen: list[str] = []
    for row in rows:
        cells = [each.strip() for each in row]
        if wanted <= {each.casefold() for each in cells}:
            folded = [each.casefold() for each in cells]
            places = {field: folded.index(header.casefold()) for field, header in headers.items()}
        elif places is None:
            seen += [each for each in cells if each]
        else:
            told = {field: cells[at] if at < len(cells) else "" for field, at in places.items()}
            for identity in _ids(told["requirement"]):
                for document in _ids(told["document"]):
                    yield PublishedClaim((document, identity), told.get("relationship", ""))
    if places is None:
        raise UsageError(
            "the table has no row with these heads",
            file=name,
            wanted=", ".join(headers.values()),
            found=", ".join(seen[:20]),
        )


def _ids(cell: str) -> list[str]:
    for separator in _SEVERAL:
        cell = cell.replace(separator, "\n")
    return [each.strip() for each in cell.split("\n") if each.strip()]


def _delimited(raw: bytes, name: str) -> Iterator[list[str]]:
    text, _ = decode(raw, name)
    delimiter = "\t" if name.lower().endswith(".tsv") else ","
    try:
        yield from csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter)
    except csv.Error as error:
        raise ReadError("the table cannot be parsed", name=name, reason=str(error), hint="Check its quotes.") from error


def _workbook(raw: bytes, name: str) -> Iterator[list[str]]:
    """The rows of a workbook; what merged cells hold counts for each of their rows. Macros are not run."""
    from openpyxl import load_workbook

    check_archive(raw, name, "xl/workbook.xml", ReadLimits())
    try:
        book = load_workbook(io.BytesIO(raw), data_only=True)
        for sheet in book.worksheets:
            merged = {
                (row, column): (area.min_row or 1, area.min_col or 1)
                for area in sheet.merged_cells.ranges
                for row in range(area.min_row, area.max_row + 1)
                for column in range(area.min_col, area.max_col + 1)
            }
            for row in sheet.iter_rows():
                values = []
                for cell in row:
                    place = (cell.row or 1, cell.column or 1)
                    at = merged.get(place, place)
                    value = sheet.cell(*at).value
                    values.append("" if value is None else str(value))
                yield values
    except LIBRARY_FAILURES as error:
        raise ReadError(
            "the workbook is damaged", name=name, reason=str(error), hint="Save it again in its program."
        ) from error
