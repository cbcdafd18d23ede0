"""The collection as a replica: it follows generations, and the store stays the only truth."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from qdrant_client import QdrantClient, models

from coditect.errors import ModelError, SchemaError, Unavailable, UsageError
from coditect.models.port import Encoded, ModelCard
from coditect.retrieve.qdrant.collection import forget_points
from coditect.retrieve.qdrant.connection import open_client
from coditect.retrieve.qdrant.searcher import QdrantSearcher
from coditect.schemas import Granularity, SearchMode, tag_of
from coditect.store.store import Store
from coditect.testing.embedder.hashing import HashingEmbedder
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from tests.corpora import CORPUS, build_all, folder_of, ingest_all
from tests.unit.retrieve.qdrant.corpus import (
    GRANULARITIES,
    default_searcher,
    found,
    qdrant_searcher,
    request,
    view_of,
)

ALL = request(limit=500)


@pytest.fixture
def searcher(built: Store, tmp_path: Path) -> Iterator[QdrantSearcher]:
    """The adapter over the small corpus."""
    with closing(qdrant_searcher(built)) as opened:
        yield opened


def client_of(searcher: QdrantSearcher) -> QdrantClient:
    """What the searcher speaks to."""
    return searcher._client


def collections(searcher: QdrantSearcher) -> list[str]:
    """Names of the collections that there are."""
    return [each.name for each in client_of(searcher).get_collections().collections]


def change(store: Store, folder: Path) -> None:
    """A second generation, in which one document says something else."""
    ingest_all(
        store, folder_of(folder / "changed", {"access.md": "# Access\n\nThe auditor shall sign the register.\n"})
    )
    build_all(store)


def test_question_about_an_earlier_generation_is_answered_from_it(
    built: Store, tmp_path: Path, searcher: QdrantSearcher
) -> None:
    """Units of other generations lie in the same collection, and never answer."""
    now, then = found(searcher, view_of(built), ALL), view_of(built)
    change(built, tmp_path)
    later = found(searcher, view_of(built), ALL)
    assert set(later) != set(now)
    reference = default_searcher(built, tmp_path)
    assert set(later) == set(found(reference, view_of(built), ALL))
    assert found(searcher, then, ALL) == now
    assert found(searcher, view_of(built, 1), ALL) == now
    assert found(searcher, view_of(built, 2), ALL) == later


def test_new_generation_embeds_only_what_is_new(built: Store, tmp_path: Path) -> None:
    """Vectors come from the store; documents that did not change are not touched."""
    embedder = HashingEmbedder()
    with closing(qdrant_searcher(built, embedder)) as searcher:
        searcher.refresh(view_of(built))
        first = len(embedder.texts)
        change(built, tmp_path)
        searcher.refresh(view_of(built))
    assert 0 < len(embedder.texts) - first < first
    again = HashingEmbedder()
    with closing(qdrant_searcher(built, again)) as searcher:
        searcher.refresh(view_of(built))
    assert len(again.texts) == len(view_of(built).summary.claims)


def test_vectors_are_shared_with_the_default_searcher(built: Store, tmp_path: Path) -> None:
    """What one of them embedded, the other finds in the store."""
    default_searcher(built, tmp_path).refresh(view_of(built))
    embedder = HashingEmbedder()
    with closing(qdrant_searcher(built, embedder)) as searcher:
        searcher.refresh(view_of(built))
    assert len(embedder.texts) == len(view_of(built).summary.claims)


def test_folder_that_is_opened_again_is_not_filled_again(
    built: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Local mode keeps the points, and marks say that they are whole."""
    place = str(tmp_path / "qdrant")
    with closing(qdrant_searcher(built, place=place)) as searcher:
        wanted = found(searcher, view_of(built), ALL)
    with closing(qdrant_searcher(built, place=place)) as searcher:
        monkeypatch.setattr(QdrantClient, "upsert", None)
        assert found(searcher, view_of(built), ALL) == wanted


@pytest.mark.parametrize("granularity", GRANULARITIES)
def test_collection_that_was_deleted_is_filled_again(
    built: Store, searcher: QdrantSearcher, granularity: Granularity
) -> None:
    """While the searcher is open; the next question is right."""
    asked = request(granularity=granularity, limit=500)
    wanted = found(searcher, view_of(built), asked)
    (name,) = collections(searcher)
    client_of(searcher).delete_collection(name)
    assert found(searcher, view_of(built), asked) == wanted


def points_of(client: QdrantClient) -> list[tuple[str, str]]:
    """(collection, tag of the corpus) of every point."""
    return [
        (each.name, (record.payload or {})["corpus"])
        for each in client.get_collections().collections
        for record in client.scroll(each.name, limit=10_000)[0]
    ]


def test_forgotten_corpus_leaves_no_point_of_any_model_and_no_byte_in_the_folder(built: Store, tmp_path: Path) -> None:
    """An erasure may follow a change of the model; a question fills the folder again."""
    place = tmp_path / "qdrant"
    for dimension in (64, 128):
        with closing(qdrant_searcher(built, HashingEmbedder(dimension), place=str(place))) as searcher:
            wanted = found(searcher, view_of(built), ALL)
            names = collections(searcher)
    assert len(names) == 2
    assert all(any(each.encode() in path.read_bytes() for path in place.rglob("*.sqlite")) for each in wanted)
    with closing(QdrantSearcher(built, str(place), None)) as searcher:  # no model is configured any more
        assert searcher.forget(CORPUS) == ()
        assert points_of(client_of(searcher)) == []
    held = [path.read_bytes() for path in place.rglob("*") if path.is_file()]
    assert not [each for each in wanted if any(each.encode() in data for data in held)]
    with closing(qdrant_searcher(built, HashingEmbedder(128), place=str(place))) as searcher:
        assert found(searcher, view_of(built), ALL) == wanted


def test_forgotten_corpus_leaves_the_points_of_others_on_a_server(built: Store, searcher: QdrantSearcher) -> None:
    """A server takes points out one by one; the open searcher fills them again when it is asked."""
    wanted = found(searcher, view_of(built), ALL)
    client = client_of(searcher)
    (name,) = collections(searcher)
    record = client.scroll(name, limit=1, with_vectors=True)[0][0]
    other = models.PointStruct(
        id=str(uuid.uuid4()), vector=record.vector or {}, payload={**(record.payload or {}), "corpus": "another"}
    )
    client.upsert(name, [other])
    client.create_collection("theirs", vectors_config=models.VectorParams(size=2, distance=models.Distance.DOT))
    client.upsert("theirs", [models.PointStruct(id=1, vector=[1.0, 0.0], payload={"corpus": tag_of(CORPUS)})])
    forget_points(client, CORPUS, whole=False)
    assert sorted(points_of(client)) == sorted([(name, "another"), ("theirs", tag_of(CORPUS))])
    assert found(searcher, view_of(built), ALL) == wanted


def test_points_that_were_deleted_come_back(built: Store, searcher: QdrantSearcher) -> None:
    """A mark that promises more than there is does not count."""
    wanted = found(searcher, view_of(built), ALL)
    (name,) = collections(searcher)
    where = models.FieldCondition(key="item_id", match=models.MatchValue(value=wanted[0]))
    client_of(searcher).delete(name, points_selector=models.FilterSelector(filter=models.Filter(must=[where])))
    assert found(searcher, view_of(built), ALL) == wanted


def test_filling_that_was_cut_goes_on_where_it_was(built: Store, tmp_path: Path) -> None:
    """A failing model leaves whole states; a document is there with its mark, or is put there again."""
    place = str(tmp_path / "qdrant")
    failing = qdrant_searcher(built, HashingEmbedder(fails_at=6), place=place)
    with closing(failing) as searcher, pytest.raises(ModelError):
        searcher.refresh(view_of(built))
    with closing(qdrant_searcher(built, place=place)) as searcher:
        assert set(found(searcher, view_of(built), ALL)) == set(
            found(default_searcher(built, tmp_path), view_of(built), ALL)
        )


def test_units_that_no_generation_needs_are_taken_out(built: Store, tmp_path: Path) -> None:
    """The collection does not grow with every build; a generation that was taken out is put there again for a question."""
    place = str(tmp_path / "qdrant")
    with closing(qdrant_searcher(built, place=place)) as searcher:
        wanted = found(searcher, view_of(built), ALL)
        for number in range(5):
            text = f"# Access\n\nThe auditor shall sign register {number} within {number + 2} days.\n"
            ingest_all(built, folder_of(tmp_path / f"change-{number}", {"access.md": text}))
            build_all(built)
    with closing(qdrant_searcher(built, place=place)) as searcher:
        searcher.refresh(view_of(built))
        (name,) = collections(searcher)
        kept, _ = client_of(searcher).scroll(name, limit=10_000, with_payload=["item_id"])
        present = {(point.payload or {}).get("item_id") for point in kept}
        gone = set(wanted) - set(found(searcher, view_of(built), ALL))
        assert gone
        assert not gone & present
        assert found(searcher, view_of(built, 1), ALL) == wanted


def test_another_embedder_has_a_collection_of_its_own(built: Store, tmp_path: Path) -> None:
    """Vectors of two models are never compared, whatever their dimensions."""
    place = str(tmp_path / "qdrant")
    for embedder in (HashingEmbedder(), HashingEmbedder(32, "other@1"), HashingEmbedder()):
        with closing(qdrant_searcher(built, embedder, place=place)) as searcher:
            answer = searcher.search(view_of(built), request("hybrid"))
            assert answer.embedder == embedder.card.model_id
            assert answer.found
            names = collections(searcher)
    assert len(names) == 2


def test_vectors_of_another_dimension_have_a_collection_of_their_own(built: Store, tmp_path: Path) -> None:
    """Though the models are called the same: what one put there, the other never meets."""
    place = str(tmp_path / "qdrant")
    for embedder in (HashingEmbedder(32), HashingEmbedder()):
        with closing(qdrant_searcher(built, embedder, place=place)) as searcher:
            wanted = found(
                default_searcher(built, tmp_path / str(embedder.card.dimension), embedder), view_of(built), ALL
            )
            assert set(found(searcher, view_of(built), ALL)) == set(wanted)
            names = collections(searcher)
    assert len(names) == 2


def test_points_that_are_not_its_own_are_taken_out(built: Store, searcher: QdrantSearcher) -> None:
    """More points than a generation has are as wrong as fewer."""
    wanted = found(searcher, view_of(built), ALL)
    (name,) = collections(searcher)
    client = client_of(searcher)
    (point, *_), _ = client.scroll(
        name,
        scroll_filter=models.Filter(
            must=[models.FieldCondition(key="item_id", match=models.MatchValue(value=wanted[0]))]
        ),
        with_vectors=True,
    )
    foreign = {**(point.payload or {}), "item_id": f"extraction_{'0' * 40}"}
    vector: Any = point.vector
    client.upsert(name, [models.PointStruct(id=1, vector=vector, payload=foreign)])
    assert found(searcher, view_of(built), ALL) == wanted


class Liar(HashingEmbedder):
    """Gives vectors of another dimension than its card states."""

    @property
    def card(self) -> ModelCard:
        """Half the truth."""
        return ModelCard("liar@1", super().card.dimension // 2)


def test_model_whose_vectors_are_not_what_its_card_states_is_told(built: Store, tmp_path: Path) -> None:
    """Before anything is written, and before anything is asked."""
    with closing(qdrant_searcher(built, Liar())) as searcher:
        with pytest.raises(SchemaError, match="shape"):
            searcher.refresh(view_of(built))
        with pytest.raises(SchemaError, match="shape"):
            searcher.search(view_of(built), request())


@pytest.mark.parametrize("mode", ["lexical", "dense", "hybrid"])
def test_generation_without_units_answers_nothing(
    built: Store, tmp_path: Path, searcher: QdrantSearcher, mode: SearchMode
) -> None:
    """Nothing to find is no error, and another generation's sections and claims are nothing."""
    searcher.refresh(view_of(built))
    ingest_all(built, folder_of(tmp_path / "dull", {"sun.md": "The sun shines.\n"}), sync=True)
    build_all(built)
    for granularity in ("section", "corpus"):
        asked = request(mode, granularity=granularity)
        assert found(searcher, view_of(built), asked) == []
        assert found(searcher, view_of(built, 1), asked)


def test_collection_for_documents_without_statements_is_made(memory: Store, tmp_path: Path) -> None:
    """A document may hold nothing that answers at some granularity."""
    ingest_all(memory, folder_of(tmp_path / "few", {"number.md": "42\n", "sun.md": "The sun shines.\n"}))
    build_all(memory)
    reference = default_searcher(memory, tmp_path)
    with closing(qdrant_searcher(memory)) as searcher:
        for granularity in GRANULARITIES:
            asked = request("hybrid", granularity=granularity)
            mine = found(searcher, view_of(memory), asked)
            assert set(mine) == set(found(reference, view_of(memory), asked))


def test_other_corpora_and_tenants_never_answer(tmp_path: Path) -> None:
    """In one vector store, with the same documents: each question finds its own corpus' items only."""
    memory = MemoryStore()
    place = str(tmp_path / "qdrant")
    text = "# Rules\n\nThe team shall notify customers of an incident within {} hours.\n"
    stores = [Store(MemoryEngine(memory), tenant) for tenant in ("one", "two")]
    for number, store in enumerate(stores):
        for corpus in (CORPUS, "other"):
            folder = tmp_path / f"{number}-{corpus}"
            ingest_all(store, folder_of(folder, {"rules.md": text.format(number + len(corpus))}), corpus=corpus)
            build_all(store, corpus=corpus)
    answers = []
    for store in stores:
        with closing(qdrant_searcher(store, place=place)) as searcher:
            for corpus in (CORPUS, "other"):
                view = view_of(store, corpus=corpus)
                searcher.refresh(view)
            for mode in ("lexical", "dense", "hybrid"):
                for corpus in (CORPUS, "other"):
                    view = view_of(store, corpus=corpus)
                    own = found(searcher, view, request(mode, limit=500))
                    assert own
                    assert all(view.find(each) for each in own)
                    answers.append((store.keys.tenant, corpus, frozenset(own)))
            names = collections(searcher)
    assert len(names) == 2
    for _, corpus, mine in answers:
        assert all(mine.isdisjoint(theirs) for _, other, theirs in answers if other != corpus)


def test_name_of_a_collection_holds_nothing_of_a_tenants(tmp_path: Path) -> None:
    """Whatever a tenant is called, its collection is a hash, and another's has another."""
    names = set()
    for tenant in ("a/b", "a", "../a", "a\0b", "ü" * 200):
        store = Store(MemoryEngine(), tenant)
        with closing(qdrant_searcher(store)) as searcher:
            names.add(searcher._collection.name)
    assert len(names) == 5
    assert all(name.removeprefix("coditect-").isalnum() and len(name) == 41 for name in names)


class TwoKinds(HashingEmbedder):
    """A multi-vector embedder whose lexical weight of a text is its number of customers."""

    def encode(self, texts: list[str], *, query: bool = False, sparse: bool = True, colbert: bool = True) -> Encoded:
        """Dense, and one term."""
        counts = tuple({7: float(text.count("customer"))} if "customer" in text else {} for text in texts)
        return Encoded(self.embed(texts, query=query), counts)


def test_lexical_weights_of_a_model_are_used_where_it_has_some(built: Store, tmp_path: Path) -> None:
    """BGE-M3's instead of BM25's: its term, its weight, in a collection of its own."""
    with closing(qdrant_searcher(built, TwoKinds())) as searcher:
        answer = searcher.search(view_of(built), request("lexical", query="customer", limit=100))
        assert answer.found
        assert answer.found[0].score == max(each.score for each in answer.found)
        assert {each.score for each in answer.found} <= {1.0, 2.0, 3.0, 4.0}
        assert found(searcher, view_of(built), request("lexical", query="incident")) == []


def test_search_without_an_embedder_is_told(built: Store, tmp_path: Path) -> None:
    """A vector store without vectors is a wrong setting."""
    for embedder in (None, lambda: None):
        searcher = QdrantSearcher(built, ":memory:", embedder)
        with pytest.raises(UsageError, match="needs an embedder"):
            searcher.search(view_of(built), request())


def test_server_that_does_not_answer_is_told(built: Store, tmp_path: Path) -> None:
    """Connection refused is an error that names the place, without the client's own classes or warnings."""
    place = "http://127.0.0.1:9"
    unreached = qdrant_searcher(built, place=place)
    with closing(unreached) as searcher, pytest.raises(Unavailable, match="does not answer") as told:
        searcher.search(view_of(built), request())
    assert told.value.context["place"] == place
    assert "CODITECT_QDRANT" in str(told.value.hint)


def test_folder_that_another_has_open_is_told(built: Store, tmp_path: Path) -> None:
    """Local mode is for one process at a time."""
    place = str(tmp_path / "qdrant")
    with closing(qdrant_searcher(built, place=place)) as first:
        first.refresh(view_of(built))
        second = qdrant_searcher(built, place=place)
        with pytest.raises(Unavailable, match="open in another process"):
            second.refresh(view_of(built))


def test_place_that_is_a_file_is_told(built: Store, tmp_path: Path) -> None:
    """A folder is asked for."""
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(Unavailable, match="does not answer"):
        qdrant_searcher(built, place=str(tmp_path / "file")).refresh(view_of(built))


def test_missing_client_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra's name stands in the hint; an empty place is refused."""
    with pytest.raises(UsageError, match="no place"):
        open_client(" ")
    monkeypatch.setitem(sys.modules, "qdrant_client", None)
    with pytest.raises(UsageError, match=r"\[qdrant\]"):
        open_client(":memory:")


def test_progress_is_told_by_document(built: Store, tmp_path: Path) -> None:
    """Done and total, one after the other, and nothing the second time."""
    told: list[tuple[str, int, int]] = []
    with closing(qdrant_searcher(built)) as searcher:
        searcher.refresh(view_of(built), lambda what, done, total: told.append((what, done, total)))
        total = len(view_of(built).entries) + 1
        assert [(done, of) for _, done, of in told] == [(n, total) for n in range(1, total + 1)]
        searcher.refresh(view_of(built), lambda what, done, total: told.append((what, done, total)))
        assert len(told) == total
