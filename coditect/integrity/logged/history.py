"""What the log tells of one corpus, read once from its first entry to its last: the state in which each row must be now.

Held is what is told of each document, failure, generation and review, about a hundred bytes each; entries are let go of as they are
read, so a log may be of any length.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

from coditect.schemas import tag_of
from coditect.schemas.record import TAG_DIGITS

__all__ = ["ACTS", "ONCE", "CorpusHistory", "document_tag"]

ONCE = (
    # what orders that rows go or stay
    *("erasure", "erased", "hold", "release", "retention"),
    # what persons say, and what it is worth
    *("signature", "key", "policy", "mark", "calibration", "switch"),
)
"""Kinds of events on records that are written once and never changed."""

ACTS = frozenset(
    {"export", "report", "sweep", "compaction", "index", "upgrade", "access", "settings", "vectors", "token"}
)
"""Kinds of events whose record belongs to the log, and stands under its hash."""

ORDERED = frozenset({"signature", "key", "policy", "review"})
"""Kinds of events of which it matters which came first: see :mod:`coditect.integrity.logged.order`."""

BINDS_ALL = 2
"""Version of the beginning's entry from which on the log tells of vectors, of the feed's events and of settings, too."""

CLOCKS = timedelta(hours=1)
"""By so much the clocks of machines may differ."""


def document_tag(item_id: str) -> str:
    """The tag of a document in its id, or in that of one of its versions."""
    return item_id.partition("_")[2][:TAG_DIGITS]


class CorpusHistory:
    """The state of a corpus' rows as its log tells it.

    Whoever adds a kind of event that changes what rows must be there adds how it is taken to ``takers``; kinds that are not there
    change no row that is checked here.

    Args:
        corpus_id: of whom; events of other corpora are passed over.

    Attributes:
        begun: how the corpus came about, as the first event says: "corpus", "import", or "" where the log does not tell.
        beginning: SHA-256 of its record then.
        digest: of an import: the corpus digest of the archive; empty where the log does not tell.
        binds_all: whether it began under a release that logs vectors, the feed's events and settings.
        documents: by tag: (kind of the last event, SHA-256 of the intake's record).
        failures: by id of the document: SHA-256 of the record; those that were cleared are not there.
        generations: by number: (build id, SHA-256 of the record).
        reviews: by id: SHA-256 of the record.
        once: by kind and subject of what is written once and never changed (:data:`ONCE`): SHA-256 of the record.
        answers: of answers of models: SHA-256 of each record; those that were replaced are not there.
        vectors: of the acts that tell of vectors: SHA-256 of each record, in order.
        ingested: SHA-256 of each event of an ingest in the feed, in order.
        acts: of what only the log tells of, in all corpora of the tenant: SHA-256 of each record.
        backwards: (how many entries say an earlier time than one before them, index of the first).
        places: of signatures, keys, policies and decisions, by kind and subject: the entry that tells of it first, from 1.
        repeated: what the log tells twice, or out of order, as (subject, sentence).
    """

    def __init__(self, corpus_id: str) -> None:
        self._tag = tag_of(corpus_id)
        self.begun = ""
        self.beginning = ""
        self.digest = ""
        self.binds_all = False
        self.vectors: list[str] = []
        self.ingested: list[str] = []
        self.documents: dict[str, tuple[str, str]] = {}
        self.failures: dict[str, str] = {}
        self.generations: dict[int, tuple[str, str]] = {}
        self.reviews: dict[str, str] = {}
        self.once: dict[tuple[str, str], str] = {}
        self.answers: set[str] = set()
        self.acts: set[str] = set()
        self.places: dict[tuple[str, str], int] = {}
        self.repeated: list[tuple[str, str]] = []
        self.backwards = (0, 0)
        self._latest = datetime.min.replace(tzinfo=UTC)
        self._count = 0

    def take(self, event: dict[str, Any]) -> None:
        """Follow an event, in the order of the log."""
        kind, sha256 = str(event.get("kind")), str(event.get("sha256", ""))
        self._time(kind, str(event.get("at", "")))
        self._count += 1
        if kind in ACTS:
            self.acts.add(sha256)
        # The tenant has the register of keys; a corpus has copies of what concerns who signed in it.
        if event.get("corpus") == self._tag or (kind == "key" and not event.get("corpus")):
            taker = self.takers.get(kind)
            if taker is not None:
                taker(self, event, str(event.get("subject", "")), sha256)
                if kind in ORDERED:
                    self.places.setdefault((kind, str(event.get("subject", ""))), self._count)

    def _time(self, kind: str, at: str) -> None:
        """Times should not run backwards: who enters something late with an early time is told of; a key may be lost earlier."""
        if not at or kind == "key":
            return
        with suppress(ValueError):
            time = datetime.fromisoformat(at)
            time = time if time.tzinfo else time.replace(tzinfo=UTC)
            if time + CLOCKS < self._latest:
                count, first = self.backwards
                self.backwards = (count + 1, first if count else self._count)
            self._latest = max(self._latest, time)

    def _beginning(self, event: dict[str, Any], subject: str, sha256: str) -> None:
        if self.begun:
            self.repeated.append((f"corpus/{self._tag}", "the log tells of its beginning twice"))
        else:
            self.begun, self.beginning = str(event["kind"]), sha256
            self.digest = str(event.get("digest", ""))
            version = str(event.get("$record", "")).rpartition("/")[2]
            self.binds_all = version.isdecimal() and int(version) >= BINDS_ALL

    def _document(self, event: dict[str, Any], subject: str, sha256: str) -> None:
        told = (str(event["kind"]), sha256)
        if self.documents.get(document_tag(subject)) == told:
            self.repeated.append((f"documents/{subject}", "the log tells of the same intake twice in a row"))
        self.documents[document_tag(subject)] = told

    def _failure(self, event: dict[str, Any], subject: str, sha256: str) -> None:
        self.failures[subject] = sha256

    def _cleared(self, event: dict[str, Any], subject: str, sha256: str) -> None:
        if self.failures.pop(subject, None) is None:
            self.repeated.append((f"failures/{subject}", "the log clears a failure that it does not tell of"))

    def _generation(self, event: dict[str, Any], subject: str, sha256: str) -> None:
        number = int(event.get("generation", 0))
        last = max(self.generations, default=0)
        if number <= last or (last and number != last + 1):
            self.repeated.append((f"generations/{number}", f"the log tells of it after generation {last}"))
        self.generations[number] = (subject, sha256)

    def _review(self, event: dict[str, Any], subject: str, sha256: str) -> None:
        if subject in self.reviews:
            self.repeated.append((f"reviews/{subject}", "the log tells of the decision twice"))
        self.reviews[subject] = sha256

    def _once(self, event: dict[str, Any], subject: str, sha256: str) -> None:
        place = (str(event["kind"]), subject)
        if place in self.once:
            self.repeated.append((f"{event['kind']}/{subject}", "the log tells of it twice"))
        self.once[place] = sha256

    def _answer(self, event: dict[str, Any], subject: str, sha256: str) -> None:
        self.answers.discard(subject)  # that it replaces, if any
        self.answers.add(sha256)

    def _vectors(self, event: dict[str, Any], subject: str, sha256: str) -> None:
        self.vectors.append(sha256)

    def _ingested(self, event: dict[str, Any], subject: str, sha256: str) -> None:
        self.ingested.append(sha256)

    takers: ClassVar[dict[str, Callable[[CorpusHistory, dict[str, Any], str, str], None]]] = {
        "corpus": _beginning,
        "import": _beginning,
        "document": _document,
        "withdrawal": _document,
        "failure": _failure,
        "failure cleared": _cleared,
        "generation": _generation,
        "review": _review,
        "answer": _answer,
        "vectors": _vectors,
        "ingested": _ingested,
        **dict.fromkeys(ONCE, _once),
    }
