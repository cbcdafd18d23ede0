"""The public names of the package."""

from __future__ import annotations

import subprocess
import sys

import coditect


def test_public_names_are_pinned() -> None:
    """A public name appears or goes only together with this list."""
    assert coditect.__all__ == [
        "BuildSettings",
        "CoditectError",
        "HierarchicalKnowledgeStore",
        "Knowledge",
        "KnowledgeTier",
        "Settings",
        "ValidationAgent",
        "__version__",
        "open_knowledge",
    ]


def test_public_names_can_all_be_loaded() -> None:
    """Every public name leads to an object."""
    for name in coditect.__all__:
        assert getattr(coditect, name) is not None


def test_importing_the_package_loads_nothing_heavy() -> None:
    """``import coditect`` brings in no third-party module."""
    code = "import sys, coditect; print([m for m in ('pydantic', 'numpy', 'lmdb', 'tantivy', 'scipy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
