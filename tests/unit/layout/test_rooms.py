"""The layout keeps what a newcomer relies on: rooms that can be surveyed, and names that mean one thing."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import coditect

PACKAGE = Path(coditect.__file__).parent

MOST_BESIDE = 15
"""Modules and rooms side by side that can be taken in at a glance."""

LONG_BY_NATURE = {"cli", "schemas"}
"""One command or one record a file."""


def _rooms() -> Iterator[tuple[str, list[str]]]:
    """Each room by its path, with the names that stand side by side in it."""
    for init in sorted(PACKAGE.rglob("__init__.py")):
        folder = init.parent
        modules = [path.stem for path in folder.glob("*.py") if not path.stem.startswith("__")]
        inner = [path.parent.name for path in folder.glob("*/__init__.py")]
        yield folder.relative_to(PACKAGE).as_posix(), sorted(modules + inner)


def _families(names: list[str]) -> dict[str, list[str]]:
    """Names that share what stands before the first underscore, three or more of them: folders that were never made."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in names:
        found[name.partition("_")[0]].append(name)
    return {prefix: each for prefix, each in found.items() if len(each) >= 3}


ROOMS = dict(_rooms())


@pytest.mark.parametrize("room", sorted(set(ROOMS) - LONG_BY_NATURE - {"."}))
def test_room_can_be_surveyed(room: str) -> None:
    """No room holds more than a reader takes in at a glance."""
    assert len(ROOMS[room]) <= MOST_BESIDE, ROOMS[room]


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_room_has_no_prefix_family(room: str) -> None:
    """Three modules with one prefix are a folder."""
    assert not _families(ROOMS[room])


@pytest.mark.parametrize("room", sorted(set(ROOMS) - {"."}))
def test_room_says_what_it_is_for(room: str) -> None:
    """Every package has a docstring: the layout page quotes its first sentence."""
    assert ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8")))


def test_layout_page_points_to_rooms_that_are_there() -> None:
    """Every place that the page names for a change exists."""
    page = (PACKAGE.parent / "docs" / "layout.md").read_text(encoding="utf-8")
    rows = [
        line for line in page.partition("| what you want to change")[2].partition("```")[0].splitlines() if "`" in line
    ]
    places = [place for row in rows for place in re.findall(r"`([a-z_/]+)`", row)]
    assert len(places) > 12
    assert [place for place in places if not (PACKAGE / place).is_dir()] == []


def test_class_names_mean_one_thing() -> None:
    """No name of a public class stands in two modules."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path.relative_to(PACKAGE).as_posix())
    assert not {name: found for name, found in places.items() if len(found) > 1}
