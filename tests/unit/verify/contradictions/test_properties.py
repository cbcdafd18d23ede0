"""What holds for any claim and any evidence."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.verify.alignment.evidence import EVIDENCE_LIMIT
from coditect.verify.contradictions.rules import CLAIM_LIMIT, find_contradictions
from tests.effort import times

_VOCABULARY = (
    "the a shall must may not if unless except provided that , . ; ( ) within at least more than 30 days thirty 5% $4"
    " only all some no Licensor Licensee Halden pays notify notice by of to Section 4.2 before after U.S. “ ” - and or"
    " either neither including excluding is required to has the right without consent \n \0 é 契約"
)
WORDS = st.sampled_from(_VOCABULARY.split(" "))
SENTENCES = st.lists(WORDS, max_size=40).map(" ".join)
TEXTS = st.one_of(SENTENCES, st.text(max_size=200))


@settings(max_examples=times(150, least=10), deadline=None)
@given(TEXTS, st.lists(TEXTS, max_size=5))
def test_spans_lie_inside_and_values_in_range(claim: str, evidence: list[str]) -> None:
    """Nothing raises; every span lies in its text, every severity in 0..1, every index names an evidence text."""
    for found in find_contradictions(claim, evidence):
        assert 0 <= found.claim_span[0] <= found.claim_span[1] <= len(claim)
        assert 0 <= found.evidence_index < len(evidence)
        assert 0 <= found.evidence_span[0] <= found.evidence_span[1] <= len(evidence[found.evidence_index])
        assert 0.0 < found.severity <= 1.0
        assert found.detail


@settings(max_examples=times(150, least=10), deadline=None)
@given(SENTENCES)
def test_identical_text_never_contradicts_itself(text: str) -> None:
    """A claim that is its evidence, word for word, has no contradiction of weight."""
    assert [each for each in find_contradictions(text, [text]) if each.severity >= 0.5] == []


@pytest.mark.parametrize(
    "text", ["The clerk pays\n4.2 million euros.", "The fee is\n4.2 per cent of the price.", "the \n 4.2"]
)
def test_a_line_that_begins_with_a_figure_does_not_contradict_itself(text: str) -> None:
    """Where lines are broken says nothing; another figure in its place is another figure."""
    assert find_contradictions(text, [text]) == ()
    assert find_contradictions(text.replace("4.2", "4.7"), [text]) != ()


@settings(max_examples=times(60, least=10), deadline=None)
@given(TEXTS, st.lists(TEXTS, max_size=4))
def test_same_input_gives_the_same_answer(claim: str, evidence: list[str]) -> None:
    """The answer depends on the arguments alone and comes in the order of the claim."""
    first = find_contradictions(claim, evidence)
    assert first == find_contradictions(claim, tuple(evidence))
    assert [each.claim_span for each in first] == sorted(each.claim_span for each in first)


@pytest.mark.parametrize(
    ("claim", "evidence"), [("", ["x shall y."]), ("   \n", ["x"]), ("x shall y.", []), ("x shall y.", ["", " "])]
)
def test_nothing_to_compare_gives_nothing(claim: str, evidence: list[str]) -> None:
    """Without a claim or without evidence there is no contradiction."""
    assert find_contradictions(claim, evidence) == ()


@pytest.mark.parametrize(
    "piece",
    ["if ", "not ", "1 ", "(((", "shall ", "Aa Bb ", "$1,000,000 ", "12 days within ", "A.B.", "unless and until "],
)
def test_long_text_is_bounded(piece: str) -> None:
    """50,000 code points of anything, as claim and as evidence, take seconds at the very most."""
    text = piece * (50_000 // len(piece))
    began = time.process_time()
    find_contradictions(text, [text] * 3)
    assert time.process_time() - began < 5.0


def test_what_stands_behind_the_limits_is_not_read() -> None:
    """A claim is read up to its limit, and so many evidence texts and no more."""
    sentence = "The guard shall keep 40 keys in the safe. "
    padding = "The gate is closed at night by the guard. " * (CLAIM_LIMIT // 40)
    assert find_contradictions(padding + sentence, ["The guard shall keep 14 keys in the safe."]) == ()
    many = ["The gate is closed at night."] * EVIDENCE_LIMIT
    assert all(each.evidence_index < EVIDENCE_LIMIT for each in find_contradictions(sentence, [*many, sentence]))
