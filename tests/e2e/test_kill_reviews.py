"""kill -9 at any moment of signing leaves whole decisions and no other, and the next build heeds those that were stored."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

import pytest

from coditect.integrity.validate import validate
from coditect.knowledge.review.decisions import SignedDecisions
from coditect.store.store import Store
from coditect.store.view import open_view
from tests.corpora import CORPUS, DOCUMENTS, folder_of, ingest_all
from tests.effort import times
from tests.integration.decided_corpus import rebuilt
from tests.killed_programs import Program
from tests.places import copy_place, open_at

SCRIPT = """
import sys
from contextlib import closing
from pathlib import Path

from coditect.store.store import Store
from tests.integration.decided_corpus import decide, extractions_of
from tests.killed_programs import tell_steps
from tests.places import open_at

with closing(open_at(Path(sys.argv[1]))) as engine:
    store = Store(engine)
    items = extractions_of(store, " ", "obligation")
    tell_steps(engine)
    print("ready", flush=True)
    for item in items:
        decide(store, item.extraction_id, "dismiss")
    print("done", flush=True)
"""

KILLS = times(4, least=2)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store on disk with the small corpus."""
    place = tmp_path_factory.mktemp("kill_reviews")
    with closing(open_at(place / "store")) as engine:
        ingest_all(Store(engine), folder_of(place / "documents", DOCUMENTS))
        rebuilt(Store(engine))
    return place / "store"


def test_kill_while_signing_leaves_whole_decisions(built: Path, tmp_path: Path) -> None:
    """What is stored is one decision for each transaction that ended, valid, and in force after a build."""
    program = Program.written(tmp_path / "sign.py", SCRIPT)
    steps = program.steps(copy_place(built, tmp_path / "whole"))
    moments = random.Random(44)  # noqa: S311 - any moments, but the same ones
    at_work = 0
    for number in range(KILLS):
        place = copy_place(built, tmp_path / str(number))
        told = moments.randrange(1, steps)
        at_work += program.killed(told, moments.uniform(0.0, 0.003), place)
        with closing(open_at(place)) as engine:
            store = Store(engine)
            statuses = SignedDecisions(store, open_view(store, CORPUS)).statuses()
            assert told <= len(statuses) <= steps
            assert {each.state for each in statuses} == {"next build"}
            rebuilt(store)
            assert {each.state for each in SignedDecisions(store, open_view(store, CORPUS)).statuses()} == {"in force"}
            assert validate(store, CORPUS).findings == ()
    assert at_work >= KILLS // 2, "the kills came too late to mean anything"
