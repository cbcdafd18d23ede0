"""Every option that takes a date refuses what the calendar does not have, by its name."""

from __future__ import annotations

import click
import pytest

from coditect.cli.options import DAY, DAY_OR_TIME, STATE, TIME
from coditect.cli.reference import every_command

DATED = (DAY, DAY_OR_TIME, STATE, TIME)

OPTIONS = [
    (path, command, option)
    for path, command, _ in every_command()
    for option in command.params
    if isinstance(option, click.Option) and option.type in DATED
]
NAMED = [(path, option.opts[0]) for path, _, option in OPTIONS]


def test_every_option_that_says_date_takes_one() -> None:
    """None is plain text; '--due-within', '--ends-within' and '--soon' take a length of time."""
    said = {
        (path, option.opts[0])
        for path, command, _ in every_command()
        for option in command.params
        if isinstance(option, click.Option)
        and (option.metavar in ("DATE", "DAY", "TIME", "GENERATION|DAY") or option.name in ("today", "since", "until"))
    }
    assert {each for each in said if each[1] not in ("--due-within", "--ends-within", "--soon")} == set(NAMED)
    commands = ["query", "build", "documents", "obligations", "definitions", "deadlines", "list", "report"]
    assert {("coditect knowledge " + each, "--today") for each in commands} <= set(NAMED)
    assert {("coditect knowledge changes", "--from"), ("coditect knowledge changes", "--to")} <= set(NAMED)
    assert {("coditect audit list", "--since"), ("coditect audit export", "--until")} <= set(NAMED)
    assert {("coditect keys revoke", "--at"), ("coditect knowledge review", "--until")} <= set(NAMED)


@pytest.mark.parametrize(("path", "command", "option"), OPTIONS, ids=[" ".join(each) for each in NAMED])
@pytest.mark.parametrize("given", ["2026-94-10", "2026-02-30", "2026-W40-3", "2026-94-10T08:00:00Z", "soon"])
def test_a_date_that_does_not_exist_is_wrong_use(
    path: str, command: click.Command, option: click.Option, given: str
) -> None:
    """The message names the option, what was given and the form asked for."""
    ctx = click.Context(command, info_name=path)
    with pytest.raises(click.BadParameter) as refused:
        option.type_cast_value(ctx, given)
    told = refused.value.format_message()
    assert f"'{option.opts[0]}'" in told
    assert repr(given) in told
    assert "2026-09-30" in told


@pytest.mark.parametrize(("path", "command", "option"), OPTIONS, ids=[" ".join(each) for each in NAMED])
def test_a_date_is_taken_as_it_is_written(path: str, command: click.Command, option: click.Option) -> None:
    """Whatever its form."""
    given = "2026-09-30T08:00:00Z" if option.type is TIME else "2026-09-30"
    assert option.type_cast_value(click.Context(command, info_name=path), given) == given
    if option.type is STATE:
        assert option.type_cast_value(click.Context(command, info_name=path), "12") == "12"
