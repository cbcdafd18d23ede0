"""How much the reading of one file may take."""

from __future__ import annotations

from dataclasses import dataclass

from coditect.errors import UsageError

__all__ = ["LEAST_MEMORY_MB", "LEAST_TIME_S", "ReadBudget"]

LEAST_MEMORY_MB = 128
"""What an ordinary file of every format needs, with room to spare."""

LEAST_TIME_S = 1.0
"""The operating system counts processor time in whole seconds."""


@dataclass(frozen=True, slots=True)
class ReadBudget:
    """What one file may take of the process that reads it. A file that needs more is refused whole, never cut.

    Attributes:
        memory_mb: memory of the process, MiB, the program itself included.
        time_s: processor seconds; and ten times as many seconds of the clock, so that a busy machine refuses nothing that
            an idle one would read.
    """

    memory_mb: int = 512
    time_s: float = 60.0

    def __post_init__(self) -> None:
        """Check the bounds.

        Raises:
            UsageError: too little to read anything with.
        """
        if self.memory_mb < LEAST_MEMORY_MB or self.time_s < LEAST_TIME_S:
            raise UsageError(
                "the budget is too small to read a file with",
                memory_mb=self.memory_mb,
                time_s=self.time_s,
                hint=f"Allow at least {LEAST_MEMORY_MB} MB and {LEAST_TIME_S:.0f} second.",
            )
