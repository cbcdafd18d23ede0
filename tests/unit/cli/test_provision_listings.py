"""What commands print of crosswalks, registers, references and questionnaires: line by line."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coditect.cli import crosswalk, questionnaire, references, registers
from coditect.errors import UsageError
from coditect.schemas import AbsentTarget, AnsweredQuestionnaire, CitedPlace, RegisterRow
from coditect.schemas.crosswalk import (
    CheckedClaim,
    Crosswalk,
    CrosswalkEvidence,
    CrosswalkRow,
    FamilyCoverage,
    MappingCheck,
)
from tests.unit.cli.commands import Desk

EVIDENCE = CrosswalkEvidence(
    label="meets", probability=0.876, held=0.9, reason="same", item_id="extraction_1", document="p.md", version_id="v1",
    text="Review.", char_start=3, char_end=10,
)  # fmt: skip


def part(requirement: str, number: int, title: str, *evidence: CrosswalkEvidence, **more: str) -> CrosswalkRow:
    """A part of a requirement."""
    fields: dict[str, Any] = {
        "family": "F",
        "document": "rule.md",
        "text": "Do it.",
        "char_start": 0,
        "char_end": 6,
        "label": "meets",
        **more,
    }
    return CrosswalkRow(
        requirement_id=requirement, part_id=f"{requirement}.{number}", title=title, evidence=evidence, **fields
    )


WALK = Crosswalk(
    framework_corpus="rules", framework_generation=3, corpus_id="c", generation=1, method="crosswalk/1",
    coverage=(
        FamilyCoverage(family="F", parts=3, labels={"no evidence": 1, "meets": 2}),
        FamilyCoverage(family="", parts=1, labels={"meets": 1}),
    ),
    rows=(
        part("ac-2", 1, "Accounts", EVIDENCE, EVIDENCE.model_copy(update={"probability": None, "label": "partly"})),
        part("ac-2", 2, "Accounts", label="no evidence"),
        part("4.1", 1, "Section 4.1 of it"),
        part("5", 1, ""),
    ),
    orphans=("extraction_9",),
)  # fmt: skip


def test_crosswalk_is_told_requirement_by_requirement(capsys: pytest.CaptureFixture[str]) -> None:
    """Each once, with its number unless its title prints it, its parts and their sentences; then how much is covered."""
    crosswalk._show(WALK)
    assert capsys.readouterr().out.splitlines() == [
        "Framework rules, generation 3", "corpus c, generation 1", "", "ac-2 Accounts  F", "  meets  ac-2.1",
        "    “Do it.”", "      meets  p.md: same  extraction_1", "        “Review.”",
        "      partly  p.md: same  extraction_1", "        “Review.”", "  no evidence  ac-2.2", "    “Do it.”", "",
        "Section 4.1 of it  F", "  meets  4.1.1", "    “Do it.”", "", "5  F", "  meets  5.1", "    “Do it.”", "",
        "F: 3 parts: 2 meets, 1 no evidence", "without a heading: 1 part: 1 meets", "1 binding statement answer no requirement",
    ]  # fmt: skip


CHECKED = MappingCheck(
    source="m.csv", framework_corpus="rules", framework_generation=3, corpus_id="c", generation=1, method="m/1",
    verdicts={"supported": 1200, "no evidence": 1},
    claims=(
        CheckedClaim(
            document="p.md", requirement="ac-2", relationship="equals", verdict="supported", reason="so", part_id="ac-2.1",
            part_text="Do it.", evidence=EVIDENCE,
        ),
        CheckedClaim(document="p.md", requirement="ac-3", verdict="no evidence", reason="none"),
    ),
)  # fmt: skip


def test_checked_mapping_is_told_claim_by_claim(capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict, why, and the words of both sides where there are any; as JSON the same; as a mapping not at all."""
    crosswalk._write_checked(CHECKED, "text", None)
    assert capsys.readouterr().out.splitlines() == [
        "m.csv against corpus c, generation 1", "", "supported  p.md equals ac-2", "  so", "    ac-2.1  “Do it.”",
        "    p.md  “Review.”  extraction_1", "", "no evidence  p.md  ac-3", "  none", "", "1,200 supported, 1 no evidence",
    ]  # fmt: skip
    crosswalk._write_checked(CHECKED, "json", None)
    assert MappingCheck.model_validate_json(capsys.readouterr().out) == CHECKED
    with pytest.raises(UsageError, match="no mapping"):
        crosswalk._write_checked(CHECKED, "oscal", None)


def test_crosswalk_is_written_in_the_format_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """Text, JSON, and a mapping collection of the time that it is given."""
    for form, begins in (
        ("text", "Framework rules"),
        ("json", '{\n  "framework_corpus"'),
        ("oscal", '{\n  "mapping-collection"'),
    ):
        crosswalk._write(WALK, form, None, "2026-01-02T03:04:05Z")
        assert capsys.readouterr().out.startswith(begins)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "which framework"),
        (("--framework", "x", "--standard", "s"), "which mapping"),
        (("--framework-corpus", "x", "--mapping-columns", "m"), "which mapping"),
    ],
)
def test_crosswalk_needs_a_framework_and_a_mapping_for_what_is_of_one(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], told: str
) -> None:
    """Before anything is opened."""
    desk = Desk(monkeypatch, None)
    with pytest.raises(UsageError, match=told):
        desk.run(crosswalk.crosswalk, "--corpus-id", "c", *words)
    assert desk.opened == []


ROWS = [
    RegisterRow(
        item_id="e1", kind="obligation", document="a.md", role="policy", standing="expired", locator="4.2", heading="Logs", page=3,
        force="mandatory", actor="The officer", action="review  it", deadline="in 3 days", frequency="yearly", duration="a week",
        conditions=("asked",), exceptions=("ill",), text="The officer shall review it.",
    ),
    RegisterRow(item_id="e2", kind="definition", document="a.md", heading="Terms", term="Log", meaning="a record", text="So."),
    RegisterRow(
        item_id="e5", kind="definition", document="a.md", term="Log", excludes="a draft", defined_by="exclusion", text="Not so."
    ),
    RegisterRow(
        item_id="e6", kind="definition", document="a.md", term="Log", meaning="a list", defined_by="inclusion", text="Also."
    ),
    RegisterRow(item_id="e3", kind="quantity", document="b.md", actor="Staff", term="Week", text="7 days"),
    RegisterRow(item_id="c1", kind="claim", document="b.md", severity="high", heading="topic", text="They differ."),
    RegisterRow(item_id="e4", kind="proposition", document="b.md", page=1, text="It is."),
]  # fmt: skip


def test_register_is_told_by_document(capsys: pytest.CaptureFixture[str]) -> None:
    """Who does what by when, in one line, above the words; claims stand in no document; rows are counted."""
    registers.write_text(iter(ROWS), SimpleNamespace(corpus_id="c", generation=2, documents={}), "2026-01-02")  # type: ignore[arg-type]
    assert capsys.readouterr().out.splitlines() == [
        "Corpus c, generation 2, on 2026-01-02", "", "a.md  policy  expired", "", "  mandatory  4.2 page 3  e1",
        "    The officer: review it · due in 3 days · recurs yearly · lasts a week · if: asked · unless: ill",
        "    “The officer shall review it.”", "", "  definition  Terms  e2", "    Log: a record", "    “So.”", "",
        "  definition    e5", "    Log does not include: a draft", "    “Not so.”", "",
        "  definition    e6", "    Log includes: a list", "    “Also.”", "", "b.md  role not known",
        "", "  quantity    e3", "    Staff · Week", "    “7 days”", "", "  high  topic  c1", "    They differ.", "",
        "b.md  role not known", "",
        "  proposition  page 1  e4", "    “It is.”", "", "7 rows",
    ]  # fmt: skip


def test_register_without_rows_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """No row is counted."""
    registers.write_text(iter(()), SimpleNamespace(corpus_id="c", generation=2, documents={}), "2026-01-02")  # type: ignore[arg-type]
    assert capsys.readouterr().out.splitlines()[-1] == "0 rows"


@pytest.mark.parametrize(("count", "shown"), [(1, "a0"), (12, ", ".join(f"a{n}" for n in range(12)))])
def test_absent_documents_are_told_with_where_they_are_cited(
    count: int, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twelve names are spelled out, the others counted."""
    place = CitedPlace(document="a.md", text="Art. 5", sentence="See Art. 5.", char_start=4, extraction_id="e")
    names = tuple(f"a{n}" for n in range(count))
    act = AbsentTarget(name="Act", references=3, documents=names, sections=(("5", 2),), examples=(place,))
    rule = AbsentTarget(name="Rule", references=1, documents=(*names, "z"), sections=(), examples=())
    references._write_text(SimpleNamespace(corpus_id="c", generation=2), (act, rule))  # type: ignore[arg-type]
    cited = f"1 reference in {count + 1} documents"
    assert capsys.readouterr().out.splitlines() == [
        "2 documents outside of corpus c, generation 2: 4 references", "",
        f"Act  3 references in {count} document{'s' if count > 1 else ''}", "  places: 5 (2)", f"  in: {shown}", "  “See Art. 5.”",
        "  — a.md, character 4", "", f"Rule  {cited}", f"  in: {shown}{' and 1 more' if count == 12 else ', z'}",
    ]  # fmt: skip


def test_what_is_only_possible_has_no_role_to_be_known(capsys: pytest.CaptureFixture[str]) -> None:
    """It stands in several documents; of a single one of no known role that is said, since it may be anybody's memo."""
    rows = [
        RegisterRow(item_id="e1", kind="quantity", document="memo.md", text="48 hours"),
        RegisterRow(
            item_id="c1", kind="possible", document="a.md; b.md", standing="found by rules alone", text="They differ."
        ),
    ]
    registers.write_text(iter(rows), SimpleNamespace(corpus_id="c", generation=2, documents={}), "2026-01-02")  # type: ignore[arg-type]
    told = capsys.readouterr().out.splitlines()
    assert "memo.md  role not known" in told
    assert "a.md; b.md    found by rules alone" in told


def test_questionnaire_is_told_question_by_question(capsys: pytest.CaptureFixture[str]) -> None:
    """How many have which answer; where the workbook was written goes to the standard error."""
    quotes = [
        {"item_id": "e", "document": "p.md", "locator": "4.2", "text": "So.", "role": "policy"},
        {"item_id": "e", "document": "q.md", "text": "No.", "standing": ["superseded by p.md"]},
    ]
    answered = {
        "sheet": "One",
        "row": 4,
        "number": "2.1",
        "question": "Which?",
        "status": "answered",
        "reason": "sure",
        "quotes": quotes,
    }
    report = AnsweredQuestionnaire.model_validate(
        {
            "corpus_id": "c", "generation": 2, "build_id": "b", "warnings": ["C4 is not empty"],
            "questions": [answered, {**answered, "row": 5, "number": "", "status": "person", "reason": "why", "quotes": []}],
        }
    )  # fmt: skip
    questionnaire._write_text(report, None)
    told = capsys.readouterr()
    assert told.out.splitlines() == [
        "2 questions: 1 answered, 1 for a person, 0 not found (corpus c, generation 2)", "",
        "  One 2.1  Which?", "    answered: sure",
        '    "So."  p.md 4.2 · policy', '    "No."  q.md · role not known', "      superseded by p.md", "",
        "  One, row 5  Which?", "    person: why", "warning: C4 is not empty",
    ]  # fmt: skip
    assert told.err == ""
    questionnaire._write_text(report, Path("q.xlsx"))
    assert capsys.readouterr().err == "written to q.xlsx\n"
