"""Small corpora for the tests of the upper tiers: chunks of a text, and whole generations in memory."""

from __future__ import annotations

from pathlib import Path

from coditect.documents.readers import read_source
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.ingest.intake import ingest
from coditect.knowledge.review.doubts import possible_in
from coditect.schemas import BuildSettings, Chunk, Claim, DocumentVersion, document_id_for
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.engine.memory import MemoryEngine
from coditect.tiers.chunks.summaries import chunk_records
from coditect.tiers.claims.weight import ranked
from coditect.tiers.extractions.document import extraction_records, read_document

CORPUS = "small"


def version_of(name: str, text: str) -> DocumentVersion:
    """The record of a document, as ingestion would write it."""
    source = read_source(text.encode(), name)
    return DocumentVersion.create(
        corpus_id=CORPUS,
        document_id=document_id_for(CORPUS, name),
        name=name,
        title=source.title,
        media_type=source.media_type,
        raw_sha256="0" * 64,
        raw_bytes=len(text.encode()),
        text_sha256="0" * 64,
        text_bytes=len(source.text.encode()),
        text_length=len(source.text),
        layout_sha256="0" * 64,
        layout_bytes=0,
        page_count=0,
        reader=source.reader,
    )


def chunks_of(files: dict[str, str]) -> list[Chunk]:
    """Tier 2 of some documents, by name."""
    found: list[Chunk] = []
    for name, text in files.items():
        version = version_of(name, text)
        reading = read_document(read_source(text.encode(), name))
        extractions = list(extraction_records(version, reading, "tier1"))
        found += chunk_records(version, reading, "tier2", extractions, "textrank")
    return found


def versions_of(files: dict[str, str]) -> dict[str, DocumentVersion]:
    """The records of some documents, by id."""
    versions = [version_of(name, text) for name, text in files.items()]
    return {version.document_id: version for version in versions}


TODAY = "2026-09-30"
"""The day of which the small corpora speak."""


def view_of(
    folder: Path, files: dict[str, str], settings: BuildSettings | None = None, corpus_id: str = CORPUS
) -> View:
    """A built generation of some documents."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    store = Store(MemoryEngine())
    ingest(store, corpus_id, [folder])
    build(store, corpus_id, settings or BuildSettings(today=TODAY))
    return open_view(store, corpus_id)


def rules_tell(view: View, kind: str = "") -> list[Claim]:
    """What rules tell, of a kind or all, in the order of its weight: what is published, and what is only possible."""
    shown = {*view.summary.claims, *(each.claim_id for each in possible_in(view))}
    return ranked([each for each in view.claims.values() if each.claim_id in shown and kind in ("", each.claim_kind)])


INCIDENTS = {
    "incident-policy.md": """# Incident Policy

## 1 Notification

1.1 Customers shall be notified of a personal data breach within 72 hours after it has been confirmed.

1.2 The Incident Manager shall keep a record of every incident.

## 2 Review

2.1 This policy shall be reviewed at least annually.
""",
    "contract.md": """# Data Processing Agreement

## 1 Breach

1.1 The Processor shall notify the Controller of a personal data breach within 24 hours after becoming aware of it.

1.2 The Processor shall forward every request of a data subject within 2 business days of receipt.
""",
    "notice.md": """# Privacy Policy

## 1 Breach

1.1 We shall notify the insurer of a personal data breach within 7 days.

## 2 Review

2.1 This policy shall be reviewed at least annually.
""",
    "backup-standard.md": """# Backup Standard

## 1 Backup

1.1 Backups shall be encrypted.

1.2 Keys shall be handled as the Key Handling Standard prescribes.

1.3 Exceptions follow section 4.7 of the Incident Policy.
""",
}
"""Three deadlines for one breach, a document and a section that do not exist, and a standard without a review interval."""

REGISTER = (
    "Control,Title,Owner,Frequency of test,Last tested,Evidence,Status\n"
    "C-1,Access,Ada,Quarterly,2026-07-01,Export,Effective\n"
    "C-2,Media,Ben,Annually,2023-05-02,Certificates,Effective\n"
    "C-3,Logs,Cleo,Annually,2026-06-11,,Effective\n"
    "C-4,Malware,TBD,Quarterly,2026-07-13,Console,Effective\n"
    "C-5,Scans,Ada,Quarterly,2026-08-02,Report,Effective\n"
    "C-6,Keys,Ada,Annually,2026-06-18,Record,Effective\n"
    "C-7,Doors,Ada,Annually,2026-03-18,Record,Effective\n"
    "C-8,Fire,Ada,Annually,2026-02-18,Record,Effective\n"
)
"""A row without an owner, one without evidence, and one whose test is long past."""

EXCEPTIONS = (
    "Exception,Reason,Granted on,Expires on,Status\n"
    "E-1,Display,2026-02-01,2026-05-31,Open\n"
    "E-2,Archive,2026-03-01,2026-04-30,Closed\n"
    "E-3,Ledger,2026-09-16,2027-03-31,Open\n"
)
"""One exception that expired and is open; the newest thing done is of 2026-09-16."""
