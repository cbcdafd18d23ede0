"""The page on security: every requirement of levels 1 and 2 has its row, and every test and file that it names is there."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/security.md").read_text(encoding="utf-8")
NUMBERS = json.loads(Path(__file__).with_name("asvs-5.0.0.json").read_text(encoding="utf-8"))

_ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| ([123]) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
_TEST = re.compile(r"`(tests/[\w/.]+\.py)::(\w+)`")
_FILE = re.compile(r"`((?:tests|coditect|docs|adr|requirements)/[\w/.-]+|compose\.yaml|Containerfile)`")


def _level(number: str) -> str:
    return next((level for level in "12" if number in NUMBERS[level]), "")


def _is_there(file: str, name: str) -> bool:
    place = ROOT / file
    return (
        place.is_file() and re.search(rf"^(?:async )?def {name}\(", place.read_text("utf-8"), re.MULTILINE) is not None
    )


def test_every_requirement_has_one_row_at_its_level() -> None:
    """In the order of the standard; 70 requirements of level 1 and 183 of level 2."""
    assert (len(NUMBERS["1"]), len(NUMBERS["2"])) == (70, 183)
    rows = [(number, level) for number, level, *_ in _ROW.findall(PAGE)]
    assert [number for number, _ in rows] == sorted(
        {*NUMBERS["1"], *NUMBERS["2"]}, key=lambda each: [*map(int, each.split("."))]
    )
    assert [each for each in rows if each[1] != _level(each[0])] == []
    assert len(re.findall(r"^\| \d+\.\d+\.\d+ \|", PAGE, re.MULTILINE)) == len(rows)


def test_every_row_says_what_shows_it_or_why_not() -> None:
    """Met: a test, a file or a part of the page. Otherwise a reason; where it is not met, what to do."""
    for number, _, _, status, shown in _ROW.findall(PAGE):
        assert status in ("met", "not applicable", "not met"), number
        assert len(shown.strip()) >= 4, number
        assert status != "met" or _FILE.search(shown) or _TEST.search(shown) or "](#" in shown, number
        assert status != "not met" or "To do" in shown or re.search(r"as \d+\.\d+\.\d+", shown), number


def test_the_page_counts_its_rows() -> None:
    """By level and status."""
    counts = Counter((level, status) for _, level, _, status, _ in _ROW.findall(PAGE))
    for level in "12":
        told = ", ".join(f"{counts[level, status]} {status}" for status in ("met", "not applicable", "not met"))
        assert f"Level {level}: {told}." in PAGE


@pytest.mark.parametrize(("file", "name"), sorted(set(_TEST.findall(PAGE))))
def test_a_test_that_the_page_names_is_there(file: str, name: str) -> None:
    """In its file, under its name."""
    assert _is_there(file, name)


def test_files_and_parts_that_the_page_names_are_there() -> None:
    """Files from the root of the checkout; parts by their headings."""
    named = sorted(set(_FILE.findall(PAGE)))
    assert len(named) > 30
    assert [each for each in named if not (ROOT / each).exists()] == []
    headings = {
        re.sub(r"[^\w -]", "", each.lower()).strip().replace(" ", "-") for each in re.findall(r"^#+ (.+)$", PAGE, re.M)
    }
    assert set(re.findall(r"\]\(#([\w-]+)\)", PAGE)) <= headings


def test_a_test_that_is_not_there_is_found() -> None:
    """So that the test above can fail."""
    file = "tests/unit/deployment/test_security_page.py"
    assert _is_there(file, "test_a_test_that_is_not_there_is_found")
    assert not _is_there(file, "test_that_nobody_wrote")
    assert not _is_there("tests/unit/deployment/test_nowhere.py", "test_a_test_that_is_not_there_is_found")
