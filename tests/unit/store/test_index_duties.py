"""What the states of optional indexes oblige readers and writers to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from coditect.engine.port import Transaction
from coditect.errors import NewerRecord, Unwritable, UsageError
from coditect.keyspace import LAYOUT
from coditect.schemas import Chunk, Entity, StoreHeader
from coditect.schemas.store import IndexState
from coditect.store.header import header_key, new_header, read_header
from coditect.store.indexes import definitions, states
from coditect.store.indexes.definitions import INDEXES, optional_indexes, required_indexes
from coditect.store.indexes.states import (
    declared,
    disabled_tables,
    header_in,
    kept_indexes,
    maintained_by_writers,
    readable_build,
    require_own,
    state_of,
    with_states,
)
from coditect.store.rows import index_rows
from coditect.store.store import Store
from tests.unit.store.items import CORPUS, extraction, version

KNOWN = optional_indexes()["entity"].version


def _state(name: str = "entity", version: int = KNOWN, state: str = "readable", build: str = "b1") -> IndexState:
    return IndexState(name=name, version=version, table=LAYOUT["idx/entity"].number, state=state, build=build)


def _header(*found: IndexState) -> StoreHeader:
    return with_states(None, found)


@pytest.fixture
def gave_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A release that gave an index up, and keeps the second version of another."""
    monkeypatch.setitem(definitions.FORMER_INDEXES, "given up", "idx/answer")
    later = {"entity": replace(INDEXES["entity"], version=2)}
    monkeypatch.setattr(states, "optional_indexes", lambda: later)


def test_only_an_optional_index_can_be_asked_for() -> None:
    """A required one is always there; the hint names those that there are."""
    assert declared("entity") is INDEXES["entity"]
    with pytest.raises(UsageError, match="always there"):
        declared("topic")
    with pytest.raises(UsageError, match="unknown index") as caught:
        declared("colour")
    assert caught.value.hint == "Optional indexes: entity."
    assert {*required_indexes()} == {"topic", "term", "locator", "answer"}
    assert {*optional_indexes()} == {"entity"}


def test_state_of_an_index_is_what_the_header_says() -> None:
    """Disabled where it says nothing, or where there is no header; states stand by name."""
    one, two = _state("b"), _state("a", state="write only")
    header = _header(one, two)
    assert header.indexes == (two, one)
    assert [state_of(header, name) for name in ("a", "b", "c")] == [two, one, None]
    assert state_of(None, "a") is None
    kept = with_states(StoreHeader(format=1, oldest_reader="0.1.0"), [one])
    assert (kept.format, kept.indexes) == (1, (one,))
    assert with_states(None, []) == new_header()


@pytest.mark.usefixtures("gave_up")
@pytest.mark.parametrize(
    ("state", "kept", "readable", "disabled", "foreign"),
    [
        (_state(version=2), True, "b1", False, False),
        (_state(version=2, state="write only"), True, "", False, False),
        (_state(version=1), False, "", True, False),
        (_state(version=3), False, "", False, True),
        (_state("given up"), False, "", True, False),
        (_state("of tomorrow"), False, "", True, True),
        (None, False, "", True, False),
    ],
)
def test_index_is_kept_read_and_cleared_by_its_state(
    memory: Store, state: IndexState | None, kept: bool, readable: str, disabled: bool, foreign: bool
) -> None:
    """By the version that this release knows: kept and read, written alone, dead, or somebody else's, whom nobody writes beside.

    Args:
        disabled: whether rows in the table of "entity" are dead.
    """
    header = _header(*([] if state is None else [state]))
    stored = header.payload()
    assert (kept_indexes(header) == {"entity"}) is kept
    assert readable_build(stored, "t", "entity") == readable
    assert ("idx/entity" in disabled_tables(header, 2)) is disabled
    assert "idx/answer" in disabled_tables(header, 2)
    assert disabled_tables(header, 1) == ()
    memory.engine.run(lambda transaction: transaction.set(header_key("t"), stored))

    def write(transaction: Transaction) -> frozenset[str]:
        return maintained_by_writers(transaction, "t", transaction.get(header_key("t")))

    if foreign:
        with pytest.raises(Unwritable, match="does not keep up to date"):
            memory.engine.run(write)
        with pytest.raises(Unwritable):
            require_own(header, "t")
        return
    require_own(header, "t")
    assert memory.engine.run(write) == ({"entity"} if kept else frozenset())
    left = read_header(memory.engine, "t")
    assert left is not None
    assert left.indexes == (header.indexes if kept else ())


@pytest.mark.usefixtures("gave_up")
def test_index_that_was_given_up_is_disabled_and_others_stay(memory: Store) -> None:
    """In the transaction that writes; where nothing was given up the header stays as it is."""
    header = _header(_state(version=2), _state("given up"))
    memory.engine.run(lambda transaction: transaction.set(header_key("t"), header.payload()))
    for _ in range(2):
        memory.engine.run(lambda t: maintained_by_writers(t, "t", t.get(header_key("t"))))
        found = memory.engine.read(lambda t: header_in(t, "t"))
        assert found is not None
        assert found.indexes == (_state(version=2),)


def test_index_of_no_store_is_nobodys() -> None:
    """Nothing is kept, nothing is read, nothing is refused."""
    assert kept_indexes(None) == frozenset()
    assert readable_build(None, "t", "entity") == ""
    assert readable_build(_header(_state("colour")).payload(), "t", "colour") == ""
    require_own(None, "t")
    assert disabled_tables(None, 2) == ("idx/entity",)


def test_header_of_a_later_release_stops_whoever_writes(memory: Store) -> None:
    """A store that was upgraded meanwhile."""
    later = StoreHeader(format=9, oldest_reader="9").payload()
    with pytest.raises(NewerRecord):
        memory.engine.run(lambda transaction: maintained_by_writers(transaction, "t", later))


def _entities(memory: Store, count: int) -> list[str]:
    names = [f"role {n:04}" for n in range(count)]
    for name in names:
        entity = Entity(text="x", name=name, kind="role", char_offset_start=4, char_offset_end=5)
        memory.put_items([extraction(entities=(entity,), section_id=name)])
    return names


def test_optional_index_is_read_as_long_as_it_is_one_building(memory: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is dropped, or dropped and built again, between two pages cannot be relied on."""
    monkeypatch.setattr("coditect.store.store.PAGE_ROWS", 2)
    key = header_key(memory.keys.tenant)

    def say(*found: IndexState) -> None:
        memory.engine.run(lambda transaction: transaction.set(key, _header(*found).payload()))

    say(_state())
    _entities(memory, 5)
    found = memory.scan_optional("entity")
    assert found is not None
    assert [place[0] for place, _ in found] == [f"role {n:04}" for n in range(5)]
    assert {derivation for _, derivation in found} == {"derivation_1"}
    assert memory.scan_optional("entity", "nobody") == []
    read = memory.engine.read
    for then in ((), (_state(state="write only"),), (_state(build="b2"),)):
        say(_state())
        pages: list[int] = []

        def changing(fn: Any, then: Any = then, pages: list[int] = pages) -> Any:  # noqa: ANN401
            pages.append(1)
            if len(pages) == 2:
                say(*then)
            return read(fn)

        with monkeypatch.context() as patched:
            patched.setattr(memory.engine, "read", changing)
            assert memory.scan_optional("entity") is None
        assert len(pages) == 2
    say()
    assert memory.scan_optional("entity") is None


@pytest.mark.parametrize(
    ("kind", "data", "terms"),
    [
        ("definition", {"term": "Clerk", "aliases": ["The  Officer", " ", ""]}, ["definition:clerk", "definition:the officer"]),
        ("definition", {"term": " "}, []),
        ("definition", {"aliases": ["Clerk"]}, ["definition:clerk"]),
        ("definition", {}, []),
        ("cross_reference", {"label": "Section 4", "document": "Data Policy"}, ["reference:data policy", "reference:section 4"]),
        ("cross_reference", {"label": " ", "document": ""}, []),
        (
            "cross_reference",
            {"label": "it", "target": "Data Policy", "target_kind": "policy"},
            ["document:data policy", "reference:it"],
        ),
        ("obligation", {"action": "sign"}, []),
    ],
)  # fmt: skip
def test_statement_is_found_by_what_it_names(memory: Store, kind: str, data: dict[str, Any], terms: list[str]) -> None:
    """Each term once, folded; no term of white space."""
    item = extraction(extraction_kind=kind, tier1_data=data)
    places = [memory.keys.parts("idx/term", key) for key, _ in index_rows(memory.keys, item)]
    assert places == [(term, CORPUS, item.document_id, item.extraction_id) for term in terms]


def test_chunk_is_found_by_its_sections_and_a_document_by_its_tag(memory: Store) -> None:
    """Each section once, however often the chunk names it."""
    made = version()
    fields: dict[str, Any] = {"corpus_id": CORPUS, "document_id": made.document_id, "section_ids": ("b", "a", "b")}
    chunk = Chunk.model_construct(chunk_id="chunk_1", derivation_id="d", **fields)
    assert [memory.keys.parts("idx/term", key)[0] for key, _ in index_rows(memory.keys, chunk)] == [
        "section:a",
        "section:b",
    ]
    ((key, _),) = index_rows(memory.keys, made)
    assert memory.keys.parts("idx/locator", key) == (made.tag(), CORPUS, made.document_id)
