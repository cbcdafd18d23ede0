"""Labelled pairs made from real normative sentences, by seeded edits."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from coditect_benchmarks.edits.contradicting import CONTRADICTING
from coditect_benchmarks.edits.faithful import FAITHFUL
from coditect_benchmarks.edits.grammar import Edit, Family
from coditect_benchmarks.edits.source import Place, places

__all__ = ["EditPair", "family_of", "generate"]

_EDITS: dict[str, dict[str, Edit]] = {"contradicted": CONTRADICTING, "faithful": FAITHFUL}


@dataclass(frozen=True, slots=True)
class EditPair:
    """One labelled pair.

    Attributes:
        claim: the edited sentence.
        evidence: the sentence and its neighbours, in document order, as printed but with white space collapsed.
        label: "contradicted" or "faithful".
        kind: which edit.
        family: "dev" or "heldout": other templates and other documents.
        document: the file's name.
        source: the sentence before the edit; it is one of ``evidence``.
    """

    claim: str
    evidence: tuple[str, ...]
    label: str
    kind: str
    family: Family
    document: str
    source: str

    def record(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {**asdict(self), "evidence": list(self.evidence)}


def family_of(document: str) -> Family:
    """Which family a document belongs to, by the hash of its name: two in five are held out."""
    return "heldout" if hashlib.sha256(document.encode()).digest()[0] % 5 < 2 else "dev"


def generate(files: Iterable[Path], count: int, seed: int = 20) -> Iterator[EditPair]:
    """Pairs from files, as even over families, labels and kinds as the sentences allow.

    Args:
        files: documents that the project reads.
        count: pairs wanted, >= 1; fewer come where the sentences do not give more.
        seed: of the choice.
    """
    sentences: dict[str, list[Place]] = {"dev": [], "heldout": []}
    for path in files:
        sentences[family_of(path.name)] += places(path)
    for family in ("dev", "heldout"):
        own = sentences[family]
        random.Random(f"{seed} {family}").shuffle(own)  # noqa: S311 - a seeded choice
        yield from _of_family(own, family, count // 2, seed)


def _of_family(sentences: Sequence[Place], family: Family, count: int, seed: int) -> Iterator[EditPair]:
    """Half of them contradicting; of each label, every kind equally often as far as it goes."""
    kinds = {label: len(edits) for label, edits in _EDITS.items()}
    limit = {label: -(-count // (2 * number)) for label, number in kinds.items()}
    made: Counter[tuple[str, str]] = Counter()
    for place in sentences:
        for label, edits in _EDITS.items():
            open_kinds = sorted((made[label, kind], kind) for kind in edits if made[label, kind] < limit[label])
            for _, kind in open_kinds:
                # One generator for each try: what one edit draws does not change what the next one makes.
                rng = random.Random(f"{seed} {place.document} {place.start} {kind}")  # noqa: S311
                claim = edits[kind](place.text, rng, family)
                if claim is None or claim == place.text:
                    continue
                if " ".join(claim.split()) == place.text and kind != "spacing and case":
                    continue
                made[label, kind] += 1
                yield EditPair(claim, place.evidence, label, kind, family, place.document, place.text)
                break
