"""Sentences that only tell of what is asked: announcements, definitions, how and whether something is done, what a law wants.

Such a sentence has the words of a rule and lays nothing down: "This policy describes how incidents are reported".
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.tables import worded
from coditect.verify.requirements.demand import Demand, is_done
from coditect.verify.requirements.sides import SaidByPolicy
from coditect.verify.requirements.terms import act_of, listed

__all__ = ["names_no_means", "only_tells", "page_kind", "without_label"]

_LABEL = re.compile(r"\A[^:.;]{1,80}:\s+(?=\S)")
"""A label in front of a sentence: "Payment data: …"."""

_MEANS = re.compile(r"\b(?:means|refers\s+to|(?:is|are)\s+defined\s+as|denotes?)\b", re.IGNORECASE)
_RELATIVE = re.compile(
    r"\A(?:(?:an?|the|any|all)\s+)?(?P<first>[\w/-]+)(?:\s+(?!(?:is|are|must|shall|will|should)\b)[\w/-]+){0,3}?\s+(?:that|which|who|whose)\b",
    re.IGNORECASE,
)
_BINDS = re.compile(r"\b(?:must|shall|should|will)\b", re.IGNORECASE)
"""A definition behind its label: "Urgent changes: Changes that cannot wait", and what a definition does not have."""

_ASKS = re.compile(r"(?<!regardless of )(?<!no matter )\bhow\b(?!\s+(?:long|often|many|much)\b)", re.IGNORECASE)

_purposes = worded("acts", r"\W*(?:the\s+)?(?:\w+\s+)?(?:«purpose_nouns»)\s+(?:of|for)\s+(?:this|these|the|our|its)\b")
_aside = worded("acts", r"(?:\A|/\s)[\W\d]*(?:«asides»)\b")
_decides = worded("acts", r"\b(?:«deciding»)\b[^,;:]{0,40}\bwhether\b")
_kinds = worded("acts", r"(?<![\w-])((?:«page_kinds»))(?![\w-])")
_laws = worded(
    "acts",
    r"\b(?:«laws»|(?:part|section|article|appendix|annex|clause)\s+[\dA-Z][\w.()-]*)\s+(?:(?:also|further)\s+)?(?:«wanting»)\b(?!\s*[,.;])",
)
_abouts = worded(
    "acts",
    r"\W*(?:(?:additionally|furthermore|moreover|further|also|in\s+addition),?\s+)?(?:this|these|the\s+present)\s+(?:[\w/&-]+\s+){0,5}?(?:«papers»)\s+(?:(?:also|further|additionally|therefore)\s+)?(?:«telling»)\b",
)


def only_tells(said: SaidByPolicy, sentence: SentenceReading, demand: Demand, forth: Mapping[int, int]) -> str:
    """Why a sentence only tells of what a part asks, in words; "" where it lays something down.

    Args:
        said: the sentence.
        sentence: its words as they are compared.
        demand: the part, taken apart.
        forth: token index of the part to that of the sentence.
    """
    found = (
        ("it says what its document is for or about", _announces(said, demand)),
        ("it says what a word means", _defines(said.own)),
        ("it says what a law or a standard requires", _cites(said.own)),
        ("it says how or whether it is done, and not that it is", _is_asked(sentence, demand, forth)),
        ("it is the aim of another act", _is_aim(sentence, demand, forth)),
    )
    return next((why for why, holds in found if holds), "")


def without_label(text: str) -> str:
    """A sentence without the label in front of it."""
    return _LABEL.sub("", text, count=1)


def _announces(said: SaidByPolicy, demand: Demand) -> bool:
    """Whether a sentence tells what its document is for or about; of what a document has to say the document's word counts."""
    if _purposes().match(without_label(said.text)) or (said.force == "states" and _aside().search(said.around)):
        return True
    wants_paper = any(each.key in listed("papers") for each in demand.reading.tokens)
    return not wants_paper and _abouts().match(without_label(said.text)) is not None


def _defines(text: str) -> bool:
    if _MEANS.search(text) and not _BINDS.search(text):
        return True
    plain = without_label(text)
    found = _RELATIVE.match(plain) if plain != text else None
    return found is not None and not is_plain_verb(found["first"].casefold()) and not _BINDS.search(plain)


def _cites(text: str) -> bool:
    return _laws().search(text) is not None


def _is_asked(sentence: SentenceReading, demand: Demand, forth: Mapping[int, int]) -> bool:
    """Whether all acts stand in a clause with "how" or "whether": "procedures define how staff are informed"."""
    if any(each.low in ("how", "whether") for each in demand.reading.tokens):
        return False
    found = next(iter((*_ASKS.finditer(sentence.text), *_decides().finditer(sentence.text))), None)
    acts = [sentence.tokens[forth[n]] for n in demand.acts if n in forth]
    if found is None or not acts:
        return False
    return all(
        each.start > found.end() and not re.search(r"[,;:]", sentence.text[found.end() : each.start]) for each in acts
    )


def _is_aim(sentence: SentenceReading, demand: Demand, forth: Mapping[int, int]) -> bool:
    """Whether all acts are what another one is done for: "access is restricted to contain incidents"."""
    acts = [forth[n] for n in demand.acts if n in forth]
    return bool(acts) and all(_is_aim_at(sentence, at, set(forth.values())) for at in acts)


def _is_aim_at(sentence: SentenceReading, at: int, ours: set[int]) -> bool:
    tokens = sentence.tokens
    if at < 2 or tokens[at - 1].low != "to" or tokens[at - 2].comma:
        return False
    return at - 2 not in ours and is_done(sentence, at - 2) and names_no_means(tokens[at - 2])


def names_no_means(verb: Token) -> bool:
    """Whether what is done for the sake of something need not bring it about: "segmented to", "required to" is another thing."""
    return verb.low.endswith("ed") and act_of(verb.key) not in {act_of(each) for each in listed("means")}


def page_kind(named: str, around: str) -> str:
    """The kind of thing to which a sentence's surroundings are given over, and which neither it nor the part names; "" for none.

    Args:
        named: the part with its title, and the sentence.
        around: headings and title of a document.
    """
    spoken = {each.casefold().rstrip("s") for each in _kinds().findall(named)}
    return next((each for each in _kinds().findall(around) if each.casefold().rstrip("s") not in spoken), "")
