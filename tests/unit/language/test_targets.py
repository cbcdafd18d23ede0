"""Labels of cross-references, matched against the sections of a document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.language.marks import Mark
from coditect.language.references.mentions import find_references
from coditect.language.references.targets import Sections, find_targets, label_parts, regulation_parts
from coditect.schemas import CrossReferenceData

REGULATION = Sections(
    {
        "sec_99": "Part 99 Lending",
        "sec_99_1": "§ 99.1 Scope",
        "sec_99_1_a": "(a)",
        "sec_99_1_b": "(b)",
        "sec_99_1_b_1": "(1)",
        "sec_99_1_b_2": "(2)",
        "sec_99_1_b_2_i": "(i)",
        "sec_99_1_b_2_i_a": "(A)",
        "sec_99_1_b_2_ii": "(ii)",
        "sec_99_1_c": "(c)",
        "sec_99_2": "§ 99.2 Terms",
        "sec_99_2_a": "(a)",
        "sec_99_3": "§ 99.3 Records",
        "sec_99_3_a": "(a)",
        "sec_99_a": "Appendix A to Part 99",
        "sec_99_a_iv": "IV",
        "sec_99_1_b_interp": "1(b) Scope",
        "sec_99_1_b_interp_3": "3.",
    }
)
CONTRACT = Sections(
    {
        "sec_article_v": "ARTICLE V Payment",
        "sec_article_v_5_1": "5.1",
        "sec_9_4": "9.4 Audit",
        "sec_9_4_a": "(a)",
        "sec_9_4_b": "(b)",
        "sec_9_4_b_i": "(i)",
        "sec_9_4_b_ii": "(ii)",
        "sec_3_definitions": "3 Definitions",
        "sec_exhibit_a": "EXHIBIT A",
        "sec_exhibit_a_2": "2.",
        "sec_2": "2. Term",
    }
)


def read(mark: Mark) -> CrossReferenceData:
    """What was read from a reference, as Tier 1 has it."""
    return CrossReferenceData.model_validate(mark.data)


def _targets(text: str, here: str, sections: Sections) -> list[str]:
    """Section ids that the references of a sentence point at."""
    return [find_targets(read(mark), here, sections).section_id for mark in find_references(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "here", "wanted"),
    [
        ("as § 99.1(b)(2)(i) says", "sec_99_3_a", ["sec_99_1_b_2_i"]),
        ("under paragraph (b) of this section", "sec_99_1_c", ["sec_99_1_b"]),
        ("under paragraph (a) of this section", "sec_99_1_b_2_i_a", ["sec_99_1_a"]),
        ("under paragraph (b)(1) of this section", "sec_99_1_b_2_i", ["sec_99_1_b_1"]),
        ("paragraphs (b)(1) and (2) of this section", "sec_99_1_c", ["sec_99_1_b_1", "sec_99_1_b_2"]),
        ("§ 99.1(b)(2)(i) and (ii)", "sec_99_3", ["sec_99_1_b_2_i", "sec_99_1_b_2_ii"]),
        ("paragraphs (a) and (b) of § 99.1 apply", "sec_99_3", ["sec_99_1_a", "sec_99_1_b", "sec_99_1"]),
        ("see comment 1(b)-3 on this", "sec_99_2", ["sec_99_1_b_interp_3"]),
        ("see the commentary to § 99.1(b)", "sec_99_2", ["sec_99_1_b_interp"]),
        ("see paragraph 1(b)(2) for more", "sec_99_1_b_interp_3", ["sec_99_1_b_2"]),
        ("the form in Appendix A to this part", "sec_99_2", ["sec_99_a"]),
        ("in section IV of the appendix to this part", "sec_99_2", ["sec_99_a_iv"]),
        ("as 12 CFR 99.2(a) says", "sec_99_1", ["sec_99_2_a"]),
    ],
)
def test_target_in_a_regulation(text: str, here: str, wanted: list[str]) -> None:
    """Places of regulations are found by number, by what stands around them, and in lists."""
    assert _targets(text, here, REGULATION) == wanted


@pytest.mark.parametrize(
    ("text", "here", "wanted"),
    [
        ("under Section 9.4(b) and no other", "sec_2", ["sec_9_4_b"]),
        ("as clause (i) above says", "sec_9_4_b_ii", ["sec_9_4_b_i"]),
        ("as Section 5.1 says", "sec_2", ["sec_article_v_5_1"]),
        ("as Article V says", "sec_2", ["sec_article_v"]),
        ("as Section 3 says", "sec_2", ["sec_3_definitions"]),
        ("as in Section 2 of this Exhibit", "sec_exhibit_a_2", ["sec_exhibit_a_2"]),
        ("as in Section 2 of this Agreement", "sec_exhibit_a_2", ["sec_2"]),
        ("as in Section 2 of Exhibit A", "sec_9_4", ["sec_exhibit_a_2", "sec_exhibit_a"]),
        ("as Exhibit A says", "sec_2", ["sec_exhibit_a"]),
    ],
)
def test_target_in_a_contract(text: str, here: str, wanted: list[str]) -> None:
    """Exhibits number anew, articles hold dotted numbers, and a heading in words has its number in its id."""
    assert _targets(text, here, CONTRACT) == wanted


def test_target_of_a_range_is_all_that_it_spans() -> None:
    """ "§§ 99.1 through 99.3" names the sections between its ends, too."""
    first, last = find_references("§§ 99.1 through 99.3 apply", 0, 26)
    assert find_targets(read(first), "", REGULATION).section_ids == ("sec_99_1",)
    assert find_targets(read(last), "", REGULATION).section_ids == ("sec_99_1", "sec_99_2", "sec_99_3")


def test_target_that_is_no_section_is_the_one_around_it() -> None:
    """A place that was not read as a section of its own resolves to the smallest one that holds it, and says so."""
    (mark,) = find_references("as § 99.2(a)(7) says", 0, 20)
    found = find_targets(read(mark), "sec_99_1", REGULATION)
    assert (found.section_id, found.is_exact) == ("sec_99_2_a", False)


@pytest.mark.parametrize(
    "text", ["as § 98.1 says", "in section 9.4 of the Access Control Policy", "under paragraph (q) of this section"]
)
def test_target_elsewhere_is_unresolved_with_a_reason(text: str) -> None:
    """What this document does not have is not guessed."""
    (mark, *_) = find_references(text, 0, len(text))
    found = find_targets(read(mark), "sec_9_4", CONTRACT)
    assert found.section_id == ""
    assert found.reason


def test_target_that_fits_twice_names_the_other() -> None:
    """A letter that is in the list at hand and in one around it has an alternative."""
    sections = Sections({"sec_1_a": "", "sec_1_b": "", "sec_1_b_i": "", "sec_1_b_i_a": "", "sec_1_b_i_b": ""})
    (mark,) = find_references("see paragraph (a) now", 0, 21)
    found = find_targets(read(mark), "sec_1_b_i_b", sections)
    assert {found.section_id, *found.alternatives} == {"sec_1_a", "sec_1_b_i_a"}


def test_label_parts_and_regulation_parts() -> None:
    """Labels are read from the outside in; only the Code of Federal Regulations counts as a regulation's number."""
    assert label_parts("1026.19(e)(1)(iii)") == ("1026", "19", "e", "1", "iii")
    assert regulation_parts("12 CFR part 1003") == ("1003",)
    assert regulation_parts("12 C.F.R. § 1003.2(g)") == ("1003", "2", "g")
    assert regulation_parts("GDPR") == ()


@given(
    st.text(max_size=30),
    st.sampled_from(["section", "paragraph", "article", "exhibit", "control"]),
    st.text(max_size=12),
)
def test_target_of_any_label_is_a_section_or_a_reason(label: str, kind: str, within: str) -> None:
    """Whatever a label holds, the answer is a section of the document, or none with a reason."""
    found = find_targets(CrossReferenceData(label=label, target_kind=kind, within=within), "sec_99_1_b", REGULATION)
    assert (found.section_id == "") == bool(found.reason)
    assert (
        found.section_id == ""
        or find_targets(CrossReferenceData(label="99.1"), "", REGULATION).section_id == "sec_99_1"
    )
