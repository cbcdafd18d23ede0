"""Containers, and what is read of one before it is opened in other bytes that are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from coditect.tiers.shares.container import Container, contained

ARRAYS: dict[str, npt.NDArray[Any]] = {"codes": np.array([3, 1, 2], np.uint64), "flags": np.array([1], np.uint8)}
VALUES = {"words": ["a", "ä"], "none": None, "half": "\ud800"}
DATA = contained("share/1", ARRAYS, VALUES)


def _holds_all(container: Container) -> None:
    assert container.names == ARRAYS.keys() | VALUES.keys()
    for name, kind in (("codes", "<u8"), ("flags", "|u1")):
        assert container.array(name, kind).tolist() == ARRAYS[name].tolist()
    assert {name: container.value(name) for name in VALUES} == VALUES


def test_container_holds_what_was_put_into_it() -> None:
    """By its name, whatever stands before it."""
    _holds_all(Container("share/1", DATA))
    with pytest.raises(ValueError, match="share/1"):
        Container("share/2", DATA)


def test_same_bytes_are_opened_by_what_was_read_of_them_before() -> None:
    """Wherever they lie now; arrays are of these bytes, and none is kept of the former ones."""
    first = Container("share/1", DATA)
    assert first.array("codes", "<u8").tolist() == [3, 1, 2]
    other = memoryview(b"before" + DATA + b"behind")[6:-6]
    _holds_all(Container.of(first.head, other))
    assert Container.of(first.head, other).array("codes", "<u8") is not first.array("codes", "<u8")
    assert Container.of(first.head, other).head == first.head


def test_bytes_of_another_size_are_not_opened_so() -> None:
    """They are not those that were read."""
    head = Container("share/1", DATA).head
    with pytest.raises(ValueError, match=str(len(DATA))):
        Container.of(head, DATA[:-1])
