"""The reducer reads statements all at once: it says which two of them are at odds, by number, with the words of each that decide.

What it says of a number that no statement has, or supports with words that its statements do not have, is not taken, and counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from coditect.agents.roles.answers import AtOdds, ConflictKind, StatementsAnswer, output_schema, parsed
from coditect.agents.roles.at_odds.pairs import AskedStatement
from coditect.agents.roles.fences import Fence, one_line
from coditect.agents.roles.quotes import find_words
from coditect.agents.roles.reducer import LONGEST_ABOUT, MARKUP
from coditect.agents.roles.role import Role
from coditect.models.llm import LlmAnswer, LlmRequest, TextBlock
from coditect.schemas.record import canonical_json, sha256_hex

__all__ = [
    "StatementsAtOdds",
    "StatementsReading",
    "read_statements",
    "statement_lines",
    "statements_request",
    "statements_role",
]


@dataclass(frozen=True, slots=True)
class StatementsAtOdds:
    """Two statements that are at odds.

    Attributes:
        between: their indices, 0-based, the lower first.
        kind: of the difference.
        about: the subject in the model's words, at most 120 code points; never cited.
        words: (first, last code point) in the text of each of the words that are at odds.
    """

    between: tuple[int, int]
    kind: ConflictKind
    about: str
    words: tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class StatementsReading:
    """What one answer says of its statements.

    Attributes:
        at_odds: each two once, in the order of their indices.
        rejections: why parts of the answer were not taken.
    """

    at_odds: tuple[StatementsAtOdds, ...]
    rejections: tuple[str, ...] = ()


@cache
def _prompt() -> str:
    return files("coditect.agents.roles").joinpath("prompts", "statements.md").read_text(encoding="utf-8").strip()


def statements_role(reducer: Role) -> Role:
    """The reducer as it reads statements all at once: its model and limits, another prompt and answer; called "statements"."""
    prompt, shape = _prompt(), output_schema(StatementsAnswer)
    digest = sha256_hex(prompt.encode())
    return replace(reducer, name="statements", prompt=prompt, prompt_sha256=digest, output_schema=shape)


def statements_request(role: Role, statements: Sequence[AskedStatement]) -> LlmRequest:
    """Ask which two of these are at odds.

    Args:
        role: of :func:`statements_role`.
        statements: numbered from 1 in this order, those of a document one after the other.
    """
    lines = "\n".join(statement_lines(statements))
    fence = Fence.around((lines,))
    return role.request(TextBlock(fence.wrap("statements", lines) + f"\n\nRead the {len(statements)} statements."))


def statement_lines(statements: Sequence[AskedStatement]) -> Iterator[str]:
    """A line for each document, and behind it one for each of its statements, numbered from 1."""
    document = None
    for n, each in enumerate(statements, 1):
        told = each.body
        if each.document != document:
            document = each.document
            yield canonical_json({name: told[name] for name in ("document", "title", "role") if name in told}).decode()
        yield canonical_json({"n": n, **{name: told[name] for name in ("heading", "text") if name in told}}).decode()


def read_statements(answer: LlmAnswer, statements: Sequence[AskedStatement]) -> StatementsReading:
    """What an answer says, less what cannot be so.

    Args:
        answer: what came back to the request.
        statements: of the request, in its order.

    Raises:
        Malformed: not of the asked-for shape.
    """
    found: dict[tuple[int, int], StatementsAtOdds] = {}
    rejections: list[str] = []
    for raw in parsed(answer, StatementsAnswer, "reducer").at_odds:
        told, problem = _read(raw, statements)
        if told is None:
            rejections.append(problem)
        else:
            found.setdefault(told.between, told)
    return StatementsReading(tuple(found[key] for key in sorted(found)), tuple(rejections))


def _read(raw: AtOdds, statements: Sequence[AskedStatement]) -> tuple[StatementsAtOdds | None, str]:
    """(what is at odds, "") or (None, why it is not taken)."""
    if len(raw.between) != 2 or not all(1 <= n <= len(statements) for n in raw.between):
        return None, "a number that no statement has"
    if len(raw.words) != 2:
        return None, "conflict: not the words of each statement"
    about = one_line(MARKUP.sub(" ", raw.about), LONGEST_ABOUT)
    if not about:
        return None, "conflict: about nothing"
    sides = sorted(zip((n - 1 for n in raw.between), raw.words, strict=True))
    texts = [statements[index].text for index, _ in sides]
    if len({" ".join(text.split()).casefold() for text in texts}) < len(texts):
        return None, "conflict: the same words on two sides"
    first, second = (find_words(words, text) for (_, words), text in zip(sides, texts, strict=True))
    if first is None or second is None:
        return None, "conflict: words that a statement does not have"
    return StatementsAtOdds((sides[0][0], sides[1][0]), raw.kind, about, (first, second)), ""
