"""Errors as people at a browser read them: no commands, no names of fields, and a way out."""

from __future__ import annotations

import pytest

from coditect.errors import CoditectError, Conflict, Corrupt, NotFound, Unavailable, UsageError
from coditect.server.explorer.plain import plain_problem, said


@pytest.mark.parametrize(
    ("error", "title", "detail"),
    [
        (
            NotFound("unknown item", item_id="claim_0", hint="Item ids are printed by 'coditect knowledge query'."),
            "there is nothing with this number in what is shown here",
            "It may belong to another generation, or have been removed since the link was made.",
        ),
        (
            NotFound("no document of this name", name="x", hint="It may belong to another generation: give --as-of."),
            "no document of this name",
            "It may belong to another generation, or have been removed since the link was made.",
        ),
        (
            UsageError("an unknown tier", tier="x", hint="Set CODITECT_TIER."),
            "an unknown tier",
            "Go back, and ask in another way.",
        ),
        (UsageError("no decision was chosen", hint="Choose one."), "no decision was chosen", "Choose one."),
        (Conflict("somebody was faster"), "somebody was faster", ""),
        (Unavailable("the store does not answer"), "the store does not answer", "Come again in a moment."),
        (Corrupt("a row is broken", table="x"), "the server could not answer", "The operator's log says why."),
    ],
    ids=lambda each: type(each).__name__,
)
def test_an_error_is_told_without_commands_and_fields(error: CoditectError, title: str, detail: str) -> None:
    """With what the hint says to people, or else with what can be done in a browser."""
    problem = plain_problem(error)
    assert (problem.title, problem.detail) == (title, detail)


def test_busy_pages_say_when_to_come_again() -> None:
    """The header stays."""
    assert plain_problem(Unavailable("the store does not answer")).headers == {"Retry-After": "1"}


def test_a_line_on_a_page_is_a_sentence() -> None:
    """With the hint where it is for people."""
    assert said(UsageError("no decision was chosen", hint="Choose one.")) == "No decision was chosen. Choose one."
    assert said(NotFound("unknown document", hint="Run 'coditect knowledge documents'.")) == (
        "There is no such document in what is shown here."
    )
