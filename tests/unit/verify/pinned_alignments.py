"""Rows of words, and which word of one stands for which of the other, written down.

``python -m tests.unit.verify.pinned_alignments`` writes the file anew. The rows are few words in many arrangements, drawn at
random, so that every word has several that it could stand for and its neighbours decide.
"""

from __future__ import annotations

import json
from pathlib import Path

from coditect.language.reading.sentence import read_sentence
from coditect.verify.alignment.pairs import align

__all__ = ["PINNED", "pinned", "told"]

PINNED = Path(__file__).parent / "pinned_alignments.json"


def told(claim: str, evidence: str) -> str:
    """The words of one row beside those of the other that they stand for, by number."""
    forth, back = align(read_sentence(claim), read_sentence(evidence))
    assert back == {other: one for one, other in forth.items()}
    return " ".join(f"{one}-{other}" for one, other in sorted(forth.items()))


def pinned() -> list[tuple[str, str, str]]:
    """What is written down: two rows, and what is told of them."""
    return [(one, other, said) for one, other, said in json.loads(PINNED.read_text(encoding="utf-8"))]


def write(rows: list[tuple[str, str]]) -> None:
    """Write down how some rows are aligned now."""
    lines = ",\n".join(json.dumps((one, other, told(one, other))) for one, other in rows)
    PINNED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    write([(one, other) for one, other, _ in pinned()])
