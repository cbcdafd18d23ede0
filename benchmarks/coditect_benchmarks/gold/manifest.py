"""What the sample is made of: units by genre, split and stratum, and the documents with their digests, for the repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from coditect_benchmarks.gold.records import Unit

__all__ = ["describe"]


def describe(units: Sequence[Unit]) -> dict[str, Any]:
    """Counts, and each document with split and sha256: who writes rules keeps away from those of the test part."""
    documents = {
        u.document: {"genre": u.genre, "family": u.family, "split": u.split, "sha256": u.sha256} for u in units
    }
    return {
        "units": len(units),
        "by split": dict(sorted(Counter(u.split for u in units).items())),
        "by genre and split": dict(sorted(Counter(f"{u.genre}, {u.split}" for u in units).items())),
        "by stratum": dict(sorted(Counter(u.stratum for u in units).items())),
        "by shape": dict(sorted(Counter(u.shape for u in units).items())),
        "documents": dict(sorted(documents.items())),
    }
