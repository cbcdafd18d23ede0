"""One corpus as one file: out of any store, into any other, for any tenant, proven equal; or not at all."""

from __future__ import annotations

import io
from collections import Counter
from contextlib import closing
from pathlib import Path

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.engine.port import Engine
from coditect.errors import Conflict, Corrupt, NotFound, UsageError
from coditect.integrity.logged.check import check_logged
from coditect.integrity.validate import validate
from coditect.keyspace import LAYOUT, seal
from coditect.knowledge.archive.export import corpus_digest, export_corpus
from coditect.knowledge.archive.lines import (
    TABLES,
    BlobPart,
    parse_line,
    row_line,
)
from coditect.knowledge.query.drilldown import chain
from coditect.knowledge.report.audit.trail import audit_trail
from coditect.schemas import AuditEntry, Intake, LogEvent, canonical_json, sha256_hex
from coditect.store.blobs import BLOB_BYTES
from coditect.store.generations import create_corpus
from coditect.store.rows import record_tables
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.transparency.sequencer import TransparencyLog
from tests.corpora import CORPUS, DOCUMENTS, build_all, clock, copy_of, feed, folder_of, ingest_all, retire_all
from tests.fdb_clusters import fake_engine
from tests.integration.archives import (
    Watched,
    content,
    export_bytes,
    history_bytes,
    history_memory,
    import_bytes,
    opened,
    small_bytes,
)
from tests.integration.processes import check_whole
from tests.unit.store.items import version


@pytest.fixture
def history() -> Store:
    """A store of this test's own with three generations."""
    return copy_of(history_memory())


@pytest.fixture
def history_archive() -> bytes:
    """The archive of three generations."""
    return history_bytes()


@pytest.fixture
def small_archive() -> bytes:
    """An archive that is short enough to be damaged at every byte."""
    return small_bytes()


# What survives


def test_archive_holds_every_table_of_the_key_space() -> None:
    """A new table must be exported, be an index that is a function of records, or hold only what is under way."""
    passed_over = {name for name, table in LAYOUT.items() if name.startswith("idx/") or table.transient}
    assert set(TABLES) == set(LAYOUT) - passed_over
    assert set(record_tables()) <= set(TABLES)


def test_round_trip_over_engines_and_tenants_is_byte_identical(history: Store, tmp_path: Path) -> None:
    """Memory to LMDB to FoundationDB's fake to memory, each for another tenant: the same archive, rows and digest."""
    wanted, rows, digest = export_bytes(history), content(history), corpus_digest(history, CORPUS)
    (tmp_path / "fdb").mkdir()
    engines: list[Engine] = [LmdbEngine(tmp_path / "lmdb"), fake_engine(tmp_path / "fdb"), MemoryEngine()]
    data = wanted
    for number, engine in enumerate(engines):
        with closing(engine):
            store = Store(engine, f"tenant {number}")
            report = import_bytes(store, data)
            data = export_bytes(store)
            assert data == wanted
            assert (report.corpus_digest, corpus_digest(store, CORPUS)) == (digest, digest)
            assert content(store) == rows
            assert validate(store, CORPUS).findings == ()


def test_every_generation_survives(history: Store, history_archive: bytes) -> None:
    """Views as of each generation show the same documents, texts and items, and lead to the same evidence."""
    restored = Store(MemoryEngine(), "other")
    import_bytes(restored, history_archive)
    assert restored.corpus(CORPUS) == history.corpus(CORPUS)
    assert restored.corpus(CORPUS).generation == 3
    for generation in (1, 2, 3):
        before, after = open_view(history, CORPUS, generation), open_view(restored, CORPUS, generation)
        check_whole(after)
        assert after.manifest == before.manifest
        assert {each: after.text(each) for each in after.entries} == {
            each: before.text(each) for each in before.entries
        }
        assert after.sections == before.sections
        section = after.sections[0].section_id
        assert chain(restored, section, as_of=generation) == chain(history, section, as_of=generation)
    assert feed(restored, CORPUS) == feed(history, CORPUS)


def test_restored_corpus_goes_on_where_it_was(history: Store, history_archive: bytes) -> None:
    """The next build of the restored corpus derives what the next build of the original would, and nothing else."""
    restored = Store(MemoryEngine())
    import_bytes(restored, history_archive)
    ours, theirs = build_all(restored), build_all(history)
    assert (ours.build_id, ours.derived, ours.reused) == (theirs.build_id, theirs.derived, theirs.reused)
    assert corpus_digest(restored, CORPUS) == corpus_digest(history, CORPUS)


def test_log_names_the_archive_that_a_corpus_came_with(history_archive: bytes, small_archive: bytes) -> None:
    """By the corpus digest that its export said: another archive in its place is told from the log."""
    for data in (history_archive, small_archive):
        store = Store(MemoryEngine())
        report = import_bytes(store, data)
        (event,) = (LogEvent.parse(entry) for entry in TransparencyLog(store.engine, store.keys).waiting())
        assert (event.kind, event.digest) == ("import", report.corpus_digest)
        assert report.corpus_digest == opened(data).header.corpus_digest
        _, untold = check_logged(store, CORPUS, None, Counter(), lambda table: None)
        assert untold[0] == (
            f"The corpus came with an archive of the corpus digest {event.digest}: compare it with what its export said."
        )
        (told,) = (each.after for each in _trail(store) if each.kind == "import")
        assert told is not None
        assert told["corpus_digest"] == event.digest


def _trail(store: Store) -> list[AuditEntry]:
    TransparencyLog(store.engine, store.keys).sequence()
    return list(audit_trail(store))


def test_corpus_that_was_never_built_survives(memory: Store, small_archive: bytes) -> None:
    """Generation 0, pending documents and all."""
    report = import_bytes(memory, small_archive)
    assert (report.generation, report.build_id, report.rows["intake"]) == (0, "", 2)
    assert export_bytes(memory) == small_archive
    assert build_all(memory).build_id


def test_empty_corpus_survives() -> None:
    """A corpus record and nothing else, not even an event."""
    source, target = Store(MemoryEngine()), Store(MemoryEngine(), "other")
    create_corpus(source, "nothing", "Name", clock())
    report = import_bytes(target, export_bytes(source, "nothing"))
    assert (report.imported, report.index_entries, sum(report.rows.values())) == (True, 1, 1)
    assert content(target) == content(source)


@pytest.mark.parametrize(
    "corpus", ["x" * 200, "Richtlinien für Ärzte/2026", "a\ud800b".encode("utf-8", "replace").decode()]
)
def test_corpus_id_of_any_shape_survives(tmp_path: Path, corpus: str) -> None:
    """Ids that are cut in keys, and ids that are not ASCII."""
    source, target = Store(MemoryEngine()), Store(MemoryEngine(), "t" * 300)
    ingest_all(source, folder_of(tmp_path / "d", DOCUMENTS), corpus=corpus)
    build_all(source, corpus=corpus)
    import_bytes(target, export_bytes(source, corpus))
    assert content(target) == content(source)
    assert validate(target, corpus).findings == ()


def test_import_leaves_other_corpora_and_tenants_alone(history_archive: bytes, tmp_path: Path) -> None:
    """The rows of a neighbour in the same tenant and of the same corpus at another tenant are what they were."""
    engine = MemoryEngine()
    here, there = Store(engine), Store(engine, "other")
    folder = folder_of(tmp_path / "d", {"a.md": "# A\n\nStaff shall report.\n"})
    ingest_all(here, folder, corpus="neighbour")
    ingest_all(there, folder)
    neighbour, other = export_bytes(here, "neighbour"), content(there)
    import_bytes(here, history_archive)
    assert export_bytes(here, "neighbour") == neighbour
    assert validate(here, CORPUS).findings == ()
    assert content(there) == other


def test_blob_parts_of_every_kind_survive() -> None:
    """Empty, text, text cut within a character, bytes, control characters, exactly one part, one byte more."""
    euro = "€".encode()
    kinds = (
        b"",
        b"text",
        euro * 40_000,
        bytes(range(256)) * 900,
        b"\x00" * 70_000,
        b"x" * BLOB_BYTES,
        b"x" * (BLOB_BYTES + 1),
    )
    source, target = Store(MemoryEngine()), Store(MemoryEngine(), "other")
    create_corpus(source, CORPUS, "", clock())
    for data in kinds:
        source.put_blob(CORPUS, data)
    import_bytes(target, export_bytes(source))
    for data in kinds:
        assert target.get_blob(CORPUS, sha256_hex(data), len(data)) == data


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
@example(b"")
@example("\u2028\x85\n\r\x00".encode())
def test_blob_line_is_one_line_and_gives_its_bytes_back(data: bytes) -> None:
    """Whatever the bytes, and never longer than Base64 would be."""
    line = row_line("blobs", BlobPart("0" * 64, 3, data))
    assert line.count(b"\n") == 1
    assert parse_line("blobs", line) == BlobPart("0" * 64, 3, data)
    assert len(line) <= len(data) * 4 // 3 + 130


# What the digest covers


def test_digest_covers_every_row() -> None:
    """Any row that is gone from any table, the index entries left aside, gives another digest or is told of."""
    store = copy_of(history_memory())
    retire_all(store, name="retention.txt")
    wanted = corpus_digest(store, CORPUS)
    for table in set(TABLES) - {"corpus"}:
        rows = store.engine.read(lambda t, table=table: t.range(*store.keys.bounds(table, CORPUS), limit=10).rows)  # type: ignore[misc]
        assert rows, table
        key, value = rows[-1]
        store.update(lambda t, key=key: t.clear(key))  # type: ignore[misc]
        assert corpus_digest(store, CORPUS) != wanted, table
        store.update(lambda t, key=key, value=value: t.set(key, value))  # type: ignore[misc]
    assert corpus_digest(store, CORPUS) == wanted


def test_digest_of_an_unknown_corpus_is_refused(memory: Store) -> None:
    """There is no digest of nothing."""
    with pytest.raises(NotFound):
        corpus_digest(memory, CORPUS)


def test_archive_can_be_checked_with_standard_tools(history_archive: bytes) -> None:
    """Each line is JSON; the digest is the SHA-256 of the lines between the first and the last, each table's of its own."""
    first, *lines, last = history_archive.splitlines(keepends=True)
    header, trailer = orjson.loads(first)["header"], orjson.loads(last)["trailer"]
    assert sha256_hex(b"".join(lines)) == header["corpus_digest"] == trailer["corpus_digest"]
    assert sha256_hex(first) == trailer["header_sha256"]
    tables = [orjson.loads(line)["table"] for line in lines]
    assert list(dict.fromkeys(tables)) == [table for table in TABLES if table in tables]
    for table, stated in trailer["tables"].items():
        own = [line for line, each in zip(lines, tables, strict=True) if each == table]
        assert (len(own), sha256_hex(b"".join(own))) == (stated["rows"], stated["sha256"])
        assert header["rows"][table] == len(own)
    assert all(line == canonical_json(orjson.loads(line)) + b"\n" for line in (first, *lines, last))


# Where a corpus is already


def test_import_of_what_is_there_does_nothing(history_archive: bytes) -> None:
    """The same corpus: said so, and not one transaction."""
    store = copy_of(history_memory())
    commits = history_memory().state.commits
    report = import_bytes(store, history_archive)
    assert (report.imported, report.corpus_digest) == (False, corpus_digest(store, CORPUS))
    assert store.engine._store.state.commits == commits  # type: ignore[attr-defined]


def test_import_over_another_corpus_is_refused(built: Store, history_archive: bytes) -> None:
    """An older state of the same corpus counts as another; it stays, and the way out is said."""
    before = content(built)
    with pytest.raises(UsageError, match="another corpus stands under this id") as caught:
        import_bytes(built, history_archive)
    assert "--tenant" in str(caught.value.hint)
    assert content(built) == before


# Exports that are refused


@pytest.mark.parametrize("what", ["ingest", "build"])
def test_corpus_that_changes_during_an_export_is_told_of(tmp_path: Path, what: str) -> None:
    """At whatever moment: the export says so, and what it wrote is no archive; or it came before or after, and is one."""
    folder = folder_of(tmp_path / "d", {"late.md": "# Late\n\nStaff shall answer.\n"})
    before = export_bytes(copy_of(history_memory()))
    conflicts = 0
    for at in range(1, 90, 4):
        memory = MemoryStore()
        memory.state = history_memory().state
        writer = Store(MemoryEngine(memory))
        action = (lambda: ingest_all(writer, folder)) if what == "ingest" else (lambda: build_all(writer))  # noqa: B023
        file = io.BytesIO()
        try:
            export_corpus(Store(Watched(MemoryEngine(memory), action, read=at)), CORPUS, file)
        except Conflict:
            conflicts += 1
            with pytest.raises((Corrupt, UsageError)):
                opened(file.getvalue())
        else:
            assert file.getvalue() in (before, export_bytes(writer))
    assert conflicts >= 5


def test_half_written_blob_is_left_out_and_the_rest_is_whole(history: Store, history_archive: bytes) -> None:
    """What a killed ingest left and nothing points to is no part of the corpus."""
    from coditect.store.blobs import blob_rows

    digest, rows = blob_rows(history.keys, CORPUS, b"0123456789" * 30_000)
    history.update(lambda transaction: transaction.set(*rows[0]))
    file = io.BytesIO()
    report = export_corpus(history, CORPUS, file)
    assert report.incomplete == (digest,)
    assert file.getvalue() == history_archive


@pytest.mark.parametrize("table", ["blobs", "documents", "extractions", "trees", "feed", "failures", "corpus"])
def test_damaged_row_cannot_be_exported(history: Store, table: str) -> None:
    """A backup that could not be restored is not made."""
    begin, end = history.keys.key(table, CORPUS), history.keys.bounds(table, CORPUS)[1]
    key, value = history.engine.read(lambda transaction: transaction.range(begin, end, limit=1).rows[0])
    history.update(lambda transaction: transaction.set(key, value[:-1] + bytes([value[-1] ^ 1])))
    with pytest.raises(Corrupt):
        export_bytes(history)


def test_row_in_another_rows_place_cannot_be_exported(history: Store) -> None:
    """A record that was stored, with a checksum that fits, where another one belongs."""
    key = history.keys.key("intake", CORPUS, "document_0")
    record = next(record for _, record in history.scan("intake", Intake, CORPUS))
    history.update(lambda transaction: transaction.set(key, seal(history.keys.relative(key), record.payload())))
    with pytest.raises(Corrupt, match="a row is not where it must be"):
        export_bytes(history)


def test_document_without_its_bytes_cannot_be_exported(memory: Store) -> None:
    """A version whose file is not there, or only half."""
    create_corpus(memory, CORPUS, "", clock())
    memory.put_items([version(corpus_id=CORPUS)])
    with pytest.raises(Corrupt, match="the bytes of a document are not there"):
        export_bytes(memory)


def test_unknown_corpus_cannot_be_exported(memory: Store) -> None:
    """Nor written as an archive of nothing."""
    file = io.BytesIO()
    with pytest.raises(NotFound):
        export_corpus(memory, CORPUS, file)
    assert file.getvalue() == b""
