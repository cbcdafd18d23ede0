"""Who has to do what only one may do: approve, sign, decide, or answer for something, as a sentence says it.

"The Finance Director approves orders", "orders are approved by the Finance Director", "with the written consent of the Board" and
"after the Board has authorised it" say the same of whom; so do "maintains the register" and "the register is maintained by". A
note of document control ("Approved by the Board on 20 May") says of the document itself, and is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from coditect.language.patterns.beginnings import quick
from coditect.language.tables import read_table
from coditect.language.terms import stem, terms
from coditect.tiers.findings.conflicts.lines import LONGEST, Assertion, line_of

__all__ = ["APPROVAL", "ROLE", "approvers_in", "deciders_of"]

APPROVAL = "approval"
"""The kind of what says who approves, signs or decides."""

ROLE = "role"
"""The kind of what says who answers for something."""

_ACTS, _AGENTS, _MATTERS = read_table("acts"), read_table("agents"), read_table("matters")
_NAME = r"[A-Z][\w&’'-]*"
_NOUN = rf"(?:{_AGENTS.pattern('persons')}|{_AGENTS.pattern('bodies')})"
_ROLE = (
    rf"(?:(?:the|a|an|its|their|our|your|his|her|each)\s+)?"
    rf"(?:(?:{_NAME}\s+){{0,4}}(?i:{_NOUN})\b(?:\s+(?:of|for)\s+(?:the\s+)?{_NAME}(?:\s+(?:and\s+)?{_NAME}){{0,3}})?"
    rf"|(?:(?!(?:with|without|explicit|express|only|by|from|to|of|for|no|not)\b)[a-z]+\s+){{1,2}}{_NOUN}\b|[A-Z][a-z]+(?:er|or|ist|ian)\b)"
)
_ROLES = rf"(?<![\w’'-])(?P<who>{_ROLE}(?:\s*(?:,|and|or|and/or)\s+{_ROLE}){{0,3}})"
_VERB, _DONE, _NOUNS = (_ACTS.pattern(name) for name in ("approves", "approved", "approvals"))
_MODAL = r"(?:alone\s+)?(?:(?:must|shall|will|has\s+to|have\s+to|may|can|has|have)\s+)?(?:alone\s+)?"


@dataclass(frozen=True)
class _Saying:
    """One way of saying who does something.

    Attributes:
        before: the pattern of what stands in front of the roles; "" for nothing.
        after: of what stands behind them.
        marked: of what must not stand right in front of them.
    """

    before: str = ""
    after: str = ""
    marked: str = ""

    @cached_property
    def _hint(self) -> re.Pattern[str]:
        return re.compile(self.before or self.after)

    @cached_property
    def _whole(self) -> re.Pattern[str]:
        return re.compile(f"{self.before}{self.marked}{_ROLES}{self.after}")

    def found_in(self, line: str) -> Iterable[re.Match[str]]:
        """Its matches. Roles take long to compile, and are tried everywhere: what stands beside them comes first."""
        return self._whole.finditer(line) if self._hint.search(line) is not None else ()


_PATTERNS = (
    _Saying(rf"\b(?:{_DONE})\b(?:\s+in\s+writing)?(?:\s+(?:and\s+\w+ed|in\s+advance|beforehand))?\s+by\s+"),
    _Saying(r"\bagreed\b(?:\s+(?:in\s+writing|in\s+advance|beforehand)){0,2}\s+with\s+"),
    _Saying(rf"\b(?:{_NOUNS})\b(?:\s+in\s+writing)?\s+(?:of|from|by)\s+"),
    _Saying(after=rf"(?:[’']s)?\s+(?:(?:prior|written|express)\s+){{0,3}}(?:{_NOUNS})\b"),
    _Saying(after=rf"\s+{_MODAL}(?:{_VERB}|{_DONE})\b"),
)
_DECIDES = (
    _Saying(r"\b(?:decided|decision)\b(?:\s+(?:on|upon|about))?\s+(?:by|of)\s+"),
    _Saying(after=rf"\s+{_MODAL}decides?\b"),
)
_SIGNS = (
    _Saying(r"\bsigned\b(?:\s+(?:off|in\s+person|personally|and\s+dated))?\s+by\s+"),
    _Saying(after=rf"\s+{_MODAL}(?:personally\s+)?signs?\b(?!\s+(?:in|on|up|out)\b)"),
    _Saying(r"\bsignature\s+of\s+"),
)
_ANSWERS = (
    _Saying(after=r"\s+(?:is|are|shall\s+be|remains?)\s+(?:solely\s+)?(?:responsible|accountable)\s+for\b"),
    _Saying(r"\bresponsibility\s+for\b[^.;]{3,80}?\b(?:lies|rests)\s+with\s+"),
    _Saying(r"\b(?:is|are)\s+the\s+responsibility\s+of\s+"),
    _Saying(rf"\b(?:{_ACTS.pattern('charge')})\s+"),
    _Saying(after=rf"\s+(?:{_ACTS.pattern('charged')})\b"),
    _Saying(rf"\b[Aa]s\s+(?:the\s+)?(?:{_ACTS.pattern('keepers')})\s+of\s+[^,;]{{3,80}},\s+"),
)
_SOLE_FORMS = {word: group[1] for group in _MATTERS.groups("sole") for word in group}
_SOLE = "|".join(sorted(_SOLE_FORMS, key=len, reverse=True))
_DOES = (
    _Saying(rf"\b(?:is|are|be)\s+(?P<act>{_SOLE})\s+by\s+"),
    _Saying(
        after=rf"\s+(?:(?:must|shall|will)\s+)?(?P<act>{_SOLE})\s+(?:the|an?|every|each|all|any|its|reports?)\b",
        marked="(?<!by )(?<!of )(?<!to )",
    ),
)
_SOMEBODY = quick(rf"\b(?:(?i:{_NOUN})\b|[A-Z][a-z]+(?:er|or|ist|ian)\b)")
"""What every role has: a noun for persons or bodies, or a name for who does something. Without one no pattern matches."""

_NOTE = re.compile(rf"\W*(?:{_DONE})\s+by\b|.{{0,40}}\b(?:was|were)\s+(?:{_DONE}|signed)\b", re.IGNORECASE)
_HINT = quick(r"pprov|uthori[sz]|onsent|sign(?:ed|-| )off|agreed")
_HINT_OTHER = quick(
    rf"\b(?:decid|decision|sign|responsib|accountable|{_SOLE}|{_ACTS.pattern('charge')}|{_ACTS.pattern('charged')}"
    rf"|{_ACTS.pattern('keepers')})"
)
"""Letters of which every word of approval has some: most sentences have none."""
_WORDS_OF = {
    "approve": quick(rf"(?:{_DONE})|(?:{_NOUNS})|(?:{_VERB})|agreed"),
    "decide": re.compile(r"deci"),
    "sign": re.compile(r"sign"),
    "answer": quick(
        rf"responsib|accountable|{_ACTS.pattern('charge')}|{_ACTS.pattern('charged')}|{_ACTS.pattern('keepers')}"
    ),
    "do": quick(_SOLE),
}
"""Letters without which none of the patterns of an act matches: to look for them costs a twentieth. Found by name, since the engine
reads a whole pattern to tell it from another one.
"""
_PARTS = re.compile(r"\s*(?:,|\band/or\b|\band\b|\bor\b)\s*")
_ANYBODY = frozenset(terms(" ".join(_MATTERS.words("anybody"))))
_FINAL = re.compile(r"[;:]")


@lru_cache(maxsize=1 << 14)
def deciders_of(text: str) -> tuple[Assertion, ...]:
    """Who approves, signs or decides what a sentence speaks of, or answers for it; of each kind the first.

    Args:
        text: a sentence.
    """
    if len(text) > LONGEST or " | " in text or (_HINT.search(text) is None and _HINT_OTHER.search(text) is None):
        return ()
    line = line_of(text)
    if _SOMEBODY.search(line) is None or _NOTE.match(line):
        return ()
    said = {act for act, words in _WORDS_OF.items() if words.search(line)}
    approving = _first(line, _PATTERNS, APPROVAL, "approv", "approve") if "approve" in said else None
    found = [
        approving or (_first(line, _DECIDES, APPROVAL, "approv", "decide") if "decide" in said else None),
        _first(line, _SIGNS, APPROVAL, "sign", "sign") if "sign" in said else None,
        _first(line, _ANSWERS, ROLE, "respons", "is responsible") if "answer" in said else None,
        _first(line, _DOES, ROLE, "", "") if "do" in said else None,
    ]
    return tuple(each for each in found if each is not None)


def _first(line: str, sayings: tuple[_Saying, ...], kind: str, head: str, verb: str) -> Assertion | None:
    for saying in sayings:
        for match in saying.found_in(line):
            who = match["who"]
            roles = approvers_in(who)
            if not roles or any(each <= _ANYBODY or (kind == ROLE and each & _ANYBODY) for each in roles):
                continue
            value = " + ".join(sorted(" ".join(sorted(stems)) for stems in roles))
            act = match.groupdict().get("act")
            # What stands behind a semicolon is of something else: "signs the reply; no other signature is sought".
            rest = _FINAL.split(line[match.end() :], maxsplit=1)[0]
            said = f"{line[: match.start()]} {match[0].replace(who, ' ')} {rest}"
            return Assertion(kind, head or stem(_SOLE_FORMS[str(act)]), who, value, verb or _SOLE_FORMS[str(act)], said)
    return None


def approvers_in(who: str) -> frozenset[frozenset[str]]:
    """The stems of each role that a list of roles names: "the Head of IT and the Board" are two."""
    return frozenset(stems for each in _PARTS.split(who) if (stems := frozenset(terms(each))))
