"""Figures, gaps and differences say what was counted or compared, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.schemas import Citation, Claim, ClaimSource, SectionPart, Verdict
from coditect.verify.checker import Evidence, check
from tests.unit.verify.test_checker import CONFLICT, CONTRACT, DIFFER, NAMES, OTHER, POLICY, SECTION, _check

RECIPE: dict[str, Any] = {"figure": "measure", "kind": "frequency", "head": "notifi"}
COUNTED: dict[str, Any] = {"documents": 3, "of": 4, "values": [["annually", 2], ["quarterly", 1]], "without": []}
ACT = "Intervals for being “notified” differ in 3 documents"
THEME: dict[str, Any] = {"documents": 2, "of": 3}


@pytest.mark.parametrize(
    ("text", "published"),
    [
        (f"{ACT}: annually (2), quarterly (1).", True),
        (f"{ACT}: annually (2), others (1).", True),
        (f"{ACT}: annually (2), others (2).", False),
        (f"{ACT}: annually (2), annually (2).", False),
        (f"{ACT}: annually (2).", False),
        (f"{ACT}: annually (2), monthly (1).", False),
        (f"{ACT}: annually (1), quarterly (2).", False),
        (f"{ACT.replace('notified', 'customers')}: annually (2), quarterly (1).", False),
        (f"{ACT.replace('differ', 'agree')}: annually (2), quarterly (1).", False),
        (f"{ACT}: annually (2), quarterly (1), unless the owner decides otherwise.", False),
        (f"{ACT}: annually (2), quarterly (1). No further test is needed.", False),
    ],
)
def test_statistic_is_published_only_with_the_values_that_were_counted(text: str, published: bool) -> None:
    """Another value, another activity, a condition or a second sentence: refused."""
    verdict = _check("statistic", text, (1,), {**RECIPE, "result": COUNTED}, **COUNTED)
    assert verdict.published == published, verdict.filter_reason


@pytest.mark.parametrize(
    ("text", "published"),
    [
        ("2 of 3 documents speak to “breach”.", True),
        ("2 of 3 documents do not speak to “breach”.", False),
        ("Only 2 of 3 documents speak to “breach”.", False),
        ("2 of 3 documents speak to “breach”, and must.", False),
        ("2 of 3 documents prohibit “breach”.", False),
    ],
)
def test_theme_is_published_only_in_its_own_words(text: str, published: bool) -> None:
    """A word more, or another verb, is not what was counted."""
    recipe = {"figure": "coverage", "topic": "breach", "result": THEME}
    verdict = _check("theme", text, (1,), recipe, **THEME)
    assert verdict.published == published, verdict.filter_reason


@pytest.mark.parametrize(
    "text",
    [
        f"{DIFFER}: 24 hours in {CONTRACT}, not 72 hours in {POLICY}.",
        f"{DIFFER}: 24 hours in {CONTRACT}, 72 hours in {POLICY}, except on holidays.",
        f"{DIFFER.replace('differ', 'agree')}: 24 hours in {CONTRACT}, 72 hours in {POLICY}.",
        f"{DIFFER.replace('notify', 'ignore')}: 24 hours in {CONTRACT}, 72 hours in {POLICY}.",
    ],
)
def test_difference_that_says_more_is_refused(text: str) -> None:
    """A negation, an exception, another verb around true values."""
    verdict = _check("conflict", text, (2, 1), CONFLICT)
    assert not verdict.published
    assert "worded" in verdict.filter_reason


@pytest.mark.parametrize(
    ("text", "recipe", "cited"),
    [
        (f"{POLICY}, row “ID: C-3” leaves no point open: “Owner: TBD”.", {"gap": "open", "says": "Owner: TBD"}, (5,)),
        (f"{POLICY}, row “ID: C-3” has an “Evidence”.", {"gap": "empty", "label": "Evidence"}, (5, 6)),
        (
            f"{POLICY} is not overdue: “Due on: 2026-05-31”, but the newest date of {OTHER} is 2026-09-16.",
            {"gap": "overdue", "due": "2026-05-31", "as_of": "2026-09-16"},
            (5, 7),
        ),
    ],
)
def test_gap_that_is_turned_round_is_refused(text: str, recipe: dict[str, Any], cited: tuple[int, ...]) -> None:
    """What is said around a true quotation must be the gap that the quotation shows."""
    verdict = _check("gap", text, cited, recipe)
    assert not verdict.published
    assert "worded" in verdict.filter_reason


def test_requirement_that_drops_its_if_is_refused() -> None:
    """Words that only contain "if" ("notified") do not stand in for a dropped "if"."""
    said = "If a vendor asks, customers shall be notified."
    verdict = _of_sentence(said, "Customers shall be notified.")
    assert "qualified: a condition or exception is left out: if" in verdict.filter_reason
    assert _of_sentence(said, said).published


def _of_sentence(source: str, said: str) -> Verdict:
    """The verdict on a requirement that cites one sentence of the policy."""
    part = SectionPart(
        type="extractive",
        content=source,
        citation=Citation(
            chunk_id="chunk",
            extraction_ids=(),
            document_id=POLICY,
            version_id="v",
            document_name=POLICY,
            char_start=0,
            char_end=len(source),
        ),
    )
    section = SECTION.model_copy(update={"content": (part,)})
    claim = Claim.create(
        corpus_id="c", derivation_id="d", claim_kind="requirement", text=f"{POLICY}: “{said}”",
        citations=(ClaimSource(section_id=section.section_id, part=0),),
    )  # fmt: skip
    return check(claim, Evidence({section.section_id: section}, {}, NAMES, dict))
