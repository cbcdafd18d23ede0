"""What answers "what is X" first, where a term is defined in several ways."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from coditect.retrieve.lookup.definitions import defined, form_rank
from coditect.retrieve.lookup.exact import exact_matches
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import Extraction
from coditect.store.store import Store
from coditect.store.view import View, open_view
from tests.places import open_at
from tests.unit.retrieve.lookup.built import RULES, built_at

FILES = {
    "desk-policy.md": """# Desk Policy

## 1 Scope

1.1 The Desk Safety Office (DSO) inspects every desk.

1.2 The term "desk" does not include a chair.

1.3 The term "desk" includes a standing table.

1.4 Each tenant, also called an "occupant", shall keep the desk clean.

## 2 Definitions

2.1 "Desk" means a table with one drawer or more.

2.2 "DSO" or "Office" means the body that the Safety Act sets up.
""",
    "vendor-policy.md": """# Vendor Policy

1.1 "Desk" has the meaning given in section 2.1 of the Desk Policy.

1.2 The Desk Safety Office (DSO) may visit vendors.
""",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built corpus of two documents."""
    return built_at(tmp_path_factory.mktemp("order") / "store", FILES)


@pytest.fixture
def view(place: Path) -> Iterator[View]:
    """The corpus."""
    with closing(open_at(place)) as engine:
        yield open_view(Store(engine), RULES)


def _asked(view: View, query: str) -> list[tuple[object, object]]:
    """(term, form) of what a query names outright."""
    found = exact_matches(view, LiveIndex(view), query, "extraction")
    items = view.items(Extraction, [each.item_id for each in found], [each.document_id for each in found])
    return [(item.tier1_data.fields()["term"], item.tier1_data.fields()["form"]) for item in items]


def test_exact_answer_says_first_what_a_term_means(view: View) -> None:
    """A meaning comes before a reference to it, and both before what the term covers, wherever they stand."""
    assert _asked(view, "what is a desk?") == [
        ("Desk", "meaning"),
        ("Desk", "reference"),
        ("desk", "inclusion"),
        ("desk", "exclusion"),
    ]


def test_exact_answer_scores_a_definition_by_what_it_tells(view: View) -> None:
    """Scores fall from the meaning on, so that a ranking can keep the order; what is no definition has 1."""
    index = LiveIndex(view)
    assert [each.score for each in exact_matches(view, index, "desk", "extraction")] == [1.0, 0.9, 0.7, 0.6]
    assert {each.score for each in exact_matches(view, index, "section 2.1", "chunk")} == {1.0}


def test_exact_answer_finds_abbreviations_and_aliases(view: View) -> None:
    """Initials, a second name and a name in passing are found, behind the meaning of the same term."""
    assert _asked(view, "DSO") == [("DSO", "meaning"), ("DSO", "abbreviation"), ("DSO", "abbreviation")]
    assert _asked(view, "what does Office mean") == [("Office", "meaning")]
    assert _asked(view, "define occupant") == [("occupant", "name")]


def test_defined_term_of_a_document_begins_with_its_meaning(view: View) -> None:
    """The asking document's definitions come first, and of those the meaning."""
    index = LiveIndex(view)
    asking = next(key for key, version in view.documents.items() if version.name == "desk-policy.md")
    found = defined(index, "the Desk", asking)
    assert [item.tier1_data.fields()["form"] for item in found] == ["meaning", "inclusion", "exclusion", "reference"]
    assert [item.document_id == asking for item in found] == [True, True, True, False]


@pytest.mark.parametrize("data", [{}, {"form": None}, {"form": ["meaning"]}, {"form": "unheard of"}])
def test_definition_without_a_form_counts_as_a_meaning(view: View, data: dict[str, object]) -> None:
    """A model's definition, and one of an older generation, does not say how it defines."""
    item = LiveIndex(view).by_term("definition:desk")[0]
    read = Extraction.model_validate({**item.model_dump(), "tier1_data": {"term": "desk", **data}})
    assert form_rank(read) == 0
