"""Times of works and hospitals: intervals with a bound, times of a second act, limits behind a request, units."""

from __future__ import annotations

import pytest

from coditect.language.norms.binding import read_norms
from coditect.language.quantities.meaning import find_quantities


def _read(text: str) -> list[dict[str, object]]:
    found = read_norms(text, 0, len(text), find_quantities(text, 0, len(text)))
    return [{"kind": each.mark.kind, **each.mark.data} for each in found]


def _text(value: object) -> object:
    return value["text"] if isinstance(value, dict) else value


@pytest.mark.parametrize("bound", ["not exceeding 6 months", "of not more than 6 months", "no longer than 6 months"])
def test_interval_with_a_bound_is_a_frequency(bound: str) -> None:
    """ "At intervals not exceeding" says how often, in numbers."""
    (norm,) = _read(f"The club shall test the ropes at intervals {bound}.")
    assert norm["frequency"]["per_year"] == 2.0  # type: ignore[index]


def test_time_in_front_of_a_second_act_is_its_own() -> None:
    """ "and, within 30 days …, send" is due within 30 days; the act before it is not."""
    first, second = _read(
        "The club shall keep a list and, within 30 days after the season, send the results to the league."
    )
    assert "deadline" not in first
    assert _text(second["deadline"]) == "within 30 days after the season"


def test_limit_in_figures_ends_the_request_before_it() -> None:
    """What limits an act is its deadline, also behind what it is done at or on."""
    (norm,) = _read("The bank shall send a copy at the buyer's request within 10 days after receipt.")
    assert (norm["condition"], _text(norm["deadline"])) == ("at the buyer's request", "within 10 days after receipt")
    (norm,) = _read("The library must act on the reader's request for a copy no later than 20 days after receipt.")
    assert _text(norm["deadline"]) == "no later than 20 days after receipt"
    assert "condition" not in norm


def test_comma_of_a_thousand_ends_no_condition() -> None:
    """A comma inside a figure is part of it."""
    (norm,) = _read("For a leak of more than 2,500 litres of oil, the harbour must warn the town.")
    assert norm["condition"] == "For a leak of more than 2,500 litres of oil"


def test_averaging_period_is_no_frequency() -> None:
    """A daily mean is a kind of value."""
    (norm,) = _read("The mill shall not discharge more than 20 mg/l of fibre as a daily mean.")
    assert "frequency" not in norm


def test_working_day_of_each_month_is_a_deadline() -> None:
    """ "by the fifth working day of each month" says by when."""
    (norm,) = _read("The agent shall submit the figures by the third working day of each month.")
    assert _text(norm["deadline"]) == "by the third working day of each month"


def test_weekday_of_the_month_is_a_frequency() -> None:
    """ "on the first Wednesday of the month" recurs."""
    (norm,) = _read("The warden shall test the bell on the first Wednesday of the month.")
    assert _text(norm["frequency"]) == "on the first Wednesday of the month"


def test_what_is_told_behind_a_time_is_no_part_of_it() -> None:
    """A time ends before the question that the act tells."""
    (norm,) = _read("Tell every guest before the first day what may bite or sting.")
    assert (_text(norm["deadline"]), norm["action"]) == (
        "before the first day",
        "Tell every guest what may bite or sting",
    )


@pytest.mark.parametrize(
    ("words", "unit"),
    [
        ("12 ppm", "ppm"),
        ("80 dB(A)", "dB(A)"),
        ("80 dBA", "dBA"),
        ("3 mg/m3", "mg/m3"),
        ("50 µg/l", "µg/l"),
        ("400 Hz", "Hz"),
        ("8 °C", "°C"),
    ],
)
def test_units_of_measurement_make_quantities(words: str, unit: str) -> None:
    """Units of exposure, noise and effluent are read as printed."""
    (mark,) = find_quantities(f"It shall not exceed {words} at any time.", 0, 40)
    assert (mark.data["text"], mark.data["unit"]) == (words, unit)


def test_time_of_day_is_no_length_of_time() -> None:
    """ "22:00 hours" has no zero hours."""
    text = "The gate is shut at 22:00 hours."
    assert find_quantities(text, 0, len(text)) == []
