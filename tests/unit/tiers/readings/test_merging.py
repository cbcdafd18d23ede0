"""What becomes of the rules' reading where a model has read: kept to the letter, read otherwise, added to, taken away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from coditect.documents.readers import read_source
from coditect.schemas import Extraction
from coditect.tiers.extractions.document import NORMATIVE, extraction_records, read_document
from coditect.tiers.readings.merging import MergeCounts
from coditect.tiers.readings.told import READ_BY, ReadBy, ToldDefinition, ToldDocument, ToldNorm, ToldSentence, ToldTime
from tests.unit.tiers.corpora import version_of

BY = ReadBy("reader", "roles/1 reader/0123", "any-model")
TEXT = "The bank shall keep each key within five days after a loss if it is asked. It may rain."


def _place(words: str) -> tuple[int, int]:
    at = TEXT.index(words)
    return at, at + len(words)


def _norm(**parts: Any) -> ToldNorm:  # noqa: ANN401 - any part of a norm
    given: dict[str, Any] = {
        "kind": "obligation",
        "position": None,
        "recommended": False,
        "spans": (_place("The bank shall keep each key within five days after a loss if it is asked"),),
        "cue": (_place("shall"),),
        "holder": "The bank",
        "subject": "",
        "passive": False,
        "action": (_place("keep each key"),),
        "times": (ToldTime("deadline", (_place("within five days after a loss"),), "a loss"),),
        "conditions": (_place("if it is asked"),),
        "exceptions": (),
        "answer": "b" * 64,
    }
    return ToldNorm(**{**given, **parts})


def _records(
    sentences: dict[int, ToldSentence] | None, counts: MergeCounts | None = None, text: str = TEXT
) -> list[Extraction]:
    reading = read_document(read_source(text.encode(), "a.txt"))
    told = None if sentences is None else ToldDocument(BY, sentences)
    return list(extraction_records(version_of("a.txt", text), reading, "d", told=told, counts=counts))


def _norms(records: Sequence[Extraction]) -> list[Extraction]:
    return [each for each in records if each.extraction_kind in NORMATIVE]


def test_what_both_read_alike_is_the_extraction_of_the_rules() -> None:
    """Byte by byte, under the same derivation: the model leaves no trace in it."""
    counts = MergeCounts()
    by_rules = _records(None)
    assert [each.payload() for each in _records({0: ToldSentence((_norm(),))}, counts)] == [
        e.payload() for e in by_rules
    ]
    assert counts == {"kept": 1}


def test_what_a_model_reads_otherwise_says_who_read_it() -> None:
    """Another holder: one norm, with role, version, model and answer in its data, and measures as rules make them."""
    counts = MergeCounts()
    (norm,) = (
        e for e in _norms(_records({0: ToldSentence((_norm(holder="bank"),))}, counts)) if e.char_offset_start == 0
    )
    assert norm.tier1_data.more[READ_BY] == {
        "answer": "b" * 64,
        "model": "any-model",
        "role": "reader",
        "version": "roles/1 reader/0123",
    }
    fields = norm.tier1_data.fields()
    assert fields["actor"] == "bank"
    assert fields["deadline"]["hours"] == 120.0  # type: ignore[index,call-overload]
    assert fields["deadline"]["trigger"] == "a loss"  # type: ignore[index,call-overload]
    assert norm.measures
    assert counts == {"corrected": 1}


def test_stored_reading_of_a_model_is_read_again_to_the_letter() -> None:
    """Who read it stands in the open part of the data: no record has another shape, and today's reader keeps it."""
    for each in _records({0: ToldSentence((_norm(holder="bank"),))}):
        again = Extraction.parse(each.payload(), each.extraction_id)
        assert again == each
        assert orjson.loads(again.payload()) == orjson.loads(each.payload())


def test_what_a_model_does_not_find_is_gone_and_the_sentence_is_a_statement() -> None:
    """A sentence that is read soundly and tells nothing is a proposition, as any other that binds nobody."""
    counts = MergeCounts()
    records = _records({0: ToldSentence()}, counts)
    assert [e.extraction_kind for e in records if e.char_offset_start == 0] == ["proposition"]
    assert counts == {"taken_away": 1}


def test_sentences_that_a_model_has_not_read_soundly_stay_as_rules_read_them() -> None:
    """Only the sentences that are told of are touched."""
    assert [e.payload() for e in _records({})] == [e.payload() for e in _records(None)]
    only_second = _records({1: ToldSentence()})
    assert [e.payload() for e in _norms(only_second)][:1] == [e.payload() for e in _norms(_records(None))][:1]


def test_norm_beside_another_is_added() -> None:
    """Two norms of a sentence, of which rules know one: the other stands beside it, in the order of the text."""
    counts = MergeCounts()
    text = "The bank shall keep each key. Doors are locked by the guard at night."
    own = ToldNorm(
        **{
            **{name: getattr(_norm(), name) for name in ToldNorm.__slots__},
            **{"spans": ((30, 69),), "cue": (), "holder": "the guard", "subject": "Doors", "passive": True},
            **{"action": ((40, 59),), "times": (), "conditions": ()},
        }
    )
    norms = _norms(_records({1: ToldSentence((own,))}, counts, text))
    assert [e.tier1_data.fields()["action"] for e in norms] == ["keep each key", "locked by the guard"]
    assert norms[1].tier1_data.fields()["object"] == "Doors"
    assert norms[1].tier1_data.fields()["modality"] == "present"
    assert counts == {"added": 1}


def test_definition_that_covers_its_sentence_leaves_no_proposition() -> None:
    """It stands as a definition of rules does, and an entity of its term is found elsewhere."""
    counts = MergeCounts()
    own = ToldDefinition("rain", "It may", "meaning", _place("It may rain."), "b" * 64)
    records = _records({1: ToldSentence((), (own,))}, counts)
    assert [e.extraction_kind for e in records if e.char_offset_start == own.place[0]] == ["definition"]
    assert counts == {"added": 1, "taken_away": 1}


def test_offsets_lead_back_to_the_text_with_its_invisible_characters() -> None:
    """What is read without a soft hyphen is stored with the places of the text that has it."""
    shown = "The bank shall keep each key."
    text = shown.replace("bank", "ba\u00adnk")
    own = ToldNorm(
        **{
            **{name: getattr(_norm(), name) for name in ToldNorm.__slots__},
            **{"spans": ((0, 28),), "cue": ((9, 14),), "holder": "bank", "action": ((15, 28),)},
            **{"times": (), "conditions": ()},
        }
    )
    (norm,) = _norms(_records({0: ToldSentence((own,))}, None, text))
    clause = norm.tier1_data.fields()["clause"]
    assert text[clause["start"] : clause["end"]] == text[:-2]  # type: ignore[index,call-overload]


def test_time_that_begins_with_after_and_a_number_is_a_limit_whatever_a_model_calls_it() -> None:
    """ "after 3 days of frost" says by when, as rules read it; "after the review" says from when on."""
    for words, field in (("after 3 days of frost", "deadline"), ("after the review", "commencement")):
        text = f"The guard shall close it {words}."
        at = text.index(words)
        own = ToldNorm(
            **{
                **{name: getattr(_norm(), name) for name in ToldNorm.__slots__},
                **{"spans": ((0, len(text) - 1),), "cue": ((10, 15),), "holder": "guard", "action": ((16, 24),)},
                **{"times": (ToldTime("start", ((at, at + len(words)),), ""),), "conditions": ()},
            }
        )
        (norm,) = _norms(_records({0: ToldSentence((own,))}, None, text))
        assert {"deadline", "commencement"} & set(norm.tier1_data.fields()) == {field}


def _timed(text: str, action: str, *times: ToldTime) -> dict[str, Any]:
    """The fields of a norm that a model told of the first sentence of a text, with these times."""
    at = text.index(action)
    own = ToldNorm(
        **{
            **{name: getattr(_norm(), name) for name in ToldNorm.__slots__},
            **{"spans": ((0, len(text) - 1),), "cue": ((10, 15),), "holder": "guard", "conditions": ()},
            **{"action": ((at, at + len(action)),), "times": times},
        }
    )
    (norm,) = _norms(_records({0: ToldSentence((own,))}, None, text))
    return norm.tier1_data.fields()


def _pieces(text: str, *words: str) -> tuple[tuple[int, int], ...]:
    return tuple((text.index(each), text.index(each) + len(each)) for each in words)


def test_limit_that_a_model_tells_is_one_whatever_rules_take_it_for() -> None:
    """ "after the review" begins something for rules; told as a deadline it is what the act is due after."""
    text = "The guard shall close it following a change."
    fields = _timed(text, "close it", ToldTime("deadline", _pieces(text, "following a change"), "a change"))
    assert (fields["deadline"]["trigger"], "commencement" in fields) == ("a change", False)


def test_time_in_pieces_is_told_whole_and_stands_at_its_longest_piece() -> None:
    """ "within:" of the lead-in and "two days" of the item are one time, with its number."""
    text = "The guard shall tell the desk within: (a) two days when it rains."
    fields = _timed(text, "tell the desk", ToldTime("deadline", _pieces(text, "within:", "two days"), "it rains"))
    limit = fields["deadline"]
    assert (limit["text"], limit["hours"], limit["trigger"]) == ("within: two days", 48.0, "it rains")
    assert text[limit["start"] : limit["end"]] == "two days"


def test_second_frequency_and_the_event_of_one_are_kept() -> None:
    """What happens "after every alarm" as well stands behind what happens each week, with its event."""
    text = "The guard shall read the log weekly and after every alarm."
    fields = _timed(
        text,
        "read the log",
        ToldTime("frequency", _pieces(text, "weekly")),
        ToldTime("start", _pieces(text, "after every alarm"), "every alarm"),
    )
    assert (fields["frequency"]["text"], fields["frequency"]["per_year"] > 50) == ("weekly", True)
    assert [each["trigger"] for each in fields["further_frequencies"]] == ["every alarm"]


def test_how_often_something_else_happens_is_no_frequency_of_the_norm() -> None:
    """ "within two days after each monthly visit": the visit is monthly, and the limit is two days."""
    text = "The guard shall write it down within two days after each monthly visit."
    own = ToldTime("deadline", _pieces(text, "within two days after each monthly visit"), "each monthly visit")
    fields = _timed(text, "write it down", own)
    assert (fields["deadline"]["days"], "frequency" in fields) == (2.0, False)
