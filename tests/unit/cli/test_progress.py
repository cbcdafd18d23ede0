"""Progress bars."""

from __future__ import annotations

import io

import pytest

from coditect.cli.progress import progress_bars
from coditect.knowledge.progress import silent


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_is_silent_outside_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Log files hold no bars."""
    with progress_bars() as progress:
        assert progress is silent
        progress("reading", 1, 2)
    assert capsys.readouterr().err == ""


def test_progress_draws_each_stage_on_stderr(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bar for each stage, also where the total is not known."""
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bars() as progress:
        progress("composing", 0, 0)
        progress("reading", 1, 2)
        progress("reading", 2, 2)
    assert "composing" in stream.getvalue()
    assert "2/2" in stream.getvalue()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("done", "shown"), [(0, "1/1"), (3, "3/3")])
def test_stage_of_unknown_length_ends_when_the_next_begins(
    monkeypatch: pytest.MonkeyPatch, done: int, shown: str
) -> None:
    """What it did is all that there was; a stage that told nothing is done as one step."""
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bars() as progress:
        progress("composing", done, 0)
        progress("reading", 4, 9)
    last = stream.getvalue().rpartition("composing")[2]
    assert shown in last
    assert "4/9" in last
