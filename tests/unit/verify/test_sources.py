"""Sources disagree where one says what a sentence says, and one of another document denies it."""

from __future__ import annotations

import pytest

from coditect.verify.staged.sources import find_disagreement

CLAIM = "Employees must report an incident to the security team within 4 hours."
SAYS = "Employees shall report an incident to the security team within 4 hours."
DENIES = "Employees shall report an incident to the security team within 24 hours."
FREES = "Employees are not required to report an incident to the security team within 4 hours."
ELSEWHERE = "The supplier shall notify the customer of an incident within 24 hours."


@pytest.mark.parametrize("denial", [DENIES, FREES])
def test_sources_that_disagree_are_both_named(denial: str) -> None:
    """The statement that says it, the one that denies it, and the words in which they differ."""
    found = find_disagreement(CLAIM, [denial, ELSEWHERE, SAYS], ["b", "c", "a"], 0.7)
    assert found is not None
    assert (found.supporting, found.refuting) == (2, 0)
    assert found.detail
    start, end = found.refuting_span
    assert 0 <= start < end <= len(denial)


@pytest.mark.parametrize(
    ("quotes", "sources"),
    [
        ([SAYS, DENIES], ["a", "a"]),
        ([SAYS, ELSEWHERE], ["a", "b"]),
        ([DENIES, ELSEWHERE], ["a", "b"]),
        ([SAYS, SAYS], ["a", "b"]),
        ([SAYS], ["a"]),
        ([], []),
    ],
)
def test_sources_agree_where_nobody_denies_on_the_same_matter(quotes: list[str], sources: list[str]) -> None:
    """One document's own words, other matters, other people, and refutation alone are no disagreement of sources."""
    assert find_disagreement(CLAIM, quotes, sources, 0.7) is None
