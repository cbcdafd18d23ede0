"""Whether the register of agreements finds the sentences that lawyers marked, beside plain rankings of the same sentences.

usage: python -m coditect_benchmarks.agreements --data FOLDER [--half develop|report] [--store URL] [--json FILE]

The contracts are those of CUAD v1 in ``FOLDER/contracts``: a contract belongs to the half that the second byte of its file name's
SHA-1 says, and rules were written with the first half in view alone (ADR 77). For each field of the register that lawyers marked, a
contract counts as found where the sentence that the register tells overlaps a marked span. A ranking (BM25 and the light embedder's
cosine, each with the lawyers' own question) tells its first sentence in every contract; that it cannot say that there is none shows
in its last column: in how many of the contracts without a mark something is told. Marks are of clauses in a narrower sense than the
register's: renewal by agreement and audits of premises are mostly not marked, so that what is told without a mark may be right.

Intervals draw contracts again, 1,000 times, with a seed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from coditect.compose import open_knowledge
from coditect.knowledge.report.rankings import TextRanking
from coditect.knowledge.report.registers.agreements import agreement_rows
from coditect.models.wordllama.embedder import WordLlamaEmbedder
from coditect.schemas import AgreementField, BuildSettings
from coditect.schemas.tier1.data import SPAN_KINDS
from coditect.settings import Settings
from coditect.store.view import View

__all__ = ["MARKED", "Counted", "count", "half_of", "read_marks"]

MARKED: Mapping[str, AgreementField] = {
    "Expiration Date": "term",
    "Renewal Term": "renewal",
    "Notice Period To Terminate Renewal": "renewal_notice",
    "Termination For Convenience": "termination",
    "Governing Law": "governing_law",
    "Anti-Assignment": "assignment",
    "Audit Rights": "audit",
}
"""Clauses that lawyers marked, by their names in CUAD, and the field of the register that each is of."""

TODAY = "2026-01-01"
DRAWS = 1_000

Span = tuple[int, int]
Marks = Mapping[str, Mapping[AgreementField, Sequence[Span]]]


@dataclass(frozen=True, slots=True)
class Counted:
    """What one way tells of one field.

    Attributes:
        marked: contracts in which lawyers marked it.
        found: of these, where what is told overlaps a mark.
        elsewhere: of these, where another sentence is told.
        unmarked: contracts without a mark.
        told: of these, where something is told.
        low: of found / marked, 2.5 % of the draws.
        high: 97.5 %.
    """

    marked: int
    found: int
    elsewhere: int
    unmarked: int
    told: int
    low: float
    high: float


def half_of(name: str) -> str:
    """The half that a contract belongs to, by its file's name."""
    return "report" if hashlib.sha1(name.encode(), usedforsecurity=False).digest()[1] % 2 else "develop"


def read_marks(file: Path, half: str) -> tuple[Marks, Mapping[AgreementField, str]]:
    """The marked spans of each contract of a half, and the question that was asked for each field.

    Args:
        file: ``queries.jsonl``.
        half: "develop" or "report".
    """
    marks: dict[str, dict[AgreementField, Sequence[Span]]] = defaultdict(dict)
    questions: dict[AgreementField, str] = {}
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["clause"] in MARKED and half_of(row["file"]) == half:
            field = MARKED[row["clause"]]
            marks[row["file"]][field] = [(start, end) for start, end in row["spans"]]
            questions.setdefault(field, row["query"].rpartition(";")[2].strip())
    return marks, questions


def count(
    names: Sequence[str], marks: Marks, told: Mapping[str, Mapping[AgreementField, Span]], field: AgreementField
) -> Counted:
    """How often what is told of a field is what lawyers marked.

    Args:
        names: of the contracts, all of the half.
        marks: by contract and field.
        told: by contract and field, the sentence that is told.
        field: which.
    """
    marked = [name for name in names if marks.get(name, {}).get(field)]
    hits = [_overlaps(told[name].get(field), marks[name][field]) for name in marked]
    unmarked = [name for name in names if name not in set(marked)]
    drawn = (
        np.random.default_rng(0).choice(np.array(hits, dtype=float), (DRAWS, len(hits))).mean(axis=1)
        if hits
        else np.zeros(1)
    )
    return Counted(
        marked=len(marked),
        found=sum(hits),
        elsewhere=sum(told[name].get(field) is not None and not hit for name, hit in zip(marked, hits, strict=True)),
        unmarked=len(unmarked),
        told=sum(told[name].get(field) is not None for name in unmarked),
        low=round(float(np.quantile(drawn, 0.025)), 3),
        high=round(float(np.quantile(drawn, 0.975)), 3),
    )


def _overlaps(told: Span | None, marked: Sequence[Span]) -> bool:
    return told is not None and any(told[0] < end and start < told[1] for start, end in marked)


def _ours(view: View) -> dict[str, dict[AgreementField, Span]]:
    return {
        row.document: {t.field: (t.char_start, t.char_end) for t in row.terms}
        for row in agreement_rows(view, TODAY, documents=("*",))
    }


def _ranked(view: View, questions: Mapping[AgreementField, str]) -> dict[str, dict[str, dict[AgreementField, Span]]]:
    """What the first sentence of each plain ranking is, by ranking, contract and field."""
    embedder = WordLlamaEmbedder()
    fields = list(questions)
    asked = embedder.embed([questions[each] for each in fields])
    found: dict[str, dict[str, dict[AgreementField, Span]]] = {"BM25": {}, "cosine": {}}
    for document_id, version in view.documents.items():
        sentences = [each for each in view.each_extraction(document_id) if each.extraction_kind not in SPAN_KINDS]
        places = [(each.char_offset_start, each.char_offset_end) for each in sentences]
        texts = [each.source_text for each in sentences]
        for name, scores in (
            ("BM25", TextRanking(texts).scores([questions[each] for each in fields])),
            ("cosine", asked @ embedder.embed(texts).T),
        ):
            found[name][version.name] = {field: places[int(np.argmax(scores[n]))] for n, field in enumerate(fields)}
    return found


def _report(
    names: Sequence[str], marks: Marks, ways: Mapping[str, Mapping[str, Mapping[AgreementField, Span]]]
) -> dict[str, dict[str, Counted]]:
    counted: dict[str, dict[str, Counted]] = {}
    for field in MARKED.values():
        counted[field] = {way: count(names, marks, told, field) for way, told in ways.items()}
        for way, each in counted[field].items():
            share = each.found / each.marked if each.marked else 0.0
            print(
                f"{field:16} {way:8} found {each.found:3} of {each.marked:3} = {share:.3f} [{each.low:.3f}, {each.high:.3f}]"
                f"  elsewhere {each.elsewhere:3}  told where nothing is marked {each.told:3} of {each.unmarked:3}"
            )
    return counted


def main() -> None:
    """Build the half, ask, count, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with the public material")
    parser.add_argument("--half", choices=("develop", "report"), default="develop")
    parser.add_argument("--store", help="a store that holds the half as a corpus of that name; default: it is built")
    parser.add_argument("--json", type=Path, help="write the counts here, too")
    options = parser.parse_args()
    marks, questions = read_marks(options.data / "contracts" / "queries.jsonl", options.half)
    files = sorted(
        each for each in (options.data / "contracts" / "docs").iterdir() if half_of(each.name) == options.half
    )
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(store=options.store or f"lmdb://{folder}/store", cache=Path(folder) / "cache")
        with open_knowledge(settings) as knowledge:
            if not options.store:
                knowledge.ingest(options.half, files)
                knowledge.build(options.half, BuildSettings(today=TODAY))
            view = knowledge.view(options.half)
            begun = time.process_time()
            ours = _ours(view)
            spent = time.process_time() - begun
            counted = _report([each.name for each in files], marks, {"register": ours, **_ranked(view, questions)})
    print(f"{len(files)} contracts; the register took {spent:.1f} s of processor time")
    if options.json:
        plain = {field: {way: asdict(each) for way, each in ways.items()} for field, ways in counted.items()}
        options.json.write_text(json.dumps(plain, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
