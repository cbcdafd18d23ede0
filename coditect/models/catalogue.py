"""Which models there are, by the words that settings use for them."""

from __future__ import annotations

import os
from pathlib import Path

from coditect.errors import UsageError
from coditect.models.folder import read_folder
from coditect.models.port import Embedder, Reranker
from coditect.models.wordllama.embedder import WordLlamaEmbedder, wordllama_folder

__all__ = ["open_embedder", "open_reranker"]

_FLAG = "flag:"
_NONE = "none"
_WORDLLAMA = "wordllama"


def open_embedder(spec: str, *, device: str | None = None, query_instruction: str = "") -> Embedder | None:
    """The embedder that a setting names. Folders are checked now, models are loaded when they are first used.

    Args:
        spec: "wordllama"; "none"; or the folder of a model, plain or after "flag:". A folder that is shaped like BGE-M3 gives a
            :class:`~coditect.models.port.MultiVectorEmbedder`.
        device: where a folder's model runs: "cpu", "cuda", "cuda:0" ...; None: the first GPU if there is one.
        query_instruction: what a folder's model wants before each question.
    Returns:
        the embedder, or None for "none".
    Raises:
        UsageError: the word or the device is unknown, or the folder holds no such model.
        SchemaError: a model's settings are damaged.
        Unavailable: the model's libraries are not installed.
    """
    if spec == _NONE:
        return None
    if spec == _WORDLLAMA:
        wordllama_folder()  # says now that the package is missing
        return WordLlamaEmbedder()
    from coditect.models.flag.embedder import FlagEmbedder, FlagM3Embedder

    folder = _folder_of(spec, "an unknown embedder", f"{_WORDLLAMA}, {_NONE}, or the folder of a model")
    kind = FlagM3Embedder if read_folder(folder).heads else FlagEmbedder
    return kind(folder, device=device, query_instruction=query_instruction)


def open_reranker(spec: str, *, device: str | None = None, embedder: Embedder | None = None) -> Reranker | None:
    """The reranker that a setting names. Folders are checked now, models are loaded when they are first used.

    Args:
        spec: "none"; or the folder of a model, plain or after "flag:": of a cross-encoder, or one that is shaped like BGE-M3, whose
            token vectors are compared.
        device: where the model runs: "cpu", "cuda", "cuda:0" ...; None: the first GPU if there is one.
        embedder: one that is open; where it is of the same folder and device, its token vectors are compared, and the model is
            loaded once.
    Returns:
        the reranker, or None for "none".
    Raises:
        UsageError: the word or the device is unknown, or the folder holds no such model.
        SchemaError: a model's settings are damaged.
        Unavailable: the model's libraries are not installed.
    """
    if spec == _NONE:
        return None
    from coditect.models.flag.embedder import FlagM3Embedder
    from coditect.models.flag.rerankers import ColbertReranker, FlagReranker

    folder = _folder_of(spec, "an unknown reranker", f"{_NONE}, or the folder of a model")
    if read_folder(folder).heads:
        if isinstance(embedder, FlagM3Embedder) and embedder.is_of(folder, device):
            return ColbertReranker(embedder)
        return ColbertReranker(FlagM3Embedder(folder, device=device))
    return FlagReranker(folder, device=device)


def _folder_of(spec: str, message: str, choices: str) -> Path:
    """The folder that a setting names; a bare word is one only if it is there: nothing is ever downloaded."""
    named = spec.removeprefix(_FLAG)
    folder = Path(os.path.expanduser(named))  # noqa: PTH111 - Path.expanduser fails on an unknown user
    is_path = spec.startswith(_FLAG) or os.sep in named or folder.is_dir()
    if not named.strip() or not is_path:
        raise UsageError(message, hint=f"there is {choices}; models are not downloaded", name=spec)
    return folder
