"""What is shown to each role and kept of its answers, at the very limits."""

from __future__ import annotations

import re

import pytest

from coditect.agents.extraction_schema.file import parse_extraction_schema
from coditect.agents.roles.answers import prose
from coditect.agents.roles.contextualiser import ContextDocument, Heading, contextualiser_request, read_context
from coditect.agents.roles.fences import one_line
from coditect.agents.roles.mapper import read_mapped
from coditect.agents.roles.passage_groups import PassageGroup, PassageSpan, group_passages
from coditect.agents.roles.quotes import cuts_word, leaves_out
from coditect.agents.roles.reducer import ReducerQuote, read_reduction
from coditect.agents.roles.role import ROLES
from coditect.agents.roles.selector import selector_request
from coditect.agents.roles.validator import EvidencePiece, read_judgement
from coditect.errors import Malformed
from tests.unit.agents.roles.material import answered, fenced, turn

CONTEXTUALISER = ROLES["contextualiser"]


def test_document_of_280000_characters_is_shown_whole() -> None:
    """One more, and the outline stands for it, with 20,000 characters before and behind the passage."""
    whole = ContextDocument("a.md", "x" * 280_000)
    assert fenced(turn(contextualiser_request(CONTEXTUALISER, whole, 0, 5)), "document") == [whole.text]
    text = "a" * 100_000 + "b" * 20_000 + "PASSAGE" + "c" * 20_000 + "d" * 140_000
    longer = ContextDocument("a.md", text, (Heading(0, 1, "One"),))
    shown = turn(contextualiser_request(CONTEXTUALISER, longer, 120_000, 120_007))
    assert fenced(shown, "neighbourhood") == ["b" * 20_000 + "PASSAGE" + "c" * 20_000]
    assert fenced(shown, "passage") == ["PASSAGE"]
    first = turn(contextualiser_request(CONTEXTUALISER, longer, 19_999, 20_000, whole=100))
    assert fenced(first, "neighbourhood") == ["a" * 40_000]


def _outline(*headings: Heading) -> str:
    document = ContextDocument("a.md", "some text", headings)
    (shown,) = fenced(turn(contextualiser_request(CONTEXTUALISER, document, 0, 4, whole=1)), "outline")
    return shown


def test_outline_indents_by_level_and_cuts_long_headings() -> None:
    """Two spaces for each level below the first; a heading of 160 characters is whole."""
    headings = [Heading(0, 0, "Title"), Heading(0, 1, "One"), Heading(1, 2, "1.1 Two"), Heading(2, 9, "Nine")]
    assert _outline(*headings, Heading(3, 10, "Ten")) == "Title\nOne\n  1.1 Two\n" + " " * 16 + "Nine"
    assert _outline(Heading(0, 1, "x" * 160), Heading(0, 1, "y" * 161)) == "x" * 160 + "\n" + "y" * 159 + "…"


@pytest.mark.parametrize(("size", "levels"), [(20, "12349"), (30, "123"), (60, "12"), (100, "1")])
def test_outline_that_is_too_long_loses_its_deepest_levels(size: int, levels: str) -> None:
    """As many levels as 20,000 characters take: nine, three, two, or one."""
    headings = [
        Heading(n, int(level), f"{level} {'x' * 150}") for level in "12349" for n in range(40 if level == "1" else size)
    ]
    assert {line.strip()[0] for line in _outline(*headings).split("\n")} == set(levels)


def test_outline_of_one_level_is_cut_behind_a_line() -> None:
    """20,000 characters are whole; one more, and the last line that does not fit goes."""
    fits = [Heading(n, 1, "x" * 99) for n in range(199)] + [Heading(200, 1, "y" * 100)]
    assert len(_outline(*fits)) == 20_000
    assert _outline(*fits, Heading(201, 1, "z")) == "\n".join(["x" * 99] * 199)
    assert _outline(Heading(0, 1, "z"), *fits[:-1], Heading(200, 1, "y" * 97)).startswith("z\nx")


def test_context_is_cut_behind_its_last_sentence_that_fits() -> None:
    """Not behind an earlier one, and not inside a number."""
    text = "First sentence " + "x" * 300 + ". Second costs 3.50 in all! Third " + "word " * 100
    assert read_context(answered(text)).endswith("Second costs 3.50 in all!")


def test_passages_are_grouped_up_to_the_very_budget() -> None:
    """6,000 tokens unless told; a passage inside the one before is left out, one over the budget is alone."""
    text = "abcdefghij"
    spans = [
        PassageSpan(0, 2, 3_000),
        PassageSpan(2, 4, 3_000),
        PassageSpan(4, 6, 1),
        PassageSpan(5, 6, 9),
        PassageSpan(6, 8, 1),
    ]
    assert [group.text for group in group_passages("a.md", text, spans)] == ["abcd", "efgh"]
    spans[1] = PassageSpan(2, 4, 3_001)
    assert [(group.text, group.offset) for group in group_passages("a.md", text, spans)] == [("ab", 0), ("cdefgh", 2)]
    assert [group.text for group in group_passages("a.md", text, spans, 1)] == ["ab", "cd", "ef", "gh"]
    overlapping = [PassageSpan(0, 4, 1), PassageSpan(2, 6, 1), PassageSpan(6, 6, 1)]
    assert [group.text for group in group_passages("a.md", text, overlapping, 1)] == ["abcd", "ef"]


def test_conflict_has_twelve_sides_and_120_characters_at_most() -> None:
    """So many are taken as they are."""
    quotes = [ReducerQuote(f"k{n:02}", "a.md", f"Within {n} days.") for n in range(13)]
    about = "x" * 120
    raw = {"between": list(range(1, 13)), "about": about, "kind": "value"}
    (found,) = read_reduction(answered({"duplicates": [], "conflicts": [raw]}), quotes).conflicts
    assert (len(found.between), found.about) == (12, about)
    raw |= {"between": list(range(1, 14)), "about": "y"}
    assert read_reduction(answered({"duplicates": [], "conflicts": [raw]}), quotes).conflicts == ()


@pytest.mark.parametrize(
    ("start", "end", "cuts"), [(1, 2, True), (0, 1, True), (0, 2, False), (2, 3, False), (3, 5, False), (3, 4, True), (0, 5, False)]
)  # fmt: skip
def test_word_is_cut_where_letters_stand_on_both_sides(start: int, end: int, cuts: bool) -> None:
    """Of "ab cd", from its very first to its very last letter."""
    assert cuts_word("ab cd", start, end) is cuts


@pytest.mark.parametrize(("between", "found"), [(600 - 4, "not"), (600 - 3, "")])
def test_words_that_turn_a_quote_are_looked_for_in_600_characters(between: int, found: str) -> None:
    """Before it, and as far behind it."""
    text = "not" + " " + "x" * (between - 1) + " quote"
    start = text.index("quote")
    assert leaves_out(text, start, len(text)) == found
    behind = "quote " + "x" * (between - 4) + " unless asked"
    assert leaves_out(behind, 0, 5) == ("unless" if found else "")


def test_sentence_is_shown_to_the_selector_up_to_2000_characters() -> None:
    """One more, and it is cut, on its one numbered line."""
    shown = turn(selector_request(ROLES["selector"], ["x" * 2_000, "y" * 2_001, "a\nb"], 2))
    assert fenced(shown, "sentences") == [f"[1] {'x' * 2_000}\n[2] {'y' * 1_999}…\n[3] a b"]


EVIDENCE = [EvidencePiece("a.md", "The twelve lettered words stand here."), EvidencePiece("b.md", "By noon.")]


def _judged(*quotes: tuple[int, str], reason: str = "r", verdict: str = "supported") -> tuple[str, str]:
    raw = {"quotes": [{"evidence": n, "text": text} for n, text in quotes], "reason": reason, "verdict": verdict}
    found = read_judgement(answered(raw), "A claim.", EVIDENCE)
    assert len(found.reason) <= 500
    return found.verdict, found.downgraded


@pytest.mark.parametrize(
    ("quotes", "problem"),
    [
        ([(1, "The twelve le"[:-3])], "supported by a quote that says too little"),
        ([(1, "The twelve")], "supported by a quote that says too little"),
        ([(1, "lettered words")], ""),
        ([(1, "words stand here")], ""),
        ([(2, "By noon")], ""),
        ([(2, "noon")], "supported by a quote that says too little"),
        ([(2, "noon"), (1, "lettered words")], ""),
        ([(0, "By noon")], "a quote of evidence that was not given"),
        ([(3, "By noon"), (1, "no such words")], "a quote of evidence that was not given"),
        ([(1, "no such words"), (3, "By noon")], "a quote is not in the evidence"),
        ([], "supported without a quote"),
    ],
)
def test_support_quotes_twelve_letters_or_all_that_there_is(quotes: list[tuple[int, str]], problem: str) -> None:
    """What is quoted from no evidence is told first; one quote that is long enough carries the others."""
    assert _judged(*quotes) == ("needs_review" if problem else "supported", problem)


def test_quote_of_exactly_twelve_letters_is_enough() -> None:
    """Eleven are too few."""
    evidence = [EvidencePiece("a.md", "abcdefghijk lmnopqrst"), EvidencePiece("b.md", "abcdefghijkl mnopqrst")]
    for number, text, verdict in ((1, "abcdefghijk", "needs_review"), (2, "abcdefghijkl", "supported")):
        raw = {"quotes": [{"evidence": number, "text": text}], "reason": "x" * 501, "verdict": "supported"}
        found = read_judgement(answered(raw), "A claim.", evidence)
        assert (found.verdict, found.given) == (verdict, "supported")
        assert found.reason == "x" * 499 + "…"


def test_statement_is_told_at_most_five_misfits_with_short_places() -> None:
    """Of a place a hundred characters are told."""
    fields = "".join(f"      f{n}: {{type: integer}}\n" for n in range(7))
    schema = parse_extraction_schema(f"types:\n  fee:\n    fields:\n{fields}", "a.yaml")
    item = {"type": "fee", "quote": "pay", "fields": {f"f{n}": "x" for n in range(7)}, "confidence": 1.0}
    group = PassageGroup("a.md", "you pay here", 0)
    found = read_mapped(answered({"items": [item]}), schema, group)
    assert [each.place for each in found.rejections] == ["f0", "f1", "f2", "f3", "f4"]
    assert found.rejected == {"not of type integer": 5}
    long = {**item, "fields": {"z" * 300: 1}}
    (refused,) = read_mapped(answered({"items": [long]}), schema, group).rejections
    assert refused.place == "z" * 99 + "…"


def test_version_of_a_role_shows_twelve_digits_of_each_hash() -> None:
    """Of its prompt, and of the shape of its answers where there is one."""
    for name, role in ROLES.items():
        shape = "prose" if role.output_schema is None else "[0-9a-f]{12}"
        assert re.fullmatch(rf"roles/\d+ {name}/[0-9a-f]{{12}}/{shape}", role.version)


def test_answer_of_two_million_characters_is_read() -> None:
    """One more is not."""
    assert prose(answered("x" * 2_000_000), "contextualiser") == ("x" * 2_000_000,)
    with pytest.raises(Malformed, match="too long"):
        prose(answered("x" * 2_000_001), "contextualiser")


@pytest.mark.parametrize(
    ("most", "line"), [(0, "a b c d"), (8, "a b c d"), (7, "a b c d"), (6, "a b c…"), (5, "a b…"), (2, "a…")]
)
def test_line_is_cut_to_what_is_asked(most: int, line: str) -> None:
    """No blank stands before the sign that something is left out; 0 cuts nothing."""
    assert one_line(" a\tb\n\nc  d ", most) == line
