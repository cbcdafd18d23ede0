"""Quotes of claims are cut where they are long, at a word, and say so."""

from __future__ import annotations

import pytest

from coditect.tiers.claims.quoting import quoted


@pytest.mark.parametrize(("length", "cut"), [(320, False), (321, True), (2_000, True)])
def test_quote_is_cut_above_three_hundred_and_twenty_characters(length: int, cut: bool) -> None:
    """320 characters are quoted whole; one more, and the quote ends at a word before that, with its mark."""
    text = ("word " * length)[: length - 1] + "x"
    said = quoted(text)
    assert said.endswith(" …”") == cut
    assert said == f"“{text}”" if not cut else len(said) <= 320 + len("“ …”")
    assert not cut or said.removesuffix(" …”").endswith(" word")
