"""What a store of the first key format holds: it is written as release 0.1.0 wrote it, and this release compresses only its own."""

from __future__ import annotations

import pytest

from coditect.engine.limits import VALUE_BYTES
from coditect.keyspace import ENVELOPE_BYTES, WHOLE, Keyspace, seal
from coditect.keyspace.ids import packed_id
from coditect.store.blobs import BLOB_BYTES, blob_rows, has_blobs, part_row, put_blobs
from coditect.store.indexes.definitions import entry_rows
from coditect.store.rows import item_rows, seal_record
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.unit.store.items import extraction

REPEATED = b"The clerk shall sign. " * 40
DERIVATION = "derivation_" + "ab" * 26


def test_parts_of_blobs_are_compressed_from_the_second_format_on() -> None:
    """Release 0.1.0 reads what stands in a store of its own."""
    first, second = Keyspace("t", 1), Keyspace("t", 2)
    key, value = part_row(first, "c", "ab" * 32, 0, REPEATED)
    assert value == seal(first.relative(key), REPEATED)
    assert len(part_row(second, "c", "ab" * 32, 0, REPEATED)[1]) < len(REPEATED) // 4


def test_records_are_compressed_from_the_second_format_on() -> None:
    """The same record, whole in the first format and short in the second."""
    for keys, whole in ((Keyspace("t", 1), True), (Keyspace("t", 2), False)):
        (key, value), blobs = seal_record(keys, "extractions", ("c", "d", "e"), REPEATED)
        assert (value == seal(keys.relative(key), REPEATED, WHOLE)) is whole
        assert (len(value) < len(REPEATED)) is not whole
        assert blobs == ()


def test_record_is_a_blob_only_where_it_is_longer_than_a_value() -> None:
    """The longest that fits stands in its own row, the envelope counted."""
    keys = Keyspace("t", 1)
    for size, parts in ((VALUE_BYTES - ENVELOPE_BYTES, 0), (VALUE_BYTES - ENVELOPE_BYTES + 1, 1)):
        (_, value), blobs = seal_record(keys, "extractions", ("c", "d", "e"), b"x" * size)
        assert len(value) <= VALUE_BYTES
        assert (len(blobs) > 0) == bool(parts)


def test_index_entries_name_their_derivation_as_their_format_does() -> None:
    """As text in the first format, as bytes in the second; an id of no kind as text in both."""
    for keys, named in (
        (Keyspace("t", 1), DERIVATION.encode()),
        (Keyspace("t", 2), packed_id(DERIVATION)),
    ):
        entry = keys.key("idx/term", "t", "c", "d", "e")
        assert entry_rows(keys, [entry], DERIVATION) == [(entry, seal(keys.relative(entry), named or b""))]
        assert entry_rows(keys, [entry], "") == [(entry, seal(keys.relative(entry), b""))]
        assert entry_rows(keys, [], DERIVATION) == []


def test_item_that_is_stored_uncompressed_is_the_same_item(memory: Store) -> None:
    """What a record says decides, not how many bytes its row takes."""
    item = extraction("The clerk shall sign. " * 20)
    key, _ = item_rows(memory.keys, item).record
    whole = seal(memory.keys.relative(key), item.payload(), WHOLE)
    memory.engine.run(lambda transaction: transaction.set(key, whole))
    assert memory.put_items([item]) == (0, 1)
    assert memory.engine.read(lambda transaction: transaction.get(key)) == whole


@pytest.mark.parametrize("size", [0, 1, BLOB_BYTES - 1, BLOB_BYTES, BLOB_BYTES + 1, 2 * BLOB_BYTES, 2 * BLOB_BYTES + 1])
def test_blob_is_there_when_its_last_part_is(size: int) -> None:
    """Of any length, also one that fills its last part; without that part it is not there, whatever else is."""
    engine, keys = MemoryEngine(), Keyspace()
    digest, rows = blob_rows(keys, "c", bytes(size))
    assert len(rows) == max(1, -(-size // BLOB_BYTES))
    wanted = [("c", digest, size)]
    assert has_blobs(engine, keys, wanted) == [False]
    put_blobs(engine, keys, rows)
    assert has_blobs(engine, keys, wanted) == [True]
    engine.run(lambda transaction: transaction.clear(rows[-1][0]))
    assert has_blobs(engine, keys, wanted) == [False]


def test_many_blobs_are_looked_for_in_their_order() -> None:
    """More than one snapshot reads are asked for, and each answer belongs to its question."""
    engine, keys = MemoryEngine(), Keyspace()
    made = [blob_rows(keys, "c", f"blob {number}".encode()) for number in range(70)]
    put_blobs(engine, keys, [row for _, rows in made[::3] for row in rows])
    wanted = [("c", digest, len(f"blob {number}")) for number, (digest, _) in enumerate(made)]
    assert has_blobs(engine, keys, wanted) == [number % 3 == 0 for number in range(70)]
