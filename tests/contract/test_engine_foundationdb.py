"""The FoundationDB engine honours the port, on a fake cluster everywhere and on a live one where there is one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from coditect.engine.budget import APPENDS
from coditect.engine.foundationdb.engine import FoundationDbEngine
from coditect.engine.port import Engine, Transaction
from coditect.errors import CoditectError, Conflict, TooLarge, Unavailable, UsageError
from coditect.testing.engine.conformance import EngineConformance
from coditect.testing.engine.model import engine_machine
from coditect.testing.engine.probe import rows_of, store, value_of
from coditect.testing.fake_fdb.client import FakeCluster, Fault
from tests.fdb_clusters import CONNECTION, FakePlace, LivePlace, fake_engine, live, write_cluster_file


class TestFakeFdbConformance(EngineConformance):
    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path) -> None:
        self.place = FakePlace(tmp_path)

    def open_engine(self) -> Engine:
        return self.place.open_engine()


class TestSlowFakeFdbConformance(EngineConformance):
    """With round trips that take time, transactions of different threads overlap and conflict."""

    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path) -> None:
        self.place = FakePlace(tmp_path)
        self.place.cluster.round_trip_s = 0.0005

    def open_engine(self) -> Engine:
        return self.place.open_engine()


@live
class TestLiveFdbConformance(EngineConformance):
    @pytest.fixture(autouse=True)
    def _place(self) -> Iterator[None]:
        self.place = LivePlace()
        yield
        self.place.discard()

    def open_engine(self) -> Engine:
        return self.place.open_engine()


class _FakeStore(FakePlace):
    def __init__(self) -> None:
        self.temporary = tempfile.TemporaryDirectory()
        super().__init__(Path(self.temporary.name))

    def discard(self) -> None:
        self.temporary.cleanup()


TestFakeFdbModel = engine_machine(_FakeStore).TestCase
TestLiveFdbModel = live(engine_machine(LivePlace).TestCase)


def _python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60)


# Opening


@pytest.mark.parametrize(
    "content",
    ["", "# only a comment\n", "no connection string", "a:b@host", "a b:c@host:4500", CONNECTION * 2],
)
def test_fdb_cluster_file_without_a_connection_is_unavailable(tmp_path: Path, content: str) -> None:
    """A file that cannot lead to a cluster is refused at once, with what it should hold."""
    with pytest.raises(Unavailable) as caught:
        FoundationDbEngine(write_cluster_file(tmp_path, content))
    assert "fdb.cluster" in (caught.value.hint or "")


def test_fdb_missing_cluster_file_is_unavailable(tmp_path: Path) -> None:
    """No file, a folder, and bytes that are not text are refused alike."""
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for name in ("absent", ".", "binary"):
        with pytest.raises(Unavailable) as caught:
            FoundationDbEngine(tmp_path / name)
        assert caught.value.context["path"].startswith(str(tmp_path))


@pytest.mark.parametrize(
    "content",
    [
        "# made by the installer\n\nlocal_1:aB3@10.0.0.1:4500,10.0.0.2:4500:tls\n",
        "x:y@[::1]:4500",
        "x:y@db.example:4500",
    ],
)
def test_fdb_cluster_files_of_every_kind_are_taken(tmp_path: Path, content: str) -> None:
    """Comments, several coordinators, TLS, IPv6 and host names are all in order."""
    path = write_cluster_file(tmp_path, content)
    place = FakePlace(tmp_path)
    with closing(place.open_engine()) as engine:
        assert engine.url == f"fdb://{path}"


def test_fdb_missing_client_is_unavailable_with_the_way_out(tmp_path: Path) -> None:
    """Without the native library the error names what to install and where the linker looks."""
    code = (
        "import sys; from pathlib import Path; from coditect.engine.foundationdb.engine import FoundationDbEngine\n"
        "from coditect.errors import Unavailable\n"
        "assert 'fdb' not in sys.modules\n"
        "import ctypes, ctypes.util\n"
        "def missing(*_): raise OSError('no such library')\n"
        "ctypes.CDLL = missing; ctypes.util.find_library = lambda _: None\n"
        "for _ in range(2):\n"
        "    try: FoundationDbEngine(Path(sys.argv[1]))\n"
        "    except Unavailable as error: print('LD_LIBRARY_PATH' in error.hint)\n"
    )
    done = _python(code, str(write_cluster_file(tmp_path)))
    assert (done.returncode, done.stdout) == (0, "True\nTrue\n"), done.stderr


def test_fdb_missing_package_is_unavailable_and_needed_by_clusters_alone(tmp_path: Path) -> None:
    """An installation without the extra [fdb] keeps embedded stores, and says what a cluster needs."""
    code = (
        "import sys; from pathlib import Path; sys.modules['fdb'] = None\n"
        "from coditect.compose import open_engine; from coditect.errors import Unavailable\n"
        "from coditect.store.store import Store\n"
        "assert Store(open_engine(f'lmdb://{sys.argv[1]}')).corpora() == []\n"
        "try: open_engine(f'fdb://{sys.argv[2]}')\n"
        "except Unavailable as error: print(error.hint)\n"
    )
    done = _python(code, str(tmp_path / "store"), str(write_cluster_file(tmp_path)))
    assert done.returncode == 0, done.stderr
    assert "coditect-knowledge[fdb]" in done.stdout


def test_fdb_arguments_are_checked(tmp_path: Path) -> None:
    """No timeout would mean to wait for ever, so there is always one."""
    for options in ({"timeout_ms": 0}, {"timeout_ms": 2**31}, {"retry_limit": -1}):
        with pytest.raises(UsageError):
            FakePlace(tmp_path).open_engine(**options)


def test_fdb_silent_cluster_is_unavailable(tmp_path: Path) -> None:
    """Opening, reading and writing end with an error when the cluster does not answer, and work again when it does."""
    place = FakePlace(tmp_path)
    engine = place.open_engine()
    place.cluster.stopped = True
    uses: list[Callable[[], object]] = [
        place.open_engine,
        lambda: engine.read(lambda t: t.get(b"k")),
        lambda: engine.run(lambda t: t.set(b"k", b"v")),
    ]
    for use in uses:
        with pytest.raises(Unavailable) as caught:
            use()
        assert "fdbcli" in (caught.value.hint or "")
    place.cluster.stopped = False
    engine.run(lambda t: t.set(b"k", b"v"))
    assert engine.read(lambda t: t.get(b"k")) == b"v"


# Retries and errors


@pytest.mark.parametrize("code", [1007, 1009, 1020, 1021, 1037])
def test_fdb_passing_errors_run_the_body_again(tmp_path: Path, code: int) -> None:
    """After an error that passes, the body runs again on a new snapshot, and its first run has left nothing."""
    cluster = FakeCluster()
    engine = fake_engine(tmp_path, cluster)
    cluster.schedule(1, Fault(code))
    runs: list[bytes | None] = []

    def body(transaction: Transaction) -> int:
        runs.append(transaction.get(b"k"))
        transaction.set(b"k", b"%d" % len(runs))
        return len(runs)

    assert engine.run(body) == 2
    assert runs == [None, None]
    assert engine.read(lambda t: t.get(b"k")) == b"2"


def test_fdb_unknown_commit_that_was_made_runs_the_body_on_its_own_writes(tmp_path: Path) -> None:
    """After 1021 the body may see what it has written itself; the port tells bodies so."""
    cluster = FakeCluster()
    engine = fake_engine(tmp_path, cluster)
    cluster.schedule(1, Fault(1021, applied=True))
    seen: list[bytes | None] = []

    def body(transaction: Transaction) -> None:
        seen.append(transaction.get(b"k"))
        transaction.set(b"k", b"v")

    engine.run(body)
    assert seen == [None, b"v"]


def test_fdb_unknown_commit_that_was_made_counts_and_appends_twice(tmp_path: Path) -> None:
    """What the port says of ``add`` and ``append``, and why neither is used where a repetition would harm."""
    cluster = FakeCluster(each=[Fault(1021, applied=True)])
    engine = fake_engine(tmp_path, cluster)
    engine.run(lambda t: t.add(b"n", 1))
    engine.run(lambda t: t.append(b"log/", b"v"))
    assert value_of(engine, b"n") == (2).to_bytes(8, "little")
    assert [value for _, value in rows_of(engine, b"log/", b"log0")] == [b"v", b"v"]


@pytest.mark.parametrize("code", [1007, 1009, 1037])
def test_fdb_reads_run_again_on_a_fresh_snapshot(tmp_path: Path, code: int) -> None:
    """A read that lost its snapshot starts from the beginning: what it returns is of one version."""
    cluster = FakeCluster()
    engine, other = fake_engine(tmp_path, cluster), fake_engine(tmp_path, cluster)
    store(engine, (b"a", b"1"), (b"b", b"1"))
    runs: list[int] = []

    def body(transaction: Transaction) -> list[bytes | None]:
        first = transaction.get(b"a")
        if not runs:
            runs.append(1)
            in_thread(lambda: store(other, (b"a", b"2"), (b"b", b"2")))
            cluster.schedule(1, Fault(code, at="read"))
        return [first, transaction.get(b"b")]

    assert engine.read(body) == [b"2", b"2"]


def test_fdb_snapshot_older_than_five_seconds_is_renewed(tmp_path: Path) -> None:
    """A body that outlives its snapshot runs again; one that does so every time ends with what to do about it."""
    cluster = FakeCluster()
    engine = fake_engine(tmp_path, cluster, retry_limit=3)
    engine.run(lambda t: t.set(b"k", b"v"))
    runs: list[int] = []

    def body(transaction: Transaction, slow: int) -> bytes | None:
        transaction.get(b"other")
        runs.append(1)
        if len(runs) <= slow:
            cluster.pass_time(6)
        return transaction.get(b"k")

    assert engine.read(lambda t: body(t, 1)) == b"v"
    assert len(runs) == 2
    runs.clear()
    with pytest.raises(Unavailable) as caught:
        engine.read(lambda t: body(t, 100))
    assert len(runs) == 4
    assert "smaller pages" in (caught.value.hint or "")


def test_fdb_conflicts_without_end_are_a_conflict(tmp_path: Path) -> None:
    """When other writers come first each time, retries run out, and nothing was written."""
    cluster = FakeCluster(each=[Fault(1020)] * 4)
    engine = fake_engine(tmp_path, cluster, retry_limit=3)
    with pytest.raises(Conflict):
        engine.run(lambda t: t.set(b"k", b"v"))
    assert cluster.pauses == 3
    assert engine.read(lambda t: t.get(b"k")) is None


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (1021, Unavailable),
        (1025, Unavailable),
        (1031, Unavailable),
        (1038, Unavailable),
        (1500, Unavailable),
        (2101, TooLarge),
        (2102, TooLarge),
        (2103, TooLarge),
    ],
)
def test_fdb_lasting_errors_are_the_ports(tmp_path: Path, code: int, error: type[CoditectError]) -> None:
    """Whatever FoundationDB says comes out as an error of ours, with its number and a way out."""
    engine = fake_engine(tmp_path, FakeCluster(each=[Fault(code)]), retry_limit=0)
    with pytest.raises(error) as caught:
        engine.run(lambda t: t.set(b"k", b"v"))
    assert caught.value.context["code"] == code
    assert caught.value.hint
    assert engine.read(lambda t: t.get(b"k")) is None


# Threads, forks


def test_fdb_close_leaves_the_bodies_of_other_threads_in_peace(tmp_path: Path) -> None:
    """A body that is running when its engine is closed commits."""
    place = FakePlace(tmp_path)
    engine = place.open_engine()
    running, go_on = threading.Event(), threading.Event()

    def slow(transaction: Transaction) -> None:
        running.set()
        assert go_on.wait(60)
        transaction.set(b"k", b"v")

    writer = threading.Thread(target=lambda: engine.run(slow))
    writer.start()
    assert running.wait(60)
    engine.close()
    go_on.set()
    writer.join(60)
    with closing(place.open_engine()) as again:
        assert again.read(lambda t: t.get(b"k")) == b"v"


def test_fdb_nesting_is_refused_through_another_name(tmp_path: Path) -> None:
    """A second engine on the same cluster file, reached through a link, is the same store; another thread is free."""
    place = FakePlace(tmp_path)
    (tmp_path / "links").mkdir()
    with closing(place.open_engine()) as engine:
        link = tmp_path / "links" / "fdb.cluster"
        link.symlink_to(tmp_path / "fdb.cluster")
        other = FakePlaceOf(place.cluster, link.parent).open_engine()
        with pytest.raises(UsageError):
            engine.run(lambda _: other.read(lambda t: t.get(b"k")))
        engine.run(lambda _: in_thread(lambda: other.run(lambda t: t.set(b"k", b"v"))))
        assert other.read(lambda t: t.get(b"k")) == b"v"


FORK = """
import os, sys
from pathlib import Path
from coditect.engine.foundationdb.engine import FoundationDbEngine
from coditect.errors import Unavailable
path = Path(sys.argv[1])
engine = open_engine(path)
child = os.fork()
if child == 0:
    refused = 0
    for use in (lambda: engine.run(str), lambda: engine.read(str), *more):
        try: use()
        except Unavailable as error: refused += 'spawn' in error.hint
    engine.close()
    os._exit(refused)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(engine.read(lambda t: t.get(b'absent')))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_fdb_forked_child_is_refused(tmp_path: Path) -> None:
    """An engine refuses to be used in a child of the process that opened it."""
    code = (
        "from coditect.testing.fake_fdb.client import FakeFdb\n"
        "open_engine = lambda path: FoundationDbEngine(path, binding=FakeFdb()); more = ()\n"
    )
    done = _python(code + FORK, str(write_cluster_file(tmp_path)))
    assert done.stdout == "2\nNone\n", done.stderr


# A live cluster


@live
def test_live_fdb_forked_child_is_refused() -> None:
    """Also a new engine cannot be opened in the child: the client's network thread stayed with the parent."""
    code = "open_engine = lambda path: FoundationDbEngine(path); more = (lambda: FoundationDbEngine(path),)\n"
    done = _python(code + FORK, os.environ["FDB_CLUSTER_FILE"])
    assert done.stdout == "3\nNone\n", done.stderr


@live
def test_live_fdb_unreachable_coordinators_are_unavailable(tmp_path: Path) -> None:
    """Opening a cluster that nobody serves ends in time."""
    path = write_cluster_file(tmp_path, "nobody:here@127.0.0.1:1\n")
    began = time.monotonic()
    with pytest.raises(Unavailable) as caught:
        FoundationDbEngine(path, timeout_ms=1000)
    assert 0.5 < time.monotonic() - began < 8
    assert "fdbcli" in (caught.value.hint or "")


@live
def test_live_fdb_edges_of_the_key_space_can_be_read() -> None:
    """Without a prefix: the whole range, and keys that FoundationDB keeps for itself, are read like any other."""
    with closing(FoundationDbEngine(Path(os.environ["FDB_CLUSTER_FILE"]))) as engine:
        assert engine.read(lambda t: t.get_many([b"", b"\xff", b"\xff\xff/status/json"])) == [None] * 3
        for reverse in (False, True):
            engine.read(lambda t, r=reverse: t.range(b"", b"\xff\xff\xff", limit=1, reverse=r))  # type: ignore[misc]


@live
@pytest.mark.slow
def test_live_fdb_snapshot_older_than_five_seconds_is_renewed() -> None:
    """A body that outlives its snapshot runs again on a fresh one."""
    place = LivePlace()
    runs: list[int] = []

    def body(transaction: Transaction) -> tuple[bytes | None, bytes | None]:
        first = transaction.get(b"a")
        runs.append(1)
        if len(runs) == 1:
            in_thread(lambda: store(other, (b"a", b"2"), (b"b", b"2")))
            time.sleep(9)
        return first, transaction.get(b"b")

    with closing(place.open_engine(timeout_ms=60_000)) as engine, closing(place.open_engine()) as other:
        store(engine, (b"a", b"1"), (b"b", b"1"))
        # An idle server may keep the version a little longer; then the first run saw one version too.
        assert engine.read(body) in {(b"2", b"2"), (b"1", b"1")}
    place.discard()


@live
def test_live_fdb_most_appends_fit() -> None:
    """As many appends as the port allows, to the byte budget, are not too large for the cluster."""
    place = LivePlace()

    def body(transaction: Transaction) -> None:
        for _ in range(APPENDS):
            transaction.append(b"l", b"")

    with closing(place.open_engine()) as engine:
        engine.run(body)
        assert len(rows_of(engine, limit=10_000)) == APPENDS
    place.discard()


class FakePlaceOf(FakePlace):
    """Another way to a fake cluster."""

    def __init__(self, cluster: FakeCluster, folder: Path) -> None:
        super().__init__(folder)
        self.cluster = cluster


def in_thread(work: Callable[[], object]) -> None:
    """Run it in another thread and wait."""
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()
