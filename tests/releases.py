"""A release that nobody has thought of yet: records get other fields for as long as a block runs, everywhere in the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pydantic.fields import FieldInfo

from coditect.schemas import Record
from coditect.store.indexes.definitions import FORMER_INDEXES, INDEXES

__all__ = ["later_release", "release_without_index"]


@contextmanager
def later_release(
    cls: type[Record],
    added: Mapping[str, tuple[Any, Any]],
    removed: tuple[str, ...] = (),
    upcasts: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] | None = None,
) -> Iterator[None]:
    """Give a class of records the shape that a later release might give it.

    Args:
        cls: the class, changed in its place.
        added: (type, default) of each new field, by name.
        removed: fields that are gone.
        upcasts: what brings records of this release to the next, by their version.
    """
    fields, version, before = dict(cls.model_fields), cls.schema_version, cls.upcasts
    for name in removed:
        del cls.model_fields[name]
    for name, (annotation, default) in added.items():
        cls.model_fields[name] = FieldInfo(annotation=annotation, default=default)
    cls.schema_version, cls.upcasts = version + 1, upcasts or {}
    cls.model_rebuild(force=True)
    try:
        yield
    finally:
        cls.model_fields.clear()
        cls.model_fields.update(fields)
        cls.schema_version, cls.upcasts = version, before
        cls.model_rebuild(force=True)


@contextmanager
def release_without_index(name: str, *, remembered: bool = True) -> Iterator[None]:
    """A release that does not keep an optional index of this one.

    Args:
        name: of the index.
        remembered: True for a later release that gave it up, and says so; False for one that has never known it.
    """
    index = INDEXES.pop(name)
    if remembered:
        FORMER_INDEXES[name] = index.table
    try:
        yield
    finally:
        INDEXES[name] = index
        FORMER_INDEXES.pop(name, None)
