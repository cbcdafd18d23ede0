"""Text output."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.cli.console import Screen, counted
from coditect.cli.terminal import plain
from coditect.schemas.record import tag_of

LONG_ID = "extraction_" + tag_of("x") * 30


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@given(st.text())
def test_plain_leaves_no_control_character(text: str) -> None:
    """A document cannot steer the terminal or turn its reading direction."""
    shown = plain(text)
    assert not any((ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160 for c in shown)
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def test_plain_names_what_it_replaces() -> None:
    """An auditor sees that there was something."""
    assert plain("a\x1b[31mb\u202ec") == "a<U+001B>[31mb<U+202E>c"


def test_page_outside_a_terminal_neither_wraps_nor_cuts_nor_pads() -> None:
    """Ids stay whole for grep."""
    stream = io.StringIO()
    page = Screen(stream)
    page.table(("id", "number"), [(LONG_ID, "1"), ("b", "22")], numbers=(1,))
    page.block(4, "word " * 199 + "word")
    lines = stream.getvalue().splitlines()
    assert len(lines) == 4
    assert LONG_ID in lines[1]
    assert lines[3].startswith("    word word")
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("name", ["FORCE_COLOR", "CLICOLOR_FORCE"])
def test_page_outside_a_terminal_has_no_colour(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A file holds text and nothing else."""
    monkeypatch.setenv(name, "1")
    stream = io.StringIO()
    Screen(stream).line(("red", "red"), ("bold", "bold"))
    assert stream.getvalue() == "redbold\n"


def test_page_on_a_terminal_has_colour_unless_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR is honoured."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured, refused = Terminal(), Terminal()
    Screen(coloured, width=80).line(("x", "red"))
    monkeypatch.setenv("NO_COLOR", "1")
    Screen(refused, width=80).line(("x", "red"))
    assert "\x1b[31m" in coloured.getvalue()
    assert "\x1b[31m" not in refused.getvalue()


def test_page_indents_every_line_of_a_wrapped_block() -> None:
    """On a narrow terminal the outline stays visible."""
    stream = Terminal()
    Screen(stream, width=40).block(8, "word " * 30)
    assert all(line.startswith(" " * 8 + "word") for line in stream.getvalue().splitlines())


def test_page_takes_markup_as_text() -> None:
    """Square brackets in a document are not commands."""
    stream = io.StringIO()
    Screen(stream).line("[bold]x[/bold] [link=http://x]y[/link] :smile:")
    assert stream.getvalue() == "[bold]x[/bold] [link=http://x]y[/link] :smile:\n"


def test_page_survives_a_stream_that_cannot_encode() -> None:
    """A terminal without the paragraph sign shows its number."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    Screen(stream).line("§ 5")
    stream.flush()
    assert raw.getvalue() == b"\\xa7 5\n"


def test_counted_agrees_in_number() -> None:
    """One file, two files."""
    assert (counted(1, "file"), counted(0, "file"), counted(2, "file")) == ("1 file", "0 files", "2 files")


def test_table_is_indented_by_two_with_numbers_to_the_right() -> None:
    """Two spaces before, two between the columns, and none behind; only the columns that were named are aligned to the right."""
    for stream in (io.StringIO(), Terminal()):
        Screen(stream, width=40).table(
            ("name", "count", "note"), [("a", "7", "x"), ("bb", "1234567", "yy")], numbers=(1,)
        )
        shown = re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue())
        assert [line.rstrip() for line in shown.splitlines()] == [
            "  name    count  note",
            "  a           7  x",
            "  bb    1234567  yy",
        ]


def test_numbered_paragraph_aligns_its_lines_behind_the_number() -> None:
    """Also the lines that the text breaks itself, and on a terminal those that do not fit."""
    stream = io.StringIO()
    Screen(stream).numbered(2, "1. ", "one\n\ntwo")
    assert stream.getvalue() == "  1. one\n\n     two\n"
    terminal = Terminal()
    Screen(terminal, width=14).numbered(2, "1. ", "one two three")
    assert [line.rstrip() for line in terminal.getvalue().splitlines()] == ["  1. one two", "     three"]
    terminal = Terminal()
    Screen(terminal, width=9).block(3, "one two")
    assert [line.rstrip() for line in terminal.getvalue().splitlines()] == ["   one", "   two"]


def test_a_line_is_one_line_whatever_a_file_is_called() -> None:
    """A line feed in a name is shown; it starts no line that looks like another row."""
    stream = io.StringIO()
    Screen(stream).line(("plan\nv2.md", "bold"), ": added\n")
    assert stream.getvalue() == "plan<U+000A>v2.md: added<U+000A>\n"
