"""The CPU side of a build on a Ray cluster: workers write to the shared store, and what they write is what one machine writes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from coditect import Settings, open_knowledge
from coditect.engine.lmdb.engine import LmdbEngine
from coditect.errors import Unavailable
from coditect.knowledge.derivation.executors import RayExecutor
from coditect.schemas import BuildSettings
from coditect.store.store import Store
from tests.corpora import CORPUS, DOCUMENTS, folder_of, rows

pytest.importorskip("ray")

SCRIPT = """
import sys
from pathlib import Path
from coditect import Settings, open_knowledge
from coditect.schemas import BuildSettings
settings = Settings(store=sys.argv[1], cache=Path(sys.argv[2]), executor="ray", embedder="wordllama", jobs=2)
with open_knowledge(settings) as knowledge:
    knowledge.ingest("policies", [Path(sys.argv[3])])
    report = knowledge.build("policies", BuildSettings())
print(report.build_id, len(report.failures))
"""


def _items(folder: Path) -> dict[str, dict[bytes, bytes]]:
    with closing(LmdbEngine(folder)) as engine:
        return rows(Store(engine))


def _local(folder: Path, documents: Path) -> str:
    settings = Settings(store=f"lmdb://{folder}", cache=folder.parent / "local-cache", embedder="wordllama", jobs=1)
    with open_knowledge(settings) as knowledge:
        knowledge.ingest(CORPUS, [documents])
        return knowledge.build(CORPUS, BuildSettings()).build_id


def _on_ray(folder: Path, documents: Path) -> list[str]:
    """In a process of its own: Ray's sockets and threads outlive what this suite takes for granted."""
    words = [sys.executable, "-c", SCRIPT, f"lmdb://{folder}", str(folder.parent / "ray-cache"), str(documents)]
    result = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr[-2000:]
    return result.stdout.split()


@pytest.mark.slow
def test_ray_build_stores_the_same_bytes_as_a_local_one(tmp_path: Path) -> None:
    """Whoever derives a document, its items and their vectors are the same, and so is the build."""
    documents = folder_of(tmp_path / "documents", DOCUMENTS)
    build_id = _local(tmp_path / "local", documents)
    assert _on_ray(tmp_path / "ray", documents) == [build_id, "0"]
    assert _items(tmp_path / "ray") == _items(tmp_path / "local")


TOKENLESS = """
import sys
from coditect.errors import Unavailable
from coditect.knowledge.derivation.executors import RayExecutor
try:
    RayExecutor(lambda: None, sys.argv[1])
except Unavailable as error:
    print(error)
"""


def test_ray_token_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    """Asked for by this side's own setting, before the cluster is: the way out is the same as where the cluster asks."""
    without = {key: value for key, value in os.environ.items() if not key.startswith("RAY_")}
    without |= {"RAY_AUTH_MODE": "token", "HOME": str(tmp_path)}
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        words = [sys.executable, "-c", TOKENLESS, address]
        result = subprocess.run(words, capture_output=True, text=True, timeout=120, env=without)
    assert result.returncode == 0, result.stderr[-2000:]
    assert "the Ray cluster asks for a token" in result.stdout
    assert address in result.stdout


def test_ray_cluster_that_is_not_there_is_a_clear_error() -> None:
    """The address is named, and nobody waits for minutes."""
    with pytest.raises(Unavailable, match=r"the Ray cluster does not answer \(address='127.0.0.1:1'"):
        RayExecutor(lambda: None, "127.0.0.1:1")  # type: ignore[arg-type,return-value]
