"""The documents of the gold: ``benchmarks/gold/sources.toml`` read, each document with its genre, family and split."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from coditect.documents.readers import read_source
from coditect.documents.source import SourceText
from coditect_benchmarks.gold.records import Split

__all__ = ["Document", "Library", "Plan", "digest", "load_plan"]


@dataclass(frozen=True, slots=True)
class Document:
    """One source file. ``name`` is "root:relative/path"."""

    name: str
    genre: str
    family: str
    split: Split
    public: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """Which documents there are, how many units each genre is to give, and the ids of the units that are examples."""

    seed: str
    training: frozenset[str]
    quotas: dict[str, int]
    documents: tuple[Document, ...]


def load_plan(file: Path, roots: Mapping[str, Path]) -> Plan:
    """Read the table of sources and list the files that it names.

    Args:
        file: the TOML table.
        roots: folder of each root.

    Raises:
        ValueError: a root is missing, or a pattern finds no file.
    """
    table = tomllib.loads(file.read_text("utf-8"))
    documents: list[Document] = []
    quotas: dict[str, int] = {}
    for entry in table["genre"]:
        if entry["root"] not in roots:
            raise ValueError(f"--root {entry['root']}=FOLDER is missing")
        quotas[entry["name"]] = quotas.get(entry["name"], 0) + entry.get("quota", 0)
        found = [_document(path, roots[entry["root"]], entry) for path in _files(roots[entry["root"]], entry["files"])]
        if not found:
            raise ValueError(f"{entry['name']}: no file like {entry['files']} under {entry['root']}")
        documents += found
    return Plan(table["seed"], frozenset(table.get("training", ())), quotas, tuple(documents))


def _files(root: Path, patterns: list[str]) -> list[Path]:
    return sorted(path for pattern in patterns for path in root.glob(pattern) if path.is_file())


def _document(path: Path, root: Path, entry: Mapping[str, Any]) -> Document:
    relative = path.relative_to(root).as_posix()
    family = next(family for family in entry["families"] if re.search(family["pattern"], relative))
    split = family["split"]
    if split == "hashed":
        split = "test" if hashlib.sha256(relative.encode()).digest()[0] % 3 == 0 else "dev"
    name = f"{entry['root']}:{relative}"
    return Document(name, entry["name"], family["name"], cast("Split", split), entry["public"])


class Library:
    """The canonical texts of the documents, as the product reads them; each is read once."""

    def __init__(self, roots: Mapping[str, Path]) -> None:
        self._roots = dict(roots)
        self._read: dict[str, SourceText] = {}

    def source(self, name: str) -> SourceText:
        """The text of a document with its layout.

        Args:
            name: "root:relative/path".

        Raises:
            ValueError: its root was not given.
        """
        if name not in self._read:
            root, _, relative = name.partition(":")
            if root not in self._roots:
                raise ValueError(f"--root {root}=FOLDER is missing; {name} lies there")
            self._read[name] = read_source((self._roots[root] / relative).read_bytes(), relative)
        return self._read[name]

    def text(self, name: str, sha256: str) -> str:
        """The canonical text of a document.

        Raises:
            ValueError: it is not the text that the offsets were made for.
        """
        text = self.source(name).text
        if digest(text) != sha256:
            raise ValueError(
                f"{name}: the canonical text is another than the one that was labelled; its offsets no longer hold"
            )
        return text


def digest(text: str) -> str:
    """The sha256 of a canonical text in UTF-8, as hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()
