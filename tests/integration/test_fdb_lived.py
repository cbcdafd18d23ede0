"""A corpus with a life on a cluster that fails: whatever is written under faults is what is written without, the log included.

Erasures, holds, retention, decisions, keys, policies, marks, calibrations, answers, vectors and tokens are written once each, by
bodies that run again, also after they have committed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.keyspace import unseal
from coditect.schemas import Generation
from coditect.store.store import Store
from coditect.testing.fake_fdb.client import FakeCluster
from coditect.transparency.sequencer import TransparencyLog
from tests.fdb_clusters import fake_engine
from tests.integration.insiders.lived import live
from tests.integration.test_fdb_faults import STORMS

Rows = dict[bytes, bytes]


def _rows(store: Store) -> Rows:
    """Everything but feeds, whose keys are the cluster's, and what builds tell of items that were there already."""
    (begin, end), (first, last) = store.keys.bounds("feed"), store.keys.bounds("generations")
    rows = {key: value for page in store.pages(b"", b"\xff") for key, value in page if not begin <= key < end}
    for key, value in rows.items():
        if first <= key < last:
            found = Generation.parse(unseal(store.keys.relative(key), value)[1])
            rows[key] = found.model_copy(update={"derived": {}, "reused": {}}).payload()
    return rows


def _entries(store: Store) -> list[bytes]:
    return [entry for _, entry in TransparencyLog(store.engine, store.keys).entries()]


@pytest.fixture(scope="module")
def unharmed(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[bytes], Rows]:
    """The newest checkpoint, the log and the rows on a cluster without faults."""
    store = Store(fake_engine(tmp_path_factory.mktemp("unharmed")))
    note = live(store)
    return note, _entries(store), _rows(store)


@pytest.mark.parametrize("storm", ["conflicts", "unknown and made", "everything"])
def test_a_life_among_faults_is_the_life_without(
    tmp_path: Path, storm: str, unharmed: tuple[str, list[bytes], Rows]
) -> None:
    """Every transaction meets the storm; rows, log and signed checkpoint are those of a quiet cluster."""
    note, entries, rows = unharmed
    cluster = FakeCluster(each=STORMS[storm])
    store = Store(fake_engine(tmp_path, cluster))
    found = live(store)
    assert cluster.pauses >= 100
    cluster.each = ()
    assert _entries(store) == entries
    assert _rows(store) == rows
    assert found == note
