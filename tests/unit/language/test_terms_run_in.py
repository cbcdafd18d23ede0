"""Definitions without a verb of meaning: a term and a full stop, a plain plural, what a term leaves out, items below."""

from __future__ import annotations

import pytest

from coditect.documents.readers import read_source
from coditect.language.definitions.listed import items_below, opens_items
from coditect.schemas import DefinitionData
from coditect.tiers.extractions.document import extraction_records, read_document
from tests.unit.tiers.corpora import version_of

GLOSSARY = "# Part 9\n\n## § 9.2 Definitions.\n\nIn this part the following terms have the following meanings:\n\n"


def _defined(text: str) -> dict[str, tuple[str | None, str | None]]:
    reading = read_document(read_source(text.encode(), "rule.md"))
    found = [each.tier1_data for each in extraction_records(version_of("rule.md", text), reading, "t1")]
    return {str(each.term): (each.definition, each.form) for each in found if isinstance(each, DefinitionData)}


def test_term_and_full_stop_define_below_the_title_of_a_glossary() -> None:
    """A noun phrase behind a term says what it is; a sentence behind a title does not."""
    told = _defined(f"{GLOSSARY}Mooring. The placement of a line on a bollard.\n\nScope. The rules are for boats.\n")
    assert told == {"Mooring": ("The placement of a line on a bollard.", "meaning")}
    assert not _defined("# Part 9\n\n## § 9.3 Quays.\n\nMooring. The placement of a line on a bollard.\n")


def test_plain_plural_says_what_a_term_is() -> None:
    """ "X are plain nouns" defines in a glossary; a participle tells what is done."""
    told = _defined(
        f"{GLOSSARY}Tidal works are timber structures, and sheds, at the shore.\n\nLogs are kept by the clerk.\n"
    )
    assert told == {"Tidal works": ("timber structures, and sheds, at the shore.", "meaning")}


def test_what_a_term_excludes_is_told() -> None:
    """A lead-in of what is left out is an exclusion of its term."""
    text = f"{GLOSSARY}Catch means all fish on board.\n\n(1) Catch excludes:\n\n(i) Any bait.\n"
    reading = read_document(read_source(text.encode(), "rule.md"))
    forms = [
        (each.tier1_data.term, each.tier1_data.form)
        for each in extraction_records(version_of("rule.md", text), reading, "t1")
        if isinstance(each.tier1_data, DefinitionData)
    ]
    assert forms == [("Catch", "meaning"), ("Catch", "exclusion")]


@pytest.mark.parametrize("text", ["Nothing in this Article shall be construed as requiring a pilot to sail."])
def test_what_begins_with_nothing_is_no_term(text: str) -> None:
    """A rule of construction defines nothing."""
    assert not _defined(text)


def test_items_below_are_what_a_definition_leaves_to_them() -> None:
    """Up to the item that ends the sentence; of sentences in a row those that the numbers join."""
    text = "Hold means a space that:\n\n(1) is dry;\n\n(2) has a hatch; and\n\n(3) is below deck.\n\n(b) Keel means a beam."
    words = "Hold means a space that:"
    assert opens_items(words)
    assert items_below(text, len(words)) == "(1) is dry; (2) has a hatch; and (3) is below deck."
    whole = "Catch excludes:\n\n(i) Any bait.\n\n(ii) Any weed.\n\nThe clerk keeps the log."
    assert items_below(whole, len("Catch excludes:")) == "(i) Any bait. (ii) Any weed."
    assert not opens_items("a beam.")
    assert not items_below("Keel means:\n\nThe clerk keeps the log.", len("Keel means:"))
