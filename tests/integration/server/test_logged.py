"""What a server logs of who is refused and who signs in: who and what, never a token, never words."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
import structlog
from starlette.testclient import TestClient
from structlog.testing import capture_logs

from coditect.assistants.admission import Admitted
from coditect.server.access.authentication import SESSION_COOKIE
from coditect.telemetry import configure_logging
from tests.corpora import CORPUS
from tests.integration.server.served import Served, served


def test_refusals_are_logged_with_who_and_what(server: Served) -> None:
    """Not signed in, not allowed, another name, too large, a request that is not valid, a corpus that is not there for them."""
    token = server.tokens["reader"]
    with capture_logs() as lines:
        server.client(host="192.0.2.7").get("/api/v1/corpora", headers={"Authorization": f"Bearer {token[:-1]}"})
        server.client("reader").get("/api/v1/audit")
        server.client("reader").get("/api/v1/corpora", headers={"Host": "evil.example"})
        server.client("analyst").post(f"/api/v1/corpora/{CORPUS}/verify", json={"text": "x" * (5 << 20)})
        server.client("reader").get(f"/api/v1/corpora/{CORPUS}/query?query=the+heron&limit=0")
        server.client("stranger").get(f"/api/v1/corpora/{CORPUS}")
        server.client("reader").get("/api/v1/corpora")
    refused = [each for each in lines if each["event"] == "refused"]
    assert [(each["status"], each["log_level"], each["caller"], each["address"]) for each in refused] == [
        (401, "warning", "", "192.0.2.7"),
        (403, "warning", "reader", "127.0.0.1"),
        (421, "warning", "", "127.0.0.1"),
        (413, "warning", "", "127.0.0.1"),
        (422, "info", "reader", "127.0.0.1"),
        (404, "info", "stranger", "127.0.0.1"),
    ]
    assert refused[1]["route"].endswith("/audit")
    assert all(each["tenant"] for each in refused if each["caller"])
    assert token.rpartition("_")[2][:20] not in str(lines)
    assert "heron" not in str(lines)


def test_refusals_of_assistants_are_logged() -> None:
    """Where they come from; who they are is not known."""

    async def nobody(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        raise AssertionError("it was let in")

    with capture_logs() as lines:
        answered = TestClient(Admitted(nobody, lambda _: None, lambda _: None, "caller"), client=("192.0.2.7", 1)).get(
            "/mcp"
        )
    assert answered.status_code == 401
    assert lines == [
        {"event": "refused", "status": 401, "method": "GET", "address": "192.0.2.7", "log_level": "warning"}
    ]


def test_signing_in_and_out_are_logged(place: Path, tokens: dict[str, str]) -> None:
    """Failed ones, too; over HTTPS the cookie is bound to this host, and what the browser holds goes with the session."""
    with (
        served(Path(place), tokens, encrypted=True, work=place.parent / "logged-work") as https,
        capture_logs() as lines,
    ):
        client = https.client()
        client.base_url = "https://localhost"
        assert client.post("/explorer/sign-in", data={"token": "coditect_none_none"}).status_code == 401
        begun = client.post("/explorer/sign-in", data={"token": tokens["reviewer"]}, follow_redirects=False)
        cookie = begun.headers["set-cookie"]
        name, _, rest = cookie.partition("=")
        assert name == f"__Host-{SESSION_COOKIE}"
        assert "Secure" in rest
        assert "Path=/" in rest
        assert "Domain" not in rest
        page = client.get("/explorer/")
        assert page.status_code == 200
        plain = https.client()
        plain.cookies.set(SESSION_COOKIE, client.cookies[name])
        assert plain.get("/api/v1/corpora").status_code == 401  # under its plain name it is no session
        again = client.post("/explorer/sign-in", data={"token": tokens["reader"]}, follow_redirects=False)
        former = cookie.partition("=")[2].partition(";")[0]
        assert again.status_code == 303
        assert https.app.state.gatekeeper.by_session(former) is None  # it ended when another began in its place
        form = https.app.state.gatekeeper.form_token(client.cookies[name])
        ended = client.post("/explorer/sign-out", data={"csrf": form}, follow_redirects=False)
        assert (ended.status_code, ended.headers["clear-site-data"]) == (303, '"cache", "storage"')
        assert client.cookies.get(name) is None
    told = [
        (each["event"], each.get("caller")) for each in lines if each["event"] in ("refused", "signed_in", "signed_out")
    ]
    assert told == [
        ("refused", ""),
        ("signed_in", "reviewer"),
        ("refused", ""),
        ("signed_in", "reader"),
        ("signed_out", "reader"),
    ]
    assert tokens["reviewer"].rpartition("_")[2] not in str(lines)


def test_a_line_of_the_log_stays_a_line(server: Served, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever a caller is called: JSON lines hold no line end of theirs (CWE-117)."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    try:
        configure_logging("INFO")
        structlog.wrap_logger(logging.getLogger("coditect.test")).warning("refused", caller="a\n{}\r\x1b[2J")
        logging.getLogger("coditect.test").warning("a job failed: %s", "a\nb")
    finally:
        root.handlers[:] = before
        root.setLevel(level)
        structlog.reset_defaults()
    lines = capsys.readouterr().err.splitlines()
    assert [json.loads(each)["event"] for each in lines] == ["refused", "a job failed: a\nb"]
