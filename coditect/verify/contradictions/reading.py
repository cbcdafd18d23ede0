"""A sentence as the contradiction rules see it: tokens with their part in it, quantities and places normalised."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from coditect.language.marks import JsonValue, Mark
from coditect.language.norms.modality import find_cues
from coditect.language.quantities.meaning import find_quantities
from coditect.language.quantities.numbers import NUMBER, parse_number
from coditect.language.references.mentions import find_references
from coditect.language.terms import STOPWORDS
from coditect.verify.contradictions.lexicon import PHRASES
from coditect.verify.contradictions.words import ACTORS, IRREGULAR, canonical_stem

__all__ = ["NUMBERS", "READ_LIMIT", "Reading", "Token", "read"]

READ_LIMIT = 4_000
"""Code points of one sentence that are read; what stands behind is not compared."""

_WORD = re.compile(
    r"(?P<word>(?:[A-Z]\.){2,}|[^\W_]+(?:['’][^\W\d_]{1,3}\b)?)|(?P<stop>[;:()]|[.!?](?=\s|$)|,|[–—])|(?P<odd>[$€£%§])"
)
_LOOSE = re.compile(rf"(?<![\w.,$€£¥§/-]){NUMBER}(?![\w])", re.IGNORECASE)
NUMBERS = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty"
    r"|ninety|hundred|thousand|million|half)\b",
    re.I,
)
"""Finds whether a text has a number at all."""
_AGAIN = re.compile(r"\s*\(\s*[$€£]?\s?[\d,.]+\s?%?\s*\)")
_PLACE_WORDS = re.compile(r"\s|§|\bsect?(?:ions?)?\b\.?")
_SPATIAL = frozenset(("over", "under", "above", "below", "beneath"))
_INVERTED = re.compile(r"(?:^|[,;(])\s*(?:(?:and|or|but|that)\s+)?$")
_TRIVIAL = frozenset(("one", "a half", "half", "second", "and"))
_CUE_VALUES = {
    "is not required to": "free", "may": "may", "should": "recommended", "should not": "recommended not", "can": "may",
}  # fmt: skip


class Token:
    """A word, a phrase, a quantity or a place.

    Attributes:
        start: first code point.
        end: one past the last.
        low: the words, casefolded.
        role: "word", "function", "number", "reference", or a role of the lexicon.
        key: what makes it equal to another: a stem, a value.
        clause: number of the clause, from 0; semicolons, full stops, colons and dashes begin another.
        comma: whether a comma or dash stands before it.
        proper: whether it is capitalised though it does not open the sentence.
        actor: whether it names somebody who acts.
        aside: whether it stands in brackets.
        mark: the quantity or place behind it.
    """

    __slots__ = ("actor", "aside", "clause", "comma", "end", "key", "low", "mark", "proper", "role", "start")

    def __init__(self, start: int, end: int, low: str, role: str, key: str, clause: int, comma: bool) -> None:
        self.start, self.end, self.low, self.role, self.key, self.clause, self.comma = (
            start, end, low, role, key, clause, comma,
        )  # fmt: skip
        self.proper = self.actor = self.aside = False
        self.mark: Mark | None = None

    def __repr__(self) -> str:
        return f"{self.role}:{self.key}"


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence, read.

    Attributes:
        text: as given, at most :data:`READ_LIMIT` code points.
        tokens: in order.
        content: indexes of the tokens that carry meaning of their own: words, numbers, places.
        keys: the keys of all content tokens.
    """

    text: str
    tokens: tuple[Token, ...]
    content: tuple[int, ...]
    keys: frozenset[str]


@lru_cache(maxsize=512)
def read(text: str) -> Reading:
    """Read one sentence; the last 512 are remembered.

    Args:
        text: any text; only its first :data:`READ_LIMIT` code points are read.
    """
    text = text[:READ_LIMIT]
    fixed = _fixed(text)
    tokens = _tokens(text, fixed)
    content = tuple(n for n, token in enumerate(tokens) if token.role in ("word", "number", "reference"))
    return Reading(text, tuple(tokens), content, frozenset(tokens[n].key for n in content))


def _fixed(text: str) -> list[tuple[int, int, str, str, Mark | None]]:
    """Spans that are one token each, in order, not overlapping: quantities, places, modal expressions."""
    found: list[tuple[int, int, str, str, Mark | None]] = []
    taken = bytearray(len(text))

    def add(start: int, end: int, role: str, key: str, mark: Mark | None) -> None:
        if not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            found.append((start, end, role, key, mark))

    for mark in find_references(text, 0, len(text)):
        if mark.confidence >= 0.9 and mark.data.get("label"):
            add(mark.start, mark.end, "reference", _place(mark), mark)
    for mark in find_quantities(text, 0, len(text)):
        add(mark.start, _full(text, mark), "number", _quantity(mark), mark)
    if NUMBERS.search(text):
        for match in _LOOSE.finditer(text):
            value = None if match[0].casefold() in _TRIVIAL or _is_label(text, match) else parse_number(match[0])
            if value is not None:
                data: dict[str, JsonValue] = {"quantity_kind": "plain", "text": match[0], "value": value}
                add(
                    match.start(),
                    match.end(),
                    "number",
                    f"#{value:g}",
                    Mark("quantity", match.start(), match.end(), data, 0.6),
                )
    for cue in find_cues(text, 0, len(text)):
        if text[cue.start : cue.end].casefold() == "should" and _INVERTED.search(text, 0, cue.start):
            add(cue.start, cue.end, "condition", "if", None)  # "Should the tenant fail to pay, …"
        else:
            add(cue.start, cue.end, "modal", _binding(cue.kind, cue.modality), None)
    found.sort()
    return found


def _full(text: str, mark: Mark) -> int:
    """The end of a quantity with the amount in brackets that repeats it."""
    again = _AGAIN.match(text, mark.end)
    return again.end() if again else mark.end


def _is_label(text: str, match: re.Match[str]) -> bool:
    """Whether a number is the sentence's own label ("3. Fees", "(2)")."""
    before, after = text[: match.start()].strip(), text[match.end() : match.end() + 1]
    return (before in ("", "(") and after in (".", ")", "")) or (before.endswith("(") and after == ")")


def _place(mark: Mark) -> str:
    return "§" + _PLACE_WORDS.sub("", str(mark.data["label"]).casefold())


def _binding(kind: str, modality: str) -> str:
    """One of shall, shall not, may, free, recommended, recommended not, only."""
    if modality.endswith(" only"):
        return "may" if modality == "may only" else "shall"
    if modality in _CUE_VALUES:
        return _CUE_VALUES[modality]
    return {"obligation": "shall", "prohibition": "shall not", "permission": "may"}[kind]


def _quantity(mark: Mark) -> str:
    """What makes two quantities equal: family and value in one unit."""
    data = mark.data
    kind = data.get("quantity_kind")
    if kind in ("deadline", "duration"):
        return f"t{_number(data.get('hours')):g}{'b' if data.get('business_days') else ''}"
    if kind == "date":
        return f"d{data.get('iso')}"
    if kind == "amount":
        return f"${_number(data.get('value')):g}{data.get('currency')}"
    if kind == "percentage":
        return f"%{_number(data.get('value')):g}"
    if kind == "frequency":
        return f"f{_number(data.get('per_year')):.3g}"
    return f"#{_number(data.get('value')):g}"


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _tokens(text: str, fixed: Sequence[tuple[int, int, str, str, Mark | None]]) -> list[Token]:
    """All tokens of a sentence."""
    words: list[Token] = []
    clause, comma, at, opened, depth = 0, True, 0, False, 0
    shouts = text.isupper()
    last = len(fixed)
    position, size = 0, len(text)
    scan = _WORD.finditer(text)
    match = next(scan, None)
    while match is not None or at < last:
        if at < last and (match is None or fixed[at][0] <= match.start()):
            start, end, role, key, mark = fixed[at]
            at += 1
            token = Token(start, end, text[start:end].casefold(), role, key, clause, comma)
            token.mark, token.aside = mark, depth > 0
            words.append(token)
            comma, position, opened = False, end, True
            while match is not None and match.start() < position:
                match = next(scan, None)
            continue
        if match is None:
            break
        stop, word = match["stop"], match["word"]
        if stop == "(":
            depth += 1
        elif stop == ")":
            depth = max(0, depth - 1)
        elif stop:
            comma = True
            if stop != ",":
                clause += 1
                opened = False
        elif word:
            low = "u.s." if word == "US" and not shouts else word.casefold()
            token = Token(match.start(), match.end(), low, "word", "", clause, comma)
            token.proper, token.aside = opened and word[0].isupper(), depth > 0
            words.append(token)
            comma, opened = False, True
        match = next(scan, None)
        if position > size:
            break
    return _phrased(_joined(text, words))


def _joined(text: str, words: list[Token]) -> list[Token]:
    """Make one word of "non-exclusive" and of "United States"."""
    out: list[Token] = []
    for token in words:
        if out and out[-1].low == "united" and token.low in ("states", "kingdom"):
            out[-1].end, out[-1].low = token.end, f"united {token.low}"
            continue
        if out and out[-1].low == "non" and token.role == "word" and text[out[-1].end : token.start] in ("-", " ", "‑"):
            out[-1].end, out[-1].low = token.end, "non" + token.low
            continue
        out.append(token)
    return out


def _phrased(words: list[Token]) -> list[Token]:
    """Phrases of the lexicon become one token; every other word gets its stem."""
    out: list[Token] = []
    n, total = 0, len(words)
    while n < total:
        token = words[n]
        if token.role != "word":
            out.append(token)
            n += 1
            continue
        taken = _phrase(words, n, total)
        if taken:
            n += taken
            if token.role != "plain":
                out.append(token)
            continue
        low = token.low
        if low.endswith(("n't", "n’t")):
            token.role, token.key = "negation", "not"
        elif low in STOPWORDS and low not in IRREGULAR:
            token.role, token.key = "function", low
            token.actor = low in ("we", "you", "us", "they")
        else:
            token.key = canonical_stem(low.partition("’")[0].partition("'")[0] or low)
            token.actor = token.key in ACTORS
        out.append(token)
        n += 1
    return out


def _number_next(words: list[Token], n: int) -> bool:
    """Whether a quantity follows, so that "under" is less than it and not beneath something."""
    return any(word.role == "number" for word in words[n + 1 : n + 3])


def _phrase(words: list[Token], n: int, total: int) -> int:
    """How many words from ``n`` on are a phrase; the first of them becomes it."""
    token = words[n]
    for phrase, role, value in PHRASES.get(token.low, ()):
        size = len(phrase)
        if n + size > total or any(words[n + k].low != phrase[k] for k in range(1, size)):
            continue
        if (
            size == 1
            and token.proper
            and token.low in ("may", "no", "over", "under", "following", "advance", "maximum", "minimum", "prior")
        ):
            return 0
        if role == "comparator" and size == 1 and token.low in _SPATIAL and not _number_next(words, n):
            return 0
        token.role, token.key = role, value
        token.end = words[n + size - 1].end
        token.low = " ".join(phrase)
        return size
    return 0
