"""How the report shows a claim: its figure as a table, its checks in plain words."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.reports.claims import check_meaning
from coditect.reports.figures import MOST_NAMES, figure_of


def test_figure_says_how_many_names_it_leaves_out() -> None:
    """A long list of documents is cut with the number of those that are not shown."""
    names = [f"{number:02}.md" for number in range(MOST_NAMES + 5)]
    result = {"documents": 1, "of": len(names) + 1, "values": [["annually", 1]], "without": names}
    figure = figure_of({"figure": "measure", "kind": "frequency", "head": "review", "result": result})
    assert figure is not None
    assert figure.rows == (("annually", "1"),)
    assert figure.notes[0] == f"1 of {len(names) + 1} documents give a value."
    assert "and 5 more" in figure.notes[1]
    assert names[MOST_NAMES - 1] in figure.notes[1]
    assert names[MOST_NAMES] not in figure.notes[1]


def test_figure_of_no_recipe_is_none() -> None:
    """A claim without a recipe has no table, nor has a requirement: its quote says it all."""
    assert figure_of({}) is None
    assert figure_of({"requirement": "obligation", "action": "report it"}) is None


def test_unknown_check_is_named_plainly() -> None:
    """A check of a later checker is shown by its name."""
    assert check_meaning("same_party") == "Same party"
    assert check_meaning("cited") == "Every citation leads to a quote"


def test_figure_of_every_kind_that_is_counted_has_its_own_table() -> None:
    """A figure with just the results that its kind has is told by its own caption, not by the plain list of its recipe."""
    results: dict[str, dict[str, object]] = {
        "coverage": {"documents": 2, "of": 3},
        "measure": {"documents": 1, "of": 2, "values": [["24 hours", 1]]},
        "missing_document": {"documents": 1, "names": ["a.md"]},
        "missing_place": {"last": "6", "exists": False},
        "uncovered": {"documents": 0, "of": 2},
    }
    figures = [figure_of({"figure": name, "result": result}) for name, result in results.items()]
    assert len({each.caption for each in figures if each is not None}) == len(results)
    more = [figure_of({"figure": name, "result": {**result, "more": 1}}) for name, result in results.items()]
    assert [each.caption for each in more if each] == [each.caption for each in figures if each]


@pytest.mark.parametrize(
    "recipe",
    [
        {"figure": "coverage", "result": {"documents": 2, "of": 3}},
        {"figure": "measure", "kind": "frequency", "result": {"documents": 1, "of": 3, "values": [["annually", 1]]}},
        {"figure": "missing_document", "result": {"documents": 2, "names": ["a.md", "b.md"]}},
        {"figure": "missing_place", "result": {"last": "9", "exists": False}},
        {"figure": "uncovered", "result": {"documents": 1, "of": 3}},
    ],
    ids=lambda recipe: recipe["figure"],
)
def test_figure_is_made_from_the_least_that_its_recipe_has(recipe: dict[str, Any]) -> None:
    """With one result less it is no figure of its kind, but the fields as they stand."""
    whole = figure_of(recipe)
    assert whole is not None
    assert whole.caption != "How it was made."
    for name in recipe["result"]:
        less = {**recipe, "result": {key: value for key, value in recipe["result"].items() if key != name}}
        plain = figure_of(less)
        assert plain is not None
        assert plain.caption == "How it was made."
