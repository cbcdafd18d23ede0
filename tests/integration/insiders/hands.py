"""What an insider can do: write any row, compute every id above it again in all generations, and rewrite the log with its key."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, TypeVar

from coditect.engine.port import Transaction
from coditect.errors import NotFound
from coditect.keyspace import seal, seal_compressed, unseal
from coditect.schemas import (
    Corpus,
    Derivation,
    Failure,
    FeedEvent,
    Generation,
    Intake,
    Item,
    LogAct,
    Manifest,
    Record,
    Tree,
    canonical_json,
    commitment_to,
    document_id_for,
)
from coditect.schemas.record import TAG_DIGITS
from coditect.store.acts.events import event_payload, head_row, open_event, seal_event
from coditect.store.rows import index_rows, record_rows, record_tables
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.transparency.notes import SigningKey
from coditect.transparency.sequencer import TransparencyLog
from tests.integration.insiders.lived import CORPUS, KEY, Lived

__all__ = ["Hands"]

R = TypeVar("R", bound=Record)
I = TypeVar("I", bound=Item)  # noqa: E741 - an item

TAG_END = len("version_") + TAG_DIGITS
"""Where the tag of a document ends in the id of one of its versions."""

LOG_TABLES = ("log/pending", "log/entries", "log/tiles", "log/heads", "log/checkpoints")

KIND_OF = {
    **{"failures": "failure", "generations": "generation", "reviews": "review", "answers": "answer"},
    **{
        "erasures": "erasure",
        "certificates": "erased",
        "holds": "hold",
        "releases": "release",
        "retentions": "retention",
    },
    **{"signatures": "signature", "signers": "key", "policies": "policy", "marks": "mark", "switches": "switch"},
    **{"calibrations": "calibration", "intake": "document", "feed": "ingested"},
}
"""The kind of event by the table of the record that it tells of."""


_TABLES: dict[type[Record], str] = {cls: table for table, cls in record_tables().items()}


class Hands:
    """An insider's hands on a copy of the store.

    Args:
        lived: the store as it was, with what others kept of it.

    Attributes:
        store: the copy that is attacked.
    """

    def __init__(self, lived: Lived) -> None:
        self.lived = lived
        self.store = lived.copy()

    @property
    def keys(self) -> Any:  # noqa: ANN401 - the keyspace
        """Of the tenant."""
        return self.store.keys

    @property
    def view(self) -> View:
        """The current generation, as it is stored now."""
        return open_view(self.store, CORPUS)

    @property
    def log(self) -> TransparencyLog:
        """The tenant's."""
        return TransparencyLog(self.store.engine, self.keys)

    # rows

    def rows(self, table: str, cls: type[R], *place: str) -> list[R]:
        """The records of a table."""
        return [each for _, each in self.store.scan(table, cls, *(place or (CORPUS,)))]

    def first(self, table: str, cls: type[R], **wanted: Any) -> R:  # noqa: ANN401 - values of fields
        """The first record of a table with these values."""
        return next(each for each in self.rows(table, cls) if all(getattr(each, k) == v for k, v in wanted.items()))

    def set_rows(self, *rows: tuple[bytes, bytes]) -> None:
        """Write rows as they are."""

        def body(transaction: Transaction) -> None:
            for row in rows:
                transaction.set(*row)

        self.store.update(body)

    def clear_rows(self, *keys: bytes) -> None:
        """Remove rows."""

        def body(transaction: Transaction) -> None:
            for key in keys:
                transaction.clear(key)

        self.store.update(body)

    def write(self, record: Record) -> None:
        """Write a record, and what points to it from the indexes."""
        row, blobs = record_rows(self.keys, _TABLES[type(record)], record)
        self.set_rows(row, *blobs, *index_rows(self.keys, record))

    def drop(self, record: Record) -> None:
        """Remove a record, and what points to it from the indexes."""
        row, _ = record_rows(self.keys, _TABLES[type(record)], record)
        self.clear_rows(row[0], *(key for key, _ in index_rows(self.keys, record)))

    def forged(self, item: I, **changes: Any) -> I:  # noqa: ANN401 - fields of any item
        """A changed copy of an item under the id that it must have; nothing is written."""
        kind = type(item)
        names = [each for each in kind.model_fields if each != kind.id_field]
        return kind.create(**{**{each: getattr(item, each) for each in names}, **changes})

    def swap(self, item: I, **changes: Any) -> I:  # noqa: ANN401 - fields of any item
        """A changed copy in the place of an item."""
        fresh = self.forged(item, **changes)
        self.drop(item)
        self.write(fresh)
        return fresh

    def swap_in(self, item: I, **changes: Any) -> I:  # noqa: ANN401 - fields of any item
        """A changed copy beside an item."""
        fresh = self.forged(item, **changes)
        self.write(fresh)
        return fresh

    # everything above a change

    def climb(
        self,
        edits: Mapping[str, Item | None],
        added: Mapping[str, Sequence[Item]] | None = None,
        *,
        upto: Callable[[Hands], None] | None = None,
        **manifest: Any,  # noqa: ANN401 - fields of the manifest
    ) -> None:
        """Change items, and compute again all that is above them: ids, commitments, trees, manifests, generations, pointer.

        Args:
            edits: the new item by id of the old one; None: it is gone.
            added: new outputs by id of the step.
            upto: called instead of the manifests: an insider who stops there.
            manifest: fields of the newest generation's manifest.
        """
        renamed: dict[str, str] = {}
        gone = {each for each, item in edits.items() if item is None}
        items = self._items()
        fresh: dict[str, Item] = {}
        for item_id, item in items.items():
            made = self._walked(edits.get(item_id) or item, renamed, gone) if item_id not in gone else None
            if made is not None:
                fresh[made.item_id] = made
            if made is None or made.item_id != item_id:
                self.drop(item)
                if made is not None:
                    renamed[item_id] = made.item_id
                    self.write(made)
        self._steps({**items, **fresh}, renamed, gone, added or {})
        if upto is None:
            self._manifests(renamed, gone, manifest)

    def _items(self) -> dict[str, Item]:
        """The items of all generations, lower tiers first."""
        found: dict[str, Item] = {}
        for table in ("extractions", "chunks", "passages", "profiles", "sections", "claims", "verdicts", "summaries"):
            found |= {each.item_id: each for each in self.rows(table, record_tables()[table]) if isinstance(each, Item)}
        return found

    def _walked(self, item: I, renamed: Mapping[str, str], gone: set[str]) -> I:
        """An item with the new ids of what it names."""

        def walk(value: Any) -> Any:  # noqa: ANN401 - any JSON value
            match value:
                case dict():
                    return {renamed.get(k, k): walk(v) for k, v in value.items() if k not in gone}
                case list():
                    return [walk(each) for each in value if not (isinstance(each, str) and each in gone)]
                case str():
                    return renamed.get(value, value)
            return value

        body = item.model_dump(mode="json", exclude_none=True)
        after = walk(body)
        if after == body:
            return item
        kind = type(item)
        return self.forged(kind.model_validate({**after, kind.id_field: item.item_id}))

    def _steps(
        self, items: Mapping[str, Item], renamed: Mapping[str, str], gone: set[str], added: Mapping[str, Sequence[Item]]
    ) -> None:
        """Derivations with their outputs as they are now."""
        for step in self.rows("derivations", Derivation):
            if not step.outputs_sha256:
                continue
            more = list(added.get(step.derivation_id, ()))
            outputs = [renamed.get(each, each) for each in step.outputs if each not in gone]
            if more or outputs != list(step.outputs):
                for each in more:
                    self.write(each)
                self.store.put_derivations([step.giving([*(items[each] for each in outputs), *more])])

    def _manifests(self, renamed: Mapping[str, str], gone: set[str], changes: Mapping[str, Any]) -> None:
        corpus = self.store.corpus(CORPUS)
        parent, builds = "", {}
        for generation in sorted(self.rows("generations", Generation), key=lambda each: each.generation):
            held = self.store.get("manifests", Manifest, CORPUS, generation.build_id)
            assert held is not None
            last = generation.generation == corpus.generation
            fields = {**self._above(held, renamed, gone), **(changes if last else {})}
            manifest = self.forged(held, **fields)
            self.drop(held)
            self.write(manifest)
            builds[held.build_id] = manifest.build_id
            parent = builds.get(generation.parent_build_id, generation.parent_build_id)
            self.write(generation.model_copy(update={"build_id": manifest.build_id, "parent_build_id": parent}))
            if last:
                known = {"build_id": manifest.build_id, "tier4_summary": manifest.summary_id}
                self.write(corpus.model_copy(update={**known, "document_count": manifest.counts["documents"]}))
        self._tell_feed(builds)
        self._tell_settings(builds)
        held_trees = {each for m in self.rows("manifests", Manifest) for each in m.trees.values()}
        for tree in self.rows("trees", Tree):
            if tree.tree_id not in held_trees:
                self.drop(tree)

    def _above(self, held: Manifest, renamed: Mapping[str, str], gone: set[str]) -> dict[str, Any]:
        """What a manifest says of trees and steps, computed again."""
        trees: dict[str, str] = {}
        for shard, tree_id in held.trees.items():
            tree = self.store.get("trees", Tree, CORPUS, tree_id)
            assert tree is not None
            entries = []
            for entry in tree.entries:
                found = self.store.derivations(CORPUS, list(entry.steps))
                given = commitment_to(found[each].commitment for each in entry.steps if each in found)
                entries.append(
                    entry.model_copy(update={"derivations_sha256": given}) if len(found) == len(entry.steps) else entry
                )
            made = self.forged(tree, entries=tuple(entries))
            self.write(made)
            trees[shard] = made.tree_id
        sections = tuple((step, renamed.get(each, each)) for step, each in held.sections if each not in gone)
        steps = [*(step for step, _ in sections), held.summary_derivation]
        done = self.store.derivations(CORPUS, steps)
        return {
            "trees": trees,
            "sections": sections,
            "summary_id": renamed.get(held.summary_id, held.summary_id),
            "derivations_sha256": commitment_to(done[each].commitment for each in steps),
            "counts": self._counted(trees, sections, renamed.get(held.summary_id, held.summary_id), held.counts),
        }

    def _counted(
        self, trees: Mapping[str, str], sections: Sequence[Any], summary_id: str, before: Mapping[str, int]
    ) -> dict[str, int]:
        from coditect.schemas import CorpusSummary

        counts = {**before, "documents": 0, "extractions": 0, "chunks": 0, "passages": 0, "sections": len(sections)}
        for tree_id in trees.values():
            tree = self.store.get("trees", Tree, CORPUS, tree_id)
            for entry in tree.entries if tree is not None else ():
                counts["documents"] += 1
                for step in self.store.derivations(CORPUS, list(entry.steps)).values():
                    if step.stage in ("extractions", "chunks", "passages"):
                        counts[step.stage] += len(step.outputs)
        summary = self.store.get("summaries", CorpusSummary, CORPUS, summary_id)
        if summary is not None:
            counts |= {"claims": len(summary.claims), "filtered_claims": len(summary.filtered)}
        return counts

    def _tell_feed(self, builds: Mapping[str, str]) -> None:
        """Let the feed tell of the builds that there are now."""
        for page in self.store.pages(*self.keys.bounds("feed", CORPUS)):
            for key, value in page:
                event = open_event(self.keys, CORPUS, value)
                if event.build_id in builds:
                    names = ("build_id", "parent_build_id")
                    update: dict[str, Any] = {
                        each: builds.get(getattr(event, each), getattr(event, each)) for each in names
                    }
                    made = self.store.get("manifests", Manifest, CORPUS, update["build_id"])
                    update |= {} if made is None else {"counts": made.counts}
                    sealed = seal_event(self.keys, event.model_copy(update=update))
                    self.set_rows((key, sealed), head_row(self.keys, CORPUS, sealed))

    def _tell_settings(self, builds: Mapping[str, str]) -> None:
        """Let the acts on settings tell of the builds that there are now, and of what is in them."""
        for key, act in self.acts("settings"):
            build = builds.get(str(act.details["build_id"]))
            held = self.store.get("manifests", Manifest, CORPUS, build) if build else None
            if held is None:
                continue
            own, told = held.configuration, act.details["after"]
            assert isinstance(told, dict)
            after = {each: own[each] for each in told}
            self.clear_rows(key)
            self.put_act(act.model_copy(update={"details": {**act.details, "build_id": build, "after": after}}))

    def _tell_vectors(self) -> None:
        """Let the acts on vectors tell of the blocks that were changed, removed or put there."""
        before, after = _blocks(self.lived.copy()), _blocks(self.store)
        changes = {each: after.get(each) for each in {**before, **after} if before.get(each) != after.get(each)}
        acts = self.acts("vectors")
        for key, act in acts:
            blocks = act.details["blocks"]
            assert isinstance(blocks, dict)
            told = {each: changes.get(each, value) for each, value in blocks.items()}
            told = {each: value for each, value in told.items() if value is not None}
            if told != blocks:
                self.clear_rows(key)
                self.put_act(act.model_copy(update={"details": {**act.details, "blocks": told}}))
        if new := {each: value for each, value in changes.items() if each not in before}:
            last = acts[-1][1]
            self.put_act(last.model_copy(update={"details": {**last.details, "blocks": new}}))

    def acts(self, kind: str) -> list[tuple[bytes, LogAct]]:
        """(key, act) of what only the log tells of."""
        found = []
        for page in self.store.pages(*self.keys.bounds("log/acts")):
            for key, value in page:
                act = LogAct.parse(unseal(self.keys.relative(key), value)[1])
                found += [(key, act)] if act.kind == kind else []
        return found

    def put_act(self, act: LogAct, digest: str = "") -> None:
        """Write what only the log tells of, under its hash, or another."""
        payload = act.payload()
        self.put(self.keys.key("log/acts", digest or sha256(payload).hexdigest()), payload)

    # the log

    def entries(self) -> list[dict[str, Any]]:
        """The entries of the log, read."""
        self.log.sequence()
        return [json.loads(entry) for _, entry in self.log.entries()]

    def put(self, key: bytes, data: bytes) -> None:
        """Write a row of the log."""
        self.set_rows((key, seal_compressed(self.keys.relative(key), data)))

    def append(self, entry: Mapping[str, Any] | bytes) -> None:
        """Append an event, as whoever writes the store can."""
        data = entry if isinstance(entry, bytes) else canonical_json(entry)
        relative = self.keys.relative(self.keys.key("log/pending"))

        def body(transaction: Transaction) -> None:
            transaction.append(self.keys.pending, seal(relative, data))

        self.store.update(body)

    def clear_log(self) -> None:
        """Remove the whole log."""
        for table in LOG_TABLES:
            begin, end = self.keys.bounds(table)
            self.store.update(lambda transaction, begin=begin, end=end: transaction.clear_range(begin, end))  # type: ignore[misc]

    def begin_log(self, entries: Sequence[Mapping[str, Any] | bytes], signer: SigningKey | None = KEY) -> None:
        """Write the log anew, with tiles and head; signed, where the insider has a key."""
        self.clear_log()
        for entry in entries:
            self.append(entry)
        self.log.sequence()
        if signer is not None:
            self.log.checkpoint(signer)

    def rewrite_log(self) -> None:
        """Write a log that tells of the rows as they are now, and sign it with the log's key: everything agrees again."""
        self._tell_vectors()
        before, after = _told_rows(self.lived.copy()), _told_rows(self.store)
        entries = self.entries()
        told = {each.get("sha256") for each in entries}
        gone = {digest: row for digest, row in before.items() if digest not in after}
        new = {digest: row for digest, row in after.items() if digest not in before and digest not in told}
        for old, (table, place, _) in list(gone.items()):
            found = next((d for d, (t, p, _) in new.items() if t == table and p == place), None)
            found = found or next(
                (d for d, (t, p, _) in new.items() if t == table and p not in _places(before, t)), None
            )
            if found is not None:
                record = new.pop(found)[2]
                entries = [_telling(each, found, record) if each.get("sha256") == old else each for each in entries]
                del gone[old]
        lost = {_subject(record)[:TAG_END] for table, _, record in gone.values() if table == "intake"}
        entries = [
            each
            for each in entries
            if each.get("sha256") not in gone
            and not (each["kind"] in ("document", "withdrawal") and each["subject"][:TAG_END] in lost)
        ]
        like = {"$record": entries[0]["$record"], "release": entries[0]["release"], "corpus": entries[0]["corpus"]}
        for digest, (table, _, record) in new.items():
            kind = record.kind if isinstance(record, LogAct) else KIND_OF[table]
            entries.append(_telling({**like, "kind": kind}, digest, record))
        self.begin_log(entries)


def _blocks(store: Store) -> dict[str, Any]:
    """What acts tell of each block of vectors: SHA-256 of its derivation, and what it is of."""
    steps = (each for _, each in store.scan("derivations", Derivation, CORPUS) if each.stage == "vectors")
    return {each.derivation_id: [sha256(each.payload()).hexdigest(), each.inputs[0]] for each in steps}


def _places(rows: Mapping[str, tuple[str, Any, Record]], table: str) -> set[Any]:
    return {place for t, place, _ in rows.values() if t == table}


def _telling(entry: Mapping[str, Any], digest: str, record: Record) -> dict[str, Any]:
    """An entry that tells of another record than before."""
    subject = _subject(record)
    out = {**entry, "sha256": digest, **({"subject": subject} if subject and not isinstance(record, Corpus) else {})}
    if isinstance(record, Generation):
        out["generation"] = record.generation
    if isinstance(record, Intake):
        out["kind"] = "document" if record.status == "present" else "withdrawal"
    return out


def _subject(record: Record) -> str:
    match record:
        case Intake():  # the log knows a document by the tag in the ids of its versions
            return f"version_{record.document_id.partition('_')[2][:TAG_DIGITS]}{record.version_id[TAG_END:]}"
        case Failure():
            return document_id_for(CORPUS, record.name)
        case Generation():
            return record.build_id
        case Item():
            return record.item_id
    return ""


def _told_rows(store: Store) -> dict[str, tuple[str, Any, Record]]:
    """(table, place, record) of everything that a log tells of, by the SHA-256 of its bytes."""
    found: dict[str, tuple[str, Any, Record]] = {}
    for table in KIND_OF.keys() - {"feed"}:
        for corpus in (CORPUS, "") if table == "signers" else (CORPUS,):
            with suppress(NotFound):
                for place, record in store.scan(table, record_tables()[table], corpus):
                    found[sha256(record.payload()).hexdigest()] = (table, place, record)
    for page in store.pages(*store.keys.bounds("feed", CORPUS)):
        for key, value in page:
            payload = event_payload(store.keys, CORPUS, value)
            event = FeedEvent.parse(payload)
            if event.event == "ingested":
                found[sha256(payload).hexdigest()] = ("feed", key, event)
    held = store.get("corpus", Corpus, CORPUS)
    if held is not None:
        fresh = Corpus(corpus_id=held.corpus_id, name=held.name, created_at=held.created_at)
        found[sha256(fresh.payload()).hexdigest()] = ("corpus", CORPUS, fresh)
    for page in store.pages(*store.keys.bounds("log/acts")):
        for key, value in page:
            payload = unseal(store.keys.relative(key), value)[1]
            found[sha256(payload).hexdigest()] = ("log/acts", key, LogAct.parse(payload))
    return found
