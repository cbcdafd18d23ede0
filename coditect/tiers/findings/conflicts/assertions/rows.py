"""Rows of tables that fix a time without a verb: "Cold stores | once a month" in a cleaning plan.

What is done, the row's own words tell ("Replacement of meters"), or the header of the table, a heading or the document's name.
"""

from __future__ import annotations

import re
from functools import lru_cache

from coditect.language.matched import as_matched
from coditect.language.quantities.meaning import find_quantities
from coditect.language.tables import read_table
from coditect.language.terms import stem, terms
from coditect.tiers.findings.conflicts.figures import WORKING
from coditect.tiers.findings.conflicts.lines import LONGEST, Assertion
from coditect.tiers.findings.measures import canonical
from coditect.tiers.findings.said.statements import Statement
from coditect.tiers.findings.tables import is_row

__all__ = ["ROW", "acts_around", "maps_standards", "rows_told", "timed_cell"]

ROW = "row"
"""The head of what a row fixes; which act it is of, :func:`acts_around` tells."""

_KEEPING = frozenset(canonical(stem(word)) for word in read_table("matters").words("keeps"))
_GONE = re.compile(rf"\b(?:{read_table('matters').pattern('disposals')})\b", re.IGNORECASE)
_NUMBERING = re.compile(r"(?:[A-Z]{0,4}[\s.-]?)?\d{1,4}(?:[.-]\d{1,3})*[a-z]?[.)]?|[A-Z][.)]?")
"""A first cell that only counts its row: "B1", "5-3", "12."."""

_LABELS = frozenset(("retention", "retain", "kept", "keep", "storage", "archive", "archiving"))
_TIMES = ("frequency", "deadline", "duration")
MOST_CELLS = 6


@lru_cache(maxsize=1 << 12)
def timed_cell(text: str) -> tuple[str, str, str, str, float] | None:
    """(kind, as printed, the label of its cell, the rest of the row, value) of a row of which one cell says only a time; else None.

    Args:
        text: a sentence.
    """
    if not is_row(text) or len(text) > LONGEST:
        return None
    cells = [cell.strip() for cell in as_matched(text).split(" | ")]
    found = []
    named = next((at for at, each in enumerate(cells) if not _NUMBERING.fullmatch(each.rpartition(": ")[2])), 0)
    for index, cell in enumerate(cells if 1 < len(cells) <= MOST_CELLS else ()):
        label, _, value = cell.rpartition(": ")
        marks = [mark for mark in find_quantities(value, 0, len(value)) if mark.data.get("quantity_kind") in _TIMES]
        if index <= named or len(marks) != 1 or marks[0].start > _SHORT_LEAD:
            continue
        mark = marks[0]
        kind = str(mark.data["quantity_kind"])
        number = mark.data.get("per_year") if kind == "frequency" else mark.data.get("hours")
        if isinstance(number, int | float) and number > 0:
            rest = " ".join((cells[named].rpartition(": ")[2], label, value[mark.end :]))
            length = float(number) * (WORKING if mark.data.get("business_days") else 1.0)
            found.append((kind, " ".join(value[mark.start : mark.end].split()), label, rest, round(length, 4)))
    return found[0] if len(found) == 1 else None


def rows_told(statement: Statement) -> tuple[Assertion, ...]:
    """How often, how soon or how long, of a row of which one cell says only that.

    Args:
        statement: a selected sentence.
    """
    found = timed_cell(statement.sentence.text) if not statement.sentence.measures else None
    if found is None:
        return ()
    kind, says, label, rest, value = found
    head = ROW
    if kind != "frequency":
        is_gone = _GONE.search(statement.sentence.text) is not None
        is_labelled = not _LABELS.isdisjoint(label.casefold().split())
        kept = is_gone or is_labelled or not _KEEPING.isdisjoint(acts_around(statement))
        kind, head = ("duration", canonical("retain")) if kept else ("deadline", ROW)
    return (Assertion(kind, head, says, value, "", rest),)


_REFERENCE = re.compile(
    r"(?:§+\s*)?(?:[A-Z]{1,6}[ .-]?)?\d{1,4}(?:[.-]\d{1,4})+(?:\(\d{1,2}\))?|[A-Z]{1,4}[-.]\d{1,3}(?:\(\d{1,2}\))?|"
    rf"[A-Z]{{2,5}}\d{{2}}\.\d{{2}}|N/A|(?:{read_table('laws').pattern('mapped')})\b.*|§.*"
)
"""A cell that holds nothing but where something stands in a standard, or begins with a standard's name or a section."""

FEWEST_REFERENCES = 2


@lru_cache(maxsize=1 << 12)
def maps_standards(text: str) -> bool:
    """Whether a sentence is a row that maps something to sections of standards, which fixes nothing: "Access | A.5.17 | AC-2(2)".

    At least two cells, and half of them, say where something stands, or that it stands nowhere ("N/A").

    Args:
        text: a sentence or a row.
    """
    if not is_row(text):
        return False
    held = [cell.strip().rpartition(": ")[2] for cell in as_matched(text).split(" | ")]
    references = sum(_REFERENCE.fullmatch(cell) is not None for cell in held)
    return references >= FEWEST_REFERENCES and 2 * references >= len(held)


_SHORT_LEAD = 24


def acts_around(statement: Statement) -> frozenset[str]:
    """The stems by which a row's act may be told: its own words, those of the headings above it and of its table's header."""
    chunk = statement.chunk
    header = [
        each.text
        for each in chunk.selected_sentences
        if is_row(each.text)
        and each.char_start < statement.sentence.char_start
        and not any(c.isdigit() for c in each.text)
    ]
    texts = (statement.sentence.text, chunk.heading, *chunk.headings, *chunk.parent_chain, *header[-1:])
    return frozenset(
        canonical(stem(word)) for text in texts for word in text.casefold().replace("|", " ").split() if word.isalpha()
    ) | frozenset(canonical(each) for text in texts for each in terms(text))
