from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from coditect.reports.wording import MOST_NAMES, check_meaning, counted, figure_of, readable_data

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def test_readable_data_puts_actor_and_deadline_first() -> None:
    """A reader finds who, what and by when first; offsets become a span."""
    data = {
        "action": "report it",
        "actor": "The owner",
        "clause": {"start": 4, "end": 90},
        "deadline": {"text": "30 days", "hours": 720.0, "start": 5, "end": 12},
        "measures": [{"text": "30 days", "kind": "deadline"}],
        "internal": False,
    }
    assert readable_data(data) == [
        ("actor", "The owner"),
        ("action", "report it"),
        ("deadline", "30 days (hours 720, characters 5–12)"),
        ("clause", "characters 4–90"),
        ("measures", "30 days (kind deadline)"),
        ("internal", "no"),
    ]


@given(st.dictionaries(st.text(max_size=6), JSON, max_size=5))
def test_readable_data_leaves_no_field_out(data: dict[str, object]) -> None:
    """Any JSON object becomes one pair a field."""
    assert len(readable_data(data)) == len(data)
    assert sorted(name for name, _ in readable_data(data)) == sorted(name.replace("_", " ") for name in data)


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
    """A claim without a recipe has no table."""
    assert figure_of({}) is None


def test_counted_agrees_with_its_noun() -> None:
    """One document, two documents, with thousands set apart."""
    assert [counted(n, "document", "documents") for n in (0, 1, 1340)] == [
        "0 documents",
        "1 document",
        "1,340 documents",
    ]


def test_unknown_check_is_named_plainly() -> None:
    """A check of a later checker is shown by its name."""
    assert check_meaning("same_party") == "Same party"
    assert check_meaning("cited") == "Every citation leads to a quote"
