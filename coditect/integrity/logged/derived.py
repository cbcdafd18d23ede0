"""What follows from a corpus and nothing of a generation commits to: vectors, and the events that replicas follow.

A corpus whose log began before a release told of these has some that are not bound: they are counted, and are no findings.
"""

from __future__ import annotations

import hashlib
from collections import Counter

from coditect.errors import Corrupt, NewerRecord
from coditect.integrity.logged.rows import LoggedRows
from coditect.schemas import Derivation, FeedEvent, Generation, Manifest, Tree
from coditect.store.acts.events import event_payload
from coditect.transparency.events import act_at

__all__ = ["NEWLY_BOUND", "check_derived"]

VECTORS = "blocks of vectors"
INGESTS = "events of ingests in the feed"
NEWLY_BOUND = frozenset({VECTORS, INGESTS})
"""Of which the log does not tell where it began under an earlier release."""


def check_derived(run: LoggedRows) -> None:
    """Check the derivations of vectors, which name their blocks by SHA-256, and the events of ingests."""
    _vectors(run)
    _feed(run)


def _bound(run: LoggedRows) -> bool:
    """Whether the log tells of all of them, since the corpus was made under a release that does."""
    return run.history.begun == "corpus" and run.history.binds_all


def _vectors(run: LoggedRows) -> None:
    told, complete = _told(run)
    for name, record, digest in run.digests("derivations", Derivation, wanted=lambda each: each.stage == "vectors"):
        wanted, _ = told.pop(record.derivation_id, (None, ""))
        run.compare(name, wanted, digest, VECTORS, bound=_bound(run) and complete)
    # With what they were made of they may be swept; and what an erasure took is made again without it.
    left = {each: source for each, (_, source) in told.items() if not run.by_right.covers("derivations", each)}
    reached = _reached(run) if left else frozenset()
    for each, source in sorted(left.items()):
        if source in reached and not run.by_right.covers("derivations", source):
            run.gone(f"derivations/{run.corpus_id}/{each}")


def _told(run: LoggedRows) -> tuple[dict[str, tuple[str, str]], bool]:
    """By id of their derivation: (SHA-256 of its record, what they are of), as told last; and whether every act could be read."""
    told: dict[str, tuple[str, str]] = {}
    complete = True
    for sha256 in run.history.vectors:
        try:
            act = run.store.engine.read(lambda t, sha256=sha256: act_at(t, run.store.keys, sha256))  # type: ignore[misc]
        except (Corrupt, NewerRecord):
            act = None
        blocks = None if act is None else act.details.get("blocks")
        if not isinstance(blocks, dict):  # that an act is gone, or was changed, is said of the act
            complete = False
            continue
        for each, block in blocks.items():
            if isinstance(block, list) and len(block) == len(("sha256", "source")):
                told[each] = str(block[0]), str(block[1])
    return told, complete


def _reached(run: LoggedRows) -> frozenset[str]:
    """The derivations of all generations that are there."""
    builds = {each.build_id for _, each in run.store.scan("generations", Generation, run.corpus_id)}
    found: set[str] = set()
    trees: set[str] = set()
    for _, manifest in run.store.scan("manifests", Manifest, run.corpus_id):
        if manifest.build_id in builds:
            found.update(manifest.steps)
            trees.update(manifest.trees.values())
    for _, tree in run.store.scan("trees", Tree, run.corpus_id):
        if tree.tree_id in trees:
            found.update(step for entry in tree.entries for step in entry.steps)
    return frozenset(found)


def _feed(run: LoggedRows) -> None:
    """The events of ingests: each that is told must be there, in that order, and none else where the log tells of all."""
    told, number, found = Counter(run.history.ingested), 0, list[str]()
    for page in run.store.pages(*run.store.keys.bounds("feed", run.corpus_id)):
        run.advance("feed")
        for _, value in page:
            number += 1
            try:
                payload = event_payload(run.store.keys, run.corpus_id, value)
                event = FeedEvent.parse(payload)
            except (Corrupt, NewerRecord):  # said where rows are checked
                continue
            if event.event != "ingested":
                continue
            digest = hashlib.sha256(payload).hexdigest()
            if told[digest]:
                told[digest] -= 1
                found.append(digest)
            else:
                run.compare(f"feed/{run.corpus_id}/{number}", None, digest, INGESTS, bound=_bound(run))
    name = f"feed/{run.corpus_id}"
    if missing := told.total():
        run.say(name, f"of ingests that the log tells of, {missing} have no event in it: one is gone, or changed")
    elif found != run.history.ingested:
        run.say(name, "its ingests stand in another order than the log tells of")
