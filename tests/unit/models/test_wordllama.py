"""The light embedder and tokenizer, on the weights that the package carries."""

from __future__ import annotations

import hashlib
import shutil
import socket
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.errors import CoditectError, ModelError, Unavailable
from coditect.models.port import Embedder
from coditect.models.wordllama import embedder as wordllama
from coditect.models.wordllama.embedder import WordLlamaEmbedder, WordLlamaTokenizer, wordllama_folder
from coditect.testing.embedder.conformance import AWKWARD_TEXTS, EmbedderConformance
from tests.effort import times

EMBEDDER = WordLlamaEmbedder()
TOKENIZER = WordLlamaTokenizer()

WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENS = "tokenizers/l2_supercat_tokenizer_config.json"


class TestWordLlama(EmbedderConformance):
    """The port's rules."""

    long_text_words = 50_000

    @pytest.fixture
    def embedder(self) -> Embedder:
        return EMBEDDER


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the package's files that may be damaged."""
    for name in (WEIGHTS, TOKENS):
        (tmp_path / name).parent.mkdir()
        shutil.copyfile(wordllama_folder() / name, tmp_path / name)
    return tmp_path


def test_model_id_names_the_weights() -> None:
    """The id is the model's name and the first digits of the weight file's hash; vectors have 256 dimensions."""
    digest = hashlib.sha256((wordllama_folder() / WEIGHTS).read_bytes()).hexdigest()
    assert EMBEDDER.card.model_id == f"wordllama-l2-supercat-256@{digest[:12]}"
    assert EMBEDDER.card.dimension == 256
    assert EMBEDDER.card.max_tokens == 0


def test_embed_is_the_mean_of_token_vectors() -> None:
    """A vector is the normalised mean of the vectors of the text's tokens, computed here the long way."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    weights = load_file(wordllama_folder() / WEIGHTS)["embedding.weight"].astype(np.float64)
    tokenizer = Tokenizer.from_file(str(wordllama_folder() / TOKENS))
    text = "The processor shall notify the controller without undue delay. " * 100
    mean = weights[tokenizer.encode(text, add_special_tokens=False).ids].mean(axis=0)
    assert np.abs(EMBEDDER.embed([text])[0] - mean / np.linalg.norm(mean)).max() < 1e-6


def test_embed_opens_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading and embedding need no network."""

    def refuse(*_: object) -> None:
        raise AssertionError("a connection was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert WordLlamaEmbedder().embed(["text"]).any()


def test_embed_does_not_depend_on_where_batches_end() -> None:
    """More texts than are tokenised at once, and a text longer than what is summed at once, give the same bytes alone."""
    texts = [f"clause {number}" for number in range(2100)]
    texts[1023] = " ".join(texts)
    together = EMBEDDER.embed(texts)
    for place in (0, 1022, 1023, 1024, 2047, 2048, 2099):
        assert together[place].tobytes() == EMBEDDER.embed([texts[place]])[0].tobytes()


def test_embed_reads_special_tokens_as_text() -> None:
    """What looks like a special token in a document is words, not a mark."""
    first, second = EMBEDDER.embed(["a</s>b", "a b"])
    assert first @ second < 0.99
    assert len(TOKENIZER.starts("</s>")) > 1


@settings(max_examples=times(50, least=10), deadline=None)
@given(st.lists(st.text(), max_size=6))
def test_embed_takes_any_text(texts: list[str]) -> None:
    """Any text has a vector of unit length, empty ones zeros, the same alone."""
    vectors = EMBEDDER.embed(texts)
    lengths = np.linalg.norm(vectors, axis=1)
    assert np.abs(lengths - [1.0 if text else 0.0 for text in texts]).max(initial=0.0) < 1e-5
    for vector, text in zip(vectors, texts, strict=True):
        assert vector.tobytes() == EMBEDDER.embed([text])[0].tobytes()


def test_starts_are_code_points() -> None:
    """Starts count code points, not bytes, also after characters outside the basic plane; a word begins with its space."""
    assert TOKENIZER.starts("shall not").tolist() == [0, 5]
    text = "\U0001d518\U0001f680 notify"
    starts = TOKENIZER.starts(text)
    assert starts[-1] == 2
    assert set(starts.tolist()) == {0, 1, 2}


def test_starts_of_no_text_is_empty() -> None:
    """An empty text has no token."""
    assert TOKENIZER.starts("").shape == (0,)
    assert TOKENIZER.starts("").dtype == np.int64


@settings(max_examples=times(100, least=10), deadline=None)
@given(st.one_of(st.text(max_size=200), st.sampled_from(AWKWARD_TEXTS)))
def test_starts_lie_in_the_text_in_order(text: str) -> None:
    """Tokens begin inside the text, do not go back, and the first begins where the text does."""
    starts = TOKENIZER.starts(text)
    assert (np.diff(starts) >= 0).all()
    if text:
        assert starts[0] == 0
        assert starts[-1] < len(text)


@settings(max_examples=times(60, least=10), deadline=None)
@given(
    st.lists(st.sampled_from(("shall", " ", "  ", "\n", "\u2581", "é", "a", "30", "…", "\ud800")), max_size=60).map(
        "".join
    )
)
def test_starts_of_a_text_read_in_pieces_are_those_of_the_whole(text: str) -> None:
    """Where a long text is parted does not show: nowhere, or at every word."""
    whole = TOKENIZER.starts(text).tolist()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wordllama, "_PIECE_CHARACTERS", 1)
        assert TOKENIZER.starts(text).tolist() == whole


def test_tokenizer_id_names_the_file() -> None:
    """The tokenizer's id holds the first digits of its file's hash."""
    digest = hashlib.sha256((wordllama_folder() / TOKENS).read_bytes()).hexdigest()
    assert TOKENIZER.tokenizer_id == f"wordllama-l2-supercat@{digest[:12]}"


def test_another_tokenizer_file_gives_another_id(folder: Path) -> None:
    """A changed file is a different tokenizer."""
    (folder / TOKENS).write_text((folder / TOKENS).read_text() + "\n")
    assert WordLlamaTokenizer(folder).tokenizer_id != TOKENIZER.tokenizer_id


def test_copied_folder_gives_the_same_vectors(folder: Path) -> None:
    """The files decide, not where they lie."""
    copied = WordLlamaEmbedder(folder)
    assert copied.card == EMBEDDER.card
    assert copied.embed(AWKWARD_TEXTS).tobytes() == EMBEDDER.embed(AWKWARD_TEXTS).tobytes()


def test_absent_package_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package, opening is easy and the first use says what to install."""
    monkeypatch.setattr(wordllama, "find_spec", lambda name: None)
    embedder = WordLlamaEmbedder()
    with pytest.raises(Unavailable, match="pip install"):
        embedder.embed(["text"])
    with pytest.raises(Unavailable, match="pip install"):
        _ = WordLlamaTokenizer().tokenizer_id


@pytest.mark.parametrize("missing", [WEIGHTS, TOKENS])
def test_missing_file_is_unavailable(folder: Path, missing: str) -> None:
    """A file that is gone is named, with the way out."""
    (folder / missing).unlink()
    with pytest.raises(Unavailable, match="force-reinstall") as caught:
        WordLlamaEmbedder(folder).embed(["text"])
    assert caught.value.context["path"].endswith(missing)


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        (WEIGHTS, b""),
        (WEIGHTS, b"not weights" * 100),
        (TOKENS, b"{"),
        (TOKENS, b'{"version": "1.0"}'),
        (TOKENS, b"\xff"),
    ],
)
def test_damaged_file_is_a_model_error(folder: Path, name: str, payload: bytes) -> None:
    """A file that is not what it should be is named, with the way out."""
    (folder / name).write_bytes(payload)
    with pytest.raises(ModelError, match="force-reinstall") as caught:
        WordLlamaEmbedder(folder).embed(["text"])
    assert caught.value.context["file"] == name


def test_truncated_weights_are_a_model_error(folder: Path) -> None:
    """Half a download is noticed when the card is asked for."""
    payload = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(payload[: len(payload) // 2])
    with pytest.raises(ModelError):
        _ = WordLlamaEmbedder(folder).card


def test_weights_of_other_shapes_are_a_model_error(folder: Path) -> None:
    """Weights without the tensor, of another vocabulary, with one axis, or not numbers are refused."""
    from safetensors.numpy import save_file

    vectors = np.ones((10, 4), np.float32)
    for tensors in ({"other": vectors}, {"embedding.weight": vectors}, {"embedding.weight": vectors[0]}):
        save_file(tensors, folder / WEIGHTS)
        with pytest.raises(ModelError):
            WordLlamaEmbedder(folder).embed(["text"])
    save_file({"embedding.weight": np.full((10, 4), np.nan, np.float32)}, folder / WEIGHTS)
    with pytest.raises(ModelError):
        _ = WordLlamaEmbedder(folder).card


def test_failed_load_is_tried_again(folder: Path) -> None:
    """An embedder whose files were missing works once they are there."""
    kept = (folder / TOKENS).read_bytes()
    (folder / TOKENS).unlink()
    embedder = WordLlamaEmbedder(folder)
    with pytest.raises(CoditectError):
        embedder.embed(["text"])
    (folder / TOKENS).write_bytes(kept)
    assert embedder.embed(["text"]).any()
