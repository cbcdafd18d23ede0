"""What earlier releases stored is read, found whole, exported, imported and upgraded by this one."""

from __future__ import annotations

import hashlib
import io
from contextlib import closing
from pathlib import Path

import pytest

from coditect import Settings, open_knowledge
from coditect.engine.lmdb.engine import LmdbEngine
from coditect.errors import Unwritable
from coditect.integrity.validate import validate
from coditect.keyspace import FORMAT
from coditect.knowledge.archive.export import corpus_digest, export_corpus
from coditect.knowledge.archive.format import open_archive
from coditect.knowledge.archive.importing import import_archive
from coditect.knowledge.archive.upgrade import clear_former, upgrade
from coditect.knowledge.derivation import corpus as derivation
from coditect.knowledge.derivation import plan
from coditect.knowledge.derivation.corpus import present_versions
from coditect.knowledge.review.decisions import SignedDecisions, pending
from coditect.schemas import Review
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, build_all, clock, folder_of, ingest_all
from tests.golden import FORMER, RELEASES, archive, facts, unpacked


def require_facts(store: Store, release: str) -> None:
    """Every corpus is whole, has its digest, and each of its generations says what it said."""
    for corpus_id, stated in facts(release).items():
        report = validate(store, corpus_id)
        assert report.findings == ()
        kept = {
            name: number for name, number in stated["checked"].items() if name in report.checked and name != "seconds"
        }
        assert {name: report.checked[name] for name in kept} == kept
        assert corpus_digest(store, corpus_id) == stated["corpus_digest"]
        for generation in stated["generations"]:
            view = open_view(store, corpus_id, generation["generation"])
            texts = "".join(view.text(document) for document in view.entries)
            assert {
                "generation": view.generation,
                "build_id": view.manifest.build_id,
                "documents": len(view.entries),
                "extractions": sum(len(view.extractions(document)) for document in view.entries),
                "claims": len(view.summary.claims),
                "texts_sha256": hashlib.sha256(texts.encode()).hexdigest(),
            } == generation


@pytest.mark.parametrize("release", RELEASES)
def test_store_of_every_release_is_read_and_found_whole(release: str, tmp_path: Path) -> None:
    """Without an upgrade, and without a byte of it being changed."""
    folder = unpacked(release, tmp_path / "store")
    before = (folder / "data.mdb").read_bytes()
    with closing(LmdbEngine(folder)) as engine:
        require_facts(Store(engine), release)
    assert (folder / "data.mdb").read_bytes() == before


@pytest.mark.parametrize("release", RELEASES)
def test_archive_of_every_release_is_imported(release: str, tmp_path: Path) -> None:
    """The records are stored as they are in the archive, and are exported as they were."""
    for name, corpus_id in (("archive", CORPUS), ("archive-long-name", next(c for c in facts(release) if c != CORPUS))):
        data = archive(release, name)
        store = Store(MemoryEngine())
        import_archive(store, open_archive(io.BytesIO(data)))
        assert validate(store, corpus_id).findings == ()
        again = io.BytesIO()
        export_corpus(store, corpus_id, again)
        assert again.getvalue().split(b"\n")[1:-2] == data.split(b"\n")[1:-2]


@pytest.mark.parametrize("release", FORMER)
def test_store_of_a_former_format_is_not_written_to(release: str, tmp_path: Path) -> None:
    """The error names the way out."""
    with closing(LmdbEngine(unpacked(release, tmp_path / "store"))) as engine:
        store = Store(engine)
        with pytest.raises(Unwritable, match="former release") as caught:
            build_all(store)
        assert "coditect store upgrade" in str(caught.value.hint)


@pytest.mark.parametrize("release", FORMER)
def test_store_of_a_former_format_is_exported(release: str, tmp_path: Path) -> None:
    """A backup can be made before the upgrade: nothing of it can be logged there, and that stops nobody."""
    folder = unpacked(release, tmp_path / "store")
    settings = Settings(store=f"lmdb://{folder}", cache=tmp_path / "cache")
    with open_knowledge(settings) as knowledge, (tmp_path / "archive").open("w+b") as file:
        report = knowledge.export(CORPUS, file)
        assert report.corpus_digest == facts(release)[CORPUS]["corpus_digest"]


@pytest.mark.parametrize("release", RELEASES)
def test_upgraded_store_has_the_same_digests_and_takes_builds(release: str, tmp_path: Path) -> None:
    """A reader that had it open sees what it saw until the former rows are cleared; a build uses what was derived."""
    with closing(LmdbEngine(unpacked(release, tmp_path / "store"))) as engine:
        reader = open_view(Store(engine), CORPUS, 1)
        report = upgrade(engine, "default", clock())
        assert report.digests == {c: each["corpus_digest"] for c, each in facts(release).items()} or not report.upgraded
        assert sum(len(reader.extractions(each)) for each in reader.entries) > 0
        clear_former(engine, "default")
        store = Store(engine)
        assert store.keys.format == FORMAT
        require_facts(store, release)
        assert upgrade(engine, "default", clock()).upgraded is False
        before = open_view(store, CORPUS)
        built = build_all(store)
        after = open_view(store, CORPUS)
        assert built.generation == before.generation + (1 if built.changed else 0)
        assert [e.source_text for d in after.entries for e in after.extractions(d)] == [
            e.source_text for d in before.entries for e in before.extractions(d)
        ]
        assert validate(store, CORPUS).findings == ()
        (tmp_path / "new").mkdir()
        (tmp_path / "new" / "extra.md").write_text("# Extra\n\nThe auditor shall sign each report within 3 days.\n")
        ingest_all(store, tmp_path / "new")
        assert build_all(store).changed
        assert validate(store, CORPUS).findings == ()


def as_of_then(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give today's steps the versions that a former release gave its own: as if no rule had changed since."""
    view = open_view(store, CORPUS)
    ids = [each for entry in view.entries.values() for each in (*entry.extractions, *entry.chunks, *entry.passages)]
    for step in store.derivations(CORPUS, ids).values():
        monkeypatch.setattr(plan, f"{step.stage.upper()}_VERSION", step.code_version)


@pytest.mark.parametrize("release", FORMER)
def test_document_that_a_former_release_read_otherwise_is_derived_again(
    release: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its entries are of today; what was derived of all others is used as it is."""
    with closing(LmdbEngine(unpacked(release, tmp_path / "store"))) as engine:
        upgrade(engine, "default", clock())
        store = Store(engine)
        before = open_view(store, CORPUS)
        as_of_then(store, monkeypatch)
        other = min(version.name for version in before.documents.values())
        monkeypatch.setattr(derivation, "_is_read_as_before", lambda _, version: version.name != other)
        assert build_all(store).changed
        after = open_view(store, CORPUS)
        again = {v.name for d, v in after.documents.items() if after.entries[d].chunks != before.entries[d].chunks}
        assert again == {other}
        assert validate(store, CORPUS).findings == ()


def test_invisible_characters_and_marks_of_notes_are_read_otherwise_than_before(tmp_path: Path) -> None:
    """Other characters beyond ASCII are not: a store of a former release is not derived again for its quotation marks."""
    store = Store(MemoryEngine())
    texts = {"plain.md": "shall", "quoted.md": "“shall”", "hidden.md": "sh\u200ball", "note.md": "30\u00b9"}
    ingest_all(store, folder_of(tmp_path, {name: f"The clerk {text} sign.\n" for name, text in texts.items()}))
    same = {v.name: derivation._is_read_as_before(store, v) for v in present_versions(store, CORPUS)}
    assert same == {"plain.md": True, "quoted.md": True, "hidden.md": False, "note.md": False}


@pytest.mark.parametrize("release", RELEASES)
def test_reviews_of_every_release_are_listed_and_heeded(release: str, tmp_path: Path) -> None:
    """They have their ids, and say what they said; those whose claim is gone wait for a person, and none stops a build."""
    with closing(LmdbEngine(unpacked(release, tmp_path / "store"))) as engine:
        store = Store(engine)
        reviews = [(corpus, each) for corpus in facts(release) for _, each in store.scan("reviews", Review, corpus)]
        assert reviews
        for corpus, review in reviews:
            assert (review.decision, review.signed_item, review.extraction) == ("supported", None, None)
            view = open_view(store, corpus)
            (status,) = SignedDecisions(store, view).statuses()
            assert (status.review, status.state) == (review, "reopened")
            (waiting,) = [each for each in pending(store, view) if each.reopened is not None]
            assert review.claim_text in waiting.reason
