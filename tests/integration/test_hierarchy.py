"""The interface of ADR-029, step by step and as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from coditect import HierarchicalKnowledgeStore, Knowledge, KnowledgeTier, Settings, open_knowledge
from coditect.errors import ImmutableViolation, NotFound, QuoteNotFound, Unsupported, UsageError
from coditect.knowledge.derivation.corpus import present_versions
from coditect.knowledge.derivation.source import stored_source
from coditect.schemas import Claim, DefinitionData, Extraction, Verdict
from coditect.schemas.document import document_id_for
from coditect.store.rows import item_rows
from coditect.verify.checker import Evidence, check
from tests.places import tenant_at, url_at

POLICY = """# Incident Response Policy

## 1 Reporting

1.1 Every employee shall report a suspected incident to the Security Officer within 24 hours.

1.2 The Security Officer must not delete evidence of an incident.

## 2 Review

2.1 This policy shall be reviewed annually by the Security Officer.
"""
STANDARD = """# Logging Standard

## 1 Logs

1.1 System owners shall report an incident in the logging service within 72 hours.

1.2 Audit logs shall be kept for at least 12 months.
"""


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[Knowledge]:
    """A store with two ingested documents, not built."""
    source = tmp_path / "in"
    source.mkdir()
    (source / "policy.md").write_text(POLICY, encoding="utf-8")
    (source / "standard.md").write_text(STANDARD, encoding="utf-8")
    place = tmp_path / "store"
    settings = Settings(store=url_at(place), tenant=tenant_at(place), cache=tmp_path / "cache")
    with open_knowledge(settings) as opened:
        opened.ingest("c", [source])
        yield opened


def _document(knowledge: Knowledge, name: str) -> tuple[str, str]:
    document_id = document_id_for("c", name)
    version = next(each for each in present_versions(knowledge.store, "c") if each.document_id == document_id)
    return document_id, stored_source(knowledge.store, version).text


async def _stored(
    store: HierarchicalKnowledgeStore, knowledge: Knowledge, name: str, quote: str, kind: str = "obligation"
) -> str:
    document_id, text = _document(knowledge, name)
    at = text.index(quote)
    data = {"kind": kind, "modality": "shall"}
    return await store.store_extraction("c", document_id, data, quote, (at, at + len(quote)), 0.9)


async def _published(store: HierarchicalKnowledgeStore, knowledge: Knowledge) -> tuple[str, str, str]:
    first = await _stored(
        store,
        knowledge,
        "policy.md",
        "Every employee shall report a suspected incident to the Security Officer within 24 hours.",
    )
    second = await _stored(
        store,
        knowledge,
        "standard.md",
        "System owners shall report an incident in the logging service within 72 hours.",
    )
    one = await store.build_chunk_summary("c", document_id_for("c", "policy.md"), [first])
    two = await store.build_chunk_summary("c", document_id_for("c", "standard.md"), [second], method="tfidf")
    section = await store.build_section_summary("c", "incident reporting", [one, two])
    return first, one, section


async def test_hierarchy_leads_from_an_extraction_to_a_published_summary(knowledge: Knowledge) -> None:
    """What is stored step by step becomes a generation that answers, drills down and validates."""
    store = HierarchicalKnowledgeStore(knowledge)
    first, chunk, section = await _published(store, knowledge)
    summary = await store.build_corpus_summary("c", [section])
    assert summary.claims
    found = await store.query("c", "report incident", KnowledgeTier.SECTION_SUMMARY, include_sources=True)
    assert found.item_ids == (section,)
    assert {source.item_id for source in found.hits[0].item.sources} >= {chunk}
    below = await store.drill_down(section, KnowledgeTier.SECTION_SUMMARY)
    assert chunk in {source.item_id for source in below}
    assert first in {source.item_id for source in await store.drill_down(chunk, KnowledgeTier.CHUNK_SUMMARY)}
    assert await store.drill_down(first, KnowledgeTier.RAW_EXTRACTION) == []
    report = await store.validate("c")
    assert report.clean, report.findings


async def test_hierarchy_same_extraction_again_is_a_no_op(knowledge: Knowledge) -> None:
    """The same extraction has the same id, however often it is stored."""
    store = HierarchicalKnowledgeStore(knowledge)
    quote = "The Security Officer must not delete evidence of an incident."
    assert await _stored(store, knowledge, "policy.md", quote) == await _stored(store, knowledge, "policy.md", quote)


async def test_hierarchy_refuses_a_quote_that_is_not_the_text(knowledge: Knowledge) -> None:
    """A changed word, a shifted offset or an offset past the end is no extraction."""
    store = HierarchicalKnowledgeStore(knowledge)
    document_id, text = _document(knowledge, "policy.md")
    quote = "The Security Officer must not delete evidence of an incident."
    at = text.index(quote)
    for said, offsets in [
        (quote.replace("must not", "may"), (at, at + len(quote) - 5)),
        (quote, (at + 1, at + 1 + len(quote))),
        (quote, (len(text), len(text) + len(quote))),
    ]:
        with pytest.raises(QuoteNotFound):
            await store.store_extraction("c", document_id, {"kind": "prohibition"}, said, offsets, 0.9)


async def test_hierarchy_refuses_another_record_under_an_existing_id(knowledge: Knowledge) -> None:
    """An item whose bytes differ from the stored ones under the same id is an ImmutableViolation."""
    store = HierarchicalKnowledgeStore(knowledge)
    document_id = document_id_for("c", "policy.md")
    extraction_id = await _stored(
        store, knowledge, "policy.md", "The Security Officer must not delete evidence of an incident."
    )
    stored = knowledge.store.get("extractions", Extraction, "c", document_id, extraction_id)
    assert stored is not None
    with pytest.raises(ImmutableViolation):
        knowledge.store.put_items([stored.model_copy(update={"confidence": 0.1})])
    assert knowledge.store.get("extractions", Extraction, "c", document_id, extraction_id) == stored


async def test_hierarchy_names_what_is_unknown(knowledge: Knowledge) -> None:
    """Unknown documents, items, methods and ratios are usage errors."""
    store = HierarchicalKnowledgeStore(knowledge)
    with pytest.raises(NotFound):
        await store.store_extraction("c", "document_nothing", {}, "x", (0, 1), 1.0)
    with pytest.raises(NotFound):
        await store.build_chunk_summary("c", document_id_for("c", "policy.md"), ["extraction_" + "0" * 40])
    with pytest.raises(UsageError):
        await store.build_chunk_summary("c", document_id_for("c", "policy.md"), ["x"], method="guess")
    with pytest.raises(UsageError):
        await store.build_section_summary("c", "incident", ["chunk_" + "0" * 40], max_synthesis_ratio=1.5)


async def test_hierarchy_keeps_what_a_program_stores(knowledge: Knowledge) -> None:
    """Any JSON object is kept to the letter, a null beside a term hides the term from no index, and what is no JSON is refused."""
    store = HierarchicalKnowledgeStore(knowledge)
    document_id, text = _document(knowledge, "policy.md")
    quote = "The Security Officer must not delete evidence of an incident."
    place = (text.index(quote), text.index(quote) + len(quote))
    given = {"kind": "definition", "term": "Evidence Officer", "form": None, "rank": 1, "seen": ["x", None]}
    stored_id = await store.store_extraction("c", document_id, given, quote, place, 0.9)
    stored = knowledge.store.get("extractions", Extraction, "c", document_id, stored_id)
    assert stored is not None
    assert {"kind": "definition", **stored.tier1_data.fields()} == given
    assert stored.read_as(DefinitionData).term == "Evidence Officer"
    assert any(b"evidence officer" in key for key, _ in item_rows(knowledge.store.keys, stored).index)
    with pytest.raises(UsageError, match="JSON object"):
        await store.store_extraction("c", document_id, {"kind": "custom", "of": object()}, quote, place, 0.9)


class _Failing:
    async def validate_claims(
        self, claims: Sequence[Claim], evidence: Evidence, minimum_support: float
    ) -> list[Verdict]:
        raise RuntimeError("no answer")


class _Silent:
    async def validate_claims(
        self, claims: Sequence[Claim], evidence: Evidence, minimum_support: float
    ) -> list[Verdict]:
        return [check(claim, evidence, minimum_support) for claim in claims[1:]]


@pytest.mark.parametrize("agent", [_Failing(), _Silent()])
async def test_hierarchy_publishes_nothing_when_the_validator_fails(
    knowledge: Knowledge, agent: _Failing | _Silent
) -> None:
    """A validator that raises, or leaves a claim out, leaves the corpus at its last generation."""
    store = HierarchicalKnowledgeStore(knowledge)
    _, _, section = await _published(store, knowledge)
    with pytest.raises(Unsupported):
        await store.build_corpus_summary("c", [section], agent)
    assert knowledge.store.corpus("c").generation == 0


async def test_hierarchy_builds_whole_corpora_too(knowledge: Knowledge) -> None:
    """The deterministic build goes through the same door."""
    store = HierarchicalKnowledgeStore(knowledge)
    report = await store.build("c")
    assert report.generation == 1
    assert (await store.query("c", "evidence", "extraction")).hits
