"""Items are stored once, with their index entries, and never changed."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.engine.limits import VALUE_BYTES
from coditect.errors import Corrupt, ImmutableViolation
from coditect.keyspace import LAYOUT, seal
from coditect.schemas import Entity, Extraction, ObligationData, Section
from coditect.store.indexes.definitions import mentioned
from coditect.store.rows import item_rows, row_name
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import rows, table_rows
from tests.unit.store.items import CORPUS, extraction, section, version


def test_put_items_again_is_no_change(memory: Store) -> None:
    """The same item a second time is counted as present and writes nothing."""
    items = [version(), extraction(), section("access")]
    assert memory.put_items(items) == (3, 0)
    before = rows(memory)
    assert memory.put_items(items) == (0, 3)
    assert memory.put_items([*items, section("other")]) == (1, 3)
    assert memory.put_items([section("access")]) == (0, 1)
    after = rows(memory)
    assert {table: before[table].items() <= after[table].items() for table in before} == dict.fromkeys(before, True)


def test_put_items_twice_in_one_call_is_one_item(memory: Store) -> None:
    """Two equal items in a batch are one new and one present."""
    assert memory.put_items([extraction(), extraction()]) == (1, 1)


@pytest.mark.parametrize(
    "change",
    [
        {"source_text": "The clerk may sign."},
        {"confidence": 0.5},
        {"tier1_data": ObligationData(actor="clerk")},
        {"entities": (Entity(text="clerk", name="clerk", kind="role", char_offset_start=4, char_offset_end=9),)},
    ],
    ids=["text", "confidence", "data", "entities"],
)
def test_put_items_refuses_another_record_under_a_known_id(memory: Store, change: dict[str, Any]) -> None:
    """A changed record that keeps its id is refused, and the whole transaction with it: no record, no index entry."""
    first = extraction()
    memory.put_items([first])
    before = rows(memory)
    forged = first.model_copy(update=change)
    with pytest.raises(ImmutableViolation):
        memory.put_items([section("new"), forged])
    assert rows(memory) == before


def test_put_items_refuses_two_records_under_one_id_in_a_batch(memory: Store) -> None:
    """Also when neither was there before."""
    first = extraction()
    with pytest.raises(ImmutableViolation):
        memory.put_items([first, first.model_copy(update={"confidence": 0.1})])
    assert not any(rows(memory).values())


def test_put_items_on_a_cluster_that_repeats_commits_is_idempotent() -> None:
    """A body that runs again after it has committed changes nothing and raises nothing."""
    once, twice = Store(MemoryEngine()), Store(MemoryEngine(rerun=True))
    for store in (once, twice):
        store.put_items([version(), extraction(), section("access")])
    assert rows(once) == rows(twice)


def test_put_items_stores_a_record_that_is_longer_than_a_value(memory: Store) -> None:
    """A long record goes to a blob and comes back whole; a second time it is present."""
    long = extraction("word " * (VALUE_BYTES // 4) + "end")
    assert memory.put_items([long]) == (1, 0)
    assert memory.put_items([long]) == (0, 1)
    assert memory.get("extractions", Extraction, CORPUS, long.document_id, long.extraction_id) == long
    assert max(map(len, table_rows(memory.engine, memory, "extractions").values())) < 200


def test_get_of_a_long_record_whose_bytes_are_gone_names_it(memory: Store) -> None:
    """The pointer is there and its blob is not: the record is named, not the blob alone."""
    long = extraction("word " * (VALUE_BYTES // 4) + "end")
    memory.put_items([long])
    begin, end = memory.keys.bounds("blobs")
    memory.engine.run(lambda transaction: transaction.clear_range(begin, end))
    with pytest.raises(Corrupt) as caught:
        memory.get("extractions", Extraction, CORPUS, long.document_id, long.extraction_id)
    assert long.extraction_id in str(caught.value)


@pytest.mark.parametrize("pointed", [b"", b"xyz", b"0" * 64, b"0" * 64 + b":", b"0" * 64 + b":x", b"0" * 64 + b":9"])
def test_get_of_a_pointer_that_makes_no_sense_is_corrupt(memory: Store, pointed: bytes) -> None:
    """A pointer with a right checksum and a wrong content is told, whatever it says."""
    item = section("access")
    key = memory.keys.key("sections", CORPUS, item.section_id)
    memory.engine.run(lambda transaction: transaction.set(key, seal(memory.keys.relative(key), pointed, 2)))
    with pytest.raises(Corrupt):
        memory.get("sections", Section, CORPUS, item.section_id)


def test_item_rows_name_the_tables_that_the_layout_declares(memory: Store) -> None:
    """Every index entry belongs to a declared index, and carries the derivation."""
    item = extraction(
        extraction_kind="definition",
        tier1_data={"term": "Clerk", "aliases": ["Officer"]},
        entities=(Entity(text="clerk", name="clerk", kind="role", char_offset_start=4, char_offset_end=9),),
    )
    names = sorted(row_name(memory.keys, key) for key, _ in item_rows(memory.keys, item).index)
    place = f"{CORPUS}/{item.document_id}/{item.extraction_id}"
    assert names == [
        f"idx/term/definition:clerk/{place}",
        f"idx/term/definition:officer/{place}",
    ]


def test_item_rows_index_what_a_statement_fixes(memory: Store) -> None:
    """The measures of a duty are found by kind and head."""
    measure = {"kind": "deadline", "head": "sign", "verb": "sign", "value": 24.0, "text": "one day"}
    item = extraction(tier1_data={"action": "sign", "measures": [measure]})
    names = [row_name(memory.keys, key) for key, _ in item_rows(memory.keys, item).index]
    assert f"idx/term/measure:deadline:sign/{CORPUS}/{item.document_id}/{item.extraction_id}" in names


@pytest.mark.parametrize("data", [{"aliases": None}, {"aliases": 5, "measures": 5}, {"term": 7, "measures": ["x", {}]}])
def test_item_rows_of_data_that_a_program_made_up_are_made(memory: Store, data: dict[str, Any]) -> None:
    """Schema data may be anything that is JSON; what the indexes do not understand they pass over."""
    item = extraction(extraction_kind="definition", tier1_data=data)
    assert memory.put_items([item]) == (1, 0)


def test_scan_returns_more_than_a_page_in_order(memory: Store) -> None:
    """A scan resumes by key until the table ends."""
    made = sorted((section(f"topic {n}") for n in range(2_500)), key=lambda item: item.section_id)
    memory.put_items(made)
    assert [record for _, record in memory.scan("sections", Section, CORPUS)] == made


def test_row_name_of_a_key_that_is_none_of_ours_is_still_a_name(memory: Store) -> None:
    """What a finding calls a row that nobody can read."""
    assert row_name(memory.keys, b"\x01other") == repr(b"\x01other")
    assert row_name(memory.keys, memory.keys.key("claims") + b"\x99").startswith("claims/")
    assert all(table in row_name(memory.keys, memory.keys.key(table)) for table in LAYOUT)


def test_entities_of_a_statement_are_indexed_up_to_a_thousand() -> None:
    """A statement of more names than fit into a transaction is found under the first thousand."""
    names = [f"role {number:04}" for number in range(1_001)]
    entities = tuple(Entity(text="x", name=name, kind="role", char_offset_start=4, char_offset_end=5) for name in names)
    assert mentioned(extraction(entities=entities[:1_000])) == names[:1_000]
    assert mentioned(extraction(entities=entities[::-1])) == names[:1_000]
