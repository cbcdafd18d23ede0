"""The tracer (work lists): reads provisions that changed beside statements of other documents, and says which rest on them.

It answers by numbers, with words of both sides. What it says of a number that was not shown, or supports with words that its sides
do not have, is not taken, and counted. What it does not report says nothing where a text that was shown speaks to a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coditect.agents.roles.answers import TracedStatement, TracerAnswer, parsed
from coditect.agents.roles.at_odds.pairs import AskedStatement
from coditect.agents.roles.at_odds.statements import statement_lines
from coditect.agents.roles.fences import Fence, addresses_model, one_line
from coditect.agents.roles.quotes import LEAST_QUOTED, LONGEST_REASON, find_words, letters_in
from coditect.agents.roles.role import Role
from coditect.models.llm import LlmAnswer, LlmRequest, TextBlock
from coditect.schemas.record import canonical_json

__all__ = ["AskedChange", "Traced", "Tracing", "read_tracing", "tracer_request"]


@dataclass(frozen=True, slots=True)
class AskedChange:
    """A provision that was amended or removed.

    Attributes:
        place: that a person cites; "" where nothing is numbered.
        under: headings and lead-ins that it stands under; "" for none.
        before: its words as they were.
        after: its words now; "" where it was removed.
    """

    place: str
    under: str
    before: str
    after: str

    @property
    def body(self) -> dict[str, str]:
        """What is known of it, by name."""
        told = {"place": self.place, "under": self.under, "before": self.before, "after": self.after}
        return {name: value for name, value in told.items() if value}


@dataclass(frozen=True, slots=True)
class Traced:
    """A statement that rests on a change.

    Attributes:
        statement: its index, 0-based.
        change: the index of the change, 0-based.
        reason: the model's, on one line, at most 500 code points; synthetic.
        statement_words: as they stand in the statement.
        before_words: as they stood in the provision.
    """

    statement: int
    change: int
    reason: str
    statement_words: str
    before_words: str


@dataclass(frozen=True, slots=True)
class Tracing:
    """What one answer says.

    Attributes:
        traced: in the order of the answer, a statement beside a change once.
        rejections: why parts of it were not taken.
        addressed: a text that the request shows speaks to a model, so that what is not reported may rest on a change all the same.
    """

    traced: tuple[Traced, ...]
    rejections: tuple[str, ...] = ()
    addressed: bool = False


def tracer_request(role: Role, changes: Sequence[AskedChange], statements: Sequence[AskedStatement]) -> LlmRequest:
    """Ask which statements rest on these changes.

    Args:
        role: the tracer, with its model and limits.
        changes: numbered from 1 in this order; at least one.
        statements: numbered from 1 in this order, those of a document one after the other; at least one.
    """
    changed = "\n".join(canonical_json({"change": n, **each.body}).decode() for n, each in enumerate(changes, 1))
    stated = "\n".join(statement_lines(statements))
    fence = Fence.around((changed, stated))
    asked = f"Which of the {len(statements)} statements rest on the {len(changes)} changes?"
    return role.request(
        TextBlock("\n\n".join((fence.wrap("changes", changed), fence.wrap("statements", stated), asked)))
    )


def read_tracing(answer: LlmAnswer, changes: Sequence[AskedChange], statements: Sequence[AskedStatement]) -> Tracing:
    """What an answer says, less what its words do not bear out.

    Args:
        answer: what came back to the request.
        changes: of the request, in its order.
        statements: of the request, in its order.

    Raises:
        Malformed: not of the asked-for shape.
    """
    found: dict[tuple[int, int], Traced] = {}
    rejections: list[str] = []
    for raw in parsed(answer, TracerAnswer, "tracer").rests:
        told, problem = _read(raw, changes, statements)
        if told is None:
            rejections.append(problem)
        else:
            found.setdefault((told.statement, told.change), told)
    shown = (
        *(text for each in changes for text in each.body.values()),
        *(t for s in statements for t in s.body.values()),
    )
    return Tracing(tuple(found.values()), tuple(rejections), any(map(addresses_model, shown)))


def _read(
    raw: TracedStatement, changes: Sequence[AskedChange], statements: Sequence[AskedStatement]
) -> tuple[Traced | None, str]:
    """(what rests on a change, "") or (None, why it is not taken)."""
    if not 1 <= raw.statement <= len(statements):
        return None, "a number that no statement has"
    if not 1 <= raw.change <= len(changes):
        return None, "a number that no change has"
    said, before = statements[raw.statement - 1].text, changes[raw.change - 1].before
    words, rested = _quoted(raw.statement_words, said), _quoted(raw.before_words, before)
    if words is None or rested is None:
        return None, f"words that the {'statement' if words is None else 'provision'} does not have"
    if not (_says_enough(words, said) and _says_enough(rested, before)):
        return None, "words that say too little"
    return Traced(raw.statement - 1, raw.change - 1, one_line(raw.reason, LONGEST_REASON), words, rested), ""


def _quoted(words: str, text: str) -> str | None:
    """Words as they stand in a text; None where they do not."""
    place = find_words(words, text)
    return None if place is None else text[place[0] : place[1]]


def _says_enough(words: str, text: str) -> bool:
    return letters_in(words) >= min(LEAST_QUOTED, letters_in(text))
