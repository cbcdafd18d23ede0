"""What a definition is recorded as: the mark that all its readers make, and the forms that it may have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from coditect.language.marks import JsonValue, Mark, sort_data
from coditect.schemas.tier1.data import DefinitionForm

__all__ = ["FORMS", "Definiendum", "definition_mark"]

FORMS: tuple[DefinitionForm, ...] = get_args(DefinitionForm)
"""All forms, those first that tell most of what a term means."""


def definition_mark(
    start: int, end: int, term: str, definition: str, aliases: Sequence[str], confidence: float, form: DefinitionForm
) -> Mark:
    """The mark that records a definition.

    Args:
        start: first code point of the quote.
        end: one past its last.
        term: the word or words that are defined.
        definition: the words that define it; "" where they follow as a list.
        aliases: other names that the text gives to the same thing.
        confidence: 0..1.
        form: how the words define it.
    """
    data: dict[str, JsonValue | None] = {
        "term": term,
        "definition": definition,
        "aliases": list(aliases),
        "form": form,
    }
    return Mark("definition", start, end, sort_data(data), confidence)


@dataclass(frozen=True, slots=True)
class Definiendum:
    """A term with the verb that defines it, before it is known where its definition ends.

    Attributes:
        start: first code point of what names the term.
        verb_end: one past the verb.
        term: the word or words that are defined.
        aliases: other names that the text gives to the same thing.
        confidence: 0..1.
        form: how the words define it.
        apart: whether the aliases are terms of their own, each with its own meaning: "A, B and C have the meanings given in".
        joined: those of the aliases that are terms of their own with the same meaning: '"A" or "B" means'.
        meant: where the words stand that define it, if they do in front of the verb: "These fees are called".
    """

    start: int
    verb_end: int
    term: str
    aliases: tuple[str, ...]
    confidence: float
    form: DefinitionForm
    meant: tuple[int, int] | None = None
    apart: bool = False
    joined: tuple[str, ...] = ()

    def at_quote(self, other: Definiendum) -> bool:
        """Whether this verb comes before the quoted term of another: 'Control, as used in "affiliate", means'."""
        return other.start > self.verb_end or (self.start < other.start < self.verb_end <= other.verb_end)
