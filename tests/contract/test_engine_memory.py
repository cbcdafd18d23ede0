"""The in-memory engine honours the port, so that the tests of the layers above may trust it."""

from __future__ import annotations

import pytest

from coditect.engine.port import Engine
from coditect.testing.engine.conformance import EngineConformance
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.testing.engine.model import engine_machine


class TestMemoryConformance(EngineConformance):
    @pytest.fixture(autouse=True)
    def _place(self) -> None:
        self.store = MemoryStore()

    def open_engine(self) -> Engine:
        return MemoryEngine(self.store)


class _Store:
    def __init__(self) -> None:
        self.store = MemoryStore()

    def open_engine(self) -> Engine:
        return MemoryEngine(self.store)

    def discard(self) -> None:
        pass


TestMemoryModel = engine_machine(_Store).TestCase


def test_memory_engine_reruns_committed_bodies_when_asked() -> None:
    """With ``rerun`` a body commits twice, so that what is not idempotent shows."""
    engine = MemoryEngine(rerun=True)
    engine.run(lambda t: t.set(b"k", (t.get(b"k") or b"") + b"x"))
    engine.run(lambda t: t.add(b"n", 1))
    engine.run(lambda t: t.append(b"log/", b"v"))
    assert engine.read(lambda t: t.get(b"k")) == b"xx"
    assert engine.read(lambda t: t.get(b"n")) == (2).to_bytes(8, "little")
    assert len(engine.read(lambda t: t.range(b"log/", b"log0")).rows) == 2
