"""Resolves an OSCAL profile that lies in a folder, with the catalogues and profiles that it imports. Nothing is fetched."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from coditect.documents.readers.regulatory.oscal import catalog_from_xml
from coditect.documents.readers.regulatory.profile_xml import profile_from_xml
from coditect.documents.readers.regulatory.profiles import Loaded, resolve_profile
from coditect.documents.readers.regulatory.regml import parse_markup
from coditect.errors import ReadError

__all__ = ["MOST_BYTES", "resolve_profile_file"]

MOST_BYTES = 64 * 1024 * 1024
"""Of one file; the largest published catalogue has 11 MB."""

_ENDINGS = (".json", ".yaml", ".yml", ".xml")


def resolve_profile_file(path: Path, given: Sequence[Path], at: str) -> tuple[bytes, tuple[str, ...]]:
    """Resolve a profile.

    Args:
        path: of the profile, JSON, YAML or XML.
        given: files and folders in which imports are looked for by their file name, beside where the profile says.
        at: when it is resolved, RFC 3339.

    Returns:
        The catalogue as JSON, and what a reader should know.

    Raises:
        ReadError: a file is damaged, or an import names nothing that is here; see :func:`resolve_profile`.
    """
    files = [each for one in (*given, path.parent) for each in (sorted(one.iterdir()) if one.is_dir() else [one])]

    def load(href: str, place: str) -> Loaded:
        target = _target(href, Path(place).parent, files)
        if target is None:
            raise ReadError(
                "an import of the profile is not here",
                name=place,
                href=href,
                hint="Nothing is fetched: put the file beside the profile, or name it or its folder with --with.",
            )
        return _load(target)

    profile = _load(path)
    if "profile" not in profile.content:
        raise ReadError(
            "the file is no profile", name=str(path), hint='An OSCAL profile has the key "profile" at its top.'
        )
    resolved, notes = resolve_profile(profile, load, at)
    return orjson.dumps(resolved, option=orjson.OPT_INDENT_2) + b"\n", notes


def _target(href: str, folder: Path, files: Sequence[Path]) -> Path | None:
    """The file that a reference names: where it says, or whichever file is called so, in any of the known forms."""
    plain = href.split("#", 1)[0]
    if not plain:
        return None
    name = plain.replace("\\", "/").rsplit("/", 1)[-1]
    if "://" not in plain and (folder / plain).is_file():
        return folder / plain
    by_name = {each.name: each for each in reversed(files) if each.is_file()}
    stem = name.rsplit(".", 1)[0] if name.lower().endswith(_ENDINGS) else name
    candidates = [name, *(stem.replace("_xml", "") + ending for ending in _ENDINGS)]
    return next((by_name[each] for each in candidates if each in by_name), None)


def _load(path: Path) -> Loaded:
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise ReadError("the file is too large for a catalogue", name=str(path), bytes=size, most=MOST_BYTES)
        raw = path.read_bytes()
    except OSError as error:
        raise ReadError("the file cannot be read", name=str(path), reason=str(error)) from error
    content = _parsed(raw, path)
    kind = next(
        (each for each in ("catalog", "profile") if isinstance(content, dict) and isinstance(content.get(each), dict)),
        None,
    )
    if kind is None:
        raise ReadError("neither an OSCAL catalogue nor a profile", name=str(path), hint="Check what the file is.")
    return Loaded(str(path.resolve()), {kind: content[kind]})


def _parsed(raw: bytes, path: Path) -> Any:  # noqa: ANN401 - any JSON
    ending = path.suffix.lower()
    if ending == ".xml":
        root = parse_markup(raw, path.name)
        kind = str(root.tag).rpartition("}")[2]
        read = {"profile": profile_from_xml, "catalog": catalog_from_xml}.get(kind)
        return {kind: read(root)} if read is not None else {}
    import yaml

    try:
        return yaml.safe_load(raw) if ending in (".yaml", ".yml") else orjson.loads(raw)
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        raise ReadError(
            "the file is malformed", name=str(path), reason=str(error), hint="Restore it from its source."
        ) from error
