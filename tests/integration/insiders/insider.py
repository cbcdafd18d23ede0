"""An insider: who can write every row of a store, and computes every id and checksum above what was changed.

How far the hashes are computed again is what the tests vary: an insider who stops at the derivation leaves the build id as it was,
and one who goes on to the corpus record leaves nothing that contradicts anything else in the store.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from coditect.schemas import (
    Chunk,
    Corpus,
    Derivation,
    DocumentVersion,
    Extraction,
    Generation,
    Item,
    Manifest,
    Passage,
    Tree,
    commitment_to,
)
from coditect.store.generations import manifest_of
from coditect.store.rows import item_tables, place_of
from coditect.store.store import Store
from coditect.store.view import View, open_view

I = TypeVar("I", bound=Item)  # noqa: E741 - an item


class Insider:
    """Changes a corpus from within.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
    """

    def __init__(self, store: Store, corpus_id: str) -> None:
        self.store = store
        self.corpus_id = corpus_id

    @property
    def view(self) -> View:
        """The current generation, as it is stored now."""
        return open_view(self.store, self.corpus_id)

    def put(self, item: I, **changes: Any) -> I:  # noqa: ANN401 - fields of any item
        """A changed copy of an item, under an id of its own, with its index entries."""
        kind = type(item)
        fields = {name: getattr(item, name) for name in kind.model_fields if name != kind.id_field}
        forged = kind.create(**{**fields, **changes})
        self.store.put_items([forged])
        return forged

    def drop(self, item: Item) -> None:
        """Remove an item's row, and what points to it from the indexes."""
        from coditect.store.rows import index_rows, record_key

        keys = [record_key(self.store.keys, item), *(key for key, _ in index_rows(self.store.keys, item))]

        def body(transaction: Any) -> None:  # noqa: ANN401 - a transaction
            for key in keys:
                transaction.clear(key)

        self.store.update(body)

    def give(self, derivation_id: str, outputs: Sequence[Item], *, committed: bool = True) -> Derivation:
        """Make other items the outputs of a derivation.

        Args:
            derivation_id: the derivation.
            outputs: stored items.
            committed: whether its commitment is computed again, too.
        """
        step = self.store.derivations(self.corpus_id, [derivation_id])[derivation_id]
        fresh = step.giving(outputs)
        if not committed:
            fresh = fresh.model_copy(update={"outputs_sha256": step.outputs_sha256})
        self.store.put_derivations([fresh])
        return fresh

    def publish(self, **changes: Any) -> Manifest:  # noqa: ANN401 - fields of a manifest
        """Compute trees, manifest, generation and corpus record again over the derivations as they are now."""
        view = self.view
        trees: dict[str, list[Any]] = {}
        for shard, tree_id in view.manifest.trees.items():
            tree = self.store.get("trees", Tree, self.corpus_id, tree_id)
            assert tree is not None
            for entry in tree.entries:
                found = self.store.derivations(self.corpus_id, list(entry.steps))
                given = commitment_to(found[each].commitment for each in entry.steps)
                trees.setdefault(shard, []).append(entry.model_copy(update={"derivations_sha256": given}))
        forged = {
            shard: Tree.create(corpus_id=self.corpus_id, entries=tuple(each)) for shard, each in sorted(trees.items())
        }
        self.store.put_items(forged.values())
        finished = self.store.derivations(self.corpus_id, list(view.manifest.steps))
        fields = {
            "trees": {shard: tree.tree_id for shard, tree in forged.items()},
            "derivations_sha256": commitment_to(finished[each].commitment for each in view.manifest.steps),
            **changes,
        }
        manifest = self.put(view.manifest, **fields)
        for shard, tree_id in view.manifest.trees.items():
            if tree_id != fields["trees"][shard]:
                self.store.remove("trees", self.corpus_id, tree_id)
        self.store.remove("manifests", self.corpus_id, view.manifest.build_id)
        corpus = self.store.corpus(self.corpus_id)
        number = corpus.generation
        generation = self.store.get("generations", Generation, self.corpus_id, number)
        assert generation is not None
        self.store.put(
            "generations", generation.model_copy(update={"build_id": manifest.build_id}), self.corpus_id, number
        )
        self.store.put("corpus", corpus.model_copy(update={"build_id": manifest.build_id}), self.corpus_id)
        self.follow(generation.build_id, manifest.build_id)
        return manifest

    def follow(self, old: str, new: str) -> None:
        """Let the feed's event of a generation name another build."""
        from coditect.store.acts.events import head_row, open_event, seal_event

        keys = self.store.keys
        for page in self.store.pages(*keys.bounds("feed", self.corpus_id)):
            for key, value in page:
                event = open_event(keys, self.corpus_id, value)
                if event.build_id == old:
                    forged = seal_event(keys, event.model_copy(update={"build_id": new}))
                    rows = ((key, forged), head_row(keys, self.corpus_id, forged))
                    self.store.update(lambda transaction, rows=rows: [transaction.set(*row) for row in rows])  # type: ignore[misc]


def _first(items: Sequence[I], wanted: Callable[[I], bool]) -> I:
    return next(each for each in items if wanted(each))


def obligation_becomes_a_fragment(insider: Insider) -> None:
    """ "must disable the account" is stored as another sentence of the same document that obliges nobody."""
    view = insider.view
    for document_id in view.entries:
        found = list(view.extractions(document_id))
        duty = next((e for e in found if e.extraction_kind == "obligation"), None)
        if duty is not None:
            break
    assert duty is not None
    harmless = insider.put(duty, source_text=duty.source_text[:8], char_offset_end=duty.char_offset_start + 8)
    insider.drop(duty)
    step = insider.store.derivations(insider.corpus_id, [duty.derivation_id])[duty.derivation_id]
    outputs = [harmless if each == duty.extraction_id else _of(found, each) for each in step.outputs]
    chunks(insider, document_id, {duty.extraction_id: harmless.extraction_id})
    insider.give(duty.derivation_id, outputs)


def _of(found: Sequence[Extraction], item_id: str) -> Extraction:
    return _first(found, lambda each: each.extraction_id == item_id)


def chunks(insider: Insider, document_id: str, renamed: Mapping[str, str]) -> None:
    """Chunks that rest on other extractions than before, as outputs of their derivation."""
    view = insider.view
    outputs: list[Chunk] = []
    step_id = ""
    for chunk in view.chunks(document_id):
        step_id = chunk.derivation_id
        rests = tuple(renamed.get(each, each) for each in chunk.source_extractions)
        kept = chunk if rests == chunk.source_extractions else insider.put(chunk, source_extractions=rests)
        if kept is not chunk:
            insider.drop(chunk)
        outputs.append(kept)
    insider.give(step_id, outputs)


def selected_sentence_is_dropped(insider: Insider) -> None:
    """Tier 2 of a document loses its last chunk, or the last sentence of its only one."""
    view = insider.view
    document_id = next(each for each in view.entries if view.chunks(each))
    own = list(view.chunks(document_id))
    last = own[-1]
    if len(own) > 1:
        kept: list[Item] = list(own[:-1])
    else:
        kept = [insider.put(last, selected_sentences=last.selected_sentences[:-1])]
    insider.drop(last)
    insider.give(last.derivation_id, kept)


def passage_is_dropped(insider: Insider) -> None:
    """A passage is not found any more by whoever searches."""
    view = insider.view
    document_id = next(each for each in view.entries if view.passages(each))
    own: list[Passage] = list(view.passages(document_id))
    leaf = own[-1]
    insider.drop(leaf)
    insider.give(leaf.derivation_id, own[:-1])


def text_is_forged(insider: Insider) -> None:
    """The canonical text of a document says 240 hours where its file says 24, under the genuine file."""
    view = insider.view
    for document_id in view.entries:
        version = view.document(document_id)
        text = view.text_of(version)
        if "24 hours" in text:
            break
    forged = text.replace("24 hours", "48 hours").encode()
    digest = insider.store.put_blob(insider.corpus_id, forged)
    fields = {name: getattr(version, name) for name in DocumentVersion.model_fields if name != "version_id"}
    other = DocumentVersion.create(**{**fields, "text_sha256": digest, "text_bytes": len(forged)})
    insider.store.put_items([other])
    from coditect.schemas import Intake

    intake = insider.store.get("intake", Intake, insider.corpus_id, document_id)
    assert intake is not None
    insider.store.put(
        "intake", intake.model_copy(update={"version_id": other.version_id}), insider.corpus_id, document_id
    )


def row_of(item: Item) -> str:
    """The table of an item, for messages."""
    return f"{item_tables()[type(item)]}/{'/'.join(map(str, place_of(item_tables()[type(item)], item)))}"


def manifest(insider: Insider) -> Manifest:
    """The manifest of the current generation."""
    corpus: Corpus = insider.store.corpus(insider.corpus_id)
    return manifest_of(insider.store, insider.corpus_id, corpus.build_id)
