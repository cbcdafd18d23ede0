"""The sample corpus as the explorer's tests look at it: two generations, decisions that wait again, and names with markup."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import coditect.sample
from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings, Extraction

__all__ = ["CORPUS", "EVIL_NAME", "EVIL_TEXT", "document", "extraction_with", "fill"]

CORPUS = "sample/α & β"
"""A corpus whose id needs care in an address."""

EVIL_NAME = '<img src=x onerror="alert(1)">.md'

EVIL_TEXT = """# "><script>alert(2)</script>

The clerk shall keep `<script>alert(3)</script>` and `" onmouseover="alert(4)` as text. "Evil term" means `<x-evil>markup</x-evil>`.

The clerk shall file every Evil term within 3 days, see section 1 of the {{ 7*7 }} Policy.
"""


def fill(knowledge: Knowledge, folder: Path) -> None:
    """Two generations of the sample; between them two decisions are made, and what they are about is changed.

    Args:
        knowledge: of an empty store.
        folder: where the documents are written.
    """
    shutil.copytree(Path(coditect.sample.__file__).parent / "corpus", folder)
    knowledge.ingest(CORPUS, [folder])
    knowledge.build(CORPUS, BuildSettings(today="2026-11-01"))
    duty = extraction_with(knowledge, "incident-response-policy.md", lambda e: "within 72 hours" in e.source_text)
    knowledge.review(CORPUS, duty.extraction_id, decision="accept", by="A. Auditor", meaning="read against the law")
    view = knowledge.view(CORPUS)
    claim = next(c for c in view.claims.values() if "information-security-policy.md" in c.text)
    knowledge.review(
        CORPUS, claim.claim_id, decision="accept_risk", by="A. Auditor", meaning="known", until="2099-12-31"
    )
    for name, old, new in (
        ("incident-response-policy.md", "72 hours", "48 hours"),
        ("information-security-policy.md", "at least annually", "every year"),
    ):
        path = folder / name
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    (folder / EVIL_NAME).write_text(EVIL_TEXT, "utf-8")
    knowledge.ingest(CORPUS, [folder])
    knowledge.build(CORPUS, BuildSettings(today="2026-11-01"))


def document(knowledge: Knowledge, name: str) -> str:
    """The id of a document by its name."""
    return next(d for d, version in knowledge.view(CORPUS).documents.items() if version.name == name)


def extraction_with(knowledge: Knowledge, name: str, wanted: Callable[[Extraction], bool]) -> Extraction:
    """The first extraction of a document that is wanted."""
    found = knowledge.view(CORPUS).extractions(document(knowledge, name))
    return next(each for each in found if wanted(each))
