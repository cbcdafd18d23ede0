"""Provisions that say only when, how or how long something of another paragraph is done, read together with that paragraph.

Laws put a duty into (a) and its time into (b): "the notification required by paragraph (a) of this section shall be made no later
than 60 days". By itself (b) asks for nothing that a house could say in its own words (ADR 151).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from coditect.knowledge.report.crosswalk.framework.parts import RequirementPart
from coditect.verify.requirements.demand import read_demand
from coditect.verify.requirements.wording import read_wording

__all__ = ["asks_nothing", "joined_parts"]

_REFERENCE = (
    r"(?:the|that|such|each|any|a|an)\s+(?P<noun>(?:[\w-]+\s+){0,3}?[a-z]{3,})\s+"
    r"(?:(?:required|described|specified|referred\s+to|provided\s+for|mentioned|made|given|prepared|due)\s+)?"
    r"(?:by|in|under|pursuant\s+to)\s+(?:paragraph|subsection|subparagraph|clause|point|section)\s+"
    r"(?P<place>(?:\(\w{1,4}\))+|\d+(?:\(\w{1,4}\))*)"
    r"(?:\s+(?:of|in)\s+this\s+(?:section|article|part|regulation|rule))?"
)
_SEEN_TO = r"(?:provide|make|give|submit|send|file|deliver|issue|complete|conduct|perform|carry\s+out|take)"
_SEEN_TO_ED = (
    r"(?:provided|made|given|submitted|sent|filed|delivered|issued|completed|conducted|performed|carried\s+out|taken)"
)
_MODAL = r"(?:shall|must|should|will)"

_ACTIVE = re.compile(
    rf"\A(?:(?P<lead>[^;:]*?),\s+)?(?:[^;:]*?\b{_MODAL}\s+)?{_SEEN_TO}\s+{_REFERENCE}(?P<rest>.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
_ASIDE = re.compile(r"\s*(?:except|unless|subject\s+to|notwithstanding|in\s+accordance\s+with)\b", re.IGNORECASE)
"""A lead that makes an exception or names another provision, and says nothing of how it is done."""
_PASSIVE = re.compile(
    rf"\A(?:(?P<lead>[^;:]*?),\s+)?{_REFERENCE}\s+{_MODAL}\s+be\s+{_SEEN_TO_ED}\b(?P<rest>.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
_NAMED = re.compile(_REFERENCE, re.IGNORECASE)

_GROUP = re.compile(r"\(\w{1,4}\)\Z")
_STEM = 4
"""Letters that a noun has in common with the verb that it is of, at least: "notification" of "notify"."""

_NOTICES = frozenset(("notice", "notification", "report", "disclosure"))
_TELLING = frozenset(("notify", "report", "inform", "tell", "disclose", "alert", "advise"))

_LEAD = re.compile(
    r"\b(?:shall|must|should|will|(?:is|are)\s+required\s+to)\b\s*,?\s*"
    r"(?:(?:in\s+accordance\s+with|pursuant\s+to|under|subject\s+to|as\s+required\s+by)\b[^:;]*?)?,?\s*"
    r"(?:(?:do|perform|take|meet|satisfy|observe|comply\s+with)\s+(?:(?:all|each|both|any|one)\s+(?:of\s+)?)?(?:the\s+following)"
    r"(?:\s+\w+)?|(?:all|each|both)\s+of\s+the\s+following|at\s+a\s+minimum|at\s+least)?\s*[:—–-]+\s*\Z",
    re.IGNORECASE,
)
"""A lead-in that binds somebody to what stands below it, and to nothing by itself."""


def asks_nothing(text: str) -> bool:
    """Whether a provision ends where its list begins and has no act of its own: "an entity must, in accordance with § 3:"."""
    return _LEAD.search(text) is not None


def joined_parts(parts: Sequence[RequirementPart]) -> list[RequirementPart]:
    """The parts of a document, each that rests on another paragraph with that one's words.

    Args:
        parts: in the order of the text.
    """
    return [_joined(part, parts) for part in parts]


def _joined(part: RequirementPart, parts: Sequence[RequirementPart]) -> RequirementPart:
    text = part.wording.text
    done = _ACTIVE.match(text) or _PASSIVE.match(text)
    named = done or _NAMED.search(text)
    if named is None or not part.requirement_id:
        return part
    for other in _at(part, named["place"], parts):
        words = _of_act(other, done) if done is not None else ""
        words = words or _of_thing(other, text, named)
        if words:
            wording = replace(read_wording(words), bound=part.wording.bound)
            return replace(part, wording=wording, read_with=other.requirement_id, tells_itself=True)
    return part


def _at(part: RequirementPart, place: str, parts: Sequence[RequirementPart]) -> list[RequirementPart]:
    """The parts of the paragraph that is meant: of the nearest level above on which there is one."""
    place = place if place.startswith("(") else "".join(f"({each})" for each in re.findall(r"\w+", place))
    stem = part.requirement_id
    while _GROUP.search(stem):
        stem = _GROUP.sub("", stem)
        wanted = f"{stem}{place}"
        found = [
            each
            for each in parts
            if each is not part and (each.requirement_id == wanted or each.requirement_id.startswith(f"{wanted}("))
        ]
        if found:
            return found
    return []


def _of_act(other: RequirementPart, done: re.Match[str]) -> str:
    """The duty of another paragraph with what this one says of doing it; "" where its act is another."""
    noun, demand = done["noun"].split()[-1].casefold(), read_demand(other.wording.asked)
    acts = [demand.reading.tokens[n].low for n in demand.acts]
    if not any(_is_of(noun, act) for act in acts):
        return ""
    asked = other.wording.filled or other.wording.text
    lead = done["lead"] or ""
    before = "" if _ASIDE.match(lead) else f" {lead.strip()}"
    return f"{asked.rstrip(' .;,')}{before} {done['rest'].strip()}".rstrip()


def _is_of(noun: str, verb: str) -> bool:
    """Whether a noun tells a verb's act, by its first letters ("notification", "notify"), or both tell somebody of something."""
    if noun in _NOTICES and verb in _TELLING:
        return True
    same = next((n for n, (a, b) in enumerate(zip(noun, verb, strict=False)) if a != b), min(len(noun), len(verb)))
    return same >= max(_STEM, len(verb) - 2)


def _of_thing(other: RequirementPart, text: str, named: re.Match[str]) -> str:
    """A provision with the thing that it points at in the words of the paragraph that tells of it; "" where that tells none."""
    noun = named["noun"].split()[-1]
    found = re.search(
        rf"\b(?:a|an|the|its|their|each|any)\s+(?P<what>(?:[\w-]+\s+){{0,3}}?{re.escape(noun)}\b"
        r"(?:\s+(?:of|on|for|about)\s+(?:(?:the|all|its|their|each|any)\s+)?[\w-]+(?:\s+(?!that\b|which\b|and\b|or\b|to\b|in\b)[\w-]+)?)?)",
        other.wording.text,
        re.IGNORECASE,
    )
    if found is None:
        return ""
    start, end = named.span()
    return f"{text[:start]}the {found['what']}{text[end:]}"
