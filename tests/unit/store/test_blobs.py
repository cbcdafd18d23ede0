"""Bytes of any length under their hash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.errors import Corrupt
from coditect.store.blobs import BLOB_BYTES
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import table_rows


@given(st.sampled_from([0, 1, BLOB_BYTES - 1, BLOB_BYTES, BLOB_BYTES + 1, 3 * BLOB_BYTES]), st.binary(min_size=1))
def test_get_blob_gives_back_any_length(size: int, seed: bytes) -> None:
    """Empty, one part, exactly full parts, and one byte more."""
    store = Store(MemoryEngine())
    data = (seed * (size // len(seed) + 1))[:size]
    digest = store.put_blob("c", data)
    assert store.get_blob("c", digest, size) == data


def test_put_blob_again_writes_nothing(memory: Store) -> None:
    """The same bytes are there once."""
    data = bytes(2 * BLOB_BYTES)
    memory.put_blob("c", data)
    before = table_rows(memory.engine, memory, "blobs")
    memory.put_blob("c", data)
    assert table_rows(memory.engine, memory, "blobs") == before


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_get_blob_with_a_lost_part_is_corrupt(memory: Store, lost: int) -> None:
    """No part may be missing, the last included."""
    data = bytes(2 * BLOB_BYTES + 1)
    digest = memory.put_blob("c", data)
    memory.engine.run(lambda transaction: transaction.clear(memory.keys.key("blobs", "c", digest, lost)))
    with pytest.raises(Corrupt):
        memory.get_blob("c", digest, len(data))


def test_get_blob_of_another_corpus_is_missing(memory: Store) -> None:
    """Bytes belong to a corpus: what one may not see is not found through another."""
    digest = memory.put_blob("c", b"secret")
    with pytest.raises(Corrupt):
        memory.get_blob("d", digest, 6)
