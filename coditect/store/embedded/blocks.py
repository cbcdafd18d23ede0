"""Blocks of bytes that a model made of the outputs of derivations: content-addressed blobs, each named by a derivation of its own.

The derivation, of the stage "vectors", is written last, with an act in the log, so its presence is the promise that the block is
whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from coditect.errors import Corrupt
from coditect.schemas import Derivation, derivation_id_for
from coditect.store.store import Store

__all__ = ["Blocks", "outputs_at"]


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of one corpus, of one kind, by one model.

    Attributes:
        store: the tenant's store.
        corpus_id: whose items they are of.
        model_id: of the model.
        parameters: what a block depends on beside the items; part of the derivations' identity.
        version: of the format.
    """

    store: Store
    corpus_id: str
    model_id: str
    parameters: dict[str, Any]
    version: str

    def id_for(self, source_id: str) -> str:
        """The id that the block of a derivation's outputs has."""
        return derivation_id_for(self.corpus_id, "vectors", (source_id,), self.model_id, self.parameters, self.version)

    def get(self, source_ids: Sequence[str]) -> Iterator[tuple[Derivation, Derivation | None, bytes]]:
        """(derivation of the block, derivation whose outputs it is of, bytes) of the blocks that are there.

        Raises:
            Corrupt: a block is missing, or changed.
        """
        wanted = {self.id_for(source): source for source in source_ids}
        finished = self.store.derivations(self.corpus_id, list(wanted))
        sources = self.store.derivations(self.corpus_id, [wanted[each] for each in finished])
        for own_id, derivation in finished.items():
            digest, _, size = derivation.outputs[0].partition(":")
            data = self.store.get_blob(self.corpus_id, digest, int(size))
            yield derivation, sources.get(wanted[own_id]), data

    def without(self, source_ids: Sequence[str]) -> list[str]:
        """Those of some derivations of whose outputs no block is there, in their order."""
        own = {source: self.id_for(source) for source in source_ids}
        finished = self.store.derivations(self.corpus_id, list(own.values()))
        return [source for source in source_ids if own[source] not in finished]

    def prepare(self, blocks: Sequence[tuple[Derivation, bytes]]) -> list[Derivation]:
        """Store the bytes of blocks; the records that name them are given back, and count when they are finished.

        Args:
            blocks: (derivation whose outputs it is of, bytes) of each.
        """
        digests = self.store.put_several_blobs(self.corpus_id, [data for _, data in blocks])
        made = []
        for (source, data), digest in zip(blocks, digests, strict=True):
            inputs, outputs = (source.derivation_id,), (f"{digest}:{len(data)}",)
            named = (inputs, self.model_id, self.parameters, self.version, outputs)
            made.append(Derivation.create(self.corpus_id, "vectors", *named))
        return made


def outputs_at(positions: Sequence[int], source: Derivation | None, block: Derivation) -> tuple[str, ...]:
    """The outputs of a derivation at increasing positions.

    Raises:
        Corrupt: it has none there, or is missing.
    """
    if source is None or (len(positions) and positions[-1] >= len(source.outputs)):
        raise Corrupt("vectors do not fit what they were made of", derivation_id=block.derivation_id)
    return tuple(source.outputs[each] for each in positions)
