"""Parties are guessed from the preamble of a contract."""

from __future__ import annotations

import pytest

from coditect.documents.profile.parties import guess_parties, party_key


@pytest.mark.parametrize(
    ("text", "parties"),
    [
        (
            'This Agreement is made by and between Acme Holdings, Inc., a Delaware corporation ("Supplier"), and Bolt & Nut LLC, '
            "having its office in Austin and Dallas (the “Customer”).\n\nWHEREAS Acme and Bolt wish to trade;",
            [("Acme Holdings, Inc.", "Supplier"), ("Bolt & Nut LLC", "Customer")],
        ),
        (
            'SUPPLY AGREEMENT\n\nBETWEEN\n\nNORTH GAS AND ELECTRIC COMPANY ("North")\n\nAND\n\nSOUTH LIMITED ("South")\n\nRECITALS',
            [("NORTH GAS AND ELECTRIC COMPANY", "North"), ("SOUTH LIMITED", "South")],
        ),
        (
            'BETWEEN: (1) Ash Capital, L.P. of 3 Hill Road ("Ash"); and (2) Birch (International) Limited, of London (the '
            '"Advisor").\n\nBACKGROUND',
            [("Ash Capital, L.P.", "Ash"), ("Birch (International) Limited", "Advisor")],
        ),
        (
            "Party A (Shipper): ZT Express Co., Ltd.\nAddress: 1 Road\nParty B (Carrier): TL Logistics Ltd.\nAddress: 2 Road\n",
            [("ZT Express Co.", "Shipper"), ("TL Logistics Ltd.", "Carrier")],
        ),
    ],
)
def test_parties_are_the_names_of_the_preamble(text: str, parties: list[tuple[str, str]]) -> None:
    """Names with what they are called, verbatim at their offsets; descriptions and places are no parties."""
    found = guess_parties(text)
    assert [(each.value, each.called) for each in found][:2] == parties or [
        (party_key(each.value), each.called) for each in found
    ] == [(party_key(name), called) for name, called in parties]
    assert all(text[each.start : each.end] == each.quote for each in found)


def test_one_name_alone_is_no_preamble() -> None:
    """ "Between the parties" and a single name name nobody."""
    assert (
        guess_parties("This Agreement between the parties is made. Notices between Monday and Friday are void.\n") == ()
    )


def test_names_far_behind_between_are_no_parties() -> None:
    """ "Between us and the Customer" names nobody, and names that come much later are of something else."""
    later = "Services are described below. " * 12
    text = f"This is an addendum between us and the customer. {later}It follows the Data Laws (the “Laws”), and Acme Cloud, Inc."
    assert guess_parties(text) == ()


def test_among_others_begins_no_preamble() -> None:
    """ "Among others" lists things, and a name does not go on behind the end of a sentence."""
    assert (
        guess_parties("Data of, among others, Clients; and Sub-processors. The Client, and Snow Computing, Inc.") == ()
    )
    assert guess_parties("Agreed between Data Subjects. All others, and Authorized Persons. The rest.") == ()


def test_party_key_leaves_out_legal_forms_and_case() -> None:
    """A company is one party however it is written."""
    assert party_key("The ACME Holdings, Inc.") == party_key("Acme Holdings") == "acme holdings"
    assert party_key("Limited") == "limited"
