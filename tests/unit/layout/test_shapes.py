"""The history of what stored records look like breaks where a field changes without a version."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from coditect.schemas import Chunk
from tests.releases import later_release
from tests.tool_modules import tool_module

ROOT = Path(__file__).resolve().parents[3]

shapes = tool_module("shapes")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The history of this checkout, and the shapes of today frozen as those of a release."""
    shutil.copytree(ROOT / "schemas" / "history", tmp_path / "schemas" / "history")
    for release in ("0.1.0", "9.9.9"):
        (tmp_path / "tests" / "golden" / release).mkdir(parents=True)
    shutil.copy(ROOT / "tests/golden/0.1.0/shapes.json", tmp_path / "tests/golden/0.1.0/shapes.json")
    shapes.freeze(tmp_path, "9.9.9")
    return tmp_path


def test_history_of_this_checkout_breaks_no_rule(root: Path) -> None:
    """Also with the shapes of today frozen."""
    assert shapes.broken_rules(ROOT) == []
    assert shapes.broken_rules(root) == []


def test_field_that_changes_without_a_version_breaks_the_history(root: Path) -> None:
    """The class is named, and what to do."""
    with later_release(Chunk, {"notes": (tuple[str, ...], ())}):
        assert shapes.broken_rules(root) == []
        Chunk.schema_version -= 1
        (broken,) = shapes.broken_rules(root)
        Chunk.schema_version += 1
    assert "Chunk has other fields than chunk/2" in broken
    assert "raise its schema_version" in broken


def test_former_shape_that_is_changed_or_lost_breaks_the_history(root: Path) -> None:
    """What a release has written is described for ever."""
    path = root / "schemas" / "history" / "chunk-1.json"
    path.write_text(path.read_text() + "\n")
    assert [each for each in shapes.broken_rules(root) if "chunk-1.json was changed" in each]
    path.unlink()
    assert [each for each in shapes.broken_rules(root) if "chunk-1.json was changed" in each]


def test_kind_without_a_class_breaks_the_history(root: Path) -> None:
    """Whoever removes a record leaves old stores unreadable."""
    frozen = root / "tests" / "golden" / "9.9.9" / "shapes.json"
    stated = json.loads(frozen.read_text()) | {"gone/1": "0" * 64}
    frozen.write_text(json.dumps(stated))
    assert any("no class reads gone records" in each for each in shapes.broken_rules(root))
