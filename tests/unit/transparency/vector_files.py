"""Public vectors of the log's standards. Each file names its source, the commit and the licence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "vectors"


def vectors(name: str) -> dict[str, Any]:
    """What a file of vectors holds.

    Args:
        name: of the file, without its ending.
    """
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return found
