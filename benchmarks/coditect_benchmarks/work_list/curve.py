"""``python -m coditect_benchmarks.work_list.curve``: what could be named of the planted sentences, by how many are named wrongly.

The work list names what reaches one threshold. Here sentences are ordered by how probable it is that they rest on what changed, and
of each ordering it is told how many of the twenty stand before the first, second, ... that does not: those of the product beside
BM25 alone and cosine alone over the same provisions. For these two a sentence is worth what its best provision scores if that one
changed, less what the best of the others scores.

``--root`` is a copy of the public repository ``cfpb/regulations-xml``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from coditect.documents.readers import read_source
from coditect.knowledge.report.changes.impact import around, led_items
from coditect.knowledge.report.changes.links import (
    LINKED,
    LinkedProvision,
    ProvisionLinks,
    StandingSentence,
    section_of,
)
from coditect.knowledge.report.rankings import Scores, TextRanking
from coditect.models.catalogue import open_embedder
from coditect.models.port import Embedder
from coditect.models.wordllama.embedder import WordLlamaEmbedder
from coditect.schemas import DocumentVersion
from coditect.tiers.changes.classification import differences
from coditect.tiers.extractions.document import NORMATIVE, extraction_records, read_document
from coditect_benchmarks.changes import _Version
from coditect_benchmarks.work_list.planted import AMENDMENTS, WORDS, planted_sentences, policy_texts, versions_of

__all__ = ["main"]

_WRONG = (0, 1, 2, 4, 8)

Changed = npt.NDArray[np.bool_]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one line for each ordering."""
    parser = argparse.ArgumentParser(prog="coditect_benchmarks.work_list.curve", description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--part", choices=sorted(AMENDMENTS), required=True)
    parser.add_argument("--words", choices=WORDS, default="own", help="how near to the regulation's the words are")
    parser.add_argument("--embedder", default="wordllama", help="as in CODITECT_EMBEDDER")
    given = parser.parse_args(arguments)
    provisions, changed = _provisions(given.root, given.part)
    policies = [list(_sentences(*each)) for each in policy_texts(given.part, given.words)]
    embedder = open_embedder(given.embedder)
    links = ProvisionLinks(provisions, embedder, WordLlamaEmbedder())
    shares = [links.shares(each)[:, changed].sum(axis=1) for each in policies]
    _print(given.part, given.words, "work list", policies, shares, LINKED)
    for name, worth in _alone(provisions, changed, policies, embedder):
        _print(given.part, given.words, name, policies, worth, None)
    return 0


def _provisions(root: Path, part: str) -> tuple[list[LinkedProvision], Changed]:
    """Those of the earlier version, and which of them were amended or removed."""
    old, new = map(_Version, versions_of(root, part))
    found, _ = differences(old.provisions, new.provisions, old.read_inside, new.read_inside)
    rested = {each.old.index for each in found if each.old is not None and each.kind in ("amended", "removed")}
    amended = {each.old.index for each in found if each.old is not None and each.kind == "amended"}
    rested |= led_items(old.provisions, amended).keys()
    provisions = [
        LinkedProvision(each.text, around(old.provisions, each), section_of(each.place), each.kind == "heading")
        for each in old.provisions
    ]
    return provisions, np.array([each.index in rested for each in old.provisions])


def _sentences(name: str, text: str) -> Iterator[StandingSentence]:
    """What the product reads of a policy as stating something."""
    source = read_source(text.encode(), name)
    version = DocumentVersion.create(
        corpus_id="bank", document_id="document_0", name=name, title=source.title, media_type=source.media_type,
        raw_sha256="0" * 64, raw_bytes=0, text_sha256="0" * 64, text_bytes=0, text_length=len(source.text),
        layout_sha256="0" * 64, layout_bytes=0, page_count=0, reader=source.reader,
    )  # fmt: skip
    for each in extraction_records(version, read_document(source), "derivation_0"):
        if each.extraction_kind in NORMATIVE | {"proposition", "definition"}:
            yield StandingSentence(each.source_text, f"{source.title or name} {each.heading}")


def _alone(
    provisions: Sequence[LinkedProvision],
    changed: Changed,
    policies: Sequence[Sequence[StandingSentence]],
    embedder: Embedder | None,
) -> Iterator[tuple[str, list[Scores]]]:
    texts = [each.text for each in provisions]
    words = TextRanking(texts)
    yield "BM25 alone", [_lead(words.scores([each.text for each in some]), changed) for some in policies]
    if embedder is not None:
        vectors = embedder.embed(texts)
        asked = [embedder.embed([each.text for each in some]) for some in policies]
        yield "cosine alone", [_lead(np.asarray(some @ vectors.T, np.float64), changed) for some in asked]


def _lead(scores: Scores, changed: Changed) -> Scores:
    """What the best that changed scores more than the best that did not."""
    return np.asarray(scores[:, changed].max(axis=1) - scores[:, ~changed].max(axis=1), np.float64)


def _print(
    part: str,
    words: str,
    name: str,
    policies: Iterable[Sequence[StandingSentence]],
    worth: Iterable[Scores],
    threshold: float | None,
) -> None:
    best: dict[str, float] = {}
    for some, values in zip(policies, worth, strict=True):
        for sentence, value in zip(some, values.tolist(), strict=True):
            plain = " ".join(sentence.text.split())
            best[plain] = max(best.get(plain, -np.inf), value)
    planted = list(planted_sentences(part, words))
    scored = [
        (max((v for k, v in best.items() if k in each.text or each.text in k), default=-np.inf)) for each in planted
    ]
    resting = np.array([value for value, each in zip(scored, planted, strict=True) if each.label])
    others = np.sort([value for value, each in zip(scored, planted, strict=True) if not each.label])[::-1]
    curve = ", ".join(f"{int((resting > others[count]).sum())} before {count + 1}" for count in _WRONG)
    area = float((resting[:, None] > others).mean())
    at = "" if threshold is None else f"named {(resting >= threshold).sum()}, {(others >= threshold).sum()} wrongly; "
    print(f"{part} {words}, {name}: {at}of {len(resting)} and {len(others)}: {curve}; AUROC {area:.3f}")


if __name__ == "__main__":
    sys.exit(main())
