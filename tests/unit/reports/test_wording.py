"""The plain words of the report: numbers with their nouns, and JSON data that a reader understands."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.reports.wording import SECTION_NAMES, counted, readable_data, readable_measure
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
        ("place of its clause in the text", "characters 4–90"),
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


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        ("frequency", 1.0, "once a year"), ("frequency", 0.5, "once in 2 years"), ("frequency", 4.0, "4 times a year"),
        ("deadline", 1.0, "1 hour"), ("deadline", 24.0, "24 hours"), ("deadline", 72.0, "72 hours"),
        ("deadline", 168.0, "7 days"), ("duration", 2160.0, "90 days"), ("duration", 8766.0, "1 year"),
        ("duration", 61362.0, "7 years"), ("duration", 730.5, "1 month"), ("duration", 0.5, "0.5 hours"),
        ("version", 1.2, "1.2"), ("count", 14.0, "14"), ("modality", "must", "must"), ("deadline", 0.0, "0"),
        ("deadline", True, "yes"),
    ],
)  # fmt: skip
def test_a_measure_has_its_unit(kind: str, value: object, words: str) -> None:
    """As a reader would say it; what is no number stays as it is."""
    assert readable_measure(kind, value) == words


def test_fields_have_names_for_people() -> None:
    """The place of a clause says that it is one, and of what."""
    assert readable_data({"clause": {"start": 1286, "end": 1374}}) == [
        ("place of its clause in the text", "characters 1286–1374")
    ]
