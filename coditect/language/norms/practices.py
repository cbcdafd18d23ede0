"""Duties told in the present tense: "The manager signs the form", "Keys are changed every 90 days".

In a policy or a procedure the present says what has to be done; in any other text it says what is. So only a caller that knows the
document's role asks for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.marks import trim
from coditect.language.norms.actors.agents import by_agent, is_agent
from coditect.language.norms.cues import Cue
from coditect.language.norms.imperatives import is_plain_verb, split_coordinated
from coditect.language.norms.limits.adjuncts import divide
from coditect.language.norms.subjects import Subject, find_subject
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = ["ANYWHERE", "PRESENT", "Practice", "acts_told", "find_practice"]

PRESENT = "present"
"""The modality of a duty that is told in the present tense."""

ANYWHERE = -1
"""No place that the verb has to stand at."""

Practice = Literal["none", "listed", "all", "recorded"]
"""Where the present tense of a document tells duties: nowhere, in the items of a list behind who does them, or everywhere.

What is "recorded" tells what was said and done: not even what somebody "will" do there binds him, unless he says it of himself.
"""

_I = re.IGNORECASE
_VERBS = read_table("verbs")
_PRACTICES = read_table("practices")
_WORD = deferred(r"(?<=\s)(?P<verb>[a-z]{2,}(?:-[a-z]+)?)(?=\s)")
_WORD_AT = deferred(r"(?P<verb>[A-Za-z][a-z]+s)(?=[\s,])")
_NOUNS = frozenset(read_table("base_verbs").words("also_nouns"))
_ADJECTIVES = frozenset(_VERBS.words("participial_adjectives")) | frozenset(_PRACTICES.words("states_of_things"))
_NOT = deferred(r"(?<=\s)(?:do|does)\s+not(?=\s+[a-z])")
_ACT = rf"\s+(?:(?:\w+ly|also|then|first|always)\s+){{0,2}}(?P<verb>[a-z]+(?:ed|en|wn)|{_VERBS.pattern('irregular_participles')})\b"
_PARTICIPLE = deferred(_ACT)
_PASSIVE = deferred(rf"(?<=\s)(?:is|are)(?P<act>{_ACT})")
_DETERMINED = deferred(
    r"\s+(?:[a-z]+ly\s+)?(?:the|an?|all|any|each|every|its|their|his|her|our|this|that|these|those|such|both|no|whether|it|them"
    rf"|what|which|how|{read_table('numbers').pattern('common')}|\d+)(?![\w-])|\s+[\[{{“\"]",
    _I,
)
_BARE_OBJECT = deferred(
    r"\s+(?!(?:of|for|by|in|on|to|and|or|from|with|at|as|per|within|during|after|before|since|until|[\w-]+ing)\b)[a-z][\w-]*[\s,.]"
)
# The end of a noun phrase in the plural, as far as it shows.
_MANY = deferred(
    r"(?:[a-z]{2,}(?<!s)s|\b(?:staff|personnel|people|men|women|workforce)|\band\s+(?:the\s+|an?\s+)?(?:(?!to\b)[\w’'-]+\s+){0,2}(?!to\b)[\w’'-]+)"
    r"[\s,)]+(?:also\s+|\w+ly\s+)?\Z",
    _I,
)
_WE = deferred(r"(?<![\w’'])(?:we|they)\s+(?:(?:also|then|always|only|each|\w+ly)\s+){0,2}\Z", _I)
_MOST_OF_NOUN = 40
_OBJECT = deferred(r"\s+[\w{\[(“\"]")
_BEHIND_NOUN = deferred(
    r"\b(?:of|by|for|with|in|on|at|to|from|and|or|the|an?|this|that|which|who|whom|whose|when|where|if|as|than|not)\s+\Z",
    _I,
)
_STATES = deferred(rf"(?:{_PRACTICES.pattern('states')})\Z", _I)
_SPEAKERS = deferred(r"(?:we|i|you|it|they|he|she|this|that|these|those|there|who|which)\Z", _I)
_DEPARTMENTS = read_table("agents").words("departments")
_AND_TELLS = deferred(
    r",?\s+and\s+(?:then\s+|also\s+)?(?=(?P<verb>[a-z]+s)\s+(?:the|an?|all|any|each|every|its|their|his|her|them|it|this|that|these|such)\b)"
)
_CLAUSE = deferred(r"\b(?:that|which|who|whether|how|what|if|when|where|unless|until)\b")
_SET_TIME = deferred(r"(?:within|for)\b", _I)
_STOP = deferred(r";|:(?=\s)|(?<=[a-z\d)]{2})[.!?](?:\s+(?=[A-Z(])|\s*$)|\n\s*\n")
_IRREGULAR = {"does": "do", "goes": "go", "has": "have"}
_MOST_BEFORE = 240
"""Code points of a sentence within which the verb of its main clause stands."""
_NEAR = 120
"""Code points between a participle and the time that its act is done at."""


def find_practice(
    text: str, start: int, end: int, names: frozenset[str] = frozenset(), predicate: int = ANYWHERE
) -> tuple[Cue, Subject] | None:
    """The duty that a sentence tells in the present tense, as a cue without words of force and its subject.

    Somebody who can act does something ("The manager signs"), or it is done by somebody or at set times ("Keys are changed
    each year"). What somebody knows, has, wants or says is no act; neither is a state that nobody brings about.

    Args:
        text: the text.
        start: first code point of the sentence.
        end: one past its last.
        names: words that the document writes with a capital wherever they stand.
        predicate: where the verb has to begin, with a capital as it may be; unless given, wherever it stands.

    Returns:
        The cue stands before the verb and is empty; over "do not" in a prohibition, over the auxiliary in a passive.
    """
    stop = _STOP.search(text, max(start, predicate), end)
    limit = stop.start() if stop else end
    found = _candidates(text, start, limit) if predicate == ANYWHERE else _at(text, predicate, limit)
    for cue in found:
        subject = find_subject(text, start, cue.start, first=True)
        if subject.role != "main" or subject.start >= subject.end:
            continue
        lo, hi = trim(text, subject.start, subject.end, punctuation=True)
        if cue.modality != PRESENT and not has_finite_verb(text, lo, hi):
            return None  # "Officers follow the best practices": the verb of the main clause tells no act
        speaks = _SPEAKERS.match(text, lo, hi) is not None and text[lo:hi] not in _DEPARTMENTS
        if has_finite_verb(text, lo, hi) or (speaks and not _acts(text, lo, hi, cue)):
            continue
        if text[cue.start : cue.end] in ("is", "are"):
            if _is_arranged(text, cue.end, limit, names):
                return cue, subject
        elif is_agent(text[lo:hi], opens=not text[start:lo].strip(" \t\n*#-•("), names=names):
            return cue, subject
    return None


def _acts(text: str, lo: int, hi: int, cue: Cue) -> bool:
    """Whether a house says of itself what it does, or a clause of those before: "We keep records", "If it rings, they answer"."""
    return text[lo:hi].lower() in (("we", "they") if text[lo:hi].islower() else ("we",)) and text[
        cue.start : cue.end
    ] not in ("is", "are")


def acts_told(text: str, cue: Cue, limit: int) -> list[tuple[int, int]]:
    """The acts that the present tense tells of one subject: "signs the form and sends it to the board".

    Args:
        text: the text.
        cue: of :func:`find_practice`.
        limit: one past the predicate.
    """
    if cue.modality != PRESENT or text[cue.start : cue.end] in ("is", "are"):
        return [(cue.end, limit)]
    lo = cue.end + len(text[cue.end : limit]) - len(text[cue.end : limit].lstrip())
    acts = split_coordinated(text, lo, limit)
    acts = acts if len(acts) > 1 else _split_told(text, lo, limit)
    return [(cue.end, acts[0][1]), *acts[1:]]


def _split_told(text: str, lo: int, hi: int) -> list[tuple[int, int]]:
    """Part "signs the form and sends it to the board" where a second verb in the third person with an object of its own begins.

    Args:
        text: the text.
        lo: where the first verb begins.
        hi: one past the predicate.
    """
    first = _WORD_AT.match(text, lo, hi)
    if first is None or not _plain(first["verb"].lower()):
        return [(lo, hi)]
    cuts: list[re.Match[str]] = []
    for match in _AND_TELLS.finditer(text, first.end(), hi):
        begin = cuts[-1].end() if cuts else lo
        own = text[begin : match.start()]
        if (
            _plain(match["verb"])
            and len(own.split()) > 1
            and not _CLAUSE.search(own)
            and own.count("(") == own.count(")")
        ):
            cuts.append(match)
    edges = [lo, *(cut.end() for cut in cuts)]
    return list(zip(edges, [*(cut.start() for cut in cuts), hi], strict=True))


def _candidates(text: str, start: int, limit: int) -> Iterator[Cue]:
    """The verbs in the present that may be that of the main clause, in order."""
    found: list[Cue] = []
    last = min(limit, start + _MOST_BEFORE)
    for match in _NOT.finditer(text, start, last):
        found.append(Cue(match.start(), match.end(), "prohibition", PRESENT, "mandatory", 0.6))
    for match in _PASSIVE.finditer(text, start, last):
        found.append(Cue(match.start(), match.start("act"), "obligation", PRESENT, "mandatory", 0.55))
    for match in _WORD.finditer(text, start, last):
        plain = _verb(text, match, limit)
        if plain and _BEHIND_NOUN.search(text, start, match.start()) is None:
            tells = "state" if _STATES.match(plain) else PRESENT
            found.append(Cue(match.start(), match.start(), "obligation", tells, "mandatory", 0.6))
    return iter(sorted(found, key=lambda cue: cue.start))


def _at(text: str, at: int, limit: int) -> Iterator[Cue]:
    """The verb in the third person at one place: of "The organization:" and "a. Reviews the log"."""
    match = _WORD_AT.match(text, at, limit)
    if match and (plain := _plain(match["verb"].lower())) and not _STATES.match(plain):
        yield Cue(at, at, "obligation", PRESENT, "mandatory", 0.6)


def _verb(text: str, match: re.Match[str], limit: int) -> str:
    """The plain form of a word that is a verb in the present: in the third person, or behind a noun in the plural; "" for none."""
    word = match["verb"]
    plain = _plain(word) if word.endswith("s") and not word.endswith("ss") else word
    if not is_plain_verb(plain) or _OBJECT.match(text, match.end(), limit) is None:
        return ""
    if plain in _NOUNS and not _is_predicate(text, match.end(), limit):
        return ""
    before = max(0, match.start() - _MOST_OF_NOUN), match.start()
    if plain == word and _MANY.search(text, *before) is None and _WE.search(text, *before) is None:
        return ""
    return plain


def _is_predicate(text: str, at: int, limit: int) -> bool:
    """Whether a word that may be a noun, too, is a verb: an object with a determiner follows, or one without in what ends as a
    sentence and has no other verb: "The team patches servers within 7 days."; "The team patches are tested." has one.
    """
    if _DETERMINED.match(text, at, limit) is not None:
        return True
    ends = text[limit : limit + 1] == "."
    return ends and _BARE_OBJECT.match(text, at) is not None and not has_finite_verb(text, at, limit)


def _plain(verb: str) -> str:
    """The plain form of a verb in the third person: "carries", "assesses", "signs"."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    forms = (verb[:-3] + "y",) if verb.endswith("ies") else (verb[:-1], verb[:-2])
    return next((form for form in forms if is_plain_verb(form)), "")


def _is_arranged(text: str, at: int, limit: int, names: frozenset[str]) -> bool:
    """Whether what is done is done by somebody who can act, or at set times: "are held" by itself is a state."""
    act = _PARTICIPLE.match(text, at, limit)
    if act is None or act["verb"] in _ADJECTIVES:
        return False
    agent = by_agent(text, act.end(), limit)
    if agent is not None and is_agent(text[slice(*agent)], opens=False, names=names):
        return True
    return any(
        (each.kind == "frequency" or _SET_TIME.match(text, each.start)) and each.start - act.end() < _NEAR
        for each in divide(text, at, limit)[1]
    )
