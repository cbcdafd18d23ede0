"""A model's folder, checked before anything of it is loaded."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coditect.errors import SchemaError, UsageError

__all__ = ["ModelFolder", "read_folder"]

_CONFIG = "config.json"
_SAFETENSORS = "model.safetensors"
# In the order in which transformers looks for them.
_WEIGHTS = (_SAFETENSORS, "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")
_TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "sentencepiece.bpe.model", "spiece.model")
_M3_HEADS = ("colbert_linear.pt", "sparse_linear.pt")
_POOLING = "1_Pooling/config.json"
_MODULES = ("Transformer", "Pooling", "Normalize")

_EXPORT = "name a folder with config.json, the tokenizer and the weights, as Hugging Face models are stored"
_COPY_AGAIN = "copy the model's folder again"
_POINTER = b"version https://git-lfs"
_POINTER_BYTES = 1024
# Tokenizers without a limit say 10^30.
_NO_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """What a model's folder says of itself.

    Attributes:
        path: of the folder.
        name: of the folder, for people and ids.
        model_type: the architecture, as transformers calls it.
        dimension: of the hidden states.
        labels: outputs of a classifier; 0 where the model is none.
        max_tokens: that the model reads; 0 if nothing says.
        pooling: "cls" or "mean"; "" if nothing says.
        heads: it is shaped like BGE-M3: with linear layers for lexical weights and token vectors.
        weights: the files with weights, heads included.
    """

    path: Path
    name: str
    model_type: str
    dimension: int
    labels: int
    max_tokens: int
    pooling: str
    heads: bool
    weights: tuple[Path, ...]

    def digest(self) -> str:
        """SHA-256 of the weights in hex: of the file, or of names and hashes where there are several files.

        Reads all of it, about 1 GB a second.

        Raises:
            UsageError: a file cannot be read.
        """
        try:
            digests = [(path.name, _sha256(path)) for path in self.weights]
        except OSError as error:
            raise UsageError("a model's weights cannot be read", hint=_COPY_AGAIN, folder=str(self.path)) from error
        if len(digests) == 1:
            return digests[0][1]
        return hashlib.sha256("".join(f"{name} {digest}\n" for name, digest in sorted(digests)).encode()).hexdigest()


def read_folder(path: Path) -> ModelFolder:
    """Check a folder and read its settings; no weights are loaded and no model library is imported.

    Raises:
        UsageError: it is no folder, a file is missing or is not what its name says, or the model needs layers that are not loaded.
        SchemaError: a settings file is no JSON or lacks what it must say.
    """
    if not path.is_dir():
        raise UsageError("a model's folder is not there", hint=_EXPORT, folder=str(path))
    if not (path / _CONFIG).is_file():
        raise UsageError("a folder holds no model: it has no config.json", hint=_EXPORT, folder=str(path))
    config = _json(path / _CONFIG)
    if not any((path / name).is_file() for name in _TOKENIZERS):
        raise UsageError("a model's folder has no tokenizer", hint=_EXPORT, folder=str(path))
    model_type = config.get("model_type")
    if not isinstance(model_type, str) or not model_type:
        raise SchemaError(
            "a model's config.json does not say which architecture it is", hint=_COPY_AGAIN, folder=str(path)
        )
    heads = all((path / name).is_file() for name in _M3_HEADS)
    weights = [*_weight_files(path), *(path / name for name in _M3_HEADS if heads)]
    for file in weights:
        _check_weights(file)
    _check_modules(path)
    return ModelFolder(
        path=path,
        name=path.resolve().name,
        model_type=model_type,
        dimension=_dimension(path, config),
        labels=_labels(config),
        max_tokens=_max_tokens(path, config),
        pooling=_pooling(path),
        heads=heads,
        weights=tuple(weights),
    )


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError("a model's file cannot be read", hint=_COPY_AGAIN, path=str(path)) from error
    except ValueError as error:  # no JSON, or no UTF-8
        raise SchemaError("a model's settings are not JSON", hint=_COPY_AGAIN, path=str(path)) from error
    if not isinstance(value, dict):
        raise SchemaError("a model's settings are not a JSON object", hint=_COPY_AGAIN, path=str(path))
    return value


def _optional(path: Path) -> dict[str, Any]:
    return _json(path) if path.is_file() else {}


def _weight_files(path: Path) -> list[Path]:
    for name in _WEIGHTS:
        if not (path / name).is_file():
            continue
        if not name.endswith(".index.json"):
            return [path / name]
        shards = _json(path / name).get("weight_map")
        if not isinstance(shards, dict) or not shards or not all(isinstance(shard, str) for shard in shards.values()):
            raise SchemaError("an index of weights lists none", hint=_COPY_AGAIN, path=str(path / name))
        files = [path / shard for shard in sorted(set(shards.values()))]
        for file in files:
            if not file.is_file():
                raise UsageError("a part of a model's weights is missing", hint=_COPY_AGAIN, path=str(file))
        return files
    raise UsageError("a model's folder has no weights", hint=f"it needs one of {', '.join(_WEIGHTS)}", folder=str(path))


def _check_weights(path: Path) -> None:
    """Refuse what is visibly not weights; a header is read, the rest is not."""
    try:
        with path.open("rb") as file:
            head = file.read(_POINTER_BYTES)
    except OSError as error:
        raise UsageError("a model's weights cannot be read", hint=_COPY_AGAIN, path=str(path)) from error
    if head.startswith(_POINTER):
        raise UsageError("a model's weights were not downloaded", hint="run git lfs pull in the folder", path=str(path))
    if not head:
        raise UsageError("a model's weights are empty", hint=_COPY_AGAIN, path=str(path))
    if path.suffix != ".safetensors":
        return
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="np"):
            pass
    except (SafetensorError, OSError) as error:
        raise UsageError("a model's weights are damaged", hint=_COPY_AGAIN, path=str(path)) from error


def _check_modules(path: Path) -> None:
    """Refuse models with layers after the pooling: without them their vectors would be wrong."""
    file = path / "modules.json"
    if not file.is_file():
        return
    try:
        modules = json.loads(file.read_text(encoding="utf-8"))
        names = [str(module["type"]).rpartition(".")[2] for module in modules]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise SchemaError("a model's list of modules is malformed", hint=_COPY_AGAIN, path=str(file)) from error
    foreign = sorted(set(names).difference(_MODULES))
    if foreign:
        raise UsageError(
            "a model has layers that are not supported",
            hint="use a model that ends with its pooling",
            folder=str(path),
            layers=foreign,
        )


def _dimension(path: Path, config: dict[str, Any]) -> int:
    for name in ("hidden_size", "dim", "d_model"):
        value = config.get(name)
        if isinstance(value, int) and value > 0:
            return value
    raise SchemaError("a model's config.json does not say its dimension", hint=_COPY_AGAIN, folder=str(path))


def _labels(config: dict[str, Any]) -> int:
    architectures = config.get("architectures")
    names = architectures if isinstance(architectures, list) else []
    if not any(str(name).endswith("ForSequenceClassification") for name in names):
        return 0
    labels = config.get("id2label")
    # transformers' own default: two
    return len(labels) if isinstance(labels, dict) and labels else 2


def _max_tokens(path: Path, config: dict[str, Any]) -> int:
    """The smallest of all limits that are stated."""
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and (
        "roberta" in config["model_type"] or config["model_type"] in ("camembert", "mpnet")
    ):
        # Their positions are counted from behind the padding token's.
        pad = config.get("pad_token_id")
        positions -= (pad if isinstance(pad, int) else 1) + 1
    stated = (
        positions,
        _optional(path / "sentence_bert_config.json").get("max_seq_length"),
        _optional(path / "tokenizer_config.json").get("model_max_length"),
    )
    return min((limit for limit in stated if isinstance(limit, int) and 0 < limit < _NO_LIMIT), default=0)


def _pooling(path: Path) -> str:
    if not (path / _POOLING).is_file():
        return ""
    config = _json(path / _POOLING)
    # The form until sentence-transformers 5, and the later one.
    modes = [
        mode for mode in ("cls", "mean") if config.get(f"pooling_mode_{mode}_token{'s' * (mode == 'mean')}") is True
    ]
    others = [key for key, on in config.items() if key.startswith("pooling_mode_") and on is True]
    stated = config.get("pooling_mode")
    if isinstance(stated, str):
        modes, others = [stated], [stated]
    if len(modes) != 1 or len(others) != 1 or modes[0] not in ("cls", "mean"):
        raise UsageError(
            "a model's pooling is not supported",
            hint="use a model that takes the first token's vector or the mean of all",
            path=str(path / _POOLING),
            pooling=others,
        )
    return modes[0]


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
