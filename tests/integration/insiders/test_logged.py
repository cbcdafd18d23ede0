"""What is found of an insider by the log: with the store's own newest checkpoint, and with one that somebody kept."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from coditect.engine.port import Transaction
from coditect.integrity.logged.check import check_logged
from coditect.integrity.logged.history import ACTS, CorpusHistory
from coditect.keyspace import seal
from coditect.knowledge.ingest.intake import ingest
from coditect.knowledge.report.audit.values import WORDS
from coditect.knowledge.review.sign_off import sign
from coditect.schemas import (
    Derivation,
    Failure,
    Generation,
    Intake,
    LogAct,
    LogHead,
    Review,
    canonical_json,
    document_id_for,
    tag_of,
)
from coditect.schemas.log import LogEventKind
from coditect.store.generations import create_corpus
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.transparency.checkpoints import Checkpoint, open_checkpoint
from coditect.transparency.events import append_act, append_event, event_of
from coditect.transparency.merkle.tree import EMPTY_ROOT
from coditect.transparency.notes import SigningKey
from coditect.transparency.sequencer import TransparencyLog
from tests.corpora import CORPUS, DOCUMENTS, build_all, clock, copy_of, folder_of, ingest_all
from tests.integration.insiders.hands import LOG_TABLES
from tests.integration.insiders.lived import embed as store_vectors


def test_every_kind_of_event_is_followed_and_has_words() -> None:
    """None is passed over when rows are held against the log but what is of its own keys; none is shown by its bare name."""
    kinds = set(get_args(LogEventKind))
    assert kinds - ACTS - set(CorpusHistory.takers) == {"log key"}
    assert set(WORDS) == kinds


KEY = SigningKey("log.example.com/tests", bytes(range(32)))


@pytest.fixture(scope="module")
def lived_once(tmp_path_factory: pytest.TempPathFactory) -> MemoryStore:
    """A corpus with a history: documents, failures, a withdrawal, two generations, decisions."""
    memory = MemoryStore()
    store = Store(MemoryEngine(memory))
    folder = folder_of(tmp_path_factory.mktemp("lived"), {**DOCUMENTS, "broken.pdf": "no PDF", "old.pdf": "none"})
    ingest_all(store, folder)
    build_all(store)
    view = open_view(store, CORPUS)
    sign(store, view, view.summary.claims[0], decision="accept", by="Ada Palmer", meaning="read", at=clock())
    sign(store, view, view.summary.claims[1], decision="dismiss", by="Ada Palmer", meaning="known", at=clock())
    (folder / "retention.txt").unlink()
    (folder / "old.pdf").unlink()
    (folder / "access.md").write_text(DOCUMENTS["access.md"] + "\nAccounts shall be closed.\n", "utf-8")
    ingest(store, CORPUS, [folder], clock=clock, jobs=1, sync=True)
    build_all(store)
    return memory


@pytest.fixture
def lived(lived_once: MemoryStore) -> Store:
    """A copy of its own."""
    return copy_of(lived_once)


def _checkpoint(store: Store) -> Checkpoint:
    note = TransparencyLog(store.engine, store.keys).checkpoint(KEY)
    return open_checkpoint(note.encode(), [KEY.key]).checkpoint


def _found(store: Store, kept: Checkpoint | None = None) -> list[str]:
    findings, untold = check_logged(store, CORPUS, kept, Counter(), lambda table: None)
    assert untold == []
    return [f"{each.record}: {each.message}" for each in findings]


def test_honest_corpus_agrees_with_its_log(lived: Store) -> None:
    """Whatever happened to it, before events have an index and afterwards, and against every checkpoint."""
    assert _found(lived) == []
    kept = _checkpoint(lived)
    assert _found(lived, kept) == []
    create_corpus(lived, "another", "", "2026-01-01T00:00:00Z")
    assert _found(lived, kept) == []


def _failure_deleted(store: Store) -> None:
    store.remove("failures", CORPUS, "broken.pdf")


def _failure_reworded(store: Store) -> None:
    found = store.get("failures", Failure, CORPUS, "broken.pdf")
    assert found is not None
    store.put("failures", found.model_copy(update={"message": "it is empty"}), CORPUS, "broken.pdf")


def _failure_forged(store: Store) -> None:
    forged = Failure(corpus_id=CORPUS, name="other.pdf", error="ReadError", message="it is empty")
    store.put("failures", forged, CORPUS, "other.pdf")


def _intake_deleted(store: Store) -> None:
    store.remove("intake", CORPUS, document_id_for(CORPUS, "incident.md"))


def _intake_changed(store: Store) -> None:
    document_id = document_id_for(CORPUS, "incident.md")
    found = store.get("intake", Intake, CORPUS, document_id)
    assert found is not None
    store.put("intake", found.model_copy(update={"status": "withdrawn"}), CORPUS, document_id)


def _intake_forged(store: Store) -> None:
    found = store.get("intake", Intake, CORPUS, document_id_for(CORPUS, "incident.md"))
    assert found is not None
    document_id = document_id_for(CORPUS, "planted.md")
    store.put(
        "intake", found.model_copy(update={"document_id": document_id, "name": "planted.md"}), CORPUS, document_id
    )


def _withdrawn_again_present(store: Store) -> None:
    document_id = document_id_for(CORPUS, "retention.txt")
    found = store.get("intake", Intake, CORPUS, document_id)
    assert found is not None
    store.put("intake", found.model_copy(update={"status": "present"}), CORPUS, document_id)


def _generation_backdated(store: Store) -> None:
    found = store.get("generations", Generation, CORPUS, 2)
    assert found is not None
    store.put("generations", found.model_copy(update={"created_at": "2020-01-01T00:00:00Z"}), CORPUS, 2)


def _generation_removed(store: Store) -> None:
    store.remove("generations", CORPUS, 1)


def _generation_rolled_back(store: Store) -> None:
    """The corpus points to the first generation again, and the second is gone."""
    first = store.get("generations", Generation, CORPUS, 1)
    assert first is not None
    corpus = store.corpus(CORPUS)
    store.remove("generations", CORPUS, 2)
    store.put("corpus", corpus.model_copy(update={"generation": 1, "build_id": first.build_id}), CORPUS)


def _generation_appended(store: Store) -> None:
    second = store.get("generations", Generation, CORPUS, 2)
    assert second is not None
    forged = second.model_copy(update={"generation": 3, "parent_build_id": second.build_id})
    store.put("generations", forged, CORPUS, 3)


def _pointer_rolled_back(store: Store) -> None:
    first = store.get("generations", Generation, CORPUS, 1)
    assert first is not None
    corpus = store.corpus(CORPUS)
    store.put("corpus", corpus.model_copy(update={"generation": 1, "build_id": first.build_id}), CORPUS)


def _corpus_older(store: Store) -> None:
    store.put("corpus", store.corpus(CORPUS).model_copy(update={"created_at": "2019-01-01T00:00:00Z"}), CORPUS)


def _review_forged(store: Store) -> None:
    found = next(record for _, record in store.scan("reviews", Review, CORPUS))
    fields = {name: getattr(found, name) for name in Review.model_fields if name != "review_id"}
    store.put_items([Review.create(**{**fields, "by": "Ada Auditor", "meaning": "seen and approved"})])


def _review_deleted(store: Store) -> None:
    found = next(record for _, record in store.scan("reviews", Review, CORPUS))
    store.remove("reviews", CORPUS, found.review_id)


ROWS: tuple[tuple[Callable[[Store], None], str], ...] = (
    (_failure_deleted, "the log tells of it, and it is gone"),
    (_failure_reworded, "it was changed"),
    (_failure_forged, "it was put there"),
    (_intake_deleted, "the log tells of it, and it is gone"),
    (_intake_changed, "it was changed"),
    (_intake_forged, "it was put there"),
    (_withdrawn_again_present, "it was changed"),
    (_generation_backdated, "it was changed"),
    (_generation_removed, "the log tells of it, and it is gone"),
    (_generation_rolled_back, "the last one that the log tells of is 2"),
    (_generation_appended, "it was put there"),
    (_pointer_rolled_back, "the last one that the log tells of is 2"),
    (_corpus_older, "is not what the log tells of"),
    (_review_forged, "it was put there"),
    (_review_deleted, "the log tells of it, and it is gone"),
)


@pytest.mark.parametrize(("attack", "said"), ROWS, ids=[each[0].__name__[1:] for each in ROWS])
def test_row_that_does_not_agree_with_the_log_is_found(
    lived: Store, attack: Callable[[Store], None], said: str
) -> None:
    """With the checkpoint of the store itself: whoever left the log alone."""
    kept = _checkpoint(lived)
    attack(lived)
    assert any(said in each for each in _found(lived, kept)), _found(lived, kept)


def _log_made_new(store: Store, drop: Callable[[bytes], bool]) -> None:
    """A log over what is left of the events, from its first entry: an insider who has no key, or signs with a stolen one."""
    log = TransparencyLog(store.engine, store.keys)
    entries = [entry for _, entry in log.entries() if not drop(entry)]

    def clear(transaction: Transaction) -> None:
        for table in ("log/entries", "log/tiles", "log/heads", "log/checkpoints", "log/pending"):
            for key, _ in transaction.range(*store.keys.bounds(table), limit=1000).rows:
                transaction.clear(key)

    store.update(clear)
    from coditect.keyspace import seal

    relative = store.keys.relative(store.keys.key("log/pending"))

    def body(transaction: Transaction) -> None:
        for entry in entries:
            transaction.append(store.keys.pending, seal(relative, entry))

    store.update(body)
    log.checkpoint(KEY)


def test_log_made_new_with_its_rows_is_found_by_a_kept_checkpoint_alone(lived: Store) -> None:
    """A failure deleted from rows and log: nothing in the store contradicts it but what somebody keeps."""
    kept = _checkpoint(lived)
    _failure_deleted(lived)
    subject = document_id_for(CORPUS, "broken.pdf").encode()
    _log_made_new(lived, lambda entry: subject in entry)
    assert _found(lived, _checkpoint(lived)) == []
    assert any("shorter than it was signed" in each for each in _found(lived, kept))
    for number in range(3):
        event = event_of("export", CORPUS, subject=str(number))
        lived.update(lambda transaction, event=event: append_event(transaction, lived.keys, event))  # type: ignore[misc]
    _checkpoint(lived)
    assert any("does not begin with what it was before" in each for each in _found(lived, kept))


def test_older_copy_of_the_store_is_found_by_a_kept_checkpoint(
    lived: Store, lived_once: MemoryStore, tmp_path: Path
) -> None:
    """The whole store as it was before the last ingest; its own checkpoint has nothing against it."""
    copy = copy_of(lived_once)
    ingest(
        lived, CORPUS, [folder_of(tmp_path, {"new.md": "# New\n\nStaff shall lock screens.\n"})], clock=clock, jobs=1
    )
    kept = _checkpoint(lived)
    assert _found(lived, kept) == []
    assert _found(copy, _checkpoint(copy)) == []
    assert any("shorter than it was signed" in each for each in _found(copy, kept))


def _entry_rewritten(store: Store, index: int, change: Callable[[bytes], bytes]) -> None:
    log = TransparencyLog(store.engine, store.keys)
    entry = dict(log.entries(index, index + 1))[index]
    key = store.keys.key("log/entries", index)
    store.update(lambda transaction: log._set(transaction, key, change(entry)))


def test_entries_that_their_tree_is_not_over_are_found(lived: Store) -> None:
    """One rewritten in place, one cut out, the last ones cut off with and without the head; a row planted among tiles."""
    kept = _checkpoint(lived)
    _entry_rewritten(lived, 2, lambda entry: entry.replace(b'"release"', b'"Release"'))
    assert any("not those that its tree is over" in each for each in _found(lived, None))
    assert any("are not those of the checkpoint that was kept" in each for each in _found(lived, kept))
    key = lived.keys.key("log/entries", 3)
    lived.update(lambda transaction: transaction.clear(key))
    assert any("an entry of the log is missing" in each for each in _found(lived, kept))
    log = TransparencyLog(lived.engine, lived.keys)
    head = LogHead(size=0, root=EMPTY_ROOT.hex()).payload()
    lived.update(lambda transaction: log._set(transaction, lived.keys.key("log/heads", "events"), head))
    assert any("shorter than it was signed" in each for each in _found(lived, kept))


def test_entry_that_is_repeated_is_found(lived: Store) -> None:
    """An intake, a decision, a generation, a beginning that the log tells a second time, by whoever appended it."""
    log = TransparencyLog(lived.engine, lived.keys)
    log.sequence()
    from coditect.keyspace import seal

    relative = lived.keys.relative(lived.keys.key("log/pending"))
    entries = [entry for _, entry in log.entries()]
    for kind in (b'"kind":"review"', b'"kind":"generation"', b'"kind":"corpus"', b'"kind":"failure cleared"'):
        again = next(entry for entry in entries if kind in entry)
        lived.update(
            lambda transaction, again=again: transaction.append(lived.keys.pending, seal(relative, again))  # type: ignore[misc]
        )
    found = _found(lived)
    for said in (
        "decision twice",
        "tells of it after generation",
        "its beginning twice",
        "clears a failure that it does not",
    ):
        assert any(said in each for each in found), (said, found)


def test_corpus_that_is_older_than_its_log_is_told_and_no_finding(memory: Store, documents: Path) -> None:
    """Rows of which no event tells are counted, where an upgrade says that the corpus was there before the log."""
    ingest_all(memory, documents)
    build_all(memory)

    def forget(transaction: Transaction) -> None:
        for table in ("log/pending", "log/acts"):
            transaction.clear_range(*memory.keys.bounds(table))

    memory.update(forget)
    findings, _ = check_logged(memory, CORPUS, None, Counter(), lambda table: None)
    assert [each.message for each in findings] == [
        "the log does not tell how the corpus came about: it was copied in, or put there"
    ]
    upgraded = LogAct(kind="upgrade", at=clock(), details={"corpora": [tag_of(CORPUS)]}, salt="0" * 32)
    memory.update(lambda transaction: append_act(transaction, memory.keys, upgraded))
    findings, untold = check_logged(memory, CORPUS, None, Counter(), lambda table: None)
    assert findings == []
    assert untold == [
        f"The log does not tell of {len(DOCUMENTS)} documents: they are older than the log, or planted.",
        "The log does not tell of 1 events of ingests in the feed: they are older than the log, or planted.",
        "The log does not tell of 1 generations: they are older than the log, or planted.",
    ]


def test_what_an_earlier_release_did_not_log_is_told_as_not_bound(lived: Store) -> None:
    """A log whose beginning is of the first version tells of no vectors, ingests and settings: counted, and no findings."""
    store_vectors(lived)
    log = TransparencyLog(lived.engine, lived.keys)
    log.sequence()
    new = {"ingested", "vectors", "settings"}
    kept = [json.loads(entry) for _, entry in log.entries()]
    earlier = [{**each, "$record": "log_event/1"} for each in kept if each["kind"] not in new]

    def begin_anew(transaction: Transaction) -> None:
        for table in (*LOG_TABLES, "log/acts"):
            transaction.clear_range(*lived.keys.bounds(table))

    lived.update(begin_anew)
    relative = lived.keys.relative(lived.keys.key("log/pending"))
    for each in earlier:
        sealed = seal(relative, canonical_json(each))
        lived.update(lambda transaction, sealed=sealed: transaction.append(lived.keys.pending, sealed))  # type: ignore[misc]
    findings, untold = check_logged(lived, CORPUS, None, Counter(), lambda table: None)
    assert findings == []
    blocks = sum(each.stage == "vectors" for _, each in lived.scan("derivations", Derivation, CORPUS))
    assert untold == [
        f"The log does not tell of {blocks} blocks of vectors: not bound (made by an earlier release), or planted.",
        "The log does not tell of 2 events of ingests in the feed: not bound (made by an earlier release), or planted.",
    ]
    # What happens from now on is told, and held.
    _, record = next((p, each) for p, each in lived.scan("derivations", Derivation, CORPUS) if each.stage == "vectors")
    lived.remove("derivations", CORPUS, record.derivation_id)
    store_vectors(lived)
    assert f"{blocks - 1} blocks" in check_logged(lived, CORPUS, None, Counter(), lambda table: None)[1][0]
    lived.remove("derivations", CORPUS, record.derivation_id)
    findings, _ = check_logged(lived, CORPUS, None, Counter(), lambda table: None)
    assert [each.message for each in findings] == ["the log tells of it, and it is gone"]


def test_vectors_that_were_swept_with_what_they_were_of_are_no_finding(lived: Store) -> None:
    """Nor those of a document that no generation holds any more."""
    store_vectors(lived)
    view = open_view(lived, CORPUS)
    reached = {step for entry in view.entries.values() for step in entry.steps} | set(view.manifest.steps)
    steps = [each for _, each in lived.scan("derivations", Derivation, CORPUS) if each.stage == "vectors"]
    assert {each.inputs[0] for each in steps} <= reached
    lived.remove("generations", CORPUS, 2)
    for each in steps:
        lived.remove("derivations", CORPUS, each.derivation_id)
    findings, _ = check_logged(lived, CORPUS, None, Counter(), lambda table: None)
    gone = [each.record for each in findings if "derivations/" in each.record]
    first = {f"derivations/{CORPUS}/{each.derivation_id}" for each in steps if each.inputs[0] in _reached_by(lived, 1)}
    assert set(gone) == first
    assert 0 < len(first) < len(steps)


def _reached_by(store: Store, number: int) -> set[str]:
    view = open_view(store, CORPUS, number)
    return {step for entry in view.entries.values() for step in entry.steps} | set(view.manifest.steps)
