"""Statements that are read all at once: what is asked, and what of an answer is taken."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coditect.agents.roles.at_odds.pairs import AskedStatement
from coditect.agents.roles.at_odds.statements import read_statements, statements_request, statements_role
from coditect.agents.roles.role import ROLES
from coditect.errors import Malformed
from coditect.models.llm import LlmAnswer, TextBlock, TextPart, Usage

POLICY = AskedStatement("policy.md", "Leave Policy", "policy", "3 Carrying over", "Leave lapses on 31 March.")
ASKED = AskedStatement("policy.md", "Leave Policy", "policy", "4 Asking", "Leave is asked for in writing.")
GUIDE = AskedStatement("guide.md", "Guide", "", "Guide", "Last year's leave may be taken\nuntil the end of June.")
STATEMENTS = (POLICY, ASKED, GUIDE)
TOLD = {
    "between": [3, 1],
    "kind": "value",
    "about": "carrying leave over",
    "words": ["until the end of June", "on 31 March"],
}


def _answer(*at_odds: object) -> LlmAnswer:
    return LlmAnswer("0" * 64, "model", (TextPart(json.dumps({"at_odds": list(at_odds)})),), Usage())


def test_request_names_each_document_once_and_numbers_the_statements() -> None:
    """What is not known is left out, and a heading that is the title is not repeated."""
    role = statements_role(ROLES["reducer"])
    request = statements_request(role, STATEMENTS)
    (block,) = request.content
    assert isinstance(block, TextBlock)
    opened, *lines, closed, _, asked = block.text.split("\n")
    assert opened.strip("<>") == closed.strip("</>")
    assert [json.loads(line) for line in lines] == [
        {"document": "policy.md", "title": "Leave Policy", "role": "policy"},
        {"n": 1, "heading": "3 Carrying over", "text": POLICY.text},
        {"n": 2, "heading": "4 Asking", "text": ASKED.text},
        {"document": "guide.md", "title": "Guide"},
        {"n": 3, "text": GUIDE.text},
    ]
    assert asked == "Read the 3 statements."
    assert request.system[0].text == role.prompt != ROLES["reducer"].prompt


def test_two_statements_are_taken_once_in_their_order_with_the_places_of_the_words() -> None:
    """Whichever is named first; white space may be set otherwise."""
    again = {**TOLD, "between": [1, 3], "words": TOLD["words"][::-1], "about": "leave <b>again</b>"}
    found = read_statements(_answer(TOLD, again), STATEMENTS)
    (one,) = found.at_odds
    assert (one.between, one.kind, one.about) == ((0, 2), "value", "carrying leave over")
    (first, last), (start, end) = one.words
    assert (POLICY.text[first:last], GUIDE.text[start:end]) == ("on 31 March", "until the end of June")
    assert found.rejections == ()


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"between": [1, 4]}, "a number that no statement has"),
        ({"between": [0, 1]}, "a number that no statement has"),
        ({"between": [1, 2, 3]}, "a number that no statement has"),
        ({"words": ["on 31 March"]}, "conflict: not the words of each statement"),
        ({"words": ["on 31 March", "until the end of June"]}, "conflict: words that a statement does not have"),
        ({"about": " <i></i> "}, "conflict: about nothing"),
        ({"between": [1, 1], "words": ["on 31 March", "on 31 March"]}, "conflict: the same words on two sides"),
    ],
)
def test_what_cannot_be_so_is_not_taken_and_the_rest_is(changed: dict[str, Any], why: str) -> None:
    """One that is wrong takes no other down with it."""
    other = {"between": [2, 3], "kind": "other", "about": "form", "words": ["in writing", "may be taken"]}
    found = read_statements(_answer({**TOLD, **changed}, other), STATEMENTS)
    assert [each.between for each in found.at_odds] == [(1, 2)]
    assert found.rejections == (why,)


def test_nothing_at_odds_is_an_answer_and_another_shape_is_none() -> None:
    """An empty list says that all was read."""
    assert read_statements(_answer(), STATEMENTS).at_odds == ()
    with pytest.raises(Malformed):
        read_statements(LlmAnswer("0" * 64, "model", (TextPart('{"conflicts":[]}'),), Usage()), STATEMENTS)
