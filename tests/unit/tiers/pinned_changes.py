"""Two versions of a document, and what is told of their provisions and of what changed, written down.

``python -m tests.unit.tiers.pinned_changes`` writes the file anew. The earlier version was put together as the documents of
:mod:`tests.unit.tiers.pinned_corpora` were, and the later one is an edit of it: lines left out, added, moved, renumbered, reworded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from coditect.documents.readers import read_source
from coditect.schemas import Extraction
from coditect.tiers.changes.classification import Difference, differences
from coditect.tiers.changes.provisions import Provision, provisions_of
from coditect.tiers.extractions.document import extraction_records, read_document
from tests.unit.tiers.corpora import version_of

__all__ = ["PINNED", "pinned", "told"]

PINNED = Path(__file__).parent / "pinned_changes.json"

_NAME = "house-policy.md"


def told(old: str, new: str) -> list[str]:
    """The provisions of both versions, how many are unchanged, and each difference, one line each."""
    (ours, ours_read), (theirs, theirs_read) = _read(old), _read(new)
    found, unchanged = differences(ours, theirs, _inside(ours_read), _inside(theirs_read))
    return [
        *(" ".join(f"{p.start}-{p.end}^{p.parent}{p.marker}" for p in each) for each in (ours, theirs)),
        f"{unchanged} unchanged",
        *map(_said, found),
    ]


def _read(text: str) -> tuple[tuple[Provision, ...], list[Extraction]]:
    reading = read_document(read_source(text.encode(), _NAME))
    return provisions_of(reading), list(extraction_records(version_of(_NAME, text), reading, "tier1"))


def _inside(read: Sequence[Extraction]) -> Callable[[Provision], list[Extraction]]:
    """Tier 1 inside a provision."""
    return lambda provision: [each for each in read if provision.start <= each.char_offset_start < provision.end]


def _said(found: Difference) -> str:
    places = " ".join(f"{each.place}@{each.start}" if each is not None else "-" for each in (found.old, found.new))
    carried = " ".join(f"{one.start}>{other.start}" for one, other in found.carried)
    return f"{found.kind} {found.duty} {found.weight:.3f} {places} [{carried}] {found.words} {found.fields}"


def pinned() -> list[tuple[str, str, list[str]]]:
    """What is written down: two texts, and what is told of them."""
    return [(old, new, said) for old, new, said in json.loads(PINNED.read_text(encoding="utf-8"))]


def write(pairs: Iterable[tuple[str, str]]) -> None:
    """Write down what is told of some pairs of texts now."""
    lines = ",\n".join(json.dumps((old, new, told(old, new)), ensure_ascii=False) for old, new in pairs)
    PINNED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    write([(old, new) for old, new, _ in pinned()])
