"""Duties that stand as rows of tables: a column for what is done, one for who does it, others for how often or by when.

The head of the table says which column is which. "Form filled in | Supervisor | Within 48 hours" below "Step | Who | By when" is
a duty of the supervisor; below the names of roles a letter R says whose it is. A letter, a state ("Open") or a number is no part.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from coditect.language.marks import JsonValue, Mark, sort_data
from coditect.language.norms.actors.agents import is_agent
from coditect.language.norms.binding import read_norms
from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.norms.limits.adjuncts import divide
from coditect.language.norms.limits.openings import Adjunct, AdjunctKind
from coditect.language.norms.limits.times import times_of
from coditect.language.quantities.meaning import find_quantities
from coditect.language.tables import read_table

__all__ = ["DutyColumns", "cells_read", "duty_columns", "row_duty", "tables_of"]

_I = re.IGNORECASE
_WORDS = read_table("duty_rows")
_BAR = re.compile(r"\s\|(?=\s|\Z)")
_LETTERS = re.compile(r"(?:[RACIS](?:\s*[/,]\s*[RACIS])*|[-–—xX✓✔]?)\Z")
_RESPONSIBLE = re.compile(r"R\b")
_LABEL = re.compile(r"(?P<label>[A-Z][\w /()&'’-]{0,48}):[ \t]+(?=\S)")
_EMPTY = re.compile(rf"\W*|(?:{_WORDS.pattern('nothing')})", _I)
_KINDS = {
    name: re.compile(rf"(?:{_WORDS.pattern(name)})\s*", _I)
    for name in ("act", "holder", "due", "often", "length", "status")
}
_SETTLED = re.compile(rf"(?:{_WORDS.pattern('settled')})\b", _I)
_GIVEN = re.compile(r"(?:the\s+)?[A-Z][\w.’'-]*(?:\s+[\w.&’'-]+){0,5}?\s+to\s+(?=(?P<verb>[a-z]+)\s)")
_OFTEN = re.compile(
    "|".join(sorted(map(re.escape, read_table("time").mapping("times_a_year")), key=len, reverse=True)), _I
)
_LONGEST_HEAD = 48
_FEWEST_LETTERED = 2
_FEWEST_WORDS = 3  # of a cell that says anything
_SURE = 0.6

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class DutyColumns:
    """Which column of a table says what; -1 for none.

    Attributes:
        act: what is done.
        holder: who does it.
        due: by when.
        often: how often.
        length: for how long.
        status: whether it is done.
        roles: columns headed by a role, whose cells hold letters, with the role.
        labelled: each cell names its column, so that the first row is a row like the others.
    """

    act: int
    holder: int = -1
    due: int = -1
    often: int = -1
    length: int = -1
    status: int = -1
    roles: tuple[tuple[int, str], ...] = ()
    labelled: bool = False

    @property
    def is_plan(self) -> bool:
        """Whether the table says who does what by when, as the actions of a meeting do."""
        return self.holder >= 0 and self.due >= 0


def cells_read(text: str, start: int, end: int) -> list[Place]:
    """What of a sentence is read by itself: the cells of a row of a table without the names of their columns; else all of it.

    Args:
        text: the text.
        start: where the sentence begins.
        end: one past its last.
    """
    cells = _parts(text, start, end)
    return (
        [(_behind_label(text, *cell), cell[1]) for cell in cells if len(text[slice(*cell)].split()) >= _FEWEST_WORDS]
        if len(cells) > 1
        else [(start, end)]
    )


def _parts(text: str, start: int, end: int) -> list[Place]:
    """Where the cells of a row stand, without the blanks around them."""
    found, at = [], start
    for stop in [*(bar.start() for bar in _BAR.finditer(text, start, end)), end]:
        lo, hi = at, max(at, stop)
        while lo < hi and text[lo] in " |\t\n":
            lo += 1
        while hi > lo and text[hi - 1] in " \t\n":
            hi -= 1
        found.append((lo, hi))
        at = stop + 2
    return found


def _behind_label(text: str, lo: int, hi: int) -> int:
    """Where the value of a cell begins that names its column: "Owner: the clerk"."""
    label = _LABEL.match(text, lo, hi)
    return label.end() if label else lo


def tables_of(text: str, rows: Sequence[Place]) -> list[Sequence[Place]]:
    """The tables that rows stand in which follow each other: a row that names columns for an act and for who or when begins one.

    Args:
        text: the text.
        rows: where rows of tables stand, with nothing between them.
    """
    heads = [n for n, row in enumerate(rows) if n == 0 or _is_head(text, row)]
    return [rows[at:stop] for at, stop in itertools.pairwise([*heads, len(rows)])]


def _is_head(text: str, row: Place) -> bool:
    """Whether a row names a column for the act, and one more that a table of duties has or a role."""
    heads = [text[lo:hi].strip(" *_") for lo, hi in _parts(text, *row)]
    named = {
        name for head in heads for name, kind in _KINDS.items() if len(head) <= _LONGEST_HEAD and kind.fullmatch(head)
    }
    roles = sum(len(head) <= _LONGEST_HEAD and is_agent(head, opens=False) for head in heads)
    return "act" in named and (len(named) > 1 or roles >= _FEWEST_LETTERED)


def duty_columns(text: str, rows: Sequence[Place]) -> DutyColumns | None:
    """The columns of a table of duties, as its first row names them; None of any other table.

    Args:
        text: the text.
        rows: where its rows stand, the first one its head.
    """
    if len(rows) < 2:
        return None
    labels = [_LABEL.match(text, *place) for place in _parts(text, *rows[0])]
    labelled = sum(label is not None for label in labels) > len(labels) / 2
    heads = [text[lo:hi].strip(" *_") for lo, hi in _parts(text, *rows[0])]
    heads = [label["label"] if label else "" for label in labels] if labelled else heads
    if any(len(head) > _LONGEST_HEAD for head in heads):
        return None
    at = {name: next((n for n, head in enumerate(heads) if kind.fullmatch(head)), -1) for name, kind in _KINDS.items()}
    if at["act"] < 0:
        return None
    roles = tuple(
        (n, head)
        for n, head in enumerate(heads)
        if n not in at.values() and is_agent(head, opens=False) and _lettered(text, rows, n)
    )
    roles = roles if len(roles) >= _FEWEST_LETTERED else ()
    if at["holder"] < 0 and not roles:
        return None
    return DutyColumns(**at, roles=roles, labelled=labelled)


def _lettered(text: str, rows: Sequence[Place], column: int) -> bool:
    """Whether the cells of a column hold letters of responsibility alone."""
    cells = [_parts(text, *row) for row in rows[1:]]
    return all(len(each) > column and _LETTERS.fullmatch(text[slice(*each[column])]) for each in cells)


def row_duty(text: str, columns: DutyColumns, start: int, end: int) -> Mark | None:
    """The duty of one row: the act from its column, with the holder and the times from theirs; None where nothing is to be done.

    Args:
        text: the text.
        columns: of its table.
        start: where the row begins.
        end: one past its last.
    """
    cells = [(_behind_label(text, *cell), cell[1]) for cell in _parts(text, start, end)]
    act = _cell(text, cells, columns.act)
    holder = _holder(text, cells, columns)
    status = _cell(text, cells, columns.status)
    if status is not None and _SETTLED.match(text, *status):
        return None
    if act is None or not holder or len(text[slice(*act)].split()) < 2:
        return None
    quantities = find_quantities(text, start, end)
    given = _GIVEN.match(text, *act)  # "Stores to order filters": the owner's column says whose it is
    given = given if given and is_plain_verb(given["verb"]) else None
    act = (given.end(), act[1]) if given else act
    told = read_norms(text, *act, [each for each in quantities if act[0] <= each.start and each.end <= act[1]])
    told = [each for each in told if each.mark.kind != "permission"]
    if told and told[0].mark.kind == "prohibition":
        return None
    own: dict[str, JsonValue | None] = dict(told[0].mark.data) if told else {}
    if len(told) != 1:
        own = {"action": text[slice(*act)].rstrip(".;")}
    limits = _limits(text, cells, columns)
    if not told:  # "Train new fitters every 6 months": a noun, as far as a table of verbs tells
        pieces, inside = divide(text, *act, denied=False)
        if pieces and all(each.kind in ("deadline", "frequency") for each in inside):
            own["action"] = " ".join(text[lo:hi] for lo, hi in pieces).rstrip(".;")
            limits = [*limits, *inside]
    times = {name: value for name, value in times_of(text, limits, quantities).items() if value is not None}
    length = _cell(text, cells, columns.length)
    if length is not None:
        times["duration"] = text[slice(*length)]
    clause: JsonValue = {"start": act[0], "end": act[1]}
    fixed: dict[str, JsonValue | None] = {
        "actor": _acting(str(own.get("actor") or ""), holder),
        "clause": clause,
        "modality": "to" if given else own.get("modality") or "present",
        "strength": "mandatory",
        "position": None,
    }
    return Mark("obligation", start, end, sort_data({**own, **times, **fixed}), _SURE)


def _acting(own: str, holder: str) -> str:
    """Who acts: whom the cell of the act names itself, else the holder; of two names for one the holder's."""
    return own if own and not own.casefold().endswith(holder.casefold()) else holder


def _cell(text: str, cells: Sequence[Place], column: int) -> Place | None:
    """Where a cell stands that says something."""
    if not 0 <= column < len(cells) or _EMPTY.fullmatch(text, *cells[column]):
        return None
    return cells[column]


def _holder(text: str, cells: Sequence[Place], columns: DutyColumns) -> str:
    """Who does it: the words of the holder's cell, or the roles whose letter says so; "" for nobody."""
    named = _cell(text, cells, columns.holder)
    if named is not None:
        return text[slice(*named)]
    own = [role for n, role in columns.roles if n < len(cells) and _RESPONSIBLE.match(text, *cells[n])]
    return " and ".join(own)


def _limits(text: str, cells: Sequence[Place], columns: DutyColumns) -> list[Adjunct]:
    """The times that the columns for them tell; "monthly" below "Due" says how often, "within 2 days" below "Frequency" by when."""
    kinds: tuple[tuple[AdjunctKind, int], ...] = (("deadline", columns.due), ("frequency", columns.often))
    found: list[Adjunct] = []
    for kind, column in kinds:
        place = _cell(text, cells, column)
        if place is not None:
            own = {each.kind for each in divide(text, *place, denied=False)[1] if each.start == place[0]}
            other = next((each for each in own if each in ("deadline", "frequency")), kind)
            found.append(Adjunct(other if _OFTEN.fullmatch(text, *place) is None else "frequency", place[0], *place))
    return found
