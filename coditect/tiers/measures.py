"""Measures: what a normative statement fixes in time, in a form that can be compared across documents.

``{"kind": "frequency", "head": "review", "verb": "reviewed", "value": 1.0, "text": "annually"}``: the kind of measure, the
stem of the verb it governs and the verb itself, its normalised value (frequency: times a year; deadline and duration: hours; version: the number) and the words as printed.
They are stored with the extraction and indexed by ``measure:<kind>:<head>``; the figures of Tier 4 are counted from there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from coditect.text.terms import stem

__all__ = ["MEASURE_KINDS", "QuantityLike", "head_of", "measures_of"]

MEASURE_KINDS = ("deadline", "duration", "frequency")

_VERSION = re.compile(r"\b(?!USD|EUR|GBP|US\b)([A-Z]{2,6}) ?v?(\d{1,2}\.\d{1,2})(?![\d.]*\d)")

_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_SKIPPED = frozenset(
    "be been being have has had do does did to not also then thereafter immediately only at least least once first "
    "and or either both each any all the a an in on by of for with as is are was were it its their his her".split()
)
_LIGHT = frozenset("make give take provide perform conduct undertake carry ensure use cause complete submit".split())
_DEVERBAL = ("tion", "ment", "sion", "ance", "view", "test", "tests", "audit", "audits", "notice", "reviews")


class QuantityLike(Protocol):
    """A found quantity: its span and its data."""

    @property
    def start(self) -> int: ...  # noqa: D102
    @property
    def end(self) -> int: ...  # noqa: D102
    @property
    def data(self) -> Mapping[str, Any]: ...  # noqa: D102


def head_of(action: str) -> tuple[str, str]:
    """(stem, word) of the verb that an action phrase turns on: "be promptly reviewed by …" → ("review", "reviewed").

    For verbs that carry little ("conduct a risk assessment") the noun that follows stands in. ("", "") if there is none.
    """
    words = [word.lower() for word in _WORD.findall(action)[:12]]
    content = [word for word in words if word not in _SKIPPED and not word.endswith("ly")]
    if not content:
        return "", ""
    word = content[0]
    if word in _LIGHT:
        deverbal = [each for each in content[1:4] if each.endswith(_DEVERBAL)]
        word = deverbal[-1] if deverbal else word
    return stem(word), word


def measures_of(
    text: str, action: str, start: int, end: int, quantities: Sequence[QuantityLike]
) -> list[dict[str, Any]]:
    """The measures of a normative statement over ``[start, end)``, in document order, without repeats.

    Args:
        text: the document's text.
        action: the statement's verb phrase.
        start: first code point of the statement.
        end: one past its last.
        quantities: found quantities that may lie inside it.
    """
    head, verb = head_of(action)
    found: list[dict[str, Any]] = []
    for quantity in quantities:
        kind = quantity.data.get("quantity_kind")
        if not head or kind not in MEASURE_KINDS or quantity.start < start or quantity.end > end:
            continue
        value = quantity.data.get("per_year" if kind == "frequency" else "hours")
        if not isinstance(value, int | float) or value <= 0:
            continue
        measure = {
            "kind": str(kind),
            "head": head,
            "verb": verb,
            "value": round(float(value), 4),
            "text": str(quantity.data.get("text", "")),
        }
        if measure not in found:
            found.append(measure)
    for match in _VERSION.finditer(text, start, end):
        name = match.group(1)
        version = {
            "kind": "version",
            "head": name.lower(),
            "verb": name,
            "value": float(match.group(2)),
            "text": match.group(),
        }
        if version["value"] and version not in found:
            found.append(version)
    return found
