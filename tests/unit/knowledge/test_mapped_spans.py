"""What of a document is given to the mapper at once."""

from __future__ import annotations

import pytest

from coditect.agents.roles.passage_groups import GROUP_TOKENS
from coditect.documents.source import SourceText
from coditect.knowledge.model_roles.mapper import CHARS_PER_TOKEN, _spans

LONGEST = GROUP_TOKENS * CHARS_PER_TOKEN


@pytest.mark.parametrize(
    ("text", "cuts"),
    [
        ("x" * LONGEST, []),
        ("x" * (LONGEST + 1), [LONGEST]),
        ("x" * (LONGEST - 10) + "\n" + "x" * 20, [LONGEST - 10]),
        ("x" * (LONGEST - 10) + " " + "x" * 20, [LONGEST - 10]),
        (
            "x" * (LONGEST * 3 // 4) + "\n" + "y" * (LONGEST // 8) + " " + "z" * LONGEST,
            [LONGEST * 3 // 4, LONGEST * 7 // 4],
        ),
        ("x" * (LONGEST // 4) + "\n" + "y" * LONGEST, [LONGEST]),
        ("x" * (2 * LONGEST + 5), [LONGEST, 2 * LONGEST]),
    ],
)
def test_long_block_is_cut_at_a_line_a_blank_or_its_limit(text: str, cuts: list[int]) -> None:
    """A line end of the second half first, else a blank there, else where it is full; nothing is lost, nothing twice."""
    spans = list(_spans(SourceText(text, "text/plain", blocks=())))
    assert [span.start for span in spans] == [0, *cuts]
    assert [span.end for span in spans] == [*cuts, len(text)]
    assert all(0 < span.tokens <= GROUP_TOKENS for span in spans)
    assert spans[-1].tokens == max(1, (spans[-1].end - spans[-1].start) // CHARS_PER_TOKEN)
