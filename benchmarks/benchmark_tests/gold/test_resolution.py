from __future__ import annotations

import pytest
from coditect_benchmarks.gold.resolution import UnresolvedQuote, resolve, restore

from benchmark_tests.gold.material import label, norm, placed, quoted


def test_quotes_become_the_spans_that_hold_them() -> None:
    """A resolved quote is the very text that was copied."""
    text, unit = placed()
    found = resolve(text, unit, label(norms=[norm()])).norms[0]
    assert quoted(text, found.text) == ["The custodian shall", "not disclose a key", "until the contract ends"]
    assert quoted(text, found.holder) == ["The custodian"]


def test_a_quote_that_is_not_there_is_refused_with_its_place() -> None:
    """Words that nobody wrote are an error, and all such errors are told at once."""
    text, unit = placed()
    with pytest.raises(UnresolvedQuote, match=r"norms\[0\].holder.*trustee.*norms\[0\].object.*vault"):
        resolve(text, unit, label(norms=[norm(holder="The trustee", object="the vault")]))


def test_a_quote_of_the_surroundings_needs_its_sign() -> None:
    """What stands only around the unit is found with ^ and not without."""
    text, unit = placed()
    with pytest.raises(UnresolvedQuote):
        resolve(text, unit, label(norms=[norm(object="a secret")]))
    found = resolve(text, unit, label(norms=[norm(object="^a secret")]))
    assert quoted(text, found.norms[0].object) == ["a secret"]


def test_the_first_occurrence_within_the_norm_is_meant_unless_a_number_says_otherwise() -> None:
    """Of two keys, the norm's own is taken; @@2 takes the second of the unit, @@3 is refused."""
    text, unit = placed()
    second = norm(
        kind="obligation", polarity="positive", text="return a key", action="return a key", holder=[], object="a key"
    )
    own = resolve(text, unit, label(norms=[second])).norms[0]
    assert own.text[0][0] <= own.object[0][0] < own.text[0][1]
    numbered = resolve(text, unit, label(norms=[norm(object="a key@@2")])).norms[0]
    assert numbered.object[0] == own.object[0]
    with pytest.raises(UnresolvedQuote, match="occurs 2 times"):
        resolve(text, unit, label(norms=[norm(object="a key@@3")]))


def test_invisible_characters_and_white_space_do_not_matter() -> None:
    """A quote across a line end and a direction mark is found."""
    text, unit = placed()
    found = resolve(text, unit, label(norms=[norm(object="return a key to the client, until")])).norms[0]
    assert quoted(text, found.object) == ["return \u200ea key to the client,\nuntil"]


def test_an_elided_quote_reaches_from_its_first_to_its_last_words() -> None:
    """The sign between two ends stands for everything between them."""
    text, unit = placed()
    found = resolve(text, unit, label(norms=[norm(object="a key ~~ the client")])).norms[0]
    assert quoted(text, found.object)[0].startswith("a key; and\n(b)")


def test_spans_of_a_norm_have_to_be_in_order() -> None:
    """Spans that go backwards do not compose a reading."""
    text, unit = placed()
    with pytest.raises(UnresolvedQuote, match="not after the span before"):
        resolve(text, unit, label(norms=[norm(text=["until the contract ends", "The custodian shall"])]))


def test_a_locator_is_the_number_before_the_norm() -> None:
    """The label nearest before the last span counts, not a mention elsewhere."""
    text, unit = placed()
    found = resolve(text, unit, label(norms=[norm(locator=["^7.2", "7.2.(3)", "(a)"])])).norms[0]
    assert quoted(text, found.locator) == ["7.2", "7.2.(3)", "(a)"]
    assert found.locator[0][0] < unit.span[0] <= found.locator[1][0] < found.locator[2][0]


def test_a_restored_label_reads_as_it_was_written() -> None:
    """Offsets and text say the same."""
    text, unit = placed()
    parts = {"lead_in": "The custodian shall:", "items": ["(a)", "(b)"], "connective": "and", "role": "norms"}
    found = restore(text, resolve(text, unit, label(norms=[norm()], list=parts)))
    assert found["list"]["items"] == ["(a)", "(b)"]
    assert found["norms"][0]["action"] == ["disclose a key"]
