"""kill -9 at any moment while vectors are embedded: the next question is answered right, and nothing stored is embedded twice."""

from __future__ import annotations

import random
from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from coditect.integrity.validate import validate
from coditect.retrieve.embedding import SECTIONS_AT_ONCE
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.search import HybridSearcher
from coditect.retrieve.port import Request, Searcher
from coditect.retrieve.units import DOCUMENT_GRANULARITIES
from coditect.schemas import Derivation, Granularity
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.embedder.hashing import HashingEmbedder
from tests.corpora import CORPUS, build_all, folder_of, ingest_all, many_documents
from tests.effort import times
from tests.killed_programs import Program
from tests.places import copy_place, open_at

IN_HAND = max(len(DOCUMENT_GRANULARITIES), SECTIONS_AT_ONCE)
"""Blocks of a document, or of some sections: what a kill loses at most."""

KILLS = times(10, least=5)
PARTS = times(4, least=2)
QUESTION = "notify customers of an incident within 72 hours"
GRANULARITIES: tuple[Granularity, ...] = ("extraction", "chunk", "passage", "section", "corpus")

SCRIPT = """
import sys
from pathlib import Path
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.search import HybridSearcher
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.embedder.hashing import HashingEmbedder
from tests.corpora import CORPUS
from tests.places import open_at

class Logging(HashingEmbedder):
    def embed(self, texts, *, query=False):
        with open(log, "ab", 0) as file:
            file.write(b".")  # one call, begun
        print("step", flush=True)
        return super().embed(texts, query=query)

if __name__ == "__main__":
    store, cache, log, qdrant = sys.argv[1:]
    embedder = Logging()
    replicas = Replicas(Store(open_at(Path(store), durable=True)), Path(cache))
    if qdrant:
        from coditect.retrieve.qdrant.searcher import QdrantSearcher
        searcher = QdrantSearcher(replicas.store, qdrant, lambda: embedder)
    else:
        searcher = HybridSearcher(replicas, lambda: embedder)
    view = open_view(replicas.store, CORPUS)
    replicas.index(view, "section")  # words first, so that every moment from now on is one of embedding
    print("ready", flush=True)
    searcher.refresh(view)
    print("done", flush=True)
"""


@dataclass(frozen=True)
class Place:
    """Where one store, its replicas and the calls of its embedders are.

    Attributes:
        folder: below it they lie.
        qdrant: a folder for Qdrant's local mode; "" for the local replicas.
    """

    folder: Path
    qdrant: str = ""

    @property
    def store(self) -> Path:
        return self.folder / "store"

    @property
    def arguments(self) -> tuple[object, ...]:
        """Of the program that embeds here."""
        return self.store, self.folder / "cache", self.folder / "calls", self.qdrant

    def calls(self) -> int:
        """Calls of an embedder that processes began so far."""
        log = self.folder / "calls"
        return log.stat().st_size if log.exists() else 0


@dataclass(frozen=True)
class Undisturbed:
    """What a process that is left alone gives.

    Attributes:
        store: built, without vectors.
        blocks: of vectors in the store.
        calls: of the embedder.
        answers: to the question, by granularity.
    """

    store: Path
    blocks: int
    calls: int
    answers: dict[Granularity, list[str]]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """Embeds, and is killed."""
    return Program.written(tmp_path_factory.mktemp("program") / "embed.py", SCRIPT)


@pytest.fixture(scope="module")
def undisturbed(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """One run from beginning to end."""
    base = tmp_path_factory.mktemp("undisturbed")
    with closing(open_at(base / "built")) as engine:
        ingest_all(Store(engine), folder_of(base / "files", many_documents(8)))
        build_all(Store(engine))
    place = _copied(base / "built", base / "run")
    assert program.steps(*place.arguments) == place.calls()
    calls = place.calls()
    blocks = len(_stored(place))
    answers, embedder = _answers(place)
    assert embedder.texts == [QUESTION] * len(GRANULARITIES), "a process that ends has embedded everything"
    assert calls == blocks + 1, "one call for each block, and one for the claims, which have none"
    return Undisturbed(base / "built", blocks, calls, answers)


def _copied(built: Path, folder: Path, qdrant: str = "") -> Place:
    folder.mkdir()
    copy_place(built, folder / "store")
    return Place(folder, str(folder / qdrant) if qdrant else "")


def _stored(place: Place) -> frozenset[str]:
    """The blocks of vectors that the store promises; what it promises is there and whole."""
    with closing(open_at(place.store)) as engine:
        store = Store(engine)
        promised = [each for _, each in store.scan("derivations", Derivation, CORPUS) if each.stage == "vectors"]
        for each in promised:
            digest, _, size = each.outputs[0].partition(":")
            assert len(store.get_blob(CORPUS, digest, int(size))) == int(size)
        return frozenset(each.derivation_id for each in promised)


def _answers(place: Place) -> tuple[dict[Granularity, list[str]], HashingEmbedder]:
    """What a question finds now, by meaning and at every granularity, and the embedder that was asked."""
    embedder = HashingEmbedder()
    with closing(open_at(place.store)) as engine:
        replicas = Replicas(Store(engine), place.folder / "cache")
        searcher: Searcher = HybridSearcher(replicas, lambda: embedder)
        if place.qdrant:
            from coditect.retrieve.qdrant.searcher import QdrantSearcher

            searcher = QdrantSearcher(replicas.store, place.qdrant, lambda: embedder)
        view = open_view(replicas.store, CORPUS)
        found = {}
        for granularity in GRANULARITIES:
            answer = searcher.search(view, Request(QUESTION, granularity, 500, "dense"))
            found[granularity] = [
                each.item_id for each in sorted(answer.found, key=lambda each: (-each.score, each.item_id))
            ]
        if isinstance(searcher, HybridSearcher):
            assert validate(replicas.store, CORPUS).findings == ()
        else:
            searcher.close()  # type: ignore[attr-defined]
    return found, embedder


def test_kills_while_embedding_lose_the_document_in_hand_at_most(
    program: Program, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    """Each run goes on where the last was killed; the answer in the end is the undisturbed one, for no more work than was lost."""
    place = _copied(undisturbed.store, tmp_path / "run")
    moments = random.Random(30)  # noqa: S311 - any moments, but the same ones
    halfway = 0
    stored: frozenset[str] = frozenset()
    for _ in range(KILLS):
        before = place.calls()
        program.killed(moments.randrange(1, 10), moments.uniform(0.0, 0.003), *place.arguments)
        now = _stored(place)
        assert stored <= now
        begun = place.calls() - before
        assert len(now) - len(stored) <= begun <= len(now) - len(stored) + IN_HAND, (
            "what is stored is not embedded again"
        )
        halfway += len(stored) < len(now) < undisturbed.blocks
        stored = now
    assert halfway >= 2, "the kills came too early or too late to mean anything"
    answers, embedder = _answers(place)
    assert answers == undisturbed.answers
    assert embedder.calls <= undisturbed.blocks - len(stored) + 1 + len(GRANULARITIES)
    assert len(_stored(place)) == undisturbed.blocks


@pytest.mark.parametrize("number", range(PARTS))
def test_question_after_a_kill_at_any_moment_is_answered_right(
    program: Program, undisturbed: Undisturbed, tmp_path: Path, number: int
) -> None:
    """Kills spread over the whole length, each of a store of its own; the question embeds what is missing, and that alone."""
    place = _copied(undisturbed.store, tmp_path / "run")
    moments = random.Random(40 + number)  # noqa: S311 - as above
    steps = int(moments.uniform(number / PARTS, (number + 1) / PARTS) * undisturbed.calls)
    at_work = program.killed(steps, moments.uniform(0.0, 0.003), *place.arguments)
    stored = _stored(place)
    answers, embedder = _answers(place)
    assert answers == undisturbed.answers
    missing = undisturbed.blocks - len(stored)
    # A process that was killed before the replica had its name has the claims embedded once more.
    assert embedder.calls - len(GRANULARITIES) - missing in ((0, 1) if missing == 0 or not at_work else (1,))
    assert _stored(place) >= stored


@pytest.mark.skipif(find_spec("qdrant_client") is None, reason="needs the extra [qdrant]")
def test_kills_while_a_qdrant_is_filled_are_made_good(
    program: Program, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    """A folder of points that is half full is filled up by the next process; vectors come from the store where it has them."""
    place = _copied(undisturbed.store, tmp_path / "run", "qdrant")
    moments = random.Random(50)  # noqa: S311 - as above
    stored: frozenset[str] = frozenset()
    for _ in range(times(4, least=2)):
        before = place.calls()
        program.killed(moments.randrange(undisturbed.calls), moments.uniform(0.0, 0.003), *place.arguments)
        now = _stored(place)
        assert stored <= now
        assert place.calls() - before <= len(now) - len(stored) + IN_HAND
        stored = now
    answers, _ = _answers(place)
    assert {name: set(ids) for name, ids in answers.items()} == {
        name: set(ids) for name, ids in undisturbed.answers.items()
    }
    assert len(_stored(place)) == undisturbed.blocks
