"""How a process of the program begins and ends: what it does not look for."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

ASK = """
import gc, os, sys
from coditect.__main__ import main
sys.argv = ["coditect", "--version"]
try:
    main()
except SystemExit:
    print(gc.get_freeze_count() > 1_000, os.environ["PYDANTIC_DISABLE_PLUGINS"])
"""


@pytest.mark.parametrize(("said", "wanted"), [(None, "__all__"), ("logfire-plugin", "logfire-plugin")])
def test_process_looks_neither_for_garbage_at_its_end_nor_for_plugins(said: str | None, wanted: str) -> None:
    """What was loaded is let go of as a whole; and what the environment says of plugins holds."""
    others = {name: value for name, value in os.environ.items() if name != "PYDANTIC_DISABLE_PLUGINS"}
    env = others if said is None else others | {"PYDANTIC_DISABLE_PLUGINS": said}
    done = subprocess.run([sys.executable, "-c", ASK], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == f"True {wanted}"
