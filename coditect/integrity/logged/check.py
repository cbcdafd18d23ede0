"""Checks a corpus against its log, and the log against a checkpoint that somebody kept elsewhere.

A store that was made to agree with itself again still has to agree with what was signed before. Found is: a log that is shorter
than it was, or another one; a row that the log tells of and that is gone or changed; a row of which the log does not tell; what the
log tells twice.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import TypeVar

import orjson

from coditect.errors import Corrupt, InvalidProof
from coditect.integrity.logged.belongings import CHANGED, GONE, PLANTED, check_acts, check_principals
from coditect.integrity.logged.history import CorpusHistory, document_tag
from coditect.integrity.logged.tiles import TileCheck
from coditect.integrity.rows.reading import Advance, RowReader
from coditect.schemas import (
    TENANT,
    Calibration,
    CalibrationSwitch,
    Corpus,
    CorpusPolicy,
    Erasure,
    ErasureCertificate,
    Failure,
    Finding,
    Generation,
    HoldRelease,
    Intake,
    LegalHold,
    Manifest,
    ModelAnswer,
    PersonSignature,
    Record,
    RelevanceMark,
    Retention,
    Review,
    SignerKey,
    Tombstone,
    document_id_for,
)
from coditect.store.intake.erasures import gone_rows
from coditect.store.rows import payload_of, row_name
from coditect.store.store import Store
from coditect.transparency.checkpoints import Checkpoint
from coditect.transparency.sequencer import TransparencyLog
from coditect.transparency.tree import TreeFold, leaf_hash

__all__ = ["check_logged"]

R = TypeVar("R", bound=Record)

ONCE: tuple[tuple[str, str, type[Record], str, str], ...] = (
    # Who could plant one of the first five could hide a deletion, or have something deleted.
    ("erasure", "erasures", Erasure, "erasure_id", "erasures"),
    ("erased", "certificates", ErasureCertificate, "certificate_id", "certificates"),
    ("hold", "holds", LegalHold, "hold_id", "holds"),
    ("release", "releases", HoldRelease, "release_id", "releases"),
    ("retention", "retentions", Retention, "retention_id", "retentions"),
    ("signature", "signatures", PersonSignature, "signature_id", "signatures"),
    ("key", "signers", SignerKey, "signer_id", "keys of persons"),
    ("policy", "policies", CorpusPolicy, "policy_id", "policies"),
    ("mark", "marks", RelevanceMark, "mark_id", "marks"),
    ("calibration", "calibrations", Calibration, "calibration_id", "calibrations"),
    ("switch", "switches", CalibrationSwitch, "switch_id", "switches"),
)
"""(kind of event, table, class, field that its subject is, words) of records that are written once and never changed."""

MOST_LOOKS = 3
"""Somebody may write meanwhile: what is found is looked at again, until the log stood still while it was."""


def check_logged(
    store: Store, corpus_id: str, kept: Checkpoint | None, counts: Counter[str], advance: Advance
) -> tuple[list[Finding], list[str]]:
    """Check a corpus against its log.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        kept: a checkpoint whose signature was checked; None: only the rows are held against the log as it is.
        counts: entries that were read are added to it.
        advance: told of each page of rows, with the table's name.

    Returns:
        What is wrong; and sentences on what the log does not tell of, since it happened before the log began or elsewhere.
    """
    log = TransparencyLog(store.engine, store.keys)
    for _ in range(MOST_LOOKS):
        run = _Check(store, corpus_id, log, advance)
        before = log.head().size, log.waiting_count()
        run.log(kept)
        run.rows()
        if not run.findings or before == (log.head().size, log.waiting_count()):
            break
    counts["log"] += run.entries
    return run.findings, run.untold


class _Check:
    """One look at the log and at the rows."""

    def __init__(self, store: Store, corpus_id: str, log: TransparencyLog, advance: Advance) -> None:
        self.findings: list[Finding] = []
        self.untold: list[str] = []
        self.entries = 0
        self._store, self._corpus_id, self._log, self._advance = store, corpus_id, log, advance
        self._history = CorpusHistory(corpus_id)
        self._rows = RowReader(store, corpus_id, Counter(), self._say_bytes, advance)
        self._unknown: Counter[str] = Counter()
        self._by_right = gone_rows(store, corpus_id)
        erased = {document for _, each in store.scan("erasures", Erasure, corpus_id) for document in each.document_ids}
        self._erased = frozenset(erased)
        self._erased_tags = frozenset(document_tag(each) for each in erased)

    def _say(self, record: str, message: str) -> None:
        self.findings.append(Finding(check="log", record=record, message=message))

    def _say_bytes(self, check_name: str, record: str, message: str) -> None:
        """A row that cannot be read is said where rows are checked."""

    # the log

    def log(self, kept: Checkpoint | None) -> None:
        """Its entries against its tree, and both against the checkpoint that was kept; what they tell is followed."""
        head, tree = self._log.head(), TreeFold()
        tiles = TileCheck(self._log.tile, self._say)
        try:
            if kept is not None:
                self._log.require_continues(kept, head)
        except (Corrupt, InvalidProof) as error:
            self._say("log/heads/events", str(error))
        try:
            for index, entry in self._log.entries():
                if index != tree.size:
                    self._say(f"log/entries/{tree.size}", "an entry of the log is missing")
                    break
                leaf = leaf_hash(entry)
                tree.add(leaf)
                tiles.add(leaf)
                self._history.take(orjson.loads(entry))
                if kept is not None and tree.size == kept.size and tree.root() != kept.root:
                    self._say(
                        "log/entries", f"the first {kept.size} entries are not those of the checkpoint that was kept"
                    )
            tiles.end()
            for entry in self._log.waiting():
                self._history.take(orjson.loads(entry))
        except Corrupt as error:
            self._say(f"log/entries/{tree.size}", str(error))
        except orjson.JSONDecodeError:
            self._say(f"log/entries/{tree.size - 1}", "an entry of the log is not JSON")
        self.entries = tree.size
        # More entries than the head told of are of somebody who sequenced meanwhile.
        if tree.size < head.size or (tree.size == head.size and tree.root().hex() != head.root):
            self._say("log/entries", "the entries of the log are not those that its tree is over")
        for record, message in self._history.repeated:
            self._say(record, message)

    # rows

    def rows(self) -> None:
        """Every row of which the log tells, and everything that the log tells of."""
        self._intake()
        self._failures()
        self._generations()
        self._reviews()
        self._once()
        self._tombstones()
        self._answers()
        older = check_acts(self._store, self._corpus_id, self._history.acts, self._say)
        check_principals(self._store, self._say)
        if not self._history.begun and not older:
            name = f"corpus/{self._corpus_id}"
            self._say(name, "the log does not tell how the corpus came about: it was copied in, or put there")
        self._times()
        for what, count in sorted(self._unknown.items()):
            how = "came with an import" if self._history.begun == "import" else "are older than the log, or planted"
            self.untold.append(f"The log does not tell of {count} {what}: they {how}.")

    def _payloads(self, table: str, cls: type[R], rows: RowReader | None = None) -> Iterator[tuple[str, R, str]]:
        """(name, record, SHA-256 of the stored bytes) of the rows of a table that can be read."""
        for key, record in (rows or self._rows).records(table, cls):
            if not isinstance(record, cls):
                continue
            place = self._store.keys.parts(table, key)
            value = self._store.engine.read(lambda transaction, key=key: transaction.get(key))  # type: ignore[misc]
            if value is not None:
                payload = payload_of(self._store.engine, self._store.keys, place, key, value)
                yield row_name(self._store.keys, key), record, hashlib.sha256(payload).hexdigest()

    def _compare(self, name: str, told: str | None, found: str, what: str) -> None:
        if told == found:
            return
        if told is not None:
            self._say(name, CHANGED)
        elif self._history.begun == "corpus":  # the log tells of everything from the beginning
            self._say(name, PLANTED)
        else:
            self._unknown[what] += 1

    def _gone(self, name: str) -> None:
        self._say(name, GONE)

    def _intake(self) -> None:
        told = dict(self._history.documents)
        for name, record, digest in self._payloads("intake", Intake):
            kind, wanted = told.pop(document_tag(record.document_id), ("", None))
            self._compare(name, wanted, digest, "documents")
            if wanted == digest and kind != ("document" if record.status == "present" else "withdrawal"):
                self._say(name, f"the log tells of it as a {kind}")
        for tag in told:
            if tag not in self._erased_tags:
                self._gone(f"intake/{self._corpus_id}/document_{tag}…")

    def _failures(self) -> None:
        told = dict(self._history.failures)
        for name, record, digest in self._payloads("failures", Failure):
            wanted = told.pop(document_id_for(self._corpus_id, record.name), None)
            self._compare(name, wanted, digest, "failures")
        for document_id in told:
            if document_id not in self._erased:
                self._gone(f"failures/{self._corpus_id}/{document_id}")

    def _reviews(self) -> None:
        told = dict(self._history.reviews)
        for name, record, digest in self._payloads("reviews", Review):
            self._compare(name, told.pop(record.review_id, None), digest, "decisions")
        for review_id in told:
            if not self._by_right.covers("reviews", review_id):
                self._gone(f"reviews/{self._corpus_id}/{review_id}")

    def _once(self) -> None:
        """What is written once: orders, signatures, keys, policies, marks, calibrations; the tenant's register of keys, too."""
        told = dict(self._history.once)
        tables = {kind: table for kind, table, *_ in ONCE}
        for kind, table, cls, field, what in ONCE:
            for name, record, digest in self._payloads(table, cls):
                self._compare(name, told.pop((kind, getattr(record, field)), None), digest, what)
        register = RowReader(self._store, TENANT, Counter(), self._say_bytes, self._advance)
        for name, key, digest in self._payloads("signers", SignerKey, register):
            wanted = told.pop(("key", key.signer_id), None)
            if wanted != digest:  # there is no register that is older than the log, and none is imported
                self._say(name, PLANTED if wanted is None else CHANGED)
        for kind, item_id in told:
            if not self._by_right.covers(tables[kind], item_id):
                self._gone(f"{tables[kind]}/{self._corpus_id}/{item_id}")

    def _tombstones(self) -> None:
        """What a tombstone names may be missing, so each must be the one that a certificate names, or of an erasure at work."""
        certified = {
            each.erasure_id: each.tombstone_id for _, each, _ in self._payloads("certificates", ErasureCertificate)
        }
        for name, stone, _ in self._payloads("tombstones", Tombstone):
            if certified.get(stone.erasure_id, stone.tombstone_id) != stone.tombstone_id:
                self._say(name, "the certificate of its erasure names another tombstone: it was put there")

    def _answers(self) -> None:
        """Answers of models, which entries tell of by their hashes alone."""
        told = set(self._history.answers)
        for name, _, digest in self._payloads("answers", ModelAnswer):
            self._compare(name, digest if digest in told else None, digest, "answers of models")
            told.discard(digest)
        erased = sum(
            each.removed["answers"].rows
            for _, each, _ in self._payloads("certificates", ErasureCertificate)
            if "answers" in each.removed
        )
        if len(told) > erased and not self._by_right.pending:
            left = f", of which {erased} were erased" if erased else ""
            self._say(f"answers/{self._corpus_id}", f"{len(told)} that the log tells of are not here{left}")

    def _times(self) -> None:
        count, first = self._history.backwards
        if count:
            self.untold.append(
                f"{count} entries of the log say an earlier time than entries before them, the first is entry {first}: "
                "the log proves their order, and not their times."
            )

    def _generations(self) -> None:
        told = dict(self._history.generations)
        found: list[Generation] = []
        for name, record, digest in self._payloads("generations", Generation):
            found.append(record)
            _, wanted = told.pop(record.generation, ("", None))
            self._compare(name, wanted, digest, "generations")
        for number in told:
            if self._by_right.covers("generations", number):
                continue
            self._gone(f"generations/{self._corpus_id}/{number}")
        self._corpus(found)

    def _corpus(self, generations: list[Generation]) -> None:
        """The corpus' record: made as the log tells, and pointing to the last generation of which it tells."""
        name = f"corpus/{self._corpus_id}"
        record = self._store.get("corpus", Corpus, self._corpus_id)
        if record is None:
            if self._history.begun:
                self._gone(name)
            return
        last = max(self._history.generations, default=0)
        if last and record.generation != last:
            self._say(
                name, f"it points to generation {record.generation}; the last one that the log tells of is {last}"
            )
        fresh = Corpus(corpus_id=record.corpus_id, name=record.name, created_at=record.created_at)
        begun = self._history.begun
        states = [fresh] if begun == "corpus" else [fresh, *self._as_of(record, generations)]
        if begun and all(hashlib.sha256(each.payload()).hexdigest() != self._history.beginning for each in states):
            self._say(name, "its name, the time when it was made, or what was imported is not what the log tells of")

    def _as_of(self, record: Corpus, generations: list[Generation]) -> Iterator[Corpus]:
        """The corpus' record as it was when each generation was the current one."""
        for each in generations:
            manifest = self._store.get("manifests", Manifest, self._corpus_id, each.build_id)
            if manifest is not None:
                yield Corpus(
                    corpus_id=record.corpus_id,
                    name=record.name,
                    created_at=record.created_at,
                    generation=each.generation,
                    build_id=each.build_id,
                    document_count=manifest.counts.get("documents", 0),
                    tier4_summary=manifest.summary_id,
                    tier4_generated_at=each.created_at,
                )
