"""Whether words of force bind somebody where they stand, and with which force: effects, possibilities and reports bind nobody."""

from __future__ import annotations

import re
from dataclasses import replace

from coditect.language.norms.actors.acting import can_act
from coditect.language.norms.actors.agents import is_agent
from coditect.language.norms.cues import Cue
from coditect.language.norms.inversion import is_grant
from coditect.language.norms.limits.before_verb import act_behind
from coditect.language.norms.meanings.denials import NEGATED, NEVER, NONE, as_exempt, freed, negated
from coditect.language.norms.meanings.effects import is_effect
from coditect.language.norms.meanings.possibilities import BEFALLS, comes_about, is_possibility
from coditect.language.norms.meanings.reports import PROVISION, is_no_act, is_report
from coditect.language.norms.parts import NEGATIVE, PARTICIPLE
from coditect.language.norms.subjects import Subject
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = ["revise"]

_I = re.IGNORECASE
_EFFECTS = read_table("effects")
_ASIDE = deferred(r"\s*,\s[^,;]{2,200},\s+(?=be\s)")
_NOT_ALL = deferred(r"not\s+(?:all|every\w*|each)\b", _I)
_PERHAPS = deferred(r"\b(?:may|might|could|can)\s+(?:(?:also|then|someday|\w+ly)\s+)?(?:be\s+)?(?=[a-z]+\s+to\b)", _I)
_BARE_PRONOUN = deferred(r"\s*(?:this|that|these|those|it|such)\s*", _I)
_OPINION = quick(
    r"\b(?:we|I|they)\s+(?:\w+ly\s+)?(?:believe|think|feel|hope|know|recogni[sz]e)\s+(?:that\s+)?[^,;.:]{0,80}\Z", _I
)
# Who takes note of what another may do consents to it.
_CONSENTS = deferred(
    r"(?:\b[Yy]ou|\b[Pp]art(?:y|ies)|\b[Uu]sers?|\b[Cc]ustomers?|\b[A-Z]\w+)\s+(?:\w+ly\s+|hereby\s+|further\s+|also\s+)?(?:acknowledges?|understands?|accepts?)"
    r"(?:\s+and\s+\w+)?\s+that\s+\Z"
)
_HOLDINGS = ("has the right to", "is entitled to", "is permitted to", "is not permitted to", "is not required to")
_REPRESENTED = deferred(
    r"\b(?:represents?|warrants?|guarantees?|certif(?:y|ies))\b[^.;]{0,80}?\bthat\b[\s:,]*(?:\(\w{1,3}\)\s*)?(?:[^.;]{0,400}?\b(?:and|or)\s+(?:\(\w{1,3}\)\s*)?(?:that\s+)?)?\Z",
    _I,
)
_TELLS = deferred(
    r"\s*(?:also\s+)?(?:be\s+in\s+(?:writing|accordance|the\s+form)|exceed|include|contain|specify|state|describe|identify|set\s+(?:out|forth))\b",
    _I,
)
# "we cannot predict": what nobody can do is forbidden to nobody.
_HELPLESS = deferred(
    r"\s*(?:be\s+(?:more|certain|sure|assured|guaranteed|overstated|ruled)|(?:accurately\s+|fully\s+)?(?:predict|guarantee|assure|foresee|emphasi[sz]e|overstate|know|help|rule\s+out))\b",
    _I,
)
_PART = deferred(
    r"(?:(?:the|this|that)\s+)?(?:(?:sub-?)?(?:section|paragraph|rule|regulation|clause|article)s?\s+[\d(][\w().-]*(?:\s*(?:,|and|or|to)\s*[\d(][\w().-]*)*"
    r"|this\s+(?:part|division|subdivision|chapter|(?:sub)?section|(?:sub)?paragraph|SLA|agreement)|(?:the\s+)?(?:preceding|foregoing|above|previous)\s+\w+|(?:the\s+)?aforementioned)",
    _I,
)
_ALONE = deferred(r"(?:an?|the|any|such|this|that|its|his|her|their)", _I)
_AS_OR_SUCH = deferred(
    r"\A\W*as\s+(?:the|it|he|she|they|any|such)\b[\w\s-]{0,40}\Z|\bsuch\s+(?:[\w-]+\s+){1,5}that\s+\Z"
)
_NOT_WARRANTED = deferred(
    r"\b(?:not|no|nor|neither|never|disclaims?)\b[^.;]{0,60}?\b(?:warrant|guarantee|represent|promise)(?:s|y|ies|ations?)?\b[^.;]{0,60}?\bthat\b[^.;]*\Z",
    _I,
)
_KNOWN = deferred(rf"\b(?:{_EFFECTS.pattern('knowing')})\s+(?:\w+ly\s+)?that\s+\Z", _I)
_EXPECTED_THAT = deferred(r"\bexpect(?:s|ed)?\s+that\s+\Z", _I)
_LIKELY = deferred(r"\s*(?:also\s+|\w+ly\s+)*(?:help|benefit|result|lead|mean|contribute)\b", _I)
_EVIDENT = deferred(r"\s*be\s+(?:clear|apparent|evident|obvious|familiar|straightforward)\b", _I)
# "There shall be a Treasurer, who is responsible for": the relative clause is what is laid down.
_THERE_IS = deferred(r"[\W\d]*There\s+(?:shall|must|will|is|are)\b", _I)
_OPEN_LIST = deferred(r"\s*be\s+limited\s+to\b", _I)
_HOLDS = deferred(
    r"\s*(?:also\s+|\w+ly\s+)?(?:include|contain|state|specify|set\s+out|describe|identify|list|exceed|bear|comply)\b",
    _I,
)
_BINDING = deferred(r"(?:shall|must)\s")
_FOLLOWING = deferred(r"\s*(?:only\s+)?(?:the\s+following|these)\b", _I)
_NO_THING = deferred(r"\s*(?:that\s+)?(?:it|this|they|there)?\s*", _I)
_RECEIVE = deferred(
    r"\s*(?:also\s+)?(?:receive|have\s+(?:full\s+|free\s+)?access\s+to|have\s+(?:all|the\s+same|equal)\s+(?:\w+\s+)?rights)\b",
    _I,
)


def revise(text: str, start: int, end: int, cue: Cue, subject: Subject, names: frozenset[str]) -> Cue | None:
    """The cue as its clause makes it: negated by "no employee", weaker in relative clauses, None if it binds nobody."""
    name = text[subject.start : subject.end]
    if subject.role == "subordinate" or (
        subject.role == "relative"
        and cue.modality not in ("shall", "must", "shall not", "must not")
        and not _BINDING.match(text, cue.start)
        and not _THERE_IS.match(text, start, cue.start)
    ):
        return None
    if cue.modality == "requires" and not PROVISION.match(name.strip()) and NONE.match(name):
        # "Nothing in this chapter requires a member to": the member is free.
        return replace(cue, kind="permission", modality="is not required to", strength="optional", confidence=0.85)
    if _binds_nobody(text, start, cue, name):
        return None
    before = text[max(start, subject.start - 60) : subject.start]
    agent = bool(name) and (
        is_agent(name, opens=_opens(text, start, subject), names=names)
        or (cue.modality.split()[0] in NEGATED and subject.role != "relative" and _acts(text, end, cue, name))
    )
    if cue.modality in ("may", "will", "cannot") and _KNOWN.search(before):
        granted = agent and cue.modality == "may" and _CONSENTS.search(before) and not BEFALLS.match(text, cue.end, end)
        if not granted:
            return None  # "it is recognised that banks may": what is known binds nobody
    if agent and cue.modality in ("may", "will", "should", "has to") and _EXPECTED_THAT.search(before):
        return replace(cue, kind="obligation", modality="is expected to", strength="recommended", confidence=0.75)
    if is_report(text, start, cue, name) or is_no_act(text, start, end, cue, name, agent=agent):
        return None
    word = cue.modality.split()[0]
    modal = word in NEGATED
    if modal and name and NONE.match(name):
        return freed(text, end, cue)
    warranted = cue.modality in _HOLDINGS or (not agent and cue.modality in ("will", "will not"))
    if warranted and _REPRESENTED.search(text, start, subject.start):
        return None  # "represents that it has the right to enter into this Agreement": how things are
    aside = _ASIDE.match(text, cue.end, end)
    if modal and is_effect(text, end, replace(cue, end=aside.end()) if aside else cue, name, agent=agent):
        return None
    if (turned := negated(text, end, cue, name)) is not None:
        return turned
    passive = PARTICIPLE.match(text, aside.end() if aside else cue.end, end) is not None
    inverted = word == "may" and NEVER.search(text, start, cue.start) is not None
    if word == "may" and not inverted and is_possibility(text, end, cue, subject, name, agent=agent, passive=passive):
        return None
    if subject.role == "relative" and not agent:
        # "at the rate in the schedule, which shall be agreed each year", "a plan, which shall include a map": behind a comma a
        # clause of its own
        binding = _BINDING.match(text, cue.start) is not None
        apart = (passive or _HOLDS.match(text, cue.end)) and binding and text.startswith(",", subject.end)
        return replace(cue, confidence=cue.confidence - 0.2) if apart else None
    less = 0.2 if subject.role == "relative" else 0.0
    return _as_said(text, (start, end), cue, name, agent=agent, passive=passive, less=less)


_SURE = 2.5
"""Log-odds above which a subject that no table knows makes a norm of its clause, and not only its holder."""

_COME_ABOUT = [[verb] for verb in (*_EFFECTS.words("possibilities"), "be", "have")]


def _acts(text: str, end: int, cue: Cue, name: str) -> bool:
    """Whether a subject that no table knows can act, for all that its name and the verb behind the cue tell; no passive does."""
    if PARTICIPLE.match(text, cue.end, end):
        return False
    act = text[act_behind(text, cue.end, end) or cue.end : end].lstrip()
    comes_about = act.split(maxsplit=1)[:1] in _COME_ABOUT
    return not comes_about and can_act(name, act, cue.modality, margin=_SURE)


def _binds_nobody(text: str, start: int, cue: Cue, name: str) -> bool:
    """Whether the words of a cue, its subject or an opinion in front say that nobody is bound."""
    said = text[cue.start : cue.end]
    return (
        (cue.modality == "is responsible for" and " any " in said and not NEGATIVE.match(name))
        or (cue.modality in ("is recommended", "is not recommended") and _NO_THING.fullmatch(name) is not None)
        # "The following changes are permitted:" only points to its items
        or (cue.modality == "is permitted" and _FOLLOWING.match(name) is not None)
        # "neither party grants any licence"
        or (
            (is_grant(said) or said.rstrip().endswith(("authorizes", "authorises")))
            and bool(NEGATIVE.match(name) or PROVISION.match(name.strip()))
        )
        # "shall address, but need not be limited to": the list is open
        or (cue.modality == "is not required to" and _OPEN_LIST.match(text, cue.end) is not None)
        # "Not every question needs to be answered"
        or _NOT_ALL.match(name) is not None
        # "Subsection (6) does not apply to": where a part of this text applies
        or (cue.modality == "does not apply" and _PART.fullmatch(name) is not None)
        # "A promise to pay": a noun
        or (cue.modality == "agrees to" and _ALONE.fullmatch(name) is not None)
        # "as the department may require", "such other means that the board may allow"
        or (cue.modality == "may" and _AS_OR_SUCH.search(text[start : cue.start].removesuffix(f"{name} ")) is not None)
        # "We do not warrant that the service will be free of errors"
        or (cue.modality in ("will", "may") and _NOT_WARRANTED.search(text, start, cue.start) is not None)
        # "we believe privacy should come first"
        or _OPINION.search(text, max(start, cue.start - 140), cue.start) is not None
    )


def _as_said(
    text: str, clause: tuple[int, int], cue: Cue, name: str, *, agent: bool, passive: bool, less: float
) -> Cue | None:
    """The cue as what follows it, and who is named, make it, so much less sure where it stays; None where nobody is bound."""
    start, end = clause
    word = cue.modality.split()[0]
    if cue.kind == "obligation" and _PERHAPS.search(text, max(start, cue.start - 16), cue.end + 3):
        return None  # "may be required to"
    if word == "cannot" and _HELPLESS.match(text, cue.end, end):
        return None
    if comes_about(text, end, cue, name, agent=agent):
        return None
    if word in ("will", "shall") and cue.kind == "obligation" and agent and _RECEIVE.match(text, cue.end, end):
        return replace(cue, kind="permission", modality="is entitled to", strength="optional")
    if cue.modality == "should" and not agent and _EVIDENT.match(text, cue.end, end):
        return None  # "the construction should be clear from the context"
    if cue.modality == "should" and not agent and _LIKELY.match(text, cue.end, end):
        return None  # "the measures should help us"
    if cue.kind == "prohibition" and (word in NEGATED or word == "cannot"):
        cue = as_exempt(text, end, cue)
    if word in ("will", "cannot") and not agent and not NEVER.search(text, start, cue.start):
        tells = passive or _TELLS.match(text, cue.end, end) is not None
        told = tells and word == "will" and name and not _BARE_PRONOUN.fullmatch(name)
        return replace(cue, confidence=0.55) if told else None
    if cue.modality in ("has to", "agrees to", "has the right to") and not name:
        return None
    return replace(cue, confidence=cue.confidence - less) if less else cue


def _opens(text: str, start: int, subject: Subject) -> bool:
    """Whether a subject begins its sentence but for signs, so that its first capital proves nothing."""
    return not text[start : subject.start].strip(" \t\n*#-•(")
