"""The records of a document's passages: what they say of themselves, and that it can be checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from coditect.documents.readers import read_source
from coditect.errors import QuoteNotFound, UsageError
from coditect.schemas import DocumentVersion, Extraction
from coditect.schemas.passage import Passage, PassageSettings
from coditect.tiers.extractions.document import DocumentReading, read_document
from coditect.tiers.passages import CONTEXT_TOKENS, check_passages, passage_records, require_passage
from tests.growth import require_linear
from tests.unit.documents.passages.documents import (
    DERIVATION,
    PatternTokenizer,
    WordEmbedder,
    documents,
    extractions_of,
    read_text,
    version_of,
)

_POLICY = """# Access

## 1 Accounts

"Privileged account" means an account that can change the configuration of a production system.

Managers shall review the access rights of their staff every 90 days. Employees may work from home if their manager agrees.
The office has four floors.

## 2 Roles

| Role | Place |
| --- | --- |
| Keeper | Gate |
| Guard | Door |

## 3 Suppliers

The following hold for every supplier:

- a name, an address and a telephone number that somebody answers at night
- a bank account in the country in which the company has its seat
- a certificate of the chamber of commerce that is not older than a year

## 4 Empty
"""
_SMALL = PassageSettings(chunk_levels=(48, 96, 192))


def _records(
    reading: DocumentReading, settings: PassageSettings = _SMALL, name: str = "policy.md", title: str = "Supply Policy"
) -> tuple[DocumentVersion, list[Extraction], list[Passage]]:
    version = version_of(reading, name, title)
    extractions = extractions_of(reading, version)
    made = list(
        passage_records(version, reading, DERIVATION, extractions, settings, PatternTokenizer(), WordEmbedder())
    )
    return version, extractions, made


def _text(reading: DocumentReading, passage: Passage) -> str:
    return reading.source.text[passage.char_offset_start : passage.char_offset_end]


def _leaf(reading: DocumentReading, records: list[Passage], words: str) -> Passage:
    """The first smallest passage with some words."""
    return next(each for each in records if each.level == 0 and words in _text(reading, each))


def test_records_come_with_parents_first_and_know_their_children() -> None:
    """The largest level comes first; a parent counts the passages below that name it."""
    reading = read_text(_POLICY)
    _, _, records = _records(reading)
    levels = [each.level for each in records]
    assert levels == sorted(levels, reverse=True)
    assert set(levels) == {0, 1, 2}
    for parent in (each for each in records if each.level):
        below = [each for each in records if each.level == parent.level - 1]
        children = below[parent.first_child : parent.first_child + parent.child_count]
        assert children == [each for each in below if each.parent_id == parent.passage_id] != []


def test_ids_are_stable_and_differ() -> None:
    """The same document gives the same ids again; passages of the same text on two levels have different ones."""
    reading = read_text("Staff shall lock the door.")
    _, _, first = _records(reading)
    _, _, second = _records(reading)
    assert [each.payload() for each in first] == [each.payload() for each in second]
    assert len({each.passage_id for each in first}) == 3
    assert len({_text(reading, each) for each in first}) == 1
    _, _, other = _records(reading, name="other.md")
    assert not {each.passage_id for each in first} & {each.passage_id for each in other}


def test_passage_knows_its_section() -> None:
    """Section, heading and headings above are those of the smallest section that holds the whole passage."""
    reading = read_text(_POLICY)
    _, _, records = _records(reading)
    leaf = _leaf(reading, records, "four floors")
    assert (leaf.heading, leaf.parent_chain) == ("1 Accounts", ("Access",))
    top = [each for each in records if each.level == 2]
    assert all(each.section_id == reading.sections[1].section_id for each in top if len(top) > 1 and each is top[1])


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Privileged account", "definition"),
        ("Managers shall", "requirement"),
        ("Keeper", "table"),
        ("bank account in", "list"),
        ("4 Empty", "heading"),
    ],
)
def test_passage_knows_its_type(words: str, kind: str) -> None:
    """Definitions come before requirements, both before tables and lists, and a heading is only a heading."""
    reading = read_text(_POLICY)
    _, _, records = _records(reading, PassageSettings(chunk_levels=(40, 300)))
    assert _leaf(reading, records, words).chunk_type == kind


def test_context_situates_a_passage() -> None:
    """It holds the title, the headings from the outside in, and at the smallest level the words before a list."""
    reading = read_text(_POLICY)
    _, _, records = _records(reading, PassageSettings(chunk_levels=(32, 300)), title="Site  Rules")
    assert _leaf(reading, records, "four floors").context == "Site Rules > Access > 1 Accounts"
    inside = _leaf(reading, records, "certificate of")
    assert "name, an address" not in _text(reading, inside)
    assert inside.context == "Site Rules > Access > 3 Suppliers > The following hold for every supplier:"
    start = _leaf(reading, records, "The following hold")
    assert start.context == "Site Rules > Access > 3 Suppliers"
    assert all("following hold" not in each.context for each in records if each.level)


def test_context_tells_the_lead_in_of_clauses() -> None:
    """What begins at "(b)" is told what introduces it, and who is meant by that."""
    duty = "deliver the Goods to the place that the Buyer names, in the packing that the Buyer asks for, and on time"
    text = f"1. Supply\n\n1.1 The Supplier shall:\n\n(a) {duty};\n\n(b) {duty} and complete; and\n\n(c) {duty}."
    reading = read_text(text, "contract.txt")
    _, _, records = _records(reading, PassageSettings(chunk_levels=(48,)), name="a/contract.txt", title="")
    context = _leaf(reading, records, "complete; and").context
    assert context.startswith("contract > 1 Supply")
    assert "1.1 The Supplier shall:" in context


def test_context_names_the_columns_of_a_table() -> None:
    """Rows that are cut off from the first one are told what stands in it."""
    table = (
        "| Role | Place |\n| --- | --- |\n" + "| Keeper of the northern gate | House beside the northern gate |\n" * 20
    )
    reading = read_text(f"# Roles\n\n{table}")
    _, _, records = _records(reading, PassageSettings(chunk_levels=(64,)))
    assert [each.context for each in records] == [
        "Supply Policy > Roles",
        *["Supply Policy > Roles > Role | Place"] * (len(records) - 1),
    ]
    assert len(records) > 3


@given(documents)
def test_context_is_short(reading: DocumentReading) -> None:
    """No context has more than sixty tokens, and none is empty."""
    _, _, records = _records(reading, title="A rather long title " * 9)
    for each in records:
        assert each.context
        assert len(PatternTokenizer().starts(each.context)) <= CONTEXT_TOKENS + 5


def test_propositions_are_statements_inside_in_document_order() -> None:
    """A smallest passage lists the outermost statements that begin in it; larger ones list none."""
    reading = read_text(_POLICY)
    _, extractions, records = _records(reading)
    by_id = {each.extraction_id: each for each in extractions}
    listed = [by_id[each] for record in records for each in record.proposition_ids]
    assert len({each.extraction_id for each in listed}) == len(listed)
    assert {"definition", "obligation", "permission"} <= {each.extraction_kind for each in listed}
    for record in records:
        starts = [by_id[each].char_offset_start for each in record.proposition_ids]
        assert starts == sorted(starts)
        assert all(record.char_offset_start <= start < record.char_offset_end for start in starts)
        assert record.level == 0 or not starts


def test_propositions_are_bounded() -> None:
    """At most so many, duties and definitions first; none where there are fewer than asked for."""
    text = "The office has a gate. The office has a door. Staff shall lock the gate. Staff may open the door."
    reading = read_text(text)
    settings = PassageSettings(chunk_levels=(256,), max_propositions=2)
    _, extractions, records = _records(reading, settings)
    kinds = {each.extraction_id: each.extraction_kind for each in extractions}
    assert [kinds[each] for each in records[0].proposition_ids] == ["obligation", "permission"]
    _, _, records = _records(reading, PassageSettings(chunk_levels=(256,), min_propositions=5))
    assert records[0].proposition_ids == ()


def test_statement_belongs_to_the_first_passage_that_holds_it() -> None:
    """Where passages overlap, no statement is listed twice."""
    reading = read_text("Staff shall lock the gate at night. Staff shall lock the door at noon. " * 12)
    _, extractions, records = _records(reading, PassageSettings(chunk_levels=(64,), overlap_ratio=0.5))
    listed = [each for record in records for each in record.proposition_ids]
    assert len(records) > 3
    assert sorted(listed) == sorted(set(listed))
    assert len(listed) == len({each.char_offset_start for each in extractions if each.extraction_kind == "obligation"})


def test_semantic_records_need_an_embedder() -> None:
    """Without one the error says so."""
    reading = read_text(_POLICY)
    settings = PassageSettings(boundaries="semantic")
    with pytest.raises(UsageError, match="need an embedder"):
        list(passage_records(version_of(reading), reading, DERIVATION, [], settings, PatternTokenizer()))


@given(documents)
def test_what_is_made_passes_the_checks(reading: DocumentReading) -> None:
    """The checks find nothing in what was just made, with and without overlap."""
    tokens = PatternTokenizer().starts(reading.source.text)
    for overlap in (0.0, 0.5):
        version, _, records = _records(reading, PassageSettings(chunk_levels=(24, 60), overlap_ratio=overlap))
        assert check_passages(records, reading.source.text, version, tokens) == []


def _changed(passage: Passage, fields: dict[str, Any]) -> Passage:
    """The passage with other content, and the id of that."""
    draft = passage.model_copy(update=fields)
    return draft.model_copy(update={"passage_id": draft.computed_id()})


@pytest.mark.parametrize(
    ("fields", "finding"),
    [
        ({"char_offset_end": 10**6}, "not a stretch"),
        ({"char_offset_start": 0}, "does not lie inside"),
        ({"token_count": 7}, "token count"),
        ({"token_count": 4000}, "more tokens than"),
        ({"version_id": "version_2"}, "another document or version"),
        ({"ordinal": 0}, "not numbered"),
        ({"level_tokens": 49}, "not of one size"),
        ({"parent_id": "passage_0"}, "names another parent"),
        ({"parent_id": ""}, "names another parent"),
        ({"char_offset_start": -1}, "leave out"),
    ],
)
def test_checks_find_what_is_wrong(fields: dict[str, Any], finding: str) -> None:
    """Whatever is changed in a passage, its id made to fit, is found."""
    reading = read_text(_POLICY)
    version, _, records = _records(reading)
    last = next(each for each in reversed(records) if each.token_count > 5)
    if fields.get("char_offset_start") == -1:
        fields = {"char_offset_start": last.char_offset_end - 1}
    changed = [each if each is not last else _changed(each, fields) for each in records]
    tokens = PatternTokenizer().starts(reading.source.text) if "token" in finding else None
    found = check_passages(changed, reading.source.text, version, tokens)
    assert any(finding in line for line in found), found


def test_checks_find_what_is_missing() -> None:
    """A lost passage, a lost level, and a document without passages are found."""
    reading = read_text(_POLICY)
    version, _, records = _records(reading)
    for lost in records:
        assert check_passages([each for each in records if each is not lost], reading.source.text, version)
    assert check_passages([each for each in records if each.level], reading.source.text, version)
    assert check_passages([each for each in records if each.level < 2], reading.source.text, version)
    assert check_passages([], reading.source.text, version)
    assert check_passages([], " \n", version) == []


def test_passage_that_is_not_a_stretch_of_its_text_is_refused() -> None:
    """Its offsets lie in the text."""
    reading = read_text(_POLICY)
    _, _, records = _records(reading)
    require_passage(reading.source.text, records[0])
    with pytest.raises(QuoteNotFound, match="not a stretch"):
        require_passage(reading.source.text[:20], records[0])


def test_passage_records_of_a_table_of_many_columns_are_linear() -> None:
    """The head of a table leads to each of its passages, and is looked at once; what is said of it is what it was."""

    def work(columns: int) -> Callable[[], None]:
        head = ",".join(f"name{n}" for n in range(columns))
        row = ",".join(f"x{n}" for n in range(columns))
        reading = read_document(read_source(f"{head}\n{row}\n".encode(), "a.csv"))
        version = version_of(reading)
        settings = PassageSettings(chunk_levels=(16, 64))
        return lambda: made.append(
            list(passage_records(version, reading, DERIVATION, (), settings, PatternTokenizer()))
        )

    made: list[list[Passage]] = []
    require_linear(work, 4_000)
    assert made[-1][-1].context.startswith("Supply Policy > name0 | name1")
