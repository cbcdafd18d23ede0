"""The command reference, and that everything is explained."""

from __future__ import annotations

import click
import pytest

from coditect.cli.app import coditect, knowledge
from coditect.cli.lazy import LazyGroup
from coditect.cli.reference import every_command, reference_markdown

COMMANDS = list(every_command())


@pytest.mark.parametrize("command", [command for _, command, _ in COMMANDS], ids=[path for path, _, _ in COMMANDS])
def test_every_command_and_option_has_help(command: click.Command) -> None:
    """Nothing is left to be guessed."""
    assert command.help
    for param in command.params:
        if isinstance(param, click.Option):
            assert param.help, param.name
            assert param.help.endswith("."), param.name


@pytest.mark.parametrize("group", [coditect, knowledge], ids=["coditect", "knowledge"])
def test_summaries_of_lazy_commands_are_their_own(group: LazyGroup) -> None:
    """The line in a group's help is the command's first line."""
    ctx = click.Context(group)
    for name, place in group.lazy.items():
        command = group.get_command(ctx, name)
        assert command is not None
        assert command.name == name
        assert place.summary == command.get_short_help_str(limit=200)


def test_knowledge_has_the_commands_of_the_decision_record() -> None:
    """ADR-029's commands and ours, in the order of use."""
    assert knowledge.list_commands(click.Context(knowledge)) == [
        "ingest",
        "build",
        "query",
        "drilldown",
        "validate",
        "verify",
        "review",
        "decide",
        "sign",
        "mark",
        "calibrate",
        "documents",
        "list",
        "obligations",
        "definitions",
        "deadlines",
        "changes",
        "conflicts",
        "crosswalk",
        "agreements",
        "waivers",
        "grid",
        "resolve",
        "questionnaire",
        "references",
        "document",
        "report",
        "prove",
        "export",
        "import",
        "status",
        "erase",
        "erasures",
        "feed",
        "hold",
        "holds",
        "release",
        "sweep",
    ]


def test_reference_names_every_command_and_option() -> None:
    """The published reference is complete, and the same each time."""
    text = reference_markdown()
    assert text == reference_markdown()
    for path, command, _ in COMMANDS:
        assert f"## `{path}`\n" in text
        for param in command.params:
            assert param.opts[0] in text or isinstance(param, click.Argument)


def test_reference_explains_options_of_every_run_once() -> None:
    """Those are rows of the program's own table, and only named by its commands; an option of a command is a row of its own."""
    text = reference_markdown()
    (query,) = (part for part in text.split("\n## ") if part.startswith("`coditect knowledge query`"))
    assert "| `--query" in query
    assert "| `--store" not in query
    assert "Also " in query
    assert "`--store`" in query.rpartition("Also ")[2]
    assert text.count("| `--store") == 1
