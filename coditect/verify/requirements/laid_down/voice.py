"""Whether a house lays down in a sentence what it says there, or only shows it: quotes, asks, lists, maps or draws it.

A sentence that has all that a part asks meets it only where it is the house that speaks, and where it says what holds. Framework
texts come back in policies under "Control alignment" or "Control objective", in quotation marks, in questionnaires, in tables of
evidence and among what is out of scope (ADR 101).
"""

from __future__ import annotations

import re

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.norms.imperatives import find_imperative
from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.tables import worded
from coditect.verify.requirements.demand import Demand
from coditect.verify.requirements.laid_down.occasions import happened_once, is_limited_to_means, names_case
from coditect.verify.requirements.laid_down.quoting import is_numbered_criterion, repeats_framework
from coditect.verify.requirements.measures import Common
from coditect.verify.requirements.sides import AskedByPart, SaidByPolicy
from coditect.verify.requirements.telling import without_label

__all__ = ["only_shown", "places_of"]

_QUOTED = re.compile(r"[“\"](?P<words>[^“”\"]+)[”\"]")

_QUESTION = re.compile(r"(?<![a-z])(?:do|does|is|are|have|has)\s+(?:you|your)\b[^?]*\?", re.IGNORECASE)

_QUOTATION = 4
"""Words between quotation marks, at least, that are a quotation and no term."""

_DRAWN = re.compile(r"[─-╿◀-◿→⇒⟶]")
"""Lines and arrows of a drawing."""

_BOX = re.compile(r"\s*(?:[-*•]\s+)?(?:\d+[.)]\s+)?(?:\[[ xX]?\]|[☐☑☒✅❌])")
"""A box in front of an item of a checklist."""

_CAN = re.compile(r"\b(?:can|could|may|might)\s+(?:also\s+)?(?:be\s+)?(?:[a-z]+ly\s+)?\Z", re.IGNORECASE)

_REFERS = re.compile(r"\b(?:per|under|with|by|see|to)\s+(?:[\w/:.]+\s+){0,4}\Z", re.IGNORECASE)
"""What stands in front of a number that is only referred to: "in accordance with ISO 27001 A.8.1"."""

_SAME = 0.95
_CLOSE = 1.3
"""Share of a part's words, at least, and words of a sentence for each in common, at most, where it repeats the part."""

_no_rules = worded("voice", r"(?<![\w-])(«no_rules»)(?![\w-])")
_shows = worded("voice", r"\b(«other_papers»)\b")
_standards = worded("voice", r"\A[\W\d]*((?:«standards»)\b.*?\b(?:«kinds_of_text»)\b)")
_asides = worded("voice", r"\A[\W\d]*((?:«asides»)\b)")
_rules = worded("voice", r"[\W\d]*(?:«rules»)\W*\Z")
_rule_papers = worded("voice", r"\b(?:«rule_papers»)\b")
_papers = worded("voice", r"\W*(?:[\w-]+\s+){0,2}(?:«records»)\s+(?:of|for|on|showing|demonstrating|that)\b")
_labels = worded("voice", r"\W*(?:\d+[.)]\s+)?(?:«labels»)\W*:")


def places_of(demand: Demand, common: Common, sentence: SentenceReading) -> list[Token]:
    """The words of a sentence that stand for the acts of a part and for what they are done to, in the order of the part."""
    asked = (*demand.acts, *((demand.head,) if demand.head is not None else ()))
    return [sentence.tokens[common.forth[n]] for n in asked if n in common.forth]


def only_shown(
    asked: AskedByPart, said: SaidByPolicy, sentence: SentenceReading, demand: Demand, common: Common
) -> str:
    """Why a sentence that has all of a part only shows it, in words; "" where it lays it down.

    Args:
        asked: the part.
        said: the sentence.
        sentence: its words as they are compared.
        demand: the part, taken apart.
        common: what both have in common.
    """
    places = places_of(demand, common, sentence)
    acts = _acts(demand, common, sentence)
    heading = _heading(asked, said, sentence)
    found = (
        ("it asks a question", _asks(places, sentence)),
        ("it stands in quotation marks", _is_quoted(places, sentence)),
        ("it is a line of a drawing", _DRAWN.search(said.own) is not None),
        ("it is a box to be ticked", _BOX.match(said.own) is not None),
        ("its label says that it is no rule", _labels().match(said.own) is not None),
        (f"it stands under “{heading}”", heading != ""),
        ("its label announces a framework's words", repeats_framework(asked, said)),
        ("its paper leaves a framework's parameters open", said.leaves_open),
        ("it is a numbered criterion of a standard", is_numbered_criterion(said)),
        ("it names a paper that shows it", _is_paper(said, sentence)),
        ("it names the requirement and repeats its words", _is_cited(asked, common, sentence)),
        ("it says that it can be done, and not that it is", _can(acts, sentence)),
        ("it tells of what happened once", happened_once(acts, asked, sentence)),
        ("it names what would need it", names_case(places, sentence)),
        ("it says with what it is done, and not that it is", is_limited_to_means(asked, sentence)),
    )  # fmt: skip
    return next((why for why, holds in found if holds), "")


def _acts(demand: Demand, common: Common, sentence: SentenceReading) -> list[Token]:
    return [sentence.tokens[common.forth[n]] for n in demand.acts if n in common.forth]


def _can(acts: list[Token], sentence: SentenceReading) -> bool:
    return any(_CAN.search(sentence.text[: each.start]) for each in acts)


def _asks(places: list[Token], sentence: SentenceReading) -> bool:
    """Whether the words stand in front of a question mark, "Is data encrypted at rest?", or behind a question to "you"."""
    if not places:
        return False
    return "?" in sentence.text[max(each.end for each in places) :] or _QUESTION.search(sentence.text) is not None


def _is_paper(said: SaidByPolicy, sentence: SentenceReading) -> bool:
    """Whether a sentence names what shows that something was done: "Logs: documentation of measures taken to contain incidents"."""
    if any(each.role == "modal" for each in sentence.tokens):
        return False
    found = _papers().match(without_label(said.own))
    size = len(said.own)
    return found is not None and not has_finite_verb(said.own, 0, size) and find_imperative(said.own, 0, size) is None


def _is_quoted(places: list[Token], sentence: SentenceReading) -> bool:
    spans = [found.span() for found in _QUOTED.finditer(sentence.text) if len(found["words"].split()) >= _QUOTATION]
    return bool(places) and all(any(start < each.start < end for start, end in spans) for each in places)


def _heading(asked: AskedByPart, said: SaidByPolicy, sentence: SentenceReading) -> str:
    """The words of a sentence's headings, or of its document's title, under which nothing is laid down; "" for none.

    What the part itself asks about is left out: evidence is collected under "Evidence requirements".
    """
    named = f"{asked.title} {asked.wording.text}".casefold()
    headings, _, title = said.around.rpartition(". ")
    path = headings.split(" / ")
    rules = max((n for n, each in enumerate(path) if _rules().match(each)), default=-1)
    # What binds by its own verb is a rule under "Purpose", too; what only begins with a verb is an aim there.
    asides = () if any(each.role == "modal" for each in sentence.tokens) else (_asides(),)
    told = [(each, (_no_rules(), _standards(), *asides)) for each in path[rules + 1 :]]
    # What is taken for a document's title may be its first heading, "Overview" among them.
    for text, patterns in (*told, *(((title, (_no_rules(),)),) if rules < 0 else ())):
        for pattern in patterns:
            found = pattern.search(text)
            words = " ".join(found[1].strip(" .:").split()) if found is not None else ""
            if words and words.casefold().rstrip("s") not in named:
                return words
    if rules >= 0:
        return ""
    names = (_name(said.document), "" if _rule_papers().search(said.around) else title)
    found = next((f for each in names for p in (_no_rules(), _shows()) if (f := p.search(each)) is not None), None)
    return found[1] if found is not None else ""


def _name(document: str) -> str:
    """A document's own name in words; "" of one that calls itself a policy, a standard or a procedure."""
    name = re.sub(r"[\W_]+", " ", document.rsplit("/", 1)[-1].rsplit(".", 1)[0])
    return "" if _rule_papers().search(name) else name


def _is_cited(asked: AskedByPart, common: Common, sentence: SentenceReading) -> bool:
    """Whether a sentence has the number of the requirement in front of nearly its own words: "PR.AT-1: All users are …"."""
    if not re.search(r"\d", asked.number) or common.held < _SAME or common.spread > _CLOSE:
        return False
    start = min(sentence.tokens[at].start for at in common.forth.values())
    number = re.search(rf"(?<![\w.-]){re.escape(asked.number)}(?![\w-])", sentence.text[:start], re.IGNORECASE)
    return number is not None and _REFERS.search(sentence.text[: number.start()]) is None
