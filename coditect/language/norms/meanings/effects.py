"""What is so by force of a text, whoever is named: effects, meanings, validity, and who is what."""

from __future__ import annotations

import re

from coditect.language.norms.actors.agents import is_agent
from coditect.language.norms.cues import Cue
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = ["INCLUDE", "is_effect"]

_I = re.IGNORECASE
_EFFECTS = read_table("effects")
_STATE = rf"\s*(?:(?:{_EFFECTS.pattern('adverbs_of_effect')})\s+){{0,3}}"
# What is so by force of the text, whoever is named: nobody has to act.
_DECLARED = deferred(
    _STATE
    + rf"(?:be(?:,\s[^,;.:]{{2,80}},)?\s+(?:(?:\w+ly|also|not|so|then)\s+){{0,2}}(?:{_EFFECTS.pattern('declared_states')})\b"
    r"|mean\b|have\s+the\s+(?:(?:same|respective|following|corresponding)\s+){0,2}meanings?|constitute|survive|inure"
    r"|have\s+no\s+(?:(?:right|title|ownership|interest)s?,?\s+(?:and\s+|or\s+)?){1,4}in\b|own\s+(?:all|any)\s+(?:\w+,?\s+){0,3}?(?:rights?|title)\b|own,\s+and\b"
    r"|(?:remain|stay)\s+(?:valid|enforceable|effective)\b"
    r"|(?:forfeit|lose)\s+(?:(?:its|his|her|their|the|any|all)\s+){1,2}(?:\w+\s+)?(?:rights?|membership|eligibility|status|protection)\b"
    r"|be\s+(?:the|your|its|their|his|a\s+party['’]s)\s+(?:sole|exclusive|only)(?:\s+and\s+\w+)?\s+(?:remed(?:y|ies)|recourse|property)\b"
    r"|have\s+(?:no|any)\s+(?:further\s+|legal\s+)*(?:effect|force)|have\s+(?:\w+\s+)?jurisdiction)",
    _I,
)
# Of these what no duty can be about: words have their meaning, and rules their effect.
_DECLARED_ALWAYS = deferred(
    _STATE
    + r"(?:be\s+(?:\w+ly\s+)?(?:deemed|construed|interpreted|null|void|severable|cumulative)\b|mean\b|constitute|survive|inure)",
    _I,
)
# The same of things, but an act when a person does it: "Supplier shall terminate", "the term shall terminate".
_DECLARED_OF_THINGS = deferred(
    _STATE + rf"(?:{_EFFECTS.pattern('effects_of_things')}|(?:{_EFFECTS.pattern('events')})\b"
    r"|(?:remain|stay)\s+(?:in|the|liable|unchanged|subject|effective|valid|enforceable|binding)\b|be\s+(?:automatically\s+(?:renewed|extended)|(?:\w+ly\s+)?owned)\b|refer\s|be\s+(?:the|an?|for|from\s+the)\b"
    r"|be\s+(?:[$€£]\s?\d|\d[\d.,]*\s?(?:%|per\s?cent\b|cents?\b|dollars?\b|euros?\b))"
    r"|take\s+(?:precedence|priority)\b|count\s+(?:towards?|against|as)\b|be\s+(?:made\s+)?(?:a\s+)?part\s+of\b|form\s+(?:a\s+)?part\s+of\b|be\s+(?:in|within)\s+the\s+(?!(?:form|manner|language|format|position|order|name|same|custody|possession|hands|presence|interests?)\b))",
    _I,
)
# "The term of office shall begin the day after": when what is counted in time begins and ends.
_PERIOD = deferred(
    r"\b(?:terms?|periods?|years?|duration|agreement|contract|lease)(?:\s+(?:of|for|in|under)\s[^.;:,]*)?\s*\Z", _I
)
_BEGINS = deferred(r"\s*(?:also\s+|then\s+|\w+ly\s+)?(?:begin|commence|start|end|close|run|last|continue)\b", _I)
_COUNTED = deferred(r"\s*(?:not\s+|also\s+)?count\s+(?:towards?|against)\b", _I)
_LIABILITY = deferred(r"\bliabilit(?:y|ies)\b", _I)
_PURPOSES = deferred(r"\b(?:purposes?|scope|objects|objectives|aims)\b", _I)
_LIMITED = deferred(r"\s*be\s+limited\b", _I)
_NOTHING = deferred(r"(?:nothing|there|this\s+(?:section|agreement|policy|part|article|paragraph))\b", _I)
INCLUDE = deferred(r"\s*(?:not\s+|also\s+)?(?:include|consist|comprise)\b", _I)
# "the term public place": a word that is spoken of; the terms of a contract, a term sheet and a term of office are things.
_TERM = deferred(
    r"\W*(?:the|this)\s+(?:terms?|words?|expressions?|phrases?)\s+(?!(?:of|sheets?|loans?|deposits?)\b)[\"“‘'\w]", _I
)
_COVERS = deferred(
    rf"(?:{INCLUDE.pattern}|\s*(?:not\s+|also\s+)?(?:(?:denote|refer|extend|cover|exclude|embrace)\b"
    r"|be\s+(?:understood|read|taken)\s+(?:as|to)\b))",
    _I,
)
# "This Agreement may not be altered except in writing" forbids, whatever it is said of.
_CHANGED = deferred(
    r"\s*be\s+(?:altered|amended|executed|signed|extended|renewed|changed|modified|assigned|transferred|sold|copied|waived|terminated|varied|disclosed|used)\b",
    _I,
)
# "This policy shall be reviewed each year": somebody has to.
_DONE = deferred(
    r"\s*(?:also\s+)?be\s+(?:\w+ly\s+)?(?:reviewed|updated|revised|completed|published|distributed|communicated|approved|ratified|maintained|posted|kept|followed"
    r"|implemented|signed|submitted|filed|provided|audited|evaluated|tested|displayed|retained|stored|circulated|re-?evaluated|assessed|made\s+(?:\w+ly\s+)?(?:available|public|known))\b",
    _I,
)
# "The principal office shall be in the city", "Quorum shall be two thirds": no body; "It shall be a condition that".
_SEAT = deferred(
    r"(?:(?:the|its|any)\s+)?(?:principal|registered|head|main)\s+office\b|(?:(?:the|an?)\s+)?quorum\b", _I
)
_IT = deferred(r"\s*it\s*", _I)
_A_CONDITION = deferred(
    r"\s*(?:also\s+)?be\s+(?:a\s+condition|(?:an?\s+(?:\w+\s+)?|no\s+)defen[cs]e|possible|necessary|noted)\b", _I
)
_IS = deferred(r"\s*be\b", _I)
# "Its duties shall include the following:" where nothing follows.
_POINTS_ON = deferred(r"\s*(?:also\s+)?include\s+the\s+following[\s:.]*\Z", _I)
_CITED = deferred(r"\s*be\s+(?:\w+ly\s+)?(?:cited|known|referred\s+to\s+(?:\w+\s+)?as)\b", _I)
# "shall be called the Roads Board"; "shall be called by the chair": convened.
_NAMED = deferred(r"\s*(?:also\s+)?be\s+(?:\w+ly\s+)?called\s+(?:[\"“‘]|[A-Z]|(?:the|an?)\s)")
_MADE_OF = deferred(r"\s*(?:also\s+)?(?:consist\s+of|comprise)\b", _I)
_OF_RIGHTS = deferred(r"\s*(?:\w+ly\s+)?(?:belong|vest|accrue|lapse|expire|survive)\b", _I)
_BY_SOMEBODY = deferred(r"\s*be\s+(?:\w+ly\s+)?(?:considered|treated|regarded|interpreted)\s+by\b", _I)
# "No late appeal shall be considered.": taken up, and not held to be something.
_TAKEN_UP = deferred(
    r"\s*be\s+considered(?=\s*(?:[.;]|\Z|(?:at|unless|if|until|after|before|within|during|on|only|when)\b))", _I
)
_IS_WHO = deferred(
    r"\s*(?:(?i:also|initially)\s+)?be\s+(?:(?i:the)\s+[A-Z]|(?:all|those|any|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\s)"
)
_CONSIDERED = deferred(r"\s*be\s+(?:considered|treated|regarded|viewed|seen)\b", _I)


def is_effect(text: str, end: int, cue: Cue, name: str, *, agent: bool) -> bool:
    """Whether a clause says what is so by force of the text, whoever is named."""
    if cue.modality == "should" and _CONSIDERED.match(text, cue.end, end):
        return False  # "should be considered as a sign": how somebody has to see it
    if _BY_SOMEBODY.match(text, cue.end, end) or _TAKEN_UP.match(text, cue.end, end):
        return False  # "shall be considered by the board": an act
    if cue.modality.split()[0] in ("must", "should"):
        return (
            _DECLARED_ALWAYS.match(text, cue.end, end) is not None
        )  # "must be valid", "must be treated as secret": see that it is
    changed = (cue.kind == "prohibition" or cue.modality == "may") and _CHANGED.match(text, cue.end, end) is not None
    done = cue.kind == "obligation" and _DONE.match(text, cue.end, end) is not None
    if (_NOTHING.match(name) and not (changed or done)) or _DECLARED.match(text, cue.end, end):
        return True
    if _TERM.match(name) and (name.rstrip().endswith(("“", "‘", '"')) or _COVERS.match(text, cue.end, end)):
        return True  # "the term public place shall include streets", "the words “shall” and “will” are used alike"
    if name.rstrip().endswith(('"', "”")) and _COVERS.match(text, cue.end, end):
        return True  # "“Price” shall exclude: discounts"
    if _POINTS_ON.fullmatch(text, cue.end, end):
        return True
    if _PURPOSES.search(name) and INCLUDE.match(text, cue.end, end):
        return True  # "The purposes of the Guild shall include"
    if _LIABILITY.search(name) and _LIMITED.match(text, cue.end, end):
        return True  # "The liability of the agent shall be limited to"
    if agent and _IS_WHO.match(text, cue.end, end):
        return True  # "The signing officers shall be the President and the Treasurer"
    if _IT.fullmatch(name) and _A_CONDITION.match(text, cue.end, end):
        return True  # "It shall be a condition of the supply that"
    if _COUNTED.match(text, cue.end, end) or (_PERIOD.search(name) and _BEGINS.match(text, cue.end, end)):
        return True  # "shall count towards the quorum", "whose terms shall begin in May"
    if _SEAT.match(name) and _IS.match(text, cue.end, end):
        return True
    if _NAMED.match(text, cue.end, end) or _CITED.match(text, cue.end, end) or _MADE_OF.match(text, cue.end, end):
        return True  # "may be cited as the Roads By-law", "the board shall consist of"
    if cue.kind == "prohibition" and _LIMITED.match(text, cue.end, end) and not agent:
        return True  # "may include, but will not be limited to"
    if agent and not is_agent(name.lower(), opens=False):
        agent = _OF_RIGHTS.match(text, cue.end, end) is None  # "all Works will belong to the host"
    return not agent and _DECLARED_OF_THINGS.match(text, cue.end, end) is not None
