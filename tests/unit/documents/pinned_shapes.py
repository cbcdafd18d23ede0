"""Small documents in many shapes, and what each reader of documents makes of them, written down.

``python -m tests.unit.documents.pinned_shapes`` reads the documents of ``pinned_shapes.json`` again and writes down what they are
read as now. A document is added under the name of a reader, with an empty list: its first line is the name of its file, the rest
its text. Ids of sections and places of passages stand in stored records, so whatever changes here changes with the version of the
step that makes it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from coditect.documents.layout import decode_layout, encode_layout, page_of
from coditect.documents.passages.structural import passages
from coditect.documents.places import decode_places, rectangles
from coditect.documents.profile.citations import documents_called, initials_of
from coditect.documents.profile.guessing import guess_profile
from coditect.documents.profile.parties import party_key
from coditect.documents.profile.role import kind_of
from coditect.documents.readers import is_light, read_source
from coditect.documents.readers.pdf.layout import Line, assemble, split_words
from coditect.documents.readers.pdf.placing import Box, Frame
from coditect.documents.source import SourceText
from coditect.documents.structure.locators import find_locators
from coditect.errors import ReadError
from coditect.schemas.passage import PassageSettings
from coditect.tiers.extractions.document import document_lists
from tests.unit.documents.documents import pdf
from tests.unit.documents.passages.documents import levels_of, read_text, version_of

__all__ = ["PINNED", "READERS", "pinned"]

PINNED = Path(__file__).parent / "pinned_shapes.json"


def _shown(source: SourceText) -> list[str]:
    """A text with its layout, which is the same when it has been stored."""
    again = decode_layout(
        source.text, encode_layout(source), media_type=source.media_type, title=source.title, reader=source.reader
    )
    assert (again.blocks, again.pages, again.places) == (source.blocks, source.pages, source.places)
    pages = [f"page {each.number} {each.start}-{each.end} {each.label!r}" for each in source.pages]
    pages += [f"{at}: page {page_of(source.pages, at)}" for at in range(0, len(source.text) if pages else 0, 9)]
    blocks = [
        f"{each.kind} {each.level} {each.label!r} {each.start} {source.text[each.start : each.end]!r}"
        for each in source.blocks
    ]
    return [f"{source.title!r} {source.reader} {source.media_type}", *source.warnings, *blocks, *pages]


def read(shape: str) -> list[str]:
    """A file as text with layout."""
    name, _, text = shape.partition("\n")
    try:
        light = is_light(text.encode(), name)
        return [*_shown(read_source(text.encode(), name)), f"light: {light}"]
    except ReadError as error:
        return [str(error)]


def outline(shape: str) -> list[str]:
    """Its sections, and its sentences with their places."""
    name, _, text = shape.partition("\n")
    reading = read_text(text, name)
    said = reading.source.text
    lists = document_lists(reading)
    locators = find_locators(said, reading.sections, reading.sentences, lists)
    sections = [
        f"{each.section_id} {each.label!r} {each.heading!r} {each.level} {each.start}-{each.body_start}-{each.end}"
        f" {each.parent}"
        for each in reading.sections
    ]
    sentences = [
        f"{where or '-'} {each.start} {said[each.start : each.end]!r}"
        for each, where in zip(reading.sentences, locators, strict=True)
    ]
    return [*sections, *sentences, *map(str, lists.lists), " ".join(map(str, lists.places))]


def cuts(shape: str) -> list[str]:
    """Its passages: by structure, and in a tree of sizes, at several bounds."""
    name, _, text = shape.partition("\n")
    reading = read_text(text, name)
    found = []
    for target, most, least in ((240, 500, 80), (90, 120, 30)):
        made = passages(reading.source, reading.sections, target_chars=target, max_chars=most, min_chars=least)
        found.append(" ".join(f"{each.start}-{each.end}" for each in made))
    for boundaries, sizes, overlap in (
        ("sentence", (32, 64, 160), 0.0),
        ("semantic", (16, 64), 0.0),
        ("fixed", (32, 64), 0.25),
        ("sentence", (16, 32), 0.25),
    ):
        settings = {"chunk_levels": sizes, "boundaries": boundaries, "overlap_ratio": overlap}
        found += [
            " ".join(
                f"{each.start}-{each.end}:{each.tokens}:{each.parent}:{each.first_child}+{each.child_count}"
                for each in level.cuts
            )
            for level in levels_of(reading, PassageSettings.model_validate(settings))
        ]
    return found


def printed(shape: str) -> list[str]:
    """A PDF of some pages, each a list of (left, bottom, text)."""
    pages: list[list[tuple[float, float, str]]] = json.loads(shape)
    source = read_source(pdf(pages), "a.pdf")
    size = len(source.text)
    boxes = [
        f"{page.number} {places}"
        for at in range(0, size, max(1, size // 6))
        for page, places in rectangles(decode_places(source.places), at, at + 20)
    ]
    return [*_shown(source), *boxes]


def lines(shape: str) -> list[str]:
    """Pages of words with their boxes, put together as paragraphs, rows and items."""
    pages: list[list[tuple[str, Box | None]]] = json.loads(shape)
    split: list[Sequence[Line]] = [
        split_words(
            [(word, (box[0], box[1], box[2], box[3]) if box else None) for word, box in page], [box for _, box in page]
        )
        for page in pages
    ]
    frame = Frame(600.0, 800.0, (1.0, 0.0, 0.0, -1.0, 0.0, 800.0))
    text, blocks, spans, warnings, stored = assemble(split, [f"p{n}" for n in range(len(pages))], [frame] * len(pages))
    told = [f"{each.text} {each.box} {each.tabular:d}{each.item:d} {each.words}" for page in split for each in page]
    boxes = [f"{page.number} {places}" for page, places in rectangles(decode_places(stored), 0, len(text))]
    return [*told, *(f"{each.kind} {each.level} {text[each.start : each.end]!r}" for each in blocks), *map(str, spans),
            *warnings, *boxes]  # fmt: skip


def profile(shape: str) -> list[str]:
    """What it seems to say of itself; the second line is its title."""
    name, title, text = (*shape.split("\n", 2), "", "")[:3]
    guesses = guess_profile(name, title, text)
    found = [f"{field} {getattr(guesses, field)}" for field in guesses.__slots__]
    keys = [f"{party_key(each.value)} {initials_of(each.value)}" for each in guesses.parties]
    return [each for each in found if not each.endswith((" None", " ()"))] + [*keys, kind_of(title), initials_of(title)]


def called(shape: str) -> list[str]:
    """Which of some documents a name means: the name, and then on each line a file's name and its title."""
    name, *files = shape.split("\n")
    reading = read_text("Text.")
    versions = [version_of(reading, file.split("|")[0], file.split("|")[1]) for file in files]
    places = {version.document_id: f"{at}" for at, version in enumerate(versions)}
    return [
        " ".join(places[each] for each in documents_called(name, versions, exactly=exactly))
        for exactly in (False, True)
    ]


READERS: dict[str, Callable[[str], list[str]]] = {
    "read": read,
    "outline": outline,
    "cuts": cuts,
    "printed": printed,
    "lines": lines,
    "profile": profile,
    "called": called,
}


def pinned() -> dict[str, dict[str, list[str]]]:
    """What is written down, by reader and document."""
    found: dict[str, dict[str, list[str]]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    again = {name: {shape: READERS[name](shape) for shape in told} for name, told in pinned().items()}
    PINNED.write_text(json.dumps(again, indent=0) + "\n", encoding="utf-8")
