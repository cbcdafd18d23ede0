"""Stores outlive releases: what this one wrote is whole for a later one; what a later one wrote, this one tells from tampering."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from coditect.errors import Corrupt, NewerRecord, Unwritable
from coditect.integrity.indexing.building import build_index
from coditect.integrity.indexing.dropping import drop_index
from coditect.integrity.indexing.statuses import index_statuses
from coditect.integrity.sweeping.sweep import sweep
from coditect.integrity.validate import validate
from coditect.keyspace import seal
from coditect.knowledge.archive.export import corpus_digest, export_corpus
from coditect.knowledge.archive.format import open_archive
from coditect.knowledge.archive.importing import import_archive
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import Chunk, Failure, FeedEvent, IndexState, Intake
from coditect.schemas.record import canonical_json
from coditect.store.blobs import put_rows
from coditect.store.header import header_key, new_header, read_header
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, clock, folder_of, ingest_all
from tests.integration.indexes import entries, require_complete, state
from tests.releases import later_release, release_without_index

NOTES = {"notes": (tuple[str, ...], ())}
REMARK = {"remark": (str | None, None)}


def built_store(folder: Path) -> Store:
    """A corpus of this release, with a file that could not be read."""
    store = Store(MemoryEngine())
    (folder_of(folder, DOCUMENTS) / "empty.md").touch()
    ingest_all(store, folder)
    build_all(store)
    return store


@pytest.mark.parametrize("added", [NOTES, REMARK, {**NOTES, **REMARK}], ids=["tuple", "optional", "both"])
def test_store_stays_whole_when_records_get_new_fields(added: dict[str, tuple[object, object]], tmp_path: Path) -> None:
    """Nothing is found, the digest is the same, a build derives nothing again, and the archive goes into another store."""
    store = built_store(tmp_path)
    digest = corpus_digest(store, CORPUS)
    with later_release(Chunk, added):
        assert validate(store, CORPUS).findings == ()
        assert corpus_digest(store, CORPUS) == digest
        (chunk, *_) = open_view(store, CORPUS).all_chunks()
        assert {name: getattr(chunk, name) for name in added} == {name: default for name, (_, default) in added.items()}
        report = build_all(store)
        assert not report.changed
        assert not any(report.derived.values())
        archive, again = io.BytesIO(), Store(MemoryEngine())
        export_corpus(store, CORPUS, archive)
        import_archive(again, open_archive(io.BytesIO(archive.getvalue())))
        assert validate(again, CORPUS).findings == ()
        assert corpus_digest(again, CORPUS) == digest


def test_renamed_field_is_read_through_an_upcast(tmp_path: Path) -> None:
    """The stored bytes keep the former name."""
    store = built_store(tmp_path)
    (before,) = [failure for _, failure in store.scan("failures", Failure, CORPUS)]

    def renamed(fields: dict[str, object]) -> dict[str, object]:
        return {"way_out" if name == "hint" else name: value for name, value in fields.items()}

    with later_release(Failure, {"way_out": (str, "")}, ("hint",), {2: renamed}):
        (after,) = [failure for _, failure in store.scan("failures", Failure, CORPUS)]
        assert getattr(after, "way_out") == before.hint != ""  # noqa: B009 - of a class that does not have it yet
        assert validate(store, CORPUS).findings == ()
    assert [failure for _, failure in store.scan("failures", Failure, CORPUS)] == [before]


def test_what_a_later_release_wrote_is_told_from_tampering(tmp_path: Path) -> None:
    """Each such record is named as newer and as nothing else; changed bytes under the same version are a wrong hash or checksum."""
    store = Store(MemoryEngine())
    folder_of(tmp_path, DOCUMENTS)
    with later_release(Chunk, NOTES):
        ingest_all(store, tmp_path)
        build_all(store)
        assert validate(store, CORPUS).findings == ()
    report = validate(store, CORPUS)
    chunks = [finding for finding in report.findings if finding.record.startswith("chunks/")]
    assert {finding.check for finding in chunks} == {"newer"}
    assert len(chunks) == report.checked["chunks"]
    assert {finding.check for finding in report.findings} == {"newer"}
    with pytest.raises(NewerRecord, match="newer release") as caught:
        list(open_view(store, CORPUS).all_chunks())
    assert "chunk/3" in str(caught.value)


def test_event_of_a_later_release_is_told_as_newer_and_as_nothing_else(tmp_path: Path) -> None:
    """It may tell of a generation: that none does is not said."""
    store = Store(MemoryEngine())
    folder_of(tmp_path, DOCUMENTS)
    ingest_all(store, tmp_path)
    with later_release(FeedEvent, NOTES):
        build_all(store)
    found = validate(store, CORPUS).findings
    assert [(finding.check, finding.record) for finding in found] == [("newer", f"feed/{CORPUS}/2")]


def test_archive_of_a_later_release_is_refused_in_one_sentence(tmp_path: Path) -> None:
    """Nothing of it becomes visible."""
    store = Store(MemoryEngine())
    folder_of(tmp_path, DOCUMENTS)
    archive = io.BytesIO()
    with later_release(Chunk, NOTES):
        ingest_all(store, tmp_path)
        build_all(store)
        export_corpus(store, CORPUS, archive)
    again = Store(MemoryEngine())
    with pytest.raises(NewerRecord) as caught:
        import_archive(again, open_archive(io.BytesIO(archive.getvalue())))
    assert caught.value.message == "a record was written by a newer release"
    assert again.corpora() == []


def test_record_of_another_kind_is_not_taken_for_one(tmp_path: Path) -> None:
    """A kind that a later release adds stands in a table of its own; in another's it is an error that names it."""
    store = built_store(tmp_path)
    (place, _), *_ = store.scan("intake", Intake, CORPUS)
    key = store.keys.key("intake", *place)
    other = canonical_json({"$record": "control/1", "corpus_id": CORPUS, "document_id": place[1]})
    store.engine.run(lambda transaction: transaction.set(key, seal(store.keys.relative(key), other)))
    with pytest.raises(Corrupt, match="another kind"):
        store.get("intake", Intake, *place)
    assert [finding.check for finding in validate(store, CORPUS).findings if "intake/" in finding.record] == ["bytes"]


@pytest.mark.parametrize("change", [{"format": 3}, {"features": ("sealed",)}], ids=["format", "feature"])
def test_store_of_a_later_release_is_refused_by_name(change: dict[str, object]) -> None:
    """It does not look empty, whatever its rows look like."""
    engine = MemoryEngine()
    header = new_header().model_copy(update={**change, "oldest_reader": "0.9.0"})
    engine.run(lambda transaction: transaction.set(header_key("default"), header.payload()))
    with pytest.raises(NewerRecord) as caught:
        Store(engine)
    assert "0.9.0" in str(caught.value.hint)
    assert Store(engine, "another").corpora() == []


# Indexes that come and go


def indexed_store(folder: Path) -> Store:
    """The same corpus, with the index of entities."""
    store = built_store(folder)
    build_index(store, "entity", clock)
    return store


def change_a_document(store: Store, folder: Path) -> None:
    """Take in another version of a document, and build."""
    folder_of(folder, {"access.md": DOCUMENTS["access.md"].replace("90 days", "60 days")})
    ingest_all(store, folder)
    build_all(store)


def write_states(store: Store, *states: IndexState) -> None:
    """Say in the header that the store has these indexes."""
    header = read_header(store.engine, "default")
    assert header is not None
    changed = header.model_copy(update={"indexes": states})
    store.engine.run(lambda transaction: transaction.set(header_key("default"), changed.payload()))


def test_store_with_an_index_that_a_later_release_gave_up_is_used_on(tmp_path: Path) -> None:
    """The old store stays valid and its archive the same; who writes first disables the index, and a sweep clears it.

    A program of this release that has the store open meanwhile reads the items from then on, not what nobody keeps any more.
    """
    store = indexed_store(tmp_path)
    before = entries(store)
    archive, again = io.BytesIO(), io.BytesIO()
    export_corpus(store, CORPUS, archive)
    asked = [each.extraction_id for each in LiveIndex(open_view(store, CORPUS)).mentioning("security team").found]
    with release_without_index("entity"):
        later = Store(store.engine)
        report = validate(later, CORPUS)
        assert (report.findings, report.checked["idx/entity (dead)"]) == ((), len(before))
        export_corpus(later, CORPUS, again)
        assert again.getvalue() == archive.getvalue()
        change_a_document(later, tmp_path)
        assert entries(store) == before
    header = read_header(store.engine, "default")
    assert header is not None
    assert header.indexes == ()
    found = LiveIndex(open_view(store, CORPUS, 1)).mentioning("security team")
    assert ([each.extraction_id for each in found.found], found.way) == (asked, "scan")
    assert validate(store, CORPUS).findings == ()
    with release_without_index("entity"):
        (swept,) = sweep(Store(store.engine), apply=True).corpora
        assert swept.removed["idx/entity"].rows == len(before)
    assert entries(store) == {}
    build_index(store, "entity", clock)
    require_complete(store)


def test_store_with_an_index_that_a_release_does_not_know_is_read_and_not_written(tmp_path: Path) -> None:
    """An index that a writer does not keep would lack what it writes. It can be dropped by whoever does not know it."""
    store = built_store(tmp_path)
    begin, _ = store.keys.numbered(99)
    rows = {begin + b"a": b"entry", begin + b"b": b"another"}
    put_rows(store.engine, list(rows.items()))
    write_states(store, IndexState(name="party", version=3, table=99, state="readable", build="b"))
    opened = Store(store.engine)
    assert validate(opened, CORPUS).findings == ()
    assert LiveIndex(open_view(opened, CORPUS)).mentioning("security team").found
    with pytest.raises(Unwritable) as caught:
        change_a_document(opened, tmp_path)
    assert "party/3" in str(caught.value)
    assert "coditect store index drop party" in str(caught.value.hint)
    assert [(each.name, each.known) for each in index_statuses(opened)][-1] == ("party", False)
    build_index(opened, "entity", clock)
    assert [each.name for each in index_statuses(opened) if each.state == "readable" and not each.required] == [
        "entity",
        "party",
    ]
    assert drop_index(opened, "party") == len(rows)
    change_a_document(opened, tmp_path)
    require_complete(opened)
    assert validate(opened, CORPUS).findings == ()


def test_later_version_of_an_index_is_not_read_and_a_former_one_is_disabled(tmp_path: Path) -> None:
    """Its entries may mean something else. Who knows a later version than the store has stops keeping the former one."""
    store = indexed_store(tmp_path)
    header = read_header(store.engine, "default")
    assert header is not None
    (found,) = header.indexes
    write_states(store, found.model_copy(update={"version": 2}))
    later = Store(store.engine)
    assert LiveIndex(open_view(later, CORPUS)).mentioning("security team").way == "scan"
    with pytest.raises(Unwritable, match="entity/2"):
        change_a_document(later, tmp_path)
    with pytest.raises(Unwritable, match="entity/2"):
        build_index(later, "entity", clock)
    with pytest.raises(Unwritable, match="entity/2"):
        sweep(later, apply=True)
    assert [each.known for each in index_statuses(later) if each.name == "entity"] == [False]
    write_states(store, found)
    with release_without_index("entity", remembered=False), pytest.raises(Unwritable, match="entity/1"):
        change_a_document(Store(store.engine), tmp_path)
    change_a_document(Store(store.engine), tmp_path)
    require_complete(store)


def test_header_that_names_a_table_of_records_as_an_index_clears_nothing(tmp_path: Path) -> None:
    """Whoever wrote it: dropping that index is refused."""
    store = built_store(tmp_path)
    write_states(store, IndexState(name="party", version=1, table=10, state="readable", build="b"))
    with pytest.raises(Corrupt, match="table of something else"):
        drop_index(store, "party")
    write_states(store)
    assert state(store) == "disabled"
    assert validate(store, CORPUS).findings == ()


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        (new_header().payload().replace(b'"features"', b'"indices"'), "indices"),
        (b"\x00 no JSON", "Invalid JSON"),
        (b'{"$record":"corpus/2"}', "another kind"),
    ],
    ids=["field", "bytes", "kind"],
)
def test_header_that_cannot_be_read_says_whose_why_and_what_to_do(stored: bytes, reason: str) -> None:
    """An unreleased version may have written it, or it was damaged; other tenants are not concerned."""
    engine = MemoryEngine()
    engine.run(lambda transaction: transaction.set(header_key("acme"), stored))
    with pytest.raises(Corrupt, match="header of the store cannot be read") as caught:
        Store(engine, "acme")
    assert caught.value.context["tenant"] == "acme"
    assert reason in caught.value.context["reason"]
    assert "coditect store info" in str(caught.value.hint)
    assert Store(engine).corpora() == []
