"""Lists, tables and fragments."""

from __future__ import annotations

import pytest

from tests.unit.tiers.propositions.documents import reading_of, resolved, standalone

LIST = """# Terms

## 1 Duties

1.1 The Supplier shall:

(a) encrypt all backups;

(b) provide reports that show:

(i) uptime of the service; and

(ii) open incidents; and

(c) keep records.

1.2 Fees are due monthly.
"""


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("(a) encrypt all backups;", "The Supplier shall encrypt all backups"),
        ("(i) uptime of the service; and", "The Supplier shall provide reports that show: uptime of the service"),
        ("(ii) open incidents; and", "The Supplier shall provide reports that show: open incidents"),
        ("(c) keep records.", "The Supplier shall keep records."),
        ("1.2 Fees are due monthly.", None),
    ],
)
def test_item_takes_its_lead_in(item: str, expected: str | None) -> None:
    """An item reads with the lead-ins it hangs on, in place of its marker; what follows the list does not."""
    assert standalone(LIST, item) == expected


def test_inner_item_names_both_lead_ins() -> None:
    """An item of an inner list has one resolution for each level, outermost first."""
    found = resolved(reading_of(LIST))["(i) uptime of the service; and"]
    assert [(each.text, each.replaces) for each in found.resolutions] == [
        ("The Supplier shall:", "(i) "),
        ("provide reports that show:", ""),
    ]


def test_bullets_of_a_format_take_their_lead_in() -> None:
    """The format's own items, without a marker in the text, belong to the sentence before the list."""
    text = (
        "<h1>Use</h1><p>Users must not:</p><ul><li>install any software;</li><li>share their passwords.</li></ul>"
        "<p>Logs are kept.</p>"
    )
    found = resolved(reading_of(text, "use.html"))
    assert sorted(each.text for each in found.values()) == [
        "Users must not install any software",
        "Users must not share their passwords.",
    ]


def test_whole_sentence_in_a_list_stands_on_its_own() -> None:
    """An item that is a sentence of its own is left, however its lead-in ends."""
    text = "# Rules\n\nThe following rules apply:\n\n- Passwords must be changed each year.\n- Doors shall be locked.\n"
    assert resolved(reading_of(text)) == {}


def test_item_out_of_sequence_belongs_to_no_lead_in() -> None:
    """A letter that does not follow the last item's is no item of that list."""
    text = "# Terms\n\nThe Supplier shall:\n\n(a) encrypt backups;\n\n(f) keep records.\n"
    assert standalone(text, "(a) encrypt backups;") == "The Supplier shall encrypt backups"
    assert standalone(text, "(f) keep records.") is None


def test_list_ends_with_its_paragraph() -> None:
    """Bullets behind another paragraph are not those of the lead-in above it."""
    text = (
        "# Signs\n\nSigns of trouble include:\n\n- slow answers from hosts;\n\n"
        "A paragraph stands here.\n\n- strange names of files.\n"
    )
    found = resolved(reading_of(text))
    assert [each.text for each in found.values()] == ["Signs of trouble include: slow answers from hosts"]


def test_row_takes_the_labels_of_its_columns() -> None:
    """Each filled cell of a table with a header of three columns takes its label; empty cells and the header do not."""
    text = "# Plan\n\n| Service | Time | Point |\n|---|---|---|\n| Payment Platform | 4 hours | 15 minutes |\n| Post | | 1 hour |\n"
    found = resolved(reading_of(text))
    assert (
        found["Payment Platform | 4 hours | 15 minutes"].text
        == "Service: Payment Platform | Time: 4 hours | Point: 15 minutes"
    )
    assert "Service | Time | Point" not in found


def test_row_without_a_header_takes_its_heading() -> None:
    """A row of a name and a value reads with the heading above it."""
    text = "# Access Policy\n\n| Document control | |\n|---|---|\n| Owner | Head of Infrastructure |\n"
    assert standalone(text, "Owner | Head of Infrastructure") == "Access Policy — Owner | Head of Infrastructure"


def test_row_with_labels_stands_on_its_own() -> None:
    """Rows that the reader has labelled already are left."""
    text = "Control,Title,Owner\nC-1,Access to rooms,Ada Berg\nC-2,Media and paper,Ben Dahl\n"
    assert resolved(reading_of(text, "register.csv")) == {}


def test_value_behind_a_heading_takes_it() -> None:
    """A fragment that is only a value reads with its heading."""
    text = (
        "# Records\n\n## Retention\n\n7 years from the end of the contract.\n\n## Review\n\nReview access quarterly.\n"
    )
    assert (
        standalone(text, "7 years from the end of the contract.") == "Retention — 7 years from the end of the contract."
    )


def test_instruction_is_left() -> None:
    """An imperative has its subject: whoever reads the procedure."""
    text = "# Records\n\n## Review\n\nReview access to the vault quarterly.\n"
    assert standalone(text, "Review access to the vault quarterly.") is None
