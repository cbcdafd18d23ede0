"""How many sentences, norms and definitions are cited by the numbers under which the markup has them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from coditect.documents.readers import read_source
from coditect.documents.structure.locators import find_locators
from coditect.schemas import DocumentVersion
from coditect.tiers.extractions.document import (
    NORMATIVE,
    DocumentReading,
    document_lists,
    extraction_records,
    read_document,
)
from coditect_benchmarks.places.layouts import Layout, Piece, printed
from coditect_benchmarks.places.provisions import Document

__all__ = ["Asked", "ask"]

_NOT_LABEL = re.compile(r"[^\w]+")
_KEPT = re.compile(r"[^\W_]+")
_LAST = re.compile(r"\((\w{1,5})\)\Z")
_LONGEST = 48
_WINDOW = 20_000
_VERSION: dict[str, Any] = {"corpus_id": "places", "document_id": "document", "version_id": "version"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A sentence, norm or definition whose place the markup tells.

    Attributes:
        kind: "sentence", "norm" or "definition".
        start: its first code point in the canonical text.
        wanted: the numbers that cite it.
        read: the locator that was read.
        said: its first words.
    """

    kind: str
    start: int
    wanted: tuple[str, ...]
    read: str
    said: str

    @property
    def is_right(self) -> bool:
        """By the gold's rule: it ends as it should, and holds the other numbers in order."""
        read = _NOT_LABEL.sub(" ", self.read).lower().split()
        rest = iter(read)
        return read[-1:] == list(self.wanted[-1:]) and all(each in rest for each in self.wanted)


def ask(document: Document, layout: Layout, *, norms: bool = True) -> tuple[DocumentReading, list[Asked]]:
    """Print a document, read it, and hold every place against the markup."""
    data, ending, rows = printed(document, layout)
    reading = read_document(read_source(data, f"document.{ending}"))
    text = reading.source.text
    places = _places(text, rows)
    starts = [start for start, _, _ in places]
    found = list(_sentences(reading, places, starts))
    if norms:
        found += _norms(reading, places, starts)
    return reading, found


def _places(text: str, rows: Sequence[Piece]) -> list[tuple[int, int, Piece]]:
    """Where each paragraph begins, and where its words do, by its letters and digits alone."""
    at: list[int] = []
    squeezed = "".join(_squeezed(text, at))
    found: list[tuple[int, int, Piece]] = []
    cursor = 0
    for row in rows:
        label, rest = "".join(_KEPT.findall(row.label)), "".join(_KEPT.findall(f"{row.heading} {row.words}"))
        sought = f"{label}{rest}"[: len(label) + _LONGEST]
        if not sought:
            continue
        start = squeezed.find(sought, cursor, cursor + _WINDOW)
        if start < 0 or (len(sought) < 3 and start > cursor + 60):
            continue
        words = min(start + len(label), len(at) - 1)
        found.append((at[start], at[words], row))
        cursor = start + len(sought)
    return found


def _squeezed(text: str, at: list[int]) -> Iterator[str]:
    for word in _KEPT.finditer(text):
        at.extend(range(word.start(), word.end()))
        yield word.group()


def _around(
    places: Sequence[tuple[int, int, Piece]], starts: Sequence[int], start: int
) -> tuple[int, int, Piece] | None:
    index = bisect_right(starts, start) - 1
    return places[index] if index >= 0 and places[index][2].is_sure and places[index][2].path else None


def _first(text: str, start: int, end: int) -> int:
    found = _KEPT.search(text, start, end)
    return start if found is None else found.start()


def _sentences(
    reading: DocumentReading, places: Sequence[tuple[int, int, Piece]], starts: Sequence[int]
) -> Iterator[Asked]:
    text = reading.source.text
    locators = find_locators(text, reading.sections, reading.sentences, document_lists(reading))
    for sentence, locator in zip(reading.sentences, locators, strict=True):
        place = _around(places, starts, _first(text, sentence.start, sentence.end))
        if place is not None and sentence.end > place[1] + 1 and len(text[sentence.start : sentence.end].split()) > 3:
            yield Asked("sentence", sentence.start, place[2].path, locator, text[sentence.start : sentence.start + 90])


def _norms(
    reading: DocumentReading, places: Sequence[tuple[int, int, Piece]], starts: Sequence[int]
) -> Iterator[Asked]:
    version = DocumentVersion.model_construct(**_VERSION, name="document")
    text = reading.matched.verbatim
    for each in extraction_records(version, reading, "derivation"):
        kind = "definition" if each.extraction_kind == "definition" else "norm"
        if kind == "norm" and each.extraction_kind not in NORMATIVE:
            continue
        data: dict[str, Any] = each.tier1_data.fields()
        part = data.get("clause") or (data.get("spans") or [None])[-1]
        own: int = part["start"] if part else each.char_offset_start
        place = _around(places, starts, _first(text, own, own + 200))
        if place is not None:
            locator = getattr(each, "locator", "")
            asked = Asked(kind, own, place[2].path, locator, text[own : own + 90])
            inline = replace(asked, wanted=_with_inline(place[2], locator))
            yield inline if inline.is_right else asked


def _with_inline(row: Piece, locator: str) -> tuple[str, ...]:
    """The numbers of a paragraph, with that of an item that runs on in its words, where the locator names one."""
    last = _LAST.search(locator)
    return (*row.path, last[1].lower()) if last is not None and f"({last[1]})" in row.words else row.path
