"""Calibration on reviews: it improves on documents held out or says that it does not, and a person switches, nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from coditect.errors import NotFound, UsageError
from coditect.integrity.validate import validate
from coditect.knowledge.calibration.proposal import calibrate
from coditect.knowledge.calibration.switching import calibration_state, switch
from coditect.knowledge.query.opened import Opened
from coditect.knowledge.review.check_text import check_text
from coditect.knowledge.review.replay import replay
from coditect.schemas import CalibrationReport, Review
from coditect.schemas.calibration import FITTED
from coditect.store.acts.calibrations import calibrations_of
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.verify.staged.calibration import SHIPPED
from tests.corpora import CORPUS, clock, copy_of, folder_of, ingest_all
from tests.integration.archives import export_bytes, import_bytes
from tests.integration.calibration_corpus import DOCUMENTS, REVIEWS, NoHits, build_claimed, review_claims

SIGNED = {"by": "C. Alibrator", "meaning": "read the changed verdicts"}


def dislikes_turned(slips: float = 0.1) -> Callable[[str, str], bool]:
    """A reviewer to whom the order of words matters and additions do not, which the shipped figures see the other way round.

    Args:
        slips: share of decisions that are wrong by the reviewer's own measure.
    """
    generator = random.Random(3)  # noqa: S311 - a seeded choice

    def decide(claim: str, quote: str) -> bool:
        right = " is to " not in claim
        return right if generator.random() >= slips else not right

    return decide


def throws_a_coin() -> Callable[[str, str], bool]:
    """A reviewer whose decisions have nothing to do with the claims."""
    generator = random.Random(4)  # noqa: S311 - a seeded choice
    return lambda claim, quote: generator.random() < 0.5


@pytest.fixture(scope="module")
def claimed(tmp_path_factory: pytest.TempPathFactory) -> MemoryStore:
    """A built corpus whose hundred and twenty claims wait for a reviewer."""
    memory = MemoryStore()
    store = Store(MemoryEngine(memory))
    ingest_all(store, folder_of(tmp_path_factory.mktemp("branches"), DOCUMENTS))
    build_claimed(store)
    return memory


@pytest.fixture(scope="module")
def reviewed(claimed: MemoryStore) -> tuple[MemoryStore, CalibrationReport]:
    """The corpus after a reviewer who deviates from the shipped figures, and what calibrating gave."""
    memory = MemoryStore()
    memory.state = claimed.state
    store = Store(MemoryEngine(memory))
    review_claims(store, dislikes_turned())
    return memory, calibrated(store)


@pytest.fixture(scope="module")
def rebuilt(reviewed: tuple[MemoryStore, CalibrationReport]) -> MemoryStore:
    """The reviewed corpus in its next generation: the reviews took effect, the proposal did not."""
    memory = MemoryStore()
    memory.state = reviewed[0].state
    build_claimed(Store(MemoryEngine(memory)))
    return memory


@pytest.fixture(scope="module")
def switched(rebuilt: MemoryStore, reviewed: tuple[MemoryStore, CalibrationReport]) -> MemoryStore:
    """The same after a switch to the proposal, in one more generation."""
    memory = MemoryStore()
    memory.state = rebuilt.state
    store = Store(MemoryEngine(memory))
    made = switch(store, CORPUS, reviewed[1].proposal, at=clock(), **SIGNED)
    assert (made.by, made.meaning, made.calibration_id) == (SIGNED["by"], SIGNED["meaning"], reviewed[1].proposal)
    build_claimed(store)
    return memory


def calibrated(store: Store, seed: int = 0) -> CalibrationReport:
    """A calibration of the current generation; nothing is marked, so no question is asked."""
    view = open_view(store, CORPUS)
    return calibrate(Opened(view), NoHits(), card=None, seed=seed)


def test_calibrate_on_reviews_that_deviate_improves_held_out_auroc_and_switches_nothing(
    reviewed: tuple[MemoryStore, CalibrationReport], rebuilt: MemoryStore
) -> None:
    """Reviewers who deviate from the shipped figures are learnt from; the proposal lies there, and nothing reads it."""
    store, report = copy_of(reviewed[0]), reviewed[1]
    (checker,) = [part for part in report.parts if part.part == "checker"]
    assert sum(1 for _ in store.scan("reviews", Review, CORPUS)) == REVIEWS
    assert checker.cases + sum(checker.left_out.values()) == REVIEWS
    assert checker.improves
    assert checker.difference is not None
    assert checker.before is not None
    assert checker.after is not None
    assert checker.difference.low > 0.0
    assert checker.after.value - checker.before.value == pytest.approx(checker.difference.value, abs=2e-4)
    assert checker.after.value > 0.75
    state = calibration_state(store, CORPUS)
    assert [each.calibration_id for each in state.proposals] == [report.proposal]
    assert (state.in_force, state.switches) == ("", ())
    assert report.judged_again >= checker.cases
    assert sum(report.directions.values()) == len(report.changes)
    after = copy_of(rebuilt)
    assert all(FITTED not in verdict.weights_version for verdict in open_view(after, CORPUS).verdicts.values())
    assert validate(after, CORPUS).findings == ()
    assert open_view(store, CORPUS).generation + 1 == open_view(after, CORPUS).generation


def test_calibrate_on_reviews_that_are_noise_says_that_nothing_improves(claimed: MemoryStore) -> None:
    """Decisions that have nothing to do with the claims give no proposal."""
    store = copy_of(claimed)
    review_claims(store, throws_a_coin())
    for seed in range(2):
        report = calibrated(store, seed)
        (checker,) = [part for part in report.parts if part.part == "checker"]
        assert not checker.needs
        assert not checker.improves
        assert (report.proposal, report.changes) == ("", ())
    assert calibration_state(store, CORPUS).proposals == ()


def test_calibrate_with_too_few_reviews_says_how_many_it_needs_and_does_nothing(claimed: MemoryStore) -> None:
    """Ten reviews are no basis; the error names what is missing, and nothing is stored."""
    store = copy_of(claimed)
    some = review_claims(store, dislikes_turned())
    for review in some[10:]:
        store.remove("reviews", CORPUS, review.review_id)
    with pytest.raises(UsageError, match=r"60 reviews \(\d+ so far\)"):
        calibrated(store)
    assert calibration_state(store, CORPUS).proposals == ()


def test_calibrate_again_gives_the_same_proposal(reviewed: tuple[MemoryStore, CalibrationReport]) -> None:
    """The same reviews and seed give the same bytes under the same id; another seed may cut other folds."""
    store, report = copy_of(reviewed[0]), reviewed[1]
    assert calibrated(store) == report
    assert len(calibration_state(store, CORPUS).proposals) == 1


def test_switch_takes_effect_in_the_next_build_and_both_generations_replay(
    reviewed: tuple[MemoryStore, CalibrationReport], rebuilt: MemoryStore, switched: MemoryStore
) -> None:
    """A switch re-judges in a new generation, as the report said; the old one stays, and each replays with its own figures."""
    store, report = copy_of(switched), reviewed[1]
    old, new = open_view(copy_of(rebuilt), CORPUS), open_view(store, CORPUS)
    assert new.generation == old.generation + 1
    assert new.manifest.build_id != old.manifest.build_id
    figures = calibrations_of(store, CORPUS).proposals[report.proposal].checker
    assert figures is not None
    named = {v.weights_version.rpartition(" ")[2] for v in new.verdicts.values() if v.weights_version}
    assert named == {figures.version}
    assert {v.weights_version.rpartition(" ")[2] for v in old.verdicts.values() if v.weights_version} == {
        SHIPPED.version
    }
    for generation in (old.generation, new.generation):
        again = replay(open_view(store, CORPUS, generation))
        assert again.drift == ()
        assert again.identical > REVIEWS
    assert figures.version in replay(new).weights_version
    assert validate(store, CORPUS).findings == ()
    assert validate(store, CORPUS, as_of=old.generation).findings == ()


def test_report_names_the_verdicts_that_the_next_build_changes(
    reviewed: tuple[MemoryStore, CalibrationReport], switched: MemoryStore
) -> None:
    """What the report announces is what a build after the switch does to the checker's own labels."""
    store, report = copy_of(switched), reviewed[1]
    view = open_view(copy_of(reviewed[0]), CORPUS)
    after = {new.text: new for new in open_view(store, CORPUS).claims.values()}
    fresh = open_view(store, CORPUS)
    for each in report.changes:
        assert view.verdicts[each.claim_id].label == each.old_label
        assert fresh.verdicts[after[each.text].claim_id].support_score == each.new_score
    scores = {view.claims[i].text: v.support_score for i, v in view.verdicts.items()}
    moved = [c.text for i, c in fresh.claims.items() if scores[c.text] != fresh.verdicts[i].support_score]
    assert moved
    assert {view.verdicts[c].weights_version != "" for c in view.claims if view.claims[c].text in moved} == {True}


def test_revert_judges_as_before_and_names_who_went_back(
    reviewed: tuple[MemoryStore, CalibrationReport], rebuilt: MemoryStore, switched: MemoryStore
) -> None:
    """After the shipped figures are put back, the next build gives the old verdicts; its steps name the switch."""

    def judged(store: Store) -> dict[str, tuple[str, float, str]]:
        view = open_view(store, CORPUS)
        return {
            view.claims[claim_id].text: (each.label, each.support_score, each.weights_version)
            for claim_id, each in view.verdicts.items()
        }

    store, report = copy_of(switched), reviewed[1]
    before = judged(copy_of(rebuilt))
    assert judged(store) != before
    back = switch(store, CORPUS, "", at=clock(), **SIGNED)
    build_claimed(store)
    assert judged(store) == before
    assert replay(open_view(store, CORPUS)).drift == ()
    store.remove("switches", CORPUS, back.switch_id)
    assert any(each.record.endswith(back.switch_id) for each in validate(store, CORPUS).findings)
    store.put_items([back])
    state = calibration_state(store, CORPUS)
    assert [each.calibration_id for each in state.switches] == [report.proposal, ""]
    assert state.switches[1].follows == (state.switches[0].switch_id,)
    assert state.in_force == ""


def test_check_text_uses_the_calibration_in_force(reviewed: tuple[MemoryStore, CalibrationReport]) -> None:
    """Somebody else's text is weighed with the figures in force, which the report of it names."""
    store, report = copy_of(reviewed[0]), reviewed[1]
    view = open_view(store, CORPUS)
    text = b"The data owner of branch 3 must archive the records register.\n"
    assert check_text(view, lambda sentence: [], text).weights_version.endswith(SHIPPED.version)
    switch(store, CORPUS, report.proposal, at=clock(), **SIGNED)
    assert FITTED in check_text(view, lambda sentence: [], text).weights_version


def test_switch_refuses_what_is_unknown_unsigned_or_in_force_already(
    reviewed: tuple[MemoryStore, CalibrationReport],
) -> None:
    """A switch is to something else, by somebody, for a reason."""
    store, report = copy_of(reviewed[0]), reviewed[1]
    with pytest.raises(NotFound, match="unknown calibration"):
        switch(store, CORPUS, "calibration_0", at=clock(), **SIGNED)
    with pytest.raises(NotFound, match="unknown corpus"):
        switch(store, "elsewhere", report.proposal, at=clock(), **SIGNED)
    with pytest.raises(UsageError, match="names who signs"):
        switch(store, CORPUS, report.proposal, at=clock(), by=" ", meaning="m")
    with pytest.raises(UsageError, match="shipped figures are in force already"):
        switch(store, CORPUS, "", at=clock(), **SIGNED)
    switch(store, CORPUS, report.proposal, at=clock(), **SIGNED)
    with pytest.raises(UsageError, match="in force already"):
        switch(store, CORPUS, report.proposal, at=clock(), **SIGNED)


def test_archive_carries_calibrations_to_another_store(switched: MemoryStore) -> None:
    """A corpus that is read back has its calibration in force, and its verdicts replay there."""
    store = copy_of(switched)
    other = Store(MemoryEngine(MemoryStore()))
    import_bytes(other, export_bytes(store))
    assert calibration_state(other, CORPUS) == calibration_state(store, CORPUS)
    assert replay(open_view(other, CORPUS)).drift == ()


def test_validate_names_a_calibration_that_is_gone(
    reviewed: tuple[MemoryStore, CalibrationReport], switched: MemoryStore
) -> None:
    """A verdict whose figures are lost cannot be given again, and validation says so."""
    store, report = copy_of(switched), reviewed[1]
    store.remove("calibrations", CORPUS, report.proposal)
    found = validate(store, CORPUS).findings
    assert any(each.record.startswith("claims/") and "is not stored" in each.message for each in found)
    assert any(each.check == "completeness" and each.record.startswith("calibrations/") for each in found)
    assert {each.cause for each in replay(open_view(store, CORPUS)).drift} == {"weights"}
