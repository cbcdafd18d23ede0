"""How right, how complete and how fast the self-contained statements of Tier 1 are.

Run as ``python -m coditect_benchmarks.standalone [DATA]``; DATA defaults to ``../shared/data`` beside the repository.

The gold (``standalone_gold.json``) holds statements of the sample corpus with the text that a reader would write for each, or
null where the statement stands on its own. It was written from the documents, so it also holds what the rules do not attempt. A
resolution is right when the whole text is; it may not be too short and not too long. Speed is measured on the contracts, where
they are.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import coditect.sample
from coditect.documents.readers import read_source
from coditect.documents.sentences import Span
from coditect.language.marks import SpanLike
from coditect.schemas.standalone import Standalone
from coditect.schemas.tier1.data import SPAN_KINDS
from coditect.tiers.extractions.document import DocumentReading, document_lists, read_document
from coditect.tiers.extractions.rules import RuleExtraction, extract_each
from coditect.tiers.propositions.standalone import StandaloneReader

GOLD = Path(__file__).with_name("standalone_gold.json")
TARGET = 0.95


def read_statements(path: Path) -> tuple[DocumentReading, list[RuleExtraction]]:
    """A document and its statements, as Tier 1 finds them."""
    reading = read_document(read_source(path.read_bytes(), path.name.removesuffix(".tmpl")))
    headings = {(block.start, block.end) for block in reading.source.blocks if block.kind == "heading"}
    headings |= {(s.start, s.body_start) for s in reading.sections if s.heading and s.body_start > s.start}
    each = extract_each(reading.source.text, reading.sentences, [Span(*pair) for pair in sorted(headings)])
    return reading, [finding for found in each for finding in found if finding.kind not in SPAN_KINDS]


def resolve_document(reading: DocumentReading, statements: Iterable[SpanLike]) -> dict[tuple[int, int], Standalone]:
    """What its statements say on their own."""
    wanted = {(statement.start, statement.end) for statement in statements}
    reader = StandaloneReader(reading.source, reading.sections, reading.sentences, document_lists(reading))
    places = [(sentence.start, sentence.end) for sentence in reading.sentences]
    found = {place: reader.see(*place, wanted=place in wanted) for place in places}
    return {place: alone for place, alone in found.items() if alone is not None}


def measure_gold() -> float:
    """Print precision, and recall by case; return the precision."""
    corpus = Path(coditect.sample.__file__).parent / "corpus"
    cache: dict[str, dict[tuple[int, int], Standalone]] = {}
    asked: Counter[str] = Counter()
    right: Counter[str] = Counter()
    made = 0
    for entry in json.loads(GOLD.read_text(encoding="utf-8")):
        name, case, expected = entry["file"], entry["case"], entry["standalone"]
        if name not in cache:
            cache[name] = resolve_document(*read_statements(corpus / name))
        found = cache[name].get((entry["start"], entry["end"]))
        text = found.text if found else None
        asked[case] += 1
        right[case] += text == expected
        made += found is not None
        if found is not None and text != expected:
            print(f"  wrong: {name} {entry['start']}: {text!r}, not {expected!r}")
    hits = sum(count for case, count in right.items() if case != "leave")
    precision = hits / made if made else 0.0
    print(f"gold: {sum(asked.values())} statements; of {made} resolved {hits} are right: precision {precision:.3f}")
    for case in sorted(asked):
        word = "left as they are" if case == "leave" else "recall"
        print(f"  {case:14} n {asked[case]:3}   {word} {right[case] / asked[case]:.2f}")
    return precision


def measure_speed(folder: Path) -> None:
    """Print CPU seconds for all statements of a folder of contracts, reading not counted."""
    seconds, statements, kinds = 0.0, 0, Counter[str]()
    files = sorted(folder.glob("*.txt"))
    for path in files:
        reading, found = read_statements(path)
        began = time.process_time()
        resolved = resolve_document(reading, found)
        seconds += time.process_time() - began
        statements += len(found)
        kinds.update(resolution.kind for each in resolved.values() for resolution in each.resolutions)
    print(
        f"contracts: {len(files)} documents, {statements} statements in {seconds:.2f} s of CPU; {dict(sorted(kinds.items()))}"
    )


def main() -> None:
    """Print both tables; fail when the precision is below the target."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[3] / "shared" / "data"
    precision = measure_gold()
    contracts = data / "contracts" / "docs"
    if contracts.is_dir():
        measure_speed(contracts)
    if precision < TARGET:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
