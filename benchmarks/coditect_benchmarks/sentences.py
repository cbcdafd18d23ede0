"""Sentence segmenters on real contracts: speed, and boundaries against a hand-checked gold.

Run ``python -m coditect_benchmarks.sentences --data ../shared/data/contracts``. The gold (``sentences_gold.json``) holds file
names and offsets only; each boundary was decided by reading. A boundary is the offset of the first character of a
sentence. Conventions: a blank line is a boundary; a label ("14.1.", "(a)") stays with its text; a run-in heading is a
sentence; a list inside a sentence is not split; each entry of a table of contents is one. Doubtful places (cells of
flattened tables, fields of signature blocks) are on the ignore list.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import re
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from coditect.documents.sentences import SEGMENTER, sentences
from coditect.documents.source import SourceText
from coditect.documents.structure.outline import outline

Segmenter = Callable[[str], list[int]]
GOLD = Path(__file__).with_name("sentences_gold.json")
BLANK = re.compile(r"\n[ \t\xa0]*\n\s*")
PYSBD_CHARS = 400_000  # it takes minutes for the whole corpus


@dataclass(frozen=True, slots=True)
class Score:
    """Boundaries of one stretch of text, or of several together.

    Attributes:
        found: by the segmenter.
        wanted: in the gold.
        hits: found and wanted.
    """

    found: int
    wanted: int
    hits: int

    def row(self) -> str:
        """Precision, recall and F1, as columns."""
        precision = self.hits / self.found if self.found else 0.0
        recall = self.hits / self.wanted
        f1 = 2 * precision * recall / (precision + recall) if self.hits else 0.0
        return f"{precision:9.3f} {recall:7.3f} {f1:6.3f}"


def located(text: str, pieces: list[str]) -> list[int]:
    """Exact starts of consecutive pieces of ``text``, white space aside (some libraries collapse or drop it)."""
    starts, position = [], 0
    for piece in pieces:
        for n, character in enumerate(c for c in piece if not c.isspace()):
            while text[position] != character:
                position += 1
            if n == 0:
                starts.append(position)
            position += 1
    return starts


def first_letters(text: str, offsets: list[int]) -> list[int]:
    """Offsets moved behind the white space that they point to."""
    starts = []
    for start in offsets:
        position = start
        while position < len(text) and text[position].isspace():
            position += 1
        starts.append(position)
    return starts


def nupunkt_punkt(text: str) -> list[int]:
    """Starts by nupunkt, without its rules for paragraphs."""
    module = importlib.import_module("nupunkt")
    return [a for a, _ in module.sentence_spans(text, paragraph_breaks=False)]


def nupunkt_layout(text: str) -> list[int]:
    """Starts by nupunkt, with its rules for lines."""
    module = importlib.import_module("nupunkt")
    return [a for a, _ in module.sentence_spans(text, line_breaks=True)]


def sentencex(text: str) -> list[int]:
    """Starts by sentencex."""
    module = importlib.import_module("sentencex")
    return located(text, list(module.segment("en", text)))


def blingfire(text: str) -> list[int]:
    """Starts by blingfire."""
    module = importlib.import_module("blingfire")
    _, offsets = module.text_to_sentences_and_offsets(text)
    return first_letters(text, [a for a, _ in offsets])


def syntok(text: str) -> list[int]:
    """Starts by syntok."""
    module = importlib.import_module("syntok.segmenter")
    return [s[0].offset for p in module.analyze(text) for s in p if s]


def pysbd(text: str) -> list[int]:
    """Starts by pysbd."""
    module = importlib.import_module("pysbd")
    return located(text, module.Segmenter(language="en", clean=False).segment(text))


def ours(text: str) -> list[int]:
    """Starts by the product, outline included."""
    source = SourceText(text, "text/plain")
    return [s.start for s in sentences(source, outline(source))]


def by_paragraph(segment: Segmenter) -> Segmenter:
    """The same library, given one paragraph at a time, so that blank lines are boundaries for all."""

    def run(text: str) -> list[int]:
        cuts = [0, *(m.end() for m in BLANK.finditer(text)), len(text)]
        return [a + s for a, b in pairwise(cuts) if text[a:b].strip() for s in segment(text[a:b])]

    return run


def score(starts: list[int], case: dict[str, list[int]], lower: int, upper: int) -> Score:
    """Compare the starts strictly between two offsets with the gold; places on its ignore list do not count."""
    inside = set(starts[bisect_right(starts, lower) : bisect_left(starts, upper)]) - set(case["ignore"])
    gold = {b for b in case["boundaries"] if lower < b < upper}
    return Score(len(inside), len(gold), len(inside & gold))


def total(scores: list[Score]) -> Score:
    """Several scores as one, each boundary counted once."""
    return Score(sum(s.found for s in scores), sum(s.wanted for s in scores), sum(s.hits for s in scores))


def speed(segment: Segmenter, texts: list[str], limit: int | None) -> float:
    """MB of UTF-8 a second of processor time, over all texts, or over the first bytes for a slow library."""
    done = 0
    begin = time.process_time()
    for text in texts:
        if limit is not None and done >= limit:
            break
        segment(text)
        done += len(text.encode())
    return done / 1e6 / (time.process_time() - begin)


def main() -> None:
    """Print the table, and where wanted our misses."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds docs/*.txt")
    parser.add_argument("--misses", action="store_true", help="print where our sentences differ from the gold")
    arguments = parser.parse_args()
    paths = sorted((arguments.data / "docs").glob("*.txt"))
    texts = {path.name: path.read_text(encoding="utf-8") for path in paths}
    gold = [case for case in json.loads(GOLD.read_text(encoding="utf-8")) if case["file"] in texts]
    print(f"{len(texts)} files, {sum(len(t.encode()) for t in texts.values()) / 1e6:.1f} MB; ", end="")
    print(f"{sum(len(c['boundaries']) for c in gold)} gold boundaries in {len(gold)} stretches")
    print(f"{'segmenter':34} {'MB/s':>6} {'precision':>9} {'recall':>7} {'F1':>6}   by paragraph: the same three")
    libraries: list[tuple[str, str, Segmenter]] = [
        ("nupunkt", "nupunkt", nupunkt_punkt),
        ("nupunkt", "nupunkt, its layout rules", nupunkt_layout),
        ("sentencex", "sentencex", sentencex),
        ("blingfire", "blingfire", blingfire),
        ("syntok", "syntok", syntok),
        ("pysbd", "pysbd", pysbd),
    ]
    for package, name, segment in libraries:
        try:
            version = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            print(f"{name:34} skipped: not installed")
            continue
        report(f"{name} {version}", segment, texts, gold, PYSBD_CHARS if package == "pysbd" else None)
    report(f"outline + sentences() {SEGMENTER}", ours, texts, gold, None, layout=False)
    if arguments.misses:
        print_misses(texts, gold)


def report(
    name: str,
    segment: Segmenter,
    texts: dict[str, str],
    gold: list[dict[str, object]],
    limit: int | None,
    *,
    layout: bool = True,
) -> None:
    """Print a line of the table: speed and score, with ``layout`` also of the library given one paragraph at a time."""
    rate = speed(segment, list(texts.values()), limit)
    rows = []
    for run in (segment, by_paragraph(segment)) if layout else (segment,):
        scores = []
        for case in gold:
            text, start, end = excerpt(texts, case, limit)
            scores.append(score([start + s for s in run(text)], case, int(str(case["start"])), end))  # type: ignore[arg-type]
        rows.append(total(scores).row())
    print(f"{name:34} {rate:6.2f} {'  |'.join(rows)}")


def excerpt(texts: dict[str, str], case: dict[str, object], limit: int | None) -> tuple[str, int, int]:
    """The whole document, or for a slow library the stretch alone; its offset; and the end of what is scored."""
    text, start, end = texts[str(case["file"])], int(str(case["start"])), int(str(case["end"]))
    return (text[start:end], start, end) if limit is not None else (text, 0, end)


def print_misses(texts: dict[str, str], gold: list[dict[str, object]]) -> None:
    """Print where our boundaries differ from the gold, with what stands around them."""
    for case in gold:
        text, _, end = excerpt(texts, case, None)
        found = {s for s in ours(text) if int(str(case["start"])) < s < end}
        wanted, ignored = set(case["boundaries"]), set(case["ignore"])  # type: ignore[call-overload]
        for offset in sorted((found ^ wanted) - ignored):
            kind = "extra" if offset in found else "missing"
            around = f"{text[offset - 40 : offset]!r} | {text[offset : offset + 40]!r}"
            print(f"{kind:8} {str(case['file'])[:24]} {offset} {around}")


if __name__ == "__main__":
    main()
