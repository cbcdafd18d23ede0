from __future__ import annotations

import pytest
from coditect_benchmarks.gold.scoring import PARTS
from coditect_benchmarks.parsing.clauses import Clause, TimePhrase
from coditect_benchmarks.parsing.comparison import Result, best_of, compare, fold_of
from coditect_benchmarks.parsing.tasks import as_norm

from .material import AT, TEXT, norm, place, task

ALL = frozenset(PARTS)


def test_clause_has_the_places_of_its_document() -> None:
    """What was read at a place of the sentence is compared at the place of the document."""
    clause = Clause(
        "obligation",
        place("must"),
        place("the keeper"),
        (place("inform the owner"),),
        (place("If a key is lost"),),
        (TimePhrase("deadline", place("within 5 days"), place("a key is lost")),),
        (0, len(TEXT) - 1),
    )
    read, wanted = as_norm(task(TEXT, clause), clause), norm()
    for part in ("kind", "polarity", "text", "holder", "action", "conditions", "times"):
        assert getattr(read, part) == getattr(wanted, part)
    assert read.holder[0][0] == AT + TEXT.index("the keeper")


def test_comparison_counts_norms_that_only_one_has_right() -> None:
    """Norms that both have right or wrong say nothing of the difference."""
    first = Result("a", [], right={("u", n): ALL if n < 6 else frozenset() for n in range(10)})
    second = Result("b", [], right={("u", n): ALL if n < 1 or n == 9 else frozenset() for n in range(10)})
    gained, lost, chance = compare(first, second)["fully right"]
    assert (gained, lost) == (1, 5)
    assert chance == pytest.approx(14 / 64)
    assert best_of(first, second)["fully right"] == pytest.approx(0.7)


def test_folds_keep_a_document_together() -> None:
    """A document's fold depends on its name alone, and every fold gets some."""
    assert {fold_of(f"root:{n}", 5) for n in range(50)} == set(range(5))
    assert fold_of("root:7", 5) == fold_of("root:7", 5)
