"""What the API answers is what the command line prints, byte for byte, with tags, pages and problems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from coditect.knowledge.service import Knowledge
from coditect.server.access.callers import Caller
from tests.command_line import invoke
from tests.corpora import CORPUS
from tests.integration.server.served import OTHER, Served

TODAY = "2026-06-01"
C = f"/api/v1/corpora/{CORPUS}"


def item(server: Served, tier: str) -> str:
    """The id of an item of a tier."""
    asked: dict[str, Any] = {"query": "access", "tier": tier, "limit": 1, "gate": False}
    found: Any = server.client("reader").get(f"{C}/query", params=asked).json()
    return str(found["hits"][0]["item"]["item_id"])


def tenant_of(server: Served) -> str:
    """The tenant of the usual corpora."""
    tenants: list[str] = list(server.app.state.service.tenants)
    return next(each for each in tenants if not each.endswith("-b"))


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (f"/query?query=incident&tier={tier}&limit=3", ("query", "--query", "incident", "--tier", tier, "--limit", "3"))
        for tier in ("corpus", "section", "chunk", "extraction", "passage")
    ]
    + [
        (
            f"/query?query=access&tier=extraction&include_sources=true&today={TODAY}&kind=obligation&explain=true",
            (
                *("query", "--query", "access", "--tier", "extraction", "--include-sources", "--today", TODAY),
                *("--kind", "obligation", "--explain"),
            ),
        ),
        ("/references", ("references",)),
        ("/reviews/pending", ("review",)),
        ("/reviews", ("review", "--list")),
    ],
    ids=lambda each: each.split("?")[0] if isinstance(each, str) else "",
)
def test_answers_are_those_of_the_command_line(server: Served, place: Path, path: str, words: tuple[str, ...]) -> None:
    """The same question gives the same bytes."""
    command = (words[0], "--corpus-id", CORPUS, *words[1:], "--format", "json")
    answered = server.client("reader").get(C + path)
    assert answered.status_code == 200
    assert answered.content == invoke(place, *command).stdout_bytes


def test_items_lead_down_to_the_characters(server: Served, place: Path) -> None:
    """Chain, sources and hierarchy of a claim, as 'drilldown' prints them."""
    client, claim = server.client("reader"), item(server, "corpus")
    chain = invoke(place, "drilldown", "--item-id", claim, "--chain", "--format", "json").stdout_bytes
    below = invoke(place, "drilldown", "--item-id", claim, "--format", "json").stdout_bytes
    assert client.get(f"{C}/items/{claim}/chain").content == chain
    assert client.get(f"{C}/items/{claim}/sources").content == below
    assert client.get(f"/api/v1/chunks/{claim}/hierarchy").content == chain
    chunk = item(server, "chunk")
    assert client.get(f"/api/v1/chunks/{chunk}/hierarchy").json()["item_id"] == chunk


def test_registers_come_in_pages_that_add_up(server: Served, place: Path) -> None:
    """Pages of one row are the rows of the command, in its order; the last page has no next."""
    listed = invoke(place, "obligations", "--corpus-id", CORPUS, "--today", TODAY, "--format", "json")
    wanted = json.loads(listed.stdout)["rows"]
    client, rows, cursor = server.client("reader"), [], ""
    while True:
        asked: dict[str, Any] = {"today": TODAY, "limit": 1, "cursor": cursor}
        page: Any = client.get(f"{C}/registers/obligations", params=asked).json()
        rows += page["rows"]
        assert page["total"] == len(wanted)
        cursor = page["next"]
        if not cursor:
            break
    assert rows == wanted


def test_documents_come_in_pages_that_add_up(server: Served, place: Path) -> None:
    """Pages of one document are what the command prints, in its order; a cursor of another day is refused."""
    wanted = json.loads(invoke(place, "documents", "--corpus-id", CORPUS, "--today", TODAY, "--format", "json").stdout)
    client, listed, cursor = server.client("reader"), [], ""
    for _ in wanted["documents"]:
        asked: dict[str, Any] = {"today": TODAY, "limit": 1, "cursor": cursor}
        page: Any = client.get(f"{C}/documents", params=asked).json()
        assert (page["total"], page["generation"]) == (len(wanted["documents"]), wanted["generation"])
        listed += page["documents"]
        former, cursor = cursor, page["next"]
    assert (listed, cursor) == (wanted["documents"], "")
    assert former
    other = client.get(f"{C}/documents", params={"today": "2026-06-02", "cursor": former})
    assert (other.status_code, other.json()["title"]) == (400, "the cursor is of another list")


def test_definitions_are_those_of_the_command(server: Served, place: Path) -> None:
    """The register of defined terms, row by row; only those with several meanings where that is asked."""
    for several in (False, True):
        words = ("definitions", "--corpus-id", CORPUS, "--today", TODAY, *(["--several"] if several else []))
        wanted = json.loads(invoke(place, *words, "--format", "json").stdout)["rows"]
        asked: dict[str, Any] = {"today": TODAY, "several": several}
        found: Any = server.client("reader").get(f"{C}/registers/definitions", params=asked).json()
        assert (found["rows"], found["total"]) == (wanted, len(wanted))
        assert bool(wanted) is not several


@pytest.mark.parametrize(
    "tier", ["corpus", "section", "chunk", "extraction", "passage", "version", "profile", "verdict", "summary"]
)
def test_any_item_is_read_by_its_id(server: Served, tier: str) -> None:
    """As it is stored, with a tag; of another corpus, and of no item at all, it is unknown."""
    view = server.app.state.service.knowledge(Caller("reader", tenant_of(server), "reader")).view(CORPUS)
    document = next(iter(view.documents.values()))
    beside = {
        "version": document,
        "profile": view.profiles[document.document_id],
        "verdict": next(iter(view.verdicts.values())),
        "summary": view.summary,
    }
    known = view.find(item(server, tier)) if tier not in beside else beside[tier]
    kind = "claim" if tier == "corpus" else tier
    item_id = known.model_dump()[f"{kind}_id"]
    client = server.client("reader")
    found = client.get(f"{C}/items/{item_id}")
    assert (found.status_code, found.json()) == (200, known.model_dump(mode="json"))
    again = client.get(f"{C}/items/{item_id}", headers={"If-None-Match": found.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(f"/api/v1/corpora/{OTHER}/items/{item_id}").status_code == 404
    assert client.get(f"{C}/items/{kind}_{'0' * 40}").status_code == 404


@pytest.mark.parametrize(
    "path", ["/api/v1/corpora", f"{C}/documents", f"{C}/registers/obligations", f"{C}/query", "/api/v1/jobs"]
)
def test_parameters_that_there_are_none_of_are_refused(server: Served, path: str) -> None:
    """A misspelt one would be another question; who is not signed in is told that, and not this."""
    asked = {"query": "access"} if path.endswith("query") else {}
    client = server.client("administrator")
    assert client.get(path, params=asked).status_code == 200
    refused = client.get(path, params={**asked, "limitt": "1"})
    told: Any = refused.json()
    assert (refused.status_code, told["title"]) == (422, "the request is not valid")
    assert told["detail"] == "query.limitt: there is no such parameter"
    assert server.client(host="192.0.2.1").get(path, params={"limitt": "1"}).status_code == 401


def test_documents_give_their_text_and_their_bytes(server: Served, place: Path) -> None:
    """The text is the one that offsets refer to; the file is saved, never shown."""
    client = server.client("reader")
    listed: Any = client.get(f"{C}/documents").json()
    found = listed["documents"][0]
    text = client.get(f"{C}/documents/{found['document_id']}/text")
    told = invoke(place, "document", "--corpus-id", CORPUS, "--name", found["name"])
    assert text.content == told.stdout_bytes
    assert text.headers["content-type"] == "text/plain; charset=utf-8"
    original = client.get(f"{C}/documents/{found['version_id']}/original")
    assert original.headers["content-type"] == "application/octet-stream"
    assert original.headers["content-disposition"] == f"attachment; filename*=UTF-8''{found['name']}"
    assert original.headers["x-content-type-options"] == "nosniff"
    again = client.get(f"{C}/documents/{found['document_id']}/text", headers={"If-None-Match": text.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_tag_changes_with_the_answer_alone(server: Served) -> None:
    """Who names the tag gets nothing again; another question has another tag."""
    client = server.client("reader")
    first = client.get(f"{C}/query?query=incident")
    assert client.get(f"{C}/query?query=incident", headers={"If-None-Match": first.headers["etag"]}).status_code == 304
    other = client.get(f"{C}/query?query=access", headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200
    assert other.headers["vary"] == "Authorization, Cookie"


def test_texts_are_checked(server: Served) -> None:
    """A sentence of a document is supported, its opposite is not; the answer is the report that 'verify' prints."""
    client = server.client("analyst")
    said = {"text": "Employees shall not share passwords with anybody. Employees shall share passwords with anybody."}
    found: Any = client.post(f"{C}/verify", json=said).json()
    assert [each["label"] for each in found["sentences"]] == ["supported", "unsupported"]
    assert found["format"] == "text-report/3"
    assert found["examiner"] == ""


def test_texts_are_read_by_a_model_only_where_the_operator_has_one(server: Served) -> None:
    """Without one it is refused with the way out, as is a text that is too long to wait for."""
    client = server.client("analyst")
    refused = client.post(f"{C}/verify", json={"text": "Employees keep passwords to themselves.", "llm": "claude"})
    assert (refused.status_code, "no language model" in refused.text) == (400, True)
    long = client.post(f"{C}/verify", json={"text": "x" * 20_001, "llm": "claude"})
    assert (long.status_code, "too long" in long.text) == (400, True)


def test_changes_and_report(server: Served) -> None:
    """One generation has nothing before it; the report is the whole one, as JSON and as a page to be saved."""
    client = server.client("reader")
    refused = client.get(f"{C}/changes")
    assert refused.status_code in (400, 404)
    assert refused.headers["content-type"] == "application/problem+json"
    report = client.get(f"{C}/report?today={TODAY}")
    assert report.json()["format"] == "audit-report/1"
    page = client.get(f"{C}/report?format=html")
    assert page.headers["content-disposition"] == "attachment; filename=report.html"


def test_crosswalk_of_a_document_against_another(server: Served) -> None:
    """Parts of one document beside the sentences of the others."""
    found: Any = server.client("analyst").get(f"{C}/crosswalk?framework=access.md").json()
    assert found["corpus_id"] == CORPUS
    assert found["rows"]


@pytest.mark.parametrize("corpus", [None, CORPUS], ids=["no corpus", "itself"])
@pytest.mark.parametrize(
    ("path", "more", "parameter"),
    [
        ("crosswalk", None, "query.framework"),
        ("crosswalks", {"format": "csv"}, "body.frameworks"),
        (
            "crosswalk/reviews",
            {"document": "access.md", "part_id": "1", "decision": "accept", "meaning": "read"},
            "body.frameworks",
        ),
    ],
)
def test_a_comparison_without_a_framework_is_refused_by_its_parameter(
    server: Served, corpus: str | None, path: str, more: dict[str, str] | None, parameter: str
) -> None:
    """Neither documents nor another corpus are named: the request is not valid, whatever there is, and nothing is begun."""
    client = server.client("administrator")
    named = {} if corpus is None else {"framework_corpus": corpus}
    jobs = client.get("/api/v1/jobs").json()
    refused = client.get(f"{C}/{path}", params=named) if more is None else client.post(f"{C}/{path}", json=more | named)
    assert refused.status_code == 422
    told: Any = refused.json()
    assert told["title"] == "the request is not valid"
    assert told["detail"].startswith(f"{parameter}: which framework?")
    assert client.get("/api/v1/jobs").json() == jobs


@pytest.mark.parametrize(
    ("path", "status", "title"),
    [
        ("/api/v1/corpora/none", 404, "unknown corpus"),
        (f"{C}/items/claim_00/chain", 400, "not an item id"),
        (f"{C}/items/nonsense/chain", 400, "not an item id"),
        (f"{C}/query?query=x&tier=nonsense", 422, "the request is not valid"),
        (f"{C}/query?query=", 422, "the request is not valid"),
        (f"{C}/query?query=x&as_of=99", 404, ""),
        (f"{C}/registers/nonsense", 422, "the request is not valid"),
        (f"{C}/registers/all?cursor=nonsense", 400, "not a cursor"),
        (f"{C}/registers/all?due_within=soon", 400, "not a length of time"),
        (f"{C}/documents/none", 404, "unknown document"),
        ("/api/v1/jobs/none", 422, "the request is not valid"),
        (f"/api/v1/jobs/{'0' * 32}", 404, "unknown job"),
        ("/api/v2/corpora", 404, "Not Found"),
    ],
)
def test_what_cannot_be_is_a_problem_with_its_title(
    server: Served, place: Path, path: str, status: int, title: str
) -> None:
    """RFC 9457, with the path and without anything of this machine."""
    answered = server.client("administrator").get(path)
    assert answered.status_code == status
    assert answered.headers["content-type"] == "application/problem+json"
    told: Any = answered.json()
    assert told["status"] == status
    assert told["instance"] == path.split("?")[0]
    assert title in told["title"]
    assert str(place) not in answered.text


def test_a_cursor_of_another_list_is_refused(server: Served) -> None:
    """It would skip rows that nobody has seen."""
    client = server.client("reader")
    page: Any = client.get(f"{C}/registers/obligations?limit=1").json()
    other = client.get(
        f"{C}/registers/obligations", params={"limit": 1, "cursor": page["next"], "modality": "mandatory"}
    )
    assert (other.status_code, other.json()["title"]) == (400, "the cursor is of another list")


def test_audit_and_proofs_for_auditors(server: Served) -> None:
    """Reads stand in the trail under the caller's name; without a key of the log there is no bundle, and it says so."""
    server.client("reader").get(f"{C}/query?query=incident")
    client = server.client("auditor")
    server.app.state.service.flush()
    page: Any = client.get("/api/v1/audit?limit=1000").json()
    assert {each["who"] for each in page["entries"] if each["kind"] == "access"} >= {"reader"}
    assert client.get("/api/v1/log/checkpoint").status_code == 404
    claim = item(server, "corpus")
    assert client.get(f"{C}/proofs/claim/{claim}").status_code == 404


def test_whatever_shows_words_stands_in_the_trail(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each operation below a corpus that answers with something of its documents, a bundle with their bytes among them."""
    noted: list[tuple[str, tuple[str, ...]]] = []
    client, claim, chunk = server.client("administrator"), item(server, "corpus"), item(server, "chunk")
    version = client.get(f"{C}/documents").json()["documents"][0]["version_id"]

    def note(_: Knowledge, corpus: str, what: str, generation: int, items: tuple[str, ...] = (), *more: object) -> None:
        assert (corpus, generation) in ((CORPUS, 1), (CORPUS, 0))
        noted.append((what, tuple(items)))

    monkeypatch.setattr(Knowledge, "note_read", note)
    monkeypatch.setattr(Knowledge, "prove", lambda *_, **__: None)  # no key signs the log here
    operations = {
        "/query?query=access": "query",
        "/documents": "documents",
        f"/documents/{version}": "document",
        f"/documents/{version}/text": "document",
        f"/documents/{version}/original": "document",
        f"/documents/{version}/rectangles?start=0&end=1": "document",
        f"/items/{claim}": "drill down",
        f"/items/{claim}/chain": "drill down",
        f"/items/{claim}/sources": "drill down",
        "/references": "references",
        "/agreements": "register",
        "/conflicts?limit=3": "register",
        "/waivers?rules=true": "register",
        "/registers/all?limit=1": "register",
        "/report": "report",
        "/reviews": "decisions",
        "/reviews/pending": "review",
        f"/proofs/claim/{claim}": "proof",
    }
    for path, what in operations.items():
        noted.clear()
        assert client.get(C + path).status_code == 200, path
        assert [each for each, _ in noted] == [what], path
    assert noted == [("proof", (claim,))]
    noted.clear()
    assert client.get(f"/api/v1/chunks/{chunk}/hierarchy").status_code == 200
    assert [each for each, _ in noted] == ["drill down"]


def test_quota_is_for_who_may_know_of_all_corpora(server: Served) -> None:
    """What the tenant has and was granted; another tenant's is not in it."""
    found = server.client("administrator").get("/api/v1/quota")
    assert found.status_code == 200
    told = found.json()
    assert set(told["quota"].values()) == {None}
    assert told["usage"]["documents"] > 0
    assert told["usage"]["bytes"] > 0
    stranger = server.client("stranger").get("/api/v1/quota").json()
    assert stranger["tenant"] != told["tenant"]
    assert stranger["usage"] != told["usage"]
    for who in ("reader", "analyst", "reviewer", "auditor", "one"):
        assert server.client(who).get("/api/v1/quota").status_code == 403
