"""Small corpora of invented documents, and what every tier makes of them, written down.

``python -m tests.unit.tiers.pinned_corpora`` writes the file anew. The documents were put together at random out of invented pieces
(who does what to what, how often, by when, unless what; tables; lists; what is missing and what is overdue), so that several of a
corpus speak of one matter. Items are told by a hash without their ids: what differs in one that changed, the pins of single
readings tell.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from coditect.documents.readers import read_source
from coditect.knowledge.derivation.profiles import profile_of
from coditect.schemas import BuildSettings, Item, canonical_json, sha256_hex
from coditect.store.view import View
from coditect.tiers.chunks.summaries import chunk_records
from coditect.tiers.extractions.document import extraction_records, read_document
from coditect.tiers.findings.conflicts.assertions.limits import LIMIT
from coditect.tiers.findings.conflicts.detection import conflicts_of, find_conflicts, why_none
from coditect.tiers.findings.conflicts.entries import entries_of, weights
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict
from coditect.tiers.findings.gaps import find_gaps
from coditect.tiers.findings.said.statements import statements_of
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.timeliness import find_timely
from tests.unit.tiers.corpora import TODAY, chunks_of, version_of, versions_of, view_of

__all__ = ["PINNED", "built", "compared", "pinned", "read"]

PINNED = Path(__file__).parent / "pinned_corpora.json"

_ID = re.compile(r"\b[a-z]+_[0-9a-f]{40}(?:[0-9a-f]{12})?\b")


def read(files: Mapping[str, str]) -> list[str]:
    """Tier 1 and Tier 2 of each document by itself, Tier 2 by words that are rare in it."""
    lines = []
    for name, text in files.items():
        version, reading = version_of(name, text), read_document(read_source(text.encode(), name))
        extractions = list(extraction_records(version, reading, "tier1"))
        lines.append(_hashed(f"{name} extractions", extractions))
        for method in ("textrank", "tfidf"):
            lines.append(_hashed(f"{name} {method}", chunk_records(version, reading, "tier2", extractions, method)))
    return lines


def compared(files: dict[str, str]) -> list[str]:
    """What the documents of a corpus disagree on, what is missing in it, and what its dates say, on three days."""
    chunks, versions = chunks_of(files), versions_of(files)
    names = {document_id: version.name for document_id, version in versions.items()}
    profiles = {each: profile_of(versions[each], files[name], None, "derivation_0") for each, name in names.items()}
    standings = Standings(versions, profiles, TODAY)
    entries = entries_of(statements_of(chunks))
    lines = [_conflict(each, names) for each in find_conflicts(chunks, standings)]
    lines += [
        f"of nobody known: {_conflict(each, names)}" for each in conflicts_of(entries, weights(entries), Standings())
    ]
    own = [each.statement.place[0] for each in entries if each.head != LIMIT]
    lines.append(why_none(len(own), len(set(own)), standings))
    for today in (TODAY, "2025-06-01", ""):
        held = Standings(versions, profiles, today)
        for kind, gaps in find_gaps(chunks, versions, held).items():
            for gap in gaps:
                places = " ".join(f"{names[document]}:{at}" for document, at in gap.places)
                lines.append(f"{today} {kind} {places} {dict(gap.words)}")
        lines += [f"{today} {each.kind} {names[each.document_id]} {each.day}" for each in find_timely(held)]
    return lines


def _conflict(found: StatementConflict, names: Mapping[str, str]) -> str:
    sides = " | ".join(
        f"{names[side.statement.place[0]]}:{side.statement.place[1]} {side.says} = {side.value}" for side in found.sides
    )
    return f"{found.kind} {found.head} {found.verb} “{found.subject}” {found.similarity:.4f} {found.relation} {sides}"


def built(files: dict[str, str]) -> list[str]:
    """Passages, sections and claims of a built corpus."""
    with TemporaryDirectory() as folder:
        view = view_of(Path(folder), files, BuildSettings(today=TODAY))
    return list(_of_view(view))


def _of_view(view: View) -> Iterator[str]:
    for document_id, version in sorted(view.documents.items(), key=lambda each: each[1].name):
        yield _hashed(f"{version.name} passages", view.passages(document_id))
    for section in view.sections:
        yield _hashed(f"{section.section_kind} {section.topic}", [section])
    for claim in view.claims.values():
        yield _hashed(f"{claim.claim_kind} {claim.text}", [claim])


def _hashed(name: str, items: Iterable[Item]) -> str:
    """How many items, and a hash of them all without ids."""
    fields = [_plain(each.model_dump(mode="json", exclude={each.id_field, "derivation_id"})) for each in items]
    return f"{name}: {len(fields)} {sha256_hex(canonical_json(fields))[:16]}"


def _plain(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Without ids, and numbers as far as every processor agrees on them."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, str):
        return _ID.sub("id", value)
    return float(f"{value:.5g}") if isinstance(value, float) else value


def pinned() -> list[dict[str, Any]]:
    """What is written down: corpora with ``files``, and what is ``read``, ``compared`` and ``built``."""
    found: list[dict[str, Any]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


STEPS = {"read": read, "compared": compared, "built": built}


def write(corpora: Iterable[tuple[dict[str, str], Iterable[str]]]) -> None:
    """Write down what is made of some corpora now, each by the steps that are named."""
    rows = ({"files": files, **{step: STEPS[step](files) for step in steps}} for files, steps in corpora)
    PINNED.write_text(
        "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n", encoding="utf-8"
    )


if __name__ == "__main__":
    write((row["files"], [step for step in STEPS if step in row]) for row in pinned())
