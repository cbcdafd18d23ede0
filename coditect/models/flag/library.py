"""FlagEmbedding, torch and transformers, kept quiet, offline and behind our errors.

They are imported inside functions only: together they take several seconds.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pickle import UnpicklingError
from threading import Lock
from typing import Any
from zipfile import BadZipFile

from coditect.errors import ModelError, Unavailable, UsageError
from coditect.models.folder import ModelFolder

__all__ = ["device_for", "failures_named", "load", "require_libraries"]

_EXTRA = "pip install 'coditect-knowledge[gpu]'"
_DEVICE = re.compile(r"cpu|cuda(:\d+)?")
# What torch, transformers and FlagEmbedding raise over weights, settings and inputs.
_FOREIGN = (
    AssertionError,
    AttributeError,
    BadZipFile,
    EOFError,
    KeyError,
    IndexError,
    OSError,
    RuntimeError,
    TypeError,
    UnpicklingError,
    ValueError,
)
_REASON_CHARACTERS = 300
# Which warnings are shown is the process's business; two threads that load models must not restore it in the wrong order.
_LOADING = Lock()


def require_libraries(device: str | None = None) -> None:
    """Notice that the libraries are missing or the device's name is none, without importing anything.

    Args:
        device: see :func:`device_for`.
    Raises:
        UsageError: no such kind of device is known.
        Unavailable: with the extra to install.
    """
    if device is not None and not _DEVICE.fullmatch(device):
        raise UsageError("an unknown device", hint="cpu, cuda, cuda:0, cuda:1 ...", device=device)
    missing = [name for name in ("torch", "transformers", "FlagEmbedding") if find_spec(name) is None]
    if missing:
        raise Unavailable("the libraries for this model are not installed", hint=_EXTRA, missing=missing)


def device_for(device: str | None) -> str:
    """The device that models run on, as torch calls it.

    Args:
        device: "cpu", "cuda", "cuda:0" ...; None: the first GPU if there is one.
    Raises:
        UsageError: no such kind of device is known.
        Unavailable: this machine does not have it, or the libraries are missing.
    """
    require_libraries(device)
    import torch

    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if device == "cpu" or (device is None and not count):
        return "cpu"
    number = int((device or "cuda").partition(":")[2] or 0)
    if number >= count:
        raise Unavailable("this machine has no such GPU", hint="use the device cpu", device=device, gpus=count)
    return f"cuda:{number}"


def load(folder: ModelFolder, open_model: Callable[[], Any], *, device: str) -> Any:  # noqa: ANN401 - FlagEmbedding has no types
    """Load a model of FlagEmbedding from its folder and put it on its device, ready to be called.

    Args:
        folder: checked.
        open_model: calls FlagEmbedding; what it returns has ``model`` and ``tokenizer``. Run without network, and silently.
        device: as :func:`device_for` returns it.
    Raises:
        UsageError: the installed transformers does not know the architecture.
        ModelError: weights and settings do not fit together, or the device's memory does not suffice.
    """
    with _LOADING, _silence(), failures_named("a model could not be loaded", folder):
        import torch
        from huggingface_hub import constants
        from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES
        from transformers.utils import logging

        if folder.model_type not in CONFIG_MAPPING_NAMES:
            raise UsageError(
                "an unknown architecture of a model",
                hint="use a model whose architecture the installed transformers brings; code in a folder is not run",
                architecture=folder.model_type,
                folder=str(folder.path),
            )
        kept = (logging.get_verbosity(), logging.is_progress_bar_enabled(), constants.HF_HUB_OFFLINE)
        logging.set_verbosity_error()
        logging.disable_progress_bar()
        constants.HF_HUB_OFFLINE = True
        try:
            # Layers without weights would be random; from here on they are at least the same ones every time.
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(0)
                model = open_model()
            # FlagEmbedding wraps BGE-M3's encoder to add its heads.
            wrapped = hasattr(model.model, "colbert_linear")
            _check_complete(folder, model.model.model if wrapped else model.model)
            model.model.to(device)
            model.model.eval()
        finally:
            logging.set_verbosity(kept[0])
            if kept[1]:
                logging.enable_progress_bar()
            constants.HF_HUB_OFFLINE = kept[2]
    return model


@contextmanager
def failures_named(message: str, folder: ModelFolder) -> Iterator[None]:
    """Turn what the libraries raise into our errors.

    Raises:
        ModelError: with ``message``, the folder and the library's reason.
        Unavailable: a library that the model needs is not installed.
    """
    try:
        yield
    except ImportError as error:
        raise Unavailable("the libraries for this model are not installed", hint=_EXTRA, reason=str(error)) from error
    except _FOREIGN as error:
        hint = None
        if type(error).__name__ == "OutOfMemoryError":
            hint = "let fewer programs use the GPU, or use the device cpu"
        reason = f"{type(error).__name__}: {error}"[:_REASON_CHARACTERS]
        raise ModelError(message, hint=hint, folder=str(folder.path), reason=reason) from error


@contextmanager
def _silence() -> Iterator[None]:
    """Without warnings of the libraries' authors to each other; errors are raised as ever."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _check_complete(folder: ModelFolder, module: Any) -> None:  # noqa: ANN401 - a torch module
    """Refuse weights that leave layers at random, which transformers only warns of.

    Raises:
        ModelError: naming some of the layers.
    """
    stored = _stored_names(folder)
    # Stored with the head that the model was trained with, names have its prefix; loaded with a head, layers have one.
    tails = {part for name in stored for part in _tails(name)}
    missing = [
        name
        for name, _ in module.named_parameters()
        # Neither pooling reads the pooler.
        if "pooler." not in name and name not in tails and not any(part in stored for part in _tails(name))
    ]
    if missing:
        raise ModelError(
            "a model's weights lack layers that its settings ask for",
            hint="copy the model's folder again",
            folder=str(folder.path),
            layers=missing[:3],
            count=len(missing),
        )


def _tails(name: str) -> tuple[str, ...]:
    """A layer's name, and without its first part."""
    return name, name.partition(".")[2]


def _stored_names(folder: ModelFolder) -> set[str]:
    """Names of the layers in the weight files, heads left out, old names as they are called today."""
    import torch
    from safetensors import safe_open

    names: set[str] = set()
    for path in folder.weights:
        if path.suffix == ".safetensors":
            with safe_open(path, framework="np") as file:
                names.update(file.keys())
        elif path.suffix == ".bin":
            names.update(torch.load(path, map_location="meta", weights_only=True))
    return {
        re.sub(r"LayerNorm\.gamma$", "LayerNorm.weight", re.sub(r"LayerNorm\.beta$", "LayerNorm.bias", name))
        for name in names
    }
