"""``coditect store`` and the space in ``status``, from end to end: figures, exit codes, JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click.testing
import pytest

from coditect.cli import coditect
from coditect.compose import open_engine
from coditect.errors import Unavailable
from coditect.store.store import Store
from coditect.store.work import registered
from tests.command_line import invoke
from tests.corpora import CORPUS, DOCUMENTS, folder_of
from tests.places import copy_place, lmdb_only, options_at, tenant_at, url_at


def _store(place: Path, *words: str) -> click.testing.Result:
    """Run ``coditect store`` with these words; a defect is raised."""
    result = click.testing.CliRunner().invoke(coditect, [*options_at(place), "store", *words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(scope="module")
def replaced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built corpus, of which a document was changed twice since."""
    place = tmp_path_factory.mktemp("cli")
    folder = folder_of(place / "documents", DOCUMENTS)
    ingest = ("ingest", "--corpus-id", CORPUS, str(folder))
    assert invoke(place / "store", *ingest).exit_code == 0
    assert invoke(place / "store", "build", "--corpus-id", CORPUS).exit_code == 0
    for text in ("One shall sign.", "Two shall sign."):
        folder_of(folder, {"access.md": f"{DOCUMENTS['access.md']}\n{text}\n"})
        assert invoke(place / "store", *ingest).exit_code == 0
    return place / "store"


@pytest.fixture
def own(replaced: Path, tmp_path: Path) -> Path:
    """The same, of this test's own."""
    return copy_place(replaced, tmp_path / "store")


def test_sweep_counts_first_and_removes_when_told(own: Path) -> None:
    """The text says what to do next; the sweep removes what was counted; a second one finds nothing."""
    dry = _store(own, "sweep")
    assert dry.exit_code == 0
    assert "Nothing was removed. Next: the same command with --apply" in dry.stdout
    counted = json.loads(_store(own, "sweep", "--format", "json").stdout)
    assert counted["applied"] is False
    (found,) = counted["corpora"]
    assert (found["state"], found["dead"]["documents"]["rows"], found["removed"]) == ("found", 1, {})
    swept = json.loads(_store(own, "sweep", "--yes", "--corpus-id", CORPUS, "--format", "json").stdout)
    assert swept["corpora"][0]["removed"] == found["dead"]
    assert swept["corpora"][0]["live"] == found["live"]
    last = _store(own, "sweep", "--apply")
    assert "Nothing in it is dead." in last.stdout
    assert "--apply" not in last.stdout
    assert invoke(own, "validate", "--corpus-id", CORPUS).exit_code == 0


def test_sweep_of_a_corpus_at_work_is_done_in_part(own: Path) -> None:
    """It says who is at work; exit code 3. A dry run counts all the same, and says that it may be off."""
    store = Store(open_engine(url_at(own)), tenant_at(own))
    with registered(store, CORPUS, "build"):
        result = _store(own, "sweep", "--apply")
        assert result.exit_code == 3
        assert "somebody is at work on it" in result.stdout
        assert "build, by " in result.stdout
        dry = _store(own, "sweep")
        assert dry.exit_code == 0
        assert "is counted as dead" in " ".join(dry.stdout.split())
    store.engine.close()


def test_sweep_of_an_unknown_corpus_is_wrong_use(own: Path) -> None:
    """As with every command."""
    assert _store(own, "sweep", "--corpus-id", "unknown").exit_code == 2


def test_status_tells_space_where_it_is_asked(own: Path) -> None:
    """Live and dead bytes are those that a sweep counts."""
    plain = json.loads(invoke(own, "status", "--format", "json").stdout)
    assert plain["space"] is None
    space = json.loads(invoke(own, "status", "--space", "--format", "json").stdout)["space"]
    (found,) = json.loads(_store(own, "sweep", "--format", "json").stdout)["corpora"]
    assert space["live_bytes"] == sum(count["size_bytes"] for count in found["live"].values())
    assert space["dead_bytes"] == sum(count["size_bytes"] for count in found["dead"].values()) > 0
    line = next(line for line in invoke(own, "status", "--space").stdout.splitlines() if line.startswith("Bytes"))
    assert f"{space['live_bytes']:,} live, {space['dead_bytes']:,} dead" in line


@lmdb_only("the file is compacted")
def test_compact_gives_free_space_back(own: Path) -> None:
    """After a sweep the file is shorter, and what is in it is what was in it."""
    assert _store(own, "sweep", "--apply").exit_code == 0
    before = json.loads(invoke(own, "status", "--space", "--format", "json").stdout)["space"]
    done = json.loads(_store(own, "compact", "--format", "json").stdout)
    assert done["before_bytes"] == before["file_bytes"] > done["after_bytes"]
    assert "bytes before" in _store(own, "compact").stdout
    after = json.loads(invoke(own, "status", "--space", "--format", "json").stdout)["space"]
    assert after["live_bytes"] == before["live_bytes"]
    assert invoke(own, "validate", "--corpus-id", CORPUS).exit_code == 0


@lmdb_only("the file is compacted")
def test_compact_beside_another_process_says_how_to_go_on(own: Path) -> None:
    """Exit code 4, and nothing was done."""
    script = (
        "import sys; from pathlib import Path; from coditect.engine.lmdb.engine import LmdbEngine; "
        f"engine = LmdbEngine(Path({str(own)!r})); print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        result = _store(own, "compact")
        assert result.exit_code == 4
        assert "another process has the store open" in result.stderr
        assert "hint: End the programs that use it" in result.stderr
        process.communicate(b"")


def test_index_is_built_listed_asked_and_dropped(own: Path) -> None:
    """The question has the same answers throughout; what is said in JSON and to people agrees."""

    def states() -> dict[str, str]:
        told = json.loads(_store(own, "index", "list", "--format", "json").stdout)
        return {each["name"]: each["state"] for each in told["indexes"]}

    def asked() -> tuple[object, set[str]]:
        words = ("--mode", "exact", "--tier", "extraction", "--query", "security team", "--explain", "--format", "json")
        hits = json.loads(invoke(own, "query", "--corpus-id", CORPUS, *words).stdout)["hits"]
        ways = {part.pop("part") for hit in hits for part in hit["parts"]}
        return hits, ways

    before, ways = asked()
    assert ways == {"exact, by scan"}
    assert states() == {**dict.fromkeys(("topic", "term", "locator", "answer"), "readable"), "entity": "disabled"}
    built = json.loads(_store(own, "index", "build", "entity", "--format", "json").stdout)
    assert (built["built"], built["index"]["state"]) == (True, "readable")
    assert "nothing to do" in _store(own, "index", "build", "entity").stdout
    assert states()["entity"] == "readable"
    assert asked() == (before, {"exact, by index"})
    assert "entity readable" in _store(own, "info").stdout
    assert json.loads(_store(own, "check", "--format", "json").stdout)["clean"]
    dropped = json.loads(_store(own, "index", "drop", "entity", "--format", "json").stdout)
    assert dropped["cleared_rows"] > 10
    assert "0 rows cleared" in _store(own, "index", "drop", "entity").stdout
    assert "disabled" in _store(own, "index", "list").stdout
    assert asked() == (before, {"exact, by scan"})


@pytest.mark.parametrize(
    "words", [("build", "term"), ("drop", "term"), ("build", "party"), ("drop", "party"), ("build",)]
)
def test_index_that_cannot_be_built_or_dropped_is_wrong_use(own: Path, words: tuple[str, ...]) -> None:
    """Exit code 2; what every store has stays."""
    result = _store(own, "index", *words)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_folder_that_may_not_be_looked_into_is_a_store_that_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine says so, with exit code 4; that nobody knows whether there is a store is no defect."""

    def shut(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    def refused(folder: Path) -> None:
        raise Unavailable("the store cannot be opened", path=str(folder))

    monkeypatch.setattr(Path, "exists", shut)
    monkeypatch.setattr("coditect.engine.lmdb.engine.LmdbEngine", refused)
    with pytest.raises(Unavailable, match="cannot be opened"):
        open_engine(f"lmdb://{tmp_path}", must_exist=True)
