"""What addresses ask for: which parameters count, what is led elsewhere, and with which status."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.errors import NotFound, UsageError
from coditect.schemas import DocumentVersion, Extraction
from coditect.server.explorer.routes import changes, corpora, items, obligations, reader, search
from coditect.server.explorer.shown.items import Followed
from tests.unit.server.explorer.addresses import Site, holding
from tests.unit.server.explorer.visits import partly, view_of


@pytest.mark.parametrize(
    ("query", "asked"),
    [("", (2, 3)), ("?after=2", (1, 2)), ("?before=1", (1, 3)), ("?before=1&after=2", (1, 2)), ("?after=1", None),
     ("?before=0", (2, 3)), ("?before=x&after=-2", (2, 3)), ("?before=1234567890", (2, 3)), ("?before=123456789", (123456789, 3)),
     ("?as_of=2", (1, 2)), ("?as_of=1", None)],
)  # fmt: skip
def test_changes_are_those_since_the_generation_before(
    monkeypatch: pytest.MonkeyPatch, query: str, asked: tuple[int, int] | None
) -> None:
    """Unless others are named; before the first there is nothing."""
    site = Site(monkeypatch, changes=lambda corpus, **between: (corpus, between["before"], between["after"]))
    given: Any = []
    site.replace(changes, changes_page=lambda _visit, *told, **more: given.append((told, more)) or "found")
    assert site.get(f"/changes{query}").status_code == 200
    assert [told[:3] for told, _ in given] == ([] if asked is None else [(("c", *asked), *asked)])
    assert (site.shown[0]["page"] is None, bool(site.shown[0]["why"])) == (asked is None, asked is None)


def test_a_search_is_asked_as_it_was_put(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two thousand characters at most, on one line; with the gate unless it is switched off."""
    site, asked = Site(monkeypatch), list[Any]()
    site.replace(search, search=lambda _visit, question, **_: asked.append(question))
    site.replace(search, answering=lambda visit: visit, _is_being_made=lambda *_: False)
    assert site.get("/search").status_code == 200
    assert site.get("/search?q=a%0A%20b&gate=off&page=3&document=%20d*%20&tier=chunk").status_code == 200
    site.get("/search?gate=on&q=" + "x" * 2001)
    assert [(each.words, each.gate, each.page, each.document, each.tier) for each in asked[:2]] == [
        ("", True, 1, "", "passage"), ("a b", False, 3, "d*", "chunk"),
    ]  # fmt: skip
    assert (len(asked[2].words), asked[2].gate) == (2000, True)
    assert [each["title"] for each in site.shown[:2]] == ["Search", "a b"]


def test_a_search_that_cannot_be_made_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the way out, on a page that can ask again."""
    site = Site(monkeypatch)
    errors = iter([UsageError("an unknown tier", hint="Look."), NotFound("no document of this name")])

    def fails(_visit: object, question: Any, **_: object) -> str:  # noqa: ANN401 - a question
        if question.words:
            raise next(errors)
        return "empty"

    site.replace(search, search=fails)
    site.replace(search, answering=lambda visit: visit, _is_being_made=lambda *_: False)
    assert [site.get("/search?q=x").status_code for _ in range(2)] == [400, 400]
    assert [(each["error"], each["page"]) for each in site.shown] == [
        ("An unknown tier. Look.", "empty"), ("No document of this name.", "empty"),
    ]  # fmt: skip


def test_the_register_takes_its_switches_by_one_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anything else leaves them off."""
    site, asked = Site(monkeypatch), list[Any]()
    site.replace(
        obligations,
        duty_list=lambda _visit, wanted, after: asked.append((wanted.timed, wanted.in_force, wanted.actor, after)),
    )
    for query in ("", "?timed=yes", "?in_force=yes&actor=%20x%20", "?timed=no&in_force=1&after=0.1.2"):
        site.get(f"/obligations{query}")
    assert asked == [(False, False, "", ""), (True, False, "", ""), (False, True, "x", ""), (False, False, "", "0.1.2")]


def test_corpora_are_listed_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or their ids, where they have none."""
    site = Site(monkeypatch)
    given = {"generation": 1, "document_count": 2, "tier4_generated_at": ""}
    listed = [SimpleNamespace(corpus_id=each, name=name, **given) for each, name in (("a", "Alpha"), ("b", ""))]
    site.knowledge.store.corpora = lambda: listed
    site.replace(corpora)
    assert site.client.get("/explorer/").status_code == 200
    assert [(each.name, each.href) for each in site.shown[0]["corpora"]] == [
        ("Alpha", "/explorer/c/a"),
        ("b", "/explorer/c/b"),
    ]


def _leads(*hrefs: str) -> tuple[Followed, ...]:
    return tuple(Followed("t", "Reference", "so", "", "", each) for each in hrefs)


@pytest.mark.parametrize(
    ("leads", "query", "to"),
    [(_leads("/there"), "", "/there"), (_leads("/there"), "?list=yes", None), (_leads(""), "", None),
     (_leads("/a", "/b"), "", None), (_leads(), "", None)],
)  # fmt: skip
def test_a_reference_that_leads_to_one_place_leads_there(
    monkeypatch: pytest.MonkeyPatch, leads: tuple[Followed, ...], query: str, to: str | None
) -> None:
    """Otherwise all of them are listed."""
    item = partly(Extraction, extraction_id="e", source_text="words")
    site = Site(monkeypatch, view_of(1, find=holding(e=item)))
    asked: Any = []
    site.replace(items, follow=lambda _visit, _item, term: asked.append(term) or leads)
    answer = site.get(f"/items/e/follow{query}")
    assert (answer.status_code, answer.headers.get("location")) == ((302, to) if to else (200, None))
    assert [each["found"] for each in site.shown] == ([] if to else [leads])
    site.get("/items/e/follow?term=3-9")
    assert asked == [None, (3, 9)]


def test_items_of_other_generations_and_documents_are_led_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless a generation was asked for; a title is of sixty characters."""
    item, version = partly(Extraction, extraction_id="e"), partly(DocumentVersion, version_id="v")
    site = Site(monkeypatch, view_of(1, find=holding(e=item, v=version)), view_of(2, find=holding(v=version, n=item)))
    site.replace(items, item_page=lambda _visit, _item, page: SimpleNamespace(text=f"{page} " + "x" * 58 + " y"))
    for path, status, location in (
        ("/items/v", 302, "/explorer/c/c/documents/v"), ("/items/e", 302, "/explorer/c/c/items/e?as_of=1"),
        ("/items/e/follow", 302, "/explorer/c/c/items/e/follow?as_of=1"), ("/items/e?as_of=2", 404, None),
        ("/items/none", 404, None),
        ("/documents/e?span=1-2", 302, "/explorer/c/c/documents/e?span=1-2&as_of=1#here"), ("/items/e?as_of=1", 200, None),
    ):  # fmt: skip
        answer = site.get(path)
        assert (answer.status_code, answer.headers.get("location")) == (status, location)
    site.replace(items, item_page=lambda *_: SimpleNamespace(text="x" * 57 + " yy"))
    site.get("/items/n")
    site.replace(items, item_page=lambda *_: SimpleNamespace(text="x" * 57 + " yyy"))
    site.get("/items/n")
    assert [each["title"] for each in site.shown[-2:]] == ["x" * 57 + " yy", "x" * 57 + " …"]


def test_a_document_is_read_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """No page is the page of the highlight; its pictures are not sent again."""
    version = partly(DocumentVersion, version_id="v", name="a.md")
    picture = SimpleNamespace(picture=lambda *_: b"png")
    site = Site(monkeypatch, view_of(1, find=holding(v=version)), page_desk=picture)
    asked: Any = []
    shown = SimpleNamespace(span=None, hits=(), marks=())
    site.replace(
        reader, reader=lambda _visit, _version, wanted: asked.append(wanted) or shown, picture_of=lambda *_: None
    )
    for query in ("", "?page=2&span=1-9&marks=a&marks=b", "?page=x"):
        assert site.get(f"/documents/v{query}").status_code == 200
    assert [(each.page, each.span, each.marks) for each in asked] == [
        (0, None, ()),
        (2, (1, 9), ("a", "b")),
        (1, None, ()),
    ]
    first = site.get("/documents/v/pages/3.png")
    assert (first.status_code, first.content, first.headers["etag"]) == (200, b"png", '"v-3"')
    again = site.get("/documents/v/pages/3.png", **{"If-None-Match": '"v-3"'})
    assert (again.status_code, again.content) == (304, b"")
