"""Rows changed, planted and deleted by who leaves the log alone."""

from __future__ import annotations

from coditect.schemas import Failure, Generation, Intake, Review, document_id_for
from coditect.store.store import Store
from tests.corpora import CORPUS


def last_generation(store: Store) -> Generation:
    """The generation that the corpus points to."""
    found = store.get("generations", Generation, CORPUS, store.corpus(CORPUS).generation)
    assert found is not None
    return found


def failure_deleted(store: Store) -> None:
    """A file that could not be read is told of no more."""
    store.remove("failures", CORPUS, "broken.pdf")


def failure_reworded(store: Store) -> None:
    """The reason for which a file could not be read is another."""
    found = store.get("failures", Failure, CORPUS, "broken.pdf")
    assert found is not None
    store.put("failures", found.model_copy(update={"message": "it is empty"}), CORPUS, "broken.pdf")


def failure_forged(store: Store) -> None:
    """A file that nobody gave is said not to be readable."""
    forged = Failure(corpus_id=CORPUS, name="other.pdf", error="ReadError", message="it is empty")
    store.put("failures", forged, CORPUS, "other.pdf")


def intake_deleted(store: Store) -> None:
    """A document was never taken in."""
    store.remove("intake", CORPUS, document_id_for(CORPUS, "incident.md"))


def intake_changed(store: Store) -> None:
    """A document is withdrawn behind the log."""
    document_id = document_id_for(CORPUS, "incident.md")
    found = store.get("intake", Intake, CORPUS, document_id)
    assert found is not None
    store.put("intake", found.model_copy(update={"status": "withdrawn"}), CORPUS, document_id)


def intake_forged(store: Store) -> None:
    """A document is there that nobody took in."""
    found = store.get("intake", Intake, CORPUS, document_id_for(CORPUS, "incident.md"))
    assert found is not None
    document_id = document_id_for(CORPUS, "planted.md")
    store.put(
        "intake", found.model_copy(update={"document_id": document_id, "name": "planted.md"}), CORPUS, document_id
    )


def withdrawn_again_present(store: Store) -> None:
    """What was withdrawn is there again."""
    document_id = document_id_for(CORPUS, "retention.txt")
    found = store.get("intake", Intake, CORPUS, document_id)
    assert found is not None
    store.put("intake", found.model_copy(update={"status": "present"}), CORPUS, document_id)


def generation_backdated(store: Store) -> None:
    """A generation is older than it is."""
    found = last_generation(store)
    store.put("generations", found.model_copy(update={"created_at": "2020-01-01T00:00:00Z"}), CORPUS, found.generation)


def generation_removed(store: Store) -> None:
    """A generation was never published."""
    store.remove("generations", CORPUS, 1)


def generation_rolled_back(store: Store) -> None:
    """The corpus points to the first generation again, and the second is gone."""
    first = store.get("generations", Generation, CORPUS, 1)
    assert first is not None
    corpus = store.corpus(CORPUS)
    store.remove("generations", CORPUS, corpus.generation)
    store.put("corpus", corpus.model_copy(update={"generation": 1, "build_id": first.build_id}), CORPUS)


def generation_appended(store: Store) -> None:
    """A generation is added that nobody built."""
    last = last_generation(store)
    forged = last.model_copy(update={"generation": last.generation + 1, "parent_build_id": last.build_id})
    store.put("generations", forged, CORPUS, forged.generation)


def pointer_rolled_back(store: Store) -> None:
    """The corpus points to the first generation again."""
    first = store.get("generations", Generation, CORPUS, 1)
    assert first is not None
    corpus = store.corpus(CORPUS)
    store.put("corpus", corpus.model_copy(update={"generation": 1, "build_id": first.build_id}), CORPUS)


def corpus_older(store: Store) -> None:
    """The corpus is older than it is."""
    store.put("corpus", store.corpus(CORPUS).model_copy(update={"created_at": "2019-01-01T00:00:00Z"}), CORPUS)


def review_forged(store: Store) -> None:
    """A decision in the name of an auditor who never made it."""
    found = next(record for _, record in store.scan("reviews", Review, CORPUS))
    fields = {name: getattr(found, name) for name in Review.model_fields if name != "review_id"}
    store.put_items([Review.create(**{**fields, "by": "Ada Auditor", "meaning": "seen and approved"})])


def review_deleted(store: Store) -> None:
    """A decision was never made."""
    found = next(record for _, record in store.scan("reviews", Review, CORPUS))
    store.remove("reviews", CORPUS, found.review_id)
