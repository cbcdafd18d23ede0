"""From settings to models: how each is opened, once a process."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from coditect.models.port import Embedder, Entailment, ModelSources, Reranker, Tokenizer
from coditect.settings import Settings

if TYPE_CHECKING:
    from coditect.models.wordllama.embedder import WordLlamaEmbedder

__all__ = ["model_sources"]


def model_sources(settings: Settings) -> ModelSources:
    """How the configured models are opened; nothing is opened yet."""
    return ModelSources(
        tokenizer=_tokenizer,
        embedder=None if settings.embedder == "none" else partial(_embedder, settings.embedder, settings.device),
        reranker=None
        if settings.reranker == "none"
        else partial(_reranker, settings.reranker, settings.embedder, settings.device),
        entailment=None
        if settings.entailment == "none"
        else partial(_entailment, settings.entailment, settings.device),
        words=_words,
    )


# Cached: a process opens each model once, also a worker to which only these functions are sent.


@cache
def _tokenizer() -> Tokenizer:
    from coditect.models.wordllama.embedder import WordLlamaTokenizer

    return WordLlamaTokenizer()


@cache
def _words() -> WordLlamaEmbedder:
    """The light embedder: it may be asked for as the embedder, too, and is opened once."""
    from coditect.models.wordllama.embedder import WordLlamaEmbedder, wordllama_folder

    wordllama_folder()  # says now that the package is missing
    return WordLlamaEmbedder()


@cache
def _embedder(spec: str, device: str | None) -> Embedder | None:
    from coditect.models.catalogue import open_embedder

    return _words() if spec == "wordllama" else open_embedder(spec, device=device)


@cache
def _reranker(spec: str, embedder: str, device: str | None) -> Reranker | None:
    from coditect.models.catalogue import open_reranker

    return open_reranker(spec, device=device, embedder=_embedder(embedder, device))


@cache
def _entailment(folder: str, device: str | None) -> Entailment:
    from coditect.models.flag.entailment import open_entailment

    return open_entailment(Path(folder).expanduser(), device=device)
