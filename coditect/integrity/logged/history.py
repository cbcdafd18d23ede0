"""What the log tells of one corpus, read once from its first entry to its last: the state in which each row must be now.

Held is what is told of each document, failure, generation and review, about a hundred bytes each; entries are let go of as they are
read, so a log may be of any length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from coditect.schemas import tag_of
from coditect.schemas.record import TAG_DIGITS

__all__ = ["ACTS", "WRITTEN_ONCE", "CorpusHistory", "document_tag"]

ACTS = frozenset({"access", "compaction", "export", "index", "sweep", "upgrade"})
"""Kinds of what only the log tells of: the event commits to a row under its hash."""

WRITTEN_ONCE = (
    *("review", "signature", "key", "policy", "mark", "switch"),
    *("erasure", "erased", "hold", "release", "retention"),
)
"""Kinds of events of records that are written once, and never again nor changed."""


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
        upgraded: whether the store came from a release that had no log, so that rows may be older than it.
        documents: by tag: (kind of the last event, SHA-256 of the intake's record).
        failures: by id of the document: SHA-256 of the record; those that were cleared are not there.
        generations: by number: (build id, SHA-256 of the record).
        written: by kind of event and id, SHA-256 of a record that is written once: decisions, signatures, keys, policies, marks,
            switches; erasures and their certificates, holds and their releases, retentions.
        acts: SHA-256 of each act that the log alone tells of, of this corpus or of the whole store.
        repeated: what the log tells twice, or out of order, as (subject, sentence).
    """

    def __init__(self, corpus_id: str) -> None:
        self._tag = tag_of(corpus_id)
        self.begun = ""
        self.beginning = ""
        self.upgraded = False
        self.documents: dict[str, tuple[str, str]] = {}
        self.failures: dict[str, str] = {}
        self.generations: dict[int, tuple[str, str]] = {}
        self.written: dict[tuple[str, str], str] = {}
        self.acts: list[str] = []
        self.repeated: list[tuple[str, str]] = []

    def take(self, event: dict[str, Any]) -> None:
        """Follow an event, in the order of the log."""
        kind, corpus = str(event.get("kind")), event.get("corpus")
        self.upgraded |= kind == "upgrade"
        if kind in ACTS and corpus in ("", self._tag):
            self.acts.append(str(event.get("sha256", "")))
        elif corpus == self._tag:
            taker = self.takers.get(kind)
            if taker is not None:
                taker(self, event, str(event.get("subject", "")), str(event.get("sha256", "")))

    def _beginning(self, event: dict[str, Any], subject: str, sha256: str) -> None:
        if self.begun:
            self.repeated.append((f"corpus/{self._tag}", "the log tells of its beginning twice"))
        else:
            self.begun, self.beginning = str(event["kind"]), sha256

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

    def _written(self, event: dict[str, Any], subject: str, sha256: str) -> None:
        place = (str(event["kind"]), subject)
        if place in self.written:
            self.repeated.append((subject, f"the log tells of the same {event['kind']} twice"))
        self.written[place] = sha256

    takers: ClassVar[dict[str, Callable[[CorpusHistory, dict[str, Any], str, str], None]]] = {
        "corpus": _beginning,
        "import": _beginning,
        "document": _document,
        "withdrawal": _document,
        "failure": _failure,
        "failure cleared": _cleared,
        "generation": _generation,
        **dict.fromkeys(WRITTEN_ONCE, _written),
    }
