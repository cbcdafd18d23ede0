"""CODITECT_DENSE=torch: the same answers as numpy's, through the public interface."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import pytest

from coditect import BuildSettings, Settings, open_knowledge
from coditect.models.flag.matrix import TorchMatrix
from coditect.models.port import FloatArray, IntArray
from coditect.retrieve.local import dense
from coditect.sample import sample_folder
from coditect.schemas import Granularity, QueryResult, SearchFilters, SearchMode, SearchOptions
from tests.places import tenant_at, url_at

if find_spec("torch") is None or find_spec("FlagEmbedding") is None:
    pytest.skip("needs the extra [gpu]", allow_module_level=True)

CORPUS = "sample"
TIERS: tuple[Granularity, ...] = ("extraction", "proposition", "chunk", "passage", "section", "corpus")
MODES: tuple[SearchMode, ...] = ("dense", "hybrid")


def answers(folder: Path, multiplier: Literal["numpy", "torch"]) -> list[QueryResult]:
    """What is found at every tier, with and without a filter."""
    settings = Settings(
        store=url_at(folder / "store"),
        tenant=tenant_at(folder / "store"),
        cache=folder / "cache",
        jobs=1,
        dense=multiplier,
        device="cpu",
    )
    found = []
    with open_knowledge(settings) as knowledge:
        if CORPUS not in {each.corpus_id for each in knowledge.status()}:
            knowledge.ingest(CORPUS, [sample_folder()])
            knowledge.build(CORPUS, BuildSettings())
        for mode in MODES:
            for tier in TIERS:
                for filters in (SearchFilters(), SearchFilters(documents=("access-control*",))):
                    options = SearchOptions(mode=mode, gate=False, explain=True, filters=filters)
                    question = "how soon is a breach of personal data reported"
                    found.append(knowledge.query(CORPUS, question, tier=tier, options=options))
    return found


def test_answers_do_not_depend_on_who_multiplies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hits, order, scores and explanations are those of numpy, at every tier; torch did take part."""
    asked = []
    possible = TorchMatrix.possible
    monkeypatch.setattr(dense, "COARSE_FROM", 30)

    def noted(self: TorchMatrix, vector: FloatArray, limit: int, allowed: IntArray | None = None) -> IntArray:
        asked.append(limit)
        return possible(self, vector, limit, allowed)

    monkeypatch.setattr(TorchMatrix, "possible", noted)
    wanted = answers(tmp_path, "numpy")
    assert not asked
    assert answers(tmp_path, "torch") == wanted
    assert asked
