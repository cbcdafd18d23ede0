"""The audit trail: who did what, when, what was before and is after, and why; and what it says where a record is gone."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from coditect.engine.port import Engine
from coditect.knowledge.report.audit.accesses import BATCH_READS, MOST_ITEMS, AccessLog
from coditect.knowledge.report.audit.trail import AuditFilters, audit_trail
from coditect.knowledge.service import Knowledge
from coditect.reports.audit import AUDIT_COLUMNS, write_audit
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.search import HybridSearcher
from coditect.schemas import AuditEntry, Failure, Generation, Review
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.transparency.notes import SigningKey
from coditect.transparency.salts import salted_sha256
from coditect.transparency.sequencer import TransparencyLog
from tests.corpora import CORPUS, DOCUMENTS, MODELS, SETTINGS, clock, folder_of
from tests.integration.decided_corpus import extraction_of
from tests.places import own_copy

KEY = SigningKey("log.example.com/tests", bytes(range(32)))
ANNA = SigningKey("signer/anna", bytes(range(1, 33)))
PRINCIPAL = "Petra Principal"
QUESTION = "how often is access reviewed by the unmistakable manager"


def salts() -> Any:  # noqa: ANN401 - a generator's method
    """Salts in a row."""
    numbers = itertools.count(1)
    return lambda: f"{next(numbers):032x}"


@contextmanager
def opened(engine: Engine, folder: Path, principal: str = PRINCIPAL) -> Iterator[Knowledge]:
    """Services as a command opens them, with a key for the log and a principal."""
    store = Store(engine)
    with HybridSearcherOf(store, folder) as searcher:
        knowledge = Knowledge(
            store, searcher, clock=clock, jobs=1, models=MODELS, log_signer=KEY, principal=principal, salts=salts()
        )
        yield knowledge
        knowledge.flush_reads()


@contextmanager
def HybridSearcherOf(store: Store, folder: Path) -> Iterator[HybridSearcher]:  # noqa: N802 - named as what it opens
    """A searcher by words alone."""
    yield HybridSearcher(Replicas(store, folder), None, None)


@pytest.fixture(scope="module")
def lived_once(tmp_path_factory: pytest.TempPathFactory) -> MemoryStore:
    """A corpus to which much has happened. Do not write to it: take ``lived``."""
    place, memory = tmp_path_factory.mktemp("lived"), MemoryStore()
    folder = folder_of(place / "files", {**DOCUMENTS, "broken.pdf": "no PDF", "worse.pdf": "none, either"})
    with opened(MemoryEngine(memory), place / "cache") as knowledge:
        knowledge.ingest(CORPUS, [folder])
        knowledge.build(CORPUS, SETTINGS)
        (folder / "worse.pdf").unlink()
        (folder / "retention.txt").unlink()
        (folder / "access.md").write_text(DOCUMENTS["access.md"].replace("90 days", "60 days"))
        knowledge.ingest(CORPUS, [folder], sync=True)
        knowledge.build(CORPUS, SETTINGS.model_copy(update={"minimum_support": 0.8}))
        knowledge.register_key(ANNA, person="Anna Auditor", role="head of compliance")
        item = extraction_of(knowledge.store).extraction_id
        knowledge.review(CORPUS, item, decision="accept", by="", meaning="read it", signer=ANNA)
        knowledge.review(CORPUS, item, decision="dismiss", by="Ben Boss", meaning="not ours")
        knowledge.mark(CORPUS, QUESTION, item, relevant=True, by="Ben Boss")
        knowledge.query(CORPUS, QUESTION, tier="extraction")
        knowledge.export(CORPUS, io.BytesIO())
        knowledge.sweep(CORPUS, apply=True)
    return memory


@pytest.fixture
def lived(lived_once: MemoryStore, memory: Store, tmp_path: Path) -> Iterator[Knowledge]:
    """The same corpus, of the test's own."""
    with opened(own_copy(lived_once, memory).engine, tmp_path / "cache") as knowledge:
        yield knowledge


def by_kind(entries: list[AuditEntry]) -> dict[str, list[AuditEntry]]:
    """Entries by kind."""
    found: dict[str, list[AuditEntry]] = {}
    for each in entries:
        found.setdefault(each.kind, []).append(each)
    return found


def test_trail_says_who_what_when_before_after_and_why(lived: Knowledge) -> None:
    """Every entry has a time and a name, and nothing is gone that was not removed by what it says."""
    entries = list(lived.audit())
    assert [each.index for each in entries] == list(range(len(entries)))
    assert all(each.at == clock() for each in entries), [each for each in entries if not each.at]
    assert {each.who for each in entries if each.kind not in ("review", "signature", "mark")} == {PRINCIPAL}
    assert {each.state for each in entries} == {"present", "replaced", "none"}
    found = by_kind(entries)
    accepted, dismissed = found["review"]
    assert (accepted.who, accepted.reason) == ("Anna Auditor", "read it")
    assert (dismissed.who, dismissed.reason) == ("Ben Boss", "not ours")
    assert dismissed.before is not None
    assert (dismissed.before["decision"], dismissed.before["by"]) == ("accept", "Anna Auditor")
    assert (dismissed.after or {})["decision"] == "dismiss"
    assert dismissed.document == "access.md"
    first, second = found["generation"]
    assert first.before is None
    assert (second.before or {})["settings"] == {"minimum_support": SETTINGS.minimum_support}
    assert (second.after or {})["settings"] == {"minimum_support": 0.8}
    assert found["withdrawal"][0].document == "retention.txt"
    assert (found["key"][0].after or {})["person"] == "Anna Auditor"
    assert found["signature"][0].role == "head of compliance"
    assert {each.state for each in found["failure"]} == {"present", "replaced"}
    assert {"log key", "corpus", "mark", "access", "export", "failure cleared"} <= set(found)
    (read,) = found["access"]
    reads: Any = (read.after or {})["reads"]
    assert [each["what"] for each in reads] == ["query"]


def test_log_holds_no_name_and_no_word(lived: Knowledge) -> None:
    """Of files, persons, questions, reasons and messages; nor a hash of them that a guess could be held against."""
    from coditect.schemas import sha256_hex

    list(lived.audit())
    logged = "".join(entry.decode() for _, entry in lived.log_entries())
    words = ("Anna", "Auditor", "compliance", "Ben", "Petra", "read it", "unmistakable", "broken", "access.md", CORPUS)
    assert [each for each in words if each in logged] == []
    ((_, failure),) = lived.store.scan("failures", Failure, CORPUS)
    guessed = failure.model_copy(update={"salt": None})
    assert sha256_hex(guessed.payload()) not in logged
    assert sha256_hex(failure.payload()) in logged
    for hashed in (sha256_hex(QUESTION.encode()), sha256_hex(PRINCIPAL.encode()), sha256_hex(b"Anna Auditor")):
        assert hashed not in logged
    (access,) = [each for each in lived.audit() if each.kind == "access"]
    assert "unmistakable" not in access.model_dump_json()


def test_question_can_be_shown_to_have_been_asked(memory: Store, tmp_path: Path) -> None:
    """By who has its words: the salt of the batch lies in its record."""
    from coditect.schemas import LogAct
    from coditect.transparency.events import act_at

    reads = AccessLog(memory, clock, {"embedder": "none"}, lambda: None)
    reads.note(CORPUS, "query", 1, [f"item_{n}" for n in range(99)], QUESTION)
    reads.flush()
    log = TransparencyLog(memory.engine, memory.keys)
    log.sequence()
    sha256 = json.loads(next(log.entries())[1])["sha256"]
    act = memory.engine.read(lambda transaction: act_at(transaction, memory.keys, sha256))
    assert isinstance(act, LogAct)
    (read,) = act.model_dump()["details"]["reads"]
    assert read["question_sha256"] == salted_sha256(act.salt, QUESTION)
    assert (len(read["items"]), read["count"]) == (MOST_ITEMS, 99)


def test_reads_are_logged_in_batches(memory: Store) -> None:
    """Full, of another corpus, or old; and none is logged twice."""
    now = [0.0]
    reads = AccessLog(memory, clock, {}, lambda: None, lambda: now[0])
    log = TransparencyLog(memory.engine, memory.keys)
    for _ in range(BATCH_READS + 1):
        reads.note(CORPUS, "query", 1, (), QUESTION)
    assert log.sequence().size == 1
    reads.note("another", "query", 1)
    assert log.sequence().size == 2
    now[0] = 60.0
    reads.note("another", "query", 1)
    assert log.sequence().size == 3
    for _ in range(2):
        reads.flush()
    assert log.sequence().size == 4


def test_reads_are_not_logged_where_no_principal_is_configured(built: Store, tmp_path: Path) -> None:
    """Nor does the log say who did what; the rest of the trail is there."""
    with opened(built.engine, tmp_path, principal="") as knowledge:
        knowledge.query(CORPUS, QUESTION)
        knowledge.flush_reads()
        entries = list(knowledge.audit())
    assert "access" not in by_kind(entries)
    assert {each.who for each in entries} == {""}


def remove(store: Store, table: str, *place: str | int) -> None:
    """An insider removes a row."""
    store.remove(table, *place)


def test_record_that_is_gone_is_said_to_be(lived: Knowledge) -> None:
    """A decision, a failure that nobody cleared, a generation: each leaves its entry, with what is not known any more."""
    store = lived.store
    ((_, failure),) = store.scan("failures", Failure, CORPUS)
    review = next(each for _, each in store.scan("reviews", Review, CORPUS) if each.decision == "dismiss")
    store.remove("failures", CORPUS, failure.name)
    store.remove("reviews", CORPUS, review.review_id)
    store.remove("generations", CORPUS, 1)
    gone = {each.kind: each.note for each in lived.audit() if each.state == "gone"}
    assert set(gone) == {"failure", "review", "generation"}
    assert "no entry says why" in gone["failure"]


def test_record_that_an_erasure_took_is_no_loss(lived: Knowledge) -> None:
    """It is not there any more, by right: a program that watches for losses has none; what somebody else took is still one."""
    before = {each.index for each in lived.audit() if each.state == "gone"}
    lived.erase(CORPUS, ["incident.md"], reason="request 4711", by="A. Officer")
    after = list(lived.audit())
    assert {each.index for each in after if each.state == "gone"} == before
    assert {each.kind for each in after if each.state == "erased"} >= {"document"}
    ((_, failure),) = lived.store.scan("failures", Failure, CORPUS)
    lived.store.remove("failures", CORPUS, failure.name)
    assert {each.kind for each in lived.audit() if each.state == "gone"} == {"failure"}


def test_record_that_is_not_the_one_that_was_logged_is_said_to_differ(lived: Knowledge) -> None:
    """A backdated generation, another reason of a failure, an intake that was never logged."""
    from coditect.schemas import Intake

    store = lived.store
    generation = store.get("generations", Generation, CORPUS, 1)
    assert generation is not None
    store.put("generations", generation.model_copy(update={"created_at": "2020-01-01T00:00:00Z"}), CORPUS, 1)
    ((_, failure),) = store.scan("failures", Failure, CORPUS)
    store.put("failures", failure.model_copy(update={"message": "it was fine"}), CORPUS, failure.name)
    intake = next(each for _, each in store.scan("intake", Intake, CORPUS) if each.name == "incident.md")
    store.put("intake", intake.model_copy(update={"status": "withdrawn"}), CORPUS, intake.document_id)
    differs = {each.kind for each in lived.audit() if each.state == "differs"}
    assert differs == {"generation", "failure", "document"}
    assert any(each.document == "incident.md" and each.state == "differs" for each in lived.audit())


def test_filters_choose_and_pages_follow_each_other(lived: Knowledge) -> None:
    """By kind, person, document, subject, corpus and time; and pages of any length make the whole."""
    every = list(lived.audit())

    def chosen(**filters: Any) -> list[AuditEntry]:  # noqa: ANN401 - fields of the filters
        return list(audit_trail(lived.store, AuditFilters(**filters)))

    assert chosen(kinds=("review",)) == [each for each in every if each.kind == "review"]
    assert {each.kind for each in chosen(person="Anna Auditor")} == {"key", "review", "signature"}
    assert {each.kind for each in chosen(document="retention.txt")} == {"document", "withdrawal"}
    assert {each.kind for each in chosen(document="worse.pdf")} == {"failure", "failure cleared"}
    review = chosen(kinds=("review",))[0]
    assert chosen(subject=review.subject) == [review]
    assert chosen(corpora=("another",)) == []
    assert chosen(since="2026-01-02") == []
    assert chosen(until="2026-01-01") == every
    assert chosen(until="2025-12-31") == []
    paged: list[AuditEntry] = []
    while page := list(itertools.islice(audit_trail(lived.store, None, len(paged)), 3)):
        paged += page
    assert paged == every


@pytest.mark.parametrize("form", ["csv", "json", "jsonl"])
def test_files_of_the_trail_hold_every_entry(lived: Knowledge, form: Any) -> None:  # noqa: ANN401 - one of three words
    """In CSV no cell begins as a formula does."""
    item = extraction_of(lived.store).extraction_id
    lived.review(CORPUS, item, decision="accept", by="=HYPERLINK(1)", meaning="@SUM(1+1)")
    every = list(lived.audit())
    file = io.BytesIO()
    assert write_audit(lived.audit(), file, form) == len(every)
    text = file.getvalue().decode("utf-8-sig")
    if form == "csv":
        rows = list(csv.reader(io.StringIO(text)))
        assert tuple(rows[0]) == AUDIT_COLUMNS
        assert len(rows) == len(every) + 1
        assert not any(cell[:1] in ("=", "+", "-", "@", "\t") and cell[:1] for row in rows for cell in row)
        return
    loaded = [json.loads(line) for line in text.splitlines()] if form == "jsonl" else json.loads(text)["entries"]
    assert loaded == [each.model_dump(mode="json") for each in every]


def test_same_life_with_the_same_salts_makes_the_same_log(tmp_path: Path) -> None:
    """Salts are given from outside, so what is logged is a function of what was done."""
    from coditect.testing.engine.memory import MemoryEngine

    logs = []
    for name in ("one", "two"):
        folder = folder_of(tmp_path / name / "files", {**DOCUMENTS, "broken.pdf": "no PDF"})
        with opened(MemoryEngine(), tmp_path / name / "cache") as knowledge:
            knowledge.ingest(CORPUS, [folder])
            knowledge.build(CORPUS, SETTINGS)
            knowledge.query(CORPUS, QUESTION)
            list(knowledge.audit())
            logs.append([entry for _, entry in knowledge.log_entries()])
    assert logs[0] == logs[1]
