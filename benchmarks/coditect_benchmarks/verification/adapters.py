"""The sets that others made, in the plain format. How each is labelled stands at its function."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from coditect_benchmarks.verification.formats import Case, read

__all__ = ["ADAPTERS", "EDITED", "load", "split"]

_SENTENCE = re.compile(r"(?<=[.!?])[\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z0-9])|\n+")
_NUMPY_STRING = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_LEADING_LINK = re.compile(r"\A\s*(?:\[\d+\]\s*)?(?:https?://\S+)?\s*")
_MARKER = re.compile(r"\s*\[\d+\]")


def split(text: str) -> tuple[str, ...]:
    """Sentences, by end marks and line breaks; every checker gets the same."""
    return tuple(each.strip() for each in _SENTENCE.split(text) if each and each.strip())


def scifact(folder: Path) -> list[Case]:
    """A claim with the abstract that it cites: SUPPORT is supported; CONTRADICT and abstracts that do not say are not."""
    abstracts: dict[str, tuple[str, ...]] = {}
    for row in _rows(folder / "corpus_train.csv"):
        sentences = (a or b for a, b in _NUMPY_STRING.findall(row["abstract"]))
        abstracts[row["doc_id"]] = tuple(each.replace("\\'", "'") for each in sentences)
    cases: dict[tuple[str, str], Case] = {}
    for row in _rows(folder / "claims_train.csv"):
        ids = (
            [row["evidence_doc_id"].removesuffix(".0")]
            if row["evidence_doc_id"]
            else re.findall(r"\d+", row["cited_doc_ids"])
        )
        for doc_id in ids:
            if abstracts.get(doc_id):
                kind = row["evidence_label"] or "NOT_ENOUGH"
                cases[row["id"], doc_id] = Case(row["claim"], abstracts[doc_id], kind == "SUPPORT", doc_id, kind)
    return list(cases.values())


def wice(folder: Path) -> list[Case]:
    """A claim of an encyclopedia article with the web page that it cites; partly supported claims are not supported."""
    cases = []
    for row in _lines(folder / "claim" / "dev.jsonl"):
        supported = row["label"] == "supported"
        cases.append(Case(row["claim"], tuple(row["evidence"]), supported, row["meta"]["claim_title"], row["label"]))
    return cases


def expertqa(folder: Path) -> list[Case]:
    """Sentences of answers by models, with the passages that they cite.

    Complete is supported; Partial, Incomplete and Missing are not.
    Claims whose evidence is only a link, and those that experts marked as not applicable, are left out.
    """
    cases = []
    for row in _lines(folder / "dev.jsonl"):
        for system, answer in row["answers"].items():
            for claim in answer["claims"]:
                passages = [_LEADING_LINK.sub("", each) for each in claim["evidence"] or []]
                evidence = tuple(sentence for passage in passages for sentence in split(passage))
                if claim["support"] in ("Complete", "Partial", "Incomplete", "Missing") and evidence:
                    text = _MARKER.sub("", claim["claim_string"]).strip()
                    cases.append(
                        Case(text, evidence, claim["support"] == "Complete", row["question"], claim["support"], system)
                    )
    return cases


def summedits(folder: Path) -> list[Case]:
    """A summary that was edited, with its document; the domains are the files, the kinds the types of edit."""
    cases = []
    for path in sorted(folder.glob("summedits_*.json")):
        domain = path.stem.removeprefix("summedits_")
        documents: dict[str, tuple[str, ...]] = {}
        for row in json.loads(path.read_text("utf-8")):
            evidence = documents.setdefault(row["doc"], split(row["doc"]))
            kind = "+".join(row["edit_types"]) or ("faithful" if row["label"] else "unnamed")
            group = f"{domain}/{list(documents).index(row['doc'])}"
            cases.append(Case(row["summary"], evidence, row["label"] == 1, group, kind, domain))
    return cases


def healthver(folder: Path) -> list[Case]:
    """A claim with an excerpt of a paper: Supports is supported; Neutral and Refutes are not."""
    return [
        Case(row["claim"], split(row["evidence"]), row["label"] == "Supports", row["question"], row["label"])
        for row in _rows(folder / "healthver_dev.csv")
    ]


ADAPTERS: Mapping[str, Callable[[Path], list[Case]]] = {
    "scifact": scifact,
    "wice": wice,
    "expertqa": expertqa,
    "summedits": summedits,
    "healthver": healthver,
}
"""Folder name to its reader."""

EDITED = frozenset(["summedits"])
"""Sets whose unsupported claims are supported ones that somebody edited: they teach what a change is, not what is covered."""


def load(data: Path, names: list[str] | None = None) -> dict[str, list[Case]]:
    """Every set under a folder that has an adapter, and every ``*.jsonl`` directly in it.

    Args:
        data: the folder.
        names: only these; None for all that are there.
    """
    found: dict[str, Callable[[], list[Case]]] = {}
    for name, adapter in ADAPTERS.items():
        if (data / name).is_dir():
            found[name] = lambda adapter=adapter, name=name: adapter(data / name)  # type: ignore[misc]
    for path in sorted(data.glob("*.jsonl")):
        found[path.stem] = lambda path=path: read(path)  # type: ignore[misc]
    return {name: found[name]() for name in (names or found) if name in found}


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
