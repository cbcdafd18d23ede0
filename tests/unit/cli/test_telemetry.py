"""Logging."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from coditect.errors import UsageError
from coditect.telemetry import FirstLine, Logger, configure_logging


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _restore() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level
    structlog.reset_defaults()


def test_log_lines_are_json_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    """Programs read one object a line, on stderr alone, from structlog and the standard library alike."""
    configure_logging("info")
    structlog.get_logger("own").info("built", generation=3)
    logging.getLogger("library").warning("odd %s", "thing")
    out, err = capsys.readouterr()
    first, second = (json.loads(line) for line in err.splitlines())
    assert out == ""
    assert (first["event"], first["generation"], first["level"], first["logger"]) == ("built", 3, "info", "own")
    assert (second["event"], second["level"], second["logger"]) == ("odd thing", "warning", "library")
    assert first["timestamp"].endswith("Z")


def test_log_lines_are_for_people_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """No JSON there, and no colour where it is refused."""
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("NO_COLOR", "1")
    configure_logging("INFO")
    structlog.get_logger("own").info("built", generation=3)
    assert "built" in stream.getvalue()
    assert "generation=3" in stream.getvalue()
    assert "{" not in stream.getvalue()
    assert "\x1b" not in stream.getvalue()


def test_log_below_the_level_is_dropped(capsys: pytest.CaptureFixture[str]) -> None:
    """WARNING hides INFO."""
    configure_logging("WARNING")
    structlog.get_logger("own").info("built")
    logging.getLogger("library").info("x")
    assert capsys.readouterr().err == ""


def test_log_set_up_twice_writes_each_line_once(capsys: pytest.CaptureFixture[str]) -> None:
    """A second run in one process replaces the set-up."""
    configure_logging("INFO")
    configure_logging("INFO")
    structlog.get_logger("own").info("built")
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_log_level_that_is_none_is_refused() -> None:
    """The message names the levels."""
    with pytest.raises(UsageError) as caught:
        configure_logging("LOUD")
    assert caught.value.hint == "Use one of DEBUG, INFO, WARNING, ERROR."


def test_a_warning_of_our_own_sets_logging_up(capsys: pytest.CaptureFixture[str]) -> None:
    """What is below the level loads nothing and is not written; the first line that is written has the form of all others."""
    root = logging.getLogger()
    root.handlers[:] = [FirstLine("WARNING")]
    root.setLevel("WARNING")
    log = Logger("own")
    log.info("built", generation=3)
    log.warning("odd", generation=4)
    logging.getLogger("library").warning("again")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["event"], line["level"], line["logger"]) for line in lines] == [
        ("odd", "warning", "own"),
        ("again", "warning", "library"),
    ]
    assert lines[0]["generation"] == 4
