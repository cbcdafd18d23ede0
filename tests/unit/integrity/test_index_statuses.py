"""What is told of the indexes of a store, and the sizes in which they are built."""

from __future__ import annotations

from coditect.engine.limits import TRANSACTION_BYTES
from coditect.integrity.indexing.building import ENTRY_BYTES, PAGE_BYTES, PAGE_ROWS, build_index
from coditect.integrity.indexing.dropping import CLEARED_ROWS
from coditect.integrity.indexing.statuses import index_statuses
from coditect.schemas import IndexProgress
from coditect.store.store import Store
from tests.integration.indexes import statements

NOW = "2026-01-01T00:00:00Z"


def test_required_indexes_are_told_first_and_are_always_readable(memory: Store) -> None:
    """An optional index that nobody built is disabled, and known."""
    memory.put_items(statements(range(3)))
    found = index_statuses(memory)
    assert [each.required for each in found] == [True, True, True, True, False]
    assert {(each.state, each.known) for each in found if each.required} == {("readable", True)}
    (entity,) = (each for each in found if not each.required)
    assert (entity.name, entity.state, entity.known, entity.leftovers) == ("entity", "disabled", True, False)


def test_built_index_tells_how_far_a_building_of_it_is(memory: Store) -> None:
    """Records that were read and entries that were written, as long as somebody builds; and that it is this release's own."""
    memory.put_items(statements(range(3)))
    build_index(memory, "entity", lambda: NOW)
    (entity,) = (each for each in index_statuses(memory) if not each.required)
    assert (entity.state, entity.known, entity.version) == ("readable", True, 1)
    assert (entity.records, entity.entries) == (0, 0)
    memory.put("indexing", IndexProgress(name="entity", build="b", table="extractions", records=3, entries=6), "entity")
    (entity,) = (each for each in index_statuses(memory) if not each.required)
    assert (entity.records, entity.entries) == (3, 6)


def test_pages_of_a_building_fit_into_a_transaction() -> None:
    """Entries, the progress beside them, and the header take no more than half of what one may hold."""
    assert TRANSACTION_BYTES == 1_000_000
    assert ENTRY_BYTES <= TRANSACTION_BYTES // 2
    # The records are read again in the transaction that writes their entries: no more than it can look at in its time.
    assert PAGE_BYTES <= 2 * TRANSACTION_BYTES
    assert PAGE_ROWS <= 500
    assert CLEARED_ROWS <= 1000
