"""The checks of a sentence in words of its own against what it cites. Each returns a signal that says what was wrong, in words.

It is taken as it stands, whoever wrote it: it names what it cites, what it quotes stands there, and so do its numbers. Claims of
rules are compared with their rendering instead (:mod:`coditect.verify.restatement`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from coditect.language.matched import as_matched
from coditect.schemas import Claim, Extraction, Signal

__all__ = ["FATAL", "SHOWN", "Case", "Quote", "attributed", "named", "numbers", "plain", "signal", "verbatim"]

FATAL = 1.0

SHOWN = 80
"""Characters of a claim's words that a reason repeats."""

_QUOTED = re.compile(r"“([^“”]+)”")
_NUMBER = re.compile(r"\d+(?:[.,:-]\d+)*")
_MARKS = str.maketrans({"‘": "'", "’": "'", '"': "'", "“": "'", "”": "'"})


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
    """One line, one kind of quotation marks, casefolded, nothing that does not print."""
    return " ".join(as_matched(text).translate(_MARKS).casefold().split())


@lru_cache(2)
def _longest_first(names: frozenset[str]) -> tuple[str, ...]:
    """Names in the order in which they are looked for: those of one corpus, for all of its claims."""
    return tuple(sorted(names, key=lambda each: (-len(each), each)))


def named(text: str, names: frozenset[str]) -> list[str]:
    """The documents that a text names, longest first; a name inside another that was found is not named by it."""
    found: list[str] = []
    for name in _longest_first(names):
        if name in text:
            found.append(name)
            text = text.replace(name, " ")
    return found


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
    text = as_matched(case.claim.text)
    for name in named(text, case.names):
        text = text.replace(name, " ")
    have = {number for quote in case.quotes for number in _NUMBER.findall(as_matched(quote.text))}
    unknown = sorted(set(_NUMBER.findall(_QUOTED.sub(" ", text))) - have)
    return signal("numbers", not unknown, f"not in the evidence: {', '.join(unknown)}", FATAL)
