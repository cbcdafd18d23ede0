"""The scripts of ``tools/`` as modules: they are in the repository and not in the package, and import each other by name."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

__all__ = ["tool_module"]

_TOOLS = Path(__file__).resolve().parents[1] / "tools"


def tool_module(name: str) -> ModuleType:
    """A tool, loaded once a process; the test is skipped where the repository's tools are not part of the distribution.

    Args:
        name: of its file, without the suffix, or of its package and a module there.
    """
    if not (_TOOLS / f"{name.replace('.', '/')}.py").exists():
        pytest.skip("tools/ is not part of this distribution", allow_module_level=True)
    if str(_TOOLS) not in sys.path:  # as when it is run as a script
        sys.path.append(str(_TOOLS))
    return importlib.import_module(name)
