"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import pytest

import coditect
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred, deferred_by, is_pattern

TEXT = "The bank shall notify the regulator, and the Bank must retain records."
ROOMS = ("coditect.language.", "coditect.documents.", "coditect.tiers.", "coditect.verify.", "coditect.retrieve.")


def _patterns(module: str) -> Iterator[re.Pattern[str]]:
    for value in vars(import_module(module)).values():
        held = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,)
        yield from (each for each in held if is_pattern(each))


def test_deferred_pattern_does_what_the_compiled_one_does() -> None:
    """Each method gives what the compiled pattern's gives, whichever is the first that is asked for."""
    source, flags = r"\b(?P<who>bank)\b\s+(\w+)", re.IGNORECASE
    compiled = re.compile(source, flags)
    assert deferred(source, flags).findall(TEXT) == compiled.findall(TEXT)
    assert deferred(source, flags).sub(r"\g<who>", TEXT) == compiled.sub(r"\g<who>", TEXT)
    assert deferred(source, flags).split(TEXT) == compiled.split(TEXT)
    assert [m.span() for m in deferred(source, flags).finditer(TEXT, 10)] == [
        m.span() for m in compiled.finditer(TEXT, 10)
    ]
    assert deferred(source, flags).match(TEXT) is None
    assert deferred(source, flags).fullmatch("bank shall") is not None
    pattern = deferred(source, flags)
    assert (pattern.pattern, pattern.flags, pattern.groups) == (source, compiled.flags, 2)
    assert pattern.groupindex == {"who": 1}


def test_deferred_pattern_is_made_once_and_not_before_its_use() -> None:
    """Nothing is compiled until a method is asked for, and nothing a second time."""
    made: list[str] = []

    def make() -> re.Pattern[str]:
        made.append("made")
        return re.compile("bank")

    pattern = deferred_by(make)
    assert made == []
    assert pattern.search(TEXT) is not None
    assert pattern.search("none") is None
    assert made == ["made"]


@pytest.mark.parametrize("used", [False, True])
def test_deferred_pattern_travels_as_the_compiled_one(used: bool) -> None:
    """Copied or pickled, before its use or after it, it matches the same."""
    pattern = deferred("b(an)k")
    if used:
        pattern.search(TEXT)
    assert pickle.loads(pickle.dumps(pattern)).findall(TEXT) == ["an"]  # noqa: S301 - made one line above
    assert copy.deepcopy(pattern).findall(TEXT) == ["an"]


def test_fault_in_a_deferred_pattern_shows_at_its_first_use() -> None:
    """What cannot be compiled says so as the compiler does, each time that it is used."""
    pattern = deferred("(bank")
    for _ in range(2):
        with pytest.raises(re.error):
            pattern.search(TEXT)


def test_what_a_pattern_lacks_a_deferred_one_lacks() -> None:
    """An attribute that no pattern has is refused, and compiles nothing."""
    assert not hasattr(deferred("(bank"), "found")
    assert is_pattern(quick("bank|fund"))
    assert not is_pattern("bank")


def test_patterns_of_every_room_compile() -> None:
    """No pattern of the product waits for its first use with a fault in it."""
    seen = 0
    for module in walk_packages(coditect.__path__, "coditect."):
        if module.name.startswith(ROOMS):
            for pattern in _patterns(module.name):
                assert pattern.groups >= 0
                seen += 1
    assert seen > 900


def test_rules_that_are_loaded_leave_their_patterns_for_later() -> None:
    """A process that loads the rules of norms has used hardly any of the patterns that wait for their use."""
    code = (
        "import sys\n"
        "import coditect.language.norms.practices\n"
        "held = {id(v): v for n, m in list(sys.modules.items()) if n.startswith('coditect.language') for v in vars(m).values()}\n"
        "kinds = [type(v).__name__ for v in held.values()]\n"
        "print(kinds.count('_Unused'), kinds.count('_Used'))"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    waiting, used = map(int, said)
    assert waiting > 100
    assert used < 10
