"""What a filter lets through, asked of the records: each part alone, and the statements inside of a quote."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from coditect.knowledge.query.filters import lets_through
from coditect.knowledge.query.opened import Opened
from coditect.retrieve.port import Filter
from coditect.schemas import Entity, Extraction, ObligationData
from tests.unit.store.items import extraction, section

DUTY = extraction(
    "The clerk shall sign.",
    10,
    tier1_data=ObligationData(strength="mandatory"),
    entities=(Entity(text="clerk", name="clerk", kind="role", char_offset_start=14, char_offset_end=19),),
)


def _opened(*inside: Extraction, chunks: tuple[Any, ...] = (), listed: tuple[str, ...] = ()) -> Opened:
    leaf = SimpleNamespace(proposition_ids=listed) if listed else None
    view = SimpleNamespace(extractions=lambda document: inside, chunks=lambda document: chunks)
    tree = SimpleNamespace(leaf_at=lambda start: leaf if start == DUTY.char_offset_start else None)
    return cast("Opened", SimpleNamespace(view=view, enclosures=SimpleNamespace(tree=lambda document: tree)))


@pytest.mark.parametrize(
    ("field", "own", "other"),
    [
        ("items", DUTY.extraction_id, "extraction_other"),
        ("documents", DUTY.document_id, "document_other"),
        ("kinds", "obligation", "permission"),
        ("modalities", "mandatory", "recommended"),
        ("entities", "clerk", "board"),
    ],
)
def test_each_part_of_a_filter_decides_by_itself(field: str, own: str, other: str) -> None:
    """What is among the wanted is let through, everything else is not; a part that is not set says nothing."""
    opened = _opened(DUTY)
    for wanted, through in (((own,), True), ((own, other), True), ((other,), False)):
        part: dict[str, Any] = {field: frozenset(wanted)}
        assert lets_through(opened, Filter(**part), DUTY) is through
    assert lets_through(opened, Filter(), DUTY)


def test_parts_of_a_filter_must_all_let_through() -> None:
    """One that does not is enough."""
    only = Filter(kinds=frozenset(("obligation",)), modalities=frozenset(("prohibited",)))
    assert not lets_through(_opened(DUTY), only, DUTY)


def test_statements_below_a_section_are_told_by_the_index() -> None:
    """A section passes where nothing is asked of its statements, or where it is among the wanted ones itself."""
    made = section("access")
    kinds = frozenset(("obligation",))
    assert lets_through(_opened(), Filter(), made)
    assert not lets_through(_opened(), Filter(kinds=kinds), made)
    assert lets_through(_opened(), Filter(kinds=kinds, items=frozenset((made.section_id,))), made)
    assert not lets_through(_opened(), Filter(items=frozenset(("section_other",))), made)


def test_listed_statements_are_those_of_their_passage() -> None:
    """A statement that its passage does not list is no answer where only listed ones are."""
    assert lets_through(_opened(listed=(DUTY.extraction_id,)), Filter(listed=True), DUTY)
    assert not lets_through(_opened(listed=("extraction_other",)), Filter(listed=True), DUTY)
    assert not lets_through(_opened(), Filter(listed=True), DUTY)


@pytest.mark.parametrize(
    ("start", "end", "inside"), [(0, 10, False), (0, 11, True), (30, 40, True), (31, 40, False), (10, 31, True)]
)
def test_statement_passes_with_the_chunks_that_hold_some_of_it(start: int, end: int, inside: bool) -> None:
    """Touching is not holding."""
    chunk = SimpleNamespace(chunk_id="chunk_1", char_offset_start=start, char_offset_end=end)
    opened = _opened(chunks=(chunk,))
    assert DUTY.char_offset_end == 31
    assert lets_through(opened, Filter(chunks=frozenset(("chunk_1",))), DUTY) is inside
    assert not lets_through(opened, Filter(chunks=frozenset(("chunk_2",))), DUTY)
