"""What may happen, and what "will" happen to somebody without his doing: neither leave nor duty."""

from __future__ import annotations

import re

from coditect.language.norms.cues import Cue
from coditect.language.norms.subjects import Subject
from coditect.language.tables import read_table

__all__ = ["BEFALLS", "comes_about", "is_possibility"]

_I = re.IGNORECASE
_EFFECTS = read_table("effects")
_POSSIBLE = re.compile(
    r"\s*(?:also\s+|still\s+|not\s+|otherwise\s+|reasonably\s+|from\s+time\s+to\s+time\s+|only\s+)*"
    rf"(?:{_EFFECTS.pattern('possibilities')}|(?:include|need|have|lose)\b|lead\s"
    rf"|be\s+(?:{_EFFECTS.pattern('possible_states')}|(?:a|an|the|in|at)\b))",
    _I,
)
_UNABLE = re.compile(
    r"\s*(?:(?:always|often|also|usually|sometimes|\w+ly|no\s+longer)\s+)?(?:be\s+(?:able|aware|sufficient|available|possible|successful)|succeed)\b",
    _I,
)
_ALSO = r"\s*(?:(?:also|still)\s+)*"
# What happens even to those who act, without their doing.
BEFALLS = re.compile(
    rf"{_ALSO}(?:be|have(?!\s+(?:\w+\s+)?access\b)|need|incur|suffer|become|lose|persist|experience|encounter)\b", _I
)
# What somebody may or will want, and is not told to.
_WANTS = re.compile(rf"{_ALSO}(?:want|wish|like|love|prefer|enjoy|hope|miss|appreciate|feel)\b", _I)
# What a text tells its reader to be ready for; of anybody else "may see", "may continue to receive" is leave.
_READER = re.compile(r"\s*you\s*", _I)
_READER_LAST = re.compile(r"\byou\s*\Z", _I)
_FINDS = re.compile(rf"{_ALSO}(?:find|see|notice|learn|discover|hear|know|need(?!\s+to\b))\b", _I)
_GETS = re.compile(
    rf"{_ALSO}(?:receive|see|find|notice|get|qualify|have|need|always|like|want|know|realise|realize|benefit)\b", _I
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
_EXCEED = re.compile(
    r"\s*(?:\w+ly\s+(?:or\s+\w+ly\s+)?)?(?:exceed|contain|state|suggest|imply|represent|display|disclose|refer|bear|waive|prohibit|be\s+(?:less|more|lower|higher|greater|fewer|later|earlier)\s+than)\b",
    _I,
)
_LOSE = re.compile(r"\s*(?:also\s+|automatically\s+)?(?:lose|(?:not\s+)?count\s+(?:towards?|as)|qualify|fall)\b", _I)
_COUNTS = re.compile(r"\s*(?:count\s+(?:towards?|as)|qualify|fall)\b", _I)


def comes_about(text: str, end: int, cue: Cue, name: str, *, agent: bool) -> bool:
    """Whether "will" says what happens to somebody or what he will find, and not what he is to do."""
    reader = _READER_LAST.search(name) is not None
    if cue.modality == "will not":
        if reader and _GETS.match(text, cue.end, end):
            return True  # "you will not receive a refund"
        # "directors will not count towards the quorum", "you will not be able to see it"
        return agent and (_COUNTS.match(text, cue.end, end) or _UNABLE.match(text, cue.end, end)) is not None
    if cue.modality.split()[0] != "will" or cue.kind != "obligation" or not agent:
        return False
    if any(pattern.match(text, cue.end, end) for pattern in (_UNABLE, _LOSE, _WANTS)):
        return True  # "you will be able to", "the firm will lose the exemption"
    return reader and _FINDS.match(text, cue.end, end) is not None  # "Here you will find the forms"


def _is_loud(text: str, cue: Cue) -> bool:
    """Whether "MAY" is written in capitals among words that are not: as a standard tells what is allowed."""
    around = text[max(0, cue.start - 20) : cue.end + 20]
    return text[cue.start : cue.end] == "MAY" and not around.isupper()


def is_possibility(text: str, end: int, cue: Cue, subject: Subject, name: str, *, agent: bool, passive: bool) -> bool:
    """Whether "may" tells of what is possible: "may result in", "such notices may help", "may not be able to"."""
    if cue.kind == "prohibition":
        if _UNABLE.match(text, cue.end, end) or (_READER_LAST.search(name) and _GETS.match(text, cue.end, end)):
            return True
        return bool(name) and not agent and not passive and not _EXCEED.match(text, cue.end, end)
    if cue.kind != "permission" or cue.modality == "may only" or _is_loud(text, cue):
        return False
    if _POSSIBLE.match(text, cue.end, end) and not (agent and not BEFALLS.match(text, cue.end, end)):
        return True
    if _WANTS.match(text, cue.end, end):
        return True  # "you may wish to consider"
    if _READER.fullmatch(name) and _MEETS.match(text, cue.end, end):
        return True
    if _IT.fullmatch(name) and _LASTS.match(text, cue.end, end):
        return True
    return bool(name) and not agent and not passive and subject.role in ("main", "inherited")
