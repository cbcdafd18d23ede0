"""Claims, and what both stages and the second reader make of them, written down.

``python -m tests.unit.verify.pinned_assessments`` writes the file anew. The sentences were made as those of
:mod:`tests.unit.verify.pinned_rules` were; each has its threshold, its place in a claim, and the sources of its evidence.
"""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from coditect.schemas import Signal
from coditect.verify.staged.measures import measure_support
from coditect.verify.staged.sources import find_disagreement
from coditect.verify.staged.stages import assess, ruled_label
from coditect.verify.staged.subject import foreign_subject

__all__ = ["PINNED", "Asked", "pinned", "told"]

PINNED = Path(__file__).parent / "pinned_assessments.json"


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim with what it is checked against.

    Attributes:
        claim: one or a few sentences.
        evidence: the texts that it rests on.
        minimum: probability from which it is supported.
        offset: where it begins in a longer claim.
        sources: of which source each text is.
    """

    claim: str
    evidence: tuple[str, ...]
    minimum: float
    offset: int
    sources: tuple[str, ...]


def told(asked: Asked) -> list[str]:
    """The label, every signal, what the rules alone say, what the sources disagree in, and what is calibrated on."""
    found = assess(asked.claim, asked.evidence, asked.minimum, offset=asked.offset)
    foreign = foreign_subject(asked.claim, asked.evidence, 0.5, asked.offset)
    measures = measure_support(asked.claim, asked.evidence)
    return [
        f"{found.label} {found.score:.3f} {found.unreadable}",
        *map(_said, found.signals),
        f"by the rules {ruled_label(asked.claim, asked.evidence, asked.minimum)}",
        f"sources {find_disagreement(asked.claim, asked.evidence, asked.sources, asked.minimum)}",
        f"foreign {_said(foreign) if foreign is not None else None}",
        f"measures {[f'{value:.3f}' for value in measures] if measures is not None else None}",
    ]


def _said(signal: Signal) -> str:
    places = " ".join(f"{each.quote}:{each.char_start}-{each.char_end}" for each in signal.evidence)
    passed = "passed" if signal.passed else "failed"
    return (
        f"{signal.name} {passed} {signal.weight:.3f} {signal.claim_start}-{signal.claim_end} [{places}] {signal.detail}"
    )


def pinned() -> list[tuple[Asked, list[str]]]:
    """What is written down."""
    rows: list[dict[str, Any]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return [(_asked(row["asked"]), row["told"]) for row in rows]


def _asked(fields: list[Any]) -> Asked:
    claim, evidence, minimum, offset, sources = fields
    return Asked(claim, tuple(evidence), minimum, offset, tuple(sources))


def write(cases: list[Asked]) -> None:
    """Write down what is made of some claims now."""
    rows = ({"asked": astuple(asked), "told": told(asked)} for asked in cases)
    PINNED.write_text(
        "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n", encoding="utf-8"
    )


if __name__ == "__main__":
    write([asked for asked, _ in pinned()])
