"""JSON goes into a file as tables do, and choices are taken as the API writes them."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from coditect.cli.options import Dashed
from coditect.cli.output import write_json
from coditect.cli.tables import refuse_output
from coditect.errors import UsageError


def test_json_is_written_whole_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same bytes as on the standard output, which stays empty; where it went is told on the other one."""
    place = tmp_path / "out.json"
    write_json({"a": ["ä"]}, place)
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", f"written to {place}\n")
    write_json({"a": ["ä"]}, Path("-"))
    assert place.read_text("utf-8") == capsys.readouterr().out
    assert json.loads(place.read_text("utf-8")) == {"a": ["ä"]}


@pytest.mark.parametrize(("form", "is_refused"), [("json", False), ("oscal", False), ("text", True)])
def test_a_file_is_for_tables_and_json(form: str, is_refused: bool) -> None:
    """Text for people goes to the standard output alone."""
    if is_refused:
        with pytest.raises(UsageError, match="tables and JSON"):
            refuse_output(form, Path("x"))
    else:
        refuse_output(form, Path("x"))
    refuse_output(form, None)


@pytest.mark.parametrize(
    ("given", "taken"), [("accept-risk", "accept-risk"), ("accept_risk", "accept-risk"), ("x", "")]
)
def test_decisions_are_taken_as_the_api_writes_them(given: str, taken: str) -> None:
    """With a dash or an underscore; anything else is refused with the words that there are."""

    @click.command()
    @click.option("--decision", type=Dashed(("accept", "accept-risk")))
    def decide(decision: str) -> None:
        click.echo(decision)

    found = CliRunner().invoke(decide, ["--decision", given])
    assert (found.exit_code, found.stdout) == ((0, f"{taken}\n") if taken else (2, ""))
