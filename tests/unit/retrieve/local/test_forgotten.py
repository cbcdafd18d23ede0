"""Replicas of a corpus that is forgotten."""

from __future__ import annotations

from pathlib import Path

from coditect.engine.folders import leased
from coditect.retrieve.local.replica import Replicas
from coditect.schemas import tag_of
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine


def test_replicas_of_a_forgotten_corpus_go_but_for_those_that_are_open(tmp_path: Path) -> None:
    """These are named, in order; replicas of other corpora stay."""
    replicas = Replicas(Store(MemoryEngine()), tmp_path)
    assert replicas.forget("rules") == []
    own, other = (replicas.folder / tag_of(corpus) for corpus in ("rules", "others"))
    for folder in (own / "b", own / "a", own / "c", other / "d"):
        folder.mkdir(parents=True)
    with leased(own / "c"), leased(own / "a"):
        assert replicas.forget("rules") == [str(own / "a"), str(own / "c")]
        assert sorted(each.name for each in own.iterdir()) == ["a", "c"]
    assert replicas.forget("rules") == []
    assert list(own.iterdir()) == []
    assert (other / "d").is_dir()
