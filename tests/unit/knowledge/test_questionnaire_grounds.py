"""What answers of a questionnaire are held against: values that statements give, and what documents tell of themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coditect.compose import open_knowledge
from coditect.documents.readers import read_source
from coditect.knowledge.report.questionnaires.about import DocumentFacts
from coditect.knowledge.report.questionnaires.answering import AnswerGrounds, answer_question
from coditect.knowledge.report.questionnaires.speaking import StatedValues, speaking
from coditect.schemas import AnsweredQuestion, BuildSettings, Hit, QueryResult, Source
from coditect.settings import Settings
from coditect.tiers.extractions.document import NORMATIVE, extraction_records, read_document
from tests.unit.tiers.corpora import version_of

CRITICAL = "Critical service providers must be reviewed twice a year."
EACH = "Each service provider must be reviewed annually."
ALSO = "Critical service providers must be reviewed every two years."
SCORED = "Critical service providers must be scored every month."


def _hits(*sentences: str) -> tuple[StatedValues, list[Hit]]:
    """The sentences as hits in their order, each of a document of its own."""
    known: dict[str, Any] = {}
    hits = []
    for rank, text in enumerate(sentences, 1):
        reading = read_document(read_source(f"# Terms\n\n{text}\n".encode(), f"{rank}.md"))
        records = extraction_records(version_of(f"{rank}.md", text), reading, "tier1")
        item = next(each for each in records if each.extraction_kind in NORMATIVE)
        known[str(rank)] = item
        source = Source(
            item_id=str(rank),
            tier=1,
            kind=item.extraction_kind,
            text=text,
            document_id=f"{rank}",
            document_name=f"{rank}.md",
        )
        hits.append(Hit(rank=rank, score=1.0, matched_by="lexical", item=source, probability=0.9 if rank == 1 else 0.6))
    view: Any = SimpleNamespace(find=known.__getitem__)
    return StatedValues(view), hits


def _answered(question: str, *sentences: str, best: float = 0.9) -> AnsweredQuestion:
    values, hits = _hits(*sentences)
    hits[0] = hits[0].model_copy(update={"probability": best})
    result = QueryResult(
        corpus_id="c", generation=1, build_id="b", query="q", tier="extraction", mode="hybrid", relevance="correct",
        hits=tuple(hits),
    )  # fmt: skip
    return answer_question("Sheet", 1, question, lambda _: result, AnswerGrounds(values=values))


@pytest.mark.parametrize(
    ("sentences", "status"),
    [
        ((CRITICAL, ALSO), "person"),
        ((CRITICAL, EACH), "answered"),
        ((CRITICAL, SCORED), "answered"),
        ((CRITICAL, "Critical service providers must be reviewed two times a year."), "answered"),
    ],
)
def test_statements_that_give_other_values_for_one_act_are_for_a_person(
    sentences: tuple[str, ...], status: str
) -> None:
    """Not those on less than is asked about, nor on another act, nor the same in other words."""
    told = _answered("How often are critical service providers reviewed?", *sentences)
    assert told.status == status
    if status == "person":
        assert told.reason == "the words give different values: “twice a year” in 1.md and “every two years” in 2.md"


def test_counts_that_differ_are_for_a_person_and_are_shown() -> None:
    """The minimum length is one count of characters, whatever the verbs; what does not speak to the question is not quoted."""
    told = _answered(
        "What is the minimum password length?",
        "Passwords must have a minimum length of 12 characters.",
        "Passwords must be changed by their owner.",
        "Passwords must be stored in a safe.",
        "Each password must contain at least 8 characters.",
    )
    assert told.status == "person"
    assert "“12 characters” in 1.md and “8 characters” in 4.md" in told.reason
    assert [each.text for each in told.quotes] == [
        "Passwords must have a minimum length of 12 characters.",
        "Each password must contain at least 8 characters.",
    ]


def test_values_of_words_that_hardly_answer_are_not_compared() -> None:
    """Why a person has to look is that the words do not fit."""
    told = _answered("How often are critical service providers reviewed?", CRITICAL, ALSO, best=0.2)
    assert told.reason == "the closest words fit with a probability of 20%"


def test_words_of_a_question_tell_which_quotes_speak_to_it() -> None:
    """The first always does."""
    _, hits = _hits(SCORED, EACH, "The cook must taste the soup.", CRITICAL)
    spoken = speaking("How often are critical service providers reviewed?", hits)
    assert [hit.item.text for hit in spoken] == [SCORED, EACH, CRITICAL]


POLICY = """# Incident Reporting Policy

Owner: Head of Security

Version: 2.1

Next review: 2027-03-01

1.1 Incidents are reported to the Head of Security by whoever sees them first.
"""


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocumentFacts]:
    """A policy that tells of itself, and another one that is called nearly so."""
    folder = tmp_path_factory.mktemp("facts")
    (folder / "documents").mkdir()
    (folder / "documents" / "incident.md").write_text(POLICY)
    (folder / "documents" / "visitor.md").write_text("# Visitor Policy\n\nOwner: Reception\n\n1. Visitors sign in.\n")
    with open_knowledge(Settings(store=f"lmdb://{folder}/store", cache=folder / "cache", jobs=1)) as opened:
        opened.ingest("c", [Path(folder / "documents")])
        opened.build("c", BuildSettings())
        yield DocumentFacts(opened.view("c"))


@pytest.mark.parametrize(
    ("question", "value", "quote"),
    [
        ("Who owns the incident reporting policy?", "Head of Security", "Owner: Head of Security"),
        ("Who is the owner of your Visitor Policy?", "Reception", "Owner: Reception"),
        ("Which version of the Incident Reporting Policy is in force?", "2.1", "Version: 2.1"),
        ("When is the incident reporting policy next reviewed?", "2027-03-01", "Next review: 2027-03-01"),
    ],
)
def test_what_a_document_tells_of_itself_answers(facts: DocumentFacts, question: str, value: str, quote: str) -> None:
    """With the line that says it."""
    told = facts.answer("Sheet", 4, question)
    assert told is not None
    assert (told.status, told.row) == ("answered", 4)
    assert told.reason.endswith(value)
    assert told.quotes[0].text.startswith(quote)


@pytest.mark.parametrize(
    "question",
    [
        "Who owns the backup policy?",
        "Who reports incidents under the incident reporting policy?",
        "Who owns the building?",
        "Does the incident reporting policy have an owner?",
        "Which version of TLS does your incident reporting policy require?",
        "Which version of the Incident Reporting Policy was in force in 2023?",
        "Who is the owner of the Incident Reporting Policy and does the policy require training?",
        "Who is the owner of incidents in your Incident Reporting Policy?",
    ],
)
def test_other_questions_are_asked_of_the_statements(facts: DocumentFacts, question: str) -> None:
    """No document is called so, or nothing of the document itself is asked."""
    assert facts.answer("Sheet", 1, question) is None
