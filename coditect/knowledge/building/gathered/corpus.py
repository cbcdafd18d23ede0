"""Gathered: what was gathered of the shares of a corpus at its last build, and what is kept of this one.

A folder of files follows the generations as search replicas do (:class:`~coditect.retrieve.port.Folders`): it goes with the corpus
and with every erasure, its files are listed with their sums, and it is made again where it is not there. Nothing of a generation
names it; the result of a build is the same with it and without, byte for byte.

=============== ==================================================================================================
file            what it holds
=============== ==================================================================================================
``shares.json`` of each document the number of a segment, and where its share begins and ends in it
``0.shares``, … segments: shares as they were packed, one behind the other
``0.columns`` … the arrays of the shares of each segment, once more, those of one name one behind the other
``sums.json``   what is counted of all entries, and of how many runs the times of codes are
``said.0.run``  … ``words.0.run``, ``found.0.run``: runs of codes and times (:mod:`~coditect.tiers.shares.times`)
``families``    what is kept of the conflicts of documents that bind the same people, or of a part of their entries
``pairs``       which entries of many such documents are to be compared
``places``      where phrases that may become topics stand, and the words of those that did
=============== ==================================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

import coditect
from coditect.knowledge.building.gathered.families import KeptFamilies, read_families, write_families
from coditect.knowledge.building.gathered.kept import SHARES_VERSION, Source
from coditect.knowledge.building.gathered.pairs import read_pairs, write_pairs
from coditect.knowledge.building.gathered.places import read_places, write_places
from coditect.knowledge.building.gathered.segments import Heads, Segments
from coditect.knowledge.building.gathered.sums import KeptSums, read_sums, write_sums
from coditect.knowledge.building.identity import UPPER_VERSIONS
from coditect.knowledge.derivation.run import Handed
from coditect.retrieve.port import Folders
from coditect.store.intake.erasures import erased_since
from coditect.store.store import Store
from coditect.store.view import View
from coditect.tiers.shares.kept import KeptShare
from coditect.tiers.shares.meeting.pairs import NO_PAIRS, KeptPairs
from coditect.tiers.shares.places import Standing
from coditect.tiers.shares.sums import Change, Sums

__all__ = ["GATHERED", "Gathered", "KeptBuild"]

GATHERED = "gathered/3"
"""Version of the layout: raised when its files are laid out otherwise."""


@dataclass(frozen=True, slots=True)
class KeptBuild:
    """What is kept of a build.

    Attributes:
        shares: of all its documents.
        sums: of their entries.
        families: its families.
        pairs: of entries of the large ones.
        places: where words and phrases stand, by the name of the lists.
    """

    shares: Sequence[KeptShare]
    sums: Sums
    families: KeptFamilies
    pairs: KeptPairs
    places: Mapping[str, Standing]


class Gathered:
    """What was gathered at the last build of a corpus, and what is kept of this one.

    Args:
        folders: where it lies.
        store: the tenant's store.
        corpus_id: the corpus.

    Attributes:
        pairs: of entries of large families, as they were found at the last build.
        places: where words and phrases stood at the last build, by the name of the lists.
        kept: what is kept of this one; None until it is known.
        handed: what was read for this build, and is handed to what follows it.
        erased: how far erasures were when it began (:func:`~coditect.store.intake.erasures.erased_since`).
    """

    def __init__(self, folders: Folders, store: Store, corpus_id: str) -> None:
        self._folders = folders
        self.erased = erased_since(store, corpus_id)
        versions = repr((coditect.__version__, SHARES_VERSION, sorted(UPPER_VERSIONS.items())))
        self._kind = f"{GATHERED}-{sha256(versions.encode()).hexdigest()[:12]}".replace("/", "-")
        self._segments = Segments()
        self._sums: KeptSums | None = None
        self._families: KeptFamilies = {}
        self.pairs = NO_PAIRS
        self.places: Mapping[str, Standing] = {}
        self.kept: KeptBuild | None = None
        self.handed = Handed()
        damage = (OSError, ValueError, KeyError, TypeError)
        with folders.newest(corpus_id, self._kind) as folder, suppress(*damage):
            if folder is not None:
                read = (
                    Segments(folder),
                    read_sums(folder),
                    read_families(folder),
                    read_pairs(folder),
                    read_places(folder),
                )
                self._segments, self._sums, self._families, self.pairs, self.places = read

    def begin_with(self, heads: Heads) -> None:
        """Take over what a former build of this process read of shares.

        Args:
            heads: of :meth:`heads`.
        """
        self._segments.heads = heads

    def heads(self, view: View) -> Heads:
        """What this build read of the shares of a generation, for the next one.

        Args:
            view: the generation.
        """
        shares, entries = () if self.kept is None else self.kept.shares, view.entries
        own = [(each, entries[each.document_id]) for each in shares if each.document_id in entries]
        return {each.document_id: ((*entry.extractions, *entry.chunks), each.container.head) for each, entry in own}

    @property
    def is_found(self) -> bool:
        """Whether anything of an earlier build was found."""
        return self._sums is not None

    @property
    def sums(self) -> Sums | None:
        """What was counted; None where nothing was."""
        return None if self._sums is None else self._sums.sums

    @property
    def kept_families(self) -> KeptFamilies:
        """What was kept of families."""
        return self._families

    @property
    def shares(self) -> list[KeptShare]:
        """All shares that were gathered, by document id."""
        return self._segments.without(())

    def share(self, document_id: str, source: Source) -> KeptShare | None:
        """The share of a document, if it was gathered and is made of the same.

        Args:
            document_id: of the document.
            source: what it must be made of.
        """
        return self._segments.share(document_id, source)

    def change(self, shares: Sequence[KeptShare]) -> Change:
        """The sums of a build, and what they have otherwise than those of the last one.

        Args:
            shares: of all its documents, as far as they were gathered from here.
        """
        new = self._segments.others(shares)
        gone = self._segments.without(shares)
        if self._sums is None or 2 * (len(new) + len(gone)) > len(shares):
            self._families, self.pairs = {}, NO_PAIRS
            return Change(Sums.of(shares), frozenset(), np.zeros(0, dtype=np.uint64))
        own = {share.document_id for share in new}
        return self._sums.sums.changed(gone, new, [share for share in shares if share.document_id not in own])

    def same(self, shares: Sequence[KeptShare]) -> frozenset[str]:
        """The documents whose shares were gathered from here, of all of a build."""
        others = frozenset(share.document_id for share in self._segments.others(shares))
        return frozenset(share.document_id for share in shares) - others

    def families(self, shares: Sequence[KeptShare], change: Change) -> KeptFamilies:
        """What was kept of families and parts all of whose documents say what they said, and of which the same entries count.

        Args:
            shares: of all documents of a build.
            change: what its sums have otherwise.
        """
        same = self.same(shares) - change.touched
        return {each: own for each, own in self._families.items() if {document for document, _ in each} <= same}

    def put(self, view: View) -> None:
        """Write what was kept, as that of the generation which came of the build; nothing where nothing was.

        What lies in a folder of before an erasure is not carried into one of after it.

        Args:
            view: the generation.
        Raises:
            Unavailable: it cannot be written.
        """
        kept = self.kept
        if kept is None or erased_since(view.store, view.corpus_id) != self.erased:
            return

        def write(work: Path) -> None:
            self._segments.write(work, kept.shares)
            write_sums(work, kept.sums, self._sums)
            write_families(work, kept.families)
            write_pairs(work, kept.pairs)
            write_places(work, kept.places)

        self._folders.put(view, self._kind, write)
