"""Corpora of any size of one kind: the contracts, and beyond them documents made by resampling their clauses.

A made document has the preamble of a contract, with its parties renamed, and then runs of paragraphs of many contracts, each from
where it stands in its own: definitions in front, notices at the end. It has as many characters as a contract that is drawn (until
2026-11-27 as many paragraphs, by which made documents had 638 extractions where contracts have 410, and growth was overstated).
Three made documents in a row are between the same parties, so that as many documents bind the same people in a small corpus as in a
large one.

With a length of their own all documents are made ones, of so many characters at least: many small documents build in minutes where
as many contracts take hours, and what grows with the number of documents is seen apart from what grows with their clauses. (Until
2026-11-28 there was a second kind of these, of six to ten short paragraphs each, which the figures of FoundationDB are of.)
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from coditect.documents.profile.guessing import guess_profile

__all__ = ["changed_document", "documents"]

PREAMBLE = 6
"""Paragraphs that a made document has of one contract, from its beginning."""

RUN = (4, 12)
"""Paragraphs that are taken together, at least and at most."""

SMALL_PREAMBLE, SMALL_RUN = 2, (1, 2)
"""The same two of documents that are given a length."""

FAMILY = 3
"""Made documents between the same parties."""

_PARAGRAPH = re.compile(r"\n\s*\n")
_SYLLABLES = (
    "bar",
    "cor",
    "den",
    "fal",
    "gor",
    "hal",
    "jor",
    "kel",
    "lan",
    "mor",
    "nor",
    "pel",
    "ras",
    "sel",
    "tor",
    "ver",
)


def documents(folder: Path, count: int, seed: int = 1, length: int | None = None) -> Iterator[tuple[str, str]]:
    """Names and texts of a corpus of so many documents: a smaller one is the beginning of a larger one.

    Args:
        folder: of contracts as text.
        count: how many documents, >= 1.
        seed: of what is drawn.
        length: characters of each document, all of which are made then; None for contracts, and made documents as long as they are.
    """
    paths = sorted(folder.rglob("*.txt"))
    contracts = [path.read_text(encoding="utf-8", errors="replace") for path in paths]
    whole = list(zip(paths, contracts, strict=True))[:count] if length is None else []
    for path, text in whole:
        yield path.name, text
    pools = [_PARAGRAPH.split(text) for text in contracts]
    for number in range(count - len(whole)):
        yield _name(number), _made(pools, number, seed, length)


def changed_document(folder: Path, seed: int = 1, length: int | None = None, change: int = 0) -> tuple[str, str]:
    """The document that is changed, the same in a corpus of any size of 64 and more: (name, changed text).

    Args:
        folder: of contracts as text.
        seed: of what is drawn.
        length: as of :func:`documents`.
        change: the number of the change; each is another.
    """
    paths = sorted(folder.rglob("*.txt"))
    if length is None:
        path = sorted(paths[:64], key=lambda each: (each.stat().st_size, each.name))[len(paths[:64]) // 2]
        name, text = path.name, path.read_text(encoding="utf-8", errors="replace")
    else:
        number, pools = 32, [_PARAGRAPH.split(path.read_text(encoding="utf-8", errors="replace")) for path in paths]
        name, text = _name(number), _made(pools, number, seed, length)
    return name, f"{text}\n\nThe parties shall review this document at least every {2 + change} years.\n"


def _name(number: int) -> str:
    return f"made-{number:06}.txt"


def _made(pools: Sequence[list[str]], number: int, seed: int, length: int | None) -> str:
    """A document: a function of the contracts, its number and the seed."""
    family = random.Random(f"{seed} {number // FAMILY}")  # noqa: S311 - drawn for a benchmark
    own = random.Random(f"{seed} {number // FAMILY} {number}")  # noqa: S311 - drawn for a benchmark
    base = pools[family.randrange(len(pools))]
    target = sum(map(len, pools[own.randrange(len(pools))])) if length is None else length
    preamble, drawn = (PREAMBLE, RUN) if length is None else (SMALL_PREAMBLE, SMALL_RUN)
    parts, size = base[:preamble], sum(map(len, base[:preamble]))
    while size < target or (length is not None and len(parts) <= preamble):
        other = pools[own.randrange(len(pools))]
        begin = min(size, target - 1) * len(other) // target
        run = other[begin : begin + own.randint(*drawn)]
        parts, size = [*parts, *run], size + sum(map(len, run))
    return _renamed("\n\n".join(parts), "\n\n".join(base), family)


def _renamed(text: str, base: str, family: random.Random) -> str:
    """The text with another name for each party of the contract that its preamble is of."""
    for party in guess_profile("base.txt", "", base).parties:
        name = "".join(family.choice(_SYLLABLES) for _ in range(3)).capitalize()
        text = text.replace(party.value, f"{name} {party.value}")
    return text
