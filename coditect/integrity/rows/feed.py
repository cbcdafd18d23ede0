"""Events of the change feed against their checksums, and against the generations that they tell of."""

from __future__ import annotations

from collections.abc import Mapping

from coditect.errors import Corrupt, NewerRecord
from coditect.integrity.rows.reading import RowReader
from coditect.schemas import FeedEvent, Generation, Manifest
from coditect.store.acts.events import open_event

__all__ = ["check_feed"]


def check_feed(rows: RowReader, built: Mapping[int, str]) -> None:
    """Check that there is one event for each generation, in order.

    Args:
        rows: of the corpus.
        built: build id by generation.
    """
    begin, end = rows.keys.bounds("feed", rows.corpus_id)
    number = last = 0
    told: dict[int, str] = {}
    newer = False
    for page in rows.store.pages(begin, end):
        for _, value in page:
            number += 1
            rows.counts["feed"] += 1
            name = f"feed/{rows.corpus_id}/{number}"
            try:
                event = open_event(rows.keys, rows.corpus_id, value)
            except Corrupt as error:
                rows.say("bytes", name, error.message)
                continue
            except NewerRecord as error:
                rows.say("newer", name, str(error))
                newer = True
                continue
            if event.event == "generation":
                if event.generation < last:
                    rows.say("completeness", name, "an event out of order")
                last = event.generation
                told[last] = event.build_id
                if differs := _other_than_published(rows, event):
                    rows.say("completeness", name, f"its {differs} is not that of generation {last}")
    # What a later release wrote may tell of some.
    for generation, build_id in () if newer else sorted(built.items()):
        if told.get(generation) != build_id:
            rows.say("completeness", f"feed/{rows.corpus_id}", f"no event tells of generation {generation}")


def _other_than_published(rows: RowReader, event: FeedEvent) -> str:
    """Which field of an event does not say what its generation does; empty where none, or where the generation is not there."""
    try:
        generation = rows.store.get("generations", Generation, rows.corpus_id, event.generation)
        manifest = rows.store.get("manifests", Manifest, rows.corpus_id, event.build_id)
    except (Corrupt, NewerRecord):  # said where they are checked
        return ""
    if generation is None or manifest is None or generation.build_id != event.build_id:
        return ""
    published = {
        "parent build": (event.parent_build_id, generation.parent_build_id),
        "time": (event.at, generation.created_at),
        "counts": (event.counts, manifest.counts),
    }
    return next((name for name, (said, held) in published.items() if said != held), "")
