"""Questions as words, and the gate."""

from __future__ import annotations

import pytest

from coditect.retrieve.gate.relevance import KnownQuestion, judge, judge_again, typical
from coditect.retrieve.units import Unit
from coditect.retrieve.words import read_words, stems, without


def _known(query: str, cosine: float) -> KnownQuestion:
    """A question of which the gate knows what is typical."""
    return KnownQuestion.of(read_words(query), typical(cosine))


def test_words_leave_function_words_and_possessives_out() -> None:
    """What is looked for is what tells texts apart; each stem once."""
    assert list(read_words("How long do we keep the supplier's audit logs, the logs?").weights) == [
        "long", "keep", "supplier", "audit", "log",
    ]  # fmt: skip


def test_words_of_nothing_but_function_words_stay() -> None:
    """A question must not become empty."""
    assert list(read_words("who are we").weights) == ["who", "are", "we"]


def test_phrases_count_as_words_and_once_more_side_by_side() -> None:
    """A quoted word alone is a word like others."""
    words = read_words('"audit logs" of "ACME"')
    assert words.phrases == (("audit", "log"),)
    assert list(words.weights) == ["audit", "log", "acm"]


def test_operators_are_words() -> None:
    """Nothing that a user types is an instruction to the index."""
    assert set(read_words("+title:(a AND b) -c^9 [x TO y]").weights) >= {"titl", "b", "c"}


def test_weighted_words_without_weight_go_and_weaken_their_phrase() -> None:
    """A phrase counts as much as its least word."""
    words = read_words('"audit logs" kept').weighted({"log": 0.25, "kept": 0.0})
    assert "kept" not in words.weights
    assert words.phrase_weight(("audit", "log")) == 0.25


def test_without_drops_the_words_that_name_the_document() -> None:
    """For the embedder, in the user's own spelling."""
    assert without("When does the Acme agreement end?", set(stems("Acme agreement"))) == "When does the end?"


def test_gate_lets_through_what_has_half_of_the_words() -> None:
    """Whatever the vectors say."""
    words = read_words("retention of audit logs")
    assert judge(KnownQuestion.of(words, typical(None)), "Audit logs are kept for a year.", None).relevance == "correct"


def test_gate_refuses_what_shares_no_word_and_no_meaning() -> None:
    """No hits is an answer."""
    assert judge(_known("xylophone", 0.1), "Access is reviewed quarterly.", 0.1).relevance == "incorrect"
    assert judge(_known("xylophone", 0.5), "Access is reviewed quarterly.", 0.5).relevance == "ambiguous"
    assert judge(_known("xylophone", 0.7), "Access is reviewed quarterly.", 0.7).relevance == "correct"


def test_ambiguous_hit_is_judged_again_by_what_holds_it() -> None:
    """A clause under a heading need not repeat it; a parent that says no more leaves it ambiguous."""
    words = read_words("audit log retention period")
    first = judge(KnownQuestion.of(words, typical(0.2)), "Seven years; see the period below.", 0.2)
    assert first.relevance == "ambiguous"
    assert (
        judge_again(KnownQuestion.of(words, typical(0.2)), first, "Retention of the audit log: seven years").relevance
        == "correct"
    )
    assert judge_again(KnownQuestion.of(words, typical(0.2)), first, "Nothing of the kind").relevance == "ambiguous"


@pytest.mark.parametrize("unseen", ["\u00ad", "\u200b", "\u2060", "\ufeff", "\ufe0f", "\U000e0041"])
def test_words_are_found_through_invisible_characters(unseen: str) -> None:
    """Neither what is asked nor what a document says hides from a search."""
    assert stems(f"aud{unseen}it lo{unseen}gs") == stems("audit logs")
    asked = read_words(f'aud{unseen}it "re{unseen}tention peri{unseen}od"')
    assert asked == read_words('audit "retention period"')
    unit = Unit("item", "document", f"aud{unseen}it", heading=f"lo{unseen}gs")
    assert unit.embedded == "logs\naudit"
    assert unit.text == f"aud{unseen}it"
