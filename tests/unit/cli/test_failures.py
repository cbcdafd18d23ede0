"""Errors as the user sees them."""

from __future__ import annotations

import json

import click
import pytest

from coditect.cli.failures import report_failure, wants_json
from coditect.errors import NotFound, UsageError

ERROR = NotFound("unknown corpus", corpus_id="x\udcff", hint="Corpora in this store: a, b.")


def test_failure_is_one_block_with_its_way_out(capsys: pytest.CaptureFixture[str]) -> None:
    """Message, variables and hint, on stderr alone."""
    assert report_failure(ERROR, as_json=False) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "error: unknown corpus (corpus_id='x\\udcff')\nhint: Corpora in this store: a, b.\n"


def test_failure_as_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    """Programs get class, message, hint and context."""
    report_failure(ERROR, as_json=True)
    body = json.loads(capsys.readouterr().err)
    assert body == {
        "error": "NotFound",
        "message": "unknown corpus",
        "hint": "Corpora in this store: a, b.",
        "context": {"corpus_id": "x\udcff"},
    }


def test_failure_of_a_wrong_option_points_to_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    """click's own errors look like ours."""
    context = click.Context(click.Command("query"), info_name="query")
    assert report_failure(click.BadParameter("no", context), as_json=False) == 2
    assert capsys.readouterr().err == "error: Invalid value: no\nhint: 'query --help' lists what there is.\n"


def test_interruption_says_that_nothing_is_lost(capsys: pytest.CaptureFixture[str]) -> None:
    """Who presses Ctrl-C learns that the work is kept."""
    assert report_failure(KeyboardInterrupt(), as_json=False) == 130
    assert "is kept; the same command goes on" in capsys.readouterr().err


def test_failure_without_hint_has_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """No empty hint is printed."""
    report_failure(UsageError("text"), as_json=False)
    assert capsys.readouterr().err == "error: text\n"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["query", "--format", "json"], True),
        (["query", "--format=json"], True),
        (["query", "--format", "text", "--query", "json"], False),
        (["ingest", "--", "--format", "json"], False),
        (["query", "--format"], False),
        ([], False),
    ],
)
def test_wants_json_is_read_from_the_words(words: list[str], expected: bool) -> None:
    """Errors of parsing are in JSON, too, where JSON was asked for."""
    assert wants_json(words) is expected
