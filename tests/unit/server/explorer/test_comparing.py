"""The address of a crosswalk: what it needs, what it hands on, and when it comes again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.errors import NotFound, UsageError
from coditect.server.explorer.routes import crosswalk
from tests.unit.server.explorer.addresses import Site
from tests.unit.server.explorer.visits import view_of


def _comparing(monkeypatch: pytest.MonkeyPatch, role: str = "analyst") -> tuple[Site, list[Any]]:
    """A site with two corpora whose comparisons are noted."""
    site, asked = Site(monkeypatch, view_of(1), view_of(2), role=role), list[Any]()
    listed = [SimpleNamespace(corpus_id=name, generation=n) for name, n in (("c", 2), ("nist", 1), ("new", 0))]
    site.knowledge.store.corpora = lambda: listed
    work = SimpleNamespace(error=None, result="crosswalk", is_finished=True)

    def begun(visit: Any, _works: object, corpus: str, framework: str, columns: Any, cache: Any) -> Any:  # noqa: ANN401 - doubles
        told = (corpus, framework, cache.as_posix())
        asked.append(told if columns is None else (*told, columns.told))
        return work

    site.replace(
        crosswalk, with_decisions=lambda found, store, today: found
    )  # what is decided of rows has tests of its own
    site.replace(crosswalk, _work=begun, matrix=lambda _visit, found, query, *more: (found, query, more))
    site.work = work  # type: ignore[attr-defined]
    return site, asked


def test_a_crosswalk_needs_a_framework(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document of this corpus, or another corpus, that the visitor may compare."""
    site, asked = _comparing(monkeypatch)
    site.get("/crosswalk")
    assert (site.shown[0]["page"], site.shown[0]["error"], site.shown[0]["corpus"]) == (None, "", "c")
    assert (site.shown[0]["corpora"], site.shown[0]["refresh"]) == (["c", "nist"], False)
    site.get("/crosswalk?corpus=c")
    assert "Name the framework's document" in site.shown[1]["error"]
    site.get("/crosswalk?corpus=c&framework=%20f.md%20&page=2&family=AC&label=meets")
    site.get("/crosswalk?framework_corpus=nist")
    assert asked == [("c", "f.md", "nowhere/crosswalks"), ("nist", "", "nowhere/crosswalks")]
    assert site.shown[2]["page"] == ("crosswalk", {"corpus": "c", "framework": "f.md"}, (2, "AC", "meets"))
    assert (site.shown[3]["page"][1], site.shown[3]["corpus"]) == ({"corpus": "nist", "framework": ""}, "nist")
    site.get("/crosswalk?corpus=nist&columns=%20statement=Text,id=No%20")
    assert asked[2] == ("nist", "", "nowhere/crosswalks", "id=No,statement=Text")
    assert site.shown[4]["page"][1] == {"corpus": "nist", "framework": "", "columns": "statement=Text,id=No"}
    site.get("/crosswalk?corpus=nist&columns=statement")
    assert "Write field=head of the column" in site.shown[5]["error"]
    reader_site, none = _comparing(monkeypatch, "reader")
    assert reader_site.get("/crosswalk?corpus=nist").status_code == 403
    assert none == []


@pytest.mark.parametrize(
    ("error", "result", "finished", "told"),
    [(None, None, False, ("", True)), (UsageError("no requirements", hint="Look."), None, True, ("No requirements. Look.", False)),
     (NotFound("gone"), None, True, ("Gone.", False)), (None, "it", True, ("", False))],
)  # fmt: skip
def test_a_crosswalk_that_is_not_made_comes_again(
    monkeypatch: pytest.MonkeyPatch,
    error: UsageError | None,
    result: str | None,
    finished: bool,
    told: tuple[str, bool],
) -> None:
    """One that cannot be made says why."""
    site, _ = _comparing(monkeypatch)
    vars(site.work).update(error=error, result=result, is_finished=finished)  # type: ignore[attr-defined]
    site.get("/crosswalk?corpus=nist")
    assert (site.shown[0]["error"], site.shown[0]["refresh"], site.shown[0]["page"] is None) == (*told, result is None)
