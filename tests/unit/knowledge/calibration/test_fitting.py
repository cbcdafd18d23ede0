"""Folds, the regression and its measures: what fitted figures may be, and what is said of them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.knowledge.calibration.cases import FEWEST_CASES, FEWEST_DOCUMENTS, FEWEST_OF_EACH, Cases, missing
from coditect.knowledge.calibration.folds import held_out_folds
from coditect.knowledge.calibration.held_out import attempt
from coditect.knowledge.calibration.measures import auroc, concordance, intervals, log_loss, probability, reliability
from coditect.knowledge.calibration.regression import STRENGTHS, Figures, fit, fit_by_cross_validation
from coditect.knowledge.calibration.thresholds import LOST, PRECISION, thresholds

KNOWN = Figures(-0.5, np.asarray([2.0, 0.5]), np.ones(2))


def cases(count: int = 200, *, weights: tuple[float, float] = (0.2, 3.0), seed: int = 0, documents: int = 40) -> Cases:
    """Decisions by a logistic rule over two measures, each of one of some documents."""
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(count, 2))
    labels = (generator.random(count) < probability(values @ np.asarray(weights))).astype(np.int64)
    return Cases(values, labels, tuple((f"document {at % documents}",) for at in range(count)))


@given(
    st.lists(
        st.tuples(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=3, unique=True), st.booleans()),
        min_size=8,
        max_size=60,
    ),
    st.integers(0, 5),
)
def test_folds_have_no_document_on_both_sides(drawn: list[tuple[list[str], bool]], seed: int) -> None:
    """Whatever documents cases share, none of a tested case is trained on, and no case is tested twice."""
    some = Cases(
        np.zeros((len(drawn), 1)),
        np.asarray([int(label) for _, label in drawn], np.int64),
        tuple(tuple(documents) for documents, _ in drawn),
    )
    tested: list[int] = []
    for train, test in held_out_folds(some, seed):
        seen = {document for at in train.tolist() for document in some.documents[at]}
        assert seen.isdisjoint({document for at in test.tolist() for document in some.documents[at]})
        assert set(some.labels[train].tolist()) == {0, 1}
        tested += test.tolist()
    assert len(tested) == len(set(tested))


def test_folds_test_every_case_once_and_follow_the_seed() -> None:
    """Where documents are apart, five folds cover all cases; another seed cuts them otherwise."""
    some = cases()
    found = [np.sort(np.concatenate([test for _, test in held_out_folds(some, seed)])) for seed in (0, 1)]
    assert all((each == np.arange(len(some))).all() for each in found)
    first = [next(iter(held_out_folds(some, seed)))[1].tolist() for seed in (0, 0, 1)]
    assert first[0] == first[1] != first[2]


def test_fit_keeps_the_known_order_where_it_may_not_leave_it() -> None:
    """With next to no freedom the known figures are only scaled and shifted, as Platt's calibration does."""
    some = cases(weights=(2.0, 0.5))
    found = fit(some, KNOWN, 1e-9)
    assert found.coefficients[0] / found.coefficients[1] == pytest.approx(4.0, rel=0.01)
    assert auroc(found.log_odds(some.values), some.labels) == pytest.approx(
        auroc(KNOWN.log_odds(some.values), some.labels), abs=0.01
    )


def test_fit_learns_what_decisions_depend_on() -> None:
    """Decisions that depend on the second measure give it the greater weight."""
    found = fit_by_cross_validation(cases(400), KNOWN, 0)
    assert found.coefficients[1] > 3 * abs(found.coefficients[0])


@pytest.mark.parametrize("strength", STRENGTHS)
def test_fit_never_gives_a_weight_the_wrong_sign(strength: float) -> None:
    """Decisions that reward what speaks against a claim take its weight away, and do not turn it round."""
    found = fit(cases(weights=(-3.0, 1.0)), KNOWN, strength)
    assert (found.coefficients >= 0).all()
    assert found.coefficients[0] == 0.0
    assert found.coefficients[1] > 0.0
    nothing = fit(cases(weights=(-3.0, -3.0)), KNOWN, strength)
    assert not nothing.coefficients.any()


def test_fit_gives_what_never_varies_no_weight() -> None:
    """A measure that is the same in all cases cannot have been learnt about."""
    some = cases()
    constant = Cases(np.column_stack([some.values[:, 1], np.ones(len(some))]), some.labels, some.documents)
    assert fit(constant, KNOWN, 0.1).coefficients[1] == 0.0


def test_attempt_improves_where_decisions_deviate_and_not_where_they_are_noise() -> None:
    """Measured on documents held out; the figures are fitted on all cases then."""
    better = attempt("checker", cases(), KNOWN, "reviews", 0)
    assert better.told.improves
    assert better.figures is not None
    assert better.told.difference is not None
    assert better.told.difference.low > 0.0
    assert better.told.log_loss_after is not None
    assert better.told.log_loss_before is not None
    assert better.told.log_loss_after < better.told.log_loss_before
    for seed in range(5):
        noise = attempt("checker", cases(weights=(0.0, 0.0), seed=seed), KNOWN, "reviews", seed)
        assert not noise.told.improves
        assert noise.figures is None


def test_attempt_does_not_propose_what_is_only_less_wrong() -> None:
    """Where known figures rank decisions the wrong way round, figures that know nothing are no improvement."""
    turned = attempt("checker", cases(weights=(-3.0, -3.0)), KNOWN, "reviews", 0).told
    assert turned.difference is not None
    assert turned.difference.low > 0.0
    assert not turned.improves


def test_attempt_on_decisions_that_share_all_documents_says_so() -> None:
    """Where no fold can be held out, nothing is fitted."""
    some = cases()
    tied = Cases(some.values, some.labels, tuple((*each, "the handbook") for each in some.documents))
    told = attempt("checker", tied, KNOWN, "reviews", 0).told
    assert "share fewer documents" in told.needs
    assert not told.improves


@pytest.mark.parametrize(
    ("count", "documents", "positive", "said"),
    [
        (FEWEST_CASES, FEWEST_DOCUMENTS, FEWEST_OF_EACH, ""),
        (FEWEST_CASES - 1, FEWEST_DOCUMENTS, FEWEST_OF_EACH, "60 reviews (59 so far)"),
        (FEWEST_CASES, FEWEST_DOCUMENTS - 1, FEWEST_OF_EACH, "10 documents that they rest on (9 so far)"),
        (FEWEST_CASES, FEWEST_DOCUMENTS, FEWEST_OF_EACH - 1, "15 reviews for (14 so far)"),
        (FEWEST_CASES, FEWEST_DOCUMENTS, FEWEST_CASES - FEWEST_OF_EACH + 1, "15 reviews against (14 so far)"),
    ],
)
def test_missing_counts_what_there_has_to_be(count: int, documents: int, positive: int, said: str) -> None:
    """Each of the four numbers is asked for by itself, and one less is too few."""
    labels = np.asarray([int(at < positive) for at in range(count)], np.int64)
    some = Cases(np.zeros((count, 1)), labels, tuple((f"d{at % documents}",) for at in range(count)))
    assert missing(some, "reviews") == said


def test_auroc_and_concordance_count_pairs_in_order() -> None:
    """Ties count half; without pairs there is nothing to be counted."""
    labels = np.asarray([1, 1, 0, 0], np.int64)
    assert auroc(np.asarray([0.9, 0.5, 0.5, 0.1]), labels) == 0.875
    assert np.isnan(auroc(np.ones(2), np.ones(2, np.int64)))
    assert concordance(np.asarray([1.0, 0.0, -9.0, -9.0]), labels) == 0.75
    assert np.isnan(concordance(np.ones(2), np.zeros(2, np.int64)))


def test_intervals_are_wider_where_cases_share_documents() -> None:
    """Two hundred cases of ten documents say less than those of two hundred."""
    some = cases()
    scores = KNOWN.log_odds(some.values)
    wide, narrow = (
        intervals(scores, scores, some.labels, some.labels + 2 * (np.arange(len(some)) % groups), auroc, 0)[0]
        for groups in (3, 100)
    )
    assert wide.value == narrow.value
    assert wide.low <= wide.value <= wide.high
    again = intervals(scores, scores, some.labels, some.own, auroc, 0)
    assert again[2].model_dump() == {"value": 0.0, "low": 0.0, "high": 0.0}
    assert again == intervals(scores, scores, some.labels, some.own, auroc, 0)


def test_reliability_and_log_loss_of_certain_decisions() -> None:
    """Bins hold all cases; a certain and right forecast costs nothing."""
    labels = np.asarray([0, 0, 1, 1], np.int64)
    bins = reliability(np.asarray([0.04, 0.06, 0.95, 1.0]), labels)
    assert [(each.cases, each.observed) for each in bins] == [(2, 0.0), (2, 1.0)]
    assert log_loss(np.asarray([-50.0, -50.0, 50.0, 50.0]), labels) < 1e-9


def test_thresholds_keep_both_promises() -> None:
    """Nine in ten above the upper one are relevant; at most 3.5 % of the relevant lie below the lower one."""
    generator = np.random.default_rng(1)
    labels = (generator.random(500) < 0.4).astype(np.int64)
    found = probability(3.0 * labels - 1.5 + generator.normal(size=500))
    correct, incorrect = thresholds(found, labels)
    assert 0.0 < incorrect < correct < 1.0
    assert labels[found >= correct].mean() >= PRECISION - 0.01
    assert (found[labels == 1] < incorrect).mean() <= LOST
    assert thresholds(np.asarray([0.9, 0.8]), np.zeros(2, np.int64)) == (1.0, 0.0)


def test_scikit_learn_is_loaded_only_to_fit() -> None:
    """Help, questions and switches do not wait for it."""
    modules = ("coditect.cli.app", "coditect.cli.calibrate", "coditect.cli.mark", "coditect.knowledge.service")
    use_cases = ("coditect.knowledge.query.search", "coditect.knowledge.calibration.proposal")
    code = f"import sys, {', '.join((*modules, *use_cases))}; print('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
