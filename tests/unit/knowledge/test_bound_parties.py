"""Whom an answer binds: a sentence on somebody else does not answer, however near its words are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.documents.readers import read_source
from coditect.knowledge.query.shown.notes import LEFT_OUT
from coditect.knowledge.report.questionnaires.answering import AnswerGrounds, answer_question
from coditect.knowledge.report.questionnaires.bound import BoundParties, asked_party
from coditect.schemas import Hit, QueryResult, Source
from coditect.tiers.extractions.document import NORMATIVE, extraction_records, read_document
from tests.unit.tiers.corpora import version_of

CUSTOMER = "The Customer shall notify the Provider of a breach no later than 60 days after its discovery."
OURS = "The Provider shall notify the Customer of a breach within 72 hours."


def _bound(*sentences: str) -> tuple[BoundParties, list[Hit]]:
    """The sentences as hits in their order, and who they bind as it is read."""
    known: dict[str, Any] = {}
    hits = []
    for rank, text in enumerate(sentences, 1):
        reading = read_document(read_source(f"# Terms\n\n{text}\n".encode(), "terms.md"))
        records = extraction_records(version_of("terms.md", text), reading, "tier1")
        item = next(each for each in records if each.extraction_kind in NORMATIVE)
        known[str(rank)] = item
        source = Source(item_id=str(rank), tier=1, kind=item.extraction_kind, text=text)
        hits.append(Hit(rank=rank, score=1.0, matched_by="lexical", item=source, probability=0.99))
    view: Any = SimpleNamespace(find=known.__getitem__)
    return BoundParties(view), hits


@pytest.mark.parametrize(
    ("question", "party", "asked"),
    [
        ("How soon do you notify customers of a breach?", "you", "notify customers of a breach?"),
        ("By when must a processor tell the controller?", "processor", "tell the controller?"),
        ("Who approves access?", "", ""),
    ],
)
def test_a_question_names_whom_it_asks_about(question: str, party: str, asked: str) -> None:
    assert asked_party(question) == (party, asked)


@pytest.mark.parametrize(
    ("question", "sentence", "is_another"),
    [
        ("How soon do you notify customers of a breach?", CUSTOMER, True),
        ("How soon do you notify customers of a breach?", OURS, False),
        ("By when must the customer notify the provider of a breach?", CUSTOMER, False),
        ("By when must the customer notify the provider of a breach?", OURS, True),
        ("Do you require customers to use strong passwords?", "Customers must use strong passwords.", False),
        ("Do you require multi-factor authentication for employees?", "All employees must use two factors.", False),
        ("Does the processor keep a record?", "The controller must keep a record of all processing.", True),
        ("Who tells the customer of a breach?", OURS, False),
    ],
)
def test_a_sentence_binds_whom_the_question_asks_about_or_another(
    question: str, sentence: str, is_another: bool
) -> None:
    """The other side of what is asked is another, and so is another body than the one that is named; own people are not."""
    bound, (hit,) = _bound(sentence)
    assert bool(bound.binds_another(question, hit)) is is_another


def _answered(*sentences: str) -> Any:  # noqa: ANN401 - an answer
    bound, hits = _bound(*sentences)
    result = QueryResult(
        corpus_id="c",
        generation=1,
        build_id="b",
        query="q",
        tier="extraction",
        mode="hybrid",
        relevance="correct",
        hits=tuple(hits),
    )
    return answer_question(
        "Sheet", 1, "How soon do you notify customers of a breach?", lambda _: result, AnswerGrounds(bound=bound)
    )


def test_a_deadline_of_somebody_elses_is_for_a_person_to_look_at() -> None:
    """However sure the words are; where another sentence binds who is asked about, that one answers."""
    alone = _answered(CUSTOMER)
    assert (alone.status, alone.reason) == ("person", "the closest words bind “The Customer”")
    both = _answered(CUSTOMER, OURS)
    assert (both.status, both.quotes[0].text) == ("answered", OURS)


def test_a_question_of_a_checklist_answers_nothing_and_no_wording_twice() -> None:
    """A policy that asks "Are notices sent?" does not say that they are."""
    bound, (ours, again) = _bound(OURS, OURS)
    asks = ours.model_copy(
        update={"item": ours.item.model_copy(update={"text": "- Are customers notified of a breach?"})}
    )
    found = QueryResult(
        corpus_id="c", generation=1, build_id="b", query="q", tier="extraction", mode="hybrid", relevance="correct",
        hits=(asks, ours, again),
    )  # fmt: skip
    question = "Do you notify customers of a breach?"
    told = answer_question("Sheet", 1, question, lambda _: found, AnswerGrounds(bound=bound))
    assert [each.text for each in told.quotes] == [OURS]
    only = found.model_copy(update={"hits": (asks,)})
    assert answer_question("Sheet", 1, question, lambda _: only, AnswerGrounds(bound=bound)).status == "not found"


@pytest.mark.parametrize(
    ("note", "reason"),
    [
        ("", "no sentence of the documents answers it"),
        (LEFT_OUT, "no sentence of the documents answers it"),
        ("no answer in English; the question seems German", "no answer in English; the question seems German"),
    ],
)
def test_whoever_gets_a_workbook_is_not_told_of_options_of_a_search(note: str, reason: str) -> None:
    """Why nothing answers is told; that the gate could be left out is no advice there."""
    nothing = QueryResult(
        corpus_id="c", generation=1, build_id="b", query="q", tier="extraction", mode="hybrid", relevance="incorrect",
        hits=(), note=note,
    )  # fmt: skip
    told = answer_question("Sheet", 1, "Do you light candles?", lambda _: nothing)
    assert (told.status, told.reason) == ("not found", reason)
