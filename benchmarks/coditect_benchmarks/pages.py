"""Whether the rectangles over words of a PDF hold these words: asked of another program, poppler's pdftotext.

Run ``python -m coditect_benchmarks.pages --data ../shared/data/pdf``. Spans are drawn at random from the canonical text of each
file: files by their length, the first word anywhere, 1 to 60 words. What pdftotext finds in each of a span's rectangles, joined,
must be the span's text. White space is not compared, nor are hyphens and bars (which the reader puts between cells), and raised
figures count as figures (NFKC). Spans of which only the order differs, since pdftotext takes a raised figure for a line of its own,
are counted apart. It also tells how long the stored places are beside the text, plain and as the store compresses them.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from coditect.documents.places import decode_places, rectangles
from coditect.documents.readers import read_source
from coditect.documents.source import SourceText
from coditect.keyspace import seal_compressed

__all__ = ["Trial", "compared", "found_under", "spans"]

_DPI = 288  # of pdftotext's coordinates: quarters of a point, the units of the stored places
_UNITS = _DPI // 72
_UNIT_PT = 1 / _UNITS
_LEFT_OUT = re.compile("[\\s|\u00ad\u2010\u2011-]+")
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Trial:
    """A span, and what another program finds at its place.

    Attributes:
        file: its name.
        start: first code point.
        end: one past the last.
        wanted: its text, as it is compared.
        found: the text under its rectangles, as it is compared.
    """

    file: str
    start: int
    end: int
    wanted: str
    found: str


def compared(text: str) -> str:
    """Text without what is not compared."""
    return _LEFT_OUT.sub("", unicodedata.normalize("NFKC", text))


def spans(texts: Sequence[str], count: int, seed: int) -> list[tuple[int, int, int]]:
    """(which text, first code point, one past the last) of spans of whole words, drawn at random.

    Args:
        texts: to draw from.
        count: how many.
        seed: the same seed draws the same.
    """
    draw = random.Random(seed)  # noqa: S311 - no secret
    words = [[m.span() for m in re.finditer(r"\S+", text)] for text in texts]
    found: list[tuple[int, int, int]] = []
    while len(found) < count:
        which = draw.choices(range(len(texts)), [len(some) for some in words])[0]
        first = draw.randrange(len(words[which]))
        last = min(first + draw.randint(1, _LONGEST), len(words[which])) - 1
        start, end = words[which][first][0], words[which][last][1]
        if compared(texts[which][start:end]):
            found.append((which, start, end))
    return found


def found_under(path: Path, source: SourceText, start: int, end: int) -> str:
    """What pdftotext finds in the rectangles of a span, one after the other."""
    parts = []
    for page, boxes in rectangles(decode_places(source.places), start, end):
        for left, top, right, bottom in boxes:
            # Edges were rounded outward by up to a unit; pdftotext takes whatever letter a box touches.
            box = (left + _UNIT_PT, top, max(right - left - 2 * _UNIT_PT, _UNIT_PT), bottom - top)
            area = [each for name, at in zip("xyWH", box, strict=True) for each in (f"-{name}", f"{at * _UNITS:.0f}")]
            command = ["pdftotext", "-r", str(_DPI), "-f", str(page.number), "-l", str(page.number), *area]
            ran = subprocess.run([*command, "-nopgbrk", str(path), "-"], check=True, capture_output=True)
            parts.append(ran.stdout.decode())
    return " ".join(parts)


def _trials(paths: Sequence[Path], sources: Sequence[SourceText], count: int, seed: int) -> list[Trial]:
    trials = []
    for which, start, end in spans([source.text for source in sources], count, seed):
        source = sources[which]
        found = found_under(paths[which], source, start, end)
        trials.append(Trial(paths[which].name, start, end, compared(source.text[start:end]), compared(found)))
    return trials


def main(argv: Sequence[str] | None = None) -> None:
    """Print the rate, what differs, and the sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with PDF files")
    parser.add_argument("--spans", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args(argv)
    paths = sorted(given.data.glob("*.pdf"))
    sources = [read_source(path.read_bytes(), path.name) for path in paths]
    trials = _trials(paths, sources, given.spans, given.seed)
    wrong = [each for each in trials if each.wanted != each.found]
    lengths = [_lengths(source) for source in sources]
    figures = {
        "spans": len(trials),
        "equal": len(trials) - len(wrong),
        "equal_but_for_order": sum(sorted(each.wanted) == sorted(each.found) for each in wrong),
        **{name: sum(each[name] for each in lengths) for name in lengths[0]},
    }
    if given.json:
        print(json.dumps({**figures, "different": [[t.file, t.start, t.end, t.wanted, t.found] for t in wrong]}))
        return
    for each in wrong:
        print(f"{each.file} {each.start}-{each.end}\n  wanted {each.wanted}\n  found  {each.found}")
    for name, value in figures.items():
        print(f"{name:24} {value:10,}")


def _lengths(source: SourceText) -> dict[str, int]:
    text, places = source.text.encode(), source.places.encode()
    packed = (len(seal_compressed(b"key", each)) for each in (text, places))
    return {
        "text_bytes": len(text),
        "places_bytes": len(places),
        **dict(zip(("text_compressed_bytes", "places_compressed_bytes"), packed, strict=True)),
    }


if __name__ == "__main__":
    main()
