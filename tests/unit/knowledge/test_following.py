"""Where the references and the defined terms inside of an item lead."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.knowledge.query import following
from coditect.knowledge.query.following import Links
from coditect.retrieve.lookup.references import ResolvedReference
from coditect.schemas import Entity, Extraction, Source
from tests.unit.store.items import extraction, section

HOST = extraction("The clerk shall sign as section 2 says.", 10)


def _reference(words: str, start: int) -> Extraction:
    return extraction(words, start, extraction_kind="cross_reference")


def _term(name: str, printed: str) -> Entity:
    return Entity(text=printed, name=name, kind="defined_term", char_offset_start=0, char_offset_end=len(printed))


def _node(text: str) -> Source:
    return Source(kind="extraction", tier=1, item_id="", text=text)


def _links(*inside: Extraction, places: dict[str, ResolvedReference] | None = None, there: Any = None) -> Links:  # noqa: ANN401
    view: Any = SimpleNamespace(
        extractions=lambda document: inside, items=lambda kind, ids, documents: [there[each] for each in ids]
    )
    sources: Any = SimpleNamespace(
        extraction=lambda item: _node(item.source_text),
        stretch=lambda document, kind, section_id, heading, start, end: _node(f"{section_id} {heading} {start}-{end}"),
        chunk=lambda chunk, deep: _node(f"chunk {chunk}"),
        document=lambda document: _node(f"document {document}"),
    )
    links = Links(view, SimpleNamespace(), sources)  # type: ignore[arg-type]
    links.__dict__["_resolver"] = SimpleNamespace(
        resolve=lambda item: (places or {}).get(item.source_text, ResolvedReference(reason="no such place"))
    )
    return links


def test_references_of_an_item_are_those_that_lie_wholly_inside() -> None:
    """At its edges, too; in the order of the text, and what leads nowhere says why."""
    end = HOST.char_offset_end
    inside = [_reference("first", 10), _reference("last", end - 4)]
    outside = [_reference("early", 9), _reference("late", end - 3)]
    found = _links(outside[0], inside[0], HOST, inside[1], outside[1]).follow(HOST)
    assert [(each.kind, each.text, each.resolved, each.reason) for each in found] == [
        ("cross_reference", "first", False, "no such place"),
        ("cross_reference", "last", False, "no such place"),
    ]
    assert _links(*inside).follow(section("keys")) == ()


@pytest.mark.parametrize(
    ("place", "reason", "target"),
    [
        (ResolvedReference("d", "s2", ("s2",), ("c",), ("b", "a"), "same document"), "same document", "s2 Rules 20-60"),
        (
            ResolvedReference("d", "s2", (), ("c",), ("a",), "same document", is_exact=False),
            "same document, the smallest section around it",
            "s2 Rules 20-30",
        ),
        (ResolvedReference("d", "s2", (), ("c", "e"), (), "named document"), "named document", "chunk 7"),
        (ResolvedReference("d", "", (), ("c",), ("a",), "named document"), "named document", "chunk 7"),
        (ResolvedReference("d", how="whole document"), "whole document", "document d"),
    ],
)
def test_reference_leads_to_the_statements_or_the_chunk_or_the_document(
    place: ResolvedReference, reason: str, target: str
) -> None:
    """From the first of the statements to the last, whatever order they come in."""
    there = {
        "a": SimpleNamespace(char_offset_start=20, char_offset_end=30, heading="Rules"),
        "b": SimpleNamespace(char_offset_start=25, char_offset_end=60, heading="Rules"),
        "c": 7,
    }
    (found,) = _links(_reference("sec", 12), places={"sec": place}, there=there).follow(HOST)
    assert (found.resolved, found.reason) == (True, reason)
    assert found.target is not None
    assert found.target.text == target


def test_terms_of_an_item_lead_to_three_definitions_each_and_not_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """By name, as they are printed; behind the references."""
    defining = [extraction(f"definition {n}", 100 + n) for n in range(4)]
    known = {"key": defining, "clerk": [HOST, defining[0]]}
    monkeypatch.setattr(following, "defined", lambda index, name, document: known[name])
    host = extraction("The clerk shall keep keys.", 10, entities=(_term("key", "keys"), _term("clerk", "clerk")))
    known["clerk"] = [host, defining[0]]
    other = Entity(text="gate", name="gate", kind="role", char_offset_start=0, char_offset_end=4)
    found = _links(host, _reference("sec", 12), extraction("gate", 20, entities=(other,))).follow(host)
    assert [(each.kind, each.text, each.target and each.target.text) for each in found] == [
        ("cross_reference", "sec", None),
        ("definition", "clerk", "definition 0"),
        ("definition", "keys", "definition 0"),
        ("definition", "keys", "definition 1"),
        ("definition", "keys", "definition 2"),
    ]
    assert all(each.resolved and not each.reason for each in found[1:])
