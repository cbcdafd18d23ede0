"""Errors in words for people at a browser: without commands to type, and without the names of fields."""

from __future__ import annotations

import re

from coditect.errors import CoditectError
from coditect.server.problems import Problem, as_problem

__all__ = ["plain_problem", "said"]

_FOR_OPERATORS = re.compile(r"'?\bcoditect\b|(?<!\S)'?--\w|\bCODITECT_|--as-of")
"""What stands in hints for who sits at a command line."""

_WORDS = {
    "unknown corpus": "there is no such corpus, or it is not open to you",
    "unknown item": "there is nothing with this number in what is shown here",
    "unknown finding": "there is no such finding in what is shown here",
    "unknown document": "there is no such document in what is shown here",
    "not an item id": "this address does not lead to anything",
    "this item stands in no tier": "this has no page of its own",
}
"""Errors that the title of every kind of caller tells too shortly."""

_OWN_WAYS_OUT = {"the corpus was never built": "Come again when it is: whoever adds documents to it sees to that."}

_WAYS_OUT = {
    400: "Go back, and ask in another way.",
    404: "It may belong to another generation, or have been removed since the link was made.",
    503: "Come again in a moment.",
}


def plain_problem(error: CoditectError) -> Problem:
    """The problem that an error is to a person, with a way out that can be gone in a browser."""
    problem = as_problem(error)
    if problem.status == 500:
        return problem
    title = _WORDS.get(problem.title, problem.title)
    hint = _hint(error) or _OWN_WAYS_OUT.get(problem.title) or _WAYS_OUT.get(problem.status, "")
    return Problem(problem.status, title, hint, problem.headers)


def said(error: CoditectError) -> str:
    """The same as a line on a page that can ask again."""
    title = _WORDS.get(error.message, error.message)
    return f"{title[:1].upper()}{title[1:]}. {_hint(error)}".strip()


def _hint(error: CoditectError) -> str:
    hint = error.hint or ""
    return "" if _FOR_OPERATORS.search(hint) else hint
