"""Claims that are not supported by what they cite are refused, with a reason that says why; faithful ones are published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.schemas import (
    Citation,
    Claim,
    ClaimKind,
    ClaimSource,
    Extraction,
    Restatement,
    Section,
    SectionPart,
    Verdict,
)
from coditect.verify.checker import CHECKER, Evidence, check

POLICY, CONTRACT, OTHER = "policy.md", "contract.md", "other.md"
NAMES = frozenset({POLICY, CONTRACT, OTHER})

LAW = "unless the law forbids it."
SAID = f"Customers shall be notified of a breach within 72 hours, {LAW}"
SENTENCES = (
    (
        POLICY,
        SAID,
        "obligation",
        72.0,
        "72 hours",
    ),
    (
        CONTRACT,
        "The Processor shall notify the Controller of a breach within 24 hours.",
        "obligation",
        24.0,
        "24 hours",
    ),
    (POLICY, "Employees may use a personal device to read mail.", "permission", 0.0, ""),
    (CONTRACT, "Personal devices must not be used to read mail.", "prohibition", 0.0, ""),
)


def _extraction(name: str, text: str, kind: str, hours: float, says: str) -> Extraction:
    data: dict[str, Any] = {}
    if says:
        data["measures"] = [{"kind": "deadline", "head": "notifi", "verb": "notified", "value": hours, "text": says}]
    return Extraction.create(
        corpus_id="c",
        document_id=name,
        version_id="v",
        derivation_id="d",
        extraction_kind=kind,
        tier1_data=data,
        source_text=text,
        char_offset_start=0,
        char_offset_end=len(text),
        section_id="sec_1",
        confidence=0.9,
    )


EXTRACTIONS = [_extraction(*sentence) for sentence in SENTENCES]
SECTION = Section.create(
    corpus_id="c",
    derivation_id="d",
    topic="breach",
    topic_terms=("breach",),
    content=(
        SectionPart(type="synthetic", content="What the documents require:"),
        *(
            SectionPart(
                type="extractive",
                content=e.source_text,
                citation=Citation(
                    chunk_id="chunk",
                    extraction_ids=(e.extraction_id,),
                    document_id=e.document_id,
                    version_id="v",
                    document_name=e.document_id,
                    char_start=0,
                    char_end=len(e.source_text),
                ),
            )
            for e in EXTRACTIONS
        ),
    ),
    source_chunks=("chunk",),
    document_count=2,
    quoted_document_count=2,
    synthesized_content_ratio=0.0,
    max_synthesis_ratio=0.2,
)


def not_restated(claim: Claim, parts: Sequence[SectionPart]) -> Restatement:
    """Claims in words of their own are never made again."""
    raise AssertionError(f"{claim.text} was rendered from {len(parts)} quotes")


def evidence_of(section: Section) -> Evidence:
    """What the checker may look at, for claims in words."""
    return Evidence({section.section_id: section}, {e.extraction_id: e for e in EXTRACTIONS}, NAMES, not_restated)


def _check(text: str, cited: tuple[int, ...], section: Section = SECTION, kind: ClaimKind = "requirement") -> Verdict:
    """The verdict on a claim that cites sentences by their number, 1 for the first."""
    claim = Claim.create(
        corpus_id="c",
        derivation_id="d",
        claim_kind=kind,
        text=text,
        topic="breach",
        citations=tuple(ClaimSource(section_id=section.section_id, part=part) for part in cited),
    )
    return check(claim, evidence_of(section))


WHOLE = f"{POLICY}: “{SAID}”"


@pytest.mark.parametrize("text", [WHOLE, f"{POLICY}: {SAID}"])
def test_requirement_that_says_what_its_quote_says_is_published(text: str) -> None:
    """The words of the quote, in quotation marks or not, are supported."""
    verdict = _check(text, (1,))
    assert verdict.published
    assert (verdict.label, verdict.support_score, verdict.checker) == ("supported", 1.0, CHECKER)
    assert verdict.confidence == 0.9


@pytest.mark.parametrize(
    ("text", "cited", "reason"),
    [
        (WHOLE, (), "cited: no citation"),
        (WHOLE, (0,), "cited: a citation does not lead to a quote"),
        (WHOLE, (99,), "cited: a citation does not lead to a quote"),
        (WHOLE.replace("72", "27"), (1,), "verbatim"),
        (f"{POLICY}: Customers shall be notified of a breach within 27 hours, {LAW}", (1,), "numbers: not in the evidence: 27"),
        (f"{POLICY}: “Customers shall be notified of a breach within 72 hours”", (1,), "qualified: a condition or exception is"),
        (f"{POLICY}: Customers may be notified of a breach within 72 hours, {LAW}", (1,), "modality"),
        (f"{POLICY}: Employees must use a personal device to read mail.", (3,), "modality"),
        (f"{POLICY}: Customers shall not be notified of a breach within 72 hours, {LAW}", (1,), "negation"),
        (f"{CONTRACT}: Personal devices must be used to read mail.", (4,), "negation"),
        (f"{OTHER}: “{SAID}”", (1,), "attributed"),
        (f"{POLICY}: “{SAID}”", (2,), "attributed"),
        (f"{CONTRACT}: “{SAID}”", (2,), "verbatim"),
        (f"{POLICY}: “Customers shall be rewarded with gold.”", (1,), "verbatim: “Customers shall be rewarded with gold.” is not"),
        (f"{POLICY}: Customers shall be rewarded with gold within 72 hours, {LAW}", (1,), "contained: not in the evidence: reward"),
    ],
)  # fmt: skip
def test_requirement_that_says_something_else_is_refused_and_told_why(
    text: str, cited: tuple[int, ...], reason: str
) -> None:
    """A changed number, a dropped condition, another strength, a turned negation, a wrong name, an invented quote, no citation."""
    verdict = _check(text, cited)
    assert not verdict.published
    assert verdict.label == "unsupported"
    assert reason in verdict.filter_reason


def test_requirement_cut_after_a_negation_is_refused() -> None:
    """A quote that begins behind "must not" says the opposite, however verbatim it is."""
    verdict = _check(f"{CONTRACT}: “be used to read mail.”", (4,))
    assert "negation" in verdict.filter_reason


@given(st.text(min_size=1, max_size=200))
def test_check_of_any_text_gives_a_score_between_0_and_1(text: str) -> None:
    """No text breaks the checker, and nothing without support is published silently."""
    verdict = _check(text, (1,))
    assert 0.0 <= verdict.support_score <= 1.0
    assert verdict.published or verdict.filter_reason


@given(st.integers(0, 999))
def test_check_refuses_every_other_number(number: int) -> None:
    """Of all numbers only the one in the quote is published."""
    text = f"{POLICY}: Customers shall be notified of a breach within {number} hours, {LAW}"
    assert _check(text, (1,)).published == (number == 72)


def test_requirement_that_drops_its_if_is_refused() -> None:
    """Words that only contain "if" ("notified") do not stand in for a dropped "if"."""
    said = "If a vendor asks, customers shall be notified."
    verdict = _of_sentence(said, "Customers shall be notified.")
    assert "qualified: a condition or exception is left out: if" in verdict.filter_reason
    assert _of_sentence(said, said).published


def _citing(source: str) -> Section:
    """A section that quotes one sentence of the policy."""
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
    return SECTION.model_copy(update={"content": (part,)})


def _of_sentence(source: str, said: str) -> Verdict:
    """The verdict on a requirement that cites one sentence of the policy."""
    return _check(f"{POLICY}: “{said}”", (0,), _citing(source))


@pytest.mark.parametrize(("named", "label", "told"), [(POLICY, "needs_review", 1), (CONTRACT, "unsupported", 0)])
def test_what_helps_to_decide_is_told_where_a_person_decides(named: str, label: str, told: int) -> None:
    """A claim that is proven to be a rewrite is not published for it; one that rules refuse is told nothing."""
    section = _citing("Reports summarizing audit activities shall be retained for a period of seven years.")
    text = f"{named}: Reports that summarize audit activities must be kept for seven years."
    verdict = _check(text, (0,), section, kind="synthesis")
    assert (verdict.label, verdict.published) == (label, False)
    assert [each.name for each in verdict.signals].count("rewrite") == told
    assert "rewrite" not in verdict.filter_reason
    assert verdict.filter_reason
