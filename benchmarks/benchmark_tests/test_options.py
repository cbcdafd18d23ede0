"""The commands of the benchmarks take the options that were written down; see :mod:`.pinned_options`."""

from __future__ import annotations

import pytest

from .pinned_options import COMMANDS, options, pinned


def test_every_command_is_written_down() -> None:
    """A new one is pinned with the others."""
    assert list(pinned()) == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_command_takes_its_options(command: str) -> None:
    """What must be given, and what everything else is unless it is given: figures that are told were made so."""
    assert options(command) == pinned()[command]
