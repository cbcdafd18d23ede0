"""Crosswalks, changes and reviews in pages: no row twice, none lost, whatever is built or decided between two of them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import BaseModel
from starlette.testclient import TestClient

from coditect import BuildSettings
from coditect.client import Client, RemoteCorpus
from coditect.compose import open_knowledge
from coditect.errors import UsageError
from coditect.knowledge.progress import utc_now
from coditect.server.api.described import ChangesPage, CrosswalkPage, PendingPage, ReviewsPage
from tests.command_line import invoke
from tests.corpora import CORPUS, DOCUMENTS, folder_of
from tests.integration.server.served import Served, served, settings_at, store_of_two, tokens_at

TODAY = "2026-06-01"
RULES = "rules"
C = f"/api/v1/corpora/{CORPUS}"

FRAMEWORK = (
    "# Rules\n\n1 Access rights shall be reviewed every 90 days.\n\n2 Incidents shall be reported within 4 hours.\n\n"
    "3 Customer data shall be encrypted at rest.\n\n4 Backups shall be kept for 90 days.\n"
)
EDITED = {
    name: text.replace("90 days", "30 days").replace("24 hours", "36 hours") for name, text in DOCUMENTS.items()
} | {"badge.md": "# Badges\n\n1 The porter shall collect each badge within 2 days.\n"}

ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "crosswalk": (f"{C}/crosswalk", {"framework_corpus": RULES}),
    "changes": (f"{C}/changes", {}),
    "pending": (f"{C}/reviews/pending", {}),
    "reviews": (f"{C}/reviews", {}),
}
"""What comes in pages, and what is asked."""


DESCRIBED: dict[str, type[BaseModel]] = {
    "crosswalk": CrosswalkPage,
    "changes": ChangesPage,
    "pending": PendingPage,
    "reviews": ReviewsPage,
}
"""What the description says of a page; none of them takes a field that it does not name."""


def _built(place: Path, corpus: str, documents: dict[str, str], number: int) -> None:
    with open_knowledge(settings_at(place)) as knowledge:
        knowledge.ingest(corpus, [folder_of(Path(f"{place}-{corpus}-{number}"), documents)])
        knowledge.build(corpus, BuildSettings(topics=("incident", "access"), today=TODAY))


def _made(place: Path) -> Path:
    store_of_two(place)
    _built(place, RULES, {"rules.md": FRAMEWORK}, 1)
    _built(place, CORPUS, EDITED, 2)
    return place


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two generations of the usual corpus, and a framework beside it; nothing changes it but a few decisions."""
    return _made(tmp_path_factory.mktemp("paged") / "store")


@pytest.fixture(scope="module")
def stable(place: Path) -> Iterator[Served]:
    """A server over it, with three decisions."""
    with served(place, tokens_at(place)) as found:
        client = found.client("reviewer")
        asked: dict[str, Any] = {"query": "access", "tier": "extraction", "limit": 3, "gate": False}
        hits: Any = client.get(f"{C}/query", params=asked).json()["hits"]
        for number, each in enumerate(hits):
            _decide(client, each["item"]["item_id"], "accept", f"read {number}")
        yield found


@pytest.fixture
def own(tmp_path: Path) -> Iterator[tuple[Served, Path]]:
    """A server, and its store, that a test may change."""
    place = _made(tmp_path / "store")
    with served(place, tokens_at(place)) as found:
        yield found, place


def _decide(client: TestClient, item_id: str, decision: str, meaning: str) -> None:
    body = {"item_id": item_id, "decision": decision, "meaning": meaning}
    assert client.post(f"{C}/reviews", json=body).status_code == 201


def _pages(client: TestClient, what: str, limit: int, **more: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - parameters
    path, asked = ASKED[what]
    found: list[dict[str, Any]] = []
    cursor = ""
    while not found or cursor:
        answered = client.get(path, params={**asked, **more, "limit": limit, "cursor": cursor})
        assert answered.status_code == 200, answered.text
        found.append(answered.json())
        cursor = found[-1]["next"]
        assert len(found) < 100
    return found


def _rows(what: str, page: Any) -> list[Any]:  # noqa: ANN401 - any JSON value
    """The rows of a page, or of a whole answer, in their order."""
    if what == "crosswalk":
        return list(page["rows"])
    if what == "changes":
        told = [
            (document["document"], document["status"], document["unchanged"], change)
            for document in page["documents"]
            for change in document["changes"] or [None]
        ]
        return [*told, *page["affected"]]
    return list(page if isinstance(page, list) else page[what])


@pytest.mark.parametrize("limit", [1, 2, 3, 1000])
@pytest.mark.parametrize("what", list(ASKED))
def test_pages_add_up_to_the_answer_without_a_limit(stable: Served, what: str, limit: int) -> None:
    """In its order, each row once; every page but the last is full, and each says how many there are."""
    client = stable.client("administrator")
    path, asked = ASKED[what]
    wanted = _rows(what, client.get(path, params=asked).json())
    pages = _pages(client, what, limit)
    assert [row for page in pages for row in _rows(what, page)] == wanted
    assert len(wanted) > 2
    assert {page["total"] for page in pages} == {len(wanted)}
    assert [len(_rows(what, page)) for page in pages[:-1]] == [limit] * (len(pages) - 1)
    assert len(pages) == -(-len(wanted) // limit)
    for page in pages:
        DESCRIBED[what].model_validate(page)


def test_what_is_asked_without_a_limit_is_answered_as_before(stable: Served, place: Path) -> None:
    """Byte for byte as the command prints it, without a word of pages."""
    client = stable.client("administrator")
    words = {
        "crosswalk": ("crosswalk", "--framework-corpus", RULES),
        "changes": ("changes",),
        "pending": ("review",),
        "reviews": ("review", "--list"),
    }
    for what, (command, *more) in words.items():
        path, asked = ASKED[what]
        printed = invoke(place, command, "--corpus-id", CORPUS, *more, "--format", "json").stdout
        answered = client.get(path, params=asked)
        assert answered.text == printed, what
        assert answered.text == client.get(path, params={**asked, "cursor": ""}).text
        assert not isinstance(json.loads(printed), dict) or not {"total", "next"} & json.loads(printed).keys()


def test_what_is_told_beside_the_rows_is_of_all_of_them(stable: Served) -> None:
    """Coverage and files on each page; statements that answer nothing on the first alone, absent and not empty on the others."""
    client = stable.client("analyst")
    path, asked = ASKED["crosswalk"]
    whole = client.get(path, params=asked).json()
    first, *others = _pages(client, "crosswalk", 1)
    beside = whole.keys() - {"rows", "orphans"}
    assert whole["orphans"] == first["orphans"] != []
    for page in (first, *others):
        assert {name: page[name] for name in beside} == {name: whole[name] for name in beside}
    assert [("orphans" in page) for page in others] == [False] * len(others)


def test_a_document_whose_changes_stand_on_two_pages_is_named_on_both(own: tuple[Served, Path]) -> None:
    """With its own figures, which are of all its changes; the work list comes behind the last change."""
    served_, place = own
    text = "".join(
        f"{number} Clerk {number} shall keep record {number} for {number + 2} days.\n\n" for number in range(9)
    )
    _built(place, CORPUS, {**EDITED, "long.md": f"# Long\n\n{text}"}, 3)
    _built(place, CORPUS, {**EDITED, "long.md": f"# Long\n\n{text.replace(' days', ' weeks')}"}, 4)
    pages = _pages(served_.client("reader"), "changes", 4)
    named = [(own["document"], len(own["changes"]), own["duties"]) for page in pages for own in page["documents"]]
    assert [(name, count) for name, count, _ in named] == [("long.md", 4), ("long.md", 4), ("long.md", 1)]
    assert len({json.dumps(duties) for _, _, duties in named}) == 1
    assert [each["number"] for page in pages for own in page["documents"] for each in own["changes"]] == list(
        range(1, 10)
    )
    assert not any(page["affected"] for page in pages[:2])


@pytest.mark.parametrize("cursor", ["nonsense", "AA==", "e30=", "a" * 100, "\u00e9"])
@pytest.mark.parametrize("what", list(ASKED))
def test_a_cursor_that_is_none_is_refused_with_the_way_out(stable: Served, what: str, cursor: str) -> None:
    """Whether a limit stands beside it or not."""
    path, asked = ASKED[what]
    for more in ({}, {"limit": 2}):
        refused = stable.client("administrator").get(path, params={**asked, **more, "cursor": cursor})
        assert refused.status_code == 400
        assert (refused.json()["title"], "eave it out" in refused.json()["detail"]) == ("not a cursor", True)


@pytest.mark.parametrize("what", list(ASKED))
def test_a_cursor_goes_on_without_a_limit_and_with_another_one(stable: Served, what: str) -> None:
    """It is of a place in the list, not of a size of pages."""
    client = stable.client("administrator")
    path, asked = ASKED[what]
    wanted = _rows(what, client.get(path, params=asked).json())
    cursor = client.get(path, params={**asked, "limit": 1}).json()["next"]
    for more in ({}, {"limit": 1000}):
        page = client.get(path, params={**asked, **more, "cursor": cursor}).json()
        assert (_rows(what, page), page["next"]) == (wanted[1:], "")


def test_a_cursor_of_another_list_is_refused(stable: Served) -> None:
    """Of other filters, or of another list: it would skip rows that nobody has seen."""
    client = stable.client("administrator")
    cursors = {
        what: client.get(path, params={**asked, "limit": 1}).json()["next"] for what, (path, asked) in ASKED.items()
    }
    others = [
        ("crosswalk", {"document": "access.md"}), ("crosswalk", {"framework": "rules.md"}), ("changes", {"document": "*.md"}),
        ("changes", {"today": TODAY}),
    ]  # fmt: skip
    for what, more in others:
        path, asked = ASKED[what]
        refused = client.get(path, params={**asked, **more, "cursor": cursors[what]})
        assert (refused.status_code, refused.json()["title"]) == (400, "the cursor is of another list")
        assert "same filters" in refused.json()["detail"]
    refused = client.get(ASKED["pending"][0], params={"limit": 1, "cursor": cursors["reviews"]})
    assert (refused.status_code, refused.json()["title"]) == (400, "the cursor is of another list")


@pytest.mark.parametrize(("what", "limit"), [("crosswalk", 0), ("changes", -1), ("pending", 1001), ("reviews", "x")])
def test_a_limit_out_of_bounds_is_refused(stable: Served, what: str, limit: object) -> None:
    """By its name."""
    path, asked = ASKED[what]
    refused = stable.client("administrator").get(path, params={**asked, "limit": str(limit)})
    assert (refused.status_code, "query.limit" in refused.json()["detail"]) == (422, True)


@pytest.mark.parametrize(
    ("what", "way"),
    [
        ("crosswalk", {"as_of": "2", "framework_as_of": "1"}),
        ("changes", {"before": "1", "after": "2"}),
        ("pending", {"as_of": "2"}),
    ],
)
def test_a_cursor_of_another_generation_says_how_to_go_on(
    own: tuple[Served, Path], what: str, way: dict[str, str]
) -> None:
    """What it says gives the rows that were left, of the generations of the first page; so does beginning again those of now."""
    served_, place = own
    client = served_.client("administrator")
    path, asked = ASKED[what]
    wanted = _rows(what, client.get(path, params=asked).json())
    cursor = client.get(path, params={**asked, "limit": 1}).json()["next"]
    _built(place, CORPUS, {"late.md": "# Late\n\n1 The clerk shall wait.\n", **EDITED}, 3)
    _built(place, RULES, {"rules.md": FRAMEWORK.replace("4 hours", "5 hours")}, 2)
    refused = client.get(path, params={**asked, "cursor": cursor})
    assert (refused.status_code, refused.json()["title"]) == (400, "the cursor is of another list")
    told = refused.json()["detail"]
    assert f"ask on with {' and '.join('='.join(each) for each in way.items())} and the same cursor" in told
    assert "leave the cursor out to begin again" in told
    on = client.get(path, params={**asked, **way, "limit": 1000, "cursor": cursor})
    assert (on.status_code, _rows(what, on.json()), on.json()["next"]) == (200, wanted[1:], "")
    again = client.get(path, params={**asked, "limit": 1000}).json()
    assert _rows(what, again) == _rows(what, client.get(path, params=asked).json())


def test_a_framework_that_alone_is_built_anew_is_told_with_its_parameter(own: tuple[Served, Path]) -> None:
    """Its generation is named apart from that of the documents; inside of one corpus there is nothing to name."""
    served_, place = own
    client = served_.client("analyst")
    path, asked = ASKED["crosswalk"]
    cursor = client.get(path, params={**asked, "limit": 2}).json()["next"]
    _built(place, RULES, {"rules.md": f"{FRAMEWORK}\n5 Visitors shall be escorted.\n"}, 2)
    refused = client.get(path, params={**asked, "limit": 2, "cursor": cursor})
    assert "as_of=2 and framework_as_of=1" in refused.json()["detail"]
    on = client.get(path, params={**asked, "framework_as_of": 1, "limit": 2, "cursor": cursor}).json()
    assert (len(on["rows"]), on["framework_generation"], on["next"]) == (2, 1, "")
    for named in ({"framework": "access.md"}, {"framework": "access.md", "framework_corpus": CORPUS}):
        inside = client.get(path, params={**named, "framework_as_of": 1})
        assert (inside.status_code, "query.framework_as_of" in inside.json()["detail"]) == (422, True)


def test_decisions_between_two_pages_lose_no_line_of_the_queue(own: tuple[Served, Path]) -> None:
    """One on what stands behind changes nothing before; one on what was shown moves it, and the cursor is refused."""
    client = own[0].client("administrator")
    path, _ = ASKED["pending"]
    first = client.get(path, params={"limit": 1}).json()
    ids = [each["item_id"] for each in client.get(path).json()]
    _decide(client, ids[-1], "dismiss", "not so")
    second = client.get(path, params={"limit": 1, "cursor": first["next"]}).json()
    assert [each["item_id"] for each in first["pending"] + second["pending"]] == ids[:2]
    _decide(client, ids[0], "dismiss", "not so")
    refused = client.get(path, params={"limit": 1, "cursor": second["next"]})
    assert (refused.status_code, refused.json()["title"]) == (400, "the list has changed since the page before")
    assert "leave the cursor out to begin again" in refused.json()["detail"]
    again = client.get(path, params={"limit": 1}).json()
    assert [each["item_id"] for each in again["pending"]] == ids[1:2]


def test_a_decision_between_two_pages_of_decisions_stands_on_a_later_one(stable: Served) -> None:
    """They are by time: what was shown stays where it was."""
    client = stable.client("administrator")
    path, _ = ASKED["reviews"]
    before = client.get(path).json()
    first = client.get(path, params={"limit": 2}).json()
    while utc_now() <= before[-1]["review"]["at"]:  # decisions of one second are by their ids
        time.sleep(0.05)
    item = client.get(ASKED["pending"][0]).json()[0]["item_id"]
    _decide(client, item, "dismiss", "not so")
    second = client.get(path, params={"limit": 1000, "cursor": first["next"]}).json()
    shown = [each["review"]["review_id"] for each in first["reviews"] + second["reviews"]]
    assert shown[:-1] == [each["review"]["review_id"] for each in before]
    assert (len(shown), second["total"], len(set(shown))) == (len(before) + 1, len(before) + 1, len(shown))


def _asking(served_: Served, who: str, between: Callable[[], None] | None = None) -> RemoteCorpus:
    """The client's corpus; ``between`` is called once, behind the first answer."""
    inside, left = served_.client(who), [between] if between else []

    class Between(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            found = inside.request(request.method, str(request.url), headers=dict(request.headers))
            if left:
                left.pop()()
            return httpx.Response(found.status_code, json=found.json())

    return Client("http://localhost", "", http=httpx.Client(transport=Between())).corpus(CORPUS)


@pytest.mark.parametrize("rows", [1, 2, 5, 1000])
def test_the_client_reads_pages_together(stable: Served, rows: int) -> None:
    """The same records as in one answer."""
    corpus = _asking(stable, "administrator")
    assert corpus.crosswalk(framework_corpus=RULES, page_rows=rows) == corpus.crosswalk(framework_corpus=RULES)
    assert corpus.crosswalk(frameworks=["access.md"], page_rows=rows) == corpus.crosswalk(frameworks=["access.md"])
    assert corpus.changes(page_rows=rows) == corpus.changes()
    assert corpus.pending_reviews(page_rows=rows) == corpus.pending_reviews()
    assert corpus.reviews(page_rows=rows) == corpus.reviews()


def test_what_is_built_between_two_pages_is_not_mixed_in_by_the_client(own: tuple[Served, Path]) -> None:
    """All pages are of the generations that the first one was of, of both corpora of a crosswalk, too."""
    served_, place = own
    before = _asking(served_, "administrator")
    wanted = before.crosswalk(framework_corpus=RULES), before.changes(), before.pending_reviews()

    def build() -> None:
        _built(place, CORPUS, {"late.md": "# Late\n\n1 The clerk shall wait.\n", **EDITED}, 3)
        _built(place, RULES, {"rules.md": f"{FRAMEWORK}\n5 Visitors shall be escorted.\n"}, 2)

    assert _asking(served_, "administrator", build).crosswalk(framework_corpus=RULES, page_rows=1) == wanted[0]
    assert before.crosswalk(framework_corpus=RULES).framework_generation == 2
    named = {"before": "1", "after": "2"}
    assert before.changes(**named, page_rows=3) == wanted[1] != before.changes(page_rows=3)
    assert before.pending_reviews(as_of=2, page_rows=1) == wanted[2]


def test_the_client_says_that_somebody_decided_between_two_pages(own: tuple[Served, Path]) -> None:
    """Rather than to leave a line out."""
    client = own[0].client("reviewer")
    item = client.get(ASKED["pending"][0]).json()[0]["item_id"]
    corpus = _asking(own[0], "reviewer", lambda: _decide(client, item, "dismiss", "not so"))
    with pytest.raises(UsageError, match="the list has changed") as refused:
        corpus.pending_reviews(page_rows=1)
    assert "begin again" in str(refused.value.hint)
    assert corpus.pending_reviews(page_rows=1) == corpus.pending_reviews()
