"""What a sentence of an agreement says of the agreement: read where it is said, and nothing where something else is meant."""

from __future__ import annotations

import pytest

from coditect.documents.profile.agreements.facts import AgreementFact
from coditect.documents.profile.agreements.sentence import agreement_facts
from coditect.schemas import AgreementField


def read(field: AgreementField, text: str, heading: str = "") -> AgreementFact | None:
    return next((each for each in agreement_facts(text, heading) if each.field == field), None)


@pytest.mark.parametrize(
    ("text", "heading", "value", "length"),
    [
        ("This Agreement shall remain in force for a period of four (4) years from the Effective Date.", "", "", "4 years"),
        ("The initial term of this Contract is eighteen months.", "", "", "18 months"),
        ('The term of this Lease (the "Term") shall commence on 1 May 2024 and end on 30 April 2029.', "", "2029-04-30", ""),
        ("This Agreement shall continue in effect until the third anniversary of the Effective Date.", "", "", "3 years"),
        ("This MOU will expire on December 31, 2027 unless sooner terminated.", "", "2027-12-31", ""),
        ("Subject to clause 9, this Agreement shall be valid until terminated by either party.", "", "until ended", ""),
        ("This Agreement is concluded for an indefinite period.", "", "until ended", ""),
        ("This Agreement shall be valid for an indefinite period.", "", "until ended", ""),
        ("This Agreement shall terminate upon completion of the Works.", "", "completion of the Works", ""),
        ("This Agreement ends upon delivery under Section 3.4 and payment.", "", "delivery under Section 3.4 and payment", ""),
        ("The term of this Agreement shall be for a period of [***].", "", "not filled in", ""),
        ("Five years from the Commencement Date.", "Term", None, ""),
        ("From 1 January 2026 for a term of two years.", "Duration", "", "2 years"),
        ("Supplier's obligations hereunder shall commence on signature and continue for six months.", "", "", "6 months"),
    ],
)  # fmt: skip
def test_how_long_an_agreement_runs(text: str, heading: str, value: str | None, length: str) -> None:
    found = read("term", text, heading)
    if value is None:
        assert found is None
        return
    assert found is not None
    assert (found.value, str(found.length or "")) == (value, length)
    assert text[found.start : found.end]


@pytest.mark.parametrize(
    "text",
    [
        "The obligations of this clause shall survive for two years after termination of this Agreement.",
        "Either party may terminate this Agreement on ninety days' notice.",
        "Confidential Information shall be kept secret for a term of five years.",
        "Invoices are payable within thirty days of receipt.",
        "The warranty period is twelve months from delivery.",
        "Whereas the parties agreed on a term of three years;",
        "The term “Product” means the goods that are listed in Schedule 2 for three years.",
        "During the term of this Agreement and for two years thereafter the Supplier shall keep records.",
    ],
)
def test_what_else_runs_for_a_time_is_no_term(text: str) -> None:
    assert read("term", text) is None


def test_what_a_term_is_counted_from_is_told() -> None:
    known = read("term", "This Agreement shall continue for three years from the Effective Date.")
    other = read("term", "This Agreement shall continue for three years from the first delivery of the Goods.")
    either = read(
        "term", "This Agreement shall continue for three years from the Effective Date or until the Works are done."
    )
    assert known is not None
    assert known.since == "Effective Date"
    assert known.from_begin
    assert other is not None
    assert other.since == "first delivery of the Goods"
    assert not other.from_begin
    assert either is not None
    assert not either.from_begin


def test_the_day_on_which_a_term_begins_is_told() -> None:
    found = read("term", "This Agreement shall commence on 1 March 2025 and continue for three years.")
    assert found is not None
    assert (found.starts, str(found.length)) == ("2025-03-01", "3 years")


@pytest.mark.parametrize("verb", ["begins", "starts", "commences", "takes effect", "comes into force"])
@pytest.mark.parametrize("ending", ["ends", "terminates", "lapses", "expires"])
def test_both_days_of_a_sentence_are_told_under_a_number_alone(verb: str, ending: str) -> None:
    """Below "1 Term" the heading of "1.1 …" is its number: the verbs alone say what it is about."""
    found = read("term", f"1.1 This Agreement {verb} on 1 March 2026 and {ending} on 28 February 2029.", "1.1")
    assert found is not None
    assert (found.starts, found.value) == ("2026-03-01", "2029-02-28")


@pytest.mark.parametrize(
    ("text", "value", "length", "times"),
    [
        ("This Agreement shall automatically renew for successive periods of one year.", "automatic", "1 year", None),
        ("The Term will be renewed for one (1) additional period of two years unless either party gives notice.",
         "automatic", "2 years", 1),
        ("The Customer has the option to renew this Agreement for a further year.", "option", "", None),
        ("This Agreement may be extended by mutual written agreement of the parties.", "agreement", "", None),
        ("This Contract shall not be renewed.", "none", "", None),
        ("The term of this Lease is one year with automatic annual renewals thereafter.", "automatic", "1 year", None),
    ],
)  # fmt: skip
def test_how_an_agreement_is_renewed(text: str, value: str, length: str, times: int | None) -> None:
    found = read("renewal", text)
    assert found is not None
    assert (found.value, str(found.length or ""), found.times) == (value, length, times)


@pytest.mark.parametrize(
    "text",
    [
        "The time for performance shall be extended for the duration of the delay.",
        "The insurer renews the policies each year.",
        "This Agreement shall extend to the successors of the parties.",
        "This Agreement ends on 31 May 2027 unless extended.",
    ],
)
def test_what_else_is_renewed_or_extended_is_none(text: str) -> None:
    assert read("renewal", text) is None


@pytest.mark.parametrize(
    ("text", "value", "length"),
    [
        ("This Agreement renews automatically for one year unless a party gives sixty (60) days' written notice before the "
         "end of the term.", "to prevent it", "60 days"),
        ("Notice of non-renewal shall be given at least three months prior to the expiration of the then-current term.",
         "to prevent it", "3 months"),
        ("To exercise its option to extend the term the Tenant shall notify the Landlord not later than six months before the "
         "end of the term.", "to ask for it", "6 months"),
    ],
)  # fmt: skip
def test_the_notice_of_renewal(text: str, value: str, length: str) -> None:
    found = read("renewal_notice", text)
    assert found is not None
    assert (found.value, str(found.length)) == (value, length)


def test_notice_to_an_insurer_is_none_of_renewal() -> None:
    text = (
        "The policy shall provide for thirty days' notice of cancellation or non-renewal before the end of the period."
    )
    assert read("renewal_notice", text) is None


@pytest.mark.parametrize(
    ("text", "who", "length"),
    [
        (
            "Either party may terminate this Agreement at any time upon thirty days' written notice.",
            "Either party",
            "30 days",
        ),
        ("The Customer may terminate this Agreement for convenience.", "The Customer", ""),
        (
            "This Agreement may be terminated by either party without cause on three months' notice.",
            "either party",
            "3 months",
        ),
        ("Lender shall have the right to terminate this Agreement for any reason.", "Lender", ""),
    ],
)
def test_who_may_end_it_without_a_reason(text: str, who: str, length: str) -> None:
    found = read("termination", text)
    assert found is not None
    assert (found.who, str(found.length or "")) == (who, length)


@pytest.mark.parametrize(
    "text",
    [
        "Either party may terminate this Agreement if the other is in material breach.",
        "The Bank may terminate this Agreement at any time upon the occurrence of an Event of Default.",
        "This Agreement may be terminated at any time by mutual agreement of the parties.",
        "The Supplier may terminate any order on notice.",
        "If Beta, Inc. (or a parent of it) is acquired by another, either company may terminate this Agreement by giving"
        " thirty (30) days' written notice.",
    ],
)
def test_leave_to_end_it_for_a_reason_is_another_matter(text: str) -> None:
    assert read("termination", text) is None


@pytest.mark.parametrize(
    ("text", "heading", "place"),
    [
        (
            "This Agreement is governed by the laws of the State of Ohio, without regard to conflicts of law.",
            "",
            "Ohio",
        ),
        (
            "This Agreement shall be construed in accordance with the laws of England and Wales.",
            "",
            "England and Wales",
        ),
        (
            "THIS AGREEMENT SHALL BE GOVERNED BY THE LAWS OF THE STATE OF TEXAS, WITHOUT REGARD TO ITS CONFLICTS.",
            "",
            "Texas",
        ),
        ("This Contract shall be governed by the laws of the Netherlands.", "", "Netherlands"),
        ("The laws of Ireland shall govern this Agreement.", "", "Ireland"),
        ("This Agreement is governed by English law.", "", "English"),
        ("This Agreement shall be governed by the laws of [***].", "", "not filled in"),
        ("Governing law: Luxembourg", "Contract data", "Luxembourg"),
    ],
)
def test_whose_law_it_is_under(text: str, heading: str, place: str) -> None:
    found = read("governing_law", text, heading)
    assert found is not None
    assert found.value == place


@pytest.mark.parametrize(
    "text",
    [
        "The Supplier shall comply with the laws of Germany.",
        "The Company is a corporation organised under the laws of Delaware.",
        "Interest is payable at the rate that the law allows.",
    ],
)
def test_other_laws_govern_nothing(text: str) -> None:
    assert read("governing_law", text) is None


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("assignment", "Neither party may assign this Agreement without the prior written consent of the other.", "with consent"),
        ("assignment", "The Licensee shall not assign this Agreement.", "prohibited"),
        ("assignment", "The Lender may freely assign its rights under this Agreement.", "permitted"),
        ("subcontracting", "The Provider may not subcontract the Services without the Client's approval.", "with consent"),
        ("subcontracting", "The Provider shall not use any subcontractors.", "prohibited"),
        ("subcontracting", "The Provider may engage other processors.", "permitted"),
        ("subcontracting", "Customer authorizes Provider to engage Sub-processors, provided that:", "permitted"),
        ("subcontracting", "You agree to our use of third-party sub-processors.", "permitted"),
        ("subcontracting", "Provider shall obtain consent before engaging any new sub-processor.", "with consent"),
        ("subcontracting", "The Provider agrees that it shall not engage subcontractors.", "prohibited"),
        ("audit", "The Client has the right to audit the Provider's books and records once a year.", "granted"),
        ("audit", "We will permit audits by an auditor concerning our processing of personal data.", "granted"),
        ("audit", "The Provider shall give the supervisory authority access to its premises.", "granted"),
        ("data_location", "Personal data shall be stored only in the European Union.", "in European Union"),
        ("data_location", "The Provider shall not transfer Client data outside Switzerland.", "not outside Switzerland"),
        ("data_location", "The Provider may process data outside the United Kingdom.", "also outside United Kingdom"),
    ],
)  # fmt: skip
def test_what_needs_leave(field: AgreementField, text: str, value: str) -> None:
    found = read(field, text)
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("assignment", "The Contractor hereby assigns to the Client all rights in the Works."),
        ("subcontracting", "Confidential Information may be shown to employees and subcontractors who need it."),
        ("subcontracting", "“Subcontractor” means anybody who may use the Works without approval."),
        (
            "subcontracting",
            "The Client may terminate services which cannot be provided without the use of the new sub-processor.",
        ),
        ("subcontracting", "Services that cannot be rendered by employing subcontractors are left out."),
        ("audit", "The Seller has delivered its audited financial statements."),
        ("audit", "We need not give access to our premises for the purposes of such an audit:"),
        (
            "governing_law",
            "This Agreement is governed by the law of the Member State in which the exporter is established.",
        ),
        ("data_location", "The Company has offices in France and Spain."),
        ("data_location", "Whereas the Provider keeps its servers in Ireland;"),
    ],
)
def test_what_only_sounds_like_it(field: AgreementField, text: str) -> None:
    assert read(field, text) is None


def test_a_reading_lies_in_its_sentence() -> None:
    text = (
        "This Agreement commences on 1 May 2024, continues for three years and is renewed automatically for periods of one year "
        "unless a party gives ninety days' notice before the end of a term; it is governed by the laws of France."
    )
    found = list(agreement_facts(text, "Term"))
    assert {each.field for each in found} >= {"term", "renewal", "renewal_notice"}
    assert all(0 <= each.start < each.end <= len(text) for each in found)
    assert len({each.field for each in found}) == len(found)


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("data_location", "The Provider shall process data only within the European Economic Area.", "in European Economic Area"),
        ("data_location", "Supplier may store data in the European Union and in Switzerland.", "in European Union and Switzerland"),
        ("subcontracting", "Supplier may use subcontractors listed in Annex A.", "permitted"),
        ("governing_law", "3. Austrian law applies.", "Austrian"),
        ("termination", "The Customer may terminate for convenience on 90 days’ written notice.", "without a reason"),
        ("termination", "Either party may terminate on three months' notice to the end of a quarter.", "without a reason"),
        ("audit", "The Customer and the competent authorities may audit the Provider once a year.", "granted"),
        ("term", "This agreement runs for an indefinite period and may be ended on notice to the end of a month.", "until ended"),
    ],
)  # fmt: skip
def test_plain_clauses_are_read(field: AgreementField, text: str, value: str) -> None:
    """As short contracts have them: without "this Agreement" behind each verb; each is said directly enough to be told."""
    found = read(field, text)
    assert found is not None
    assert (found.value, found.weight >= 2) == (value, True)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("termination", "The Sponsor may terminate without cause either of the Programs."),
        ("audit", "The Bank may audit Financial Statements."),
        ("governing_law", "Austrian law applies to employees who work in Vienna."),
        ("subcontracting", "With the consent of the Fund, the Manager may use subcontractors."),
    ],
)
def test_what_resembles_a_plain_clause_is_not_told(field: AgreementField, text: str) -> None:
    """Something else is ended or looked at, others are under the law, and leave that needs a consent."""
    found = read(field, text)
    assert found is None or found.weight < 2 or found.value == "with consent"


def test_an_indefinite_term_of_at_least_some_years_is_told_as_that_length() -> None:
    found = read("term", "This Agreement shall continue for an indefinite period, but at least for three years.")
    assert found is not None
    assert str(found.length) == "3 years"
