"""Defined terms and internal cross-references of regulations, against the markup that the extractor does not see.

usage: python -m coditect_benchmarks.references --data ../shared/data [--wrong 40] [--sample 30]

Each RegML file is read twice: once as the product reads it (readers, outline, Tier 1, resolution), once with lxml for the
answers. The product's reader takes labels and markers of paragraphs from the markup, and nothing from ``<def>`` and ``<ref>``.

How terms count: see :mod:`coditect_benchmarks.references_terms`.

How references count. Of the answers: each internal ``<ref>``, its text located in its paragraph; it is right where the reference
that we read there resolves to the section that its target label names. Targets that the file does not hold count as missed. Of
ours: each internal cross-reference that overlaps a marked reference of any kind; the others, which the markup does not know,
are counted beside it.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

from coditect.documents.readers import read_source
from coditect.documents.source import Block, SourceText
from coditect.language.references.targets import Sections, find_targets
from coditect.schemas import CrossReferenceData, DocumentVersion, Extraction, document_id_for
from coditect.tiers.extractions.document import DocumentReading, extraction_records, read_document
from coditect_benchmarks.references_terms import Marked, Terms, drawn, squeezed

__all__ = ["Answers", "Score", "answers_of", "main", "measure"]

_WHITE = re.compile(r"\s+")
_SLACK = 40
"""Letters before a marked text that tell its occurrences apart."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What the markup of a file says, and how much of it could not be located."""

    marked: tuple[Marked, ...]
    lost: int


@dataclass(slots=True)
class Score:
    """Counts of one file or of all."""

    terms: Terms = field(default_factory=Terms)
    references: int = 0
    references_right: int = 0
    dangling: int = 0
    ours: int = 0
    ours_right: int = 0
    unmarked: int = 0
    lost: int = 0
    wrong: list[tuple[str, str]] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Add another file's counts."""
        self.terms.add(other.terms)
        for name in self.__slots__[1:]:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def row(self, name: str) -> str:
        """One line of the table."""
        ratios = (
            self.terms.recall(),
            self.terms.precision(),
            (self.references_right, self.references),
            (self.ours_right, self.ours),
        )
        cells = "  ".join(f"{a:5}/{b:5} {a / b if b else 1.0:6.1%}" for a, b in ratios)
        return f"{name:12} {cells}  {self.dangling:4} {self.unmarked:5} {self.lost:4}"


def answers_of(raw: bytes, source: SourceText) -> Answers:
    """The definitions and references that a file's markup holds, located in its canonical text.

    Args:
        raw: the file.
        source: what the product's reader made of it.
    """
    blocks: dict[str, list[Block]] = {}
    for block in source.blocks:
        blocks.setdefault(block.label, []).append(block)
    # Rows of tables have no label: they follow the block of their paragraph.
    found: list[Marked] = []
    lost = 0
    for element in etree.fromstring(raw).iter("{*}def", "{*}ref"):
        label = _label_of(element)
        if label is None:
            continue
        words = _WHITE.sub(" ", "".join(map(str, element.itertext()))).strip()
        place = _locate(source.text, blocks.get(label, []), _before(element), words)
        if place is None:
            lost += 1
            continue
        start, block = place
        kind = "def" if _tag(element) == "def" else str(element.get("reftype", ""))
        found.append(Marked(start, start + len(words), words, kind, str(element.get("target", "")), block))
    return Answers(tuple(found), lost)


def _tag(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _label_of(element: etree._Element) -> str | None:
    """The label of the innermost labelled element around one; None in what the reader leaves out."""
    for around in element.iterancestors():
        if _tag(around) in ("tableOfContents", "preamble", "fdsys", "changeset", "analysis"):
            return None
        if around.get("label"):
            return str(around.get("label"))
    return None


def _before(element: etree._Element) -> str:
    """The last letters and digits before an element, within its content or title."""
    around = element.getparent()
    while around is not None and _tag(around) not in ("content", "title", "subject"):
        around = around.getparent()
    if around is None:
        return ""
    mark = "\ue000"  # of no meaning: from the private use area
    held, element.text = element.text, mark + (element.text or "")
    words = "".join(map(str, around.itertext()))
    element.text = held
    return squeezed(words.partition(mark)[0])[-_SLACK:]


def _locate(text: str, blocks: Sequence[Block], before: str, words: str) -> tuple[int, Block] | None:
    """Where marked words stand in one of their paragraph's blocks, told apart by what stands before them."""
    best: tuple[int, int, Block] | None = None
    for block in blocks:
        at = text.find(words, block.start, block.end)
        while at >= 0 and words:
            shared = _shared(squeezed(text[max(block.start, at - 2 * _SLACK) : at])[-_SLACK:], before)
            if best is None or shared > best[0]:
                best = (shared, at, block)
            at = text.find(words, at + 1, block.end)
    return None if best is None else (best[1], best[2])


def _shared(one: str, other: str) -> int:
    count = 0
    while count < min(len(one), len(other)) and one[-1 - count] == other[-1 - count]:
        count += 1
    return count


def read_records(path: Path, source: SourceText) -> tuple[DocumentReading, list[Extraction]]:
    """A file as the product's first tier sees it."""
    reading = read_document(source)
    version = DocumentVersion.create(
        corpus_id="regulations", document_id=document_id_for("regulations", path.name), name=path.name,
        title=source.title, media_type=source.media_type, raw_sha256="0" * 64, raw_bytes=0, text_sha256="0" * 64,
        text_bytes=0, text_length=len(source.text), layout_sha256="0" * 64, layout_bytes=0, page_count=0,
        reader=source.reader,
    )  # fmt: skip
    return reading, list(extraction_records(version, reading, "derivation"))


def measure(path: Path) -> Score:
    """One file."""
    raw = path.read_bytes()
    source = read_source(raw, path.name)
    answers = answers_of(raw, source)
    reading, records = read_records(path, source)
    score = Score(lost=answers.lost)
    score.terms.measure(path.name[:4], source, answers.marked, records)
    _measure_references(score, path.name[:4], source, answers, reading, records)
    return score


def _measure_references(
    score: Score,
    name: str,
    source: SourceText,
    answers: Answers,
    reading: DocumentReading,
    records: Sequence[Extraction],
) -> None:
    by_start = {section.start: section for section in reading.sections[1:]}
    ids = {b.label: by_start[b.start].section_id for b in reversed(source.blocks) if b.label and b.start in by_start}
    printed = {s.section_id: f"{s.label} {s.heading}".strip() for s in reading.sections}
    sections = Sections(printed)
    ours = sorted(
        (r for r in records if r.extraction_kind == "cross_reference"),
        key=lambda r: (r.char_offset_start, r.char_offset_end),
    )
    resolved = {r.extraction_id: find_targets(r.read_as(CrossReferenceData), r.section_id, sections) for r in ours}
    marked = [m for m in answers.marked if m.kind in ("internal", "external")]
    for mark in marked:
        if mark.kind != "internal":
            continue
        score.references += 1
        wanted = ids.get(mark.target)
        score.dangling += wanted is None
        here = max(_overlapping(ours, mark.start, mark.end), key=lambda r: _common(r, mark), default=None)
        found = resolved[here.extraction_id] if here is not None else None
        if found is not None and wanted is not None and found.section_id == wanted:
            score.references_right += 1
            continue
        around = (
            source.text[max(0, mark.start - 60) : mark.start]
            + f"[[{mark.words}]]"
            + source.text[mark.end : mark.end + 50]
        )
        why = (
            "target not in file"
            if wanted is None
            else "not read"
            if here is None
            else "unresolved"
            if not found or not found.section_id
            else "other place"
        )
        got = (
            ""
            if here is None or found is None
            else f"{here.source_text!r}@{here.section_id} -> {found.section_id or found.reason}"
        )
        score.wrong.append((why, f"{name} {mark.target} {got} | {_WHITE.sub(' ', around)}"))
    for record in ours:
        if not record.read_as(CrossReferenceData).internal:
            continue
        beside = [m for m in marked if m.start < record.char_offset_end and record.char_offset_start < m.end]
        if not beside:
            score.unmarked += 1
            continue
        score.ours += 1
        targets = {ids.get(m.target) for m in beside if m.kind == "internal"} - {None}
        score.ours_right += resolved[record.extraction_id].section_id in targets


def _overlapping(ours: Sequence[Extraction], start: int, end: int) -> Iterator[Extraction]:
    return (r for r in ours if r.char_offset_start < end and start < r.char_offset_end)


def _common(record: Extraction, mark: Marked) -> int:
    return min(record.char_offset_end, mark.end) - max(record.char_offset_start, mark.start)


def _report(total: Score, rows: Mapping[str, Score], wrong: int, sample: int) -> None:
    print(
        f"{'file':12} {'terms found':>20}  {'our terms right':>20}  {'references right':>20}  {'ours right':>20}  gone extra lost"
    )
    for name, score in rows.items():
        print(score.row(name))
    print(total.row("all"))
    total.terms.report(wrong, sample)
    print(f"\nreferences wrong: {dict(Counter(why for why, _ in total.wrong))}")
    for why in sorted({why for why, _ in total.wrong}):
        lines = [line for each, line in total.wrong if each == why]
        print("\n".join(f"  {why}: {line}" for line in drawn(lines, wrong)))


def main() -> None:
    """Print the table and what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--wrong", type=int, default=12, help="how much of what is wrong to print, of each kind")
    parser.add_argument("--sample", type=int, default=30, help="how many of our terms that the markup lacks to print")
    options = parser.parse_args()
    rows = {path.name[:4]: measure(path) for path in sorted((options.data / "cfpb").glob("*.xml"))}
    total = Score()
    for score in rows.values():
        total.add(score)
    _report(total, rows, options.wrong, options.sample)


if __name__ == "__main__":
    main()
