"""Entailment by a local model: a random classifier and a random cross-encoder, through the real libraries."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from coditect.errors import SchemaError, UsageError
from coditect.models.flag.entailment import CrossEncoderEntailment, NliEntailment, open_entailment
from tests.unit.models.tiny import TEXTS, make_reranker

if find_spec("torch") is None or find_spec("FlagEmbedding") is None:
    pytest.skip("needs the extra [gpu]", allow_module_level=True)

CLAIM = "The supplier informs the bank within three days."
LABELS = {0: "contradiction", 1: "neutral", 2: "entailment"}


def make_classifier(folder: Path, labels: dict[int, str]) -> Path:
    """A random classifier in the shape of one that was trained on MNLI."""
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaForSequenceClassification

    make_reranker(folder)
    config = XLMRobertaConfig.from_pretrained(folder, id2label=labels, label2id={v: k for k, v in labels.items()})
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(13)
        XLMRobertaForSequenceClassification(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    """Tests run beside others on few cores; torch's threads would only wait for each other."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def nli(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a classifier with three labels."""
    return make_classifier(tmp_path_factory.mktemp("models") / "tiny-nli", LABELS)


def test_nli_gives_probabilities_and_names_the_best_evidence(nli: Path) -> None:
    """Numbers from 0 to 1, the same every time, alone or again; the best is one of the evidence."""
    judge = open_entailment(nli, device="cpu")
    assert isinstance(judge, NliEntailment)
    first = judge.entails(CLAIM, TEXTS)
    assert 0.0 < first.probability < 1.0
    assert 0.0 < first.contradiction < 1.0
    assert first.best is not None
    assert first == NliEntailment(nli, device="cpu").entails(CLAIM, TEXTS)
    alone = judge.entails(CLAIM, [TEXTS[first.best]])
    assert alone.probability <= first.probability + 1e-6
    assert judge.model_id.startswith("tiny-nli@")


def test_nli_of_any_text_answers(nli: Path) -> None:
    """No evidence, empty texts, very long texts, lone surrogates."""
    judge = NliEntailment(nli, device="cpu")
    assert judge.entails(CLAIM, ()) == judge.entails("", ())
    assert judge.entails(CLAIM, ()).best is None
    for claim, evidence in (("", [""]), ("word " * 500, ["word " * 500]), ("\ud800", ["\udfff", "💥"])):
        assert 0.0 <= judge.entails(claim, evidence).probability <= 1.0


def test_cross_encoder_is_a_judge_without_contradictions(tmp_path: Path) -> None:
    """A model with one score is read as entailment by its best sentence."""
    judge = open_entailment(make_reranker(tmp_path / "tiny-reranker"), device="cpu")
    assert isinstance(judge, CrossEncoderEntailment)
    found = judge.entails(CLAIM, TEXTS)
    assert 0.0 <= found.probability <= 1.0
    assert (found.contradiction, judge.entails(CLAIM, ()).best) == (0.0, None)


def test_classifier_whose_labels_say_nothing_is_refused(tmp_path: Path) -> None:
    """LABEL_0 and LABEL_1 may mean anything; guessing would turn verdicts round."""
    folder = make_classifier(tmp_path / "mute", {0: "LABEL_0", 1: "LABEL_1"})
    with pytest.raises(SchemaError, match="do not name entailment"):
        open_entailment(folder, device="cpu").entails(CLAIM, TEXTS[:1])


def test_folder_without_a_classifier_is_refused(tmp_path: Path, nli: Path) -> None:
    """What is no classifier is said so when it is opened, not when it is used."""
    with pytest.raises(UsageError):
        open_entailment(tmp_path / "nothing")
    folder = tmp_path / "plain"
    folder.mkdir()
    for file in nli.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    config = json.loads((folder / "config.json").read_text())
    config["architectures"] = ["XLMRobertaModel"]
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(UsageError, match="no classifier of entailment"):
        open_entailment(folder)
