"""A text as words: where each stands, what it is compared by, and whether it is a number, a name, a function word or content."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from coditect.language.quantities.numbers import parse_number
from coditect.language.reading.negation import is_negator
from coditect.language.reading.stems import IRREGULAR, canonical_stem
from coditect.language.tables import read_table
from coditect.language.terms import STOPWORDS

__all__ = ["Word", "WordKind", "read_words"]

_LONGEST_WORD = 64
_CACHED = 100_000

# A number keeps its points and commas and parts from a short unit ("30GB"); an ordinal keeps its ending, a word its contraction.
_SCAN = re.compile(
    r"(?P<word>\d++(?:[.,]\d++)*+(?:(?:st|nd|rd|th)\b)?(?![^\W\d_]{3,})|(?:[A-Z]\.){2,}|[^\W_]+(?:['’][^\W\d_]{1,3}\b)?)"
    r"|(?P<stop>[;:–—]|[.!?](?=\s|$)|,)|(?P<bracket>[()])|[\n•|\"“\[]"
)
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)\Z")
_ORDINALS = read_table("ordinals").mapping("values")
_FUNCTIONS = STOPWORDS | frozenset(("will", "shall", "can", "must", "may", "should", "would", "could", "might"))
_FUNCTIONS |= frozenset(("also", "within"))


class WordKind(IntEnum):
    """What a word is by itself."""

    FUNCTION = 0
    CONTENT = 1
    NAME = 2
    NUMBER = 3


class Word(NamedTuple):
    """One word of a text.

    Attributes:
        key: what it is compared by: a stem, or a number's value.
        text: as written, at most 64 characters of a single word.
        low: casefolded, with plain apostrophes.
        kind: what it is by itself.
        negates: whether it is a negation of any grade ("not", "without", "didn't", "hardly", "fails").
        start: first code point in its text.
        end: one past the last.
        clause: number of the clause, from 0; semicolons, colons, full stops and dashes begin another.
        comma: whether a stop of any kind, a comma as well, stands right before it; true of the first.
        opens: whether it begins a clause, a line or a quotation, where a capital proves nothing.
        aside: whether it stands in round brackets.
    """

    key: str
    text: str
    low: str
    kind: WordKind
    negates: bool
    start: int
    end: int
    clause: int
    comma: bool
    opens: bool
    aside: bool


_Form = tuple[str, str, WordKind, bool]


class _Forms(dict[str, _Form]):
    """A word as written to its lower case, its key, its kind inside a sentence, and whether it negates; emptied when full."""

    def __missing__(self, text: str) -> _Form:
        if len(self) >= _CACHED:
            self.clear()
        found = self[text] = _form(text)
        return found


def _form(text: str) -> _Form:
    low = text.casefold().replace("’", "'")
    if low[0].isdigit():
        return low, *_number(low), False
    if low in _ORDINALS:
        return low, _ORDINALS[low], WordKind.NUMBER, False
    value = parse_number(low) if low.isalpha() and low not in STOPWORDS else None
    if value is not None and value < 100 and value.is_integer():  # "million" is a unit, "quarter" a period
        return low, f"{value:g}", WordKind.NUMBER, False
    if low.endswith("n't"):
        return low, "not", WordKind.FUNCTION, True
    base = low.partition("'")[0] or low
    key = canonical_stem(base) or base
    negates = is_negator(low, approximate=True, implicit=True)
    if base in _FUNCTIONS and base not in IRREGULAR:
        return low, key, WordKind.FUNCTION, negates
    cased = text.replace("’", "'") != low
    return low, key, WordKind.NAME if cased else WordKind.CONTENT, negates


def _number(low: str) -> tuple[str, WordKind]:
    """The key and kind of a word that begins with a digit: a value, or a name such as "4b"."""
    ordinal = _ORDINAL.match(low)
    plain = (ordinal[1] if ordinal else low).replace(",", "")
    if any(each.isalpha() for each in plain):
        return plain, WordKind.NAME
    value = parse_number(plain) if plain.count(".") <= 1 else None
    return (f"{value:.12g}" if value is not None else plain), WordKind.NUMBER


_FORMS = _Forms()


def read_words(text: str, whole: Sequence[tuple[int, int]] = ()) -> tuple[Word, ...]:
    """The words of a text, in order.

    A word that opens a clause with a capital is a name only if more of it is upper case.

    Args:
        text: any text.
        whole: stretches that count as one word each, without key, whatever stands in them: half-open, in order, apart.
    """
    found: list[Word] = []
    clause, depth, comma, opens = 0, 0, True, True
    at, behind = 0, 0
    shouts = text.isupper()
    for match in _SCAN.finditer(text):
        start = match.start()
        while at < len(whole) and whole[at][0] <= start:
            behind = whole[at][1]
            found.append(_whole(text, *whole[at], clause, comma, opens, depth > 0))
            at, comma, opens = at + 1, False, False
        if start < behind:
            continue
        group, said = match.lastgroup, match.group()
        if group != "word":
            if group == "bracket":
                depth = max(0, depth + (1 if said == "(" else -1))
            elif group == "stop":
                comma = True
                clause += said != ","
            opens = opens or (group != "bracket" and said != ",")
            continue
        written = said[:_LONGEST_WORD]
        low, key, kind, negates = _FORMS["U.S." if written == "US" and not shouts else written]
        if kind is WordKind.NAME and opens and written[1:].islower():
            kind = WordKind.CONTENT
        found.append(Word(key, written, low, kind, negates, start, match.end(), clause, comma, opens, depth > 0))
        comma = opens = False
    found += (_whole(text, *each, clause, comma, opens, depth > 0) for each in whole[at:])
    return tuple(found)


def _whole(text: str, start: int, end: int, clause: int, comma: bool, opens: bool, aside: bool) -> Word:
    said = text[start:end]
    return Word("", said, said.casefold(), WordKind.CONTENT, False, start, end, clause, comma, opens, aside)
