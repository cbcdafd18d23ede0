"""After many rebuilds with changes, and kills between them, a sweep leaves what the generations need, to the byte."""

from __future__ import annotations

import pytest

from tests.e2e.swept_history import STATISTICS, Outcome, bytes_of, rebuild_and_kill
from tests.places import lmdb_only


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """Six rebuilds and five kills; the program of the module does thirty and twenty."""
    return rebuild_and_kill(tmp_path_factory.mktemp("history"), times=1, rebuilds=6, kills=5, seed=6)


@lmdb_only("the store lies in a folder")
def test_sweep_after_rebuilds_and_kills_leaves_the_bytes_of_a_fresh_import(outcome: Outcome) -> None:
    """Live bytes are those of an import of the same history without kills; what was dead is gone; validation finds nothing."""
    assert outcome.kills >= 3, "the kills came too late to mean anything"
    assert outcome.before.dead_bytes > 10_000
    assert outcome.after == outcome.imported
    own = {table: count for table, count in outcome.after.items() if table not in STATISTICS}
    others = {table: count for table, count in outcome.undisturbed.items() if table not in STATISTICS}
    assert own == others
    assert bytes_of(outcome.after, without=STATISTICS) == bytes_of(outcome.undisturbed, without=STATISTICS) > 50_000
    assert outcome.after["generations"].rows == 6
    assert outcome.findings == 0
    assert outcome.views > 15
