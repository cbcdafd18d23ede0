"""Claims beside evidence, and every measure that the probability of support and the second reader weigh, written down.

``python -m tests.unit.verify.pinned_measures`` writes the file anew. The sentences were made as those of
:mod:`tests.unit.verify.pinned_rules` were, and those kept in which a measure is at one of its limits. The weights were fitted on
these measures, so one that comes out otherwise is another measure under the name of the old one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.learned.measures import measure_claim
from coditect.verify.learned.readings import find_strange_words
from coditect.verify.support.assessment import Support, support

__all__ = ["PINNED", "measured", "pinned"]

PINNED = Path(__file__).parent / "pinned_measures.json"


def measured(claim: str, evidence: list[str]) -> dict[str, Any]:
    """What is measured of a claim: probability, parts, the measures of both readers that are not 0, and its strange words."""
    index = EvidenceIndex(evidence)
    contradictions = find_contradictions(claim, index)
    found = support(claim, index, contradictions=contradictions)
    if found.unreadable:
        return {"unreadable": found.unreadable}
    second = measure_claim(claim, index, contradictions, found, foreign=len(claim) % 2 == 0)
    return {
        "probability": round(found.probability, 6),
        "measures": _not_0(found.features),
        "parts": _parts(found),
        "readings": {name: value for name, value in _not_0(second).items() if name not in found.features},
        "strange": [list(span) for span in find_strange_words(claim, index)],
    }


def _not_0(measures: Mapping[str, float]) -> dict[str, float]:
    rounded = {name: round(value, 6) for name, value in sorted(measures.items())}
    return {name: value for name, value in rounded.items() if value}


def _parts(found: Support) -> list[list[Any]]:
    """Of each sentence of a claim its place, probability and coverage, its new words, and what it rests on."""
    return [
        [
            *(part.start, part.end, round(part.probability, 6), round(part.coverage, 6)),
            [list(span) for span in part.novel],
            [[match.text_index, *map(list, match.spans)] for match in part.matches],
        ]
        for part in found.parts
    ]


def pinned() -> list[dict[str, Any]]:
    """What is written down: pairs with ``claim``, ``evidence`` and ``measured``."""
    found: list[dict[str, Any]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


def write(pairs: list[tuple[str, list[str]]]) -> None:
    """Write down what is measured of some claims beside their evidence now."""
    rows = ({"claim": claim, "evidence": evidence, "measured": measured(claim, evidence)} for claim, evidence in pairs)
    PINNED.write_text(
        "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n", encoding="utf-8"
    )


if __name__ == "__main__":
    write([(row["claim"], row["evidence"]) for row in pinned()])
