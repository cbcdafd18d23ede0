"""``python -m coditect`` is the command ``coditect``."""

from __future__ import annotations

from coditect.cli.app import main

if __name__ == "__main__":
    main()
