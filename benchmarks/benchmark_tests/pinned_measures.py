"""What the measures of whole runs say of small material of our own, written down.

``python -m benchmark_tests.pinned_measures`` writes ``pinned_measures.json`` anew: needed where the product reads something
else, too.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from coditect_benchmarks import calls, changes, extraction, references, selection, sentences

from benchmark_tests.regulations import write_regulations, write_versions
from coditect.tiers.chunks.selection import SelectionParameters

__all__ = ["MEASURES", "PINNED", "pinned"]

PINNED = Path(__file__).parent / "pinned_measures.json"
_SECONDS = re.compile(r"\d+\.\d+(?= s\b| s,)")


@contextlib.contextmanager
def _printed() -> Iterator[list[str]]:
    """Takes the lines that are printed, without seconds."""
    lines: list[str] = []
    taken = io.StringIO()
    with contextlib.redirect_stdout(taken):
        yield lines
    lines += _SECONDS.sub("-", taken.getvalue()).split("\n")


def _run(main: Callable[[], object], *arguments: str) -> list[str]:
    with patch.object(sys, "argv", ["it", *arguments]), _printed() as lines:
        main()
    return lines


def reference_scores() -> dict[str, Any]:
    """Terms and references of two small regulations."""
    with tempfile.TemporaryDirectory() as folder:
        write_regulations(Path(folder))
        score = references.measure(Path(folder) / "cfpb" / "9009-keys.xml")
        lines = _run(references.main, "--data", folder, "--wrong", "2", "--sample", "2")
    figures = {name: value for name, value in asdict(score).items() if name not in ("terms", "wrong")}
    ours = [[each.form, each.place, each.is_marked, each.in_list, each.line] for each in score.terms.ours]
    return {"figures": figures, "wrong": score.wrong, "ours": ours, "missed": score.terms.missed, "printed": lines}


def amendment_scores() -> dict[str, Any]:
    """Labels told and expected between versions of a part."""
    with tempfile.TemporaryDirectory() as folder:
        write_versions(Path(folder))
        misses = Path(folder) / "misses.jsonl"
        with _printed() as lines, contextlib.redirect_stderr(io.StringIO()) as left_out:
            changes.main(["score", "--root", folder, "--parts", "9009", "--misses", str(misses)])
        found = list(changes.amendments(Path(folder), "9009"))
        told = changes.score(Path(folder), next(each for each in found if each.right == "2021-1"))
        words = changes.own_words(Path(folder) / "regulation" / "9009" / "2020-1.xml")
        return {
            "amendments": [[each.left, each.right, sorted(each.labels)] for each in found],
            "words": words,
            "told": told.told,
            "official": sorted(told.official),
            "differing": sorted(told.differing),
            "printed": lines,
            "left out": left_out.getvalue().split("\n"),
            "missed": [json.loads(line) for line in misses.read_text("utf-8").splitlines()],
        }


_CONTRACT = (
    "1. Duties\n\nThe Supplier shall deliver the pumps within 30 days. The Buyer may return a pump. No refund is due.\n\n"
    "2. Terms\n\n“Pump” means a machine that moves water. See Section 1. The fee is $500.\n"
)


def extraction_scores() -> dict[str, Any]:
    """Precision and recall of Tier 1 on a small contract and the small regulations."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        write_regulations(data)
        docs = data / "contracts" / "docs"
        docs.mkdir(parents=True)
        (docs / "a.txt").write_text(_CONTRACT, encoding="utf-8")
        start = _CONTRACT.index("The Supplier")
        end = _CONTRACT.index("No refund")
        may = _CONTRACT.index("The Buyer")
        gold = [
            {
                "file": "docs/a.txt", "start": start, "end": end,
                "findings": [
                    ["obligation", start, may - 5], ["permission", may + 12, end],
                    ["permission", may, end], ["definition", may, end],
                ],
            },
            {"file": "docs/a.txt", "start": 0, "end": len(_CONTRACT), "findings": [["monetary", 0, 5]]},
        ]  # fmt: skip
        (data / "gold.json").write_text(json.dumps(gold), encoding="utf-8")
        _, found, _ = extraction.read_findings(docs / "a.txt")
        with patch.object(extraction, "GOLD", data / "gold.json"):
            lines = _run(extraction.main, str(data))
    return {"found": [[each.kind, each.start, each.end] for each in found], "printed": lines}


_GOLD = [{"file": "a.txt", "start": 0, "end": 140, "boundaries": [11, 64, 100, 104, 122, 140], "ignore": [104]}]


def sentence_scores() -> dict[str, Any]:
    """Boundaries of sentences against a gold of our own; of other libraries none is asked."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        (data / "docs").mkdir()
        (data / "docs" / "a.txt").write_text(_CONTRACT, encoding="utf-8")
        (data / "gold.json").write_text(json.dumps([*_GOLD, {**_GOLD[0], "file": "b.txt"}]), encoding="utf-8")
        gone = metadata.PackageNotFoundError
        with (
            patch.object(sentences, "GOLD", data / "gold.json"),
            patch.object(metadata, "version", side_effect=gone),
        ):
            lines = _run(sentences.main, "--data", folder, "--misses")
        with _printed() as own:
            every = {"a.txt": _CONTRACT}
            stops = lambda text: [match.start() for match in re.finditer(r"\b[A-Z]", text)]  # noqa: E731
            sentences.report("capitals", stops, every, _GOLD, None)
            sentences.report("slow", stops, every, _GOLD, 10)
    rate = re.compile(
        r" +\d+\.\d\d +(?=\d\.\d{3} )"
    )  # as wide as the machine is fast; versions are not our own, either

    def steady(line: str) -> str:
        return re.sub(r"nupunkt-\S+\s+", "", rate.sub(" ", line))

    return {"printed": [steady(line) for line in lines], "own": [steady(line) for line in own]}


class _Rouge:
    """Stands in for the library: F1 of the words in common, of each kind a little less."""

    def __init__(self, kinds: list[str], *, use_stemmer: bool) -> None:
        self._kinds = kinds

    def score(self, wanted: str, said: str) -> dict[str, SimpleNamespace]:
        one, other = set(wanted.lower().split()), set(said.lower().split())
        f1 = 2 * len(one & other) / max(1, len(one) + len(other))
        return {kind: SimpleNamespace(fmeasure=f1 / (1 + at)) for at, kind in enumerate(self._kinds)}


def _optional(name: str) -> object:
    return SimpleNamespace(RougeScorer=_Rouge) if name.startswith("rouge") else None


_SECTION = (
    "You keep the rights to your pictures. We may show your pictures to others on this service. You must not post pictures"
    " of others. We are not liable for pictures that are lost. You may close your account at any time. We will delete your"
    " pictures within 30 days"
)


def selection_scores() -> dict[str, Any]:
    """Selection of sentences: passages, halves, peers, and the table of qualities."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        (data / "summaries" / "legal").mkdir(parents=True)
        (data / "contracts" / "docs").mkdir(parents=True)
        (data / "contracts" / "docs" / "a.txt").write_text(_CONTRACT * 9, encoding="utf-8")
        rows = {
            str(n): {
                "doc": f"d{n % 5}",
                "original_text": ". ".join(_SECTION.split(". ")[n % 4 :]),
                "reference_summary": summary,
            }
            for n, summary in enumerate(
                ["we may show your pictures", "you can close your account", "we delete pictures"] * 4
            )
        }
        (data / "summaries" / "legal" / "all_v1.json").write_text(json.dumps(rows), encoding="utf-8")
        with (
            patch.object(selection, "DATA", data),
            patch.object(selection, "optional", _optional),
            patch.object(selection, "kinds", lambda words: print(f"{len(words)} sentences")),
            patch.object(
                selection, "product", lambda *_: [("tfidf", 0.5, 0.0, 0.2, 0.5), ("textrank", 0.7, 2.0, 0.3, 1.0)]
            ),
        ):
            found = selection.sections()
            lines = _run(selection.main, "--tune")
    spans = found[0].spans
    return {
        "sections": [[each.spans, each.summary, each.dev] for each in found],
        "lead": [selection.lead("", spans), selection.lead_same_size(lambda text, spans: spans[:2])("", spans)],
        "textrank": [selection.plain_textrank(each.text, each.spans) for each in found[:4]],
        "ours": [selection.ours(SelectionParameters())(each.text, each.spans) for each in found[:4]],
        "printed": [re.sub(r"\| \d+\.\d\d$", "", line) for line in lines],
    }


def call_scores() -> dict[str, Any]:
    """Selection on calls: who is drawn, how sentences are ranked, and the tables."""
    said = (
        "Good day to all of you.\n\nRevenue rose 12% to $5.4 million.\nWe must file by May.\nThe team did well and we thank it."
        "\nMargins were 40 and 41.\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        told, reports = Path(folder) / "calls", Path(folder) / "reports"
        told.mkdir()
        reports.mkdir()
        for company in ("AA", "BB", "CC", "DD", "EE"):
            for quarter in ("q1", "q2"):
                (told / f"{company}_{quarter}.txt").write_text(f"{company} speaks.\n" + said, encoding="utf-8")
                if quarter == "q1" or company != "BB":
                    (reports / f"{company}_{quarter}.txt").write_text(
                        f"{company} revenue rose 12% to $5.4 million", encoding="utf-8"
                    )
        (told / "AA_short.txt").write_text("One.\nTwo.\n", encoding="utf-8")
        (reports / "AA_short.txt").write_text("None", encoding="utf-8")
        halves = {
            f"{half} {count} {seed}": [call.name for call in calls.calls(told, reports, half, count, seed)]
            for half, count, seed in (("dev", 50, 0), ("held", 50, 0), ("dev", 2, 0), ("held", 50, 1))
        }
        with patch.object(calls, "optional", _optional), patch.object(calls, "sumy_summariser", lambda *_: None):
            lines = _run(calls.main, "--calls", str(told), "--reports", str(reports), "--half", "held")
            call = calls.calls(told, reports, "held", 1, 0)[0]
            empty = calls.Call("e", call.text, call.spans, "no figures")
            judged = calls.judged([call, empty], lambda text, spans: spans[1:3]).tolist()
    sizes = (0, 3, 4, 9, 10, 14, 100)
    return {
        "halves": halves,
        "spans": call.spans,
        "digits": list(calls.by_digits(call.text, call.spans)),
        "drawn": list(calls.drawn(call.text, call.spans)),
        "up to": [
            calls.up_to(calls.by_digits, lambda _, size=size: size)(call.text, call.spans)  # type: ignore[misc]
            for size in sizes
        ],
        "ours": [
            calls.ours(share, figures=figures, chunked=chunked)(call.text, call.spans)
            for share, figures, chunked in (
                (0.2, True, False),
                (0.4, False, False),
                (0.4, True, True),
                (3.0, True, False),
            )
        ],
        "judged": [[None if value != value else value for value in row] for row in judged],
        "printed": lines,
    }


MEASURES: dict[str, Callable[[], dict[str, Any]]] = {
    each.__name__: each
    for each in (reference_scores, amendment_scores, extraction_scores, sentence_scores, selection_scores, call_scores)
}


def as_read(made: dict[str, Any]) -> dict[str, Any]:
    """As JSON gives it back, floats to nine digits."""
    rounded = json.loads(json.dumps(made), parse_float=lambda text: round(float(text), 9))
    return dict(rounded)


def pinned() -> dict[str, Any]:
    """What was written down."""
    found: dict[str, Any] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    everything = {name: as_read(measure()) for name, measure in MEASURES.items()}
    PINNED.write_text(json.dumps(everything, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
