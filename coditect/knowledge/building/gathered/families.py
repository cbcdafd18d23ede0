"""Families as a file: what is kept of the conflicts of each, all of them as a few arrays one behind the other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from coditect.knowledge.building.gathered.segments import mapped
from coditect.schemas import canonical_json, sha256_hex
from coditect.store.view import View
from coditect.tiers.findings.conflicts.strictness import Relation
from coditect.tiers.findings.standing import Standings
from coditect.tiers.shares.container import Container, contained
from coditect.tiers.shares.measures import Measures
from coditect.tiers.shares.meeting.known import KeptConflict, KeptFamily, Together

__all__ = ["KeptFamilies", "facts_of", "read_families", "write_families"]

KeptFamilies = Mapping[Together, tuple[str, KeptFamily]]
"""(what was known of its documents, what is kept of it) of each family, and of each part of a large one."""

_HEAD = "families/2"
_FAMILIES = "families"
_ARRAYS = {"asked": "<u8", "words": "<u8", "ends": "<i8", "sets": "<i8", "kinds": "|u1", "values": "<f8"}
"""The arrays of all families; of each family so many values of each, as its row says."""


def facts_of(view: View, standings: Standings, together: Together) -> str:
    """A digest of everything by which documents are compared, beside what they say.

    Args:
        view: the draft that they are of.
        standings: whom the documents of the draft bind, and when.
        together: the documents, or entries of them.
    """
    family = sorted({document for document, _ in together})
    kinds: dict[str, list[str]] = {}
    for each in family:
        kinds.setdefault(standings.like(each), []).append(each)
    stands_for = {each: own[0] for own in kinds.values() for each in own}
    comparable = [
        [own[0], *(other[0] for other in kinds.values() if standings.are_comparable(own[0], other[-1]))]
        for own in kinds.values()
    ]
    own = [
        [
            each,
            view.entries[each].version_id,
            list(view.entries[each].profile),
            standings.superseded[each].successor if each in standings.superseded else "",
            stands_for[each],
        ]
        for each in family
    ]
    corpus = [standings.today, bool(standings.profiles), standings.is_of_house, sorted(standings.house)]
    return sha256_hex(canonical_json([corpus, comparable, own]))


def read_families(folder: Path) -> KeptFamilies:
    """The families in a folder.

    Raises:
        OSError, ValueError, KeyError, TypeError: the file is damaged.
    """
    container = Container(_HEAD, mapped(folder / _FAMILIES))
    arrays = {name: container.array(name, kind) for name, kind in _ARRAYS.items()}
    at = dict.fromkeys(_ARRAYS, 0)
    found: dict[Together, tuple[str, KeptFamily]] = {}
    for number, (documents, facts, told, lengths) in enumerate(container.value("families")):
        own: dict[str, Any] = {}
        for name, length in zip(_ARRAYS, lengths, strict=True):
            own[name] = arrays[name][at[name] : at[name] + length]
            at[name] += length
        asked = own.pop("asked")
        own["sets"] = own["sets"].reshape(-1, 3)
        rows = tuple(_found(number, n, *row) for n, row in enumerate(told))
        found[frozenset((str(each), int(n)) for each, n in documents)] = facts, KeptFamily(rows, asked, Measures(**own))
    if any(at[name] != len(arrays[name]) for name in _ARRAYS):
        raise ValueError(_FAMILIES)
    return found


def _found(
    family: int,
    number: int,
    kind: str,
    head: str,
    subject: str,
    similarity: float,
    relation: Relation,
    places: list[Any],
) -> KeptConflict:
    own = tuple((document_id, start) for document_id, start in places)
    return KeptConflict(family, number, kind, head, subject, similarity, relation, own)


def write_families(work: Path, families: KeptFamilies) -> None:
    """Write families into a new folder.

    Args:
        work: the folder.
        families: what is written.
    """
    rows: list[list[Any]] = []
    pieces: dict[str, list[Any]] = {name: [np.zeros(0, dtype=kind)] for name, kind in _ARRAYS.items()}
    for documents, (facts, family) in families.items():
        own = {
            name: np.asarray(family.asked if name == "asked" else getattr(family.measures, name)).reshape(-1)
            for name in _ARRAYS
        }
        rows.append([sorted(documents), facts, family.told, [len(own[name]) for name in _ARRAYS]])
        for name, each in own.items():
            pieces[name].append(each)
    arrays = {name: np.concatenate(own).astype(_ARRAYS[name]) for name, own in pieces.items()}
    (work / _FAMILIES).write_bytes(contained(_HEAD, arrays, {"families": rows}))
