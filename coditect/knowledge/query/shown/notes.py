"""What is to be said of an answer as a whole: how the question was read, and why nothing answers it."""

from __future__ import annotations

from collections.abc import Sequence

from coditect.retrieve.languages import foreign_language
from coditect.retrieve.port import Answer
from coditect.schemas import Item

__all__ = ["LEFT_OUT", "note_on"]

LEFT_OUT = "what comes nearest is left out as not relevant; without the gate it is shown"


def note_on(asked: str, answer: Answer, items: Sequence[Item], *, explain: bool = False) -> str:
    """A sentence on an answer, or "".

    Args:
        asked: the question as it was put.
        answer: of the searcher.
        items: what is left of it.
        explain: say which terms were looked for beside the words of the question.
    """
    told = [f"read as: {answer.read_as}"] if answer.read_as else []
    if explain:
        told += [f"looked for beside “{each.said}”: {', '.join(each.terms)}" for each in answer.spoken]
    if told or items:
        return "; ".join(told)
    if language := foreign_language(asked):
        seems = language if language.startswith("in ") else f"to be {language}"
        return f"no answer in English; the question seems {seems}"
    if answer.found:
        return LEFT_OUT
    return ""
