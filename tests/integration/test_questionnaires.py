"""Questionnaires of a built corpus: which papers answer, what is no answer, and the same in every format."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from openpyxl import Workbook, load_workbook

from coditect.cli.app import coditect as program
from coditect.compose import open_knowledge
from coditect.errors import NotFound
from coditect.knowledge.service import Knowledge
from coditect.schemas import AnsweredQuestionnaire, AskedQuestion, BuildSettings
from coditect.settings import Settings

CORPUS = "papers"
TODAY = "2026-04-01"
MANIFEST = """documents:
  - {document: notice-1.md, role: policy, title: Notice Policy, edition: "1"}
  - {document: notice-2.md, role: policy, title: Notice Policy, edition: "2", supersedes: [notice-1.md]}
  - {document: passwords.md, role: policy}
  - {document: minutes.md, role: record}
"""
PAPERS = {
    "corpus.yaml": MANIFEST,
    "notice-1.md": "# Notice Policy\n\n1.1 The clerk shall notify each customer of a leak within 60 days.\n",
    "notice-2.md": "# Notice Policy\n\n1.1 The clerk shall notify each customer of a leak within 45 days.\n",
    "passwords.md": (
        "# Password Rules\n\n1.1 Passwords must have a minimum length of 12 characters.\n\n"
        "1.2 Visitors must sign in at the desk.\n\n1.3 The gardener must water the lawn every week.\n"
    ),
    "minutes.md": (
        "# Minutes of the Risk Committee, 12 March 2026\n\n"
        "The committee approved an exception to the minimum length of passwords for the Laboratory until 30 June 2026.\n\n"
        "The clerk reported that the committee must meet every month.\n"
    ),
}
LEAK = "How soon is each customer notified of a leak?"
LENGTH = "What is the minimum length of passwords?"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two editions of a policy, another policy, and minutes that grant an exception to it."""
    found = tmp_path_factory.mktemp("questionnaires")
    (found / "papers").mkdir()
    for name, text in PAPERS.items():
        (found / "papers" / name).write_text(text)
    with open_knowledge(_settings(found)) as opened:
        opened.ingest(CORPUS, [found / "papers"])
        opened.build(CORPUS, BuildSettings(today=TODAY))
    return found


@pytest.fixture(scope="module")
def knowledge(place: Path) -> Iterator[Knowledge]:
    """The same, opened."""
    with open_knowledge(_settings(place)) as opened:
        yield opened


def _settings(place: Path) -> Settings:
    return Settings(store=f"lmdb://{place}/store", cache=place / "cache", jobs=1)


def test_a_superseded_edition_is_marked_and_comes_last(knowledge: Knowledge) -> None:
    """What is in force answers; the two editions are no contradiction, since only one of them binds."""
    (told,) = knowledge.answer_questions(CORPUS, [LEAK], today=TODAY).questions
    assert [(each.document, each.standing) for each in told.quotes] == [
        ("notice-2.md", ()),
        ("notice-1.md", ("superseded by notice-2.md",)),
    ]
    assert "different values" not in told.reason


def test_a_superseded_edition_alone_is_for_a_person(knowledge: Knowledge) -> None:
    """Nothing in force answers, and that is said."""
    (told,) = knowledge.answer_questions(CORPUS, [LEAK], documents=["notice-1.md"], today=TODAY).questions
    assert (told.status, told.reason) == ("person", "the closest words are superseded by notice-2.md")


def test_an_exception_is_no_answer_to_what_the_rule_is(knowledge: Knowledge) -> None:
    """The rule is quoted, and a person is told of the exception; who asks for exceptions gets it."""
    (told,) = knowledge.answer_questions(CORPUS, [LENGTH], today=TODAY).questions
    assert [each.document for each in told.quotes] == ["passwords.md"]
    assert told.quotes[0].text.endswith("minimum length of 12 characters.")
    assert (told.status, told.reason.partition(":")[0]) == ("person", "an exception is on record")
    assert "minutes.md" in told.reason
    (later,) = knowledge.answer_questions(CORPUS, [LENGTH], today="2026-08-01").questions
    assert later.status == "answered"
    (asked,) = knowledge.answer_questions(
        CORPUS, ["Which exception to the minimum length of passwords was approved?"], today=TODAY
    ).questions
    assert "minutes.md" in {each.document for each in asked.quotes}


def test_only_papers_that_may_answer_do(knowledge: Knowledge) -> None:
    """By name, by pattern and by role; a role that no document has is an error with the way out."""
    report = knowledge.answer_questions(CORPUS, [LENGTH], documents=["notice-*"], today=TODAY)
    assert report.documents == ("notice-1.md", "notice-2.md")
    assert {each.document for each in report.questions[0].quotes} <= {"notice-1.md", "notice-2.md"}
    by_role = knowledge.answer_questions(CORPUS, ["How often must the committee meet?"], roles=["policy"], today=TODAY)
    assert by_role.documents == ("notice-1.md", "notice-2.md", "passwords.md")
    assert all(each.role == "policy" for each in by_role.questions[0].quotes)
    with pytest.raises(NotFound, match="no document has this role"):
        knowledge.answer_questions(CORPUS, [LENGTH], roles=["law"])
    with pytest.raises(NotFound, match="no document of this name"):
        knowledge.answer_questions(CORPUS, [LENGTH], documents=["nothing.md"])


def test_what_follows_the_first_quote_answers_too(knowledge: Knowledge) -> None:
    """Sentences of the same paper on something else are not quoted."""
    (told,) = knowledge.answer_questions(CORPUS, ["How often must the gardener water the lawn?"], today=TODAY).questions
    assert [each.text for each in told.quotes] == ["1.3 The gardener must water the lawn every week."]


def _workbook() -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Asked"
    for row in (("No.", "Question"), (7, LENGTH), ("8a", LEAK), (None, "Which penguins live in Antarctica?")):
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_the_workbook_holds_what_the_other_formats_say(place: Path, knowledge: Knowledge, tmp_path: Path) -> None:
    """Every quote with its source and its standing; numbers are the sheet's own."""
    report, filled = knowledge.questionnaire(CORPUS, _workbook(), today=TODAY)
    assert [(each.row, each.number) for each in report.questions] == [(2, "7"), (3, "8a"), (4, "")]
    sheet = load_workbook(io.BytesIO(filled))["Asked"]
    heads = {str(cell.value): int(cell.column or 0) for cell in sheet[1]}
    for each in report.questions[:2]:
        evidence = str(sheet.cell(each.row, heads["Evidence"]).value)
        source = str(sheet.cell(each.row, heads["Source"]).value)
        assert all(quote.text in evidence and quote.document in source for quote in each.quotes)
        assert evidence.count("superseded by") == sum(bool(quote.standing) for quote in each.quotes)
    asked = tmp_path / "asked.xlsx"
    asked.write_bytes(_workbook())
    words = ["--store", f"lmdb://{place}/store", "--cache", str(place / "cache"), "--today", TODAY]
    command = ["knowledge", "questionnaire", str(asked), "--corpus-id", CORPUS, *words]
    shown = CliRunner().invoke(program, command, catch_exceptions=False).stdout
    assert "Asked 7  " in shown
    assert "Asked, row 4  " in shown
    assert "superseded by notice-2.md" in shown
    told = CliRunner().invoke(program, [*command, "--format", "json"], catch_exceptions=False).stdout
    assert AnsweredQuestionnaire.model_validate_json(told) == report


def test_unsure_words_are_for_the_person_alone(knowledge: Knowledge) -> None:
    """Words that hardly fit stand in no column that goes out, and whoever looks gets them with their place."""
    (asked,) = knowledge.answer_questions(CORPUS, [AskedQuestion(row=2, question=LENGTH)], today=TODAY).questions
    from coditect.reports.questionnaires.filling import fill
    from coditect.reports.questionnaires.questions import question_sheets

    unsure = asked.model_copy(
        update={
            "quotes": tuple(each.model_copy(update={"probability": 0.3}) for each in asked.quotes),
            "sheet": "Asked",
        }
    )
    sheets = question_sheets(_workbook(), "q.xlsx")
    blank = [unsure.model_copy(update={"row": row, "quotes": ()}) for row in (3, 4)]
    filled, _ = fill(_workbook(), "q.xlsx", sheets, [unsure, *blank])
    sheet = load_workbook(io.BytesIO(filled))["Asked"]
    heads = {str(cell.value): int(cell.column or 0) for cell in sheet[1]}
    assert sheet.cell(2, heads["Evidence"]).value is None
    assert "12 characters" in str(sheet.cell(2, heads["Needs a person"]).value)


def test_a_report_of_before_is_still_read() -> None:
    """It names no format, and none of what was added."""
    quote = '{"item_id": "extraction_1", "document": "a.md", "text": "words"}'
    question = f'{{"sheet": "S", "row": 2, "question": "q", "status": "answered", "reason": "r", "quotes": [{quote}]}}'
    former = f'{{"corpus_id": "c", "generation": 1, "build_id": "b", "questions": [{question}]}}'
    read = AnsweredQuestionnaire.model_validate_json(former)
    assert (read.today, read.questions[0].number, read.questions[0].quotes[0].standing) == ("", "", ())
