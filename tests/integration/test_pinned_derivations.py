"""Code that derives something else says so by its version: what the sample corpus gives is pinned beside the versions.

When this fails, raise the version that the message names, and rewrite ``pinned_derivations.json`` with
``python -m tests.integration.pinned_derivations``, which refuses while a version is missing.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from coditect.store.view import View
from tests.integration.pinned_derivations import COMMAND, Pin, compare, derive_sample, pins_of, read_pins


@pytest.fixture(scope="module")
def view() -> View:
    """The sample corpus, built once."""
    return derive_sample()


@pytest.fixture
def found(view: View) -> dict[str, Pin]:
    """What comes out of each step now."""
    return pins_of(view)


def changed(pin: Pin) -> Pin:
    """The same step with other results."""
    return replace(pin, sha256="0" * 64)


def raised(pin: Pin) -> Pin:
    """The same step with other versions."""
    return replace(pin, versions={name: f"{version}+" for name, version in pin.versions.items()})


def test_derivations_of_the_sample_are_those_that_their_versions_stand_for(found: dict[str, Pin]) -> None:
    """No step gives something else under the version that it had, and the pins are up to date."""
    unversioned, outdated = compare(read_pins(), found)
    assert not unversioned, "\n".join(unversioned)
    assert not outdated, "\n".join(outdated)


def test_pins_name_every_version_that_a_manifest_names(view: View, found: dict[str, Pin]) -> None:
    """A new part of the build cannot be forgotten here."""
    pinned = {version for pin in found.values() for version in pin.versions.values()}
    assert set(view.manifest.code_versions.values()) <= pinned


def test_pins_hold_items_of_every_step(found: dict[str, Pin]) -> None:
    """A step that the sample gives nothing for would be pinned for nothing."""
    assert {step for step, pin in found.items() if pin.items == 0} == set()


@pytest.mark.parametrize(
    ("step", "constant"),
    [
        ("extractions", "coditect.tiers.extractions.document.EXTRACTIONS_VERSION"),
        ("passages", "coditect.tiers.passages.PASSAGES_VERSION"),
        ("registers", "coditect.tiers.sections.registers.REGISTERS_VERSION"),
        ("verdicts", "coditect.verify.checker.CHECKER_VERSION"),
    ],
)
def test_compare_other_results_under_the_same_version_name_the_version(
    found: dict[str, Pin], step: str, constant: str
) -> None:
    """The message says which step, and what to raise."""
    unversioned, _ = compare({**found, step: changed(found[step])}, found)
    assert [line.partition(":")[0] for line in unversioned] == [step]
    assert constant in unversioned[0]


def test_compare_results_of_changed_inputs_need_no_version_of_their_own(found: dict[str, Pin]) -> None:
    """Chunks of other extractions have other ids already; the pins are old, and that is all."""
    before = {**found, "extractions": raised(changed(found["extractions"])), "chunks": changed(found["chunks"])}
    unversioned, outdated = compare(before, found)
    assert unversioned == []
    assert [line.partition(":")[0] for line in outdated] == ["extractions", "chunks"]
    assert all(COMMAND in line for line in outdated)


def test_compare_a_missing_version_is_not_excused_by_another_step(found: dict[str, Pin]) -> None:
    """A version raised for passages says nothing of chunks."""
    before = {**found, "passages": raised(changed(found["passages"])), "chunks": changed(found["chunks"])}
    unversioned, outdated = compare(before, found)
    assert [line.partition(":")[0] for line in unversioned] == ["chunks"]
    assert [line.partition(":")[0] for line in outdated] == ["passages"]


def test_compare_a_version_raised_without_other_results_makes_pins_old(found: dict[str, Pin]) -> None:
    """What changed may not show in the sample; the next change must be seen against the new version."""
    unversioned, outdated = compare({**found, "claims": raised(found["claims"])}, found)
    assert unversioned == []
    assert [line.partition(":")[0] for line in outdated] == ["claims"]


def test_compare_other_files_make_pins_old(found: dict[str, Pin]) -> None:
    """A sample corpus that is edited needs no version; every step may give something else."""
    before = {step: changed(pin) for step, pin in found.items()}
    unversioned, outdated = compare(before, found)
    assert unversioned == []
    assert len(outdated) == len(found)


def test_compare_a_raised_version_of_tier_1_excuses_what_is_made_of_it(
    view: View, found: dict[str, Pin], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other ids may come in another order; Tier 1 itself is what it was, because no version is in its hash."""
    monkeypatch.setattr("coditect.knowledge.derivation.plan.EXTRACTIONS_VERSION", "another/1")
    again = derive_sample()
    texts_alone = {each for entry in view.entries.values() for each in entry.profile}
    assert again.live_derivations & view.live_derivations == texts_alone
    pins = pins_of(again)
    assert pins["extractions"] == found["extractions"]
    pins["extractions"] = replace(pins["extractions"], versions={"EXTRACTIONS_VERSION": "another/1"})
    unversioned, outdated = compare(found, pins)
    assert unversioned == []
    assert outdated
