"""The whole checker on a public set: samples of both kinds, and rows that say what was found."""

from __future__ import annotations

from coditect_benchmarks.verification.formats import Case
from coditect_benchmarks.verification.verdicts import SCORES, check_cases, rows, sampled

SAID = "The operator shall keep every backup of the customer's records in a second region for seven years."


def _cases() -> list[Case]:
    false = SAID.replace("shall", "shall not")
    return [Case(SAID, (SAID,), True, "one")] * 3 + [Case(false, (SAID,), False, "two")] * 5


def test_samples_are_even_as_far_as_there_are_claims() -> None:
    """Two of each; all where more are wanted."""
    assert [each.supported for each in sampled(_cases(), 2)] == [True, True, False, False]
    assert len(sampled(_cases(), 9)) == 8


def test_rows_tell_the_order_of_every_score_and_the_verdicts() -> None:
    """A quote is supported, its denial refused; words in common see no difference."""
    found = list(check_cases([*_cases(), Case("", (SAID,), False, "three")]))
    said = list(rows(found))
    assert [line.split("AUROC ")[1].split("  ")[0].strip() for line in said[: len(SCORES)]] == list(SCORES)
    assert "1.000" in said[0]
    assert "3 that are supported: supported 3" in said[-2]
    assert "unsupported 6" in said[-1]
    assert found[-1].scores == (0.0, 0.0, 0.0, 0.0)
