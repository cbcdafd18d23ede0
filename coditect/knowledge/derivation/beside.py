"""What is made of a document beside its tiers, where it is derived: its share, and what search keeps of it.

Both are made of the records that the deriving process has in memory. Made later, they are read from the store and parsed again,
one document after the other in one process.

A process of this machine hands back what it made. One of another machine, which writes to the shared store itself, stores shares
and the bytes of vectors, and hands back what the build has to say and to keep: the records that name vectors, and the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from coditect.retrieve.prepared import HeldDocument, MadeVectors, Preparing
from coditect.retrieve.units import IndexName
from coditect.schemas import Derivation, Stage
from coditect.store.store import Store
from coditect.tiers.shares.packing import packed_share

__all__ = [
    "LONGEST",
    "BesidePlan",
    "KeptBeside",
    "MadeBeside",
    "SentBeside",
    "StoresBeside",
    "made_beside",
    "sources_of",
]

LONGEST = 2_000_000
"""Characters of a document, at most, of which all records are held at once."""

_STAGES: dict[IndexName, Stage] = {"extraction": "extractions", "chunk": "chunks", "passage": "passages"}


@dataclass(frozen=True, slots=True)
class BesidePlan:
    """What is wanted beside the tiers of a document; sent to worker processes.

    Attributes:
        share: its share.
        search: makes what the searcher takes of it; None: nothing is.
        folder: where its files are made.
    """

    share: bool
    search: Preparing | None
    folder: Path


@dataclass(frozen=True, slots=True)
class MadeBeside:
    """What was made of one document.

    Attributes:
        share: its bytes; empty where none was wanted.
        units: the file of what the searcher takes; None where nothing is wanted.
        vectors: of its units.
    """

    share: bytes
    units: Path | None
    vectors: MadeVectors


@dataclass(frozen=True, slots=True)
class SentBeside:
    """What whoever derived a document elsewhere, and stored what it made beside it, hands back.

    Attributes:
        units: what the file of the searcher holds; empty where there is none.
        vectors: the records of its vectors, whose bytes are stored; they count when they are finished.
    """

    units: bytes
    vectors: tuple[Derivation, ...]


class StoresBeside(Protocol):
    """Stores what is made beside the tiers of documents where these are derived; can be sent to another machine."""

    def plan(self, folder: Path) -> BesidePlan:
        """What is to be made, with files in a folder."""
        ...

    def store(self, store: Store, made: MadeBeside, steps: tuple[Derivation, ...]) -> SentBeside:
        """Store the share and the bytes of the vectors of a document.

        Args:
            store: the shared store, for the registered work of the build.
            made: of the document.
            steps: the derivations of its tiers, which are stored.
        """
        ...


class KeptBeside(Protocol):
    """Keeps what was made beside the tiers of documents."""

    @property
    def plan(self) -> BesidePlan:
        """What is to be made."""
        ...

    @property
    def elsewhere(self) -> StoresBeside:
        """What those get who derive elsewhere."""
        ...

    def keep(self, made: Iterable[tuple[MadeBeside | SentBeside, tuple[Derivation, ...]]]) -> None:
        """Keep what was made of documents, with the derivations of their tiers, which are stored."""
        ...


def made_beside(plan: BesidePlan, held: HeldDocument, steps: tuple[Derivation, ...]) -> MadeBeside:
    """Make what is wanted of a document.

    Args:
        plan: what is wanted.
        held: its records.
        steps: the derivations whose outputs they are, finished.
    """
    share, units, sources = b"", None, sources_of(steps)
    vectors: MadeVectors = {}
    if plan.share:
        references = (each for each in held.tier1 if each.extraction_kind == "cross_reference")
        source = (sources["extraction"].derivation_id, sources["chunk"].derivation_id)
        share = packed_share(held.tier2, references, source)
    if plan.search is not None:
        target = plan.folder / f"{held.version.version_id}.units"
        vectors = plan.search.make(held, sources, target)
        units = target if target.is_file() else None
    return MadeBeside(share, units, vectors)


def sources_of(steps: Iterable[Derivation]) -> Mapping[IndexName, Derivation]:
    """The derivations of a document's tiers, by the granularity whose units are their outputs."""
    by_stage = {step.stage: step for step in steps}
    return {name: by_stage[stage] for name, stage in _STAGES.items() if stage in by_stage}
