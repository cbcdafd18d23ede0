"""What stands before a modal verb, parted at its commas: which part may begin a subject, and which is an adjunct or a link."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = [
    "ADJUNCT_FIRST",
    "NAMED_LAST",
    "RELATIVE_FIRST",
    "SUBJECT_FIRST",
    "SUBORDINATOR",
    "THAT_AGENT",
    "Role",
    "Segment",
    "Subject",
    "begins_subject",
    "behind_links",
    "head_before",
    "is_blank",
    "last_name",
    "skip_space",
    "split_segments",
    "widen_left",
]

Segment: TypeAlias = tuple[int, int]

Role = Literal["main", "inherited", "relative", "subordinate"]


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a clause, and what part the clause plays in its sentence.

    Attributes:
        start: first code point; equal to ``end`` when no noun phrase was found.
        end: one past the last.
        clause: where the clause begins, its leading condition included.
        role: "subordinate" means that the cue does not govern a main clause.
        front: where the subject of the words of force begins if that is not who is bound ("The policy requires users to"); else -1.
    """

    start: int
    end: int
    clause: int
    role: Role
    front: int = -1


_I = re.IGNORECASE
_AGENTS, _CLAUSES, _PHRASES = (read_table(name) for name in ("agents", "clauses", "noun_phrases"))

# "Acting in good faith", "Promptly": participles and adverbs begin an adjunct, too; "Nothing" and its like do not.
_NO_ADVERB = r"(?!(?:[Oo]n|[Ff]ami|[Ss]upp|[Aa]ssemb|[Rr]ep|[Mm]onopo|[Aa]noma)ly\b)"
_PARTICIPLE_OR_ADVERB = rf"(?-i:(?!(?:no|any|some|every)thing)[a-z]+ing|{_NO_ADVERB}[A-Z]?[a-z]+ly)"
_INVERTED = r"(?-i:Should|Were|Had)(?=\s+(?:the|an?|any|all|each|either|such|its|their|it|they|you|we|[A-Z]))"
_INVERTED += r"|(?-i:should)(?=\s+(?:it|they|he|she|we|you|the|an?|any|such|our|your|their|its)\s+[a-z])"
# "Every year, the clerk shall": how often, and no subject.
_EVERY_SO_OFTEN = r"(?:each|every)\s+(?:\w+\s+){0,2}?(?:days?|weeks?|months?|quarters?|years?)(?=\s*,)"
# "At least two members shall": how many, and no adjunct.
_AT_LEAST = (
    r"at\s+least\s+one\s+(?:(?!(?:second|minute|hour|day|week|month|quarter|year|time|calendar|working|business|clear|full|whole|of)s?\b)[a-z-]+\s*){1,3}\Z|"
    r"at\s+(?:least|most)\s+(?:\d+|one|two|three|four|five|six|half)\s+(?:of\s+the\s+|[a-z]+\s+)?(?:[a-z]+s\b)(?!,)"
    r"(?<!days)(?<!weeks)(?<!months)(?<!years)(?<!hours)(?<!times)"
)
ADJUNCT_FIRST = deferred(
    rf"(?!{_AT_LEAST})(?:{_CLAUSES.pattern('preposed')}|{_INVERTED}|{_PARTICIPLE_OR_ADVERB}|{_EVERY_SO_OFTEN})\b", _I
)
"""The word that begins an adjunct in front of a subject."""

SUBORDINATOR = deferred(rf"(?<!\S)(?:{_CLAUSES.pattern('subordinators')})\s+(?=\S)", _I)
"""The word that begins a subordinate clause."""

_NUMBER = r"\d{1,3}(?:\.\d{1,3})*(?:[.)]?\s|\)(?=[A-Z]))"
_LINKS = deferred(rf"(?:[^\w{{]|{_NUMBER}|i\.e\.|(?:{_CLAUSES.pattern('lead_ins')})\b(?=[\s,]))+")

# "If a Party fails, that Party shall": a determiner, where a noun and nothing else follows.
THAT_AGENT = quick(
    rf"(?:(?P<that>(?:(?<=,\s)|(?<=\bthen\s))that|(?-i:That))\s+(?:{_AGENTS.pattern('persons')}|{_AGENTS.pattern('bodies')}|{_PHRASES.pattern('things_pointed_at')})"
    rf"|(?<=,\sand\s)(?P<this>that)\s+(?:{_AGENTS.pattern('bodies')})(?<!s)(?<!management))\s*\Z",
    _I,
)
_MOST_NAMED = 160
"""Code points that are searched for the noun phrase at the end of a stretch."""

_NAME_WORD = r"[A-Z][\w&.'’{}-]*"
NAMED_LAST = deferred(
    rf"(?<!\S)(?P<np>(?:(?:{_PHRASES.pattern('opening_determiners')})\s+(?!(?:we|you|they|he|she|it|I)\b))?(?:{_NAME_WORD}|{_AGENTS.pattern('bare_subjects')})"
    rf"(?:\s+(?:(?:of|and|or|the|&)\s+)?{_NAME_WORD}){{0,6}})\s*$"
)
"""A name or a pronoun, perhaps with its determiner, at the end of what is searched."""

SUBJECT_FIRST = deferred(rf"(?:{_PHRASES.pattern('subject_openers')}|[A-Z])\b|[A-Z{{]")
"""The word that may begin a subject."""

RELATIVE_FIRST = deferred(rf"\s*(?:{_CLAUSES.pattern('appositive_openers')})\b", _I)
"""The word that begins a relative clause or an apposition."""

_PLURAL = deferred(r"[a-z]+s\b")
_COMMA = deferred(r"[(),]")
_COMPANY_FORMS = tuple(f", {form}" for form in _AGENTS.words("company_forms"))
_JOINT_FIRST = deferred(r"\s*(?:and|or|nor)\s")
_JOINT = deferred(r"\s(?:and|or)\s")
_PRONOUN_FIRST = deferred(r"(?:you|we|they|he|she|it)\b", _I)
_BEFORE_HEAD = (",", " to ", " with ", " by ")
_MOST_MEMBERS = 6
_MOST_MEMBER_WORDS = 5


def split_segments(text: str, lo: int, hi: int) -> list[Segment]:
    """Part a stretch at the commas outside of parentheses; the comma before "Inc" parts nothing.

    Args:
        text: the text.
        lo: first code point.
        hi: one past the last.

    Returns:
        At least one span; the last one ends at ``hi``.
    """
    out, depth, at = [], 0, lo
    for mark in _COMMA.finditer(text, lo, hi):
        index = mark.start()
        if mark[0] != ",":
            depth = depth + 1 if mark[0] == "(" else max(0, depth - 1)
        elif not depth and not text.startswith(_COMPANY_FORMS, index):
            out.append((at, index))
            at = index + 1
    out.append((at, hi))
    return out


def is_blank(text: str, segment: Segment) -> bool:
    """Whether a segment holds nothing but white space."""
    return not text[slice(*segment)].strip()


def skip_space(text: str, at: int, hi: int) -> int:
    """The first place from ``at`` on that is no white space, at most ``hi``."""
    while at < hi and text[at].isspace():
        at += 1
    return at


def behind_links(text: str, lo: int, hi: int) -> int:
    """Where a clause begins behind markers, signs and the words that link it to the one before ("However,", "and")."""
    links = _LINKS.match(text, lo, hi)
    if links is None:
        return lo
    that = THAT_AGENT.search(text, lo, hi)
    at = max(that.start("that"), that.start("this")) if that else -1
    return at if lo <= at <= links.end() else links.end()


def begins_subject(text: str, lo: int, hi: int) -> bool:
    """Whether a clause may begin in a segment: with a noun phrase, or with another adjunct."""
    at = skip_space(text, behind_links(text, lo, hi), hi)
    if at >= hi:
        return False
    rest = text[at:hi]
    if _JOINT_FIRST.match(rest) or _JOINT_FIRST.match(text[lo : at + 1]):
        return False  # "if the bank, or its agents, ..."
    return any(pattern.match(rest) for pattern in (SUBJECT_FIRST, ADJUNCT_FIRST, _PLURAL))


def widen_left(text: str, segments: list[Segment], index: int, start: int) -> int:
    """Where a coordination begins whose last member begins at ``start``: "Supplier, its agents and employees".

    Args:
        text: the text.
        segments: what stands before the modal verb, parted at its commas.
        index: of the segment of the last member.
        start: where that member begins.
    """
    lo, hi = segments[index]
    if not (_JOINT_FIRST.match(text[lo : start + 1]) or (index and _JOINT.search(text[start:hi]))):
        return start
    if _PRONOUN_FIRST.match(text, start, hi):
        return start  # "for your posts, and you shall"
    for lo, hi in reversed(segments[max(0, index - _MOST_MEMBERS) : index]):
        words = text[lo:hi].strip()
        is_member = words and len(words.split()) <= _MOST_MEMBER_WORDS and SUBJECT_FIRST.match(words)
        if not is_member or ADJUNCT_FIRST.match(words):
            break
        start = behind_links(text, lo, hi)
    return start


def head_before(text: str, lo: int, hi: int) -> int:
    """Where the noun phrase begins that ends at ``hi`` and that a relative clause hangs on."""
    tail = last_name(text, lo, hi)
    if tail is not None:
        return tail
    words = text[lo:hi]
    begin = lo + max(words.rfind(mark) for mark in _BEFORE_HEAD) + 1
    at = behind_links(text, begin, hi)
    return min(hi, at if at > begin else lo)


def last_name(text: str, lo: int, hi: int) -> int | None:
    """Where the name or pronoun begins that ends a stretch; None if there is none."""
    tail = NAMED_LAST.search(text, max(lo, hi - _MOST_NAMED), hi)
    return tail.start("np") if tail else None
