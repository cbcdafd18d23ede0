"""The pairs of a set, and what is told of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from coditect.documents.readers import read_source
from coditect.knowledge.derivation.profiles import profile_of
from coditect.schemas import Chunk, DocumentVersion, document_id_for
from coditect.tiers.chunks.summaries import chunk_records
from coditect.tiers.extractions.document import extraction_records, read_document
from coditect.tiers.findings.conflicts.detection import find_conflicts
from coditect.tiers.findings.standing import Standings

__all__ = ["SETS", "Pair", "Side", "read_pairs", "told"]

SETS = ("develop", "held")
_CORPUS = "pairs"
_TODAY = "2026-11-23"
_FOLDER = Path(__file__).parent
_FILLING = (
    "Visitors are registered at the gate and receive a badge.",
    "The canteen is open on working days.",
    "Parking spaces are given out by the facilities desk.",
)
_PREAMBLE = 'Made on 4 March 2024 between Larch Holding Ltd ("the Customer") and Bergen Systems Ltd ("the Provider").'


@dataclass(frozen=True, slots=True)
class Side:
    """What one document says.

    Attributes:
        title: what the document is called.
        text: its statement; rows of a table stand on lines of their own.
    """

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements.

    Attributes:
        kind: what they are at odds over, or seem to be.
        is_conflict: whether they cannot both be followed.
        sides: both.
    """

    kind: str
    is_conflict: bool
    sides: tuple[Side, Side]


def read_pairs(name: str) -> list[Pair]:
    """The pairs of a set, in the order of its file."""
    lines = (_FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    return [_pair(line) for line in lines if line.strip() and not line.startswith("#")]


def _pair(line: str) -> Pair:
    kind, verdict, *sides = (part.strip() for part in line.split(" || "))
    title, text, other, against = sides
    return Pair(kind, verdict == "conflict", (Side(title, text), Side(other, against)))


def told(pair: Pair) -> list[str]:
    """What is told as a conflict where the two statements stand in two documents of one house; kinds of conflicts."""
    files = {f"{n}.md": _document(side) for n, side in enumerate(pair.sides)}
    files |= {f"x{n}.md": _document(Side(f"Site {n} Policy", text)) for n, text in enumerate(_FILLING)}
    versions = {version.document_id: version for version in (_version(name, text) for name, text in files.items())}
    profiles = {d: profile_of(version, files[version.name], None, "profiles") for d, version in versions.items()}
    standings = Standings(versions, profiles, _TODAY)
    chunks = [chunk for version in versions.values() for chunk in _chunks(version, files[version.name])]
    found = find_conflicts(chunks, standings)
    return [each.kind for each in found if each.relation == "conflict"]


def _document(side: Side) -> str:
    lines = side.text.split("\\n")
    preamble = f"{_PREAMBLE}\n\n" if "Agreement" in side.title.split() else ""
    if len(lines) > 1:
        columns = lines[0].count("|") + 1
        body = "\n".join(f"| {line} |" for line in (lines[0], "|".join(["---"] * columns), *lines[1:]))
        return f"# {side.title}\n\n{preamble}## 1 Rules\n\n{body}\n"
    return f"# {side.title}\n\n{preamble}## 1 Rules\n\n1.1 {side.text}\n"


def _version(name: str, text: str) -> DocumentVersion:
    source = read_source(text.encode(), name)
    return DocumentVersion.create(
        corpus_id=_CORPUS,
        document_id=document_id_for(_CORPUS, name),
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


def _chunks(version: DocumentVersion, text: str) -> Iterable[Chunk]:
    reading = read_document(read_source(text.encode(), version.name))
    extractions = list(extraction_records(version, reading, "tier1"))
    return chunk_records(version, reading, "tier2", extractions, "textrank")
