"""What a model's token vectors are reduced by.

``python -m coditect_benchmarks.retrieval.reduction_fit --data FOLDER --embedder FOLDER`` reads passages of families as an
encoder does, and writes ``<card>.tokens.npz`` (:mod:`coditect.models.reduction`): the mean of the vectors of tokens that tell
something, the directions in which they differ most, each by the fourth root of its variance, and the tokens that tell nothing.
No question is read. Every family counts alike, however long it is.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from coditect.errors import CoditectError, UsageError
from coditect.language.terms import STOPWORDS
from coditect.models.cards import card_name
from coditect.models.flag.embedder import FlagEmbedder
from coditect.models.port import FloatArray, IntArray
from coditect.models.reduction import TokenReduction
from coditect.retrieve.units import document_units
from coditect_benchmarks.retrieval.adapters_guidance import find_families
from coditect_benchmarks.retrieval.folders import working_folder
from coditect_benchmarks.retrieval.product import CORPUS, Product

__all__ = ["fitted", "main", "silent_tokens"]

SETS = "contracts,nist,cfpb,policies"
DIMENSIONS = 64
PASSAGES = 300
"""Of each family, evenly spread."""


def silent_tokens(tokens: Sequence[str]) -> IntArray:
    """The numbers of tokens of a vocabulary that tell nothing: function words, marks, and what the model puts in itself."""
    telling = [each not in STOPWORDS and any(map(str.isalnum, each)) and not each.startswith("[") for each in tokens]
    return np.flatnonzero(~np.asarray(telling)).astype(np.int64)


def fitted(
    families: Iterable[Iterable[tuple[IntArray, FloatArray]]], silent: IntArray, dimensions: int
) -> TokenReduction:
    """The reduction of tokens of families of texts.

    Args:
        families: for each family (ids, states) of its texts: shapes (tokens,) and (tokens, dimension).
        silent: tokens that tell nothing.
        dimensions: that are kept, even.
    """
    means: list[npt.NDArray[np.float64]] = []
    squares: list[npt.NDArray[np.float64]] = []
    for texts in families:
        rows = np.concatenate([states[~np.isin(ids, silent)] for ids, states in texts]).astype(np.float64)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        means.append(rows.mean(axis=0))
        squares.append(rows.T @ rows / len(rows))
    mean = np.mean(means, axis=0)
    variances, directions = np.linalg.eigh(np.mean(squares, axis=0) - np.outer(mean, mean))
    basis = directions[:, ::-1][:, :dimensions] * variances[::-1][:dimensions] ** -0.25
    basis *= np.sign(basis[np.abs(basis).argmax(axis=0), np.arange(dimensions)])  # a direction has two signs
    return TokenReduction("", mean.astype(np.float32), basis.astype(np.float32), silent)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, write, and return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        found = {name: each for folder in options.data for name, each in find_families(folder).items()}
        names = options.sets.split(",")
        if unknown := [name for name in names if name not in found]:
            raise UsageError("no such set in the folder", sets=unknown, hint=f"There are: {', '.join(found)}.")
        embedder = FlagEmbedder(options.embedder)
        with working_folder(options.cache) as place:
            made = _fitted(embedder, [_texts(found, name, place) for name in names], options.dimensions)
        name = card_name(embedder.card.model_id) or embedder.card.name
        file = options.output / f"{name}.tokens.npz"
        np.savez_compressed(file, mean=made.mean, basis=made.basis, silent=made.silent.astype(np.uint16))
        print(f"{file}: {made.basis.shape[1]} of {made.basis.shape[0]} dimensions, {len(made.silent)} silent tokens")
    except CoditectError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    return 0


def _fitted(embedder: FlagEmbedder, families: Sequence[Sequence[str]], dimensions: int) -> TokenReduction:
    states = (embedder.states(texts) for texts in families)
    return fitted(states, silent_tokens(embedder.vocabulary), dimensions)


def _texts(found: Any, name: str, place: Path) -> list[str]:  # noqa: ANN401 - readers by name
    """Passages of a family, evenly spread, as they are embedded."""
    reader, folder = found[name]
    with Product(place, "none") as product:
        product.index(reader(folder).documents)
        view = product.knowledge.view(CORPUS)
        every = [
            unit.embedded
            for units in document_units(view, view.entries, 0)
            for unit in units.of("passage", to_embed=True)
        ]
    return every[:: max(1, len(every) // PASSAGES)][:PASSAGES]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m coditect_benchmarks.retrieval.reduction_fit", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, action="append", metavar="FOLDER", help="sets; repeatable")
    parser.add_argument("--embedder", type=Path, required=True, metavar="FOLDER", help="of the model")
    parser.add_argument("--sets", default=SETS, help=f"families, by name, with commas between (default: {SETS})")
    parser.add_argument("--dimensions", type=int, default=DIMENSIONS, metavar="N", help=f"default: {DIMENSIONS}")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep built stores here and use them again")
    parser.add_argument("--output", type=Path, default=Path(), metavar="FOLDER", help="where the file is written")
    return parser


if __name__ == "__main__":
    sys.exit(main())
