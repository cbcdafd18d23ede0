"""What a person may correct: fields of the kind, in the document's own words, and something must change."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.errors import QuoteNotFound, UsageError
from coditect.schemas import CrossReferenceData, DefinitionData, Entity, Extraction, ObligationData
from coditect.tiers.decisions.correction import corrected
from coditect.tiers.evidence import require_extraction
from tests.unit.store.items import extraction

TEXT = "Rules. The Clerk shall notify the Board within 72 hours of a loss. The Agent pays monthly."
QUOTE = "The Clerk shall notify the Board within 72 hours of a loss."
START = TEXT.index(QUOTE)
DUTY = extraction(
    QUOTE,
    START,
    tier1_data=ObligationData(actor="The Clerk", action="notify the Board", strength="mandatory", modality="shall"),
)


def _data(changes: dict[str, Any], record: Extraction = DUTY) -> dict[str, Any]:
    return corrected(record, changes, TEXT)[1]


def test_corrected_words_are_those_of_the_document() -> None:
    """To the letter where they stand so; else as the document prints them; and nowhere else."""
    assert _data({"actor": "The Agent"})["actor"] == "The Agent"
    assert _data({"actor": "The  Agent"})["actor"] == "The Agent"
    assert _data({"action": "notify the Board"} | {"actor": "Clerk"})["actor"] == "Clerk"
    for wrong in ("The Auditor", "   ", ""):
        with pytest.raises(UsageError, match="not the words of the document"):
            _data({"actor": wrong})


def test_fields_that_are_no_quotes_take_any_value_of_theirs() -> None:
    """A strength is one of three, and stands nowhere in the text; another is none."""
    assert _data({"strength": "recommended"})["strength"] == "recommended"
    with pytest.raises(UsageError, match="not of its type"):
        _data({"strength": "urgent"})


def test_conditions_are_words_of_the_document_one_by_one() -> None:
    """Of a list each text is looked for."""
    assert _data({"condition": ["of a loss", "monthly"]})["condition"] == ["of a loss", "monthly"]
    with pytest.raises(UsageError, match="not the words"):
        _data({"condition": ["of a loss", "of a gain"]})


def test_correction_that_changes_nothing_is_refused() -> None:
    """The same value again, or nothing at all."""
    known = extraction(QUOTE, START, tier1_data=_data({"strength": "recommended"}))
    for changes in ({}, {"actor": "The Clerk"}, {"kind": "obligation"}):
        with pytest.raises(UsageError, match="changes nothing"):
            _data(changes, known)


def test_emptied_field_is_absent() -> None:
    """Null takes a value away."""
    assert "actor" not in _data({"actor": None})


@pytest.mark.parametrize("field", ["clause", "measures", "term", "unheard of"])
def test_fields_that_are_made_or_not_there_cannot_be_corrected(field: str) -> None:
    """The hint names those that can."""
    with pytest.raises(UsageError, match="not there, or that is made") as raised:
        _data({field: "x"})
    assert raised.value.hint is not None
    assert "actor" in raised.value.hint
    assert "clause" not in raised.value.hint


def test_deadline_is_read_from_its_words_in_the_quote() -> None:
    """Its meaning and place follow from the words; what the person states of it holds; words from elsewhere are refused."""
    at = TEXT.index("72 hours")
    for words in ("72 hours", "72  hours"):
        found = _data({"deadline": words})["deadline"]
        assert (found["text"], found["start"], found["end"], found["hours"]) == ("72 hours", at, at + 8, 72.0)
    assert _data({"deadline": {"text": "72 hours", "hours": 48.0}})["deadline"]["hours"] == 48.0
    unread = _data({"deadline": "of a loss"})["deadline"]
    assert set(unread) == {"text", "start", "end"}
    for wrong in ("monthly", "", "  ", 7):
        with pytest.raises(UsageError, match="words of the quote"):
            _data({"deadline": wrong})


def test_measures_follow_the_corrected_deadline() -> None:
    """A limit that was taken away counts no more."""
    with_limit = extraction(QUOTE, START, tier1_data={**DUTY.tier1_data.fields(), **_data({"deadline": "72 hours"})})
    assert [
        each["value"] for each in _data({"deadline": {"text": "72 hours", "hours": 48.0}}, with_limit)["measures"]
    ] == [48.0]
    assert "measures" not in _data({"deadline": None}, with_limit)


def test_kind_is_changed_with_the_fields_that_the_new_one_knows() -> None:
    """A permission is optional, a prohibition binds; what the new kind has no field for goes."""
    kind, data = corrected(DUTY, {"kind": "permission"}, TEXT)
    assert (kind, data["strength"], data["actor"]) == ("permission", "optional", "The Clerk")
    assert corrected(DUTY, {"kind": "prohibition"}, TEXT)[1]["strength"] == "mandatory"
    kind, data = corrected(DUTY, {"kind": "definition", "term": "Board"}, TEXT)
    assert (kind, data) == ("definition", {"term": "Board"})
    with pytest.raises(UsageError, match="unknown kind"):
        corrected(DUTY, {"kind": "duty"}, TEXT)


def test_data_of_a_programs_own_take_any_field() -> None:
    """Nobody knows what they mean, so nothing is compared with the document."""
    own = extraction(QUOTE, START, extraction_kind="custom", tier1_data={"severity": 3})
    assert _data({"severity": 4, "note": "anything"}, own) == {"severity": 4, "note": "anything"}
    reference = extraction(QUOTE, START, extraction_kind="cross_reference", tier1_data=CrossReferenceData(label="4"))
    assert _data({"label": "5.1"}, reference)["label"] == "5.1"
    term = extraction(QUOTE, START, extraction_kind="definition", tier1_data=DefinitionData(term="Clerk"))
    assert _data({"aliases": ["Agent"]}, term)["aliases"] == ["Agent"]


def test_extraction_is_the_text_at_its_offsets() -> None:
    """The last character counts, an empty quote is none, and a quote of other words is told."""
    require_extraction(TEXT, DUTY)
    last = extraction("monthly.", len(TEXT) - 8)
    require_extraction(TEXT, last)
    for text in (TEXT[:-1], TEXT.replace("Clerk", "Crook"), ""):
        with pytest.raises(QuoteNotFound):
            require_extraction(text, last if text == TEXT[:-1] else DUTY)


@pytest.mark.parametrize(
    ("start", "end", "text", "stands"),
    [
        (0, 9, "The Clerk", True),
        (49, 58, "of a loss", True),
        (0, 59, QUOTE, True),
        (0, 9, "The Agent", False),
        (-1, 9, " The Clerk", False),
        (58, 60, ". ", False),
        (4, 4, "", False),
    ],
)
def test_entity_stands_inside_of_its_extraction(start: int, end: int, text: str, stands: bool) -> None:
    """At the edges too, and not across them."""
    entity = Entity.model_construct(
        text=text, name="x", kind="role", char_offset_start=START + start, char_offset_end=START + end
    )
    holding = DUTY.model_copy(update={"entities": (entity,)})
    if stands:
        require_extraction(TEXT, holding)
    else:
        with pytest.raises(QuoteNotFound, match="an entity"):
            require_extraction(TEXT, holding)
