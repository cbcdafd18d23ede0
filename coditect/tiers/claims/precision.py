"""How often each class of rules was right where people read what it found: the confidence of a claim.

The counts are measured, and stand in ``precision.toml`` beside this module with when, where and by whom. A class is right as often
as (right + 1) / (read + 2): what few have read is not believed much, either way (Laplace's rule of succession).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from coditect.errors import SchemaError
from coditect.schemas import ClaimKind
from coditect.tiers.findings.measures import EVERY

__all__ = [
    "BARS",
    "FEWEST_READ",
    "PLAIN",
    "PRECISION_VERSION",
    "READ",
    "Counted",
    "Precision",
    "confidence_of",
    "doubt_of",
    "read_precision",
    "rule_of",
    "shipped_precision",
]

_FILE = Path(__file__).with_name("precision.toml")


BARS: Mapping[ClaimKind, float] = {"conflict": 0.8, "stricter": 0.8, "gap": 0.9}
"""Share of a class' findings that has to have been right where people read them, for rules alone to publish it; of others, none."""

FEWEST_READ = 3
"""Findings of a class that have to have been read before its share is asked."""

PLAIN = "conflict/plain"
"""The class of conflicts that exclude each other on the face of their words, whatever they differ in."""

READ = "/as-read"
"""What the class of a claim ends with that rests on what a model read of a document: it is counted by itself."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What was read of the findings of one class of rules in one family of documents.

    Attributes:
        rule: the class.
        family: the documents.
        read: findings that were read.
        right: of these, those that are so: of conflicts, those that are real.
        useful: of these, those that somebody who answers for the documents would want to know.
    """

    rule: str
    family: str
    read: int
    right: int
    useful: int


@dataclass(frozen=True, slots=True)
class Precision:
    """Everything that was read, with its version.

    Attributes:
        version: part of the identity of what is built with it.
        counted: by class and family.
    """

    version: str
    counted: tuple[Counted, ...]

    def confidence(self, rule: str) -> float:
        """How often a class of rules is right, 0..1, over all families; one half where nobody has read it."""
        read, right = self.counts(rule)
        return round((right + 1) / (read + 2), 4)

    def counts(self, rule: str) -> tuple[int, int]:
        """How many findings of a class were read, and how many of them were right, over all families."""
        own = [each for each in self.counted if each.rule == rule]
        return sum(each.read for each in own), sum(each.right for each in own)

    def doubt(self, kind: ClaimKind, rule: str) -> str:
        """Why rules alone do not publish what a class finds, in words; "" where it reaches its bar, or there is none."""
        bar = BARS.get(kind)
        read, right = self.counts(rule)
        if bar is None or (read >= FEWEST_READ and right >= bar * read):
            return ""
        if not read:
            return "found by rules alone; none of its kind was read yet"
        few = "only " if read < FEWEST_READ else ""
        return f"found by rules alone; {few}{read} of its kind {'was' if read == 1 else 'were'} read, {right} right"


def read_precision(text: str) -> Precision:
    """Counts as they stand in a file.

    Raises:
        SchemaError: more were right or useful than were read, or a key is missing or not of its type.
    """
    table = tomllib.loads(text)
    try:
        counted = tuple(Counted(**each) for each in table["counted"])
        version = str(table["version"])
    except (KeyError, TypeError) as error:
        raise SchemaError("counts of precision have another shape", reason=repr(error)) from error
    if not all(isinstance(n, int) for each in counted for n in (each.read, each.right, each.useful)):
        raise SchemaError("counts of precision are whole numbers")
    for each in counted:
        if not 0 <= each.useful <= each.right <= each.read:
            raise SchemaError("more findings were right or useful than were read", rule=each.rule, family=each.family)
    return Precision(version, counted)


@cache
def shipped_precision() -> Precision:
    """The counts of this release."""
    return read_precision(_FILE.read_text(encoding="utf-8"))


PRECISION_VERSION = shipped_precision().version
"""Part of the identity of what is built with these counts."""


def confidence_of(rule: str) -> float:
    """How often a class of rules was right, by the counts of this release."""
    return shipped_precision().confidence(rule)


def doubt_of(kind: ClaimKind, rule: str) -> str:
    """Why rules alone do not publish what a class finds, by the counts of this release; "" where they do."""
    return shipped_precision().doubt(kind, rule)


def rule_of(kind: ClaimKind, recipe: Mapping[str, Any], *, is_read: bool = False, is_plain: bool = False) -> str:
    """The class of rules that finds claims of a kind with such a recipe: "conflict/deadline", "gap/open", "theme".

    Args:
        kind: what sort of claim it is.
        recipe: which fact or figure it tells.
        is_read: whether a statement that it cites was read by a model in the place of rules.
        is_plain: of a conflict, whether its statements plainly exclude each other.
    """
    rule = PLAIN if is_plain else _class_of(kind, recipe)
    return f"{rule}{READ}" if is_read and not rule.endswith(READ) else rule


def _class_of(kind: ClaimKind, recipe: Mapping[str, Any]) -> str:
    if kind in ("conflict", "stricter"):
        what = "framework" if recipe.get("head") == EVERY else str(recipe.get("conflict"))
        return f"{kind}/{what}"
    if kind == "gap":
        what = str(recipe.get("gap") or recipe.get("figure") or "")
        return f"gap/{'unstated_review' if what == 'measure' else what}"
    if kind == "standing":
        return f"standing/{recipe.get('standing', '')}"
    return kind
