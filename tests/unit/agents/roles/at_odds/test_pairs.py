"""Statements that are read two at a time: what is asked, and what of an answer is taken."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coditect.agents.roles.at_odds.pairs import AskedStatement, SetReading, pairs_request, pairs_role, read_pairs
from coditect.agents.roles.role import ROLES
from coditect.errors import Malformed
from coditect.models.llm import LlmAnswer, TextBlock, TextPart, Usage

POLICY = AskedStatement("policy.md", "Leave Policy", "policy", "3 Carrying over", "Leave lapses on 31 March.")
GUIDE = AskedStatement("guide.md", "Guide", "", "Guide", "Last year's leave may be taken\nuntil the end of June.")
SETS = ((POLICY, GUIDE), (POLICY, GUIDE))
CONFLICT = {"n": 1, "kind": "value", "about": "carrying leave over", "words": ["on 31 March", "until the end of June"]}
OTHER = {"n": 2, "why": "other_matter"}


def _answer(body: object) -> LlmAnswer:
    return LlmAnswer("0" * 64, "model", (TextPart(json.dumps(body)),), Usage())


def test_request_shows_each_set_on_a_line_of_its_own_inside_a_fence() -> None:
    """Document, title, role, heading and text; what is not known is left out, and a heading that is the title is not repeated."""
    role = pairs_role(ROLES["reducer"])
    request = pairs_request(role, SETS)
    (block,) = request.content
    assert isinstance(block, TextBlock)
    opened, first, _, closed, _, asked = block.text.split("\n")
    assert opened.strip("<>") == closed.strip("</>")
    assert json.loads(first) == {
        "n": 1,
        "statements": [
            {
                "document": "policy.md",
                "title": "Leave Policy",
                "role": "policy",
                "heading": "3 Carrying over",
                "text": "Leave lapses on 31 March.",
            },
            {"document": "guide.md", "title": "Guide", "text": GUIDE.text},
        ],
    }
    assert asked == "Read the 2 sets."
    assert request.model == ROLES["reducer"].model
    assert request.system[0].text == role.prompt != ROLES["reducer"].prompt


def test_answer_is_read_set_by_set_with_the_places_of_the_words() -> None:
    """White space may be set otherwise; a conflict has its words in each statement, another set its reason."""
    found = read_pairs(_answer({"conflicts": [CONFLICT], "others": [OTHER]}), SETS)
    first, second = found.readings
    assert first is not None
    assert (first.kind, first.about) == ("value", "carrying leave over")
    assert [each.text[a:b] for each, (a, b) in zip(SETS[0], first.words, strict=True)] == [
        "on 31 March",
        "until the end of June",
    ]
    assert second == SetReading(why="other_matter")
    assert found.rejections == ()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"words": ["on 31 March", "until the end of May"]}, "conflict: words that a statement does not have"),
        ({"words": ["on 31 Mar", "until the end of June"]}, "conflict: words that a statement does not have"),
        ({"words": ["", "until the end of June"]}, "conflict: words that a statement does not have"),
        ({"words": ["on 31 March"]}, "conflict: not the words of each statement"),
        ({"about": " <b></b> "}, "conflict: about nothing"),
    ],
)
def test_conflict_without_words_of_its_statements_is_not_taken(change: dict[str, Any], reason: str) -> None:
    """Invented words, half a word, none, of one side alone, about nothing: nothing is told of the set, and it is counted."""
    found = read_pairs(_answer({"conflicts": [{**CONFLICT, **change}], "others": [OTHER]}), SETS)
    assert found.readings == (None, SetReading(why="other_matter"))
    assert found.rejections == (reason,)


def test_sets_that_are_told_of_twice_or_not_at_all_are_not_taken() -> None:
    """A set that is said to be both at odds and not is neither; a number that no set has is named."""
    both = read_pairs(_answer({"conflicts": [CONFLICT], "others": [{"n": 1, "why": "same"}, OTHER]}), SETS)
    assert both.readings == (None, SetReading(why="other_matter"))
    assert both.rejections == ("a set is told of twice",)
    none = read_pairs(_answer({"conflicts": [], "others": [OTHER, {"n": 7, "why": "same"}]}), SETS)
    assert none.readings == (None, SetReading(why="other_matter"))
    assert none.rejections == ("a number that no set has", "a set is not told of")


def test_the_same_words_are_never_at_odds() -> None:
    """Two statements that print the same cannot be a conflict, whatever a model says."""
    body = {"conflicts": [{**CONFLICT, "words": ["on 31 March", "on 31 March"]}], "others": []}
    found = read_pairs(_answer(body), ((POLICY, POLICY),))
    assert found.rejections == ("conflict: the same words on two sides",)


@pytest.mark.parametrize("body", [{"conflicts": []}, {"conflicts": [], "others": [{"n": 1, "why": "because"}]}])
def test_answer_of_another_shape_is_malformed(body: object) -> None:
    """A reason that there is none of, or a list that is not there."""
    with pytest.raises(Malformed):
        read_pairs(_answer(body), SETS)


def test_version_of_the_reducer_tells_both_prompts() -> None:
    """Another prompt for pairs is another version, under its own name."""
    version = pairs_role(ROLES["reducer"]).version
    assert version.startswith("roles/1 pairs/")
    assert version != ROLES["reducer"].version
