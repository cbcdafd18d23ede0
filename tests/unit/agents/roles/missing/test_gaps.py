"""Statements that are read for what is missing: what is asked, and what of an answer is taken."""

from __future__ import annotations

import json

import pytest

from coditect.agents.roles.at_odds.pairs import AskedStatement
from coditect.agents.roles.missing.gaps import MOST_LISTED, gaps_request, gaps_role, listed_documents, read_gaps
from coditect.agents.roles.role import ROLES
from coditect.errors import Malformed
from coditect.models.llm import LlmAnswer, TextBlock, TextPart, Usage

POLICY = AskedStatement(
    "policy.md", "Key Policy", "policy", "3 Loss", "Whoever loses a key follows the steps of Annex D."
)
OWNER = AskedStatement("policy.md", "Key Policy", "policy", "4 Control", "Next review:\n30 June 2026")
STATEMENTS = (POLICY, OWNER)
DOCUMENTS = (("guide.md", ""), ("policy.md", "Key Policy"))
TOLD = {"n": 1, "kind": "reference", "words": "Annex D", "beside": 2, "about": "there is <b>no</b> Annex D"}


def _answer(*gaps: object) -> LlmAnswer:
    return LlmAnswer("0" * 64, "model", (TextPart(json.dumps({"gaps": list(gaps)})),), Usage())


def test_request_names_all_documents_and_numbers_the_statements() -> None:
    """The documents stand before the statements, with their titles where they have one."""
    role = gaps_role(ROLES["reducer"])
    (block,) = gaps_request(role, STATEMENTS, DOCUMENTS).content
    assert isinstance(block, TextBlock)
    lines = [json.loads(line) for line in block.text.split("\n") if line.startswith("{")]
    assert lines[:2] == [{"document": "guide.md"}, {"document": "policy.md", "title": "Key Policy"}]
    assert [each.get("n") for each in lines[2:]] == [None, 1, 2]
    assert block.text.endswith("Read the 2 statements.")
    assert (role.name, role.model) == ("gaps", ROLES["reducer"].model)
    assert role.version != ROLES["reducer"].version


def test_of_many_documents_the_rest_is_counted() -> None:
    """A list that is cut says so."""
    told = listed_documents([(f"{n}.md", "") for n in range(MOST_LISTED + 7)]).split("\n")
    assert len(told) == MOST_LISTED + 1
    assert json.loads(told[-1]) == {"others": 7}


def test_gap_is_taken_once_with_the_place_of_its_words() -> None:
    """White space may be set otherwise; mark-up of what it is about goes; a gap told twice is one."""
    due = {"n": 2, "kind": "dated", "words": "review: 30 June 2026", "beside": 0, "about": "the review"}
    found = read_gaps(_answer(due, TOLD, {**TOLD, "about": "again"}), STATEMENTS)
    first, second = found.missing
    assert (first.index, first.kind, first.beside, first.about) == (0, "reference", 1, "there is no Annex D")
    assert POLICY.text[slice(*first.words)] == "Annex D"
    assert OWNER.text[slice(*second.words)] == "review:\n30 June 2026"
    assert second.beside is None
    assert found.rejections == ()


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"n": 3}, "a number that no statement has"),
        ({"n": 0}, "a number that no statement has"),
        ({"words": "Annex E"}, "gap: words that the statement does not have"),
        ({"words": "Annex"}, ""),
        ({"words": "nnex D"}, "gap: words that the statement does not have"),
        ({"about": " <i></i> "}, "gap: about nothing"),
        ({"beside": 9}, ""),
    ],
)
def test_gap_that_cannot_be_so_is_not_taken(changed: dict[str, object], why: str) -> None:
    """It is counted by its reason; a statement beside it that there is not is left out."""
    found = read_gaps(_answer({**TOLD, **changed}), STATEMENTS)
    assert found.rejections == ((why,) if why else ())
    assert [each.beside for each in found.missing] == ([] if why else [None if "beside" in changed else 1])


def test_answer_of_another_shape_is_malformed() -> None:
    """A kind that nobody asked for is none."""
    with pytest.raises(Malformed):
        read_gaps(_answer({**TOLD, "kind": "conflict"}), STATEMENTS)
