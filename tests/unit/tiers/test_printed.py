"""What a document prints by the word: what it says it does not print stands in none of its statements."""

from __future__ import annotations

import random

from coditect.tiers.findings.said.printed import line_of_words, printed_words
from coditect.tiers.findings.said.statements import statements_of
from tests.unit.tiers.corpora import chunks_of

TEXT = """# Laboratory Policy

## 1 Handling of samples

1.1 The Quality Manager shall keep each sample. The Vice-President of Operations must approve it.

1.2 Sub-quality managers may not open a Sealed Box. Boxes are dated.

## 2 Roles

2.1 The Records Manager, who is the Quality\tManager's deputy, shall file the log of the O’Neil Laboratory.
"""


def test_words_that_a_document_does_not_print_stand_in_none_of_its_statements() -> None:
    """Of any piece of its lines, and of pieces put together, the words say whether they may be there; never no where they are."""
    statements = statements_of(chunks_of({"policy.md": TEXT}))
    printed = printed_words(statements)
    lines = [line_of_words(each) for each in statements]
    draw = random.Random(7)  # noqa: S311 - drawn for a test
    refused = 0
    for _ in range(3_000):
        words = draw.choice(lines).split()
        begin = draw.randrange(len(words))
        other = draw.sample((*words, "officer", "register"), draw.randint(0, 1))
        piece = " ".join([*words[begin : begin + draw.randint(1, 3)], *other])
        asked = piece[draw.randint(0, 2) : len(piece) - draw.randint(0, 2)]
        is_there = any(asked in line for line in lines)
        assert printed.may_print(asked) or not is_there, asked
        refused += not printed.may_print(asked)
    assert printed.may_print("quality manager")
    assert not printed.may_print("quality officer")
    assert refused


def test_words_without_capitals_and_headings_are_told() -> None:
    """A word that stands somewhere without capitals is a plain one; one that never does is among the others."""
    printed = printed_words(statements_of(chunks_of({"policy.md": TEXT})))
    assert "\nsample\n" in printed.plain
    assert "\nsealed\n" not in printed.plain
    assert "\nsealed\n" in printed.others
    assert any("handling of samples" in each for each in printed.headings)
