"""``python -m coditect_benchmarks.gold read``: the gold read by rules alone and with a model, and both scored."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from coditect.agents.roles.role import roles_with
from coditect.models.claude.service import ClaudeLlm
from coditect.settings import Settings
from coditect_benchmarks.gold.by_model.asking import ReadGold, read_gold
from coditect_benchmarks.gold.by_model.drawing import drawn
from coditect_benchmarks.gold.by_model.figures import beside_as_text, targets_as_text
from coditect_benchmarks.gold.records import read_lines
from coditect_benchmarks.gold.scoring import Miss, score, show_miss
from coditect_benchmarks.gold.sources import Library
from coditect_benchmarks.gold.store import GoldUnit, load
from coditect_benchmarks.stand_in.folder import StandInFolder
from coditect_benchmarks.stand_in.server import stand_in_server

__all__ = ["add_options", "read_and_score"]

READER = "reader"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--split", choices=("dev", "heldout"), default="dev", help="the part that is read")
    parser.add_argument("--units", type=Path, help="units that 'open' wrote, instead of a split")
    parser.add_argument("--most", type=int, default=0, help="a sample of about so many units; 0: all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--part", type=int, default=1, help="which part of the sample's documents")
    parser.add_argument("--parts", type=int, default=1, help="parts that share no document")
    parser.add_argument("--stand-in", type=Path, help="folder of asked.jsonl and answers.jsonl, instead of a service")
    parser.add_argument("--partial", action="store_true", help="score although requests are not answered")
    parser.add_argument("--families", action="store_true", help="a row for each family, too")
    parser.add_argument("--misses", type=Path, help="write what is not right with the model here, with the words")


def read_and_score(options: argparse.Namespace) -> int:
    """Ask, and score where everything is answered; 1 where it is not."""
    library = Library({name: Path(folder) for name, _, folder in (each.partition("=") for each in options.root)})
    every = list(read_lines(options.units, GoldUnit)) if options.units else load(options.gold, options.split)
    gold = drawn(every, options.most, options.seed, options.part, options.parts)
    texts = {each.unit.document: library.text(each.unit.document, each.unit.sha256) for each in gold}
    settings = Settings()
    role = roles_with(settings.agent_models)[READER]
    with ExitStack() as stack:
        key = settings.api_key.get_secret_value() if settings.api_key is not None else ""
        url = settings.llm_base_url or None
        if options.stand_in is not None:
            url, key = stack.enter_context(stand_in_server(StandInFolder(options.stand_in))).base_url, key or "any"
        llm = ClaudeLlm(key, url, timeout_s=settings.llm_timeout_s)
        sources = {name: library.source(name) for name in texts}
        found = read_gold(gold, sources, role, llm, partial=options.partial)
    print(f"{len(gold)} units of {len(texts)} documents; {role.version} {role.model}", file=sys.stderr)
    print("\n".join(_told(found)), file=sys.stderr)
    if not found.rules:
        return 1
    (rules, wrong), (both, misses) = (score(gold, reading, texts) for reading in (found.rules, found.both))
    print(beside_as_text(rules, both, families=options.families))
    print()
    print(targets_as_text(both["all"]))
    if options.misses:
        options.misses.write_text("\n\n".join(_shown(misses, wrong, gold, texts)) + "\n", "utf-8")
    return 0


def _told(found: ReadGold) -> Iterator[str]:
    """What was asked, and what came of it."""
    failed = "".join(f", {count} {name}" for name, count in sorted(found.failed.items()))
    yield f"{found.asked} requests, {found.answered} answered{failed}"
    if not found.rules:
        return
    usage = found.usage
    yield f"tokens of those answered: {usage.total_input_tokens:,} in, {usage.output_tokens:,} out"
    merged = ", ".join(f"{name} {count}" for name, count in sorted(found.merged.items()))
    yield f"norms and definitions of the units' provisions: {merged or 'as by rules'}"
    for reason, count in sorted(found.refused.items()):
        yield f"left to the rules: {count} x {reason}"


def _shown(
    misses: Sequence[Miss], wrong: Sequence[Miss], gold: Sequence[GoldUnit], texts: Mapping[str, str]
) -> Iterator[str]:
    """The misses with the model, each with what rules alone make of the same norm."""
    of_rules = {(miss.unit, miss.gold.text): miss.wrong for miss in wrong if miss.gold is not None}
    for miss in misses:
        alone = of_rules.get((miss.unit, miss.gold.text), ("right",)) if miss.gold is not None else ("-",)
        yield f"{show_miss(miss, gold, texts)}\n  rules alone: {', '.join(alone)}"
