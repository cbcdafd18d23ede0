"""Whatever is decided: rebuilds keep it in force while the documents stand, and a changed sentence opens exactly its own."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.integrity.validate import validate
from coditect.knowledge.review.decisions import SignedDecisions, pending
from coditect.schemas import Decision
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from tests.corpora import CORPUS, copy_of, folder_of, ingest_all
from tests.effort import times
from tests.integration.decided_corpus import decide, extraction_of, rebuilt

ACTS = (
    "encrypt the backups",
    "lock the archive",
    "report every loss",
    "train new staff",
    "label the media",
    "test the alarms",
)
"""What each sentence asks: no two are alike."""

DECISIONS: tuple[Decision, ...] = ("accept", "dismiss", "correct", "accept_risk")


def _text(changed: frozenset[int] = frozenset(), above: str = "") -> str:
    sentences = [
        f"The {'deputy' if number in changed else 'owner'} shall {act} within {number + 2} days.\n"
        for number, act in enumerate(ACTS)
    ]
    return "# Handbook\n\n" + above + "\n".join(sentences)


def _ingest(store: Store, text: str) -> None:
    with TemporaryDirectory() as folder:
        ingest_all(store, folder_of(Path(folder), {"handbook.md": text}))
    rebuilt(store)


@cache
def _built() -> MemoryStore:
    memory = MemoryStore()
    _ingest(Store(MemoryEngine(memory)), _text())
    return memory


@settings(max_examples=times(12, least=10), deadline=None)
@given(
    chosen=st.dictionaries(st.integers(0, len(ACTS) - 1), st.sampled_from(DECISIONS), min_size=1),
    changed=st.frozensets(st.integers(0, len(ACTS) - 1)),
)
def test_decisions_stand_with_their_sentences(chosen: dict[int, Decision], changed: frozenset[int]) -> None:
    """Of any decisions on any sentences those are open again whose sentences were changed, and no other."""
    store = copy_of(_built())
    signed = {}
    for number, decision in chosen.items():
        changes = {"kind": "permission"} if decision == "correct" else None
        item = extraction_of(store, ACTS[number])
        signed[number] = decide(store, item.extraction_id, decision, changes=dict(changes) if changes else None)

    def states() -> dict[int, str]:
        statuses = SignedDecisions(store, open_view(store, CORPUS)).statuses()
        by_id = {each.review.review_id: each.state for each in statuses}
        return {number: by_id[review.review_id] for number, review in signed.items()}

    assert set(states().values()) == {"next build"}
    first = rebuilt(store)
    assert rebuilt(store).build_id == first.build_id
    assert set(states().values()) == {"in force"}
    _ingest(store, _text(above="Words that were not there before.\n\n"))
    assert set(states().values()) == {"in force"}
    _ingest(store, _text(changed))
    assert states() == {number: "reopened" if number in changed else "in force" for number in signed}
    waiting = pending(store, open_view(store, CORPUS))
    opened = {each.reopened.review_id for each in waiting if each.reopened is not None}
    assert opened == {signed[number].review_id for number in signed.keys() & changed}
    assert validate(store, CORPUS).findings == ()
    _ingest(store, _text())
    assert set(states().values()) == {"in force"}
    assert open_view(store, CORPUS).manifest.build_id == first.build_id
