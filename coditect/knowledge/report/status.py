"""The state of corpora: what is built, what waits for a build, and what could not be taken in."""

from __future__ import annotations

from coditect.schemas import Corpus, CorpusStatus, DeclaredProfile, Failure
from coditect.store.generations import generations, manifest_of
from coditect.store.intake.documents import declared_of, iter_present
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
    view = None if manifest is None else View(store, manifest)
    built = {} if view is None else view.entries
    summary = None if view is None else view.summary
    present = {record.document_id: record for record in iter_present(store, corpus.corpus_id)}
    declared = declared_of(store, corpus.corpus_id, built.values())
    pending = sum(d not in present for d in built)
    for document_id, record in present.items():
        entry = built.get(document_id)
        described = record.declared if record.declared != DeclaredProfile() else None
        changed = entry is None or entry.version_id != record.version_id
        pending += changed or (entry is not None and bool(entry.profile) and declared[document_id] != described)
    return CorpusStatus(
        corpus_id=corpus.corpus_id,
        name=corpus.name,
        created_at=corpus.created_at,
        generation=corpus.generation,
        build_id=corpus.build_id,
        built_at=corpus.tier4_generated_at,
        settings=None if manifest is None else manifest.settings,
        counts={} if manifest is None else manifest.counts,
        trivial={} if summary is None else summary.trivial or {},
        empty={} if summary is None else summary.empty or {},
        pending=pending,
        failures=tuple(record for _, record in store.scan("failures", Failure, corpus.corpus_id)),
        history=history,
    )
