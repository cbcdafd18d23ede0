"""Packs for annotators: units with their text and surroundings, genres mixed, nothing that tells the split."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from coditect_benchmarks.gold.records import PackUnit, Span, Unit, write_lines
from coditect_benchmarks.gold.sources import Library

__all__ = ["PACK_UNITS", "show_unit", "write_packs"]

PACK_UNITS = 70


def show_unit(unit: Unit, library: Library) -> PackUnit:
    """A unit as an annotator sees it."""
    text = library.text(unit.document, unit.sha256)

    def part(span: Span) -> str:
        return text[span[0] : span[1]]

    name = re.sub(r"\.(txt|md|md\.tmpl|xml|json|pdf)$", "", unit.document.rpartition("/")[2].rpartition(":")[2])
    return PackUnit(
        id=unit.id,
        genre=unit.genre,
        document=name,
        path=tuple(part(span) for span in unit.path),
        before=part(unit.before),
        text=part(unit.span),
        after=part(unit.after),
    )


def write_packs(folder: Path, units: Sequence[Unit], library: Library) -> list[Path]:
    """Write packs of about seventy units as ``01.jsonl`` ...; the order is a hash of the ids."""
    mixed = sorted(units, key=lambda unit: hashlib.sha256(f"pack|{unit.id}".encode()).hexdigest())
    count = max(1, round(len(mixed) / PACK_UNITS))
    files = []
    for number in range(count):
        file = folder / f"{number + 1:02}.jsonl"
        write_lines(file, [show_unit(unit, library) for unit in mixed[number::count]])
        files.append(file)
    return files
