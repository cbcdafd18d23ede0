"""The embedder that ``--embedder`` names, for peers that need the same one as the product."""

from __future__ import annotations

from pathlib import Path

from coditect.models.port import Embedder

__all__ = ["embedder_of"]


def embedder_of(name: str) -> Embedder:
    """The light embedder for "wordllama", else that of a folder with a model.

    Raises:
        UsageError: neither.
        Unavailable: what it needs is not installed.
        ModelError: the model cannot be loaded.
    """
    if name == "wordllama":
        from coditect.models.wordllama.embedder import WordLlamaEmbedder

        return WordLlamaEmbedder()
    from coditect.models.flag.embedder import FlagEmbedder

    return FlagEmbedder(Path(name))
