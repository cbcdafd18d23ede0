"""A store with a catalogue and a policy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.crosswalk.house import stored_house


@pytest.fixture
def corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with a catalogue and a policy, each in a corpus of its own."""
    monkeypatch.setenv("CODITECT_STORE", f"lmdb://{tmp_path / 'store'}")
    monkeypatch.setenv("CODITECT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CODITECT_JOBS", "1")
    stored_house(tmp_path)
    return tmp_path
