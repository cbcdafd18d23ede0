"""Sentence spans. All texts are invented."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import nupunkt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.documents.sentences import SEGMENTER, _line_ends, sentences
from coditect.documents.source import Block, SourceText
from coditect.documents.structure.outline import outline
from tests.effort import times

ROOT = Path(__file__).parents[3]
CONTRACTS = ROOT.parent / "shared" / "data" / "contracts" / "docs"


def split(source: SourceText | str) -> list[str]:
    if isinstance(source, str):
        source = SourceText(source, "text/plain")
    return [source.text[s.start : s.end] for s in sentences(source, outline(source))]


def test_segmenter_names_the_installed_library() -> None:
    """The version that derivations depend on is the one that ran."""
    assert SEGMENTER.startswith(f"nupunkt-{nupunkt.__version__}/")


@pytest.mark.parametrize(
    "text",
    [
        "The bank reports under 12 U.S.C. Section 1467 every year.",
        "It applies to U.S. and non-U.S. systems (e.g. Linux hosts) alike.",
        "Patent No. 7,123 covers the pump sold by Acme Pumps, Inc. in Texas.",
        "The hearing of Doe v. Acme began at 9:00 a.m. on Monday.",
        "J. Q. Public signed for the vendor.",
        "The vendor shall (a) keep logs; (b) rotate keys; and (c) report incidents.",
    ],
)
def test_sentence_is_not_cut_inside(text: str) -> None:
    """Abbreviations of the field and lists inside a sentence do not end it."""
    assert split(text) == [text]


def test_reference_letter_ends_a_sentence() -> None:
    """A capital letter after Exhibit is no initial."""
    assert split("Prices are set forth in Exhibit A. The buyer accepts them.") == [
        "Prices are set forth in Exhibit A.",
        "The buyer accepts them.",
    ]


def test_label_stays_with_its_text() -> None:
    """A clause label is part of the first sentence of its clause."""
    assert split("(a) Keep logs. Read them.\n\n(b) Rotate keys.") == [
        "(a) Keep logs.",
        "Read them.",
        "(b) Rotate keys.",
    ]
    assert split("1. The buyer pays. Promptly.\n\n2. The vendor ships.")[0] == "1. The buyer pays."


def test_run_in_heading_is_a_sentence() -> None:
    """The heading of a clause, with its label, is a span of its own."""
    assert split("1. TERM. This lasts a year.") == ["1. TERM.", "This lasts a year."]


def test_blank_line_ends_a_sentence() -> None:
    """What a blank line separates is never one sentence."""
    assert split("the logs of the vendor\n\nand of the buyer") == ["the logs of the vendor", "and of the buyer"]


def test_hard_wrapped_sentence_stays_whole() -> None:
    """A line end alone is no boundary."""
    assert split("The vendor keeps\neach log for\none year.") == ["The vendor keeps\neach log for\none year."]


def test_items_with_dashes_begin_anew_in_wrapped_text() -> None:
    """Two lines of a paragraph that begin with one mark are items, also where they are wrapped; one line is no list."""
    items = [
        "- Disclosure: vendors must tell who\nworks for them",
        "- Standards: whoever works for a\nvendor must meet them",
    ]
    assert split("The terms of vendors are\nthese:\n" + "\n".join(items)) == [
        "The terms of vendors are\nthese:",
        *items,
    ]
    assert split("Some words are\nwrapped.\n\n  " + "\n  ".join(items))[1:] == items
    prose = "The tenant\n- or whoever follows the tenant\nin the lease - pays the rent."
    assert split(prose) == [prose]


def test_blocks_are_not_crossed() -> None:
    """Headings and table rows are spans of their own."""
    text = "Access\nPump | 3\nSeal | 4\nand more"
    blocks = (
        Block(0, 6, "heading", 1),
        Block(7, 15, "table_row"),
        Block(16, 24, "table_row"),
        Block(25, 33, "paragraph"),
    )
    assert split(SourceText(text, "text/markdown", blocks=blocks)) == text.split("\n")


def test_contents_entries_are_spans_of_their_own() -> None:
    """Entries of a table of contents that share a line are told apart."""
    assert split("1.1 Scope     3   1.2 Term     4   1.3 Price     5") == [
        "1.1 Scope     3",
        "1.2 Term     4",
        "1.3 Price     5",
    ]


@given(st.text(alphabet="ab,. \t\xa0\n\r\x0c\x1c", max_size=40))
def test_line_ends_are_found_from_behind(text: str) -> None:
    """The end of a line, and not each of its characters, is what is looked for: the same ends."""
    from_before = re.finditer(r"(\S)[ \t\xa0]*\n[ \t\xa0]*(?=\S)", text)
    assert list(_line_ends(text)) == [(found[1], found.end()) for found in from_before]


@given(
    st.lists(
        st.sampled_from(
            [
                "The vendor pays. ",
                "Inc. ",
                "No. ",
                "5 ",
                "(a) ",
                "1. ",
                "\n",
                "\n\n",
                "TERM. ",
                "é",
                "😀 ",
                "\u00a0",
                "U.S.C. ",
                '." ',
            ],
        ),
        max_size=60,
    )
)
@settings(max_examples=times(300, least=10), deadline=None)
def test_sentences_cover_the_text_in_order(parts: list[str]) -> None:
    """Every character that is not white space is in exactly one trimmed span, and none crosses a border."""
    source = SourceText("".join(parts), "text/plain")
    text = source.text
    sections = outline(source)
    found = sentences(source, sections)
    position = 0
    for span in found:
        assert position <= span.start < span.end
        assert not text[position : span.start].strip()
        assert text[span.start : span.end].strip() == text[span.start : span.end]
        assert "\n\n" not in text[span.start : span.end]
        assert not any(span.start < s.start < span.end or span.start < s.end < span.end for s in sections)
        position = span.end
    assert not text[position:].strip()
    assert found == sentences(source, sections)


@pytest.mark.skipif(not CONTRACTS.is_dir(), reason="the contracts are not here")
def test_gold_boundaries_are_found() -> None:
    """On the hand-checked stretches precision and recall of boundaries stay above 0.97."""
    found_total = wanted_total = hits = 0
    for case in json.loads(
        (ROOT / "benchmarks" / "coditect_benchmarks" / "sentences_gold.json").read_text(encoding="utf-8")
    ):
        text = (CONTRACTS / case["file"]).read_text(encoding="utf-8")
        source = SourceText(text, "text/plain")
        spans = sentences(source, outline(source))
        found = {s.start for s in spans if case["start"] < s.start < case["end"]} - set(case["ignore"])
        wanted = set(case["boundaries"])
        found_total, wanted_total, hits = (
            found_total + len(found),
            wanted_total + len(wanted),
            hits + len(found & wanted),
        )
        assert all(a.end <= b.start for a, b in pairwise(spans))
    assert hits / found_total > 0.97
    assert hits / wanted_total > 0.97
