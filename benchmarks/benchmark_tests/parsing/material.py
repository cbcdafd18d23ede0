"""A sentence of our own as a task, and what the gold would say of it."""

from __future__ import annotations

from coditect_benchmarks.gold.records import Norm, Span, Time
from coditect_benchmarks.parsing.clauses import Clause, Place
from coditect_benchmarks.parsing.tasks import Task

TEXT = "If a key is lost, the keeper must inform the owner within 5 days."
AT = 100
"""Where the sentence begins in its document."""


def place(words: str, text: str = TEXT) -> Place:
    """Where some words stand in a sentence."""
    return text.index(words), text.index(words) + len(words)


def task(text: str = TEXT, *clauses: Clause) -> Task:
    """A sentence that speaks for itself."""
    return Task("doc", text, [(AT, AT + len(text))], [0], (0, len(text)), False, list(clauses))


def told(words: str) -> Span:
    """Where some words stand in the document."""
    start, end = place(words)
    return start + AT, end + AT


def norm() -> Norm[Span]:
    """What the gold says of the sentence."""
    return Norm[Span](
        kind="obligation",
        force="mandatory",
        polarity="positive",
        text=(told(TEXT[:-1]),),
        cue=(told("must"),),
        holder=(told("the keeper"),),
        action=(told("inform the owner"),),
        times=(Time[Span](text=(told("within 5 days"),), kind="deadline", trigger=(told("a key is lost"),)),),
        conditions=(told("If a key is lost"),),
    )
