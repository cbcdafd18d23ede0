"""``python -m coditect_benchmarks.crosswalk``: recall of candidates, and planted absences."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from coditect_benchmarks.crosswalk import absences, candidates
from coditect_benchmarks.crosswalk.material import log_opening, opened

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure one part on one half."""
    parser = argparse.ArgumentParser(prog="coditect_benchmarks.crosswalk", description=__doc__)
    parser.add_argument("part", choices=("candidates", "absences"))
    parser.add_argument("--root", type=Path, required=True, help="the folder 'templates' of the repository")
    parser.add_argument("--half", choices=("development", "reported"), default="development")
    parser.add_argument("--reason", default="", help="why the reported half is opened; written into OPENINGS.md")
    parser.add_argument(
        "--rows", type=Path, help="of absences: a file for the rows that have evidence left, to be read"
    )
    chosen = parser.parse_args(arguments)
    development = chosen.half == "development"
    if not development:
        if not chosen.reason:
            parser.error("--half reported needs a --reason: it is opened once per release")
        log_opening(chosen.part, chosen.reason)
    with tempfile.TemporaryDirectory() as folder, opened(chosen.root, Path(folder)) as knowledge:
        if chosen.part == "candidates":
            candidates.measure(knowledge, chosen.root, development=development)
        else:
            absences.measure(knowledge, chosen.root, development=development, rows_file=chosen.rows)


if __name__ == "__main__":
    main()
