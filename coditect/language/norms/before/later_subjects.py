"""The subjects of modal expressions that are not their sentence's first: read from the segments before them, the nearest first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.language.marks import trim
from coditect.language.norms.before.phrases import is_adjunct
from coditect.language.norms.before.segments import (
    ADJUNCT_FIRST,
    NAMED_LAST,
    SUBJECT_FIRST,
    SUBORDINATOR,
    THAT_AGENT,
    Role,
    Subject,
    behind_links,
    is_blank,
    last_name,
    skip_space,
    split_segments,
    widen_left,
)
from coditect.language.norms.before.subordinates import find_content_clause, follows_noun, is_purpose, last_match
from coditect.language.tables import read_table

__all__ = ["is_aside", "subject_in_segments"]

_I = re.IGNORECASE
_VERBS = read_table("verbs")
_MOST_WORDS = 24
"""Words of a subject between commas, at most."""
_JOINT_FIRST = re.compile(r"\s*(?:and|or|but|nor)\s")
_AS_DONE = re.compile(r"as\s+(?:[a-z]+ed|set\s+(?:out|forth)|shown|given)\s")
_GOVERNED_NAME = re.compile(r"\bof\s+\Z")
_LAST_JOINT = re.compile(r".*\s(?:and|or)\s+")
_JOINT = re.compile(r"\s(?:and|or|but)\s+(?=\S)")
_THAT = re.compile(r"\b(?:that|whereby|wherein)\s+(?=\S)")
# "the process the consumer must follow": a relative clause without its pronoun.
_REDUCED = re.compile(
    r"\b(?:the|any|all|each|every|an?)\s+(?:(?!(?:of|for|in|to|on|by|with|from|at|and|or)\s)[a-z-]+\s+){1,3}?(?:the\s+[\w-]+(?:\s+[\w-]+){0,2}\s*|it|they|you|we|he|she)\s*$"
)
# "affixed to, or painted on, the walls and any owner shall": what stands behind the comma is an object of both.
_PREPOSITION_LAST = re.compile(
    r"\s*(?:and|or)\s+(?:\w+\s+){1,4}(?:to|on|in|at|by|of|for|with|from|upon|into|under)\s*\Z"
)
_JOINT_LAST = re.compile(r"\s(?:and|or|but)\s*\Z")
_MOST_OF_JOINT = 8
_MOST_FRONTED = 3
"""Segments in front of a subject that may hold its clause's adjuncts."""
_VERB_FIRST = re.compile(rf"(?:{_VERBS.pattern('finite_auxiliaries')}|\w+(?:es|ed))\b", _I)
_GERUND = re.compile(r"[A-Za-z]+ing\b")  # "Processing of data shall", "Marketing materials shall"


def is_aside(words: str) -> bool:
    """Whether words begin as an adjunct does."""
    return ADJUNCT_FIRST.match(words) is not None


def subject_in_segments(text: str, clause: int, cue: int) -> Subject:
    """The subject of a cue that is not its sentence's first, among the segments before it, the nearest first."""
    segments = split_segments(text, clause, cue)
    last = len(segments) - 1
    if last > 0 and is_blank(text, segments[last]):
        at = segments[0][1]
        if last == 1 and not is_aside(text[slice(*segments[0])].lstrip()):
            return Subject(at, at, at, "inherited")  # "must sign, must date"
        last -= 2 if last >= 2 else 1  # "Supplier, at its own expense, shall": the words between commas are no subject
    for index in range(last, -1, -1):
        lo, hi = segments[index]
        at = behind_links(text, lo, hi)
        words = text[at:hi]
        aside = is_aside(words)
        if not any(c.isalpha() for c in words) or (aside and index != last):
            continue
        linked = at > lo and _JOINT_FIRST.match(text[lo : at + 1]) is not None
        governed = index > 0 and _PREPOSITION_LAST.match(text, *segments[index - 1]) is not None
        opens = index > 0 and not governed and SUBJECT_FIRST.match(words) is not None
        found = _in_segment(text, at, hi, opens=linked or opens)
        if found is None:
            if aside and index > 0:
                continue
            return Subject(cue, cue, cue, "main")
        start, end, role = found
        if role == "main" and index == last:
            start = widen_left(text, segments, index, start)
        return Subject(start, end, _joined_adjunct(text, segments, index, start), role)
    return Subject(cue, cue, clause, "main")


def _joined_adjunct(text: str, segments: Sequence[tuple[int, int]], index: int, start: int) -> int:
    """Where a clause begins that a joint and a condition or time open: "and, if it is late, the bank may"."""
    for lo, hi in reversed(segments[max(0, index - _MOST_FRONTED) : index]):
        joint = _JOINT_FIRST.match(text, lo, hi)
        if joint is None:
            if not is_adjunct(text, skip_space(text, lo, hi), hi):
                return start
            if _JOINT_LAST.search(text, max(0, lo - _MOST_OF_JOINT), lo - 1):
                return skip_space(text, lo, hi)  # "and, within two days, the bank shall"
            continue
        at = skip_space(text, joint.end(), hi)
        return at if at >= hi or is_adjunct(text, at, hi) else start
    return start


def _in_segment(text: str, lo: int, hi: int, *, opens: bool) -> tuple[int, int, Role] | None:
    """The noun phrase in one segment and the part of its clause, or None."""
    lo, hi = trim(text, lo, hi)
    that = last_match(_THAT, text, lo, hi)
    if that is not None and _VERB_FIRST.match(text, that.end(), hi):
        that = None  # "personnel that are engaged in": the clause hangs on the subject
    if that is not None and that.start() == lo and THAT_AGENT.match(text, lo, hi):
        that = None  # "and that agency will": a determiner
    if that is not None and is_purpose(text, lo, that.end()):
        return hi, hi, "subordinate"
    if that is not None:
        if follows_noun(text, lo, that.end()) and find_content_clause(text, lo, that.end(), with_verb=False) is None:
            return hi, hi, "subordinate"  # "the service that they will provide"
        lo = that.end()
    elif not opens and _REDUCED.search(text, lo, hi):
        return hi, hi, "subordinate"
    subordinator = last_match(SUBORDINATOR, text, lo, hi)
    if subordinator is not None and _AS_DONE.match(text, subordinator.start()):
        subordinator = None  # "as described in the file and the bank will"
    if subordinator is not None:
        # "Upon request Supplier shall" has no comma; "if Supplier shall" is the condition itself.
        name = NAMED_LAST.search(text, subordinator.end(), hi)
        return (name.start("np") if name else hi, hi, "subordinate")
    if ADJUNCT_FIRST.match(text, lo, hi) or (not opens and that is None):
        start = _at_end(text, lo, hi, opens=opens)
        return None if start is None else (start, hi, "main")
    return (lo, hi, "main") if len(text[lo:hi].split()) <= _MOST_WORDS else None


def _at_end(text: str, lo: int, hi: int, *, opens: bool) -> int | None:
    """Where the noun phrase begins that ends a segment, or None."""
    name = last_name(text, lo, hi)
    if name is not None and _GOVERNED_NAME.search(text, lo, name) is not None:
        joints = [each for each in _JOINT.finditer(text, lo, name) if SUBJECT_FIRST.match(text, each.end(), hi)]
        if joints:
            return joints[-1].end()  # "and any accretions of the Society shall"
    if name is not None:
        # Without a comma the words before "and" belong to the clause before: "pay the Fee and Customer shall".
        before = None if opens else _LAST_JOINT.search(text[name:hi].rstrip())
        return name + (before.end() if before else 0)
    joint = last_match(_JOINT, text, lo, hi)
    if joint and SUBJECT_FIRST.match(text, joint.end(), hi):
        return joint.end()
    return lo if opens and _GERUND.match(text, lo, hi) else None
