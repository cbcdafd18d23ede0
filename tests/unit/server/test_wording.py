"""Ways out of errors, told to who asks over HTTP."""

from __future__ import annotations

import pytest

from coditect.errors import NotFound
from coditect.server.problems import as_problem, http_words


@pytest.mark.parametrize(
    ("hint", "told"),
    [
        ("Say what you look for.", "Say what you look for."),
        ("", ""),
        (
            "Item ids are printed by 'coditect knowledge query'; check tenant, corpus and --as-of.",
            "Item ids are printed by 'GET …/query'; check tenant, corpus and as_of.",
        ),
        (
            "'coditect knowledge review' without --claim lists what needs review.",
            "'GET …/reviews/pending' lists what needs review.",
        ),
        (
            "'coditect knowledge review --list' shows what was decided.",
            "'GET …/reviews' shows what was decided.",
        ),
        (
            "Name its document with --framework, or its corpus with --framework-corpus.",
            "Name its document with framework, or its corpus with framework_corpus.",
        ),
        ("Run 'coditect store upgrade': readers go on meanwhile.", ""),
        ("Make room; run 'coditect store compact'.", "Make room."),
        ("run 'coditect store compact'. then ask again.", "Then ask again."),
        ("Run 'coditect knowledge build --corpus-id c'.", "Run 'POST …/builds'."),
        ("A well-kept --- line.", "A well-kept --- line."),
    ],
)
def test_commands_become_addresses_and_options_parameters(hint: str, told: str) -> None:
    """What only somebody with a shell can do is left out."""
    assert http_words(hint) == told


def test_problems_name_no_command() -> None:
    """The detail has the values and the way out."""
    problem = as_problem(
        NotFound("unknown item", item_id="x", hint="'coditect knowledge query' prints ids; see --as-of.")
    )
    assert problem.detail == "item_id x. 'GET …/query' prints ids; see as_of."
