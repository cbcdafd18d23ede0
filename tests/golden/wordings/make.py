"""Make the archive of today's wording: ``python -m tests.golden.wordings.make``. Run it once, before a wording is changed.

The corpus has a claim of each sentence that was ever worded otherwise: statements at odds that a model read (two bounds of one
time, a duty and a prohibition in one document, two figures), a row whose date has passed, one that is older than its column, and an
overdue review.
"""

from __future__ import annotations

import io
import lzma
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings
from coditect.tiers.claims.composition import CLAIMS_VERSION
from tests.golden.wordings import AT_ODDS, DOCUMENTS, WORDINGS
from tests.integration.agents import CORPUS, folder_of, opened
from tests.llm_server import llm_server
from tests.llm_server.answers_at_odds import finding_at_odds
from tests.unit.tiers.corpora import TODAY

__all__ = ["AGENTS", "build_worded"]

AGENTS: dict[str, Any] = {
    "embedder": "wordllama",
    "agents": ("reducer", "validator"),
    "hierarchical_chunks_enabled": False,
}


def build_worded(knowledge: Knowledge, folder: Path) -> None:
    """Read and build the corpus with today's wording."""
    knowledge.ingest(CORPUS, [folder_of(folder, DOCUMENTS)])
    knowledge.build(CORPUS, BuildSettings(today=TODAY))


def main() -> None:
    """Make it; a wording that has one keeps it."""
    target = WORDINGS / f"{CLAIMS_VERSION.replace('/', '-')}.jsonl.xz"
    if target.exists():
        raise SystemExit(f"{CLAIMS_VERSION} has its archive, which is never made again")
    file = io.BytesIO()
    with (
        TemporaryDirectory() as place,
        llm_server(model=finding_at_odds(AT_ODDS)) as server,
        opened(Path(place), server.base_url, **AGENTS) as knowledge,
    ):
        build_worded(knowledge, Path(place) / "in")
        knowledge.export(CORPUS, file)
    target.write_bytes(lzma.compress(file.getvalue(), preset=9))
    sys.stdout.write(f"{target}\n")


if __name__ == "__main__":
    main()
