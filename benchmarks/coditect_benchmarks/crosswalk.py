"""Which requirements does a procedure answer: a published mapping, and what ways to search find of it.

Run ``python -m coditect_benchmarks.crosswalk --root TEMPLATES``. The folder is ``templates`` of the public repository
``JupiterOne/security-policy-templates``; ``standards/controls-mapping.json`` says which requirements of seven standards each
procedure implements. For a procedure and a standard the requirements of that standard are ranked by the procedure's text, and
recall@10 of those that are mapped is averaged over such pairs; intervals resample procedures. Procedures whose id has an even
SHA-256 are for development; ``--half reported`` is for a way to search that is finished, once.

The product's own candidates are not measured here yet: "fusion" is a candidate for them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from coditect.models.wordllama.embedder import WordLlamaEmbedder
from coditect_benchmarks.retrieval.cuts import whole
from coditect_benchmarks.retrieval.formats import Document
from coditect_benchmarks.retrieval.peers_bm25 import Bm25s
from coditect_benchmarks.retrieval.peers_llamaindex import AutoMerging
from coditect_benchmarks.retrieval.peers_tantivy import TantivyBm25
from coditect_benchmarks.retrieval.system import System, optional

STANDARDS = {
    "HIPAA": "hipaa.json",
    "CSA CCM": "csa-ccm.json",
    "PCI DSS": "pci-dss.json",
    "NIST CSF": "nist-csf/v1.1.json",
    "CMMC ML1": "cmmc-ml1.json",
    "ISO/IEC 27002:2013": "iso-iec-27002-2013.json",
    "CIS Controls v8": "cis-controls/v8.json",
}
"""Those of the mapping whose texts lie beside it, with their files."""

K = 10
RESAMPLES = 1_000
_ALL = 1_000
_TAG = re.compile(r"\{\{\{?[^}]*\}?\}\}")
_HEADING = re.compile(r"^#+\s*(.+)$", re.MULTILINE)

Ranker = Callable[[str], list[str]]
"""Gives ids of requirements for a text, best first."""


@dataclass(frozen=True)
class Pair:
    """A procedure, its text, a standard, and the requirements of it that are mapped."""

    procedure: str
    text: str
    standard: str
    mapped: frozenset[str]


def requirements(node: Any, path: str = "") -> Iterator[Document]:  # noqa: ANN401 - any JSON
    """The requirements of a standard's file, each with the heading above it and its title in its text."""
    if isinstance(node, list):
        for each in node:
            yield from requirements(each, path)
    elif isinstance(node, dict):
        if "ref" in node:
            yield Document(node["ref"], "", " ".join(filter(None, (path, node.get("title"), node.get("summary")))))
        for value in node.values():
            if isinstance(value, list):
                yield from requirements(value, node.get("title", ""))


def is_development(procedure: str) -> bool:
    """Whether a procedure belongs to the half on which rules are made."""
    return int(hashlib.sha256(procedure.encode()).hexdigest(), 16) % 2 == 0


def pairs(root: Path, known: dict[str, frozenset[str]], development: bool) -> Iterator[Pair]:
    """The pairs of one half that have mapped requirements."""
    mapping = json.loads((root / "standards" / "controls-mapping.json").read_text(encoding="utf-8"))
    for each in mapping["procedures"]:
        path = root / "procedures" / f"{each['id']}.md.tmpl"
        if is_development(each["id"]) != development or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8").replace("{{companyShortName}}", "The organization")
        for said in each["implements"]:
            ids = frozenset((*said.get("requirements", ()), *said.get("controls", ())))
            mapped = ids & known.get(said["standard"], frozenset())
            if mapped:
                yield Pair(each["id"], _TAG.sub("", text), said["standard"], mapped)


def rankers(documents: Sequence[Document], embedder: WordLlamaEmbedder) -> dict[str, Ranker]:
    """The ways to rank the requirements of one standard."""
    vectors = embedder.embed([each.text for each in documents])
    words = Bm25s(whole)
    systems: list[System] = [TantivyBm25("tantivy BM25", whole), words]
    if optional("llama_index.core") is not None:
        systems.append(AutoMerging(embedder))
    for each in systems:
        each.index(documents)
    ids = [each.id for each in documents]

    def cosines(text: str) -> npt.NDArray[np.float32]:
        return np.asarray(vectors @ embedder.embed([text])[0], dtype=np.float32)

    def ranked(scores: npt.NDArray[np.float32]) -> list[str]:
        return [ids[n] for n in np.argsort(-scores, kind="stable")]

    def fused(text: str) -> list[str]:
        found = {span.document: span.score for span in words.search(text, _ALL)}
        best = max(found.values(), default=1.0)
        lexical = np.array([found.get(each, 0.0) / best for each in ids], dtype=np.float32)
        heading = _HEADING.search(text)
        return ranked(lexical + 2 * cosines(text) + cosines(heading[1] if heading else text))

    def searched(system: System) -> Ranker:
        return lambda text: list(dict.fromkeys(span.document for span in system.search(text, 4 * K)))

    found: dict[str, Ranker] = {each.name.partition(",")[0]: searched(each) for each in systems}
    return {**found, "embedding similarity": lambda text: ranked(cosines(text)), "fusion": fused}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print recall@10 of each way, and what the fusion gains on it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", type=Path, required=True, help="the folder 'templates' of the repository")
    parser.add_argument("--half", choices=("development", "reported"), default="development")
    chosen = parser.parse_args(arguments)
    embedder = WordLlamaEmbedder()
    read = {
        name: list(requirements(json.loads((chosen.root / "standards" / file).read_text(encoding="utf-8"))))
        for name, file in STANDARDS.items()
    }
    ways = {name: rankers(documents, embedder) for name, documents in read.items()}
    known = {name: frozenset(each.id for each in documents) for name, documents in read.items()}
    asked = list(pairs(chosen.root, known, chosen.half == "development"))
    recalls = {
        way: np.array(
            [len(pair.mapped & {*ways[pair.standard][way](pair.text)[:K]}) / len(pair.mapped) for pair in asked]
        )
        for way in next(iter(ways.values()))
    }
    names = sorted({pair.procedure for pair in asked})
    of_procedure = [np.array([n for n, pair in enumerate(asked) if pair.procedure == name]) for name in names]
    generator = np.random.default_rng(0)
    samples = [
        np.concatenate([of_procedure[n] for n in generator.integers(0, len(names), len(names))])
        for _ in range(RESAMPLES)
    ]
    print(f"{chosen.half}: {len(asked)} pairs of {len(names)} procedures with a standard, recall@{K}")
    for way, values in recalls.items():
        low, high = np.percentile([values[each].mean() for each in samples], [2.5, 97.5])
        gains = recalls["fusion"] - values
        least, most = np.percentile([gains[each].mean() for each in samples], [2.5, 97.5])
        print(
            f"{way:24} {values.mean():.3f} [{low:.3f}, {high:.3f}]  fusion {gains.mean():+.3f} [{least:+.3f}, {most:+.3f}]"
        )


if __name__ == "__main__":
    main()
