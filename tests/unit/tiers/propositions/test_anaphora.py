"""Pronouns, demonstratives and self-references at the start of a statement."""

from __future__ import annotations

import pytest

from tests.unit.tiers.propositions.documents import reading_of, resolved, standalone


def clause(first: str, second: str) -> str:
    """A document whose only clause has two sentences."""
    return f"# Backup Standard\n\n## Rules\n\n1.1 {first} {second}\n"


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (
            "The Security Committee approves the plan.",
            "It shall meet monthly.",
            "The Security Committee shall meet monthly.",
        ),
        ("The Supplier shall keep records.", "It must report losses.", "The Supplier must report losses."),
        ("A review is held each year.", "It shall be recorded in a ticket.", "A review shall be recorded in a ticket."),
        ("Passwords shall be long.", "They must not be shared.", "Passwords must not be shared."),
        (
            "The Incident Manager shall record each step.",
            "He shall inform the Board.",
            "The Incident Manager shall inform the Board.",
        ),
        (
            "Every Service Account shall have an owner.",
            "Its key shall be changed.",
            "Every Service Account's key shall be changed.",
        ),
        (
            "All vendors are assessed.",
            "Their contracts shall be reviewed.",
            "All vendors' contracts shall be reviewed.",
        ),
        (
            "The Processor shall keep logs.",
            "However, it may delete copies.",
            "However, the Processor may delete copies.",
        ),
        (
            "The Vendor shall keep accurate and complete records.",
            "Such records shall be kept for seven years.",
            "Accurate and complete records shall be kept for seven years.",
        ),
        (
            "The Vendor shall submit the annual report on time.",
            "This report shall name every incident.",
            None,
        ),
        (
            "The Vendor shall submit the annual assurance report.",
            "This report shall name every incident.",
            "The annual assurance report shall name every incident.",
        ),
    ],
)
def test_words_that_point_back_take_the_words_they_mean(first: str, second: str, expected: str | None) -> None:
    """A pronoun, possessive or demonstrative is replaced by the phrase before it, where its ends are plain."""
    assert standalone(clause(first, second), second) == expected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The Supplier shall send a notice.", "It is agreed that fees are due."),
        ("The Supplier shall send a notice.", "It shall be written in English."),
        ("The Head of Infrastructure shall maintain a list.", "It shall be confirmed monthly."),
        ("The notice shall be sent to the Vendor.", "It must respond within two days."),
        ("Administrators shall review the logs.", "They shall be kept for a year."),
        ("The plan names an owner.", "They shall be told."),
        ("Nobody may open the vault.", "It shall be sealed."),
        ("The Vendor shall keep records and the Bank shall keep records.", "Such records shall be kept."),
        ("The Vendor shall send a report.", "Such report shall be short."),
        ("Where a person is told, we wait.", "This is enough for most cases."),
    ],
)
def test_doubt_leaves_a_statement_as_it_is(first: str, second: str) -> None:
    """An expletive, another candidate, a different number or a phrase that says no more: nothing is put in."""
    assert standalone(clause(first, second), second) is None


def test_chain_of_pronouns_means_the_first_subject() -> None:
    """A pronoun behind a resolved pronoun means the same phrase, with the same place in the document."""
    text = clause("The Security Committee approves the plan.", "It shall meet monthly. It shall keep minutes.")
    found = resolved(reading_of(text))
    first, second = found["It shall meet monthly."], found["It shall keep minutes."]
    assert second.text == "The Security Committee shall keep minutes."
    assert first.resolutions[0].source_start == second.resolutions[0].source_start


def test_pronoun_means_nothing_beyond_a_heading() -> None:
    """A heading between two sentences ends what the first can be meant by."""
    text = "# Plan\n\nThe Security Committee approves it.\n\n## Meetings\n\nIt shall meet monthly.\n"
    assert standalone(text, "It shall meet monthly.") is None


def test_document_that_speaks_of_itself_is_named() -> None:
    """ "This standard" is the title where the title's noun is the same, at the start and in a subject."""
    text = (
        "# Backup Standard\n\n## Rules\n\n1.1 This standard applies to servers.\n\n"
        "1.2 Exceptions from this standard are recorded.\n"
    )
    assert standalone(text, "1.1 This standard applies to servers.") == "1.1 Backup Standard applies to servers."
    assert (
        standalone(text, "1.2 Exceptions from this standard are recorded.")
        == "1.2 Exceptions from Backup Standard are recorded."
    )


def test_document_of_another_kind_is_not_named() -> None:
    """ "This agreement" in a standard is not the standard."""
    text = "# Backup Standard\n\n## Rules\n\n1.1 This agreement applies to servers.\n"
    assert standalone(text, "1.1 This agreement applies to servers.") is None


def test_section_that_speaks_of_itself_is_numbered() -> None:
    """ "This Article" takes the number that the article prints, behind its own words."""
    text = (
        "ARTICLE 12 - TERMINATION\n\n12.1 Fees. Fees due under this Article survive.\n\n"
        "ARTICLE 13 - NOTICES\n\n13.1 Form. Notices are written.\n"
    )
    found = [
        each for each in resolved(reading_of(text, "contract.txt")).values() if each.resolutions[0].kind == "section"
    ]
    assert [each.text for each in found] == ["Fees due under this Article 12 survive."]
    assert found[0].resolutions[0].replaces == ""
