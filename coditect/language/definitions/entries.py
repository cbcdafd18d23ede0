"""Entries of a glossary whose term stands on a line of its own above what it means, as standards and lists of terms print them.

"3.1", "audit trail", "record of who did what" line by line (ISO/IEC Directives, Part 2, clause 16); "Keeper" above "a person who".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.language.definitions.glossary import form_of_line, no_entry, short_form
from coditect.language.definitions.marks import definition_mark
from coditect.language.definitions.terms import is_no_term, is_phrase
from coditect.language.marks import Mark, trim
from coditect.language.tables import read_table

__all__ = ["can_mean", "entry_number", "find_entry", "find_meaning_below", "is_row_of_entries", "term_alone"]

_NUMBER = r"\d{1,3}(?:\.\d{1,3}){1,5}\.?"
_HEAD = re.compile(rf"[\s#*]*(?P<number>{_NUMBER})(?:[ \t\xa0]+(?P<term>[^\n]{{2,90}}))?\s*")
_ENTRY = re.compile(rf"\s*(?P<number>{_NUMBER})[ \t\xa0]*\n\s*(?P<term>[^\n]{{2,80}})\n\s*(?P<meaning>\S[\s\S]*)")
_NO_TERM = re.compile(rf"(?:{read_table('definitions').pattern('title_is_no_term')})$", re.IGNORECASE)
_FORCE = re.compile(r"\b(?:shall|must|may|will|should)\b", re.IGNORECASE)
_AROUND = ' *_"“”'
_MOST_WORDS = 7
_MOST_IN_ROW = 4
_LEAST_WORDS = 3
_LONGEST = 400


def entry_number(text: str, start: int, end: int) -> tuple[str, str] | None:
    """The number of an entry with the term behind it, "" where that is on the next line: "3.1 keeper"; None where there is none."""
    found = _HEAD.fullmatch(text, start, end)
    if found is None:
        return None
    return found["number"].rstrip("."), (found["term"] or "").strip(_AROUND)


def term_alone(words: str) -> bool:
    """Whether a line can be a term and nothing else: few words, none of them a verb, and no sign at the end."""
    words = words.strip(_AROUND)
    if (
        not 0 < len(words.split()) <= _MOST_WORDS
        or not words[:1].isalpha()
        or words.endswith((".", ",", ";", ":", "?"))
    ):
        return False
    return not (is_no_term(words) or is_phrase(words) or no_entry(words) or _NO_TERM.match(words))


def find_entry(text: str, start: int, end: int, section: str) -> Mark | None:
    """An entry whose number, term and meaning are lines of one sentence, of the section of terms with this number.

    Other arguments and the mark are as in :func:`find_meaning_below`.
    """
    found = _ENTRY.fullmatch(text, start, end)
    if found is None or not found["number"].startswith(f"{section}.") or not term_alone(found["term"]):
        return None
    terms, at = [found["term"]], found.start("meaning")
    lines = found["meaning"].splitlines()
    while len(lines) > 1 and term_alone(lines[0]) and len(lines[0].split()) < _LEAST_WORDS:
        name = lines.pop(0)  # another name for it, too short to be what it means
        terms.append(name.strip())
        at = text.find(lines[0].strip(), text.find(name, at) + len(name))
    return _mark(text, start, end, terms, at)


def find_meaning_below(text: str, start: int, end: int, terms: Sequence[str]) -> Mark | None:
    """What a line below its term says that the term means.

    Args:
        text: the canonical text.
        start: the line's first code point.
        end: one past its last.
        terms: the words on the lines above, the preferred term first.

    Returns:
        A mark of kind "definition" over the line (confidence 0.8), or None where it is too short to mean anything.
    """
    return _mark(text, start, end, terms, start) if len(text[start:end].split()) >= _LEAST_WORDS else None


def _mark(text: str, start: int, end: int, terms: Sequence[str], at: int) -> Mark:
    names = [term.strip(_AROUND) for term in terms]
    name, short = short_form(names[0])
    lo, hi = trim(text, at, end)
    return definition_mark(
        *trim(text, start, end), name, text[lo:hi], (*short, *names[1:]), 0.8, form_of_line(name, text[lo:hi])
    )


def is_row_of_entries(text: str, start: int) -> bool:
    """Whether terms and what they mean take turns from a line on: a term, a longer line, a term, perhaps its other name."""
    lines = []
    for _ in range(5):
        line = text[start : start + _LONGEST].partition("\n")[0]
        lines.append(line.strip())
        start += len(line)
        start += len(text[start : start + 40]) - len(text[start : start + 40].lstrip())
    first, meaning, second, *behind = lines
    if not (_is_short(first) and _is_short(second) and can_mean(meaning) and len(meaning) > len(first)):
        return False
    return can_mean(behind[1] if _is_short(behind[0]) else behind[0])


def _is_short(line: str) -> bool:
    return term_alone(line) and len(line.split()) <= _MOST_IN_ROW


def can_mean(line: str) -> bool:
    """Whether a line says what a term means: more words than a term has, no number before them, and nothing that binds."""
    return len(line.split()) > _LEAST_WORDS and line[:1].isalpha() and not _FORCE.search(line) and not is_phrase(line)
