"""Phrases that limit what a clause says: conditions, exceptions and times, where each begins and how far it goes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from coditect.language.marks import trim
from coditect.language.tables import read_table

__all__ = ["Adjunct", "AdjunctKind", "adjuncts_before", "divide"]

AdjunctKind = Literal["condition", "exception", "deadline", "frequency", "duration", "start"]

_I = re.IGNORECASE
_WORDS, _CALENDAR = read_table("adjuncts"), read_table("time")
_UNIT = rf"(?:(?:{_CALENDAR.pattern('kinds_of_days')})\s+)*(?:{_CALENDAR.pattern('units')})(?:['’]s?)?"
_NUMBER = r"(?:\d[\d.,]*|\[[^\]]{1,40}\]|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)?-?(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety))"
_COUNT = rf"{_NUMBER}(?:\s*\(\s*[\w\[\]*-]+\s*\))?"
_LEAST = r"(?:(?:at\s+least|not?\s+(?:less|more|fewer|later)\s+than|at\s+most|up\s+to|only|a\s+minimum\s+of|a\s+maximum\s+of)\s+)?"
_MONTHS = "|".join(name for names in _CALENDAR.groups("months") for name in names if len(name) > 3 or name == "may")
_DATE = rf"(?:\d|(?:{_MONTHS})\s+\d|the\s+(?:\d|\w+\s+(?:day|month|quarter|business)|end|close|date|time|deadline|first|last|later|earlier|conclusion|beginning|due)|approximately|noon|midnight|close\s+of|no\s+later|then\b)"
_ADVERBS = "|".join(
    sorted((w for w in _CALENDAR.mapping("times_a_year") if w.endswith("ly")), key=lambda w: (-len(w), w))
)
_ADJECTIVES = r"annual|monthly|quarterly|weekly|daily"

_KINDS: tuple[tuple[AdjunctKind, str], ...] = (
    ("exception", rf"(?:{_WORDS.pattern('exceptions')})|without(?=\s+(?!limiting|prejudice|having\s+to)[a-z]+ing\b)"),
    (
        "deadline",
        rf"(?:{_WORDS.pattern('at_once')})|within(?=\s*:|\s+{_LEAST}{_COUNT}[\s-]+{_UNIT}|\s+(?:such|the|a)\s+(?:\w+\s+)?(?:time|period|timeframe|deadline))"
        rf"|by(?=\s+{_DATE})|{_LEAST}{_COUNT}[\s-]+{_UNIT}(?:\s+(?:in\s+)?(?:advance|written|prior|immediately|calendar)){{0,3}}\s+(?:before|after|prior\s+to|following|from|of|thereafter|preceding)\b"
        rf"|on(?=\s+the\s+(?:date|day|next|first|last)\b)|{_WORDS.pattern('before_after')}",
    ),
    (
        "frequency",
        rf"\[Assignment:[^\]]*\bfrequency\]|{_LEAST}(?:(?:{_WORDS.pattern('repeatedly')})|(?:{_ADVERBS})|(?:once|twice|{_COUNT}\s+times)\s+(?:a|an|per|each|every|in\s+(?:any|each|every|a))\s+(?:{_COUNT}\s+)?(?:calendar\s+|fiscal\s+|contract\s+)?{_UNIT}|(?:every|each)\s+(?:{_COUNT}\s+|other\s+)?(?:calendar\s+|fiscal\s+)?{_UNIT})",
    ),
    (
        "duration",
        rf"(?:{_WORDS.pattern('throughout')})|for(?=\s+(?:a\s+|an\s+|the\s+)?(?:further\s+|additional\s+|minimum\s+|maximum\s+|initial\s+|whole\s+)?(?:period|term|duration)\b|\s+{_LEAST}{_COUNT}[\s-]+{_UNIT})",
    ),
    ("start", rf"(?:{_WORDS.pattern('beginning')})|from(?=\s+{_DATE})"),
    ("condition", rf"(?:{_WORDS.pattern('provisos')})|(?:{_WORDS.pattern('conditions')})"),
)
_START = re.compile(
    r"(?<![\w’'-])(?:" + "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS) + r")(?<![,.;])(?![\w-])", _I
)
_TIMES = frozenset(("deadline", "frequency", "duration", "start"))
_BARE = re.compile(
    rf"(?:\[Assignment:[^\]]*\]|{_WORDS.pattern('at_once')}|{_WORDS.pattern('repeatedly')}|{_ADVERBS}|at\s+all\s+times|thereafter|indefinitely)\Z",
    _I,
)
_TIED = re.compile(r"\s*(?:after|before|prior\s+to|following|upon|from|of|on)\s", _I)
_WORD_BEFORE = re.compile(r"(?P<word>[\w’'-]+)[\s]*\Z")
# "information on when", "a place where", "the party from": behind such words it is no adjunct of the clause.
_NOT_BEHIND = frozenset(
    [
        "than",
        "of",
        "on",
        "about",
        "as",
        "whether",
        "from",
        "with",
        "to",
        "by",
        "and/or",
        "determine",
        "determines",
        "determining",
        "impose",
        "imposed",
        "imposes",
        "rely",
        "relied",
        "relies",
        "based",
        "agree",
        "agreed",
        "expand",
        "depend",
        "depends",
        "call",
        "draw",
        "state",
        "specify",
        "describe",
        "decide",
        "know",
        "the",
        "a",
        "an",
        "such",
        "any",
        "is",
        "are",
        "be",
        "see",
        "even",
        "only",
    ]
)
_PLACE = frozenset(
    [
        "area",
        "areas",
        "facility",
        "facilities",
        "place",
        "places",
        "location",
        "locations",
        "jurisdiction",
        "jurisdictions",
        "case",
        "cases",
        "circumstances",
        "situation",
        "situations",
        "site",
        "sites",
        "country",
        "countries",
        "state",
        "states",
        "point",
    ]
)
# "where possible" says when; "if any" and "if applicable" say nothing that could be left undone.
_SHORT = re.compile(
    r"(?:as|if|where|where|when|whenever)\s+(?:necessary|appropriate|possible|required|needed|practicable|relevant|feasible)\b",
    _I,
)
_EMPTY = re.compile(r"(?:if|where|as)\s+(?:any|applicable)\b|(?:if|where)\s+not\b", _I)
_IN_DOING = re.compile(r"in\s+(?!addition|accordance|order|the\b|an?\b)(?:[a-z]+ing\b|relation\s+to\b)", _I)
_PROVISO = re.compile(r"provided(?!,?\s+(?:that|however|further|always))", _I)
_PROVISO_BEHIND = re.compile(r"\s+(?:it|such|the|there|they|all|each|no|any|this|these|we|you)\b", _I)
_RESULT = re.compile(r"[,;]?\s*(?:and|or)?\s*\Z")


@dataclass(frozen=True, slots=True)
class Adjunct:
    """A phrase that limits a clause.

    Attributes:
        kind: what it limits.
        start: first code point, at the words that begin it.
        head: one past those words.
        end: one past the last.
    """

    kind: AdjunctKind
    start: int
    head: int
    end: int


def divide(text: str, lo: int, hi: int) -> tuple[list[tuple[int, int]], list[Adjunct]]:
    """Part a predicate from the phrases that limit it.

    A condition or exception goes on to the end, or to the next one behind a comma; a time to its comma, its end, or the next phrase;
    what stands behind a time goes on with the predicate.

    Args:
        text: the text.
        lo: where the predicate begins, behind its modal expression.
        hi: one past its last.

    Returns:
        The pieces of the predicate in order, and the adjuncts in order.
    """
    pieces: list[tuple[int, int]] = []
    found: list[Adjunct] = []
    at = lo
    while at < hi:
        adjunct = _next(text, at, hi, opens=at == lo or bool(found and not pieces))
        if adjunct is None:
            _add(pieces, text, at, hi)
            break
        _add(pieces, text, at, adjunct.start)
        found.append(adjunct)
        at = max(adjunct.end, at + 1)
        while at < hi and text[at] in " ,\n\t":
            at += 1
    return pieces, found


def _add(pieces: list[tuple[int, int]], text: str, lo: int, hi: int) -> None:
    start, end = trim(text, lo, hi, punctuation=True)
    while start < end and text[start] in ",;) ":
        start += 1
    if pieces or text[start:end].lower() not in ("and", "or"):
        if start < end and text[start:end].lower() not in ("and", "or", "then"):
            pieces.append((start, end))


def _next(text: str, at: int, hi: int, *, opens: bool) -> Adjunct | None:
    """The next adjunct of a predicate; ``opens`` where nothing of the predicate has been seen yet."""
    for match in _START.finditer(text, at, hi):
        kind: AdjunctKind = match.lastgroup  # type: ignore[assignment]
        begins = match.start() == at
        if not begins and not _may_begin(text, at, match, kind):
            continue
        if _inside(text, at, match.start()):
            continue
        between = opens and (begins or not text[at : match.start()].strip(" ,"))
        return Adjunct(kind, match.start(), match.end(), _end(text, match, kind, hi, between=between))
    return None


def _may_begin(text: str, lo: int, match: re.Match[str], kind: AdjunctKind) -> bool:
    """Whether the words before a possible adjunct let it be one."""
    before = _WORD_BEFORE.search(text, max(lo, match.start() - 30), match.start())
    if _EMPTY.match(text, match.start()):
        return False
    if match[0].lower() in ("other than", "excluding"):
        return text[lo : match.start()].rstrip().endswith((",", "("))
    if _PROVISO.match(match[0]):
        return text[lo : match.start()].rstrip().endswith(",") and _PROVISO_BEHIND.match(text, match.end()) is not None
    if before is None:
        return True
    if match[0].lower() in ("where", "in which") and before["word"].lower() in _PLACE:
        return False
    return before["word"].lower() not in _NOT_BEHIND


def _inside(text: str, lo: int, at: int) -> bool:
    """Whether a place lies in round brackets or quotation marks that opened behind ``lo``."""
    return text.count("(", lo, at) > text.count(")", lo, at) or text.count("“", lo, at) > text.count("”", lo, at)


def _end(text: str, match: re.Match[str], kind: AdjunctKind, hi: int, *, between: bool) -> int:
    """Where an adjunct ends."""
    words, head = match[0], match.end()
    short = _SHORT.match(text, match.start(), hi)
    if short:
        return short.end()
    if kind in _TIMES and _BARE.fullmatch(words):
        tied = _TIED.match(text, head, hi)
        if not tied or between:
            return head
    if between:  # "must, in procuring the report, ensure": up to the comma
        comma = _comma(text, head, hi)
        return hi if comma is None else comma
    if kind not in _TIMES:
        for later in _START.finditer(text, head + 1, hi):
            if (
                later.lastgroup not in _TIMES
                and text[max(head, later.start() - 2) : later.start()].strip() == ","
                and not _inside(text, head, later.start())
            ):
                return trim(text, head, later.start(), punctuation=True)[1]
        return trim(text, head, hi, punctuation=True)[1]
    stop = _comma(text, head, hi)
    stop = hi if stop is None else stop
    for later in _START.finditer(text, head + 1, stop):
        own = later.lastgroup in ("condition", "exception") or (later.lastgroup == "frequency" and kind != "frequency")
        if own and not _inside(text, head, later.start()) and _may_begin(text, head, later, kind):
            return trim(text, head, later.start(), punctuation=True)[1]
    return trim(text, head, stop, punctuation=True)[1]


def _comma(text: str, lo: int, hi: int) -> int | None:
    """The first comma outside of brackets."""
    depth = 0
    for at in range(lo, hi):
        char = text[at]
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "," and depth <= 0 and text[at + 1 : at + 2].isspace():
            return at
    return None


def adjuncts_before(text: str, lo: int, hi: int) -> list[Adjunct]:
    """The adjuncts in front of a subject: "If a key is lost, within two days, the bank".

    Args:
        text: the text.
        lo: where the clause begins.
        hi: where its subject begins.

    Returns:
        The adjuncts in order; each goes on to the next one behind a comma, or to the subject.
    """
    found: list[Adjunct] = []
    doing = _IN_DOING.match(text, lo, hi) or _IN_DOING.match(text, _first_letter(text, lo, hi), hi)
    if doing:
        found.append(
            Adjunct("condition", doing.start(), doing.end(), trim(text, doing.start(), hi, punctuation=True)[1])
        )
    for match in _START.finditer(text, doing.end() if doing else lo, hi):
        kind: AdjunctKind = match.lastgroup  # type: ignore[assignment]
        before = text[lo : match.start()]
        if _inside(text, lo, match.start()):
            continue
        opens = not found and not re.search(r"[a-z]{3}", before.rsplit(",", 1)[-1])
        if not opens and not re.search(r"(?:,|\b(?:and|or|but|that))\s*\Z", before):
            continue
        if (
            found
            and found[-1].kind in ("condition", "exception")
            and kind in _TIMES
            and not found[-1].end < match.start()
        ):
            continue
        if found:
            found[-1] = _closed(text, found[-1], match.start())
        found.append(Adjunct(kind, match.start(), match.end(), trim(text, match.start(), hi, punctuation=True)[1]))
    return found


def _first_letter(text: str, lo: int, hi: int) -> int:
    while lo < hi and not text[lo].isalpha():
        lo += 1
    return lo


def _closed(text: str, adjunct: Adjunct, at: int) -> Adjunct:
    joint = re.search(r"[,\s]+(?:and|or|but)?\s*\Z", text[adjunct.head : at])
    end = adjunct.head + joint.start() if joint else at
    return Adjunct(adjunct.kind, adjunct.start, adjunct.head, trim(text, adjunct.start, end, punctuation=True)[1])
