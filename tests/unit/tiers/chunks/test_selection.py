"""Which sentences stand for a chunk."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.errors import UsageError
from coditect.language.terms import terms
from coditect.tiers.chunks.selection import (
    LONGEST_SENTENCE,
    SelectionMethod,
    SelectionParameters,
    SentenceCandidate,
    document_idf,
    select,
    select_with_report,
)
from coditect.tiers.chunks.tfidf import SPARSE_FROM

DEFAULTS = SelectionParameters()
GENEROUS = SelectionParameters(ratio=1.0, max_sentences=100)
BOTH: tuple[SelectionMethod, ...] = ("textrank", "tfidf")
WORDS = ["vendor", "reports", "breach", "notifies", "audit", "records", "24", "shall", "not", "the", "of"]
documents = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(lambda words: " ".join(words) + "."), max_size=14
)


def laid_out(sentences: list[str]) -> tuple[str, list[SentenceCandidate]]:
    """The sentences joined by spaces, and where each lies."""
    candidates: list[SentenceCandidate] = []
    position = 0
    for sentence in sentences:
        candidates.append(SentenceCandidate(position, position + len(sentence)))
        position += len(sentence) + 1
    return " ".join(sentences), candidates


def chosen(sentences: list[str], parameters: SelectionParameters) -> list[str]:
    text, candidates = laid_out(sentences)
    return [text[found.start : found.end] for found in select(text, candidates, parameters)]


@pytest.mark.parametrize("method", BOTH)
def test_select_no_candidates_gives_nothing(method: SelectionMethod) -> None:
    """Nothing in, nothing out."""
    assert select("text", [], SelectionParameters(method=method)) == ()


@pytest.mark.parametrize("method", BOTH)
@pytest.mark.parametrize("sentence", ["The vendor reports.", "***", "x" * (LONGEST_SENTENCE + 1)])
def test_select_one_candidate_gives_it(method: SelectionMethod, sentence: str) -> None:
    """The only candidate is selected whatever it looks like, with score 1 and rank 1."""
    (found,) = select(sentence, [SentenceCandidate(0, len(sentence))], SelectionParameters(method=method))
    assert (found.start, found.end, found.score, found.rank) == (0, len(sentence), 1.0, 1)


@given(documents, st.sampled_from(BOTH), st.floats(0.05, 1.0), st.integers(1, 3), st.integers(3, 6))
@settings(deadline=None)
def test_select_returns_ranked_candidates_in_document_order(
    sentences: list[str], method: SelectionMethod, ratio: float, least: int, most: int
) -> None:
    """Every selection is a set of the given spans, ordered, scored within (0, 1], ranked 1..k by score, and capped."""
    text, candidates = laid_out(sentences)
    parameters = SelectionParameters(method=method, ratio=ratio, min_sentences=least, max_sentences=most)
    found = select(text, candidates, parameters)
    spans = [(one.start, one.end) for one in found]
    assert spans == sorted(set(spans))
    assert set(spans) <= {(one.start, one.end) for one in candidates}
    assert bool(found) == bool(candidates)
    assert len(found) <= most
    assert all(0.0 < one.score <= 1.0 and one.score == round(one.score, 6) for one in found)
    by_rank = sorted(found, key=lambda one: one.rank)
    assert [one.rank for one in by_rank] == list(range(1, len(found) + 1))
    assert [(-one.score, one.start) for one in by_rank] == sorted((-one.score, one.start) for one in found)


@given(documents, st.sampled_from(BOTH), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_select_does_not_depend_on_the_order_of_candidates(
    sentences: list[str], method: SelectionMethod, random: object
) -> None:
    """The same candidates in another order, with their terms given or not, give the same selection."""
    text, candidates = laid_out(sentences)
    shuffled = list(candidates)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    parameters = SelectionParameters(method=method)
    words = [terms(text[one.start : one.end]) for one in shuffled]
    assert select(text, shuffled, parameters, terms_of=words) == select(text, candidates, parameters)


def test_select_sizes_by_characters() -> None:
    """Sentences are added while that brings the sum of characters nearer to the share asked for."""
    sentences = [f"{name} {name}s {other} quarterly." for name, other in zip("bcdefghjkl", "mnpqrtuvwx", strict=True)]
    for ratio, expected in ((0.1, 1), (0.2, 2), (0.24, 2), (0.26, 3), (0.5, 5)):
        assert len(chosen(sentences, replace(DEFAULTS, ratio=ratio))) == expected


def test_select_floor_and_cap_hold() -> None:
    """The number of sentences stays between its floor and its cap."""
    sentences = [f"Item{n} alpha{n} beta{n} gamma." for n in range(30)]
    assert len(chosen(sentences, replace(DEFAULTS, ratio=0.01, min_sentences=3))) == 3
    assert len(chosen(sentences, replace(DEFAULTS, ratio=1.0, max_sentences=4))) == 4
    assert len(chosen(sentences[:2], replace(DEFAULTS, ratio=0.01, min_sentences=3))) == 2


@pytest.mark.parametrize("method", BOTH)
def test_select_overlong_sentence_only_where_nothing_else(method: SelectionMethod) -> None:
    """A sentence over the limit is passed over, however salient, unless all are over it."""
    overlong = "audit records " * (LONGEST_SENTENCE // 14 + 1) + "end."
    parameters = replace(GENEROUS, method=method)
    assert chosen([overlong, "The audit records stay."], parameters) == ["The audit records stay."]
    assert chosen([overlong, overlong.replace("audit", "breach")], replace(parameters, ratio=0.1)) == [overlong]


def test_select_sentence_without_terms_only_where_nothing_else() -> None:
    """A line of stop words or punctuation stands for nothing while a sentence with words is there."""
    assert chosen(["* * *", "The vendor reports.", "of the"], GENEROUS) == ["The vendor reports."]
    assert chosen(["* * *", "- - -"], replace(GENEROUS, ratio=0.1)) == ["* * *"]


@pytest.mark.parametrize("method", BOTH)
def test_select_near_duplicates_at_most_once(method: SelectionMethod) -> None:
    """Of sentences that say the same in other forms, the first is selected and the others never."""
    sentences = ["Vendors report each breach.", "The vendor's reporting of each breach!", "Audits happen yearly."]
    assert chosen(sentences, replace(GENEROUS, method=method)) == [sentences[0], sentences[2]]


@pytest.mark.parametrize(("one", "other"), [("24", "72"), ("shall", "shall not"), ("may", "must")])
def test_select_differing_number_or_modal_is_no_duplicate(one: str, other: str) -> None:
    """Two sentences that differ only in a number or a modal word are both kept, near as they are."""
    tail = " ".join(f"word{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
    first, second = f"Vendor {one} {tail}.", f"Vendor {other} {tail}."
    assert chosen([first, second], GENEROUS) == [first, second]


def test_select_redundancy_prefers_novelty() -> None:
    """With redundancy control the second pick adds something; without it, it repeats the first."""
    sentences = [
        "The vendor reports each security breach to the regulator.",
        "The vendor reports each security breach to the regulator quickly.",
        "The auditor keeps training certificates of the staff.",
    ]
    two = replace(DEFAULTS, ratio=0.01, min_sentences=2, lead=0.0)
    assert sentences[2] in chosen(sentences, replace(two, redundancy=0.3))
    assert chosen(sentences, replace(two, redundancy=1.0)) == sentences[:2]


@pytest.mark.parametrize("method", BOTH)
def test_select_weight_decides_between_equals(method: SelectionMethod) -> None:
    """Between sentences alike in content and length the heavier wins; at equal weight the earlier."""
    text, (first, second) = laid_out(["Alpha beta gamma.", "Delta omega kappa."])
    parameters = SelectionParameters(method=method, lead=0.0, ratio=0.1)
    assert [one.start for one in select(text, [first, second], parameters)] == [first.start]
    assert [one.start for one in select(text, [first, replace(second, weight=1.5)], parameters)] == [second.start]


@pytest.mark.parametrize("method", BOTH)
def test_select_lead_prefers_the_opening_sentence(method: SelectionMethod) -> None:
    """Between unlike sentences of equal content the opening one leads, and scores lower the less it is preferred."""
    text, candidates = laid_out(["Alpha beta gamma.", "Delta omega kappa.", "Sigma theta zeta."])
    even, leading = (select(text, candidates, replace(GENEROUS, method=method, lead=lead)) for lead in (0.0, 2.0))
    assert [one.score for one in even] == [1.0, 1.0, 1.0]
    assert 1.0 == leading[0].score > leading[1].score > leading[2].score


def test_select_document_idf_changes_what_is_salient() -> None:
    """Terms that the whole document repeats count less than the chunk's own."""
    sentences = [
        "Agreement party agreement.",
        "Agreement party services.",
        "Escrow release escrow.",
        "Escrow release key.",
    ]
    text, candidates = laid_out(sentences)
    background = [["agreement", "parti", "servic"]] * 50 + [list(terms(one)) for one in sentences]
    parameters = SelectionParameters(method="tfidf", lead=0.0, ratio=0.1)
    (found,) = select(text, candidates, parameters, document_idf(background))
    assert "scrow" in text[found.start : found.end]


def test_select_many_sentences_take_the_sparse_path() -> None:
    """A chunk over the sparse threshold is selected by the same rules as one below."""
    rng = np.random.default_rng(7)
    sentences = [
        " ".join(f"w{n}" for n in sorted(set(rng.integers(0, 60, 9).tolist()))) for _ in range(SPARSE_FROM + 20)
    ]
    sentences[10] = sentences[3]
    text, candidates = laid_out(sentences)
    report = select_with_report(text, candidates, replace(GENEROUS, max_sentences=200))
    starts = {one.start for one in report.selected}
    assert report.converged
    assert len(starts & {candidates[3].start, candidates[10].start}) == 1


def test_select_report_says_when_not_converged() -> None:
    """Iterations that ran out show in the report, and the selection is still made."""
    text, candidates = laid_out(["Alpha beta.", "Beta gamma.", "Gamma delta.", "Delta alpha omega."])
    report = select_with_report(text, candidates, SelectionParameters(max_iterations=1, tolerance=1e-12))
    assert (report.converged, report.iterations) == (False, 1)
    assert report.selected


@pytest.mark.parametrize(
    "candidates",
    [
        [SentenceCandidate(0, 99)],
        [SentenceCandidate(-1, 2)],
        [SentenceCandidate(3, 3)],
        [SentenceCandidate(0, 4), SentenceCandidate(3, 6)],
        [SentenceCandidate(0, 4, 0.0)],
        [SentenceCandidate(0, 4, float("nan"))],
    ],
)
def test_select_refuses_impossible_candidates(candidates: list[SentenceCandidate]) -> None:
    """A span outside the text, empty or overlapping, or a weight that is not positive, is the caller's error."""
    with pytest.raises(UsageError):
        select("0123456789", candidates, DEFAULTS)


def test_select_refuses_terms_that_do_not_match() -> None:
    """Terms for another number of candidates are the caller's error."""
    with pytest.raises(UsageError):
        select("0123456789", [SentenceCandidate(0, 4)], DEFAULTS, terms_of=[])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("method", "lsa"),
        ("damping", 1.0),
        ("tolerance", 0.0),
        ("max_iterations", 0),
        ("lead", -0.1),
        ("ratio", 0.0),
        ("ratio", 1.1),
        ("min_sentences", 0),
        ("max_sentences", 0),
        ("redundancy", 1.1),
        ("redundancy", float("nan")),
    ],
)
def test_parameters_refuse_values_out_of_range(name: str, value: object) -> None:
    """Each parameter is checked when it is given, and the error names it."""
    with pytest.raises(UsageError) as caught:
        replace(DEFAULTS, **{name: value})  # type: ignore[arg-type]
    assert caught.value.context["parameter"] == name
