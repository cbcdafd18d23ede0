"""Claims and evidence as words: what each word is (number, name, function word, content word) and where it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from coditect.language.quantities.numbers import parse_number
from coditect.language.terms import STOPWORDS, stem
from coditect.verify.support.lexicon import NEGATORS

__all__ = ["CONTENT", "FUNCTION", "NAME", "NUMBER", "Word", "parts", "words"]

FUNCTION, CONTENT, NAME, NUMBER = 0, 1, 2, 3

_WORD = re.compile(r"\d+(?:[.,]\d+)*(?![^\W\d_]{3,})|[^\W_]+(?:['’][^\W_]+)?")
_ENDING = re.compile(r"[.!?:;\n•|\"“(\[]")
_SPLIT = re.compile(r"(?<=[.!?;])[\"”’)\]]*\s+(?=[\"“‘(\[]?[^\W_a-z])|\n+|;\s+")
_MODALS = "will shall can must may should would could might also within"
_FUNCTIONS = STOPWORDS | frozenset(_MODALS.split())
_TO_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_TENS = "thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth"
_CARDINALS: dict[str, str] = {name: str(value) for value, name in enumerate(_TO_TWENTY.split())}
_CARDINALS |= {name: str(10 * tens) for tens, name in enumerate(_TENS.split(), 3)}
_CARDINALS |= {name: str(place) for place, name in enumerate(_ORDINALS.split(), 2)}
_CARDINALS |= {"twice": "2", "half": "0.5", "dozen": "12"}
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)\Z")
_LONGEST_WORD = 64
_CACHED = 100_000


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text.

    Attributes:
        key: what it is compared by: a stem, or a number's value.
        text: as written, at most 64 characters.
        kind: FUNCTION, CONTENT, NAME or NUMBER.
        negates: it is a negation ("not", "without", "didn't").
        start: first code point in its text.
        end: one past the last.
    """

    key: str
    text: str
    kind: int
    negates: bool
    start: int
    end: int


class _Forms(dict[str, tuple[str, int, bool]]):
    """A word as written to its key, its kind inside a sentence, and whether it negates; emptied when full."""

    def __missing__(self, text: str) -> tuple[str, int, bool]:
        if len(self) >= _CACHED:
            self.clear()
        found = self[text] = _form(text)
        return found


def _form(text: str) -> tuple[str, int, bool]:
    lower = text.casefold().replace("’", "'")
    if lower[0].isdigit():
        ordinal = _ORDINAL.match(lower)
        plain = (ordinal[1] if ordinal else lower).replace(",", "")
        if any(each.isalpha() for each in plain):
            return plain, NAME, False
        value = parse_number(plain) if plain.count(".") <= 1 else None
        return (f"{value:.12g}" if value is not None else plain), NUMBER, False
    if lower in _CARDINALS:
        return _CARDINALS[lower], NUMBER, False
    negates = lower in NEGATORS or lower.endswith("n't")
    if lower.endswith("n't"):
        return "not", FUNCTION, True
    base = lower.partition("'")[0] or lower
    key = stem(base) or base
    if base in _FUNCTIONS:
        return key, FUNCTION, negates
    return key, (NAME if text != lower.replace("'", text[len(base) : len(base) + 1] or "'") else CONTENT), negates


_FORMS = _Forms()


def words(text: str) -> tuple[Word, ...]:
    """The words of a text, in order.

    A word that begins a sentence with a capital is a name only if more of it is upper case or the next word is one too.

    Args:
        text: any text.
    """
    found: list[Word] = []
    last = 0
    for match in _WORD.finditer(text):
        written = match.group()[:_LONGEST_WORD]
        key, kind, negates = _FORMS[written]
        begins = not found or _ENDING.search(text, last, match.start()) is not None
        if kind == NAME and begins and written[1:].islower():
            kind = CONTENT
        found.append(Word(key, written, kind, negates, match.start(), match.end()))
        last = match.end()
    return tuple(found)


def parts(text: str, claim: Sequence[Word]) -> tuple[tuple[int, int], ...]:
    """The sentences of a claim, as half-open ranges of its words; short ones join the one before.

    Args:
        text: the claim.
        claim: its words.
    """
    cuts = [match.end() for match in _SPLIT.finditer(text)]
    ranges: list[tuple[int, int]] = []
    begin, place = 0, 0
    for at, word in enumerate(claim):
        crossed = False
        while place < len(cuts) and cuts[place] <= word.start:
            place, crossed = place + 1, True
        if crossed and at - begin >= _SHORTEST_PART:
            ranges.append((begin, at))
            begin = at
    if begin < len(claim):
        ranges.append((begin, len(claim)))
    return tuple(ranges)


_SHORTEST_PART = 4
