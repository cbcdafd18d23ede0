"""Prohibitions that limit what a question asks for: "who may use shared accounts" is answered by their prohibition, too."""

from __future__ import annotations

from collections.abc import Iterable

from coditect.language.reading.sentence import read_sentence, split_sentences
from coditect.language.tables import read_table
from coditect.retrieve.words import stems

__all__ = ["asks_for_leave", "forbids"]

_LEAVE = frozenset(read_table("asking").words("leave"))
_EXERCISING = frozenset(stem for word in read_table("modality").words("exercising") for stem in stems(word))
_FEWEST = 2
"""Words beside the verb that a question must have to be told from others."""


def asks_for_leave(query: str) -> bool:
    """Whether a question asks what somebody may do: "who may", "are we allowed to".

    Args:
        query: the question.
    """
    return not _LEAVE.isdisjoint(query.casefold().split())


def forbids(text: str, wanted: Iterable[str]) -> bool:
    """Whether one sentence of a text forbids something and has all that a question is about, but for a verb of having or using.

    Args:
        text: of a hit.
        wanted: stems that say what the question is about.
    """
    about = frozenset(wanted) - _EXERCISING - _LEAVE
    if len(about) < _FEWEST:
        return False
    return any(
        about <= frozenset(stems(sentence)) and _is_forbidding(sentence)
        for start, end in split_sentences(text)
        if (sentence := text[start:end])
    )


def _is_forbidding(sentence: str) -> bool:
    return any(token.role == "modal" and token.key == "shall not" for token in read_sentence(sentence).tokens)
