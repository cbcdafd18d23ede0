"""Changes as pages: which rows, in which words, and what of them is highlighted."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.schemas import AffectedItem, ChangedSide, CorpusChanges
from coditect.schemas.change import DocumentChanges, ProvisionChange
from coditect.server.explorer.shown import changes as module
from coditect.server.explorer.shown.changes import Changes, changes_page
from tests.unit.server.explorer.visits import partly, view_of, visit_of


def side(text: str, **fields: Any) -> ChangedSide:  # noqa: ANN401 - of a record
    """A provision in one state."""
    return ChangedSide(**{"version_id": "v", "text": text, "char_start": 3, "char_end": 3 + len(text), **fields})


def change(number: int, **fields: Any) -> ProvisionChange:  # noqa: ANN401 - of a record
    """What happened to a provision."""
    given = {"number": number, "kind": "amended", "duty": "same", "before": side("old"), "after": side("new"), "fields": (),
             "words": (), "carried": ()}  # fmt: skip
    return partly(ProvisionChange, **{**given, **fields})


def page_of(
    monkeypatch: pytest.MonkeyPatch,
    documents: dict[str, list[ProvisionChange]],
    affected: int = 0,
    after: int = 2,
    **asked: Any,  # noqa: ANN401 - of a request
) -> Changes:
    """The page of changes between two generations of three."""
    found = partly(
        CorpusChanges,
        unchanged_documents=4,
        affected=tuple(
            partly(
                AffectedItem,
                kind="claim",
                item_id=f"claim_{n}",
                text="t",
                document="a",
                place="1",
                reason="r",
                owner="o",
            )
            for n in range(affected)
        ),
        documents=tuple(
            partly(DocumentChanges, document=name, status="changed", changes=each) for name, each in documents.items()
        ),
    )
    made = [SimpleNamespace(generation=n, created_at=f"2026-0{n}") for n in (1, 2, 3)]
    monkeypatch.setattr(module, "history", lambda _: tuple(reversed(made)), raising=False)
    monkeypatch.setattr(module, "generations", lambda *_: made)
    visit = visit_of(view_of(1), view_of(2), view_of(3), as_of=2)
    number = asked.pop("number", 1)
    given = {"show": "", "only": "", "document": "", **asked}
    return changes_page(visit, found, 1, after, number, **given)


def test_changes_are_listed_as_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all documents or of one; all, or those of duties alone."""
    documents = {
        "a": [change(1), change(2, duty="changed")],
        "b": [change(3, duty="none"), change(4, duty="changed", kind="moved")],
    }

    def rows(**asked: Any) -> list[tuple[str, int]]:  # noqa: ANN401 - of a request
        return [(each.document, each.number) for each in page_of(monkeypatch, documents, **asked).page.rows]

    assert rows() == [("a", 1), ("a", 2), ("b", 3), ("b", 4)]
    assert rows(document="b") == [("b", 3), ("b", 4)]
    assert rows(only="duty") == [("a", 2), ("b", 4)]
    assert rows(only="odd", document="a") == [("a", 1), ("a", 2)]
    assert rows(only="duty", document="b") == [("b", 4)]
    found = page_of(monkeypatch, documents)
    assert found.documents == (("a", "changed", 2), ("b", "changed", 2))
    assert found.counts == (("Amended", 3), ("Moved", 1))
    assert (found.unchanged, found.affected_count, found.before, found.after) == (4, 0, 1, 2)
    assert found.generations == ((3, "2026-03"), (2, "2026-02"), (1, "2026-01"))


@pytest.mark.parametrize(("show", "first", "affected"), [("", 16, 1), ("affected", 1, 16), ("odd", 16, 1)])
def test_fifteen_changes_or_lines_of_the_work_list_are_a_page(
    monkeypatch: pytest.MonkeyPatch, show: str, first: int, affected: int
) -> None:
    """The number is of the list that is shown; the other one begins at its beginning."""
    found = page_of(monkeypatch, {"a": [change(n) for n in range(20)]}, affected=20, number=2, show=show)
    assert (found.page.first, found.affected.first) == (first, affected)
    assert (len(found.page.rows), len(found.affected.rows)) == ((5, 15) if first == 16 else (15, 5))
    assert found.affected_count == 20


@pytest.mark.parametrize(("after", "href"), [(2, "as_of=2"), (3, "")])
def test_each_side_leads_to_its_own_generation(monkeypatch: pytest.MonkeyPatch, after: int, href: str) -> None:
    """The current one needs no number."""
    (row,) = page_of(monkeypatch, {"a": [change(1)]}, after=after).page.rows
    assert row.before is not None
    assert row.after is not None
    assert row.before.href == "/e/c/c/documents/v?span=3-6&as_of=1#here"
    assert row.after.href == f"/e/c/c/documents/v?span=3-6{'&' if href else ''}{href}#here"


def test_a_side_that_is_not_there_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what was added, or removed; what moved along is counted."""
    field = SimpleNamespace(field="deadline", before="24 hours", after="48 hours")
    documents = {"a": [change(1, before=None), change(2, after=None), change(3, carried=(1, 2), fields=(field,))]}
    added, removed, moved = page_of(monkeypatch, documents).page.rows
    assert (added.before, added.after is None, removed.before is None, removed.after) == (None, False, False, None)
    assert (moved.carried, moved.fields) == (2, (("deadline", "24 hours", "48 hours"),))


@pytest.mark.parametrize(
    ("text", "words", "hits"),
    [("a b a b", ("a", "a"), ["a", "a"]), ("b a", ("b", "a"), ["b", "a"]), ("a b", ("b", "a"), ["b"]), ("a b", ("x", "b"), ["b"]),
     ("a b", ("", "a"), ["a"]), ("a b", ("a",), ["a"]), ("ab", ("a", "b"), ["ab"])],
)  # fmt: skip
def test_words_that_differ_are_highlighted_one_after_another(
    monkeypatch: pytest.MonkeyPatch, text: str, words: tuple[str, ...], hits: list[str]
) -> None:
    """Each where it stands behind the one before."""
    told = tuple(SimpleNamespace(before=each, after="z") for each in words)
    (row,) = page_of(monkeypatch, {"a": [change(1, before=side(text), words=told)]}).page.rows
    assert row.before is not None
    shown = "".join(f"[{each.text}]" if each.hit else each.text for each in row.before.pieces)
    assert shown.replace("][", "") == "".join(_bracketed(text, hits))


def _bracketed(text: str, hits: list[str]) -> str:
    found, at = "", 0
    for each in hits:
        start = text.index(each, at)
        found += text[at:start] + f"[{each}]"
        at = start + len(each)
    return found + text[at:]


@pytest.mark.parametrize(
    ("place", "heading", "shown"),
    [("2", "2 Logs", "2 Logs"), ("2.1", "Logs", "2.1 · Logs"), ("", "Logs", "Logs"), ("3", "", "3")],
)
def test_a_provision_is_named_by_its_number_and_heading(
    monkeypatch: pytest.MonkeyPatch, place: str, heading: str, shown: str
) -> None:
    """The number once."""
    (row,) = page_of(monkeypatch, {"a": [change(1, before=side("x", place=place, heading=heading))]}).page.rows
    assert row.before is not None
    assert row.before.place == shown


@pytest.mark.parametrize(
    ("item", "href"),
    [("claim_1", "/e/c/c/items/claim_1?as_of=2"), ("extraction_1", "/e/c/c/items/extraction_1?as_of=2"), ("document_1", ""),
     ("", ""), ("section_1", "/e/c/c/items/section_1?as_of=2"), ("review_1", "")],
)  # fmt: skip
def test_a_line_of_the_work_list_leads_to_its_item(monkeypatch: pytest.MonkeyPatch, item: str, href: str) -> None:
    """Where it has a page."""
    (row,) = page_of(monkeypatch, {}, affected=1).affected.rows
    assert (row.kind, row.where, row.owner) == ("Finding", "a · 1", "o")
    affected = partly(AffectedItem, kind="odd", item_id=item, text="t", document="", place="", reason="r", owner="o")
    made = module._affected(visit_of(view_of(2), view_of(3), as_of=2), affected)
    assert (made.kind, made.where, made.href) == ("odd", "", href)
