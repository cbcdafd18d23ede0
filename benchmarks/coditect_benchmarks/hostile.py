"""What hostile and damaged files cost: memory, processor time, neighbours, tracebacks.

Run with ``python -m coditect_benchmarks.hostile`` in the repository. Each hostile file (``tests/hostile``, at full size) is
ingested and built beside a good one, then asked about and validated, in a program of its own; then thousands of mutated files
are, many at a time.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TypeVar

from coditect.compose import open_knowledge
from coditect.errors import CoditectError
from coditect.knowledge.service import Knowledge
from coditect.sample import sample_files
from coditect.schemas import BuildSettings
from coditect.settings import Settings
from tests.hostile.catalogue import KINDS
from tests.hostile.kinds import Kind
from tests.hostile.mutants import mutated

GOOD = "good.md"
CORPUS = "hostile"
PATIENCE_S = 900
SEED = 2026
BATCH = 250
MOST_MB = 512
MOST_S = 60
QUESTION = "Who shall sign the form?"

MEASURES = ("ingest_mb", "read_mb", "build_mb", "check_mb", "ingest_s", "build_s", "check_s")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run cost.

    Attributes:
        ingest_mb: the most memory that the program held while it ingested, MiB.
        read_mb: the most that one of its reading processes held, MiB.
        build_mb: the most that the program or one of its workers held while it built, MiB.
        check_mb: the most that the program held while it answered a question and validated the corpus, MiB.
        ingest_s: processor seconds of the ingest, reading processes included.
        build_s: processor seconds of the build.
        check_s: processor seconds of the question and the validation.
        files: how many hostile files there were.
        refused: how many of them were not taken in, or not built.
        message: what was said of the last of those.
        harmed: good files that were not taken in or not built.
        error: the last line of an error that nobody meant to show; "" if there was none.
    """

    ingest_mb: int = 0
    read_mb: int = 0
    build_mb: int = 0
    check_mb: int = 0
    ingest_s: float = 0.0
    build_s: float = 0.0
    check_s: float = 0.0
    files: int = 1
    refused: int = 0
    message: str = ""
    harmed: int = 0
    error: str = ""

    @property
    def most_mb(self) -> int:
        """The most memory that any process held."""
        return max(self.ingest_mb, self.read_mb, self.build_mb, self.check_mb)

    @property
    def total_s(self) -> float:
        """Processor seconds of ingest and build; what comes after is asked for by somebody."""
        return self.ingest_s + self.build_s


def main() -> None:
    """Run everything, a line for each file, and the worst at the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="hostile files whose kind contains this")
    parser.add_argument("--largest", action="store_true", help="of each kind only the largest file")
    parser.add_argument("--mutants", type=int, default=5_000, help="mutated files")
    parser.add_argument("--case", nargs=2, metavar=("KIND", "SIZE"), help=argparse.SUPPRESS)
    parser.add_argument("--batch", nargs=2, type=int, metavar=("FIRST", "COUNT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        print(json.dumps(asdict(_case(_kind(options.case[0]), int(options.case[1])))))
        return
    if options.batch:
        print(json.dumps(asdict(_batch(*options.batch))))
        return
    cases = [
        (kind.name, size) for kind in KINDS if options.only in kind.name for size in kind.large[-options.largest :]
    ]
    if cases:
        costs = [_apart(f"{name} {size}", "--case", name, str(size)) for name, size in cases]
        print(f"\n{len(cases)} hostile files of {len({name for name, _ in cases})} kinds")
        _summarize(costs)
        _tabulate([name for name, _ in cases], costs)
    batches = [(first, min(BATCH, options.mutants - first)) for first in range(0, options.mutants, BATCH)]
    if batches:
        costs = [_apart(f"mutants {first}", "--batch", str(first), str(count)) for first, count in batches]
        print(f"\n{sum(cost.files for cost in costs)} mutated files, {BATCH} at a time")
        _summarize(costs)


def _summarize(costs: Sequence[Cost]) -> None:
    for name in MEASURES:
        print(f"  most {name:<10} {max(getattr(cost, name) for cost in costs):>8}")
    dear = [cost for cost in costs if cost.most_mb > MOST_MB or cost.total_s > MOST_S]
    print(f"  runs over {MOST_MB} MB or {MOST_S} s: {len(dear)}")
    print(f"  files refused {sum(cost.refused for cost in costs)} of {sum(cost.files for cost in costs)}")
    print(f"  neighbours harmed {sum(cost.harmed for cost in costs)}")
    print(f"  tracebacks {sum(cost.error != '' for cost in costs)}")


def _tabulate(names: Sequence[str], costs: Sequence[Cost]) -> None:
    """The worst of each kind."""
    print(
        f"\n  {'kind':<26} {'MB: ingest':>10} {'read':>6} {'build':>6} {'check':>6} {'s: ingest':>10} {'build':>6} {'check':>6}"
    )
    for name in dict.fromkeys(names):
        own = [cost for each, cost in zip(names, costs, strict=True) if each == name]
        worst = {field: max(getattr(cost, field) for cost in own) for field in MEASURES}
        print(
            f"  {name:<26} {worst['ingest_mb']:>10} {worst['read_mb']:>6} {worst['build_mb']:>6} {worst['check_mb']:>6} "
            f"{worst['ingest_s']:>10.1f} {worst['build_s']:>6.1f} {worst['check_s']:>6.1f}"
        )


def _apart(label: str, *arguments: str) -> Cost:
    """A run in a program of its own."""
    begin = time.monotonic()
    command = [sys.executable, "-m", "coditect_benchmarks.hostile", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        lines = done.stderr.strip().splitlines() or [f"ended with {done.returncode}"]
        cost = Cost(**json.loads(done.stdout)) if done.returncode == 0 else Cost(harmed=1, error=lines[-1])
    except subprocess.TimeoutExpired:
        cost = Cost(harmed=1, error=f"not done after {PATIENCE_S} s", ingest_s=PATIENCE_S)
    mark = "!" if cost.harmed or cost.error or cost.most_mb > MOST_MB or cost.total_s > MOST_S else " "
    told = (
        f"ingest {cost.ingest_s:6.1f} s {cost.ingest_mb:5} MB, reading {cost.read_mb:5} MB, build {cost.build_s:6.1f} s "
        f"{cost.build_mb:5} MB, check {cost.check_s:6.1f} s {cost.check_mb:5} MB, clock {time.monotonic() - begin:6.1f} s"
    )
    print(f"{mark} {label:<36} {told}  {cost.error or cost.message}"[:280], flush=True)
    return cost


def _case(kind: Kind, size: int) -> Cost:
    """Ingest and build one hostile file beside a good one."""
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "files"
        files.mkdir()
        (files / ("hostile" + kind.suffix)).write_bytes(kind.make(size))
        return _measured(Path(folder), files)


def _kind(name: str) -> Kind:
    return next(kind for kind in KINDS if kind.name == name)


def _batch(first: int, count: int) -> Cost:
    """Ingest and build mutated files beside a good one: of the sample documents, and of small hostile files."""
    sound = [(path.name, path.read_bytes()) for path in sample_files()]
    sound += [(kind.name + kind.suffix, kind.make(kind.small)) for kind in KINDS]
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "files"
        files.mkdir()
        for number in range(first, first + count):
            name, raw = sound[number % len(sound)]
            (files / f"{number:05}-{name}").write_bytes(mutated(raw, SEED + number))
        return replace(_measured(Path(folder), files), files=count)


def _measured(place: Path, files: Path) -> Cost:
    (files / GOOD).write_bytes(next(path for path in sample_files() if path.suffix == ".md").read_bytes())
    settings = Settings(store=f"lmdb://{place / 'store'}", cache=place / "cache", tenant="benchmark")
    with open_knowledge(settings) as knowledge:
        _forget_peak()  # of making the files
        ingested, ingest_s = _timed(lambda: knowledge.ingest(CORPUS, [files]))
        ingest_mb, read_mb = _peak_mb(), _mb(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        _forget_peak()
        error = ""
        try:
            _, build_s = _timed(lambda: knowledge.build(CORPUS, BuildSettings()))
        except CoditectError as caught:
            build_s, error = 0.0, str(caught)
        children_mb = _mb(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        build_mb = max(_peak_mb(), children_mb if children_mb > read_mb else 0)
        failures = {each.name: each.message for each in knowledge.status(CORPUS)[0].failures}
        _forget_peak()
        check_s = 0.0
        if not error:
            findings, check_s = _timed(lambda: _checked(knowledge))
            error = "".join(findings[:1])
        check_mb = _peak_mb()
    bad = [name for name in failures if name != GOOD]
    return Cost(
        ingest_mb,
        read_mb,
        build_mb,
        check_mb,
        round(ingest_s, 1),
        round(build_s, 1),
        round(check_s, 1),
        files=len(ingested.outcomes) - 1,
        refused=len(bad),
        message=failures[bad[-1]] if bad else "",
        harmed=int(GOOD in failures or error != ""),
        error=error,
    )


def _checked(knowledge: Knowledge) -> list[str]:
    """Ask a question and validate; what was found to be wrong."""
    knowledge.query(CORPUS, QUESTION)
    return [finding.message for finding in knowledge.validate(CORPUS).findings]


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """What some work gives, and its processor seconds, those of processes that ended meanwhile included."""
    before = _processor_s()
    result = work()
    return result, _processor_s() - before


def _processor_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _peak_mb() -> int:
    """The most memory that this program held since :func:`_forget_peak`."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return _mb(next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")))


def _forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _mb(kib: int) -> int:
    return kib // 1024


if __name__ == "__main__":
    main()
