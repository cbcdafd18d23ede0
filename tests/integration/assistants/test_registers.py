"""Registers for assistants: whole, in pages, each line cited, and only of what the caller may know of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from coditect.assistants.fencing import unfenced
from coditect.assistants.registers.listing import RegisterDesk, RegisterName, RegisterQuestion
from coditect.errors import NotFound, UsageError
from coditect.knowledge.report.registers.selection import RegisterFilters
from coditect.server.service import Service
from tests.integration.assistants.test_desk import citations_in, desk_of, resolved
from tests.integration.server.served import OTHER

EVERYTHING = ("*",)


def _lines(registers: RegisterDesk, name: RegisterName, limit: int) -> list[str]:
    """The ids of all lines, page by page."""
    found: list[str] = []
    cursor = ""
    while True:
        page = registers.register(name, RegisterQuestion("policies", cursor=cursor, limit=limit))
        found += [each.citation.item_id for each in page.lines]
        assert page.total >= len(found)
        cursor = page.next_cursor
        if not cursor:
            assert page.total == len(found)
            return found


@pytest.mark.parametrize(
    ("name", "kinds", "timed"),
    [
        ("obligations", ("obligation", "prohibition"), False),
        ("deadlines", ("obligation", "prohibition", "permission"), True),
        ("definitions", ("definition",), False),
    ],
)
def test_a_register_is_whole(
    service: Service, place: Path, name: RegisterName, kinds: tuple[str, ...], timed: bool
) -> None:
    """Whatever the size of a page, the lines are those of the register in its order."""
    desk = desk_of(service, place)
    filters = RegisterFilters(kinds=frozenset(kinds), timed=timed)  # type: ignore[arg-type]
    wanted = [each.item_id for each in desk.knowledge.register("policies", filters)]
    registers = RegisterDesk(desk)
    assert _lines(registers, name, 2) == _lines(registers, name, 50) == wanted


def test_every_line_leads_to_its_words(service: Service, place: Path) -> None:
    """Of duties, contracts and exceptions; what is told of them is fenced."""
    desk = desk_of(service, place, role="reader")
    registers, asked = RegisterDesk(desk), RegisterQuestion("policies", documents=EVERYTHING, limit=50)
    duties = registers.register("obligations", asked, permissions=True)
    agreements, waivers = registers.agreements(asked), registers.waivers(asked)
    assert agreements.total == len(list(desk.knowledge.agreements("policies", documents=EVERYTHING)))
    assert waivers.total == len(list(desk.knowledge.waivers("policies")))
    assert duties.lines
    assert agreements.agreements
    cited = [citation for each in (duties, agreements, waivers) for citation in citations_in(each)]
    for citation in cited:
        words, shown = resolved(desk, citation), unfenced(citation.text)
        assert words == shown or (citation.cut and words.startswith(shown)), citation.uri
    assert any(unfenced(each.told).startswith("who: ") for each in duties.lines if each.told)


def test_lines_are_those_that_were_asked_for(service: Service, place: Path) -> None:
    """By who acts, by words, and by the time within which they are due; no length of time is refused."""
    registers = RegisterDesk(desk_of(service, place))
    asked = RegisterQuestion("policies", limit=50)
    every = registers.register("obligations", asked)
    said = unfenced(every.lines[0].told).splitlines()
    who = next(each for each in said if each.startswith("who: ")).removeprefix("who: ")
    some = registers.register("obligations", asked, actor=who)
    assert 0 < some.total <= every.total
    soon = registers.register("deadlines", asked, due_within="3 days")
    assert all((each.deadline_hours or 0) <= 24 * 7 for each in soon.lines)
    assert soon.total < registers.register("deadlines", asked).total
    with pytest.raises(UsageError, match="length of time"):
        registers.register("deadlines", asked, due_within="soon")
    with pytest.raises(UsageError, match="cursor"):
        registers.register("deadlines", RegisterQuestion("policies", cursor="nonsense"))


def test_registers_of_hidden_corpora_are_not_there(service: Service, place: Path) -> None:
    """Told in the words for a corpus that does not exist."""
    registers = RegisterDesk(desk_of(service, place, corpora=("policies",)))
    asked: list[Callable[[str], object]] = [
        lambda name: registers.register("obligations", RegisterQuestion(name)),
        lambda name: registers.agreements(RegisterQuestion(name)),
        lambda name: registers.waivers(RegisterQuestion(name)),
    ]
    for ask in asked:
        with pytest.raises(NotFound) as hidden:
            ask(OTHER)
        with pytest.raises(NotFound) as absent:
            ask("nothing")
        assert (hidden.value.message, hidden.value.hint) == (absent.value.message, absent.value.hint)


def test_what_an_amendment_replaced_is_told(service: Service, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An assistant must not tell a replaced period as one that binds."""
    desk = desk_of(service, place)
    row = next(iter(desk.knowledge.register("policies", RegisterFilters(kinds=frozenset(("obligation",))))))
    marked = row.model_copy(update={"amended": "“24 hours” is “12 hours” by amendment.md"})
    monkeypatch.setattr(type(desk.knowledge), "register", lambda *_, **__: iter([marked]))
    (line,) = RegisterDesk(desk).register("obligations", RegisterQuestion("policies")).lines
    assert "amended: “24 hours” is “12 hours” by amendment.md" in unfenced(line.told)
