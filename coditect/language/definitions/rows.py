"""Glossaries that stand as tables: a row has a term and, in a cell behind it, what it means."""

from __future__ import annotations

import re

from coditect.language.definitions.columns import TermColumns, cells_of, read_columns, typed_cells
from coditect.language.definitions.glossary import form_of_line, no_entry, short_form
from coditect.language.definitions.marks import definition_mark
from coditect.language.definitions.terms import is_no_term, is_phrase
from coditect.language.marks import Mark, trim
from coditect.schemas.tier1.data import DefinitionForm

__all__ = ["find_glossary_row", "head_of", "row_defines"]

# The number of a provision that a tab sets apart is no term: "Part 2.8.(2)", "12(b)".
_NUMBER = re.compile(r"\d\.\S|\(\w{1,4}\)\Z")
_COUNT = re.compile(r"(?:[A-Z]{1,3}-?)?\d{1,4}[.)]?|[ivxl]{1,5}[.)]|\(\w{1,4}\)|[•·–-]|")
_ITEM = re.compile(r"\(\w{1,4}\)")
_CUE = re.compile(
    r"(?:(?:shall|will)\s+)?(?:(?P<means>means?\b[,:]?)|(?P<has>(?:has|have)\s+the\s+(?:same\s+)?meanings?\b)|(?P<holds>includes?\b)|(?P<not>does\s+not\s+include\b))\s*",
    re.IGNORECASE,
)
_NAMES = re.compile(r"[\"“”]\s*(?:or|and|/|,)\s*[\"“”]")
_EDGES = " *_\"“”'‘’"
_MOST_WORDS = 8
_MOST_NAME_WORDS = 12
_FINITE = re.compile(r"\b(?:shall|must|should|is|are)\b|(?<=\w\s)means\b", re.IGNORECASE)  # "means test" is a term


def head_of(text: str, start: int, end: int) -> TermColumns | None:
    """The columns that a row names as the head of a table of terms: "Term | Meaning", "Abbreviation", tab, "Full form"."""
    return read_columns(cells_of(text, start, end))


def row_defines(text: str, start: int, end: int) -> bool:
    """Whether a verb in its second cell says that a row defines its first: "Keeper | means a person"."""
    cells = cells_of(text, start, end)
    found = _CUE.match(cells[1]) if len(cells) == 2 else None
    if found is None or not (found["means"] or found["has"]):
        return False
    return _is_term(cells[0].strip(_EDGES)) and len(cells[1].split()) > 2


def find_glossary_row(text: str, start: int, end: int, columns: TermColumns | None = None) -> Mark | None:
    """A row of a table of terms.

    Args:
        text: the canonical text.
        start: the row's first code point.
        end: one past its last.
        columns: of its table, where its head names them; else the first cell that is no number is the term, and the next what
            it means.

    Returns:
        A mark of kind "definition" over the row (confidence 0.8; 0.85 below a head), or None where it has no term.
    """
    cells = cells_of(text, start, end)
    if columns is not None and columns.typed:
        cells = typed_cells(text, start, end, columns)
    elif read_columns(cells) is not None:
        return None
    if columns is not None:
        name, meaning, short = columns.pick(cells)
    else:
        while len(cells) > 2 and _COUNT.fullmatch(cells[0]):
            del cells[0]
        name, meaning, short = cells[0], cells[1] if len(cells) > 1 else "", ""
    *others, named = reversed(_NAMES.split(name.strip(_EDGES).rstrip(":").rstrip(_EDGES)))
    term, inner = short_form(named.strip(_EDGES))
    if not (_is_name(term) if columns is not None else _is_term(term)) or len(meaning) < 3:
        return None
    form, meaning = _read_meaning(term, meaning)
    if columns is not None and columns.full and form == "meaning":
        form = "abbreviation"
    aliases = dict.fromkeys((*inner, *(other.strip(_EDGES) for other in reversed(others)), short.strip(_EDGES + "-–—")))
    named_so = [alias for alias in aliases if alias and any(map(str.isalpha, alias)) and alias != term]
    confidence = 0.8 if columns is None else 0.85
    return definition_mark(*trim(text, start, end), term, meaning, named_so, confidence, form)


def _read_meaning(term: str, meaning: str) -> tuple[DefinitionForm, str]:
    """How a cell defines, and what stands behind its verb: "means a person", "has the meaning given in section 2"."""
    cue = _CUE.match(meaning)
    rest = meaning[cue.end() :].strip().lstrip(":—–-").strip() if cue else ""  # "" where it follows as a list
    if cue is None or (cue["means"] and rest.startswith("of ")):
        return form_of_line(term, meaning), meaning
    if cue["means"]:
        return form_of_line(term, rest), rest
    return ("reference" if cue["has"] else "inclusion" if cue["holds"] else "exclusion"), rest


def _is_term(term: str) -> bool:
    """Whether the first cell of a row whose columns have no names can be a term."""
    is_short = (
        0 < len(term.split()) <= _MOST_WORDS and any(map(str.isalpha, term)) and not term.endswith((".", ":", ";"))
    )
    return is_short and not (_NUMBER.search(term) or is_no_term(term) or is_phrase(term) or no_entry(term))


def _is_name(term: str) -> bool:
    """Whether a cell of a column of terms holds one: the head vouches for it, so only sentences and numbers are none."""
    is_short = 0 < len(term.split()) <= _MOST_NAME_WORDS and any(map(str.isalpha, term))
    return is_short and not _ITEM.fullmatch(term) and not term.endswith((".", ";")) and _FINITE.search(term) is None
