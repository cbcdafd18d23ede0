"""The tables of the key space: what is kept under which kind of key, and what of a key is an id."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["LAYOUT", "Table"]


@dataclass(frozen=True, slots=True)
class Table:
    """One kind of key.

    Attributes:
        number: what stands for it in keys from format 2 on. A number is never given to another table.
        name: in format 1 the path after ``knowledge``, with '/' between parts.
        fields: the names of the elements after it.
        value: the record stored there.
        note: what it is for, one line.
        corpus_field: position of the corpus in ``fields``.
        transient: says what is under way, and is no part of a corpus: neither archived nor traced.
    """

    number: int
    name: str
    fields: tuple[str, ...]
    value: str
    note: str
    corpus_field: int = 0
    transient: bool = False


LAYOUT: dict[str, Table] = {
    table.name: table
    for table in (
        Table(1, "corpus", ("corpus",), "Corpus", "the pointer that a build flips"),
        Table(2, "generations", ("corpus", "generation"), "Generation", "every state that readers have seen"),
        Table(3, "manifests", ("corpus", "build"), "Manifest", "what a build is made of"),
        Table(4, "trees", ("corpus", "tree"), "Tree", "documents of a build, by the first two digits of their tags"),
        Table(
            5,
            "derivations",
            ("corpus", "derivation"),
            "Derivation",
            "finished steps: the memory that makes builds incremental",
        ),
        Table(6, "intake", ("corpus", "document"), "Intake", "what the next build takes in"),
        Table(7, "failures", ("corpus", "name"), "Failure", "files that could not be taken in"),
        Table(
            8,
            "documents",
            ("corpus", "document", "version"),
            "DocumentVersion",
            "tier 0: a file and its canonical text",
        ),
        Table(
            9,
            "blobs",
            ("corpus", "sha256", "n"),
            "bytes",
            "raw files, texts, layouts and long records, split over values",
        ),
        Table(10, "extractions", ("corpus", "document", "extraction"), "Extraction", "tier 1"),
        Table(11, "chunks", ("corpus", "document", "chunk"), "Chunk", "tier 2"),
        Table(12, "passages", ("corpus", "document", "passage"), "Passage", "the parent-child tree that is searched"),
        Table(
            35,
            "profiles",
            ("corpus", "document", "profile"),
            "Profile",
            "who speaks in a document, to whom, since when",
        ),
        Table(13, "sections", ("corpus", "section"), "Section", "tier 3"),
        Table(14, "claims", ("corpus", "claim"), "Claim", "tier 4, kept and filtered alike"),
        Table(15, "verdicts", ("corpus", "verdict"), "Verdict", "what the checker said of each claim"),
        Table(16, "reviews", ("corpus", "review"), "Review", "who signed off what needed review; only added to"),
        Table(17, "marks", ("corpus", "mark"), "RelevanceMark", "who found what relevant to a question; only added to"),
        Table(
            18,
            "calibrations",
            ("corpus", "calibration"),
            "Calibration",
            "figures fitted on reviews and marks: proposals",
        ),
        Table(
            19,
            "switches",
            ("corpus", "switch"),
            "CalibrationSwitch",
            "who put which calibration in force; only added to",
        ),
        Table(
            50, "signers", ("corpus", "signer"), "SignerKey", "keys of persons: made, rotated, revoked; only added to"
        ),
        Table(51, "policies", ("corpus", "policy"), "CorpusPolicy", "how many persons sign a decision; only added to"),
        Table(
            52,
            "signatures",
            ("corpus", "signature"),
            "PersonSignature",
            "what persons signed with their keys; only added to",
        ),
        Table(20, "summaries", ("corpus", "summary"), "CorpusSummary", "tier 4 as a whole"),
        Table(21, "answers", ("corpus", "request"), "ModelAnswer", "what language models answered, by request"),
        Table(22, "idx/topic", ("topic", "corpus", "section"), "derivation id", "sections by topic", 1),
        Table(
            23,
            "idx/entity",
            ("entity", "corpus", "document", "extraction"),
            "derivation id",
            "statements by an entity that they mention; an optional index: `coditect store index`",
            1,
        ),
        Table(
            25,
            "idx/term",
            ("term", "corpus", "document", "item"),
            "derivation id",
            "items by defined term, cross-reference target and section id: 'definition:…', 'reference:…', 'section:…'",
            1,
        ),
        Table(
            26,
            "idx/locator",
            ("tag", "corpus", "document"),
            "empty",
            "where the items with this tag in their id are",
            1,
        ),
        Table(27, "idx/answer", ("request", "corpus"), "empty", "corpora that have the answer to a request", 1),
        Table(28, "asked", ("request", "corpus"), "Asked", "requests that somebody is sending at the moment", 1, True),
        Table(29, "batches", ("corpus", "batch"), "OpenBatch", "batches of requests that are not yet read", 0, True),
        Table(
            32,
            "former",
            ("corpus", "derivation"),
            "derivation id",
            "steps that release 0.1.0 finished under a shorter id",
            0,
            True,
        ),
        Table(
            31,
            "work",
            ("corpus", "what", "owner"),
            "Work",
            "who is building, taking in or sweeping at the moment",
            0,
            True,
        ),
        Table(
            33,
            "indexing",
            ("index",),
            "IndexProgress",
            "how far the building of an optional index is, for all corpora of the tenant",
            0,
            True,
        ),
        Table(30, "feed", ("corpus", "sequence"), "FeedEvent", "change feed, in commit order"),
        Table(36, "log/pending", ("sequence",), "LogEvent", "events that have no index in the log yet", 0, True),
        Table(37, "log/entries", ("index",), "LogEvent", "the log's entries: events as canonical JSON", 0, True),
        Table(
            38,
            "log/tiles",
            ("level", "number"),
            "bytes",
            "hashes of the log's tree, the last tile of a level partial",
            0,
            True,
        ),
        Table(39, "log/heads", ("log",), "LogHead", "how long the log is, and its root", 0, True),
        Table(40, "log/checkpoints", ("size",), "bytes", "signed checkpoints of the log, by its size then", 0, True),
        Table(53, "log/acts", ("sha256",), "LogAct", "what only the log tells of: exports, sweeps, reads", 0, True),
        Table(
            70,
            "tokens",
            ("token", "change"),
            "sha256",
            "the act of the log that made or revoked a token of the HTTP API",
            0,
            True,
        ),
        Table(
            54, "log/principals", ("pseudonym",), "LogPrincipal", "who stands behind a pseudonym of the log", 0, True
        ),
        Table(
            43,
            "log/timestamps",
            ("size", "number"),
            "bytes",
            "RFC 3161 time stamps on the log's checkpoint at a size",
            0,
            True,
        ),
        Table(60, "erasures", ("corpus", "erasure"), "Erasure", "what was asked to be erased; only added to"),
        Table(61, "tombstones", ("corpus", "tombstone"), "Tombstone", "exactly the rows that erasures take"),
        Table(62, "certificates", ("corpus", "certificate"), "ErasureCertificate", "that erasures are done"),
        Table(63, "holds", ("corpus", "hold"), "LegalHold", "what must be kept; only added to"),
        Table(64, "releases", ("corpus", "release"), "HoldRelease", "holds that have ended; only added to"),
        Table(65, "retentions", ("corpus", "retention"), "Retention", "generations that went by policy"),
        Table(
            66,
            "erasing",
            ("corpus", "erasure", "n"),
            "bytes",
            "what an erasure under way removes and looks for; goes with the last of it",
            0,
            True,
        ),
        Table(
            71,
            "compactions",
            ("erasure",),
            "CompactionOwed",
            "erasures after which the store's file is still to be compacted",
            0,
            True,
        ),
        Table(34, "heads", ("corpus",), "FeedEvent", "the last event of the feed, for who waits for the next", 0, True),
    )
}
