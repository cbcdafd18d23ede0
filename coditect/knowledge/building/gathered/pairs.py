"""Pairs as a file: which entries of documents that bind the same people are to be compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy.typing as npt

from coditect.knowledge.building.gathered.segments import mapped
from coditect.tiers.shares.container import Container, contained
from coditect.tiers.shares.meeting.pairs import KeptPairs

__all__ = ["read_pairs", "write_pairs"]

_HEAD = "pairs/1"
_PAIRS = "pairs"


def read_pairs(folder: Path) -> KeptPairs:
    """The pairs in a folder.

    Raises:
        OSError, ValueError, KeyError, TypeError: the file is damaged.
    """
    container = Container(_HEAD, mapped(folder / _PAIRS))
    documents = tuple(map(str, container.value("documents")))
    groups, ends = (container.array(name, "<i8") for name in ("groups", "ends"))
    ours, theirs = (container.array(name, "<u4") for name in ("ours", "theirs"))
    last = int(ends[-1]) if len(ends) else 0
    if not len(documents) == len(groups) == len(ends) or len(ours) != len(theirs):
        raise ValueError(_PAIRS)
    if any(len(each) and int(each.max()) >= last for each in (ours, theirs)):
        raise ValueError(_PAIRS)
    return KeptPairs(documents, groups, ends, ours, theirs)


def write_pairs(work: Path, pairs: KeptPairs) -> None:
    """Write pairs into a new folder.

    Args:
        work: the folder.
        pairs: what is written.
    """
    arrays: dict[str, npt.NDArray[Any]] = {
        "groups": pairs.groups,
        "ends": pairs.ends,
        "ours": pairs.ours,
        "theirs": pairs.theirs,
    }
    (work / _PAIRS).write_bytes(contained(_HEAD, arrays, {"documents": pairs.documents}))
