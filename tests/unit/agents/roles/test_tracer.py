"""A statement rests on a change by words of both, or it is not taken."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coditect.agents.roles.at_odds.pairs import AskedStatement
from coditect.agents.roles.on_request.tracer import AskedChange, Traced, Tracing, read_tracing, tracer_request
from coditect.agents.roles.quotes import LONGEST_REASON
from coditect.agents.roles.role import ROLES
from coditect.errors import Malformed
from tests.unit.agents.roles.material import ATTACK, answered, fenced, turn

CHANGES = (
    AskedChange(
        "1.1", "1 Reporting", "An institution shall notify the authority within 72 hours.", "… within 24 hours."
    ),
    AskedChange("1.2", "", "A register is kept for five years.", ""),
)
STATEMENTS = (
    AskedStatement("a.md", "Incidents", "policy", "1 Desk", "The desk phones “the supervisor” inside three days."),
    AskedStatement("a.md", "Incidents", "policy", "1 Desk", "The black book goes to the shredder after half a decade."),
    AskedStatement("b.md", "", "", "", "Lunch is at noon."),
)


def rests(statement: int, change: int, said: str, before: str, reason: str = "So.") -> dict[str, Any]:
    """What a model reports."""
    words = {"statement_words": said, "before_words": before}
    return {"statement": statement, "change": change, **words, "reason": reason}


def read(*reported: dict[str, Any], statements: tuple[AskedStatement, ...] = STATEMENTS) -> Tracing:
    """What is taken of an answer."""
    return read_tracing(answered({"rests": list(reported)}), CHANGES, statements)


def test_statement_is_taken_with_words_of_both_as_they_are_printed() -> None:
    """Quotation marks and spaces may differ; each statement is told once beside a change, with the reason on one line."""
    found = read(
        rests(1, 1, 'phones "the  supervisor" inside three days', "within 72 hours.", "A\nB " + "x" * LONGEST_REASON),
        rests(1, 1, "The desk phones", "shall notify the authority"),
        rests(2, 2, "after half a decade", "kept for five years"),
    )
    first, second = found.traced
    assert (first.statement, first.change) == (0, 0)
    assert first.statement_words == "phones “the supervisor” inside three days"
    assert first.before_words == "within 72 hours."
    assert first.reason.startswith("A B x")
    assert len(first.reason) == LONGEST_REASON
    assert second == Traced(1, 1, "So.", "after half a decade", "kept for five years")
    assert (found.rejections, found.addressed) == ((), False)


@pytest.mark.parametrize(
    ("reported", "problem"),
    [
        (rests(4, 1, "Lunch is at noon.", "within 72 hours."), "a number that no statement has"),
        (rests(0, 1, "Lunch is at noon.", "within 72 hours."), "a number that no statement has"),
        (rests(3, 3, "Lunch is at noon.", "within 72 hours."), "a number that no change has"),
        (rests(1, 1, "Lunch is at noon.", "within 72 hours."), "words that the statement does not have"),
        (rests(3, 1, "Lunch is at noon.", "within 24 hours."), "words that the provision does not have"),
        (rests(3, 1, "Lunch is at noon.", ""), "words that the provision does not have"),
        (rests(3, 1, "Lunch", "within 72 hours."), "words that say too little"),
        (rests(3, 1, "Lunch is at noon.", "72 hours"), "words that say too little"),
    ],
)
def test_what_the_words_do_not_bear_out_is_not_taken(reported: dict[str, Any], problem: str) -> None:
    """The words after a change are none that a statement rested on."""
    assert read(reported) == Tracing((), (problem,))


def test_answer_that_reports_nothing_is_one() -> None:
    """No statement rests on a change; another shape is no answer."""
    assert read() == Tracing(())
    with pytest.raises(Malformed):
        read_tracing(answered({"found": []}), CHANGES, STATEMENTS)


@pytest.mark.parametrize("place", range(2))
def test_text_that_speaks_to_a_model_is_told(place: int) -> None:
    """Whatever it made the model leave out may rest on a change."""
    attacked = (
        AskedStatement("c.md", "", "", "", ATTACK)
        if place
        else AskedStatement("c.md", ATTACK, "", "", "Lunch is at one.")
    )
    assert read(statements=(*STATEMENTS, attacked)).addressed


def test_request_has_changes_and_statements_a_line_each() -> None:
    """A document is a line of its own; what is not known is left out; no text can pose as another line."""
    shown = turn(tracer_request(ROLES["tracer"], CHANGES, (*STATEMENTS, AskedStatement("c.md", "", "", "", "a\n{"))))
    (changes,), (statements,) = fenced(shown, "changes"), fenced(shown, "statements")
    assert [json.loads(line) for line in changes.split("\n")] == [
        {"change": 1, "place": "1.1", "under": "1 Reporting", "before": CHANGES[0].before, "after": CHANGES[0].after},
        {"change": 2, "place": "1.2", "before": CHANGES[1].before},
    ]
    assert [json.loads(line) for line in statements.split("\n")] == [
        {"document": "a.md", "title": "Incidents", "role": "policy"},
        {"n": 1, "heading": "1 Desk", "text": STATEMENTS[0].text},
        {"n": 2, "heading": "1 Desk", "text": STATEMENTS[1].text},
        {"document": "b.md"},
        {"n": 3, "text": "Lunch is at noon."},
        {"document": "c.md"},
        {"n": 4, "text": "a\n{"},
    ]
    assert shown.endswith("Which of the 4 statements rest on the 2 changes?")
