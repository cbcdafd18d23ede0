"""Fitting, made cases, training and the whole command on small sets."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from coditect_benchmarks.verification import quotes
from coditect_benchmarks.verification.__main__ import main
from coditect_benchmarks.verification.adapters import EDITED
from coditect_benchmarks.verification.fitting import Rows, fit, held_out, scores, weights
from coditect_benchmarks.verification.formats import write
from coditect_benchmarks.verification.systems import overlap
from coditect_benchmarks.verification.train import calibrated, shipped

from benchmark_tests.verification.sets import cases, rows
from coditect.verify.support.combiner import Combiner


@pytest.fixture(scope="module")
def small() -> Rows:
    """Three small measured sets."""
    return rows()


def test_weights_balance_labels_and_domains(small: Rows) -> None:
    """Both labels of a domain weigh the same, and the mean is 1."""
    some = small.take(np.arange(len(small.labels)) % 5 != 1)
    found = weights(some)
    assert found.mean() == pytest.approx(1.0)
    for domain in np.unique(some.domains):
        inside = some.domains == domain
        totals = [found[inside & (some.labels == label)].sum() for label in (0, 1)]
        assert totals[0] == pytest.approx(totals[1])


def test_fit_gives_the_same_weights_again(small: Rows) -> None:
    """Fitting twice gives the same bytes."""
    assert json.dumps(fit(small, EDITED)) == json.dumps(fit(small, EDITED))


def test_fit_tells_quotes_from_strange_sentences(small: Rows) -> None:
    """On cases that words decide, held-out scores are in order."""
    found = held_out(small, EDITED)
    assert np.median(found[small.labels == 1]) > np.median(found[small.labels == 0])


def test_fit_never_reads_sizes_and_keeps_signs(small: Rows) -> None:
    """Sizes have no weight, coverage never speaks against a claim, novelty never for it."""
    fitted = fit(small, EDITED)
    covered = dict(zip(fitted["features"], fitted["covered"]["coefficients"], strict=True))
    assert covered["claim_words"] == covered["evidence_words"] == 0.0
    assert covered["covered"] >= 0.0
    assert covered["novel_share"] <= 0.0


def test_fit_without_edited_sets_has_a_silent_half(small: Rows) -> None:
    """Without edited summaries the second half says the same of all."""
    fitted = fit(small.take(small.sets != "summedits"), EDITED)
    assert not any(fitted["kept"]["coefficients"])
    assert len(set(np.round(scores(fitted, small), 9))) > 10


def test_fitted_weights_are_what_the_combiner_reads(small: Rows) -> None:
    """Shipped weights parse, calibrate into 0..1, and say what they were fitted on."""
    row = shipped(small, small.take(np.arange(10)), "words")
    combiner = Combiner.parse(json.dumps(row).encode())
    found = [combiner.probability(dict(zip(small.names, each, strict=True))) for each in small.values]
    assert 0.0 <= min(found) < max(found) <= 1.0
    assert row["fitted_on"]["scifact"] == 80


def test_calibrated_table_rises() -> None:
    """Knots ascend strictly, probabilities never fall, whatever the scores."""
    some = rows(12)
    for values in (np.zeros(72), np.arange(72.0), np.arange(72.0)[::-1].copy()):
        knots, probabilities = calibrated(values[: len(some.labels)], some)
        assert (np.diff(knots) > 0).all()
        assert (np.diff(probabilities) >= 0).all()


def test_quotes_are_sentences_and_edits_differ_in_one_place() -> None:
    """A supported made case is a sentence of its evidence; an unsupported one is none, but nearly."""
    found = quotes.made({"wice": cases(7, 30), "own": cases(8, 5)})
    assert sorted(found) == ["wice"]
    assert {case.supported for case in found["wice"]} == {True, False}
    for case in found["wice"]:
        assert (case.claim in case.evidence) == case.supported
        if not case.supported:
            shared = max(len(set(case.claim.split()) & set(each.split())) for each in case.evidence)
            assert shared >= len(set(case.claim.split())) - 3
    assert found == quotes.made({"wice": cases(7, 30)})


def test_overlap_counts_content_words() -> None:
    """The first peer is the share of content words that the evidence has."""
    case = cases(1, 4)[0]
    assert overlap(case) == 1.0


def test_command_judges_a_set_of_your_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints and writes the figures of all systems, with a reliability plot."""
    pytest.importorskip("wordllama")
    healthver = tmp_path / "healthver"
    healthver.mkdir()
    lines = ["claim,evidence,label,question"]
    for case in cases(3, 40):
        label = "Supports" if case.supported else "Neutral"
        lines.append(f'"{case.claim}","{" ".join(case.evidence)}",{label},{case.group}')
    (healthver / "healthver_dev.csv").write_text("\n".join(lines) + "\n", "utf-8")
    write(cases(4, 30), tmp_path / "mine.jsonl")
    out, page = tmp_path / "out.json", tmp_path / "out.html"
    options = ["--data", str(tmp_path), "--sets", "mine", "--no-speed", "--json", str(out), "--html", str(page)]
    assert main(options) == 0
    text = capsys.readouterr().out
    found = json.loads(out.read_text("utf-8"))["results"]
    assert {each["held_out"] for each in found} == {"mine"}
    assert [each["system"] for each in found][2:] == ["word overlap", "TF-IDF + regression", "embedding similarity"]
    assert found[0]["auroc"]["value"] > 0.8
    assert "balanced accuracy" in text
    assert "<circle" in page.read_text("utf-8")


@pytest.mark.parametrize("options", [["--data", "nowhere"], ["--data", ".", "--no-speed"]])
def test_command_refuses_a_folder_without_sets(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that is none, or holds no sets, is a clear error with exit code 2."""
    monkeypatch.chdir(tmp_path)
    assert main(options) == 2
    assert capsys.readouterr().err.startswith("error: ")
