"""Noun phrases that a later statement may mean: the subject of a sentence, and the phrase behind "such records".

Everything here prefers no answer to a wrong one: a phrase is given only where its ends, its number and its class are plain from
closed word lists.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from coditect.language.finite_verbs import FINITE
from coditect.language.marks import trim
from coditect.language.norms.actors.agents import is_agent
from coditect.language.norms.subjects import find_subject
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = [
    "LABEL",
    "NounPhrase",
    "PhraseClass",
    "PhraseNumber",
    "find_mention",
    "is_person",
    "main_subject",
]

PhraseNumber = Literal["singular", "plural", "unknown"]
PhraseClass = Literal["person", "body", "thing"]

_I = re.IGNORECASE
_AGENTS, _PHRASES, _VERBS = (read_table(name) for name in ("agents", "noun_phrases", "verbs"))

LABEL = deferred(
    r"[\s*]*(?:(?:Section|SECTION|Article|ARTICLE|Clause|§{1,2})\s+)?(?:\d{1,3}(?:\.\d{1,3}){1,5}[.:)]?(?=\s)"
    r"|\d{1,3}[.:)](?=\s)|\((?:[a-z]{1,2}|[A-Z]|[ivxl]{1,5}|\d{1,2})\)(?=\s)|(?:[a-z]|[ivx]{1,4}|[A-Z])[.)](?=\s)|[•·*-](?=\s))\s*"
)
"""The printed label of a clause or list item, and the white space behind it."""

_NP_OPENS = deferred(rf"(?:{_PHRASES.pattern('phrase_openers')})\b|[A-Z{{0-9]|[a-z]+s\b", _I)
# What a later pronoun hardly means, or what says nothing by itself.
_EMPTY = deferred(
    rf"(?:{_PHRASES.pattern('empty_subjects')}|this(?!\s+\w)|all(?!\s+\w)|the\s+(?:{_PHRASES.pattern('deictic_adjectives')}))\b",
    _I,
)
_PREPOSITION = deferred(rf"\s(?:{_PHRASES.pattern('prepositions')})\s")
_RELATIVE = deferred(rf"[,\s]+(?:{_PHRASES.pattern('relative_pronouns')})\s")
_PERSON = deferred(rf"\b(?:{_AGENTS.pattern('persons')})$", _I)
_BODY = deferred(rf"\b(?:{_AGENTS.pattern('bodies')})$", _I)
_ARTICLE = deferred(rf"(?:{_PHRASES.pattern('articles_and_demonstratives')})\s", _I)
_ONE = deferred(r"(?:the\s+)?(?:each|every|an?|this|that|another)\b", _I)
_MANY = deferred(rf"(?:{_PHRASES.pattern('plural_openers')}|such\s+\w+s)\b", _I)
_MANY_HEADS = frozenset(_PHRASES.words("plural_heads"))
_UNSURE_HEADS = frozenset(_PHRASES.words("heads_of_either_number"))
_ONE_ENDINGS = _PHRASES.words("singular_endings")
_PERSON_OF = deferred(rf"(?:the\s+)?(?:{_AGENTS.pattern('heads_of')})\b", _I)
_WORD = deferred(r"[\w{}&’'/-]+")
_BROKEN = deferred(r"[;:|\[\]_\"“”]|\n\s*\n")
_ASIDE = deferred(r"\s*\([^()]*\)\s*$")
_JOINED = deferred(r"\s(?:and|as\s+well\s+as)\s|,")
_ALTERNATIVE = deferred(r"\s(?:or|and/or)\s|/")
_THE = deferred(r"the\s", _I)
_DETERMINER = deferred(rf"(?<![\w'’-])(?:{_PHRASES.pattern('determiners')}|such|this|these)\s+", _I)
_DESCRIBES = rf"(?!(?:{_PHRASES.pattern('no_modifiers')})\b)[\w'’&-]+"
# What may stand before a noun: a determiner, or a clause's verb ("shall keep accurate"), then at most four words that describe.
_WITH_DETERMINER = deferred(
    rf"(?<![\w'’-])(?P<np>(?:{_PHRASES.pattern('determiners')})\s+(?:(?:{_DESCRIBES},?\s+){{0,3}}{_DESCRIBES}\s+)?)$",
    _I,
)
_WITH_VERB = deferred(
    r"\b(?:shall|must|will|should|to)\s+(?:[a-z]+ly\s+)?(?!be\b|have\b)[a-z]+\s+(?:and\s+[a-z]+\s+)?"
    rf"(?P<np>(?:{_DESCRIBES},?\s+(?:and\s+)?){{0,3}}{_DESCRIBES}\s+)$"
)
_OF = deferred(
    r"\s+of\s+(?:(?:the|an?|all|any|each|every)\s+)?"
    rf"{_DESCRIBES}(?:\s+{_DESCRIBES}){{0,4}}(?=[.;:]|$|\s+(?:{_VERBS.pattern('clause_auxiliaries')}|within|at\s+least|to\s+the)\b)"
)
_CLOSES = deferred(
    rf"[,.;:]|$|\s+(?:{_VERBS.pattern('clause_auxiliaries')}|should|within|at\s+least|at\s+all|annually|monthly|quarterly|weekly|daily)\b"
    r"|\s+to\s+(?:the\s+)?[A-Z]"
)
_RESTRICTS = deferred(rf"\s+(?:{_PHRASES.pattern('restrictors')})\s+[^,;:()\n]{{3,120}}?(?=\.?$)")

MOST_WORDS = 16
"""Words of a phrase, at most: longer ones are more often misread than not, and bury the statement."""


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase as a stretch of text, with what agreement needs to know of it.

    Attributes:
        start: first code point in the text.
        end: one past the last.
        number: "unknown" where its head does not show it.
        kind: a person, a body such as a company or committee, or a thing.
    """

    start: int
    end: int
    number: PhraseNumber
    kind: PhraseClass


def is_person(words: str) -> bool:
    """Whether a noun phrase without its tail ("of the Board") names a human being or a role that one holds."""
    return _PERSON.search(words) is not None or _PERSON_OF.match(words) is not None


def main_subject(text: str, start: int, end: int) -> NounPhrase | None:
    """The subject of a sentence's first main clause.

    Args:
        text: the canonical text.
        start: the sentence's first code point; a label in front is passed over.
        end: one past its last.

    Returns:
        The phrase, verbatim in the text, or None where its ends or its number are in doubt.
    """
    label = LABEL.match(text, start, end)
    lo = label.end() if label else start
    for verb in FINITE.finditer(text, lo, min(end, lo + 400)):
        if verb.start() == lo:
            return None
        subject = find_subject(text, lo, verb.start(), first=True)
        if subject.role in ("subordinate", "relative"):
            continue
        if subject.role != "main" or subject.start >= subject.end:
            return None
        return _phrase(text, *trim(text, subject.start, subject.end, punctuation=True), opens=subject.start == lo)
    return None


def _phrase(text: str, start: int, end: int, *, opens: bool) -> NounPhrase | None:
    words = text[start:end]
    if _EMPTY.match(words) or not _NP_OPENS.match(words) or (opens and words[:1].islower()):
        return None
    if len(_WORD.findall(words)) > MOST_WORDS or _BROKEN.search(words) or words.count("(") != words.count(")"):
        return None
    core = _core(words)
    found = _WORD.findall(core)
    if not found:
        return None
    return NounPhrase(start, end, _number(core, found[-1]), _kind(core, opens=opens))


def _core(words: str) -> str:
    """A noun phrase without what hangs on its head."""
    cut = len(words)
    for pattern in (_PREPOSITION, _RELATIVE):
        found = pattern.search(words)
        cut = min(cut, found.start()) if found else cut
    return _ASIDE.sub("", words[:cut]).rstrip(" ,")


def _number(core: str, head: str) -> PhraseNumber:
    if _JOINED.search(core):
        return "unknown" if "," in core or _ONE.match(core) else "plural"
    if _ALTERNATIVE.search(core):
        return "unknown"
    if _ONE.match(core):
        return "singular"
    low = head.lower()
    if low in _UNSURE_HEADS:
        return "unknown"
    if _MANY.match(core) or low in _MANY_HEADS:
        return "plural"
    if low.endswith("s") and not low.endswith(_ONE_ENDINGS):
        # "Acme Systems": a name may end in s and be one.
        return "plural" if head[:1].islower() or " " not in core or _THE.match(core) else "unknown"
    return "singular"


def _kind(core: str, *, opens: bool) -> PhraseClass:
    if is_person(core):
        return "person"
    if _BODY.search(core):
        return "body"
    # A name without an article is somebody; "a Standard Change" is a defined term and may be anything.
    return "body" if not _ARTICLE.match(core) and is_agent(core, opens=opens) else "thing"


def find_mention(text: str, start: int, end: int, noun: str) -> NounPhrase | None:
    """The phrase around the only mention of a noun in a sentence: what "such records" behind it means.

    Args:
        text: the canonical text.
        start: the sentence's first code point.
        end: one past its last.
        noun: the noun in the same number, in any case, with what describes it.

    Returns:
        The phrase, or None where the noun occurs twice or not at all, where the phrase's ends are in doubt, or where it would
        say no more than the noun.
    """
    mention = r"\s+".join(map(re.escape, noun.split()))
    found = list(re.finditer(rf"\b{mention}\b", text[start:end], _I))
    if len(found) != 1:
        return None
    lo, hi = start + found[0].start(), start + found[0].end()
    begin = _mention_start(text, start, lo)
    stop = _mention_end(text, hi, end)
    if begin is None or stop is None:
        return None
    words = text[begin:stop]
    plain = _DETERMINER.sub("", words)
    if (
        len(_WORD.findall(plain)) <= len(_WORD.findall(noun))
        or len(_WORD.findall(words)) > MOST_WORDS
        or _BROKEN.search(words)
    ):
        return None
    core = _core(words)
    return NounPhrase(begin, stop, _number(core, _WORD.findall(core)[-1]), _kind(core, opens=False))


def _mention_start(text: str, start: int, noun: int) -> int | None:
    for pattern in (_WITH_DETERMINER, _WITH_VERB):
        found = pattern.search(text, max(start, noun - 100), noun)
        if found:
            return found.start("np")
    return None


def _mention_end(text: str, noun_end: int, end: int) -> int | None:
    of = _OF.match(text, noun_end, end)
    at = of.end() if of else noun_end
    clause = _RESTRICTS.match(text, at, end)
    if clause:
        return clause.end()
    return at if _CLOSES.match(text, at, end) else None
