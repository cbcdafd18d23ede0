"""The checks of a claim against its evidence. Each returns a signal that says what was wrong, in words.

A claim of rules is made again from its recipe and its evidence, and compared (:func:`restated`). A sentence that somebody wrote in
words of their own is taken as it stands: it names what it cites, what it quotes stands there, and so do its numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from coditect.schemas import Claim, Extraction, Restatement, Signal, canonical_json

__all__ = [
    "FATAL",
    "Case",
    "Quote",
    "attributed",
    "named",
    "numbers",
    "plain",
    "restated",
    "signal",
    "verbatim",
]  # fmt: skip

FATAL = 1.0

SHOWN = 80
"""Characters of a claim's words that a reason repeats."""

_QUOTED = re.compile(r"“([^“”]+)”")
_NUMBER = re.compile(r"\d+(?:[.,:-]\d+)*")
_WORD = re.compile(r"\S+")
_MARKS = str.maketrans({"‘": "'", "’": "'", '"': "'", "“": "'", "”": "'"})
_FACTS = {"figure": "recounted", "conflict": "differing", "gap": "missing"}
"""The signal on the fact that a claim tells, by what its recipe is of."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A cited quote.

    Attributes:
        name: the name of its document.
        text: its words, verbatim.
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
    """

    claim: Claim
    quotes: tuple[Quote, ...]
    names: frozenset[str]


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


def restated(claim: Claim, fresh: Restatement) -> list[Signal]:
    """Whether a claim of rules is what its recipe and its evidence give.

    Args:
        claim: what is said, and by which recipe.
        fresh: the claim made again.
    Returns:
        A signal on the fact ("recounted", "differing" or "missing"; none for a requirement), and "worded" on the sentence.
    """
    signals = [
        signal(name, not fresh.refusal and _same(claim, fresh), fresh.refusal or _recomputed(claim, fresh), FATAL)
        for of, name in _FACTS.items()
        if of in claim.recipe
    ][:1]
    if not fresh.text or (fresh.refusal and not signals):
        return [*signals, signal("worded", False, fresh.refusal, FATAL)]
    worded = signal("worded", claim.text == fresh.text and _same(claim, fresh), "it was made by another recipe", FATAL)
    if claim.text != fresh.text:
        start, end, detail = _difference(claim.text, fresh.text)
        worded = worded.model_copy(update={"detail": detail, "claim_start": start, "claim_end": end})
    return [*signals, worded]


def _same(claim: Claim, fresh: Restatement) -> bool:
    return canonical_json(claim.recipe) == canonical_json(fresh.recipe)


def _recomputed(claim: Claim, fresh: Restatement) -> str:
    """What of a recipe is another when it is computed again."""
    if "result" in fresh.recipe and claim.recipe.get("result") != fresh.recipe["result"]:
        return f"a fresh count gives {fresh.recipe['result']}"
    names = [name for name, value in fresh.recipe.items() if claim.recipe.get(name) != value]
    wrong = [f"{name} is {fresh.recipe[name]}" for name in names]
    return f"computed again, {', '.join(wrong)}" if wrong else "its recipe holds what nothing computes"


def _difference(said: str, told: str) -> tuple[int, int, str]:
    """(start, end, reason) of the words of a sentence that its evidence does not give: code points of ``said``, half-open."""
    ours, theirs = list(_WORD.finditer(said)), list(_WORD.finditer(told))
    first = _alike([m.group() for m in ours], [m.group() for m in theirs])
    last = _alike([m.group() for m in reversed(ours[first:])], [m.group() for m in reversed(theirs[first:])])
    extra, wanted = ours[first : len(ours) - last], theirs[first : len(theirs) - last]
    start = extra[0].start() if extra else (ours[first].start() if first < len(ours) else len(said))
    end = extra[-1].end() if extra else start
    here, there = said[start:end], told[wanted[0].start() : wanted[-1].end()] if wanted else ""
    if not here and not there:
        return 0, len(said), "its white space is another"
    if not there:
        return start, end, f"“{here[:SHOWN]}” has no place in it"
    if not here:
        return start, end, f"“{there[:SHOWN]}” is left out"
    return start, end, f"“{here[:SHOWN]}” stands where its evidence gives “{there[:SHOWN]}”"


def _alike(ours: list[str], theirs: list[str]) -> int:
    """How many words two lists begin with in common."""
    return next(
        (at for at, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other),
        min(len(ours), len(theirs)),
    )


def attributed(case: Case) -> Signal:
    """The documents that a sentence names are those that it cites; a requirement begins with its own."""
    said = set(named(_QUOTED.sub(" ", case.claim.text), case.names))
    cited = {quote.name for quote in case.quotes}
    if case.claim.claim_kind == "requirement" and not any(case.claim.text.startswith(f"{name}: ") for name in cited):
        return signal("attributed", False, "the claim does not begin with the document that it cites", FATAL)
    strange = sorted(said - cited)
    return signal("attributed", not strange, f"named but not cited: {', '.join(strange)}", FATAL)


def verbatim(case: Case) -> Signal:
    """What stands in quotation marks stands in a cited quote, or is the topic."""
    haystack = [plain(quote.text) for quote in case.quotes]
    for said in _QUOTED.findall(case.claim.text):
        wanted = plain(said.removesuffix("…"))
        if wanted != plain(case.claim.topic) and not any(wanted in quote for quote in haystack):
            return signal("verbatim", False, f"“{said[:SHOWN]}” is not in a cited quote", FATAL)
    return signal("verbatim", True, "", 0.0)


def numbers(case: Case) -> Signal:
    """Every number of a sentence stands in a cited quote; those in quotation marks and in names of documents are not its own."""
    text = case.claim.text
    for name in named(text, case.names):
        text = text.replace(name, " ")
    have = {number for quote in case.quotes for number in _NUMBER.findall(quote.text)}
    unknown = sorted(set(_NUMBER.findall(_QUOTED.sub(" ", text))) - have)
    return signal("numbers", not unknown, f"not in the evidence: {', '.join(unknown)}", FATAL)
