"""All parsers on the same sentences: shares with intervals, which differences are real, what each costs."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

from scipy.stats import binomtest

from coditect_benchmarks.gold.agreement import pair_norms
from coditect_benchmarks.gold.records import Norm, Span
from coditect_benchmarks.gold.scoring import PARTS, score
from coditect_benchmarks.gold.store import GoldUnit
from coditect_benchmarks.parsing.clauses import Clause
from coditect_benchmarks.parsing.parser import Parser
from coditect_benchmarks.parsing.tasks import Task, as_norm, readings_of

__all__ = ["Result", "as_table", "best_of", "compare", "fold_of", "gold_of", "installed_bytes", "read_all", "run"]

SHOWN = (*PARTS, "missed", "invented")


@dataclass(slots=True)
class Result:
    """What a parser read, and how right it is.

    Attributes:
        figures: of :func:`coditect_benchmarks.gold.scoring.score`, over all genres.
        right: what of each norm of the gold is right, by unit and place of the norm; a missed norm has nothing right.
        seconds: of the processor, without the parses that another already made.
    """

    name: str
    read: list[tuple[Task, Clause]]
    figures: dict[str, Any] = field(default_factory=dict)
    right: dict[tuple[str, int], frozenset[str]] = field(default_factory=dict)
    seconds: float = 0.0


def fold_of(document: str, folds: int) -> int:
    """Which fold a document is in; the same on every machine."""
    return int.from_bytes(hashlib.sha256(document.encode()).digest()[:4], "big") % folds


def gold_of(gold: Sequence[GoldUnit], read: Sequence[tuple[Task, Clause]]) -> dict[int, Norm[Span]]:
    """The norm of the gold that each clause is a reading of, by the clause's id; clauses outside of the gold's units aside."""
    found: dict[int, Norm[Span]] = {}
    by_norm = {}
    for task, clause in read:
        by_norm[task.document, as_norm(task, clause)] = id(clause)
    for each, reading in zip(gold, readings_of(gold, read).values(), strict=True):
        for wanted, norm in pair_norms(each.label.norms, [one.norm for one in reading.norms]):
            if wanted is not None and norm is not None:
                found[by_norm[each.unit.document, norm]] = wanted
    return found


def read_all(parser: Parser, tasks: Sequence[Task]) -> list[tuple[Task, Clause]]:
    """What a parser reads of all sentences."""
    return [(task, clause) for task in tasks for clause in parser.parse(task)]


def run(
    name: str,
    parser_for: Callable[[Task], Parser],
    tasks: Sequence[Task],
    gold: Sequence[GoldUnit],
    texts: Mapping[str, str],
) -> Result:
    """Read and score; the parser may depend on the document, so that none is judged on what it learnt from."""
    begun = time.process_time()
    read = [(task, clause) for task in tasks for clause in parser_for(task).parse(task)]
    seconds = time.process_time() - begun
    return _scored(Result(name, read, seconds=seconds), gold, texts)


def _scored(result: Result, gold: Sequence[GoldUnit], texts: Mapping[str, str]) -> Result:
    figures, misses = score(gold, readings_of(gold, result.read), texts)
    result.figures = figures["all"]
    wrong = {(miss.unit, id(miss.gold)): miss.wrong for miss in misses if miss.gold is not None}
    for each in gold:
        for number, norm in enumerate(each.label.norms):
            missed = wrong.get((each.unit.id, id(norm)), ())
            right = (
                frozenset()
                if "missed" in missed
                else frozenset(PARTS) - {*missed, *(("fully right",) if missed else ())}
            )
            result.right[each.unit.id, number] = right
    return result


def best_of(first: Result, second: Result) -> dict[str, float]:
    """The share of the gold's norms whose part at least one of two parsers has right: what no choice between them can exceed."""
    parts = [first.right[key] | second.right[key] for key in first.right]
    whole = frozenset(PARTS) - {"fully right"}
    return {
        name: sum((whole <= each) if name == "fully right" else (name in each) for each in parts) / len(parts)
        for name in PARTS
    }


def compare(first: Result, second: Result) -> dict[str, tuple[int, int, float]]:
    """McNemar's test, exact: for each part how many norms only either has right, and how likely that is by chance."""
    found = {}
    for name in PARTS:
        gained = sum(name in second.right[key] and name not in right for key, right in first.right.items())
        lost = sum(name not in second.right[key] and name in right for key, right in first.right.items())
        chance = float(binomtest(gained, gained + lost).pvalue) if gained + lost else 1.0
        found[name] = (gained, lost, chance)
    return found


def installed_bytes(*distributions: str) -> int:
    """What some distributions take on the disk, by their own lists of files."""
    total = 0
    for name in distributions:
        for file in metadata.files(name) or ():
            path = file.locate()
            total += path.stat().st_size if path.is_file() else 0  # type: ignore[attr-defined]
    return total


def as_table(results: Sequence[Result]) -> str:
    """One row a parser: shares in per cent with their intervals, then norms fully right gained and lost against the first one."""
    lines = ["| parser | " + " | ".join(SHOWN) + " | gained / lost, p |", "|---" * (len(SHOWN) + 2) + "|"]
    for result in results:
        cells = []
        for name in SHOWN:
            value = result.figures[name]
            interval = value["interval"]
            cells.append(
                f"{100 * value['share']:.1f} [{100 * interval[0]:.0f}-{100 * interval[1]:.0f}]" if interval else "-"
            )
        gained, lost, chance = compare(results[0], result)["fully right"]
        cells.append(f"{gained} / {lost}, {chance:.2g}" if result is not results[0] else "")
        lines.append(f"| {result.name} | " + " | ".join(cells) + " |")
    n = results[0].figures
    lines.append(f"\n{n['missed']['n']} norms in the gold; the rules read {n['invented']['n']}.")
    return "\n".join(lines)
