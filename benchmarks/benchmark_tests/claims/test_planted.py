"""Edits that are planted into what claims say themselves."""

from __future__ import annotations

import random

import pytest
from coditect_benchmarks.tier4.planted import _of_forms


def _edits(text: str, seed: int = 0) -> dict[str, str]:
    return dict(_of_forms(text, random.Random(seed)))  # noqa: S311 - no secret


@pytest.mark.parametrize("seed", range(20))
def test_edited_figure_is_another_number_of_the_claim_itself(seed: int) -> None:
    """Of 1 to 9 more; numbers in quotations, in names of files and in paths stay."""
    found = _edits("In 7 documents, a/2021.3 and log-2.md among them: “kept for 12 months”.", seed)["figure"]
    number = int(found.split()[1])
    assert 8 <= number <= 16
    assert found == f"In {number} documents, a/2021.3 and log-2.md among them: “kept for 12 months”."


def test_edited_figures_are_all_of_nine() -> None:
    """By chance each of them."""
    assert {_edits("In 7 documents.", seed)["figure"] for seed in range(99)} == {
        f"In {n} documents." for n in range(8, 17)
    }


def test_edits_turn_the_first_verb_and_deny_the_last_word_of_a_quotation() -> None:
    """Short quotations are names and stay; a condition and a sentence can be added to anything."""
    said = "Both differ from “Rule 4”, and they differ: “logs are kept here”"
    assert _edits(f"{said}.") == {
        "verb": f"{said}.".replace("differ", "agree", 1),
        "quotation": f"{said}.".replace("kept here", "kept not here"),
        "condition": f"{said}, unless the parties agree otherwise.",
        "sentence added": f"{said}. No further review is needed.",
    }
