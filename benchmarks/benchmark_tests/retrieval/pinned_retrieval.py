"""Cuts, wordings and reports of small material of our own, written down.

``python -m benchmark_tests.retrieval.pinned_retrieval`` writes ``pinned_retrieval.json`` anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from coditect_benchmarks.retrieval.boundaries import DEFAULT as DEFAULT_CUT
from coditect_benchmarks.retrieval.boundaries import against_default
from coditect_benchmarks.retrieval.cuts import fixed, recursive, whole
from coditect_benchmarks.retrieval.formats import Document, Gold, Query
from coditect_benchmarks.retrieval.metrics import measures
from coditect_benchmarks.retrieval.report import DEFAULT, as_json, as_text, ratios
from coditect_benchmarks.retrieval.runner import Measured, Table
from coditect_benchmarks.retrieval.system import Span
from coditect_benchmarks.retrieval.wordings import WORDINGS

__all__ = ["MADE", "PINNED", "pinned"]

PINNED = Path(__file__).parent / "pinned_retrieval.json"

TEXT = (
    "Keys are kept dry. A key that is lost is told to the owner within five days! Who pays for it?\n"
    "The one who lost it pays.\nNobody else does.\n\nDoors are painted blue. Every second year they are painted again, by whoever"
    " lives behind them at that time; unless it rains.\n\n\n   Averyveryverylongwordthatnobodywouldeverwritebutamachinemight  \nEnd"
)
QUESTIONS = (
    "What is the notice period required to end it?",
    "Which insurance requirements does the licensee fulfil throughout?",
    "Who pays?",
    "is",
    "Does the contract limit the liability of the parties, e.g. for indirect damages, and how high is that limit?",
    "How are well-known trademarks of the licensor's competitors protected abroad?",
    "reimbursement",
    "Under which circumstances may confidential information nevertheless become disclosed towards government authorities?",
)


def cuts() -> dict[str, Any]:
    """Passages of several sizes."""
    documents = [
        Document("a", "", TEXT),
        Document("b", "", "  \n "),
        Document("c", "", "x" * 25),
        Document("d", "", ""),
    ]
    found: dict[str, Any] = {"whole": [[span.document, span.start, span.end] for span in whole(documents)]}
    for size in (1, 10, 25, 26, 60, 300, 1200):
        found[f"fixed {size}"] = [[span.document, span.start, span.end] for span in fixed(documents, size)]
    for size in (1, 2, 5, 12, 30, 200):
        found[f"recursive {size}"] = [[span.document, span.start, span.end] for span in recursive(documents, size)]
    found["usual"] = [[span.start, span.end] for span in fixed([Document("a", "", TEXT * 9)])]
    return found


def wordings() -> dict[str, Any]:
    """Each question in each wording, where it has one."""
    found: dict[str, Any] = {}
    for question in QUESTIONS:
        query = Query(f"In the LEASE: {question}", (Gold("a"),), bare=question)
        changed = {name: change(query) for name, change in WORDINGS.items()}
        found[question] = {name: [each.text, each.bare] if each else None for name, each in changed.items()}
        typed = WORDINGS["typos"](Query(question, (Gold("a"),)))
        found[question]["without a name"] = [typed.text, typed.bare] if typed else None
    return found


def _row(system: str, index_s: float, shift: float, *, asked: int = 6, only: str = "") -> Measured:
    hits = [Span("a", 0, 10), Span("b", 5, 40), Span("a", 30, 45)]
    values: dict[str, Any] = {}
    for at in range(6):
        gold = [Gold("a", at * 7, at * 7 + 5), Gold("c", 0, 3)]
        for name, value in measures(hits[at % 3 :], gold).items():
            if not only or name == only:
                told = value + shift * at if at < asked else np.nan
                values.setdefault(name, np.full(6, np.nan))[at] = told
    return Measured(system, index_s, asked, values, np.arange(1.0, asked + 1) * (1 + shift))


def reports() -> dict[str, Any]:
    """A set's tables for people and for programs."""
    names = (
        DEFAULT,
        "coditect lexical, statement",
        "coditect hybrid, passage",
        "tantivy BM25, statements",
        "peer, slow",
        "other",
    )
    rows = tuple(
        _row(
            name,
            1.26 + at,
            0.02 * (at - 1),
            asked=4 if "slow" in name else 6,
            only="nDCG@10" if name == "other" else "",
        )
        for at, name in enumerate(names)
    )
    table = Table("keys", 3, 1234, 6, rows, "of our own")
    empty = Table("none", 1, 10, 0, (Measured("peer", 0.0, 0, {}, np.zeros(0)),))
    cut = Table("cut", 1, 10, 6, (_row(DEFAULT_CUT, 1.0, 0.0), _row("other way", 1.0, 0.05), _row("third", 1.0, -0.02)))
    return {
        "text": as_text(table).split("\n"),
        "json": as_json(table),
        "ratios": dict(ratios(table)),
        "empty": as_text(empty).split("\n"),
        "cut": list(against_default(cut)),
        "no default": [*against_default(empty), *ratios(empty)],
    }


MADE = {each.__name__: each for each in (cuts, wordings, reports)}


def as_read(made: dict[str, Any]) -> dict[str, Any]:
    """As JSON gives it back, floats to nine digits, and what is no number as null."""
    text = json.dumps(made).replace("NaN", "null")
    found: dict[str, Any] = json.loads(text, parse_float=lambda number: round(float(number), 9))
    return found


def pinned() -> dict[str, Any]:
    """What was written down."""
    found: dict[str, Any] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    everything = {name: as_read(make()) for name, make in MADE.items()}
    PINNED.write_text(json.dumps(everything, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
