"""Decisions of persons on claims and extractions: applied in builds, kept through rebuilds, open again when evidence changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import JsonValue

from coditect.errors import NotFound, UsageError
from coditect.integrity.evidence import evidence_of
from coditect.integrity.validate import validate
from coditect.knowledge.derivation import corpus
from coditect.knowledge.query.sources import SourceBuilder
from coditect.knowledge.report.collection import collect_report
from coditect.knowledge.review.decisions import SignedDecisions
from coditect.knowledge.review.replay import replay
from coditect.reports.html import render_html
from coditect.schemas import Claim, Deadline, Decision, DecisionStatus, NormData, Review, ReviewedExtraction
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.tiers.claims import precision
from coditect.verify.judges import fingerprints
from tests.corpora import CORPUS, DOCUMENTS, clock, folder_of, ingest_all
from tests.integration.archives import export_bytes, import_bytes
from tests.integration.decided_corpus import LEAVER, claim_of, decide, extraction_of, extractions_of, left_open, rebuilt
from tests.places import own_copy

PASSWORDS = "shall not share passwords"
DELETED = "shall be deleted within 30 days"
"""Words of a requirement that is published."""


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> MemoryStore:
    """A store with one generation. Do not write to it: take ``built``."""
    made = MemoryStore()
    store = Store(MemoryEngine(made))
    ingest_all(store, folder_of(tmp_path_factory.mktemp("once"), DOCUMENTS))
    rebuilt(store)
    return made


@pytest.fixture
def built(once: MemoryStore, memory: Store) -> Store:
    """The same, of the test's own."""
    return own_copy(once, memory)


def standing(store: Store, today: str = "") -> dict[str, DecisionStatus]:
    """How the decisions of the store stand, by id."""
    found = SignedDecisions(store, open_view(store, CORPUS), today).statuses()
    return {each.review.review_id: each for each in found}


def ingest_changed(store: Store, folder: Path, name: str, old: str, new: str) -> None:
    """Take in the documents once more, one of them with other words, and build."""
    assert old in DOCUMENTS[name]
    ingest_all(store, folder_of(folder, {**DOCUMENTS, name: DOCUMENTS[name].replace(old, new)}))
    rebuilt(store)


def test_dismissed_extraction_takes_no_part_in_any_tier(built: Store) -> None:
    """It is gone from Tier 1 of the next generation, from Tier 2 and from the claims that rest on it; earlier ones keep it."""
    view = open_view(built, CORPUS)
    before = extraction_of(built)
    assert any(claim.text.startswith("Deadlines differ") for claim in view.claims.values())
    signed = decide(built, before.extraction_id, "dismiss")
    assert extraction_of(built) == before
    rebuilt(built)
    after = open_view(built, CORPUS)
    assert extractions_of(built, LEAVER) == []
    assert not any(LEAVER in s.text for chunk in after.all_chunks() for s in chunk.selected_sentences)
    assert not any(claim.text.startswith("Deadlines differ") for claim in after.claims.values())
    assert open_view(built, CORPUS, view.generation).find(before.extraction_id) == before
    assert standing(built)[signed.review_id].state == "in force"
    assert validate(built, CORPUS).findings == ()


def conflict_of(store: Store) -> Claim:
    """The conflict that the two deadlines of the corpus make."""
    claims = open_view(store, CORPUS).claims.values()
    return next(each for each in claims if each.text.startswith("Deadlines differ"))


def test_decision_on_a_conflict_outlives_what_other_documents_do_to_its_resemblance(
    memory: Store, tmp_path: Path
) -> None:
    """How much two statements resemble each other is weighed by all documents; what was signed are their words."""
    alike = DOCUMENTS["incident.md"].replace("account of a leaver", "account of a leaver or contractor")
    ingest_all(memory, folder_of(tmp_path / "first", {**DOCUMENTS, "incident.md": alike}))
    rebuilt(memory)
    before = conflict_of(memory)
    signed = decide(memory, before.claim_id, "dismiss")
    beside = "# Canteen\n\nThe cook must close the account of a contractor within 5 days.\n"
    ingest_all(memory, folder_of(tmp_path / "second", {**DOCUMENTS, "incident.md": alike, "canteen.md": beside}))
    rebuilt(memory)
    after = conflict_of(memory)
    assert after.recipe["similarity"] != before.recipe["similarity"]
    assert (after.text, standing(memory)[signed.review_id].state) == (before.text, "in force")
    assert not open_view(memory, CORPUS).verdicts[after.claim_id].published


def test_decision_of_an_earlier_release_holds_and_is_followed(built: Store) -> None:
    """Reviews that were signed by the fingerprint with the resemblance in it are heard, and another decision replaces them."""
    view = open_view(built, CORPUS)
    claim = conflict_of(built)
    today, former = fingerprints(claim, evidence_of(view))
    earlier = Review.create(
        corpus_id=CORPUS,
        fingerprint=former,
        claim_text=claim.text,
        evidence=(),
        decision="dismiss",
        by="R. Viewer",
        at="2026-02-01T00:00:00Z",
        meaning="for a reason",
    )
    built.put_items([earlier])
    rebuilt(built)
    assert standing(built)[earlier.review_id].state == "in force"
    assert not open_view(built, CORPUS).verdicts[conflict_of(built).claim_id].published
    assert replay(open_view(built, CORPUS)).drift == ()
    later = decide(built, conflict_of(built).claim_id, "accept", at="2026-02-02T00:00:00Z")
    assert (later.fingerprint, later.follows) == (today, (earlier.review_id,))


def test_corrected_extraction_enters_the_upper_tiers_as_corrected(built: Store) -> None:
    """Kind and data are the person's, measures follow from them, and what had been read stands beside, signed."""
    before = extraction_of(built)
    signed = decide(built, before.extraction_id, "correct", changes={"kind": "permission", "actor": "security team"})
    rebuilt(built)
    after = extraction_of(built, kind="permission")
    data = after.read_as(NormData)
    assert (data.actor, data.strength, data.action) == ("security team", "optional", before.read_as(NormData).action)
    assert after.decided is not None
    assert (after.decided.review_id, after.decided.original_kind) == (signed.review_id, "obligation")
    assert after.decided.original_data == before.tier1_data.fields()
    view = open_view(built, CORPUS)
    (sentence,) = [s for chunk in view.all_chunks() for s in chunk.selected_sentences if LEAVER in s.text]
    assert {duty.kind for duty in sentence.duties} == {"permission"}
    assert extractions_of(built, LEAVER, "obligation") == []
    assert validate(built, CORPUS).findings == ()
    assert replay(view).drift == ()


def test_corrected_deadline_is_read_and_compared_anew(built: Store) -> None:
    """The words of a limit get their place and their meaning, and the measures of the statement are those of the new reading."""
    before = extraction_of(built)
    assert [measure.value for measure in before.measures] == [24.0]
    decide(built, before.extraction_id, "correct", changes={"deadline": {"text": "within 24 hours", "hours": 36}})
    rebuilt(built)
    after = extraction_of(built)
    limit = after.read_as(NormData).deadline
    assert isinstance(limit, Deadline)
    text = open_view(built, CORPUS).text(after.document_id)
    assert (limit.text, text[limit.start : limit.end], limit.hours) == ("within 24 hours", "within 24 hours", 36)
    assert [measure.value for measure in after.measures] == [36.0]
    decide(built, after.extraction_id, "correct", changes={"deadline": None}, at="2026-02-02T00:00:00Z")
    rebuilt(built)
    assert extraction_of(built).read_as(NormData).deadline is None
    assert extraction_of(built).measures == ()


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"actor": "the board of directors"}, "not the words of the document"),
        ({"deadline": "within 4 hours"}, "not the words of the quote"),
        ({"actr": "security team"}, "names a field that is not there"),
        ({"measures": []}, "made from others"),
        ({"kind": "proposition", "actor": "security team"}, "names a field that is not there"),
        ({"strength": "iron"}, "not of its type"),
        ({"kind": "poem"}, "unknown kind"),
        ({"kind": "obligation"}, "changes nothing"),
    ],
)
def test_correction_that_does_not_hold_is_refused(built: Store, changes: dict[str, JsonValue], problem: str) -> None:
    """Words that the document does not have, unknown fields, values of another type, no change: nothing is stored."""
    with pytest.raises(UsageError, match=problem):
        decide(built, extraction_of(built).extraction_id, "correct", changes=changes)
    assert standing(built) == {}


@pytest.mark.parametrize("decision", ["accept", "accept_risk"])
def test_accepted_extraction_stays_and_says_so(built: Store, decision: Decision) -> None:
    """Nothing but the signature changes."""
    before = extraction_of(built)
    decide(built, before.extraction_id, decision)
    rebuilt(built)
    after = extraction_of(built)
    assert (after.tier1_data, after.source_text) == (before.tier1_data, before.source_text)
    assert after.decided is not None
    assert (after.decided.decision, after.decided.by) == (decision, "R. Viewer")
    source = SourceBuilder(open_view(built, CORPUS)).extraction(after)
    assert source.decided == after.decided


def test_dismissed_claim_is_counted_and_not_published(built: Store) -> None:
    """It keeps its label and its evidence, says who dismissed it and why, and is among the refused."""
    view = open_view(built, CORPUS)
    claim = claim_of(view, DELETED)
    assert claim.claim_id in view.summary.claims
    signed = decide(built, claim.claim_id, "dismiss")
    rebuilt(built)
    after = open_view(built, CORPUS)
    again = claim_of(after, DELETED)
    verdict = after.verdicts[again.claim_id]
    assert (verdict.label, verdict.published) == ("supported", False)
    assert verdict.filter_reason == "dismissed by R. Viewer (for a reason)"
    assert after.summary.dismissed == (again.claim_id,)
    assert again.claim_id in after.summary.filtered
    assert after.manifest.counts["dismissed_claims"] == 1
    assert "Claims dismissed by reviewers: 1." in after.summary.summary_text
    assert standing(built)[signed.review_id].state == "in force"
    assert validate(built, CORPUS).findings == ()
    assert replay(after).drift == ()
    source = SourceBuilder(after).claim(again, deep=False)
    assert source.decided is not None
    assert source.decided.decision == "dismiss"


def test_risk_is_accepted_until_its_last_day_and_then_comes_back(built: Store) -> None:
    """The finding keeps its status while the date has not passed; the day after it is open again, and builds leave it out."""
    claim = claim_of(open_view(built, CORPUS), DELETED)
    signed = decide(built, claim.claim_id, "accept_risk", until="2026-06-30")
    rebuilt(built, "2026-06-30")
    view = open_view(built, CORPUS)
    verdict = view.verdicts[claim_of(view, DELETED).claim_id]
    assert verdict.published
    assert [(each.decision, each.until) for each in verdict.opinions] == [("accept_risk", "2026-06-30")]
    assert standing(built, "2026-06-30")[signed.review_id].state == "in force"
    assert left_open(built, view, "2026-06-30") == []
    (waiting,) = left_open(built, view, "2026-07-01")
    assert waiting.reopened == signed
    assert "until 2026-06-30" in waiting.reason
    rebuilt(built, "2026-07-01")
    after = open_view(built, CORPUS)
    assert after.verdicts[claim_of(after, DELETED).claim_id].opinions == ()
    assert validate(built, CORPUS).findings == ()


def test_decisions_outlive_rebuilds_and_other_words(built: Store, tmp_path: Path) -> None:
    """A build again gives the same generation; other documents, and other sentences of the same one, leave decisions in force."""
    reviews = [
        decide(built, extraction_of(built).extraction_id, "correct", changes={"kind": "permission"}),
        decide(built, extraction_of(built, PASSWORDS, "prohibition").extraction_id, "dismiss"),
        decide(built, claim_of(open_view(built, CORPUS), DELETED).claim_id, "dismiss"),
    ]
    first = rebuilt(built)
    assert first.changed
    assert not rebuilt(built).changed
    ingest_changed(
        built, tmp_path / "a", "access.md", "# Access Control Policy\n", "# Access Control Policy\n\nNew words.\n"
    )
    ingest_changed(built, tmp_path / "b", "retention.txt", "7 years", "8 years")
    found = standing(built)
    assert {found[each.review_id].state for each in reviews} == {"in force"}
    assert extraction_of(built, kind="permission").decided is not None
    assert extractions_of(built, PASSWORDS, "prohibition") == []
    assert left_open(built, open_view(built, CORPUS)) == []


def test_changed_sentence_opens_its_own_decision_with_both_wordings(built: Store, tmp_path: Path) -> None:
    """The decision is listed with what was decided on and what the sentence says now; a new decision closes it."""
    mine = decide(built, extraction_of(built).extraction_id, "dismiss")
    other = decide(built, extraction_of(built, PASSWORDS, "prohibition").extraction_id, "accept")
    rebuilt(built)
    ingest_changed(built, tmp_path / "new", "access.md", "leaver within 24 hours", "leaver within 36 hours")
    found = standing(built)
    assert (found[mine.review_id].state, found[other.review_id].state) == ("reopened", "in force")
    (waiting,) = left_open(built, open_view(built, CORPUS))
    assert "leaver within 24 hours" in waiting.reason
    assert "the sentence now reads" in waiting.reason
    assert "leaver within 36 hours" in waiting.text
    now = extraction_of(built, "leaver within 36 hours")
    assert (waiting.item_id, waiting.reopened, waiting.evidence) == (now.extraction_id, mine, mine.evidence)
    again = decide(built, now.extraction_id, "accept", at="2026-03-01T00:00:00Z")
    assert again.follows == (mine.review_id,)
    assert left_open(built, open_view(built, CORPUS)) == []


def test_decision_on_a_claim_opens_when_its_evidence_changes(built: Store, tmp_path: Path) -> None:
    """The claim of today stands beside the one that was decided on."""
    signed = decide(built, claim_of(open_view(built, CORPUS), DELETED).claim_id, "dismiss")
    rebuilt(built)
    ingest_changed(built, tmp_path / "new", "retention.txt", "within 30 days after", "within 45 days after")
    (waiting,) = left_open(built, open_view(built, CORPUS))
    assert waiting.reopened == signed
    assert "within 45 days" in waiting.text
    assert "within 30 days" in waiting.reason
    assert waiting.item_id in open_view(built, CORPUS).summary.claims


def test_withdrawn_decision_leaves_no_trace_in_the_next_build(built: Store) -> None:
    """A dismissal is taken back by its own id, and the build is that of before, to the last byte."""
    before = open_view(built, CORPUS).manifest.build_id
    signed = decide(built, extraction_of(built).extraction_id, "dismiss")
    rebuilt(built)
    taken = decide(built, signed.review_id, "withdraw", at="2026-02-02T00:00:00Z")
    assert taken.follows == (signed.review_id,)
    rebuilt(built)
    assert open_view(built, CORPUS).manifest.build_id == before
    assert {each.state for each in standing(built).values()} == {"withdrawn"}
    with pytest.raises(UsageError, match="is decided of this item"):
        decide(built, signed.review_id, "withdraw")


def test_reviewers_who_disagree_on_an_extraction_decide_nothing(built: Store) -> None:
    """Two decisions signed without knowledge of each other: the extraction stays as it was read, and both are open."""
    first = decide(built, extraction_of(built).extraction_id, "dismiss")
    fields = {name: getattr(first, name) for name in Review.model_fields if name != "review_id"}
    built.put_items([Review.create(**{**fields, "decision": "accept", "by": "An Other"})])
    rebuilt(built)
    assert extraction_of(built).decided is None
    assert {each.state for each in standing(built).values()} == {"reopened"}


def test_a_later_decision_replaces_the_earlier_which_stays_readable(built: Store) -> None:
    """Of a corrected extraction the original reading is what is signed again."""
    first = decide(built, extraction_of(built).extraction_id, "correct", changes={"kind": "permission"})
    rebuilt(built)
    second = decide(built, extraction_of(built, kind="permission").extraction_id, "accept", at="2026-03-01T00:00:00Z")
    assert (second.fingerprint, second.follows) == (first.fingerprint, (first.review_id,))
    rebuilt(built)
    assert extraction_of(built).extraction_kind == "obligation"
    assert standing(built)[first.review_id].state == "replaced"


def test_archive_carries_decisions_which_the_next_build_applies(built: Store) -> None:
    """A corpus that is read back has its decisions, and its next build is the one of the other store."""
    signed = decide(built, extraction_of(built).extraction_id, "correct", changes={"kind": "permission"})
    other = Store(MemoryEngine(MemoryStore()))
    import_bytes(other, export_bytes(built))
    assert [each for _, each in other.scan("reviews", Review, CORPUS)] == [signed]
    assert rebuilt(other).build_id == rebuilt(built).build_id
    assert validate(other, CORPUS).findings == ()


def test_validate_names_decisions_on_evidence_that_never_was(built: Store) -> None:
    """An item that is not there, a reading that nothing had, and a fingerprint of something else are findings."""
    true = decide(built, extraction_of(built).extraction_id, "dismiss")
    assert validate(built, CORPUS).findings == ()
    fields = {name: getattr(true, name) for name in Review.model_fields if name != "review_id"}
    assert true.extraction is not None
    invented = true.extraction.model_copy(update={"sentence": "The clerk shall dance."})
    absent = "extraction_" + (true.signed_item or "").partition("_")[2][:12] + "0" * 40
    forged: list[dict[str, object]] = [
        {"signed_item": absent},
        {"extraction": ReviewedExtraction(**invented.model_dump()), "fingerprint": invented.fingerprint},
        {"fingerprint": "0" * 64},
    ]
    built.put_items([Review.create(**{**fields, **change}) for change in forged])
    messages = [finding.message for finding in validate(built, CORPUS).findings]
    assert len(messages) == 3
    for said in ("not there, and reviews/", "does not stand in the document", "fingerprint is not that"):
        assert any(said in message for message in messages)


def test_report_shows_decisions_with_what_became_of_them(built: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page names who decided, why, and what had been read before a correction."""
    monkeypatch.setattr(precision, "BARS", {})
    signed = decide(built, extraction_of(built).extraction_id, "correct", changes={"kind": "permission"})
    rebuilt(built)
    report = collect_report(built, open_view(built, CORPUS), generated_at=clock())
    assert [(each.review, each.state) for each in report.decisions] == [(signed, "in force")]
    page = render_html(report)
    assert signed.review_id in page
    assert "had been read as" in page


def test_decisions_are_refused_where_they_make_no_sense(built: Store) -> None:
    """Each refusal says what can be done instead, and nothing is stored."""
    view = open_view(built, CORPUS)
    claim, extraction = claim_of(view, DELETED).claim_id, extraction_of(built).extraction_id
    with pytest.raises(UsageError, match="a claim is not corrected"):
        decide(built, claim, "correct", changes={"actor": "x"})
    with pytest.raises(UsageError, match="not supported or unsupported"):
        decide(built, extraction, "supported")
    with pytest.raises(UsageError, match="says what is changed"):
        decide(built, extraction, "correct")
    with pytest.raises(UsageError, match="says what is changed"):
        decide(built, extraction, "accept", changes={"actor": "x"})
    with pytest.raises(UsageError, match="only an accepted risk"):
        decide(built, extraction, "accept", until="2027-01-01")
    with pytest.raises(UsageError, match="not over"):
        decide(built, extraction, "accept_risk", until="2025-01-01")
    with pytest.raises(UsageError, match="is decided of this item"):
        decide(built, extraction, "withdraw")
    with pytest.raises(UsageError, match="too long"):
        decide(built, extraction, "accept", by="R" * 201)
    with pytest.raises(NotFound):
        decide(built, "review_" + "0" * 52, "withdraw")
    with pytest.raises(NotFound):
        decide(built, "extraction_" + "0" * 52, "accept")
    assert standing(built) == {}


def test_decide_twice_stores_one_review(built: Store) -> None:
    """The same person deciding the same again adds nothing."""
    extraction = extraction_of(built).extraction_id
    first = decide(built, extraction, "accept_risk", until="2026-12-31")
    assert decide(built, extraction, "accept_risk", until="2026-12-31", at="2026-05-05T00:00:00Z") == first


def test_decisions_are_applied_alike_by_worker_processes(built: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever derives a document has its decisions: the build has the same id."""
    other = Store(MemoryEngine(MemoryStore()))
    decide(built, extraction_of(built).extraction_id, "correct", changes={"kind": "permission"})
    decide(built, extraction_of(built, PASSWORDS, "prohibition").extraction_id, "dismiss")
    import_bytes(other, export_bytes(built))
    monkeypatch.setattr(corpus, "PARALLEL_FROM_BYTES", 0)
    assert rebuilt(other, jobs=2).build_id == rebuilt(built).build_id
    assert {each.state for each in standing(other).values()} == {"in force"}
