"""What is put into models and made of what they give, with doubles in the place of models: no weights, no libraries of theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from coditect.errors import ModelError, SchemaError, UsageError
from coditect.models.flag.batches import GPU_BATCH_TOKENS
from coditect.models.flag.embedder import FlagEmbedder, FlagM3Embedder
from coditect.models.flag.entailment import NliEntailment, open_entailment
from coditect.models.flag.rerankers import ColbertReranker, FlagReranker
from coditect.models.port import Encoded, Entailed
from coditect.models.reduction import TokenReduction
from tests.unit.models.folders import make_folder

if find_spec("torch") is None or find_spec("FlagEmbedding") is None:
    pytest.skip("needs the extra [gpu]", allow_module_level=True)

CLASSIFIER: dict[str, Any] = {"architectures": ["BertForSequenceClassification"]}


class Tokenizer:
    """A token for each letter of a text, and one in front; it tells how many texts it was given and how long they may be."""

    pad_token_id, cls_token_id, eos_token_id, unk_token_id = 9, 1, 2, 3

    def __init__(self) -> None:
        self.asked: list[tuple[int, Any]] = []

    def __call__(
        self, texts: Sequence[str], others: Sequence[str] = (), *, truncation: object, max_length: int
    ) -> Mapping[str, list[list[int]]]:
        self.asked.append((len(texts), max_length))
        rows = [
            list(map(ord, f"{each} {other}".rstrip()))
            for each, other in zip(texts, others or [""] * len(texts), strict=True)
        ]
        return {"input_ids": rows, "attention_mask": [[1] * len(row) for row in rows]}


def _held(model: Any, device: str = "cpu", **more: Any) -> tuple[Tokenizer, SimpleNamespace]:  # noqa: ANN401 - a double
    tokenizer = Tokenizer()
    return tokenizer, SimpleNamespace(tokenizer=tokenizer, target_devices=[device], model=model, **more)


def _embedder(tmp_path: Path, device: str = "cpu", **arguments: Any) -> tuple[FlagEmbedder, Tokenizer]:  # noqa: ANN401 - its own
    """An embedder whose vectors are (number of tokens, first token, 0, 0)."""
    import torch

    def pooled(states: Any, mask: Any) -> Any:  # noqa: ANN401 - tensors
        return states

    def model(input_ids: Any, attention_mask: Any, return_dict: bool) -> SimpleNamespace:  # noqa: ANN401 - tensors
        rows = [
            [float(mask.sum()), float(ids[0]), 0.0, 0.0] for ids, mask in zip(input_ids, attention_mask, strict=True)
        ]
        return SimpleNamespace(last_hidden_state=torch.tensor(rows))

    embedder = FlagEmbedder(make_folder(tmp_path / "small", max_position_embeddings=None), device="cpu", **arguments)
    tokenizer, held = _held(model, device, pooling=pooled)
    embedder.__dict__["_model"] = held
    return embedder, tokenizer


def test_arguments_of_an_embedder_are_looked_at(tmp_path: Path) -> None:
    """A pooling that is known, a number of tokens that is none below nothing, a model that gives vectors."""
    folder = make_folder(tmp_path / "small")
    for good in (
        {"pooling": "mean"},
        {"batch_tokens": 0},
        {"batch_tokens": 1},
        {"pooling": None, "batch_tokens": None},
    ):
        FlagEmbedder(folder, **good)
    for bad in ({"pooling": "max"}, {"pooling": ""}, {"batch_tokens": -1}, {"device": "tpu"}):
        with pytest.raises(UsageError):
            FlagEmbedder(folder, **bad)
    with pytest.raises(UsageError, match="scores, not vectors"):
        FlagEmbedder(make_folder(tmp_path / "classifier", **CLASSIFIER))
    with pytest.raises(UsageError, match="no lexical weights"):
        FlagM3Embedder(folder)


@pytest.mark.parametrize(("limit", "read"), [(None, 512), (64, 64), (1024, 1024)])
def test_a_model_that_does_not_say_how_much_it_reads_reads_512_tokens(
    tmp_path: Path, limit: int | None, read: int
) -> None:
    """As its library assumes; of a reranker as well."""
    folder = make_folder(tmp_path / "small", max_position_embeddings=limit)
    assert FlagEmbedder(folder).card.max_tokens == read
    labelled = make_folder(tmp_path / "cross", max_position_embeddings=limit, **CLASSIFIER, id2label={"0": "a"})
    assert FlagReranker(labelled)._longest == read


def test_texts_are_tokenised_by_thousands(tmp_path: Path) -> None:
    """4,096 at once, empty ones left out; each text has its own vector."""
    embedder, tokenizer = _embedder(tmp_path)
    texts = ["", *["ab"] * 4096, "c", "", "dcb"]
    found = embedder.embed(texts)
    assert tokenizer.asked == [(4095, 512), (3, 512)]
    assert not found[0].any()
    assert not found[4098].any()
    for row, (length, first) in {1: (2, "a"), 4096: (2, "a"), 4097: (1, "c"), 4099: (3, "d")}.items():
        assert found[row] @ np.array([length, ord(first), 0, 0]) == pytest.approx(np.hypot(length, ord(first)))
    assert not embedder.embed(["", ""]).any()
    assert embedder.embed([]).shape == (0, 4)
    assert len(tokenizer.asked) == 2


@pytest.mark.parametrize(
    ("device", "asked", "query", "shapes"),
    [
        ("cpu", None, False, {(1, 40)}),
        ("cuda:0", None, False, {(GPU_BATCH_TOKENS // 64, 64)}),
        ("cuda:0", None, True, {(1, 40)}),
        ("cuda:0", 0, False, {(1, 40)}),
        ("cpu", 128, False, {(2, 64)}),
        ("cpu", 128, True, {(1, 40)}),
    ],
)
def test_texts_go_together_on_a_gpu_and_questions_alone(
    tmp_path: Path, device: str, asked: int | None, query: bool, shapes: set[tuple[int, int]]
) -> None:
    """Unless it is said how many tokens go together."""
    embedder, _ = _embedder(tmp_path, device, batch_tokens=asked)
    found = list(embedder._batches(["a" * 40] * 5, range(5), query=query))
    assert {each.inputs["input_ids"].shape for each in found} == shapes
    assert sorted(row for each in found for row in each.rows) == list(range(5))
    assert GPU_BATCH_TOKENS == 1 << 14


def test_an_instruction_stands_before_questions(tmp_path: Path) -> None:
    """And before nothing else."""
    embedder, _ = _embedder(tmp_path, query_instruction="q: ")
    for query, wanted in ((True, "q: a"), (False, "a")):
        (batch,) = embedder._batches(["a"], range(1), query=query)
        assert batch.inputs["input_ids"].tolist() == [list(map(ord, wanted))]


def test_tokens_are_read_in_the_same_pass(tmp_path: Path) -> None:
    """Without those that tell nothing, moved and turned as was fitted; the vectors are those of texts embedded alone."""
    import torch

    embedder, _ = _embedder(tmp_path)

    def model(input_ids: Any, attention_mask: Any, return_dict: bool) -> SimpleNamespace:  # noqa: ANN401 - tensors
        states = torch.nn.functional.one_hot(input_ids % 4, 4).float()
        return SimpleNamespace(last_hidden_state=states)

    embedder._model.model = model
    embedder._model.pooling = lambda states, mask: states.sum(dim=1)
    assert embedder.reading == ""
    with pytest.raises(UsageError, match="no vectors that are kept"):
        embedder.read(["ab"])
    basis = np.eye(4, dtype=np.float32)[:, :2]
    reduction = TokenReduction("name", np.zeros(4, np.float32), basis, np.asarray([ord("b")], np.int64))
    embedder.__dict__["_reduction"] = reduction
    dense, (one, empty, silent) = embedder.read(["abe", "", "bb"])
    assert embedder.reading == "name"
    assert dense.tolist() == embedder.embed(["abe", "", "bb"]).tolist()
    assert one.ids.tolist() == [ord("a"), ord("e")]
    assert one.vectors.tolist() == [[0.0, 1.0], [0.0, 1.0]]
    assert (len(empty.ids), silent.ids.tolist()) == (0, [ord("b")] * 2)


def test_lexical_weights_are_the_largest_of_each_token(tmp_path: Path) -> None:
    """Ascending by token; those of marks, and those of no weight, are left out."""
    embedder = FlagM3Embedder(make_folder(tmp_path / "m3", heads=True), device="cpu")
    embedder.__dict__["_model"] = _held(None)[1]
    ids, weights = [1, 7, 5, 7, 7, 6, 2, 3, 9], [0.9, 0.1, 0.5, 0.3, 0.2, 0.0, 0.9, 0.9, 0.9]
    assert list(embedder._lexical(ids, weights).items()) == [(5, 0.5), (7, 0.3)]


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_output_that_is_no_number_is_an_error(tmp_path: Path, bad: float) -> None:
    """Of a damaged model."""
    import torch

    embedder, _ = _embedder(tmp_path)
    embedder._model.pooling = lambda states, mask: torch.full((1, 4), bad)
    with pytest.raises(ModelError, match="not finite"):
        embedder.embed(["a"])


def _logits(*rows: Sequence[float]) -> Any:  # noqa: ANN401 - a double
    """A model that gives these rows one after the other."""
    import torch

    left = [list(each) for each in rows]

    def model(input_ids: Any, attention_mask: Any, return_dict: bool) -> SimpleNamespace:  # noqa: ANN401 - tensors
        return SimpleNamespace(logits=torch.tensor([left.pop(0) for _ in input_ids], dtype=torch.float64))

    return model


def _reranker(tmp_path: Path, *rows: Sequence[float]) -> FlagReranker:
    reranker = FlagReranker(make_folder(tmp_path / "cross", **CLASSIFIER, id2label={"0": "a"}), device="cpu")
    reranker.__dict__["_model"] = _held(_logits(*rows))[1]
    return reranker


def test_scores_are_the_logistic_function_of_what_a_model_gives(tmp_path: Path) -> None:
    """Longest texts first, told in the order of the texts; far from nothing they are 0 and 1 without overflow."""
    reranker = _reranker(tmp_path, [2.0], [-1.0], [0.0])
    assert reranker.scores("q", ["a", "abc", "ab"]).tolist() == pytest.approx(
        [0.5, 1 / (1 + np.exp(-2.0)), 1 / (1 + np.exp(1.0))]
    )
    extreme = _reranker(tmp_path / "b", [1e6], [-1e6], [79.0], [-79.0]).scores("q", ["aaaa", "aaa", "aa", "a"])
    assert extreme.tolist()[0] == 1.0
    assert extreme[1] == pytest.approx(np.exp(-80.0), rel=1e-6)
    assert extreme[3] == pytest.approx(np.exp(-79.0), rel=1e-6)
    assert extreme.dtype == np.float32
    assert _reranker(tmp_path / "c").scores("q", []).shape == (0,)
    with pytest.raises(ModelError, match="not finite"):
        _reranker(tmp_path / "d", [float("nan")]).scores("q", ["a"])


@pytest.mark.parametrize(
    ("labels", "reranks", "entails"), [(1, True, True), (2, False, True), (3, False, True), (0, False, False)]
)
def test_models_are_told_by_the_number_of_their_labels(
    tmp_path: Path, labels: int, reranks: bool, entails: bool
) -> None:
    """One score: a reranker, which may serve as a judge; several: a judge; none: neither."""
    names = {str(each): f"l{each}" for each in range(labels)}
    folder = make_folder(tmp_path / "x", **(CLASSIFIER if labels else {}), id2label=names)
    if reranks:
        FlagReranker(folder, batch_tokens=0)
    for tokens in (-1,) if reranks else (-1, None):
        with pytest.raises(UsageError):
            FlagReranker(folder, batch_tokens=tokens)
    if entails:
        assert isinstance(open_entailment(folder), NliEntailment) is not reranks
    else:
        with pytest.raises(UsageError):
            open_entailment(folder)


def _judge(tmp_path: Path, names: Mapping[int, str], *rows: Sequence[float]) -> tuple[NliEntailment, Tokenizer]:
    """A judge whose labels are called so."""
    import torch

    labels = {str(each): name for each, name in names.items()}
    judge = NliEntailment(make_folder(tmp_path / "nli", **CLASSIFIER, id2label=labels), device="cpu")
    model = _logits(*rows)
    model.parameters = lambda: iter([torch.zeros(1)])
    model.config = SimpleNamespace(id2label=names)
    tokenizer, held = _held(model)
    judge.__dict__["_model"] = held
    return judge, tokenizer


NAMES = {0: "Contradiction", 1: "neutral", 2: "ENTAILMENT"}


def test_the_most_entailing_evidence_counts(tmp_path: Path) -> None:
    """Each by itself and all together, which is the longest; the largest contradiction is told, and which sentence is best."""
    share = np.exp([0.0, 1.0, 2.0]) / np.exp([0.0, 1.0, 2.0]).sum()
    rows = [[2.0, 1.0, 0.0], [0.0, 1.0, 2.0], [1.0, 2.0, 0.0]]  # all together, "bbb", "a"
    judge, tokenizer = _judge(tmp_path, NAMES, *rows)
    found = judge.entails("c", ["a", "bbb"])
    assert tokenizer.asked == [(3, 64)]
    assert [found.probability, found.contradiction, found.best] == pytest.approx([share[2], share[2], 1])
    alone, tokenizer = _judge(tmp_path / "b", NAMES, rows[1])
    assert alone.entails("c", ["a"]).best == 0
    assert tokenizer.asked == [(1, 64)]
    together, _ = _judge(tmp_path / "c", NAMES, rows[1], rows[0], rows[2])
    assert together.entails("c", ["aa", "b"]).probability == pytest.approx(share[2])
    assert together.entails("c", []) == Entailed(0.0, 0.0, None)


@pytest.mark.parametrize("names", [{0: "a", 1: "b"}, {0: "entailment", 1: "supported"}])
def test_labels_have_to_name_one_entailment(tmp_path: Path, names: Mapping[int, str]) -> None:
    """None, or two of them, leave open which is meant; a contradiction may be missing."""
    with pytest.raises(SchemaError, match="do not name entailment"):
        _judge(tmp_path, names, [0.0, 1.0])[0].entails("c", ["a"])
    judge, _ = _judge(tmp_path / "b", {0: "refuses", 1: "supports"}, [0.0, 0.0])
    assert judge.entails("c", ["a"]) == Entailed(0.5, 0.0, 0)


def test_late_interaction_takes_the_nearest_token_of_each(tmp_path: Path) -> None:
    """Their mean, nothing below zero; an empty question or text has none."""
    near, far = np.array([[1.0, 0.0], [0.0, 1.0]], np.float32), np.array([[-1.0, 0.0]], np.float32)
    none = np.zeros((0, 2), np.float32)
    vectors = {"q": near, "same": near, "half": near[:1], "against": far, "": none}

    class Encoder:
        card = SimpleNamespace(model_id="m@1")

        def encode(self, texts: Sequence[str], *, query: bool = False, sparse: bool = True) -> Encoded:
            assert not sparse
            assert query is (list(texts) == ["q"] or list(texts) == [""])
            return Encoded(none, (), tuple(vectors[each] for each in texts))

    reranker = ColbertReranker(Encoder())  # type: ignore[arg-type]
    assert reranker.model_id == "colbert-m@1"
    assert reranker.scores("q", ["same", "half", "against", ""]).tolist() == [1.0, 0.5, 0.0, 0.0]
    assert reranker.scores("", ["same"]).tolist() == [0.0]


class PlacingTokenizer(Tokenizer):
    """A token for each letter, and a mark in front that stands for no character; it tells where each stands."""

    def __call__(
        self,
        texts: Sequence[str],
        others: Sequence[str] = (),
        *,
        truncation: object,
        max_length: int,
        **more: object,
    ) -> Mapping[str, Any]:
        if more.get("return_offsets_mapping"):
            return {"offset_mapping": [(0, 0), *((at, at + 1) for at in range(min(len(texts), max_length - 1)))]}
        rows = [[1, *map(ord, each[: max_length - 1])] for each in texts]
        return {"input_ids": rows, "attention_mask": [[1] * len(row) for row in rows]}


def test_tokens_have_their_vectors_where_they_stand(tmp_path: Path) -> None:
    """One for each token that stands for characters, of unit length; a text has its pooled vector; an empty one neither."""
    import torch

    def model(input_ids: Any, attention_mask: Any, return_dict: bool) -> SimpleNamespace:  # noqa: ANN401 - tensors
        zero = torch.zeros_like(input_ids)
        return SimpleNamespace(last_hidden_state=torch.stack([input_ids, zero + 1, zero, zero], dim=2).float())

    embedder = FlagEmbedder(make_folder(tmp_path / "small", max_position_embeddings=4), device="cpu")
    _, held = _held(model, pooling=lambda states, mask: states[:, 0])
    held.tokenizer = PlacingTokenizer()
    embedder.__dict__["_model"] = held
    two, empty, cut = embedder.in_context(["ab", "", "abcdef"])
    assert (two.starts.tolist(), two.ends.tolist()) == ([0, 1], [1, 2])
    assert two.tokens @ np.array([1, 0, 0, 0]) == pytest.approx([ord(each) / np.hypot(ord(each), 1) for each in "ab"])
    assert two.whole == pytest.approx(np.array([1, 1, 0, 0]) / np.sqrt(2))
    assert empty.tokens.shape == (0, 4)
    assert not empty.whole.any()
    assert cut.ends.tolist() == [1, 2, 3]
