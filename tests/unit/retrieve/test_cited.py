"""Provisions as lawyers cite them are looked up under their whole number."""

from __future__ import annotations

import pytest

from coditect.retrieve.lookup.cited import as_cited


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("Art. 9(4)", "Article 9(4)"),
        ("what does art 9 say", "what does Article 9 say"),
        ("Article 9, paragraph 4", "Article 9(4)"),
        ("article 9 para. 4", "article 9(4)"),
        ("Art. 9, para 4, point (b)", "Article 9(4)(b)"),
        ("point (b) of Article 9(4)", "Article 9(4)(b)"),
        ("paragraph 4 of Article 9", "Article 9(4)"),
        ("point (b) of paragraph 4 of Article 9", "Article 9(4)(b)"),
        ("Section 9 lit. (b)", "Section 9(b)"),
        ("state of the art 5", "state of the Article 5"),
        ("the art of 9 lifts", "the art of 9 lifts"),
        ("paragraph 4.2 of the policy", "paragraph 4.2 of the policy"),
        ("points to look at", "points to look at"),
        ("how many lifts are there", "how many lifts are there"),
    ],
)
def test_citations_are_told_by_their_whole_number(query: str, told: str) -> None:
    """Articles cut short, and paragraphs and points before or behind them; other words stay."""
    assert as_cited(query) == told
