"""Ingest and build with a log and without one, and questions with a log of accesses and without, in turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coditect.compose import open_engine, open_knowledge
from coditect.engine.port import Engine
from coditect.schemas import BuildSettings
from coditect.settings import Settings
from coditect.store.store import Store
from coditect.transparency.notes import SigningKey
from coditect.transparency.sequencer import TransparencyLog

__all__ = ["Costs", "Turn", "question_costs", "run_costs"]

CORPUS = "documents"
LOG_TABLES = ("log/pending", "log/entries", "log/tiles", "log/heads", "log/checkpoints", "log/acts", "log/principals")


@dataclass(frozen=True)
class Turn:
    """One ingest and build.

    Attributes:
        cpu_s: processor time.
        wall_s: by the clock.
        events: of the log then.
        bytes: that the log takes, keys and values.
    """

    cpu_s: float
    wall_s: float
    events: int = 0
    bytes: int = 0


@dataclass(frozen=True)
class Costs:
    """Turns with and without, one after the other."""

    logged: list[Turn]
    unlogged: list[Turn]

    @property
    def ratio(self) -> float:
        """Processor time with a log by that without, the best turn of each."""
        return min(each.cpu_s for each in self.logged) / min(each.cpu_s for each in self.unlogged)


@contextmanager
def _appends(transaction: type[Any], *, to_log: bool, pending: bytes) -> Iterator[None]:
    """Count what is appended to the log, or drop it: both ways go through the same test, which costs both the same."""
    genuine = transaction.append

    def append(self: Any, prefix: bytes, value: bytes) -> None:  # noqa: ANN401 - any engine's transaction
        if to_log or not prefix.startswith(pending):
            genuine(self, prefix, value)

    transaction.append = append
    try:
        yield
    finally:
        transaction.append = genuine


def _transaction_of(engine: Engine) -> type[Any]:
    found: list[type[Any]] = []
    engine.run(lambda transaction: found.append(type(transaction)))
    return found[-1]


def run_costs(
    url: Callable[[str], str], tenant: Callable[[str], str], folder: Path, cache: Path, key: SigningKey, turns: int
) -> Costs:
    """Ingest and build a folder, in one process, with and without a log in turns.

    Args:
        url: of a store of a turn's own.
        tenant: of a turn's own.
        folder: the documents.
        cache: for search indexes.
        key: signs the log.
        turns: of each.
    """
    costs = Costs([], [])
    for number in range(-1, 2 * turns):  # the first one loads what all of them use, and counts for nothing
        to_log = number % 2 == 1
        name = f"turn-{number}"
        settings = Settings(
            store=url(name), tenant=tenant(name), cache=cache / name, jobs=1
        )  # with vectors: each is an event
        with closing(open_engine(settings.store)) as engine:
            kind = _transaction_of(engine)
            pending = Store(engine, settings.tenant).keys.pending
        with _appends(kind, to_log=to_log, pending=pending), open_knowledge(settings) as knowledge:
            begin, wall = time.process_time(), time.perf_counter()
            knowledge.ingest(CORPUS, [folder])
            knowledge.build(CORPUS, BuildSettings(today="2026-01-01"))
            log = TransparencyLog(knowledge.store.engine, knowledge.store.keys)
            if to_log:
                log.checkpoint(key)
            cpu_s, wall_s = time.process_time() - begin, time.perf_counter() - wall
            turn = Turn(round(cpu_s, 2), round(wall_s, 2), log.head().size, _log_bytes(knowledge.store))
        if number >= 0:
            (costs.logged if to_log else costs.unlogged).append(turn)
    return costs


def _log_bytes(store: Store) -> int:
    rows = (row for table in LOG_TABLES for page in store.pages(*store.keys.bounds(table)) for row in page)
    return sum(len(key) + len(value) for key, value in rows)


def question_costs(settings: Settings, questions: list[str], rounds: int) -> tuple[float, list[float]]:
    """Processor time of questions of a configured principal, whose reads are logged, by that of nobody's, by round.

    Args:
        settings: of a store with a corpus that was built, without a principal.
        questions: asked one after the other.
        rounds: of each kind, in turns.

    Returns:
        The ratio of the medians, and those of the rounds.
    """
    ratios = []
    named = settings.model_copy(update={"principal": "P. Rincipal"})
    with open_knowledge(settings, must_exist=True) as plain, open_knowledge(named, must_exist=True) as logged:
        for each in questions[:20]:  # both are warm
            plain.query(CORPUS, each)
            logged.query(CORPUS, each)
        for number in range(rounds):
            taken = {}
            order = (("plain", plain), ("logged", logged))
            for name, knowledge in order if number % 2 else reversed(order):
                begin = time.process_time()
                for each in questions:
                    knowledge.query(CORPUS, each)
                knowledge.flush_reads()
                taken[name] = time.process_time() - begin
            ratios.append(taken["logged"] / taken["plain"])
    return sorted(ratios)[len(ratios) // 2], ratios
