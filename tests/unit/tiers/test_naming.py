"""Names of documents and numbers of sections."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.schemas import CrossReferenceData
from coditect.tiers.findings.naming import (
    beyond,
    company_document,
    is_agreement,
    is_normative,
    is_of_another,
    is_specific,
    known_names,
    numbers_of,
    resolves,
    target_of,
)
from tests.unit.tiers.corpora import chunks_of, version_of

NUMBERS = frozenset({"1", "2", "3", "4", "5", "6", "7", "9", "9.1", "9.3"})


@pytest.mark.parametrize(
    ("label", "last"),
    [("9.4", "9.3"), ("9.2", ""), ("9.3", ""), ("10", "9"), ("4.1", ""), ("365", ""), ("8", "")],
)
def test_beyond_is_said_only_of_numbers_behind_the_last(label: str, last: str) -> None:
    """A number behind the last one of its section is missed; in a gap, far away or below an unread section it is not."""
    assert beyond(label, NUMBERS) == last


@given(st.sets(st.integers(1, 30), min_size=1))
def test_beyond_never_says_that_a_known_number_is_missing(tops: set[int]) -> None:
    """What is there is there."""
    numbers = frozenset(map(str, tops))
    assert not any(beyond(number, numbers) for number in numbers)


@pytest.mark.parametrize(
    ("line", "of_another"),
    [
        ("consistent with Regulation Z (see 12 CFR 1026.22 and Part 1026, Appendix J), for each type", True),
        ("as Regulation Z, Appendix J says", True),
        ("as Appendix J to this part says", False),
        ("see Part 1026, Appendix J, and Appendix J to this part", False),
        ("this Part, Appendix J", False),
        ("see Exhibit A", False),
    ],
)
def test_a_part_is_of_what_is_named_before_it(line: str, of_another: bool) -> None:
    """Where every mention of it stands behind another document, or a numbered part of one."""
    assert is_of_another("Appendix J", line) is of_another


def test_beyond_needs_an_outline() -> None:
    """A few numbers that begin a line by chance are no outline."""
    assert beyond("7", frozenset({"1", "2", "6"})) == ""
    assert beyond("9", frozenset({"1", "2", "3", "4", "8"})) == ""


def test_company_document_is_no_law_and_no_public_standard() -> None:
    """Only documents that a company writes itself are expected among its documents."""
    assert (
        company_document(CrossReferenceData(document="our Access Control Policy", internal=False))
        == "Access Control Policy"
    )
    assert not company_document(
        CrossReferenceData(document="Payment Card Industry Data Security Standard", internal=False)
    )
    assert not company_document(CrossReferenceData(document="ISO 27001", internal=False))
    assert not company_document(CrossReferenceData(document="Access Control Policy", internal=True))


@pytest.mark.parametrize(
    ("name", "specific"),
    [
        ("Children's Policy", True),
        ("Young People’s Charter", True),
        ("Visitors' Policy", True),
        ("Access Control Policy", True),
        ("Company's Policy", False),
        ("Harbour Trust's Agreement", False),
        ("Parties' Agreement", False),
        ("Sellers’ Addendum", False),
        ("Amended and Restated Agreement", False),
    ],
)
def test_whom_a_document_is_for_says_which_it_is_and_whose_it_is_does_not(name: str, specific: bool) -> None:
    """A policy for many people is one of its own; a company's policy, or the parties' agreement, is any of theirs."""
    assert is_specific(name) == specific


def test_names_resolve_by_title_or_file_name() -> None:
    """A document is found by the words of its title or of its file name, in any order."""
    versions = [version_of("access-control-policy.md", "# Rules of access\n\nText of the rules.\n")]
    known = known_names(versions)
    assert resolves("Access Control Policy", known)
    assert not resolves("Access Review Policy", known)
    assert target_of("Policy for Access Control", versions) == versions[0].document_id
    assert target_of("Access", versions) == ""


def test_documents_are_normative_or_agreements_by_their_own_name() -> None:
    """The base of figures is what calls itself policy, standard, procedure or guideline."""
    policy = version_of("a.md", "# Encryption Standard\n\nText.\n")
    contract = version_of("policy-agreement.md", "# Data Processing Agreement\n\nText.\n")
    report = version_of("report.md", "# Audit Report\n\nText.\n")
    assert [is_normative(each) for each in (policy, contract, report)] == [True, False, False]
    assert [is_agreement(each) for each in (policy, contract, report)] == [False, True, False]


def test_numbers_of_a_document_are_those_of_its_outline() -> None:
    """Numbers of headings and of numbered paragraphs are read, and the sections above them."""
    found = numbers_of(
        chunks_of(
            {"p.md": "# P\n\n## 1 Scope\n\n1.1 Staff shall comply.\n\n## 2 Rules\n\n2.1 Staff shall wear badges.\n"}
        )
    )
    assert {"1", "1.1", "2", "2.1"} <= found
