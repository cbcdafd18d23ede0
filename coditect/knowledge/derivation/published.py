"""What the current generation tells of documents that are planned as they were: their derivations are finished, and are counted.

A derivation names every item that came out of it, so that to read those of all documents costs more than to derive one of them.
A generation has their ids in its trees, with what each document commits to, and the number of items in its manifest. Of a document
that is planned as it is published they are taken from there; that the rows of its derivations are there is looked up for it, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from coditect.knowledge.labour.handed import every_entry
from coditect.schemas import Corpus, Manifest, Tree, TreeEntry
from coditect.store.store import Store
from coditect.store.view import View

__all__ = ["NOTHING_KEPT", "TIERS_OF_DOCUMENTS", "KeptDocuments", "Published", "shard_of"]

TIERS_OF_DOCUMENTS = ("extractions", "chunks", "passages")
"""The fields of a tree's entry that name derivations whose outputs a manifest counts."""


def shard_of(document_id: str) -> str:
    """The two hex digits by which the tree of a document is found."""
    return document_id.partition("_")[2][:2]


@dataclass(frozen=True, slots=True)
class KeptDocuments:
    """Documents that are planned as they are published.

    Attributes:
        entries: how they are published, by document id.
        counts: how many items they have together, by tier.
        trees: the ids of trees all of whose documents are among them, by shard.
    """

    entries: Mapping[str, TreeEntry]
    counts: Mapping[str, int]
    trees: Mapping[str, str]


NOTHING_KEPT = KeptDocuments({}, dict.fromkeys(TIERS_OF_DOCUMENTS, 0), {})
"""Every document has to be looked at."""


class Published:
    """The documents of a corpus' current generation.

    Args:
        store: the tenant's store.
        corpus: the record that says which generation is current.
        former: that generation, where it is open.
    """

    def __init__(self, store: Store, corpus: Corpus, former: View | None = None) -> None:
        self._store, self._corpus_id = store, corpus.corpus_id
        self._finished: set[str] = set()
        if former is not None and former.manifest.build_id == corpus.build_id:
            self._manifest: Manifest | None = former.manifest
            self._entries: Mapping[str, TreeEntry] = every_entry(former)
            return
        found = store.get("manifests", Manifest, corpus.corpus_id, corpus.build_id) if corpus.build_id else None
        places = [] if found is None else [(corpus.corpus_id, each) for each in found.trees.values()]
        trees = [each for each in store.get_many("trees", Tree, places) if each is not None]
        # One that lacks something is passed over as a whole: what it counts cannot be told apart.
        self._manifest = found if found is not None and len(trees) == len(found.trees) else None
        self._entries = {each.document_id: each for tree in trees for each in tree.entries}

    def kept(self, planned: Sequence[TreeEntry], *, is_profiled: bool) -> KeptDocuments:
        """The documents that are planned as they are published, if they are most of them.

        Args:
            planned: the documents of the next generation, without what they commit to; one that is listed as the open generation
                lists it, by the very same object, was built from the same plan in this process, and is not looked at.
            is_profiled: whether they name their profiles, too.
        """
        alike = {each.document_id: own for each in planned if (own := self._like(each, is_profiled=is_profiled))}
        unsure = [own for each in planned if (own := alike.get(each.document_id)) is not None and own is not each]
        others = [each for document_id, each in self._entries.items() if document_id not in alike]
        if self._manifest is None or len(others) > len(alike) or not self._are_finished(unsure):
            return NOTHING_KEPT
        counts = {tier: self._manifest.counts.get(tier, 0) for tier in TIERS_OF_DOCUMENTS}
        steps = {each: entry for entry in others for each in entry.steps}
        found = self._store.derivations(self._corpus_id, list(steps))
        if len(found) != len(steps):
            return NOTHING_KEPT  # of a document that was erased nobody can say how much of the sum was its own
        for entry in others:
            for tier in TIERS_OF_DOCUMENTS:
                counts[tier] -= sum(len(found[each].outputs) for each in getattr(entry, tier))
        return KeptDocuments(alike, counts, self._whole(alike, self._manifest))

    def _like(self, planned: TreeEntry, *, is_profiled: bool) -> TreeEntry | None:
        """How a document is published, where that is as it is planned; None where it is not, or commits to nothing."""
        own = self._entries.get(planned.document_id)
        if own is planned:
            return own
        if own is None or not own.derivations_sha256 or own.version_id != planned.version_id:
            return None
        fields = (*TIERS_OF_DOCUMENTS, *(("profile",) if is_profiled else ()))
        return own if all(getattr(own, each) == getattr(planned, each) for each in fields) else None

    def _are_finished(self, entries: Iterable[TreeEntry]) -> bool:
        """Whether the rows of all derivations of some documents are there."""
        asked = [each for entry in entries for each in entry.steps if each not in self._finished]
        if not self._store.holds_all("derivations", [(self._corpus_id, each) for each in asked]):
            return False
        self._finished.update(asked)
        return True

    def _whole(self, alike: Mapping[str, TreeEntry], manifest: Manifest) -> dict[str, str]:
        own: dict[str, list[str]] = defaultdict(list)
        for document_id in self._entries:
            own[shard_of(document_id)].append(document_id)
        return {shard: tree for shard, tree in manifest.trees.items() if all(each in alike for each in own[shard])}
