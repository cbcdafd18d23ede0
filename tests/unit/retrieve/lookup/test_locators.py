"""A provision is found by the number that a person cites it by, though the outline ends above it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from coditect.retrieve.lookup.exact import exact_matches
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import Extraction
from coditect.store.store import Store
from coditect.store.view import View, open_view
from tests.places import open_at
from tests.unit.retrieve.lookup.built import RULES, built_at

FILES = {
    "keys.txt": (
        "4.5\tCustody of keys\n\n"
        "4.5.1.(1)\tA custodian must:\n(a)\tkeep each key in a vault;\n"
        "(b)\tnot lend a key to anybody, except:\n(i)\tto the police; or\n(ii)\tto the owner.\n\n"
        "4.5.1.(2)\tThe owner may visit the vault once a year.\n\n"
        "4.5.2.(1)\tA visitor must:\n(a)\tsign the book;\n(b)\tleave by noon.\n"
    )
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built corpus of one rulebook."""
    return built_at(tmp_path_factory.mktemp("locators") / "store", FILES)


@pytest.fixture
def view(place: Path) -> Iterator[View]:
    """The corpus."""
    with closing(open_at(place)) as engine:
        yield open_view(Store(engine), RULES)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("Rule 4.5.1(1)(a)", "keep each key in a vault"),
        ("4.5.1.(1)(b)", "not lend a key"),
        ("4.5.1(2)", "visit the vault"),
        ("what does rule 4.5.2(1)(b) say", "leave by noon"),
    ],
)
def test_provision_is_found_by_its_whole_path(view: View, query: str, words: str) -> None:
    """Only what stands at that path is found, with or without dots between its parts."""
    found = exact_matches(view, LiveIndex(view), query, "extraction")
    items = view.items(Extraction, [each.item_id for each in found], [each.document_id for each in found])
    assert items
    assert all(words in item.source_text for item in items), [item.source_text for item in items]


def test_number_that_nothing_has_finds_nothing(view: View) -> None:
    """A path whose last part is not there is not answered by what stands above it."""
    assert exact_matches(view, LiveIndex(view), "Rule 4.5.1(1)(z)", "extraction") == []
