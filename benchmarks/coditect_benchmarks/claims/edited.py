"""Sentences of real documents, edited by templates: what truths and falsehoods look like that are nearly verbatim."""

from __future__ import annotations

import random
from pathlib import Path

from coditect_benchmarks.claims.records import WrittenClaim
from coditect_benchmarks.claims.training import EDITED
from coditect_benchmarks.edits.pairs import generate
from coditect_benchmarks.edits.source import documents

__all__ = ["edited_claims", "trained_documents"]

_COUNT = 500
_SEED = 21
_MOST_DOCUMENTS = 24


def edited_claims(folder: Path, count: int = _COUNT) -> list[WrittenClaim]:
    """Edited sentences of some contracts and regulations, each with the sentence that it was made of; seeded.

    Args:
        folder: holds contracts/docs and cfpb.
        count: how many to make; fewer come where the sentences do not give more.
    """
    return [
        WrittenClaim(
            claim_id=f"{EDITED}-{number}",
            text=pair.claim,
            evidence=pair.source,
            is_true=pair.label == "faithful",
            kind=pair.kind,
            family=EDITED,
        )
        for number, pair in enumerate(generate(_chosen(folder), count, _SEED))
    ]


def trained_documents(folder: Path) -> set[str]:
    """The names of the documents that sentences may be taken from.

    Args:
        folder: holds contracts/docs and cfpb.
    """
    return {path.name for path in _chosen(folder)}


def _chosen(folder: Path) -> list[Path]:
    files = list(documents(folder))
    random.Random(1).shuffle(files)  # noqa: S311 - a seeded choice
    return files[:_MOST_DOCUMENTS]
