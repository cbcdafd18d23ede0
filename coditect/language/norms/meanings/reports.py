"""What only tells: reports of other provisions, aims, asides, and words of expectation that ask nobody; and whom advice names."""

from __future__ import annotations

import re

from coditect.language.norms.actors.agents import is_agent
from coditect.language.norms.cues import Cue
from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.norms.meanings.effects import INCLUDE
from coditect.language.norms.parts import PARTICIPLE
from coditect.language.tables import read_table

__all__ = ["PROVISION", "advised", "is_no_act", "is_report"]

_I = re.IGNORECASE
_IT_IS = re.compile(r"(?:is|['’]s)\s+(?:\w+\s+)?(?:\w+)(?:\s+that)?(?=\s)")
_WORD = re.compile(r"[\w'’()-]+")
_ALSO_NOUNS = frozenset(read_table("base_verbs").words("also_nouns"))
_MOST_OF_HOLDER = 9
_MIGHT = re.compile(r"\b(?:would|could|might|reasonably)\s*\Z")
_AIM = re.compile(
    r"\b(?:aims?|goals?|missions?|objectives?|intent|intention|ambition|vision|purposes?|idea|hope|plan|point|trick|challenge)\s+\Z",
    _I,
)
# A report of what another provision lays down: "Rule 4 requires banks to", "Under section 9 of the Act the office may".
PROVISION = re.compile(
    r"(?:[A-Z]{2,6}\s+)?(?:Rules?|Sections?|Articles?|Regulations?|Parts?|Chapters?|Paragraphs?|Appendix|Schedules?|§+)\s+[\dIVX‎]",
    _I,
)
_REPORTED = re.compile(
    r"[\W\d]*(?:PART\s+\S+\s+)?Under\s+(?:sections?|rules?|articles?|parts?|chapters?)\s+[\d‎][^,;]{0,80}?\bof\s+(?:the\s+)?[A-Z]"
)
# "Rule 4 requires that a bank must": a report, whatever modal verb it holds.
_REQUIRES_THAT = re.compile(
    r"[\W\d]*(?:\w+,?\s+)?(?:[A-Z]{2,6}\s+)?(?:Rules?|Sections?|Articles?|Regulations?|Paragraphs?|§+)\s+\d[\w.()]*\s+(?:also\s+)?requires?\s+that\b"
)
_ILLUSTRATES = re.compile(r"[\W\d]*Even\s+(?:though|if)\s+[^,]{0,20}\Z")
_MEANS = re.compile(r"[\W\d]*[“\"][^”\"]{2,60}[”\"][^;.]{0,120}?\bmeans\b")
_FOR_EXAMPLE = re.compile(r"[\W\d]*For\s+(?:example|instance)\b", _I)
_ADVERB_LAST = re.compile(r"\s+(?:\w+ly|also)\s*\Z")
_PAST = re.compile(r"(?:was|were)\b", _I)
_DENIES = re.compile(r"(?:\bnot|\bnever|n['’]t)\s+(?:\w+\s+or\s+)?\Z")
_BEHIND_MODAL = re.compile(r"\b(?:shall|must|will|may|might|could|would|should|can|to|what|reasonably)\s*\Z", _I)
_IN_BRACKETS = re.compile(r"\((?:provided|it\s+being|and|or|but|However|The|This|If|In|[a-z]\)|[ivx]+\)|\d\))[^()]*\Z")
_PERFECT = re.compile(r"\s*(?:not\s+)?have\s+(?:been\s+)?(?:\w{3,}ed|become|made|taken|given|done|had)\b", _I)
_NO_ACCOUNT = re.compile(r"\bno\s+account\s+\Z", _I)
_ASKED = re.compile(r"\s*(?P<np>(?:[\w'’{}-]+\s+){1,7}?)to\s+(?=[a-z])")


def is_report(text: str, start: int, cue: Cue, name: str) -> bool:
    """Whether a clause tells what another provision lays down, or stands in brackets as an aside."""
    if cue.modality == "requires" and PROVISION.match(name.strip()):
        return True
    if _REQUIRES_THAT.match(text, start, cue.start) or _ILLUSTRATES.match(text, start, cue.start):
        return cue.modality != "requires"
    if _MEANS.match(text, start, cue.start):
        return True
    if cue.modality in ("will", "has to", "should") and _FOR_EXAMPLE.match(text, start, cue.start):
        return True
    if cue.modality.split()[0] == "may" and _REPORTED.match(text, start, cue.start):
        return True
    opens = text[start : start + 1] == "("  # all of the sentence stands in brackets
    inside = text.count("(", start + opens, cue.start) > text.count(")", start, cue.start)
    return inside and not _IN_BRACKETS.search(text, start, cue.start)


def is_no_act(text: str, start: int, end: int, cue: Cue, name: str, *, agent: bool) -> bool:
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
        agent = agent or is_agent(_ADVERB_LAST.sub("", name), opens=True)  # "We strongly encourage"
        if not (expects or agent or passive) or _PAST.match(text, cue.start):
            return True
        if _MIGHT.search(text, start, cue.start) and text.startswith("be ", cue.start):
            return True  # "would reasonably be expected to"
        if text[cue.start : cue.end].endswith(" that") and _DENIES.search(text, start, cue.start):
            return True  # "does not require or recommend that"
        if expects and _BEHIND_MODAL.search(text, start, cue.start):
            return True
    if cue.modality == "is not permitted to" and text[cue.start : cue.end].rstrip().endswith("entitled to"):
        following = re.match(r"\s*([a-z-]+)", text[cue.end : cue.end + 30])
        if following is None or not is_plain_verb(following[1]):
            return True  # "will not be entitled to fees"
    if cue.modality == "should" and _PERFECT.match(text, cue.end, end):
        return True  # "You should have received a copy"
    if cue.modality.split()[0] not in ("shall", "will", "may"):
        return False
    by_capital = agent and not is_agent(name.lower(), opens=False)
    if name and cue.kind == "prohibition" and (not agent or by_capital) and INCLUDE.match(text, cue.end, end):
        return True  # "A function shall not include": what counts as what
    return _PERFECT.match(text, cue.end, end) is not None


def _asks_somebody(text: str, at: int, end: int) -> bool:
    """Whether somebody is expected or encouraged to act who can: "encourages users to", not "encourages an approach to"."""
    named = _ASKED.match(text, at, end)
    return named is not None and is_agent(named["np"], opens=False)


def advised(text: str, cue: Cue, end: int) -> tuple[int, int] | None:
    """Who has to act by a clause without a finite verb: "it is important that you avoid", "it is recommended all logs be kept"."""
    if _IT_IS.match(text, cue.start) is None or text.endswith("to", cue.start, cue.end):
        return None
    words = list(_WORD.finditer(text, cue.end, end))[:_MOST_OF_HOLDER]
    for number, word in enumerate(words[1:], 1):
        if word[0] in ("be", "not") or (is_plain_verb(word[0]) and (number == 1 or word[0] not in _ALSO_NOUNS)):
            return words[0].start(), words[number - 1].end()
    return None
