"""Processor time and memory of a build by phase, taken where the build calls what does the work of a phase."""

from __future__ import annotations

import functools
import importlib
import resource
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["PHASES", "Account", "cpu_seconds", "measured"]

PHASES: tuple[tuple[str, str, str], ...] = (
    ("coditect.knowledge.building.pipeline", "plan_documents", "plan"),
    ("coditect.knowledge.building.pipeline", "derive_missing", "extract and select"),
    ("coditect.knowledge.building.pipeline", "profile_documents", "profiles"),
    ("coditect.knowledge.building.pipeline", "held_today", "profiles"),
    ("coditect.knowledge.building.pipeline", "draft_manifest", "manifest"),
    ("coditect.knowledge.building.material.Material", "__init__", "read Tier 2"),
    ("coditect.knowledge.building.material", "shares_of", "shares"),
    ("coditect.knowledge.building.gathered.corpus.Gathered", "__init__", "gathered"),
    ("coditect.knowledge.building.gathered.corpus.Gathered", "put", "gathered"),
    ("coditect.knowledge.building.gathered.corpus.Gathered", "change", "conflicts"),
    ("coditect.knowledge.building.material", "facts_of", "conflicts"),
    ("coditect.knowledge.building.material", "conflicts_between", "conflicts"),
    ("coditect.tiers.shares.sums.Sums", "of", "conflicts"),
    ("coditect.knowledge.building.summary", "plan_sections", "topics"),
    ("coditect.knowledge.building.sections", "find_registers", "gaps and measures"),
    ("coditect.knowledge.building.summary", "build_tier3", "sections"),
    ("coditect.knowledge.building.summary", "compose_claims", "claims"),
    ("coditect.knowledge.building.summary", "_judged", "checks"),
    ("coditect.knowledge.building.summary", "empty_tiers", "remarks"),
    ("coditect.knowledge.building.pipeline", "_publish", "publish"),
    ("coditect.retrieve.local.search.HybridSearcher", "refresh", "replica"),
    ("coditect.knowledge.cases.base.KnowledgeBase", "checkpoint", "checkpoint"),
)
"""(module or class, its function, phase). What lies between them is the phase "other"."""

OTHER = "other"


def cpu_seconds() -> float:
    """Processor time of this process and of those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


class Account:
    """What the phases of one run took: of phases inside of each other the inner one has what is spent there.

    Attributes:
        seconds: processor time by phase.
        peak_mib: the most memory that the process held during a phase, by phase. Pages of the store's file that were read count,
            too, which the system takes back when it needs them.
        own_mib: the memory without pages of files at the end of a phase, by phase.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.peak_mib: dict[str, int] = defaultdict(int)
        self.own_mib: dict[str, int] = defaultdict(int)
        self._stack = [OTHER]
        self._since = cpu_seconds()

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Put what is spent inside to a phase."""
        self.settle()
        self._stack.append(name)
        try:
            yield
        finally:
            self.settle()
            self._stack.pop()

    def settle(self) -> None:
        """Put what was spent until now to the phase that is under way."""
        now, name = cpu_seconds(), self._stack[-1]
        self.seconds[name] += now - self._since
        peak, own = _memory_mib()
        self.peak_mib[name] = max(self.peak_mib[name], peak)
        self.own_mib[name] = max(self.own_mib[name], own)
        self._since = now


@contextmanager
def measured(account: Account) -> Iterator[Account]:
    """Have every function of :data:`PHASES` put its time and memory to an account as long as the block runs."""
    undo: list[Callable[[], None]] = []
    try:
        for place, name, phase in PHASES:
            holder = _holder(place)
            before = getattr(holder, name)
            setattr(holder, name, _wrapped(before, account, phase))
            undo.append(functools.partial(setattr, holder, name, before))
        _memory_mib()
        yield account
        account.settle()
    finally:
        for each in reversed(undo):
            each()


def _holder(place: str) -> Any:  # noqa: ANN401 - a module or a class
    """A module, or a class in one."""
    head, _, last = place.rpartition(".")
    return getattr(importlib.import_module(head), last) if last[0].isupper() else importlib.import_module(place)


def _wrapped(function: Callable[..., Any], account: Account, phase: str) -> Callable[..., Any]:
    @functools.wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - whatever the function takes and gives
        with account.phase(phase):
            return function(*args, **kwargs)

    return inner


def _memory_mib() -> tuple[int, int]:
    """(the most memory since the last call, what is held now without pages of files), MiB; 0 where the system does not say."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return 0, 0
    told = {name: value for name, _, value in (line.partition(":") for line in lines)}
    return _mib(told.get("VmHWM", "0")), _mib(told.get("RssAnon", "0"))


def _mib(told: str) -> int:
    return int(told.split()[0]) // 1024
