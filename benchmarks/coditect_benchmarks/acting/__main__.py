"""Fit the weights by which a subject that no table knows is taken for somebody who acts, and write them.

Documents without labels teach the two models, labelled units how far each of them counts; nothing of a judged sample may be among
either. The file that is installed was fitted on the documents of the gold's dev part and of the samples that rule writers may read.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from coditect_benchmarks.acting.clauses import LabelledClause, clauses_of, labelled_clauses
from coditect_benchmarks.acting.fitting import combine, cross_validate, fit_views
from coditect_benchmarks.gold.records import read_lines
from coditect_benchmarks.gold.sources import Library
from coditect_benchmarks.gold.store import GoldUnit

_ABOUT = "Whether a subject that no table knows can act: log-odds by feature, as python -m coditect_benchmarks.acting fitted them."


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, tell the figures of cross-validation, and write."""
    parser = argparse.ArgumentParser(prog="python -m coditect_benchmarks.acting", description=__doc__)
    parser.add_argument(
        "--documents", type=Path, required=True, help="a file with the path of a document a line, in order"
    )
    parser.add_argument("--units", action="append", default=[], metavar="FILE", type=Path, help="labelled units")
    parser.add_argument(
        "--roots", action="append", default=[], metavar="NAME=FOLDER,…", help="where the sources of each --units lie"
    )
    parser.add_argument("--output", type=Path, required=True, help="write the weights here, as JSON")
    options = parser.parse_args(arguments)
    if len(options.units) != len(options.roots):
        parser.error("each --units needs its --roots")
    clauses = list(clauses_of([Path(line) for line in options.documents.read_text("utf-8").splitlines() if line]))
    labelled: list[LabelledClause] = []
    for file, roots in zip(options.units, options.roots, strict=True):
        pairs = (each.partition("=") for each in roots.split(","))
        library = Library({name: Path(folder) for name, _, folder in pairs})
        labelled += labelled_clauses(list(read_lines(file, GoldUnit)), library)
    model = fit_views(clauses)
    print(f"{len(clauses)} clauses without labels, {len(labelled)} with; families left out: ", end="")
    print(cross_validate(model, labelled))
    fitted = combine(model, labelled)
    data = {"about": _ABOUT, "version": fitted.version, "bias": fitted.bias, "weights": fitted.weights}
    options.output.write_text(json.dumps(data, indent=0, ensure_ascii=False) + "\n", "utf-8")
    print(f"{len(fitted.weights)} weights in {options.output}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
