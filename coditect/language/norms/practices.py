"""Duties told in the present tense: "The manager signs the form", "Keys are changed every 90 days".

In a policy or a procedure the present says what has to be done; in any other text it says what is. So only a caller that knows the
document's role asks for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.marks import trim
from coditect.language.norms.actors.agents import by_agent, heads, is_agent, is_no_person, known_to_act
from coditect.language.norms.cues import Cue
from coditect.language.norms.imperatives import is_plain_verb, split_coordinated
from coditect.language.norms.limits.adjuncts import divide
from coditect.language.norms.limits.commas import comma_at
from coditect.language.norms.limits.openings import Adjunct
from coditect.language.norms.limits.periods import COUNT, UNIT
from coditect.language.norms.parts import NEGATIVE
from coditect.language.norms.subjects import Subject, find_subject
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = ["ANYWHERE", "PRESENT", "Practice", "find_practice", "practised"]

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
    rf"|him|her|them|what|which|how|{read_table('numbers').pattern('common')}|\d+)(?![\w-])|\s+[\[{{“\"]",
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
_YOURS = deferred(r"\byou(?:rs?)?\b", _I)
_WE_LAST = deferred(r"\swe\Z", _I)  # "The data we use": a relative clause without its pronoun
_ONLY_WHO = deferred(
    r"only\s+(?:the|an?|authori[sz]ed|trained|qualified|licensed|certified|competent|those|members|staff|persons?|people|[a-z]+s)\b",
    _I,
)
_NO_ONE = deferred(r"no\s+one\b", _I)
# "New starters who work nights get ...", "Two marshals per floor keep ...": the verb agrees with the plural before.
_MANY_TOLD_OF = deferred(
    r"[a-z]{2,}(?<!s)s\s+(?:(?:who|that|which)\s[^,;.:]{2,100}|per\s+\w+|from\s+outside|of\s+(?:[a-z]+\s+){0,2}[a-z]+)\s+\Z|\bwe\s+\Z",
    _I,
)
_OF_WHOM = deferred(r"\s+(?:who|that|which)\s", _I)
_WITH_PREPOSITION = deferred(
    r"\s+(?:to|into|at|by|in|on|over|round|around|after|through|up|with|for|from|out|off|down)\s"
)
_JOINT = deferred(
    r",|\s(?:and|or|but|who|which|that|what|if|when|where|wherever|before|after|until|unless|while|because|so|as|than)\s"
)
# "The notice goes to the Agency within 48 hours": a paper that is sent, whatever act it is called by.
_GOES_TO = deferred(r"\s*(?:goes|go)\s+(?:(?:back|out|up|on|over|by\s+\w+)\s+)?to\s", _I)
# "The permit is valid for 12 hours": how long it may be used.
_VALID = deferred(
    rf"\b(?P<be>is|are)\s+(?:only\s+)?(?:valid|good|current|usable)\s+(?:only\s+)?(?:for|until)\s+(?:at\s+most\s+|up\s+to\s+|no\s+more\s+than\s+|a\s+maximum\s+of\s+)?{COUNT}\s+(?:{UNIT}|shifts?)\b",
    _I,
)
_SET_TIME = deferred(r"(?:within|for|no\s+later\s+than|not\s+later\s+than|at\s+the\s+latest)\b", _I)
# "after 10 years" says when, "after the meeting" only behind what; so a figure must stand in it.
_FIGURE = deferred(rf"\d|\b(?:{read_table('numbers').pattern('common')}|half)\b", _I)
_AFTER = deferred(rf"after\s+{COUNT}\s+{UNIT}\b", _I)
# The subject from its determiner or number on; what stands between "the" and a verb ends with who acts.
_CLAUSE_FIRST = deferred(
    r"(?:\A|(?<=[.;,:\n]\s)|(?<=\n)|^)\W*(?P<np>(?:(?:the|an?|each|every|one|two|three|four|all|any|both|our|its|their|outside|no)\s+)(?:[\w’'-]+\s+){0,3}?[\w’'-]+)\s+\Z",
    _I | re.MULTILINE,
)
_CLAUSE_BEFORE = deferred(
    r"\W*(?:if|when|whenever|where|once|as\s+soon\s+as|unless|while|whilst|although|because|since)\s", _I
)
_LAST_WORD = deferred(r"[a-z]+\Z")
_FIRST_VERB = deferred(r"[a-z]+s(?=\s)")
_AND_VERB = deferred(
    r"(?:,\s+(?:and\s+(?:then\s+)?)?|\s+and\s+(?:then\s+)?)(?=(?P<verb>[a-z]+(?<!s)s)\s+(?:the|an?|that|him|her|it|them|all|each|every|any|its|their|his|nothing|whether|who|what)\b)"
)
# Behind such a word the second verb may belong to its clause: "checks that the pump runs and holds the pressure".
_WITHIN = deferred(r"\b(?:who|which|that|what|whether|how)\b")
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
    each year"). What somebody knows, has, wants or says is no act; neither is a state that nobody brings about. What a thing of the
    house does, and what "we" do, counts at set times alone: "Drums leave the yard within 90 days". What nobody does is forbidden.

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
    clause = _CLAUSE_BEFORE.match(text, start, limit) if predicate == ANYWHERE else None
    behind = comma_at(text, clause.end(), limit) if clause else limit
    valid = _VALID.search(text, start, limit) if predicate == ANYWHERE else None
    if valid is not None:
        be = Cue(valid.start("be"), valid.end("be"), "obligation", PRESENT, "mandatory", 0.55)
        own = find_subject(text, start, be.start, first=True)
        named = own.role == "main" and own.start < own.end and not has_finite_verb(text, own.start, own.end)
        return (be, own) if named else None
    for cue in found:
        if cue.modality != PRESENT and cue.start < behind < limit:
            continue  # "If the driver has gone home, the manager phones him": no verb of the main clause
        subject = find_subject(text, start, cue.start, first=True)
        if subject.role != "main" or subject.start >= subject.end:
            continue
        lo, hi = trim(text, subject.start, subject.end, punctuation=True)
        if cue.modality != PRESENT and not has_finite_verb(text, lo, hi):
            return None  # "Officers follow the best practices": the verb of the main clause tells no act
        if has_finite_verb(text, lo, hi) or _WE_LAST.search(text, lo, hi):
            continue
        passive = text[cue.start : cue.end] in ("is", "are")
        name, opens = text[lo:hi], not text[start:lo].strip(" \t\n*#-•(")
        if _SPEAKERS.match(name) and name not in _DEPARTMENTS:
            if passive or not _is_of_house(name) or _YOURS.search(text, cue.end, limit):
                continue  # "We collect your name" is told to a reader, who is not bound
            return cue, subject
        if passive and _is_arranged(text, cue.end, limit, names):
            return _denied(cue, name), subject
        if not passive and _acts(text, cue, name, limit, names, opens=opens):
            return _denied(cue, name), subject
    return None


def _is_of_house(name: str) -> bool:
    """Whether a house says of itself what it does, or a clause of those before: "We keep records", "If it rings, they answer"."""
    return name.lower() in (("we", "they") if name.islower() else ("we",))


def _denied(cue: Cue, name: str) -> Cue:
    """The cue as "nobody" and "no driver" turn it, forbidden to all, and "only the fitter": leave to him, and to nobody else."""
    if _ONLY_WHO.match(name) and cue.kind == "obligation":
        return replace(cue, kind="permission", strength="optional")
    return replace(cue, kind="prohibition") if NEGATIVE.match(name) else cue


def _acts(text: str, cue: Cue, name: str, limit: int, names: frozenset[str], *, opens: bool) -> bool:
    """Whether a subject has to do what its verb tells: it can act, or is a thing of the house that does it at set times."""
    if _NO_ONE.match(name) or is_agent(name, opens=opens, names=names):
        return True
    own = heads(_OF_WHOM.split(name, maxsplit=1)[0])
    if _OF_WHOM.search(name) and any(is_agent(each, opens=opens, names=names) for each in own):
        return True
    moved = _GOES_TO.match(text, cue.end, limit) is not None
    return cue.kind == "obligation" and (moved or not is_no_person(name)) and _is_timed(text, cue.end, limit)


def _is_timed(text: str, at: int, limit: int) -> bool:
    """Whether an act is done at set times: again and again, or by the end of a time that has a figure."""
    return any(
        each.kind == "frequency" or (_is_set(text, each.start) and _FIGURE.search(text, each.start, each.end))
        for each in divide(text, at, limit)[1]
        if each.kind in ("frequency", "deadline", "duration") and each.start - at < _NEAR
    )


def _is_set(text: str, at: int) -> bool:
    return _SET_TIME.match(text, at) is not None


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
    many = _MANY.search(text, max(0, match.start() - _MOST_OF_NOUN), match.start()) is not None
    told = _MANY_TOLD_OF.search(text, max(0, match.start() - _NEAR), match.start())
    before = max(0, match.start() - _MOST_OF_NOUN), match.start()
    we = (told is not None and told[0].strip().lower() == "we") or _WE.search(text, *before) is not None
    if plain == word and not many and not we and (told is None or plain in _NOUNS):
        return ""
    if plain in _NOUNS and not we and not (_is_predicate(text, match.end(), limit) or _is_of_agent(text, match, limit)):
        return ""
    return plain


def practised(
    text: str, cue: Cue, subject: Subject, limit: int
) -> Iterator[tuple[Cue, Subject, tuple[int, int], Subject | None]]:
    """The acts of a duty in the present tense, each with its cue, its subject, its place and the subject whose opening it shares.

    "The guard counts heads within 10 minutes and tells the brigade" has two: the second verb has its own object.

    Args:
        text: the text.
        cue: the cue that was found.
        subject: its subject.
        limit: one past the predicate.
    """
    first = _FIRST_VERB.match(text, cue.end, limit)
    cuts = list(_AND_VERB.finditer(text, first.end(), limit)) if first and _plain(first[0]) else []
    cuts = [each for each in cuts if _plain(each["verb"]) and not _WITHIN.search(text, cue.end, each.start())]
    cuts = [each for each in cuts if not _waits(text, cue.end, each.start())]
    acts = (
        [(cue.end, limit)]
        if cuts or first or cue.modality != PRESENT
        else split_coordinated(text, _behind(text, cue), limit)
    )
    stops = [*(each.start() for each in cuts), limit] if cuts else [hi for _, hi in acts]
    yield cue, subject, (cue.end, stops[0]), None
    for at, stop in zip([each.end() for each in cuts] or [lo for lo, _ in acts[1:]], stops[1:], strict=True):
        yield replace(cue, start=at, end=at), replace(subject, clause=at), (at, stop), subject


def _behind(text: str, cue: Cue) -> int:
    """Where the verb begins behind its cue."""
    return cue.end + len(text[cue.end :]) - len(text[cue.end :].lstrip())


def _waits(text: str, lo: int, at: int) -> bool:
    """Whether the verb in front of a joint has its object behind it: "signs and returns the form", "finds, tracks and reports"."""
    word = _LAST_WORD.search(text, max(lo, at - _MOST_OF_NOUN), at)
    return (
        word is not None
        and (word.start() == lo or text[word.start() - 2 : word.start()] == ", ")
        and bool(_plain(word[0]))
    )


def _is_of_agent(text: str, match: re.Match[str], limit: int) -> bool:
    """Whether a word that may be a noun stands behind who acts, and its clause has no other verb.

    "The guard counts heads and", "One man stands at the gate", "Outside workers walk to point C".
    """
    begin = _CLAUSE_FIRST.search(text, max(0, match.start() - _MOST_OF_NOUN), match.start())
    if begin is None or known_to_act(begin["np"]) is not True:
        return False
    if match["verb"].endswith("s") == begin["np"].endswith("s"):
        return False  # "staff reports", "workers walks": no agreement
    joint = _JOINT.search(text, match.end(), limit)
    stop = joint.start() if joint else limit
    if has_finite_verb(text, match.end(), stop) or not _ends(text, limit):
        return False
    follows = _BARE_OBJECT.match(text, match.end()) or _WITH_PREPOSITION.match(text, match.end())
    return follows is not None and not text[stop : stop + 5].strip().startswith(("is", "are"))


def _is_predicate(text: str, at: int, limit: int) -> bool:
    """Whether a word that may be a noun, too, is a verb: an object with a determiner follows, or one without in what ends as a
    sentence and has no other verb: "The team patches servers within 7 days."; "The team patches are tested." has one.
    """
    if _DETERMINED.match(text, at, limit) is not None:
        return True
    return _ends(text, limit) and _BARE_OBJECT.match(text, at) is not None and not has_finite_verb(text, at, limit)


def _ends(text: str, limit: int) -> bool:
    """Whether a clause ends as a sentence does, also behind a sign of one letter: "walk to point C."."""
    return "." in text[max(0, limit - 1) : limit + 1]


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
        (each.kind == "frequency" or _is_set(text, each.start) or _is_after(text, each))
        and each.start - act.end() < _NEAR
        for each in divide(text, at, limit)[1]
    )


def _is_after(text: str, each: Adjunct) -> bool:
    """Whether a time says after how long something is done: "after 10 years"."""
    return each.kind == "deadline" and _AFTER.match(text, each.start, each.end) is not None
