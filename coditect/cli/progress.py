"""Progress bars on stderr, where somebody looks at it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from coditect.knowledge.progress import Progress, silent

__all__ = ["progress_bars"]


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """A callback that draws one bar for each stage while the block runs; silent where stderr is not a terminal."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    tasks: dict[str, TaskID] = {}
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:

        def tell(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                for earlier in tasks.values():  # a stage of unknown length ends when the next begins
                    task = bars.tasks[earlier]
                    bars.update(earlier, total=task.completed or 1, completed=task.completed or 1)
                tasks[stage] = bars.add_task(stage, total=None)
            bars.update(tasks[stage], total=total or None, completed=done)

        yield tell
