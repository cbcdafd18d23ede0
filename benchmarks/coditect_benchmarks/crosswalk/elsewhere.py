"""``python -m coditect_benchmarks.crosswalk.elsewhere``: planted absences in any house, by a mapping that is given as a file.

A line of the file is ``{"house": "…", "standard": "…", "requirement": "…", "answers": [names], "near": [names]}``: which documents
of a house answer a requirement, and which others name it. The answers are taken out first, and then what is near, too; a row has to
say "no evidence". What is left can be written to a file, for a reader who did not write the rules.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from coditect.compose import open_knowledge
from coditect.knowledge.report.crosswalk.assembly import compare_with_framework
from coditect.knowledge.service import Knowledge
from coditect.models.wordllama.embedder import WordLlamaEmbedder
from coditect.schemas import BuildSettings
from coditect.schemas.crosswalk import CrosswalkEvidence
from coditect.settings import Settings
from coditect_benchmarks.crosswalk.material import COLUMNS, corpus_of, rows_of
from coditect_benchmarks.gold.scoring import wilson

__all__ = ["main"]

PLANTED = 100
STAGES = {"documents that answer it": ("answers",), "and all others that name it": ("answers", "near")}


@dataclass(frozen=True)
class _Row:
    """A part of a mapped requirement, what its line says, and all that was found of it."""

    line: dict[str, Any]
    part_id: str
    text: str
    found: list[CrosswalkEvidence]

    def left(self, kinds: Sequence[str]) -> list[CrosswalkEvidence]:
        """What is left without some documents."""
        gone = {name for kind in kinds for name in self.line[kind]}
        return [each for each in self.found if PurePosixPath(each.document).name not in gone]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print in how many rows "no evidence" is right, and what the others say."""
    parser = argparse.ArgumentParser(prog="coditect_benchmarks.crosswalk.elsewhere", description=__doc__)
    parser.add_argument("--mapping", type=Path, required=True, help="JSON Lines")
    parser.add_argument("--houses", type=Path, required=True, help="a folder with a folder of documents for each house")
    parser.add_argument("--root", type=Path, required=True, help="the folder 'templates' that has the standards' texts")
    parser.add_argument("--store", type=Path, required=True, help="a folder for the store; kept")
    parser.add_argument("--rows", type=Path, help="a file for the rows that have evidence left, to be read")
    chosen = parser.parse_args(arguments)
    lines = [json.loads(each) for each in chosen.mapping.read_text(encoding="utf-8").splitlines() if each.strip()]
    settings = Settings(store=f"lmdb://{chosen.store / 'store'}", cache=chosen.store / "cache")
    with open_knowledge(settings) as knowledge:
        rows = _rows(knowledge, lines, chosen)
    rows = random.Random(0).sample(rows, min(PLANTED, len(rows)))  # noqa: S311 - a sample, no secret
    print(f"{len(rows)} parts, {dict(Counter(each.line['house'] for each in rows))}")
    print(f"{sum(1 for each in rows if each.found)} have evidence before anything is taken out")
    for stage, kinds in STAGES.items():
        left = [each.left(kinds) for each in rows]
        right = sum(1 for each in left if not each)
        low, high = wilson(right, len(rows)) or (0.0, 1.0)
        labels = Counter(each[0].label for each in left if each)
        print(
            f"without {stage}: no evidence in {right} ({low:.2f} to {high:.2f}); others {dict(sorted(labels.items()))}"
        )
        if chosen.rows is not None:
            with chosen.rows.open("a", encoding="utf-8") as file:
                file.writelines(_written(stage, row, found) for row, found in zip(rows, left, strict=True) if found)


def _rows(knowledge: Knowledge, lines: Sequence[dict[str, Any]], chosen: argparse.Namespace) -> list[_Row]:
    """The parts of all lines, each house compared with each of its standards once."""
    by_pair: dict[tuple[str, str], dict[str, dict[str, Any]]] = defaultdict(dict)
    for line in lines:
        by_pair[line["house"], line["standard"]][line["requirement"]] = line
    rows = []
    for (house, standard), own in sorted(by_pair.items()):
        _ingested(knowledge, house, chosen.houses / house)
        _ingested(knowledge, corpus_of(standard), _table(chosen.root, standard, chosen.store / "standards"))
        view = knowledge.view(corpus_of(standard), None)
        compared = compare_with_framework(view, knowledge.view(house, None), WordLlamaEmbedder(), columns=COLUMNS)
        for number, part in enumerate(compared.framework.parts):
            if part.requirement_id in own:
                found = list(compared.evidence.get(number, []))
                rows.append(_Row(own[part.requirement_id], part.part_id, part.text, found))
    return rows


def _ingested(knowledge: Knowledge, corpus_id: str, folder: Path) -> None:
    knowledge.ingest(corpus_id, [folder])
    knowledge.build(corpus_id, BuildSettings())


def _table(root: Path, standard: str, folder: Path) -> Path:
    """The folder of a standard's requirements, written as a table."""
    path = folder / corpus_of(standard) / "requirements.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("Ref", "Title", "Summary", "Section"))
        writer.writerows(rows_of(root, standard))
    return path.parent


def _written(stage: str, row: _Row, found: Sequence[CrosswalkEvidence]) -> str:
    sentences = [
        {"label": each.label, "document": each.document, "heading": each.heading, "text": each.composed or each.text}
        for each in found
    ]
    told = {"removed": stage, "house": row.line["house"], "id": row.part_id, "text": row.text, "sentences": sentences}
    return json.dumps(told, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    main()
