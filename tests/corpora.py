"""Small corpora, and stores that hold them, for the tests of store, ingest, build and validation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

from coditect.documents.limits import MOST_EXTRACTIONS
from coditect.engine.port import Engine
from coditect.integrity.indexing.building import build_index
from coditect.keyspace import LAYOUT
from coditect.knowledge.building.gathered.corpus import Gathered
from coditect.knowledge.building.pipeline import BuildReport, build
from coditect.knowledge.erasure.desk import ErasureDesk
from coditect.knowledge.erasure.execution import Surroundings
from coditect.knowledge.ingest.intake import IngestReport, ingest
from coditect.models.port import ModelSources
from coditect.models.wordllama.embedder import WordLlamaTokenizer
from coditect.schemas import (
    AnswerPart,
    AnswerUsage,
    BuildSettings,
    Calibration,
    CalibrationSwitch,
    CorpusPolicy,
    FeedEvent,
    GateFigures,
    ModelAnswer,
    PassageSettings,
    RelevanceMark,
    Review,
    SignerKey,
)
from coditect.store.acts.events import entries_after
from coditect.store.answers.requests import AnswerStore
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.transparency.notes import SigningKey
from coditect.transparency.persons.keys import prove_possession
from coditect.transparency.persons.shown import shown_review
from coditect.transparency.persons.signatures import signed_by
from coditect.verify.staged.calibration import SHIPPED

__all__ = [
    "CORPUS",
    "DOCUMENTS",
    "ITEM_TABLES",
    "answer_all",
    "build_all",
    "clock",
    "copy_of",
    "feed",
    "fill_every_table",
    "folder_of",
    "ingest_all",
    "many_documents",
    "retire_all",
    "review_all",
    "rows",
    "table_rows",
]

CORPUS = "policies"

DOCUMENTS: dict[str, str] = {
    "access.md": """# Access Control Policy

Version 3. Owner: head of security.

## 1 Accounts

"Privileged account" means an account that can change the configuration of a production system.

Managers shall review the access rights of their staff every 90 days. The security team must disable the account of a
leaver within 24 hours. Employees shall not share passwords with anybody.

## 2 Exceptions

The head of security may grant an exception for at most 30 days if the risk is recorded. See the Incident Response
Policy, section 2, for breaches of this policy.
""",
    "incident.md": """# Incident Response Policy

## 1 Reporting

"Incident" means an event that harms the confidentiality of customer data. Employees shall report an incident to the
security team within 4 hours. The security team must notify the affected customers within 72 hours.

## 2 Breaches

The security team shall disable the account of a leaver within 48 hours. The response plan is tested once a year. The
owner of the response plan: TBD.
""",
    "suppliers/cloud.md": """# Supplier Agreement

1. Security

1.1 The supplier shall encrypt customer data at rest and in transit. The supplier shall notify the customer of an
incident within 24 hours.

1.2 The supplier must review the access rights of its staff every 180 days.

2. Term

2.1 The customer may terminate this agreement with 30 days' notice. The supplier shall not use subcontractors without
consent, as set out in the Vendor Management Policy.
""",
    "retention.txt": """DATA RETENTION STANDARD

Records of access reviews must be kept for 7 years. Customer data shall be deleted within 30 days after the end of the
agreement. Backups are kept for 90 days. The data owner should check the deletion every quarter.
""",
}

ITEM_TABLES = (
    "documents",
    "blobs",
    "extractions",
    "chunks",
    "sections",
    "claims",
    "verdicts",
    "summaries",
    "trees",
    "manifests",
    "derivations",
)
"""Tables that are a function of the files alone; index tables too, see :func:`rows`."""


SETTINGS = BuildSettings(passages=PassageSettings(chunk_levels=(32, 128)), today="2026-09-30")

FEW_PASSAGES = BuildSettings(passages=PassageSettings(chunk_levels=(2_000, 8_000)))
"""For corpora that are read over and over, with a long document in them."""


@cache
def tokenizer() -> WordLlamaTokenizer:
    """The tokenizer, opened once a process: that takes five times as long as building such a corpus."""
    return WordLlamaTokenizer()


MODELS = ModelSources(tokenizer=tokenizer)


def clock() -> str:
    """A day that never ends."""
    return "2026-01-01T00:00:00Z"


def folder_of(folder: Path, documents: Mapping[str, str | bytes]) -> Path:
    """Write documents below a folder, and return it."""
    for name, content in documents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def feed(store: Store, corpus: str = CORPUS) -> list[FeedEvent]:
    """What happened to a corpus, oldest first."""
    return [entry.event for entry in entries_after(store, corpus)]


def many_documents(times: int) -> dict[str, str]:
    """The corpus so many times over, each document another one: enough to be at work for a while."""
    return {
        f"{n:02}/{name}": text.replace("90 days", f"{n + 1} days").replace("The clerk", f"Clerk {n}")
        + f"\nClerk {n} shall sign.\n"
        for n in range(times)
        for name, text in DOCUMENTS.items()
    }


def ingest_all(store: Store, *paths: Path, corpus: str = CORPUS, sync: bool = False, jobs: int = 1) -> IngestReport:
    """Ingest with a standing clock, in this process."""
    return ingest(store, corpus, paths, sync=sync, clock=clock, jobs=jobs)


def build_all(
    store: Store,
    *,
    corpus: str = CORPUS,
    settings: BuildSettings | None = None,
    jobs: int = 1,
    models: ModelSources | None = None,
    document_extractions: int = MOST_EXTRACTIONS,
    gathered: Gathered | None = None,
) -> BuildReport:
    """Build with a standing clock, in this process unless more jobs are wanted."""
    return build(
        store,
        corpus,
        settings or SETTINGS,
        clock=clock,
        jobs=jobs,
        models=models or MODELS,
        document_extractions=document_extractions,
        gathered=gathered,
    )


def answer_all(store: Store, *, corpus: str = CORPUS) -> None:
    """A few answers of a language model, as a build with agents leaves them; the last is longer than a value."""
    answers = AnswerStore(store, corpus)
    for number, text in enumerate(('{"items":[]}', "Section 4 sets the period.", "word " * 30_000)):
        answers.put(
            ModelAnswer(
                request_sha256=sha256(f"request {number}".encode()).hexdigest(),
                corpus_id=corpus,
                role="mapper",
                model="model-of-tests",
                parts=(AnswerPart(text=text),),
                usage=AnswerUsage(input_tokens=100, output_tokens=20),
                answered_at=clock(),
            )
        )


def table_rows(engine: Engine, store: Store, table: str) -> dict[bytes, bytes]:
    """Every row of a table, of all corpora of the tenant."""
    begin, end = store.keys.bounds(table)
    return {key: value for page in Store(engine, store.keys.tenant).pages(begin, end) for key, value in page}


def rows(store: Store, *, without: tuple[str, ...] = ()) -> dict[str, dict[bytes, bytes]]:
    """Every row of all item and index tables, by table."""
    indexes = tuple(name for name in LAYOUT if name.startswith("idx/"))
    tables = [name for name in (*ITEM_TABLES, *indexes) if name not in without]
    return {table: table_rows(store.engine, store, table) for table in tables}


def copy_of(store: MemoryStore) -> Store:
    """A store of its own that begins with the same rows; costs nothing, because committed states never change."""
    copied = MemoryStore()
    copied.state = store.state
    return Store(MemoryEngine(copied))


def fill_every_table(store: Store, folder: Path) -> None:
    """Two generations, a file that could not be read, a record longer than a value, a blob of several parts, and every index.

    Args:
        store: has no corpus yet.
        folder: where the documents are written.
    """
    build_index(store, "entity", clock)
    folder_of(folder, DOCUMENTS)
    (folder / "empty.md").touch()
    (folder / "long.md").write_text("# Annex\n\nThe clerk shall keep " + "a very long list of " * 6_000 + "things.\n")
    ingest_all(store, folder)
    build_all(store, settings=FEW_PASSAGES)
    review_all(store)
    (folder / "access.md").write_text(DOCUMENTS["access.md"].replace("90 days", "60 days"))
    ingest_all(store, folder)
    build_all(store, settings=FEW_PASSAGES)
    answer_all(store)
    retire_all(store)


def retire_all(store: Store, *, corpus: str = CORPUS, name: str = "access.md") -> None:
    """A hold and its end, a document erased, and a generation gone by policy."""
    desk = ErasureDesk(store, Surroundings(clock, lambda size: bytes(range(size))), lambda: None)
    hold = desk.hold(corpus, matter="Doe v. Acme", reason="litigation", by="C. Ounsel")
    desk.release(corpus, hold.hold_id, reason="settled", by="C. Ounsel")
    assert desk.erase(corpus, [name], reason="asked by the person", by="A. Officer").state == "done"
    build_all(store, settings=FEW_PASSAGES)
    assert desk.retain(corpus, count=2)[0] > 0


def review_all(store: Store, *, corpus: str = CORPUS) -> None:
    """A reviewer's decision on a claim that is in no generation any more: reviews outlive what they are of.

    Beside it a mark, a calibration made of both, and the switch to it; and the reviewer's key and signature.
    """
    review = Review.create(
        corpus_id=corpus,
        fingerprint=sha256(b"a claim").hexdigest(),
        claim_text="The owner reviews access every year.",
        evidence=("The owner shall review access once a year.",),
        decision="supported",
        by="R. Viewer",
        at=clock(),
        meaning="compared with the signed policy",
    )
    mark = RelevanceMark.create(
        corpus_id=corpus,
        query="how often is access reviewed?",
        tier="extraction",
        judged_id="extraction_gone",
        documents=("document_gone",),
        relevant=True,
        by="R. Viewer",
        at=clock(),
    )
    calibration = Calibration.create(
        corpus_id=corpus,
        checker=SHIPPED.model_copy(update={"version": "reviews/of-tests"}),
        gate=GateFigures(bias=1.0, weights={"missing": -1.0}, correct=0.8, incorrect=0.2),
        embedder="model-of-tests",
        fitted=(),
        reviews=(review.review_id,),
        marks=(mark.mark_id,),
        generation=1,
        build_id="build_gone",
        code_version="of tests",
        seed=0,
    )
    switch = CalibrationSwitch.create(
        corpus_id=corpus,
        calibration_id=calibration.calibration_id,
        by="C. Alibrator",
        at=clock(),
        meaning="read what would change",
    )
    policy = CorpusPolicy.create(corpus_id=corpus, approvals=1, decisions=("withdraw",), at="2026-12-31T00:00:00Z")
    key = SigningKey("signer/of-tests", bytes(range(32)))
    said = {"key": str(key.key), "change": "made", "person": "R. Viewer", "role": "reviewer", "at": clock()}
    signer = prove_possession(SignerKey.create(corpus_id=corpus, **said), key)
    signature = signed_by(
        key,
        corpus_id=corpus,
        subject=review.review_id,
        subject_sha256=sha256(review.payload()).hexdigest(),
        shown=shown_review(review),
        by="R. Viewer",
        role="reviewer",
        at=clock(),
        meaning=review.meaning,
    )
    store.put_items([review, mark, calibration, switch, policy, signer, signature])
