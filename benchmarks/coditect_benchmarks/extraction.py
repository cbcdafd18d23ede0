"""Precision, recall and speed of the Tier 1 rules.

Run as ``python -m coditect_benchmarks.extraction [DATA]``; DATA defaults to ``../shared/data`` beside the repository.

Three measurements: a hand-checked gold (``extraction_gold.json``: files, offsets and kinds, no text), the definitions
and references that RegML marks up (``<def>``, ``<ref>``), and the time for all contracts on one core.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from coditect.documents.readers import read_source
from coditect.documents.sentences import sentences
from coditect.documents.structure.outline import outline
from coditect.schemas import CrossReferenceData, DefinitionData
from coditect.tiers.extractions.rules import RuleExtraction, extract_each

GOLD = Path(__file__).with_name("extraction_gold.json")
_IOU = 0.5
_REF_TYPES = frozenset({"internal", "external"})


@dataclass(frozen=True, slots=True)
class _Span:
    """A heading."""

    start: int
    end: int


def read_findings(path: Path) -> tuple[str, tuple[RuleExtraction, ...], float]:
    """A file's canonical text, its findings, and the seconds that extraction alone took."""
    name = path.name.removesuffix(".tmpl")
    source = read_source(path.read_bytes(), name)
    sections = outline(source)
    spans = sentences(source, sections)
    headings = {(s.start, s.body_start) for s in sections if s.heading and s.body_start > s.start}
    headings |= {(b.start, b.end) for b in source.blocks if b.kind == "heading"}
    began = time.process_time()
    each = extract_each(source.text, spans, [_Span(*pair) for pair in sorted(headings)])
    found = tuple(finding for some in each for finding in some)
    return source.text, found, time.process_time() - began


def _find(data: Path, name: str) -> Path:
    """The file that the gold calls ``folder/name``."""
    folder, _, rest = name.partition("/")
    return next(path for path in sorted(data.rglob(folder)) if path.is_dir() and (path / rest).exists()) / rest


def _matches(gold: Sequence[object], found: Iterable[tuple[str, int, int]]) -> tuple[str, int, int] | None:
    """The finding of the same kind that covers the gold span best, with at least half of their union in common."""
    kind, start, end = str(gold[0]), int(str(gold[1])), int(str(gold[2]))
    best, score = None, _IOU
    for item in found:
        if item[0] == kind:
            shared = min(end, item[2]) - max(start, item[1])
            overlap = shared / (max(end, item[2]) - min(start, item[1]))
            if overlap >= score:
                best, score = item, overlap
    return best


def measure_gold(data: Path) -> None:
    """Precision and recall by kind over the sentences of the gold."""
    hit: Counter[str] = Counter()
    said: Counter[str] = Counter()
    true: Counter[str] = Counter()
    cache: dict[str, tuple[RuleExtraction, ...]] = {}
    for entry in json.loads(GOLD.read_text(encoding="utf-8")):
        name = entry["file"]
        if name not in cache:
            cache[name] = read_findings(_find(data, name))[1]
        inside: list[tuple[str, int, int]] = [
            (f.kind, f.start, f.end) for f in cache[name] if entry["start"] <= f.start and f.end <= entry["end"]
        ]
        said.update(kind for kind, _, _ in inside)
        for gold in entry["findings"]:
            true[gold[0]] += 1
            match = _matches(gold, inside)
            if match is not None:
                hit[gold[0]] += 1
                inside.remove(match)
    print(f"\nhand-checked gold: {sum(true.values())} findings in {len(cache)} files")
    for kind in sorted(true):
        precision = hit[kind] / said[kind] if said[kind] else 0.0
        print(f"  {kind:16} n {true[kind]:4}   precision {precision:.3f}   recall {hit[kind] / true[kind]:.3f}")


def measure_regml(data: Path) -> None:
    """Recall of the definitions and references that the Bureau's own markup holds, by their words."""
    got: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for path in sorted((data / "cfpb").glob("*.xml")):
        _, found, _ = read_findings(path)
        terms = {_key(f.data.term or "") for f in found if isinstance(f.data, DefinitionData)}
        aliases = {_key(a) for f in found if isinstance(f.data, DefinitionData) for a in f.data.aliases or ()}
        labels = Counter(_place(f.data.target or "") for f in found if isinstance(f.data, CrossReferenceData))
        root = etree.fromstring(path.read_bytes())
        for element in root.iter("{*}def"):
            total["definitions"] += 1
            got["definitions"] += _key("".join(map(str, element.itertext()))) in terms | aliases
        for element in root.iter("{*}ref"):
            kind = element.get("reftype")
            words = _place("".join(map(str, element.itertext())))
            if kind in _REF_TYPES and any(c.isdigit() or c == "(" for c in words):
                total[f"{kind} references"] += 1
                # The markup may stop at "15 U.S.C. 1601" where the rules read on to "et seq.".
                same = next((label for label in (words, *labels) if labels[label] and label.startswith(words)), None)
                if same is not None:
                    labels[same] -= 1
                    got[f"{kind} references"] += 1
    print("\nRegML markup, recall by the marked words, each occurrence counted:")
    for name in sorted(total):
        print(f"  {name:22} n {total[name]:5}   recall {got[name] / total[name]:.3f}")


def _key(words: str) -> str:
    """Words without case, punctuation at the edges, and white space."""
    return re.sub(r"\s+", "", words).casefold().strip(".,;:'\"“”")


def _place(words: str) -> str:
    """A reference without the word for its kind, so that "§ 1002.2" and "Section 1002.2" are one."""
    return _key(
        re.sub(r"^(?:§+|[Ss]ections?|[Pp]aragraphs?|[Aa]ppendi\w+|[Pp]arts?|[Cc]omments?)\s*", "", words.strip())
    )


def measure_speed(data: Path) -> None:
    """Seconds of extraction for all contracts, on one core."""
    seconds, characters, kinds = 0.0, 0, Counter[str]()
    for path in sorted((data / "contracts" / "docs").glob("*.txt")):
        text, found, spent = read_findings(path)
        seconds, characters = seconds + spent, characters + len(text)
        kinds.update(f.kind for f in found)
    print(f"\ncontracts: {characters / 1e6:.1f} M characters in {seconds:.1f} s of CPU; {dict(sorted(kinds.items()))}")


def main() -> None:
    """Print all three tables."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[3] / "shared" / "data"
    measure_gold(data)
    measure_regml(data)
    measure_speed(data)


if __name__ == "__main__":
    main()
