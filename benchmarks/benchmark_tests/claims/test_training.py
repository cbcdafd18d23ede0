"""Training the classifier of readings: the same claims give the same bytes, signs are kept, and families are held out."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from coditect_benchmarks.claims import __main__ as command
from coditect_benchmarks.claims.measuring import NAMES, MeasuredClaims, digest_of, family_of, measure_claims
from coditect_benchmarks.claims.records import WrittenClaim, read_claims
from coditect_benchmarks.claims.training import as_weights, fit, hold_out, probabilities, settle

from coditect.verify.learned.classifier import ReadingClassifier
from coditect.verify.learned.measures import FREE, SIGNS

WRITTEN = Path(command.__file__).with_name("written.jsonl")
FAMILIES = ("invented contract", "invented policy", "invented rulebook", "invented standard", "invented minutes")


@pytest.fixture(scope="module")
def few() -> list[WrittenClaim]:
    """Twelve claims of each of five families."""
    claims = read_claims(WRITTEN)
    return [each for name in FAMILIES for each in [c for c in claims if c.family == name][:12]]


@pytest.fixture(scope="module")
def measured(few: list[WrittenClaim]) -> MeasuredClaims:
    """The same, measured."""
    return measure_claims(few)


def test_training_gives_the_same_bytes_for_the_same_claims(measured: MeasuredClaims, few: list[WrittenClaim]) -> None:
    """Weights are readable by the product, and equal however often they are made."""
    one, other = (as_weights(measured, FAMILIES[:1], {"claims_sha256": digest_of(few)}) for _ in range(2))
    assert one == other
    classifier = ReadingClassifier.parse(one)
    row = dict(zip(NAMES, measured.values[0].tolist(), strict=True))
    assert classifier.probability(row) == pytest.approx(float(probabilities(fit(measured), measured)[0]), abs=1e-3)


def test_fit_keeps_the_signs_that_measures_have(measured: MeasuredClaims) -> None:
    """More of a measure that speaks against claims never makes one more probable, nor less of one that speaks for them."""
    weights = fit(measured)
    asked = {NAMES[at] for tree in weights.trees for at in tree["measure"] if at >= 0}
    assert asked - FREE
    for name in sorted(asked - FREE):
        found = []
        for value in (-9.0, 0.0, 0.5, 1.0, 9.0):
            values = measured.values.copy()
            values[:, NAMES.index(name)] = value
            found.append(probabilities(weights, replace(measured, values=values)))
        steps = np.diff(np.array(found), axis=0) * SIGNS[name]
        assert (steps >= -1e-5).all(), name


def test_nodes_hold_the_mean_of_their_leaves(measured: MeasuredClaims) -> None:
    """What a node has lies between what its two sides have."""
    for tree in fit(measured).trees:
        for node, at in enumerate(tree["measure"]):
            if at >= 0:
                low, high = sorted((tree["value"][tree["left"][node]], tree["value"][tree["right"][node]]))
                assert low - 1e-5 <= tree["value"][node] <= high + 1e-5


def test_fit_orders_true_claims_before_false_ones(measured: MeasuredClaims) -> None:
    """On what it was fitted on, at least."""
    found = probabilities(fit(measured), measured)
    assert found[measured.labels == 1].mean() > found[measured.labels == 0].mean() + 0.2


def test_held_out_family_does_not_see_its_own_labels(measured: MeasuredClaims) -> None:
    """Turning the labels of a family round changes nothing of what is said of it."""
    inside = measured.families == FAMILIES[0]
    turned = MeasuredClaims(
        measured.values,
        np.where(inside, 1 - measured.labels, measured.labels),
        measured.families,
        measured.ruled,
        measured.scores,
    )
    one, other = (hold_out(each, (), [FAMILIES[:1]]) for each in (measured, turned))
    assert np.array_equal(one.probabilities[inside], other.probabilities[inside])
    assert np.array_equal(one.labels, other.labels)


def test_settle_joins_rules_and_classifier_as_the_product_does(measured: MeasuredClaims) -> None:
    """Supported and refused where both say so; refused, too, where the classifier refuses what rules leave open."""
    some = measured.take(np.array([0] * 5))
    some.ruled[:] = [1, 1, 0, -1, -1]
    found = np.array([0.9, 0.5, 0.1, 0.9, 0.1])
    assert settle(found, some, 0.2, 0.8).tolist() == [1, 0, -1, 0, -1]


def test_genres_set_aside_are_not_trained_on() -> None:
    """The shipped trees never saw a genre of the claims that are kept for scoring; of those they saw every genre is there."""
    row = json.loads((files("coditect.verify.learned") / "weights" / "readings.json").read_bytes())
    kept, varied = (
        {family_of(each) for each in read_claims(WRITTEN.with_name(name))} for name in ("aside.jsonl", "varied.jsonl")
    )
    assert len(kept) == 3
    assert not kept & set(row["trained_on"])
    assert varied <= set(row["trained_on"])


@pytest.mark.parametrize("name", ["aside.jsonl", "varied.jsonl"])
def test_claims_are_true_and_false_in_equal_parts_of_every_passage(name: str) -> None:
    """So that neither a passage nor a genre tells the label."""
    sides: dict[str, list[bool]] = {}
    for claim in read_claims(WRITTEN.with_name(name)):
        sides.setdefault(claim.evidence, []).append(claim.is_true)
    assert all(2 * sum(each) == len(each) for each in sides.values())


def test_family_is_what_the_writer_calls_it_or_the_folder() -> None:
    """A document's folder stands for its kind."""
    claim = WrittenClaim("1", "A.", "B.", is_true=True, kind="", document="/data/minutes/june.txt")
    assert family_of(claim) == "minutes"
    assert family_of(WrittenClaim("1", "A.", "B.", is_true=True, kind="", family="own")) == "own"


def test_train_command_prints_families_and_writes_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From a file of claims to weights that the product reads, with the families held out."""
    lines = WRITTEN.read_text("utf-8").splitlines()
    seen, unseen, out = (tmp_path / name for name in ("seen.jsonl", "unseen.jsonl", "weights.json"))
    chosen = {name: [line for line in lines if json.loads(line)["family"] == name][:12] for name in FAMILIES}
    seen.write_text("\n".join(line for name in FAMILIES[:3] for line in chosen[name]), "utf-8")
    unseen.write_text("\n".join(line for name in FAMILIES[3:] for line in chosen[name]), "utf-8")
    assert command.main(["train", "--claims", str(seen), "--unseen", str(unseen), "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert all(f"{name} (" in said for name in FAMILIES)
    assert "words in common" in said
    assert ReadingClassifier.parse(out.read_bytes()).supports_from > 0
    assert command.main(["train", "--claims", str(tmp_path / "none"), "--unseen", str(unseen)]) == 2
