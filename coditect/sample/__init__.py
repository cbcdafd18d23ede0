"""The sample corpus: the compliance documents of Verrowen Health Payments, a company that does not exist.

Sixteen files in seven formats hold the contradictions and the gaps that ``PLANTED.md`` lists for people and
``planted.json`` for tests. The demo is built on them.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

__all__ = ["sample_files", "sample_folder"]


def sample_folder() -> Path:
    """The folder that holds the sample documents and nothing else."""
    # Wheels are installed unpacked, so the resource is a real folder.
    return Path(str(files(__name__) / "corpus"))


def sample_files() -> tuple[Path, ...]:
    """The sample documents, ordered by name."""
    return tuple(sorted(path for path in sample_folder().iterdir() if path.is_file() and path.name[0] != "."))
