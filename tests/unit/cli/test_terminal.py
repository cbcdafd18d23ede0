"""What passes into a terminal, and what a file is given instead."""

from __future__ import annotations

import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.cli.console import Screen
from coditect.cli.failures import report_failure
from coditect.cli.output import write_json
from coditect.cli.terminal import plain, readable, show_text
from coditect.errors import UsageError

STEERING = [
    *map(chr, (*range(9), *range(11, 32), *range(127, 160))),
    *"\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069",
]
spoken = st.text(st.sampled_from([*STEERING, *"ab \t\n", "é", "\u200b", "\U0001f680"]), max_size=30)


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def __init__(self) -> None:
        self.written = io.BytesIO()
        super().__init__(self.written, encoding="utf-8", newline="")

    def isatty(self) -> bool:
        return True

    def shown(self) -> str:
        """What was written so far."""
        self.flush()
        return self.written.getvalue().decode()


@given(spoken)
def test_plain_shows_each_steering_character_and_leaves_the_rest(text: str) -> None:
    """Escapes are by code point, and nothing else changes: tabs, line ends and invisible characters stay."""
    shown = plain(text)
    assert not set(shown) & set(STEERING)
    assert shown == "".join(f"<U+{ord(each):04X}>" if each in STEERING else each for each in text)


@given(spoken)
def test_readable_text_has_no_marks_of_direction(text: str) -> None:
    """They are seen by nobody; what steers a terminal or turns whole words is still told."""
    assert readable(text) == plain("".join(each for each in text if each not in "\u061c\u200e\u200f"))


@given(spoken, st.integers(0, 6))
def test_screen_writes_quotes_verbatim_into_a_file(text: str, indent: int) -> None:
    """Tabs, line breaks and runs of blanks are those of the document; an indent stands before each line that is not empty."""
    stream = io.StringIO(newline="")
    Screen(stream).block(indent, f"“{text}”")
    lines = f"“{readable(text)}”".split("\n")
    assert stream.getvalue() == "".join(f"{' ' * indent}{line}\n" if line else "\n" for line in lines)


def test_screen_aligns_numbered_quotes_without_touching_them() -> None:
    """The second line of a quote stands below the first."""
    stream = io.StringIO(newline="")
    Screen(stream).numbered(2, "1. ", "“a\tb  c ", ("\n\n  d", "bold"), "”")
    assert stream.getvalue() == "  1. “a\tb  c \n\n       d”\n"


def test_document_text_on_a_terminal_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is shown without doing anything to who looks at it; bytes that are no text are told by number."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    show_text("a\tb\n\u202e\x9b31m".encode() + b"\xff")
    assert terminal.shown() == "a\tb\n<U+202E><U+009B>31m\\xff"


def test_document_text_in_a_file_is_exact(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Its hash is that of the document."""
    content = "a\tb\r\n\u202e\x9b".encode() + b"\xff"
    show_text(content)
    sys.stdout.flush()
    assert capfdbinary.readouterr().out == content


def test_json_is_the_same_value_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Programs read what a document says exactly; a terminal is given escapes for it."""
    value = {"text": "a\tb\n\u202e\x9b31m\x7f\u200b§"}
    write_json(value)
    sys.stdout.flush()
    piped = capfdbinary.readouterr().out.decode()
    assert "\u202e\x9b" in piped
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    write_json(value)
    assert not set(terminal.shown()) & set(STEERING)
    assert json.loads(terminal.shown()) == json.loads(piped) == value


def test_failure_names_what_would_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """The name of a file is not trusted either."""
    report_failure(UsageError("no such \x1b]0;file\x07", hint="see \u202ethere"), as_json=False)
    shown = capsys.readouterr().err
    assert "no such <U+001B>]0;file<U+0007>" in shown
    assert "see <U+202E>there" in shown
