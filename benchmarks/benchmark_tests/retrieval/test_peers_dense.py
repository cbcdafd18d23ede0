"""Plain peers: vectors alone, the plain joining, and the recursive splitter."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from coditect_benchmarks.retrieval.cuts import recursive, whole
from coditect_benchmarks.retrieval.formats import Document
from coditect_benchmarks.retrieval.peers_dense import DensePassages, JoinedPassages
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.models.port import FloatArray, ModelCard
from coditect.models.wordllama.embedder import WordLlamaTokenizer

LETTERS = "abcdefghijklmnopqrstuvwxyz"
DOCUMENTS = [
    Document("one", "", "Invoices are paid."),
    Document("two", "", "Backups run at night."),
    Document("e", "", ""),
]


class Letters:
    """An embedder that counts letters."""

    card = ModelCard("letters@0", len(LETTERS))

    def embed(self, texts: Sequence[str], *, query: bool = False) -> FloatArray:
        """See the port."""
        rows = np.array([[text.lower().count(letter) for letter in LETTERS] for text in texts], np.float32)
        return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), np.float32)


@settings(max_examples=20, deadline=None)
@given(
    st.text(alphabet="ab. \n?é", max_size=400),
    st.integers(1, 40),
)
def test_recursive_passages_cover_the_text_and_fit(text: str, size: int) -> None:
    """Side by side, in order, nothing left out but what is blank; only a single character may have more tokens."""
    found = recursive([Document("d", "", text)], size)
    kept = "".join(text[each.start : each.end] for each in found)
    assert "".join(kept.split()) == "".join(text.split())
    assert all(a.end <= b.start for a, b in pairwise(found))
    starts = WordLlamaTokenizer().starts(text) if text else np.zeros(0, np.int64)
    for each in found:
        within = int(((starts >= each.start) & (starts < each.end)).sum())
        assert within <= size or each.end - each.start == 1


def test_recursive_prefers_paragraphs() -> None:
    """Two paragraphs that do not fit together are cut between them, not in a sentence."""
    text = "One two three four five.\n\nSix seven eight nine ten."
    found = recursive([Document("d", "", text)], 8)
    assert [text[each.start : each.end].strip() for each in found] == text.split("\n\n")


def test_dense_peer_ranks_by_cosine() -> None:
    """The passage with the question's letters comes first; a document without text has none."""
    peer = DensePassages("peer", whole, Letters())
    peer.index(DOCUMENTS)
    assert [span.document for span in peer.search("backups night", 5)] == ["two", "one"]
    assert [span.document for span in peer.search("backups night", 5, "one")] == ["one"]


def test_joined_peer_adds_words_and_cosine() -> None:
    """BM25 by its maximum plus the cosine; a passage that only one side proposes has both scores."""
    peer = JoinedPassages("peer", whole, Letters())
    peer.index(DOCUMENTS)
    first, second = peer.search("backups", 2)
    cosine = DensePassages("peer", whole, Letters())
    cosine.index(DOCUMENTS)
    near = cosine.cosines("backups").tolist()
    assert (first.document, second.document) == ("two", "one")
    assert first.score == pytest.approx(1 + near[1], abs=1e-5)
    assert second.score == pytest.approx(near[0], abs=1e-5)


def test_recursive_size_is_bound_for_a_peer() -> None:
    """A cut with its size is a cut."""
    peer = DensePassages("peer", partial(recursive, size=3), Letters())
    peer.index(DOCUMENTS)
    assert len(peer.search("invoices", 50)) > 2
