"""What no party of a contract is called: a role alone, an office; and days that are not those on which it was made."""

from __future__ import annotations

import pytest

from coditect.documents.profile.labels import guess_contract_date
from coditect.documents.profile.parties import guess_parties


@pytest.mark.parametrize(
    "preamble",
    [
        "Tasks are agreed between Consultant and Company, who keep them in a list.",
        'This contract is made between Software Publisher ("Author") and End User ("Reader").',
        'This contract is between the Service Provider ("Item") and the Customer ("VAT").',
    ],
)
def test_a_role_alone_is_nobody(preamble: str) -> None:
    assert guess_parties(preamble) == ()


def test_a_role_that_is_part_of_a_name_stays() -> None:
    found = guess_parties('This Agreement is made between Supplier Park GmbH ("Park") and Harbour Bank Ltd ("Bank").')
    assert [each.value for each in found] == ["Supplier Park GmbH", "Harbour Bank Ltd"]


def test_who_signs_for_a_party_is_none() -> None:
    found = guess_parties(
        "This Agreement is made between Heron Mills AG, represented by its Chief Executive Officer and Chief Technology Officer"
        ' Anna Example, hereinafter referred to as: "Heron", and Otter Works Ltd, hereinafter referred to as "Otter".'
    )
    assert [(each.value, each.called) for each in found] == [("Heron Mills AG", "Heron"), ("Otter Works Ltd", "Otter")]


def test_what_is_said_in_brackets_is_no_name() -> None:
    found = guess_parties(
        'This Agreement is made between Heron Mills AG ("orders taken in this way") and Otter Works Ltd ("Otter").'
    )
    assert [(each.value, each.called) for each in found] == [("Heron Mills AG", ""), ("Otter Works Ltd", "Otter")]


@pytest.mark.parametrize(
    "text",
    [
        "If the Keeper terminates this agreement prior to December 31, 2026, the fee is due.",
        "The Keeper accepted this offer, as confirmed by letter dated November 30, 2025.",
        "This agreement shall run until 1 May 2027.",
    ],
)
def test_another_day_is_not_the_contracts(text: str) -> None:
    assert guess_contract_date(text, 5_000) == {}


def test_the_day_on_which_it_is_made_is_found_behind_another_one() -> None:
    text = "As confirmed by letter dated November 30, 2025, this Agreement is made as of January 5, 2026 by both."
    assert guess_contract_date(text, 5_000)["date"].value == "2026-01-05"


def test_a_letter_agreement_has_its_own_day() -> None:
    assert guess_contract_date("This letter dated May 5, 2026 sets out our terms.", 5_000)["date"].value == "2026-05-05"


@pytest.mark.parametrize("joint", [", ", " to ", " – ", " through "])
def test_two_days_behind_a_label_are_the_first_and_the_last(joint: str) -> None:
    text = f"Content Agreement\nEffective Dates: September 1, 2026{joint}August 31, 2027\nThe parties agree."
    found = guess_contract_date(text, 5_000)
    assert (found["effective_from"].value, found["effective_to"].value) == ("2026-09-01", "2027-08-31")


def test_two_days_in_the_wrong_order_are_no_period() -> None:
    found = guess_contract_date("Effective Dates: September 1, 2026, August 31, 2025\n", 5_000)
    assert "effective_to" not in found
