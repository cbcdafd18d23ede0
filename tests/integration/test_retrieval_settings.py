"""Settings of retrieval that are wrong: each is one clear error on the command line, and nothing half-written in the store."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from coditect import Settings
from coditect.compose import model_sources
from coditect.engine.port import Engine
from coditect.errors import ModelError
from coditect.models import catalogue
from coditect.models.flag.embedder import FlagEmbedder, FlagM3Embedder
from coditect.models.port import Embedder, FloatArray, ModelCard
from coditect.testing.embedder.hashing import HashingEmbedder
from tests.command_line import invoke
from tests.corpora import CORPUS, DOCUMENTS, folder_of
from tests.places import copy_place, store_at
from tests.unit.models.folders import make_folder

USAGE = 2
FAILED = 1


@pytest.fixture(scope="module")
def built_without_vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small corpus, built with no embedder."""
    place = tmp_path_factory.mktemp("settings")
    folder = folder_of(place / "documents", DOCUMENTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODITECT_EMBEDDER", "none")
        assert invoke(place / "store", "ingest", "--corpus-id", CORPUS, str(folder)).exit_code == 0
        assert invoke(place / "store", "build", "--corpus-id", CORPUS, "--topic", "incident").exit_code == 0
    return place / "store"


@pytest.fixture
def store(built_without_vectors: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return copy_place(built_without_vectors, tmp_path / "store")


def everything(place: Path) -> dict[bytes, bytes]:
    """All rows that a tenant has."""
    opened = store_at(place)
    engine: Engine = opened.engine
    with closing(engine):
        return {key: value for page in opened.pages(*opened.keys.space) for key, value in page}


BUILD = ("build", "--corpus-id", CORPUS, "--topic", "incident", "--format", "json")
QUERY = ("query", "--corpus-id", CORPUS, "--query", "incident", "--tier", "passage", "--format", "json")


def refused(place: Path, words: tuple[str, ...], exit_code: int = USAGE) -> dict[str, Any]:
    """The error of a command that must fail with a hint, print nothing, and leave every row as it is."""
    before = everything(place)
    result = invoke(place, *words)
    assert result.exit_code == exit_code, result.stderr or result.stdout
    assert result.stdout == ""
    error: dict[str, Any] = json.loads(result.stderr)
    assert error["hint"]
    assert everything(place) == before
    return error


@pytest.mark.parametrize("words", [BUILD, QUERY], ids=["build", "query"])
@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("HIERARCHICAL_CHUNK_LEVELS", "512,256", "strictly increasing"),
        ("HIERARCHICAL_CHUNK_LEVELS", "256,256", "strictly increasing"),
        ("HIERARCHICAL_CHUNK_LEVELS", "256,many", "integer"),
        ("HIERARCHICAL_CHUNK_LEVELS", "", "integer"),
        ("HIERARCHICAL_CHUNK_LEVELS", "16,32,64,128,256,512,1024", "6"),
        ("HIERARCHICAL_CHUNK_LEVELS", "1,2", "16"),
        ("HIERARCHICAL_OVERLAP_RATIO", "0.6", "less than or equal to 0.5"),
        ("HIERARCHICAL_OVERLAP_RATIO", "-0.1", "greater than or equal to 0"),
        ("HIERARCHICAL_OVERLAP_RATIO", "nan", "less than or equal to 0.5|greater than or equal to 0|finite"),
        ("HIERARCHICAL_EMBEDDING_LEVEL", "7", "less than or equal to 5"),
        ("HIERARCHICAL_EMBEDDING_LEVEL", "4", "levels 0 to 3"),
        ("SMALL_TO_BIG_RETURN_LEVEL", "7", "less than or equal to 5"),
        ("SMALL_TO_BIG_RETURN_LEVEL", "4", "levels 0 to 3"),
        ("HIERARCHICAL_BOUNDARIES", "magic", "semantic"),
        ("MAX_PROPOSITIONS", "0", "greater than or equal to 1"),
    ],
)
def test_setting_out_of_range_is_told(
    store: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], name: str, value: str, reason: str
) -> None:
    """The setting, its value and what would be right, by any command, before it begins."""
    monkeypatch.setenv(f"CODITECT_{name}", value)
    error = refused(store, words)
    assert error["error"] == "SchemaError"
    assert error["context"]["setting"].upper().startswith(name)
    assert any(part in error["context"]["reason"] for part in reason.split("|"))
    assert f"CODITECT_{name}" in error["hint"]


def test_level_of_a_question_that_is_not_there_is_told(store: Path) -> None:
    """Level 7 is none of the command's, level 5 none of this corpus'; the levels that there are stand in the hint."""
    refused(store, (*QUERY, "--return-level", "7"))
    error = refused(store, (*QUERY, "--mode", "lexical", "--return-level", "5"))
    assert error["message"] == "no such level of passages"


@pytest.mark.parametrize("words", [BUILD, QUERY], ids=["build", "query"])
@pytest.mark.parametrize("setting", ["embedder", "reranker"])
def test_unknown_model_is_told(
    store: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], setting: str
) -> None:
    """The words that there are stand in the hint, and that nothing is downloaded."""
    monkeypatch.setenv(f"CODITECT_{setting.upper()}", "all-MiniLM")
    if setting == "reranker":
        monkeypatch.setenv("CODITECT_EMBEDDER", "none")
        words = (*QUERY, "--rerank")
    error = refused(store, words)
    assert error["message"] == f"an unknown {setting}"
    assert error["context"] == {"name": "all-MiniLM"}
    assert "not downloaded" in error["hint"]


def test_unknown_embedder_is_told_before_a_generation_is_published(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build that ends with an error has not changed what readers see."""
    more = folder_of(tmp_path / "more", {"more.md": "The clerk shall sign the register.\n"})
    assert invoke(store, "ingest", "--corpus-id", CORPUS, str(more)).exit_code == 0
    monkeypatch.setenv("CODITECT_EMBEDDER", "all-MiniLM")
    assert refused(store, BUILD)["message"] == "an unknown embedder"


def without_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def with_labels(folder: Path) -> None:
    (folder / "config.json").write_text(
        json.dumps(
            {
                "model_type": "bert",
                "hidden_size": 4,
                "architectures": ["BertForSequenceClassification"],
                "num_labels": 1,
            }
        )
    )


def damaged(folder: Path) -> None:
    (folder / "config.json").write_text("{")


def emptied(folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()


def gone(folder: Path) -> None:
    emptied(folder)
    folder.rmdir()


def a_file(folder: Path) -> None:
    gone(folder)
    folder.write_text("a model")


@pytest.mark.parametrize("words", [BUILD, QUERY], ids=["build", "query"])
@pytest.mark.parametrize("damage", [without_weights, with_labels, damaged, emptied, gone, a_file])
def test_folder_that_holds_no_embedder_is_told(
    store: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    damage: Callable[[Path], None],
) -> None:
    """Before torch is loaded, and before anything is embedded; the folder is named."""
    folder = make_folder(tmp_path / "model")
    damage(folder)
    monkeypatch.setenv("CODITECT_EMBEDDER", str(folder))
    error = refused(store, words)
    assert error["error"] in ("UsageError", "SchemaError")
    assert str(folder) in json.dumps(error["context"])


class Liar(HashingEmbedder):
    """Gives vectors of another dimension than its card states."""

    @property
    def card(self) -> ModelCard:
        """Half the truth."""
        return ModelCard("liar@000000000000", super().card.dimension // 2)


def given(monkeypatch: pytest.MonkeyPatch, folder: Path, embedder: Embedder) -> None:
    """Name a folder as the embedder's, and have it hold this one; all other names mean what they meant."""
    open_embedder = catalogue.open_embedder

    def opened(spec: str, *, device: str | None = None) -> Embedder | None:
        return embedder if spec == str(folder) else open_embedder(spec, device=device)

    monkeypatch.setattr(catalogue, "open_embedder", opened)
    monkeypatch.setenv("CODITECT_EMBEDDER", str(folder))


@pytest.mark.parametrize("words", [BUILD, QUERY], ids=["build", "query"])
def test_vectors_of_a_wrong_dimension_are_told(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Not one of them is stored, and no replica is made of them; the right model then finds nothing in its way."""
    given(monkeypatch, tmp_path / "another-model", Liar())
    error = refused(store, words)
    assert error["error"] == "SchemaError"
    assert "shape" in error["message"]
    assert error["context"]["model"] == "liar@000000000000"
    assert list(Path(f"{store}-cache").rglob("rows.npy")) == []
    monkeypatch.delenv("CODITECT_EMBEDDER")
    result = invoke(store, *QUERY)
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["hits"]


def test_question_in_a_wrong_dimension_is_told(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a model whose texts have the right one: no cosine of vectors that cannot be compared."""

    class Slip(HashingEmbedder):
        def embed(self, texts: Any, *, query: bool = False) -> Any:  # noqa: ANN401 - the port's
            """A question has one number less."""
            rows = super().embed(texts, query=query)
            return rows[:, :-1] if query else rows

    given(monkeypatch, tmp_path / "another-model", Slip())
    assert invoke(store, *BUILD).exit_code == 0
    before = everything(store)
    result = invoke(store, *QUERY)
    assert (result.exit_code, result.stdout) == (USAGE, "")
    assert json.loads(result.stderr)["message"] == "a vector of another dimension"
    assert everything(store) == before


class Failing(HashingEmbedder):
    """Answers twice and never again, as a service does that is gone."""

    def embed(self, texts: Sequence[str], *, query: bool = False) -> FloatArray:
        if self.calls == 2:
            raise ModelError("nobody answers")
        return super().embed(texts, query=query)


def test_model_that_fails_halfway_costs_nothing_but_its_work(
    store: Path, built_without_vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was embedded stays, whole, and is not embedded again; the store validates in between."""
    failing, again, fresh = Failing(), HashingEmbedder(), HashingEmbedder()
    given(monkeypatch, tmp_path / "failing", failing)
    result = invoke(store, *BUILD)
    assert (result.exit_code, result.stdout) == (FAILED, "")
    assert json.loads(result.stderr)["error"] == "ModelError"
    assert invoke(store, "validate", "--corpus-id", CORPUS).exit_code == 0
    given(monkeypatch, tmp_path / "again", again)
    assert invoke(store, *BUILD).exit_code == 0
    given(monkeypatch, tmp_path / "fresh", fresh)
    assert invoke(copy_place(built_without_vectors, tmp_path / "other"), *BUILD).exit_code == 0
    assert failing.texts
    assert sorted(failing.texts + again.texts) == sorted(fresh.texts)


@pytest.mark.skipif(find_spec("FlagEmbedding") is None or find_spec("torch") is None, reason="needs the extra [gpu]")
def test_embedder_and_reranker_of_one_folder_load_one_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of BGE-M3's shape gives vectors and token vectors; it is some gigabytes that need not lie there twice."""
    from tests.unit.models.tiny import make_m3

    folder = make_m3(tmp_path / "m3")
    loads = []
    real = FlagM3Embedder._open

    def counting(self: FlagM3Embedder, device: str) -> Any:  # noqa: ANN401 - FlagEmbedding has no types
        loads.append(device)
        return real(self, device)

    monkeypatch.setattr(FlagM3Embedder, "_open", counting)
    monkeypatch.chdir(tmp_path)
    sources = model_sources(Settings(embedder=str(folder), reranker="flag:m3", device="cpu"))
    assert sources.embedder is not None
    assert sources.reranker is not None
    reranker, embedder = sources.reranker(), sources.embedder()
    assert isinstance(embedder, FlagEmbedder)
    assert reranker is not None
    assert embedder.embed(["notify the bank"]).any()
    assert len(reranker.scores("notify", ["notify the bank", "cake"])) == 2
    assert loads == ["cpu"]
    assert reranker.model_id == f"colbert-{embedder.card.model_id}"
