"""Shares in the key-value store: what each document gives to the tiers above it, as one block of bytes for each document.

As with vectors, the block is a content-addressed blob, and a :class:`~coditect.schemas.Derivation` of the stage "share", which is
written last, names it. Its inputs are the derivations of the document's tiers, so it goes where these go: no sweep leaves it, and
no erasure passes it over. Nothing of a generation names shares: what is made from them is the same as what is made without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from coditect.errors import Corrupt
from coditect.schemas import Derivation, derivation_id_for
from coditect.store.store import Store
from coditect.tiers.findings.conflicts.detection import CONFLICTS_VERSION
from coditect.tiers.findings.naming import NAMING_VERSION
from coditect.tiers.sections.topics import TOPICS_VERSION
from coditect.tiers.shares.packing import FORMAT

__all__ = ["SHARES_VERSION", "ShareStore", "Source"]

SHARES_VERSION = f"{FORMAT} {CONFLICTS_VERSION} {TOPICS_VERSION} {NAMING_VERSION}"
"""Of the code that makes shares: raised with the format and the rules that read entries, words of topics and names of documents."""

Source = tuple[str, ...]
"""The derivations that a share is made of, in order."""

_METHOD = "rules"


class ShareStore:
    """The shares of one corpus.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        version: of the code that makes them, and of their format; part of their identity.
    """

    def __init__(self, store: Store, corpus_id: str, version: str) -> None:
        self.store = store
        self.corpus_id = corpus_id
        self.version = version

    def id_for(self, source: Source) -> str:
        """The id that the share made of some derivations has."""
        return derivation_id_for(self.corpus_id, "share", source, _METHOD, {}, self.version)

    def get(self, sources: Sequence[Source]) -> dict[Source, bytes]:
        """The blocks that are there and not damaged, by what they were made of."""
        wanted = {self.id_for(source): source for source in sources}
        found: dict[Source, bytes] = {}
        for own_id, step in self.store.derivations(self.corpus_id, list(wanted)).items():
            with suppress(Corrupt, ValueError):  # it is made again, and validation tells of it
                found[wanted[own_id]] = self._open(step)
        return found

    def _open(self, step: Derivation) -> bytes:
        digest, _, size = step.outputs[0].partition(":")
        return self.store.get_blob(self.corpus_id, digest, int(size))

    def put(self, blocks: Mapping[Source, bytes]) -> None:
        """Store blocks, then the records that name them; the caller's work must be registered."""
        done = []
        digests = self.store.put_several_blobs(self.corpus_id, list(blocks.values()))
        for (source, data), digest in zip(blocks.items(), digests, strict=True):
            outputs = (f"{digest}:{len(data)}",)
            done.append(Derivation.create(self.corpus_id, "share", source, _METHOD, {}, self.version, outputs))
        self.store.put_derivations(done)
