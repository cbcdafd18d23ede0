"""A model's folder is checked before anything of it is loaded."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from coditect.errors import SchemaError, UsageError
from coditect.models.folder import read_folder
from tests.unit.models.folders import make_folder, write_json


def test_folder_says_what_it_holds(tmp_path: Path) -> None:
    """Architecture, dimension, limits, pooling and weights are read from the files of the folder."""
    folder = make_folder(tmp_path / "small")
    write_json(folder / "1_Pooling/config.json", {"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True})
    found = read_folder(folder)
    assert (found.name, found.model_type, found.dimension, found.labels) == ("small", "bert", 4, 0)
    assert (found.max_tokens, found.pooling, found.heads) == (64, "mean", False)
    assert found.weights == (folder / "model.safetensors",)
    assert found.digest() == hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()


def test_folder_is_named_after_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path has the name of the folder that it leads to."""
    monkeypatch.chdir(make_folder(tmp_path / "small"))
    assert read_folder(Path()).name == "small"


@pytest.mark.parametrize(
    ("config", "sentence", "tokenizer", "limit"),
    [
        ({}, None, None, 64),
        ({}, 32, None, 32),
        ({}, 32, 16, 16),
        ({}, 1000, 10**30, 64),
        ({"model_type": "xlm-roberta", "max_position_embeddings": 8194, "pad_token_id": 1}, 8192, 8192, 8192),
        ({"model_type": "roberta", "max_position_embeddings": 514}, None, None, 512),
        ({"model_type": "mpnet", "max_position_embeddings": 514, "pad_token_id": 1}, None, None, 512),
        ({"max_position_embeddings": None}, None, 10**30, 0),
    ],
)
def test_limit_is_the_smallest_that_is_stated(
    tmp_path: Path, config: dict[str, Any], sentence: int | None, tokenizer: int | None, limit: int
) -> None:
    """Positions, the tokenizer and sentence-transformers' settings each may limit what a model reads."""
    folder = make_folder(tmp_path / "small", **config)
    if sentence is not None:
        write_json(folder / "sentence_bert_config.json", {"max_seq_length": sentence})
    if tokenizer is not None:
        write_json(folder / "tokenizer_config.json", {"model_max_length": tokenizer})
    assert read_folder(folder).max_tokens == limit


@pytest.mark.parametrize(
    ("settings", "pooling"),
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls"),
        ({"pooling_mode": "mean", "embedding_dimension": 4}, "mean"),
        ({"pooling_mode": "cls"}, "cls"),
    ],
)
def test_pooling_is_read_in_both_forms(tmp_path: Path, settings: dict[str, object], pooling: str) -> None:
    """Flags, as sentence-transformers wrote them until version 5, and the word that it writes since."""
    folder = make_folder(tmp_path / "small")
    write_json(folder / "1_Pooling/config.json", settings)
    assert read_folder(folder).pooling == pooling


@pytest.mark.parametrize(
    "settings",
    [
        {"pooling_mode_lasttoken": True},
        {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True},
        {"pooling_mode_cls_token": True, "pooling_mode_max_tokens": True},
        {"pooling_mode": "lasttoken"},
        {},
    ],
)
def test_other_poolings_are_refused(tmp_path: Path, settings: dict[str, object]) -> None:
    """A pooling that would be computed wrongly is an error, not a guess."""
    folder = make_folder(tmp_path / "small")
    write_json(folder / "1_Pooling/config.json", settings)
    with pytest.raises(UsageError, match="pooling is not supported"):
        read_folder(folder)


def test_layers_after_the_pooling_are_refused(tmp_path: Path) -> None:
    """A model whose vectors go through another layer would be wrong without it."""
    folder = make_folder(tmp_path / "small")
    modules = [{"type": f"sentence_transformers.models.{name}"} for name in ("Transformer", "Pooling", "Normalize")]
    write_json(folder / "modules.json", modules)
    assert read_folder(folder).dimension == 4
    write_json(folder / "modules.json", [*modules, {"type": "sentence_transformers.models.Dense"}])
    with pytest.raises(UsageError, match="layers that are not supported") as caught:
        read_folder(folder)
    assert caught.value.context["layers"] == ["Dense"]


@pytest.mark.parametrize(
    ("config", "labels"),
    [
        ({"architectures": ["BertModel"], "id2label": {"0": "a"}}, 0),
        ({"architectures": ["BertForSequenceClassification"], "id2label": {"0": "a"}}, 1),
        ({"architectures": ["BertForSequenceClassification"]}, 2),
        ({"architectures": None}, 0),
        ({"architectures": "BertModel"}, 0),
    ],
)
def test_classifiers_are_told_by_their_architecture(tmp_path: Path, config: dict[str, Any], labels: int) -> None:
    """A classifier's labels are counted; transformers writes none where there are two."""
    assert read_folder(make_folder(tmp_path / "small", **config)).labels == labels


def test_heads_are_part_of_the_weights(tmp_path: Path) -> None:
    """The linear layers of BGE-M3 count for the id: other heads are another model."""
    folder = make_folder(tmp_path / "m3", heads=True)
    first = read_folder(folder)
    assert first.heads
    assert {path.name for path in first.weights} == {"model.safetensors", "colbert_linear.pt", "sparse_linear.pt"}
    digest = first.digest()
    (folder / "sparse_linear.pt").write_bytes(b"other")
    assert read_folder(folder).digest() != digest
    (folder / "sparse_linear.pt").unlink()
    assert not read_folder(folder).heads


def test_digest_of_a_lost_file_is_a_usage_error(tmp_path: Path) -> None:
    """Weights that disappear after the check are named."""
    folder = make_folder(tmp_path / "small")
    found = read_folder(folder)
    (folder / "model.safetensors").unlink()
    with pytest.raises(UsageError, match="cannot be read"):
        found.digest()


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_missing_file_is_a_usage_error(tmp_path: Path, name: str) -> None:
    """Without settings, tokenizer or weights it is no model; the message says what is missing."""
    folder = make_folder(tmp_path / "small")
    (folder / name).unlink()
    with pytest.raises(UsageError) as caught:
        read_folder(folder)
    assert caught.value.hint
    assert {"config.json": "config", "tokenizer.json": "tokenizer", "model.safetensors": "weights"}[name] in str(
        caught.value
    )


def test_not_a_folder_is_a_usage_error(tmp_path: Path) -> None:
    """A file, nothing at all, or an empty folder."""
    (tmp_path / "file").write_text("text")
    (tmp_path / "empty").mkdir()
    for name in ("file", "absent", "empty"):
        with pytest.raises(UsageError):
            read_folder(tmp_path / name)


@pytest.mark.parametrize(
    "name",
    ["config.json", "tokenizer_config.json", "sentence_bert_config.json", "1_Pooling/config.json", "modules.json"],
)
@pytest.mark.parametrize("payload", [b"{", b"", b"\xff\xfe", b'"text"', b"[1, 2]", b"null", b"7"])
def test_malformed_settings_are_a_schema_error(tmp_path: Path, name: str, payload: bytes) -> None:
    """What is no JSON, no UTF-8 or no object is an error that names the file."""
    folder = make_folder(tmp_path / "small")
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(payload)
    with pytest.raises(SchemaError) as caught:
        read_folder(folder)
    assert name in caught.value.context["path"]


@pytest.mark.parametrize(
    "config", [{"model_type": None}, {"model_type": ""}, {"model_type": 3}, {"hidden_size": None}, {"hidden_size": "4"}]
)
def test_incomplete_settings_are_a_schema_error(tmp_path: Path, config: dict[str, Any]) -> None:
    """Settings must say architecture and dimension."""
    with pytest.raises(SchemaError):
        read_folder(make_folder(tmp_path / "small", **config))


def test_unusable_weights_are_a_usage_error(tmp_path: Path) -> None:
    """A pointer in place of a download, half a file, an empty file and noise are told apart from weights."""
    folder = make_folder(tmp_path / "small")
    weights = folder / "model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 7\n")
    with pytest.raises(UsageError, match="git lfs pull"):
        read_folder(folder)
    for payload in (whole[:-8], b"", b"noise" * 100):
        weights.write_bytes(payload)
        with pytest.raises(UsageError, match="copy the model's folder again"):
            read_folder(folder)


def test_weights_in_parts_must_be_complete(tmp_path: Path) -> None:
    """An index names the parts; one that is missing, or an index of nothing, is an error."""
    folder = make_folder(tmp_path / "small")
    (folder / "model.safetensors").rename(folder / "part-1.safetensors")
    index = folder / "model.safetensors.index.json"
    write_json(index, {"weight_map": {"a": "part-1.safetensors", "b": "part-1.safetensors"}})
    assert [path.name for path in read_folder(folder).weights] == ["part-1.safetensors"]
    write_json(index, {"weight_map": {"a": "part-1.safetensors", "b": "part-2.safetensors"}})
    with pytest.raises(UsageError, match="part of a model's weights is missing"):
        read_folder(folder)
    broken: Any
    for broken in ({}, {"weight_map": {}}, {"weight_map": {"a": 1}}):
        write_json(index, broken)
        with pytest.raises(SchemaError):
            read_folder(folder)
