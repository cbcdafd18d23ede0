"""Devices, and failures of the libraries as ours; what a folder's settings may say."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from coditect.errors import ModelError, SchemaError, Unavailable, UsageError
from coditect.models.flag import library
from coditect.models.flag.batches import batches
from coditect.models.flag.library import device_for, failures_named, require_libraries
from coditect.models.folder import read_folder
from tests.unit.models.folders import make_folder, write_json

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="needs the extra [gpu]")


@needs_torch
@pytest.mark.parametrize(
    ("device", "gpus", "found"),
    [
        (None, 0, "cpu"),
        (None, 1, "cuda:0"),
        (None, 2, "cuda:0"),
        ("cpu", 2, "cpu"),
        ("cuda", 1, "cuda:0"),
        ("cuda:0", 1, "cuda:0"),
        ("cuda:1", 2, "cuda:1"),
        ("cuda", 0, None),
        ("cuda:1", 1, None),
        ("cuda:2", 2, None),
    ],
)
def test_the_first_gpu_is_taken_unless_another_is_named(
    monkeypatch: pytest.MonkeyPatch, device: str | None, gpus: int, found: str | None
) -> None:
    """One that is not there is not replaced by another."""
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: gpus > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: gpus or 8)
    if found is not None:
        assert device_for(device) == found
    else:
        with pytest.raises(Unavailable, match="no such GPU"):
            device_for(device)


@pytest.mark.parametrize("device", ["", "tpu", "cuda:", "cuda:x", "CPU", "cuda:0 "])
def test_another_kind_of_device_is_refused(device: str) -> None:
    """Before anything is imported."""
    with pytest.raises(UsageError, match="unknown device"):
        require_libraries(device)


def test_libraries_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them; with one that is there, the others."""
    monkeypatch.setattr(library, "find_spec", lambda name: None if name != "torch" else object())
    with pytest.raises(Unavailable) as caught:
        require_libraries()
    assert caught.value.context["missing"] == ["transformers", "FlagEmbedding"]
    monkeypatch.setattr(library, "find_spec", lambda name: object())
    require_libraries("cuda:12")


class OutOfMemoryError(RuntimeError):
    """As torch's."""


@pytest.mark.parametrize(
    ("raised", "error", "hint"),
    [
        (ValueError("x"), ModelError, None),
        (KeyError("x"), ModelError, None),
        (OutOfMemoryError("x"), ModelError, "fewer programs"),
        (ImportError("x"), Unavailable, "pip install"),
    ],
)
def test_failures_of_the_libraries_are_ours(
    tmp_path: Path, raised: Exception, error: type[Exception], hint: str | None
) -> None:
    """With what may be done about it."""
    folder = read_folder(make_folder(tmp_path / "small"))
    with pytest.raises(error) as caught, failures_named("it failed", folder):
        raise raised
    told = caught.value.hint  # type: ignore[attr-defined]
    assert told is None if hint is None else hint in told


def test_the_beginning_of_a_librarys_reason_is_told(tmp_path: Path) -> None:
    """Three hundred characters: some print whole tensors."""
    folder = read_folder(make_folder(tmp_path / "small"))
    for length in (10, 1000):
        with pytest.raises(ModelError) as caught, failures_named("it failed", folder):
            raise ValueError("x" * length)
        assert caught.value.context["reason"] == ("ValueError: " + "x" * length)[:300]


@pytest.mark.parametrize(
    ("tokens", "width"),
    [(1, 32), (31, 32), (32, 32), (33, 64), (64, 64), (65, 128), (100, 128), (128, 128)],
)
def test_lengths_are_rounded_up_to_powers_of_two(tokens: int, width: int) -> None:
    """From 32 on; what is filled up is hidden."""
    row = {"input_ids": [5] * tokens, "attention_mask": [1] * tokens, "token_type_ids": [0] * tokens}
    (batch,) = batches([row], batch_tokens=width * 3 + 1, longest=0, padding_id=7)
    assert {name: each.shape for name, each in batch.inputs.items()} == dict.fromkeys(row, (3, width))
    for name, filler in (("input_ids", 7), ("attention_mask", 0), ("token_type_ids", 0)):
        assert batch.inputs[name][0].tolist() == [*row[name], *[filler] * (width - tokens)]
        assert (batch.inputs[name][1:] == batch.inputs[name][0]).all()
    assert batch.rows == (0,)


def test_batches_of_a_width_are_filled_and_the_last_one_up() -> None:
    """Longest first; of one length in the order in which they came."""
    rows = [{"input_ids": [1] * length} for length in (3, 40, 5, 40, 3)]
    found = list(batches(rows, batch_tokens=64, longest=0, padding_id=0))
    assert [(each.rows, each.inputs["input_ids"].shape) for each in found] == [
        ((1,), (1, 64)), ((3,), (1, 64)), ((2, 0), (2, 32)), ((4,), (2, 32)),
    ]  # fmt: skip
    alone = list(batches(rows, batch_tokens=0, longest=0, padding_id=0))
    assert [each.rows for each in alone] == [(1,), (3,), (2,), (0,), (4,)]


@pytest.mark.parametrize(
    ("config", "tokens"),
    [
        ({"model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 0}, 513),
        ({"model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 3}, 510),
        ({"model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": "x"}, 512),
        ({"model_type": "camembert", "max_position_embeddings": 514}, 512),
        ({"model_type": "roberta", "max_position_embeddings": 2, "pad_token_id": 1}, 0),
        ({"model_type": "roberta", "max_position_embeddings": 3, "pad_token_id": 1}, 1),
        ({"max_position_embeddings": 1}, 1),
        ({"max_position_embeddings": 0}, 0),
        ({"max_position_embeddings": 999_999}, 999_999),
        ({"max_position_embeddings": 1_000_000}, 0),
        ({"max_position_embeddings": "512"}, 0),
    ],
)
def test_limits_are_those_that_limit_something(tmp_path: Path, config: dict[str, Any], tokens: int) -> None:
    """A million and more is none, as is nothing; some models count from behind the padding token."""
    assert read_folder(make_folder(tmp_path / "small", **config)).max_tokens == tokens


@pytest.mark.parametrize(
    ("config", "dimension"),
    [
        ({"hidden_size": 1}, 1),
        ({"hidden_size": None, "dim": 8}, 8),
        ({"hidden_size": None, "d_model": 9}, 9),
        ({"hidden_size": 0, "dim": 8}, 8),
        ({"hidden_size": 4, "dim": 8, "d_model": 9}, 4),
        ({"hidden_size": 0}, None),
        ({"hidden_size": -1}, None),
    ],
)
def test_a_dimension_is_a_number_above_nothing(tmp_path: Path, config: dict[str, Any], dimension: int | None) -> None:
    """By whichever of its names it is called first."""
    if dimension is None:
        with pytest.raises(SchemaError, match="does not say its dimension"):
            read_folder(make_folder(tmp_path / "small", **config))
    else:
        assert read_folder(make_folder(tmp_path / "small", **config)).dimension == dimension


@pytest.mark.parametrize(
    ("change", "heads"),
    [
        (lambda folder: None, True),
        (lambda folder: (folder / "colbert_linear.pt").unlink(), False),
        (lambda folder: (folder / "sparse_linear.pt").unlink(), False),
    ],
)
def test_a_model_has_both_heads_or_none(tmp_path: Path, change: Callable[[Path], None], heads: bool) -> None:
    """And only then do they count among its weights."""
    folder = make_folder(tmp_path / "m3", heads=True)
    change(folder)
    found = read_folder(folder)
    assert (found.heads, len(found.weights)) == (heads, 3 if heads else 1)


def test_weights_are_looked_for_in_the_order_of_the_library(tmp_path: Path) -> None:
    """Safetensors before torch's own, a file before an index of parts; a pointer is told within its first thousand bytes."""
    folder = make_folder(tmp_path / "small")
    (folder / "pytorch_model.bin").write_bytes(b"weights")
    assert [each.name for each in read_folder(folder).weights] == ["model.safetensors"]
    (folder / "model.safetensors").unlink()
    write_json(folder / "pytorch_model.bin.index.json", {"weight_map": {"a": "part"}})
    assert [each.name for each in read_folder(folder).weights] == ["pytorch_model.bin"]
    (folder / "pytorch_model.bin").unlink()
    for content, says in ((b"version https://git-lfs", "git lfs pull"), (b"", "are empty")):
        (folder / "part").write_bytes(content)
        with pytest.raises(UsageError) as caught:
            read_folder(folder)
        assert says in f"{caught.value} {caught.value.hint}"
    (folder / "part").write_bytes(b"x")
    assert [each.name for each in read_folder(folder).weights] == ["part"]
