"""One generation of a corpus, to be read: which documents it holds, and its items of every tier.

A view is a snapshot that never moves: everything it reaches is immutable. Two reads through one view always agree,
however many builds finish in between.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from coditect.errors import Corrupt, NotFound
from coditect.keyspace import Part
from coditect.schemas import (
    Chunk,
    Claim,
    CorpusSummary,
    Derivation,
    DocumentVersion,
    Extraction,
    ExtractionKind,
    Item,
    Manifest,
    Passage,
    Profile,
    Record,
    Section,
    Tree,
    TreeEntry,
    Verdict,
    canonical_json,
)
from coditect.store.generations import generation_at, manifest_of
from coditect.store.intake.erasures import GoneRows, erased_since, gone_rows
from coditect.store.item_ids import CLASS_OF, kind_of, locate
from coditect.store.store import Store

if TYPE_CHECKING:
    from coditect.schemas import ErasedSummary

__all__ = [
    "ERASED_TEXT",
    "OF_TREES",
    "View",
    "changed_between",
    "gone_from",
    "open_view",
]

READ_TOGETHER = 1_000
"""Items of a document that are read at once: whoever lets go of them one by one holds no more."""

ERASED_TEXT = "[erased: it told of documents that are no longer here]"
"""What stands in the place of a summary that told of erased documents."""

R = TypeVar("R", bound=Record)
AnyItem = TypeVar("AnyItem", bound=Item)

OF_TREES = frozenset(("_all_entries", "_gone", "_memory", "documents", "entries", "profiles"))
"""What a view keeps of what it read that its trees alone decide."""


def open_view(store: Store, corpus_id: str, generation: int | None = None) -> View:
    """A view of a corpus' current generation, or of an earlier one.

    Raises:
        NotFound: no such corpus or generation, or it was never built.
    """
    corpus = store.corpus(corpus_id)
    record = generation_at(store, corpus, generation)
    return View(store, manifest_of(store, corpus_id, record.build_id), record.generation)


class View:
    """One generation of a corpus, to be read: a snapshot that never moves. Made by ``Knowledge.view``. Safe for threads.

    Attributes:
        store: the store that it reads, for the package itself.
        manifest: the record that reaches every item of the generation.
        generation: its number; 0 for a draft.
    """

    def __init__(self, store: Store, manifest: Manifest, generation: int = 0) -> None:
        self.store = store
        self.manifest = manifest
        self.generation = generation

    @property
    def corpus_id(self) -> str:
        """The corpus that is seen."""
        return self.manifest.corpus_id

    @cached_property
    def shown_as(self) -> str:
        """The build id, and how far erasures were when this was opened: what copies of what is shown are named by."""
        erased = erased_since(self.store, self.corpus_id)
        return f"{self.manifest.build_id}-{erased}" if erased else self.manifest.build_id

    @cached_property
    def _gone(self) -> GoneRows:
        """What was erased from the corpus since, or is being erased: nobody is shown it."""
        return gone_rows(self.store, self.corpus_id)

    @cached_property
    def entries(self) -> dict[str, TreeEntry]:
        """The documents of this generation that were not erased since, by id, ordered by id."""
        return {d: e for d, e in self._all_entries.items() if not self._gone.hides(d, e.version_id)}

    @cached_property
    def erased_entries(self) -> dict[str, TreeEntry]:
        """The documents of this generation that were erased since, by id: what is known of them is that they were there."""
        return {d: e for d, e in self._all_entries.items() if self._gone.hides(d, e.version_id)}

    @cached_property
    def _all_entries(self) -> dict[str, TreeEntry]:
        ids = [self.manifest.trees[shard] for shard in sorted(self.manifest.trees)]
        trees = self._all("trees", Tree, [(self.corpus_id, each) for each in ids])
        return {entry.document_id: entry for tree in trees for entry in tree.entries}

    @cached_property
    def documents(self) -> dict[str, DocumentVersion]:
        """The document versions of this generation by document id, ordered by id."""
        places = [(self.corpus_id, e.document_id, e.version_id) for e in self.entries.values()]
        return {d.document_id: d for d in self._all("documents", DocumentVersion, places)}

    @cached_property
    def profiles(self) -> dict[str, Profile]:
        """What is known of each document, by document id; nothing of those of generations that former releases built."""
        return self.profiles_beside({})

    def profiles_beside(self, known: Mapping[str, Profile]) -> dict[str, Profile]:
        """The same in the order of the documents.

        Args:
            known: profiles of them that were read already, by document id.
        """
        entries = self.entries
        steps = {each: own for own, entry in entries.items() for each in entry.profile if own not in known}
        found = self._all("derivations", Derivation, [(self.corpus_id, each) for each in steps])
        places = [(self.corpus_id, steps[step.derivation_id], output) for step in found for output in step.outputs]
        every = {**known, **{profile.document_id: profile for profile in self._all("profiles", Profile, places)}}
        return {each: every[each] for each in entries if each in every}

    @cached_property
    def live_derivations(self) -> frozenset[str]:
        """Every derivation whose outputs belong to this generation."""
        found = {self.manifest.summary_derivation, *(derivation for derivation, _ in self.manifest.sections)}
        for entry in self.entries.values():
            found.update(entry.extractions, entry.chunks, entry.passages, entry.profile)
        return frozenset(found)

    def text(self, document_id: str) -> str:
        """The canonical text of a document.

        Raises:
            NotFound: not in this generation.
            Corrupt: stored bytes were changed.
        """
        return self.text_of(self.document(document_id))

    def text_of(self, version: DocumentVersion) -> str:
        """The canonical text of a version."""
        return self.store.get_blob(self.corpus_id, version.text_sha256, version.text_bytes).decode()

    def document(self, document_id: str) -> DocumentVersion:
        """A document's version in this generation.

        Raises:
            NotFound: not in this generation.
            Corrupt: another document's record stands in its place.
        """
        entry = self._entry(document_id)
        known: dict[str, DocumentVersion] = vars(self).get(
            "documents", self._single
        )  # who asks for a few has the others left unread
        if document_id not in known and known is self._single:
            (read,) = self._all("documents", DocumentVersion, [(self.corpus_id, document_id, entry.version_id)])
            known[read.document_id] = read
        found = known.get(document_id)
        if found is None:
            raise Corrupt("another document's record stands in the place of this one's", document_id=document_id)
        return found

    @cached_property
    def _single(self) -> dict[str, DocumentVersion]:
        """The document versions that were asked for one by one."""
        return {}

    def _entry(self, document_id: str) -> TreeEntry:
        found = self.entries.get(document_id)
        if found is None:
            raise NotFound("unknown document", document_id=document_id, generation=self.generation)
        return found

    def extractions(self, document_id: str) -> list[Extraction]:
        """Tier 1 of a document, in document order."""
        return self._outputs(document_id, self._entry(document_id).extractions, "extractions", Extraction)

    def each_extraction(self, document_id: str) -> Iterator[Extraction]:
        """As :meth:`extractions`, a few hundred at a time: a long document has more than can be held."""
        return self._each_output(document_id, self._entry(document_id).extractions, "extractions", Extraction)

    def each_extraction_of(
        self, document_id: str, kinds: Collection[ExtractionKind], fields: Collection[str] = ()
    ) -> Iterator[Extraction]:
        """Tier 1 of some kinds, a few hundred at a time: what is of other kinds is passed over without being parsed.

        Args:
            document_id: the document.
            kinds: of the extractions.
            fields: names of fields of which at least one is there; empty: whichever there are.
        """
        named = [b'"extraction_kind":' + canonical_json(kind) for kind in sorted(kinds)]
        given = [canonical_json(field) + b":" for field in sorted(fields)]
        holding = [named, given] if given else [named]
        for places in self._output_places(document_id, self._entry(document_id).extractions):
            yield from self.store.get_holding("extractions", Extraction, places, holding)

    def chunks(self, document_id: str) -> list[Chunk]:
        """Tier 2 of a document, in document order; at one place what a model named stands last."""
        found = self._outputs(document_id, self._entry(document_id).chunks, "chunks", Chunk)
        return sorted(found, key=lambda each: each.char_offset_start)

    def passages(self, document_id: str) -> list[Passage]:
        """The passages of a document, the largest first, each level in document order; empty where none were cut."""
        return self._outputs(document_id, self._entry(document_id).passages, "passages", Passage)

    def all_chunks(self) -> Iterator[Chunk]:
        """Tier 2 of every document."""
        for document_id in self.entries:
            yield from self.chunks(document_id)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Tier 3, in the manifest's order."""
        ids = [each for _, each in self.manifest.sections if not self._gone.covers("sections", each)]
        found = self._all("sections", Section, [(self.corpus_id, each) for each in ids])
        return tuple(each for each in found if not self._quotes_hidden(each))

    def _quotes_hidden(self, section: Section) -> bool:
        """Whether a section quotes a document that is on its way out."""
        hidden = self._gone.documents
        return bool(hidden) and any(
            p.citation is not None and p.citation.document_id in hidden for p in section.content
        )

    @cached_property
    def section_by_id(self) -> dict[str, Section]:
        """Tier 3 by id."""
        return {section.section_id: section for section in self.sections}

    @cached_property
    def summary(self) -> CorpusSummary:
        """Tier 4 as a whole; of claims that rest on what was erased, or is being erased, nobody is told."""
        left = self._gone.summaries.get(self.manifest.summary_id)
        if left is None:
            whole = self._all("summaries", CorpusSummary, [(self.corpus_id, self.manifest.summary_id)])[0]
            hidden = self._claims_hidden((*whole.claims, *whole.filtered))
            return self._summary_of(whole, hidden) if hidden else whole
        return self._summary_of(left, self._claims_hidden((*left.claims, *left.filtered)))

    def _summary_of(self, left: CorpusSummary | ErasedSummary, hidden: Collection[str]) -> CorpusSummary:
        return CorpusSummary(
            summary_id=self.manifest.summary_id,
            corpus_id=self.corpus_id,
            derivation_id=self.manifest.summary_derivation,
            summary_text=ERASED_TEXT,
            claims=tuple(each for each in left.claims if each not in hidden),
            filtered=tuple(each for each in left.filtered if each not in hidden),
            verdicts={each: verdict for each, verdict in left.verdicts.items() if each not in hidden},
            source_sections=tuple(each for each in left.source_sections if each in self.section_by_id),
            minimum_support=self.manifest.settings.minimum_support,
        )

    def _claims_hidden(self, claim_ids: Sequence[str]) -> frozenset[str]:
        """Claims that went with another erasure than their summary, or cite a section that nobody is shown."""
        gone = frozenset(each for each in claim_ids if self._gone.covers("claims", each))
        if not self._gone.documents:
            return gone
        claims = self._all("claims", Claim, [(self.corpus_id, each) for each in claim_ids if each not in gone])
        cites = {each.claim_id: {source.section_id for source in each.citations} for each in claims}
        return gone | {each for each, cited in cites.items() if not cited <= self.section_by_id.keys()}

    @cached_property
    def claims(self) -> dict[str, Claim]:
        """Claims by id: published ones in order, then the filtered."""
        ids = [*self.summary.claims, *self.summary.filtered]
        return {c.claim_id: c for c in self._all("claims", Claim, [(self.corpus_id, each) for each in ids])}

    @cached_property
    def verdicts(self) -> dict[str, Verdict]:
        """Verdicts by claim id."""
        ids = [(self.corpus_id, each) for each in self.summary.verdicts.values()]
        return {v.claim_id: v for v in self._all("verdicts", Verdict, ids)}

    def items(self, cls: type[AnyItem], ids: Sequence[str], document_ids: Sequence[str] = ()) -> list[AnyItem]:
        """Items that must be there, in order.

        Args:
            cls: their class.
            ids: their ids.
            document_ids: for tiers 1 and 2, the document of each; empty above.

        Raises:
            Corrupt: one is missing or changed.
        """
        table = next(table for table, known in CLASS_OF.values() if known is cls)
        places: list[tuple[Part, ...]] = [(self.corpus_id, each) for each in ids]
        if document_ids:
            places = [(self.corpus_id, d, i) for d, i in zip(document_ids, ids, strict=True)]
        memory = vars(self).get("_memory")  # of a build, which hands on what it reads
        if memory is None:
            return self._all(table, cls, places)
        found: list[AnyItem] = memory.given(ids, places, lambda unread: self._all(table, cls, unread))
        return found

    def find(self, item_id: str) -> Item:
        """An item of this generation by its id alone.

        Raises:
            UsageError: not an item id.
            NotFound: no such item in this generation.
        """
        table, cls = CLASS_OF[kind_of(item_id)]
        for corpus_id, document_id in locate(self.store, item_id):
            if corpus_id != self.corpus_id:
                continue
            place = (corpus_id, document_id, item_id) if document_id else (corpus_id, item_id)
            found = self.store.get(table, cls, *place)
            if found is not None and self.holds(found):
                return found
        raise NotFound(
            "unknown item",
            item_id=item_id,
            corpus_id=self.corpus_id,
            generation=self.generation,
            hint="It may belong to another generation: give --as-of, or query again for current ids.",
        )

    @cached_property
    def claim_by_finding(self) -> dict[str, Claim]:
        """Claims by what they are known by across generations and corpora; those of release 0.1.0 have no such id."""
        return {claim.finding_id: claim for claim in self.claims.values() if claim.finding_id}

    def holds(self, item: Item) -> bool:
        """Whether an item belongs to this generation."""
        match item:
            case DocumentVersion():
                entry = self.entries.get(item.document_id)
                return entry is not None and entry.version_id == item.version_id
            case Verdict():
                return self.summary.verdicts.get(item.claim_id) == item.verdict_id
            case Claim():
                return item.claim_id in self.summary.verdicts
            case CorpusSummary():
                return item.summary_id == self.manifest.summary_id
            case Section():
                return item.section_id in self.section_by_id
            case _:
                return getattr(item, "derivation_id", "") in self.live_derivations

    def _outputs(self, document_id: str, derivation_ids: Sequence[str], table: str, cls: type[R]) -> list[R]:
        return list(self._each_output(document_id, derivation_ids, table, cls))

    def _each_output(self, document_id: str, derivation_ids: Sequence[str], table: str, cls: type[R]) -> Iterator[R]:
        for places in self._output_places(document_id, derivation_ids):
            yield from self._all(table, cls, places)

    def _output_places(self, document_id: str, derivation_ids: Sequence[str]) -> Iterator[list[tuple[Part, ...]]]:
        derivations = self._all("derivations", Derivation, [(self.corpus_id, each) for each in derivation_ids])
        outputs = [each for derivation in derivations for each in derivation.outputs]
        for begin in range(0, len(outputs), READ_TOGETHER):
            yield [(self.corpus_id, document_id, each) for each in outputs[begin : begin + READ_TOGETHER]]

    def _all(self, table: str, cls: type[R], places: Sequence[tuple[Part, ...]]) -> list[R]:
        found = self.store.get_many(table, cls, places)
        present = [record for record in found if record is not None]
        if len(present) != len(found):
            lost = next(place for place, record in zip(places, found, strict=True) if record is None)
            raise Corrupt("a record that the manifest reaches is missing", table=table, place=lost)
        return present


def gone_from(view: View) -> GoneRows:
    """What was erased, or let go by policy, from the corpus of a view."""
    return view._gone


def changed_between(former: View, view: View) -> tuple[frozenset[str], frozenset[str]]:
    """What differs between two generations of a corpus; only trees of documents that both do not share are read.

    Args:
        former: one of them.
        view: the other.
    Returns:
        (documents of the former that are not in the other as they were there, documents of the other that were not so in the
        former).
    """
    then, now = _entries_apart(former, view), _entries_apart(view, former)
    gone = frozenset(each for each, entry in then.items() if now.get(each) != entry)
    return gone, frozenset(each for each, entry in now.items() if then.get(each) != entry)


def _entries_apart(view: View, other: View) -> dict[str, TreeEntry]:
    """The documents of a generation that stand in trees which another one does not have."""
    apart = sorted(set(view.manifest.trees.values()) - set(other.manifest.trees.values()))
    trees = view._all("trees", Tree, [(view.corpus_id, each) for each in apart]) if apart else []
    entries = (entry for tree in trees for entry in tree.entries)
    return {each.document_id: each for each in entries if not view._gone.hides(each.document_id, each.version_id)}
