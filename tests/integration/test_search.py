"""Search through the public interface, with the light embedder, over the sample corpus."""

from __future__ import annotations

import multiprocessing
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from coditect import BuildSettings, Settings, open_knowledge
from coditect.errors import NotFound, UsageError
from coditect.knowledge.service import Knowledge
from coditect.sample import sample_folder
from coditect.schemas import Derivation, Extraction, Granularity, SearchFilters, SearchMode, SearchOptions
from tests.integration.pinned_answers import ASKED, OPTIONS, answers, pinned
from tests.warm import WARM

CORPUS = "sample"
QUESTION = "how soon is a breach of personal data reported"


def settings_of(folder: Path) -> Settings:
    """A store and a cache in a folder."""
    return Settings(store=f"lmdb://{folder / 'store'}", tenant="default", cache=folder / "cache", jobs=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample corpus, built; its replica may be deleted, its store must not change."""
    place = tmp_path_factory.mktemp("search")
    with open_knowledge(settings_of(place)) as knowledge:
        knowledge.ingest(CORPUS, [sample_folder()])
        knowledge.build(CORPUS, BuildSettings())
    return place


@pytest.fixture
def knowledge(folder: Path) -> Iterator[Knowledge]:
    """Opened anew for each test."""
    with open_knowledge(settings_of(folder)) as opened:
        yield opened


def ids(knowledge: Knowledge, tier: Granularity = "passage", limit: int = 10, **options: object) -> list[str]:
    """Ids of the hits."""
    chosen = SearchOptions.model_validate(options)
    return list(knowledge.query(CORPUS, QUESTION, tier=tier, limit=limit, options=chosen).item_ids)


@pytest.mark.parametrize("tier", ["corpus", "section", "chunk", "extraction", "proposition", "passage"])
@pytest.mark.parametrize("mode", ["hybrid", "lexical", "dense"])
def test_every_granularity_answers_in_every_mode(knowledge: Knowledge, tier: Granularity, mode: SearchMode) -> None:
    """The same hits twice; an embedder takes part unless words alone are asked for."""
    options = SearchOptions(mode=mode, gate=False)
    first = knowledge.query(CORPUS, QUESTION, tier=tier, options=options)
    assert first.hits
    assert first == knowledge.query(CORPUS, QUESTION, tier=tier, options=options)
    assert bool(first.embedder) == (mode != "lexical")
    assert [hit.score for hit in first.hits] == sorted((hit.score for hit in first.hits), reverse=True)


def test_passage_with_the_duty_comes_first(knowledge: Knowledge) -> None:
    """The clause on notifying a breach of personal data."""
    best = knowledge.query(CORPUS, "notify the controller of a personal data breach", tier="passage").hits[0]
    assert "Personal Data Breach" in best.item.text
    assert best.relevance == "correct"


def test_question_about_nothing_in_the_corpus_has_no_answer(knowledge: Knowledge) -> None:
    """No hits is an answer; without the gate the nearest come."""
    result = knowledge.query(CORPUS, "xylophone", tier="passage")
    assert result.hits == ()
    assert result.relevance == "incorrect"
    assert knowledge.query(CORPUS, "xylophone", tier="passage", options=SearchOptions(gate=False)).hits


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "dense"])
def test_filters_are_applied_before_ranking(knowledge: Knowledge, mode: SearchMode) -> None:
    """As many hits as asked, all of what is allowed, in every mode."""
    filters = SearchFilters(documents=("access-control*",), kinds=("obligation",), modalities=("mandatory",))
    options = SearchOptions(mode=mode, filters=filters, gate=False)
    result = knowledge.query(CORPUS, QUESTION, tier="extraction", limit=5, options=options)
    assert {hit.item.document_name for hit in result.hits} == {"access-control-policy.md"}
    assert {hit.item.kind for hit in result.hits} == {"obligation"}
    if mode != "lexical":
        assert len(result.hits) == 5


def test_filter_that_names_nothing_is_told(knowledge: Knowledge) -> None:
    """A mistyped document is not an empty answer."""
    with pytest.raises(NotFound, match="no document of this name"):
        ids(knowledge, filters=SearchFilters(documents=("nowhere.txt",)))
    with pytest.raises(NotFound, match="no section on this topic"):
        ids(knowledge, filters=SearchFilters(topics=("no such topic",)))


def test_small_to_big_returns_each_ancestor_once(knowledge: Knowledge) -> None:
    """Each child inside its ancestor, each ancestor once, in the order of their best child."""
    options = SearchOptions(return_level=2, gate=False)
    result = knowledge.query(CORPUS, QUESTION, tier="passage", limit=5, options=options)
    children = ids(knowledge, limit=50, gate=False)
    seen = set()
    for hit in result.hits:
        assert (hit.matched_at_level, hit.returned_at_level) == (0, 2)
        assert hit.item.item_id not in seen
        seen.add(hit.item.item_id)
        tree = {p.passage_id: p for p in knowledge.view(CORPUS).passages(hit.item.document_id)}
        for child in (tree[each] for each in hit.matched_child_ids):
            assert hit.item.char_offset_start is not None
            assert hit.item.char_offset_end is not None
            assert (
                hit.item.char_offset_start
                <= child.char_offset_start
                < child.char_offset_end
                <= hit.item.char_offset_end
            )
    firsts = [children.index(hit.matched_child_ids[0]) for hit in result.hits if hit.matched_child_ids[0] in children]
    assert firsts == sorted(firsts)


@pytest.mark.parametrize("return_level", [None, 1])
@pytest.mark.parametrize("mode", ["hybrid", "lexical", "dense"])
def test_focus_is_verbatim_and_inside_its_passage(
    knowledge: Knowledge, mode: SearchMode, return_level: int | None
) -> None:
    """A focus cites the document at its own offsets, and is the same however many hits are asked for."""
    options = SearchOptions(mode=mode, return_level=return_level, gate=False)
    hits = knowledge.query(CORPUS, QUESTION, tier="passage", limit=10, options=options).hits
    narrowed = 0
    for hit in hits:
        item, focus = hit.item, hit.focus
        if focus is None:
            continue
        view = knowledge.view(CORPUS)
        start, end = focus.char_offset_start or 0, focus.char_offset_end or 0
        assert view.text_of(view.document(item.document_id))[start:end] == focus.text
        assert (item.char_offset_start or 0) <= start < end <= (item.char_offset_end or 0)
        assert (focus.kind, focus.item_id, focus.raw_sha256) == ("focus", item.item_id, item.raw_sha256)
        narrowed += focus.text != item.text
    assert narrowed
    few = knowledge.query(CORPUS, QUESTION, tier="passage", limit=2, options=options).hits
    assert [hit.focus for hit in few] == [hit.focus for hit in hits[:2]]


def test_focus_keeps_the_words_that_answer(knowledge: Knowledge) -> None:
    """Also where words of the question happen to name a document, as those of this one do: data processing."""
    hits = knowledge.query(CORPUS, QUESTION, tier="passage").hits
    answering = [hit for hit in hits if "within 24 hours" in hit.item.text]
    assert answering
    assert all(hit.focus is not None and "within 24 hours" in hit.focus.text for hit in answering)


def test_focus_can_be_left_out_and_is_of_passages_alone(knowledge: Knowledge) -> None:
    """Without it nothing else changes."""
    plain = SearchOptions(focus=False)
    with_it = knowledge.query(CORPUS, QUESTION, tier="passage").hits
    without = knowledge.query(CORPUS, QUESTION, tier="passage", options=plain).hits
    assert any(hit.focus for hit in with_it)
    assert [hit.model_copy(update={"focus": None}) for hit in with_it] == list(without)
    assert not any(hit.focus for hit in knowledge.query(CORPUS, QUESTION, tier="chunk").hits)


def test_return_level_that_is_not_there_is_told(knowledge: Knowledge) -> None:
    """The levels that there are stand in the hint; only passages have levels."""
    with pytest.raises(UsageError, match="no such level"):
        ids(knowledge, return_level=5)
    with pytest.raises(UsageError, match="only passages have levels"):
        ids(knowledge, tier="chunk", return_level=1)


def test_proposition_is_expanded_to_passage_section_and_document(knowledge: Knowledge) -> None:
    """Each step holds the one before, verbatim; a document is given by its key sentences."""
    options = SearchOptions(expand="document")
    hit = knowledge.query(CORPUS, QUESTION, tier="proposition", limit=1, options=options).hits[0]
    passage, section, document = hit.context
    assert hit.item.text in passage.text
    assert [each.kind for each in hit.context] == ["passage", "structural section", "document"]
    assert section.char_offset_start is not None
    assert hit.item.char_offset_start is not None
    assert section.char_offset_start <= hit.item.char_offset_start
    text = knowledge.view(CORPUS).text(hit.item.document_id)
    assert all(line in text for line in document.text.split("\n"))


def test_references_inside_a_hit_are_followed(knowledge: Knowledge) -> None:
    """A resolved reference shows the target's text, which is the document's; an unresolved one says why."""
    options = SearchOptions(follow=True, gate=False)
    hits = knowledge.query(CORPUS, "in accordance with section", tier="passage", limit=40, options=options).hits
    references = [each for hit in hits for each in hit.references]
    assert any(each.kind == "cross_reference" and each.resolved for each in references)
    assert any(each.kind == "definition" for each in references)
    for each in references:
        assert each.resolved == (each.target is not None)
        assert each.resolved or each.reason


def test_explanation_adds_up_to_the_score(knowledge: Knowledge) -> None:
    """What the parts contributed is the score."""
    for tier in ("section", "passage"):
        options = SearchOptions(explain=True)
        for hit in knowledge.query(CORPUS, QUESTION, tier=tier, options=options).hits:
            assert sum(part.contribution for part in hit.parts) == pytest.approx(hit.score, abs=1e-4)


def test_replica_that_was_deleted_is_made_again(folder: Path) -> None:
    """The store is the truth: the same answer, with vectors from the store."""
    with open_knowledge(settings_of(folder)) as knowledge:
        wanted = ids(knowledge)
    shutil.rmtree(folder / "cache")
    with open_knowledge(settings_of(folder)) as knowledge:
        assert ids(knowledge) == wanted


@pytest.mark.parametrize("name", ["rows.npy", "ids.npy"])
def test_replica_that_was_cut_is_made_again(folder: Path, tmp_path: Path, name: str) -> None:
    """A truncated file is noticed when it is opened, and costs time, no answer."""
    place = tmp_path / "own"
    shutil.copytree(folder, place)
    # The replica's place depends on the store's, so it is made in the copy first.
    with open_knowledge(settings_of(place)) as knowledge:
        wanted = ids(knowledge)
    for file in (place / "cache").rglob(f"passage/{name}"):
        content = file.read_bytes()
        file.unlink()  # not cut in place: it may be mapped still
        file.write_bytes(content[:100])
    with open_knowledge(settings_of(place)) as knowledge:
        assert ids(knowledge) == wanted


def ask(place: Path, answers: multiprocessing.Queue[list[str]]) -> None:
    """One of several processes over one cache."""
    with open_knowledge(settings_of(place)) as knowledge:
        answers.put(ids(knowledge))


def test_processes_that_make_one_replica_at_once_agree(folder: Path, tmp_path: Path) -> None:
    """Neither sees half a replica."""
    place = tmp_path / "own"
    shutil.copytree(folder, place, ignore=shutil.ignore_patterns("cache"))
    answers: multiprocessing.Queue[list[str]] = WARM.Queue()
    running = [WARM.Process(target=ask, args=(place, answers)) for _ in range(3)]
    for process in running:
        process.start()
    found = [answers.get(timeout=60) for _ in running]
    for process in running:
        process.join(60)
    assert found[0]
    assert found[1:] == [found[0]] * 2


def test_store_with_vectors_validates_and_travels(folder: Path, tmp_path: Path) -> None:
    """Vectors are rows like others: checked, archived, and found again without embedding."""
    from coditect.knowledge.archive.export import export_corpus
    from coditect.knowledge.archive.format import open_archive
    from coditect.knowledge.archive.importing import import_archive

    archive = tmp_path / "corpus.archive"
    with open_knowledge(settings_of(folder)) as knowledge:
        ids(knowledge)
        assert knowledge.validate(CORPUS).findings == ()
        wanted = ids(knowledge)
        with archive.open("wb") as file:
            export_corpus(knowledge.store, CORPUS, file)
    with open_knowledge(settings_of(tmp_path / "other")) as knowledge:
        with archive.open("rb") as file:
            import_archive(knowledge.store, open_archive(file))
        before = promises(knowledge)
        assert before
        assert ids(knowledge) == wanted
        assert promises(knowledge) == before


def promises(knowledge: Knowledge) -> list[Derivation]:
    """The derivations that name blocks of vectors."""
    return [d for _, d in knowledge.store.scan("derivations", Derivation, CORPUS) if d.stage == "vectors"]


def test_statement_that_leans_on_its_context_says_so_beside_its_words(knowledge: Knowledge) -> None:
    """The verbatim text stays; what was put in stands verbatim elsewhere in the document."""
    view = knowledge.view(CORPUS)
    found = 0
    for document_id in view.entries:
        text = view.text(document_id)
        for item in view.extractions(document_id):
            assert isinstance(item, Extraction)
            assert item.source_text == text[item.char_offset_start : item.char_offset_end]
            for each in item.standalone.resolutions if item.standalone else ():
                found += 1
                assert text[each.source_start : each.source_end] == each.text
    assert found > 20


def test_vectors_that_lost_their_block_are_a_finding(folder: Path, tmp_path: Path) -> None:
    """The derivation promises the block: validation says which is not there."""
    place = tmp_path / "own"
    shutil.copytree(folder, place)
    with open_knowledge(settings_of(place)) as knowledge:
        ids(knowledge)
        promised = promises(knowledge)[0]
        knowledge.store.remove("blobs", CORPUS, promised.outputs[0].partition(":")[0], 0)
        findings = knowledge.validate(CORPUS).findings
    assert any(promised.derivation_id in f"{finding.record} {finding.message}" for finding in findings)


@pytest.mark.parametrize("kind", OPTIONS)
def test_answers_are_those_that_were_written_down(knowledge: Knowledge, kind: str) -> None:
    """Places, order, focus, and every figure that made them; see :mod:`tests.integration.pinned_answers`."""
    written = pinned()
    assert written.keys() == ASKED.keys()
    for name in (name for name in ASKED if name.startswith(f"{kind}:")):
        found, before = answers(knowledge, *ASKED[name]), written[name]
        assert found["relevance"] == before["relevance"], name
        assert len(found["hits"]) == len(before["hits"]), name
        for hit, was in zip(found["hits"], before["hits"], strict=True):
            assert hit.pop("figures") == pytest.approx(was.pop("figures"), abs=2e-3), name
            assert hit == was, name
