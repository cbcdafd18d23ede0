"""Models by the words of settings, and what is said where there is none."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from coditect.errors import Unavailable, UsageError
from coditect.models.catalogue import open_embedder, open_reranker
from coditect.models.flag import library as flag_library
from coditect.models.flag.embedder import FlagEmbedder
from coditect.models.flag.rerankers import FlagReranker
from coditect.models.wordllama import embedder as wordllama
from coditect.models.wordllama.embedder import WordLlamaEmbedder
from tests.unit.models.folders import make_folder


@pytest.fixture
def _libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra were installed; nothing of it is imported by what is tested here."""
    monkeypatch.setattr(flag_library, "find_spec", lambda name: object())


def test_none_is_no_model() -> None:
    """The word "none" turns a model off."""
    assert open_embedder("none") is None
    assert open_reranker("none") is None


def test_wordllama_is_the_light_embedder() -> None:
    """The default is found by its name."""
    assert isinstance(open_embedder("wordllama"), WordLlamaEmbedder)


def test_absent_wordllama_is_said_when_it_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing package is noticed before any work is done."""
    monkeypatch.setattr(wordllama, "find_spec", lambda name: None)
    with pytest.raises(Unavailable, match="pip install"):
        open_embedder("wordllama")


@pytest.mark.parametrize("spec", ["", " ", "bge-m3", "WordLlama", "hashing", "flag:", "None", "flag"])
def test_unknown_word_lists_what_there_is(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that names no model and no folder is refused: nothing is downloaded."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="wordllama, none, or the folder"):
        open_embedder(spec)
    with pytest.raises(UsageError, match="none, or the folder"):
        open_reranker(spec)


@pytest.mark.parametrize("spec", ["./absent", "/absent/model", "flag:absent", "flag:~nobody/absent"])
def test_absent_folder_is_said(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that leads nowhere is named as such."""
    monkeypatch.chdir(tmp_path)
    for opened in (open_embedder, open_reranker):
        with pytest.raises(UsageError, match="not there"):
            opened(spec)


@pytest.mark.usefixtures("_libraries")
def test_folder_is_found_by_path_or_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With or without the prefix, absolute, relative, below the home folder, or as the name of a folder that is there."""
    folder = make_folder(tmp_path / "small")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for spec in (f"{folder}", f"flag:{folder}", "./small", "small", "flag:small", "~/small"):
        opened = open_embedder(spec)
        assert isinstance(opened, FlagEmbedder)
        assert opened.card.model_id.startswith("small@")
        assert opened.card.dimension == 4


@pytest.mark.usefixtures("_libraries")
def test_opening_imports_no_model_library(tmp_path: Path) -> None:
    """Card and checks come without torch, so that commands that embed nothing stay quick."""
    before = set(sys.modules)
    opened = open_embedder(str(make_folder(tmp_path / "small")))
    assert opened is not None
    assert opened.card.max_tokens == 64
    assert not {"torch", "transformers", "FlagEmbedding"} & (set(sys.modules) - before)


@pytest.mark.usefixtures("_libraries")
def test_unknown_model_reads_512_tokens(tmp_path: Path) -> None:
    """Where nothing limits what a model reads, FlagEmbedding's own limit holds and the card says so."""
    assert FlagEmbedder(make_folder(tmp_path / "small", max_position_embeddings=None)).card.max_tokens == 512


def test_missing_extra_is_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the libraries a good folder is refused with the extra to install; a bad one with what is wrong with it."""
    monkeypatch.setattr(flag_library, "find_spec", lambda name: None if name == "FlagEmbedding" else object())
    classifier: dict[str, Any] = {"architectures": ["BertForSequenceClassification"], "id2label": {"0": "a"}}
    plain = make_folder(tmp_path / "plain")
    for opened, folder in (
        (open_embedder, plain),
        (open_embedder, make_folder(tmp_path / "m3", heads=True)),
        (open_reranker, tmp_path / "m3"),
        (open_reranker, make_folder(tmp_path / "cross", **classifier)),
    ):
        with pytest.raises(Unavailable, match=r"coditect-knowledge\[gpu\]") as caught:
            opened(str(folder))
        assert caught.value.context["missing"] == ["FlagEmbedding"]
    (plain / "config.json").unlink()
    with pytest.raises(UsageError, match=r"config\.json"):
        open_embedder(str(plain))


@pytest.mark.usefixtures("_libraries")
@pytest.mark.parametrize("device", ["gpu", "cuda:", "cuda:x", "CPU", "", "cuda:0 "])
def test_unknown_device_is_a_usage_error(tmp_path: Path, device: str) -> None:
    """A device is cpu, cuda, or cuda with a number; said before anything is loaded."""
    with pytest.raises(UsageError, match="unknown device"):
        open_embedder(str(make_folder(tmp_path / "small")), device=device)


@pytest.mark.usefixtures("_libraries")
def test_arguments_are_checked(tmp_path: Path) -> None:
    """Poolings that FlagEmbedding does not have and negative batches are refused."""
    folder = make_folder(tmp_path / "small")
    with pytest.raises(UsageError, match="cls or mean"):
        FlagEmbedder(folder, pooling="max")
    with pytest.raises(UsageError, match="negative"):
        FlagEmbedder(folder, batch_tokens=-1)
    cross = make_folder(tmp_path / "cross", architectures=["BertForSequenceClassification"], id2label={"0": "a"})
    with pytest.raises(UsageError, match="negative"):
        FlagReranker(cross, batch_tokens=-1)


@pytest.mark.usefixtures("_libraries")
def test_classifier_with_several_labels_is_no_reranker(tmp_path: Path) -> None:
    """One score for each pair is needed."""
    folder = make_folder(tmp_path / "cross", architectures=["BertForSequenceClassification"])
    with pytest.raises(UsageError, match="no reranker") as caught:
        open_reranker(str(folder))
    assert caught.value.context["labels"] == 2
