"""Roles are guessed from titles, from what a document calls itself, and from formulas that nothing else uses."""

from __future__ import annotations

import pytest

from coditect.documents.profile.role import guess_role, kind_of, title_line


@pytest.mark.parametrize(
    ("title", "role"),
    [
        ("Incident Response Plan", "procedure"),
        ("Access Control Policy v3", "policy"),
        ("Report on the Access Control Policy", "record"),
        ("Guidance – Regulation of Lending Activities", "guidance"),
        ("Policy Management Procedure", "procedure"),
        ("Data Processing Agreement/Addendum", "contract"),
        ("FINANCIAL SERVICES REGULATIONS 2015", "law"),
        ("General Rulebook (GEN)", "rule"),
        ("Code of Conduct", "policy"),
        ("Terms and Conditions of Sale", "contract"),
        ("Control Register", "record"),
        ("Certificates and Complaints Procedure", "procedure"),
        ("Policy and Procedures", "policy"),
        ("Master Direction on Lending Platforms", "rule"),
        ("Statement of Applicability", "record"),
        ("Tests and Results", ""),
        ("Harbour Licence Conditions Letter", "rule"),
        ("Privileged Access", ""),
        ("Disclosure of Records and Information", ""),
    ],
)
def test_title_names_its_kind_by_the_noun_before_its_complement(title: str, role: str) -> None:
    """What follows a preposition is what the document is about, not what it is."""
    assert kind_of(title) == role


def test_role_of_what_a_document_calls_itself() -> None:
    """Without a title that tells, "these Rules" does; the first of the words is the ground."""
    text = "1.1 These Banking Rules apply to firms.\n\n1.2 A firm to which these Rules apply must keep records.\n"
    guess = guess_role("BNK_V2.txt", "", text)
    assert guess is not None
    assert (guess.value, guess.quote) == ("rule", "These Banking Rules")
    assert text[guess.start : guess.end] == guess.quote


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("The Board hereby enacts the following provisions.\n", "law"),
        ("Acme and Bolt hereby agree as follows:\n", "contract"),
        ("Present: A. Miller\nApologies for absence: none\n", "record"),
    ],
)
def test_role_of_a_formula(text: str, role: str) -> None:
    """Laws are enacted, contracts agreed, meetings recorded."""
    guess = guess_role("a.txt", "", text)
    assert guess is not None
    assert guess.value == role


def test_role_of_the_folder_and_of_a_table_are_the_last_resort() -> None:
    """A folder tells where nothing else does, and a table without a name of its own is a record."""
    folder = guess_role("procedures/backup.md", "Backup", "# Backup\n")
    table = guess_role("exceptions.csv", "", "Number | Reason\n")
    assert folder is not None
    assert table is not None
    assert (folder.value, folder.basis, table.value) == ("procedure", "file name", "record")
    assert guess_role("a.txt", "", "Nothing here tells.\n") is None


def test_title_line_is_a_heading_and_no_sentence() -> None:
    """A sentence near the top that mentions an agreement is no title."""
    assert title_line("This is about the agreement.\n\nSUPPLY AGREEMENT\n") is not None
    found = title_line("Exhibit 10\n\nSUPPLY AGREEMENT\n")
    assert found is not None
    assert found.value == "SUPPLY AGREEMENT"
    assert title_line("We speak of the agreement.\n") is None


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("The procedure applies to all drivers.\n", "procedure"),
        (
            "Acme | Document OP-7 | Version 2 | Next review 1 May 2027\nOwner: Fleet Manager. Approved by the Board.\n",
            "procedure",
        ),
        ("The permit is subject to the following conditions. The permit holder must keep a log.\n", "rule"),
        ("Field: Framework | Value: Annex A of a Standard\n", ""),
        ("Number | Title\nOP-1 | Rope Standard | 2.0\n", ""),
    ],
)
def test_role_of_scope_control_and_licence(text: str, role: str) -> None:
    """What a document says that it applies to, how it is controlled, and by what words an authority binds; a row is no title."""
    guess = guess_role("a.txt", "", text)
    assert (guess.value if guess else "") == role
