"""A corpus that is read whole: its parts, which of them are read together, and sentences that Tier 2 holds as one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from coditect.agents.roles.at_odds.pairs import AskedStatement
from coditect.knowledge.model_roles.at_odds import whole
from coditect.knowledge.model_roles.at_odds.named import placed
from coditect.knowledge.model_roles.at_odds.sentences import PlacedSentence, ReportedPair, ReportedSide, Sentences
from coditect.knowledge.model_roles.at_odds.whole import parts_of_corpus, read_together


def _sentence(number: int, start: int, text: str = "Doors are locked at night.") -> PlacedSentence:
    return PlacedSentence(number, f"doc{number}", start, AskedStatement(f"{number}.md", "", "", "", text))


def _sentences(told: list[PlacedSentence], *comparable: tuple[int, int]) -> Sentences:
    count = max(each.number for each in told) + 1
    flags = np.zeros((count, count), dtype=np.bool_)
    for one, other in comparable:
        flags[one, other] = flags[other, one] = True
    return Sentences(tuple(told), flags)


def test_small_corpus_is_one_part_and_one_sentence_none() -> None:
    """Nothing is asked of what there is nothing to compare with."""
    told = [_sentence(0, 0), _sentence(1, 0)]
    assert parts_of_corpus(told) == [tuple(told)]
    assert parts_of_corpus(told[:1]) == parts_of_corpus([]) == []


def test_parts_hold_every_sentence_once_in_order_and_no_more_than_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence that is longer than a part is one of its own."""
    monkeypatch.setattr(whole, "PART_CHARS", 120)
    told = [_sentence(n // 3, n) for n in range(9)] + [_sentence(3, 0, "long " * 100)]
    parts = parts_of_corpus(told)
    assert [each for part in parts for each in part] == told
    assert [len(part) for part in parts] == [2, 2, 2, 2, 1, 1]


def test_parts_are_read_together_where_their_documents_bind_the_same_people() -> None:
    """Those of strangers are read alone; two parts of one document are read together."""
    parts = [(_sentence(0, 0),), (_sentence(1, 0),), (_sentence(2, 0),), (_sentence(2, 9), _sentence(3, 0))]
    told = [each for part in parts for each in part]
    one, other, third, fourth = parts
    assert read_together(parts, _sentences(told, (0, 1))) == [one + other, third + fourth]
    assert read_together(parts[:3], _sentences(told[:3])) == [one, other, third]
    assert read_together(parts[:2], _sentences(told[:2], (0, 1))) == [one + other]
    assert read_together([], _sentences(told)) == []


def test_two_statements_that_tier_2_holds_as_one_sentence_are_no_pair() -> None:
    """A claim of both would quote one sentence twice."""
    sentences = [SimpleNamespace(char_start=0, char_end=40), SimpleNamespace(char_start=50, char_end=90)]
    view = SimpleNamespace(chunks=lambda document_id: [SimpleNamespace(selected_sentences=sentences)])

    def pair(first: tuple[int, int], second: tuple[int, int]) -> ReportedPair:
        return ReportedPair((ReportedSide("doc0", *first), ReportedSide("doc0", *second)), "value", "doors")

    within, across = pair((0, 10), (20, 30)), pair((0, 10), (60, 70))
    assert [each.pair for each in placed(cast("Any", view), [within, across])] == [across]
