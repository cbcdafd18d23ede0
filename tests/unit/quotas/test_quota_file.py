"""The operator's file of quotas: what it grants, and that nothing is granted by one that is not right."""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.errors import SchemaError, UsageError
from coditect.knowledge.ingest.quotas.file import read_quota
from coditect.schemas.quota import NO_QUOTA, Quota

FILE = """version: 1
default:
  documents: 1000
  bytes: 2 GB
  builds: 2
tenants:
  bank:
    documents: 50000
    requests: 6000/minute
  trial: {documents: 0, jobs: 1}
"""


def _file(folder: Path, content: str | bytes) -> Path:
    path = folder / "quotas.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_tenant_has_what_it_is_granted_and_else_what_everybody_is(tmp_path: Path) -> None:
    """Limit by limit; no documents at all is a limit, too."""
    path = _file(tmp_path, FILE)
    everybody = Quota.model_validate({"documents": 1000, "bytes": 2_000_000_000, "builds": 2})
    assert read_quota(path, "stranger") == everybody
    assert read_quota(path, "bank") == everybody.model_copy(update={"documents": 50_000, "requests": "6000/minute"})
    assert read_quota(path, "trial") == everybody.model_copy(update={"documents": 0, "jobs": 1})


def test_a_file_without_limits_limits_nothing(tmp_path: Path) -> None:
    """It says which format it is of, and no more."""
    assert read_quota(_file(tmp_path, "version: 1\n"), "bank") == NO_QUOTA
    assert read_quota(_file(tmp_path, '{"version": 1, "default": {}}'), "bank") == NO_QUOTA


@pytest.mark.parametrize(
    ("content", "message", "line"),
    [
        (FILE.replace("builds: 2", "build: 2"), "is not right", 5),
        (FILE.replace("50000", "-1"), "is not right", 8),
        (FILE.replace("50000", "50000.5"), "is not right", 8),
        (FILE.replace("50000", "'50000'"), "is not right", 8),
        (FILE.replace("6000/minute", "6000 a minute"), "is not right", 9),
        (FILE.replace("2 GB", "2 gigs"), "is not right", 4),
        (FILE.replace("builds: 2", "builds: 0"), "is not right", 5),
        (FILE.replace("version: 1", "version: 2"), "is not right", 1),
        (FILE.replace("version: 1\n", ""), "is not right", 1),
        (FILE.replace("  builds: 2", "  documents: 2"), "names something twice", 5),
        (FILE.replace("tenants:", "tenants: ["), "is not YAML", 8),
        ("", "is not right", 1),
        ("- version\n", "is not right", 1),
        (b"\xff\xfe\x00", "is not YAML", 1),
        ("[" * 100_000, "is not YAML", 1),
        ("#" * 4_000_001, "is too long", None),
    ],
)
def test_a_file_that_is_not_right_grants_nothing(
    tmp_path: Path, content: str | bytes, message: str, line: int | None
) -> None:
    """A mistyped limit does not lift it: the file and the line are named."""
    path = _file(tmp_path, content)
    with pytest.raises(SchemaError, match=message) as caught:
        read_quota(path, "stranger")
    assert caught.value.context["path"] == str(path)
    assert caught.value.context.get("line") == line


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    """With its name, and how to do without."""
    with pytest.raises(UsageError, match="cannot be read") as caught:
        read_quota(tmp_path / "none.yaml", "bank")
    assert "CODITECT_QUOTAS" in (caught.value.hint or "")
    with pytest.raises(UsageError, match="cannot be read"):
        read_quota(tmp_path, "bank")
