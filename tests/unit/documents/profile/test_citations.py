"""References that lead out of their document: by codes, by what stands around them, and by what a document is called."""

from __future__ import annotations

import pytest

from coditect.documents.profile.citations import code_of, codes_of, documents_called, file_stem, initials_of
from coditect.language.references.mentions import find_references
from coditect.schemas import DocumentVersion
from tests.unit.tiers.corpora import version_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("as required under section 19 of FSMR.", [("19", "FSMR")]),
        ("as required under section 19 of the FSMR.", [("19", "FSMR")]),
        ("as set out in Rule 3.2 of the PRU Rulebook.", [("3.2", "PRU Rulebook")]),
        ("held in accordance with COBS Chapter 14; and", [("14", "COBS")]),
        ("defined in Schedule 1, Chapter 9, Section 54 of FSMR; and", [("1", "FSMR"), ("9", "FSMR"), ("54", "FSMR")]),
        ("Chapter 3 of Part 8 of the FSMR applies", [("3", "FSMR"), ("8", "FSMR")]),
        ("the notice under GEN 2.4.1 is given", [("2.4.1", "GEN")]),
        ("section 54 of the Financial Markets Regulations 2015", [("54", "Financial Markets Regulations 2015")]),
        ("Subject to Rule 2.1(c), the keeper", [("2.1(c)", None)]),
        ("Section 4 of this Agreement", [("4", None)]),
        ("Section 5 of the AGREEMENT", [("5", None)]),
        ("is encrypted with TLS 1.2 and costs USD 1.50", []),
    ],
)
def test_reference_names_the_document_that_owns_the_place(text: str, expected: list[tuple[str, str | None]]) -> None:
    """A code, or a name behind or before the place; nothing for the document's own places, versions and sums."""
    marks = find_references(text, 0, len(text))
    assert [(mark.data["label"], mark.data.get("document")) for mark in marks] == expected


@pytest.mark.parametrize(
    ("name", "title", "codes"),
    [
        ("AML_VER09.181223.txt", "", {"AML"}),
        ("FSMR (Consolidated).txt", "Financial Services and Markets Regulations 2015", {"FSMR"}),
        ("access-policy.md", "Access Policy", set()),
        ("SERVICES AGREEMENT.txt", "SERVICES AGREEMENT", set()),
    ],
)
def test_document_may_be_cited_by_its_codes(name: str, title: str, codes: set[str]) -> None:
    """What its file's name begins with in capitals, and the initials of its title; not the words of a title in capitals."""
    assert codes_of(_version(name, title)) == codes


def _version(name: str, title: str) -> DocumentVersion:
    return version_of(name, "Text.\n").model_copy(update={"title": title})


def test_document_is_called_by_its_code_and_by_nobody_elses() -> None:
    """ "PRU Rulebook" is PRU_VER10, and "FSMR" is no other document."""
    versions = [_version("PRU_VER10.txt", ""), _version("AML_VER09.txt", "")]
    assert documents_called("PRU Rulebook", versions) == [versions[0].document_id]
    assert documents_called("FSMR", versions) == []


def test_names_are_read_without_suffixes() -> None:
    """Suffixes go, a number with a point stays; codes are capitals, initials are of three words or more."""
    assert file_stem("plans/backup.md.tmpl") == "backup"
    assert file_stem("EX-10.2_Lease Agreement.txt") == "EX-10.2_Lease Agreement"
    assert (code_of("PRU Rulebook"), code_of("Access Policy")) == ("PRU", "")
    assert (initials_of("Master Services Agreement"), initials_of("Access Policy")) == ("MSA", "")
