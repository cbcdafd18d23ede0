"""Sums as files: each run of codes and times is one, and the large ones are linked while a change adds to a small one."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import orjson

from coditect.knowledge.building.gathered.segments import mapped
from coditect.tiers.shares.container import Container, contained
from coditect.tiers.shares.sums import Sums
from coditect.tiers.shares.times import CodeRun, Times

__all__ = ["KeptSums", "read_sums", "write_sums"]

_HEAD = "run/1"
_SUMS = "sums.json"
_TIMES = ("said", "words", "found")
_COUNTS = ("statements", "requirements", "documents")


@dataclass(frozen=True, slots=True)
class KeptSums:
    """Sums, and where their runs lie.

    Attributes:
        sums: as they were kept.
        files: of the runs, by the identity of each.
    """

    sums: Sums
    files: dict[int, Path] = field(default_factory=dict)


def read_sums(folder: Path) -> KeptSums:
    """The sums in a folder.

    Raises:
        OSError, ValueError, KeyError, TypeError: its files are damaged.
    """
    told = orjson.loads((folder / _SUMS).read_bytes())
    files: dict[int, Path] = {}
    times = {}
    for name in _TIMES:
        runs = []
        for number in range(int(told[name])):
            container = Container(_HEAD, mapped(_file(folder, name, number)))
            run = CodeRun(container.array("codes", "<u8"), container.array("times", "<i8"))
            if len(run.codes) != len(run.times):
                raise ValueError(name)
            runs.append(run)
            files[id(run)] = _file(folder, name, number)
        times[name] = Times(runs)
    counts = (int(told[name]) for name in _COUNTS)
    return KeptSums(Sums(times["said"], times["words"], times["found"], *counts), files)


def write_sums(work: Path, sums: Sums, before: KeptSums | None) -> None:
    """Write sums into a new folder.

    Args:
        work: the folder.
        sums: what is written.
        before: what they were made from; runs of it that stayed are linked.
    """
    for name in _TIMES:
        for number, run in enumerate(getattr(sums, name).runs):
            file = _file(work, name, number)
            known = None if before is None else before.files.get(id(run))
            if known is not None:
                with suppress(OSError):
                    os.link(known, file)
                    continue
            arrays = {"codes": run.codes, "times": np.asarray(run.times, dtype=np.int64)}
            file.write_bytes(contained(_HEAD, arrays, {}))
    told = {name: len(getattr(sums, name).runs) for name in _TIMES}
    told |= {name: getattr(sums, name) for name in _COUNTS}
    (work / _SUMS).write_text(json.dumps(told), "ascii")


def _file(folder: Path, name: str, number: int) -> Path:
    return folder / f"{name}.{number}.run"
