"""Quantities: numbers, money, dates, durations, frequencies, counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.language.marks import JsonValue
from coditect.language.quantities.durations import duration_hours, normalise_unit, period_per_year
from coditect.language.quantities.meaning import find_quantities
from coditect.language.quantities.numbers import parse_number

_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def _spell(number: int) -> str:
    """An independent speller of English numbers below a million."""
    if number < 20:
        return _SMALL[number]
    if number < 100:
        return _TENS[number // 10] + (f"-{_SMALL[number % 10]}" if number % 10 else "")
    if number < 1000:
        return f"{_SMALL[number // 100]} hundred" + (f" and {_spell(number % 100)}" if number % 100 else "")
    return f"{_spell(number // 1000)} thousand" + (f" {_spell(number % 1000)}" if number % 1000 else "")


def _only(text: str) -> dict[str, JsonValue]:
    """The data of the one quantity in a text."""
    marks = find_quantities(text, 0, len(text))
    assert len(marks) == 1, marks
    assert text[marks[0].start : marks[0].end] == marks[0].data["text"]
    return dict(marks[0].data)


@given(st.integers(0, 999_999))
def test_number_parser_reads_back_every_spelled_number(number: int) -> None:
    """A number spelled in words, in digits or with separators is that number."""
    assert parse_number(_spell(number)) == number
    assert parse_number(f"{number:,}") == number
    assert parse_number(f"{_spell(number)} ({number:,})") == number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("one and one-half", 1.5),
        ("two and a half", 2.5),
        ("1½", 1.5),
        ("1 1/2", 1.5),
        ("20.000.000", 20e6),
        ("cat", None),
    ],
)
def test_number_parser_reads_fractions_and_refuses_words(text: str, value: float | None) -> None:
    """Fractions count; what is no number gives None."""
    assert parse_number(text) == value


@pytest.mark.parametrize("unit", ["second", "minutes", "Hour", "days", "weeks", "month", "quarters", "year"])
def test_duration_hours_and_frequency_are_inverse(unit: str) -> None:
    """What takes h hours happens 8766 / h times a year."""
    assert period_per_year(3, unit) == pytest.approx(8766 / duration_hours(3, unit), abs=0.01)


def test_duration_hours_uses_the_documented_month() -> None:
    """A month is 30.4375 days, and a word that is no unit is an error."""
    assert duration_hours(2, "months") == 2 * 30.4375 * 24
    assert normalise_unit("furlong") == ""
    with pytest.raises(KeyError):
        duration_hours(1, "furlong")


def test_quantity_deadline_has_hours_comparator_and_relation() -> None:
    """A limit after an event is a deadline in hours that knows its comparator and side."""
    data = _only("Supplier shall notify Customer no later than seventy-two (72) hours after discovery.")
    assert data["quantity_kind"] == "deadline"
    assert (data["hours"], data["comparator"], data["relation"]) == (72.0, "within", "after")
    assert data["subject"] == "Supplier shall notify Customer"


@pytest.mark.parametrize(
    ("words", "comparator"),
    [
        ("in no case later than 60 calendar days after discovery", "within"),
        ("in no event later than ten (10) days after receipt", "within"),
        ("never later than 24 hours after receipt", "within"),
        ("later than 24 hours after receipt", "more_than"),
        ("in no event more than 5 years", "at_most"),
        ("in no case less than 6 years", "at_least"),
        ("never longer than 6 months", "at_most"),
    ],
)
def test_quantity_comparator_in_no_case_turns_around(words: str, comparator: str) -> None:
    """ "In no event later than" bounds as "not later than" does."""
    assert _only(words)["comparator"] == comparator


def test_quantity_business_days_are_flagged() -> None:
    """Business days count 24 hours each and say that they are business days."""
    data = _only("within two (2) business days of receipt")
    assert data["business_days"] is True
    assert data["hours"] == 48.0


def test_quantity_notice_before_an_event_is_a_deadline_with_at_least() -> None:
    """Notice that must be given some days ahead binds from below."""
    data = _only("upon at least sixty (60) days prior written notice")
    assert (data["quantity_kind"], data["comparator"], data["relation"]) == ("deadline", "at_least", "before")


def test_quantity_retention_is_a_duration() -> None:
    """A length of time without an event is a duration."""
    data = _only("Records are kept for six years or more.")
    assert (data["quantity_kind"], data["comparator"], data["years"]) == ("duration", "at_least", 6.0)


@pytest.mark.parametrize(
    ("text", "per_year", "months"),
    [
        ("reviewed at least annually", 1.0, 12.0),
        ("rotated every 90 days", 4.06, None),
        ("tested at least twice a year", 2.0, 6.0),
        ("audited once every two (2) years", 0.5, 24.0),
        ("reported quarterly", 4.0, 3.0),
        ("reported every other month", 6.0, 2.0),
    ],
)
def test_quantity_frequency_is_normalised(text: str, per_year: float, months: float | None) -> None:
    """Frequencies are times per year, and months where these are whole."""
    data = _only(text)
    assert data["quantity_kind"] == "frequency"
    assert data["per_year"] == pytest.approx(per_year)
    assert data.get("months") == months


@pytest.mark.parametrize("text", ["the annual fee is due", "her monthly payment rose", "in her early years"])
def test_quantity_adjective_of_period_is_no_frequency(text: str) -> None:
    """A kind of payment that is named by its period says of no act how often it is done."""
    assert find_quantities(text, 0, len(text)) == []


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("pay $1.5 million", 1_500_000, "USD"),
        ("a fine of EUR 20 000 000", 20_000_000, "EUR"),
        ("Five Thousand Dollars ($5,000)", 5_000, "USD"),
        ("€4.500.000", 4_500_000, "EUR"),
        ("2,000 GBP", 2_000, "GBP"),
        ("fifty cents", 0.5, "USD"),
        ("$5M", 5_000_000, "USD"),
    ],
)
def test_quantity_amount_has_value_and_iso_currency(text: str, value: float, currency: str) -> None:
    """Amounts are numbers with an ISO 4217 code, in one span."""
    data = _only(text)
    assert (data["quantity_kind"], data["value"], data["currency"]) == ("amount", value, currency)


@pytest.mark.parametrize(
    ("text", "value"),
    [("4 %", 4), ("one and one-half percent (1.5%)", 1.5), ("25 basis points", 0.25), ("90 per cent", 90)],
)
def test_quantity_percentage_is_in_percent(text: str, value: float) -> None:
    """Percentages and basis points are given in percent."""
    assert _only(text)["value"] == value


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("by November 20, 2026", "2026-11-20"),
        ("the 20th day of November, 2026", "2026-11-20"),
        ("2026-11-20", "2026-11-20"),
        ("11/20/2026", "2026-11-20"),
        ("20/11/2026", "2026-11-20"),
        ("03/04/2026", "2026"),
        ("May 2026", "2026-05"),
        ("on March 15", "--03-15"),
    ],
)
def test_quantity_date_is_iso_as_far_as_it_is_certain(text: str, iso: str) -> None:
    """Dates are ISO 8601; of an ambiguous one only the year is claimed."""
    assert _only(text)["iso"] == iso


def test_quantity_verb_may_is_no_month() -> None:
    """The modal "may" before a number is no date."""
    text = "Supplier may 30 days later resume"
    assert [m.data["quantity_kind"] for m in find_quantities(text, 0, len(text))] == ["duration"]


def test_quantity_count_needs_a_counted_noun() -> None:
    """Passwords have a length; a bare number means nothing."""
    assert _only("Passwords must be at least 12 characters long")["comparator"] == "at_least"
    assert find_quantities("see item 12 above", 0, 17) == []
