from __future__ import annotations

import base64
import hashlib
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml.html import HtmlElement

from coditect.reports.claims import MOST_QUOTES
from coditect.reports.html import render_html, segments
from coditect.reports.model import AuditReport, ReportCitation
from coditect.schemas import ClaimKind, Failure, Finding, Signal, ValidationReport
from tests.effort import times
from tests.unit.reports.reports import BUILD, assert_self_contained, claim, found, passage, report, strings, text_at

HOSTILE = (
    """<script>alert(1)</script> {{ 7 * 7 }} {% raw %} </style> <!-- " onload='x' &amp; http://example.org/a.png"""
)
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn")), min_size=1, max_size=60).filter(
    str.strip
)


def texts_at(tree: HtmlElement, path: str) -> list[str]:
    return [str(element.text_content()) for element in found(tree, path)]


def test_page_is_self_contained() -> None:
    """One file: unique ids, links that lead somewhere in it, nothing from outside, a policy that forbids the rest."""
    assert_self_contained(render_html(report()))


def test_page_has_the_same_bytes_for_the_same_report() -> None:
    """A report and its copy read back from JSON give the same bytes."""
    first = report()
    again = AuditReport.model_validate_json(first.model_dump_json(indent=2))
    assert render_html(first) == render_html(first) == render_html(again)


def test_page_allows_exactly_its_own_script() -> None:
    """The policy holds the hash of the script as it stands in the page, and nothing else may run."""
    page = render_html(report())
    script = re.findall(r"<script>(.*?)</script>", page, re.S)
    policy = re.findall(r"script-src ([^\"]*?);", page)
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    assert policy == [f"'sha256-{digest}'"]


def test_page_has_its_parts_in_order() -> None:
    """An auditor reads: numbers, summary, refusals, sections, chains, documents, failures, method, how to verify, glossary."""
    tree = assert_self_contained(render_html(report()))
    parts = strings(tree, "//main/section/@id")
    assert parts == [
        "numbers", "claims", "refused", "sections", "chains", "documents", "failures", "method", "verify", "glossary", "proof",
    ]  # fmt: skip
    assert [link[1:] for link in strings(tree, "//nav/ol/li/a/@href")] == parts


def test_page_tables_have_captions_and_scopes() -> None:
    """Every table says what it is, and every heading cell what it heads."""
    tree = assert_self_contained(render_html(report()))
    tables = found(tree, "//table")
    assert tables
    assert all(found(table, "./caption[normalize-space()]") for table in tables)
    assert all(cell.get("scope") in ("col", "row") for cell in found(tree, "//th"))


@pytest.mark.parametrize("where", ["quote", "claim", "name", "topic", "corpus", "failure", "data", "reason"])
def test_page_escapes_what_comes_from_documents(where: str) -> None:
    """Markup and template syntax from a document is text in the page, wherever it stands."""
    made = _hostile(where)
    tree = assert_self_contained(render_html(made))
    assert HOSTILE in text_at(tree, "//body")
    assert not [text for text in strings(tree, "//script/text()") if "alert(1)" in text]


def _hostile(where: str) -> AuditReport:
    base = report()
    first = base.passages[0]
    match where:
        case "quote":
            return report((HOSTILE,))
        case "claim":
            return report(claims=(claim(1, "gap", HOSTILE, (1,)),))
        case "name":
            place = first.place.model_copy(update={"document_name": HOSTILE, "headings": (HOSTILE,)})
            return report(passages=(first.model_copy(update={"place": place}),))
        case "topic":
            return report(sections=(base.sections[0].model_copy(update={"topic": HOSTILE}),))
        case "corpus":
            return report(corpus_id=HOSTILE, corpus_name=HOSTILE)
        case "failure":
            return report(
                failures=(Failure(corpus_id="demo", name=HOSTILE, error="ReadError", message=HOSTILE, hint=HOSTILE),)
            )
        case "data":
            extraction = first.extractions[0].model_copy(
                update={"data": {HOSTILE: [{"text": HOSTILE}]}, "entities": (HOSTILE,)}
            )
            return report(passages=(first.model_copy(update={"extractions": (extraction,)}),))
        case _:
            signals = (Signal(name="verbatim", passed=False, detail=HOSTILE, weight=1.0),)
            return report(refused=(claim(1, "theme", "x", (), published=False, reason=HOSTILE, signals=signals),))


@given(st.lists(WORDS, min_size=1, max_size=4), WORDS)
@settings(max_examples=times(40, least=10), deadline=None)
def test_page_shows_any_text_verbatim(texts: list[str], topic: str) -> None:
    """Whatever the characters of a quote, the page's text at its place is the quote."""
    made = report(tuple(texts))
    made = made.model_copy(update={"sections": (made.sections[0].model_copy(update={"topic": topic}),)})
    tree = assert_self_contained(render_html(made))
    assert [*texts_at(tree, "//figure[@class='quoted']//p[@data-start]")] == texts
    assert text_at(tree, "//*[@id='section-1']/h3/bdi") == topic


@given(WORDS, st.lists(st.tuples(st.integers(90, 170), st.integers(90, 170)), max_size=6))
def test_segments_join_to_the_quote(text: str, spans: list[tuple[int, int]]) -> None:
    """However extractions nest, overlap or reach over its ends, the segments of a quote are the quote."""
    base = passage(1, text)
    extractions = tuple(
        base.extractions[0].model_copy(update={"char_start": min(span), "char_end": max(span)}) for span in spans
    )
    cut = segments(base.model_copy(update={"extractions": extractions}))
    assert "".join(segment.text for segment in cut) == text
    covered = {at for a, b in spans for at in range(min(a, b), max(a, b))}
    whole = [span for span in spans if min(span) <= 100 and max(span) >= 100 + len(text)]
    at = 100
    for segment in cut:
        inside = set(range(at, at + len(segment.text)))
        assert whole or bool(segment.depth) == bool(inside <= covered)
        at += len(segment.text)


def test_chain_shows_six_quotes_and_counts_the_rest() -> None:
    """A claim with many quotes shows the first and says how many more there are."""
    many = tuple(f"Statement {number} is here." for number in range(1, 10))
    made = report(many, claims=(claim(1, "theme", "All speak.", tuple(range(1, 10))),))
    tree = assert_self_contained(render_html(made))
    assert len(found(tree, "//*[@id='chain-1']//ol[@class='links']/li")) == MOST_QUOTES
    assert "3 more quotes are cited" in text_at(tree, "//*[@id='chain-1']")


def test_chain_shares_a_passage_with_later_claims() -> None:
    """A passage is shown under the first claim that rests on it; the next one links to it there."""
    made = report(claims=(claim(1, "theme", "One.", (1,)), claim(2, "theme", "Two.", (1,))))
    tree = assert_self_contained(render_html(made))
    assert len(found(tree, "//*[@id='chain-1']//*[@id='passage-1']")) == 1
    assert found(tree, "//*[@id='chain-2']//a[@href='#passage-1']")
    assert "shown under claim 1" in text_at(tree, "//*[@id='chain-2']")


def test_claims_stand_under_plain_headings_in_order() -> None:
    """Disagreements first, requirements last, whatever order the claims have; empty kinds have no heading."""
    kinds: tuple[ClaimKind, ...] = ("requirement", "gap", "conflict")
    made = report(claims=tuple(claim(number, kind, f"Claim {number}.", (1,)) for number, kind in enumerate(kinds, 1)))
    tree = assert_self_contained(render_html(made))
    assert [each.rsplit(" ", 1)[0] for each in texts_at(tree, "//*[@id='claims']//h3")] == [
        "Documents that disagree", "Gaps", "Requirements",
    ]  # fmt: skip


def test_synthetic_text_is_marked_and_measured() -> None:
    """Words of the program carry the tag; their share and the gate are printed and drawn."""
    tree = assert_self_contained(render_html(report()))
    (section,) = found(tree, "//*[@id='section-1']")
    assert texts_at(section, ".//p[@class='synthetic']") == ["Synthetic What the documents require:"]
    assert strings(section, ".//*[@role='img']/@aria-label") == ["Synthetic share 12.5 %, gate 20 %"]
    assert strings(section, ".//*[@class='bar']/*/@style") == ["width:12.5%", "left:20.0%"]


def test_refused_claim_shows_its_reason_and_checks() -> None:
    """A claim that cites nothing is shown with what failed, and is not among the published."""
    signals = (Signal(name="cited", passed=False, detail="no citation", weight=1.0),)
    nowhere = (ReportCitation(section_id="section_gone", part=3),)
    refused = claim(
        1, "theme", "Nobody says this.", (), published=False, support_score=0.0, signals=signals, citations=nowhere
    )
    tree = assert_self_contained(render_html(report(refused=(refused,))))
    article = text_at(tree, "//*[@id='refused-1']")
    assert "Refused: no citation" in article
    assert "It cites no quote." in article
    assert "Nobody says this." not in text_at(tree, "//*[@id='claims']")


@pytest.mark.parametrize(
    ("recipe", "cells"),
    [
        ({"figure": "coverage", "topic": "access", "result": {"documents": 3, "of": 4}}, ["3", "4"]),
        (
            {
                "figure": "measure", "kind": "deadline", "head": "notifi",
                "result": {"documents": 3, "of": 4, "values": [["24 hours", 2], ["72 hours", 1]], "without": ["d.md"]},
            },
            ["2", "1"],
        ),
        (
            {"figure": "missing_document", "name": "Key Standard", "result": {"documents": 1, "names": ["a.md"]}},
            ["1", "a.md", "No"],
        ),
        (
            {"conflict": "deadline", "head": "inform", "similarity": 0.4684},
            ["deadlines (within what time)", "words that begin with “inform”", "0.4684"],
        ),
        ({"figure": "new", "result": {"documents": 2}}, ["new", "documents 2"]),
    ],
)  # fmt: skip
def test_figure_is_a_table_of_values(recipe: dict[str, Any], cells: list[str]) -> None:
    """Every recipe, known or not, is shown as a table of what was counted."""
    tree = assert_self_contained(render_html(report(claims=(claim(1, "statistic", "A figure.", (1,), recipe=recipe),))))
    assert [*texts_at(tree, "//*[@id='chain-1']//table[@class='figure']//td")] == cells


def test_validation_is_shown_as_given() -> None:
    """Not run, clean, or with findings: the summary box says which, and findings are listed."""
    finding = Finding(check="offsets", record="extractions/demo/x", message="text differs")
    made = ValidationReport(
        clean=True, corpus_id="demo", generation=1, build_id=BUILD, checked={"records": 7}, findings=(), seconds=0.1
    )
    box = "//*[@id='numbers']"
    assert "Not run for this report." in text_at(assert_self_contained(render_html(report())), box)
    clean = assert_self_contained(render_html(report(validation=made)))
    assert "7 records and places were read again, and nothing is wrong" in text_at(clean, box)
    broken = assert_self_contained(
        render_html(report(validation=made.model_copy(update={"findings": (finding,), "clean": False})))
    )
    assert "1 finding" in text_at(broken, box)
    assert [*texts_at(broken, "//*[@id='findings']//td")] == ["extractions/demo/x", "text differs"]


def test_verification_command_quotes_the_corpus() -> None:
    """The command line can be pasted into a shell, whatever the corpus is called."""
    tree = assert_self_contained(render_html(report(corpus_id="my policies; rm x")))
    assert "coditect knowledge validate --corpus-id 'my policies; rm x'" in text_at(tree, "//*[@id='verify']")


def test_whole_quote_is_not_printed_twice() -> None:
    """An extraction that is the quote itself is highlighted in the file's text; the others are shown beside their data."""
    tree = assert_self_contained(render_html(report()))
    marks = [*texts_at(tree, "//*[@id='passage-1']//mark")]
    assert marks == ["The owner shall review access.", "The"]
    assert [*texts_at(tree, "//*[@id='passage-1']//mark/span[@class='inner']")] == ["The"]
