"""Values of options, and that choices repeat what the records declare."""

from __future__ import annotations

from typing import get_args

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.cli.options import EXTRACTION_METHODS, LOG_LEVELS, RATIO, TEXT, TIERS, StorablePath
from coditect.schemas import GRANULARITIES, BuildSettings, ExtractionMethod
from coditect.telemetry import LEVELS


def test_choices_are_those_of_the_records() -> None:
    """The copies that keep --help light must not drift."""
    assert tuple(GRANULARITIES) == TIERS
    assert get_args(ExtractionMethod) == EXTRACTION_METHODS
    assert get_args(BuildSettings.model_fields["extraction_method"].annotation) == EXTRACTION_METHODS
    assert LEVELS == LOG_LEVELS


@given(st.floats(0.0, 1.0))
def test_ratio_takes_every_number_from_0_to_1(number: float) -> None:
    """What is printed is read back."""
    assert RATIO.convert(repr(number), None, None) == number


@pytest.mark.parametrize("value", ["1.0000001", "-0.1", "nan", "inf", "20%", "", "two"])
def test_ratio_refuses_everything_else(value: str) -> None:
    """NaN and infinity are no ratios."""
    with pytest.raises(click.BadParameter, match="not a number from 0 to 1"):
        RATIO.convert(value, None, None)


@given(st.text(min_size=1).filter(str.strip))
def test_text_is_kept_as_it_is(text: str) -> None:
    """What can be encoded is passed on unchanged."""
    assert TEXT.convert(text, None, None) == text


@pytest.mark.parametrize("value", ["a\udcffb", "\ud800"])
def test_text_of_undecodable_bytes_is_refused(value: str) -> None:
    """It could not be stored."""
    with pytest.raises(click.BadParameter, match="not UTF-8"):
        TEXT.convert(value, None, None)


@pytest.mark.parametrize("value", ["", "  "])
def test_text_that_is_empty_is_refused(value: str) -> None:
    """An empty id names nothing."""
    with pytest.raises(click.BadParameter, match="empty"):
        TEXT.convert(value, None, None)


def test_path_of_undecodable_bytes_is_refused() -> None:
    """A document could not be named after it."""
    with pytest.raises(click.BadParameter, match="rename it"):
        StorablePath().convert("f\udcff", None, None)
