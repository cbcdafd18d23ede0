"""The pointer, and the chain of generations behind it."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.errors import Conflict, NotFound, UsageError
from coditect.keyspace import unseal
from coditect.schemas import BuildSettings, Generation, LogAct, Manifest, canonical_json, sha256_hex
from coditect.store.generations import create_corpus, flip, generation_at, generations, valid_corpus_id
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import clock, feed


def _manifest(number: int) -> Manifest:
    return Manifest.create(
        corpus_id="c",
        settings=BuildSettings(),
        code_versions={},
        trees={},
        sections=(),
        summary_derivation="",
        summary_id="",
        counts={"documents": number},
    )


def _flip(store: Store, manifest: Manifest, number: int) -> int:
    base = store.corpus("c")
    base = base.model_copy(update={"generation": number - 1})
    step = Generation(
        corpus_id="c",
        generation=number,
        build_id=manifest.build_id,
        created_at=clock(),
        tool_version="0",
        derived={},
        reused={},
    )
    return flip(store, manifest, base, step).generation


@pytest.fixture(params=[False, True], ids=["once", "rerun"])
def store(request: pytest.FixtureRequest) -> Store:
    """A corpus, on an engine that commits bodies once, and on one that commits them twice."""
    made = Store(MemoryEngine(rerun=request.param))
    create_corpus(made, "c", "first", clock())
    return made


def test_create_corpus_again_keeps_the_first(store: Store) -> None:
    """A corpus is made once; its name and day stay."""
    again = create_corpus(store, "c", "second", "2030-01-01T00:00:00Z")
    assert (again.name, again.created_at) == ("first", clock())


def test_flip_moves_the_pointer_and_tells_the_feed_once(store: Store) -> None:
    """One generation, one event, however often the body was run."""
    assert _flip(store, _manifest(1), 1) == 1
    assert [g.generation for g in generations(store, "c")] == [1]
    assert [event.event for event in feed(store, "c")] == ["generation"]


def test_flip_to_what_is_current_changes_nothing(store: Store) -> None:
    """Two processes that built the same state make one generation."""
    _flip(store, _manifest(1), 1)
    assert _flip(store, _manifest(1), 2) == 1
    assert len(feed(store, "c")) == len(generations(store, "c")) == 1


def test_flip_on_a_generation_that_is_not_current_is_a_conflict(store: Store) -> None:
    """The second of two different builds is told so, and nothing of it is seen."""
    _flip(store, _manifest(1), 1)
    with pytest.raises(Conflict):
        _flip(store, _manifest(2), 1)
    assert store.corpus("c").build_id == _manifest(1).build_id


def test_flip_back_to_an_earlier_build_is_a_new_generation(store: Store) -> None:
    """History is added to, never rewritten."""
    for number, state in enumerate([1, 2, 1], 1):
        _flip(store, _manifest(state), number)
    assert [g.build_id for g in generations(store, "c")] == [_manifest(n).build_id for n in (1, 2, 1)]


@pytest.mark.parametrize("number", [-1, 0, 2, 10**30])
def test_generation_at_a_number_that_never_was_is_not_found(store: Store, number: int) -> None:
    """The hint says which there are."""
    _flip(store, _manifest(1), 1)
    with pytest.raises(NotFound) as caught:
        generation_at(store, store.corpus("c"), number)
    assert "1 to 1" in str(caught.value.hint)


def test_corpus_counts_no_document_where_its_manifest_counts_none(store: Store) -> None:
    """What is not counted is none."""
    assert _flip(store, _manifest(3), 1) == 1
    assert store.corpus("c").document_count == 3
    _flip(store, _manifest(3).model_copy(update={"counts": {}, "build_id": "build_none"}), 2)
    assert store.corpus("c").document_count == 0


def test_corpus_id_has_1_to_200_characters() -> None:
    """The longest fits, one more does not."""
    assert valid_corpus_id("x") == "x"
    assert valid_corpus_id("x" * 200) == "x" * 200
    for wrong in ("", "x" * 201, " x", "x ", "a\u200bb", "a\nb"):
        with pytest.raises(UsageError):
            valid_corpus_id(wrong)


def _acts(store: Store) -> list[LogAct]:
    return [
        LogAct.parse(unseal(store.keys.relative(key), value)[1])
        for page in store.pages(*store.keys.bounds("log/acts"))
        for key, value in page
    ]


def test_settings_that_change_are_told_with_what_they_were(store: Store) -> None:
    """The first build tells all of them, a later one what differs, one with other documents nothing; the day is none."""
    first = _manifest(1)
    store.put_items([first])
    _flip(store, first, 1)
    (all_told,) = _acts(store)
    assert all_told.details["after"] == first.configuration
    assert "before" not in all_told.details
    same = _changed(_manifest(2), settings=BuildSettings(today="2026-03-01"))
    store.put_items([same])
    _flip(store, same, 2)
    assert len(_acts(store)) == 1
    other = _changed(_manifest(3), settings=BuildSettings(minimum_support=0.9), code_versions={"claims": "2"})
    store.put_items([other])
    _flip(store, other, 3)
    (changed,) = (each for each in _acts(store) if each.details["generation"] == 3)
    assert changed.details["before"] == {"minimum_support": 0.7, "code_versions": {}}
    assert changed.details["after"] == {"minimum_support": 0.9, "code_versions": {"claims": "2"}}
    assert (changed.kind, changed.details["build_id"]) == ("settings", other.build_id)


def _changed(manifest: Manifest, **fields: Any) -> Manifest:  # noqa: ANN401 - fields of a manifest
    held = {name: getattr(manifest, name) for name in Manifest.model_fields if name != "build_id"}
    return Manifest.create(**{**held, **fields})


def test_long_settings_are_told_by_their_hash() -> None:
    """An act fits into a value, whatever was configured."""
    topics = tuple(f"topic number {number}" for number in range(400))
    told = _changed(_manifest(1), settings=BuildSettings(topics=topics)).configuration
    assert told["topics"] == {"sha256": sha256_hex(canonical_json(list(topics)))}
    assert told["max_topics"] == 24
