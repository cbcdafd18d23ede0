"""How fast each reader is on the shared data, in megabytes of source file per second.

Run with ``python -m coditect_benchmarks.readers [data folder]``; without data it says so and ends.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections import defaultdict
from pathlib import Path

from coditect.documents.readers import read_source
from coditect.errors import ReadError

_DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
_MEGABYTE = 1e6


def measure(folder: Path) -> dict[str, tuple[int, int, float, int]]:
    """Read every file under a folder once.

    Args:
        folder: searched recursively, in sorted order.

    Returns:
        per reader: files, bytes, seconds, characters of canonical text; refused files are under "refused".
    """
    totals: dict[str, tuple[int, int, float, int]] = defaultdict(lambda: (0, 0, 0.0, 0))
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        raw = path.read_bytes()
        begin = time.perf_counter()
        try:
            source = read_source(raw, path.name)
            key, chars = source.reader, len(source.text)
        except ReadError as error:
            key, chars = f"refused: {error.message}", 0
        seconds = time.perf_counter() - begin
        files, size, total, text = totals[key]
        totals[key] = (files + 1, size + len(raw), total + seconds, text + chars)
    return dict(totals)


def main() -> None:
    """Print the table, then time and peak memory of one huge line."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else _DATA
    if not folder.is_dir():
        print("no data folder: nothing to measure")
        return
    measure(folder)  # imports and caches
    print(f"{'reader':<16}{'files':>7}{'MB':>9}{'s':>9}{'MB/s':>9}{'Mchars':>9}")
    for reader, (files, size, seconds, chars) in sorted(measure(folder).items()):
        rate = size / _MEGABYTE / seconds
        print(f"{reader:<16}{files:>7}{size / _MEGABYTE:>9.2f}{seconds:>9.2f}{rate:>9.1f}{chars / 1e6:>9.2f}")
    line = b"The controller shall, within 72 hours, notify. " * (50_000_000 // 47)
    for name in ("line.txt", "line.md", "line.csv", "line.html"):
        begin = time.perf_counter()
        read_source(line, name)
        seconds = time.perf_counter() - begin
        tracemalloc.start()
        read_source(line, name)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        print(f"one line of 50 MB as {name:<10} {seconds:6.1f} s, peak {peak / _MEGABYTE:6.0f} MB of Python memory")


if __name__ == "__main__":
    main()
