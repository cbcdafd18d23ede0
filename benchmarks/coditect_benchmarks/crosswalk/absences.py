"""Planted absences: everything that speaks to a requirement is taken out of the corpus, and its row has to say so.

What speaks to it is what the mapping says: the procedures that implement the requirement. Two stages are printed: those procedures
and the policies that they belong to are removed; and with them all other procedures of these policies, since a mapping names the
main procedures and a policy's others often say the same. Of the same requirements it is printed how many had evidence before: a
crosswalk that finds nothing would be right in every row. What is left in the other rows can be written to a file, for somebody who
did not write the rules to read: a mapping does not name everything that is evidence.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from coditect.knowledge.report.crosswalk.assembly import FrameworkComparison, compare_with_framework
from coditect.knowledge.report.crosswalk.framework.parts import RequirementPart
from coditect.knowledge.service import Knowledge
from coditect.models.wordllama.embedder import WordLlamaEmbedder
from coditect.schemas.crosswalk import CrosswalkEvidence
from coditect_benchmarks.crosswalk.material import (
    COLUMNS,
    POLICIES,
    STANDARDS,
    Mapping,
    corpus_of,
    is_development,
    read_mapping,
)

__all__ = ["measure"]

PLANTED = 100


def measure(
    knowledge: Knowledge, root: Path, *, development: bool, seed: int = 0, rows_file: Path | None = None
) -> None:
    """Print in how many rows "no evidence" is right, and what the others say.

    Whatever is found of one document depends on no other (ADR 55), so that a row without some documents is the row of a corpus
    that never had them.

    Args:
        knowledge: with the corpora.
        root: the folder of templates.
        development: requirements of that half.
        seed: of the sample.
        rows_file: where what is left in rows is written to, a JSON object a line; None: nowhere.
    """
    mapping = read_mapping(root)
    embedder = WordLlamaEmbedder()
    view = knowledge.view(POLICIES, None)
    rows: list[_Row] = []
    for standard in STANDARDS:
        compared = compare_with_framework(knowledge.view(corpus_of(standard), None), view, embedder, columns=COLUMNS)
        rows += _rows(compared, standard, mapping, development=development)
    chosen = random.Random(seed).sample(rows, min(PLANTED, len(rows)))  # noqa: S311 - a sample, no secret
    had = sum(1 for row in chosen if row.found)
    spoken = sum(1 for row in chosen if any(_name(each) in row.names for each in row.found))
    print(f"{len(chosen)} of {len(rows)} mapped requirements; {had} have evidence, {spoken} from a mapped procedure")
    stages = {"procedures and their policies": _with_policies, "and all procedures of these policies": _with_siblings}
    for told, widened in stages.items():
        left = [_left(row.found, widened(row.names, mapping)) for row in chosen]
        labels = Counter(each[0].label for each in left if each)
        right = sum(1 for each in left if not each)
        print(f"removed: {told}: no evidence in {right} of {len(chosen)}; others {dict(sorted(labels.items()))}")
        if rows_file is not None:
            with rows_file.open("a", encoding="utf-8") as file:
                file.writelines(
                    _written(told, row, found) + "\n" for row, found in zip(chosen, left, strict=True) if found
                )


@dataclass(frozen=True)
class _Row:
    """A mapped part: the procedures that implement it, and all that was found of it."""

    standard: str
    part: RequirementPart
    names: frozenset[str]
    found: list[CrosswalkEvidence]


def _written(stage: str, row: _Row, found: list[CrosswalkEvidence]) -> str:
    sentences = [{"label": each.label, "heading": each.heading, "text": each.composed or each.text} for each in found]
    asked = {"standard": row.standard, "id": row.part.requirement_id, "title": row.part.title, "text": row.part.text}
    return json.dumps({"removed": stage, **asked, "sentences": sentences}, ensure_ascii=False)


def _rows(compared: FrameworkComparison, standard: str, mapping: Mapping, *, development: bool) -> list[_Row]:
    found = []
    for number, part in enumerate(compared.framework.parts):
        names = frozenset(
            procedure
            for (procedure, said), ids in mapping.implements.items()
            if said == standard and part.requirement_id in ids
        )
        if names and is_development(part.requirement_id) == development:
            found.append(_Row(standard, part, names, list(compared.evidence.get(number, []))))
    return found


def _name(each: CrosswalkEvidence) -> str:
    return PurePosixPath(each.document).name.partition(".")[0]


def _left(found: list[CrosswalkEvidence], gone: frozenset[str]) -> list[CrosswalkEvidence]:
    return [each for each in found if _name(each) not in gone]


def _with_policies(names: frozenset[str], mapping: Mapping) -> frozenset[str]:
    return names.union(*(mapping.policies.get(each, frozenset()) for each in names))


def _with_siblings(names: frozenset[str], mapping: Mapping) -> frozenset[str]:
    wider = _with_policies(names, mapping)
    return wider.union(*(mapping.procedures.get(each, frozenset()) for each in wider))
