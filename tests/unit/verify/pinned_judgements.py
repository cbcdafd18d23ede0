"""What the checker measures and finds of claims beside evidence, written down: ``python -m tests.unit.verify.pinned_judgements``.

The weights of the combiner were fitted on these measures. One that comes out otherwise is another measure under the name of the
old one, so the file changes only with a reason, and with the version of what changed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.support.assessment import support
from tests.unit.verify.contradictions.test_kinds import CASES

__all__ = ["PAIRS", "PINNED", "judgement", "pinned"]

PINNED = Path(__file__).parent / "pinned_judgements.json"

OTHERS = (
    "The canteen opens at noon and closes at 3 p.m. on Fridays.",
    "Neither the clerk nor the Licensor shall disclose the 40 backups of Norwick to visitors, unless the board agrees in writing.",
    "Employees may not use the side entrance before 7 May 2024.",
)
"""Evidence beside the sentence in question."""

LONGER = (
    (
        "Records of access shall be reviewed quarterly by the system owner. Accounts that are not used for 90 days are disabled.",
        "Access records are reviewed every quarter by the owner of the system, and unused accounts are never disabled.",
    ),
    (
        "The Information Security Officer (ISO) approves all exceptions in advance and in writing.",
        "The ISO approves exceptions in advance. Managers approve them afterwards.",
    ),
    (
        "Suppliers must encrypt personal data at rest and in transit, and must not transfer it outside the EU.",
        "Suppliers must not encrypt personal data in transit, but may transfer it outside the EU to any country.",
    ),
    (
        "Backups are tested at least once a year; the results are kept for five years and reported to the board.",
        "Backups are tested twice a year, and the board reads the results.",
    ),
    ("Passwords have at least 12 characters.", "Penguins seldom fly to Antarctica in December."),
)
PAIRS: dict[str, tuple[str, str]] = {
    **{f"{kind} {n}": (evidence, claim) for n, (kind, evidence, claim) in enumerate(CASES)},
    **{f"same {n}": (evidence, evidence) for n, (_, evidence, _) in list(enumerate(CASES))[::6]},
    **{f"longer {n}": pair for n, pair in enumerate(LONGER)},
}
"""(evidence, claim) by name."""


def judgement(evidence: str, claim: str) -> dict[str, Any]:
    """Probability, the measures that are not 0, parts, and contradictions of a claim beside one sentence and others."""
    texts = [OTHERS[0], evidence, *OTHERS[1:]]
    found = support(claim, texts)
    return {
        "probability": round(found.probability, 6),
        "unreadable": found.unreadable,
        "features": {name: round(value, 6) for name, value in sorted(found.features.items()) if round(value, 6)},
        "parts": [[part.start, part.end, round(part.probability, 6), round(part.coverage, 6)] for part in found.parts],
        "places": [
            [list(map(list, part.novel)), [[each.text_index, list(map(list, each.spans))] for each in part.matches]]
            for part in found.parts
        ],
        "contradictions": [
            [each.kind, round(each.severity, 6), list(each.claim_span), each.evidence_index, list(each.evidence_span)]
            for each in find_contradictions(claim, texts)
        ],
    }


def pinned() -> dict[str, Any]:
    """What is written down, by name of the pair."""
    found: dict[str, Any] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    made = {name: judgement(*pair) for name, pair in PAIRS.items()}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(each, sort_keys=True)}" for name, each in made.items())
    PINNED.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
