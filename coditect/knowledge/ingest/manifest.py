"""The corpus manifest: ``corpus.yaml``, read with the line of everything that is wrong with it.

YAML is composed to nodes, not constructed: every scalar stays the text that stands in the file (a date is no ``datetime``, ``no``
is no ``False``), and every node knows its line. What is wrong with one entry costs that entry.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from coditect.errors import ReadError
from coditect.knowledge.ingest.files import read_bytes
from coditect.schemas import DOCUMENT_ROLES, DeclaredProfile, ManifestApprovals, ManifestEntry

__all__ = [
    "MANIFEST_NAME",
    "LocatedEntry",
    "ManifestProblem",
    "ManifestReading",
    "declared_for",
    "read_manifest",
    "unmatched",
]

MANIFEST_NAME = "corpus.yaml"
"""What the manifest at the root of an ingested folder is called."""

MOST_BYTES = 4_000_000
"""Length of a manifest."""

KEYS = tuple(ManifestEntry.model_fields)
_LISTS = ("parties", "supersedes")
_SHAPE = "Write 'documents:' and below it a list, each entry with 'document: NAME or PATTERN' and what is known of it."


@dataclass(frozen=True, slots=True)
class ManifestProblem:
    """Something that is wrong with a manifest.

    Attributes:
        file: the manifest as it was given.
        line: where, from 1.
        message: what is wrong.
        hint: the way out.
    """

    file: str
    line: int
    message: str
    hint: str

    @property
    def place(self) -> str:
        """File and line, as compilers print them."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class LocatedEntry:
    """An entry and where it begins."""

    entry: ManifestEntry
    file: str
    line: int


@dataclass(slots=True)
class ManifestReading:
    """What was read of a manifest.

    Attributes:
        entries: those that are right, in the order of the file.
        approvals: who must sign decisions; None where it does not say.
        problems: what is wrong with the others, and with the file.
        is_whole: whether it is a manifest at all; one that is none states nothing, also not that nothing is to be stated.
    """

    entries: list[LocatedEntry] = field(default_factory=list)
    approvals: ManifestApprovals | None = None
    problems: list[ManifestProblem] = field(default_factory=list)
    is_whole: bool = True


def read_manifest(path: Path, shown: str = "") -> ManifestReading:
    """The entries of a manifest, and what is wrong with it. Never raises for what the file holds.

    Args:
        path: where it lies.
        shown: what problems call it; "" for its name.
    """
    import yaml

    file = shown or path.name
    reading = ManifestReading()

    def wrong(line: int, message: str, hint: str, *, fatal: bool = True) -> ManifestReading:
        reading.problems.append(ManifestProblem(file, line, message, hint))
        reading.is_whole = reading.is_whole and not fatal
        return reading

    try:
        text = read_bytes(path, MOST_BYTES).decode("utf-8-sig")
    except ReadError as error:
        return wrong(1, error.message, error.hint or "")
    except UnicodeDecodeError:
        return wrong(1, "the manifest is not UTF-8", "Save it as UTF-8.")
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or "it cannot be read as YAML"
        return wrong(
            mark.line + 1 if mark else 1, f"not YAML: {reason}", "Look at the line for a missing quote, colon or space."
        )
    except RecursionError:
        return wrong(1, "not a manifest: it is nested too deeply", _SHAPE)
    if root is None:
        return reading
    if not isinstance(root, yaml.MappingNode):
        return wrong(_line(root), "a manifest is a mapping with the key 'documents'", _SHAPE)
    for key, value in root.value:
        if key.value == "approvals":
            _read_approvals(value, file, reading)
        elif key.value != "documents":
            wrong(
                _line(key),
                f"unknown key {str(key.value)!r}",
                f"A manifest has the keys 'documents' and 'approvals'. {_SHAPE}",
                fatal=False,
            )
        elif isinstance(value, yaml.SequenceNode):
            for node in value.value:
                _read_entry(node, file, reading)
        elif not _is_null(value):
            wrong(_line(value), "'documents' is not a list", _SHAPE)
    return reading


def _read_approvals(node: Any, file: str, reading: ManifestReading) -> None:  # noqa: ANN401 - a node of PyYAML
    """Who must sign decisions, or what is wrong with that; then nothing of it is taken, and what was asked for before stands."""
    import yaml

    hint = "Write 'approvals:' and below it 'persons: 2', and 'decisions: [accept, dismiss]' if it is not of all decisions."
    fields: dict[str, Any] = {}
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            plain = _plain(value, "supersedes" if key.value == "decisions" else "persons")
            fields[str(key.value)] = (
                tuple(str(each).replace("-", "_") for each in plain) if isinstance(plain, tuple) else plain
            )
    try:
        reading.approvals = ManifestApprovals.model_validate(fields)
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0]) if error.errors()[0]["loc"] else ""
        said = f"{name}: {error.errors()[0]['msg']}" if name else "'approvals' is not a mapping"
        reading.problems.append(ManifestProblem(file, _line(node), said, hint))


def _read_entry(node: Any, file: str, reading: ManifestReading) -> None:  # noqa: ANN401 - a node of PyYAML
    """Add an entry, or what is wrong with it."""
    import yaml

    problems: list[ManifestProblem] = []

    def wrong(line: int, message: str, hint: str) -> None:
        problems.append(ManifestProblem(file, line, message, hint))

    if not isinstance(node, yaml.MappingNode):
        wrong(_line(node), "an entry is not a mapping", _SHAPE)
        reading.problems += problems
        return
    fields: dict[str, Any] = {}
    lines: dict[str, int] = {}
    for key, value in node.value:
        name = str(key.value)
        if name not in KEYS:
            near = difflib.get_close_matches(name, KEYS, 1)
            wrong(
                _line(key),
                f"unknown key {name!r}",
                f"Did you mean {near[0]!r}?" if near else f"Known keys: {', '.join(KEYS)}.",
            )
        elif name in fields:
            wrong(_line(key), f"the key {name!r} is there twice", "Keep one of them.")
        elif not _is_null(value):
            fields[name], lines[name] = _plain(value, name), _line(value)
    if "document" not in fields:
        wrong(
            _line(node),
            "an entry without 'document'",
            "Say which document it is of: its name in the corpus, or a pattern.",
        )
    else:
        try:
            entry = ManifestEntry.model_validate(fields)
            reading.entries += [] if problems else [LocatedEntry(entry, file, _line(node))]
        except ValidationError as error:
            for each in error.errors():
                name = str(each["loc"][0]) if each["loc"] else ""
                wrong(lines.get(name, _line(node)), _told(name, fields.get(name), each["msg"]), _way_out(name))
    reading.problems += problems


def _plain(node: Any, name: str) -> Any:  # noqa: ANN401 - a node of PyYAML, and what it holds
    """A scalar as its text, a list as the texts of its scalars; one name may stand without a list where several may."""
    import yaml

    if isinstance(node, yaml.SequenceNode):
        return tuple(each.value if isinstance(each, yaml.ScalarNode) else None for each in node.value)
    if isinstance(node, yaml.ScalarNode):
        return (node.value,) if name in _LISTS else node.value
    return None


def _is_null(node: Any) -> bool:  # noqa: ANN401 - a node of PyYAML
    return str(node.tag) == "tag:yaml.org,2002:null"


def _line(node: Any) -> int:  # noqa: ANN401 - a node of PyYAML
    return int(node.start_mark.line) + 1


def _told(name: str, value: object, reason: str) -> str:
    said = reason.removeprefix("Value error, ")
    if name == "role":
        return f"unknown role {value!r}"
    if "date" in said or "day" in said or not name:
        return f"{name}: {value!r}: {said}" if name else said
    return f"{name}: {said}"


def _way_out(name: str) -> str:
    if name == "role":
        return f"Roles are {', '.join(DOCUMENT_ROLES)}."
    if name in ("date", "effective_from", "effective_to", "next_review"):
        return "Write the day as YYYY-MM-DD, or leave the key out to have it guessed."
    return "Write text, or for parties and supersedes a list of texts; leave the key out to have it guessed."


def declared_for(entries: Iterable[LocatedEntry], name: str) -> DeclaredProfile | None:
    """What entries state of a document: exact names outweigh patterns, later entries earlier ones, key by key; None for nothing.

    Args:
        entries: of all manifests, in order.
        name: of the document in the corpus.
    """
    patterns = [each.entry for each in entries if each.entry.document != name and _matches(each.entry.document, name)]
    exact = [each.entry for each in entries if each.entry.document == name]
    stated: dict[str, Any] = {}
    for entry in (*patterns, *exact):
        stated |= entry.declared.model_dump(exclude_none=True)
    return DeclaredProfile.model_construct(**stated) if stated else None


def unmatched(entries: Sequence[LocatedEntry], names: Collection[str]) -> list[ManifestProblem]:
    """The entries that are of no document: a name that nothing has, a pattern that matches nothing.

    Args:
        entries: of all manifests.
        names: of the documents of the corpus, and of the files that were given.
    """
    problems = []
    for each in entries:
        wanted = each.entry.document
        if wanted in names or any(_matches(wanted, name) for name in names):
            continue
        if _is_pattern(wanted):
            message, hint = f"the pattern {wanted!r} matches no document", "'*' stops at a '/'; '**' does not."
        else:
            near = difflib.get_close_matches(wanted, sorted(names), 1)
            message = f"unknown document {wanted!r}"
            hint = (
                f"Did you mean {near[0]!r}?" if near else "Names are paths inside the folder that was given, with '/'."
            )
        problems.append(ManifestProblem(each.file, each.line, message, hint))
    return problems


def _is_pattern(document: str) -> bool:
    return "*" in document or "?" in document


def _matches(pattern: str, name: str) -> bool:
    """Whether a name is meant by a pattern: "*" and "?" within a folder, "**" across folders."""
    if not _is_pattern(pattern):
        return False
    translated = "".join(_GLOB.get(part, re.escape(part)) for part in re.split(r"(\*\*/|\*\*|\*|\?)", pattern))
    return re.fullmatch(translated, name) is not None


_GLOB = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
