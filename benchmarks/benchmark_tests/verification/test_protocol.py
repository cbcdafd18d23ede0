"""Nothing of what is held out is seen."""

from __future__ import annotations

import numpy as np
import pytest
from coditect_benchmarks.verification.fitting import Rows
from coditect_benchmarks.verification.protocol import accepts, from_middle, share_accepted, splits, threshold


@pytest.fixture
def rows() -> Rows:
    """Two plain sets, an edited one with two domains, and one of somebody's own; no measures."""
    sets = np.array(["wice"] * 4 + ["scifact"] * 4 + ["summedits"] * 8 + ["own"] * 4)
    domains = np.array(["wice"] * 4 + ["scifact"] * 4 + ["summedits/a"] * 4 + ["summedits/b"] * 4 + ["own"] * 4)
    labels = np.array([0, 1] * 10)
    texts = np.array([str(each) for each in range(20)])
    return Rows(("m",), np.zeros((20, 1)), labels, sets, domains, texts, texts, np.zeros(20, bool))


def test_splits_hold_out_sets_and_domains_of_edited_sets(rows: Rows) -> None:
    """A plain set is held out whole, an edited one domain by domain; what is judged is never trained on."""
    found = {split.name: split for split in splits(rows)}
    assert sorted(found) == ["own", "scifact", "summedits/a", "summedits/b", "wice"]
    for split in found.values():
        assert not (split.train & split.test).any()
        assert set(rows.domains[split.test]) == {split.name}
        assert (split.deciding <= split.train).all()
    assert set(rows.domains[found["wice"].train]) == {"scifact", "summedits/a", "summedits/b"}
    assert set(rows.domains[found["summedits/a"].train]) == {"scifact", "wice", "summedits/b"}


def test_splits_never_train_on_sets_of_your_own(rows: Rows) -> None:
    """A set without an adapter is judged only."""
    assert not any("own" in rows.sets[split.train] for split in splits(rows))


def test_splits_decide_on_other_domains_of_the_same_set(rows: Rows) -> None:
    """Thresholds for a domain come from the set's other domains, for a set from all other sets."""
    found = {split.name: split for split in splits(rows)}
    assert set(rows.domains[found["summedits/a"].deciding]) == {"summedits/b"}
    assert (found["wice"].deciding == found["wice"].train).all()


def test_splits_leave_out_sets_with_one_label(rows: Rows) -> None:
    """Where all claims have the same label there is nothing to measure."""
    rows.labels[rows.sets == "wice"] = 1
    assert "wice" not in [split.name for split in splits(rows)]


def test_threshold_separates_what_can_be_separated(rows: Rows) -> None:
    """With all supported claims above all others, the threshold lies between them."""
    limit = threshold(rows.labels + np.linspace(0.0, 0.5, 20), rows)
    assert 0.5 < limit <= 1.1


def test_share_is_what_separates_each_domain_by_its_own_scores(rows: Rows) -> None:
    """Half of each domain is supported; that one's scores lie far below the others' does not matter."""
    low = np.where(rows.sets == "wice", -100.0, 0.0)
    scores = low + rows.labels + np.linspace(0.0, 0.5, 20)
    share = share_accepted(scores, rows)
    for domain in np.unique(rows.domains):
        inside = rows.domains == domain
        assert (accepts(scores[inside], share) == rows.labels[inside]).all()


def test_threshold_from_the_middle_holds_where_all_scores_lie_low(rows: Rows) -> None:
    """A threshold of the other sets parts a set whose scores are all a hundred lower, once both are counted from their middle."""
    low = np.where(rows.sets == "wice", -100.0, 0.0)
    scores = low + rows.labels + np.linspace(0.0, 0.5, 20)
    split = next(each for each in splits(rows) if each.name == "wice")
    others = rows.take(split.train)
    assert (scores[split.test] < threshold(scores[split.train], others)).all()
    limit = threshold(from_middle(scores[split.train], others.domains), others)
    above = from_middle(scores[split.test], rows.domains[split.test]) >= limit
    assert (above == rows.labels[split.test]).all()


def test_ties_with_the_last_accepted_claim_are_accepted() -> None:
    """Claims with one score are not told apart."""
    assert accepts(np.array([3.0, 2.0, 2.0, 1.0]), 0.5).tolist() == [True, True, True, False]
