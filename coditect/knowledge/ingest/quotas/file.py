"""The operator's file of quotas, read with the line of what is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from coditect.errors import SchemaError, UsageError
from coditect.schemas.quota import Quota, QuotaFile

__all__ = ["read_quota"]

MOST_BYTES = 4_000_000
"""Length of a file of quotas."""

_SHAPE = "Write 'version: 1', and 'default:' or 'tenants:' with documents, bytes, builds, requests and jobs: docs/operations.md."


def read_quota(path: Path, tenant: str) -> Quota:
    """What a file grants a tenant.

    Nothing is granted by a file that is not right: whoever mistypes a limit must not thereby lift it.

    Args:
        path: YAML or JSON; see :class:`coditect.schemas.quota.QuotaFile`.
        tenant: the tenant's name.

    Raises:
        UsageError: no such file, or it cannot be read.
        SchemaError: it is not such a file; names the line.
    """
    try:
        with path.expanduser().open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(
            "the file of quotas cannot be read",
            path=str(path),
            reason=error.strerror or str(error),
            hint="Name another one with CODITECT_QUOTAS, or unset it: then nothing is limited.",
        ) from error
    if len(content) > MOST_BYTES:
        raise SchemaError("the file of quotas is too long", path=str(path), longest=MOST_BYTES, hint=_SHAPE)
    return _parsed(path, content).of(tenant)


def _parsed(path: Path, content: bytes) -> QuotaFile:
    import yaml

    try:
        node = yaml.compose(content.decode(), Loader=yaml.SafeLoader)
        values = yaml.safe_load(content.decode())
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        raise SchemaError(
            "the file of quotas is not YAML",
            path=str(path),
            line=mark.line + 1 if mark else 1,
            reason=str(getattr(error, "problem", None) or error)[:200],
            hint=_SHAPE,
        ) from error
    if (twice := _first_twice(node)) is not None:
        raise SchemaError("the file of quotas names something twice", path=str(path), name=twice[0], line=twice[1])
    try:
        return QuotaFile.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = [str(part) for part in first["loc"]]
        raise SchemaError(
            "the file of quotas is not right",
            path=str(path),
            line=_line(node, place),
            name=".".join(place),
            reason=first["msg"],
            hint=_SHAPE,
        ) from error


def _first_twice(node: Any) -> tuple[str, int] | None:  # noqa: ANN401 - a node of PyYAML
    """A key that stands twice in one mapping, and the line of the second: YAML would let the last one win in silence."""
    import yaml

    if not isinstance(node, yaml.MappingNode):
        return None
    seen: set[str] = set()
    for key, value in node.value:
        if key.value in seen:
            return str(key.value), int(key.start_mark.line) + 1
        seen.add(key.value)
        if (found := _first_twice(value)) is not None:
            return found
    return None


def _line(node: Any, place: list[str]) -> int:  # noqa: ANN401 - a node of PyYAML
    """The line of what a path of keys leads to, or of the last key that is there."""
    import yaml

    line = 1
    for name in place:
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        found = next(((key, value) for key, value in pairs if key.value == name), None)
        if found is None:
            break
        line, node = int(found[0].start_mark.line) + 1, found[1]
    return line
