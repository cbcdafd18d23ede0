"""Every use case as a coroutine: what it gives is what the synchronous method gives."""

from __future__ import annotations

import asyncio
import inspect
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from coditect import (
    BuildSettings,
    Conflict,
    HierarchicalKnowledgeStore,
    Knowledge,
    NotFound,
    SearchFilters,
    SearchOptions,
    Settings,
    UsageError,
    open_knowledge,
    render_html,
)
from tests.corpora import CORPUS, DOCUMENTS, folder_of
from tests.integration.verify_corpus import doubted, knowledge_at
from tests.places import tenant_at, url_at

STEPS = {
    "store_extraction",
    "build_chunk_summary",
    "build_section_summary",
    "build_corpus_summary",
}
"""What only a program that fills the tiers itself calls."""

POLICY = """# Security Policy

1.1 The operator shall encrypt customer data at rest.

1.2 The operator shall report an incident to the security officer within 24 hours.
"""


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[Knowledge]:
    """A built corpus, one claim of which needs review."""
    with knowledge_at(tmp_path) as opened, doubted():
        opened.ingest(CORPUS, [folder_of(tmp_path / "in", {**DOCUMENTS, "security.md": POLICY})])
        opened.build(CORPUS, BuildSettings(topics=("incident", "customer data")))
        yield opened


def test_every_use_case_is_a_coroutine_too() -> None:
    """Whatever can be asked of ``Knowledge`` can be awaited, but for reading item by item, what a build would cost, and a model
    that is held open.

    What a program stored step by step is published by ``build_corpus_summary``; what is noted for the audit trail is noted inside.
    A server that acts for many callers holds one ``Knowledge`` each.
    """
    noted = {"flush_reads", "note_compaction", "note_file", "note_read"}
    served = {"acting", "on_behalf_of", "searched_generation"}

    def methods(cls: type) -> set[str]:
        return {name for name, _ in inspect.getmembers(cls, inspect.isfunction) if not name.startswith("_")}

    assert (
        methods(HierarchicalKnowledgeStore)
        == methods(Knowledge) - {"view", "forecast", "publish", "follow", "examiner"} - noted - served | STEPS
    )
    for name in methods(HierarchicalKnowledgeStore):
        assert inspect.iscoroutinefunction(getattr(HierarchicalKnowledgeStore, name)), name


def test_use_cases_take_what_they_take_in_python() -> None:
    """Parameter for parameter, and give the same; what is read one by one is a list. Three are the interface of ADR-029."""
    own = {*STEPS, "build", "query", "drill_down"}
    looked_at = 0
    for name, method in inspect.getmembers(HierarchicalKnowledgeStore, inspect.iscoroutinefunction):
        if name in own:
            continue
        here, there = inspect.signature(method), inspect.signature(getattr(Knowledge, name))
        assert here.parameters == there.parameters, name
        assert here.return_annotation == str(there.return_annotation).replace("Iterator[", "list["), name
        assert f"Knowledge.{name}`" in str(inspect.getdoc(method))
        looked_at += 1
    assert looked_at > 50


async def test_progress_is_told_while_a_coroutine_waits(knowledge: Knowledge) -> None:
    """What listens is called as in Python, for use cases and for the build."""
    store, steps = HierarchicalKnowledgeStore(knowledge), list[str]()

    def listen(step: str, _done: int, _total: int) -> None:
        steps.append(step)

    assert (await store.validate(CORPUS, deep=True, progress=listen)).clean
    validated = len(steps)
    assert validated
    await store.build(CORPUS, progress=listen)
    assert len(steps) > validated


async def test_query_takes_options_and_generations(knowledge: Knowledge) -> None:
    """Filters, modes, passages and propositions, and earlier generations."""
    store = HierarchicalKnowledgeStore(knowledge)
    options = SearchOptions(mode="lexical", filters=SearchFilters(documents=("security.md",)))
    found = await store.query(CORPUS, "report an incident", "extraction", options=options, as_of=1)
    assert found.hits
    assert {hit.item.document_name for hit in found.hits} == {"security.md"}
    assert found == knowledge.query(
        CORPUS, "report an incident", tier="extraction", include_sources=True, options=options, as_of=1
    )
    with pytest.raises(NotFound):
        await store.query(CORPUS, "report", as_of=2)
    with pytest.raises(UsageError, match="unknown tier"):
        await store.query(CORPUS, "report", "page")  # type: ignore[arg-type]
    assert (await store.query(CORPUS, "incident", "passage", include_sources=False)).tier == "passage"


async def test_chains_and_tiers_below_are_those_of_a_generation(knowledge: Knowledge) -> None:
    """Drilling down and whole chains, in a named corpus and generation."""
    store = HierarchicalKnowledgeStore(knowledge)
    section = knowledge.view(CORPUS).sections[0].section_id
    assert await store.chain(section, corpus_id=CORPUS, as_of=1) == knowledge.chain(section)
    assert await store.drill_down(section, corpus_id=CORPUS, as_of=1) == knowledge.drill_down(section)
    with pytest.raises(NotFound):
        await store.drill_down(section, corpus_id="another")


async def test_text_is_verified_as_words_or_as_a_file(knowledge: Knowledge) -> None:
    """The same sentences have the same verdicts, whether they come as text or as bytes."""
    store = HierarchicalKnowledgeStore(knowledge)
    claim = "The operator shall report an incident to the security officer within 24 hours."
    said = await store.verify(CORPUS, claim)
    assert said.label == "supported"
    assert said == await store.verify(CORPUS, claim.encode(), as_of=1)
    wrong = await store.verify(CORPUS, claim.replace("24 hours", "7 days").encode(), "claims.md")
    assert wrong.label != "supported"
    assert (await store.verify(CORPUS, claim, minimum_support=1.0)).minimum_support == 1.0
    with pytest.raises(UsageError, match="half characters"):
        await store.verify(CORPUS, "The operator shall \ud800 report.")


async def test_review_settles_what_the_next_build_publishes(knowledge: Knowledge) -> None:
    """What is open is listed, signed, heeded by the next build, and every verdict can be given again."""
    store = HierarchicalKnowledgeStore(knowledge)
    listed = await store.pending_reviews(CORPUS)
    open_claim = next(each for each in listed if "encrypt customer data" in each.text)
    signed = await store.review(
        CORPUS, open_claim.claim_id, decision="supported", by="Ada Example", meaning="read against the policy"
    )
    built = await store.build(CORPUS, BuildSettings(topics=("incident", "customer data")))
    assert built.generation == 2
    settled = [each for each in await store.pending_reviews(CORPUS) if each.text == open_claim.text]
    assert [(each.label, each.reviews) for each in settled] == [("supported", (signed,))]
    before = [each for each in await store.pending_reviews(CORPUS, as_of=1) if each.text == open_claim.text]
    assert [each.label for each in before] == ["needs_review"]
    replayed = await store.replay(CORPUS)
    assert (replayed.drift, replayed.generation) == ((), 2)
    assert (await store.replay(CORPUS, as_of=1)).generation == 1


async def test_report_holds_what_validation_found(knowledge: Knowledge) -> None:
    """A report of a generation, as data and as a page; a validation of another build is refused."""
    store = HierarchicalKnowledgeStore(knowledge)
    validation = await store.validate(CORPUS, citations=True, as_of=1)
    assert validation.clean
    report = await store.report(CORPUS, validation=validation)
    assert report.validation == validation
    assert (await store.report(CORPUS, as_of=1)).validation is None
    assert "<html" in render_html(report)
    with pytest.raises(UsageError, match="the validation is of another build"):
        await store.report(CORPUS, validation=validation.model_copy(update={"build_id": "another"}))


async def test_archive_goes_from_one_store_to_another(knowledge: Knowledge, tmp_path: Path) -> None:
    """What one store exports another imports, and has the same digest, status and archive."""
    file, again = io.BytesIO(), io.BytesIO()
    exported = await HierarchicalKnowledgeStore(knowledge).export(CORPUS, file)
    place = tmp_path / "other"
    with open_knowledge(Settings(store=url_at(place), tenant=tenant_at(place), cache=tmp_path / "c2")) as other:
        store = HierarchicalKnowledgeStore(other)
        assert await store.status() == []
        file.seek(0)
        imported = await store.import_archive(file)
        assert (imported.imported, imported.corpus_digest) == (True, exported.corpus_digest)
        (status,) = await store.status(CORPUS)
        assert status == knowledge.status(CORPUS)[0]
        await store.export(CORPUS, again)
    assert again.getvalue() == file.getvalue()


async def test_coroutines_at_once_are_answered_each(knowledge: Knowledge) -> None:
    """Questions beside builds: every one is answered, and builds publish or say that they came second."""
    store = HierarchicalKnowledgeStore(knowledge)
    alone = await store.query(CORPUS, "report an incident", as_of=1)
    questions = (store.query(CORPUS, "report an incident", as_of=1) for _ in range(6))
    builds = (store.build(CORPUS, BuildSettings(topics=("incident",))) for _ in range(2))
    found = await asyncio.gather(*questions, *builds, return_exceptions=True)
    assert found[:6] == [alone] * 6
    assert all(isinstance(each, Conflict) or not isinstance(each, BaseException) for each in found[6:])
    assert (await store.status(CORPUS))[0].generation == 2
