"""Exit codes."""

from __future__ import annotations

import click
import pytest

from coditect import errors
from coditect.cli.exit_codes import MEANINGS, ExitCode, exit_code_of, exit_codes_epilog, exit_codes_markdown

EXPECTED = {
    "AccessDenied": 2,
    "BudgetExceeded": 1,
    "Unreachable": 1,
    "CoditectError": 1,
    "Conflict": 4,
    "Corrupt": 1,
    "EvidenceError": 1,
    "ImmutableViolation": 1,
    "InvalidProof": 1,
    "Malformed": 1,
    "ModelError": 1,
    "NewerRecord": ExitCode.FOUND,
    "NotConfigured": 1,
    "NotExtractive": 1,
    "OverQuota": 2,
    "NotFound": 2,
    "QuoteNotFound": 1,
    "RateLimited": 1,
    "ReadError": 1,
    "Refused": 1,
    "SchemaError": 2,
    "StoreError": 1,
    "SynthesisRatioExceeded": 1,
    "TooLarge": 1,
    "Unavailable": 4,
    "Unsupported": 1,
    "Unwritable": 4,
    "UsageError": 2,
}


def test_exit_codes_cover_every_error_class() -> None:
    """A new error class must be given its exit code here."""
    assert sorted(EXPECTED) == sorted(errors.__all__)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_exit_code_of_an_error_is_the_documented_one(name: str) -> None:
    """Each class of the tree ends in its code."""
    assert exit_code_of(getattr(errors, name)("text")) == EXPECTED[name]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
        (BrokenPipeError(), 141),
        (click.UsageError("text"), 2),
        (click.BadParameter("text"), 2),
    ],
)
def test_exit_code_of_an_end_from_outside(error: BaseException, code: int) -> None:
    """Interruptions, closed pipes and wrong options have codes of their own."""
    assert exit_code_of(error) == code


def test_exit_code_of_a_defect_is_not_hidden() -> None:
    """An error that is not of this package is raised again, with its traceback."""
    with pytest.raises(ZeroDivisionError):
        exit_code_of(ZeroDivisionError())


def test_exit_codes_are_all_documented() -> None:
    """Help and Markdown name every code with its meaning."""
    assert set(MEANINGS) == set(ExitCode)
    for code, (meaning, _) in MEANINGS.items():
        assert f"{code:>3}  {meaning}" in exit_codes_epilog()
        assert f"| {int(code)} | {meaning} |" in exit_codes_markdown()


def test_exit_codes_markdown_lists_every_error_class() -> None:
    """A program that reads errors as JSON finds each name with its code."""
    text = exit_codes_markdown()
    assert all(f"| `{name}` | {code} |" in text for name, code in EXPECTED.items())
