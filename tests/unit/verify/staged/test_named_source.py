"""Sentences that name their own source: whose words they are compared with, and what is left to compare."""

from __future__ import annotations

import pytest

from coditect.verify.staged.named_source import assess_as_named, find_named_source
from coditect.verify.staged.stages import Assessment, assess

KEPT = "Hearing test results are kept for 2 years."
LONGER = "Hearing test results are kept for the duration of employment."
HOUSE, LAW = ("sp03-hearing.html", "SP-03 Looking after your hearing"), ("part-300.html",)


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("Under SP-03, staff wear plugs.", ("SP", "03"), "Staff wear plugs."),
        ("According to EP-4471, noise is measured.", ("EP", "4471"), "Noise is measured."),
        ("SP-05 says that staff wear plugs.", ("SP", "05"), "staff wear plugs."),
        ("Results are kept for 2 years under SP-03.", ("SP", "03"), "Results are kept for 2 years."),
        (
            "SP-05 requires an evacuation practice once a year.",
            ("SP", "05"),
            "There must be an evacuation practice once a year.",
        ),
        ("SP-05 requires staff to wear plugs.", ("SP", "05"), "Staff must wear plugs."),
        ("SP-05 allows the area engineer to open a line.", ("SP", "05"), "The area engineer may open a line."),
    ],
)
def test_source_with_a_number_is_no_part_of_what_it_says(text: str, code: tuple[str, str], said: str) -> None:
    """How far it binds stays: what a document requires must be, what it allows may be."""
    named = find_named_source(text)
    assert named is not None
    assert (named.code, named.said.casefold()) == (code, said.casefold())


@pytest.mark.parametrize(
    "text",
    ["Results are kept for 2 years.", "Backups are encrypted with AES-256.", "Under stress, staff call for help."],
)
def test_sentence_without_a_source_names_none(text: str) -> None:
    """A code that something is done with is no document, and no more is what stands without an article."""
    assert find_named_source(text) is None


def test_document_is_known_by_its_title_its_name_or_its_kind() -> None:
    """Zeros before a number do not tell documents apart; another number does."""
    named = find_named_source("Under SP-3, staff wear plugs.")
    permit = find_named_source("Under the permit, noise is measured.")
    assert named is not None
    assert permit is not None
    assert named.is_of("a.html", "SP-03 Looking after your hearing")
    assert named.is_of("sp03-hearing.html")
    assert not named.is_of("sp13-fire.html", "SP-13 Fire")
    assert permit.is_of("ep.pdf", "Environmental Permit")
    assert not permit.is_of("ep.pdf", "Permitting of works")


def _as_named(text: str, quotes: list[str], names: list[tuple[str, ...]]) -> Assessment | None:
    return assess_as_named(text, quotes, names, assess(text, quotes, 0.7), 0.7)


def test_words_of_the_named_source_alone_support_or_refuse() -> None:
    """What another document says of the matter counts neither way; places of quotes are those among all of the evidence."""
    supported = _as_named("Hearing test results are kept for 2 years under SP-03.", [LONGER, KEPT], [LAW, HOUSE])
    refused = _as_named("Hearing test results are kept for 5 years under SP-03.", [LONGER, KEPT], [LAW, HOUSE])
    assert supported is not None
    assert refused is not None
    assert (supported.label, refused.label) == ("supported", "unsupported")
    assert {span.quote for each in supported.signals for span in each.evidence} == {1}


def test_source_of_which_nothing_was_found_settles_nothing() -> None:
    """The sentence is then compared as it stands."""
    assert _as_named("Hearing test results are kept for 2 years under SP-09.", [LONGER, KEPT], [LAW, HOUSE]) is None
