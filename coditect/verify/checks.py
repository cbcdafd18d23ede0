"""The checks of a claim against its evidence. Each returns a signal that says what was wrong, in words.

They take the claim's sentence apart by its forms, not by how it was made: a value before the name of its document, a count before
its base, words in quotation marks. A sentence that somebody else wrote is checked the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from coditect.schemas import Claim, Extraction, Signal

__all__ = [
    "FATAL",
    "Case",
    "Quote",
    "attributed",
    "differing",
    "missing",
    "named",
    "numbers",
    "plain",
    "recounted",
    "signal",
    "unnamed",
    "verbatim",
]  # fmt: skip

FATAL = 1.0

_QUOTED = re.compile(r"“([^“”]+)”")
_NUMBER = re.compile(r"\d+(?:[.,:-]\d+)*")
_STANCES = {"obligation": ("requires",), "prohibition": ("prohibits",), "permission": ("permits", "leaves open")}
_MARKS = str.maketrans({"‘": "'", "’": "'", '"': "'", "“": "'", "”": "'"})


@dataclass(frozen=True, slots=True)
class Quote:
    """A cited quote.

    Attributes:
        name: of its document.
        text: verbatim.
        extractions: the Tier 1 items behind it.
    """

    name: str
    text: str
    extractions: tuple[Extraction, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with its evidence.

    Attributes:
        claim: what is said.
        quotes: what it cites, at least one.
        names: the names of the corpus' documents.
        fresh: the figure counted again; None where the claim has none.
    """

    claim: Claim
    quotes: tuple[Quote, ...]
    names: frozenset[str]
    fresh: Mapping[str, Any] | None


def signal(name: str, passed: bool, detail: str, weight: float) -> Signal:
    """A signal, with its reason and weight only where it failed."""
    return Signal(name=name, passed=passed, detail="" if passed else detail, weight=0.0 if passed else weight)


def plain(text: str) -> str:
    """One line, one kind of quotation marks, casefolded."""
    return " ".join(text.translate(_MARKS).casefold().split())


def named(text: str, names: Iterable[str]) -> list[str]:
    """The documents that a text names, longest first; a name inside another that was found is not named by it."""
    found: list[str] = []
    for name in sorted(names, key=lambda each: (-len(each), each)):
        if name in text:
            found.append(name)
            text = text.replace(name, " ")
    return found


def unnamed(case: Case) -> str:
    """The claim without quotations and the names of documents: what it says itself."""
    text = case.claim.text
    for name in named(text, case.names):
        text = text.replace(name, " ")
    return _QUOTED.sub(" ", text)


def attributed(case: Case) -> Signal:
    """The documents that the claim names are those that it cites, or that the figure counts."""
    said = set(named(_QUOTED.sub(" ", case.claim.text), case.names))
    cited = {quote.name for quote in case.quotes}
    counted = case.fresh or {}
    allowed = (
        cited
        | set(counted.get("without", ()))
        | set(counted.get("names", ()))
        | {str(case.claim.recipe.get("document", ""))}
    )
    if case.claim.claim_kind in ("requirement", "conflict") and not cited <= said:
        return signal("attributed", False, "the claim does not name a document that it cites", FATAL)
    if case.claim.claim_kind == "requirement" and not any(case.claim.text.startswith(f"{name}: ") for name in cited):
        return signal("attributed", False, "the claim does not begin with the document that it cites", FATAL)
    strange = sorted(said - allowed)
    return signal("attributed", not strange, f"named but not cited: {', '.join(strange)}", FATAL)


def verbatim(case: Case) -> Signal:
    """What stands in quotation marks stands in a cited quote, or is the topic or document that the figure is about."""
    recipe = case.claim.recipe
    about = {plain(str(value)) for value in (case.claim.topic, recipe.get("name", ""))}
    about |= {
        plain(str(recipe.get(name, ""))) for name in ("label", "row", "status") if "gap" in recipe and name == "label"
    }
    haystack = [plain(quote.text) for quote in case.quotes]
    for said in _QUOTED.findall(case.claim.text):
        wanted = plain(said.removesuffix("…"))
        if wanted not in about and not any(wanted in quote for quote in haystack):
            return signal("verbatim", False, f"“{said[:80]}” is not in a cited quote", FATAL)
    return signal("verbatim", True, "", 0.0)


def numbers(case: Case) -> Signal:
    """Every number of the claim stands in a cited quote; those of a figure are counted."""
    have = {number for quote in case.quotes for number in _NUMBER.findall(quote.text)}
    if case.fresh is not None:
        have = {number for value in _leaves(case.fresh) for number in _NUMBER.findall(value)}
        have |= set(_NUMBER.findall(str(case.claim.recipe.get("label", ""))))
        have |= _sums(case.fresh)
    unknown = sorted(set(_NUMBER.findall(unnamed(case))) - have)
    return signal("numbers", not unknown, f"not in the evidence: {', '.join(unknown)}", FATAL)


def _leaves(value: object) -> list[str]:
    """Every value in a result, as text; of names and labels too."""
    if isinstance(value, Mapping):
        return [leaf for each in value.values() for leaf in _leaves(each)]
    if isinstance(value, list | tuple):
        return [leaf for each in value for leaf in _leaves(each)]
    return [str(value)]


def _sums(fresh: Mapping[str, Any]) -> set[str]:
    """Counts that a sentence may add up: of documents without a value, of the values that it does not spell out, of more names."""
    values = [int(times) for _, times in fresh.get("values", ())]
    sums = {str(sum(values[shown:])) for shown in range(len(values))}
    for names in (fresh.get("without", ()), fresh.get("names", ())):
        sums |= {str(len(names) - shown) for shown in range(len(names))}
    return sums


def recounted(case: Case) -> Signal:
    """The figure, counted again, is the one stored, and the sentence says it."""
    fresh, claim = case.fresh or {}, case.claim
    stored = claim.recipe.get("result")
    if fresh != stored:
        return signal("recounted", False, f"a fresh count gives {dict(fresh)}", FATAL)
    wrong = ""
    match claim.recipe.get("figure"):
        case "missing_document":
            if fresh["resolves"] or fresh["defined"]:
                wrong = "it is a document of the corpus" if fresh["resolves"] else "it is a defined term of the corpus"
            elif not fresh["documents"]:
                wrong = "no document refers to it"
        case "missing_place" if fresh["exists"] or not fresh["last"]:
            wrong = "the section may well be there"
        case "uncovered" if fresh["documents"]:
            wrong = f"there is one in {', '.join(fresh['names'])}"
    said = unnamed(case)
    phrases = _expected(claim, fresh)
    unsaid = [phrase for phrase in phrases if not re.search(rf"(?<![\w.]){re.escape(phrase)}(?!\w)", said)]
    if not wrong and unsaid:
        wrong = f"counted again it is “{unsaid[0]}”"
    return signal("recounted", not wrong, wrong, FATAL)


def _expected(claim: Claim, fresh: Mapping[str, Any]) -> list[str]:
    """What the sentence of a figure must say, word for word."""
    match claim.recipe.get("figure"):
        case "coverage":
            return [f"{fresh['documents']} of {fresh['of']} documents"]
        case "measure" if claim.claim_kind == "gap":
            return [f"{len(fresh['without'])} of {fresh['of']}"]
        case "measure":
            shown = [f"{label} ({times}" for label, times in fresh["values"] if label in claim.text]
            base = [f"{fresh['documents']} of {fresh['of']}" if fresh["without"] else f"{fresh['documents']}"]
            return [*base, *(shown if len(fresh["values"]) > 1 else [])]
        case "missing_place":
            return [f"section {claim.recipe['label']}", f"the last one is {fresh['last']}"]
        case "uncovered":
            return [f"of the {fresh['of']}"]
    return []


def differing(case: Case) -> Signal:
    """Each side of a difference is what its quote fixes or asks, said beside the name of its document; two sides differ."""
    kind = str(case.claim.recipe.get("conflict", ""))
    if len({quote.name for quote in case.quotes}) < 2:
        return signal("differing", False, "fewer than two documents are cited", FATAL)
    if kind == "modality":
        return _stances(case)
    if (
        kind == "reported"
    ):  # whose words differ is checked as what stands in quotation marks; whether they do, a judge says
        return signal("differing", True, "", 0.0)
    values = set()
    for quote in case.quotes:
        measures = [m for e in quote.extractions for m in e.tier1_data.get("measures", ())]
        said = [m for m in measures if f"{m['text']} in {quote.name}" in case.claim.text]
        if not said:
            return signal("differing", False, f"what {quote.name} says is not what its quote fixes", FATAL)
        values |= {float(m["value"]) for m in said}
    return signal("differing", len(values) > 1, "the documents fix the same value", FATAL)


def _stances(case: Case) -> Signal:
    said = _QUOTED.sub("“”", case.claim.text)
    stances = set()
    for quote in case.quotes:
        own = {verb for e in quote.extractions for verb in _STANCES.get(e.extraction_kind, ())}
        stance = next((verb for verb in sorted(own) if f"{quote.name} {verb}" in said), "")
        if not stance:
            return signal("differing", False, f"what {quote.name} asks is not what its quote asks", FATAL)
        stances.add(stance)
    return signal("differing", len(stances) > 1, "the documents ask for the same", FATAL)


def missing(case: Case) -> Signal:
    """A gap is where the claim says: an empty cell is empty and its column there, a date lies before another."""
    recipe, first = case.claim.recipe, case.quotes[0]
    wrong = ""
    if not case.claim.text.startswith(first.name):
        wrong = "the claim does not begin with the document that it cites"
    match recipe.get("gap"):
        case "empty":
            label = str(recipe["label"])
            if f"{label}: " in first.text:
                wrong = f"the row does have a “{label}”"
            elif not any(label in quote.text for quote in case.quotes[1:]):
                wrong = f"nothing cited shows that the table has a column “{label}”"
        case "overdue" | "stale":
            early, late = str(recipe["due"]), str(recipe["as_of"])
            dates = [plain(quote.text) for quote in case.quotes]
            if not (early in dates[0] and any(late in text for text in dates[1:]) and late in case.claim.text):
                wrong = "a date of the claim is not in its evidence"
            elif not early < late:
                wrong = f"{early} does not lie before {late}"
        case "open" if plain(str(recipe["says"])) not in plain(first.text):
            wrong = f"the quote does not say “{recipe['says']}”"
    return signal("missing", not wrong, wrong, FATAL)
