"""Jobs of several tenants: they take turns, and none of them fills the line."""

from __future__ import annotations

import pytest

from coditect.server.jobs.line import WaitingLine
from coditect.server.problems import Problem


def test_tenants_take_turns_and_within_one_who_came_first_is_first() -> None:
    """A tenant that asked for a hundred delays another by one."""
    line: WaitingLine[str] = WaitingLine({"a": None, "b": None, "c": None}, 200)
    for number in range(100):
        line.add("a", f"a{number}")
    line.add("b", "b0")
    line.add("c", "c0")
    line.add("b", "b1")
    assert [line.take() for _ in range(8)] == ["a0", "b0", "c0", "a1", "b1", "a2", "a3", "a4"]
    line.add("c", "c1")
    assert [line.take() for _ in range(2)] == ["c1", "a5"]


def test_no_tenant_fills_the_line() -> None:
    """Half of it where there are others, all of it where there are none; what it was granted comes first."""

    def filled(line: WaitingLine[int], tenant: str) -> int:
        for number in range(100):
            try:
                line.require_room(tenant)
            except Problem:
                return number
            line.add(tenant, number)
        return 100

    assert filled(WaitingLine({"a": None}, 10), "a") == 10
    shared: WaitingLine[int] = WaitingLine({"a": None, "b": None, "c": 9}, 10)
    assert filled(shared, "a") == 5
    with pytest.raises(Problem, match="of the tenant") as caught:
        shared.require_room("a")
    assert caught.value.status == 429
    assert filled(shared, "b") == 5
    with pytest.raises(Problem, match="too many jobs wait") as caught:
        shared.require_room("c")
    assert caught.value.status == 503
    assert filled(WaitingLine({"a": None, "b": None, "c": 9}, 10), "c") == 9
