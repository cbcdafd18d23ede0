"""The reducer reads statements two at a time: it says which of them are at odds, by number, with the words of each that decide.

A set that it does not speak of, speaks of twice, or supports with words that its statements do not have is not taken: nothing is
published of it, and the build counts it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from coditect.agents.roles.answers import (
    ConflictKind,
    NoConflict,
    PairsAnswer,
    PairsConflict,
    output_schema,
    parsed,
)
from coditect.agents.roles.fences import Fence, one_line
from coditect.agents.roles.quotes import find_words
from coditect.agents.roles.reducer import LONGEST_ABOUT, MARKUP
from coditect.agents.roles.role import Role
from coditect.models.llm import LlmAnswer, LlmRequest, TextBlock
from coditect.schemas.record import canonical_json, sha256_hex

__all__ = ["DENIALS", "AskedStatement", "SetReading", "SetReadings", "pairs_request", "pairs_role", "read_pairs"]

DENIALS: Mapping[NoConflict, str] = MappingProxyType(
    {
        "other_matter": "they speak of different matters",
        "other_people": "they bind different people",
        "other_circumstances": "they hold in different circumstances",
        "exception": "one is the rule and the other its exception",
        "stricter": "whoever follows the stricter one complies with both",
        "detail": "one sums up or details the other, or is another step",
        "alternative": "they are alternatives of which one is taken",
        "same": "they say the same",
        "no_rule": "one of them is no rule and does not say what holds",
        "unclear": "what one of them is about cannot be told from it",
    }
)
"""Why statements are not at odds, in words for the verdict."""


@dataclass(frozen=True, slots=True)
class AskedStatement:
    """A statement as the reducer is shown it.

    Attributes:
        document: the name of its document.
        title: of the document; "" where it has none.
        role: of the document; "" where it is not known.
        heading: that it stands under; "" for none.
        text: its words, verbatim.
    """

    document: str
    title: str
    role: str
    heading: str
    text: str

    @property
    def body(self) -> dict[str, str]:
        """What is known of it, by name."""
        heading = "" if self.heading == self.title else self.heading
        told = {"document": self.document, "title": self.title, "role": self.role, "heading": heading}
        return {**{name: value for name, value in told.items() if value}, "text": self.text}


@dataclass(frozen=True, slots=True)
class SetReading:
    """What is said of one set.

    Attributes:
        kind: of the conflict; None where there is none.
        about: the subject in the model's words, at most 120 code points; never cited. "" where there is no conflict.
        words: (first, last code point) in each statement of the words that are at odds; empty where there is no conflict.
        why: why there is none; None where there is one.
    """

    kind: ConflictKind | None = None
    about: str = ""
    words: tuple[tuple[int, int], ...] = ()
    why: NoConflict | None = None


@dataclass(frozen=True, slots=True)
class SetReadings:
    """What one answer says of its sets.

    Attributes:
        readings: of each set in its order; None where what was said of it cannot be taken, or nothing was.
        rejections: why parts of the answer were not taken.
    """

    readings: tuple[SetReading | None, ...]
    rejections: tuple[str, ...] = ()


@cache
def _prompt() -> str:
    return files("coditect.agents.roles").joinpath("prompts", "pairs.md").read_text(encoding="utf-8").strip()


def pairs_role(reducer: Role) -> Role:
    """The reducer as it reads statements two at a time: its model and limits, another prompt and answer; called "pairs"."""
    prompt = _prompt()
    shape = output_schema(PairsAnswer)
    return replace(reducer, name="pairs", prompt=prompt, prompt_sha256=sha256_hex(prompt.encode()), output_schema=shape)


def pairs_request(role: Role, sets: Sequence[Sequence[AskedStatement]]) -> LlmRequest:
    """Ask which of these sets hold statements that are at odds.

    Args:
        role: of :func:`pairs_role`.
        sets: numbered from 1 in this order, each of two statements or more.
    """
    lines = "\n".join(
        canonical_json({"n": n, "statements": [each.body for each in one]}).decode() for n, one in enumerate(sets, 1)
    )
    fence = Fence.around((lines,))
    return role.request(TextBlock(fence.wrap("sets", lines) + f"\n\nRead the {len(sets)} sets."))


def read_pairs(answer: LlmAnswer, sets: Sequence[Sequence[AskedStatement]]) -> SetReadings:
    """What an answer says, less what cannot be so.

    Args:
        answer: what came back to the request.
        sets: of the request, in its order.

    Raises:
        Malformed: not of the asked-for shape.
    """
    found = parsed(answer, PairsAnswer, "reducer")
    spoken = Counter([each.n for each in found.conflicts] + [each.n for each in found.others])
    rejections = ["a number that no set has" for n in spoken if not 1 <= n <= len(sets)]
    readings: dict[int, SetReading] = {}
    for other in found.others:
        readings[other.n] = SetReading(why=other.why)
    for raw in found.conflicts:
        reading, problem = _conflict(raw, sets[raw.n - 1]) if 1 <= raw.n <= len(sets) else (None, "")
        if reading is not None:
            readings[raw.n] = reading
        elif problem:
            readings.pop(raw.n, None)
            rejections.append(problem)
    for n in range(1, len(sets) + 1):
        if spoken[n] != 1:
            readings.pop(n, None)
            rejections.append("a set is told of twice" if spoken[n] else "a set is not told of")
    return SetReadings(tuple(readings.get(n) for n in range(1, len(sets) + 1)), tuple(rejections))


def _conflict(raw: PairsConflict, statements: Sequence[AskedStatement]) -> tuple[SetReading | None, str]:
    """(the conflict, "") or (None, why it is not taken)."""
    about = one_line(MARKUP.sub(" ", raw.about), LONGEST_ABOUT)
    if not about:
        return None, "conflict: about nothing"
    if len(raw.words) != len(statements):
        return None, "conflict: not the words of each statement"
    places = [find_words(words, each.text) for words, each in zip(raw.words, statements, strict=True)]
    held = tuple(place for place in places if place is not None)
    if len(held) < len(places):
        return None, "conflict: words that a statement does not have"
    if len({" ".join(each.text.split()).casefold() for each in statements}) < len(statements):
        return None, "conflict: the same words on two sides"
    return SetReading(raw.kind, about, held), ""
