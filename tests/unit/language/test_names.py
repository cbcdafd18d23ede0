"""Words that a document writes as names."""

from __future__ import annotations

from coditect.language.entities.names import capitalised_names


def test_name_stands_with_a_capital_twice_inside_of_sentences() -> None:
    """Once may be chance, and the first word of a sentence has a capital whatever it is."""
    assert capitalised_names("Here the Warden asks. If so, the Warden knows.") == {"Warden"}
    assert capitalised_names("Here the Warden asks. He knows.") == frozenset()
    assert capitalised_names("Warden asks. Warden knows.") == frozenset()


def test_word_that_also_stands_without_its_capital_is_no_name() -> None:
    """Who writes "the warden" once names nobody by it."""
    assert capitalised_names("Ask the Warden or the Warden; any warden knows.") == frozenset()


def test_text_without_capitals_has_no_names() -> None:
    """Nothing is found in nothing."""
    assert capitalised_names("") == frozenset()
    assert capitalised_names("no names here, none at all") == frozenset()
