"""Sections looked up by the parts of their ids: the number that all share, siblings in a range, titles and containers."""

from __future__ import annotations

import pytest

from coditect.language.references.targets import Sections, label_parts, parts_of, regulation_parts


def _sections(*ids: str) -> Sections:
    return Sections(dict.fromkeys(ids, ""))


@pytest.mark.parametrize(
    ("own", "others", "shared"),
    [(10, 0, True), (10, 1, True), (9, 1, False), (2, 0, True), (1, 0, False), (0, 1, False)],
)
def test_number_of_a_document_begins_nearly_all_of_its_sections(own: int, others: int, shared: bool) -> None:
    """More than nine in ten, and more than one section at all."""
    ids = [f"sec_1013_{n}" for n in range(own)] + [f"sec_{n}" for n in range(others)]
    assert _sections(*ids).number == (("1013",) if shared else ())


def test_word_that_all_sections_begin_with_is_no_number() -> None:
    """Only digits are a document's own number."""
    assert _sections("sec_annex_1", "sec_annex_2", "sec_annex_3").number == ()
    assert _sections().number == ()


def test_section_is_found_by_its_whole_path_or_its_end() -> None:
    """The first of two sections with one path counts, endings come in document order."""
    found = _sections("sec_4_a", "sec_5_a", "sec_5_b", "sec_4_a_")
    assert found.at(("4", "a")) == "sec_4_a"
    assert found.at(("4", "c")) == ""
    assert found.ending(("a",)) == [("4", "a"), ("5", "a")]
    assert found.ending(("5", "b")) == [("5", "b")]
    assert found.ending(("9",)) == []


def test_titled_section_is_its_number_and_a_word() -> None:
    """A number below, or a roman one, is a section of its own; two letters are no word."""
    found = _sections("sec_4_why_we_use", "sec_4_2", "sec_4_iii", "sec_4_ab", "sec_4", "sec_5_why")
    assert found.titled(("4",)) == [("4", "why", "we", "use")]


def test_headed_section_begins_with_the_word_and_the_whole_label() -> None:
    """ "Appendix B" is no beginning of "Appendix BA"; what stands behind the label does not matter."""
    found = Sections({"sec_1": "Appendix B to Part 12", "sec_2": "Appendix BA", "sec_3": "See Appendix B"})
    assert found.headed(("appendix",), "B") == ["sec_1"]
    assert found.headed(("appendix",), "BA") == ["sec_2"]
    assert found.headed(("annex",), "B") == []


def test_sections_between_two_are_their_siblings() -> None:
    """Both ends included; what is no sibling, or lies before, is not; an end that is missing leaves the last alone."""
    found = _sections("sec_1", "sec_2", "sec_2_a", "sec_3", "sec_4", "sec_a_1")
    assert found.between(("2",), ("4",)) == ("sec_2", "sec_3", "sec_4")
    assert found.between(("2",), ("2",)) == ("sec_2",)
    assert found.between(("4",), ("2",)) == ("sec_2",)
    assert found.between(("9",), ("3",)) == ("sec_3",)
    assert found.between(("2", "a"), ("3",)) == ("sec_3",)


@pytest.mark.parametrize(("last", "count"), [(200, 200), (201, 1)])
def test_range_holds_two_hundred_sections_at_most(last: int, count: int) -> None:
    """A longer one is read as its last section: nobody cites so many one by one."""
    found = _sections(*(f"sec_{n}" for n in range(1, 300)))
    assert len(found.between(("1",), (str(last),))) == count


def test_container_is_told_by_its_id_or_its_heading() -> None:
    """An appendix and what is called one; the whole document is none."""
    found = Sections({"sec_annex_b": "", "sec_9_c": "Appendix C", "sec_9_d": "Details"})
    assert found.is_container(("annex", "b"))
    assert found.is_container(("9", "c"))
    assert not found.is_container(("9", "d"))
    assert not found.is_container(("annex",))
    assert not found.is_container(())


def test_commentary_stands_below_a_word_of_its_own() -> None:
    """Comment 1 on section 2(b) has an id with a word between the place and the comment's number."""
    found = _sections("sec_2_b", "sec_2_b_interp", "sec_2_b_interp_1", "sec_2_b_iii_1", "sec_3_b_interp_1")
    assert found.commentary(("2", "b"), ("1",)) == "sec_2_b_interp_1"
    assert found.commentary(("2", "b"), ()) == "sec_2_b_interp"
    assert found.commentary(("2", "b"), ("2",)) == ""
    assert found.commentary(("2",), ("1",)) == ""


def test_labels_are_cut_into_their_parts() -> None:
    """Printed labels and ids give the same parts; a regulation's number begins behind its title."""
    assert parts_of("sec_1013_4_d") == ("1013", "4", "d")
    assert label_parts("1026.19(e)(1)(iii)") == ("1026", "19", "e", "1", "iii")
    assert regulation_parts("12 CFR 1003.1(a)") == ("1003", "1", "a")
    assert regulation_parts("Section 1003.1") == ()
