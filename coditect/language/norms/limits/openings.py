"""How phrases begin that limit what a clause says: its conditions, exceptions and times."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from coditect.language.beginnings import quick
from coditect.language.tables import WordTable, read_table

__all__ = [
    "BARE",
    "BEHIND_TIMES",
    "IN_DOING",
    "NOTICE_GIVEN",
    "OF_KIND",
    "SHORT",
    "START",
    "TIED",
    "TIMES",
    "Adjunct",
    "AdjunctKind",
    "is_addressed",
    "is_empty_proviso",
    "is_inside",
    "kind_of",
    "may_begin",
]

AdjunctKind = Literal["condition", "exception", "deadline", "frequency", "duration", "start"]


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


_I = re.IGNORECASE
_WORDS, _CALENDAR, _NUMERALS = read_table("adjuncts"), read_table("time"), read_table("numbers")

_MOST_SPACE = 40
"""Characters of white space inside of a phrase, at most; so a long gap costs no more than a short one."""

_S = rf"\s{{1,{_MOST_SPACE}}}"
_MAYBE_SPACE = rf"\s{{0,{_MOST_SPACE}}}"


def _phrases(table: WordTable, entry: str) -> str:
    """An entry as one group, with bounded white space between the words of a phrase."""
    return f"(?:{table.pattern(entry, space=_S)})"


# Numbers and times: "[60] days", "twenty-one (21) Business Days", "at least three years".
_UNIT = rf"(?:{_phrases(_CALENDAR, 'kinds_of_days')}{_S}){{0,3}}{_phrases(_CALENDAR, 'units')}(?:['’]s?)?"
_IN_WORDS = "|".join(sorted(_NUMERALS.mapping("units"), key=len, reverse=True)) + r"|an?"
_TENS = "|".join(_NUMERALS.mapping("tens"))
_SCALES = "|".join(_NUMERALS.mapping("scales"))
_HUNDREDS = rf"(?:(?:{_IN_WORDS})[\s-](?:{_SCALES}){_S}(?:and{_S})?)?"
_NUMBER = rf"(?:\d[\d.,]{{0,20}}|\{{\{{[^{{}}]{{1,40}}\}}\}}|\[[^\[\]]{{1,40}}\]|{_HUNDREDS}(?:{_TENS})?-?(?:{_IN_WORDS}|{_TENS}))"
_COUNT = rf"{_NUMBER}(?:{_MAYBE_SPACE}\({_MAYBE_SPACE}[\w\[\]*-]{{1,40}}{_MAYBE_SPACE}\))?"
_BOUND = rf"(?:{_phrases(_WORDS, 'bounds')}{_S})?"
_PERIOD = rf"{_BOUND}{_COUNT}[\s-]{{1,{_MOST_SPACE}}}{_UNIT}"
_MONTHS = "|".join(name for names in _CALENDAR.groups("months") for name in names if len(name) > 3 or name == "may")
_DATE = (
    rf"(?:\d|(?:{_MONTHS}){_S}\d|{_phrases(_WORDS, 'points_in_time')}"
    rf"|the{_S}(?:\d|\w{{1,40}}{_S}{_phrases(_WORDS, 'periods_with_a_date')}|{_phrases(_WORDS, 'dates')}))"
)
_ADVERBS = "|".join(
    sorted((w for w in _CALENDAR.mapping("times_a_year") if w.endswith("ly")), key=lambda w: (-len(w), w))
)
_ASSIGNED = r"\[Assignment:[^\[\]]*"  # an organisation-defined value in NIST SP 800-53

_WITHOUT_DOING = (
    rf"without(?={_S}(?:first{_S}|\w{{1,20}}ly{_S})?(?!{_phrases(_WORDS, 'saving_participles')})[a-z]+ing\b)"
)
# "without a mask": forbidden unless; "without limitation", "without delay" leave nothing out.
_WITHOUT_ANY = (
    rf"without(?!{_S}(?:(?:any|undue|unreasonable|further|other){_S}){{0,2}}{_phrases(_WORDS, 'not_without')}\b)"
    rf"(?={_S}\w)"
)
# "without the landlord's consent", "without notice to the tenant": what would make it allowed.
_WITHOUT_LEAVE = (
    rf"without(?={_S}(?:(?!(?:and|or|of|to|with|except|unless|in|on|by|for|at|delay)\b|any{_S}(?:further|requirement))[\w.&’'-]{{1,40}}{_S}){{0,6}}?"
    rf"{_phrases(_WORDS, 'leave')}\b)"
)
# "with the approval of the Board", "with the clerk's prior consent": what makes it allowed.
_WITH_LEAVE = (
    rf"with(?={_S}(?:(?!(?:and|or|of|to|that|which)\b)[\w.&’'-]{{1,40}}{_S}){{0,5}}?{_phrases(_WORDS, 'leave')}"
    rf"(?:{_S}in{_S}writing)?(?:{_S}(?:of|from|and|or)\b|{_MAYBE_SPACE}[,;.)]|{_MAYBE_SPACE}\Z))"
)
_WITHIN = (
    rf"within(?={_MAYBE_SPACE}:|{_MAYBE_SPACE}\[Assignment:|{_S}{_PERIOD}"
    rf"|{_S}(?:such|the|an?){_S}(?:[\w-]{{1,40}}{_S}){{0,3}}{_phrases(_WORDS, 'spans_of_time')})"
)
_OF_PERIODS, _COUNTED_FROM = _phrases(_WORDS, "adjectives_of_periods"), _phrases(_WORDS, "counted_from")
_PERIOD_FROM = rf"{_PERIOD}(?:{_S}\([^()]{{1,200}}\))?(?:{_S}(?:in{_S})?{_OF_PERIODS}){{0,3}}{_S}{_COUNTED_FROM}\b"
# "on thirty (30) days' written notice": how, and so a condition.
_ON_NOTICE = (
    rf"(?:upon|on|by|with)(?={_S}(?:giving{_S})?(?:not{_S}less{_S}than{_S}|at{_S}least{_S})?"
    rf"{_COUNT}[\s-]{{1,{_MOST_SPACE}}}{_UNIT}{_S}(?:[\w’'-]{{1,40}}{_S}){{0,3}}notice\b)"
    rf"|(?:upon|on)(?={_S}(?:giving{_S})?(?:(?:prior|advance|written|reasonable|due|such)(?:,?{_S}|,{_S}and{_S})){{1,3}}notice\b)"
)
# "amended only by a written instrument", "left only by giving notice": how, and not by whom.
_ONLY_BY = (
    rf"only{_S}by(?={_S}(?:(?:an?|the|duly|mutual|prior|its|their){_S}){{0,3}}(?:[\w-]{{1,40}}{_S}){{0,2}}?"
    rf"(?:written|writing|instrument|agreement|amendment|notice|resolution|vote|order|means|mail|[a-z]{{2,}}ing)\b)"
)
_IN_ADVANCE = rf"{_PERIOD}{_S}(?:in{_S}advance|beforehand)\b"
_ON_ANY_OF = rf"on(?={_S}any{_S}of{_S}the{_S}(?:first|next){_S}{_COUNT}{_S}{_UNIT})"
_ON_THE_DAY = rf"on(?={_S}the{_S}{_phrases(_WORDS, 'days')}\b)"
_TIMES_PER = (
    rf"(?:once|twice|{_COUNT}{_S}times){_S}(?:a|an|per|each|every|in{_S}(?:any|each|every|a)){_S}(?:{_COUNT}{_S})?"
    rf"(?:{_phrases(_WORDS, 'kinds_of_years')}{_S})?{_UNIT}"
)
_EVERY = rf"(?:every|each){_S}(?:{_COUNT}{_S}|other{_S})?(?:(?:calendar|fiscal){_S})?{_UNIT}"
_JOINED = rf"(?:,?{_S}(?:and|or){_S}|,{_S})"
_DAY = rf"(?:(?:{_MONTHS}){_S}\d{{1,2}}|(?:the{_S})?\d{{1,2}}(?:st|nd|rd|th)?{_S}(?:of{_S})?(?:{_MONTHS}))"
_IN_EACH = rf"(?:of|in){_S}(?:each|every){_S}(?:(?:calendar|fiscal|financial){_S})?{_UNIT}"
_ON_SET_DAYS = (
    rf"on{_S}(?:the{_S})?(?:\w{{1,20}}{_S}){{1,3}}of{_S}(?:each|every){_S}(?:(?:calendar|fiscal){_S})?{_UNIT}"
    rf"|on{_S}{_DAY}(?:{_JOINED}{_DAY}){{0,11}}{_S}{_IN_EACH}"
)
# "at the end of each reporting period", "as at the end of March and June in each year": again and again, and no deadline.
_AT_SET_TIMES = (
    rf"at{_S}the{_S}(?:end|beginning|start|close|commencement){_S}of{_S}"
    rf"(?:(?:each|every)\b|(?:{_MONTHS})(?:{_JOINED}(?:{_MONTHS})){{0,11}}{_S}{_IN_EACH})"
)
_A_TERM = rf"(?:(?:a|an|the|such){_S})?(?:{_phrases(_WORDS, 'kinds_of_periods')}{_S})?(?:period|term|duration)\b"
_FOR_A_PERIOD = rf"for(?={_S}{_A_TERM}|{_S}{_PERIOD})"

# "following the procedures": not when, but how.
_NO_PREPOSITION = r"(?!of\b|by\b|in\b|to\b|for\b|from\b)"
_FOLLOWING = rf"following(?!{_S}(?:{_NO_PREPOSITION}[\w'’&/-]{{1,40}}{_S}){{0,6}}{_phrases(_WORDS, 'followed')}\b)"
_INVERTED = rf"(?-i:Should|Were|Had)(?={_S}(?:the|an?|any|all|each|either|such|its|their|it|they|you|we|[A-Z])\b)"
_INVERTED += (
    rf"|(?-i:should)(?={_S}(?:(?:it|they|he|she|we|you){_S}[a-z]{{2,}}|(?:the|an?|any|such|our|your|their|its){_S}))"
)

_KINDS: tuple[tuple[AdjunctKind, str], ...] = (
    ("exception", rf"{_phrases(_WORDS, 'exceptions')}|{_WITHOUT_DOING}|{_WITHOUT_LEAVE}|{_WITHOUT_ANY}"),
    (
        "deadline",
        rf"{_phrases(_WORDS, 'at_once')}|{_WITHIN}|by(?={_S}(?:approximately{_S}|about{_S})?{_DATE})|{_PERIOD_FROM}"
        rf"|{_IN_ADVANCE}|(?!{_ON_SET_DAYS}){_ON_THE_DAY}|{_ON_ANY_OF}"
        rf"|(?!{_AT_SET_TIMES}){_phrases(_WORDS, 'before_after')}|{_FOLLOWING}",
    ),
    (
        "frequency",
        rf"{_ASSIGNED}\bfrequency\]|{_BOUND}(?:{_phrases(_WORDS, 'repeatedly')}|(?:{_ADVERBS})|{_TIMES_PER}|{_EVERY})"
        rf"|{_ON_SET_DAYS}|(?:as{_S})?{_AT_SET_TIMES}",
    ),
    (
        "duration",
        rf"{_phrases(_WORDS, 'throughout')}|(?-i:whil(?:e|st))(?={_S}(?!\w{{1,20}}(?:ing|ed)\b)\w)|{_FOR_A_PERIOD}",
    ),
    ("start", rf"{_phrases(_WORDS, 'beginning')}|from(?={_S}{_DATE})"),
    (
        "condition",
        rf"{_phrases(_WORDS, 'provisos')}|{_phrases(_WORDS, 'conditions')}|{_INVERTED}|{_ON_NOTICE}|{_WITH_LEAVE}|{_ONLY_BY}",
    ),
)
START = quick(
    r"(?<![\w’'-])(?:" + "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS) + r")(?<![,.;])(?![\w-])", _I
)
"""The words that begin an adjunct; the group that matched is its kind."""

TIMES = frozenset(("deadline", "frequency", "duration", "start"))
"""The kinds that say when."""

BARE = re.compile(
    rf"(?:{_ASSIGNED}\]|{'|'.join(_phrases(_WORDS, name) for name in ('at_once', 'repeatedly', 'complete'))}|{_ADVERBS})\Z",
    _I,
)
"""A time that needs nothing behind it."""

BEHIND_TIMES = re.compile(rf"{_S}(?:to{_S}(?P<verb>[a-z-]+)|{_phrases(_WORDS, 'behind_times')})(?![\w-])", _I)
"""What stands behind a time and belongs to the act: a purpose ("to avoid a penalty"), a manner."""

TIED = re.compile(rf"{_MAYBE_SPACE}{_phrases(_WORDS, 'ties')}\s", _I)
"""What ties such a time to an event all the same."""

_WORD_BEFORE = re.compile(r"(?P<word>[\w’'-]+)(?:\(s\))?\s*\Z")
_MOST_BEFORE = 30
# "fees incurred after the hearing": a participle behind its noun has a time of its own; that of a passive has not.
_OF_A_NOUN = re.compile(
    r"(?<!\bnot)(?<!\band)(?<!\bor)(?<!\bbe)(?<!\bbeen)(?<!\bis)(?<!\bare)(?<!ly)(?<![,;:()])"
    r"(?<!\bremain)(?<!\bremains)(?<!\bkept)(?<!\bbecome)\s+[a-z]{3,}ed\s+(?:into\s+)?\Z"
)
# "information on when", "a place where", "the party from": behind such words it is no adjunct of the clause.
_NOT_BEHIND = frozenset(_WORDS.words("not_behind"))
_PLACE = frozenset(_WORDS.words("nouns_of_places"))
_AFTER_PLACE = ("where", "in which")
_EXAMPLE = re.compile(r"\b(?:such\s+as|including|whether|how)\b[^;:.]{0,120}\s(?:and|or)\s*\Z", _I)
_BETWEEN = re.compile(r"\bbetween\s+(?:when|where)\b[^;,]{0,160}\band\s*\Z", _I)
_SUBORDINATORS = ("when", "while", "before", "after", "if", "by", "without", "of")
OF_KIND = re.compile(
    r"\s+(?:(?:or|and|/)\s*(?:annual|yearly|quarterly|monthly|weekly|daily)\s+)?(?:fee|payment|instal?lment|invoice|charge|premium|salar|rate|budget|newsletter|(?:financial\s+)?(?:statement|return|accounts|report))",
    _I,
)
"""What a frequency may say of and not how often an act is due: "a monthly fee"."""

# "requirements imposed by the Rules upon a bank", "rely upon": what it falls on, and no event.
_FALLS = re.compile(rf"\b{_phrases(_WORDS, 'falling')}\b(?:\s+(?!(?:if|when|where)\b)[\w’'()-]+){{0,7}}\s+\Z", _I)
# "as it may be amended from time to time": inside of a clause that only describes.
_DESCRIBED = re.compile(
    rf"\b(?:as|that|which|who|whom)(?:\s+[\w’'()/-]+){{1,9}}\s+\Z|\b{_phrases(_WORDS, 'as_it_stands')}\s+\Z", _I
)
_ADDRESSED = re.compile(
    r"\s+(?:(?:the|an?|any|each|both|either|that|such|its)\s+)?(?:[A-Z][\w’'-]*\s+(?:of\s+)?){0,3}"
    rf"{_phrases(_WORDS, 'bodies_addressed')}\b"
    r"(?!\s+(?:is|are|has|have|was|were|may|shall|will|sits|meeting|hearing|makes?|decides?)\b)",
    _I,
)
_OF_WHICH = re.compile(r"\s+(?:which|whom)\b(?!\s+case\b)")
_SENTENCED = re.compile(r"\b(?:imprisonment|imprisoned|detention|detained)\s+\Z", _I)
_OWN_SPAN = re.compile(rf"\b{_phrases(_WORDS, 'spans_that_begin')}\s+\Z", _I)
_SUCH = re.compile(r"\s+such\s+(?:terms|conditions)\b", _I)
_NO_COMPANION = re.compile(rf"\b{_phrases(_WORDS, 'not_before_with')}\s+\Z", _I)
# "provide the buyer with ten days' notice": what is given, and no condition.
_GIVEN = re.compile(r"\b(?:provid|furnish|serv|suppl|present)(?:e|es|ed|ing|y|ies|ied|ying)?\s+[^,;]{2,80}\s+\Z", _I)
_IN_SOME_ACT = re.compile(r"in\s+[a-z]+ing")
_OF_NOUN_BEFORE = re.compile(r"[\w’'-](?<!ed)(?<!\bpaid)(?<!\bmade)(?<!\bgiven)(?<!\bdue)\s+\Z")
_JOINED_BEFORE = re.compile(r"\b(?:and|or)\s+\Z")
_VERB_ALONE = re.compile(r"\s*[A-Za-z-]+\s+")
_RELATIVES = ("who", "which", "that")
_NAME = re.compile(r"[A-Z][a-z]+")
_NAME_BEFORE = re.compile(r"[A-Z][\w’'-]*\s+\Z")
_AT_HAND = re.compile(r"\s+(?:available|adjacent|preceding)\b", _I)
_AFTER_COMMA = ("other than", "excluding")
# "to anyone other than the clerk", "for any purpose whatsoever other than": what is left out of all.
_OF_ALL = re.compile(
    rf"\b{_phrases(_WORDS, 'words_for_all')}\b(?:\s+(?!(?:and|or|that|which|who)\b)[\w'’-]+){{0,5}}\s*\Z", _I
)
SHORT = re.compile(
    rf"(?:as{_S}and{_S}when|as|if|where|when|whenever|wherever){_S}(?:{_phrases(_WORDS, 'adjectives_of_conditions')}\b"
    rf"(?!{_S}(?:by|under|pursuant|for|of)\b)"
    rf"|(?:{_phrases(_WORDS, 'participles_of_conditions')}|(?:so{_S})?[a-z]{{3,20}}ed)"
    rf"(?={_MAYBE_SPACE}(?:[,;.)]|\Z|(?:and|or){_S})))",
    _I,
)
"""A whole condition in two words: "where possible" says when; "if any" says nothing that could be left undone."""

_EMPTY = re.compile(
    rf"if{_S}any(?={_MAYBE_SPACE}(?:[,;.)\]]|\Z|(?:and|or|unless|in|for|to)\b))|(?:where|as){_S}any\b"
    rf"|(?:if|where|as){_S}applicable\b|(?:if|where){_S}not\b(?!{_S}(?:[a-z]{{3,20}}(?:ed|wn)|met|made|paid|given|taken|held|sent|done|already)\b)",
    _I,
)
IN_DOING = re.compile(
    rf"in{_S}(?:(?!{_phrases(_WORDS, 'not_behind_in')}\b)(?:[a-z]+ing\b|relation{_S}to\b)|order{_S}(?:to|for|that)\b)"
    rf"|(?-i:To)(?={_S}{_phrases(_WORDS, 'limiting_purposes')}\b)",
    _I,
)
"""A condition that begins a sentence: "In assessing a claim"."""

NOTICE_GIVEN = re.compile(
    rf"\b(?:give|provide|serve|send)s?\b[^,;]{{0,90}}?\s(?P<time>(?:{_PERIOD}(?:{_S}(?:prior|advance|written|business))+"
    rf"|(?:immediate|prompt|reasonable{_S}(?:prior|advance))(?:{_S}written)?)"
    rf"{_S}(?:\w{{1,20}}{_S})?(?:notice|notification))\b"
    rf"|\btake{_S}(?:\w{{1,20}}{_S}){{0,3}}?(?P<at_once>immediate|prompt){_S}(?:\w{{1,20}}{_S})?(?:action|steps|measures)\b",
    _I,
)
"""A deadline inside of what is done: "give thirty days' prior notice", "take immediate action"."""

_PROVISO = re.compile(r"provided(?!,?\s+(?:that|however|further|always))", _I)
_PROVISO_BEHIND = re.compile(rf"{_S}{_phrases(_WORDS, 'behind_provisos')}\b", _I)


def kind_of(match: re.Match[str]) -> AdjunctKind:
    """What a phrase limits that begins with a match of :data:`START`."""
    return cast("AdjunctKind", match.lastgroup)


def may_begin(text: str, lo: int, match: re.Match[str]) -> bool:
    """Whether the words before a possible adjunct let it be one.

    Args:
        text: the text.
        lo: where the predicate begins.
        match: of :data:`START`.
    """
    words = match[0].lower()
    if is_empty_proviso(text, match):
        return False
    if _EMPTY.match(text, match.start()):
        return False
    if words == "unless":
        return True
    if is_addressed(text, match):
        return False
    if _OF_WHICH.match(text, match.end()):
        return False  # "a date on or before which it is due"
    if words.split()[0] == "for" and _SENTENCED.search(text, lo, match.start()):
        return False  # "imprisonment for a term"
    if words in _AFTER_COMMA:
        of_all = words == "other than" and _OF_ALL.search(text, lo, match.start())
        return bool(of_all) or text[lo : match.start()].rstrip().endswith((",", "("))
    if _PROVISO.match(words):
        return text[lo : match.start()].rstrip().endswith(",") and _PROVISO_BEHIND.match(text, match.end()) is not None
    if words.startswith("for ") and kind_of(match) == "condition" and _JOINED_BEFORE.search(text, lo, match.start()):
        return False  # "on his own initiative or for good cause"
    if _IN_SOME_ACT.fullmatch(words) and _VERB_ALONE.fullmatch(text, lo, match.start()):
        return False  # "participate in making recommendations"
    before = _WORD_BEFORE.search(text, max(lo, match.start() - _MOST_BEFORE), match.start())
    if before is None:
        return True
    if (kind_of(match) in TIMES or words.startswith(("in ", "other than "))) and _OF_A_NOUN.search(
        text, lo, match.start()
    ):
        return False
    if kind_of(match) == "frequency" and before["word"].lower() == "for":
        return False  # "an audit for each year in which it trades"
    if kind_of(match) == "condition" and _EXAMPLE.search(text, lo, match.start()):
        return False  # "such as how you move or if you click"
    if _AT_HAND.match(text, match.end()) and words == "immediately":
        return False  # "in immediately available funds"
    if kind_of(match) == "frequency" and OF_KIND.match(text, match.end()):
        return False  # "the full monthly or annual fee"
    if words == "upon" and _FALLS.search(text, lo, match.start()):
        return False
    if words == "upon" and _SUCH.match(text, match.end()) and not text[lo : match.start()].rstrip().endswith(","):
        return False
    if kind_of(match) == "start" and _OWN_SPAN.search(text, lo, match.start()):
        return False  # "the year beginning on"
    if words == "with" and (_NO_COMPANION.search(text, lo, match.start()) or _GIVEN.search(text, lo, match.start())):
        return False
    if kind_of(match) == "condition" and before["word"].lower() in ("which", "who"):
        return False  # "a note which when sold gives a right"
    if words == "at any time" and before["word"].lower() in _RELATIVES:
        return False  # "anybody who at any time is found"
    if words == "from time to time" and _DESCRIBED.search(text, lo, match.start()):
        return False
    if words.startswith("on such") and not text[lo : match.start()].rstrip().endswith((",", " and")):
        return False
    if _NAME.match(text, match.start()) and _NAME_BEFORE.search(text, lo, match.start()):
        return False  # "Countries Subject to a Call for Action"
    if words.startswith("in respect of") and _OF_NOUN_BEFORE.search(text, lo, match.start()):
        return False  # "information in respect of any risk"
    if _BETWEEN.search(text, lo, match.start()):
        return False  # "the time between when it asks and when it is told"
    if words in _AFTER_PLACE and before["word"].lower() in _PLACE:
        return False
    word = before["word"].lower()
    if kind_of(match) == "start" and word in _SUBORDINATORS and words.startswith(("start", "beginn", "commenc")):
        return False  # "when starting to work"
    if word == "be" and kind_of(match) in TIMES and words.endswith("ly"):
        return True  # "shall be promptly told"
    return word not in _NOT_BEHIND


def is_addressed(text: str, match: re.Match[str]) -> bool:
    """Whether "before" says in front of whom: "laid before Parliament"."""
    return match[0].lower() == "before" and _ADDRESSED.match(text, match.end()) is not None


def is_empty_proviso(text: str, match: re.Match[str]) -> bool:
    """Whether "provided" is a participle where it stands, and begins no clause: "provided by the bank"."""
    return _PROVISO.match(match[0]) is not None and _PROVISO_BEHIND.match(text, match.end()) is None


def is_inside(text: str, lo: int, at: int) -> bool:
    """Whether a place lies in brackets or quotation marks that opened behind ``lo``."""
    return any(text.count(opens, lo, at) > text.count(closes, lo, at) for opens, closes in ("()", "[]", "“”", "{}"))
