"""Stores outlive releases: what this one wrote is whole for a later one; what a later one wrote, this one tells from tampering."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from coditect.errors import Corrupt, NewerRecord
from coditect.integrity.validate import validate
from coditect.keyspace import seal
from coditect.knowledge.archive.export import corpus_digest, export_corpus
from coditect.knowledge.archive.format import open_archive
from coditect.knowledge.archive.importing import import_archive
from coditect.schemas import Chunk, Failure, Intake
from coditect.schemas.record import canonical_json
from coditect.store.header import header_key, new_header
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all
from tests.releases import later_release

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
