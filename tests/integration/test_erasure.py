"""Erasure: nothing of the words is left, what is left verifies, kills are finished, holds refuse, backups come up erased."""

from __future__ import annotations

import io
import itertools
import unicodedata
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from coditect.errors import Conflict, NotFound, UsageError
from coditect.integrity.logged.check import check_logged
from coditect.integrity.validate import validate
from coditect.knowledge.archive.export import export_corpus
from coditect.knowledge.archive.format import open_archive
from coditect.knowledge.archive.importing import import_archive
from coditect.knowledge.erasure.desk import ErasureDesk
from coditect.knowledge.erasure.execution import Surroundings, finish_erasures
from coditect.knowledge.erasure.request import drawn_up, record_erasure
from coditect.knowledge.erasure.runs import RUN_WORDS, WordRuns
from coditect.knowledge.erasure.search import search_words
from coditect.knowledge.ingest.intake import ingest
from coditect.knowledge.report.audit.trail import AuditFilters
from coditect.knowledge.report.bundles.collection import write_bundle
from coditect.knowledge.report.bundles.logged import SignedLog
from coditect.knowledge.report.shapes import documents_shape
from coditect.knowledge.review.sign_off import sign
from coditect.knowledge.service import Knowledge
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.search import HybridSearcher
from coditect.schemas import Extraction, Review, document_id_for
from coditect.store.intake.erasures import pending_erasures
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.transparency.notes import SigningKey
from coditect.transparency.sequencer import TransparencyLog
from tests.corpora import CORPUS, DOCUMENTS, answer_all, build_all, clock, copy_of, folder_of, ingest_all, review_all
from tests.integration.sweeps import DEAD, CrashError, Killed
from tests.places import ON_CLUSTER

NAME = "access.md"
OTHERS = sorted(set(DOCUMENTS) - {NAME})
KEY = bytes(range(16))


def _random() -> Callable[[int], bytes]:
    counter = itertools.count(1)
    return lambda size: next(counter).to_bytes(size, "big")


def _around(places: tuple[Path, ...] = ()) -> Surroundings:
    return Surroundings(clock, _random(), places=places, registrar=DEAD)


def _desk(store: Store, erasure_list: Path | None = None, places: tuple[Path, ...] = ()) -> ErasureDesk:
    log = TransparencyLog(store.engine, store.keys)
    return ErasureDesk(store, _around(places), log.sequence, erasure_list)


def _left(store: Store, *texts: str) -> tuple[str, ...]:
    """Where runs of words of texts stand that no other text has, found without what the erasure knew."""
    words = WordRuns(KEY, RUN_WORDS)
    runs = np.setdiff1d(words.of(texts), words.of([DOCUMENTS[each] for each in OTHERS]))
    assert len(runs)
    return search_words(store, CORPUS, KEY, runs).found


@pytest.fixture
def lived(built: Store) -> Store:
    """A corpus that was built, reviewed, asked of models and built again."""
    answer_all(built)
    review_all(built)
    build_all(built)
    return built


def test_erasure_leaves_no_run_of_words_and_a_clean_store(lived: Store) -> None:
    """The search finds the words before and none after; every generation validates; the next build is without the document."""
    assert _left(lived, DOCUMENTS[NAME])
    generations = lived.corpus(CORPUS).generation
    outcome = _desk(lived).erase(CORPUS, [NAME], reason="Art. 17 request 4711", by="A. Officer")
    assert outcome.state == "done", outcome
    assert outcome.certificate is not None
    assert outcome.certificate.scan.found == ()
    assert outcome.certificate.scan.runs > 20
    assert outcome.certificate.removed["extractions"].rows > 0
    assert _left(lived, DOCUMENTS[NAME]) == ()
    for number in range(1, generations + 1):
        report = validate(lived, CORPUS, as_of=number)
        assert report.clean, report.findings
        view = open_view(lived, CORPUS, number)
        assert set(view.erased_entries) == {document_id_for(CORPUS, NAME)}
        assert not [p for s in view.sections for p in s.content if p.citation and p.citation.document_name == NAME]
    build_all(lived)
    assert validate(lived, CORPUS).clean
    view = open_view(lived, CORPUS)
    assert sorted(each.name for each in view.documents.values()) == OTHERS
    assert view.erased_entries == {}
    assert view.claims


def test_erasure_after_another_without_a_build_between_leaves_a_clean_store(lived: Store) -> None:
    """The summary went with the first; claims that rest on the second document go from what is left of it."""
    counts = [len(open_view(lived, CORPUS).claims)]
    for name in sorted(DOCUMENTS):
        assert _desk(lived).erase(CORPUS, [name], reason="r", by="b").state == "done"
        view = open_view(lived, CORPUS)
        assert set(view.claims) == {*view.summary.claims, *view.summary.filtered} == set(view.verdicts)
        assert all(each.section_id in view.section_by_id for c in view.claims.values() for each in c.citations)
        counts.append(len(view.claims))
        for number in range(1, view.generation + 1):
            report = validate(lived, CORPUS, as_of=number)
            assert report.clean, report.findings
    assert counts[0] > counts[1] > counts[2] >= 0 == counts[-1]


SENTENCE = "Die Prüfung der Schlüssel wird jährlich vom Büro in Düsseldorf für die Straße wiederholt."


@pytest.mark.parametrize(
    "said",
    [
        unicodedata.normalize("NFD", SENTENCE),
        SENTENCE.upper(),
        SENTENCE.replace("üss", "ü\u00adss"),
        " ".join(f"_{word}_" for word in SENTENCE.split()),
        SENTENCE.replace("jähr", "jä\u200bhr").replace("fü", "ｆü"),
    ],
    ids=["decomposed", "capitals", "soft hyphens", "stressed", "unseen"],
)
def test_words_that_a_person_writes_otherwise_go_too(memory: Store, tmp_path: Path, said: str) -> None:
    """With accents of their own, in capitals, with what is not printed, between signs of emphasis."""
    texts = {"keys.md": f"# Keys\n\n{SENTENCE} Keys shall be kept.\n", "other.md": "# Doors\n\nDoors shall be shut.\n"}
    ingest(memory, CORPUS, [folder_of(tmp_path / "in", texts)], clock=clock, jobs=1)
    build_all(memory)
    item = next(
        each.extraction_id for _, each in memory.scan("extractions", Extraction, CORPUS) if "shut" in each.source_text
    )
    sign(memory, open_view(memory, CORPUS), item, decision="accept", by="A. Officer", meaning=said, at=clock())
    outcome = _desk(memory).erase(CORPUS, ["keys.md"], reason="Art. 17", by="A. Officer")
    assert outcome.state == "done", outcome
    assert list(memory.scan("reviews", Review, CORPUS)) == []


def test_forecast_of_an_erasure_writes_nothing(lived: Store) -> None:
    """What it counts is what goes."""
    before = [row for page in lived.pages(*lived.keys.space) for row in page]
    forecast = _desk(lived).forecast(CORPUS, [NAME], reason="r", by="b")
    assert [row for page in lived.pages(*lived.keys.space) for row in page] == before
    outcome = _desk(lived).erase(CORPUS, [NAME], reason="r", by="b")
    assert outcome.certificate is not None
    assert outcome.certificate.removed == forecast.removed
    assert forecast.documents == {document_id_for(CORPUS, NAME): NAME}


def test_bundle_of_a_generation_that_held_what_was_erased_says_so(lived: Store) -> None:
    """It is no damage: evidence is made of the next generation, and the error says so."""
    _desk(lived).erase(CORPUS, [NAME], reason="r", by="b")
    log, key = TransparencyLog(lived.engine, lived.keys), SigningKey("log.example.com/erasure", bytes(range(32)))
    log.checkpoint(key)
    with pytest.raises(NotFound, match="erased since") as caught:
        write_bundle(open_view(lived, CORPUS), SignedLog(log), "report", "", io.BytesIO())
    assert "Build the corpus again" in str(caught.value.hint)
    build_all(lived)
    log.checkpoint(key)
    assert write_bundle(open_view(lived, CORPUS), SignedLog(log), "report", "", io.BytesIO()).members


def test_evidence_of_a_claim_while_its_summary_is_on_its_way_out_is_refused(lived: Store) -> None:
    """An erasure that waits for a build: evidence of any claim would hold the summary, which tells of the document."""
    log, key = TransparencyLog(lived.engine, lived.keys), SigningKey("log.example.com/erasure", bytes(range(32)))
    log.checkpoint(key)
    names, ids = sorted(DOCUMENTS), [document_id_for(CORPUS, each) for each in sorted(DOCUMENTS)]
    whole = open_view(lived, CORPUS)
    assert write_bundle(whole, SignedLog(log), "claim", next(iter(whole.claims)), io.BytesIO()).members
    record_erasure(lived, drawn_up(lived, CORPUS, ids[:1], reason="r", by="b", at=clock(), salt=KEY))
    view = open_view(lived, CORPUS)
    assert names[0] not in {each.name for each in view.documents.values()}
    assert 0 < len(view.claims) < len(whole.claims)
    log.checkpoint(key)
    for claim_id in view.claims:
        with pytest.raises(NotFound, match="erased since"):
            write_bundle(view, SignedLog(log), "claim", claim_id, io.BytesIO())


def test_erased_file_is_refused_and_another_version_is_taken_in(lived: Store, tmp_path: Path) -> None:
    """The same bytes are refused under any name, and nothing is stored of that; a redacted version is a document again."""
    _desk(lived).erase(CORPUS, [NAME], reason="r", by="b")
    folder = folder_of(tmp_path / "again", {**DOCUMENTS, "copy.md": DOCUMENTS[NAME]})
    report = ingest_all(lived, folder)
    refused = {each.name: each.message for each in report.outcomes if each.status == "failed"}
    assert set(refused) == {NAME, "copy.md"}
    assert all("erased" in each for each in refused.values())
    assert _left(lived, DOCUMENTS[NAME]) == ()
    (folder / NAME).write_text("# Access\n\nEvery administrator shall lock the door of the archive.\n", "utf-8")
    (folder / "copy.md").unlink()
    ingest(lived, CORPUS, [folder], clock=clock, jobs=1)
    build_all(lived)
    assert NAME in {each.name for each in open_view(lived, CORPUS).documents.values()}
    assert validate(lived, CORPUS).clean


def test_copy_under_another_name_must_be_named(lived: Store, tmp_path: Path) -> None:
    """Erasing one of two names of the same bytes would leave the words."""
    ingest_all(lived, folder_of(tmp_path / "more", {**DOCUMENTS, "copy.md": DOCUMENTS[NAME]}))
    with pytest.raises(UsageError, match="other names"):
        _desk(lived).erase(CORPUS, [NAME], reason="r", by="b")
    assert _desk(lived).erase(CORPUS, [NAME, "copy.md"], reason="r", by="b").state == "done"
    assert _left(lived, DOCUMENTS[NAME]) == ()


def test_row_that_is_missing_without_an_erasure_is_damage(lived: Store) -> None:
    """A tombstone covers its own rows and no other; an erased row that is put back is a finding."""
    value_of = {key: value for page in lived.pages(*lived.keys.bounds("documents", CORPUS)) for key, value in page}
    _desk(lived).erase(CORPUS, [NAME], reason="r", by="b")
    left = {key for page in lived.pages(*lived.keys.bounds("documents", CORPUS)) for key, _ in page}
    gone = next(key for key in value_of if key not in left)
    lived.update(lambda transaction: transaction.set(gone, value_of[gone]))
    messages = [each.message for each in validate(lived, CORPUS).findings]
    assert any("it was erased, and is here" in each for each in messages)
    lived.update(lambda transaction: transaction.clear(gone))
    assert validate(lived, CORPUS).clean
    view = open_view(lived, CORPUS)
    document_id = next(iter(view.entries))
    chunk = next(iter(view.chunks(document_id)))
    lived.remove("chunks", CORPUS, document_id, chunk.chunk_id)
    assert not validate(lived, CORPUS).clean


@pytest.mark.skipif(ON_CLUSTER, reason="a cluster is not copied")
def test_kill_at_every_moment_is_finished_by_the_next_run(built_once: MemoryStore) -> None:
    """Before each writing transaction of an erasure: the next run ends with the same store as one that was never killed."""
    killed = 0
    for at in itertools.count(1):
        store = copy_of(built_once)
        engine = store.engine
        try:
            _desk(Store(Killed(engine, at))).erase(CORPUS, [NAME], reason="r", by="b")
        except CrashError:
            killed += 1
        else:
            break
        finish_erasures(store, CORPUS, _around())
        if not pending_erasures(store, CORPUS) and not _desk(store).entries():
            continue  # killed before it was recorded
        assert _desk(store).entries()[0].certificate is not None, at
        assert _left(store, DOCUMENTS[NAME]) == (), at
        assert validate(store, CORPUS).clean, at
    assert killed >= 15


def test_hold_refuses_until_it_is_released(lived: Store) -> None:
    """Who and why are named, nothing is swept, readers see the document; what was asked is done when the hold ends."""
    desk = _desk(lived)
    hold = desk.hold(CORPUS, [NAME], matter="Doe v. Acme", reason="litigation", by="Counsel")
    outcome = desk.erase(CORPUS, [NAME], reason="r", by="b")
    assert outcome.state == "held"
    assert "Doe v. Acme" in outcome.reason
    assert "Counsel" in outcome.reason
    assert _left(lived, DOCUMENTS[NAME])
    assert NAME in {each.name for each in open_view(lived, CORPUS).documents.values()}
    assert validate(lived, CORPUS).clean
    assert desk.holds(CORPUS) == [hold]
    with pytest.raises(NotFound):
        desk.release(CORPUS, "hold_of_nobody", reason="r", by="b")
    _, outcomes = desk.release(CORPUS, hold.hold_id, reason="settled", by="Counsel")
    assert [each.state for each in outcomes] == ["done"]
    assert _left(lived, DOCUMENTS[NAME]) == ()
    assert desk.holds(CORPUS) == []
    assert validate(lived, CORPUS).clean


def test_asked_again_an_erasure_that_waits_is_told_and_not_recorded_twice(lived: Store) -> None:
    """Who asked, when, what it waits for and the way on; when the hold has ended, the same command carries it out."""
    desk = _desk(lived)
    hold = desk.hold(CORPUS, [NAME], matter="Doe v. Acme", reason="litigation", by="Counsel")
    first = desk.erase(CORPUS, [NAME], reason="r", by="the owner")
    again = desk.erase(CORPUS, [NAME], reason="other", by="another")
    assert (again.state, again.erasure) == ("held", first.erasure)
    assert again.reason.startswith(f"asked for before, by the owner at {first.erasure.at}; legal hold 'Doe v. Acme'")
    with pytest.raises(Conflict, match="waits already") as waits:
        desk.forecast(CORPUS, [NAME], reason="r", by="b")
    assert waits.value.context["erasure_id"] == first.erasure.erasure_id
    assert waits.value.context["asked_at"] == first.erasure.at
    assert hold.hold_id in waits.value.context["waits_for"]
    assert "coditect knowledge release" in (waits.value.hint or "")
    with pytest.raises(UsageError, match="one of the documents waits already"):
        desk.erase(CORPUS, [NAME, OTHERS[0]], reason="r", by="b")
    assert len(desk.entries(CORPUS)) == 1
    desk.release(CORPUS, hold.hold_id, reason="settled", by="Counsel")
    (entry,) = desk.entries(CORPUS)
    asks: list[Callable[[], object]] = [
        lambda: desk.erase(CORPUS, [NAME], reason="r", by="b"),
        lambda: desk.forecast(CORPUS, [document_id_for(CORPUS, NAME)], reason="r", by="b"),
        lambda: desk.hold(CORPUS, [NAME], matter="m", reason="r", by="b"),
    ]
    for ask in asks:
        with pytest.raises(NotFound, match="the document was erased") as gone:
            ask()
        assert entry.certificate is not None
        assert gone.value.context["erased_at"] == entry.certificate.at
        assert gone.value.context["certificate_id"] == entry.certificate.certificate_id
        assert gone.value.context["asked_by"] == "the owner"
    with pytest.raises(NotFound, match="no such document in the corpus"):
        desk.erase(CORPUS, ["never.md"], reason="r", by="b")


def test_asked_again_an_erasure_that_was_killed_is_gone_on_with(built_once: MemoryStore) -> None:
    """At whatever moment, also when no row of the document is left: the forecast says what waits, and the command ends it."""
    waited = 0
    for at in itertools.count(1):
        store = copy_of(built_once)
        with suppress(CrashError):
            _desk(Store(Killed(store.engine, at))).erase(CORPUS, [NAME], reason="r", by="b")
        if not pending_erasures(store, CORPUS):
            if _desk(store).entries():
                break  # it has its certificate
            continue  # killed before it was recorded
        waited += 1
        with pytest.raises(Conflict, match="waits already") as waits:
            _desk(store).forecast(CORPUS, [NAME], reason="r", by="b")
        assert waits.value.context["waits_for"] == "the next command that writes"
        outcome = _desk(store).erase(CORPUS, [NAME], reason="again", by="another")
        assert (outcome.state, outcome.erasure.by) == ("done", "b")
        assert len(_desk(store).entries()) == 1
    assert waited >= 10


def test_archive_of_before_comes_up_erased(lived: Store, tmp_path: Path) -> None:
    """A backup into a new store with the list of erasures beside it; and an archive of after carries the tombstone."""
    before = io.BytesIO()
    export_corpus(lived, CORPUS, before)
    kept = tmp_path / "erasures.jsonl"
    _desk(lived, kept).erase(CORPUS, [NAME], reason="r", by="b")
    assert DOCUMENTS[NAME][:20] not in kept.read_text("utf-8")
    fresh = Store(MemoryEngine(MemoryStore()))
    before.seek(0)
    desk = _desk(fresh, kept)
    import_archive(fresh, open_archive(before), erasures=desk.listed())
    assert NAME not in {each.name for each in open_view(fresh, CORPUS).documents.values()}
    assert [each.state for each in desk.finish(CORPUS)] == ["done"]
    assert _left(fresh, DOCUMENTS[NAME]) == ()
    assert validate(fresh, CORPUS).clean
    after = io.BytesIO()
    export_corpus(lived, CORPUS, after)
    after.seek(0)
    third = Store(MemoryEngine(MemoryStore()))
    import_archive(third, open_archive(after))
    assert validate(third, CORPUS).clean
    assert _desk(third).entries()[0].certificate is not None


@pytest.mark.skipif(ON_CLUSTER, reason="a cluster is not copied")
def test_older_copy_of_the_store_is_erased_before_it_is_served(built_once: MemoryStore, tmp_path: Path) -> None:
    """Opened with the list beside the backups, a copy of before has nothing of it."""
    kept = tmp_path / "erasures.jsonl"
    _desk(copy_of(built_once), kept).erase(CORPUS, [NAME], reason="r", by="b")
    older = copy_of(built_once)
    assert _left(older, DOCUMENTS[NAME])
    assert [each.state for each in _desk(older, kept).apply_list()] == ["done"]
    assert _left(older, DOCUMENTS[NAME]) == ()
    assert validate(older, CORPUS).clean
    assert _desk(older, kept).apply_list() == []


def test_search_of_files_finds_words_across_lines_and_escapes(lived: Store, tmp_path: Path) -> None:
    """An export that was left in a folder is named, and there is no certificate."""
    archive = tmp_path / "exports" / "policies.jsonl"
    archive.parent.mkdir()
    with archive.open("wb") as file:
        export_corpus(lived, CORPUS, file)
    outcome = _desk(lived, places=(archive.parent,)).erase(CORPUS, [NAME], reason="r", by="b")
    assert outcome.state == "words left"
    assert outcome.found == (str(archive),)
    archive.unlink()
    assert [each.state for each in _desk(lived, places=(archive.parent,)).finish(CORPUS)] == ["done"]


def test_retention_lets_old_generations_go(lived: Store, tmp_path: Path) -> None:
    """What only they reached goes, what is left validates, and a hold keeps everything."""
    folder = folder_of(
        tmp_path / "more", {**DOCUMENTS, NAME: DOCUMENTS[NAME] + "\nAll doors shall be locked at night.\n"}
    )
    for number in range(4):
        (folder / NAME).write_text(
            DOCUMENTS[NAME] + f"\nAll doors of floor {number} shall be locked at night.\n", "utf-8"
        )
        ingest(lived, CORPUS, [folder], clock=clock, jobs=1)
        build_all(lived)
    desk = _desk(lived)
    hold = desk.hold(CORPUS, matter="audit", reason="asked", by="Counsel")
    assert desk.retain(CORPUS, count=2)[0] == 0
    assert desk.retain(CORPUS, count=2)[1].corpora[0].state == "held"
    desk.release(CORPUS, hold.hold_id, reason="over", by="Counsel")
    last = lived.corpus(CORPUS).generation
    forecast = desk.retention(CORPUS, count=2)
    assert set(forecast.kept.values()) <= {"a person signed what stands in it"}
    gone, report = desk.retain(CORPUS, count=2)
    assert gone == len(forecast.goes) > 0
    assert report.corpora[0].state == "swept", report
    assert report.corpora[0].removed["derivations"].rows > 0
    assert validate(lived, CORPUS).clean
    for each in forecast.goes:
        with pytest.raises(NotFound):
            open_view(lived, CORPUS, each.generation)
    assert open_view(lived, CORPUS, last).entries
    build_all(lived)
    assert validate(lived, CORPUS).clean


def test_markup_of_other_documents_is_theirs(memory: Store, tmp_path: Path) -> None:
    """Words that a file has with its markup between them, or a record with its fields, do not keep an erasure from its end."""
    documents = {
        "gone.md": "# Notes\n\nRule the duty officer shall approve the lamp of the pier. Text the clerk shall keep the oil dry.",
        "kept.xml": "<policy><rule>The duty officer shall approve the keys.</rule><rule>The clerk shall keep the oil warm."
        "</rule></policy>",
    }
    ingest_all(memory, folder_of(tmp_path / "documents", documents))
    build_all(memory)
    assert _desk(memory).erase(CORPUS, ["gone.md"], reason="r", by="b").state == "done"


def test_release_of_a_hold_is_proven_by_the_log(lived: Store) -> None:
    """Everything that an erasure, a hold and its end write stands in the log under its own id."""
    desk = _desk(lived)
    hold = desk.hold(CORPUS, [NAME], matter="Doe v. Acme", reason="litigation", by="Counsel")
    desk.erase(CORPUS, [NAME], reason="r", by="b")
    desk.release(CORPUS, hold.hold_id, reason="settled", by="Counsel")
    findings, _ = check_logged(lived, CORPUS, None, Counter(), lambda table: None)
    about = [
        each for each in findings if each.record.partition("_")[0].partition("/")[0] in ("hold", "releases", "erasures")
    ]
    assert not about


def test_retention_lets_stay_what_was_reported_or_signed(lived: Store, tmp_path: Path) -> None:
    """A generation of which a report was made stays by default, and says why; the outlook says what the same policy takes next."""
    folder = folder_of(tmp_path / "more", DOCUMENTS)
    for number in range(4):
        (folder / NAME).write_text(
            DOCUMENTS[NAME] + f"\nAll doors of floor {number} shall be locked at night.\n", "utf-8"
        )
        ingest(lived, CORPUS, [folder], clock=clock, jobs=1)
        build_all(lived)
    desk = _desk(lived)
    goes = [each.generation for each in desk.retention(CORPUS, count=1).goes]
    assert len(goes) >= 3
    knowledge = Knowledge(lived, HybridSearcher(Replicas(lived, tmp_path / "cache"), None), clock=clock)
    knowledge.report(CORPUS, as_of=goes[0])
    key = SigningKey("reviewer@example.com", bytes(range(32)))
    knowledge.register_key(key, person="R. Viewer", role="reviewer")
    knowledge.sign_report(CORPUS, b"the report", key, meaning="approved", as_of=goes[1])
    assert knowledge.removal_outlook(CORPUS).policy == ""
    assert knowledge.retain(CORPUS, count=1)[0] == len(goes) - 2
    kept = knowledge.forecast_retention(CORPUS, count=1).kept
    assert (kept[goes[0]], kept[goes[1]]) == ("a report names it", "a person signed it")
    assert open_view(lived, CORPUS, goes[0]).entries
    outlook = knowledge.removal_outlook(CORPUS)
    assert outlook.policy == "keep-generations 1"
    assert outlook.retention is not None
    assert outlook.retention.goes == ()
    assert set(outlook.retention.kept) >= set(goes[:2])
    assert outlook.erasures == ()


def test_certificate_names_copies_that_left_and_figures_say_what_is_missing(lived: Store, tmp_path: Path) -> None:
    """An archive and a report of a generation that held the document are told; changes and lists say that one was erased."""
    knowledge = Knowledge(lived, HybridSearcher(Replicas(lived, tmp_path / "cache"), None), clock=clock)
    last = lived.corpus(CORPUS).generation
    with (tmp_path / "a.archive").open("w+b") as file:
        knowledge.export(CORPUS, file)
    digest = knowledge.note_file(CORPUS, last, "report file", b"<html>", file="report.html")
    (made,) = [e for e in knowledge.audit(AuditFilters(kinds=("report",))) if (e.after or {}).get("sha256") == digest]
    assert (made.what, made.after and made.after["file"]) == ("report file written", "report.html")
    outcome = _desk(lived).erase(CORPUS, [NAME], reason="Art. 17 request 4712", by="A. Officer")
    assert outcome.certificate is not None
    told = [each for each in outcome.certificate.stays if each.startswith("whoever has it keeps the words: ")]
    assert [each.split(": ")[1].split(" of generation")[0] for each in told] in (
        ["archive", "report file report.html"],
        ["report file report.html", "archive"],
    )
    assert all(f"of generation {last}, made" in each for each in told)
    assert knowledge.changes(CORPUS, before=last - 1, after=last).erased_documents == 1
    assert documents_shape(open_view(lived, CORPUS, last), {}, "2031-01-01")["erased_documents"] == 1
    second = _desk(lived).erase(CORPUS, [OTHERS[0]], reason="Art. 17 request 4713", by="A. Officer")
    assert second.certificate is not None
    assert documents_shape(open_view(lived, CORPUS, last), {}, "2031-01-01")["erased_documents"] == 2
