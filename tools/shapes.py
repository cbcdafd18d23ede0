"""The history of what stored records look like: one JSON schema for each kind and version, in ``schemas/history/``.

A version that a release has written is frozen: ``tests/golden/<release>/shapes.json`` has the SHA-256 of its schema, and
neither the schema nor the class of that version may change any more. Whoever changes a field of a record raises the record's
``schema_version``; a kind that was ever written keeps a class that reads it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from coditect.schemas import (
    Asked,
    CompactionOwed,
    FeedEvent,
    IndexProgress,
    LogAct,
    LogEvent,
    LogHead,
    LogPrincipal,
    OpenBatch,
    Record,
    StoreHeader,
    Work,
)
from coditect.store.rows import record_tables

__all__ = ["FOLDER", "STORED", "broken_rules", "freeze", "shape_files"]

FOLDER = "schemas/history"

STORED: dict[str, type[Record]] = {
    cls.record_kind: cls
    for cls in (
        *record_tables().values(),
        FeedEvent,
        Asked,
        OpenBatch,
        StoreHeader,
        IndexProgress,
        Work,
        CompactionOwed,
        LogEvent,
        LogHead,
        LogAct,
        LogPrincipal,
    )
}
"""The class of each kind of stored record."""


def shape(cls: type[Record]) -> str:
    """What records of a class look like, as JSON schema without its prose: words may change, fields may not."""
    return json.dumps(_bare(cls.model_json_schema()), indent=1, sort_keys=True) + "\n"


def _bare(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        return {
            key: _bare(each)
            for key, each in value.items()
            if not (key in ("description", "title") and isinstance(each, str))
        }
    return [_bare(each) for each in value] if isinstance(value, list) else value


def shape_files(root: Path) -> dict[str, str]:
    """Content by path: the shapes of today, and those of former versions as they are."""
    files = {f"{FOLDER}/{path.name}": path.read_text(encoding="utf-8") for path in (root / FOLDER).glob("*.json")}
    return files | {f"{FOLDER}/{kind}-{cls.schema_version}.json": shape(cls) for kind, cls in STORED.items()}


def broken_rules(root: Path) -> list[str]:
    """What is wrong with the history, a sentence each; empty if nothing is."""
    broken = []
    for frozen in sorted((root / "tests" / "golden").glob("*/shapes.json")):
        for name, stated in json.loads(frozen.read_text(encoding="utf-8")).items():
            kind, _, number = name.partition("/")
            path = root / FOLDER / f"{kind}-{number}.json"
            cls = STORED.get(kind)
            if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != stated:
                broken.append(f"{path.relative_to(root)} was changed: release {frozen.parent.name} has written {name}")
            if cls is None:
                broken.append(f"no class reads {kind} records, which release {frozen.parent.name} has written")
            elif cls.schema_version < int(number):
                broken.append(f"{cls.__name__} is version {cls.schema_version}, and {name} was written")
            elif cls.schema_version == int(number) and hashlib.sha256(shape(cls).encode()).hexdigest() != stated:
                broken.append(
                    f"{cls.__name__} has other fields than {name}, which release {frozen.parent.name} has written: raise its "
                    "schema_version, and add an upcast where defaults do not say what the new fields mean"
                )
    return broken


def freeze(root: Path, release: str) -> Path:
    """Say that a release has written the shapes of today."""
    path = root / "tests" / "golden" / release / "shapes.json"
    if path.exists():
        raise SystemExit(f"the shapes of {release} are frozen already")
    stated = {
        f"{kind}/{cls.schema_version}": hashlib.sha256(shape(cls).encode()).hexdigest() for kind, cls in STORED.items()
    }
    path.write_text(json.dumps(stated, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    if sys.argv[1:2] != ["freeze"] or len(sys.argv) != 3:
        raise SystemExit("usage: python tools/shapes.py freeze RELEASE")
    print(freeze(Path(__file__).resolve().parent.parent, sys.argv[2]))
