"""Who may what, and what people try: roles, corpora, tenants, tokens, ids, cursors, uploads, forged forms, headers and names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from coditect.server.access.authentication import SESSION_COOKIE
from coditect.server.access.callers import PERMISSIONS, ROLES, Permission, Role
from coditect.server.api import routes
from coditect.server.jobs.uploads import safe_path
from coditect.server.problems import Problem
from tests.corpora import CORPUS
from tests.integration.server.served import OTHER, Served

NEEDED: dict[str, Permission] = {
    "add_documents": "ingest",
    "build": "ingest",
    "decide": "review",
    "decide_row": "review",
    "verify": "analyse",
    "answer_questions": "analyse",
    "get_crosswalk": "analyse",
    "get_grid": "analyse",
    "make_crosswalk": "analyse",
    "export": "administer",
    "validate": "audit",
    "get_checkpoint": "audit",
    "get_log_proof": "audit",
    "get_log_consistency": "audit",
    "get_log_tile": "audit",
    "list_audit": "audit",
    "list_holds": "audit",
    "list_erasures": "audit",
    "get_quota": "administer",
}
"""What each operation needs; the others read."""

HEX = "0" * 32
FILLED = {
    "document_id": "none", "item_id": "claim_00", "register": "all", "subject": "claim", "index": "0", "job_id": HEX,
    "page": "1", "level": "0", "place": "000.p/1",
}  # fmt: skip


def operations() -> Iterator[tuple[str, str, str]]:
    """(operation id, method, path with a corpus to be filled in)."""
    app = FastAPI()
    app.include_router(routes(), prefix="/api/v1")
    for path, methods in app.openapi()["paths"].items():
        for method, told in methods.items():
            filled = path
            for name, value in FILLED.items():
                filled = filled.replace(f"{{{name}}}", value)
            yield told["operationId"], method.upper(), filled


EVERY = sorted(operations())
OF_CORPUS = [each for each in EVERY if "{corpus_id}" in each[2]]


def send(client: TestClient, operation: str, method: str, path: str, corpus: str) -> Any:  # noqa: ANN401 - a response
    """Send a request that would be taken if the caller may send it."""
    path = path.replace("{corpus_id}", corpus)
    queries: dict[str, dict[str, str]] = {
        "query": {"query": "plan"},
        "get_log_consistency": {"first": "1", "second": "2"},
        "get_crosswalk": {"framework": "*"},
        "get_grid": {"standard": "access.md"},
        "get_rectangles": {"start": "0", "end": "1"},
    }
    if operation == "add_documents":
        return client.post(path, files={"files": ("a.md", b"# A\n")})
    if method == "POST":
        body = {
            "verify": {"text": "A plan."},
            "answer_questions": {"questions": [{"question": "Is there a plan?"}]},
            "make_crosswalk": {"frameworks": ["*"]},
            "decide": {"item_id": "claim_00", "decision": "accept", "meaning": "read"},
            "decide_row": {
                "frameworks": ["*"],
                "document": "a.md",
                "part_id": "1",
                "decision": "accept",
                "meaning": "read",
            },
        }.get(operation)
        return client.post(path, json=body)
    return client.get(path, params=queries.get(operation, {}))


def test_every_operation_is_covered() -> None:
    """Nothing here is of an operation that is not there, and no two have one name."""
    assert {each[0] for each in EVERY} >= set(NEEDED)
    assert len(EVERY) == len({each[0] for each in EVERY}) >= 28


@pytest.mark.parametrize(("operation", "method", "path"), EVERY, ids=lambda each: each if "/" not in each else "")
def test_nobody_gets_in_without_a_token(server: Served, operation: str, method: str, path: str) -> None:
    """From this machine or another one."""
    for host in ("127.0.0.1", "192.0.2.7"):
        answered = send(server.client(host=host), operation, method, path, CORPUS)
        assert (answered.status_code, answered.headers["www-authenticate"]) == (401, 'Bearer realm="coditect"')


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("operation", "method", "path"), EVERY, ids=lambda each: each if "/" not in each else "")
def test_a_role_does_what_it_may_and_nothing_else(
    server: Served, operation: str, method: str, path: str, role: Role
) -> None:
    """Refused for the role alone, in the same words for all; what it may do is not refused."""
    may = NEEDED.get(operation, "read") in PERMISSIONS[role]
    if may and operation in ("add_documents", "build", "validate", "export", "make_crosswalk"):
        pytest.skip("it would work; see test_jobs")
    answered = send(server.client(role), operation, method, path, CORPUS)
    assert (answered.status_code == 403) != may
    assert answered.status_code < 500


@pytest.mark.parametrize(("operation", "method", "path"), OF_CORPUS, ids=lambda each: each if "/" not in each else "")
@pytest.mark.parametrize("who", ["one", "stranger"])
def test_a_corpus_that_one_may_not_know_of_is_not_there(
    server: Served, operation: str, method: str, path: str, who: str
) -> None:
    """Of another corpus, and of another tenant's, the answer is that of a corpus that nobody has made."""
    if operation == "add_documents" and who == "stranger":
        pytest.skip("in the stranger's own tenant it may make a corpus of any name")
    client = server.client(who)
    theirs, none = (send(client, operation, method, path, corpus) for corpus in (OTHER, "never-made"))
    assert (theirs.status_code, none.status_code) == (404, 404)
    assert theirs.json()["title"] == none.json()["title"] == "unknown corpus"


@pytest.mark.parametrize(
    "path", ["/corpora", "/status", f"/corpora/{CORPUS}/query?query=merger&gate=false&tier=extraction"]
)
def test_lists_and_searches_do_not_tell_of_other_corpora(server: Served, path: str) -> None:
    """Neither their names nor their words."""
    for who in ("one", "stranger"):
        answered = server.client(who).get(f"/api/v1{path}")
        assert OTHER not in answered.text
        assert "merger" not in answered.text.replace('"query": "merger"', "") or who == "stranger"


def test_items_of_other_corpora_are_unknown_by_their_ids_too(server: Served) -> None:
    """An id is no key."""
    asked: dict[str, Any] = {"query": "merger", "tier": "extraction", "gate": False}
    found: Any = server.client("reader").get(f"/api/v1/corpora/{OTHER}/query", params=asked).json()
    item = found["hits"][0]["item"]["item_id"]
    assert server.client("reader").get(f"/api/v1/chunks/{item}/hierarchy").status_code == 200
    for path in (
        f"/chunks/{item}/hierarchy",
        f"/chunks/{item}/hierarchy?corpus_id={OTHER}",
        f"/corpora/{CORPUS}/items/{item}/chain",
    ):
        assert server.client("one").get(f"/api/v1{path}").status_code == 404
    assert server.client("one").get(f"/api/v1/corpora/{CORPUS}/crosswalk?framework_corpus={OTHER}").status_code == 404
    assert server.client("one").get("/api/v1/audit").status_code == 403
    assert server.client("one").get(f"/api/v1/audit?corpus_id={OTHER}").status_code == 404


def wrong_tokens() -> list[str]:
    """Things that are no token."""
    shape = f"coditect_{'0' * 16}_{'0' * 64}"
    return [
        "", " ", "coditect", "coditect_", "coditect__", "_", "a_b_c", shape, shape.upper(), shape[:-1], shape + "0",
        "Bearer", "null",
        "undefined", "' OR 1=1 --", "../../etc/passwd", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.", "eyJhbGciOiJub25lIn0.e30.", "%00",
        "x" * 8000, "coditect_" + "0" * 16, "coditect_*_*", "coditect_0_0", "{}", "[]",
    ]  # fmt: skip


@pytest.mark.parametrize("token", wrong_tokens(), ids=range(len(wrong_tokens())))
@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "Basic", "Token", ""])
def test_what_is_no_token_opens_nothing(server: Served, token: str, scheme: str) -> None:
    """Whatever is put into the header."""
    answered = server.client().get("/api/v1/corpora", headers={"Authorization": f"{scheme} {token}".strip() or "x"})
    assert answered.status_code == 401


@pytest.mark.parametrize("cut", [*range(1, 64, 9), 64])
def test_a_part_of_a_token_opens_nothing(server: Served, cut: int) -> None:
    """Neither its beginning, nor with one character changed."""
    whole = server.tokens["administrator"]
    changed = whole[:-1] + ("0" if whole[-1] != "0" else "1")
    for token in (whole[:-cut], changed, whole + whole[-cut:]):
        answered = server.client().get("/api/v1/corpora", headers={"Authorization": f"Bearer {token}"})
        assert answered.status_code == 401


@pytest.mark.parametrize(
    "name",
    [
        "../x.md", "..\\x.md", "/etc/passwd", "a/../../x.md", ".hidden.md", "a/.git/config", "C:\\x.md", "c:x.md", "nul",
        "con.txt", "a/aux.md", "x\x00.md", "x\n.md", "", ".", "..", "a/" * 300 + "x.md", "x" * 300 + ".md", "\x7f.md",
        "//server/share/x.md",
    ],
)  # fmt: skip
def test_names_of_uploads_that_lead_elsewhere_are_refused(name: str) -> None:
    """No file is written outside of the job's folder."""
    with pytest.raises(Problem, match="name that cannot be taken"):
        safe_path(name)


def test_uploads_with_such_names_start_no_job(server: Served) -> None:
    """Refused before anything is written; so are two files of one name, and names that do not fit."""
    client, path = server.client("analyst"), f"/api/v1/corpora/{CORPUS}/documents"
    before = client.get("/api/v1/jobs").json()
    files = [("files", ("a.md", b"# A\n")), ("files", ("A.md", b"# B\n"))]
    assert client.post(path, files=files).status_code == 422
    assert client.post(path, files=files[:1], data={"name": ["../a.md"]}).status_code == 422
    assert client.post(path, files=files[:1], data={"name": ["a.md", "b.md"]}).status_code == 422
    assert client.post(path, content=b"", headers={"Content-Type": "multipart/form-data"}).status_code in (400, 422)
    assert client.get("/api/v1/jobs").json() == before


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/corpora/..%2f..%2fetc", "/api/v1/corpora/%2e%2e/%2e%2e/etc/passwd", "/static/../../etc/passwd",
        "/static/%2e%2e/%2e%2e/etc/passwd", "/api/v1/corpora/%00", f"/api/v1/corpora/{CORPUS}/documents/..%2f..%2f/original",
        f"/api/v1/corpora/{CORPUS}/items/%27%20OR%201=1/chain", "/api/v1//corpora",
        "/api/v1/corpora/" + "x" * 5000, "/.git/config", "/etc/passwd",
        f"/api/v1/corpora/{CORPUS}/documents/" + "y" * 3000, "/api/v1/corpora;x=1",
        f"/api/v1/corpora/{CORPUS}%20", "/api/v1/corpora/\u202e", "/api/v1/log/proofs/-1", f"/api/v1/log/proofs/{2**60}",
        "/api/v1/log/consistency?first=0&second=0", "/api/v1/audit?after=-1", "/api/v1/audit?limit=100000",
        f"/api/v1/audit?after={2**70}",
        f"/api/v1/corpora/{CORPUS}/query?query=x&limit=0", f"/api/v1/corpora/{CORPUS}/query?query=x&limit=99999",
        f"/api/v1/corpora/{CORPUS}/query?query={'x' * 5000}", f"/api/v1/corpora/{CORPUS}/query?query=x&as_of=-1",
        f"/api/v1/corpora/{CORPUS}/changes?before=yesterday", f"/api/v1/corpora/{CORPUS}/report?format=exe",
    ],
)  # fmt: skip
def test_paths_and_numbers_that_lead_elsewhere_lead_nowhere(server: Served, path: str) -> None:
    """A refusal, no file of this machine, and no broken server."""
    answered = server.client("administrator").get(path)
    assert 400 <= answered.status_code < 500
    assert "root:" not in answered.text


@pytest.mark.parametrize("cursor", ["AA==", "MC4w", "Li4v", "e30=", "a" * 100, "\u00e9", "LTE=", "%00", "bnVsbC4x"])
def test_cursors_that_somebody_made_are_refused(server: Served, cursor: str) -> None:
    """They are bound to their list."""
    answered = server.client("reader").get(f"/api/v1/corpora/{CORPUS}/registers/all", params={"cursor": cursor})
    assert answered.status_code == 400


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8085",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "[::2]",
        "",
        "localhost@evil.example",
    ],
)
def test_a_name_that_somebody_rebound_to_this_machine_gets_nothing(server: Served, host: str) -> None:
    """A page elsewhere cannot make a browser read us under its own name."""
    answered = server.client("administrator").get("/api/v1/corpora", headers={"Host": host})
    assert answered.status_code == 421


def signed_in(server: Served, who: str) -> tuple[TestClient, str]:
    """A browser with a session, and what its forms carry."""
    keeper = server.app.state.gatekeeper
    begun = keeper.begin_session(server.tokens[who], "127.0.0.1")
    assert begun is not None
    client = server.client()
    client.cookies.set(SESSION_COOKIE, begun[0])
    return client, begun[1].form_token


DECISION = {"item_id": "claim_00", "decision": "accept", "meaning": "read"}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-CSRF-Token": ""},
        {"X-CSRF-Token": "0" * 64},
        {"X-CSRF-Token": "OWN", "Origin": "https://evil.example"},
        {"X-CSRF-Token": "OWN", "Origin": "null"},
        {"X-CSRF-Token": "OWN", "Origin": "http://localhost.evil.example"},
        {"X-CSRF-Token": "OTHER"},
    ],
)
def test_forms_of_other_sites_change_nothing(server: Served, headers: dict[str, str]) -> None:
    """A browser sends its cookie to us from everywhere; only our own pages know the token of the session."""
    client, own = signed_in(server, "reviewer")
    _, other = signed_in(server, "reviewer")
    sent = {name: value.replace("OWN", own).replace("OTHER", other) for name, value in headers.items()}
    assert client.post(f"/api/v1/corpora/{CORPUS}/reviews", json=DECISION, headers=sent).status_code == 403


def test_our_own_forms_count_and_reading_needs_none(server: Served) -> None:
    """With the session's token the request is judged by itself: there is no such claim."""
    client, own = signed_in(server, "reviewer")
    assert client.get("/api/v1/corpora").status_code == 200
    answered = client.post(f"/api/v1/corpora/{CORPUS}/reviews", json=DECISION, headers={"X-CSRF-Token": own})
    assert answered.status_code in (400, 404)
    server.app.state.gatekeeper.end_session(client.cookies[SESSION_COOKIE])
    assert client.get("/api/v1/corpora").status_code == 401


def test_bodies_have_bounds(server: Served) -> None:
    """Of the length that is told, and of what comes without one."""
    client = server.client("analyst")
    path = f"/api/v1/corpora/{CORPUS}/verify"
    assert client.post(path, json={"text": "x" * (5 << 20)}).status_code == 413
    pieces = (b"x" * (1 << 20) for _ in range(6))
    assert client.post(path, content=pieces, headers={"Content-Type": "application/json"}).status_code == 413
    assert client.post(path, content=b"{", headers={"Content-Length": "minus one"}).status_code == 400
    for body in (
        b"{",
        b"[]",
        b"null",
        b'{"text": 1}',
        b'{"text": ""}',
        b'{"text": "x", "more": 1}',
        b"\xff\xfe",
        b'{"text": "\\ud800"}',
    ):
        answered = client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert answered.status_code in (400, 422)


def test_answers_have_the_headers_that_keep_browsers_safe(server: Served) -> None:
    """On answers, refusals and what is not there alike; nothing says what the server runs on."""
    for path, status in (("/api/v1/corpora", 200), ("/nope", 404), ("/healthz", 200)):
        answered = server.client("reader").get(path)
        assert answered.status_code == status
        assert "'unsafe-inline'" not in answered.headers["content-security-policy"]
        assert answered.headers["content-security-policy"].startswith("default-src 'none'")
        assert "object-src 'none'" in answered.headers["content-security-policy"]
        assert answered.headers["x-content-type-options"] == "nosniff"
        assert answered.headers["x-frame-options"] == "DENY"
        assert "server" not in answered.headers


def test_figures_are_for_this_machine_alone(server: Served) -> None:
    """They tell how much is asked."""
    assert server.client().get("/metrics").status_code == 200
    assert server.client(host="192.0.2.7").get("/metrics").status_code == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "PROPFIND"])
def test_other_methods_are_refused(server: Served, method: str) -> None:
    """Nothing answers to them, and no other site is told that it may ask."""
    answered = server.client("administrator").request(method, f"/api/v1/corpora/{CORPUS}")
    assert answered.status_code == 405
    assert "access-control-allow-origin" not in answered.headers
