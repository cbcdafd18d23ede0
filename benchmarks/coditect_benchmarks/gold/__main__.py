"""Command line: draw the sample, check labels, tell agreement, adjudicate, merge, score, open the test part.

A working folder outside the repository holds ``register.jsonl`` (the units, with their split), ``packs``, ``pass-a``, ``pass-b``,
``pass-c`` and ``cases``; the repository's ``benchmarks/gold`` gets what ``merge`` writes.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from coditect_benchmarks.gold.adjudication import Case, Ruling, differences, settle
from coditect_benchmarks.gold.agreement import agreement_of, as_text
from coditect_benchmarks.gold.by_model.command import add_options, read_and_score
from coditect_benchmarks.gold.checking import check_file
from coditect_benchmarks.gold.manifest import describe
from coditect_benchmarks.gold.packs import PACK_UNITS, show_unit, write_packs
from coditect_benchmarks.gold.readings import read_documents
from coditect_benchmarks.gold.records import Label, PackUnit, Span, Unit, read_lines, write_lines
from coditect_benchmarks.gold.relocation import Relocation, former_texts
from coditect_benchmarks.gold.resolution import resolve
from coditect_benchmarks.gold.sampling import draw
from coditect_benchmarks.gold.scoring import score, scores_as_text, show_miss
from coditect_benchmarks.gold.sources import Library, digest, load_plan
from coditect_benchmarks.gold.store import GoldUnit, load, make_gold, open_test, relocate_gold, write_gold

GOLD = Path(__file__).parents[2] / "gold"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; 0, or 1 where something is to be mended, or 2 where the command cannot run."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except (ValueError, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m coditect_benchmarks.gold",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: object, told: str, *needs: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=told, description=told)
        added.set_defaults(run=run)
        if "work" in needs:
            added.add_argument("--work", type=Path, required=True, help="the working folder")
        if "root" in needs:
            added.add_argument("--root", action="append", default=[], metavar="NAME=FOLDER", help="where sources lie")
        if "gold" in needs:
            added.add_argument("--gold", type=Path, default=GOLD, help="benchmarks/gold of the repository")
        return added

    command("sample", _sample, "draw the units; write register, packs and the manifest", "work", "root", "gold")
    check = command("check", _check, "check a file of labels against its pack")
    check.add_argument("file", type=Path)
    check.add_argument("--pack", type=Path, help="its pack; unless told, ../packs/NAME beside the file's folder")
    command("agree", _agree, "tell how far pass-a and pass-b agree, by genre", "work", "root")
    command("adjudicate", _adjudicate, "write what the passes differ on as packs of cases", "work", "root")
    command("merge", _merge, "write dev, heldout and the sealed test part", "work", "root", "gold")
    texts = command("texts", _texts, "write the canonical texts of the sample, before a reader changes", "work", "root")
    texts.add_argument("--to", type=Path, required=True, help="an empty folder")
    moved = command("relocate", _relocate, "bring all offsets to the texts of today", "root", "gold")
    moved.add_argument("--former", type=Path, required=True, help="what 'texts' wrote with the former tree")
    moved.add_argument("--work", type=Path, help="move the register of this working folder, not the repository's gold")
    scored = command("score", _score, "tell how often the product reads what the gold says", "root", "gold")
    scored.add_argument("--split", choices=("dev", "heldout"), default="dev", help="the part that is compared")
    scored.add_argument("--units", type=Path, help="units that 'open' wrote, instead of a split")
    scored.add_argument("--misses", type=Path, help="write what is not right here, with the words")
    read = command("read", read_and_score, "the same with a model as reader, beside rules alone", "root", "gold")
    add_options(read)
    opened = command("open", _open, "open the test part, which writes to OPENINGS.md", "gold")
    opened.add_argument("--reason", required=True)
    opened.add_argument("--commit", help="of the tree that is measured; unless told, git's HEAD")
    opened.add_argument("--output", type=Path, required=True, help="write the units here, as JSON lines")
    return parser


def _library(options: argparse.Namespace) -> Library:
    return Library(_roots(options))


def _roots(options: argparse.Namespace) -> dict[str, Path]:
    roots = dict(entry.partition("=")[::2] for entry in options.root)
    return {name: Path(folder) for name, folder in roots.items()}


def _sample(options: argparse.Namespace) -> int:
    library = _library(options)
    units, training = draw(load_plan(options.gold / "sources.toml", _roots(options)), library)
    write_lines(options.work / "register.jsonl", units)
    write_lines(options.work / "training" / "register.jsonl", training)
    write_lines(options.work / "training" / "packs" / "01.jsonl", [show_unit(unit, library) for unit in training])
    packs = write_packs(options.work / "packs", units, library)
    (options.gold / "manifest.json").write_text(
        json.dumps(describe(units), indent=1, ensure_ascii=False) + "\n", "utf-8"
    )
    print(f"{len(units)} units in {len(packs)} packs; {len(training)} for training")
    return 0


def _check(options: argparse.Namespace) -> int:
    pack = options.pack or options.file.parent.parent / "packs" / options.file.name
    found = check_file(options.file, {shown.id: shown for shown in read_lines(pack, PackUnit)})
    for error in found.errors:
        print(f"error: {error}")
    for question in found.questions:
        print(f"question: {question}")
    if found.missing:
        print(f"not labelled yet: {' '.join(found.missing)}")
    print(
        f"{len(found.labels)} labels, {len(found.errors)} errors, {len(found.questions)} questions, {len(found.missing)} missing"
    )
    return 1 if found.errors or found.missing else 0


class _Work:
    """The working folder: its units, the labels of each pass as written and as resolved."""

    def __init__(self, folder: Path, library: Library) -> None:
        self.folder = folder
        self.library = library
        self.units = {unit.id: unit for unit in read_lines(folder / "register.jsonl", Unit)}

    def written(self, name: str) -> dict[str, Label[str]]:
        """The labels of a pass by unit, as they were written; ValueError of one that is no unit, or labelled twice."""
        found: dict[str, Label[str]] = {}
        for file in sorted((self.folder / name).glob("*.jsonl")):
            for label in read_lines(file, Label[str]):
                if label.id not in self.units or label.id in found:
                    raise ValueError(f"{file}: {label.id} is no unit of the sample, or labelled twice")
                found[label.id] = label
        return found

    def resolved(self, labels: Mapping[str, Label[str]]) -> dict[str, Label[Span]]:
        """Labels with their words as offsets into the text of their unit."""
        return {name: resolve(self.text(name), self.units[name], label) for name, label in labels.items()}

    def text(self, name: str) -> str:
        """The canonical text of the document of a unit."""
        return self.library.text(self.units[name].document, self.units[name].sha256)

    def rulings(self) -> dict[str, Ruling]:
        """The rulings of the third pass, by unit."""
        files = sorted((self.folder / "pass-c").glob("*.jsonl"))
        return {ruling.id: ruling for file in files for ruling in read_lines(file, Ruling)}


def _agree(options: argparse.Namespace) -> int:
    work = _Work(options.work, _library(options))
    figures = agreement_of(work.units, work.resolved(work.written("pass-a")), work.resolved(work.written("pass-b")))
    (options.work / "agreement.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    print(as_text(figures))
    return 0


def _differing(
    work: _Work, first: Mapping[str, Label[str]], second: Mapping[str, Label[str]]
) -> dict[str, tuple[str, ...]]:
    a, b = work.resolved(first), work.resolved(second)
    return {name: differences(a[name], b[name]) for name in sorted(a.keys() & b.keys())}


def _adjudicate(options: argparse.Namespace) -> int:
    work = _Work(options.work, _library(options))
    first, second, rulings = work.written("pass-a"), work.written("pass-b"), work.rulings()
    cases = [
        Case(
            **show_unit(work.units[name], work.library).model_dump(),
            first=first[name],
            second=second[name],
            differs=parts,
        )
        for name, parts in _differing(work, first, second).items()
        if parts and name not in rulings
    ]
    count = -(-len(cases) // PACK_UNITS)
    for number in range(count):
        write_lines(options.work / "cases" / f"{number + 1:02}.jsonl", cases[number::count])
    print(f"{len(cases)} units differ, in {count} packs of cases")
    return 0


def _merge(options: argparse.Namespace) -> int:
    work = _Work(options.work, _library(options))
    first, second = work.written("pass-a"), work.written("pass-b")
    final, still_open = settle(first, second, _differing(work, first, second), work.rulings())
    still_open += tuple(name for name in work.units if name not in first and name not in second)
    if still_open:
        print(f"{len(still_open)} units are open: {' '.join(still_open[:20])}", file=sys.stderr)
        return 1
    resolved = work.resolved(final)
    counts = write_gold(options.gold, make_gold(work.units, resolved, work.library))
    print(", ".join(f"{count} {split}" for split, count in counts.items()))
    return 0


def _texts(options: argparse.Namespace) -> int:
    library = _library(options)
    options.to.mkdir(parents=True, exist_ok=True)
    names = {unit.document for unit in read_lines(options.work / "register.jsonl", Unit)}
    for name in sorted(names):
        text = library.source(name).text
        (options.to / f"{digest(text)}.txt").write_bytes(text.encode())
    print(f"{len(names)} texts")
    return 0


def _relocate(options: argparse.Namespace) -> int:
    library = _library(options)
    relocation = Relocation(library, former_texts(options.former))
    if options.work is None:
        counts = relocate_gold(options.gold, relocation, library)
        print(", ".join(f"{count} {split}" for split, count in counts.items()))
        return 0
    register = options.work / "register.jsonl"
    units = [relocation.unit(unit) for unit in read_lines(register, Unit)]
    write_lines(register, units)
    (options.gold / "manifest.json").write_text(
        json.dumps(describe(units), indent=1, ensure_ascii=False) + "\n", "utf-8"
    )
    print(f"{len(units)} units")
    return 0


def _open(options: argparse.Namespace) -> int:
    commit = (
        options.commit
        or subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=options.gold, capture_output=True, text=True, check=True
        ).stdout.strip()
    )
    day = datetime.datetime.now(datetime.UTC).date()
    write_lines(options.output, open_test(options.gold, options.reason, commit, day))
    return 0


def _score(options: argparse.Namespace) -> int:
    library = _library(options)
    gold = list(read_lines(options.units, GoldUnit)) if options.units else load(options.gold, options.split)
    texts = {each.unit.document: library.text(each.unit.document, each.unit.sha256) for each in gold}
    readings = read_documents(gold, {name: library.source(name) for name in texts})
    figures, misses = score(gold, readings, texts)
    print(scores_as_text(figures))
    if options.misses:
        shown = (show_miss(miss, gold, texts) for miss in misses)
        options.misses.write_text("\n\n".join(shown) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
