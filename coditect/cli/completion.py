"""``coditect completion``."""

from __future__ import annotations

import click

from coditect.cli.exit_codes import ExitCode

__all__ = ["completion"]

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> ExitCode:
    """Print a shell's completion script.

    \b
    bash:  eval "$(coditect completion bash)"                      in ~/.bashrc
    zsh:   eval "$(coditect completion zsh)"                       in ~/.zshrc
    fish:  coditect completion fish > ~/.config/fish/completions/coditect.fish
    """  # noqa: D301 - the backspace is click's mark of a block that is not to be wrapped
    from click.shell_completion import get_completion_class

    program = ctx.find_root()
    found = get_completion_class(shell)
    assert found is not None  # noqa: S101 - every choice is one of click's own
    click.echo(found(program.command, {}, "coditect", "_CODITECT_COMPLETE").source())
    return ExitCode.OK
