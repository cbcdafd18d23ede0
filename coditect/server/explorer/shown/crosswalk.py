"""The crosswalk as a matrix: requirements of a framework, and what each document says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from coditect.knowledge.review.rows import needs_person
from coditect.schemas.crosswalk import Crosswalk, CrosswalkEvidence, CrosswalkLabel, CrosswalkRow, FrameworkColumns
from coditect.server.explorer.paging import ListPage, page_of
from coditect.server.explorer.visit import Visit

__all__ = [
    "LABELS",
    "Cell",
    "EvidenceCell",
    "Family",
    "Matrix",
    "MatrixRow",
    "ReadColumns",
    "RequirementRow",
    "evidence_cell",
    "matrix",
]

ROWS = 20
"""Requirements of a page."""

MOST_COLUMNS = 8
"""Documents of the matrix: those by which rows have their labels first; the evidence of all others is below each part."""

LABELS: tuple[tuple[CrosswalkLabel, str, str], ...] = (
    ("meets", "Meets", "✓"),
    ("stricter", "Stricter", "+"),
    ("partly", "Partly", "◐"),
    ("looser", "Looser", "−"),
    ("contradicts", "Contradicts", "✕"),
    ("mentions", "Mentions", "·"),
    ("no evidence", "No evidence", "○"),
)
"""(label, word, sign), the best first."""

_RANK = {label: rank for rank, (label, _, _) in enumerate(LABELS)}
_SIGN = {label: sign for label, _, sign in LABELS}
_WORD = {label: word for label, word, _ in LABELS}


@dataclass(frozen=True, slots=True)
class EvidenceCell:
    """A sentence beside a part of a requirement."""

    label: str
    word: str
    text: str
    reason: str
    where: str
    reviewed_by: str
    href: str


@dataclass(frozen=True, slots=True)
class RequirementRow:
    """A part of a requirement.

    Attributes:
        part_id: of the framework.
        text: verbatim.
        label: that it has.
        word: that in words.
        evidence: what speaks to it.
        decided_by: who decided of it; "" where nobody did.
        read_as: the word of the rules' label, where a person changed it; "" else.
        again: what was decided of other words, and what changed since; "" where nothing was.
        decide: the address where it is decided on.
    """

    part_id: str
    text: str
    label: str
    word: str
    evidence: tuple[EvidenceCell, ...]
    decided_by: str
    read_as: str
    again: str
    decide: str


@dataclass(frozen=True, slots=True)
class Cell:
    """What a document says best of a requirement; without a label, nothing."""

    label: str = ""
    word: str = ""
    sign: str = ""


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A requirement.

    Attributes:
        requirement_id: of the framework.
        anchor: of its element.
        title: of the requirement.
        family: heading above it.
        worst: the label of the part that is answered worst.
        word: that in words.
        cells: one of each column.
        decided: whether a person decided of a part.
        parts: with their evidence.
    """

    requirement_id: str
    anchor: str
    title: str
    family: str
    worst: str
    word: str
    cells: tuple[Cell, ...]
    decided: bool
    parts: tuple[RequirementRow, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """How many parts of a family have which label: (label, word, count, offset and width in percent)."""

    name: str
    parts: int
    shares: tuple[tuple[str, str, int, float, float], ...]
    href: str


@dataclass(frozen=True, slots=True)
class ReadColumns:
    """What a table of the framework was read by, in words, and whether that was guessed."""

    told: str
    guessed: bool


@dataclass(frozen=True, slots=True)
class Matrix:
    """The page of a crosswalk.

    Attributes:
        framework: corpus and generation of the framework.
        method: version of the rules.
        families: with their coverage.
        columns: names of the documents.
        columns_of: what tables of the framework were read by.
        page: of requirements.
        family: that the list is restricted to; "" for all.
        label: requirements with a part of this label only; "" for all.
        counts: (label, word, parts) of the whole crosswalk.
        orphans: binding statements that answer no part.
        waiting: rows that wait for a person.
        queue: the address of these.
    """

    framework: str
    method: str
    families: tuple[Family, ...]
    columns: tuple[str, ...]
    columns_of: tuple[ReadColumns, ...]
    page: ListPage[MatrixRow]
    family: str
    label: str
    counts: tuple[tuple[str, str, int], ...]
    orphans: int
    waiting: int
    queue: str


def matrix(visit: Visit, found: Crosswalk, query: dict[str, Any], number: int, family: str, label: str) -> Matrix:
    """Make the page.

    Args:
        visit: who asks, and of what.
        found: the crosswalk.
        query: the parameters that ask for it.
        number: of the page, from 1.
        family: that is shown; "" for all.
        label: that a part of each requirement has; "" for all.
    """
    grouped: dict[tuple[str, str], list[CrosswalkRow]] = {}
    for row in found.rows:
        grouped.setdefault((row.document, row.requirement_id), []).append(row)
    wanted = [
        rows
        for rows in grouped.values()
        if family in ("", rows[0].family) and (not label or any(row.label == label for row in rows))
    ]

    def link(page: int) -> str:
        return visit.links.to("crosswalk", **query, family=family, label=label, page=page)

    shown = page_of(wanted, number, link, ROWS)
    columns = _columns(found.rows, [row for each in shown.rows for row in each])
    rows = tuple(_row(visit, each, columns, query) for each in shown.rows)
    counts = Counter(row.label for row in found.rows)
    return Matrix(
        framework=f"{found.framework_corpus}, generation {found.framework_generation}",
        method=found.method,
        families=tuple(_family(visit, found, query, each) for each in range(len(found.coverage))),
        columns=columns,
        columns_of=tuple(ReadColumns(_columns_told(each), each.guessed or not each.columns) for each in found.columns)
        + _left_out(found)
        + _without_column(found.rows, columns),
        page=ListPage(rows, shown.number, shown.first, shown.total, shown.previous, shown.next),
        family=family,
        label=label,
        counts=tuple((each, word, counts[each]) for each, word, _ in LABELS),
        orphans=len(found.orphans),
        waiting=sum(map(needs_person, found.rows)),
        queue=visit.links.to("crosswalk", "review", **query),
    )


def _left_out(found: Crosswalk) -> tuple[ReadColumns, ...]:
    """Which documents were not compared, as another edition took their place; nothing where all were."""
    names = ", ".join(found.superseded)
    return (ReadColumns(f"Not compared, as another edition took their place: {names}.", guessed=True),) if names else ()


def _columns_told(read: FrameworkColumns) -> str:
    if not read.columns:
        return read.remark
    how = "guessed from their heads: name others above where these are wrong" if read.guessed else "as named"
    return f"The columns of {read.document} are {how}: {read.columns}.{read.remark_on_sheets}"


def _family(visit: Visit, found: Crosswalk, query: dict[str, Any], at: int) -> Family:
    family = found.coverage[at]
    shares: list[tuple[str, str, int, float, float]] = []
    begin = 0.0
    for label, word, _ in LABELS:
        count = family.labels.get(label, 0)
        width = 100 * count / family.parts if family.parts else 0.0
        if count:
            shares.append((label, word, count, round(begin, 3), round(width, 3)))
        begin += width
    return Family(
        family.family, family.parts, tuple(shares), visit.links.to("crosswalk", **query, family=family.family)
    )


def _row(visit: Visit, rows: Sequence[CrosswalkRow], columns: Sequence[str], query: dict[str, Any]) -> MatrixRow:
    first = rows[0]
    worst = max((row.label for row in rows), key=_RANK.__getitem__)
    return MatrixRow(
        requirement_id=first.requirement_id,
        anchor="".join(c if c.isalnum() else "-" for c in first.requirement_id),
        title=first.title,
        family=first.family,
        worst=worst,
        word=_WORD[worst],
        cells=tuple(_cell(rows, name) for name in columns),
        decided=any(row.decided is not None for row in rows),
        parts=tuple(
            RequirementRow(
                row.part_id,
                row.text,
                row.label,
                _WORD[row.label],
                tuple(evidence_cell(visit, each) for each in row.evidence),
                "" if row.decided is None else row.decided.by,
                "" if row.read_as is None else _WORD[row.read_as],
                "" if row.earlier is None else row.earlier.remark,
                visit.links.to("crosswalk", "review", **query, row=f"{row.document} {row.part_id}"),
            )
            for row in rows
        ),
    )


def _columns(every: Iterable[CrosswalkRow], shown: Iterable[CrosswalkRow]) -> tuple[str, ...]:
    """The documents of the matrix: those by which rows of the page have their labels, then those that say most."""
    decide = Counter(
        name
        for row in shown
        if row.label not in ("mentions", "no evidence")
        for name in {e.document for e in row.evidence if row.label_of(e) == row.label}
    )
    says = Counter(e.document for row in every for e in row.evidence if e.label != "mentions")
    ranked = sorted(says.keys() | decide.keys(), key=lambda name: (-decide[name], -says[name], name))
    return tuple(sorted(ranked[:MOST_COLUMNS]))


def _without_column(every: Iterable[CrosswalkRow], columns: Sequence[str]) -> tuple[ReadColumns, ...]:
    """That other documents have no column, where some have none."""
    others = {e.document for row in every for e in row.evidence} - set(columns)
    if not others:
        return ()
    told = "1 more document has no column" if len(others) == 1 else f"{len(others):,} more documents have no column"
    return (ReadColumns(f"{told}: what they say stands below each part.", False),)


def _cell(rows: Sequence[CrosswalkRow], document: str) -> Cell:
    labels = [row.label_of(e) for row in rows for e in row.evidence if e.document == document]
    labels = [each for each in labels if each != "no evidence"]
    if not labels:
        return Cell()
    best = min(labels, key=_RANK.__getitem__)
    return Cell(best, _WORD[best], _SIGN[best])


def evidence_cell(visit: Visit, found: CrosswalkEvidence) -> EvidenceCell:
    """A sentence beside a part, with the address of its words."""
    return EvidenceCell(
        label=found.label,
        word=_WORD[found.label],
        text=found.text,
        reason=found.reason,
        where=" · ".join(filter(None, (found.document, found.locator or found.heading))),
        reviewed_by=found.reviewed_by,
        href=visit.links.place(found.version_id, found.char_start, found.char_end, item=found.item_id),
    )
