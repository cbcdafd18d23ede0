"""What the dependency parser makes of parsed sentences of our own, and what a tagger sees of them, written down.

``python -m benchmark_tests.parsing.pinned_parses`` writes ``pinned_parses.json`` anew.
"""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from coditect_benchmarks.parsing.candidates import bare_clauses
from coditect_benchmarks.parsing.clauses import Clause, Place
from coditect_benchmarks.parsing.dependency import (
    DependencyParser,
    Parses,
    RevisedRules,
    find_imperative,
    governs,
    revise,
)
from coditect_benchmarks.parsing.features import Sentence

from .material import task
from .parses import TREES, Doc, doc_of

__all__ = ["DOCS", "PINNED", "hints", "pinned", "read"]

PINNED = Path(__file__).parent / "pinned_parses.json"
DOCS: dict[str, Doc] = {doc.text: doc for doc in map(doc_of, TREES)}
_PARTS = ("binding", "holder", "scope", "conditions", "action")


def _words(text: str, clause: Clause) -> list[Any]:
    """A clause in words."""

    def words(place: Place | None) -> str | None:
        return text[slice(*place)] if place else None

    parts = [[words(each) for each in places] for places in (clause.action, clause.conditions)]
    return [clause.kind, words(clause.cue), words(clause.holder), *parts, clause.whole[0]]


def read(text: str) -> dict[str, Any]:
    """What is read of a sentence: by the parse alone, and of the rules' clauses with each part as the parse has it."""
    parses = Parses(DOCS.__getitem__)
    doc = parses.of(text)
    bare = list(bare_clauses(task(text)))
    imperative = find_imperative(doc, (0, len(text)))
    found: dict[str, Any] = {
        "parsed": [_words(text, clause) for clause in DependencyParser(parses).parse(task(text))],
        "governs": [governs(doc, clause) for clause in bare],
        "imperative": text[slice(*imperative)] if imperative else None,
    }
    starts = [token.idx for token in doc]
    for clause, part in product(bare, _PARTS):
        # The rules' own reading: the first word is the holder, and a condition is thought to begin at every third word.
        guessed = tuple((start, min(start + 8, len(text))) for start in starts[::3])
        ruled = replace(clause, holder=(0, len(doc_of_first(doc))), conditions=guessed)
        here = RevisedRules(parses, part).parse(task(text, ruled))
        found[f"{text[slice(*clause.cue)]}, {part}"] = [_words(text, each) for each in here]
        alone = revise(doc, clause, frozenset((part,)), alone=False)
        if alone != clause:
            found[f"{text[slice(*clause.cue)]}, {part}, without holder"] = _words(text, alone)
    return found


def doc_of_first(doc: Doc) -> str:
    """The first word of a parse."""
    return next(iter(doc)).text


def hints(text: str) -> list[str]:
    """What the parse says of each token in view of the last clause of its sentence, a line each."""
    parses = Parses(DOCS.__getitem__)
    bare = list(bare_clauses(task(text)))
    if not bare:
        return []
    sentence = Sentence(text, [0])
    told = parses.hints(task(text), sentence, bare[-1])
    return [f"{word} {' '.join(told[number])}" for number, word in enumerate(sentence.words)]


def everything() -> dict[str, dict[str, Any]]:
    """All of it, as JSON gives it back."""
    made: dict[str, dict[str, Any]] = json.loads(
        json.dumps({text: {**read(text), "hints": hints(text)} for text in DOCS})
    )
    return made


def pinned() -> dict[str, dict[str, Any]]:
    """What was written down."""
    found: dict[str, dict[str, Any]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    rows = [
        f"{json.dumps(text)}: {{\n" + ",\n".join(f" {json.dumps(k)}: {json.dumps(v)}" for k, v in said.items()) + "\n}"
        for text, said in everything().items()
    ]
    PINNED.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
