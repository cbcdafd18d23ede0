"""The reducer reads statements for what is missing: it says by number which statement shows it, and with which of its words.

What it says of a number that no statement has, or with words that the statement does not have, is not taken, and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from coditect.agents.roles.answers import GapKind, GapsAnswer, ToldGap, output_schema, parsed
from coditect.agents.roles.at_odds.pairs import AskedStatement
from coditect.agents.roles.at_odds.statements import statement_lines
from coditect.agents.roles.fences import Fence, one_line
from coditect.agents.roles.quotes import find_words
from coditect.agents.roles.reducer import MARKUP
from coditect.agents.roles.role import Role
from coditect.models.llm import LlmAnswer, LlmRequest, TextBlock
from coditect.schemas.record import canonical_json, sha256_hex

__all__ = ["GapsReading", "MissingThing", "gaps_request", "gaps_role", "listed_documents", "read_gaps"]

LONGEST_ABOUT = 240
"""Code points of what is said of a gap."""

MOST_LISTED = 400
"""Documents that are listed by name; of a larger corpus the first ones."""


@dataclass(frozen=True, slots=True)
class MissingThing:
    """What a statement shows to be missing.

    Attributes:
        index: of the statement, 0-based.
        kind: what sort of thing.
        words: (first, last code point) in the statement of the words that name it.
        beside: index of another statement that shows it; None for none.
        about: what is missing, in the model's words; never cited.
    """

    index: int
    kind: GapKind
    words: tuple[int, int]
    beside: int | None
    about: str


@dataclass(frozen=True, slots=True)
class GapsReading:
    """What one answer says of its statements.

    Attributes:
        missing: in the order of their statements, each words once.
        rejections: why parts of the answer were not taken.
    """

    missing: tuple[MissingThing, ...]
    rejections: tuple[str, ...] = ()


@cache
def _prompt() -> str:
    return files("coditect.agents.roles").joinpath("prompts", "gaps.md").read_text(encoding="utf-8").strip()


def gaps_role(reducer: Role) -> Role:
    """The reducer as it reads statements for gaps: its model and limits, another prompt and answer; called "gaps"."""
    prompt, shape = _prompt(), output_schema(GapsAnswer)
    return replace(reducer, name="gaps", prompt=prompt, prompt_sha256=sha256_hex(prompt.encode()), output_schema=shape)


def listed_documents(documents: Sequence[tuple[str, str]]) -> str:
    """(name, title) of documents, a line of JSON each; of many the first, and how many others there are."""
    told: list[dict[str, str | int]] = [
        {"document": name, **({"title": title} if title else {})} for name, title in documents[:MOST_LISTED]
    ]
    rest = len(documents) - MOST_LISTED
    return "\n".join(canonical_json(each).decode() for each in [*told, *([{"others": rest}] if rest > 0 else [])])


def gaps_request(role: Role, statements: Sequence[AskedStatement], documents: Sequence[tuple[str, str]]) -> LlmRequest:
    """Ask what is missing.

    Args:
        role: of :func:`gaps_role`.
        statements: numbered from 1 in this order, those of a document one after the other.
        documents: (name, title) of all documents of the corpus.
    """
    lines, names = "\n".join(statement_lines(statements)), listed_documents(documents)
    fence = Fence.around((names, lines))
    shown = "\n\n".join((fence.wrap("documents", names), fence.wrap("statements", lines)))
    return role.request(TextBlock(f"{shown}\n\nRead the {len(statements)} statements."))


def read_gaps(answer: LlmAnswer, statements: Sequence[AskedStatement]) -> GapsReading:
    """What an answer says, less what cannot be so.

    Args:
        answer: what came back to the request.
        statements: of the request, in its order.

    Raises:
        Malformed: not of the asked-for shape.
    """
    found: dict[tuple[int, tuple[int, int]], MissingThing] = {}
    rejections: list[str] = []
    for raw in parsed(answer, GapsAnswer, "reducer").gaps:
        told, problem = _read(raw, statements)
        if told is None:
            rejections.append(problem)
        else:
            found.setdefault((told.index, told.words), told)
    return GapsReading(tuple(found[key] for key in sorted(found)), tuple(rejections))


def _read(raw: ToldGap, statements: Sequence[AskedStatement]) -> tuple[MissingThing | None, str]:
    """(what is missing, "") or (None, why it is not taken)."""
    if not 1 <= raw.n <= len(statements):
        return None, "a number that no statement has"
    place = find_words(raw.words, statements[raw.n - 1].text)
    if place is None:
        return None, "gap: words that the statement does not have"
    about = one_line(MARKUP.sub(" ", raw.about), LONGEST_ABOUT)
    if not about:
        return None, "gap: about nothing"
    beside = raw.beside - 1 if 1 <= raw.beside <= len(statements) and raw.beside != raw.n else None
    return MissingThing(raw.n - 1, raw.kind, place, beside, about), ""
