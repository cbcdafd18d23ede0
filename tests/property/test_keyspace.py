"""Keys hold for every text, not only for those that we thought of."""

from __future__ import annotations

import fdb.tuple
from hypothesis import given
from hypothesis import strategies as st

from coditect.engine.limits import KEY_BYTES
from coditect.errors import Corrupt
from coditect.keyspace import LAYOUT, Keyspace, key_part, part_text
from coditect.keyspace.layout import PART_BYTES
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine

TEXTS = st.text(st.characters(), max_size=300) | st.text("\0\xff\U0010ffffa", max_size=200)
NUMBERS = st.integers(-(2**70), 2**70)
TABLES = st.sampled_from(sorted(LAYOUT))


@given(TEXTS, TEXTS)
def test_key_part_keeps_different_texts_apart(first: str, second: str) -> None:
    """Two texts have one key element only if they are one text, also a text and the cut form of another."""
    assert (key_part(first) == key_part(second)) == (first == second)
    assert key_part(part_text(key_part(first))) != key_part(first) or key_part(first) == first


@given(TABLES, st.lists(TEXTS, min_size=4, max_size=4), TEXTS.filter(bool))
def test_key_is_short_and_unpacks_to_its_parts(table: str, texts: list[str], tenant: str) -> None:
    """Any text in any place of any tenant's key."""
    keys = Keyspace(tenant)
    parts = texts[: len(LAYOUT[table].fields)]
    key = keys.key(table, *parts)
    assert len(key) + 12 <= KEY_BYTES
    assert keys.parts(table, key) == tuple(map(key_part, parts))
    assert keys.key(table, *keys.parts(table, key)) == key


@given(TABLES, st.lists(TEXTS | st.text(st.characters(codec="ascii"), max_size=PART_BYTES) | NUMBERS, max_size=4))
def test_key_is_what_foundationdb_packs(table: str, parts: list[str | int]) -> None:
    """Any client of FoundationDB that knows the layout finds the row."""
    parts = parts[: len(LAYOUT[table].fields)]
    wanted = fdb.tuple.pack(tuple(key_part(part) if isinstance(part, str) else part for part in parts))
    assert Keyspace().key(table, *parts) == Keyspace().key(table) + wanted


@given(TABLES, st.lists(TEXTS, min_size=4, max_size=4), st.lists(TEXTS, min_size=4, max_size=4), st.integers(1, 3))
def test_bounds_hold_exactly_the_keys_that_begin_with_their_parts(
    table: str, mine: list[str], others: list[str], depth: int
) -> None:
    """A scan finds what is below it, and nothing of its neighbours."""
    keys = Keyspace()
    count = len(LAYOUT[table].fields)
    depth = min(depth, count - 1)
    if depth < 1:
        return
    begin, end = keys.bounds(table, *mine[:depth])
    for rest in (mine, others):
        key = keys.key(table, *rest[:count])
        assert (begin <= key < end) == (rest[:depth] == mine[:depth])


@given(TABLES, st.binary(max_size=60))
def test_parts_of_any_bytes_are_read_or_refused(table: str, tail: bytes) -> None:
    """Nothing but Corrupt comes out of a key that something else wrote."""
    keys = Keyspace()
    try:
        keys.parts(table, keys.key(table) + tail)
    except Corrupt:
        return


@given(st.lists(st.tuples(TEXTS.filter(bool), TEXTS), min_size=2, max_size=6, unique_by=lambda row: row[0]))
def test_tenants_read_what_they_wrote_and_nothing_else(written: list[tuple[str, str]]) -> None:
    """Whatever tenants are called, each has its own blobs."""
    engine = MemoryEngine()
    stores = {tenant: Store(engine, tenant) for tenant, _ in written}
    digests = {t: stores[t].put_blob("c", f"{t}{text}".encode("utf-8", "surrogatepass")) for t, text in written}
    for tenant, text in written:
        data = f"{tenant}{text}".encode("utf-8", "surrogatepass")
        assert stores[tenant].get_blob("c", digests[tenant], len(data)) == data
        begin, end = stores[tenant].keys.bounds("blobs")
        assert sum(len(page) for page in stores[tenant].pages(begin, end)) == 1
