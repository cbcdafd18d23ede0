"""Stored vectors against what the model that made them gives now: a part of `validate --deep`.

A block of vectors is bound by the log alone: no build commits to it, since the model may be changed without a build. The units of
a generation are bound, so with the model at hand their vectors can be made again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeVar

import numpy as np

from coditect.errors import Corrupt
from coditect.knowledge.progress import Progress
from coditect.models.port import Embedder
from coditect.retrieve.embedding import UnitVectors, gives_tokens
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, IndexName
from coditect.schemas import Derivation
from coditect.store.embedded.tokens import CodedTokens, decoded
from coditect.store.embedded.vectors import VectorBlock, VectorStore
from coditect.store.view import View

__all__ = ["recompute_vectors"]

MOST_APART = 0.01
"""Euclidean distance of a stored vector from the one that is made again, of unit length both: libraries and processors round
otherwise, by some 0.001 as stored. What is nearer than that finds the same."""

MOST_APART_CODED = 0.2
"""The same of tokens' vectors: their values are rounded to steps, and one beside the middle of two may be either."""

Say = Callable[[str, str], None]
"""Told (name of a row, what is wrong with it)."""


def recompute_vectors(
    view: View,
    open_embedder: Callable[[], Embedder | None] | None,
    say: Say,
    skip: Callable[[str], None],
    progress: Progress,
) -> None:
    """Make the vectors of a generation's units again, of those that are stored, and compare.

    Args:
        view: the generation, whose units were found to be right.
        open_embedder: opens the configured model; None, or a function that returns None: there is none.
        say: told of each block that does not come out.
        skip: told, as a sentence, what could not be made again, and why.
        progress: told as documents are embedded.

    Raises:
        ModelError: the model failed.
    """
    found = _stored(view)
    if not found:
        return
    embedder = open_embedder() if open_embedder is not None else None
    model = "" if embedder is None else embedder.card.model_id
    reading = embedder.reading if embedder is not None and gives_tokens(embedder) else ""
    levels: dict[int, list[IndexName]] = {}
    read: list[int] = []
    for (made_by, recipe), count in sorted(found.items()):
        place, made_of = _place(recipe), _tokens_place(recipe, reading)
        if made_by != model:
            now = f"the configured one is {model}" if model else "none is configured"
            skip(f"{count} blocks of vectors ({recipe}): the model {made_by} made them, and {now}.")
        elif made_of is not None:
            read.append(made_of)
        elif place is None:
            skip(f"{count} blocks of vectors ({recipe}): this release makes them of other text.")
        else:
            levels.setdefault(place[0], []).append(place[1])
    if embedder is not None:
        for level, names in levels.items():
            _compare(UnitVectors(view.store, level, embedder), view, names, say, progress)
        for level in read:
            _compare_tokens(UnitVectors(view.store, level, embedder, reads=True), view, say, progress)


def _stored(view: View) -> Counter[tuple[str, str]]:
    """How many blocks of the generation's units are stored, by model and recipe."""
    steps = {each for entry in view.entries.values() for each in entry.steps} | set(view.manifest.steps)
    return Counter(
        (each.method, str(each.parameters.get("recipe", "")))
        for _, each in view.store.scan("derivations", Derivation, view.corpus_id)
        if each.stage == "vectors" and each.inputs[0] in steps
    )


def _place(recipe: str) -> tuple[int, IndexName] | None:
    """(level of passages, granularity) of a recipe of this release; None for another."""
    level = recipe.rpartition("-")[2]
    number = int(level) if level.isdecimal() else 0
    names: tuple[IndexName, ...] = (*DOCUMENT_GRANULARITIES, "section")
    return next(((number, name) for name in names if UnitVectors.recipe_for(name, number) == recipe), None)


def _tokens_place(recipe: str, reading: str) -> int | None:
    """The level of passages of a recipe of tokens that the configured model would give; None for another."""
    made_of, _, name = recipe.rpartition("-tokens-")
    place = _place(made_of) if made_of and name == reading else None
    return None if place is None else place[0]


def _compare(vectors: UnitVectors, view: View, names: list[IndexName], say: Say, progress: Progress) -> None:
    for done, document_id in enumerate(view.entries, 1):
        for name in names:
            if name != "section":
                _same(vectors.stored(view, name), vectors.again(view, name, document_id), say)
        progress("embedding again", done, len(view.entries))
    if "section" in names:
        _same(vectors.stored(view, "section"), vectors.again(view, "section"), say)


def _compare_tokens(vectors: UnitVectors, view: View, say: Say, progress: Progress) -> None:
    stored = vectors.stored_tokens(view)
    for done, document_id in enumerate(view.entries, 1):
        for source, again in vectors.tokens_again(view, document_id).items():
            name = f"derivations/{stored.corpus_id}/{stored.id_for(source)}"
            held = _held(stored, source, again.item_ids, partial(say, name), "tokens")
            if held is None:
                continue
            pairs = zip(held.item_ids, held.tokens, again.tokens, strict=True)
            if others := [item_id for item_id, *both in pairs if _are_others(*both)]:
                say(name, f"made again, the tokens of {len(others)} of its items are others, the first is {others[0]}")
        progress("reading again", done, len(view.entries))


def _are_others(held: CodedTokens, again: CodedTokens) -> bool:
    """Whether tokens are others, or one's vector is farther than roundings bring it."""
    if held.ids.tolist() != again.ids.tolist():
        return True
    apart = np.linalg.norm(decoded(held.codes) - decoded(again.codes), axis=1)
    return bool((apart > MOST_APART_CODED).any())


def _same(stored: VectorStore, again: dict[str, VectorBlock], say: Say) -> None:
    for source, block in again.items():
        name = f"derivations/{stored.corpus_id}/{stored.id_for(source)}"
        held = _held(stored, source, block.item_ids, partial(say, name), "vectors")
        if held is None:
            continue
        apart = np.linalg.norm(held.rows - block.rows, axis=1)
        others = [each for each, distance in zip(block.item_ids, apart.tolist(), strict=True) if distance > MOST_APART]
        if others:
            say(
                name,
                f"made again, {len(others)} of its {len(apart)} vectors are others, the first is that of {others[0]}",
            )


class _Block(Protocol):
    @property
    def item_ids(self) -> tuple[str, ...]:
        """Whose vectors they are, in order."""
        ...


_B = TypeVar("_B", bound=_Block, covariant=True)


class _Blocks(Protocol[_B]):
    def get(self, source_ids: Sequence[str]) -> Mapping[str, _B]:
        """The blocks that are stored, by the derivation whose outputs they are of."""
        ...


def _held(
    stored: _Blocks[_B], source: str, item_ids: tuple[str, ...], say: Callable[[str], None], what: str
) -> _B | None:
    """The block that is kept of a derivation's outputs, where it can be read and is of these items; else said, if it is wrong."""
    try:
        held = stored.get([source]).get(source)
    except Corrupt as error:
        say(f"its {what} cannot be read: {error}")
        return None
    if held is not None and held.item_ids != item_ids:
        say(f"made again, its {what} are of other items")
        return None
    return held  # None: not made yet, or removed, of which the log tells
