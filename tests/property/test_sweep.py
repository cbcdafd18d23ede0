"""Whatever is ingested, built, killed and swept in whatever order: generations stay what they were, and nothing dead stays."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.errors import Conflict, UsageError
from coditect.integrity.sweeping.sweep import sweep
from coditect.integrity.validate import validate
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all
from tests.effort import times
from tests.integration.archives import Watched, export_bytes, import_bytes
from tests.integration.sweeps import DEAD, everything_of, killed_at

STATES = 3
MOMENTS = st.integers(2, 14)
NAMES = ("incident.md", "retention.txt")

ACTIONS = st.one_of(
    st.tuples(st.just("ingest"), st.integers(0, STATES - 1), st.just(0)),
    st.tuples(st.just("build"), st.just(0), st.just(0)),
    st.tuples(st.just("killed ingest"), st.integers(0, STATES - 1), MOMENTS),
    st.tuples(st.just("killed build"), st.just(0), MOMENTS),
    st.tuples(st.just("sweep"), st.just(0), st.just(0)),
    st.tuples(st.just("killed sweep"), st.just(0), MOMENTS),
    st.tuples(st.just("sweep beside a build"), st.just(0), MOMENTS),
    st.tuples(st.just("sweep of a sleeping build"), st.just(0), MOMENTS),
    st.tuples(st.just("build beside a sweep"), st.just(0), MOMENTS),
)
"""(what is done, the state of the folder, before which transaction something happens)."""


_PLACES: list[Path] = []


@pytest.fixture(scope="module", autouse=True)
def _place(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Where the folders lie, in each of their states."""
    _PLACES.append(tmp_path_factory.mktemp("states"))


@cache
def _folder(state: int) -> Path:
    """A folder in one of its states; the second document is not there in all of them."""
    names = NAMES if state else NAMES[:1]
    return folder_of(
        _PLACES[-1] / str(state), {name: f"{DOCUMENTS[name]}\nClerk {state} shall sign.\n" for name in names}
    )


class Place:
    """A store, and what each of its generations showed when it was published."""

    def __init__(self) -> None:
        self.memory = MemoryStore()
        self.store = Store(MemoryEngine(self.memory))
        self.shown: dict[int, list[object]] = {}
        ingest_all(self.store, _folder(1))
        build_all(self.store)
        self.look()

    def look(self) -> None:
        """Every generation shows what it did."""
        for number in range(1, self.store.corpus(CORPUS).generation + 1):
            found = everything_of(open_view(self.store, CORPUS, number))
            assert self.shown.setdefault(number, found) == found, number

    def act(self, what: str, state: int, at: int) -> None:
        """Do one thing; builds may be refused where all documents were withdrawn, or where a sweep took them for dead."""
        beside: Callable[[Callable[[], object]], Store] = lambda other: Store(  # noqa: E731
            Watched(MemoryEngine(self.memory), other, run=at)
        )
        with suppress(Conflict, UsageError):
            match what:
                case "ingest":
                    ingest_all(self.store, _folder(state), sync=True)
                case "build":
                    build_all(self.store)
                case "killed ingest":
                    killed_at(self.memory, lambda store: ingest_all(store, _folder(state), sync=True), at)
                case "killed build":
                    killed_at(self.memory, build_all, at)
                case "sweep":
                    sweep(self.store, apply=True, registrar=DEAD)
                case "killed sweep":
                    killed_at(self.memory, lambda store: sweep(store, apply=True, registrar=DEAD), at)
                case "sweep beside a build":
                    build_all(beside(lambda: sweep(self.store, apply=True)))
                case "sweep of a sleeping build":
                    build_all(beside(lambda: sweep(self.store, apply=True, registrar=DEAD)))
                case "build beside a sweep":
                    sweep(beside(lambda: build_all(self.store)), apply=True, registrar=DEAD)
                case _:
                    raise AssertionError(what)


@settings(max_examples=times(12, least=10), deadline=None)
@given(st.lists(ACTIONS, min_size=3, max_size=9))
def test_generations_stay_what_they_were_and_nothing_dead_stays(actions: list[tuple[str, int, int]]) -> None:
    """After each action every generation shows what it did; at the end a sweep leaves what is live, and nothing is found."""
    place = Place()
    for what, state, at in actions:
        place.act(what, state, at)
        place.look()
    assert validate(place.store, CORPUS).findings == ()
    (first,) = sweep(place.store, apply=True, registrar=DEAD).corpora
    assert (first.state, first.removed) == ("swept", first.dead)
    place.look()
    assert validate(place.store, CORPUS).findings == ()
    (last,) = sweep(place.store).corpora
    assert (last.dead, last.live) == ({}, first.live)
    fresh = Store(MemoryEngine())
    import_bytes(fresh, export_bytes(place.store))
    assert sweep(fresh).corpora[0].live == last.live
    build_all(place.store)
    assert validate(place.store, CORPUS).findings == ()
