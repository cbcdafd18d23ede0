"""Ids of items: the kind that one names, and where in a store an item of it may stand."""

from __future__ import annotations

from coditect.errors import UsageError
from coditect.schemas import (
    Chunk,
    Claim,
    Corpus,
    CorpusSummary,
    DocumentVersion,
    Extraction,
    Item,
    Passage,
    Profile,
    Section,
    Verdict,
)
from coditect.schemas.record import TAG_DIGITS
from coditect.store.store import Store

__all__ = ["CLASS_OF", "kind_of", "locate"]

CLASS_OF: dict[str, tuple[str, type[Item]]] = {
    "version": ("documents", DocumentVersion),
    "extraction": ("extractions", Extraction),
    "chunk": ("chunks", Chunk),
    "passage": ("passages", Passage),
    "profile": ("profiles", Profile),
    "section": ("sections", Section),
    "claim": ("claims", Claim),
    "verdict": ("verdicts", Verdict),
    "summary": ("summaries", CorpusSummary),
}


def kind_of(item_id: str) -> str:
    """The kind that an item id names.

    Raises:
        UsageError: not an item id.
    """
    kind, _, rest = item_id.partition("_")
    if kind not in CLASS_OF or len(rest) < TAG_DIGITS or not rest.isascii() or not rest.isalnum():
        raise UsageError(
            "not an item id",
            item_id=item_id,
            hint="Item ids look like section_3fa94c0d11e2…; 'coditect knowledge query --format json' prints them.",
        )
    return kind


def locate(store: Store, item_id: str) -> list[tuple[str, str]]:
    """(corpus id, document id) pairs where an item of this id may stand; the document is '' above Tier 2."""
    tag = item_id.partition("_")[2][:TAG_DIGITS]
    found: list[tuple[str, str]] = []
    for (_, corpus, document), _ in store.scan_index("idx/locator", tag):
        if not isinstance(corpus, bytes):
            found.append((str(corpus), str(document)))
        elif (record := store.get("corpus", Corpus, corpus)) is not None:  # a long id is cut in keys
            found.append((record.corpus_id, str(document)))
    return found
