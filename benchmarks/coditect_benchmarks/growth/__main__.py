"""How a build grows with its corpus, in processor seconds and memory by phase, and the exponents of a power fit.

usage: python -m coditect_benchmarks.growth measure --data ../shared/data [--sizes 64,128,257] [--length CHARACTERS]
       [--keep FOLDER] [--json FILE]
       python -m coditect_benchmarks.growth write --data ../shared/data --sizes 10000 [--length CHARACTERS] --work FOLDER

Each size is built in a process of its own, and one document of it is changed in another, several times: the first change pays for
what a process loads and compiles once, the others are those of a process that lives on. With ``--keep`` the stores stay as they
were before the change, and a later run changes the document again: so two versions of the code are compared on the same stores.

``write`` writes the documents to a folder, to be taken in and built by commands, on a cluster for example.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from coditect_benchmarks.growth.material import documents
from coditect_benchmarks.growth.measuring import ask, build_all, build_changed, in_process

DEFAULT_SIZES = "64,128,257"

COLLECTED_FROM = 200_000
"""New objects after which the garbage collector looks at them: as many as in a process of the command line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("measure", "full", "changed", "asked", "write"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sizes", default=DEFAULT_SIZES, help="documents, with commas between them")
    parser.add_argument("--length", type=int, help="characters of each document, all made; unless given, contracts")
    parser.add_argument("--work", type=Path, help="folder of a store, for one part; of documents, for write")
    parser.add_argument("--keep", type=Path, help="where built stores stay")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    sizes = [int(each) for each in given.sizes.split(",")]
    if given.command == "write":
        given.work.mkdir(parents=True, exist_ok=True)
        for name, text in documents(given.data / "contracts" / "docs", sizes[0], length=given.length):
            (given.work / name).write_text(text, encoding="utf-8")
        return 0
    if given.command != "measure":
        gc.set_threshold(COLLECTED_FROM)
        parts = {"full": build_all, "changed": build_changed, "asked": ask}
        print(json.dumps(parts[given.command](given.work, given.data, sizes[0], given.length)))
        return 0
    with tempfile.TemporaryDirectory(prefix="coditect-growth-") as temporary:
        stores = given.keep or Path(temporary)
        rows = [_measured(stores, Path(temporary), given.data, count, given.length) for count in sizes]
    print("\n".join(table(rows)))
    if given.json:
        given.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return 0


def _measured(stores: Path, temporary: Path, data: Path, count: int, length: int | None) -> dict[str, Any]:
    name = f"of-{count}" if length is None else f"of-{count}-{length}"
    store, told = stores / name, stores / f"{name}.json"
    if told.is_file():
        full = json.loads(told.read_text(encoding="utf-8"))
    else:
        full = in_process("full", store, data, count, length)
        told.write_text(json.dumps(full), encoding="utf-8")
    # The copy stays behind and not the store: replicas belong to the address of their store.
    copy = temporary / "before"
    shutil.copytree(store, copy)
    try:
        changed = in_process("changed", store, data, count, length)
        asked = in_process("asked", store, data, count, length)
    finally:
        shutil.rmtree(store)
        shutil.move(copy, store)
    print(f"{count} documents: {full['cpu_s']} s, one change {changed['cpu_s']} s", file=sys.stderr, flush=True)
    return {"documents": count, "full": full, "changed": changed, "asked": asked}


def table(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Lines of Markdown: a table for full builds and one for changes, with exponents where there are two sizes and more."""
    lines: list[str] = []
    for what in ("full", "changed"):
        phases = list(dict.fromkeys(phase for row in rows for phase in row[what]["phases_s"]))
        sizes = [row["documents"] for row in rows]
        lines += [
            "",
            f"{what}: processor seconds (peak MiB)",
            "| phase | " + " | ".join(map(str, sizes)) + " | exponent |",
        ]
        lines.append("|---" * (len(sizes) + 2) + "|")
        for phase in phases:
            seconds = [row[what]["phases_s"].get(phase, 0.0) for row in rows]
            shown = [f"{s:.2f} ({row[what]['peak_mib'].get(phase, 0)})" for s, row in zip(seconds, rows, strict=True)]
            lines.append(f"| {phase} | {' | '.join(shown)} | {_exponent(sizes, seconds)} |")
        whole = [row[what]["cpu_s"] for row in rows]
        peaks = [max(row[what]["peak_mib"].values()) for row in rows]
        shown = [f"{s:.2f} ({peak})" for s, peak in zip(whole, peaks, strict=True)]
        lines.append(f"| **all** | {' | '.join(shown)} | {_exponent(sizes, whole)} |")
        if all("own_mib" in row[what] for row in rows):  # files of before 2026-11-27 do not have it
            own = [max(row[what]["own_mib"].values()) for row in rows]
            lines.append(f"| own memory, MiB | {' | '.join(map(str, own))} | {_exponent(sizes, own)} |")
    if all("living_s" in row["changed"] for row in rows):  # nor of before 2026-11-28 this
        living = [statistics.median(row["changed"]["living_s"]) for row in rows]
        shown = [f"{each:.2f}" for each in living]
        lines.append(f"| in a process that lives on, s | {' | '.join(shown)} | {_exponent(sizes, living)} |")
    lines += _asked(rows) if all("asked" in row for row in rows) else []  # files of before 2026-11-27 do not have it
    shares = [f"{row['changed']['cpu_s'] / row['full']['cpu_s']:.1%}" for row in rows]
    return [*lines, "", "one change of the full build: " + ", ".join(shares)]


def _asked(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Lines of a table of questions."""
    sizes = [row["documents"] for row in rows]
    yield from ("", "a question: processor milliseconds", "| tier | " + " | ".join(map(str, sizes)) + " | exponent |")
    yield "|---" * (len(sizes) + 2) + "|"
    for tier in (name for name in rows[0]["asked"] if name != "documents"):
        for share in rows[0]["asked"][tier]:
            spent = [row["asked"][tier][share] for row in rows]
            yield f"| {tier}, {share} | {' | '.join(map(str, spent))} | {_exponent(sizes, spent)} |"


def _exponent(sizes: Sequence[int], values: Sequence[float]) -> str:
    found = exponent(sizes, values)
    return "" if found is None else f"{found:.2f}"


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float | None:
    """The exponent of ``value ~ size ** exponent`` by least squares of logarithms; None below two sizes, or of what is zero."""
    if len(sizes) < 2 or min(values) <= 0.0:
        return None
    xs, ys = [math.log(each) for each in sizes], [math.log(each) for each in values]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread if spread else None


if __name__ == "__main__":
    sys.exit(main())
