"""How long an agreement runs: for a length of time, until a day, until an event, or until somebody ends it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from coditect.documents.profile.agreements.facts import (
    BLANK,
    ENDING_BY_ITSELF,
    OTHERS,
    RECITAL,
    SELF,
    AgreementFact,
    Length,
    days_in,
    lengths_in,
    words_pattern,
)
from coditect.language.tables import read_table

__all__ = ["read_term"]

_TABLE = read_table("agreements")
_I = re.IGNORECASE
_TIMES, _VERBS = _TABLE.pattern("times"), f"{_TABLE.pattern('running')}|{_TABLE.pattern('ending')}"
_OWN = rf"(?:\s+(?:of|for|under)\s+(?:{SELF}|the\s+parties’?)|\s+hereof|\s+hereunder)?"
_ASIDE = rf"(?:\s*\([^()]{{0,80}}\)|\s*[“\"](?:the\s+)?(?:\w+\s+)?(?:{_TIMES}|{_TABLE.pattern('kinds')})[”\"])?"
_TH = {word: int(value) for word, value in _TABLE.mapping("anniversaries").items()}
_ORDINALS = "|".join(sorted(_TH, key=lambda each: (-len(each), each)))
_DUTIES = r"(?:[\w’' ]{0,40}\b(?:rights\s+and\s+)?obligations\s+(?:under\s+)?)"
_FROM = re.compile(
    r"\b(?:effective|commenc\w*|begin\w*|dated|made|entered\s+into|starts?|starting|from|executed|takes?\s+effect"
    r"|(?:comes?|enters?)\s+into\s+(?:force|effect))"
    r"(?:\s+(?:on|as|of|date|from|the|be|is|and|at|hereof|this|day|effective))*[\s:,]*$",
    re.IGNORECASE,
)
_BEGIN = r"(?:^\W*|(?<=[\d.;:,)”\"–—-])\s+|\b(?:that|and|agree)\s+)"

_NAMED = rf"[“\"‘']?(?:{_TIMES})[”\"’']?"
_KIND = r"(?:initial|original|primary|basic|fixed|contract|current|minimum|full|total|entire|first)"
_SUBJECT = re.compile(
    rf"{_BEGIN}(?:(?:{_DUTIES})?{SELF}|{_DUTIES}hereunder|[\w’' ]{{0,40}}\b(?:appointment|engagement|employment)(?:\s+hereunder)?"
    rf"|(?:(?:the|its|this|said|an?)\s+)?[“\"‘']?(?:{_KIND}\s+)?{_NAMED}{_ASIDE}{_OWN})(?![\w-]){_ASIDE}"
    r"(?:,?\s+and\s+(?:the\s+|any\s+)?[^.;]{3,80}?)??"
    r"(?P<between>(?:,[^.;]{3,160}?,)?\s*(?:(?:shall|will|is|are|to|hereby|also|only|further|must|would)\b[\s,]*){0,3}"
    r"(?:,?\s*(?:unless|subject|except|if)[^.;]{3,160}?,\s*)?)"
    rf"\b(?P<verb>{_VERBS}|means?)\b",
    _I,
)
"""An agreement, what is owed under it, or its term, as the subject of a verb of running or ending, or defined."""

_FOR = re.compile(
    rf"\b(?:for|have|has|having|be|is|a)\s+(?:an?\s+|the\s+)?(?:[\w,-]+\s+){{0,4}}?(?:{_TIMES}){_ASIDE}\s+(?:of|for)\s+"
    rf"|\b(?:initial|fixed|primary)\s+(?:term|period|duration){_ASIDE}\s+(?:of|is|shall\s+be|will\s+be)\s+",
    _I,
)
"""A length of time called a term."""

_OF_ANOTHER = re.compile(rf"(?!{SELF})(?:the|such|each|any)\s+(?-i:\w*[A-Z])", _I)
"""Whose term it is, where that is something else that has a name: "the initial term of the Research Program"."""

_LABEL = re.compile(
    rf"^\W*(?:(?:initial\s+)?(?:{_TIMES})|{_TABLE.pattern('ends')})\s*(?:of\s+{SELF}\s*)?[:.|–—-]+\s*", _I
)
_HEADING = re.compile(r"\b(?:term(?!s)|duration|expir|commencement|effective\s+date|effectiveness|validity)", _I)
_BEGINNING = re.compile(r"^\W*(?:[A-Z][\w ]{0,30}[.:]\s+)?(?:from|commenc|effective|begin|for\s|starting|$)", _I)
_STARTING = re.compile(
    r"\b(?:commenc|begin|effective|in\s+(?:full\s+)?(?:force|effect)|initial|unless\s+(?:sooner|earlier|otherwise)|hereof)",
    _I,
)

_LEAVE = re.compile(r"\b(?:may|can|right\s+to|entitled\s+to|option\s+to|not|reason)\b[^,;]{0,40}$", _I)
_SECOND = re.compile(
    r"^\W*(?:[\d.]+\s+)?(?:\([a-z]\)\s+)?"
    r"(?:thereafter|if|in\s+the\s+event|upon|after|following|where|when|should|during|throughout|notwithstanding)\b",
    _I,
)
_RENEWED = re.compile(r"\brenew|\bextended\b|\bextending\b|\bextension|\badditional\b", _I)
_CUT = re.compile(
    rf"\b(?:thereafter|renew\w*|(?!{ENDING_BY_ITSELF})automatically|tacitly|successive|provided,?\s+(?:however|that)|extended)\b",
    _I,
)
_NOTICE = re.compile(r"^['’]?s?['’]?\s*(?:\w+\s+){0,2}?(?:notice|prior|before|in\s+advance|advance)\b", _I)
_AFTERWARDS = re.compile(
    r"['’]?\s*(?:period\s+)?(?:after|following|from|beyond)\s+(?:the\s+)?(?:effective\s+date\s+of\s+)?(?:\w+\s+or\s+)?"
    r"(?:terminat|expir|completion|release|end\b|date\s+(?:of|on\s+which)\s+(?:its\s+|the\s+)?(?:terminat|expir))",
    _I,
)
_BESIDES = re.compile(r"\band\s+(?:for\s+)?(?:a\s+(?:further\s+)?period\s+of\s+)?$", _I)
_UNTIL = re.compile(
    r"\b(?:until|through|thru|to|ending|ends?|terminat\w*|expir\w*|conclud\w*|laps\w*|ceas\w*)\b"
    r"(?:[\s,:]+(?:on|at|and|including|midnight|of|the|\w+day|close|business|in|upon|with|effective|as|up|date"
    r"|automatically|without|any|further|prior|notice))*[\s,:]*$",
    _I,
)
_OPEN = words_pattern("open_ended")
_ANNIVERSARY = re.compile(rf"\b(?P<n>{_ORDINALS})\s*(?:\(\s*\w+\s*\)\s*)?(?:year\s+)?anniversary", _I)
_EVENT = re.compile(
    rf"\b(?:(?:{_TABLE.pattern('ending')})\b[^.;]{{0,30}}?\b(?:upon|on|at|with|when|until|as\s+of)|until|through"
    r"|for(?=\s+the\s+(?-i:[A-Z][\w-]+\s+){1,4}(?:Period|Term)))\s+"
    r"(?P<event>(?!terminated|cancel|either|such\s+time|it\s+is|sooner|earlier\s+terminated)(?:[^.;]|\.(?=\d)){6,180})",
    _I,
)
_ENDLESS = re.compile(r"\b(?:indefinite(?:ly)?|unlimited|perpetual(?:ly)?)\b", _I)
_AT_LEAST = re.compile(r"\b(?:at\s+least|minimum|not\s+less|initial|fixed|until|but)\b", _I)
_BORDER = re.compile(r"\b(?:end|close|last\s+day|first\s+day|beginning|start)\s+of\s+(?:(?:the|each|any)\s+)?$", _I)
"""In front of a length that is none: "to the end of a month"."""
_BLANK = re.compile(r"\[\s*(?:\*\s*)+\]|(?:\*\s*){2,}|\[\s*[•●._…]+\s*\]|_{3,}|\[\s*\]|\bof\s+\*(?=\s+years)")

OPEN = "until ended"

_LEAST = 3
"""How directly it has to be said."""

_NEAR, _FAR = 60, 400
"""Code points around a length or a day that say what it is of; behind a verb in which the event may stand that ends it."""

_SINCE = re.compile(
    r"\W*(?:period\s+)?(?:from|after|following|as\s+of|(?:commencing|beginning|starting)(?:\s+(?:on|upon|from|with|as\s+of))?)\s+"
    r"(?:and\s+after\s+)?(?:the\s+)?(?P<since>[^,.;()“\"]{3,80})",
    _I,
)


def read_term(text: str, heading: str) -> Iterator[AgreementFact]:
    """How long the agreement runs, as a sentence says it; at most one reading.

    Args:
        text: the sentence.
        heading: what it stands under; "" for nothing.
    """
    if RECITAL.match(text):
        return
    titled = _HEADING.search(heading) is not None
    late = 2 * (_SECOND.match(text) is not None)
    found = []
    for begin, direct in _cues(text, titled):
        value = _value(text, begin)
        if value is not None and not OTHERS.search(text, 0, value.end):
            first = _STARTING.search(text, 0, value.start) is not None
            further = 2 * (_RENEWED.search(text, 0, value.start) is not None)
            found.append(replace(value, weight=direct + value.weight + titled + first - late - further))
    best = max(found, key=lambda each: each.weight, default=None)
    if best is not None and best.weight >= _LEAST:
        yield replace(best, since=_since(text, best), starts=_starts(text))


def _since(text: str, found: AgreementFact) -> str:
    """What a length is counted from, as printed; "" of anything else."""
    since = _SINCE.match(text, found.end) if found.length is not None else None
    return " ".join(since["since"].split()) if since else ""


def _starts(text: str) -> str:
    """The day on which a sentence says that the agreement begins."""
    days = days_in(text, 0, len(text))
    return next((iso for iso, start, _ in days if _FROM.search(text[max(0, start - _NEAR) : start])), "")


def _cues(text: str, titled: bool) -> Iterator[tuple[int, int]]:
    """(where to read on, how directly it is said) of each place that may say how long the agreement runs."""
    if label := _LABEL.match(text):
        yield label.end(), 2
    for subject in _SUBJECT.finditer(text):
        if _LEAVE.search(subject["between"]) is None:
            yield subject.start("verb"), 2
    if re.search(SELF, text, _I) or titled:
        for found in _FOR.finditer(text):
            if _OF_ANOTHER.match(text, found.end()) is None:
                yield found.end(), 1
    if titled and _BEGINNING.match(text):
        yield 0, 0


def _value(text: str, begin: int) -> AgreementFact | None:
    """What a cue is followed by: a day, a length of time, a blank, an event, an open end; in this order."""
    cut = _CUT.search(text, begin)
    end = cut.start() if cut else len(text)
    for iso, start, stop in days_in(text, begin, end):
        before = text[max(begin, start - _NEAR) : start]
        if (_UNTIL.search(before) or not before.strip()) and not _FROM.search(before):
            return AgreementFact("term", iso, start, stop, weight=2)
    endless = _ENDLESS.search(text, begin, end)
    for length in lengths_in(text, begin, end):
        if (
            endless is not None
            and endless.end() < length.start
            and not _AT_LEAST.search(text, endless.end(), length.start)
        ):
            break
        if not _is_other(text, length):
            return AgreementFact("term", "", length.start, length.end, length, weight=2)
    if found := _ANNIVERSARY.search(text, begin, end):
        length = Length(float(_TH[found["n"].casefold()]), "year", found.start(), found.end())
        return AgreementFact("term", "", found.start(), found.end(), length, weight=2)
    blank = _BLANK.search(text, begin, end)
    if blank is not None and not _NOTICE.match(text[blank.end() : blank.end() + _NEAR]):
        return AgreementFact("term", BLANK, blank.start(), blank.end(), weight=1)
    event = _EVENT.search(text, begin, begin + _FAR)
    if event is not None:
        return AgreementFact("term", " ".join(event["event"].split()), *event.span("event"), weight=1)
    if (open_ended := _OPEN.search(text, begin)) is not None:
        return AgreementFact("term", OPEN, open_ended.start(), open_ended.end(), weight=1)
    return None


def _is_other(text: str, length: Length) -> bool:
    """Whether a length of time is one of notice, or of something that goes on when the agreement is over."""
    return (
        _NOTICE.match(text[length.end : length.end + _NEAR]) is not None
        or _AFTERWARDS.match(text, length.end) is not None
        or _BESIDES.search(text, 0, length.start) is not None
        or _BORDER.search(text, max(0, length.start - _NEAR), length.start) is not None
    )
