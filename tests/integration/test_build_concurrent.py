"""Several processes at work on one store: nothing is lost, and who comes second is told."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from coditect.errors import Conflict
from coditect.integrity.validate import validate
from coditect.knowledge.building import pipeline as building
from coditect.schemas import BuildSettings
from coditect.store.generations import generations
from coditect.store.store import PAGE_ROWS, Store
from coditect.store.view import open_view
from tests.corpora import CORPUS, DOCUMENTS, SETTINGS, build_all, clock, feed, folder_of, ingest_all
from tests.integration.processes import WAIT_S, build_together, build_until_done, take_in
from tests.places import open_at
from tests.warm import WARM

OTHER = SETTINGS.model_copy(update={"max_topics": 1})


def test_two_processes_that_build_the_same_corpus_make_one_generation(tmp_path: Path) -> None:
    """Both built the same state: one generation and one feed event, and both are told its id."""
    folder = folder_of(tmp_path / "files", DOCUMENTS)
    outcomes = build_together(partial(open_at, tmp_path / "store"), [CORPUS, CORPUS], folder)
    with closing(open_at(tmp_path / "store")) as engine:
        store = Store(engine)
        assert {build_id for _, build_id in outcomes} == {store.corpus(CORPUS).build_id}
        assert len(generations(store, CORPUS)) == 1
        assert [event.event for event in feed(store, CORPUS)].count("generation") == 1
        assert validate(store, CORPUS).findings == ()


def test_two_processes_that_build_two_corpora_do_not_meet(tmp_path: Path) -> None:
    """Each has its own generation, the same as if it had been alone."""
    folder = folder_of(tmp_path / "files", DOCUMENTS)
    outcomes = build_together(partial(open_at, tmp_path / "store"), ["one", "two"], folder)
    assert [outcome for outcome, _ in outcomes] == ["built", "built"]
    with closing(open_at(tmp_path / "store")) as engine:
        store = Store(engine)
        for corpus in ("one", "two"):
            assert open_view(store, corpus).manifest.counts["documents"] == len(DOCUMENTS)
            assert validate(store, corpus).findings == ()


def test_processes_that_ingest_and_build_at_once_lose_nothing(tmp_path: Path) -> None:
    """Two take documents in while two build again and again: in the end all are there, and the build is the clean one."""
    folders = [
        folder_of(tmp_path / f"{n}", {f"{n}.md": DOCUMENTS["access.md"].replace("90", f"9{n}")}) for n in range(8)
    ]
    open_engine = partial(open_at, tmp_path / "store")
    with closing(open_engine()) as engine:
        ingest_all(Store(engine), folders[0])
    processes: list[BaseProcess] = [
        WARM.Process(target=take_in, args=(open_engine, CORPUS, folders[1:4])),
        WARM.Process(target=take_in, args=(open_engine, CORPUS, folders[4:])),
        WARM.Process(target=build_until_done, args=(open_engine, CORPUS, len(folders))),
        WARM.Process(target=build_until_done, args=(open_engine, CORPUS, len(folders))),
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(WAIT_S)
        assert process.exitcode == 0
    with closing(open_engine()) as engine:
        store = Store(engine)
        final = build_all(store)
        assert final.counts["documents"] == len(folders)
        assert validate(store, CORPUS).findings == ()
        assert [g.generation for g in generations(store, CORPUS)] == list(range(1, final.generation + 1))
    with closing(open_at(tmp_path / "clean")) as engine:
        clean = Store(engine)
        ingest_all(clean, *folders)
        assert build_all(clean).build_id == final.build_id


@pytest.mark.parametrize("settings", [SETTINGS, OTHER], ids=["same", "other"])
def test_build_that_is_overtaken_is_told_or_has_nothing_to_do(
    settings: BuildSettings, built: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another build finishes between the plan and the flip: the same state is no conflict, another state is."""
    ingest_all(built, folder_of(tmp_path, {"new.md": "# Clean Desk\n\nEmployees shall lock papers away each day.\n"}))
    publish = building._publish

    def overtaken(*arguments: Any) -> None:  # noqa: ANN401 - what _publish takes
        monkeypatch.setattr(building, "_publish", publish)
        build_all(built, settings=settings)
        publish(*arguments)

    monkeypatch.setattr(building, "_publish", overtaken)
    if settings == SETTINGS:
        assert build_all(built).generation == 2
    else:
        with pytest.raises(Conflict) as caught:
            build_all(built)
        assert caught.value.hint
    assert len(generations(built, CORPUS)) == 2
    kept = open_view(built, CORPUS).manifest.settings
    assert kept == settings.model_copy(update={"today": kept.today})  # a day that decided nothing is not kept
    assert validate(built, CORPUS).findings == ()


def test_build_that_would_change_nothing_but_is_overtaken_is_told(
    built: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ "Nothing changed" is said of the current generation only."""
    publish = building._publish

    def overtaken(*arguments: Any) -> None:  # noqa: ANN401 - what _publish takes
        monkeypatch.setattr(building, "_publish", publish)
        build_all(built, settings=OTHER)
        publish(*arguments)

    monkeypatch.setattr(building, "_publish", overtaken)
    with pytest.raises(Conflict):
        build_all(built)
    assert (built.corpus(CORPUS).generation, clock()) == (2, built.corpus(CORPUS).tier4_generated_at)


def test_validate_while_a_build_writes_finds_nothing(
    built: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a build writes while rows are read is no finding: tables are read one after the other."""
    new = {f"{n}.md": f"# Rule {n}\n\nClerk {n} shall sign form {n} within {n + 1} days.\n" for n in range(3)}
    pages = built.pages
    left = sorted(new)
    busy = False

    def pages_and_writes(begin: bytes, end: bytes) -> Any:  # noqa: ANN401 - as pages
        nonlocal busy
        rows = list(pages(begin, end))
        if left and not busy:
            busy = True
            name = left.pop()
            ingest_all(built, folder_of(tmp_path / name, {name: new[name]}))
            build_all(built)
            busy = False
        return iter(rows)

    for start in range(3, 24, 2):  # the writer comes in at another table each time
        calls = 0

        def later(begin: bytes, end: bytes, *, limit: int = PAGE_ROWS) -> Any:  # noqa: ANN401 - as pages
            nonlocal calls
            calls += 1
            return pages_and_writes(begin, end) if calls >= start else pages(begin, end, limit=limit)  # noqa: B023

        left[:] = [f"{start}.md"]
        new[f"{start}.md"] = f"# Rule {start}\n\nClerk {start} shall sign form {start} within {start} days.\n"
        monkeypatch.setattr(built, "pages", later)
        report = validate(built, CORPUS)
        monkeypatch.undo()
        assert left == []
        assert report.findings == (), start
