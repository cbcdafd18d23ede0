"""Deciding what an erasure removes: rows of the documents, whatever quotes them, and whatever holds their words.

Tables are read once, each after those that it points to, so that what a record points to is decided when the record is read. A
record goes for one of three reasons: it belongs to the document; it names a row that goes as what it rests on; or a run of six
words stands in it that no other document of the corpus has. Above Tier 2, and in what persons and models said, the document's name
is reason enough.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from coditect.integrity.references import blobs_of
from coditect.keyspace import POINTER, part_text, unseal
from coditect.knowledge.erasure.given import copies_given
from coditect.knowledge.erasure.plan import ErasurePlan, row_id
from coditect.knowledge.erasure.traces import OF_DOCUMENTS, Traces
from coditect.schemas import (
    Claim,
    CorpusSummary,
    Derivation,
    DocumentVersion,
    ErasedStep,
    ErasedSummary,
    Erasure,
    Failure,
    Intake,
    PersonSignature,
    Record,
    RelevanceMark,
    Review,
    RowCount,
    Section,
    Verdict,
    canonical_json,
)
from coditect.store.blobs import Row
from coditect.store.intake.staging import corpus_pages
from coditect.store.rows import index_rows, open_stored, record_tables
from coditect.store.store import Store

__all__ = ["copies_of", "make_plan", "versions_of"]

_UNTOUCHED = frozenset(
    (
        *("corpus", "generations", "manifests", "trees", "calibrations", "switches"),
        *("erasures", "tombstones", "certificates", "holds", "releases", "retentions"),
    )
)
"""Tables of hashes, figures and decisions of which nothing goes."""


def versions_of(store: Store, corpus_id: str, document_ids: Sequence[str]) -> list[DocumentVersion]:
    """Every stored version of some documents."""
    return [v for each in document_ids for _, v in store.scan("documents", DocumentVersion, corpus_id, each)]


def copies_of(store: Store, corpus_id: str, erasure: Erasure) -> dict[str, DocumentVersion]:
    """Versions of other documents with the bytes of a file that is to be erased, by document id, one of each."""
    found: dict[str, DocumentVersion] = {}
    marks: dict[str, bool] = {}
    for _, version in store.scan("documents", DocumentVersion, corpus_id):
        if version.document_id not in erasure.document_ids:
            digest = version.raw_sha256
            if marks.setdefault(digest, erasure.knows(digest)):
                found[version.document_id] = version
    return found


def make_plan(store: Store, erasure: Erasure, key: bytes) -> ErasurePlan:
    """Read a corpus, and decide what an erasure removes of it; nothing is written.

    Args:
        store: the tenant's store.
        erasure: what was asked. Copies of its files under other names go as well: in a backup there may be some.
        key: random, 16 bytes; of the numbers of runs.
    """
    corpus_id = erasure.corpus_id
    documents = {*erasure.document_ids, *copies_of(store, corpus_id, erasure)}
    planner = _Planner(store, corpus_id, documents, key)
    for table, cls in record_tables().items():
        if table == "derivations":
            planner.derivations()
        elif table not in _UNTOUCHED:
            planner.table(table, cls)
    planner.blobs()
    return planner.plan


class _Planner:
    """One reading of a corpus. See :func:`make_plan`.

    Attributes:
        plan: as far as it is made.
    """

    def __init__(self, store: Store, corpus_id: str, documents: set[str], key: bytes) -> None:
        self.store = store
        self.corpus_id = corpus_id
        self.plan = ErasurePlan(key)
        self._documents = documents
        self._traces = Traces(store, corpus_id, documents, key)
        self.plan.runs = self._traces.runs
        self._blobs: tuple[set[str], set[str]] = set(), set()
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)

    def table(self, table: str, cls: type[Record]) -> None:
        """Decide of a table's rows, and count those that go."""
        for row in self._rows(table):
            if table in OF_DOCUMENTS:
                goes = part_text(self.store.keys.parts(table, row[0])[1]) in self._documents
                record = None
                if goes:
                    record = open_stored(self.store.engine, self.store.keys, row, cls)
            else:
                record = open_stored(self.store.engine, self.store.keys, row, cls)
                goes = self._goes(table, record, row)
            self._decide(table, row, record, goes)

    def _decide(self, table: str, row: Row, record: Record | None, goes: bool) -> None:
        kept_blobs, gone_blobs = self._blobs
        named = set() if record is None else set(blobs_of(record))
        form, payload = unseal(self.store.keys.relative(row[0]), row[1])
        if form == POINTER:
            named.add(payload.decode("ascii").partition(":")[0])
        (gone_blobs if goes else kept_blobs).update(named)
        if not goes:
            return
        self.plan.rows[table].add(row_id(self.store.keys, table, row[0])[1])
        self._count(table, row)
        for entry in () if record is None else index_rows(self.store.keys, record):
            name = self.store.keys.table_of(entry[0]) or table
            if name != "idx/locator":
                self._count(name, entry)

    def _count(self, table: str, row: Row) -> None:
        self._counts[table].update(rows=1, size_bytes=len(row[0]) + len(row[1]))

    def _goes(self, table: str, record: Record, row: Row) -> bool:
        rows = self.plan.rows
        match record:
            case DocumentVersion():
                return record.document_id in self._documents
            case Intake():
                return record.document_id in self._documents
            case Failure():
                return record.name in self._traces.names or self._traces.in_row(table, row)
            case Section():
                cited = any(
                    p.citation is not None and p.citation.document_id in self._documents for p in record.content
                )
                return cited or self._traces.in_row(table, row)
            case Claim():
                rests = any(each.section_id in rows["sections"] for each in record.citations)
                return rests or any(map(self._traces.own, record.extraction_ids)) or self._traces.in_row(table, row)
            case Verdict():
                rests = record.claim_id in rows["claims"] or any(map(self._is_gone, record.evidence))
                goes = rests or self._traces.in_row(table, row)
                if goes and record.claim_id not in rows["claims"]:
                    self._take_claim(record.claim_id)
                return goes
            case CorpusSummary():
                return self._summary_goes(record, row)
            case Review():
                signed = record.signed_item or ""
                named = record.extraction is not None and record.extraction.document in self._traces.names
                if record.row is not None:
                    of_row = {record.row.document, *(each.document for each in record.row.sentences)}
                    named = not of_row.isdisjoint(self._traces.names)
                return self._is_gone(signed) or named or self._traces.in_row(table, row)
            case PersonSignature():  # of a decision or an item that goes: it would stand under nothing
                return self._is_gone(record.subject) or self._traces.in_row(table, row)
            case RelevanceMark():
                return self._is_gone(record.judged_id) or self._traces.in_row(table, row)
            case _:
                return self._traces.in_row(table, row)

    def _take_claim(self, claim_id: str) -> None:
        """A claim of whose verdict the words speak goes with it."""
        key = self.store.keys.key("claims", self.corpus_id, claim_id)
        value = self.store.engine.read(lambda transaction: transaction.get(key))
        if value is not None:
            record = open_stored(self.store.engine, self.store.keys, (key, value), Claim)
            self._decide("claims", (key, value), record, goes=True)

    def _is_gone(self, item_id: str) -> bool:
        return bool(item_id) and (self._traces.own(item_id) or any(item_id in ids for ids in self.plan.rows.values()))

    def _summary_goes(self, record: CorpusSummary, row: Row) -> bool:
        claims, rows = self.plan.rows["claims"], self.plan.rows
        of_claims = any(each in claims for each in (*record.claims, *record.filtered))
        if not of_claims and not self._traces.in_row("summaries", row):
            return False
        left = {each: verdict for each, verdict in record.verdicts.items() if each not in claims}
        published = tuple(each for each in record.claims if each not in claims)
        filtered = tuple(each for each in record.filtered if each not in claims)
        self.plan.summaries[record.summary_id] = ErasedSummary(
            claims=published,
            filtered=filtered,
            verdicts=left,
            source_sections=tuple(each for each in record.source_sections if each not in rows["sections"]),
            erased_claims=len(record.claims) - len(published),
            erased_filtered=len(record.filtered) - len(filtered),
        )
        return True

    def derivations(self) -> None:
        """Steps of what goes: those of the documents, what was made from them alone, and what gave a row that goes."""
        gone = self.plan.rows["derivations"]
        found: list[tuple[Row, Derivation]] = []
        for row in self._rows("derivations"):
            found.append((row, open_stored(self.store.engine, self.store.keys, row, Derivation)))
        waiting = found
        while True:
            more = [(row, step) for row, step in waiting if self._step_goes(step, row)]
            if not more:
                break
            gone.update(step.derivation_id for _, step in more)
            taken = {step.derivation_id for _, step in more}
            waiting = [each for each in waiting if each[1].derivation_id not in taken]
        for row, step in found:
            goes = step.derivation_id in gone
            self._decide("derivations", row, step, goes)
            if goes:
                self.plan.steps[step.derivation_id] = ErasedStep(
                    stage=step.stage, outputs=len(step.outputs), commitment=step.commitment.hex()
                )

    def _step_goes(self, step: Derivation, row: Row) -> bool:
        gone = self.plan.rows["derivations"]
        if any(map(self._is_gone, step.outputs)):
            return True
        if step.stage not in ("section", "summary"):
            versions = self.plan.rows["documents"]
            return any(each in gone or each in versions for each in step.inputs)
        return self._traces.in_row("derivations", row) or self._traces.named_in(canonical_json(step.parameters))

    def blobs(self) -> None:
        """Blobs that what goes names, and nothing else does."""
        kept, gone = self._blobs
        own = gone - kept
        self.plan.rows["blobs"] = own
        for row in self._rows("blobs"):
            if row_id(self.store.keys, "blobs", row[0])[1] in own:
                self._count("blobs", row)
        self.plan.counts = {table: RowCount(**count) for table, count in sorted(self._counts.items())}
        shared = (f"{len(gone & kept)} blobs that other documents hold, too",) if gone & kept else ()
        self.plan.stays = (*STAYS, *shared, *copies_given(self.store, self.corpus_id, self._documents))

    def _rows(self, table: str) -> Iterator[Row]:
        for page in corpus_pages(self.store, self.corpus_id, table):
            yield from page


STAYS = (
    "ids and entries of the log: hashes, each over the file's own hash",
    "trees, manifests and generations: hashes and figures by which what is left still verifies",
    "this erasure, its tombstone and its certificate",
)
"""What every erasure leaves."""
