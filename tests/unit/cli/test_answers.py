"""Answers and chains as text."""

from __future__ import annotations

import io

import pytest

from coditect.cli.answers import write_answers, write_chain, write_tier_below
from coditect.cli.console import Screen
from coditect.schemas import Hit, QueryResult, Source, TierName

FILE = {"document_id": "document_1", "document_name": "rules.md", "version_id": "version_1", "raw_sha256": "ab" * 32}


def extraction(start: int, text: str, kind: str = "obligation") -> Source:
    return Source(
        item_id=f"extraction_{start}_{len(text)}",
        tier=1,
        kind=kind,
        text=text,
        heading="5.1",
        char_offset_start=start,
        char_offset_end=start + len(text),
        confidence=0.9,
        page=3,
        **FILE,
    )


def quote(start: int, text: str, *inside: Source) -> Source:
    return Source(
        item_id="chunk_1",
        tier=2,
        kind="chunk",
        text=text,
        heading="Rules",
        char_offset_start=start,
        char_offset_end=start + len(text),
        page=3,
        sources=(extraction(start, text), *inside),
        **FILE,
    )


def section() -> Source:
    quotes = (quote(10, "Staff shall\nreport.", extraction(16, "shall", "quantity")), quote(50, "Reports"))
    text = "Reports here:\nStaff shall\nreport.\nElse:\nReports"
    return Source(item_id="section_1", tier=3, kind="topic", text=text, heading="reports", sources=quotes)


def result(*items: Source, tier: TierName = "section") -> QueryResult:
    hits = tuple(Hit(rank=n, score=2.0, matched_by="lexical", item=item) for n, item in enumerate(items, 1))
    return QueryResult(corpus_id="c", generation=2, build_id="build_1", query="q", tier=tier, hits=hits)


def shown(found: QueryResult, *, with_sources: bool) -> str:
    stream = io.StringIO()
    write_answers(Screen(stream), found, with_sources=with_sources)
    return stream.getvalue()


def test_section_marks_what_the_program_wrote() -> None:
    """Transitions are flagged; quotations stand in quotation marks with their place."""
    assert shown(result(section()), with_sources=False).splitlines()[2:] == [
        "1. reports",
        "   section_1  section, topic, lexical match, score 2.00",
        "   [synthetic] Reports here:",
        "       “Staff shall",
        "       report.”",
        "       — rules.md › 5.1, page 3, characters 10–29",
        "   [synthetic] Else:",
        "       “Reports”",
        "       — rules.md › 5.1, page 3, characters 50–57",
    ]


def test_sources_show_extractions_nested_and_the_hash_of_the_file() -> None:
    """The chain ends in characters, page and file hash."""
    text = shown(result(section()), with_sources=True)
    assert "           extraction_10_19  obligation, characters 10–29, confidence 0.90\n" in text
    assert "               extraction_16_5  quantity, characters 16–21, confidence 0.90\n" in text
    assert text.endswith("rules.md  " + "ab" * 32 + "\n")


def test_extractions_of_the_same_words_stand_side_by_side() -> None:
    """Only what lies inside is indented."""
    twice = quote(10, "Staff shall", extraction(10, "Staff shall", "permission"))
    lines = shown(result(twice, tier="chunk"), with_sources=True).splitlines()
    places = [len(line) - len(line.lstrip()) for line in lines if line.lstrip().startswith("extraction_")]
    assert len(set(places)) == 1


def test_chunk_sentences_are_quoted_one_by_one() -> None:
    """Sentences with others between them in the document are never one quotation."""
    sentences = (extraction(0, "One."), extraction(90, "Two."))
    chunk = quote(0, "One. Two.").model_copy(update={"sources": sentences})
    text = shown(result(chunk, tier="chunk"), with_sources=False)
    assert "“One.”\n" in text
    assert "“Two.”\n" in text


def passage(start: int, text: str, kind: str = "passage") -> Source:
    return Source(
        item_id="passage_1",
        tier=0,
        kind=kind,
        text=text,
        heading="Rules",
        char_offset_start=start,
        char_offset_end=start + len(text),
        page=3,
        **FILE,
    )


def test_focus_of_a_passage_is_marked_without_colour() -> None:
    """The words that answer stand in brackets inside the whole quotation, with their own place; one that is all of it does not."""
    whole = passage(100, "Doors close. Staff shall report. Staff may leave.")
    narrow = Hit(rank=1, score=2.0, matched_by="hybrid", item=whole, focus=passage(113, "Staff shall report.", "focus"))
    all_of_it = Hit(rank=2, score=1.0, matched_by="hybrid", item=whole, focus=passage(100, whole.text, "focus"))
    found = QueryResult(corpus_id="c", generation=2, build_id="b", query="q", tier="passage", hits=(narrow, all_of_it))
    assert shown(found, with_sources=False).splitlines() == [
        "2 answers to “q” in corpus c, generation 2, tier passage",
        "⟦ ⟧ stand around the sentences that answer.",
        "",
        "1. “Doors close. ⟦Staff shall report.⟧ Staff may leave.”",
        "   — rules.md › Rules, page 3, characters 100–149, answering 113–132",
        "   passage_1  passage, passage, hybrid match, score 2.00",
        "",
        "2. “Doors close. Staff shall report. Staff may leave.”",
        "   — rules.md › Rules, page 3, characters 100–149",
        "   passage_1  passage, passage, hybrid match, score 1.00",
    ]


def test_chunk_without_whole_sentences_below_is_not_quoted() -> None:
    """Where the sentences cannot be told apart, no quotation marks are put around them."""
    chunk = quote(0, "One. Two.").model_copy(update={"sources": ()})
    text = shown(result(chunk, tier="chunk"), with_sources=False)
    assert "One. Two.\n" in text
    assert "“One" not in text


@pytest.mark.parametrize("tier", ["corpus", "section", "chunk", "extraction"])
def test_no_answer_says_where_to_look_next(tier: TierName) -> None:
    """No answer at a tier is an answer, with a way on."""
    text = shown(result(tier=tier), with_sources=True)
    assert text.startswith(f"No answer to “q” in corpus c, generation 2, tier {tier}.\n")
    assert "Try another tier or other words" in text


def test_what_is_no_answer_is_not_counted_and_stands_behind_the_passage_that_is() -> None:
    """Nobody takes a section that rests on it for the answer."""
    answering = passage(40, "The vault is tested yearly.")
    found = result(section())
    beside = found.hits[0].model_copy(
        update={"mark": "quotes words of the passage that answers", "answered_by": answering}
    )
    text = shown(found.model_copy(update={"hits": (beside,)}), with_sources=False)
    assert text.startswith("No answer to")
    assert text.index("Quotes words of the passage that answers:") < text.index("The vault is tested yearly.")
    assert text.index("The vault is tested yearly.") < text.index("1. ")
    own = found.hits[0].model_copy(update={"mark": "a passage that answers", "answered_by": found.hits[0].item})
    alone = shown(found.model_copy(update={"hits": (own,)}), with_sources=False)
    assert "A passage that answers.\n" in alone
    assert shown(found, with_sources=False).startswith("1 answer to")


def test_claim_chain_leads_to_quotes() -> None:
    """A claim with its scores, its section, its quotes."""
    claim = Source(
        item_id="claim_1", tier=4, kind="theme", text="A.", support_score=1.0, confidence=0.5, sources=(section(),)
    )
    stream = io.StringIO()
    write_chain(Screen(stream), claim)
    lines = stream.getvalue().splitlines()
    assert lines[:3] == ["A.", "claim_1  claim, theme, support 1.00, confidence 0.50", "    reports"]
    assert "        “Staff shall" in lines


def test_tier_below_of_an_extraction_is_its_place() -> None:
    """Tier 1 is the end: the file itself."""
    stream = io.StringIO()
    write_tier_below(Screen(stream), extraction(5, "text"), [])
    assert stream.getvalue().startswith("Nothing below this extraction: it stands in the file itself.\n\n“text”\n")


def test_tier_below_numbers_the_items() -> None:
    """A claim's sections, each with what it says."""
    claim = Source(item_id="claim_1", tier=4, kind="theme", text="A.")
    stream = io.StringIO()
    write_tier_below(Screen(stream), claim, [section()])
    assert stream.getvalue().startswith(
        "1 section below the claim claim_1\n\n1. reports\n   section_1  section, topic\n"
    )


def test_quotation_at_the_very_beginning_of_a_document_counts_from_0() -> None:
    """The first character has the offset 0, in the focus of a passage as in what is nested in a quote."""
    whole = passage(0, "Staff shall report. Staff may leave.")
    focus = Hit(rank=1, score=2.0, matched_by="hybrid", item=whole, focus=passage(6, "shall", "focus"))
    found = QueryResult(corpus_id="c", generation=2, build_id="b", query="q", tier="passage", hits=(focus,))
    assert "characters 0–36, answering 6–11\n" in shown(found, with_sources=False)
    first = quote(0, "Staff shall report.", extraction(0, "Staff", "quantity"), extraction(12, "report.", "quantity"))
    lines = shown(result(first, tier="chunk"), with_sources=True).splitlines()
    places = {
        line.split()[0]: len(line) - len(line.lstrip()) for line in lines if line.lstrip().startswith("extraction_")
    }
    assert places["extraction_0_5"] == places["extraction_12_7"] > places["extraction_0_19"]


def test_section_that_begins_with_a_quote_has_nothing_synthetic_before_it() -> None:
    """What stands between the quotes is the program's, the quotes are not."""
    quotes = (quote(10, "Staff shall report."), quote(50, "Reports"))
    text = "Staff shall report.\nElse:\nReports"
    opens = Source(item_id="section_1", tier=3, kind="topic", text=text, heading="reports", sources=quotes)
    lines = shown(result(opens), with_sources=False).splitlines()
    assert [line.strip() for line in lines if "[synthetic]" in line] == ["[synthetic] Else:"]
    assert "       “Staff shall report.”" in lines


@pytest.mark.parametrize("before", [0, 10, 300, 395, 700])
def test_passage_that_answers_is_shown_with_the_sentence_that_does(before: int) -> None:
    """A long one from its beginning, or from that sentence where it would be cut; what is left out is marked."""
    answer = "Clerks report a loss within two days."
    passage = extraction(40, "word " * (before // 5) + answer + " more" * 200, "passage")
    focus = extraction(40 + before, answer, "focus")
    update = {"mark": "quotes words of the passage that answers", "answered_by": passage, "answered_focus": focus}
    found = result(section())
    text = shown(found.model_copy(update={"hits": (found.hits[0].model_copy(update=update),)}), with_sources=False)
    told = " ".join(text.split())
    assert answer in told
    assert ("… Clerks" in told) == (before + len(answer) > 400)
    assert "more …" in told
