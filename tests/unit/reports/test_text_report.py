"""The page of a checked text: every word of the text once, marks where signals point, and the deciding evidence first."""

from __future__ import annotations

import re
from typing import Any

from lxml import html

from coditect.reports.html import MOST_GENERATIONS, render_html, segments
from coditect.reports.verify import Piece, marked, render_text_report
from coditect.schemas import CheckedSentence, Signal, TextEvidence, TextReport
from coditect.schemas.verdict import EvidenceSpan
from tests.unit.reports.reports import assert_self_contained, found, passage, report, strings, text_at

TEXT = "Duties. Logs are kept for two years. Keys are kept. End"


def evidence(number: int, text: str) -> TextEvidence:
    """A statement of the corpus."""
    return TextEvidence(
        item_id=f"extraction_{number}",
        document_id="document_1",
        document_name="policy.md",
        version_id="version_1",
        raw_sha256="ab" * 32,
        char_start=0,
        char_end=len(text),
        text=text,
    )


def sentence(start: int, end: int, **more: object) -> CheckedSentence:
    """A sentence of ``TEXT``."""
    fields: dict[str, Any] = {
        "text": TEXT[start:end],
        "char_start": start,
        "char_end": end,
        "support_score": 0.5,
        **more,
    }
    return CheckedSentence(**fields)


def checked(*sentences: CheckedSentence) -> TextReport:
    """A report on ``TEXT``."""
    return TextReport(
        corpus_id="demo",
        generation=1,
        build_id="build_1",
        name="draft.txt",
        text=TEXT,
        label="needs_review",
        minimum_support=0.5,
        checker="staged/1",
        weights_version="words/1",
        weights_sha256="ab" * 32,
        sentences=sentences,
    )


def span(quote: int, start: int, end: int) -> EvidenceSpan:
    """Words of a quote."""
    return EvidenceSpan(quote=quote, char_start=start, char_end=end)


CHECKED = checked(
    sentence(0, 7),
    sentence(
        8,
        36,
        label="unsupported",
        reason="it says two years",
        signals=(
            Signal(
                name="contradiction_number", passed=False, claim_start=18, claim_end=27, evidence=(span(2, 18, 26),)
            ),
            Signal(name="contradiction_name", passed=True, claim_start=0, claim_end=4),
            Signal(name="support", passed=False, claim_start=5, claim_end=8, evidence=(span(1, 0, 4), span(1, 5, 8))),
            Signal(name="verbatim", passed=True, evidence=(span(3, 0, 4),)),
        ),
        evidence=tuple(
            evidence(n, text)
            for n, text in enumerate(
                ("Nothing.", "Logs are kept.", "Logs are kept for one year.", "Logs.", "Nothing else.")
            )
        ),
    ),
    sentence(37, 51, label="supported", support_score=0.9),
)


def test_page_holds_the_text_once_and_in_order() -> None:
    """What stands before, between and behind the sentences is shown too; headings are no links."""
    tree = html.document_fromstring(render_text_report(CHECKED).encode())
    (shown,) = found(tree, "//div[@class='checked']")
    assert shown.text_content() == TEXT
    assert [each.text_content() for each in found(shown, ".//span[@class='no-claim']")] == ["Duties."]
    assert strings(shown, ".//a/@href") == ["#s2", "#s3"]
    assert [each.text_content() for each in found(shown, ".//mark")] == ["two years"]
    assert strings(tree, "//section[@id]/@id") == ["s2", "s3"]
    (untouched,) = found(html.document_fromstring(render_text_report(checked()).encode()), "//div[@class='checked']")
    assert untouched.text_content() == TEXT


def test_page_counts_sentences_by_label() -> None:
    """A sentence that claims nothing is counted as such."""
    assert CHECKED.counts() == {
        "supported": 1,
        "needs_review": 0,
        "sources_disagree": 0,
        "unsupported": 1,
        "no claim": 1,
    }


def test_evidence_that_contradicts_stands_first_then_what_shares_most() -> None:
    """What no signal goes by is put away below, in the order of the report."""
    tree = html.document_fromstring(render_text_report(CHECKED).encode())
    (section,) = found(tree, "//section[@id='s2']")
    shown = re.findall(
        r"Logs are kept for one year\.|Logs are kept\.|Logs\.|Nothing else\.|Nothing\.", section.text_content()
    )
    assert shown == ["Logs are kept for one year.", "Logs are kept.", "Logs.", "Nothing.", "Nothing else."]
    (rest,) = found(section, ".//details[@class='rest']")
    assert "Nothing." in rest.text_content()
    assert "Logs." not in rest.text_content()
    marks = [(each.get("class"), each.text_content()) for each in found(section, ".//ul[@class='found']//mark")]
    assert marks == [("against", "one year"), ("for", "Logs"), ("for", "are"), ("for", "Logs")]


def test_signal_without_a_place_marks_the_sentence_nowhere() -> None:
    """A contradiction of the whole sentence has no words of its own."""
    whole = sentence(8, 36, label="unsupported", signals=(Signal(name="contradiction_negation", passed=False),))
    tree = html.document_fromstring(render_text_report(checked(whole)).encode())
    assert not found(tree, "//mark")


def test_marked_text_is_cut_where_marks_begin_and_end() -> None:
    """The stronger mark wins, marks of a kind that touch are one, and what lies outside the text is left out."""
    assert marked("abcdef", [(1, 3, "for"), (2, 5, "against")]) == (
        Piece("a", ""),
        Piece("b", "for"),
        Piece("cde", "against"),
        Piece("f", ""),
    )
    assert marked("abcdef", [(0, 2, "for"), (2, 4, "for")]) == (Piece("abcd", "for"), Piece("ef", ""))
    assert marked("abcdef", [(-2, 1, "for"), (5, 99, "for"), (7, 9, "for"), (3, 3, "for")]) == (
        Piece("a", "for"),
        Piece("bcde", ""),
        Piece("f", "for"),
    )
    assert marked("abc", []) == (Piece("abc", ""),)


def test_quote_is_cut_where_extractions_inside_it_begin_and_end() -> None:
    """Depth counts what covers a stretch; what covers the whole quote, or nothing, cuts it nowhere."""
    base = passage(1, "abcdefgh")
    whole = base.extractions[0]

    def cut(*spans: tuple[int, int]) -> list[tuple[str, int]]:
        inside = tuple(whole.model_copy(update={"char_start": a, "char_end": b}) for a, b in spans)
        return [(each.text, each.depth) for each in segments(base.model_copy(update={"extractions": inside}))]

    assert cut() == [("abcdefgh", 0)]
    assert cut((100, 108), (90, 120)) == [("abcdefgh", 0)]
    assert cut((101, 105), (103, 107)) == [("a", 0), ("bc", 1), ("de", 2), ("fg", 1), ("h", 0)]
    assert cut((90, 102), (107, 120)) == [("ab", 1), ("cdefg", 0), ("h", 1)]
    assert cut((104, 104), (60, 70)) == [("abcdefgh", 0)]


def test_history_shows_the_newest_twenty_generations() -> None:
    """Older ones stand in the JSON report."""
    base = report()
    (generation,) = base.method.history
    assert MOST_GENERATIONS == 20
    history = tuple(generation.model_copy(update={"generation": n, "tool_version": f"9.{n}.0"}) for n in range(1, 22))
    made = base.model_copy(update={"method": base.method.model_copy(update={"history": history})})
    tree = assert_self_contained(render_html(made))
    text = text_at(tree, "//*[@id='method']")
    assert "9.2.0" in text
    assert "9.21.0" in text
    assert "9.1.0" not in text


def test_quote_names_each_claim_that_cites_it_once() -> None:
    """A claim that cites a quote twice is named once beside it."""
    base = report()
    (claim,) = base.claims
    twice = claim.model_copy(update={"citations": claim.citations * 2})
    other = claim.model_copy(update={"number": 2, "claim_id": "claim_2"})
    tree = assert_self_contained(render_html(base.model_copy(update={"claims": (twice, other)})))
    links = strings(tree, "//*[@id='section-1']//a[starts-with(@href, '#chain-')]/@href")
    assert links == ["#chain-1", "#chain-2"]


def test_pages_have_no_lines_of_white_space_alone() -> None:
    """What the templates say in lines of their own leaves neither blanks nor the line behind it in the page."""
    for page in (render_html(report()), render_text_report(CHECKED)):
        assert not re.search(r"[ \t]\n", page)


def test_text_before_the_first_sentence_is_shown() -> None:
    """Also what stands before anything that was checked, such as a blank or a bullet."""
    tree = html.document_fromstring(render_text_report(checked(sentence(8, 36, label="supported"))).encode())
    (shown,) = found(tree, "//div[@class='checked']")
    assert shown.text_content() == TEXT


def test_contradiction_marks_from_the_first_character_on() -> None:
    """A span that begins the sentence is marked whole; one without an end marks nothing."""
    opening = Signal(name="contradiction_number", passed=False, claim_start=0, claim_end=4)
    endless = Signal(name="contradiction_number", passed=False, claim_start=0)
    for signal, words in ((opening, ["Logs"]), (endless, [])):
        page = render_text_report(checked(sentence(8, 36, label="unsupported", signals=(signal,))))
        (shown,) = found(html.document_fromstring(page.encode()), "//div[@class='checked']")
        assert [each.text_content() for each in found(shown, ".//mark")] == words


def test_of_sources_that_disagree_the_first_says_it() -> None:
    """One source is marked for the sentence, the other against it."""
    signal = Signal(name="sources_disagree", passed=False, evidence=(span(1, 0, 4), span(0, 5, 8)))
    sources = (evidence(0, "Logs are lost."), evidence(1, "Logs are kept."))
    page = render_text_report(checked(sentence(8, 36, label="sources_disagree", signals=(signal,), evidence=sources)))
    marks = found(html.document_fromstring(page.encode()), "//ul[@class='found']//mark")
    assert [(each.get("class"), each.text_content()) for each in marks] == [("against", "are"), ("for", "Logs")]


def test_empty_mark_does_not_cut_a_text() -> None:
    """Nothing is marked, so the text stays in one piece."""
    assert marked("abcdef", [(3, 3, "for"), (5, 4, "for")]) == (Piece("abcdef", ""),)
