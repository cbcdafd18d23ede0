"""Training cases made from evidence: sentences word for word, and the same with one word turned round.

Edited summaries teach that a claim in the words of its source is suspicious, because there the faithful ones were paraphrased. A
quote is supported by definition, and a quote with another name, number, negation or opposite is not: these cases say so.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from functools import cache

from coditect.language.reading.words import Word, WordKind, read_words
from coditect.language.tables import read_table
from coditect_benchmarks.verification.adapters import ADAPTERS
from coditect_benchmarks.verification.formats import Case

__all__ = ["EDITS", "made"]

SEED = 0
EDITS = ("name", "number", "negation", "opposite")
_DOCUMENTS = 160
_SHORTEST, _LONGEST = 8, 45
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|will|can|could|should|may|must|shall|would|has been|have been|had been)\b"
)
_NEGATION = re.compile(r"\b(is|are|was|were|will|can|could|should|may|must|shall|would) not\b")


def made(sets: Mapping[str, Sequence[Case]]) -> dict[str, list[Case]]:
    """For each set that is trained on, quotes of its documents and quotes with one edit.

    Args:
        sets: by name; sets without an adapter are left alone.
    Returns:
        by name of the set; each document gives one supported and at most one unsupported case, in its own group and domain.
    """
    return {name: list(_of(sets[name])) for name in sorted(sets) if name in ADAPTERS}


def _of(cases: Sequence[Case]) -> list[Case]:
    documents: dict[tuple[str, ...], Case] = {}
    for case in cases:
        documents.setdefault(case.evidence, case)
    chosen = list(documents.values())
    draw = random.Random(SEED)  # noqa: S311 - no secret
    draw.shuffle(chosen)
    names = sorted({w.text for case in chosen for s in case.evidence[:5] for w in read_words(s) if _swappable(w)})
    found = []
    for case in chosen[:_DOCUMENTS]:
        fit = [each for each in case.evidence if _SHORTEST <= len(each.split()) <= _LONGEST]
        if len(fit) < 2:
            continue
        quote, base = draw.sample(fit, 2)
        found.append(Case(quote, case.evidence, True, case.group, "quote", case.domain))
        for kind in draw.sample(EDITS, len(EDITS)):
            changed = _edited(base, kind, names, " ".join(case.evidence), draw)
            if changed:
                found.append(Case(changed, case.evidence, False, case.group, f"quote, other {kind}", case.domain))
                break
    return found


def _swappable(word: Word) -> bool:
    return word.kind == WordKind.NAME and word.text.isalpha() and word.text[0].isupper() and len(word.text) > 3


def _edited(text: str, kind: str, names: Sequence[str], document: str, draw: random.Random) -> str:
    """The sentence with one edit; "" where there is nothing to edit."""
    said = read_words(text)
    if kind == "negation":
        dropped = _NEGATION.sub(r"\1", text, count=1)
        if dropped != text:
            return dropped
        match = _AUXILIARY.search(text)
        return f"{text[: match.end()]} not{text[match.end() :]}" if match else ""
    if kind == "number":
        spots = [word for word in said if word.kind == WordKind.NUMBER and word.text.isdigit()]
        return _put(text, draw.choice(spots), str(int(draw.choice(spots).text) + draw.randint(1, 9))) if spots else ""
    if kind == "name":
        spots = [word for word in said[1:] if _swappable(word)]
        strange = [name for name in names if name not in document]
        return _put(text, draw.choice(spots), draw.choice(strange)) if spots and strange else ""
    turned = [(word, _antonyms(word.text)) for word in said if word.kind == WordKind.CONTENT]
    turned = [(word, others) for word, others in turned if others]
    if not turned:
        return ""
    word, others = draw.choice(turned)
    return _put(text, word, draw.choice(others))


def _put(text: str, word: Word, other: str) -> str:
    return text[: word.start] + other + text[word.end :]


@cache
def _antonyms(word: str) -> tuple[str, ...]:
    """The words on the other pole of the first broad axis that has a word as it is written; none for most words."""
    for axis in read_table("oppositions").axes("broad"):
        for mine, other in (axis, axis[::-1]):
            if word in mine:
                return other
    return ()
