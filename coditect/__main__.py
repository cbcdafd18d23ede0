"""``python -m coditect`` and the console script: the command ``coditect``, which ends without a traceback also while it begins."""

from __future__ import annotations

import gc
import os
import signal
import sys

__all__ = ["main"]

_INTERRUPTED = 130
_COLLECTED_FROM = 200_000
"""New objects after which the garbage collector looks at them, here and in the processes that a build starts."""


def main() -> None:
    """Run the program with the arguments of the process, and exit."""
    # What else is installed has no say in how records are read, and looking for it takes a twentieth of a question's time.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Imports make a quarter of a million objects that stay. Looking at all of them again and again, as the default of 700 has
    # it, takes a tenth of a question's time. A process of one question ends before it has made so many that wait to be looked at.
    gc.set_threshold(_COLLECTED_FROM)
    try:
        from coditect.cli import main as run

        run()
    except KeyboardInterrupt:  # while modules were loaded
        sys.stderr.write("error: interrupted\n")
        sys.exit(_INTERRUPTED)
    finally:
        # Everything is closed and said: who interrupts the interpreter's own end wants no account of it.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # Nor is garbage looked for among all that was loaded, before the process lets go of it as a whole. It took a quarter of the
        # time of a question.
        gc.freeze()


if __name__ == "__main__":
    main()
