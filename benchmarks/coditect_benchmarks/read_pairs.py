"""What a model that reads sentences tells of conflicts and gaps: planted ones, look-alikes, and conflicts of real houses.

usage: python -m coditect_benchmarks.read_pairs --stand-in F --company DOCUMENTS --planted LIST.json [--embedder MODEL]
       python -m coditect_benchmarks.read_pairs --stand-in F --house DOCUMENTS --today DAY [--blind FILE --key FILE --seed N]

The model is played by the answers of ``coditect_benchmarks.stand_in`` in F; what nobody has answered yet is collected there. Asked
are the reducer and the validator, in rounds (``--agents reducer``, then ``--agents reducer,validator``); rules do the rest. What is
planted is a list as in ``benchmarks/companies``; a look-alike is told wrongly as :mod:`coditect_benchmarks.company` has it.

``--blind`` appends the published conflicts of a house in an order of chance, without who found them, for somebody who has not seen
how they were found; ``--key`` keeps which line is whose.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from coditect.compose import open_knowledge
from coditect.knowledge.derivation.report import BuildReport
from coditect.schemas import BuildSettings, Claim
from coditect.settings import Settings
from coditect.store.view import View
from coditect_benchmarks.company import Told, match, read_claims
from coditect_benchmarks.stand_in.folder import StandInFolder
from coditect_benchmarks.stand_in.server import stand_in_server

__all__ = ["HouseBuilt", "ReadConflict", "conflicts_in", "gap_report", "house_built", "planted_report", "write_blind"]

CORPUS = "house"
BY = {"read": "pairs", "reported": "topics"}
"""Who told a conflict, by its recipe; rules told the others."""


@dataclass(frozen=True, slots=True)
class HouseBuilt:
    """A build of one house with the reducer and the validator.

    Attributes:
        view: its generation.
        report: of the build.
        open: requests that nobody has answered.
    """

    view: View
    report: BuildReport
    open: int


@dataclass(frozen=True, slots=True)
class ReadConflict:
    """A conflict that was published, or proposed and not published.

    Attributes:
        by: "rules", "pairs" or "topics".
        label: of its verdict.
        published: whether readers are told it.
        text: the claim.
        quotes: (document name, words) of each side.
        why: what judges said against it.
    """

    by: str
    label: str
    published: bool
    text: str
    quotes: tuple[tuple[str, str], ...]
    why: str


@contextmanager
def house_built(
    documents: Path, today: str, stand_in: Path, *, agents: Sequence[str], embedder: str, pairs: int
) -> Iterator[HouseBuilt]:
    """A house's documents, built in a store that is gone afterwards.

    Args:
        documents: the folder.
        today: ISO 8601.
        stand_in: the folder of questions and answers.
        agents: the roles that the stand-in plays.
        embedder: "wordllama", or the folder of a model.
        pairs: that the reducer reads, at most.
    """
    folder = StandInFolder(stand_in)
    with tempfile.TemporaryDirectory() as place, stand_in_server(folder) as server:
        settings = Settings(
            store=f"lmdb://{place}/store",
            cache=Path(place) / "cache",
            llm="claude",
            api_key=SecretStr("any"),
            llm_base_url=server.base_url,
            agents=tuple(agents),
            embedder=embedder,
            conflict_pairs=pairs,
            hierarchical_chunks_enabled=False,
            jobs=1,
        )
        with open_knowledge(settings) as knowledge:
            knowledge.ingest(CORPUS, [documents])
            report = knowledge.build(CORPUS, BuildSettings(today=today))
            yield HouseBuilt(knowledge.view(CORPUS), report, len(folder.open_requests()))


def conflicts_in(view: View) -> list[ReadConflict]:
    """The conflicts of a generation, published and not, in the order of its claims."""
    sections = {section.section_id: section for section in view.sections}
    found = []
    for claim in view.items(Claim, [*view.summary.claims, *view.summary.filtered]):
        if claim.claim_kind != "conflict":
            continue
        verdict = view.verdicts[claim.claim_id]
        parts = [sections[each.section_id].content[each.part] for each in claim.citations]
        quotes = tuple((each.citation.document_name, each.content) for each in parts if each.citation is not None)
        by = BY.get(str(claim.recipe.get("conflict")), "rules")
        found.append(ReadConflict(by, verdict.label, verdict.published, claim.text, quotes, verdict.filter_reason))
    return found


def planted_report(told: Sequence[Told], found: Sequence[ReadConflict], planted: Mapping[str, Any]) -> list[str]:
    """Lines that say what of a company's conflicts is told: published, and proposed at all."""
    proposed = [Told("conflict", "", each.text, each.quotes) for each in found]
    published, all_of_them = match(told, planted), match(proposed, planted)
    lines = []
    for name, matched in (("published", published), ("proposed", all_of_them)):
        hit = [each["id"] for each in planted["conflicts"] if matched.found[each["id"]]]
        wrong = [each["id"] for each in planted["not_conflicts"] if matched.wrong[each["id"]]]
        others = [each for each in matched.others if each.kind == "conflict"]
        lines.append(
            f"{name}: {len(hit)} of {len(planted['conflicts'])} conflicts, {len(wrong)} of "
            f"{len(planted['not_conflicts'])} look-alikes ({', '.join(wrong)}), {len(others)} others"
        )
        missed = [each["id"] for each in planted["conflicts"] if each["id"] not in hit]
        lines.append(f"  not {name}: {', '.join(missed)}")
        lines += [f"  other: {each.text}" for each in others]
    return lines


def gap_report(told: Sequence[Told], planted: Mapping[str, Any]) -> list[str]:
    """Lines that say what of a company's planted gaps is published, and what is published of things that only look like gaps.

    Args:
        told: published claims.
        planted: with "gaps", and "not_gaps" where somebody planted what only looks like one.
    """
    lines = []
    for name, called in (("gaps", "gaps"), ("not_gaps", "look-alikes of gaps")):
        items = planted.get(name, ())
        matched = match(told, {"conflicts": (), "not_conflicts": (), "gaps": items})
        hit = [each["id"] for each in items if matched.found[each["id"]]]
        if items:
            lines.append(f"published: {len(hit)} of {len(items)} {called} ({', '.join(hit)})")
    return lines


def write_blind(found: Sequence[ReadConflict], house: str, blind: Path, key: Path, seed: int) -> None:
    """Append published conflicts for a reader who is not told who found them."""
    published = [each for each in found if each.published]
    random.Random(f"{seed} {house}").shuffle(published)  # noqa: S311 - an order, no secret
    with blind.open("a", encoding="utf-8") as shown, key.open("a", encoding="utf-8") as kept:
        for number, each in enumerate(published, 1):
            sides = [{"document": name, "text": text} for name, text in each.quotes]
            line = {"id": f"{house}-{number}", "sides": sides}
            shown.write(json.dumps(line, ensure_ascii=False) + "\n")
            kept.write(json.dumps({"id": line["id"], "by": each.by, "text": each.text}, ensure_ascii=False) + "\n")


def _usage_of(report: BuildReport) -> str:
    total = report.agents["total"]
    return f"{total['sent']} requests sent, {total['paid']['input_tokens']:,} tokens in, {total['paid']['output_tokens']:,} out"


def main() -> None:
    """Build, match and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stand-in", type=Path, required=True, help="folder of asked.jsonl and answers.jsonl")
    documents = parser.add_mutually_exclusive_group(required=True)
    documents.add_argument("--company", type=Path, help="documents in which conflicts were planted")
    documents.add_argument("--house", type=Path, help="documents of a real house")
    parser.add_argument("--planted", type=Path, help="of a company: what was planted, with the day")
    parser.add_argument("--today", help="of a house: the day on which it is read, YYYY-MM-DD")
    parser.add_argument("--agents", default="reducer,validator", help="who is asked")
    parser.add_argument("--embedder", default="wordllama", help="wordllama, or the folder of a model")
    parser.add_argument("--pairs", type=int, default=500, help="that the reducer reads, at most")
    parser.add_argument("--blind", type=Path, help="append published conflicts here, for a reader")
    parser.add_argument("--key", type=Path, help="append which of them is whose here")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    planted = json.loads(options.planted.read_text("utf-8")) if options.planted else None
    today = options.today or (planted or {}).get("today")
    if not today or (options.blind is None) != (options.key is None):
        parser.error("--today is needed where --planted has none, and --blind and --key go together")
    folder = options.company or options.house
    with house_built(
        folder,
        today,
        options.stand_in,
        agents=options.agents.split(","),
        embedder=options.embedder,
        pairs=options.pairs,
    ) as built:
        found, told = conflicts_in(built.view), read_claims(built.view)
        print(f"{folder}: {len(built.view.documents)} documents; {_usage_of(built.report)}; {built.open} requests open")
        counts = Counter((each.by, "published" if each.published else each.label) for each in found)
        print("conflicts: " + ", ".join(f"{by} {label} {count}" for (by, label), count in sorted(counts.items())))
        for each in found:
            print(f"  [{each.by}, {'published' if each.published else each.label}] {each.text}")
            if not each.published:
                print(f"      {each.why}")
        if planted is not None:
            print("\n".join([*planted_report(told, found, planted), *gap_report(told, planted)]))
        if options.blind is not None:
            write_blind(found, folder.name, options.blind, options.key, options.seed)


if __name__ == "__main__":
    main()
