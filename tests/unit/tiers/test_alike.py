"""Findings that say the same of several documents: which are told together, and which never are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from coditect.tiers.claims import phrases
from coditect.tiers.claims.alike import alike, document_of


@dataclass(frozen=True)
class Told:
    """What is asked of a claim."""

    text: str
    recipe: dict[str, Any] = field(default_factory=dict)
    severity: str = "medium"


def overdue(name: str, quote: str = "Next Review: December 2025", severity: str = "medium") -> Told:
    """A document that is past its review."""
    recipe = {"standing": "overdue", "document": name, "day": "2025-12-31"}
    return Told(phrases.standing("overdue", recipe, [quote]), recipe, severity)


def ownerless(name: str) -> Told:
    """A document without an owner."""
    recipe = {"gap": "ownerless", "owned": "7", "of": "9"}
    return Told(phrases.missing("ownerless", recipe, [name], [""]), recipe)


def empty(name: str, heading: str) -> Told:
    """A heading with nothing below it."""
    return Told(phrases.gap("section", {}, [name], [heading]), {"gap": "section", "heading": heading})


def names(*claims: Told) -> list[list[str]]:
    """The documents of each group."""
    return [[document_of(each) for each in group] for group in alike(claims)]


def test_what_is_said_of_several_documents_is_one_group() -> None:
    """In the order of the first of each; the words that show a date may differ, and nothing is lost."""
    claims = (
        overdue("a b.md"),
        ownerless("a b.md"),
        overdue("c.md", "Review due: 1 May 2024"),
        ownerless("d is overdue for review.md"),
        overdue("e.md"),
    )
    assert names(*claims) == [["a b.md", "c.md", "e.md"], ["a b.md", "d is overdue for review.md"]]
    assert [each for group in alike(claims) for each in group] == [
        claims[0], claims[2], claims[4], claims[1], claims[3],
    ]  # fmt: skip


def test_what_differs_is_told_apart() -> None:
    """Another severity, another heading, another successor."""
    assert names(overdue("a.md"), overdue("b.md", severity="low")) == [["a.md"], ["b.md"]]
    assert names(empty("a.md", "Purpose"), empty("b.md", "Scope"), empty("c.md", "Purpose")) == [
        ["a.md", "c.md"], ["b.md"],
    ]  # fmt: skip
    replaced = [
        Told(phrases.standing("superseded", recipe, ["Replaces all"]), {"standing": "superseded", **recipe})
        for recipe in ({"document": "a.md", "by": "b.md"}, {"document": "c.md", "by": "d.md"})
    ]
    assert names(*replaced) == [["a.md"], ["c.md"]]


def test_findings_of_other_kinds_stand_alone() -> None:
    """Also where their sentences are the same: each is of its own place."""
    points = [Told(phrases.gap("open", {"says": "TBD"}, ["a.md"], ["TBD"]), {"gap": "open"}) for _ in range(2)]
    assert [len(group) for group in alike(points)] == [1, 1]
    assert [document_of(each) for each in points] == ["", ""]
    assert alike([]) == []
