"""Write the published contracts (``agents/``, ``schemas/``, ``cli/``, two pages of ``docs/``, a stub) from the code, or check.

usage: python tools/contracts.py [--check]
"""

from __future__ import annotations

import asyncio
import difflib
import json
import sys
from pathlib import Path

import layout
import sessions
import shapes
from api import api_markdown, schemas_stub, stub
from fastapi import FastAPI
from pydantic import BaseModel

from coditect import schemas
from coditect.assistants.desk import AssistantDesk
from coditect.assistants.tools import INSTRUCTIONS, assistant_server
from coditect.cli.exit_codes import exit_codes_markdown
from coditect.cli.reference import reference_markdown
from coditect.keyspace import FORMAT, LAYOUT, PART_BYTES
from coditect.keyspace.compression import DICTIONARIES, FIRST_DICTIONARY
from coditect.knowledge.building.dossiers import dossiers
from coditect.reports.model import AuditReport
from coditect.schemas import (
    AnsweredQuestionnaire,
    ArchiveHeader,
    ArchiveTrailer,
    AuditEntry,
    CalibrationReport,
    CalibrationState,
    ContractGrid,
    CorpusChanges,
    CorpusManifest,
    CorpusStatus,
    Crosswalk,
    DecisionStatus,
    DocumentListing,
    DrillDown,
    FeedEntry,
    IndexStatus,
    MappingCheck,
    PageRectangles,
    PendingReview,
    QueryResult,
    Record,
    RegisterRow,
    ReplayReport,
    Source,
    SweepReport,
    TextReport,
    ValidationReport,
)
from coditect.schemas.quota import QuotaFile, QuotaReport
from coditect.server.api import routes
from coditect.server.application import TITLE
from coditect.store.rows import record_tables

ROOT = Path(__file__).resolve().parent.parent
REPORTS: tuple[type[Record], ...] = (
    QueryResult,
    Source,
    ValidationReport,
    CorpusStatus,
    TextReport,
    ReplayReport,
    PendingReview,
    CorpusManifest,
    DecisionStatus,
    FeedEntry,
    SweepReport,
    IndexStatus,
    CalibrationReport,
    CalibrationState,
    ArchiveHeader,
    ArchiveTrailer,
    RegisterRow,
    CorpusChanges,
    AuditEntry,
    Crosswalk,
    MappingCheck,
    PageRectangles,
    AnsweredQuestionnaire,
    ContractGrid,
    DrillDown,
    DocumentListing,
)


def contracts() -> dict[str, str]:
    """Content by path, relative to the repository."""
    files = {"cli/reference.md": reference_markdown(), "cli/exit-codes.md": exit_codes_markdown()}
    files["schemas/keyspace.md"] = keyspace_markdown()
    files["docs/api.md"] = api_markdown()
    files["coditect/__init__.pyi"] = stub()
    files["coditect/schemas/__init__.pyi"] = schemas_stub()
    models: tuple[type[BaseModel], ...] = (
        *record_tables().values(),
        schemas.FeedEvent,
        *REPORTS,
        AuditReport,
        QuotaFile,
        QuotaReport,
    )
    for model in models:
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}
        text = json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False)
        files[f"schemas/{kebab(model.__name__)}.json"] = text + "\n"
    files["schemas/openapi.json"] = openapi_json()
    files["schemas/mcp.json"] = asyncio.run(mcp_json())
    files["docs/layout.md"] = layout.layout_page(ROOT)
    files |= shapes.shape_files(ROOT)
    files |= {f"agents/{name}.md": text for name, text in dossiers().items()}
    return files


def openapi_json() -> str:
    """What the HTTP API takes and answers, OpenAPI 3.1; without the program's version, which every release would change."""
    app = FastAPI(title=TITLE, version="1")
    app.include_router(routes(), prefix="/api/v1")
    return json.dumps(app.openapi(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


async def mcp_json() -> str:
    """What assistants are offered: tools with what they take and answer, addresses of resources, prompts, instructions."""

    def nobody(ctx: object) -> AssistantDesk:
        raise NotImplementedError("nothing is asked here")

    server = assistant_server(nobody)
    listed = {
        "instructions": INSTRUCTIONS,
        "prompts": await server.list_prompts(),
        "resource_templates": await server.list_resource_templates(),
        "tools": await server.list_tools(),
    }
    told = {
        name: each
        if isinstance(each, str)
        else [one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in each]
        for name, each in listed.items()
    }
    return json.dumps(told, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def kebab(name: str) -> str:
    """DocumentVersion -> document-version."""
    return "".join(f"-{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


def keyspace_markdown() -> str:
    """The whole key space as one table."""
    lines = [
        "# Key space",
        "",
        f'Every key is `pack(("coditect", {FORMAT}, tenant, number, …fields))` in FoundationDB\'s tuple encoding, on every',
        "engine; the number is the table's. Ids and hashes are byte strings: a byte for their kind, then their digits. A",
        f"user-chosen field whose encoding is longer than {PART_BYTES} bytes is cut and completed by its SHA-256; its full text",
        'stands in the record. In format 1 (release 0.1.0) `"knowledge"` and the table\'s name stood for the number, and ids',
        "were text.",
        "",
        'The header of a store, JSON, stands under `pack(("coditect", 0, tenant))` in every format.',
        "",
        "Every value is `form (1 byte) + checksum (8 bytes) + body`. Forms: 1 the payload; 2 a pointer to a blob, `sha256:size`;",
        "3 the payload compressed with Zstandard; from 16 on compressed with the dictionary of that number:",
        ", ".join(f"{FIRST_DICTIONARY + number} `{name}`" for number, name in DICTIONARIES.items()) + ".",
        "",
        'A record is canonical JSON whose first member names its kind and version, `"$record":"chunk/2"`;',
        "`schemas/history/` has the JSON schema of each. An item's id is not in it: it is the hash of these bytes.",
        "",
        "| number | table | fields | value | for |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {t.number} | `{t.name}` | {', '.join(f'`{f}`' for f in t.fields)} | {t.value} | {t.note} |"
        for t in LAYOUT.values()
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write, or check and say what drifted."""
    broken = shapes.broken_rules(ROOT)
    for rule in broken:
        print(f"broken: {rule}")
    if broken:
        return 1
    wanted = contracts()
    folders = {path.split("/")[0] for path in wanted} - {"coditect", "docs"}  # beside what people write
    present = {
        str(path.relative_to(ROOT))
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "sessions" not in path.parts and path.name != "README.md"
    }
    stale = sorted(present - set(wanted))
    if "--check" not in sys.argv:
        for name, text in wanted.items():
            (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / name).write_text(text, encoding="utf-8")
        for name in stale:
            (ROOT / name).unlink()
        sessions.main()
        print(f"{len(wanted)} contracts written, {len(stale)} removed, {len(sessions.SESSIONS)} sessions recorded")
        return 0
    drifted = []
    for name, text in wanted.items():
        path = ROOT / name
        before = path.read_text(encoding="utf-8") if path.is_file() else ""
        if before != text:
            drifted.append(name)
            names = (f"committed {name}", f"now {name}")
            sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), text.splitlines(True), *names))
    for name in (*drifted, *stale):
        print(f"drifted: {name}")
    print(
        "contracts: "
        + ("run 'make contracts', and read the difference" if drifted or stale else f"{len(wanted)} in step")
    )
    return 1 if drifted or stale else 0


if __name__ == "__main__":
    sys.exit(main())
