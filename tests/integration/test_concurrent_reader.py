"""A reader always sees a whole generation, whatever is being built beside it."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path

from coditect.store.store import Store
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all
from tests.integration.processes import WAIT_S, read_in_a_loop
from tests.places import open_at
from tests.warm import WARM

BUILDS = 12


def test_reader_in_another_process_sees_whole_generations_only(tmp_path: Path) -> None:
    """Every item of every tier is reachable and as many as stated, in every view that is opened during a dozen builds."""
    path = tmp_path / "store"
    with closing(open_at(path)) as engine:
        store = Store(engine)
        mine, theirs = WARM.Pipe()
        reader = WARM.Process(target=read_in_a_loop, args=(partial(open_at, path), theirs))
        reader.start()
        try:
            assert mine.poll(WAIT_S)
            assert mine.recv() == "ready"
            for number in range(BUILDS):
                changed = {name: f"{text}\nThe clerk shall sign form {number}.\n" for name, text in DOCUMENTS.items()}
                if number % 3 == 2:
                    del changed["retention.txt"]
                ingest_all(store, folder_of(tmp_path / f"{number}", changed), sync=True)
                assert build_all(store).changed
            mine.send("stop")
            assert mine.poll(WAIT_S)
            views, generations, wrong = mine.recv()
        finally:
            reader.join(WAIT_S)
            if reader.is_alive():
                reader.kill()
        assert wrong == ""
        assert views >= len(generations) >= 2, "the reader was not there while builds went on"
        assert store.corpus(CORPUS).generation == BUILDS
