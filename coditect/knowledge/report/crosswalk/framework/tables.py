"""The requirements of a table: a workbook or delimited text whose columns the user names, or their heads tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from coditect.documents.layout import version_source
from coditect.documents.source import Block
from coditect.errors import UsageError
from coditect.knowledge.report.crosswalk.framework.guessing import guess_columns
from coditect.knowledge.report.crosswalk.framework.parts import RequirementPart
from coditect.schemas import DocumentVersion
from coditect.store.view import View
from coditect.verify.requirements.wording import read_wording

__all__ = ["FIELDS", "TABLE_READERS", "ColumnMap", "TableReading", "read_columns", "refused_table", "table_parts"]

TABLE_READERS = frozenset(("xlsx/1", "xlsx/2", "xlsx/3", "csv/1"))

FIELDS = ("id", "title", "statement", "family")
"""What a column can hold."""

_SEPARATOR = " | "
_HEAD_ROWS = 12
_SAMPLE_ROWS = 200
_MOST_SHOWN = 80
"""Code points of a first row that are told."""


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """Which column of a table holds what.

    Attributes:
        headers: field of :data:`FIELDS` to the head of its column, as printed.
    """

    headers: Mapping[str, str]

    @property
    def told(self) -> str:
        """As ``--columns`` takes it."""
        return ",".join(f"{field}={self.headers[field]}" for field in FIELDS if field in self.headers)


def read_columns(told: str) -> ColumnMap:
    """Read a column map.

    Args:
        told: "id=Control,statement=Control Specification,title=Name,family=Domain"; the first two are needed.

    Raises:
        UsageError: a field is unknown, named twice or missing.
    """
    headers: dict[str, str] = {}
    for each in told.split(","):
        field, _, header = (part.strip() for part in each.partition("="))
        if field not in FIELDS or not header or field in headers:
            raise UsageError(
                "the column map cannot be read",
                at=each.strip(),
                hint=f"Write field=head of the column, joined by commas; fields are {', '.join(FIELDS)}, each once.",
            )
        headers[field] = header
    missing = [field for field in ("id", "statement") if field not in headers]
    if missing:
        raise UsageError(
            "the column map lacks a field", field=missing[0], hint=f"Add {missing[0]}=HEAD, as its column is headed."
        )
    return ColumnMap(headers)


@dataclass(frozen=True, slots=True)
class _Cell:
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TableReading:
    """What is read of a table.

    Attributes:
        parts: its requirements; none of a table that is no framework, or whose columns are others.
        taken: the columns that they were taken from, each once.
        left: the first rows of sheets that were left out.
        heads: of these sheets.
    """

    parts: list[RequirementPart]
    taken: list[ColumnMap]
    left: list[str]
    heads: list[str]


def table_parts(view: View, version: DocumentVersion, columns: ColumnMap | None) -> TableReading:
    """The requirements of a table, row by row; a row without an id continues the requirement above it, as merged cells do.

    Args:
        view: the framework's corpus.
        version: of the table.
        columns: that hold them; None: guessed, sheet by sheet, and a sheet where they cannot be told is left out.
    Raises:
        UsageError: a row says nothing that could be required.
    """
    text = view.text_of(version)
    layout = view.store.get_blob(version.corpus_id, version.layout_sha256, version.layout_bytes)
    parts: list[RequirementPart] = []
    taken: list[ColumnMap] = []
    told: list[str] = []
    left: list[str] = []
    for sheet in _sheets(version_source(version, text, layout).blocks):
        rows, headers, found = _guessed(text, sheet) if columns is None else (*_headed(text, sheet, columns), columns)
        if not rows or found is None:
            told += headers
            left.append(_SEPARATOR.join(headers)[:_MOST_SHOWN])
            continue
        parts += _of_rows(text, rows, headers, found, version.name)
        taken += [] if found in taken else [found]
    return TableReading(parts, taken, left, told)


def refused_table(document: str, reading: TableReading, columns: ColumnMap | None) -> UsageError:
    """The error for a framework of which no table could be read.

    Args:
        document: the name of the first of them.
        reading: of it.
        columns: that were named; None: guessed.
    """
    heads = (
        ", ".join(dict.fromkeys(reading.heads))[:400] or "no row of heads: they have to be short, filled and distinct"
    )
    if columns is None:
        return UsageError(
            "the columns of the framework's table cannot be told from their heads",
            document=document,
            found=heads,
            hint="Say which column holds what: --columns id=HEAD,statement=HEAD; where the table is no framework, "
            "name the documents that are with --framework.",
        )
    return UsageError(
        "no table of the framework has these columns",
        document=document,
        wanted=", ".join(columns.headers.values()),
        found=heads,
        hint="Name the heads as they are printed: --columns id=…,statement=…",
    )


def _guessed(text: str, rows: list[Block]) -> tuple[list[Block], list[str], ColumnMap | None]:
    """The rows behind the first row whose heads tell the columns, these heads and columns; else no rows, and the first row."""
    for number, row in enumerate(rows[:_HEAD_ROWS]):
        headers = [each.strip() for each in text[row.start : row.end].split(_SEPARATOR)]
        if len(headers) < 2 or number + 1 == len(rows):
            continue
        columns: dict[str, list[str]] = {each: [] for each in headers}
        for below in rows[number + 1 : number + 1 + _SAMPLE_ROWS]:
            cells = _cells(text, below, headers)
            for each in headers:
                if (cell := cells.get(each.casefold())) is not None:
                    columns[each].append(text[cell.start : cell.end])
        found = guess_columns(columns)
        if found is not None:
            return rows[number + 1 :], headers, ColumnMap(found)
    return [], text[rows[0].start : rows[0].end].split(_SEPARATOR), None


def _sheets(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """The rows of each sheet; delimited text is one sheet."""
    rows: list[Block] = []
    for block in blocks:
        if block.kind == "heading" and rows:
            yield rows
            rows = []
        elif block.kind == "table_row":
            rows.append(block)
    if rows:
        yield rows


def _headed(text: str, rows: list[Block], columns: ColumnMap) -> tuple[list[Block], list[str]]:
    """The rows behind the one that holds all heads, and its heads; no rows, and the first row's cells, where none does."""
    wanted = {each.casefold() for each in columns.headers.values()}
    for number, row in enumerate(rows):
        cells = text[row.start : row.end].split(_SEPARATOR)
        if wanted <= {each.strip().casefold() for each in cells}:
            return rows[number + 1 :], [each.strip() for each in cells]
    return [], text[rows[0].start : rows[0].end].split(_SEPARATOR)


def _of_rows(
    text: str, rows: list[Block], headers: list[str], columns: ColumnMap, document: str
) -> Iterator[RequirementPart]:
    above = {"id": "", "title": "", "family": ""}
    counted = 0
    for row in rows:
        cells = _cells(text, row, headers)
        found = {
            field: cells[header.casefold()] for field, header in columns.headers.items() if header.casefold() in cells
        }
        said = {field: text[cell.start : cell.end] for field, cell in found.items()}
        asked = found.get("statement") or found.get("title")
        continues = "id" not in said and bool(above["id"])
        counted = counted + 1 if continues else 1
        if "id" in said:
            above = {"id": said["id"], "title": said.get("title", ""), "family": said.get("family") or above["family"]}
        if asked is None and "id" not in said:
            continue  # a caption, or a cell of another column alone
        if asked is None or not above["id"]:
            raise UsageError(
                "a row of the framework has no statement" if asked is None else "a row of the framework has no id",
                document=document,
                row=text[row.start : row.end][:120],
                hint="Fill the cell in the source; cells that are merged over several ids hold their text in the first alone.",
            )
        wording = read_wording(text[asked.start : asked.end])
        if wording.text:
            name = above["id"] if counted == 1 else f"{above['id']}#{counted}"
            yield RequirementPart(
                above["id"], name, above["family"], said.get("title") or above["title"], document,
                text[asked.start : asked.end], asked.start, asked.end, wording,
            )  # fmt: skip


def _cells(text: str, row: Block, headers: list[str]) -> dict[str, _Cell]:
    """The cells of a row by their head, casefolded; a row prints "Head: value | Head: value" and leaves empty ones out."""
    starts: list[tuple[int, int, str]] = []
    at = row.start
    for header in headers:
        lead = re.compile(f"{re.escape(header)}: ") if header else None
        found = next(
            (each for each in lead.finditer(text, at, row.end) if _opens_cell(text, row, each.start())), None
        ) if lead else None  # fmt: skip
        if found is not None:
            starts.append((found.start(), found.end(), header.casefold()))
            at = found.end()
    if not starts:
        return {}
    ends = [start - len(_SEPARATOR) for start, _, _ in starts[1:]] + [row.end]
    return {
        header: _Cell(begin, end)
        for (_, begin, header), end in zip(starts, ends, strict=True)
        if text[begin:end].strip()
    }


def _opens_cell(text: str, row: Block, at: int) -> bool:
    return at == row.start or text.endswith(_SEPARATOR, row.start, at)
