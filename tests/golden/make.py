"""Make the golden store of a release: ``python -m tests.golden.make VERSION``. Run it once, when the release is made.

Two corpora, one with a name that keys cut: three generations, a document changed and one withdrawn, a file that could not be read,
a record longer than a value, answers of a model, a review, a mark, a calibration and a switch; every table of the layout has rows.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import lmdb

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.integrity.validate import validate
from coditect.knowledge.archive.export import corpus_digest, export_corpus
from coditect.store.store import Store
from coditect.store.view import open_view
from tests.corpora import CORPUS, DOCUMENTS, build_all, fill_every_table, ingest_all
from tests.golden import GOLDEN

LONG_NAME = "Verträge der Niederlassung, " + "und ihre Anlagen, " * 6 + "2026"


def fill(store: Store, folder: Path) -> None:
    """Everything that a store may hold."""
    fill_every_table(store, folder)
    (folder / sorted(DOCUMENTS)[-1]).unlink()
    ingest_all(store, folder, sync=True)
    build_all(store)
    ingest_all(store, folder, corpus=LONG_NAME)
    build_all(store, corpus=LONG_NAME)


def facts_of(store: Store) -> dict[str, Any]:
    """What is true of each corpus, and of each of its generations."""
    found: dict[str, Any] = {}
    for corpus in store.corpora():
        report = validate(store, corpus.corpus_id)
        if report.findings:
            raise SystemExit(str(report.findings[0]))
        found[corpus.corpus_id] = {
            "generation": corpus.generation,
            "build_id": corpus.build_id,
            "corpus_digest": corpus_digest(store, corpus.corpus_id),
            "checked": dict(report.checked),
            "generations": [_generation(store, corpus.corpus_id, n + 1) for n in range(corpus.generation)],
        }
    return found


def _generation(store: Store, corpus_id: str, number: int) -> dict[str, object]:
    view = open_view(store, corpus_id, number)
    texts = "".join(view.text(document) for document in view.entries)
    return {
        "generation": number,
        "build_id": view.manifest.build_id,
        "documents": len(view.entries),
        "extractions": sum(len(view.extractions(document)) for document in view.entries),
        "claims": len(view.summary.claims),
        "texts_sha256": hashlib.sha256(texts.encode()).hexdigest(),
    }


def main(version: str) -> None:
    """Make it; a release that has one keeps it."""
    target = GOLDEN / version
    if target.exists():
        raise SystemExit(f"{version} has its golden store, which is never made again")
    with TemporaryDirectory() as place:
        with closing(LmdbEngine(Path(place) / "store")) as engine:
            store = Store(engine)
            fill(store, Path(place) / "documents")
            facts, archives = facts_of(store), {"archive": io.BytesIO(), "archive-long-name": io.BytesIO()}
            export_corpus(store, CORPUS, archives["archive"])
            export_corpus(store, LONG_NAME, archives["archive-long-name"])
        with closing(lmdb.open(str(Path(place) / "store"), readonly=True, lock=False)) as environment:
            (Path(place) / "compact").mkdir()
            environment.copy(str(Path(place) / "compact"), compact=True)
        target.mkdir()
        data = (Path(place) / "compact" / "data.mdb").read_bytes()
        (target / "data.mdb.xz").write_bytes(lzma.compress(data, preset=9))
    for name, file in archives.items():
        (target / f"{name}.jsonl.xz").write_bytes(lzma.compress(file.getvalue(), preset=9))
    text = json.dumps(facts, indent=1, ensure_ascii=False, sort_keys=True)
    (target / "facts.json").write_text(text + "\n", encoding="utf-8")
    sys.stdout.write(f"{target}: run tools/shapes.py freeze {version}, and commit both\n")


if __name__ == "__main__":
    main(sys.argv[1])
