"""What a lead-in makes of its items: acts that somebody must do, conditions, examples, parts of a description, a definition."""

from __future__ import annotations

import re
from typing import Literal

from coditect.language.norms.binding import read_norms
from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.norms.practices import Practice
from coditect.language.patterns.deferred import deferred
from coditect.language.provisions.composed import ASIDE_LAST as SAID_LAST
from coditect.language.provisions.ends import ASIDE_LAST, OPEN_END
from coditect.language.provisions.placed import clause_of
from coditect.language.tables import read_table

__all__ = ["ALL_AT_ONCE", "LeadRole", "aside_of", "governing", "holds_elements", "lead_role", "offers_choice"]

LeadRole = Literal["acts", "conditions", "examples", "description", "definition", "open"]
"""What items are to their lead-in; "open" where its end does not tell: then its modal expression decides."""

ALL_AT_ONCE = frozenset(("conditions", "examples", "description"))
"""The roles whose items belong to one statement, all together."""

_I = re.IGNORECASE
_LEADS = read_table("lead_ins")
_CASES = rf"(?:\s+(?:of\s+)?(?:the\s+)?following)?(?:\s+(?:{_LEADS.pattern('cases')})(?:\s+and\s+\w+)?)?"
_STATES = rf"(?:is|are|has\s+been|have\s+been)\s+(?:{_LEADS.pattern('fulfilled')})"
_FULFILLED = rf"(?:\s+{_STATES}|\s+appl(?:y|ies)|\s+exists?|\s+occurs?)?"
_COUNTED = rf"(?:\s*,?\s*(?:{_LEADS.pattern('counted')})(?:\s+of)?)?"
_END = r"[\s,:—–-]*\Z"
_CONDITIONS = deferred(rf"(?:\A|\b)(?:{_LEADS.pattern('conditions')}){_COUNTED}{_CASES}{_FULFILLED}{_END}", _I)
_CONDITIONS_HOLD = deferred(
    rf"\b(?:if|where|when|unless|until|provided(?:\s+that)?)\b[^.;]{{0,80}}\bfollowing\b(?:\s+(?:{_LEADS.pattern('cases')}))?{_FULFILLED}{_END}",
    _I,
)
# "when one or both spouses:", "if it:": the items go on with the clause of the condition.
_CONDITION_OPEN = deferred(
    rf"\b(?:if|where|when|whenever|unless|until|provided\s+that|to\s+the\s+extent\s+that)\s+(?:(?!\b(?:shall|must|will|may|should)\b)[\w'’()-]+\s+){{0,9}}[\w'’()-]+{_END}",
    _I,
)
# "may end this lease if the tenant shall at any time:"
_CONDITION_FORESEEN = deferred(
    rf"\b(?:shall|will|may|must)\b[^.;]{{5,300}}\b(?:if|unless)\s+(?:[\w'’-]+\s+){{1,4}}?(?:shall|will|should)(?:\s+(?:at\s+any\s+time|have|be|become)){{0,3}}{_END}",
    _I,
)
_EXAMPLES = deferred(
    rf"\b(?:{_LEADS.pattern('examples')})(?:,?\s+(?:but|without)\s+(?:not\s+)?limit\w+(?:\s+to)?)?,?(?:\s+the\s+following)?{_END}",
    _I,
)
_NOT_LIMITED = deferred(rf"\bbut\s+(?:is|are)?\s*not\s+limited\s+to(?:\s+the\s+following)?{_END}", _I)
_RELATIVE = deferred(
    rf"\b(?:{_LEADS.pattern('relatives')})(?:\s+(?:{_LEADS.pattern('relative_verbs')}))?{_COUNTED}{_END}", _I
)
_RELATIVE_OPEN = deferred(
    rf"\b(?:{_LEADS.pattern('relatives')})\s+(?:(?!\b(?:shall|must|will|should)\b)[\w'’-]+\s+){{0,7}}[\w'’-]+{_END}", _I
)
_THAT = deferred(
    rf"\b(?P<before>[\w'’-]+)(?:,)?\s+that(?:\s+(?:{_LEADS.pattern('relative_verbs')}))?{_COUNTED}{_END}", _I
)
_CONTENT = deferred(rf"\b(?:ensur(?:e|es|ing)|see\s+to\s+it|procure)\s+that{_END}", _I)
_HAS_TO_HOLD = deferred(
    rf"\b(?:shall|must|should)\s+(?:also\s+|at\s+(?:a\s+minimum|the\s+least|least),?\s+)?(?:include|contain|state|specify|set\s+out)"
    rf"(?:\s+(?:at\s+least|all\s+of))?(?:\s+the\s+following(?:\s+\w+)?)?{_END}",
    _I,
)
_DUTIES = deferred(
    rf"\b(?:responsibilities|duties|obligations|tasks)(?:\s+of\s+[^.;:,]{{2,80}}?)?\s+(?:(?:shall|will|must)\s+)?(?:(?:also\s+)?(?:include|comprise)|are)"
    rf"(?:,?\s+but\s+(?:are\s+|is\s+|shall\s+)?not\s+(?:be\s+)?limited\s+to,?)?(?:\s+the\s+following)?{_END}",
    _I,
)
# "will proceed as follows, except where the Act says otherwise:"
_EXCEPT_LAST = deferred(r"(?<=\bas\sfollows),\s+(?:except|unless|save|subject\s+to)\b[^:;]{2,120}(?=[:—–-]?\s*\Z)", _I)
_BRACKETED = deferred(r"\((?:\w+[\s,]+){2,30}\w+\)")  # "an issuer (where it is located here):"
_MODALS = deferred(r"\b(?:shall|must|will|may|should)\b", _I)
_CLAUSE_TAKER = deferred(rf"(?:{_LEADS.pattern('clause_takers')})\Z", _I)
# "act on any notice that:" says on which; "write a plan that:" what it has to hold, item by item.
_NOUN = deferred(
    r"\b(?:any|each|every|no|those|all|such)\s+(?:(?!(?:shall|must|will|may|should)\b)[\w'’-]+\s+){0,10}?[\w'’-]+(?:,)?"
    rf"\s+that(?:\b[^.;:]*)?{_END}",
    _I,
)
_NOUN_OPEN = deferred(
    r"\b(?:an?|any|each|every|no|those|all|the|another|such)\s+(?:[\w'’-]+\s+){0,5}?[\w'’-]+(?:,)?\s+that\b[^.;:]*\Z",
    _I,
)
# "must notify each owner that:" leads in what is told, not which owner.
_TELLS = deferred(
    rf"\b(?:{_LEADS.pattern('clause_takers')}|notif(?:y|ies|ied)|tells?|told|advises?d?|remind(?:s|ed)?|assures?d?|warn(?:s|ed)?|instruct(?:s|ed)?)\b",
    _I,
)
# "with service providers that:", "including rules that:"
_BEHIND_PREPOSITION = deferred(
    r"\b(?:including|with|for|to|of|by|on|about|from|against|such\s+as)\s+(?:[\w-]+\s+){0,2}\Z", _I
)
_CHOICE = deferred(
    rf"\b(?:one|either|at\s+least\s+one|one\s+or\s+more|any\s+one)\s+of\s+(?:the\s+following|these)(?:\s+[\w-]+){{0,4}}{_END}",
    _I,
)
_DEFINITION = deferred(rf"\b(?:{_LEADS.pattern('definitions')}){_COUNTED}(?:\s+the\s+following)?{_END}", _I)


_ASIDE = deferred(
    r"\b(?:do|take|choose|use|adopt)\s+(?:any|one|either|all|some|one\s+or\s+more|at\s+least\s+one)\s+of\s+the\s+following(?:\s+[a-z]+)?"
    r"(?P<aside>,\s+(?:but|and|provided,?(?:\s+however,?)?\s+that)\s[^:]{10,300}):\s*\Z",
    _I,
)
# "shall not (and shall not permit any third party to):" goes on with what it must not do itself.
_IN_BRACKETS = deferred(
    r"\b(?:shall|must|may|will|should|cannot)(?:\s+not)?(?P<aside>\s*\((?:and|or|nor)\s[^()]{3,160}\))[\s,:—–-]*\Z", _I
)


def aside_of(words: str) -> int:
    """Where a lead-in goes on with a clause of its own behind what its items complete, or its length where it does not.

    "may do any of the following, but you must explain which policy you follow:" leads its items in with "may do", and
    "shall not (and shall not permit others to):" with "shall not".
    """
    found = _ASIDE.search(words) or _IN_BRACKETS.search(words)
    return len(words) if found is None else found.start("aside")


def lead_role(words: str) -> LeadRole:
    """What the items behind a lead-in are to it, by how it ends.

    Args:
        words: the lead-in with all above it that it hangs on; only its end counts.
    """
    end = _EXCEPT_LAST.sub("", _BRACKETED.sub(" ", words[-400:]))[-240:]
    said = SAID_LAST.search(end.rstrip(" :—–-"))
    end = end[: said.start()] if said else end
    if _DUTIES.search(end):
        return "acts"  # "the duties of the committee include:"
    if _CONTENT.search(end) or _HAS_TO_HOLD.search(end):
        return "acts"  # "policies which are designed to ensure that:", "the notice must include the following:"
    if _DEFINITION.search(end):
        return "definition"
    if _EXAMPLES.search(end) or _NOT_LIMITED.search(end):
        return "examples"
    if (
        _CONDITIONS_HOLD.search(end)
        or _CONDITIONS.search(end)
        or _CONDITION_OPEN.search(end)
        or _CONDITION_FORESEEN.search(end)
    ):
        return "conditions"
    if _RELATIVE.search(end) or _RELATIVE_OPEN.search(end):
        return "description"
    that = _THAT.search(end)
    if that:
        if _CLAUSE_TAKER.search(that["before"]):
            return "acts"
        plural = that["before"].endswith("s") and not is_plain_verb(that["before"].removesuffix("s").lower())
        modal = max((each.end() for each in _MODALS.finditer(end, 0, that.start())), default=0)
        noun = _NOUN.search(end, modal)
        which = noun is not None and _TELLS.search(end, modal, that.start("before")) is None
        if which or _NOUN_OPEN.search(end) or (plural and _BEHIND_PREPOSITION.search(end, 0, that.start("before"))):
            return "description"
    return "open"


def holds_elements(words: str) -> bool:
    """Whether a lead-in says what something has to hold, so that its items are elements of it: "The notice must include:"."""
    return _HAS_TO_HOLD.search(SAID_LAST.sub("", words[-240:].rstrip(" :—–-,"))) is not None


def offers_choice(words: str) -> bool:
    """Whether a lead-in asks for one of its items: "must have one of the following colours:"."""
    return _CHOICE.search(words[-240:]) is not None


def governing(words: str, names: frozenset[str], practice: Practice) -> tuple[str, str]:
    """The kind of the norm that a lead-in leaves open at its end, and its words of force; "" for none."""
    words = OPEN_END.sub("", words)
    readings = read_norms(words + " ……", 0, len(words) + 3, (), names, practice=practice == "all")
    if not readings and ASIDE_LAST.search(words):  # "may, on its own initiative:" is left open behind the aside
        readings = read_norms(words + ", do so …", 0, len(words) + 9, (), names, practice=False)
    last = [reading for reading in readings if clause_of(reading)[1] >= len(words) - 2][:1]
    return (last[0].mark.kind, last[0].cue.modality) if last else ("", "")
