"""A corpus that is rebuilt many times while ingests and builds of it are killed, then swept, beside a reader of old generations.

Run as a program it does so at full length and prints what it counted::

    python -m tests.e2e.swept_history FOLDER
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from coditect.integrity.sweeping.sweep import sweep
from coditect.integrity.validate import validate
from coditect.schemas import RowCount, SweepReport
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, build_all, folder_of, ingest_all, many_documents
from tests.e2e.corpus_program import CORPUS_PROGRAM
from tests.integration.archives import export_bytes, import_bytes
from tests.integration.sweeps import everything_of
from tests.killed_programs import Program
from tests.places import open_at

__all__ = ["Outcome", "rebuild_and_kill"]

STATISTICS = frozenset(("generations", "feed"))
"""Tables that say what a build found there already, and how often documents were taken in: kills show in them."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was counted.

    Attributes:
        kills: programs that were killed at work.
        before: what a dry run found.
        after: what the sweep left, by table.
        undisturbed: the same of an import of a corpus with the same history and no kills.
        imported: the same of an import of the swept corpus.
        views: how often a generation was read whole while kills, builds and the sweep went on.
        findings: of validation after the sweep.
    """

    kills: int
    before: SweepReport
    after: Mapping[str, RowCount]
    undisturbed: Mapping[str, RowCount]
    imported: Mapping[str, RowCount]
    views: int
    findings: int


def rebuild_and_kill(place: Path, *, times: int, rebuilds: int, kills: int, seed: int) -> Outcome:
    """Rebuild a corpus with changes, kill programs in between, sweep, and count.

    Args:
        place: a folder of this run's own.
        times: size of the corpus, in fours of documents.
        rebuilds: generations.
        kills: programs that are killed, spread over them.
        seed: of the moments.
    Raises:
        AssertionError: a generation read otherwise than before.
    """
    moments = random.Random(seed)  # noqa: S311 - any moments, but the same ones
    program = Program.written(place / "work.py", CORPUS_PROGRAM)
    killed_in = sorted(moments.choices(range(1, rebuilds), k=kills))
    wanted: dict[int, object] = {}
    killed = views = 0
    for number in range(1, rebuilds + 1):
        for _ in range(killed_in.count(number - 1)):
            killed += _kill(program, place, number, moments, times)
        _rebuild(place / "store", _state(place, times, number))
        _rebuild(place / "undisturbed", _state(place, times, number))
        views += _read(place / "store", wanted, number)
    with closing(open_at(place / "store")) as engine:
        store = Store(engine)
        before = sweep(store)
        opened = open_view(store, CORPUS, 1)
        report = sweep(store, apply=True)
        if [corpus.state for corpus in report.corpora] != ["swept"]:
            raise AssertionError(report.corpora[0].reason)
        if everything_of(opened) != wanted[1]:
            raise AssertionError("a view that was open during the sweep shows something else")
        after, findings = _live(store), len(validate(store, CORPUS).findings)
        imported = _live(_imported(store))
    views += _read(place / "store", wanted, rebuilds)
    with closing(open_at(place / "undisturbed")) as engine:
        undisturbed = _live(_imported(Store(engine)))
    return Outcome(killed, before, after, undisturbed, imported, views, findings)


def _state(place: Path, times: int, number: int, variant: str = "") -> Path:
    """The folder as it is before a build: each changes a document in four, and drops or brings back another."""
    documents: dict[str, str | bytes] = {
        name: f"{text}\nClerk {number}{variant} shall sign {name}.\n" if (n + number) % 4 == 0 or variant else text
        for n, (name, text) in enumerate(many_documents(times).items())
        if n != number % (4 * times)
    }
    return folder_of(place / f"files-{number}{variant}", documents)


def _rebuild(path: Path, folder: Path) -> None:
    with closing(open_at(path)) as engine:
        ingest_all(Store(engine), folder, sync=True)
        build_all(Store(engine))


def _kill(program: Program, place: Path, number: int, moments: random.Random, times: int) -> bool:
    """Kill an ingest of other documents, or take them in and kill the build; was it at work?"""
    folder = _state(place, times, number, f"-{moments.randrange(1_000)}")
    what = moments.choice(("sync", "build"))
    if what == "build":
        with closing(open_at(place / "store")) as engine:
            ingest_all(Store(engine), folder, sync=True)
    steps = moments.randrange(1, 12 if what == "sync" else 6)
    return program.killed(steps, moments.uniform(0.0, 0.003), what, place / "store", folder, 1)


def _read(path: Path, wanted: dict[int, object], last: int) -> int:
    """Read the first generation, one in the middle and the last whole, and compare with what they were; how many."""
    with closing(open_at(path)) as engine:
        store = Store(engine)
        for number in {1, (last + 1) // 2, last}:
            found = everything_of(open_view(store, CORPUS, number))
            if wanted.setdefault(number, found) != found:
                raise AssertionError(f"generation {number} is not what it was")
    return len({1, (last + 1) // 2, last})


def _live(store: Store) -> dict[str, RowCount]:
    """Live rows by table, of a store in which nothing is dead."""
    (corpus,) = sweep(store).corpora
    if corpus.dead or corpus.state != "found":
        raise AssertionError(f"{corpus.state}: {corpus.dead}")
    return corpus.live


def _imported(store: Store) -> Store:
    fresh = Store(MemoryEngine())
    import_bytes(fresh, export_bytes(store))
    return fresh


def bytes_of(rows: Mapping[str, RowCount], *, without: frozenset[str] = frozenset()) -> int:
    """Keys and values of tables."""
    return sum(count.size_bytes for table, count in rows.items() if table not in without)


def main() -> None:
    """The whole length: 30 rebuilds, 20 kills."""
    place = Path(sys.argv[1])
    place.mkdir(parents=True)
    begin = time.perf_counter()
    found = rebuild_and_kill(place, times=3, rebuilds=30, kills=20, seed=30)
    lines = {
        "programs killed at work": found.kills,
        "live bytes before the sweep": found.before.live_bytes,
        "dead bytes before the sweep": found.before.dead_bytes,
        "live bytes after it": bytes_of(found.after),
        "of an import of the swept corpus": bytes_of(found.imported),
        "live bytes after it, without build statistics and feed": bytes_of(found.after, without=STATISTICS),
        "of an import of the undisturbed corpus": bytes_of(found.undisturbed, without=STATISTICS),
        "rows after it, without those": sum(c.rows for t, c in found.after.items() if t not in STATISTICS),
        "rows of the undisturbed": sum(c.rows for t, c in found.undisturbed.items() if t not in STATISTICS),
        "whole generations read": found.views,
        "findings": found.findings,
    }
    for name, number in lines.items():
        sys.stdout.write(f"{name:60} {number:>12,}\n")
    sys.stdout.write(f"{time.perf_counter() - begin:.0f} s\n")


if __name__ == "__main__":
    main()
