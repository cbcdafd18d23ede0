"""What holds for all attacks."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """A victim's own first question stores its vectors; here every row that changes must be an attacker's doing."""
    monkeypatch.setenv("CODITECT_EMBEDDER", "none")
    monkeypatch.setenv("CODITECT_HIERARCHICAL_CHUNK_LEVELS", "32,128")  # as the corpora of the tests are cut
