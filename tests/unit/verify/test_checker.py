"""Claims that are not supported by what they cite are refused, with a reason that says why; faithful ones are published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.schemas import Citation, Claim, ClaimSource, Extraction, Section, SectionPart, Verdict
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
    (POLICY, "ID: C-3 | Owner: TBD | Due on: 2026-05-31 | Status: Effective", "proposition", 0.0, ""),
    (POLICY, "ID | Owner | Due on | Evidence | Status", "proposition", 0.0, ""),
    (OTHER, "ID: E-1 | Granted on: 2026-09-16 | Status: Open", "proposition", 0.0, ""),
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
    document_count=3,
    quoted_document_count=3,
    synthesized_content_ratio=0.0,
    max_synthesis_ratio=0.2,
)


@dataclass(frozen=True)
class _Recount:
    result: dict[str, Any]

    def __call__(self, recipe: object) -> dict[str, Any]:
        return self.result


def _check(kind: str, text: str, cited: tuple[int, ...], recipe: dict[str, Any] | None = None, **fresh: Any) -> Verdict:  # noqa: ANN401
    """The verdict on a claim that cites sentences by their number, 1 for the first."""
    claim = Claim.create(
        corpus_id="c",
        derivation_id="d",
        claim_kind=kind,
        text=text,
        topic="breach",
        citations=tuple(ClaimSource(section_id=SECTION.section_id, part=part) for part in cited),
        recipe=recipe or {},
    )
    evidence = Evidence(
        {SECTION.section_id: SECTION}, {e.extraction_id: e for e in EXTRACTIONS}, NAMES, _Recount(fresh)
    )
    return check(claim, evidence)


WHOLE = f"{POLICY}: “{SAID}”"


@pytest.mark.parametrize("text", [WHOLE, f"{POLICY}: {SAID}"])
def test_requirement_that_says_what_its_quote_says_is_published(text: str) -> None:
    """The words of the quote, in quotation marks or not, are supported."""
    verdict = _check("requirement", text, (1,))
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
    verdict = _check("requirement", text, cited)
    assert not verdict.published
    assert verdict.label == "unsupported"
    assert reason in verdict.filter_reason


def test_requirement_cut_after_a_negation_is_refused() -> None:
    """A quote that begins behind "must not" says the opposite, however verbatim it is."""
    verdict = _check("requirement", f"{CONTRACT}: “be used to read mail.”", (4,))
    assert "negation" in verdict.filter_reason


DIFFER = "Deadlines differ for “a breach” (notify)"
CONFLICT = {"conflict": "deadline", "head": "notifi"}


@pytest.mark.parametrize(
    ("text", "cited", "reason"),
    [
        (f"{DIFFER}: 24 hours in {CONTRACT}, 72 hours in {POLICY}.", (2, 1), ""),
        (f"{DIFFER}: 24 hours in {POLICY}, 72 hours in {CONTRACT}.", (2, 1), "differing: what contract.md"),
        (f"{DIFFER}: 25 hours in {CONTRACT}, 72 hours in {POLICY}.", (2, 1), "numbers: not in the evidence: 25"),
        (f"{DIFFER}: 24 hours in {CONTRACT}, 72 hours in {OTHER}.", (2, 1), "attributed"),
        (f"{DIFFER}: 24 hours in {CONTRACT}.", (2,), "differing: fewer than two"),
        (f"{DIFFER.replace('breach', 'theft')}: 24 hours in {CONTRACT}, 72 hours in {POLICY}.", (2, 1), "verbatim: “a theft”"),
    ],
)  # fmt: skip
def test_conflict_is_published_only_with_each_value_beside_its_document(
    text: str, cited: tuple[int, ...], reason: str
) -> None:
    """Values that are swapped, changed, ascribed to others or about something else are refused."""
    verdict = _check("conflict", text, cited, CONFLICT)
    assert verdict.published == (not reason)
    assert reason in verdict.filter_reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{POLICY} permits what {CONTRACT} prohibits on “mail”: “{SENTENCES[2][1]}” against “{SENTENCES[3][1]}”", ""),
        (f"{POLICY} requires what {CONTRACT} prohibits: “{SENTENCES[2][1]}”", "differing: what policy.md asks"),
    ],
)  # fmt: skip
def test_conflict_of_duties_says_of_each_document_what_it_asks(text: str, reason: str) -> None:
    """A permission is not told as a duty."""
    verdict = _check("conflict", text, (3, 4), {"conflict": "modality", "head": "use"})
    assert verdict.published == (not reason)
    assert reason in verdict.filter_reason


@pytest.mark.parametrize(
    ("text", "recipe", "cited", "reason"),
    [
        (
            f"{POLICY}, row “ID: C-3” leaves a point open: “Owner: TBD”.",
            {"gap": "open", "says": "Owner: TBD"},
            (5,),
            "",
        ),
        (
            f"{POLICY}, row “ID: C-3” leaves a point open: “Owner: TBD”.",
            {"gap": "open", "says": "Owner: TBD"},
            (7,),
            "attributed",
        ),
        (f"{POLICY}, row “ID: C-3” has no “Evidence”.", {"gap": "empty", "label": "Evidence"}, (5, 6), ""),
        (
            f"{POLICY}, row “ID: C-3” has no “Evidence”.",
            {"gap": "empty", "label": "Evidence"},
            (5,),
            "missing: nothing cited shows",
        ),
        (
            f"{POLICY}, row “ID: C-3” has no “Owner”.",
            {"gap": "empty", "label": "Owner"},
            (5, 6),
            "missing: the row does have",
        ),
        (
            f"{POLICY} is overdue: “Due on: 2026-05-31”, but the newest date of {OTHER} is 2026-09-16.",
            {"gap": "overdue", "due": "2026-05-31", "as_of": "2026-09-16"},
            (5, 7),
            "",
        ),
        (
            f"{POLICY} is overdue: “Due on: 2026-05-31”, but the newest date of {OTHER} is 2026-01-16.",
            {"gap": "overdue", "due": "2026-05-31", "as_of": "2026-01-16"},
            (5, 7),
            "numbers: not in the evidence: 2026-01-16",
        ),
        (
            f"{OTHER} is overdue: “Granted on: 2026-09-16”, but the newest date of {POLICY} is 2026-05-31.",
            {"gap": "overdue", "due": "2026-09-16", "as_of": "2026-05-31"},
            (7, 5),
            "missing: 2026-09-16 does not lie before 2026-05-31",
        ),
    ],
)
def test_gap_is_published_only_where_its_evidence_shows_it(
    text: str, recipe: dict[str, Any], cited: tuple[int, ...], reason: str
) -> None:
    """An empty cell is empty and its column there; a date lies before the other; an open point is in the quote."""
    verdict = _check("gap", text, cited, recipe)
    assert verdict.published == (not reason), verdict.filter_reason
    assert reason in verdict.filter_reason


MEASURED: dict[str, Any] = {"documents": 3, "of": 4, "values": [["annually", 2], ["quarterly", 1]], "without": [OTHER]}


@pytest.mark.parametrize(
    ("text", "stored", "reason"),
    [
        ("3 of 4 say: annually (2), quarterly (1).", MEASURED, ""),
        ("4 of 4 say: annually (2), quarterly (1).", MEASURED, "recounted: counted again it is “3 of 4”"),
        ("3 of 4 say: annually (3), quarterly (1).", MEASURED, "recounted: counted again it is “annually (2”"),
        ("3 of 4 say: annually (2), quarterly (1).", {**MEASURED, "of": 5}, "recounted: a fresh count gives"),
        ("3 of 4 say: annually (2), quarterly (1), and 17 never.", MEASURED, "numbers: not in the evidence: 17"),
    ],
)  # fmt: skip
def test_figure_is_published_only_as_counted_again(text: str, stored: dict[str, Any], reason: str) -> None:
    """A figure that is off by one in the sentence, or in what was stored, is refused."""
    recipe = {"figure": "measure", "kind": "frequency", "head": "this document", "result": stored}
    verdict = _check("statistic", text, (1,), recipe, **MEASURED)
    assert verdict.published == (not reason), verdict.filter_reason
    assert reason in verdict.filter_reason


@pytest.mark.parametrize(
    ("fresh", "reason"),
    [
        ({"documents": 1, "names": [POLICY], "resolves": False, "defined": False}, ""),
        ({"documents": 1, "names": [POLICY], "resolves": True, "defined": False}, "it is a document of the corpus"),
        ({"documents": 1, "names": [POLICY], "resolves": False, "defined": True}, "it is a defined term of the corpus"),
        ({"documents": 0, "names": [], "resolves": False, "defined": False}, "no document refers to it"),
    ],
)
def test_missing_document_is_published_only_if_it_is_missing(fresh: dict[str, Any], reason: str) -> None:
    """A document that is there, a defined term, and a name that nobody uses are no gaps."""
    recipe = {"figure": "missing_document", "name": "Key Standard", "result": fresh}
    verdict = _check("gap", f"{POLICY} refers to “Key Standard”, which is not in the corpus.", (1,), recipe, **fresh)
    assert verdict.published == (not reason), verdict.filter_reason
    assert reason in verdict.filter_reason


@given(st.text(min_size=1, max_size=200))
def test_check_of_any_text_gives_a_score_between_0_and_1(text: str) -> None:
    """No text breaks the checker, and nothing without support is published silently."""
    verdict = _check("requirement", text, (1,))
    assert 0.0 <= verdict.support_score <= 1.0
    assert verdict.published or verdict.filter_reason


@given(st.integers(0, 999))
def test_check_refuses_every_other_number(number: int) -> None:
    """Of all numbers only the one in the quote is published."""
    text = f"{POLICY}: Customers shall be notified of a breach within {number} hours, {LAW}"
    assert _check("requirement", text, (1,)).published == (number == 72)
