"""The selector, which may only choose, and the contextualiser, whose words are never cited."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.agents.roles.answers import MOST_CHARS
from coditect.agents.roles.contextualiser import LONGEST_CONTEXT, read_context
from coditect.agents.roles.selector import read_selected
from coditect.errors import Malformed
from tests.unit.agents.roles.material import answered


def test_selection_keeps_the_models_order() -> None:
    """Numbers are 1-based for the model and indexes for us, most important first."""
    assert read_selected(answered({"sentences": [3, 1]}), 3, 2) == (2, 0)


@pytest.mark.parametrize(
    ("numbers", "problem"),
    [
        ([], "none chosen"),
        ([1, 2, 3], "more than asked for"),
        ([2, 2], "one chosen twice"),
        ([0], "a number that no sentence has"),
        ([-1], "a number that no sentence has"),
        ([5], "a number that no sentence has"),
        ([10**30], "a number that no sentence has"),
    ],
)
def test_selection_that_cannot_be_is_malformed(numbers: list[int], problem: str) -> None:
    """A selection with a number out of range, twice, none or too many is refused as a whole."""
    with pytest.raises(Malformed) as caught:
        read_selected(answered({"sentences": numbers}), 4, 2)
    assert caught.value.context["problem"] == problem


def test_selection_in_words_is_malformed() -> None:
    """The selector cannot bring words in: anything but numbers is refused."""
    for value in ({"sentences": ["Users must act."]}, {"sentences": [1], "text": "Users must act."}):
        with pytest.raises(Malformed):
            read_selected(answered(value), 4, 2)


@settings(deadline=None)
@given(st.lists(st.integers(-3, 9), max_size=6), st.integers(1, 6), st.integers(1, 6))
def test_selection_is_of_what_there_is(numbers: list[int], count: int, most: int) -> None:
    """Whatever is returned, a selection is made of different existing sentences, and not of too many."""
    try:
        chosen = read_selected(answered({"sentences": numbers}), count, most)
    except Malformed:
        return
    assert 1 <= len(chosen) == len(set(chosen)) <= most
    assert all(0 <= index < count for index in chosen)


def test_context_is_one_line_without_mark_up() -> None:
    """Tags, emphasis and line ends are taken out; the words stay."""
    text = "<context>\n**Access policy**, section 4:\n  the `review` of rights.\n</context>"
    assert read_context(answered(text)) == "Access policy, section 4: the review of rights."


def test_context_is_cut_at_a_sentence() -> None:
    """A context that is too long ends after a whole sentence, or between words where it has only one."""
    sentence = "This passage of the policy is about access. "
    line = read_context(answered(sentence * 30))
    assert len(line) <= LONGEST_CONTEXT
    assert line.endswith("about access.")
    words = read_context(answered("word " * 500))
    assert LONGEST_CONTEXT - 5 <= len(words) <= LONGEST_CONTEXT
    assert words.endswith("word")


@pytest.mark.parametrize("text", ["", " \n", "<b></b>", "***", "—", "\x00\x1b", "x" * (MOST_CHARS + 1)])
def test_context_without_words_is_malformed(text: str) -> None:
    """Nothing, mark-up alone, or far too much is no context."""
    with pytest.raises(Malformed):
        read_context(answered(text))


@settings(deadline=None)
@given(st.text(st.characters(), max_size=400))
def test_context_can_always_be_stored_and_shown(text: str) -> None:
    """Whatever a model writes, a context is one short line that encodes and steers no terminal."""
    try:
        line = read_context(answered(text))
    except Malformed:
        return
    assert line.encode()
    assert len(line) <= LONGEST_CONTEXT
    assert not any(character < " " or "\x7f" <= character <= "\x9f" for character in line)
    assert line == " ".join(line.split())
