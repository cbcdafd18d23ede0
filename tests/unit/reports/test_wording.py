"""The plain words of the report: numbers with their nouns, and JSON data that a reader understands."""

from __future__ import annotations

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from coditect.reports.wording import SECTION_NAMES, counted, readable_data
from coditect.schemas import Section

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


def test_counted_agrees_with_its_noun() -> None:
    """One document, two documents, with thousands set apart."""
    assert [counted(n, "document", "documents") for n in (0, 1, 1340)] == [
        "0 documents",
        "1 document",
        "1,340 documents",
    ]


def test_every_kind_of_section_has_a_name() -> None:
    """No kind is shown by its key."""
    kinds = get_args(Section.model_fields["section_kind"].annotation)
    assert SECTION_NAMES.keys() == set(kinds)


def test_data_without_known_fields_keep_their_order() -> None:
    """What a reader looks for comes first, everything else follows as it is stored; half of a span is a field."""
    data = {"zeta": 1, "value": 2.50, "alpha": {"start": 3, "text": "x", "end": 4, "end_page": 5}, "actor": None}
    assert readable_data(data) == [
        ("actor", "none"),
        ("value", "2.5"),
        ("zeta", "1"),
        ("alpha", "x (end page 5, characters 3–4)"),
    ]
    assert readable_data({"span": {"text": "x", "start": 3}}) == [("span", "x (start 3)")]
