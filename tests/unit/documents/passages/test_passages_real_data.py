"""Real documents, where they are at hand beside the repository; nothing of them is quoted here."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from coditect.documents.readers import read_source
from coditect.models.wordllama.embedder import WordLlamaEmbedder, WordLlamaTokenizer
from coditect.schemas.passage import BoundaryMethod, PassageSettings
from coditect.tiers.extractions.document import DocumentReading, read_document
from coditect.tiers.passages import PassageTree, check_passages, passage_records
from tests.unit.documents.passages.documents import DERIVATION, version_of

_DATA = Path(__file__).parents[4] / ".." / "shared" / "data"


def _readings(pattern: str, count: int) -> list[DocumentReading]:
    found = sorted(_DATA.glob(pattern))
    if not found:
        pytest.skip("the shared data are not at hand")
    chosen = [path for path in found if path.stat().st_size < 150_000][:: max(1, len(found) // count)]
    return [read_document(read_source(path.read_bytes(), path.name)) for path in chosen]


@pytest.mark.parametrize("pattern", ["contracts/docs/*.txt", "cfpb/*.xml", "policies/*/*.tmpl", "nist/*.json"])
@pytest.mark.parametrize(
    ("boundaries", "overlap"), [("sentence", 0.0), ("sentence", 0.1), ("semantic", 0.0), ("fixed", 0.2)]
)
def test_real_documents_are_cut_soundly(pattern: str, boundaries: BoundaryMethod, overlap: float) -> None:
    """The checks find nothing wrong with the passages of contracts, regulations, policies and catalogues."""
    settings = PassageSettings(boundaries=boundaries, overlap_ratio=overlap)
    tokenizer, embedder = WordLlamaTokenizer(), WordLlamaEmbedder()
    for reading in _readings(pattern, 4):
        text, version = reading.source.text, version_of(reading)
        records = list(passage_records(version, reading, DERIVATION, [], settings, tokenizer, embedder))
        assert check_passages(records, text, version, tokenizer.starts(text)) == []


def test_real_contracts_have_passages_of_useful_size() -> None:
    """Half of the smallest passages hold at least a hundred tokens, and hardly any is a heading without its text."""
    tokenizer = WordLlamaTokenizer()
    for reading in _readings("contracts/docs/*.txt", 12):
        records = list(passage_records(version_of(reading), reading, DERIVATION, [], PassageSettings(), tokenizer))
        leaves = PassageTree(records).at(0)
        assert median(each.token_count for each in leaves) >= 100
        assert sum(each.chunk_type == "heading" for each in leaves) <= 0.02 * len(leaves) + 1
