"""The gold as it is committed: dev and held-out units in the open, the test part sealed, each opening of it written down.

``dev.jsonl`` and ``heldout.jsonl`` hold one :class:`GoldUnit` a line. ``test.sealed`` holds the same, compressed and in base64, so
that nobody reads it by accident; :func:`open_test` is the one way in, and it writes to ``OPENINGS.md`` before it gives anything.
"""

from __future__ import annotations

import base64
import datetime
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from coditect_benchmarks.gold.packs import show_unit
from coditect_benchmarks.gold.records import Label, PackUnit, Span, Unit, read_lines, write_lines
from coditect_benchmarks.gold.relocation import Relocation
from coditect_benchmarks.gold.sources import Library

__all__ = ["GoldUnit", "load", "make_gold", "open_test", "relocate_gold", "write_gold"]

_SEALED = "test.sealed"
_WIDTH = 120


class GoldUnit(BaseModel):
    """A unit, what it says, and its text where that may be committed.

    Attributes:
        unit: where it lies.
        label: all quotes as offsets of the canonical text.
        excerpt: the text and its surroundings; None where the licence keeps it out.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    unit: Unit
    label: Label[Span]
    excerpt: PackUnit | None = None


def make_gold(units: Mapping[str, Unit], labels: Mapping[str, Label[Span]], library: Library) -> list[GoldUnit]:
    """Units with their labels, ordered by id; excerpts of public texts only."""
    return [
        GoldUnit(unit=units[i], label=labels[i], excerpt=show_unit(units[i], library) if units[i].public else None)
        for i in sorted(labels)
    ]


def write_gold(folder: Path, gold: Sequence[GoldUnit]) -> dict[str, int]:
    """Write the parts; how many units each has."""
    parts = {split: [g for g in gold if g.unit.split == split] for split in ("dev", "heldout", "test")}
    write_lines(folder / "dev.jsonl", parts["dev"])
    write_lines(folder / "heldout.jsonl", parts["heldout"])
    plain = "".join(g.model_dump_json(exclude_defaults=True) + "\n" for g in parts["test"])
    sealed = base64.b64encode(zlib.compress(plain.encode(), 9)).decode()
    lines = [sealed[start : start + _WIDTH] for start in range(0, len(sealed), _WIDTH)]
    (folder / _SEALED).write_text("\n".join(lines) + "\n", "ascii")
    return {split: len(part) for split, part in parts.items()}


def load(folder: Path, split: str) -> list[GoldUnit]:
    """The units of the dev or the held-out part.

    Raises:
        ValueError: the test part is asked for, which only :func:`open_test` gives.
    """
    if split not in ("dev", "heldout"):
        raise ValueError(f"{split}: only dev and heldout are read without a word; the test part is opened by open_test")
    return list(read_lines(folder / f"{split}.jsonl", GoldUnit))


def open_test(folder: Path, reason: str, commit: str, day: datetime.date) -> list[GoldUnit]:
    """The units of the test part, once the opening is in ``OPENINGS.md``.

    Args:
        folder: ``benchmarks/gold``.
        reason: why, in a sentence; a release or a measurement.
        commit: of the tree that is measured.
        day: today.

    Raises:
        ValueError: no reason, or no commit.
    """
    if not reason.strip() or not commit.strip():
        raise ValueError("the test part is opened for a reason, at a commit")
    told = " ".join(reason.split()).replace("|", "/")
    with (folder / "OPENINGS.md").open("a", encoding="utf-8") as log:
        log.write(f"| {day.isoformat()} | {commit} | {told} |\n")
    return _unsealed(folder)


def _unsealed(folder: Path) -> list[GoldUnit]:
    plain = zlib.decompress(base64.b64decode((folder / _SEALED).read_text("ascii"))).decode()
    return [GoldUnit.model_validate_json(line) for line in plain.splitlines()]


def relocate_gold(folder: Path, relocation: Relocation, library: Library) -> dict[str, int]:
    """Bring all parts to the texts of today; the test part is sealed again, and nobody reads it.

    Raises:
        ValueError: a text is another one but for white space, too; nothing is written.
    """
    moved = []
    for each in [*load(folder, "dev"), *load(folder, "heldout"), *_unsealed(folder)]:
        unit = relocation.unit(each.unit)
        label = Label[Span].model_validate(relocation.moved(each.unit, each.label.model_dump()))
        moved.append(GoldUnit(unit=unit, label=label, excerpt=show_unit(unit, library) if unit.public else None))
    return write_gold(folder, moved)
