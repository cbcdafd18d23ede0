"""How far a sentence that has all of a part reaches: whom it binds, what goes by it, what its page is about (ADR 101)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.reading.stems import canonical_stem
from coditect.language.tables import read_table, worded
from coditect.verify.alignment.matching import weight_of
from coditect.verify.requirements.demand import Demand, is_adverb
from coditect.verify.requirements.doubts import GENERAL
from coditect.verify.requirements.measures import Common
from coditect.verify.requirements.parameters import leaves_open
from coditect.verify.requirements.sides import AskedByPart, SaidByPolicy
from coditect.verify.requirements.telling import without_label
from coditect.verify.requirements.terms import PLAIN, listed_words

__all__ = [
    "binds_others",
    "goes_by",
    "is_done_by_others",
    "is_held_elsewhere",
    "kind_in",
    "kind_of_page",
    "narrowed_behind",
    "only_limits",
    "stage",
]

_SUBJECT_ENDS = re.compile(
    r"\b(?:including|such\s+as|is|are|be|must|shall|will|should|through|via|by|under|follow|follows|undergo|undergoes)\b",
    re.IGNORECASE,
)
"""Where the words end that say what goes by a process, or begin to be examples."""

_ACTING = re.compile(
    r"[^.;:|]*?\b(?:must|shall|will|should)\s+(?!be\b|go\b|pass\b|undergo\b|follow\b)(?:not\s+)?[\w-]+", re.IGNORECASE
)
"""A subject with an active verb that takes something else along: "Engineers must deploy"."""

_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)

_WANTED_FOR = re.compile(
    r"\b(?:required|mandatory|needed)\s+for\s+(?:(?:all|any|every|each|the)\s+)?(?P<what>[\w-]+)", re.IGNORECASE
)
"""What alone has to go by a process: "a change process is required for installations"."""

_kinds = worded("voice", r"(?<![\w-])((?:«acts.page_kinds»|«more_kinds»))(?![\w-])")
_stages = worded("voice", r"(?<![\w-])(?:«stages»)(?![\w-])")
_providing = worded(
    "voice", r"\W*(?:(?:each|our|the|its)\s+)?(?:[\w-]+\s+){0,2}?(?P<who>«outsiders»)\s+(?:«provider_acts»)\b"
)
_narrowed = worded("voice", r"\s+(«narrowed»)\s+(\w+)")


def binds_others(asked: AskedByPart, said: SaidByPolicy) -> str:
    """Those outside the house on whom alone a sentence lays its duty, where the part does not speak of them; "" for none."""
    return _unasked(asked, _outsiders().match(without_label(said.text)))


def is_done_by_others(asked: AskedByPart, said: SaidByPolicy) -> str:
    """Those outside the house who do it for the house: "the provider performs patching"; "" for none."""
    return _unasked(asked, _providing().match(without_label(said.text)))


def _unasked(asked: AskedByPart, found: re.Match[str] | None) -> str:
    """Whom a match names, where the part does not speak of them."""
    if found is None or re.search(
        rf"\b{re.escape(found['who'][:5])}", f"{asked.title} {asked.wording.text}", re.IGNORECASE
    ):
        return ""
    return found["who"]


def kind_of_page(asked: AskedByPart, said: SaidByPolicy, demand: Demand) -> str:
    """The kind of thing to which a sentence's headings are given over where a part of few words asks of all, or leaves it open."""
    if len(demand.reading.content) > GENERAL and not leaves_open(asked.wording, demand):
        return ""
    return _kind(said.around, f"{asked.title} {asked.wording.text} {said.text}")


def kind_in(asked: AskedByPart, said: SaidByPolicy, demand: Demand) -> str:
    """The kind of thing that a sentence names, in its first clause, where it is the house's to say which are meant; "" for none."""
    if not leaves_open(asked.wording, demand):
        return ""
    return _kind(said.text.partition(";")[0], f"{asked.title} {asked.wording.text}")


def _kind(text: str, named: str) -> str:
    """The first kind of thing in a text that another one does not name, too."""
    spoken = {each.casefold().rstrip("s") for each in _kinds().findall(named)}
    return next((each for each in _kinds().findall(text) if each.casefold().rstrip("s") not in spoken), "")


def stage(asked: AskedByPart, said: SaidByPolicy) -> str:
    """The heading of a sentence by which it is done after one kind of event only, which the part does not speak of; "" for none."""
    found = _stages().search(said.around)
    if found is None or found[0].split()[0][:5].casefold() in f"{asked.title} {asked.wording.text}".casefold():
        return ""
    return found[0]


def narrowed_behind(asked: AskedByPart, demand: Demand, common: Common, sentence: SentenceReading) -> str:
    """The words right behind the object that leave only some of it: "incidents resulting from violations"; "" for none."""
    if demand.head is None or demand.head not in common.forth or _narrowed().search(asked.wording.text):
        return ""
    found = _narrowed().match(sentence.text, sentence.tokens[common.forth[demand.head]].end)
    return f"{found[1]} {found[2]}" if found is not None else ""


def goes_by(demand: Demand, common: Common, sentence: SentenceReading) -> str:
    """What goes by a process where only some of what it is for does: "supplier changes are managed through change control"."""
    if demand.acts or not demand.is_there or demand.head not in common.forth:
        return ""
    start = len(sentence.text) - len(without_label(sentence.text))
    wanted = _WANTED_FOR.search(sentence.text)
    if wanted is not None and canonical_stem(wanted["what"].casefold()) not in _any_things(demand):
        return wanted["what"]
    acting = _ACTING.match(sentence.text, start)
    if acting is not None:  # whoever acts may be anybody: what counts is what they take through the process
        start = acting.end()
    verb = _SUBJECT_ENDS.search(sentence.text, start)
    end = verb.start() if verb is not None else 0
    known = _any_things(demand)
    ours = set(common.forth.values())
    found = [
        token.low
        for n, token in enumerate(sentence.tokens)
        if start <= token.start < end
        and n not in ours
        and token.role == "word"
        and not token.aside
        and (not token.actor or _goes_before(sentence.tokens, n, end))
        and token.key not in known
        and (token.actor or (token.key not in PLAIN and weight_of(token) >= 1.0))
        and not is_adverb(token.low)
        and not token.low.endswith("ed")
    ]
    return " ".join(found)


def _any_things(demand: Demand) -> frozenset[str]:
    """Stems of words that leave out nothing of what a process is for, and of the part's own."""
    return demand.reading.keys | {canonical_stem(each) for each in read_table("voice").words("any_thing")}


def _goes_before(tokens: Sequence[Token], at: int, end: int) -> bool:
    """Whether who acts only says whose another thing is: "supplier changes"."""
    return at + 1 < len(tokens) and tokens[at + 1].role == "word" and tokens[at + 1].start < end


def is_held_elsewhere(asked: AskedByPart, demand: Demand, common: Common, sentence: SentenceReading) -> bool:
    """Whether words behind the object narrow it though which things are meant is left open: "data in the Aurora database"."""
    if not common.narrower or not leaves_open(asked.wording, demand) or demand.head not in common.forth:
        return False
    head = sentence.tokens[common.forth[demand.head]] if demand.head is not None else None
    if head is None:
        return False
    behind = {
        sentence.text[each.start : each.end]
        for each in sentence.tokens
        if each.start > head.end and not is_adverb(each.low)
    }
    return any(each in behind and each not in listed_words("states_of_data") for each in common.narrower)


def only_limits(acts: list[Token], asked: AskedByPart, sentence: SentenceReading) -> bool:
    """Whether "only" stands right in front of an act: "only enable logging while …" asks for no logging."""
    if _ONLY.search(asked.wording.text):
        return False
    return any(re.search(r"\bonly\s+(?:be\s+)?\Z", sentence.text[: each.start], re.IGNORECASE) for each in acts)


@cache
def _outsiders() -> re.Pattern[str]:
    who = read_table("voice").pattern("outsiders")
    return re.compile(
        rf"\W*(?:(?:all|any|each|every|our|the|its)\s+)?(?:[\w-]+\s+){{0,2}}?(?P<who>{who})\s+(?:[\w-]+\s+){{0,8}}?(?:must|shall|will|should|are\s+required|is\s+required|agrees?)\b(?!\s+be\b)",
        re.IGNORECASE,
    )
