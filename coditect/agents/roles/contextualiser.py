"""The contextualiser: a line that situates a passage in its document, for search alone.

The document comes first and is kept by the service, so that all passages of a document pay for it once. What is
written here is synthetic: it stands apart from Tier 1 and is never cited.

Source: Anthropic, "Introducing Contextual Retrieval", 2024.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from coditect.agents.roles.answers import prose
from coditect.agents.roles.fences import Fence, one_line
from coditect.agents.roles.role import Role, system_of
from coditect.errors import Malformed
from coditect.models.llm import CacheTtl, LlmAnswer, LlmRequest, TextBlock

__all__ = [
    "LONGEST_CONTEXT",
    "WHOLE_DOCUMENT",
    "ContextDocument",
    "Heading",
    "contextualiser_request",
    "read_context",
]

WHOLE_DOCUMENT = 280_000
"""Code points of a document that is shown whole, by default: about 80,000 tokens, below the 100,000 from which the default model
costs five times as much."""

LONGEST_CONTEXT = 600
"""Code points of a context, at most: 100 tokens, and a reserve."""

_NEIGHBOURHOOD = 20_000
_OUTLINE = 20_000
_MARKUP = re.compile(r"</?[A-Za-z][\w:-]{0,60}(?:\s[^<>]{0,300})?/?>|[*_`#]{1,6}(?=\S)|(?<=\S)[*_`]{1,3}")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the document.

    Attributes:
        start: where it stands, in code points.
        level: 1 is the outermost.
        text: printed label and heading.
    """

    start: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class ContextDocument:
    """The document that passages are situated in.

    Attributes:
        name: the document's name, as the model is told.
        text: its canonical text.
        headings: in document order; needed for long documents only.
    """

    name: str
    text: str
    headings: Sequence[Heading] = ()


def contextualiser_request(
    role: Role,
    document: ContextDocument,
    start: int,
    end: int,
    *,
    cache: CacheTtl = "5m",
    whole: int = WHOLE_DOCUMENT,
) -> LlmRequest:
    """Ask where a passage stands in its document.

    A document that is longer than ``whole`` is shown as its outline, and the passage with what stands around it.

    Args:
        role: the contextualiser, with its model and limits.
        document: where the passage stands.
        start: first code point of the passage.
        end: one past the last.
        cache: how long the service keeps the document for the next passage.
        whole: code points up to which a document is shown whole, > 0.
    """
    passage = document.text[start:end]
    outer = Fence.around((document.name, document.text))
    inner = Fence.around((passage,))
    if len(document.text) <= whole:
        shown = [TextBlock(outer.wrap("document", document.text, name=document.name), cache)]
    else:
        outline = outer.wrap("outline", _outline(document.headings), name=document.name)
        near = document.text[max(0, start - _NEIGHBOURHOOD) : end + _NEIGHBOURHOOD]
        shown = [TextBlock(outline, cache), TextBlock(outer.wrap("neighbourhood", near))]
    asked = inner.wrap("passage", passage) + "\n\nSituate this passage in the document."
    return role.request(*shown, TextBlock(asked), system=system_of(role, cache=""))


def read_context(answer: LlmAnswer) -> str:
    """The context in an answer: one line without mark-up, of at most :data:`LONGEST_CONTEXT` code points.

    Raises:
        Malformed: there is nothing in it, or far too much.
    """
    line = one_line(_MARKUP.sub("", "".join(prose(answer, "contextualiser"))))
    if len(line) > LONGEST_CONTEXT:
        line = _cut(line)
    if not any(character.isalnum() for character in line):
        raise Malformed("a context is empty", role="contextualiser", usage=answer.usage)
    return line


def _cut(line: str) -> str:
    """The sentences that fit, or the words if not one does."""
    head = line[:LONGEST_CONTEXT]
    ends = [found.end() for found in _SENTENCE_END.finditer(head)]
    if ends and ends[-1] >= LONGEST_CONTEXT // 3:
        return head[: ends[-1]]
    return head.rsplit(" ", 1)[0]


def _outline(headings: Iterable[Heading]) -> str:
    """One line for each heading, outermost levels first where not all fit."""
    found = [(heading, "  " * max(heading.level - 1, 0) + one_line(heading.text, 160)) for heading in headings]
    for deepest in (9, 3, 2, 1):
        lines = [line for heading, line in found if heading.level <= deepest]
        text = "\n".join(lines)
        if len(text) <= _OUTLINE:
            return text
    return text[:_OUTLINE].rsplit("\n", 1)[0]
