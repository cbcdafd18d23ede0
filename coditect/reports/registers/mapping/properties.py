"""Properties of OSCAL that hold what its model has no field for; a value is one line there, whatever else stands in remarks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["NAMESPACE", "properties", "property_value", "property_values"]

NAMESPACE = "https://coditect.ai/ns/oscal"
"""Of properties of our own: labels, verbatim words and their places."""

_LINE = re.compile(r"\S(?:.*\S)?")
"""What OSCAL takes as a value."""

_ELSEWHERE = "see-remarks"


def properties(told: Iterable[tuple[str, str | int | float | None]]) -> list[dict[str, str]]:
    """Properties of names and values; None and "" are left out."""
    found = []
    for name, value in told:
        text = "" if value is None else str(value)
        if not text:
            continue
        plain = _LINE.fullmatch(text) is not None and text != _ELSEWHERE
        own = {"name": name, "ns": NAMESPACE, "value": text if plain else _ELSEWHERE}
        found.append(own if plain else {**own, "remarks": text})
    return found


def property_values(node: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """The values of all properties of ours with a name, in order."""
    return tuple(
        str(each["remarks"] if each["value"] == _ELSEWHERE and "remarks" in each else each["value"])
        for each in node.get("props", ())
        if each.get("ns") == NAMESPACE and each.get("name") == name
    )


def property_value(node: Mapping[str, Any], name: str) -> str:
    """The value of the one property of ours with a name; "" where there is none."""
    return next(iter(property_values(node, name)), "")
