"""Corpora of a few short documents, built for tests of look-ups."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from coditect.schemas import BuildSettings
from coditect.store.store import Store
from tests.corpora import build_all, folder_of, ingest_all
from tests.places import open_at

__all__ = ["RULES", "built_at"]

RULES = "rules"
"""The corpus."""


def built_at(place: Path, files: Mapping[str, str]) -> Path:
    """Build the corpus of these documents at a place, without passages; returns the place."""
    folder = folder_of(place.with_name(f"{place.name}-files"), dict(files))
    with closing(open_at(place)) as engine:
        store = Store(engine)
        ingest_all(store, folder, corpus=RULES)
        build_all(store, corpus=RULES, settings=BuildSettings())
    return place
