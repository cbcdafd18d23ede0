"""How phrases begin that limit what a clause says: its conditions, exceptions and times."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from coditect.language.norms.limits.days import (
    AT_SET_TIMES,
    MONTHS,
    ON_SET_DAYS,
    ON_WEEKDAYS,
    decides_whether,
    is_rest_of_limit,
)
from coditect.language.norms.limits.periods import (
    BOUND,
    COUNT,
    INTERVAL,
    MAYBE_SPACE,
    MOST_SPACE,
    PERIOD,
    PERIOD_FROM,
    SPACE,
    UNIT,
    phrases,
)
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = [
    "BARE",
    "BEHIND_TIMES",
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
_WORDS, _CALENDAR = read_table("adjuncts"), read_table("time")

_DATE = (
    rf"(?:\d|(?:{MONTHS}){SPACE}\d|{phrases(_WORDS, 'points_in_time')}"
    rf"|the{SPACE}(?:\d|\w{{1,40}}{SPACE}(?:(?:working|business|calendar){SPACE})?{phrases(_WORDS, 'periods_with_a_date')}"
    rf"|{phrases(_WORDS, 'dates')}))"
)
_ADVERBS = "|".join(
    sorted((w for w in _CALENDAR.mapping("times_a_year") if w.endswith("ly")), key=lambda w: (-len(w), w))
)
_ASSIGNED = r"\[Assignment:[^\[\]]*"  # an organisation-defined value in NIST SP 800-53

_WITHOUT_DOING = (
    rf"without(?={SPACE}(?:first{SPACE}|\w{{1,20}}ly{SPACE})?(?!{phrases(_WORDS, 'saving_participles')})[a-z]+ing\b)"
)
# "without a mask": forbidden unless; "without limitation", "without delay" leave nothing out.
_WITHOUT_ANY = (
    rf"without(?!{SPACE}(?:(?:any|undue|unreasonable|further|other){SPACE}){{0,2}}{phrases(_WORDS, 'not_without')}\b)"
    rf"(?={SPACE}\w)"
)
# "without the landlord's consent", "without notice to the tenant": what would make it allowed.
_WITHOUT_LEAVE = (
    rf"without(?={SPACE}(?:(?!(?:and|or|of|to|with|except|unless|in|on|by|for|at|delay)\b|any{SPACE}(?:further|requirement))[\w.&’'-]{{1,40}}{SPACE}){{0,6}}?"
    rf"{phrases(_WORDS, 'leave')}\b)"
)
# "with the approval of the Board", "with the clerk's prior consent": what makes it allowed.
_WITH_LEAVE = (
    rf"with(?={SPACE}(?:(?!(?:and|or|of|to|that|which)\b)[\w.&’'-]{{1,40}}{SPACE}){{0,5}}?{phrases(_WORDS, 'leave')}"
    rf"(?:{SPACE}in{SPACE}writing)?(?:{SPACE}(?:of|from|and|or)\b|{MAYBE_SPACE}[,;.)]|{MAYBE_SPACE}\Z))"
)
_WITHIN = (
    rf"within(?={MAYBE_SPACE}:|{MAYBE_SPACE}\[Assignment:|{SPACE}{PERIOD}|{SPACE}the{SPACE}first{SPACE}{COUNT}{SPACE}{UNIT}"
    rf"|{SPACE}(?:such|the|an?|said|that|this){SPACE}(?:[\w()-]{{1,40}}{SPACE}){{0,4}}{phrases(_WORDS, 'spans_of_time')})"
)
# "at the Buyer's request": what makes it due.
_AT_REQUEST = (
    rf"(?:at|on)(?={SPACE}(?:(?:the|an?|any|such|each){SPACE})?(?:its|their|his|her|our|your|my|(?:[\w.&-]{{1,40}}{SPACE}){{0,3}}[\w.&-]{{1,40}}(?:['’]s|s['’])){SPACE}"
    rf"(?:(?:reasonable|written|prior|first|express){SPACE}){{0,2}}(?:request|demand|direction|instruction)s?\b)"
)
# "on thirty (30) days' written notice": how, and so a condition.
_ON_NOTICE = (
    rf"(?:upon|on|by|with)(?={SPACE}(?:giving{SPACE})?(?:not{SPACE}less{SPACE}than{SPACE}|at{SPACE}least{SPACE})?"
    rf"{COUNT}[\s-]{{1,{MOST_SPACE}}}{UNIT}{SPACE}(?:[\w’'-]{{1,40}}{SPACE}){{0,3}}notice\b)"
    rf"|(?:upon|on)(?={SPACE}(?:giving{SPACE})?(?:(?:prior|advance|written|reasonable|due|such)(?:,?{SPACE}|,{SPACE}and{SPACE})){{1,3}}notice\b)"
)
# "amended only by a written instrument", "left only by giving notice": how, and not by whom.
_ONLY_BY = (
    rf"only{SPACE}by(?={SPACE}(?:(?:an?|the|duly|mutual|prior|its|their){SPACE}){{0,3}}(?:[\w-]{{1,40}}{SPACE}){{0,2}}?"
    rf"(?:written|writing|instrument|agreement|amendment|notice|resolution|vote|order|means|mail|[a-z]{{2,}}ing)\b)"
)
_IN_ADVANCE = rf"{PERIOD}{SPACE}(?:in{SPACE}advance|beforehand)\b"
_ON_ANY_OF = rf"on(?={SPACE}any{SPACE}of{SPACE}the{SPACE}(?:first|next){SPACE}{COUNT}{SPACE}{UNIT})"
_ON_THE_DAY = rf"on(?={SPACE}the{SPACE}(?:{phrases(_WORDS, 'days')}|(?-i:(?:[A-Z][\w-]{{1,30}}{SPACE}){{1,4}}Date))\b)"
_AT_EVENT = (
    rf"at(?={SPACE}(?:(?:the|such|each){SPACE})?{phrases(_WORDS, 'events_at')}\b"
    rf"|{SPACE}(?:first|initial){SPACE}(?!(?:instance|glance|sight|hand|level|stage|degree)\b)\w)"
)
_TIMES_PER = (
    rf"(?:once|twice|{COUNT}{SPACE}times){SPACE}(?:a|an|per|each|every|(?:in|during){SPACE}(?:any|each|every|a)){SPACE}(?:{COUNT}{SPACE})?"
    rf"(?:{phrases(_WORDS, 'kinds_of_years')}{SPACE})?{UNIT}"
)
_AT_INTERVALS = rf"{INTERVAL}|(?:once|twice|{COUNT}{SPACE}times){SPACE}(?:{_ADVERBS})"
# "For each financial year, the clerk must": how often; elsewhere it says for what.
_FOR_EACH = rf"(?-i:For){SPACE}(?:each|every){SPACE}(?:(?:calendar|fiscal|financial|contract){SPACE})?(?:week|month|quarter|year)\b"
_EVERY = (
    rf"(?:in{SPACE}(?=each))?(?:every|each){SPACE}(?:{COUNT}{SPACE}|other{SPACE})?(?:(?:calendar|fiscal){SPACE})?{UNIT}"
    rf"|{ON_WEEKDAYS}"
)
_OFTEN = rf"{BOUND}(?:{phrases(_WORDS, 'repeatedly')}|{_AT_INTERVALS}|(?:{_ADVERBS})|{_TIMES_PER}|{_EVERY}|{_FOR_EACH})"
_A_TERM = rf"(?:(?:a|an|the|such){SPACE})?(?:{phrases(_WORDS, 'kinds_of_periods')}{SPACE})?(?:period|term|duration)\b"
# "held no longer than 5 days": how long, where no "for" stands in front.
_NO_LONGER_THAN = rf"(?:no|not){SPACE}longer{SPACE}than(?={SPACE}{COUNT}[\s-]{{1,{MOST_SPACE}}}{UNIT})"
_FOR_A_PERIOD = rf"for(?={SPACE}{_A_TERM}|{SPACE}{PERIOD})"

# "following the procedures": not when, but how.
_NO_PREPOSITION = r"(?!of\b|by\b|in\b|to\b|for\b|from\b)"
_FOLLOWING = rf"following(?!{SPACE}(?:{_NO_PREPOSITION}[\w'’&/-]{{1,40}}{SPACE}){{0,6}}{phrases(_WORDS, 'followed')}\b)"
_INVERTED = rf"(?-i:Should|Were|Had)(?={SPACE}(?:the|an?|any|all|each|either|such|its|their|it|they|you|we|[A-Z])\b)"
_INVERTED += (
    rf"|(?-i:should)(?={SPACE}(?:(?:it|they|he|she|we|you){SPACE}[a-z]{{2,}}"
    rf"|(?:the|an?|any|such|our|your|their|its){SPACE}))"
)

_KINDS: tuple[tuple[AdjunctKind, str], ...] = (
    ("exception", rf"{phrases(_WORDS, 'exceptions')}|{_WITHOUT_DOING}|{_WITHOUT_LEAVE}|{_WITHOUT_ANY}"),
    (
        "deadline",
        rf"{phrases(_WORDS, 'at_once')}|{_WITHIN}|by(?={SPACE}(?:approximately{SPACE}|about{SPACE})?{_DATE})|{PERIOD_FROM}"
        rf"|{_IN_ADVANCE}|{_AT_EVENT}|(?!{ON_SET_DAYS}){_ON_THE_DAY}|{_ON_ANY_OF}"
        rf"|(?!{AT_SET_TIMES}){phrases(_WORDS, 'before_after')}|{_FOLLOWING}",
    ),
    (
        "frequency",
        rf"{_ASSIGNED}\bfrequency\]|{_OFTEN}|{ON_SET_DAYS}|(?:as{SPACE})?{AT_SET_TIMES}",
    ),
    (
        "duration",
        rf"{phrases(_WORDS, 'throughout')}|(?-i:whil(?:e|st))(?={SPACE}(?!\w{{1,20}}(?:ing|ed)\b)\w)"
        rf"|{_FOR_A_PERIOD}|{_NO_LONGER_THAN}",
    ),
    ("start", rf"{phrases(_WORDS, 'beginning')}|from(?={SPACE}{_DATE})"),
    (
        "condition",
        rf"{phrases(_WORDS, 'provisos')}|{phrases(_WORDS, 'conditions')}|{_INVERTED}"
        rf"|{_ON_NOTICE}|{_AT_REQUEST}|{_WITH_LEAVE}|{_ONLY_BY}",
    ),
)
START = quick(
    r"(?<![\w’'-])(?:" + "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS) + r")(?<![,.;])(?![\w-])",
    _I,
    (PERIOD_FROM, _IN_ADVANCE, _OFTEN),
)
"""The words that begin an adjunct; the group that matched is its kind."""

TIMES = frozenset(("deadline", "frequency", "duration", "start"))
"""The kinds that say when."""

BARE = deferred(
    rf"(?:{_ASSIGNED}\]|{'|'.join(phrases(_WORDS, name) for name in ('at_once', 'repeatedly', 'complete'))}|{_ADVERBS})\Z",
    _I,
)
"""A time that needs nothing behind it."""

BEHIND_TIMES = deferred(rf"{SPACE}(?:to{SPACE}(?P<verb>[a-z-]+)|{phrases(_WORDS, 'behind_times')})(?![\w-])", _I)
"""What stands behind a time and belongs to the act: a purpose ("to avoid a penalty"), a manner."""

TIED = deferred(rf"{MAYBE_SPACE}{phrases(_WORDS, 'ties')}\s", _I)
"""What ties such a time to an event all the same."""

_WORD_BEFORE = deferred(r"(?P<word>[\w’'-]+)(?:\(s\))?\s*\Z")
_MOST_BEFORE = 30
# "fees incurred after the hearing": a participle behind its noun has a time of its own; that of a passive has not.
_OF_A_NOUN = deferred(
    r"(?<!\bnot)(?<!\band)(?<!\bor)(?<!\bbe)(?<!\bbeen)(?<!\bis)(?<!\bare)(?<!ly)(?<![,;:()])"
    r"(?<!\bremain)(?<!\bremains)(?<!\bkept)(?<!\bbecome)\s+[a-z]{3,}ed\s+(?:into\s+)?\Z"
)
# "information on when", "a place where", "the party from": behind such words it is no adjunct of the clause.
_NOT_BEHIND, _QUESTIONING, _PLACE, _NOT_OFTEN = (
    frozenset(_WORDS.words(each))
    for each in ("not_behind", "verbs_of_questions", "nouns_of_places", "not_before_frequencies")
)
_AFTER_PLACE, _AFTER_COMMA = ("where", "in which"), ("other than", "excluding")
_EXAMPLE = deferred(r"\b(?:such\s+as|including|whether|how)\b[^;:.]{0,120}\s(?:and|or)\s*\Z", _I)
_BETWEEN = deferred(r"\bbetween\s+(?:when|where)\b[^;,]{0,160}\band\s*\Z", _I)
_SUBORDINATORS = ("when", "while", "before", "after", "if", "by", "without", "of")
OF_KIND = deferred(
    r"\s+(?:(?:or|and|/)\s*(?:annual|yearly|quarterly|monthly|weekly|daily)\s+)?(?:fee|payment|instal?lment|invoice|charge|premium|salar|rate|mean|average|limit|maximum|minimum|value|budget|newsletter|(?:financial\s+)?(?:statement|return|accounts|report))",
    _I,
)
"""What a frequency may say of and not how often an act is due: "a monthly fee"."""

# "requirements imposed by the Rules upon a bank", "rely upon": what it falls on, and no event.
_FALLS = deferred(rf"\b{phrases(_WORDS, 'falling')}\b(?:\s+(?!(?:if|when|where)\b)[\w’'()-]+){{0,7}}\s+\Z", _I)
# "as it may be amended from time to time": inside of a clause that only describes.
_DESCRIBED = deferred(
    rf"\b(?:as|that|which|who|whom)(?:\s+[\w’'()/-]+){{1,9}}\s+\Z|\b{phrases(_WORDS, 'as_it_stands')}\s+\Z", _I
)
# "the policies issued by the Authority from time to time": how they stand.
_BY_SOMEBODY = deferred(
    r"(?<!\bbe)(?<!\bbeen)(?<!\band)(?<!\bor)(?<!ly)\s+(?:[a-z]{3,}(?:ed|wn)|set|made|given|laid|put)(?:\s+(?:out|down|forth|up|in\s+writing))?"
    r"\s+by\s+(?:(?:the|an?|its|their|such)\s+)?(?:[\w’'&.-]+\s+){1,4}\Z"
)
_SET_DATE = deferred(r"on\s+the\s+(?:[A-Z][\w-]*\s+){1,4}Date\b")
_TO_DO = deferred(r"\sto\s+[a-z]{2,}\s+(?:the|an?|its|their|all|any|such)\s")
_AS_THEN = deferred(
    r"(?<!\bbe)(?<!\bis)(?<!\bare)(?<!\bremain)(?<!ly)\s+(?:available|in\s+(?:force|effect|place)|known|outstanding)\s+\Z"
)
_ADDRESSED = deferred(
    r"\s+(?:(?:the|an?|any|each|both|either|that|such|its)\s+)?(?:[A-Z][\w’'-]*\s+(?:of\s+)?){0,3}"
    rf"{phrases(_WORDS, 'bodies_addressed')}\b"
    r"(?!\s+(?:is|are|has|have|was|were|may|shall|will|sits|meeting|hearing|makes?|decides?)\b)",
    _I,
)
_OF_WHICH = deferred(r"\s+(?:which|whom)\b(?!\s+case\b)")
_SENTENCED = deferred(r"\b(?:imprisonment|imprisoned|detention|detained)\s+\Z", _I)
_OWN_SPAN = deferred(rf"\b{phrases(_WORDS, 'spans_that_begin')}\s+\Z", _I)
_SUCH = deferred(r"\s+such\s+(?:terms|conditions)\b", _I)
_NO_COMPANION = deferred(rf"\b{phrases(_WORDS, 'not_before_with')}\s+\Z", _I)
# "provide the buyer with ten days' notice": what is given, and no condition.
_GIVEN = deferred(r"\b(?:provid|furnish|serv|suppl|present)(?:e|es|ed|ing|y|ies|ied|ying)?\s+[^,;]{2,80}\s+\Z", _I)
_IN_SOME_ACT = deferred(r"in\s+[a-z]+ing")
_OF_NOUN_BEFORE = deferred(r"[\w’'-](?<!ed)(?<!\bpaid)(?<!\bmade)(?<!\bgiven)(?<!\bdue)\s+\Z")
_JOINED_BEFORE = deferred(r"\b(?:and|or)\s+\Z")
_VERB_ALONE = deferred(r"\s*[A-Za-z-]+\s+")
_RELATIVES = ("who", "which", "that")
_ACTING_ON = ("act", "acts", "decide", "decides", "rule", "report", "comment", "vote", "agree", "insist")
_NAME = deferred(r"[A-Z][a-z]+")
_NAME_BEFORE = deferred(r"[A-Z][\w’'-]*\s+\Z")
_DATE_BEFORE = deferred(r"\b(?:the|a|that|any)\s+(?:first\s+|last\s+)?(?:date|day|time|moment|month|year)\s+\Z", _I)
_BE_BEFORE = deferred(r"\b(?:be|been|is|are|was|were|for)\s+\Z", _I)
_AS_WELL = deferred(r"\bas\s+well\s+as\s+\Z", _I)
_EFFORTS = deferred(r"\b(?:efforts?|endeavou?rs?)\s+to\s+\Z", _I)
_AT_HAND = deferred(r"\s+(?:available|adjacent|preceding)\b", _I)
# "to anyone other than the clerk", "for any purpose whatsoever other than": what is left out of all.
_OF_ALL = deferred(
    rf"\b{phrases(_WORDS, 'words_for_all')}\b(?:\s+(?!(?:and|or|that|which|who)\b)[\w'’-]+){{0,5}}\s*\Z", _I
)
SHORT = deferred(
    rf"(?:as{SPACE}and{SPACE}when|as|if|where|when|whenever|wherever){SPACE}(?:{phrases(_WORDS, 'adjectives_of_conditions')}\b"
    rf"(?!{SPACE}(?:by|under|pursuant|for|of)\b)"
    rf"|(?:{phrases(_WORDS, 'participles_of_conditions')}|(?:so{SPACE})?[a-z]{{3,20}}ed)"
    rf"(?={MAYBE_SPACE}(?:[,;.)]|\Z|(?:and|or){SPACE})))"
    rf"|to{SPACE}the{SPACE}(?:fullest{SPACE}|maximum{SPACE})?extent{SPACE}(?:reasonably{SPACE}|legally{SPACE})?"
    rf"(?:{phrases(_WORDS, 'adjectives_of_conditions')}|known)(?={MAYBE_SPACE}[,;])",
    _I,
)
"""A whole condition in two words: "where possible" says when; "if any" says nothing that could be left undone."""

_EMPTY = deferred(
    rf"if{SPACE}any(?={MAYBE_SPACE}(?:[,;.)\]]|\Z|(?:and|or|unless|in|for|to)\b))|(?:where|as){SPACE}any\b"
    rf"|(?:if|where|as){SPACE}applicable\b|(?:if|where){SPACE}not\b(?!{SPACE}(?:[a-z]{{3,20}}(?:ed|wn)|met|made|paid|given|taken|held|sent|done|already)\b)",
    _I,
)
_PROVISO = deferred(r"provided(?!,?\s+(?:that|however|further|always))", _I)
_PROVISO_BEHIND = deferred(rf"{SPACE}{phrases(_WORDS, 'behind_provisos')}\b", _I)


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
    words, at = match[0].lower(), match.start()
    if is_empty_proviso(text, match) or _EMPTY.match(text, at):
        return False
    if words == "unless":
        return True
    if words.endswith("longer than") and _BE_BEFORE.search(text, lo, at):
        return False  # "must be no longer than 30 days": all that is said
    if words == "when" and _DATE_BEFORE.search(text, lo, at):
        return False  # "from the date when it last was in force"
    if is_addressed(text, match) or _OF_WHICH.match(text, match.end()):  # "a date on or before which it is due"
        return False
    if words.split()[0] == "for" and _SENTENCED.search(text, lo, at):
        return False  # "imprisonment for a term"
    if words in _AFTER_COMMA:
        of_all = words == "other than" and _OF_ALL.search(text, lo, at)
        return bool(of_all) or text[lo:at].rstrip().endswith((",", "("))
    if _PROVISO.match(words):
        return text[lo:at].rstrip().endswith(",") and _PROVISO_BEHIND.match(text, match.end()) is not None
    if words.startswith("for ") and kind_of(match) == "condition" and _JOINED_BEFORE.search(text, lo, at):
        return False  # "on his own initiative or for good cause"
    if _IN_SOME_ACT.fullmatch(words) and _VERB_ALONE.fullmatch(text, lo, at):
        return False  # "participate in making recommendations"
    before = _WORD_BEFORE.search(text, max(lo, at - _MOST_BEFORE), at)
    if before is None:
        return True
    if _tells_of_noun(text, lo, match, words) or _goes_with_verb(text, lo, match, words):
        return False
    return _may_follow(text, lo, match, before["word"])


def _tells_of_noun(text: str, lo: int, match: re.Match[str], words: str) -> bool:
    """Whether a phrase only says which thing the noun beside it is."""
    kind, at, end = kind_of(match), match.start(), match.end()
    if (kind in TIMES or words.startswith(("in ", "other than "))) and _OF_A_NOUN.search(text, lo, at):
        return kind != "deadline" or not decides_whether(text, lo, at)
    if kind == "deadline" and is_rest_of_limit(text, lo, at):
        return True
    if words == "immediately" and _AT_HAND.match(text, end):
        return True  # "in immediately available funds"
    if kind == "frequency" and OF_KIND.match(text, end):
        return True  # "the full monthly or annual fee"
    if kind == "start" and _OWN_SPAN.search(text, lo, at):
        return True  # "the year beginning on"
    if kind == "deadline" and _AS_THEN.search(text, lo, at):
        return True  # "the terms available at the time of dealing"
    if words == "from time to time" and (_DESCRIBED.search(text, lo, at) or _BY_SOMEBODY.search(text, lo, at)):
        return True
    if _SET_DATE.match(text, at) and _TO_DO.search(text, lo, at):
        return True  # "advise the holders to pay the price on the Closing Date"
    if _NAME.match(text, at) and _NAME_BEFORE.search(text, lo, at):
        return True  # "Countries Subject to a Call for Action"
    if words.startswith("in respect of") and _OF_NOUN_BEFORE.search(text, lo, at):
        return True  # "information in respect of any risk"
    return _BETWEEN.search(text, lo, at) is not None  # "the time between when it asks and when it is told"


def _goes_with_verb(text: str, lo: int, match: re.Match[str], words: str) -> bool:
    """Whether a phrase is what a verb in front of it takes, or an example."""
    at = match.start()
    if kind_of(match) == "condition" and _EXAMPLE.search(text, lo, at):
        return True  # "such as how you move or if you click"
    if words == "upon" and _FALLS.search(text, lo, at):
        return True
    behind = text[lo:at].rstrip()
    if words == "upon" and _SUCH.match(text, match.end()) and not behind.endswith(","):
        return True
    if words.startswith("on such") and not behind.endswith((",", " and")):
        return True
    return words == "with" and (_NO_COMPANION.search(text, lo, at) or _GIVEN.search(text, lo, at)) is not None


def _may_follow(text: str, lo: int, match: re.Match[str], word: str) -> bool:
    """Whether a phrase may stand behind a word."""
    kind, words, low = kind_of(match), match[0].lower(), word.lower()
    if kind == "frequency" and low in _NOT_OFTEN:
        return False  # "an audit for each year in which it trades", "the mean daily flow"
    if kind == "condition" and low in ("which", "who"):
        return False  # "a note which when sold gives a right"
    if words == "at any time" and low in _RELATIVES:
        return False  # "anybody who at any time is found"
    if words in _AFTER_PLACE and low in _PLACE:
        return False
    if kind == "start" and low in _SUBORDINATORS and words.startswith(("start", "beginn", "commenc")):
        return False  # "when starting to work"
    if low == "be" and kind in TIMES and words.endswith("ly"):
        return True  # "shall be promptly told"
    if low == "to" and kind == "deadline" and _EFFORTS.search(text, lo, match.start()):
        return True  # "use reasonable efforts to promptly tell the clerk"
    if words == "on" and low in _ACTING_ON:
        return False  # "act on the tenant's request": what it acts on
    if words == "upon" and _AS_WELL.search(text, lo, match.start()):
        return True
    behind = low not in _NOT_BEHIND and (kind == "deadline" or low not in _QUESTIONING)
    return behind or word == "A"  # "the account of Party A before 1 May"


def is_addressed(text: str, match: re.Match[str]) -> bool:
    """Whether "before" says in front of whom: "laid before Parliament"."""
    return match[0].lower() == "before" and _ADDRESSED.match(text, match.end()) is not None


def is_empty_proviso(text: str, match: re.Match[str]) -> bool:
    """Whether "provided" is a participle where it stands, and begins no clause: "provided by the bank"."""
    return _PROVISO.match(match[0]) is not None and _PROVISO_BEHIND.match(text, match.end()) is None


def is_inside(text: str, lo: int, at: int) -> bool:
    """Whether a place lies in brackets or quotation marks that opened behind ``lo``."""
    return any(text.count(opens, lo, at) > text.count(closes, lo, at) for opens, closes in ("()", "[]", "“”", "{}"))
