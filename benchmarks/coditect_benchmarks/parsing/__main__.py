"""Compare the parsers on the dev or the held-out part of the gold: figures, paired tests, speed and size, as Markdown.

What learns is judged on dev by cross-validation over documents and with each genre left out; for the held-out part it
learns from dev.
Set OMP_NUM_THREADS=1, so that seconds are those of one thread.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from coditect_benchmarks.gold.sources import Library
from coditect_benchmarks.gold.store import GoldUnit, load
from coditect_benchmarks.parsing.comparison import (
    Result,
    as_table,
    best_of,
    compare,
    fold_of,
    gold_of,
    installed_bytes,
    run,
)
from coditect_benchmarks.parsing.dependency import DependencyParser, Parses, RevisedRules
from coditect_benchmarks.parsing.parser import Parser, RuleParser
from coditect_benchmarks.parsing.tagger import Hints, Tagger, clauses_seen, model_bytes
from coditect_benchmarks.parsing.tasks import Task, collect

GOLD = Path(__file__).parents[2] / "gold"
_FOLDS = 5
_TRUST = 2.0
_USES = (("binding",), ("holder",), ("scope",), ("conditions",), ("action",), ("holder", "scope", "action"))
_SPACY = ("spacy", "thinc", "blis", "srsly", "preshed", "cymem", "murmurhash", "catalogue", "confection", "weasel", "wasabi",
          "spacy-legacy", "spacy-loggers", "typer", "cloudpathlib", "smart-open")  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison."""
    options = _options().parse_args(arguments)
    library = Library({name: Path(folder) for name, _, folder in (root.partition("=") for root in options.root)})
    gold = load(options.gold, options.split)
    texts = {each.unit.document: library.text(each.unit.document, each.unit.sha256) for each in gold}
    tasks = collect(gold, {name: library.source(name) for name in texts})
    parses = Parses.load(options.model) if options.model else None
    if options.split == "dev":
        learnt_from, teachers = tasks, gold
    else:
        teachers = load(options.gold, "dev")
        names = {each.unit.document: library.text(each.unit.document, each.unit.sha256) for each in teachers}
        learnt_from = collect(teachers, {name: library.source(name) for name in names})
    school = _School(learnt_from, teachers, held_out=options.split == "heldout")
    results: list[Result] = []

    def add(name: str, parser_for: Callable[[Task], Parser]) -> None:
        results.append(run(name, parser_for, tasks, gold, texts))
        print(
            as_table([results[0], results[-1]]).splitlines()[-3 if len(results) > 1 else 2], file=sys.stderr, flush=True
        )

    add("(a) rules", _same(RuleParser()))
    if parses:
        add("(b) parse", _same(DependencyParser(parses)))
    add("(c) tagger", school.by_document(on_rules=False))
    if parses:
        for parts in _USES:
            add(f"(a) + (b): {', '.join(parts)}", _same(RevisedRules(parses, *parts)))
    add("(a) + (c)", school.by_document(on_rules=True))
    add("(a) + (c), trusting (a)", school.by_document(on_rules=True, trust=_TRUST))
    if options.split == "dev":
        add("(a) + (c), trusting (a), genre unseen", school.by_genre(on_rules=True, trust=_TRUST))
    if parses:
        add("(a) + (b) + (c), trusting (a)", school.by_document(on_rules=True, trust=_TRUST, hints=parses.hints))
    print(as_table(results))
    _print_pairs(results)
    words = sum(len(task.text.split()) for task in tasks)
    print(f"\n{len(tasks)} sentences, {words} words")
    for result in results:
        print(
            f"{result.name}: {result.seconds:.2f} s of the processor, features and labels, parses where they were not made yet"
        )
    if parses:
        print(
            f"parse: {parses.words / parses.seconds:.0f} words a second; "
            f"{installed_bytes(*_SPACY) / 1e6:.0f} MB are installed for it, and the model"
        )
    for name, size in school.sizes.items():
        print(f"tagger {name}: {size / 1e6:.2f} MB as JSON")
    return 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m coditect_benchmarks.parsing", description=__doc__)
    parser.add_argument("--split", choices=("dev", "heldout"), default="dev", help="the part that is compared")
    parser.add_argument("--root", action="append", default=[], metavar="NAME=FOLDER", help="where sources lie")
    parser.add_argument("--gold", type=Path, default=GOLD, help="benchmarks/gold of the repository")
    parser.add_argument("--model", help="a spaCy model, package or folder; without one the parse is left out")
    return parser


def _same(parser: Parser) -> Callable[[Task], Parser]:
    return lambda _: parser


class _School:
    """Taggers, each fitted once on what it may have seen."""

    def __init__(self, tasks: Sequence[Task], gold: Sequence[GoldUnit], *, held_out: bool) -> None:
        self._tasks = tasks
        self._gold = gold
        self._held_out = held_out
        self._genres = {each.unit.document: each.unit.genre for each in gold}
        self.sizes: dict[str, int] = {}

    def by_document(
        self, *, on_rules: bool, trust: float = 0.0, hints: Hints | None = None
    ) -> Callable[[Task], Parser]:
        """For each document a tagger that has seen none of its fold; of the held-out part one that has seen all of dev."""
        groups = {task.document: 0 if self._held_out else fold_of(task.document, _FOLDS) for task in self._tasks}
        return self._taught(groups, on_rules, trust, hints)

    def by_genre(self, *, on_rules: bool, trust: float = 0.0) -> Callable[[Task], Parser]:
        """For each document a tagger that has seen nothing of its genre."""
        order = sorted(set(self._genres.values()))
        return self._taught({name: order.index(genre) for name, genre in self._genres.items()}, on_rules, trust, None)

    def _taught(
        self, groups: dict[str, int], on_rules: bool, trust: float, hints: Hints | None
    ) -> Callable[[Task], Parser]:
        truth = gold_of(self._gold, [(task, clause) for task in self._tasks for clause in clauses_seen(task, on_rules)])
        taggers = {}
        for group in sorted(set(groups.values())):
            known = [task for task in self._tasks if self._held_out or groups[task.document] != group]
            taggers[group] = Tagger.learn(known, truth, on_rules=on_rules, trust=trust, hints=hints)
        last = taggers[max(taggers)]
        name = ("on rules" if on_rules else "alone") + (" with the parse" if hints else "")
        self.sizes[name] = model_bytes(last.spans) + (model_bytes(last.binding) if last.binding else 0)
        return lambda task: taggers[0 if self._held_out else groups[task.document]]


def _print_pairs(results: Sequence[Result]) -> None:
    """Gained and lost against the rules by part, and what no choice between the two can exceed."""
    print("\n| parser | " + " | ".join(compare(results[0], results[0])) + " | at best, fully right |")
    print("|---" * 9 + "|")
    for result in results[1:]:
        cells = [f"+{gained} -{lost} (p {chance:.2g})" for gained, lost, chance in compare(results[0], result).values()]
        print(
            f"| {result.name} | " + " | ".join(cells) + f" | {100 * best_of(results[0], result)['fully right']:.1f} |"
        )
    print(f"\nfully right of all norms, rules: {100 * best_of(results[0], results[0])['fully right']:.1f}")


if __name__ == "__main__":
    raise SystemExit(main())
