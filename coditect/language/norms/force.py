"""Whether words of force bind somebody where they stand, and with which force: effects, possibilities and reports bind nobody."""

from __future__ import annotations

import re
from dataclasses import replace

from coditect.language.norms.agents import is_agent
from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.norms.modality import LEAVE, Cue, NormKind
from coditect.language.norms.parts import NEGATIVE, PARTICIPLE
from coditect.language.norms.subjects import Subject
from coditect.language.tables import read_table
from coditect.schemas.tier1.data import Strength

__all__ = ["NEGATED", "NEVER", "NONE", "OTHERS", "advised", "as_exempt", "revise"]

_I = re.IGNORECASE
_EFFECTS, _MODALITY = read_table("effects"), read_table("modality")
_STATE = rf"\s*(?:(?:{_EFFECTS.pattern('adverbs_of_effect')})\s+){{0,3}}"
# What is so by force of the text, whoever is named: nobody has to act.
_DECLARED = re.compile(
    _STATE + rf"(?:be\s+(?:(?:\w+ly|also|not|so|then)\s+){{0,2}}(?:{_EFFECTS.pattern('declared_states')})\b"
    r"|mean\b|have\s+the\s+(?:(?:same|respective|following|corresponding)\s+){0,2}meanings?|constitute|survive|inure"
    r"|have\s+(?:no|any)\s+(?:further\s+|legal\s+)*(?:effect|force)|have\s+(?:\w+\s+)?jurisdiction)",
    _I,
)
# Of these what no duty can be about: words have their meaning, and rules their effect.
_DECLARED_ALWAYS = re.compile(
    _STATE
    + r"(?:be\s+(?:\w+ly\s+)?(?:deemed|construed|interpreted|null|void|severable|cumulative)\b|mean\b|constitute|survive|inure)",
    _I,
)
# The same of things, but an act when a person does it: "Supplier shall terminate", "the term shall terminate".
_DECLARED_OF_THINGS = re.compile(
    _STATE + rf"(?:{_EFFECTS.pattern('effects_of_things')}|(?:{_EFFECTS.pattern('events')})\b"
    r"|(?:remain|stay)\s+(?:in|the|liable|unchanged|subject|effective)\b|refer\s|be\s+(?:the|an?|for)\b)",
    _I,
)
_POSSIBLE = re.compile(
    r"\s*(?:also\s+|still\s+|not\s+|otherwise\s+|reasonably\s+|from\s+time\s+to\s+time\s+|only\s+)*"
    rf"(?:{_EFFECTS.pattern('possibilities')}|(?:include|need|have|lose)\b|lead\s"
    rf"|be\s+(?:{_EFFECTS.pattern('possible_states')}|(?:a|an|the|in|at)\b))",
    _I,
)
_UNABLE = re.compile(r"\s*(?:always\s+)?(?:be\s+(?:able|aware|sufficient|available|possible|successful)|succeed)\b", _I)
_PERHAPS = re.compile(r"\b(?:may|might|could|can)\s+(?:(?:also|then)\s+)?(?:be\s+)?(?=[a-z]+\s+to\b)", _I)
NONE = re.compile(r"(?:nothing|none|no\s+(?:provision|term|section|part))\b", _I)
OTHERS = r"(?P<np>(?:[\w'’{}.-]+\s+){1,6}?)"
_ALSO = r"\s*(?:(?:also|still)\s+)*"
# What happens even to those who act, without their doing.
_BEFALLS = re.compile(rf"{_ALSO}(?:be|have|need|incur|suffer|become|lose|persist|experience|encounter)\b", _I)
# What a text tells its reader to be ready for; of anybody else "may see", "may continue to receive" is leave.
_READER = re.compile(r"\s*you\s*", _I)
_IT_IS = re.compile(r"(?:is|['’]s)\s+(?:\w+\s+)?(?:\w+)(?:\s+that)?(?=\s)")
_WORD = re.compile(r"[\w'’()-]+")
_ALSO_NOUNS = frozenset(read_table("base_verbs").words("also_nouns"))
_MOST_OF_HOLDER = 9
_BARE_PRONOUN = re.compile(r"\s*(?:this|that|these|those|it|such)\s*", _I)
_OPINION = re.compile(
    r"\b(?:we|I|they)\s+(?:\w+ly\s+)?(?:believe|think|feel|hope|know|recogni[sz]e)\s+(?:that\s+)?[^,;.:]{0,80}\Z", _I
)
# Who takes note of what another may do consents to it.
_CONSENTS = re.compile(
    r"(?:\b[Yy]ou|\b[Pp]art(?:y|ies)|\b[Uu]sers?|\b[Cc]ustomers?|\b[A-Z]\w+)\s+(?:\w+ly\s+|hereby\s+|further\s+|also\s+)?(?:acknowledges?|understands?|accepts?)"
    r"(?:\s+and\s+\w+)?\s+that\s+\Z"
)
_READER_LAST = re.compile(r"\byou\s*\Z", _I)
_FINDS = re.compile(rf"{_ALSO}(?:find|see|notice|learn|discover|hear|know|need(?!\s+to\b))\b", _I)
_GETS = re.compile(
    rf"{_ALSO}(?:receive|see|find|notice|get|qualify|have|always|like|want|know|realise|realize|benefit)\b", _I
)
_MEETS = re.compile(
    rf"{_ALSO}(?:see|hear|notice|continue\s+to\s+(?:be|have|hear|notice|receive|see|experience|encounter))\b", _I
)
# "It may take up to ten days": a time, and not what anybody takes.
_IT = re.compile(r"\s*it\s*", _I)
_LASTS = re.compile(
    rf"{_ALSO}take\s+(?:longer\b|(?:up\s+to\s+|about\s+|at\s+least\s+|some\s+|several\s+|a\s+few\s+|[\w()-]+\s+){{1,4}}"
    r"(?:time|minutes?|hours?|days?|weeks?|months?|years?)\b)",
    _I,
)
_NOTHING_DOES: tuple[tuple[re.Pattern[str], NormKind, str, Strength], ...] = (
    (
        re.compile(
            rf"\s*(?:be\s+(?:construed|deemed|interpreted)\s+(?:so\s+as\s+)?to\s+(?:[^;.]{{0,80}}?\bto\s+)?)?(?:require|oblige|obligate|compel)s?\s+{OTHERS}to\s+",
            _I,
        ),
        "permission",
        "is not required to",
        "optional",
    ),
    (
        re.compile(
            rf"\s*(?:be\s+(?:construed|deemed|interpreted)\s+(?:so\s+as\s+)?to\s+)?(?:prevent|prohibit|preclude|restrict|bar|limit)s?\s+{OTHERS}from\s+",
            _I,
        ),
        "permission",
        "is not prevented from",
        "optional",
    ),
    (
        re.compile(
            rf"\s*(?:\w+\s+or\s+)?(?:limit|affect|restrict|impair|prejudice|diminish|abridge|reduce|fetter|derogate\s+from)s?\s+{LEAVE}(?:\s+of\s+{OTHERS})?\s*to\s+",
            _I,
        ),
        "permission",
        "is not prevented from",
        "optional",
    ),
    (
        re.compile(rf"\s*(?:give|grant|confer\s+on)s?\s+{OTHERS}(?:the|any|a)\s+rights?\s+to\s+", _I),
        "prohibition",
        "has no right to",
        "mandatory",
    ),
)
_HOLDINGS = ("has the right to", "is entitled to", "is permitted to", "is not permitted to", "is not required to")
_REPRESENTED = re.compile(
    r"\b(?:represents?|warrants?|certif(?:y|ies))\b[^.;]{0,80}?\bthat\b[\s:,]*(?:\(\w{1,3}\)\s*)?(?:[^.;]{0,400}?\b(?:and|or)\s+(?:\(\w{1,3}\)\s*)?(?:that\s+)?)?\Z",
    _I,
)
_LIABILITY = re.compile(r"\bliabilit(?:y|ies)\b", _I)
_AIM = re.compile(
    r"\b(?:aims?|goals?|missions?|objectives?|intent|intention|ambition|vision|purposes?|idea|hope|plan|point|trick|challenge)\s+\Z",
    _I,
)
_PURPOSES = re.compile(r"\b(?:purposes?|objects|objectives|aims)\b", _I)
_LIMITED = re.compile(r"\s*be\s+limited\b", _I)
_NOTHING = re.compile(r"(?:nothing|there|this\s+(?:section|agreement|policy|part|article|paragraph))\b", _I)
# A report of what another provision lays down: "Rule 4 requires banks to", "Under section 9 of the Act the office may".
_PROVISION = re.compile(
    r"(?:[A-Z]{2,6}\s+)?(?:Rules?|Sections?|Articles?|Regulations?|Parts?|Chapters?|Paragraphs?|Appendix|Schedules?|§+)\s+[\dIVX‎]",
    _I,
)
_REPORTED = re.compile(
    r"[\W\d]*Under\s+(?:sections?|rules?|articles?|parts?|chapters?)\s+[\d‎][^,;]{0,80}?\bof\s+(?:the\s+)?[A-Z]"
)
# "Rule 4 requires that a bank must": a report, whatever modal verb it holds.
_REQUIRES_THAT = re.compile(
    r"[\W\d]*(?:\w+,?\s+)?(?:[A-Z]{2,6}\s+)?(?:Rules?|Sections?|Articles?|Regulations?|Paragraphs?|§+)\s+\d[\w.()]*\s+(?:also\s+)?requires?\s+that\b"
)
_ILLUSTRATES = re.compile(r"[\W\d]*Even\s+(?:though|if)\s+[^,]{0,20}\Z")
_MEANS = re.compile(r"[\W\d]*[“\"][^”\"]{2,60}[”\"][^;.]{0,120}?\bmeans\b")
_FOR_EXAMPLE = re.compile(r"[\W\d]*For\s+(?:example|instance)\b", _I)
_EXCEED = re.compile(
    r"\s*(?:\w+ly\s+(?:or\s+\w+ly\s+)?)?(?:exceed|contain|state|suggest|imply|represent|display|disclose|refer|bear|waive|prohibit|be\s+(?:less|more|lower|higher|greater|fewer|later|earlier)\s+than)\b",
    _I,
)
_TELLS = re.compile(r"\s*(?:also\s+)?(?:include|contain|specify|state|describe|identify|set\s+(?:out|forth))\b", _I)
_PAST = re.compile(r"(?:was|were)\b", _I)
_BEHIND_MODAL = re.compile(r"\b(?:shall|must|will|may|might|could|would|should|can|to|what|reasonably)\s*\Z", _I)
_INCLUDE = re.compile(r"\s*(?:not\s+|also\s+)?(?:include|consist|comprise)\b", _I)
_IN_BRACKETS = re.compile(r"\((?:provided|it\s+being|and|or|but|However|The|This|If|In|[a-z]\)|[ivx]+\)|\d\))[^()]*\Z")
_PERFECT = re.compile(r"\s*(?:not\s+)?have\s+(?:been\s+)?(?:\w{3,}ed|become|made|taken|given|done|had)\b", _I)
NEGATED = {modal: f"{modal} not" for modal in _MODALITY.words("modals")}
# "No employee is permitted to": what such words make of the holder is turned around by a negative subject.
_TURNED: dict[str, tuple[NormKind, str, Strength]] = {
    "is permitted to": ("prohibition", "is not permitted to", "mandatory"),
    "is entitled to": ("prohibition", "is not permitted to", "mandatory"),
    "has the right to": ("prohibition", "is not permitted to", "mandatory"),
    "is required to": ("permission", "is not required to", "optional"),
    "is to": ("prohibition", "is not to", "mandatory"),
    "has to": ("permission", "is not required to", "optional"),
}
# "the term public place": a word that is spoken of; the terms of a contract, a term sheet and a term of office are things.
_TERM = re.compile(
    r"\W*(?:the|this)\s+(?:terms?|words?|expressions?|phrases?)\s+(?!(?:of|sheets?|loans?|deposits?)\b)[\"“‘'\w]", _I
)
_COVERS = re.compile(
    rf"(?:{_INCLUDE.pattern}|\s*(?:not\s+|also\s+)?(?:(?:denote|refer|extend|cover|exclude|embrace)\b"
    r"|be\s+(?:understood|read|taken)\s+(?:as|to)\b))",
    _I,
)
# "This Agreement may not be altered except in writing" forbids, whatever it is said of.
_CHANGED = re.compile(
    r"\s*be\s+(?:altered|amended|changed|modified|assigned|transferred|sold|copied|waived|terminated|varied|disclosed|used)\b",
    _I,
)
_IS_WHO = re.compile(
    r"\s*(?:(?i:also|initially)\s+)?be\s+(?:(?i:the)\s+[A-Z]|(?:all|those|any|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\s)"
)
_LIABLE = re.compile(
    r"\s*(?:be|have)\s+(?:held\s+)?(?:(?:any|further|other|personally)\s+)*(?:liab|responsib|obligat|accountab)", _I
)
_NO_ACCOUNT = re.compile(r"\bno\s+account\s+\Z", _I)
# "we cannot predict": what nobody can do is forbidden to nobody.
_HELPLESS = re.compile(
    r"\s*(?:be\s+(?:more|certain|sure|assured|guaranteed|overstated|ruled)|(?:accurately\s+|fully\s+)?(?:predict|guarantee|assure|foresee|emphasi[sz]e|overstate|know|help|rule\s+out))\b",
    _I,
)
_KNOWN = re.compile(rf"\b(?:{_EFFECTS.pattern('knowing')})\s+(?:\w+ly\s+)?that\s+\Z", _I)
_EXPECTED_THAT = re.compile(r"\bexpect(?:s|ed)?\s+that\s+\Z", _I)
_ASKED = re.compile(r"\s*(?P<np>(?:[\w'’{}-]+\s+){1,7}?)to\s+(?=[a-z])")
_LIKELY = re.compile(r"\s*(?:also\s+|\w+ly\s+)*(?:help|benefit|result|lead|mean|contribute)\b", _I)
_CONSIDERED = re.compile(r"\s*be\s+(?:considered|treated|regarded|viewed|seen)\b", _I)
_EVIDENT = re.compile(r"\s*be\s+(?:clear|apparent|evident|obvious|familiar|straightforward)\b", _I)
NEVER = re.compile(rf"\b(?:{_MODALITY.pattern('fronted_negation')})\s*$", _I)
_LOSE = re.compile(r"\s*(?:also\s+|automatically\s+)?(?:lose|(?:not\s+)?count\s+(?:towards?|as)|qualify|fall)\b", _I)
_COUNTS = re.compile(r"\s*(?:count\s+(?:towards?|as)|qualify|fall)\b", _I)
# "There shall be a Treasurer, who is responsible for": the relative clause is what is laid down.
_THERE_IS = re.compile(r"[\W\d]*There\s+(?:shall|must|will|is|are)\b", _I)
_RECEIVE = re.compile(r"\s*(?:also\s+)?receive\b", _I)


def revise(text: str, start: int, end: int, cue: Cue, subject: Subject, names: frozenset[str]) -> Cue | None:
    """The cue as its clause makes it: negated by "no employee", weaker in relative clauses, None if it binds nobody."""
    name = text[subject.start : subject.end]
    if subject.role == "subordinate" or (
        subject.role == "relative"
        and cue.modality not in ("shall", "must", "shall not", "must not")
        and not _THERE_IS.match(text, start, cue.start)
    ):
        return None
    if cue.modality == "requires" and not _PROVISION.match(name.strip()) and NONE.match(name):
        # "Nothing in this chapter requires a member to": the member is free.
        return replace(cue, kind="permission", modality="is not required to", strength="optional", confidence=0.85)
    before = text[max(start, subject.start - 60) : subject.start]
    if _OPINION.search(text, max(start, cue.start - 140), cue.start):
        return None  # "we believe privacy should come first"
    agent = bool(name) and is_agent(name, opens=_opens(text, start, subject), names=names)
    if cue.modality in ("may", "will", "cannot") and _KNOWN.search(before):
        granted = (
            agent and cue.modality == "may" and _CONSENTS.search(before) and not _BEFALLS.match(text, cue.end, end)
        )
        if not granted:
            return None  # "it is recognised that banks may": what is known binds nobody
    if agent and cue.modality in ("may", "will", "should", "has to") and _EXPECTED_THAT.search(before):
        return replace(cue, kind="obligation", modality="is expected to", strength="recommended", confidence=0.75)
    if _is_report(text, start, cue, name) or _is_no_act(text, start, end, cue, name, agent=agent):
        return None
    word = cue.modality.split()[0]
    modal = word in NEGATED
    if modal and name and NONE.match(name):
        return _freed(text, end, cue)
    if cue.modality in _HOLDINGS and _REPRESENTED.search(text, start, subject.start):
        return None  # "represents that it has the right to enter into this Agreement": how things are
    if modal and _is_effect(text, end, cue, name, agent=agent):
        return None
    if (negated := _negated(text, end, cue, name)) is not None:
        return negated
    passive = PARTICIPLE.match(text, cue.end, end) is not None
    inverted = NEVER.search(text, start, cue.start) is not None
    if word == "may" and not inverted and _is_possibility(text, end, cue, subject, name, agent=agent, passive=passive):
        return None
    if subject.role == "relative" and not agent:
        return None
    if cue.kind == "obligation" and _PERHAPS.search(text, max(start, cue.start - 16), cue.end + 3):
        return None  # "may be required to"
    if word == "cannot" and _HELPLESS.match(text, cue.end, end):
        return None
    if _comes_about(text, end, cue, name, agent=agent):
        return None
    if word == "will" and cue.kind == "obligation" and agent and _RECEIVE.match(text, cue.end, end):
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
    return replace(cue, confidence=cue.confidence - 0.2) if subject.role == "relative" else cue


def _comes_about(text: str, end: int, cue: Cue, name: str, *, agent: bool) -> bool:
    """Whether "will" says what happens to somebody or what he will find, and not what he is to do."""
    reader = _READER_LAST.search(name) is not None
    if cue.modality == "will not":
        if reader and _GETS.match(text, cue.end, end):
            return True  # "you will not receive a refund"
        # "directors will not count towards the quorum", "you will not be able to see it"
        return agent and (_COUNTS.match(text, cue.end, end) or _UNABLE.match(text, cue.end, end)) is not None
    if cue.modality.split()[0] != "will" or cue.kind != "obligation" or not agent:
        return False
    if _UNABLE.match(text, cue.end, end) or _LOSE.match(text, cue.end, end):
        return True  # "you will be able to", "the firm will lose the exemption"
    return reader and _FINDS.match(text, cue.end, end) is not None  # "Here you will find the forms"


def _is_report(text: str, start: int, cue: Cue, name: str) -> bool:
    """Whether a clause tells what another provision lays down, or stands in brackets as an aside."""
    if cue.modality == "requires" and _PROVISION.match(name.strip()):
        return True
    if _REQUIRES_THAT.match(text, start, cue.start) or _ILLUSTRATES.match(text, start, cue.start):
        return cue.modality != "requires"
    if _MEANS.match(text, start, cue.start):
        return True
    if cue.modality in ("will", "has to") and _FOR_EXAMPLE.match(text, start, cue.start):
        return True
    if cue.modality.split()[0] == "may" and _REPORTED.match(text, start, cue.start):
        return True
    opens = text[start : start + 1] == "("  # all of the sentence stands in brackets
    inside = text.count("(", start + opens, cue.start) > text.count(")", start, cue.start)
    return inside and not _IN_BRACKETS.search(text, start, cue.start)


def _is_no_act(text: str, start: int, end: int, cue: Cue, name: str, *, agent: bool) -> bool:
    """Whether words that could bind only tell what is expected, owed to nobody, or counted as what."""
    if cue.modality == "is to" and _AIM.search(text, start, cue.start):
        return True  # "a firm whose mission is to", "our goal is to": what is hoped for
    if cue.modality in ("is to", "is expected to"):
        expects = text[cue.start : cue.end].lower().startswith("expect")
        if name.lower().endswith("account") or _NO_ACCOUNT.search(text, start, cue.start):
            return True  # "no account is to be taken of"
        passive = cue.modality == "is to" and PARTICIPLE.match(" " + text[cue.end : cue.end + 60]) is not None
        if (
            _IT_IS.match(text, cue.start, cue.end + 1)
            and not text.endswith("to", cue.start, cue.end)
            and advised(text, cue, end) is None
        ):
            return True  # "It is important that the firm has a plan"
        if text[cue.end - 1].isspace() and not _asks_somebody(text, cue.end, end):
            return True
        if text.startswith("ought", cue.start):
            return False
        if not (expects or agent or passive) or _PAST.match(text, cue.start):
            return True
        if expects and _BEHIND_MODAL.search(text, start, cue.start):
            return True
    if cue.modality == "is not permitted to" and text[cue.start : cue.end].rstrip().endswith("entitled to"):
        following = re.match(r"\s*([a-z-]+)", text[cue.end : cue.end + 30])
        if following is None or not is_plain_verb(following[1]):
            return True  # "will not be entitled to fees"
    if cue.modality.split()[0] not in ("shall", "will", "may"):
        return False
    if name and cue.kind == "prohibition" and not agent and _INCLUDE.match(text, cue.end, end):
        return True  # "A function shall not include": what counts as what
    return _PERFECT.match(text, cue.end, end) is not None


def _asks_somebody(text: str, at: int, end: int) -> bool:
    """Whether somebody is expected or encouraged to act who can: "encourages users to", not "encourages an approach to"."""
    named = _ASKED.match(text, at, end)
    return named is not None and is_agent(named["np"], opens=False)


def _is_effect(text: str, end: int, cue: Cue, name: str, *, agent: bool) -> bool:
    """Whether a clause says what is so by force of the text, whoever is named."""
    if cue.modality == "should" and _CONSIDERED.match(text, cue.end, end):
        return False  # "should be considered as a sign": how somebody has to see it
    if cue.modality.split()[0] == "must":
        return (
            _DECLARED_ALWAYS.match(text, cue.end, end) is not None
        )  # "must be valid", "must be treated as secret": see that it is
    changed = (cue.kind == "prohibition" or cue.modality == "may") and _CHANGED.match(text, cue.end, end) is not None
    if (_NOTHING.match(name) and not changed) or _DECLARED.match(text, cue.end, end):
        return True
    if _TERM.match(name) and (name.rstrip().endswith(("“", "‘", '"')) or _COVERS.match(text, cue.end, end)):
        return True  # "the term public place shall include streets", "the words “shall” and “will” are used alike"
    if _PURPOSES.search(name) and _INCLUDE.match(text, cue.end, end):
        return True  # "The purposes of the Guild shall include"
    if _LIABILITY.search(name) and _LIMITED.match(text, cue.end, end):
        return True  # "The liability of the agent shall be limited to"
    if agent and _IS_WHO.match(text, cue.end, end):
        return True  # "The signing officers shall be the President and the Treasurer"
    return not agent and _DECLARED_OF_THINGS.match(text, cue.end, end) is not None


def as_exempt(text: str, end: int, cue: Cue) -> Cue:
    """A prohibition as the exemption that it is where what is denied is a liability: "neither party shall be liable"."""
    if cue.kind != "prohibition" or _LIABLE.match(text, cue.end, end) is None:
        return cue
    return replace(cue, kind="permission", modality="is not required to", strength="optional", confidence=0.85)


def _negated(text: str, end: int, cue: Cue, name: str) -> Cue | None:
    """The cue as "no employee" and "neither party" turn it around; None where the subject does not."""
    if not NEGATIVE.match(name):
        return None
    if cue.modality in _TURNED:
        kind, modality, strength = _TURNED[cue.modality]
        return replace(cue, kind=kind, modality=modality, strength=strength)
    word = cue.modality.split()[0]
    if word not in NEGATED or cue.kind == "prohibition":
        return None
    strength = "recommended" if word == "should" else "mandatory"
    negated = replace(cue, kind="prohibition", modality=NEGATED[word], strength=strength, confidence=0.9)
    return as_exempt(text, end, negated)


def _is_possibility(text: str, end: int, cue: Cue, subject: Subject, name: str, *, agent: bool, passive: bool) -> bool:
    """Whether "may" tells of what is possible: "may result in", "such notices may help", "may not be able to"."""
    if cue.kind == "prohibition":
        if _UNABLE.match(text, cue.end, end) or (_READER_LAST.search(name) and _GETS.match(text, cue.end, end)):
            return True
        return bool(name) and not agent and not passive and not _EXCEED.match(text, cue.end, end)
    if cue.kind != "permission" or cue.modality == "may only" or text[cue.start : cue.end] == "MAY":
        return False
    if _POSSIBLE.match(text, cue.end, end) and not (agent and not _BEFALLS.match(text, cue.end, end)):
        return True
    if _READER.fullmatch(name) and _MEETS.match(text, cue.end, end):
        return True
    if _IT.fullmatch(name) and _LASTS.match(text, cue.end, end):
        return True
    return bool(name) and not agent and not passive and subject.role in ("main", "inherited")


def _opens(text: str, start: int, subject: Subject) -> bool:
    """Whether a subject begins its sentence but for signs, so that its first capital proves nothing."""
    return not text[start : subject.start].strip(" \t\n*#-•(")


def advised(text: str, cue: Cue, end: int) -> tuple[int, int] | None:
    """Who has to act by a clause without a finite verb: "it is important that you avoid", "it is recommended all logs be kept"."""
    if _IT_IS.match(text, cue.start) is None or text.endswith("to", cue.start, cue.end):
        return None
    words = list(_WORD.finditer(text, cue.end, end))[:_MOST_OF_HOLDER]
    for number, word in enumerate(words[1:], 1):
        if word[0] in ("be", "not") or (is_plain_verb(word[0]) and (number == 1 or word[0] not in _ALSO_NOUNS)):
            return words[0].start(), words[number - 1].end()
    return None


def _freed(text: str, end: int, cue: Cue) -> Cue | None:
    """What "nothing in this Agreement shall" does: to oblige frees somebody, to forbid permits, to give a right denies it."""
    for pattern, kind, modality, strength in _NOTHING_DOES:
        found = pattern.match(text, cue.end, end)
        if found:
            return replace(cue, end=found.end(), kind=kind, modality=modality, strength=strength, confidence=0.85)
    return None
