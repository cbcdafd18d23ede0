"""A guess about a document, and the words that it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["HEAD", "Guess", "GuessBasis", "Guesses"]

HEAD = 20_000
"""Characters from the beginning of a document that are looked at: what a document is, it says on its first pages."""

GuessBasis = Literal["text", "title", "file name"]


@dataclass(frozen=True, slots=True)
class Guess:
    """One thing that a document seems to say of itself.

    Attributes:
        value: normalised: a role, an ISO date, a name.
        basis: where the words stand that it rests on.
        quote: these words, verbatim.
        start: of words in the text, their first code point; -1 for words of the title or the file name.
        end: one past their last; -1 likewise.
        called: of a party, what the document calls it.
    """

    value: str
    basis: GuessBasis
    quote: str
    start: int = -1
    end: int = -1
    called: str = ""


@dataclass(frozen=True, slots=True)
class Guesses:
    """What a document seems to say of itself; None and () where it says nothing of the kind."""

    role: Guess | None = None
    title: Guess | None = None
    edition: Guess | None = None
    date: Guess | None = None
    effective_from: Guess | None = None
    effective_to: Guess | None = None
    next_review: Guess | None = None
    owner: Guess | None = None
    parties: tuple[Guess, ...] = ()
    supersedes: tuple[Guess, ...] = ()
    also_called: tuple[Guess, ...] = ()
