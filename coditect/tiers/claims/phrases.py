"""The words of Tier 4: one sentence for each kind of claim, in plain English, with what is quoted in quotation marks.

Nothing here decides anything, and nothing takes these sentences apart again: who wants to know whether one of them is right
has it rendered again (:mod:`coditect.tiers.claims.rendering`) and compares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from coditect.language.matched import as_seen
from coditect.schemas import NormData
from coditect.tiers.claims.closing.printed import bounded
from coditect.tiers.claims.closing.relations import NO_CLOSING, Closing
from coditect.tiers.claims.quoting import LONGEST_QUOTE, around, quoted, seen, side, without_label
from coditect.tiers.findings.conflicts.approvals import APPROVAL, ROLE
from coditect.tiers.findings.conflicts.assertions.definitions import DEFINITION
from coditect.tiers.findings.conflicts.opposed.told import Side, StatementConflict
from coditect.tiers.findings.measures import EVERY, SELF, described
from coditect.tiers.findings.tables import cells

__all__ = [
    "DUTIES",
    "absent_document",
    "at_odds",
    "conflict",
    "difference",
    "gap",
    "grid",
    "is_partial",
    "leans",
    "missing",
    "missing_document",
    "missing_place",
    "reported",
    "requirement",
    "standing",
    "statistic",
    "theme",
    "uncovered",
    "without",
]

DUTIES = frozenset(("obligation", "prohibition"))
"""Kinds of Tier 1 items that are told as requirements."""

SHORT_LIST = 6
"""Names that a claim spells out."""

_NOUNS = {
    "amount": ("Amount", "Amounts"),
    "count": ("Number", "Numbers"),
    "day": ("Date", "Dates"),
    "deadline": ("Deadline", "Deadlines"),
    "duration": ("Period", "Periods"),
    "frequency": ("Interval", "Intervals"),
    "notice": ("Time of notice", "Times of notice"),
    "place": ("Place", "Places"),
    "size": ("Size", "Sizes"),
    "version": ("Version", "Versions"),
}
_UNNAMED = ("version", "count", "amount", "day", "notice", "place", "size")
_STANCE = {
    "does not": "says is not done",
    "must": "requires",
    "must not": "prohibits",
    "may": "permits",
    "need not": "leaves open",
}
_BASE = "policies, standards and procedures"
_LEANING = re.compile(r"(?:it|they|he|she|this|these|those|such|each|both|the (?:former|latter|same|above))\b", re.I)
_POINTS_BACK = re.compile(
    r"\A(?:\W*\w+\b){0,7}?\W+(?:such|the (?:former|latter|same|above|foregoing|aforementioned)|said)\s"
    r"|\b(?:these|those)\b(?!\s+(?:who|whom|that|which|of|in))|\A\W*in (?:this|that) (?:regard|case|event|respect)\b",
    re.IGNORECASE,
)
_POINTS_ON = re.compile(
    r"\b(?:(?:the )?following|as follows|set out below|listed below)\b(?!\s+(?:a|an|the|its|his|their|receipt|any|each)\b)",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"\b(?:means?|has the meaning|have (?:generally )?the (?:same )?meanings?|be (?:deemed|construed|interpreted))\b",
    re.IGNORECASE,
)
_FREES = re.compile(
    r"\b(?:not|neither|nothing|no)\b[^.;]{0,40}\brequir|\bnothing in\b|\bare independent\b|\bheld liable\b|\bwaiver\b"
    r"|\bhave the (?:\w+ ){0,4}right\b|\bbe entitled to\b",
    re.IGNORECASE,
)
_BLANK = re.compile(r"\[\W+\]|_{3}|\*{3}")
_DONE = re.compile(r"(?:ed|wn|pt|ld|en|ken|nt)$")


def conflict(found: StatementConflict, names: Sequence[str]) -> str:
    """A difference between documents, or that one of them is the stricter; ``names`` are those of its sides."""
    text = difference(found, names)
    # Who does what is said not to be done keeps what requires it, and not what says so.
    if found.relation == "conflict" or {"must", "does not"} == {side.value for side in found.sides}:
        return text
    return f"{text.removesuffix('.')}; no conflict, for whoever keeps the stricter keeps all."


def difference(found: StatementConflict, names: Sequence[str], say: Callable[[Side], str] | None = None) -> str:
    """What documents say differently.

    Args:
        found: the difference.
        names: of the documents of its sides.
        say: prints the figure of a side; None: :func:`bounded`.
    """
    if found.kind == "modality":
        first, second = found.sides
        asked = [_STANCE[str(side.value)] for side in found.sides]
        about = f" on {quoted(found.subject)}" if found.subject else ""
        return f"{names[0]} {asked[0]} what {names[1]} {asked[1]}{about}: {quoted(first.says)} against {quoted(second.says)}"
    if found.kind in (APPROVAL, ROLE):
        about = f" on {quoted(found.subject)}" if found.subject else ""
        said = [f"{_bare(side.says)} in {name}" for side, name in zip(found.sides, names, strict=True)]
        lead = "Approvals differ" if found.kind == APPROVAL else f"Who {found.verb} differs"
        return f"{lead}{about}: {', '.join(said)}."
    if found.kind == DEFINITION:
        said = [f"{quoted(side.says)} in {name}" for side, name in zip(found.sides, names, strict=True)]
        return f"Definitions differ for {quoted(found.subject or found.head)}: {', '.join(said)}."
    say = say or bounded
    said = [f"{say(side)} in {name}" for side, name in zip(found.sides, names, strict=True)]
    many = _NOUNS[found.kind][1]
    if found.head == EVERY:
        rule, *own = said
        return (
            f"{many} differ for {quoted(found.subject)}: {rule}, but {', '.join(f'{each} for itself' for each in own)}."
        )
    verb = f" ({found.verb})" if found.verb and found.kind not in _UNNAMED else ""
    about = f" for {quoted(found.subject)}" if found.subject else ""
    return f"{many} differ{about}{verb}: {', '.join(said)}."


def _bare(who: str) -> str:
    """A role as it stands inside a sentence: without the capital of its article."""
    return who[0].lower() + who[1:] if who[:4].casefold() in ("the ", "its ", "each") else who


def reported(topic: str, sides: Mapping[str, str]) -> str:
    """A difference that a model reports: what each document says, by its name, in its own words."""
    said = "; ".join(f"{name} says “{side(text)}”" for name, text in sides.items())
    return f"On “{topic}”, documents differ: {said}."


def at_odds(sides: Sequence[tuple[str, str]], closing: Closing = NO_CLOSING) -> str:
    """Two statements that a model finds at odds: what each document says, by its name, in its own words, and what follows."""
    said = "; ".join(f"{name} says “{side(text)}”" for name, text in sides)
    names = list(dict.fromkeys(name for name, _ in sides))
    which = f"Statements of {names[0]}" if len(names) == 1 else " and ".join(names)
    are = "differ" if closing.both else "are at odds"
    return f"{which} {are}: {said}. {closing.sentence}".rstrip()


def missing_document(name: str, result: Mapping[str, Any]) -> str:
    """A document that others refer to and that is not there."""
    name = as_seen(name)
    verb = "refers" if result["documents"] == 1 else "refer"
    return f"{listed(result['names'])} {verb} to “{name}”, which is not in the corpus."


def absent_document(name: str, result: Mapping[str, Any]) -> str:
    """A law, rulebook or standard that documents refer to and that is not there, with the places that are cited most."""
    name, times, sections = as_seen(name), result["references"], result["sections"]
    verb = "refers" if result["documents"] == 1 else "refer"
    often = "once" if times == 1 else f"at least {times} times"
    shown = ", ".join(f"{place} ({count})" for place, count in sections[:SHORT_LIST])
    rest = len(sections) - SHORT_LIST
    more = f" and {rest} more" if rest > 0 else ""
    cited = f"; cited places: {shown}{more}" if shown else ""
    return f"“{name}” is not in the corpus; {listed(result['names'])} {verb} to it {often}{cited}."


def missing_place(name: str, document: str, label: str, result: Mapping[str, Any], quote: str) -> str:
    """A section that one document refers to, in itself or in another one, behind the last one there."""
    whose = f"its own section {label}" if name == document else f"section {label} of {document}"
    return f"{name} refers to {whose}, where the last one is {result['last']}: {around(quote, label)}"


def uncovered(name: str, result: Mapping[str, Any], quote: str) -> str:
    """A deadline of an agreement that no policy takes up."""
    return f"No deadline of the {result['of']} {_BASE} answers to {name}: {quoted(quote)}"


def gap(kind: str, words: Mapping[str, str], names: Sequence[str], quotes: Sequence[str]) -> str:
    """An open point, an empty cell, or a date that has passed; ``names`` and ``quotes`` are of its sentences."""
    name, words = names[0], seen(words)
    row = f", row “{words['row']}”" if "row" in words else ""
    status = f" and “{words['status']}”" if "status" in words else ""
    if kind == "open":
        if row:
            return f"{name}{row} leaves a point open: “{words['says']}”."
        said = around(quotes[0], words["says"])
        if "also" in words:
            return f"{name} leaves points open: {said} and {quoted(quotes[1])}"
        after = f", after {quoted(quotes[1])}" if len(quotes) > 1 else ""
        return f"{name} leaves a point open: {said}{after}"
    if kind == "section":
        return f"{name} has nothing below the heading {quoted(quotes[0])}"
    if kind == "empty":
        given = f", but “{words['status']}”" if "status" in words else ""
        return f"{name}{row} has no “{words['label']}”{given}; most rows of the table have one."
    if kind == "overdue" and "as_of" not in words:
        return f"{name}{row} has a date that has passed: “{words['says']}”{status}."
    now = f"the newest date at which {names[-1]} reports something done is {words['as_of']}"
    if kind == "overdue":
        return f"{name}{row} has a date that has passed: “{words['says']}”{status}, for {now}."
    if "often" in words:
        often = next(
            (f"{label}: {v}" for label, v in cells(quotes[0]).items() if v.casefold() == words["often"]), words["often"]
        )
        return f"{name}{row} is out of date: “{often}” and “{words['says']}”, but {now}."
    return f"{name}{row} has “{words['says']}”, more than a year before the newest of its column, {words['as_of']}."


def missing(kind: str, words: Mapping[str, str], names: Sequence[str], quotes: Sequence[str]) -> str:
    """What is cited, used or required and not there; ``names`` and ``quotes`` are of the sentences that show it."""
    name, quote, words = names[0], quotes[0], seen(words)
    match kind:
        case "unanswered":
            return (
                f"None of the {words['of']} {_BASE} speaks of “{words['thing']}”, for which {name} requires: "
                f"{around(quote, words['thing'])}"
            )
        case "unappointed":
            return (
                f"{names[-1]} lists who holds which position, but nobody as “{words['role']}”, of whom {name} says: "
                f"{around(quote, words['role'])}"
            )
        case "lapsed":
            return (
                f"{name} says “{words['says']}”, which is longer ago than {names[-1]} allows (“{words['often']}”): "
                f"{quoted(quotes[-1])}"
            )
        case "undescribed":
            return (
                f"{name} has the “{words['role']}” act, whom no document names again, describes or appoints: "
                f"{around(quote, words['role'])}"
            )
        case "expired":
            return f"{name} lists what is past its date (“{words['label']}”, {words['due']}): {quoted(quote)}"
        case "code":
            title = f", “{words['title']}”" if "title" in words else ""
            return (
                f"{name} refers to {words['code']}{title}, which is not in the corpus: {around(quote, words['code'])}"
            )
        case "part":
            return f"{name} refers to its own {words['label']}, which it does not hold: {around(quote, words['label'])}"
        case "term":
            return (
                f"{name} uses “{words['term']}” like a defined term, and no document of the corpus defines it: "
                f"{around(quote, words['term'])}"
            )
        case "unprovided":
            return (
                f"{name} requires what it calls “{words['thing']}”, of which none of the {words['of']} {_BASE} speaks: "
                f"{around(quote, words['thing'])}"
            )
    return f"{name} names no owner, as {words['owned']} of the {words['of']} {_BASE} do."


def without(result: Mapping[str, Any]) -> str:
    """Documents that do not fix for themselves what their like fix."""
    lacking = result["without"]
    verb, they = ("does", "it is") if len(lacking) == 1 else ("do", "they are")
    return f"{len(lacking)} of {result['of']} {_BASE} {verb} not say how often {they} reviewed: {listed(lacking)}."


def statistic(kind: str, head: str, verb: str, result: Mapping[str, Any]) -> str:
    """How many documents fix each value of a measure."""
    shown = [f"{label} ({times})" for label, times in result["values"][:SHORT_LIST]]
    rest = sum(times for _, times in result["values"][SHORT_LIST:])
    values = ", ".join([*shown, *([f"others ({rest})"] if rest else [])])
    if (kind, head) == ("frequency", SELF):
        return f"{result['documents']} of {result['of']} {_BASE} say how often they are reviewed: {values}."
    one, many = _NOUNS[kind]
    act = _act(head, verb)
    if len(result["values"]) == 1:
        return f"{result['documents']} documents fix the same {one.lower()} {act}: {result['values'][0][0]}."
    return f"{many} {act} differ in {result['documents']} documents: {values}."


def _act(head: str, verb: str) -> str:
    """What a measure is of: "to notify, inform or report", "for being “kept”"."""
    if described(head):
        return f"to {described(head)}"
    return f"for being “{verb}”" if _DONE.search(verb) else f"to “{verb}”"


def grid(kind: str, head: str, verb: str, result: Mapping[str, Any]) -> str:
    """What contracts fix for a measure, and which of them deviate from the value that is usual, which there must be."""
    noun = _NOUNS[kind][0].lower()
    article = "an" if noun[0] in "aeiou" else "a"
    lead = f"{result['contracts']} of {result['of']} contracts fix {article} {noun} {_act(head, verb)}"
    (label, usual), *others = result["rows"]
    values = ", ".join(f"{each} in {listed(names)}" for each, names in others[:SHORT_LIST])
    rest = len(others) - SHORT_LIST
    deviating = f"; otherwise {values}{f', and {rest} others' if rest > 0 else ''}" if others else ""
    return f"{lead}, {len(usual)} of them {label}{deviating}."


def standing(kind: str, words: Mapping[str, str], quotes: Sequence[str]) -> str:
    """What the dates of a document say; ``quotes`` are the words that this rests on."""
    shown = " and ".join(dict.fromkeys(quoted(quote) for quote in quotes))
    name = words["document"]
    match kind:
        case "superseded":
            return f"{name} is superseded by {words['by']}: {shown}."
        case "not_yet":
            return f"{name} is not yet in force: {shown}."
        case "expired":
            return f"{name} is no longer in force: {shown}."
    return f"{name} was to be reviewed by a day that has passed: {shown}."


_TO_CHOOSE = re.compile(r"\[(?:optional|alternative|delete|select)\b[^\]]{0,60}\]", re.IGNORECASE)
"""Before what a template leaves to be chosen."""

_BY_ANOTHER = re.compile(
    r"\b(?:required|described|specified|listed|set forth|set out|referred to)\s+(?:by|in|under)\s+"
    r"(?:paragraphs?|sub-?(?:paragraphs?|sections?))\s",
    re.IGNORECASE,
)
"""What only another paragraph says: "the information required by paragraph (e) of this section"."""

_JOINED = re.compile(
    r"(?:however|therefore|otherwise|nevertheless|in (?:these|such|this|that|either) cases?)\b", re.IGNORECASE
)
"""What only goes on with the sentence before it."""

_THIS_INFORMATION = re.compile(r"(?:(?!\binformation\b).)*\bthis information\b", re.IGNORECASE | re.DOTALL)
"""What the sentence before it says which one it is."""


def theme(topic: str, result: Mapping[str, Any]) -> str:
    """How many documents speak to a topic."""
    verb = "speaks" if result["documents"] == 1 else "speak"
    return f"{result['documents']} of {result['of']} documents {verb} to “{topic}”."


def requirement(name: str, sentence: str) -> str:
    """What a document requires: its sentence, word for word."""
    return f"{name}: {quoted(sentence)}"


def leans(text: str, data: NormData) -> bool:
    """Whether a duty cannot be understood without the sentence before it: "It shall …", "Such notice must …"."""
    line = without_label(text)
    # A sentence that the reader of a file cut in two begins in lower case or ends in the air.
    broken = not (line[:1].isupper() or line[:1] in '"“[{') or line.endswith((":", ",", "and", "or"))
    return broken or any(_LEANING.match(without_label(each)) for each in (text, data.actor or data.object or ""))


def has_examples(*headings: str) -> bool:
    """Whether examples stand below some headings of a stretch of a document: its imperatives illustrate what it asks for."""
    return any(_EXAMPLES.fullmatch(each.strip()) for each in headings)


_EXAMPLES = re.compile(
    r"(?:[\w.()]*\d[\w.()]*\s+)?(?:implementation\s+)?(?:examples?|illustrations?)\W*", re.IGNORECASE
)


def is_cut(text: str) -> bool:
    """Whether a sentence of an agreement has no end: what stands behind it was cut off with the page."""
    return not text.rstrip("\"”’')]*_ \n").endswith((".", "!", "?"))


@lru_cache(4_096)
def is_partial(text: str) -> bool:
    """Whether a sentence is no whole requirement.

    It is too long to be quoted, ends in the air, has blanks, points to words before or behind it, defines, or frees from a duty.
    """
    line = without_label(text)
    ends = line.rstrip("\"”’')]*_ ").endswith((":", ";", ",", "–", "—", "-"))
    if len(line) > LONGEST_QUOTE or ends:
        return True
    found = (
        *(each.match(line) for each in (_POINTS_BACK, _TO_CHOOSE, _THIS_INFORMATION, _JOINED)),
        *(each.search(line) for each in (_POINTS_ON, _DEFINES, _FREES, _BLANK, _BY_ANOTHER)),
    )
    return any(found)


def listed(names: Sequence[str]) -> str:
    """Names as a list in a sentence; of many only the first few, and how many others there are."""
    if len(names) == 1:
        return names[0]
    if len(names) <= SHORT_LIST:
        return f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{', '.join(names[:SHORT_LIST])} and {len(names) - SHORT_LIST} more"
