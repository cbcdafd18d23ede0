"""Every row of a corpus, read and compared with its checksum, its declared shape, its id and its index entries."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator

from coditect.errors import CoditectError, Corrupt
from coditect.keyspace import LAYOUT, unseal
from coditect.schemas import (
    Chunk,
    Claim,
    Corpus,
    CorpusSummary,
    Derivation,
    DocumentVersion,
    Extraction,
    Failure,
    FeedEvent,
    Finding,
    Generation,
    Intake,
    Item,
    Manifest,
    Record,
    Section,
    Tree,
    Verdict,
    tag_of,
)
from coditect.store.rows import item_rows, open_row
from coditect.store.store import Store

__all__ = ["RECORD_TABLES", "sweep"]

RECORD_TABLES: dict[str, type[Record]] = {
    "corpus": Corpus,
    "generations": Generation,
    "manifests": Manifest,
    "trees": Tree,
    "derivations": Derivation,
    "intake": Intake,
    "failures": Failure,
    "documents": DocumentVersion,
    "extractions": Extraction,
    "chunks": Chunk,
    "sections": Section,
    "claims": Claim,
    "verdicts": Verdict,
    "summaries": CorpusSummary,
}
INDEX_TABLES = tuple(name for name in LAYOUT if name.startswith("idx/"))

Say = Callable[[str, str, str], None]
"""(check, record, message)."""


def sweep(store: Store, corpus_id: str, counts: Counter[str], say: Say, advance: Callable[[str], None]) -> None:
    """Read every row of a corpus, of all generations.

    Args:
        store: where.
        corpus_id: what.
        counts: rows read, by table, are added to it.
        say: told of each thing that is wrong.
        advance: told of each page, with the table's name.
    """
    expected: set[bytes] = {_mark(_locator(store, corpus_id), b"")}
    for table, cls in RECORD_TABLES.items():
        for name, key, value in _rows(store, table, corpus_id, counts, advance):
            _record(store, corpus_id, cls, name, key, value, expected, say)
    _blobs(store, corpus_id, counts, say, advance)
    _feed(store, corpus_id, counts, say)
    _indexes(store, corpus_id, expected, counts, say, advance)


def _locator(store: Store, corpus_id: str) -> bytes:
    return store.keys.key("idx/locator", tag_of(corpus_id), corpus_id, "")


def _rows(
    store: Store, table: str, corpus_id: str, counts: Counter[str], advance: Callable[[str], None]
) -> Iterator[tuple[str, bytes, bytes]]:
    """(name, key, value) of a table's rows in a corpus; the name is what a finding calls the record."""
    position = LAYOUT[table].corpus_field
    begin, end = store.keys.bounds(table, corpus_id) if position == 0 else store.keys.bounds(table)
    if table == "corpus":  # its whole key is the corpus
        key = store.keys.key(table, corpus_id)
        begin, end = key, key + b"\x00"
    own = store.keys.own_part(corpus_id)
    for page in store.pages(begin, end):
        advance(table)
        for key, value in page:
            parts = store.keys.parts(table, key)
            if position == 0 or parts[position] == own:
                counts[table] += 1
                yield "/".join((table, *map(str, parts))), key, value


def _record(
    store: Store, corpus_id: str, cls: type[Record], name: str, key: bytes, value: bytes, expected: set[bytes], say: Say
) -> None:
    try:
        record = store.engine.read(lambda transaction: open_row(transaction, store.keys, corpus_id, key, value, cls))
    except CoditectError as error:
        say("bytes", name, str(error))
        return
    if isinstance(record, Item):
        if record.computed_id() != record.item_id:
            say("hash", name, "the record's id is not the hash of its content")
        rows = item_rows(store.keys, record)
        if rows.record[0] != key:
            say("hash", name, "the record stands under another record's key")
        expected.update(_mark(index_key, unseal(store.keys.relative(index_key), v)[1]) for index_key, v in rows.index)
    elif isinstance(record, Derivation) and record.computed_id() != record.derivation_id:
        say("hash", name, "the derivation's id is not the hash of its inputs")


def _blobs(store: Store, corpus_id: str, counts: Counter[str], say: Say, advance: Callable[[str], None]) -> None:
    """Parts in order, each against its checksum, the whole against the hash that is its name."""
    current, hasher = "", hashlib.sha256()
    for name, key, value in _rows(store, "blobs", corpus_id, counts, advance):
        digest = str(store.keys.parts("blobs", key)[1])
        if digest != current:
            if current and hasher.hexdigest() != current:
                say("hash", f"blobs/{corpus_id}/{current}", "the bytes do not have the SHA-256 that names them")
            current, hasher = digest, hashlib.sha256()
        try:
            hasher.update(unseal(store.keys.relative(key), value)[1])
        except Corrupt as error:
            say("bytes", name, error.message)
    if current and hasher.hexdigest() != current:
        say("hash", f"blobs/{corpus_id}/{current}", "the bytes do not have the SHA-256 that names them")


def _feed(store: Store, corpus_id: str, counts: Counter[str], say: Say) -> None:
    prefix = store.keys.relative(store.keys.key("feed", corpus_id))
    begin, end = store.keys.bounds("feed", corpus_id)
    number = 0
    for page in store.pages(begin, end):
        for _, value in page:
            number += 1
            counts["feed"] += 1
            try:
                FeedEvent.parse(unseal(prefix, value)[1])
            except Corrupt as error:
                say("bytes", f"feed/{corpus_id}/{number}", error.message)


def _indexes(
    store: Store, corpus_id: str, expected: set[bytes], counts: Counter[str], say: Say, advance: Callable[[str], None]
) -> None:
    """Index against records, both ways: every entry has its record, every record its entries."""
    found: set[bytes] = set()
    for table in INDEX_TABLES:
        for name, key, value in _rows(store, table, corpus_id, counts, advance):
            try:
                mark = _mark(key, unseal(store.keys.relative(key), value)[1])
            except Corrupt as error:
                say("bytes", name, error.message)
                continue
            found.add(mark)
            if mark not in expected:
                say("index", name, "an index entry without a record that says so")
    missing = len(expected - found)
    if missing:
        say(
            "index", f"idx/{corpus_id}", f"{missing} index entries that records call for are not there, or were changed"
        )


def _mark(key: bytes, payload: bytes) -> bytes:
    return hashlib.blake2b(key + b"\x00" + payload, digest_size=16).digest()
