"""Erase a part of a corpus among builds, reviews, answers, caches and backups, killed at many moments, and look for what is left.

usage: python -m coditect_benchmarks.erasure [--documents 300] [--erase 40] [--kills 30] [--seed 7]

Documents are generated: policies of random words in Markdown, text, HTML, CSV and DOCX, each with sentences that no other one has.
Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import numpy as np

from coditect.compose import compact_store, open_knowledge
from coditect.engine.port import Transaction
from coditect.errors import CoditectError
from coditect.knowledge.erasure.runs import RUN_WORDS, WordRuns
from coditect.knowledge.erasure.search import search_words
from coditect.knowledge.service import Knowledge, erasure_desk
from coditect.schemas import AnswerPart, AnswerUsage, BuildSettings, ModelAnswer
from coditect.settings import Settings
from coditect.store.answers.requests import AnswerStore
from coditect.store.store import Store
from coditect.store.view import open_view

T = TypeVar("T")

CORPUS = "policies"
REASON, OFFICER = "Art. 17", "A. Officer"
KEY = bytes(range(16))
_ROLES = ("system owner", "data custodian", "site manager", "records clerk", "duty officer", "vendor manager")
_VERBS = ("review", "approve", "archive", "inspect", "report", "encrypt", "reconcile", "verify")
_SYLLABLES = ("ba", "ko", "mi", "ren", "tal", "vor", "sin", "dex", "lum", "par", "gri", "qua", "zen", "fol")


class Stopped(Exception):  # noqa: N818 - it is no error: the process is killed here
    """The process is killed."""


def _word(rng: random.Random) -> str:
    return "".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(2, 4)))


def _sentences(rng: random.Random, count: int) -> list[str]:
    return [
        f"The {rng.choice(_ROLES)} shall {rng.choice(_VERBS)} the {_word(rng)} {_word(rng)} register of {_word(rng)} "
        f"within {rng.randint(2, 400)} days."
        for _ in range(count)
    ]


def _docx(path: Path, sentences: list[str]) -> None:
    body = "".join(f"<w:p><w:r><w:t>{each}</w:t></w:r></w:p>" for each in sentences)
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
        'ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/'
        'vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
    )
    rels = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
        'Target="word/document.xml"/></Relationships>'
    )
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("[Content_Types].xml", types)
        file.writestr("_rels/.rels", rels)
        file.writestr("word/document.xml", f"<w:document {space}><w:body>{body}</w:body></w:document>")


def write_documents(folder: Path, count: int, seed: int) -> dict[str, list[str]]:
    """Sentences by name of the file."""
    folder.mkdir(parents=True)
    written: dict[str, list[str]] = {}
    for number in range(count):
        rng = random.Random(seed * 1_000_003 + number)  # noqa: S311 - reproducible test data
        sentences = _sentences(rng, 12)
        suffix = ("md", "txt", "html", "csv", "docx")[number % 5]
        name = f"policy-{number:03d}.{suffix}"
        path = folder / name
        if suffix == "docx":
            _docx(path, sentences)
        elif suffix == "html":
            path.write_text(
                "<html><body><h1>Policy</h1>" + "".join(f"<p>{s}</p>" for s in sentences) + "</body></html>"
            )
        elif suffix == "csv":
            path.write_text("number,rule\n" + "".join(f'{n},"{s}"\n' for n, s in enumerate(sentences)))
        else:
            path.write_text(("# Policy\n\n" if suffix == "md" else "Policy\n\n") + "\n\n".join(sentences) + "\n")
        written[name] = sentences
    return written


def _answers(knowledge: Knowledge, written: dict[str, list[str]]) -> None:
    """What models are said to have answered: sentences of documents."""
    store = knowledge.store
    for number, (_, sentences) in enumerate(sorted(written.items())):
        answer = ModelAnswer(
            request_sha256=f"{number:064x}",
            corpus_id=CORPUS,
            role="mapper",
            model="of-benchmarks",
            parts=(AnswerPart(text=sentences[number % len(sentences)]),),
            usage=AnswerUsage(),
            answered_at="2026-01-01T00:00:00Z",
        )
        AnswerStore(store, CORPUS).put(answer)


class _Counted:
    """Counts the writing transactions of a store's engine, and stops before one of them.

    Args:
        store: whose engine is watched.
        stop_at: the number of the transaction that is not made; 0: none.

    Attributes:
        made: transactions until now.
    """

    def __init__(self, store: Store, stop_at: int = 0) -> None:
        self.made = 0
        self._run, self._stop_at = store.engine.run, stop_at
        setattr(store.engine, "run", self.run)  # noqa: B010 - what type checkers call a method

    def run(self, fn: Callable[[Transaction], T]) -> T:
        """The engine's, until then."""
        self.made += 1
        if self.made == self._stop_at:
            raise Stopped
        return self._run(fn)


def main() -> int:
    """Run, and print what was found."""
    parser = argparse.ArgumentParser()
    for name, default in (("documents", 300), ("erase", 40), ("kills", 30), ("seed", 7)):
        parser.add_argument(f"--{name}", type=int, default=default)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = _run(Path(folder), chosen)
    print(json.dumps(report, indent=2))
    return 0 if report["ok"] else 1


def _run(root: Path, chosen: argparse.Namespace) -> dict[str, object]:
    written = write_documents(root / "documents", chosen.documents, chosen.seed)
    gone = sorted(random.Random(chosen.seed).sample(sorted(written), chosen.erase))  # noqa: S311 - as above

    def settings(store: str, **more: object) -> Settings:
        return Settings(store=f"lmdb://{root / store}", cache=root / f"{store}-cache", jobs=1, **more)  # type: ignore[arg-type]

    with open_knowledge(settings("store")) as knowledge:
        knowledge.ingest(CORPUS, [root / "documents"])
        knowledge.build(CORPUS, BuildSettings())
        _answers(knowledge, written)
        decided = 0
        for claim_id in list(knowledge.view(CORPUS).claims)[:20]:
            try:
                knowledge.review(CORPUS, claim_id, decision="accept", by="R. Viewer", meaning="read")
                decided += 1
            except CoditectError:
                continue
        extra = root / "documents" / "added.md"
        extra.write_text("# Added\n\nThe duty officer shall report the outage within 9 days.\n")
        knowledge.ingest(CORPUS, [root / "documents"])
        knowledge.build(CORPUS, BuildSettings())
        for name in gone[:3]:
            knowledge.query(CORPUS, written[name][0])
        texts = {v.name: knowledge.view(CORPUS).text_of(v) for v in knowledge.view(CORPUS).documents.values()}
    words = WordRuns(KEY, RUN_WORDS)
    runs = np.setdiff1d(
        words.of(texts[name] for name in gone),
        words.of(text for name, text in sorted(texts.items()) if name not in gone),
    )
    shutil.copytree(root / "store", root / "backup")
    list_path = root / "erasures.jsonl"
    seconds: dict[str, float] = {}

    moments = []
    shutil.copytree(root / "backup", root / "counted")
    with open_knowledge(settings("counted")) as knowledge:
        counted = _Counted(knowledge.store)
        erasure_desk(knowledge).erase(CORPUS, gone, reason=REASON, by=OFFICER)
    shutil.rmtree(root / "counted")
    for n in range(chosen.kills):
        at = 1 + n * counted.made // chosen.kills
        shutil.copytree(root / "backup", root / "killed")
        with open_knowledge(settings("killed")) as knowledge:
            _Counted(knowledge.store, at)
            with suppress(Stopped):
                erasure_desk(knowledge).erase(CORPUS, gone, reason=REASON, by=OFFICER)
        with open_knowledge(settings("killed")) as knowledge:
            erasure_desk(knowledge).finish(CORPUS)
            entries = erasure_desk(knowledge).entries()
            recorded = bool(entries)
            done = all(each.certificate is not None for each in entries)
            left = search_words(knowledge.store, CORPUS, KEY, runs).found if recorded else ()
            clean = knowledge.validate(CORPUS).clean
        moments.append({"at": at, "recorded": recorded, "finished": done and not left and clean})
        shutil.rmtree(root / "killed")
        shutil.rmtree(root / "killed-cache", ignore_errors=True)

    with open_knowledge(settings("store", erasures=list_path)) as knowledge:
        hold = erasure_desk(knowledge).hold(CORPUS, gone[:1], matter="Doe v. Acme", reason="asked", by="Counsel")
        refused = erasure_desk(knowledge).erase(CORPUS, gone, reason=REASON, by=OFFICER).state == "held"
        begin = time.perf_counter()
        _, outcomes = erasure_desk(knowledge).release(CORPUS, hold.hold_id, reason="over", by="Counsel")
        seconds["erasure"] = round(time.perf_counter() - begin, 1)
        found = search_words(knowledge.store, CORPUS, KEY, runs, (root / "store-cache", list_path)).found
        valid = {
            n: knowledge.validate(CORPUS, as_of=n).clean
            for n in range(1, knowledge.store.corpus(CORPUS).generation + 1)
        }
        again = knowledge.ingest(CORPUS, [root / "documents"])
        knowledge.build(CORPUS, BuildSettings())
        valid[knowledge.store.corpus(CORPUS).generation] = knowledge.validate(CORPUS).clean
        documents = len(open_view(knowledge.store, CORPUS).documents)
        found += search_words(knowledge.store, CORPUS, KEY, runs, (root / "store-cache",)).found
    space = compact_store(f"lmdb://{root / 'store'}")
    with open_knowledge(settings("backup", erasures=list_path)) as knowledge:
        restored = search_words(knowledge.store, CORPUS, KEY, runs).found
        restored_clean = knowledge.validate(CORPUS).clean
    certificate = outcomes[0].certificate
    report: dict[str, object] = {
        "documents": chosen.documents,
        "erased": len(gone),
        "formats": sorted({name.rpartition(".")[2] for name in gone}),
        "reviews": decided,
        "transactions": counted.made,
        "runs": len(runs),
        "found": list(found),
        "clean_by_generation": valid,
        "refused_again": again.count("failed"),
        "documents_after": documents,
        "hold_refused": refused,
        "kills": {"moments": len(moments), "finished": sum(bool(each["finished"]) for each in moments)},
        "killed_before_it_was_recorded": sum(not each["recorded"] for each in moments),
        "restored_found": list(restored),
        "restored_clean": restored_clean,
        "removed": {t: c.rows for t, c in certificate.removed.items()} if certificate else {},
        "scan": certificate.scan.model_dump(mode="json") if certificate else {},
        "bytes": [space.before_bytes, space.after_bytes],
        "seconds": seconds,
    }
    kills = all(bool(each["finished"]) for each in moments)
    whole = refused and outcomes[0].state == "done" and documents == chosen.documents + 1 - len(gone)
    report["ok"] = whole and kills and not found and not restored and restored_clean and all(valid.values())
    return report


if __name__ == "__main__":
    sys.exit(main())
