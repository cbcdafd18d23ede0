"""The product as a system that is measured."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from coditect_benchmarks.retrieval.formats import Document
from coditect_benchmarks.retrieval.product import Product, ways

from coditect.schemas import BuildSettings, PassageSettings

FILLER = "The office is open on weekdays. Visitors sign the register at the desk. Parking is free for staff. "
ANSWER = "A lost badge is reported to the guard within two hours."
DOCUMENTS = (
    Document("badges", "", f"{FILLER}{ANSWER} {FILLER}"),
    Document("travel", "", f"{FILLER}Receipts of a journey are handed in within ten days. {FILLER}"),
)


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """Both documents, cut at two sizes."""
    build = BuildSettings(passages=PassageSettings(chunk_levels=(64, 256)))
    with Product(tmp_path_factory.mktemp("product"), "none", build) as opened:
        opened.index(DOCUMENTS)
        yield opened


def test_focus_is_measured_beside_whole_passages(product: Product) -> None:
    """The same passages in the same order, each with the part that answers; the answer is in both."""
    systems = {system.name: system for system in ways(product, "default", "words", "meaning")}
    for whole, focused in (("default", "coditect hybrid, focus"), ("default", "coditect small-to-big, focus")):
        wide = systems[whole].search("when is a lost badge reported", 5)[0]
        narrow = systems[focused].search("when is a lost badge reported", 5)[0]
        text = DOCUMENTS[0].text
        assert (wide.document, narrow.document) == ("badges", "badges")
        assert ANSWER in text[wide.start : wide.end]
        assert ANSWER in text[narrow.start : narrow.end]
        assert narrow.end - narrow.start < len(text)


def test_passages_of_one_size_have_none_above_them(tmp_path: Path) -> None:
    """What cannot be asked is no row."""
    with Product(tmp_path, "none", BuildSettings(passages=PassageSettings(chunk_levels=(64,)))) as one_size:
        names = [system.name for system in ways(one_size, "default", "words", "meaning")]
    assert "coditect hybrid, focus" in names
    assert not any("small-to-big" in name for name in names)
