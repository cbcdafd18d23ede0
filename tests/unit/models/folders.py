"""Folders that look like models, made without a model library."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

__all__ = ["make_folder", "write_json"]


def make_folder(path: Path, *, heads: bool = False, **config: object) -> Path:
    """A folder with settings, a tokenizer and weights of a small encoder; ``config`` changes settings, None drops one."""
    path.mkdir(parents=True)
    settings = {"model_type": "bert", "hidden_size": 4, "max_position_embeddings": 64, **config}
    write_json(path / "config.json", {name: value for name, value in settings.items() if value is not None})
    (path / "tokenizer.json").write_text("{}")
    save_file({"embeddings.weight": np.ones((3, 4), np.float32)}, path / "model.safetensors")
    if heads:
        for name in ("colbert_linear.pt", "sparse_linear.pt"):
            (path / name).write_bytes(name.encode())
    return path


def write_json(path: Path, value: object) -> None:
    """Write a file, and the folder that it lies in."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value))
