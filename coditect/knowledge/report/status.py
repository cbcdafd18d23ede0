"""The state of corpora: what is built, what waits for a build, and what could not be taken in."""

from __future__ import annotations

from coditect.schemas import Corpus, CorpusStatus, Failure
from coditect.store.generations import generations, manifest_of
from coditect.store.intake.documents import iter_present
from coditect.store.store import Store
from coditect.store.view import View

__all__ = ["corpus_status"]


def corpus_status(store: Store, corpus_id: str | None = None) -> list[CorpusStatus]:
    """The state of one corpus, or of all.

    Raises:
        NotFound: no such corpus.
    """
    corpora = [store.corpus(corpus_id)] if corpus_id is not None else store.corpora()
    return [_status(store, corpus) for corpus in corpora]


def _status(store: Store, corpus: Corpus) -> CorpusStatus:
    history = tuple(generations(store, corpus.corpus_id))
    manifest = manifest_of(store, corpus.corpus_id, corpus.build_id) if corpus.build_id else None
    built: dict[str, str] = {}
    if manifest is not None:
        built = {e.document_id: e.version_id for e in View(store, manifest).entries.values()}
    present = {record.document_id: record.version_id for record in iter_present(store, corpus.corpus_id)}
    pending = sum(built.get(d) != v for d, v in present.items()) + sum(d not in present for d in built)
    return CorpusStatus(
        corpus_id=corpus.corpus_id,
        name=corpus.name,
        created_at=corpus.created_at,
        generation=corpus.generation,
        build_id=corpus.build_id,
        built_at=corpus.tier4_generated_at,
        settings=None if manifest is None else manifest.settings,
        counts={} if manifest is None else manifest.counts,
        pending=pending,
        failures=tuple(record for _, record in store.scan("failures", Failure, corpus.corpus_id)),
        history=history,
    )
