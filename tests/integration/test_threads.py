"""Many threads on one :class:`Knowledge`: what each is told is what it would be told alone."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from coditect import BuildSettings, Conflict, Knowledge, SearchOptions
from coditect.knowledge.cases import base
from coditect.knowledge.query import enclosures, kept, sources
from coditect.retrieve import recent
from coditect.retrieve.lookup import live
from coditect.retrieve.port import Answer, Found, Request
from coditect.schemas import Granularity
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from tests.corpora import CORPUS, MODELS, SETTINGS, clock, copy_of, folder_of
from tests.integration.archives import history_memory

THREADS = 4
KEEPING = tuple(
    f"coditect/{module.__name__.partition('.')[2].replace('.', '/')}.py"
    for module in (recent, enclosures, sources, live, kept)
)
"""The files whose lines are interleaved."""

CHANCE = random.Random(7)  # noqa: S311 - where threads give way; any places will do
QUESTIONS = ("report an incident", "retention of records", "section 1.1")


class ScanningSearcher:
    """A searcher without a replica: every unit of a generation, by how many of the question's words it holds."""

    def __init__(self) -> None:
        self.refreshed: list[int] = []

    def search(self, view: View, request: Request) -> Answer:
        """The units with most of the words; equal ones by id."""
        words = set(request.query.casefold().split())
        units = [
            Found(item_id, document_id, float(len(words & set(text.casefold().split()))))
            for item_id, document_id, text in _units(view, request.granularity)
            if request.only is None or not request.only.listed or "shall" in text
        ]
        best = sorted((each for each in units if each.score), key=lambda each: (-each.score, each.item_id))
        return Answer(tuple(best[: request.limit]), mode="lexical")

    def rerank(self, query: str, found: Sequence[Found], texts: Sequence[str]) -> tuple[Found, ...]:
        """By the length of the texts."""
        order = sorted(range(len(texts)), key=lambda at: (len(texts[at]), found[at].item_id))
        return (*(replace(found[at], score=1.0) for at in order), *found[len(texts) :])

    def forget(self, corpus_id: str) -> tuple[str, ...]:
        """Nothing is kept."""
        return ()

    def is_ready(self, view: View) -> bool:
        """There is nothing to make."""
        return True

    def preparing(self, corpus_id: str) -> AbstractContextManager[None]:
        """Nothing is made of documents where they are derived."""
        return nullcontext()

    def refresh(
        self, view: View, progress: Callable[[str, int, int], None] | None = None, prepared: object = None
    ) -> None:
        """Nothing to catch up with."""
        self.refreshed.append(view.generation)


def _units(view: View, granularity: Granularity) -> Iterator[tuple[str, str, str]]:
    if granularity == "section":
        yield from ((each.section_id, "", " ".join(p.content for p in each.content)) for each in view.sections)
    elif granularity == "corpus":
        yield from ((each.claim_id, "", each.text) for each in view.claims.values())
    for document_id in view.entries if granularity not in ("section", "corpus") else ():
        if granularity == "chunk":
            for chunk in view.chunks(document_id):
                yield chunk.chunk_id, document_id, " ".join(each.text for each in chunk.selected_sentences)
        elif granularity == "passage":
            text = view.text(document_id)
            for passage in view.passages(document_id):
                if passage.level == 0:
                    at = slice(passage.char_offset_start, passage.char_offset_end)
                    yield passage.passage_id, document_id, text[at]
        else:
            for each in view.extractions(document_id):
                yield each.extraction_id, document_id, each.source_text


def _knowledge(store: Store) -> Knowledge:
    return Knowledge(store, ScanningSearcher(), clock=clock, jobs=1, models=MODELS, passages=SETTINGS.passages)


@pytest.fixture
def crowded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Room for next to nothing, so that everything that is kept is let go all the time; and threads that change often."""
    monkeypatch.setattr(base, "OPEN_VIEWS", 1)
    monkeypatch.setattr(enclosures, "KEPT_DOCUMENTS", 1)
    monkeypatch.setattr(enclosures, "KEPT_TREES", 1)
    monkeypatch.setattr(enclosures, "KEPT_PASSAGES", 2)
    monkeypatch.setattr(sources, "KEPT_NODES", 1)
    monkeypatch.setattr(sources, "KEPT_PAGE_MAPS", 1)
    monkeypatch.setattr(sources, "KEPT_CHARACTERS", 100)
    monkeypatch.setattr(live, "KEPT_TERMS", 1)
    threading.settrace(_give_way)
    yield
    threading.settrace(None)


def _give_way(frame: FrameType, event: str, _argument: Any) -> Any:  # noqa: ANN401 - as threading.settrace calls it
    """Let other threads go on, now and then for long, between lines of the code that keeps things."""
    if not frame.f_code.co_filename.endswith(KEEPING):
        return None
    if event == "line" and CHANCE.random() < 0.1:
        for _ in range(30):
            time.sleep(0)  # no waiting: the turn goes to another thread that can run
    return _give_way


Asked = tuple[str, Granularity, int, SearchOptions | None]

OPTIONS: dict[Granularity, SearchOptions | None] = {
    "corpus": None,
    "section": None,
    "chunk": SearchOptions(expand="document", follow=True),
    "extraction": SearchOptions(expand="section", follow=True, gate=False),
    "passage": SearchOptions(return_level=1, expand="document"),
    "proposition": SearchOptions(expand="passage"),
}


def _asked(generations: Sequence[int]) -> list[Asked]:
    return [
        (question, tier, generation, options)
        for generation in generations
        for tier, options in OPTIONS.items()
        for question in QUESTIONS
    ]


def _answer(knowledge: Knowledge, asked: Asked) -> str:
    question, tier, generation, options = asked
    found = knowledge.query(
        CORPUS, question, tier=tier, as_of=generation, options=options, include_sources=True, limit=5
    )
    return found.model_dump_json()


def _at_once(tasks: Sequence[Callable[[], None]]) -> None:
    """Run tasks in a thread each, all beginning together; the first error is raised."""
    start = threading.Barrier(len(tasks))

    def begin(task: Callable[[], None]) -> None:
        start.wait()
        task()

    with ThreadPoolExecutor(len(tasks)) as pool:
        for done in [pool.submit(begin, task) for task in tasks]:
            done.result()


@pytest.mark.usefixtures("crowded")
def test_many_threads_are_told_what_each_would_be_told_alone() -> None:
    """Questions of every tier at every generation, in any order, beside an ingest and two builds, and chains beside them."""
    memory = MemoryStore()
    memory.state = history_memory().state
    asked = _asked((1, 2, 3))
    alone = _knowledge(copy_of(history_memory()))
    expected = [_answer(alone, each) for each in asked]
    assert sum('"hits":[]' not in each for each in expected) > len(asked) // 2, "too few answers to mean anything"
    sections = [each.section_id for each in alone.view(CORPUS, 1).sections]
    chains = {each: alone.chain(each, as_of=1) for each in sections}
    knowledge = _knowledge(Store(MemoryEngine(memory)))

    def ask(seed: int) -> None:
        order = random.Random(seed).sample(range(len(asked)), len(asked) // 3)  # noqa: S311 - any order, but the same one
        for at in order:
            assert _answer(knowledge, asked[at]) == expected[at], asked[at]
        for each in sections:
            assert knowledge.chain(each, as_of=1) == chains[each]

    def build() -> None:
        for _ in range(2):
            knowledge.build(CORPUS, BuildSettings())
            assert knowledge.pending_reviews(CORPUS, as_of=1) == alone.pending_reviews(CORPUS, as_of=1)

    _at_once([build, *(partial(ask, seed) for seed in range(THREADS))])
    assert knowledge.status(CORPUS)[0].generation == 4
    assert knowledge.validate(CORPUS).clean


@pytest.mark.usefixtures("crowded")
def test_views_are_opened_by_many_threads_at_once() -> None:
    """There is room for one: each thread is given the generation that it asked for, while others put it out."""
    knowledge = _knowledge(copy_of(history_memory()))

    def look(seed: int) -> None:
        for generation in random.Random(seed).choices((1, 2, 3), k=40):  # noqa: S311 - as above
            assert knowledge.view(CORPUS, generation).generation == generation

    _at_once([partial(look, seed) for seed in range(THREADS)])


@pytest.mark.usefixtures("crowded")
def test_what_encloses_an_item_is_read_by_many_threads_at_once() -> None:
    """Passages, outlines and summaries of documents that put each other out are those of the document that was asked for."""
    view = open_view(copy_of(history_memory()), CORPUS)
    chunks = [chunk for document in view.entries for chunk in view.chunks(document)]
    alone = enclosures.Enclosures(view, sources.SourceBuilder(view))
    expected = {chunk.chunk_id: alone.around(chunk, "document") for chunk in chunks}
    shared = enclosures.Enclosures(view, sources.SourceBuilder(view))

    def look(seed: int) -> None:
        for chunk in random.Random(seed).choices(chunks, k=15):  # noqa: S311 - as above
            assert shared.around(chunk, "document") == expected[chunk.chunk_id]

    _at_once([partial(look, seed) for seed in range(THREADS)])


@pytest.mark.usefixtures("crowded")
def test_a_question_is_answered_from_one_generation_while_builds_publish(tmp_path: Path) -> None:
    """Without ``as_of`` each answer is, to the last byte, the one of the generation that it names."""
    memory = MemoryStore()
    memory.state = history_memory().state
    knowledge = _knowledge(Store(MemoryEngine(memory)))
    answers: list[str] = []
    published = threading.Event()

    def ask() -> None:
        last = False
        while not last:
            last = published.is_set()  # one more round after the last build
            for question in QUESTIONS:
                found = knowledge.query(CORPUS, question, tier="chunk", include_sources=True)
                answers.append(found.model_dump_json())

    def build() -> None:
        try:
            for number in range(2):
                folder = folder_of(tmp_path / str(number), {"new.md": f"# New\n\nStaff shall report {number} times.\n"})
                knowledge.ingest(CORPUS, [folder])
                knowledge.build(CORPUS, BuildSettings())
        finally:
            published.set()

    _at_once([build, ask, ask])
    alone = _knowledge(Store(MemoryEngine(memory)))
    newest = knowledge.status(CORPUS)[0].generation
    assert newest >= 4
    expected = {
        alone.query(CORPUS, question, tier="chunk", include_sources=True, as_of=generation).model_dump_json()
        for question in QUESTIONS
        for generation in range(3, newest + 1)
    }
    assert set(answers) <= expected
    assert f'"generation":{newest},' in answers[-1]


@pytest.mark.usefixtures("crowded")
def test_builds_of_one_corpus_at_once_publish_one_generation() -> None:
    """One publishes; the others publish the same, or say that they came second; the corpus is whole."""
    memory = MemoryStore()
    memory.state = history_memory().state
    knowledge = _knowledge(Store(MemoryEngine(memory)))
    published: list[str] = []

    def build() -> None:
        try:
            published.append(knowledge.build(CORPUS, BuildSettings()).build_id)
        except Conflict as error:
            assert "finished first" in error.message  # noqa: PT017 - one of two outcomes

    _at_once([build] * 3)
    assert len(set(published)) == 1
    assert knowledge.status(CORPUS)[0].build_id == published[0]
    assert knowledge.status(CORPUS)[0].generation == 4
    assert knowledge.validate(CORPUS).clean


def test_views_that_were_used_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A generation that is asked again and again stays open, whatever else is looked at."""
    monkeypatch.setattr(base, "OPEN_VIEWS", 2)
    knowledge = _knowledge(copy_of(history_memory()))
    newest = knowledge.view(CORPUS)
    for generation in (1, 2, 1, 2):
        knowledge.view(CORPUS, generation)
        assert knowledge.view(CORPUS) is newest
    knowledge.view(CORPUS, 1)
    knowledge.view(CORPUS, 2)
    assert knowledge.view(CORPUS) is not newest
