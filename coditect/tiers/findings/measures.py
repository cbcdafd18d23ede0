"""Measures: what a statement fixes, in a form that can be compared across documents.

For a review once a year, a :class:`~coditect.schemas.tier1.data.StatedMeasure` has the kind "frequency", the head "review", the
verb "reviewed", the value 1.0 and the text "annually": the kind of measure, what it is a measure of, how that is printed, its
normalised value and the words as printed. The head is the stem of the verb, one stem for verbs of one meaning; for counts the
stem of the unit, for versions the name, and for statements about the document itself ("this policy shall be reviewed …")
:data:`SELF`, for those about every such document :data:`EVERY`.
They are stored with the extraction and indexed by ``measure:<kind>:<head>``; the figures of Tier 4 are counted from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from coditect.language.norms.limits.openings import OF_KIND
from coditect.language.quantities.durations import duration_hours
from coditect.language.tables import read_table
from coditect.language.terms import stem
from coditect.schemas import Deadline, Frequency, Measure, NormData, QuantityData, StatedMeasure, Tier1Data

__all__ = [
    "EVERY",
    "SELF",
    "QuantityLike",
    "canonical",
    "comparable_measure",
    "described",
    "head_of",
    "measures_of",
    "stated_measures",
]

SELF = "this document"
EVERY = "every document"

_ACTS = read_table("acts")
_VERBS = _ACTS.groups("one_act")
"""Verbs that contracts and policies use for one act, the first of each standing for all."""

_VERSION = re.compile(r"\b(?!USD|EUR|GBP|US\b)([A-Z]{2,6}) ?v?(\d{1,2}\.\d{1,2})(?![\d.]*\d)")
_DOTTED = re.compile(r"\d\.\d")
_NOUN = f"(?:{read_table('documents').pattern('reviewed')})"
_OWN = re.compile(rf"\bthis\s+(?:[\w-]+\s+){{0,3}}?{_NOUN}\b(?!\s*['’])", re.IGNORECASE)
_ALL = re.compile(rf"\b(?:every|each|all)\s+(?:[\w-]+\s+){{0,2}}?{_NOUN}\b(?!\s*['’])", re.IGNORECASE)
_REVIEWS = frozenset(stem(word) for word in _ACTS.words("reviews"))
_SUBJECT_CHARS = 120
_CLAUSE_CHARS = 240
"""Characters before a verb within which its subject is looked for; and before a time, its verb in the present tense."""

# "are kept for 90 days", "shall be tested annually": a participle with a present or modal auxiliary, not "was" and "were",
# which report what happened once.
_PASSIVE = re.compile(
    r"(?:(?P<modal>shall|must|will)\s+)?\b(?:is|are|be)\s+(?P<no>not\s+)?(?:to\s+be\s+)?(?:\w+ly\s+)?"
    rf"(?P<verb>\w+(?:ed|pt|ld|wn|id)|{read_table('verbs').pattern('irregular_participles')}|overwritten)\b(?:\s+and\s+(?:\w+ly\s+)?\w+ed\b)?",
    re.IGNORECASE,
)
_HAVE = re.compile(r"\b(?:(?P<modal>shall|must|will)\s+)?(?:have|has|contain|contains|be)\b", re.IGNORECASE)
_HAS_TO = re.compile(r"\b(?:has|have)\s+\W*\Z", re.IGNORECASE)
_INFINITIVE = re.compile(r"\s+(?:in which\s+)?to\s+(?P<verb>[a-z]+)\b")
_BASE_VERBS = frozenset(read_table("base_verbs").words("verbs"))
_ALSO_NOUNS = frozenset(read_table("base_verbs").words("also_nouns"))
_TIME = read_table("time")
_END_OF_UNIT = re.compile(
    rf"\b(?:at|by|before|until|no later than)\s+(?P<text>(?:the\s+(?:end|close)\s+of|noon\s+(?:of|on))\s+"
    rf"(?:the(?:\s+(?P<next>next|following))?|that|the\s+same)\s+"
    rf"(?P<kind>(?:{_TIME.pattern('kinds_of_days')})\s+)?(?P<unit>day|week|month|quarter|year))\b",
    re.IGNORECASE,
)
"""A deadline by the calendar: what is done by the end of the month is done within one, of the next one within two."""
_END_AHEAD = re.compile(r"[eEcCnN](?:(?<=[eE])[nN][dD]|(?<=[cC])[lL][oO][sS\u017f][eE]|(?<=[nN])[oO][oO][nN])\s")
"""What each of them has."""
_CLAUSE_BREAK = re.compile(r"[,;:(]|\b(?:if|when|where|unless|that|which|who|until|and|or)\b", re.IGNORECASE)
_MANY = re.compile(rf"(?:[a-z]+s|{_ACTS.pattern('collectives')}|they|we)", re.IGNORECASE)
_BEFORE_NOUNS = re.compile(
    rf"(?:{read_table('noun_phrases').pattern('determiners_of_names')}|of|for|in|on|to|by|with|from|at|per)",
    re.IGNORECASE,
)
# A line may be wrapped anywhere; one that begins with a capital or a label may say something else.
_CELL = re.compile(r" \| |;|\n(?=\s*(?:[-*•|(\d]|[A-Z]))")
_SIZED = frozenset(stem(word) for word in _ACTS.words("limits"))
"""Units whose counts are limits without being called so."""

_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_SKIPPED = frozenset(_ACTS.words("passed_over"))
_NO_VERBS = frozenset(_ACTS.words("no_verbs"))
_LIGHT = frozenset(_ACTS.words("light_verbs"))
_DEVERBAL = _ACTS.words("deverbal_endings")


class QuantityLike(Protocol):
    """Something found in a text: its span, in code points of the document's text, and what was read from it."""

    @property
    def start(self) -> int:
        """First code point."""
        ...

    @property
    def end(self) -> int:
        """One past the last."""
        ...

    @property
    def data(self) -> Tier1Data:
        """What it says; anything but a quantity is passed over."""
        ...


_GROUP_OF = {stem(word): stem(group[0]) for group in _VERBS for word in group}


_INFINITIVES = {stem(verb): words for verb, words in _ACTS.mapping("described").items()}


def described(head: str) -> str:
    """The verbs that a head stands for, as a reader is told: "notifi" → "notify, inform or report"; "" for a verb of its own."""
    return _INFINITIVES.get(head, "")


def canonical(head: str) -> str:
    """The stem that stands for all verbs of a meaning: "inform" → "notifi"; other stems stand for themselves."""
    return _GROUP_OF.get(head, head)


@lru_cache(maxsize=1 << 14)
def head_of(action: str) -> tuple[str, str]:
    """(stem, word) of the verb that an action phrase turns on: "be promptly examined by …" → ("review", "examined").

    For verbs that carry little ("conduct a risk assessment") the noun that follows stands in. ("", "") if there is none.
    """
    words = [word.lower() for word in _WORD.findall(action)[:12]]
    content = [word for word in words if word not in _SKIPPED and not word.endswith("ly")]
    # "have thirty (30) days to …": what begins with a number or another pronoun has no verb to compare by.
    if not content or content[0] in _NO_VERBS:
        return "", ""
    word = content[0]
    if word in _LIGHT:
        deverbal = [each for each in content[1:4] if each.endswith(_DEVERBAL)]
        word = deverbal[-1] if deverbal else word
    return canonical(stem(word)), word


def comparable_measure(stated: StatedMeasure, strength: str = "mandatory") -> Measure:
    """A measure as Tier 2 has it, where every measure has a strength: its own, or that of its statement."""
    return Measure(
        kind=stated.kind,
        head=stated.head,
        verb=stated.verb,
        value=stated.value,
        text=stated.text,
        strength=stated.strength or strength,
    )


def measures_of(
    text: str, data: NormData, start: int, end: int, quantities: Sequence[QuantityLike]
) -> tuple[StatedMeasure, ...]:
    """The measures of a normative statement over ``[start, end)``, in document order, without repeats.

    Args:
        text: the document's text.
        data: what was read from the statement; one without an action has no measures.
        start: first code point of the sentence.
        end: one past its last.
        quantities: found quantities that may lie inside it.
    """
    if data.action is None:
        return ()
    first, last = (max(start, data.clause.start), min(end, data.clause.end)) if data.clause else (start, end)
    head, verb = head_of(data.action)
    words = data.action.split(maxsplit=2)[:2]
    at = text.find(" ".join(words), first, last)  # an action may be in pieces; its first words stand together
    begin = at if at >= 0 else max(first, text.find(words[0], first, last))
    conditions = [(at, at + len(words)) for words in data.conditions if (at := text.find(words, first, last)) >= 0]
    limits = [limit for limit in (data.deadline, data.frequency) if isinstance(limit, Deadline | Frequency)]
    found: list[StatedMeasure] = []
    for quantity in quantities:
        # What stands in the subject ("an account not used for 60 days") or in a condition says when, not how much.
        conditional = any(start <= quantity.start < end for start, end in conditions)
        own = any(limit.start <= quantity.start < limit.end for limit in limits)
        if not begin <= quantity.start < last or (conditional and not own):
            continue
        if not isinstance(quantity.data, QuantityData):
            continue
        if quantity.data.quantity_kind == "frequency" and not own and OF_KIND.match(text, quantity.end):
            continue  # "20 mg as an hourly mean": over what it is taken, and not how often
        between = data.frequency if quantity.data.quantity_kind == "duration" else None
        if between and between.per_year and head and between.start <= quantity.start < between.end:
            # "at intervals not exceeding 12 months": once a year
            often = StatedMeasure(
                kind="frequency", head=head, verb=verb, value=between.per_year, text=between.text or ""
            )
            found.append(often)
            continue
        subject = text[start:begin] or " ".join(filter(None, (data.object, data.subject, data.actor)))
        found += _measure(quantity.data, _about(head, subject), verb)
    if not any(each.kind == "deadline" for each in found):
        for match in _END_OF_UNIT.finditer(text, begin, last) if _END_AHEAD.search(text, begin, last) else ():
            hours = round(duration_hours(2.0 if match["next"] else 1.0, match["unit"].lower()), 4)
            if head:
                printed = " ".join(match["text"].split())
                found.append(StatedMeasure(kind="deadline", head=head, verb=verb, value=hours, text=printed))
    return tuple(dict.fromkeys([*found, *_versions(text, first, last)]))


def stated_measures(text: str, start: int, end: int, quantities: Sequence[QuantityLike]) -> tuple[StatedMeasure, ...]:
    """The measures of a sentence or table row that states what is done: "Audit logs are kept for 90 days".

    Args:
        text: the document's text.
        start: first code point of the sentence.
        end: one past its last.
        quantities: found quantities that may lie inside it.
    """
    found: list[StatedMeasure] = []
    for quantity in quantities:
        if not start <= quantity.start < end or not isinstance(quantity.data, QuantityData):
            continue
        cuts = [match.end() for match in _CELL.finditer(text, start, quantity.start)]
        begin = max([start, *cuts, quantity.start - _SUBJECT_CHARS])
        pattern = _HAVE if quantity.data.quantity_kind == "count" else _PASSIVE
        verbs = list(pattern.finditer(text, begin, quantity.start))
        if verbs and not verbs[-1].groupdict().get("no") and ". " not in text[verbs[-1].end() : quantity.start]:
            last = verbs[-1]
            verb, at = str(last.groupdict().get("verb") or "").lower(), last.start()
            strength = "mandatory" if last["modal"] else "stated"
        elif not verbs and quantity.data.quantity_kind != "count":
            first = max([start, *cuts, quantity.start - _CLAUSE_CHARS])
            verb, at = _present_verb(text, first, quantity.start, quantity.end, end)
            strength = "stated"
        else:
            continue
        head = _about(canonical(stem(verb)), text[begin:at]) if verb else ""
        if not head and quantity.data.quantity_kind != "count":
            continue
        # "Has five days to answer": a time that lies before its verb is the last one for it.
        changed = {"kind": "deadline"} if at > quantity.start and quantity.data.quantity_kind == "duration" else {}
        for measure in _measure(quantity.data, head, verb):
            found.append(measure.model_copy(update={"strength": strength, **changed}))
    found += _by_calendar(text, start, end)
    versions = [each.model_copy(update={"strength": "stated"}) for each in _versions(text, start, end)]
    return tuple(dict.fromkeys([*found, *versions]))


def _present_verb(text: str, begin: int, start: int, stop: int, end: int) -> tuple[str, int]:
    """(verb, where it stands) of an act in the present tense with its time: "Staff keep logs for a year", "has a day to answer".

    Args:
        text: the document's text.
        begin: first code point at which the verb may stand.
        start: where the quantity begins.
        stop: one past its last code point.
        end: one past the last of the sentence.

    Returns:
        The verb in lower case; ("", 0) where none can be told from a noun.
    """
    if _HAS_TO.search(text, begin, start) and (infinitive := _INFINITIVE.match(text, stop, end)):
        return infinitive["verb"], infinitive.start("verb")
    words = list(_WORD.finditer(text, begin, start))
    joined = [word for before, word in pairwise(words) if before[0] == "and" and _base_of(word[0])]
    if joined:
        return joined[-1][0], joined[-1].start()
    for before, word in pairwise(words):
        if _CLAUSE_BREAK.search(text, before.end(), word.start()) or _CLAUSE_BREAK.fullmatch(word[0]):
            continue
        said, subject = word[0], before[0]
        if not said.islower() or _BEFORE_NOUNS.fullmatch(subject):
            continue
        if said in _BASE_VERBS and _MANY.fullmatch(subject):
            return said, word.start()
        if (base := _base_of(said)) and (not _MANY.fullmatch(subject) or base not in _ALSO_NOUNS):
            return said, word.start()
    return "", 0


def _by_calendar(text: str, start: int, end: int) -> Iterable[StatedMeasure]:
    """The deadline of an act in the present tense that the end of a period sets."""
    for match in _END_OF_UNIT.finditer(text, start, end) if _END_AHEAD.search(text, start, end) else ():
        cuts = [cut.end() for cut in _CELL.finditer(text, start, match.start())]
        begin = max([start, *cuts, match.start() - _SUBJECT_CHARS])
        passive = list(_PASSIVE.finditer(text, begin, match.start()))
        verb = (
            passive[-1]["verb"].lower() if passive else _present_verb(text, begin, match.start(), match.end(), end)[0]
        )
        if verb:
            hours = round(duration_hours(2.0 if match["next"] else 1.0, match["unit"].lower()), 4)
            printed = " ".join(match["text"].split())
            head = canonical(stem(verb))
            yield StatedMeasure(kind="deadline", head=head, verb=verb, value=hours, text=printed, strength="stated")


def _base_of(said: str) -> str:
    """The verb of the table of which a word is the third person: "keeps" → "keep", "notifies" → "notify"; "" for none."""
    bases = (said[:-1], said.removesuffix("es"), said.removesuffix("ies") + "y")
    return next((each for each in bases if each in _BASE_VERBS), "") if said.endswith("s") else ""


def _about(head: str, subject: str) -> str:
    """The head, or what stands for it where the subject is the document itself or every such document."""
    if head in _REVIEWS or canonical(head) in _REVIEWS:
        near = subject[-_SUBJECT_CHARS:]
        if _OWN.search(near):
            return SELF
        if _ALL.search(near):
            return EVERY
    return head


def _measure(data: QuantityData, head: str, verb: str) -> Iterable[StatedMeasure]:
    if data.quantity_kind == "count":
        unit = (data.unit or "").lower().split()
        head, verb = (stem(unit[-1]), unit[-1]) if unit else ("", "")
        if not data.comparator and head not in _SIZED:
            return
    match data.quantity_kind:
        case "count":
            value = data.value
        case "frequency":
            value = data.per_year
        case "deadline" | "duration":
            value = data.hours
        case _:
            return
    if head and isinstance(value, int | float) and value > 0:
        text = " ".join((data.text or "").split())
        yield StatedMeasure(kind=data.quantity_kind, head=head, verb=verb, value=round(float(value), 4), text=text)


def _versions(text: str, start: int, end: int) -> Iterable[StatedMeasure]:
    for match in _VERSION.finditer(text, start, end) if _DOTTED.search(text, start, end) else ():
        name, value = match.group(1), float(match.group(2))
        if value:
            yield StatedMeasure(kind="version", head=name.lower(), verb=name, value=value, text=match.group())
