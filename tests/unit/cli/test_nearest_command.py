"""A command that there is not is told with the nearest one that there is."""

from __future__ import annotations

import pytest

from coditect.cli.app import coditect
from coditect.cli.exit_codes import ExitCode


def _run(word: str) -> int:
    return int(coditect.main(["knowledge", word], standalone_mode=False) or 0)


@pytest.mark.parametrize(
    ("typed", "told"), [("obligation", "Did you mean 'obligations'?"), ("querry", "Did you mean 'query'?")]
)
def test_a_mistyped_command_gets_the_nearest(typed: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """On the error stream, as a wrong use."""
    assert _run(typed) == ExitCode.USAGE
    assert told in capsys.readouterr().err


def test_a_word_that_is_near_none_gets_no_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is guessed then."""
    assert _run("zzzzzz") == ExitCode.USAGE
    assert "Did you mean" not in capsys.readouterr().err
