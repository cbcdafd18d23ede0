"""The selector (Tier 2, ``llm_extractive``): which sentences stand for a chunk. It returns numbers, never words."""

from __future__ import annotations

from collections.abc import Sequence

from coditect.agents.roles.answers import SelectorAnswer, parsed
from coditect.agents.roles.fences import Fence, one_line
from coditect.agents.roles.role import Role
from coditect.errors import Malformed
from coditect.models.llm import LlmAnswer, LlmRequest, TextBlock

__all__ = ["LONGEST_SHOWN", "read_selected", "selector_request"]

LONGEST_SHOWN = 2_000
"""Code points of a sentence that the model is shown; a longer one is cut for it, not in what is selected."""


def selector_request(role: Role, sentences: Sequence[str], most: int, *, heading: str = "") -> LlmRequest:
    """Ask for the sentences that stand for a chunk.

    Args:
        role: the selector, with its model and limits.
        sentences: of one structural chunk, in document order, at least one.
        most: how many may be chosen, > 0.
        heading: of the chunk, or "".
    """
    # A sentence is shown on one line: none can forge the number of another.
    lines = "\n".join(f"[{n}] {one_line(each, LONGEST_SHOWN)}" for n, each in enumerate(sentences, 1))
    fence = Fence.around((heading, lines))
    asked = f"Choose at most {most} of the {len(sentences)} sentences."
    return role.request(TextBlock(fence.wrap("sentences", lines, heading=heading) + "\n\n" + asked))


def read_selected(answer: LlmAnswer, count: int, most: int) -> tuple[int, ...]:
    """Indexes of the chosen sentences, 0-based, most important first.

    Args:
        answer: what came back to the request.
        count: of sentences that there are.
        most: that might be chosen.

    Raises:
        Malformed: not of the asked-for shape; none, too many, one twice, or one that does not exist.
    """
    numbers = parsed(answer, SelectorAnswer, "selector").sentences
    problem = ""
    if not numbers:
        problem = "none chosen"
    elif len(numbers) > most:
        problem = "more than asked for"
    elif len(set(numbers)) < len(numbers):
        problem = "one chosen twice"
    elif not all(1 <= number <= count for number in numbers):
        problem = "a number that no sentence has"
    if problem:
        raise Malformed("a selection cannot be used", role="selector", problem=problem, usage=answer.usage)
    return tuple(number - 1 for number in numbers)
