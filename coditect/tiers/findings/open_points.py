"""Open points: what sentences and rows of tables leave undecided, empty, overdue or stale.

* *open*: words that leave a point open ("TBD", "Not signed", "there is no record of");
* *empty*: a table cell that a row leaves empty and most rows of its table fill;
* *section*: a numbered section that has a heading and no text;
* *overdue*: a due or expiry date before today; where no day is known, before the newest date at which the corpus says that
  something was done;
* *stale*: a row's last date that is older than its own frequency allows, or by a year than the newest of its column.

Nothing looks at a clock: what day it is, the build is told; by its measure apart, a corpus is as old as what it reports.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from coditect.language.terms import terms
from coditect.schemas import document_order
from coditect.tiers.findings.naming import names_of
from coditect.tiers.findings.said.statements import Statement
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.tables import cells, columns, dates_of

__all__ = ["Gap", "find_open", "gaps_shown", "newest_event", "tells_heading"]

LONGEST_NAME = 100
"""Characters by which a row is called: its first two cells, or the first."""

SHORT_NOTE = 40
"""Characters of a sentence that says nothing without the one before it."""

MOST_ALIKE = 2
"""Open points of one document in the same words that are told, at most."""

DAYS_OF_YEAR = 365
GRACE = 1.5
"""How many of its own intervals a test may be old."""

FEW_STALE = 0.25
"""Share of a column's rows that may be called stale; where more are old, that is how the column is."""

_DONE = re.compile(
    r"\b(?:last|granted|approved|signed|issued|tested|assessed|reviewed|completed|closed|held|accepted)\b", re.I
)
_AHEAD = re.compile(r"\b(?:next|due|expir\w*|until|deadline|plan\w*|target)\b", re.I)
_CLOSED = re.compile(r"\b(?:closed|done|complete[d]?|withdrawn|expired|cancelled|superseded|retired)\b", re.I)
_STATE = re.compile(r"(?:has|have|had|is|are|was|were)\b", re.I)
_CASE = re.compile(r"\b(?:if|where|when|whenever|unless|until|in case|in the event)\b[^.;:]*\Z", re.I)
_OFTEN = re.compile(r"\b(?:frequency|interval|how often|periodicity)\b", re.I)
_DAYS = {
    "daily": 1, "weekly": 7, "monthly": 31, "quarterly": 92, "every quarter": 92, "twice a year": 183, "semi-annually": 183,
    "every six months": 183, "half-yearly": 183, "annually": 365, "yearly": 365, "every year": 365, "every two years": 731,
    "biennially": 731,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that is missing, undecided or past its date.

    Attributes:
        kind: one of those that the module lists.
        places: (document id, first code point) of the sentences that show it, the telling one first.
        words: what stands in the claim, by name; every value is printed in one of the sentences or is a name or number
            that can be counted again.
    """

    kind: str
    places: tuple[tuple[str, int], ...]
    words: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Row:
    """A statement that is a row of a table, with its cells by label."""

    statement: Statement
    cells: dict[str, str]


def find_open(statements: Sequence[Statement], standings: Standings) -> dict[str, list[Gap]]:
    """What statements leave open, by kind.

    Args:
        statements: of the whole corpus, in order; those that tell nothing open may be left out.
        standings: which documents are past, and what day it is.
    """
    rows = _rows(statements)
    live = [row for row in rows if not standings.is_past(row.statement.place[0])]
    newest = newest_event(statements)
    forms = _forms(statements, standings)
    return {
        "open": _open(
            each
            for each in statements
            if not standings.is_past(each.place[0]) and not (each.place[0] in forms and _BLANK in each.sentence.text)
        ),
        "empty": _empty(live, statements),
        "overdue": _overdue(live, newest, standings.day),
        "stale": _stale(live, newest),
        "section": _bare_sections(each for each in statements if _is_house(each, standings)),
    }


_BLANK = "____"
_FORMS = frozenset(terms("form questionnaire certificate slip"))
FEWEST_BLANKS = 6
"""Statements with blanks from which on a document is a form, whatever it is called: its blanks are for whoever fills it in.

A template of a policy has fewer, for its owner, its dates and who approves it.
"""


def _forms(statements: Iterable[Statement], standings: Standings) -> frozenset[str]:
    """The documents that are forms, among those with blanks."""
    blanks = Counter(each.place[0] for each in statements if each.sentence.open_point and _BLANK in each.sentence.text)
    named = {
        each
        for each in blanks
        if each in standings.documents
        and any(_FORMS & set(terms(name)[-1:]) for name in names_of(standings.documents[each]))
    }
    return frozenset(named | {each for each, times in blanks.items() if times >= FEWEST_BLANKS})


def gaps_shown(
    kind: str,
    cited: Sequence[Statement],
    document: Sequence[Statement],
    newest: tuple[str, tuple[str, int]] | None,
    today: str = "",
) -> list[Gap]:
    """The open points, empty cells or passed dates that some statements show by themselves, found as :func:`find_gaps` finds them.

    Args:
        kind: "open", "empty", "overdue", "stale" or "section"; of any other kind statements alone show nothing.
        cited: the statements, the telling one first.
        document: every statement of the document of the first: a date is stale by the other dates of its column.
        newest: the newest date at which the corpus says that something was done (:func:`newest_event`).
        today: the day against which due dates are held; "" for none.
    """
    ordered = sorted(cited, key=lambda statement: statement.order)
    match kind:
        case "open":
            found = _open(ordered)
        case "empty":
            found = _empty(_rows(ordered), ordered)
        case "overdue":
            found = _overdue(_rows(ordered), newest, today)
        case "stale":
            found = _stale(_rows(document), newest)
        case "section":
            found = _bare_sections(ordered)
        case _:
            found = []
    places = tuple(statement.place for statement in cited)
    return [gap for gap in found if tuple(dict.fromkeys(gap.places)) == places]


def _rows(statements: Iterable[Statement]) -> list[_Row]:
    """The statements that are rows of a table, with their cells."""
    return [_Row(s, found) for s in statements if (found := cells(s.sentence.text))]


def _open(statements: Iterable[Statement]) -> list[Gap]:
    """Open points, of a document that leaves many in the same words only the first."""
    seen: Counter[tuple[str, str]] = Counter()
    found: list[Gap] = []
    before: Statement | None = None
    for statement in statements:
        before, last = statement, before
        says = _left_open(statement)
        same = statement.chunk.document_id, says.casefold()
        if says and seen[same] < MOST_ALIKE:
            seen[same] += 1
            row = cells(statement.sentence.text)
            words = _named(_Row(statement, row)) if len(row) > 1 else {}
            cell = next((f"{label}: {value}" for label, value in row.items() if says in f": {value}"), "")
            near = last is not None and last.chunk.chunk_id == statement.chunk.chunk_id
            if (
                near
                and found
                and last is not None
                and found[-1].places[0] == last.place
                and "also" not in found[-1].words
                and not row
            ):
                found[-1] = Gap("open", (last.place, statement.place), {**found[-1].words, "also": says})
                continue
            places = [statement.place]
            short = len(statement.sentence.text) <= SHORT_NOTE and not row
            if short and near and last is not None:
                places.append(last.place)
            found.append(Gap("open", tuple(places), {**words, "says": cell if words and cell else says}))
    return found


def _left_open(statement: Statement) -> str:
    """The words of a statement that leave a point open; none of a rule for the case that one is: "where it has not been fixed"."""
    says = statement.sentence.open_point
    before = statement.sentence.text.partition(says)[0] if says else ""
    return "" if _STATE.match(says) and _CASE.search(before) else says


def _empty(rows: Iterable[_Row], statements: Iterable[Statement]) -> list[Gap]:
    headers = [(s, set(columns(s.sentence.text))) for s in statements if " | " in s.sentence.text]
    found = []
    for row in rows:
        # A row that says "Not signed" need not say when.
        for label in row.statement.sentence.empty if not row.statement.sentence.open_point else ():
            above = [
                s.place
                for s, names in headers
                if label in names and s.place[0] == row.statement.place[0] and s.place < row.statement.place
            ]
            if above:
                found.append(Gap("empty", (row.statement.place, above[-1]), {"label": label, **_named(row)}))
    return found


def _bare_sections(statements: Iterable[Statement]) -> list[Gap]:
    """Headings below which nothing stands: of all headings only these are statements at all."""
    return [Gap("section", (each.place,), {"heading": heading}) for each in statements for heading in _headings(each)]


def tells_heading(statement: Statement) -> bool:
    """Whether a statement is nothing but a heading."""
    return bool(_headings(statement))


def _headings(statement: Statement) -> list[str]:
    """The headings that a statement is."""
    if statement.sentence.kinds != ("proposition",):
        return []
    told = (each for each in statement.chunk.headings if not each.rstrip().endswith(":"))  # it leads in what follows it
    return [each for each in told if _spelled(statement.sentence.text) == _spelled(each)]


def _is_house(statement: Statement, standings: Standings) -> bool:
    """Whether a statement stands in a document of the house that is in force: of others, sections are left empty on purpose."""
    document_id = statement.place[0]
    return (
        standings.is_normative(document_id)
        and not standings.is_outside(document_id)
        and not standings.is_past(document_id)
    )


def _spelled(heading: str) -> str:
    """The letters and digits of a heading."""
    return "".join(letter for letter in heading.casefold() if letter.isalnum())


def _named(row: _Row) -> dict[str, str]:
    """The first cell of a row, and the one that tells its status."""
    label, value = next(iter(row.cells.items()))
    status = next(((a, b) for a, b in row.cells.items() if a.casefold() in ("status", "conclusion", "result")), None)
    (second, more) = next(iter(list(row.cells.items())[1:2]), ("", ""))
    named = f"{label}: {value} | {second}: {more}"
    short = f"{label}: {value}" if len(named) > LONGEST_NAME else named
    words = {"row": short} if len(row.cells) > 1 else {}
    return {**words, "status": f"{status[0]}: {status[1]}"} if status else words


def newest_event(statements: Iterable[Statement]) -> tuple[str, tuple[str, int]] | None:
    """(ISO date, place) of the newest date at which a table says that something was done; None where none says so."""
    dates = [
        (found, row.statement.place)
        for row in _rows(statements)
        for label, value in row.cells.items()
        if _DONE.search(label) and not _AHEAD.search(label)
        for found in dates_of(value)[:1]
        if _day(found)
    ]
    return max(dates, key=lambda pair: (pair[0], _in_order(pair[1])), default=None)


def _in_order(place: tuple[str, int]) -> tuple[str, int]:
    return document_order(place[0]), place[1]


def _by_due(gap: Gap) -> tuple[str, list[tuple[str, int]]]:
    return gap.words["due"], [_in_order(place) for place in gap.places]


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _days(early: str, late: str) -> int:
    a, b = _day(early), _day(late)
    return (b - a).days if a and b else 0


def _overdue(rows: Iterable[_Row], newest: tuple[str, tuple[str, int]] | None, known: str) -> list[Gap]:
    """Rows whose date has passed: by the day that is known, else by what the corpus itself reports, which is then shown."""
    today = known
    events: tuple[tuple[str, int], ...] = ()
    if not known:
        if newest is None:
            return []
        today, events = newest[0], (newest[1],)
    found = []
    for row in rows:
        if any(_CLOSED.search(value) for label, value in row.cells.items() if label.casefold() == "status"):
            continue
        for label, value in row.cells.items():
            due = dates_of(value)
            if _AHEAD.search(label) and len(due) == 1 and value == due[0] and _days(due[0], today) > 0:
                says = f"{label}: {value}" if len(row.cells) > 1 else f"{label} | {value}"
                as_of = {} if known else {"as_of": today}
                words = {"says": says, "due": due[0], **as_of, **_named(row)}
                found.append(Gap("overdue", (row.statement.place, *events), words))
    return sorted(found, key=_by_due)


def _stale(rows: Sequence[_Row], newest: tuple[str, tuple[str, int]] | None) -> list[Gap]:
    if newest is None:
        return []
    by_column: dict[tuple[str, str, str], list[tuple[str, _Row]]] = defaultdict(list)
    found: dict[tuple[str, int], Gap] = {}
    for row in rows:
        often = next((v.casefold().strip() for label, v in row.cells.items() if _OFTEN.search(label)), "")
        for label, value in row.cells.items():
            dates = dates_of(value)
            if not re.search(r"\blast\b", label, re.I) or len(dates) != 1:
                continue
            by_column[row.statement.place[0], next(iter(row.cells)), label].append((dates[0], row))
            if often in _DAYS and _days(dates[0], newest[0]) > GRACE * _DAYS[often]:
                words = {
                    "says": f"{label}: {value}",
                    "often": often,
                    "due": dates[0],
                    "as_of": newest[0],
                    **_named(row),
                }
                found[row.statement.place] = Gap("stale", (row.statement.place, newest[1]), words)
    for (_, _, label), dated in by_column.items():
        latest, holder = max(dated, key=lambda pair: (pair[0], pair[1].statement.order))
        old = [(d, row) for d, row in dated if _days(d, latest) > DAYS_OF_YEAR]
        if len(old) <= FEW_STALE * len(dated):
            for d, row in old:
                words = {"says": f"{label}: {d}", "due": d, "as_of": latest, **_named(row)}
                place = row.statement.place
                found.setdefault(place, Gap("stale", (place, holder.statement.place), words))
    return sorted(found.values(), key=_by_due)
