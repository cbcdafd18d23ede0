"""Search replicas on disk: made once, kept while they are used, removed when nobody needs them."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from time import sleep

import pytest

from coditect.errors import Unavailable
from coditect.retrieve.local import inventory, replica
from coditect.retrieve.local.lexical import LexicalIndex
from coditect.retrieve.local.replica import KEPT, Replicas
from coditect.retrieve.local.search import HybridSearcher
from coditect.retrieve.port import Request
from coditect.retrieve.words import read_words
from coditect.schemas import tag_of
from coditect.store.store import Store
from coditect.store.view import View, changed_between, open_view
from coditect.testing.embedder.hashing import HashingEmbedder
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, build_all, folder_of, ingest_all
from tests.effort import times

GENERATIONS = times(12, least=8)
WORDS = read_words("the clerk signs a form")


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> list[View]:
    """As many generations as a dozen builds make; each has one more duty than the one before."""
    store = Store(MemoryEngine())
    text = "# Forms\n\n"
    for number in range(GENERATIONS):
        text += f"The clerk shall sign form {number} within {number + 2} days.\n\n"
        files = {"forms.md": text, "rules.md": "# Rules\n\nThe auditor shall keep the register.\n"}
        ingest_all(store, folder_of(tmp_path_factory.mktemp("files"), files))
        build_all(store)
    return [open_view(store, CORPUS, number + 1) for number in range(GENERATIONS)]


def replicas_of(view: View, cache: Path) -> Replicas:
    """Replicas with nothing open, as a new process has them."""
    return Replicas(view.store, cache)


def place_of(view: View, cache: Path) -> Path:
    """Where the replicas of the corpus lie."""
    return replicas_of(view, cache).folder / tag_of(CORPUS)


def builds_at(place: Path) -> set[str]:
    """Builds of which there is a replica."""
    return {each.name.partition(".")[0] for each in place.iterdir()}


def found(replicas: Replicas, view: View) -> list[str]:
    """Ids of what a question finds in a generation."""
    return [match.item_id for match in replicas.index(view, "extraction").search(WORDS, 100)]


def test_prune_keeps_the_replicas_that_were_used_last(views: list[View], tmp_path: Path) -> None:
    """The four newest by use stay, the new one among them; an old one that was asked again is new."""
    place = place_of(views[0], tmp_path)
    for number, view in enumerate(views[:KEPT]):
        replicas_of(view, tmp_path).index(view, "section")
        (own,) = (each for each in place.iterdir() if each.name.startswith(view.manifest.build_id))
        os.utime(own, (number, number))
    assert builds_at(place) == {view.manifest.build_id for view in views[:4]}
    replicas_of(views[0], tmp_path).index(views[0], "section")  # opened again
    replicas_of(views[4], tmp_path).index(views[4], "section")
    assert builds_at(place) == {views[number].manifest.build_id for number in (0, 2, 3, 4)}


def test_prune_removes_what_a_killed_process_left(views: list[View], tmp_path: Path) -> None:
    """A replica that was begun and never finished is removed by the next one that is made."""
    left = place_of(views[0], tmp_path) / ".making-left"
    left.mkdir(parents=True)
    replicas_of(views[0], tmp_path).index(views[0], "extraction")
    assert not left.exists()


def test_replica_that_is_being_opened_is_not_pruned(views: list[View], tmp_path: Path) -> None:
    """Between choosing a folder and opening its files, others make as many replicas as they like."""
    first, *others = views
    replicas = replicas_of(first, tmp_path)
    units = len(replicas.index(first, "extraction"))

    def opening(folder: Path) -> int:
        os.utime(folder, (0, 0))  # nothing was used longer ago
        for view in others[: KEPT + 1]:
            replicas_of(view, tmp_path).index(view, "section")
        return len(LexicalIndex(folder / "extraction"))

    assert replicas.opened(first, replicas._kind, replicas._make, opening) == units
    replicas_of(others[-1], tmp_path).index(others[-1], "section")
    assert first.manifest.build_id not in builds_at(place_of(first, tmp_path))


def test_replica_that_was_just_made_is_not_pruned_before_it_is_opened(
    views: list[View], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The maker holds its folder from its first name to its last."""
    first, *others = views
    rename, prune = Path.rename, Replicas._prune

    def make_others(target: Path) -> None:
        os.utime(target, (0, 0))
        for view in others[: KEPT + 1]:
            replicas_of(view, tmp_path).index(view, "section")

    def renamed(self: Path, target: Path) -> Path:
        done = rename(self, target)
        if target.name.startswith(first.manifest.build_id):
            make_others(target)
        return done

    def pruned(self: Replicas, newest: Path) -> None:
        if newest.name.startswith(first.manifest.build_id):
            make_others(newest)
        prune(self, newest)

    monkeypatch.setattr(Path, "rename", renamed)
    monkeypatch.setattr(Replicas, "_prune", pruned)
    assert found(replicas_of(first, tmp_path), first)


@pytest.mark.parametrize("spoiled", [False, True])
def test_replica_that_many_threads_ask_for_is_made_once(views: list[View], tmp_path: Path, spoiled: bool) -> None:
    """The others wait for the one that makes it; what could not be made is tried again by the next."""
    replicas, view = replicas_of(views[0], tmp_path), views[0]
    begun: list[Path] = []
    waiting = Barrier(8)

    def make(view: View, work: Path) -> None:
        begun.append(work)
        if spoiled and len(begun) == 1:
            raise RuntimeError("the power went")
        replicas._make(view, work)

    def ask(_: int) -> str:
        waiting.wait()
        try:
            index = replicas.opened(view, replicas._kind, make, lambda folder: LexicalIndex(folder / "extraction"))
        except RuntimeError as error:
            return str(error)
        return "found" if index.search(WORDS, 100) else "nothing"

    with ThreadPoolExecutor(8) as pool:
        said = Counter(pool.map(ask, range(8)))
    assert said == ({"found": 7, "the power went": 1} if spoiled else {"found": 8})
    assert len(begun) == 1 + spoiled
    assert replicas._made_by == {}


def test_thread_that_comes_after_a_failure_waits_for_the_one_that_tries_again(
    views: list[View], tmp_path: Path
) -> None:
    """Three threads: the first fails, the second waited for it and is at work, the third comes then, and must wait, too."""
    replicas = replicas_of(views[0], tmp_path)
    inside: list[int] = []
    most: list[int] = []
    first_is_in, second_waits, second_is_in, third_waits = Event(), Event(), Event(), Event()

    def waiters() -> int:
        return replicas._made_by[tmp_path].wanted_by if tmp_path in replicas._made_by else 0

    def turn(entered: Event, go_on: Event) -> None:
        with replicas._alone(tmp_path):
            inside.append(1)
            most.append(len(inside))
            entered.set()
            assert go_on.wait(60)
            inside.pop()

    with ThreadPoolExecutor(3) as pool:
        done = [pool.submit(turn, first_is_in, second_waits)]
        assert first_is_in.wait(60)
        done.append(pool.submit(turn, second_is_in, third_waits))
        until(lambda: waiters() == 2)
        second_waits.set()
        assert second_is_in.wait(60)
        done.append(pool.submit(turn, Event(), third_waits))
        until(lambda: waiters() == 2)
        third_waits.set()
        for each in done:
            each.result()
    assert most == [1, 1, 1]
    assert replicas._made_by == {}


def until(true: Callable[[], bool]) -> None:
    """Wait for something that another thread does, a minute at most."""
    for _ in range(60_000):
        if true():
            return
        sleep(0.001)
    raise AssertionError("it did not happen")


def searcher_of(view: View, cache: Path) -> HybridSearcher:
    """A searcher with nothing open, as a new process has it."""
    embedder = HashingEmbedder()
    return HybridSearcher(replicas_of(view, cache), lambda: embedder)


@pytest.mark.parametrize("shared", [True, False])
def test_questions_about_many_generations_at_once_are_answered_from_them(
    views: list[View], tmp_path: Path, *, shared: bool
) -> None:
    """Far more generations than stay on disk, several threads, by one searcher or each by its own, as processes have."""
    asked = Request("the clerk signs a form", "extraction", 100)
    wanted = {}
    for view in views:
        wanted[view.manifest.build_id] = searcher_of(view, tmp_path / "one").search(view, asked).found
    assert len(set(map(len, wanted.values()))) == GENERATIONS
    one = searcher_of(views[0], tmp_path / "many")

    def ask(start: int) -> list[str]:
        own = one if shared else searcher_of(views[0], tmp_path / "many")
        order = [*views[start:], *views[:start]]
        return [v.manifest.build_id for v in order if own.search(v, asked).found != wanted[v.manifest.build_id]]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(0, GENERATIONS, GENERATIONS // 4))) == [[]] * 4


@pytest.mark.parametrize("file", ["meta.json", "*.idx", "*"])
def test_replica_whose_files_were_removed_is_made_again(views: list[View], tmp_path: Path, file: str) -> None:
    """What a cleaner of caches took is missed when the replica is opened, and never answers as an empty index would."""
    view = views[-1]
    wanted = found(replicas_of(view, tmp_path), view)
    assert wanted
    (folder,) = place_of(view, tmp_path).iterdir()
    for each in (folder / "extraction").glob(file):
        each.unlink()
    assert found(replicas_of(view, tmp_path), view) == wanted


def _replaced(file: Path, content: bytes) -> None:
    """Another file in a file's place: whoever has the former one mapped keeps it, and is not ended by SIGBUS."""
    file.unlink()
    file.write_bytes(content)


def _cut(extraction: Path) -> None:
    for each in extraction.glob("*.idx"):
        _replaced(each, each.read_bytes()[:-1])


def _zeroed(extraction: Path) -> None:
    for each in extraction.glob("*.pos"):
        _replaced(each, bytes(each.stat().st_size))


def _of_another_granularity(extraction: Path) -> None:
    shutil.rmtree(extraction)
    # With times of their own: small files of one size, made within one tick of the file system's clock, may get the inodes of the
    # others, and the inventory takes such for untouched.
    shutil.copytree(extraction.with_name("section"), extraction, copy_function=shutil.copyfile)


def _of_another_build(extraction: Path) -> None:
    folder = extraction.parent
    (other,) = (each for each in folder.parent.iterdir() if each != folder)
    shutil.rmtree(folder)
    shutil.copytree(other, folder)


@pytest.mark.parametrize("harm", [_cut, _zeroed, _of_another_granularity, _of_another_build])
def test_replica_whose_files_were_cut_or_mixed_is_made_again(
    views: list[View], tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    """Files that can be opened and are not its own would answer, and answer wrongly."""
    found(replicas_of(views[0], tmp_path), views[0])
    view = views[-1]
    wanted = found(replicas_of(view, tmp_path), view)
    (folder,) = (each for each in place_of(view, tmp_path).iterdir() if each.name.startswith(view.manifest.build_id))
    harm(folder / "extraction")
    assert found(replicas_of(view, tmp_path), view) == wanted


def test_replica_that_was_copied_is_compared_once_and_not_made_again(
    views: list[View], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache that was moved to another machine is as good as it was; afterwards opening it reads no file twice."""
    view = views[-1]
    wanted = found(replicas_of(view, tmp_path / "one"), view)
    shutil.copytree(tmp_path / "one", tmp_path / "other", copy_function=shutil.copyfile)
    made: list[Path] = []
    monkeypatch.setattr(Replicas, "_make", lambda self, view, work, beside: made.append(work))
    assert found(replicas_of(view, tmp_path / "other"), view) == wanted
    monkeypatch.setattr(inventory, "_entry", lambda file: pytest.fail("compared again"))
    assert found(replicas_of(view, tmp_path / "other"), view) == wanted
    assert made == []


def test_replica_that_cannot_be_opened_even_when_it_is_new_is_told(views: list[View], tmp_path: Path) -> None:
    """It is made again once, not for ever, and the error tells the way out."""
    replicas = replicas_of(views[0], tmp_path)
    tried: list[Path] = []

    def opening(folder: Path) -> None:
        tried.append(folder)
        raise ValueError("not an index")

    for tries in (1, 3):
        with pytest.raises(Unavailable, match="search replica") as told:
            replicas.opened(views[0], replicas._kind, replicas._make, opening)
        assert "--cache" in str(told.value.hint)
        assert len(tried) == tries


@pytest.mark.parametrize(
    "harm", [lambda chunk: (chunk / "meta.json").unlink(), _cut, _zeroed], ids=["lost", "cut", "zeroed"]
)
def test_replica_is_not_made_from_a_damaged_one(
    views: list[View], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: Callable[[Path], None]
) -> None:
    """A base that lost files, or holds others, is passed over, and nothing of it is missing in the new one."""
    replicas_of(views[0], tmp_path / "base").index(views[0], "section")
    (damaged,) = place_of(views[0], tmp_path / "base").iterdir()
    harm(damaged / "chunk")
    view = views[1]
    wanted = found(replicas_of(view, tmp_path / "fresh"), view)
    monkeypatch.setattr(replica, "INCREMENTAL_FROM", 1)
    monkeypatch.setattr(Replicas, "base", lambda self, view, kind: (damaged, *changed_between(views[0], view)))
    assert found(replicas_of(view, tmp_path / "linked"), view) == wanted
