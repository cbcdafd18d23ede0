"""A store with a catalogue and a policy."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.integration.crosswalk.house import stored_house


def _named_by_environment(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("CODITECT_STORE", f"lmdb://{folder / 'store'}")
    monkeypatch.setenv("CODITECT_CACHE", str(folder / "cache"))
    monkeypatch.setenv("CODITECT_JOBS", "1")


@pytest.fixture(scope="session")
def house_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the store, its cache and the documents, as every test finds them. Do not write to it: take ``corpora``."""
    folder = tmp_path_factory.mktemp("house")
    with pytest.MonkeyPatch.context() as monkeypatch:
        _named_by_environment(monkeypatch, folder)
        stored_house(folder)
    return folder


@pytest.fixture
def corpora(house_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of this test's own with a catalogue and a policy, each in a corpus of its own."""
    shutil.copytree(house_once, tmp_path, dirs_exist_ok=True)
    _named_by_environment(monkeypatch, tmp_path)
    return tmp_path
