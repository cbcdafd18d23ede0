"""What is said of an agreement, and not of an end, of a licence, of records, or of a programme that it speaks of, too."""

from __future__ import annotations

import pytest

from coditect.documents.profile.agreements.facts import AgreementFact
from coditect.documents.profile.agreements.sentence import _READERS, agreement_facts, may_speak_of
from coditect.schemas import AGREEMENT_FIELDS, AgreementField


def read(field: AgreementField, text: str, heading: str = "") -> AgreementFact | None:
    """What the register tells of a field: what is said directly enough."""
    return next((each for each in agreement_facts(text, heading) if each.field == field and each.weight > 1), None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("This Contract shall expire automatically on 30 June 2028 unless the parties agree to extend its term.", "agreement"),
        ("This Lease automatically terminates on 1 May 2027, and the Tenant may by notice extend this Lease.", "option"),
        ("This Agreement shall be automatically extended for one year.", "automatic"),
        ("Neither party shall be under any obligation to extend this Agreement.", "none"),
    ],
)  # fmt: skip
def test_what_ends_automatically_is_not_renewed_automatically(text: str, value: str) -> None:
    found = read("renewal", text, "Term")
    assert found is not None
    assert found.value == value


def test_the_day_on_which_it_ends_automatically_is_its_last_one() -> None:
    found = read(
        "term",
        "This Contract shall begin on 1 July 2025 and shall expire automatically without notice on 30 June 2028.",
    )
    assert found is not None
    assert (found.starts, found.value) == ("2025-07-01", "2028-06-30")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Thereafter this Agreement shall continue in force until either party gives three months' notice of termination.",
         "until ended"),
        ("The initial term ends on 31 March 2024; after that this Contract continues until terminated by either party.",
         "until ended"),
        ("This Agreement shall automatically continue until one party gives notice.", "until ended"),
        ("This Agreement is renewed automatically for one year at a time thereafter until terminated.", "automatic"),
    ],
)  # fmt: skip
def test_what_goes_on_until_somebody_ends_it_is_told_as_that(text: str, value: str) -> None:
    found = read("renewal", text)
    assert found is not None
    assert found.value == value


def test_what_has_no_fixed_term_does_not_go_on_behind_one() -> None:
    text = "This Agreement takes effect when it is signed and will continue thereafter until terminated under clause 9."
    assert read("renewal", text) is None


def test_notice_of_what_goes_on_is_to_end_it() -> None:
    text = "Thereafter this Agreement shall continue in force until either party gives three months' notice of termination."
    notice, ending = read("renewal_notice", text), read("termination", text)
    assert notice is not None
    assert (notice.value, str(notice.length)) == ("to end it", "3 months")
    assert ending is not None
    assert (ending.who, str(ending.length)) == ("either party", "3 months")


def test_a_day_that_the_sentence_has_named_is_the_first_one() -> None:
    found = read("term", "This Agreement shall commence on 1 March 2025 and expire eighteen months from that date.")
    assert found is not None
    assert found.from_begin
    loose = read("term", "This Agreement shall expire eighteen months from that date.")
    assert loose is not None
    assert not loose.from_begin


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("term", "The initial term of the Owl Breeding Programme will be four years under this Agreement."),
        ("renewal", "The Nesting Term may be extended at the Keeper's option."),
        (
            "termination",
            "The Keeper may terminate the licence described in Clause 4 at any time on two months' notice.",
        ),
        ("assignment", "Such licence shall not be transferable to anybody else under this Agreement."),
        ("assignment", "Voting rights cannot be assigned under this contract."),
        (
            "assignment",
            "The Keeper grants under this Agreement a non-exclusive, non-transferable right to show the owls.",
        ),
        ("audit", "All records obtained in connection with access to the aviary's premises belong to the Keeper."),
        ("audit", "The Keeper may terminate all access of the Visitor to its premises."),
    ],
)
def test_a_clause_on_something_else_is_not_the_agreements(field: AgreementField, text: str) -> None:
    assert read(field, text) is None


@pytest.mark.parametrize(
    ("text", "who"),
    [
        (
            "Either Keeper or Vet may terminate this Agreement upon prior written notice to the other.",
            "Either Keeper or Vet",
        ),
        ("If either party wishes to terminate this Agreement, it shall give ninety days' notice.", "either party"),
        ("A party desiring to end this Contract must give the other notice at least one month ahead.", ""),
    ],
)
def test_notice_alone_ends_an_agreement(text: str, who: str) -> None:
    found = read("termination", text)
    assert found is not None
    assert who in found.who


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Either party may terminate this Agreement upon written notice.", "Termination for Cause"),
        ("If any of the above occurs and Keeper elects to terminate this Agreement, Keeper may give a notice.", ""),
        ("which cannot be cured, and Keeper shall be entitled to terminate this Agreement upon written notice.", ""),
        ("Either party may terminate this Agreement upon notice to the other:", ""),
        ("The Vet may terminate this Agreement on written notice.", ""),
    ],
)
def test_notice_for_a_reason_is_no_leave_to_end_it_at_will(text: str, heading: str) -> None:
    assert read("termination", text, heading) is None


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("audit", "The Keeper shall permit an accountant to have access during business hours to such of its records as matter.",
         "granted"),
        ("assignment", "The Member may transfer ownership of this contract under the statutes.", "permitted"),
        ("assignment", "Neither party shall transfer this Agreement.", "prohibited"),
    ],
)  # fmt: skip
def test_the_agreements_own_clauses_are_found(field: AgreementField, text: str, value: str) -> None:
    found = read(field, text, field.title())
    assert found is not None
    assert found.value == value


def test_a_text_without_its_words_speaks_of_no_field() -> None:
    assert may_speak_of("termination", "The Keeper may cancel this Agreement.")
    assert not may_speak_of("termination", "The committee meets within thirty days of a written notice.")
    assert may_speak_of("data_location", "Data stays in Iceland.")


def test_readers_are_in_the_order_of_the_fields() -> None:
    """Whether a text may speak of a field is asked of the words of that field's own reader."""
    assert tuple(reader.__name__.removeprefix("read_") for _, _, reader in _READERS) == AGREEMENT_FIELDS
