"""A build whose lower tiers a program stores is a build: its end is the same, and what a reviewer signed is heeded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from coditect.errors import NotFound, Unsupported, UsageError
from coditect.knowledge.building import summary as upper
from coditect.knowledge.building.publication import Validator
from coditect.knowledge.building.stepwise import store_chunk, store_extraction, store_section
from coditect.knowledge.derivation.corpus import present_versions
from coditect.knowledge.derivation.source import stored_source
from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings, Claim, Verdict
from coditect.store.store import Store
from coditect.store.view import View
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.verify.checker import Evidence, check
from tests.corpora import feed
from tests.integration.agents import folder_of, opened
from tests.integration.archives import export_bytes, import_bytes
from tests.integration.verify_corpus import knowledge_at
from tests.llm_server import llm_server

CORPUS = "stepwise"
POLICY = "Every employee shall report a suspected incident to the Security Officer within 24 hours."
STANDARD = "System owners shall report an incident in the logging service within 72 hours."
REVIEW = "The system owner shall review the access rights of all users every"
DOCUMENTS = {
    "policy.md": f"# Incident Response Policy\n\n## 1 Reporting\n\n1.1 {POLICY}\n\n1.2 {REVIEW} 90 days.\n",
    "standard.md": f"# Logging Standard\n\n## 1 Logs\n\n1.1 {STANDARD}\n\n1.2 {REVIEW} 180 days.\n",
}


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[Knowledge]:
    """A store with two ingested documents, not built."""
    with knowledge_at(tmp_path) as opened_knowledge:
        opened_knowledge.ingest(CORPUS, [folder_of(tmp_path / "in", DOCUMENTS)])
        yield opened_knowledge


def _stored_section(store: Store) -> str:
    """A section on incident reporting, of one extraction and one chunk for each document."""
    chunks = []
    for version in present_versions(store, CORPUS):
        quote = POLICY if version.name == "policy.md" else STANDARD
        at = stored_source(store, version).text.index(quote)
        data = {"kind": "obligation", "modality": "shall"}
        where = (at, at + len(quote))
        own = store_extraction(store, CORPUS, version.document_id, data, quote, where, 0.9)
        chunks.append(store_chunk(store, CORPUS, version.document_id, [own], "textrank"))
    return store_section(store, CORPUS, "incident reporting", chunks, 0.2)


def _agent(change: Callable[[Verdict], dict[str, object]], word: str = "") -> Validator:
    """A validator that says what the checker says, changed for claims with a word."""

    def validate(claims: Sequence[Claim], evidence: Evidence, minimum_support: float) -> list[Verdict]:
        said = []
        for claim in claims:
            own = check(claim, evidence, minimum_support)
            fields = {name: getattr(own, name) for name in Verdict.model_fields if name != "verdict_id"}
            changed = change(own) if word in claim.text else {}
            said.append(Verdict.create(**{**fields, **changed}))
        return said

    return validate


def _refusing(verdict: Verdict) -> dict[str, object]:
    del verdict
    return {"label": "unsupported", "published": False, "filter_reason": "not what it means", "checker": "agent/1"}


def _of(view: View, word: str) -> tuple[Claim, Verdict]:
    claim = next(each for each in view.claims.values() if each.claim_kind == "requirement" and word in each.text)
    return claim, view.verdicts[claim.claim_id]


def test_stepwise_report_is_that_of_a_build(knowledge: Knowledge) -> None:
    """Generation, counts, what was reused and made; the same again changes nothing, and the feed has one event for it."""
    section = _stored_section(knowledge.store)
    report = knowledge.publish(CORPUS, [section])
    assert (report.generation, report.changed, report.partial) == (1, True, False)
    assert report.counts["documents"] == report.counts["extractions"] == report.counts["chunks"] == 2
    assert (report.reused["extractions"], report.reused["chunks"], report.reused["sections"]) == (2, 2, 1)
    assert report.derived["claims"] == report.counts["claims"] + report.counts["filtered_claims"] > 0
    again = knowledge.publish(CORPUS, [section, section])
    assert (again.build_id, again.generation, again.changed) == (report.build_id, 1, False)
    assert again.reused["claims"] == report.derived["claims"]
    assert [event.generation for event in feed(knowledge.store, CORPUS) if event.event == "generation"] == [1]


def test_stepwise_summary_says_what_a_build_says(knowledge: Knowledge) -> None:
    """The sections of a build, given one by one, have its claims, differences included, and the same verdicts."""
    knowledge.build(CORPUS, BuildSettings(topics=("incident",)))
    built = knowledge.view(CORPUS)
    report = knowledge.publish(CORPUS, [section.section_id for section in built.sections])
    given = knowledge.view(CORPUS, report.generation)
    assert report.generation == 2
    assert given.summary.summary_text == built.summary.summary_text

    def said(view: View) -> list[tuple[str, str, str]]:
        return [(c.claim_kind, c.text, view.verdicts[i].label) for i, c in view.claims.items()]

    assert said(given) == said(built)
    assert {claim.claim_kind for claim in given.claims.values()} >= {"conflict", "requirement"}
    assert knowledge.validate(CORPUS).clean


@pytest.mark.parametrize(("decision", "published"), [("supported", True), ("unsupported", False)])
def test_stepwise_summary_heeds_a_review(knowledge: Knowledge, decision: str, published: bool) -> None:
    """What a validator doubts needs review; what a person signs then holds in the next publication, whoever makes it."""
    section = _stored_section(knowledge.store)
    doubts = _agent(_refusing, "72 hours")
    knowledge.publish(CORPUS, [section], doubts)
    claim, verdict = _of(knowledge.view(CORPUS), "72 hours")
    assert (verdict.label, verdict.published, verdict.checker_label) == ("needs_review", False, "supported")
    assert [each.claim_id for each in knowledge.pending_reviews(CORPUS)] == [
        each.claim_id for each in knowledge.view(CORPUS).verdicts.values() if each.label == "needs_review"
    ]
    signed = knowledge.review(CORPUS, claim.claim_id, decision=decision, by="R. Viewer", meaning="read both")  # type: ignore[arg-type]
    report = knowledge.publish(CORPUS, [section], doubts)
    view = knowledge.view(CORPUS)
    claim, verdict = _of(view, "72 hours")
    assert (report.generation, report.changed) == (2, True)
    assert (verdict.label, verdict.published) == (decision, published)
    assert (claim.claim_id in view.summary.claims) == published
    assert verdict.opinions[-1].review_id == signed.review_id
    assert _of(knowledge.view(CORPUS, 1), "72 hours")[1].label == "needs_review"
    assert knowledge.validate(CORPUS).clean
    assert knowledge.validate(CORPUS, as_of=1).clean


def test_stepwise_generation_is_exported_rebuilt_and_read_as_of(knowledge: Knowledge) -> None:
    """It validates, replays, goes through an archive, is followed by a build, and stays readable as it was."""
    section = _stored_section(knowledge.store)
    first = knowledge.publish(CORPUS, [section], _agent(_refusing, "72 hours"))
    assert knowledge.validate(CORPUS).clean
    assert knowledge.replay(CORPUS).drift == ()
    other = Store(MemoryEngine(MemoryStore()))
    import_bytes(other, export_bytes(knowledge.store, CORPUS))
    assert other.corpus(CORPUS).build_id == first.build_id
    second = knowledge.build(CORPUS, BuildSettings())
    assert (second.generation, second.changed) == (2, True)
    assert second.counts["extractions"] > first.counts["extractions"]
    assert [s.section_id for s in knowledge.view(CORPUS, 1).sections] == [section]
    assert knowledge.query(CORPUS, "report incident", tier="section", as_of=1).item_ids == (section,)
    assert section not in knowledge.query(CORPUS, "report incident", tier="section").item_ids
    assert knowledge.validate(CORPUS).clean
    assert knowledge.validate(CORPUS, as_of=1).clean
    third = knowledge.publish(CORPUS, [section])
    assert (third.generation, third.build_id != first.build_id) == (3, True)  # nobody doubts any more


def test_stepwise_publication_is_the_same_wherever_it_is_made(knowledge: Knowledge, tmp_path: Path) -> None:
    """The same files, items and opinions give the same build id in another store; another opinion gives another."""
    section = _stored_section(knowledge.store)
    first = knowledge.publish(CORPUS, [section], _agent(_refusing, "72 hours"))
    with knowledge_at(tmp_path / "other") as other:
        other.ingest(CORPUS, [folder_of(tmp_path / "again", DOCUMENTS)])
        assert _stored_section(other.store) == section
        assert other.publish(CORPUS, [section], _agent(_refusing, "72 hours")).build_id == first.build_id
        assert other.publish(CORPUS, [section], _agent(_refusing, "24 hours")).build_id != first.build_id


def test_stepwise_validator_cannot_publish_what_the_checker_refuses(
    knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lenient validator beside a checker that refuses everything publishes nothing, and leaves nothing to a reviewer."""

    def refused(claim: Claim, evidence: Evidence, minimum: float) -> Verdict:
        own = check(claim, evidence, minimum)
        fields = {name: getattr(own, name) for name in Verdict.model_fields if name != "verdict_id"}
        return Verdict.create(**{**fields, "label": "unsupported", "published": False, "support_score": 0.0})

    monkeypatch.setattr(upper, "check", refused)
    section = _stored_section(knowledge.store)
    report = knowledge.publish(CORPUS, [section], _agent(lambda own: {"label": "supported", "published": True}))
    assert (report.counts["claims"], report.counts["filtered_claims"] > 0) == (0, True)
    assert {verdict.label for verdict in knowledge.view(CORPUS).verdicts.values()} == {"unsupported"}


@pytest.mark.parametrize("change", [{"published": False}, {"support_score": 0.1}])
def test_stepwise_validator_that_would_not_publish_itself_leaves_a_doubt(
    knowledge: Knowledge, change: dict[str, object]
) -> None:
    """Support below the minimum, or that is not to be published, is no agreement."""
    knowledge.publish(CORPUS, [_stored_section(knowledge.store)], _agent(lambda own: change, "72 hours"))
    assert _of(knowledge.view(CORPUS), "72 hours")[1].label == "needs_review"
    assert _of(knowledge.view(CORPUS), "24 hours")[1].label == "supported"


def test_stepwise_validator_that_fails_publishes_nothing(knowledge: Knowledge) -> None:
    """The corpus stays at its last generation."""

    def broken(claims: Sequence[Claim], evidence: Evidence, minimum_support: float) -> list[Verdict]:
        raise RuntimeError("no answer")

    with pytest.raises(Unsupported, match="validator failed"):
        knowledge.publish(CORPUS, [_stored_section(knowledge.store)], broken)
    assert knowledge.store.corpus(CORPUS).generation == 0


def test_stepwise_publication_refuses_what_the_intake_does_not_hold_any_more(
    knowledge: Knowledge, tmp_path: Path
) -> None:
    """As in a build, a changed document counts by its newest version, and a withdrawn one not at all."""
    section = _stored_section(knowledge.store)
    changed = {**DOCUMENTS, "policy.md": DOCUMENTS["policy.md"].replace("24 hours", "12 hours")}
    knowledge.ingest(CORPUS, [folder_of(tmp_path / "changed", changed)])
    with pytest.raises(UsageError, match="earlier version"):
        knowledge.publish(CORPUS, [section])
    knowledge.ingest(CORPUS, [folder_of(tmp_path / "less", {"standard.md": DOCUMENTS["standard.md"]})], sync=True)
    with pytest.raises(NotFound, match="unknown document"):
        knowledge.publish(CORPUS, [section])
    assert knowledge.store.corpus(CORPUS).generation == 0


def test_stepwise_summary_names_files_that_were_not_read(knowledge: Knowledge, tmp_path: Path) -> None:
    """What the corpus could not take in is said of a stepwise generation as of a built one."""
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing")
    knowledge.ingest(CORPUS, [broken])
    knowledge.publish(CORPUS, [_stored_section(knowledge.store)])
    summary = knowledge.view(CORPUS).summary
    assert summary.unread == ("broken.pdf",)
    assert "Not read: broken.pdf." in summary.summary_text


def test_stepwise_summary_is_judged_by_the_roles_of_the_summary(tmp_path: Path) -> None:
    """Where a model plays roles, those of Tier 4 are asked, and they alone stand in the build's settings."""
    with llm_server() as server, opened(tmp_path, server.base_url) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in", DOCUMENTS)])
        report = knowledge.publish(CORPUS, [_stored_section(knowledge.store)])
        assert {call.role for call in server.messages} == {"reducer", "synthesiser", "validator"}
        agents = knowledge.view(CORPUS).manifest.settings.agents
        assert agents is not None
        assert set(agents.roles) == {"reducer", "synthesiser", "validator"}
        assert agents.extraction_schema == {}
        assert report.agents["total"]["sent"] == len(server.messages)
        assert knowledge.validate(CORPUS).clean
