"""The wording of figures, gaps and differences: what such a claim says around its names, quotations and values is a known form.

The other checks compare what stands in the claim's places with a fresh count and with the quotes. This one sees to it that nothing
else is said: no "not", no "unless", no second sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from coditect.language.terms import terms
from coditect.schemas import Signal
from coditect.verify.checks import FATAL, Case, named, signal

__all__ = ["worded"]

_QUOTED = re.compile(r"“[^“”]*”")
_SPACE = re.compile(r"\s+")
_BASE = r"(?:policies, standards and procedures|documents?)"
_NOUN = r"(?:numbers?|deadlines?|periods?|intervals?|versions?)"
_LIST = r"N(?:, N)*(?: and (?:N|\d+ more))?"
_SIDE = r"S(?: for itself)?"
_ROW = r"N(?:, row Q)?"
_ACT = r"(?:to (?:Q|\w[\w ,'’/-]{0,80})|for being Q)"
_NOW = r"the newest date (?:at which|of) N(?: reports something done)? is [\d-]{4,10}"

_FORMS = {
    "theme": (r"\d+ of \d+ documents speaks? to Q\.",),
    "statistic": (
        rf"\d+ of \d+(?: {_BASE})? say(?: how often they are reviewed)?: V\.",
        rf"\d+ documents fix the same {_NOUN} {_ACT}: V\.",
        rf"{_NOUN} {_ACT} differ in \d+ documents: V\.",
    ),
    "conflict": (
        r"N (?:requires|prohibits|permits|leaves open) what N (?:requires|prohibits|permits|leaves open)(?: on Q)?: Q against Q\.?",
        rf"{_NOUN} differ(?: for Q)?(?: \([\w -]{{1,60}}\))?: {_SIDE}(?:, (?:but )?{_SIDE})*\.",
        r"On Q, documents differ: N says Q(?:; N says Q)+\.",
    ),
    "gap": (
        rf"{_LIST} refers? to Q, which is not in the corpus\.",
        r"N refers to (?:its own section P|section P of N), where the last one is P: Q\.?",
        rf"No deadline of the \d+ {_BASE} answers to N: Q\.?",
        rf"{_ROW} leaves (?:a point|points) open: Q(?: and Q|, after Q)?\.?",
        rf"{_ROW} has no Q(?:, but Q)?(?:; most rows of the table have one)?\.",
        rf"{_ROW} is overdue: Q(?: and Q)?, but {_NOW}\.",
        rf"{_ROW} is out of date: Q and Q, but {_NOW}\.",
        rf"{_ROW} is out of date: Q lies more than a year before the newest of its column, [\d-]{{4,10}}\.",
        rf"\d+ of \d+ {_BASE} (?:does|do) not say how often (?:it is|they are) reviewed: {_LIST}\.",
    ),
}  # fmt: skip
"""By kind: N is the name of a document, Q a quotation, S "24 hours in NAME" as a quote fixes it, V all values as they
were counted, P the number of a section."""

_COMPILED = {kind: [re.compile(form, re.IGNORECASE) for form in forms] for kind, forms in _FORMS.items()}
_COUNTED_ACT = re.compile(rf"\b{_NOUN} to ([^:]*?)(?: differ in|:)|\bfor being “([^“”]*)”", re.IGNORECASE)
_DISPUTED_ACT = re.compile(rf"^{_NOUN} differ(?: for “[^“”]*”)? \(([\w -]+)\):", re.IGNORECASE)
_TURNING = re.compile(
    r"\b(?:not|no|never|none|without|unless|except|only|if|shall|must|may|should|cannot)\b|n['’]t\b", re.I
)
_TURNS_IN_FORMS = re.compile(r"\b(?:has no|do(?:es)? not say|is not in the corpus|No deadline)\b", re.I)


def worded(case: Case) -> Signal:
    """The claim has the form of its kind, and no word in it turns it."""
    bare = _skeleton(case)
    forms = _COMPILED.get(case.claim.claim_kind, ())
    known = any(form.fullmatch(bare) for form in forms) and _names_act(case)
    turned = _TURNING.search(_TURNS_IN_FORMS.sub(" ", bare))
    detail = f"“{turned.group()}” has no place in it" if turned else "it says more, or something else, than was counted"
    return signal("worded", known and turned is None, detail, FATAL)


def _skeleton(case: Case) -> str:
    """The claim with Q, S, N and P in the places of quotations, fixed values, names and sections, on one line."""
    text = _QUOTED.sub("Q", case.claim.text)
    if case.claim.claim_kind == "conflict":
        for side in sorted(set(_sides(case)), key=lambda each: (-len(each), each)):
            text = re.sub(rf"(?<![\w.]){re.escape(side)}(?=[,. ])", "S", text)
    for told in _told(case):
        text = text.replace(f": {told}.", ": V.")
    for name in named(text, case.names):
        text = text.replace(name, "N")
    if case.claim.recipe.get("figure") == "missing_place":
        for label in (case.claim.recipe.get("label", ""), (case.fresh or {}).get("last", "")):
            if label:
                text = re.sub(rf"(?<![\w.]){re.escape(str(label))}(?!\w)", "P", text)
    return _SPACE.sub(" ", text).strip()


def _told(case: Case) -> Iterator[str]:
    """The ways to say which values were counted how often: all of them, or the first few and how many others there are."""
    values = [(str(label), int(times)) for label, times in (case.fresh or {}).get("values", ())]
    if len(values) == 1:
        yield values[0][0]
    for shown in range(len(values), 0, -1):
        rest = sum(times for _, times in values[shown:])
        yield ", ".join(
            [*(f"{label} ({times})" for label, times in values[:shown]), *([f"others ({rest})"] if rest else [])]
        )


def _names_act(case: Case) -> bool:
    """A figure about an activity names it by the word whose stem was counted; a difference by the verb of a cited quote."""
    recipe, text = case.claim.recipe, case.claim.text
    head = str(recipe.get("head", ""))
    if recipe.get("figure") == "measure":
        found = _COUNTED_ACT.search(text)
        return found is None or head in terms(found[1] or found[2] or "")
    found = _DISPUTED_ACT.search(text) if "conflict" in recipe else None
    if found is None or head in terms(found[1]):
        return True
    return found[1] in {str(measure.get("verb", "")) for measure, _ in _measures(case)}


def _sides(case: Case) -> Iterator[str]:
    """What each cited quote fixes, beside the name of its document."""
    for measure, name in _measures(case):
        yield f"{measure['text']} in {name}"


def _measures(case: Case) -> Iterator[tuple[Mapping[str, Any], str]]:
    """What each cited quote fixes, and the name of its document."""
    for quote in case.quotes:
        for extraction in quote.extractions:
            for measure in extraction.tier1_data.get("measures", ()):
                yield measure, quote.name
