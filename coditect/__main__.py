"""``python -m coditect`` and the console script: the command ``coditect``, which ends without a traceback also while it begins."""

from __future__ import annotations

import signal
import sys

__all__ = ["main"]

_INTERRUPTED = 130


def main() -> None:
    """Run the program with the arguments of the process, and exit."""
    try:
        from coditect.cli import main as run

        run()
    except KeyboardInterrupt:  # while modules were loaded
        sys.stderr.write("error: interrupted\n")
        sys.exit(_INTERRUPTED)
    finally:
        # Everything is closed and said: who interrupts the interpreter's own end wants no account of it.
        signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    main()
