"""Corpora and their generations: creating a corpus, flipping the pointer, reading the chain and the feed.

A build writes its items, derivations, trees and manifest first, all invisible because nothing points to them, then
:func:`flip` makes them the corpus' next generation in one small transaction. A crash before it leaves items that the next
build finds and uses.
"""

from __future__ import annotations

from contextlib import suppress

from pydantic import JsonValue

from coditect.engine.port import Transaction
from coditect.errors import Conflict, NotFound, UsageError
from coditect.schemas import Corpus, FeedEvent, Generation, LogAct, Manifest
from coditect.store.acts.events import head_row, seal_event
from coditect.store.header import write_header
from coditect.store.intake.staging import ImportLease, published_rows
from coditect.store.store import Store
from coditect.transparency.events import append_act, append_event, event_of
from coditect.transparency.salts import Salts

__all__ = [
    "append_feed",
    "create_corpus",
    "flip",
    "generation_at",
    "generations",
    "manifest_of",
    "settings_act",
    "valid_corpus_id",
]

CORPUS_ID_LENGTH = 200


def valid_corpus_id(corpus_id: str) -> str:
    """``corpus_id`` if it can name a corpus.

    Raises:
        UsageError: empty, too long, with white space at its ends, or with characters that nobody sees.
    """
    fits = 0 < len(corpus_id) <= CORPUS_ID_LENGTH and corpus_id == corpus_id.strip()
    if not fits or not corpus_id.isprintable():
        raise UsageError(
            "not a corpus id",
            corpus_id=corpus_id,
            hint=f"Use 1 to {CORPUS_ID_LENGTH} printable characters without white space at the ends, e.g. 'policies-2026'.",
        )
    return corpus_id


def create_corpus(store: Store, corpus_id: str, name: str, at: str) -> Corpus:
    """The corpus, made if it is not there; what a killed import of it left is swept first, and one at work is stopped.

    Args:
        store: the tenant's store.
        corpus_id: the id of the corpus.
        name: what people call it; may be empty.
        at: the time now, RFC 3339.
    """
    valid_corpus_id(corpus_id)
    fresh = Corpus(corpus_id=corpus_id, name=name, created_at=at)

    def body(transaction: Transaction) -> Corpus | None:
        found = store.read_record(transaction, "corpus", Corpus, corpus_id)
        if found is not None:
            return found
        if transaction.range(*store.keys.bounds("feed", corpus_id), limit=1).rows:
            return None  # an import lease: behind it are rows that were never seen
        write_header(transaction, store.keys.tenant, at)
        for key, value in published_rows(store.keys, corpus_id, fresh.payload()):
            transaction.set(key, value)
        append_event(transaction, store.keys, event_of("corpus", corpus_id, fresh, at=at, by=store.acting.by))
        return fresh

    while (found := store.update(body)) is None:
        lease = ImportLease(store, corpus_id)
        with suppress(Conflict):  # somebody else sweeps, or has made the corpus: look again
            lease.take()
            lease.publish(fresh.payload(), at)
            return fresh
    return found


def flip(store: Store, manifest: Manifest, base: Corpus, generation: Generation) -> Corpus:
    """Make a manifest the corpus' next generation.

    Returns:
        The corpus record as it is now. If this build is already current, nothing changes.

    Raises:
        Conflict: another build came first; build again on top of it.
    """
    corpus_id = manifest.corpus_id
    event = FeedEvent(
        corpus_id=corpus_id,
        event="generation",
        generation=generation.generation,
        build_id=manifest.build_id,
        parent_build_id=generation.parent_build_id,
        at=generation.created_at,
        counts=manifest.counts,
    )

    at, subject = generation.created_at, manifest.build_id
    former = store.get("manifests", Manifest, corpus_id, base.build_id) if base.build_id else None
    settings = settings_act(manifest, generation, former, store.acting.salts)
    logged = event_of("generation", corpus_id, generation, subject=subject, at=at, by=store.acting.by)

    def body(transaction: Transaction) -> Corpus:
        current = store.read_record(transaction, "corpus", Corpus, corpus_id)
        if current is None:
            raise NotFound("unknown corpus", corpus_id=corpus_id)
        if current.build_id == manifest.build_id:
            return current  # also when this body runs again after it has committed: nothing is counted twice
        if current.generation != base.generation:
            raise Conflict(
                "another build of this corpus finished first",
                corpus_id=corpus_id,
                generation=current.generation,
                hint="Run the build again: what is already derived is used.",
            )
        updated = current.model_copy(
            update={
                "generation": generation.generation,
                "build_id": manifest.build_id,
                "document_count": manifest.counts.get("documents", 0),
                "tier4_summary": manifest.summary_id,
                "tier4_generated_at": generation.created_at,
            }
        )
        store.write_record(transaction, "corpus", updated, corpus_id)
        store.write_record(transaction, "generations", generation, corpus_id, generation.generation)
        append_feed(transaction, store, event)
        if settings is not None:
            append_act(transaction, store.keys, settings, store.acting.by)
        append_event(transaction, store.keys, logged)
        return updated

    return store.update(body)


def settings_act(manifest: Manifest, generation: Generation, former: Manifest | None, salts: Salts) -> LogAct | None:
    """What the log tells of the settings of a generation; None where they are those of the one before.

    A build's id covers its settings, and a generation's event names the build, so they are bound by that. What changed is an act
    beside it, since a manifest that retention took says nothing any more.

    Args:
        manifest: of the generation.
        generation: its record.
        former: the manifest of the one before; None: there is none.
        salts: gives the salt of an act.
    """
    after, before = manifest.configuration, {} if former is None else former.configuration
    changed = {name: value for name, value in after.items() if name not in before or before[name] != value}
    if not changed:
        return None
    about: dict[str, JsonValue] = {"generation": generation.generation, "build_id": manifest.build_id, "after": changed}
    if former is not None:
        about["before"] = {name: before.get(name) for name in changed}
    at = generation.created_at
    return LogAct(kind="settings", corpus_id=manifest.corpus_id, at=at, details=about, salt=salts())


def append_feed(transaction: Transaction, store: Store, event: FeedEvent) -> None:
    """Add an event to the change feed, in the caller's transaction, and wake who waits for it.

    That a generation was published stands in the log by its record; of an ingest the log tells here. The same event as the last
    one is not added again: a body that runs again after it has committed says nothing twice.
    """
    value = seal_event(store.keys, event)
    last = transaction.range(*store.keys.bounds("feed", event.corpus_id), limit=1, reverse=True).rows
    if not last or last[0][1] != value:
        transaction.append(store.keys.feed(event.corpus_id), value)
        transaction.set(*head_row(store.keys, event.corpus_id, value))
        if event.event == "ingested":
            logged = event_of("ingested", event.corpus_id, event, at=event.at, by=store.acting.by)
            append_event(transaction, store.keys, logged)


def generations(store: Store, corpus_id: str) -> list[Generation]:
    """Every generation of a corpus, oldest first."""
    return [record for _, record in store.scan("generations", Generation, corpus_id)]


def generation_at(store: Store, corpus: Corpus, number: int | None) -> Generation:
    """A generation by number; None is the current one.

    Raises:
        NotFound: never built, or no such generation; the hint says the range.
    """
    wanted = corpus.generation if number is None else number
    if corpus.generation == 0:
        raise NotFound(
            "the corpus has not been built",
            corpus_id=corpus.corpus_id,
            hint=f"Run 'coditect knowledge build --corpus-id {corpus.corpus_id}'.",
        )
    known = 0 < wanted <= corpus.generation  # a number of any size may be asked for; only these fit into a key
    found = store.get("generations", Generation, corpus.corpus_id, wanted) if known else None
    if found is None:
        raise NotFound(
            "unknown generation",
            corpus_id=corpus.corpus_id,
            generation=wanted,
            hint=f"Generations of this corpus: 1 to {corpus.generation}.",
        )
    return found


def manifest_of(store: Store, corpus_id: str, build_id: str) -> Manifest:
    """The manifest of a build.

    Raises:
        NotFound: it was swept, or never stored.
    """
    found = store.get("manifests", Manifest, corpus_id, build_id)
    if found is None:
        raise NotFound("the manifest of a build is missing", corpus_id=corpus_id, build_id=build_id)
    return found
