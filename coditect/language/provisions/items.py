"""Items of lists that are norms by themselves, and lead-ins that are a clause without another one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.norms.actors.agents import is_agent
from coditect.language.norms.binding import read_norms
from coditect.language.norms.imperatives import asks, find_denied, find_imperative, is_plain_verb
from coditect.language.patterns.deferred import deferred
from coditect.language.provisions.composed import CASE_FIRST
from coditect.language.provisions.ends import ADJUNCT_FIRST
from coditect.language.provisions.placed import begins_itself
from coditect.language.tables import read_table

__all__ = [
    "OFFENCE",
    "RECITALS",
    "SUBORDINATE_ALONE",
    "are_acts",
    "are_cases",
    "are_labelled",
    "are_requests",
    "are_sentences",
    "are_titles",
    "duty_holder",
    "has_own_force",
    "have_force",
    "is_blank",
    "is_heading",
    "is_whole_act",
    "names_holder",
    "only_limits",
    "stands_alone",
    "tells_purposes",
    "told_aim",
    "told_below",
]

RECITALS = deferred(r"\W*(?:WHEREAS|Whereas|RECITALS?|Recitals?)\W*")
# An item that may be a norm by itself: a capital, a subject, words of force.
_OWN_FORCE = deferred(
    r"(?!\w+ing\b|(?:That|Whether|How|What|To)\b)(?:(?:If|When|Where|Once|Unless|In|For|Upon)\s[^.;:]{3,200}?|[A-Z“\"{][^.;:,]{3,160}?)"
    r"\s(?:shall|must|may|should|will|cannot|SHALL|MUST|SHOULD|MAY|(?:is|are)\s+(?:required|prohibited|entitled|responsible|(?:not\s+)?permitted))\b"
)
_TAKES_CLAUSE = deferred(
    rf"\b(?:that|if|when|where|whether|unless|until|how|why|because|as|and|or|of|{read_table('lead_ins').pattern('clause_takers')})[\s:,—–-]*\Z",
    re.IGNORECASE,
)
# "If there is a change to the notice:": a clause without another one behind it.
SUBORDINATE_ALONE = deferred(r"[\W\d]*(?:If|Where|When|Whenever|Once|Unless|To\s+the\s+extent)\s[^,;:]{3,200}[\s:—–-]*")
# A lead-in that says when its items are to be done: "When travelling:", "If you suspect a breach:".
_LIMITS_ACTS = deferred(
    r"[\W\d]*(?:(?:When|While|Before|After)\s+[a-z]+ing\b[^,;:]{0,120}|(?:If|When|Where|Whenever|Once)\s+(?:you|we|they|it|an?|the|your|our|any)\s[^,;:]*?\b(?:is|are|has|have|can|cannot|do|does|need|want|wish|suspect|receive|leave|travel)s?\b[^,;:]{0,120})[\s:—–-]*"
)

# A title that leads into what somebody has to do: "Staff responsibilities:".
_DUTIES_TITLE = deferred(
    r"[\W\d]*(?P<who>(?:[\w’'&/-]+\s+){0,5}?)(?:responsibilities|duties|obligations|tasks|rules|instructions|do['’]?s)\s*[:—–-]?\s*",
    re.IGNORECASE,
)

# "All groups have these core responsibilities:"
_HAS_DUTIES = deferred(
    r"[\W\d]*(?P<who>(?:[\w’'&/-]+\s+){1,6}?)(?:has|have)\s+(?:the\s+following|these|certain)\s+(?:[\w-]+\s+){0,2}(?:responsibilities|duties|obligations|tasks)\s*[:—–-]?\s*"
)
# "The clerk will proceed as follows:", "In a fire, staff must take these steps:"
_PROCEEDS = deferred(
    r"[\W\d]*(?:(?:[A-Z][^,:;]{2,80}),\s+)?(?P<who>(?:[\w’'&/-]+\s+){1,6}?)(?:shall|will|must|should|is\s+to|are\s+to|needs?\s+to)\s+(?:then\s+)?"
    r"(?:(?:proceed|act)\s+as\s+follows(?:,\s[^:;]{2,100})?|(?:take|follow|complete|do|observe|perform|carry\s+out|undertake)\s+(?:all\s+(?:of\s+)?)?(?:the\s+following|these)(?:\s+[\w-]+){0,3})\s*[:—–-]?\s*"
)
OFFENCE = deferred(r"\b(?:commits?|guilty\s+of)\s+(?:an?\s+)?(?:offence|offense|contravention|breach)\b", re.IGNORECASE)
_UNSTOPPED = deferred(r"[\w“\"{(][^.;:]*[\w)]\s*\Z")  # an item that ends without a sign
_SENTENCE = deferred(r"[A-Z\"“{].*[.!]\s*\Z", re.DOTALL)
_CLAUSE = deferred(r"(?:[A-Z\"“{].*|(?:the|an?|each|any|all|no|if|at)\s.*)[.!;,]\s*(?:and|or)?\s*\Z", re.DOTALL)
_LABELLED = deferred(r"[A-Z][\w’'&/()-]*(?:\s+[\w’'&/(),-]+){0,7}:(?:\s|\Z)")
_OPEN = deferred(
    r"\b(?:following|follows|below|these|including|include|includes|as|to|of|for|by|with|and|or|not|in|on|at|from|that|which|if|when|where|either|is|are|be)\Z"
    r"|\b(?:following|these)(?:\s+[\w-]+){1,5}\Z",
    re.IGNORECASE,
)
# "Prohibited actions:", "Don'ts:": what stands below such a heading is not to be done.
_FORBIDS = deferred(
    r"\b(?:not|never|don['’]?ts?|prohibit\w*|forbidden|unacceptable|disallowed|avoid\w*)\b", re.IGNORECASE
)
_PREPOSITION = deferred(
    r"(?:in|on|at|by|with|for|to|of|from|under|upon|as|into|through|within|without|against)\b", re.IGNORECASE
)
_ACTORS = frozenset(read_table("actors").words("nouns"))
_ALSO_NOUNS = frozenset(read_table("base_verbs").words("also_nouns"))
_TITLE = deferred(r"[\"“]?[A-Z][^.;:]*\.[\"”]?")
_MOST_OF_TITLE = 90
_TITLED = deferred(r"\A[A-Z][a-z]+:\s+")  # "Control: The organization"
_MOST_OF_NAME = 90
_POSSESSIVE = deferred(r"['’]s?\Z")
_TO_LAST = deferred(r"\bto[\s:—–-]{0,8}\Z")
_AIMS = deferred(
    r"\b(?:objectives?|goals?|aims?|(?<!\bfor\s)(?:the|its|our|their)\s+(?:\w+\s+)?purposes?)\b[^.;]*\Z", re.IGNORECASE
)
_ASKING = deferred(rf"\b(?:{read_table('lead_ins').pattern('asking')})\b", re.IGNORECASE)
_BLANK = deferred(r"(?:\[\s*\]\s*)?\[[A-Z][A-Z\s/&-]+\][.;]?\s*")
_PURPOSES = deferred(r"\b(?:purposes?|reasons?|ways|services|features|functions)\b[^.;:]{0,40}[\s:]*\Z")
_MOST_TEXT = 6_000
"""Code points of an item that is read for words of force, at most."""
_FEWEST_WORDS = 4
"""Words of a lead-in that says what something is for, at least: "To:" is the head of a letter."""


def stands_alone(item: str, lead: str, names: frozenset[str]) -> bool:
    """Whether an item is a norm by itself, with a subject of its own, to which a lead-in that takes no clause adds nothing.

    Args:
        item: its own words, without its marker.
        lead: the lead-ins above it.
        names: words that the document writes with a capital wherever they stand.
    """
    if _OWN_FORCE.match(item) is None or _TAKES_CLAUSE.search(lead) or RECITALS.fullmatch(lead):
        return False
    first = item.split(" ", 1)[0].lower()
    if find_imperative(item, 0, len(item)) is not None or (is_plain_verb(first) and first not in _ALSO_NOUNS):
        return False
    readings = read_norms(item, 0, len(item), (), names)
    return any(begins_itself(reading, 0) and reading.cue.end > reading.cue.start for reading in readings[:1])


def names_holder(words: str, names: frozenset[str]) -> bool:
    """Whether a lead-in only says who does what its items tell: "The organization:".

    Args:
        words: the lead-in.
        names: words that the document writes with a capital wherever they stand.
    """
    name = _TITLED.sub("", words).strip()
    return len(name) < _MOST_OF_NAME and is_agent(name, opens=True, names=names)


def is_heading(lead: str, item: str, names: frozenset[str], *, named: bool) -> bool:
    """Whether a lead-in is a heading, which adds nothing to a request below it: "Behaviour:" above "Review the log".

    Args:
        lead: the lead-in; one that forbids ("Prohibited actions:") adds nothing only to what forbids by itself.
        item: the request's own words, without its marker.
        names: words that the document writes with a capital wherever they stand.
        named: whether it may name who acts.
    """
    words = lead.rstrip(" :—–-")
    if not words[:1].isupper() or has_finite_verb(words, 0, len(words)) or _OPEN.search(words):
        return False
    if _FORBIDS.search(words) and find_denied(item, 0, len(item)) is None:
        return False
    return named or not names_holder(words, names)


def only_limits(lead: str, item: str) -> bool:
    """Whether a lead-in is an adjunct to an item, which is a clause or an imperative: "For records:"."""
    if ADJUNCT_FIRST.match(lead) is None:
        return False
    if asks(item):
        return True
    open_clause = SUBORDINATE_ALONE.fullmatch(lead) is not None
    return item[:1].isupper() and (open_clause or not has_finite_verb(lead, 0, len(lead)))


def has_own_force(item: str, names: frozenset[str], *, named: bool) -> bool:
    """Whether an item is a norm by itself, with a subject of its own.

    Args:
        item: its own words, without its marker.
        names: words that the document writes with a capital wherever they stand.
        named: whether the subject has to be somebody who can act; then a clause that a sign other than a full stop ends will do.
    """
    if not ((_CLAUSE if named else _SENTENCE).match(item) or _UNSTOPPED.match(item)):
        return False
    readings = read_norms(item, 0, len(item), (), names)
    return any(begins_itself(reading, 0) and ("actor" in reading.mark.data or not named) for reading in readings)


def told_below(lead: str, items: Sequence[str]) -> Literal["limited", "titled", ""]:
    """What a lead-in is to items that ask for something as sentences of their own: when ("When travelling:") or their title.

    Args:
        lead: the lead-ins above the items.
        items: their own words, without markers.

    Returns:
        "" where the lead-in is neither, or most items ask for nothing by themselves ("Keep the key with you.").
    """
    kind: Literal["limited", "titled", ""] = "limited" if _LIMITS_ACTS.fullmatch(lead) else ""
    kind = "titled" if _DUTIES_TITLE.fullmatch(lead) or _HAS_DUTIES.fullmatch(lead) else kind
    if not kind:
        return ""
    return kind if are_requests(items) else ""


def duty_holder(lead: str, names: frozenset[str]) -> str | None:
    """Who has to do what stands below a title: "Staff responsibilities:", "System administrators:"; None where it names nobody."""
    name = lead.rstrip(" :—–-")
    last = name.rpartition(" ")[2].casefold()
    if name[:1].isupper() and (last in _ACTORS or last.removesuffix("s") in _ACTORS) and names_holder(name, names):
        return name
    title = _HAS_DUTIES.fullmatch(lead) or _DUTIES_TITLE.fullmatch(lead) or _PROCEEDS.fullmatch(lead)
    who = _POSSESSIVE.sub("", title["who"].strip()) if title else ""
    return who if who and is_agent(who, opens=True, names=names) else None


def told_aim(lead: str) -> Literal["aim", "purpose", ""]:
    """What a lead-in tells that asks nobody: "aim" for "The objectives of this plan are:", "purpose" where it ends with "to"."""
    if _ASKING.search(lead):
        return ""
    if _AIMS.search(lead):
        return "aim"
    return "purpose" if len(lead.split()) >= _FEWEST_WORDS and _TO_LAST.search(lead[-12:]) else ""


def is_blank(item: str) -> bool:
    """Whether an item is left to be filled in: "[OTHER UTILITIES]"."""
    return _BLANK.fullmatch(item) is not None


def tells_purposes(lead: str) -> bool:
    """Whether a lead-in ends with what something is for, or is: "for other purposes such as:"."""
    return _PURPOSES.search(lead) is not None


def are_acts(items: Sequence[str]) -> bool:
    """Whether most items begin with a plain verb, as acts do that a lead-in leaves open: "will not be allowed to:"."""
    return 2 * sum(is_plain_verb(item.split(maxsplit=1)[0].lower()) for item in items if item.strip()) > len(items)


def are_cases(items: Sequence[str]) -> bool:
    """Whether each item begins with its own case: "(a) If it is in writing, delay the notice; or (b) If it is oral, ..."."""
    return bool(items) and all(CASE_FIRST.match(item) is not None for item in items)


def are_labelled(items: Sequence[str]) -> bool:
    """Whether most items begin with a name of their own and a colon: "Security tools: Access is logged", "Timeline:"."""
    return 2 * sum(_LABELLED.match(item) is not None for item in items) > len(items)


def are_requests(items: Sequence[str]) -> bool:
    """Whether most items ask as sentences of their own to do something or not to: "Review the log", "Never delete it"."""
    return 2 * sum(item[:1].isupper() and asks(item) for item in items) > len(items)


def is_whole_act(lead: str, names: frozenset[str]) -> bool:
    """Whether a lead-in leaves nothing open: its last clause has an object, and points to nothing that follows.

    Args:
        lead: the lead-in, with all above it.
        names: words that the document writes with a capital wherever they stand.
    """
    words = lead.rstrip(" :—–-")
    if _OPEN.search(words):
        return False
    readings = read_norms(words, 0, len(words), (), names, practice=True)
    action = str(readings[-1].mark.data.get("action", "")).split(maxsplit=1) if readings else []
    return len(action) == 2 and _PREPOSITION.match(action[1]) is None


def are_sentences(items: Sequence[str]) -> bool:
    """Whether most items are sentences of their own."""
    whole = sum(_SENTENCE.match(item) is not None and has_finite_verb(item, 0, len(item)) for item in items)
    return whole * 2 > len(items)


def are_titles(items: Sequence[str], followed: Sequence[bool]) -> bool:
    """Whether the items are only titles of what follows them: "(a) Termination for cause. A party may ...".

    Args:
        items: their own words, without markers.
        followed: of each, whether another sentence stands behind it that begins no item.
    """
    titles = sum(
        behind and len(item) < _MOST_OF_TITLE and _TITLE.fullmatch(item) is not None
        for item, behind in zip(items, followed, strict=True)
    )
    return titles * 2 > len(items)


def have_force(items: Sequence[str], names: frozenset[str], *, named: bool = False) -> bool:
    """Whether most items are norms by themselves, each with a subject of its own, so that the lead-in only repeats them.

    Args:
        items: their own words, without markers.
        names: words that the document writes with a capital wherever they stand.
        named: whether the subjects have to be somebody who can act.
    """
    found = sum(len(item) < _MOST_TEXT and has_own_force(item, names, named=named) for item in items)
    return found * 2 > len(items)
