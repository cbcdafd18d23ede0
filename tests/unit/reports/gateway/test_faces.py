"""Checked files as SARIF and as JUnit XML, field by field: what other programs show at which line."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from coditect.reports.gateway.checked import CheckedFile, against, message_of
from coditect.reports.gateway.junit import render_junit
from coditect.reports.gateway.sarif import render_sarif
from coditect.schemas import CheckedSentence, Signal, TextEvidence, TextReport
from coditect.schemas.text_report import Disagreement
from coditect.schemas.verdict import EvidenceSpan

LONG = "Logs " + "are kept " * 20
CONTENT = f"# Logs\n\nKeys rotate. Logs stay\ntwo years. {LONG}\n\nNobody asks.\n".encode()


def evidence(number: int, **more: object) -> TextEvidence:
    """A statement of the corpus."""
    fields: dict[str, Any] = {
        "item_id": f"extraction_{number}",
        "document_id": "document_1",
        "document_name": f"a policy {number}.md",
        "version_id": "version_1",
        "raw_sha256": "ab" * 32,
        "char_start": 40,
        "char_end": 70,
        "text": f"Statement {number}\n of the corpus.",
        **more,
    }
    return TextEvidence(**fields)


def sentence(text: str, label: str | None = None, **more: object) -> CheckedSentence:
    """A sentence of the file, whose offsets nothing here looks at."""
    fields: dict[str, Any] = {"char_start": 0, "char_end": 1, "support_score": 0.123456, "label": label, **more}
    return CheckedSentence(text=text, **fields)


def failed(*quotes: int, passed: bool = False) -> Signal:
    """A check that goes by the words of these quotes."""
    return Signal(
        name="numbers",
        passed=passed,
        evidence=tuple(EvidenceSpan(quote=each, char_start=0, char_end=4) for each in quotes),
    )


def report(*sentences: CheckedSentence) -> TextReport:
    """The sentences of one file."""
    return TextReport(
        corpus_id="demo", generation=1, build_id="build_1", name="a.md", text=CONTENT.decode(), label="needs_review",
        minimum_support=0.5, checker="staged/1", weights_version="words/1", weights_sha256="ab" * 32, sentences=sentences,
    )  # fmt: skip


UNLIKE = sentence("Keys rotate.", "unsupported", reason="nothing says so")
OPEN = sentence("Logs stay two years.", "needs_review", signals=(failed(1),), evidence=(evidence(0), evidence(1)))
DENIED = sentence("Elsewhere it says more.", "sources_disagree", reason="two differ", evidence=(evidence(0, page=3),))
FILES = (
    CheckedFile("some answers/a.md", CONTENT, report(sentence("Logs"), UNLIKE, OPEN, sentence(LONG, "supported"), DENIED)),
    CheckedFile("b\x01.pdf", b"", None, "no text layer"),
    CheckedFile("c.md", CONTENT, report(sentence("Nobody asks.", "supported"))),
)  # fmt: skip


@pytest.mark.parametrize(
    ("more", "number"),
    [
        ({"evidence": ()}, None),
        ({}, 0),
        ({"signals": (failed(2),)}, 2),
        ({"signals": (failed(1, passed=True), failed(2, 1))}, 2),
        ({"signals": (failed(1, passed=True),)}, 0),
        ({"signals": (failed(1),), "disagreement": Disagreement(supporting=1, refuting=2, detail="two")}, 2),
    ],
    ids=["nothing", "best", "failed", "first failed", "all passed", "who denies it"],
)
def test_statement_that_is_shown_is_the_one_that_decides(more: dict[str, Any], number: int | None) -> None:
    """Of two sources the one that denies it; else what the first failed check goes by; else the best match."""
    statements = tuple(evidence(each) for each in range(3))
    shown = against(sentence("x", "unsupported", **{"evidence": statements, **more}))
    assert shown == (None if number is None else statements[number])


def test_message_tells_reason_statement_and_place() -> None:
    """The reason, or the label in words; the statement on one line; heading and page where it has them."""
    assert message_of(UNLIKE) == "nothing says so\n\nThe corpus holds nothing that speaks to it."
    assert message_of(OPEN) == (
        "needs review\n\nThe corpus says: “Statement 1 of the corpus.” (a policy 1.md, characters 40 to 70)"
    )
    assert message_of(sentence("x")) == "\n\nThe corpus holds nothing that speaks to it."
    hint = Signal(name="rewrite", passed=True, detail="“stay” for “are kept”")
    assert message_of(sentence("x", "needs_review", reason="r", signals=(hint,))).startswith(
        "r\n\nTo help decide: “stay” for “are kept”\n\nThe corpus"
    )
    place = sentence("x", "unsupported", reason="r", evidence=(evidence(0, page=3, heading="4.2 Logs"),))
    assert message_of(place).endswith("(a policy 0.md, 4.2 Logs, page 3, characters 40 to 70)")


def test_sarif_has_a_result_for_each_failing_sentence_where_it_stands() -> None:
    """Level, rule, lines and columns from 1, and the statement of the corpus; a sentence that is not found has no region."""
    (run,) = json.loads(render_sarif(FILES, "9.9"))["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    unlike, open_, denied = run["results"]
    assert [each["ruleId"] for each in run["results"]] == ["unsupported", "needs_review", "sources_disagree"]
    assert [each["level"] for each in run["results"]] == ["error", "warning", "error"]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[each["ruleIndex"]]["id"] for each in run["results"]] == [each["ruleId"] for each in run["results"]]
    assert [each["defaultConfiguration"]["level"] for each in rules] == ["error", "error", "warning"]
    regions = [each["locations"][0]["physicalLocation"].get("region") for each in run["results"]]
    assert regions[0] == {
        "startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 12, "snippet": {"text": "Keys rotate."},
    }  # fmt: skip
    assert regions[1] == {
        "startLine": 3, "startColumn": 14, "endLine": 4, "endColumn": 10, "snippet": {"text": "Logs stay two years."},
    }  # fmt: skip
    assert regions[2] is None
    assert "relatedLocations" not in unlike
    (related,) = open_["relatedLocations"]
    assert related["id"] == 0
    assert related["physicalLocation"]["region"] == {"charOffset": 40, "charLength": 30}
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "a%20policy%201.md"
    assert related["properties"] == {"item_id": "extraction_1", "sha256": "ab" * 32}
    assert unlike["properties"] == {"support": 0.1235, "sentence": "Keys rotate."}
    prints = [each["partialFingerprints"]["sentence/v1"] for each in run["results"]]
    assert {len(each) for each in prints} == {32}
    assert len(set(prints)) == 3
    assert denied["message"]["text"].startswith("two differ")


def test_sarif_tells_of_files_that_could_not_be_read() -> None:
    """The run fails by them alone; sentences that fail are results of a run that went well."""
    (run,) = json.loads(render_sarif(FILES, "9.9"))["runs"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    (told,) = invocation["toolExecutionNotifications"]
    assert (told["level"], told["message"]["text"]) == ("error", "b\x01.pdf could not be read: no text layer")
    (well,) = json.loads(render_sarif(FILES[:1], "9.9"))["runs"]
    assert well["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def counted(element: ET.Element) -> tuple[int, ...]:
    """The figures of a suite, or of all."""
    return tuple(int(element.get(name, "-1")) for name in ("tests", "failures", "errors", "skipped"))


@pytest.mark.parametrize(
    ("fail_on", "first", "all_"), [("unsupported", (4, 2, 0, 1), (6, 2, 1, 1)), ("needs_review", (4, 3, 0, 0), (6, 3, 1, 0))]
)  # fmt: skip
def test_junit_counts_cases_failures_errors_and_what_was_skipped(
    fail_on: str, first: tuple[int, ...], all_: tuple[int, ...]
) -> None:
    """A sentence that claims nothing is no case; what is milder than asked for is skipped; an unreadable file is an error."""
    root = ET.fromstring(render_junit(FILES, fail_on))
    suites = root.findall("testsuite")
    assert counted(root) == all_
    assert [counted(each) for each in suites] == [first, (1, 0, 1, 0), (1, 0, 0, 0)]
    for suite, figures in zip(suites, [first, (1, 0, 1, 0), (1, 0, 0, 0)], strict=True):
        kinds = [child.tag for case in suite for child in case]
        assert (len(suite), *(kinds.count(name) for name in ("failure", "error", "skipped"))) == figures
    assert counted(ET.fromstring(render_junit((), fail_on))) == (0, 0, 0, 0)


def test_junit_names_cases_by_number_and_place() -> None:
    """Numbers count all sentences; names are cut behind 120 characters; what was not found has no line."""
    root = ET.fromstring(render_junit(FILES, "unsupported"))
    cases = root.findall("testsuite")[0].findall("testcase")
    whole = f"4: {' '.join(LONG.split())}"
    assert [each.get("name") for each in cases] == [
        "2: Keys rotate.", "3: Logs stay two years.", whole[:120], "5: Elsewhere it says more.",
    ]  # fmt: skip
    assert [(each.get("file"), each.get("line")) for each in cases] == [
        ("some answers/a.md", "3"), ("some answers/a.md", "3"), ("some answers/a.md", "4"), (None, None),
    ]  # fmt: skip
    (failure,) = cases[0]
    assert (failure.get("type"), failure.get("message")) == ("unsupported", "nothing says so")
    assert failure.text == f"Keys rotate.\n\n{message_of(UNLIKE)}"
    (skipped,) = cases[1]
    assert (skipped.tag, skipped.get("message")) == ("skipped", "needs_review: ")
    assert root.findall("testsuite")[1].get("name") == "b\N{REPLACEMENT CHARACTER}.pdf"
