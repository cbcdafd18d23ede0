"""What a tagger sees of a token is what it saw; of a very long sentence it sees the part around the clause."""

from __future__ import annotations

import pytest
from coditect_benchmarks.parsing.clauses import Clause
from coditect_benchmarks.parsing.features import MOST_TOKENS, Sentence, token_features, tokens_of

from .pinned_features import features, pinned


def test_features_are_those_that_were_written_down() -> None:
    """Of clauses with and without parts; see :mod:`.pinned_features`."""
    found, before = features(), pinned()
    assert list(found) == list(before)
    for clause, tokens in found.items():
        assert tokens == before[clause], clause


@pytest.mark.parametrize(
    ("tokens", "cue", "first", "count"),
    [
        (240, 200, 0, 240),
        (241, 5, 0, 240),
        (241, 200, 120, 121),
        (600, 300, 220, 240),
        (600, 80, 0, 240),
        (600, 599, 519, 81),
    ],
)
def test_long_sentence_is_seen_around_its_clause(tokens: int, cue: int, first: int, count: int) -> None:
    """At most 240 tokens: a third before the clause, the rest from there on."""
    text = " ".join(["word"] * tokens)
    clause = Clause("obligation", (5 * cue, 5 * cue + 4), None, (), (), (), (5 * cue, 5 * cue + 4))
    found, names = token_features(Sentence(text, [0]), clause, [], (0, len(text)), rules=False)
    assert (found, len(names), MOST_TOKENS) == (first, count, 240)


def test_tokens_are_words_and_marks() -> None:
    """A hyphen or an apostrophe inside a word belongs to it."""
    text = "The well-kept (tenant’s) house, e.g."
    words = [text[start:end] for start, end in tokens_of(text)]
    assert words == ["The", "well-kept", "(", "tenant’s", ")", "house", ",", "e", ".", "g", "."]
