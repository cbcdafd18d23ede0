"""Train the dictionaries that short records are compressed with, on the sample corpus: ``python tools/dictionaries.py``.

A dictionary that a release has written with is never trained again: new ones get new numbers in
``coditect/keyspace/compression.py``. What is trained on is what this repository's own sample documents become, so that no other
text is in the package.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import zstandard

from coditect.keyspace.compression import DICTIONARIES, DICTIONARY_OF
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.ingest.intake import ingest
from coditect.models.port import ModelSources
from coditect.models.wordllama.embedder import WordLlamaTokenizer
from coditect.schemas import BuildSettings, PassageSettings
from coditect.store.rows import record_tables
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine, MemoryStore

ROOT = Path(__file__).resolve().parent.parent
SIZE_BYTES = 16_384


def train(number: int, payloads: list[bytes]) -> Path:
    """Write the dictionary of that number."""
    path = ROOT / "coditect" / "keyspace" / "dictionaries" / f"{DICTIONARIES[number]}.zdict"
    if path.exists():
        raise SystemExit(f"{path.name} is there: what was written with it needs it as it is")
    made = zstandard.train_dictionary(SIZE_BYTES, payloads, level=6, k=200, d=8)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(made.as_bytes())
    return path


def payloads() -> dict[int, list[bytes]]:
    """The records of a build of the sample corpus, by the dictionary that they are written with."""
    numbers = dict(DICTIONARY_OF)
    DICTIONARY_OF.clear()  # what is trained is not there yet
    store = Store(MemoryEngine(MemoryStore()))
    models = ModelSources(tokenizer=WordLlamaTokenizer)
    ingest(store, "sample", [ROOT / "coditect" / "sample" / "corpus"], jobs=1)
    build(store, "sample", BuildSettings(passages=PassageSettings()), jobs=1, models=models)
    found: dict[int, list[bytes]] = defaultdict(list)
    for table, number in numbers.items():
        found[number] += [record.payload() for _, record in store.scan(table, record_tables()[table])]
    DICTIONARY_OF.update(numbers)
    return found


def main() -> int:
    """Train those that are not there."""
    for number, samples in sorted(payloads().items()):
        path = train(number, samples)
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes from {len(samples):,} records")
    return 0


if __name__ == "__main__":
    sys.exit(main())
