"""How a document is told among what encloses an item, and which section does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.knowledge.query.enclosures import Enclosures
from coditect.schemas import Source


def _sentence(text: str, start: int, rank: int, score: float) -> Any:  # noqa: ANN401 - stands for one
    return SimpleNamespace(text=text, char_start=start, rank=rank, score=score)


def _enclosures(*chunks: tuple[Any, ...]) -> Enclosures:
    held = [SimpleNamespace(selected_sentences=sentences) for sentences in chunks]
    view: Any = SimpleNamespace(chunks=lambda document: held)
    sources: Any = SimpleNamespace(
        document=lambda document: Source(kind="document", tier=1, item_id="", text="", document_id=document),
        stretch=lambda document, kind, section, printed, start, end: (section, printed, start, end),
    )
    return Enclosures(view, sources)


def test_document_is_told_by_the_ten_most_salient_sentences_of_its_chunks() -> None:
    """The best of each chunk first, of equal ranks the higher score, then the earlier place; told in document order.

    What has no score says nothing of the document.
    """
    chunks = [
        (_sentence("first 1", 0, 1, 0.5), _sentence("first 2", 10, 2, 0.9), _sentence("nothing", 20, 1, 0.0)),
        (_sentence("second 2", 40, 2, 0.2), _sentence("second 1", 30, 1, 0.4)),
    ]
    assert _enclosures(*chunks)._summarised("d").text == "first 1\nfirst 2\nsecond 1\nsecond 2"
    many = tuple(_sentence(f"s{n:02}", n, 1 + n // 8, 1.0 - n % 8 / 10) for n in range(16))
    # All eight of rank 1, and the two highest of rank 2.
    assert _enclosures(many)._summarised("d").text.split("\n") == [f"s{n:02}" for n in range(10)]
    same = tuple(_sentence(f"s{n:02}", n, 1, 0.5) for n in reversed(range(12)))
    assert _enclosures(same)._summarised("d").text.split("\n") == [f"s{n:02}" for n in range(10)]


@pytest.mark.parametrize(
    ("start", "end", "section"),
    [
        (0, 5, "root"),
        (10, 20, "one"),
        (15, 40, "one"),
        (20, 30, "one.a"),
        (25, 31, "one"),
        (39, 41, "root"),
        (60, 61, "root"),
    ],
)
def test_section_of_an_item_is_the_innermost_that_holds_all_of_it(start: int, end: int, section: str) -> None:
    """What begins in one and ends behind it is in that above."""
    found = _enclosures()
    outline = [
        SimpleNamespace(section_id=name, label=name, heading="", start=begin, end=stop, parent=parent)
        for name, begin, stop, parent in (
            ("root", 0, 100, -1),
            ("one", 10, 40, 0),
            ("one.a", 20, 30, 1),
            ("two", 40, 60, 0),
        )
    ]
    found._outline = lambda document: outline  # type: ignore[assignment]
    told: Any = found._section("d", start, end)
    assert told[0] == section
