"""Other names of a document, by which it says itself that it is known."""

from __future__ import annotations

import pytest

from coditect.documents.profile.guessing import guess_profile
from coditect.documents.profile.other_names import guess_other_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("(a) Authority. This part, known as Regulation B, is issued by the Bureau.", ["Regulation B"]),
        ("(a) Authority. The regulation in this part, known as Regulation E, is issued.", ["Regulation E"]),
        ("This Act may be cited as the Data Protection Act 2018.", ["Data Protection Act 2018"]),
        ("These Rules may be cited as the “Market Conduct Rules” and come into force today.", ["Market Conduct Rules"]),
        ("This Act, which may be cited as the Widgets Act, binds all.\nThis Act is also known as WIDGA.", ["Widgets Act", "WIDGA"]),
        ("name: Processing Integrity Policy\nacronym: PIP\n\n# Purpose\n", ["Processing Integrity Policy"]),
        ("---\ntitle: 'Remote Work Policy'\nowner: IT\n---\n# Scope\n", ["Remote Work Policy"]),
        ("name: Code of Conduct Policy acronym: COCP satisfies: TSC\n", ["Code of Conduct Policy"]),
        ("name: Policy\nacronym: P\n", []),
        ("The form has a field.\nname: Access Policy\n", []),
        ("This policy, hereinafter referred to as the “Policy”, applies.", []),
        ("The Guardian, known as Regulation X, is a person.", []),
        ("The law known as Regulation Z applies to loans.", []),
        ("This part applies to what is known as Regulation Z.", []),
        ("The provisions of this part are known as the Conduct Code.", []),
    ],
)  # fmt: skip
def test_names_are_those_that_a_document_gives_itself(text: str, names: list[str]) -> None:
    """What others are known as, and a word for every such document, are none."""
    found = guess_other_names(text)
    assert [each.value for each in found] == names
    assert [text[each.start : each.end] for each in found] == names


def test_profile_has_other_names_with_their_place_in_the_text() -> None:
    """Also where characters before them are written in two code points."""
    text = "Cafe\u0301 rules\n\nThis regulation, known as Regulation D, is issued.\n"
    (name,) = guess_profile("d.md", "Cafe rules", text).also_called
    assert (name.value, text[name.start : name.end]) == ("Regulation D", "Regulation D")
