"""Places of words and phrases as a file: arrays of all documents, which are mapped into memory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy.typing as npt

from coditect.knowledge.building.gathered.segments import mapped
from coditect.tiers.shares.container import Container, contained
from coditect.tiers.shares.places import Standing

__all__ = ["read_places", "write_places"]

_HEAD = "places/1"
_PLACES = "places"
_ROWS = ("numbers", "owners", "lists")


def read_places(folder: Path) -> dict[str, Standing]:
    """The places in a folder, by the name of the lists that they are in.

    Raises:
        OSError, ValueError, KeyError, TypeError: the file is damaged.
    """
    container = Container(_HEAD, mapped(folder / _PLACES))
    found = {}
    for name, documents in container.value("documents").items():
        rows = [container.array(f"{name} {each}", "<u4") for each in _ROWS]
        codes = container.array(f"{name} codes", "<u8")
        if any(len(each) != len(rows[0]) for each in rows):
            raise ValueError(name)
        found[name] = Standing(codes, documents, *rows)
    return found


def write_places(work: Path, places: Mapping[str, Standing]) -> None:
    """Write places into a new folder."""
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name, own in places.items():
        arrays |= {f"{name} {each}": getattr(own, each) for each in ("codes", *_ROWS)}
    documents = {name: list(own.documents) for name, own in places.items()}
    (work / _PLACES).write_bytes(contained(_HEAD, arrays, {"documents": documents}))
