"""What a tagger sees of sentences of our own, written down.

``python -m benchmark_tests.parsing.pinned_features`` writes ``pinned_features.json`` anew. A model is learnt from these
features, so whatever changes here changes what it learns.
"""

from __future__ import annotations

import json
from pathlib import Path

from coditect_benchmarks.parsing.candidates import bare_clauses
from coditect_benchmarks.parsing.clauses import Clause, TimePhrase
from coditect_benchmarks.parsing.features import Sentence, token_features
from coditect_benchmarks.parsing.tagger import _clause_features

from .material import place, task

__all__ = ["PINNED", "features", "pinned"]

PINNED = Path(__file__).parent / "pinned_features.json"

_FIRST = (
    "If a key (or 2 KEYS) is lost, the keeper must inform the owner within 5 days, unless the owner has been told; he may"
    " wait."
)
_SECOND = (
    "The Tenant's agent, who lives in the well-kept house at the far end of the long and winding road which leads from the"
    " old town down to the sea and on to the new lighthouse there, shall be paid every month before noon."
)
_THIRD = "Members need not vote: without delay and to the extent possible they shall count."


def features() -> dict[str, list[str]]:
    """The features of each token of some clauses, and of the clauses themselves."""
    found: dict[str, list[str]] = {}
    for text, starts in ((_FIRST, [0]), (_SECOND, [0, 4, 20]), (_THIRD, [0])):
        sentence = Sentence(text, starts)
        clauses = [_with_parts(text, clause) for clause in bare_clauses(task(text))]
        for clause in clauses:
            own = (text.index(" ") + 1, len(text) - 5)
            others = [other for other in clauses if other is not clause]
            first, tokens = token_features(sentence, clause, others, own, hints={1: ["up"], 2: ["down"]})
            cue = text[slice(*clause.cue)]
            found[f"{cue}, from {first}"] = [" ".join(names) for names in tokens]
            found[f"{cue}, clause"] = [" ".join(_clause_features(task(text), clause))]
    text = _THIRD
    bare = next(iter(bare_clauses(task(text))))
    _, tokens = token_features(Sentence(text, [0]), bare, [], (0, len(text)), rules=False)
    found["without rules"] = [" ".join(names) for names in tokens]
    return found


def _with_parts(text: str, clause: Clause) -> Clause:
    """A clause with a holder, a condition and a trigger, as far as the sentence has them."""
    if text is not _FIRST:
        return clause
    lost, keeper = place("a key (or 2 KEYS) is lost", text), place("the keeper", text)
    times = tuple(TimePhrase(time.kind, time.text, lost) for time in clause.times)
    whole = (clause.whole[0], clause.whole[1] - 3)
    return Clause(
        clause.kind, clause.cue, keeper, clause.action, (place("If a key (or 2 KEYS) is lost", text),), times, whole
    )


def pinned() -> dict[str, list[str]]:
    """What was written down."""
    found: dict[str, list[str]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    PINNED.write_text(json.dumps(features(), indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
