"""The file of stems of words that tables list: what the stemmer gives, and no more than it saves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from coditect.language import terms

ROOT = Path(__file__).parents[3]


def test_listed_stems_are_as_the_tables_and_the_stemmer_give_them() -> None:
    """Run ``python tools/stems.py`` when a table of words or the stemmer changed."""
    done = subprocess.run([sys.executable, "tools/stems.py", "--check"], cwd=ROOT, check=False)
    assert done.returncode == 0


def test_stems_of_another_stemmer_are_not_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Words of tables and of documents are stemmed by one and the same."""
    stems = {"abandoned": "another"}
    for is_own, found in ((False, "abandon"), (True, "another")):
        sha = terms.stemmer_sha256() if is_own else "0" * 64
        (tmp_path / "stems.json").write_bytes(orjson.dumps({"stemmer_sha256": sha, "stems": stems}))
        monkeypatch.setattr(terms, "STEMMED", tmp_path / "stems.json")
        monkeypatch.setattr(terms, "_STEMS", terms._Stems())
        terms.know_listed_stems.cache_clear()
        terms.know_listed_stems()
        assert terms.stem("abandoned") == found
    terms.know_listed_stems.cache_clear()
