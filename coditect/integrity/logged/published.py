"""Generations and the pointer to the newest, against what the log tells of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from coditect.integrity.logged.rows import LoggedRows
from coditect.schemas import Corpus, Generation, Manifest

__all__ = ["check_generations"]


def check_generations(run: LoggedRows) -> None:
    """Check every generation that there is, every one that there should be, and the corpus' record."""
    told = dict(run.history.generations)
    found: list[Generation] = []
    for name, record, digest in run.digests("generations", Generation):
        found.append(record)
        _, wanted = told.pop(record.generation, ("", None))
        run.compare(name, wanted, digest, "generations")
    for number in told:
        if run.by_right.covers("generations", number):
            continue
        run.gone(f"generations/{run.corpus_id}/{number}")
    _corpus(run, found)


def _corpus(run: LoggedRows, generations: list[Generation]) -> None:
    """The corpus' record: made as the log tells, and pointing to the last generation of which it tells."""
    name = f"corpus/{run.corpus_id}"
    record = run.store.get("corpus", Corpus, run.corpus_id)
    if record is None:
        if run.history.begun:
            run.gone(name)
        return
    last = max(run.history.generations, default=0)
    if last and record.generation != last:
        run.say(name, f"it points to generation {record.generation}; the last one that the log tells of is {last}")
    fresh = Corpus(corpus_id=record.corpus_id, name=record.name, created_at=record.created_at)
    begun = run.history.begun
    states = [fresh] if begun == "corpus" else [fresh, *_as_of(run, record, generations)]
    if begun and all(hashlib.sha256(each.payload()).hexdigest() != run.history.beginning for each in states):
        run.say(name, "its name, the time when it was made, or what was imported is not what the log tells of")


def _as_of(run: LoggedRows, record: Corpus, generations: list[Generation]) -> Iterator[Corpus]:
    """The corpus' record as it was when each generation was the current one."""
    for each in generations:
        manifest = run.store.get("manifests", Manifest, run.corpus_id, each.build_id)
        if manifest is not None:
            yield Corpus(
                corpus_id=record.corpus_id,
                name=record.name,
                created_at=record.created_at,
                generation=each.generation,
                build_id=each.build_id,
                document_count=manifest.counts.get("documents", 0),
                tier4_summary=manifest.summary_id,
                tier4_generated_at=each.created_at,
            )
