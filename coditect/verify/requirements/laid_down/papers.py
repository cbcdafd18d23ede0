"""Which papers lay rules down, and whether a sentence without a binding verb stands in one on its matter (ADR 108).

A house lays down in a policy, a standard, a procedure or a plan what it does. An overview, an assessment or a note may say the same
in the same words and binds nobody. And in a policy on another matter "encrypt data in transit" is said of that matter alone.
"""

from __future__ import annotations

import re
from functools import cache

from coditect.language.reading.sentence import SentenceReading
from coditect.language.reading.stems import canonical_stem
from coditect.language.tables import read_table, worded
from coditect.verify.requirements.demand import Demand
from coditect.verify.requirements.figures.bounds import bounds_of, compare_bounds
from coditect.verify.requirements.measures import Common
from coditect.verify.requirements.sides import AskedByPart, SaidByPolicy

__all__ = ["lays_down_rules", "strays"]

_WORD = re.compile(r"[a-z]{2,}")
_ALL = re.compile(r"\b(?:all|any|every|each|always)\b", re.IGNORECASE)
_REQUIRED = re.compile(r"\b(?:is|are|be)\s+(?:always\s+)?(?:required|mandatory)\b|\brequires?\b", re.IGNORECASE)

_BREAKS = re.compile(r"\s[-–—|:]+\s|[():|–—]|--")
"""What stands between a paper's name and its house's: "Privacy Policy (Acme)", "Acme -- Incident Response Policy"."""

_NEAREST = 2
"""Headings above a sentence that say what it is about."""

_SAME = 0.95
_CLOSE = 1.3
_LONG = 5
"""Share of a part's words, at least, words of a sentence for each in common, at most, and words of the part, at least, where it
nearly repeats the part: then it is on its matter wherever it stands."""

_ruling = worded("voice", r"(?<![a-z])(?:«ruling_papers»)(?![a-z])")


_ROLES = frozenset(("law", "rule", "standard", "policy", "procedure"))
"""Of the roles of documents those that lay down rules."""


def lays_down_rules(said: SaidByPolicy) -> bool:
    """Whether a document, or a heading above the sentence, calls itself one that lays down rules: a policy, a procedure, a plan."""
    return said.role in _ROLES or _ruling().search(f"{_spaced(said.document)} {said.around}") is not None


def strays(asked: AskedByPart, said: SaidByPolicy, sentence: SentenceReading, demand: Demand, common: Common) -> str:
    """The title of a document on another matter, where nothing in the sentence binds, or says that all is meant; "" for none.

    Args:
        asked: the part.
        said: the sentence.
        sentence: its words as they are compared.
        demand: the part, taken apart.
        common: what both have in common.
    """
    if any(each.role == "modal" for each in sentence.tokens) or _REQUIRED.search(sentence.text):
        return ""
    if compare_bounds(bounds_of(asked.wording.text), bounds_of(said.text)) is not None:
        return ""  # a figure for the same act and thing is on the part's matter, whatever the paper is called
    copies = common.held >= _SAME and common.spread <= _CLOSE and len(demand.reading.content) >= _LONG
    if copies or _ALL.search(sentence.text):
        return ""
    headings, _, title = said.around.rpartition(". ")
    named = next((each for each in _BREAKS.split(title) if _ruling().search(each)), "")
    own = _stems(named or f"{title} {_spaced(said.document.rsplit('/', 1)[-1])}") & _paper_matters()
    near = _stems(" ".join(headings.split(" / ")[-_NEAREST:]))
    matter = _stems(f"{asked.title} {asked.wording.text} {sentence.text}")
    if not own or own & matter or near & matter or _initials(title) in said.text:
        return ""
    return title.strip()


def _initials(title: str) -> str:
    """What a title is called for short, "BCP"; with fewer than three words something that stands nowhere."""
    letters = "".join(each[0] for each in re.findall(r"[A-Za-z]+", title)).upper()
    return letters if len(letters) > 2 else "\0"


def _spaced(name: str) -> str:
    return re.sub(r"[\W_]+", " ", name.rsplit(".", 1)[0])


def _stems(text: str) -> frozenset[str]:
    """The stems of a text's words, but for those that say nothing of what it is about."""
    return frozenset(canonical_stem(each) for each in _WORD.findall(text.casefold())) - _any_matter()


@cache
def _any_matter() -> frozenset[str]:
    return frozenset(map(canonical_stem, read_table("voice").words("any_matter")))


@cache
def _paper_matters() -> frozenset[str]:
    """Stems of the matters that papers are given over to; a house's own name is none."""
    return frozenset(map(canonical_stem, read_table("voice").words("paper_matters")))
