"""``coditect knowledge questionnaire``, from end to end."""

from __future__ import annotations

from pathlib import Path

from openpyxl import Workbook, load_workbook

from coditect.schemas import AnsweredQuestionnaire
from tests.command_line import invoke

POLICY = (
    "# Encryption Policy\n\n## 1 Rules\n\n1.1 All customer data at rest shall be encrypted with AES-256.\n\n"
    "1.2 The security officer shall review access rights every quarter.\n\n1.3 Backups shall be tested every month.\n"
)


def test_questionnaire_comes_back_with_quotes_and_with_not_found(tmp_path: Path) -> None:
    """What the documents say is quoted with its place; what they do not say is told as that."""
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "encryption.md").write_text(POLICY)
    for words in (("ingest", "--corpus-id", "c", str(documents)), ("build", "--corpus-id", "c")):
        assert invoke(tmp_path / "store", *words).exit_code == 0
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Question", "Answer"])
    sheet.append(["Do you encrypt customer data at rest?"])
    sheet.append(["Which penguins live in Antarctica?"])
    asked = tmp_path / "asked.xlsx"
    book.save(asked)
    filled = tmp_path / "filled.xlsx"
    filling = ("questionnaire", str(asked), "--corpus-id", "c", "--output", str(filled), "--format", "json")
    report = AnsweredQuestionnaire.model_validate_json(invoke(tmp_path / "store", *filling).stdout)
    first, second = report.questions
    assert first.quotes[0].text.endswith("All customer data at rest shall be encrypted with AES-256.")
    assert (second.status, second.quotes) == ("not found", ())
    written = load_workbook(filled).active
    assert written is not None
    assert "AES-256" in str(written["C2"].value)
    assert written["B3"].value == "not found"


def test_where_documents_differ_a_person_answers(tmp_path: Path) -> None:
    """A published conflict on the quoted words is named; words that no conflict cites name none."""
    other = "# Access Standard\n\n## 1 Rules\n\n1.1 The security officer shall review access rights every year.\n"
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "encryption.md").write_text(POLICY)
    (documents / "access.md").write_text(other)
    for words in (("ingest", "--corpus-id", "c", str(documents)), ("build", "--corpus-id", "c")):
        assert invoke(tmp_path / "store", *words).exit_code == 0
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in ("Question", "How often are access rights reviewed?", "Is customer data at rest encrypted?"):
        sheet.append([row])
    asked = tmp_path / "asked.xlsx"
    book.save(asked)
    asking = ("questionnaire", str(asked), "--corpus-id", "c", "--format", "json")
    report = AnsweredQuestionnaire.model_validate_json(invoke(tmp_path / "store", *asking).stdout)
    differing, agreed = report.questions
    assert differing.status == "person"
    assert differing.reason.startswith("the documents differ: Intervals differ for")
    assert (len(differing.conflicts), agreed.conflicts) == (1, ())
    assert "encrypted" in agreed.quotes[0].text


def test_output_over_the_questionnaire_itself_is_refused(tmp_path: Path) -> None:
    """Nobody's file is written over."""
    asked = tmp_path / "asked.xlsx"
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Question"])
    sheet.append(["Is there a policy?"])
    book.save(asked)
    before = asked.read_bytes()
    result = invoke(tmp_path / "store", "questionnaire", str(asked), "--corpus-id", "c", "--output", str(asked))
    assert result.exit_code != 0
    assert asked.read_bytes() == before
