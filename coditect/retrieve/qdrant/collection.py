"""One Qdrant collection as a search replica: it follows generations, and may be deleted at any time (ADR 0018).

A point is a unit under a state (:mod:`coditect.retrieve.qdrant.units`). Every state has one more point, its *mark*, which is
written last and says how many units there are. A killed filling therefore goes on where it was, and two processes that fill
the same states write the same points. Before every question the points of its generation are counted.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from threading import RLock
from typing import TYPE_CHECKING, Any

from coditect.errors import Unavailable
from coditect.retrieve.embedding import UnitVectors
from coditect.retrieve.port import Filter
from coditect.retrieve.qdrant.units import GRANULARITIES, EmbeddedUnit, embedded_units, states_of
from coditect.retrieve.qdrant.weights import SparseWeights
from coditect.retrieve.units import UNITS, IndexName
from coditect.schemas import tag_of
from coditect.store.generations import generations, manifest_of
from coditect.store.view import View

if TYPE_CHECKING:
    from qdrant_client import QdrantClient, models

__all__ = ["DENSE_VECTOR", "QDRANT", "UnitCollection", "forget_points", "sparse_vector"]

QDRANT = "qdrant/2"
"""Version of the layout; a collection of another one has another name."""

DENSE_VECTOR = "dense"

KEPT = 4
"""The newest generations of a corpus whose units stay, beside those that this process was asked for."""

REMEMBERED = 8
"""Generations whose states are kept in memory."""

_PREFIX = "coditect-"
_MARK = "mark"
_INDEXED = ("corpus", "granularity", "state", "document", "kind", "modality", "entity", "chunk", "item_id", "listed")
_NAMESPACE = uuid.UUID("6f0a5d6e-0c0b-5c0e-9f59-9a3c8c1d7c21")
_POINTS_AT_ONCE = 256
_MARKS_AT_ONCE = 1_000

Progress = Callable[[str, int, int], None]


def sparse_vector(granularity: IndexName) -> str:
    """The sparse vector's name: one for each granularity, so that rarity is that of its own units."""
    return f"words-{granularity}"


class UnitCollection:
    """The units of one tenant, by one model. Threads put units there one after the other.

    Args:
        client: of the vector store.
        vectors: gives the units' vectors.
        weights: gives sparse vectors.
        indexed: the vector store indexes what points are filtered by; local mode has no use for it.
    """

    def __init__(
        self, client: QdrantClient, vectors: UnitVectors, weights: SparseWeights, *, indexed: bool = True
    ) -> None:
        self._client = client
        self._vectors = vectors
        self._weights = weights
        self._indexed = indexed
        self._lock = RLock()
        self._states: dict[str, dict[str, str]] = {}
        self._counts: dict[str, Mapping[IndexName, int]] = {}
        store, card = vectors.store, vectors.embedder.card
        # A hash: no tenant's name can name another's collection, or anything that is no collection, whatever it holds.
        model = (card.model_id, str(card.dimension))
        parts = (QDRANT, UNITS, str(vectors.level), weights.name, store.engine.url, store.keys.tenant, *model)
        self.name = f"{_PREFIX}{_hash(*parts)[:32]}"

    def condition(self, view: View, granularity: IndexName, only: Filter | None = None) -> models.Filter:
        """What may answer: a generation's units at a granularity, and of those what a filter lets through."""
        fields = () if only is None else only.fields()
        return _where(
            ("corpus", [tag_of(view.corpus_id)]),
            ("granularity", [granularity]),
            ("state", list(self._states_of(view))),
            *((name, sorted(values)) for name, values in fields if values is not None),
        )

    def ready(self, view: View, granularity: IndexName) -> None:
        """See that a generation's units at a granularity are there, all of them; those that are not are put there.

        Raises:
            Unavailable: points vanish as fast as they are put there.
            SchemaError: the model has vectors of another dimension than its card states.
            ModelError: the model failed.
        """
        with self._lock:
            if not self._whole(view, granularity):
                self._follow(view)
                if not self._whole(view, granularity):
                    self._refill(view)

    def follow(self, view: View, progress: Progress | None = None) -> None:
        """Put the units of those states there that a generation has and the collection lacks; see :meth:`ready`."""
        with self._lock:
            self._follow(view, progress)

    def _follow(self, view: View, progress: Progress | None = None) -> None:
        self._open()
        states = self._states_of(view)
        counts = self._marks(list(states))
        missing = [state for state in states if state not in counts]
        for done, state in enumerate(missing, 1):
            counts[state] = self._fill(view, state, states[state])
            if progress is not None:
                progress("filling the vector store", done, len(missing))
        self._counts[view.manifest.build_id] = {
            name: sum(each.get(name, 0) for each in counts.values()) for name in GRANULARITIES
        }
        if missing:
            self._prune(view)

    def reset(self) -> None:
        """Know nothing any more of what is there: somebody took points out."""
        with self._lock:
            self._states.clear()
            self._counts.clear()

    def _whole(self, view: View, granularity: IndexName) -> bool:
        expected = self._counts.get(view.manifest.build_id)
        if expected is None or not self._client.collection_exists(self.name):
            return False
        where = self.condition(view, granularity)
        return self._client.count(self.name, count_filter=where, exact=True).count == expected[granularity]

    def _refill(self, view: View) -> None:
        """Take a generation's states out and put them there again: points are missing, or there are some that are not its own."""
        from qdrant_client import models

        where = _where(("corpus", [tag_of(view.corpus_id)]), ("state", list(self._states_of(view))))
        self._client.delete(self.name, points_selector=models.FilterSelector(filter=where), wait=True)
        self._follow(view)
        if not all(self._whole(view, name) for name in GRANULARITIES):
            raise Unavailable(
                "the vector store does not keep what it is given",
                collection=self.name,
                hint="Look whether something else changes this collection, or delete it; it is filled again.",
            )

    def _states_of(self, view: View) -> dict[str, str]:
        key = view.manifest.build_id
        if key not in self._states:
            while len(self._states) >= REMEMBERED:
                oldest = next(iter(self._states))
                del self._states[oldest]
                self._counts.pop(oldest, None)
            self._states[key] = states_of(view)
        return self._states[key]

    def _open(self) -> None:
        """Make the collection if it is not there."""
        from qdrant_client import models
        from qdrant_client.http.exceptions import UnexpectedResponse

        if self._client.collection_exists(self.name):
            return
        dimension = self._vectors.embedder.card.dimension
        rarity = models.Modifier.IDF if self._weights.with_rarity else None
        try:
            self._client.create_collection(
                self.name,
                # Vectors have unit length, or are zeros for a text without words: that has no cosine, but a product.
                vectors_config={DENSE_VECTOR: models.VectorParams(size=dimension, distance=models.Distance.DOT)},
                sparse_vectors_config={
                    sparse_vector(each): models.SparseVectorParams(modifier=rarity) for each in GRANULARITIES
                },
            )
        except UnexpectedResponse:
            if not self._client.collection_exists(self.name):  # else another process made it meanwhile
                raise
        for field in _INDEXED if self._indexed else ():  # in local mode they have no effect, and a warning
            self._client.create_payload_index(self.name, field, models.PayloadSchemaType.KEYWORD, wait=True)

    def _marks(self, states: Sequence[str]) -> dict[str, Mapping[str, int]]:
        """How many units the finished ones of some states have, by granularity."""
        found: dict[str, Mapping[str, int]] = {}
        for begin in range(0, len(states), _MARKS_AT_ONCE):
            ids: list[Any] = [_id(_MARK, each) for each in states[begin : begin + _MARKS_AT_ONCE]]
            for record in self._client.retrieve(self.name, ids, with_payload=True):
                payload = record.payload or {}
                found[payload["state"]] = payload["counts"]
        return found

    def _fill(self, view: View, state: str, document_id: str) -> Mapping[str, int]:
        """Put the units of a state there, then its mark."""
        from qdrant_client import models

        corpus = tag_of(view.corpus_id)
        counts: dict[str, int] = {}
        for name, units in embedded_units(self._vectors, view, document_id):
            counts[name] = len(units)
            sparse = self._weights.of_units([each.unit for each in units], name)
            self._upsert(
                models.PointStruct(
                    id=_id(state, name, each.unit.item_id),
                    vector={
                        DENSE_VECTOR: each.vector.tolist(),
                        sparse_vector(name): models.SparseVector(indices=list(weights), values=list(weights.values())),
                    },
                    payload={"corpus": corpus, "granularity": name, "state": state, **_payload(each)},
                )
                for each, weights in zip(units, sparse, strict=True)
            )
        payload = {"corpus": corpus, "granularity": _MARK, "state": state, "counts": counts}
        self._upsert([models.PointStruct(id=_id(_MARK, state), vector={}, payload=payload)])
        return counts

    def _upsert(self, points: Iterable[models.PointStruct]) -> None:
        left = iter(points)
        while batch := list(islice(left, _POINTS_AT_ONCE)):
            self._client.upsert(self.name, batch, wait=True)

    def _prune(self, view: View) -> None:
        """Take out of a corpus what no generation needs that is new or was asked for; one that is asked for again is refilled."""
        from qdrant_client import models

        store, corpus_id = view.store, view.corpus_id
        newest = [each.build_id for each in generations(store, corpus_id)[-KEPT:]]
        needed = {state for states in self._states.values() for state in states}
        for build_id in newest:
            if build_id not in self._states:
                needed.update(states_of(View(store, manifest_of(store, corpus_id, build_id))))
        stale = _where(("corpus", [tag_of(corpus_id)]))
        stale.must_not = _where(("state", sorted(needed))).must
        self._client.delete(self.name, points_selector=models.FilterSelector(filter=stale), wait=True)


def forget_points(client: QdrantClient, corpus_id: str, *, whole: bool) -> None:
    """Take every point of a corpus out of every collection that this program made, by whatever model, level or release.

    A collection's name tells nothing of its tenant. Points of another one's corpus of the same name go as well, and are put there
    again when it is asked.

    Args:
        client: of the vector store.
        corpus_id: the corpus.
        whole: remove the collections that hold such points: a file of local mode keeps the bytes of points that were taken out.
    """
    from qdrant_client import models

    own = _where(("corpus", [tag_of(corpus_id)]))
    for each in client.get_collections().collections:
        if not each.name.startswith(_PREFIX) or not client.count(each.name, count_filter=own, exact=True).count:
            continue
        if whole:
            client.delete_collection(each.name)
        else:
            client.delete(each.name, points_selector=models.FilterSelector(filter=own), wait=True)


def _where(*fields: tuple[str, list[str]]) -> models.Filter:
    """Points whose payload has, in each field, one of the values."""
    from qdrant_client import models

    return models.Filter(
        must=[models.FieldCondition(key=name, match=models.MatchAny(any=values)) for name, values in fields]
    )


def _payload(each: EmbeddedUnit) -> dict[str, Any]:
    """What a unit is found and filtered by; no text: the store has it."""
    unit = each.unit
    return {
        "item_id": unit.item_id,
        "document_id": unit.document_id,
        "document": list(unit.documents),
        "kind": list(unit.said.kinds),
        "modality": list(unit.said.modalities),
        "entity": list(unit.said.entities),
        "chunk": list(unit.chunks),
        "listed": ["yes"] if unit.listed else [],
    }


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _id(*parts: str) -> str:
    """A point's id: the same for the same unit under the same state, in whatever process."""
    return str(uuid.uuid5(_NAMESPACE, "\0".join(parts)))
