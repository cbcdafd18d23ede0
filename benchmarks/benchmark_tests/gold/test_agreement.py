from __future__ import annotations

from typing import Any

import pytest
from coditect_benchmarks.gold.agreement import agreement_of, as_text, kappa, overlap, pair_norms
from coditect_benchmarks.gold.records import Label, Span

from benchmark_tests.gold.material import norm, placed, resolved


def _figures(first: Label[Span], second: Label[Span]) -> dict[str, Any]:
    figures: dict[str, Any] = agreement_of({"u1": placed()[1]}, {"u1": first}, {"u1": second})["all"]
    return figures


def test_kappa_is_what_the_textbook_says() -> None:
    """20 yes and 15 no in common, 5 and 10 apart: 0.7 observed, 0.5 by chance, kappa 0.4."""
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert kappa(pairs) == pytest.approx(0.4)


def test_kappa_of_one_class_is_not_a_number() -> None:
    """Nothing to tell apart is neither agreement nor disagreement."""
    assert kappa([("y", "y")]) is None
    assert kappa([]) is None


def test_overlap_counts_code_points() -> None:
    """Half of each in common is one half."""
    assert overlap([(0, 10)], [(5, 15)]) == pytest.approx(0.5)
    assert overlap([], []) == 1.0


def test_norms_are_paired_by_their_text_and_not_by_their_order() -> None:
    """The same two norms in another order are the same two norms."""
    other = norm(kind="obligation", polarity="positive", text=["return a key"], action="return a key", holder=[])
    first = resolved(norms=[norm(), other])
    second = resolved(norms=[other, norm()])
    pairs = pair_norms(first.norms, second.norms)
    assert all(a is not None and a == b for a, b in pairs)
    assert len(pairs) == 2


def test_a_norm_that_one_pass_misses_counts_against_both_measures() -> None:
    """It is "none" for the kappas and lowers the F1 of norms."""
    figures = _figures(resolved(norms=[norm()]), resolved(statement="fact"))
    assert figures["norms f1"] == 0.0
    assert figures["agree"]["kind"] == 0.0
    assert figures["agree"]["norm or not"] == 0.0


def test_identical_labels_agree_in_all() -> None:
    """Every figure that there is is 1."""
    figures = _figures(resolved(norms=[norm()]), resolved(norms=[norm()], note="of no account"))
    assert figures["identical"] == 1
    assert all(share == 1.0 for share in figures["agree"].values())
    assert all(v["exact"] in (1.0, None) for v in figures["spans"].values())


def test_a_longer_span_is_no_exact_match_but_overlaps() -> None:
    """Exact and overlap F1 differ where only the borders do."""
    figures = _figures(resolved(norms=[norm()]), resolved(norms=[norm(action="not disclose a key")]))
    assert figures["spans"]["action"]["exact"] == 0.0
    assert 0.8 < figures["spans"]["action"]["overlap"] < 1.0


def test_the_table_names_every_genre() -> None:
    """Figures are told over all and by genre."""
    table = as_text(
        agreement_of({"u1": placed()[1]}, {"u1": resolved(norms=[norm()])}, {"u1": resolved(norms=[norm()])})
    )
    assert "all: 1 units" in table
    assert "rulebook: 1 units" in table
