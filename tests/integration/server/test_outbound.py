"""Addresses in requests: the server takes none, asks nobody, looks up no name, and leads nobody out (CWE-918, CWE-601)."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from tests.corpora import CORPUS
from tests.integration.outbound.listening import listening
from tests.integration.server.served import Served


def _names(told: Any, inside: str = "") -> list[tuple[str, str]]:  # noqa: ANN401 - JSON
    """(name, format) of every parameter and field of a description."""
    if isinstance(told, list):
        return [found for each in told for found in _names(each)]
    if not isinstance(told, dict):
        return []
    own = [(name, str(each.get("format", ""))) for name, each in told.get("properties", {}).items()]
    if "in" in told and "name" in told:
        own.append((told["name"], str(told.get("schema", {}).get("format", ""))))
    return own + [found for each in told.values() for found in _names(each)]


def test_no_operation_takes_an_address(server: Served) -> None:
    """There is neither a webhook nor an import from elsewhere: what is sent in has no field for where to go."""
    told = server.client().get("/api/v1/openapi.json").json()
    sent = [told["paths"], *(each for name, each in told["components"]["schemas"].items() if "Body" in name)]
    found = _names(sent)
    assert len(found) > 30
    words = ("url", "uri", "href", "webhook", "callback", "endpoint")
    assert [each for each in found if each[1].startswith("uri") or any(word in each[0].lower() for word in words)] == []


def test_addresses_in_requests_are_words(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """In texts, questions, names, ids, headers and cookies, under every scheme; names of this network, too."""
    looked_up: list[object] = []

    def look_up(host: object, *given: object, **_: object) -> Any:  # noqa: ANN401 - never answers
        looked_up.append((host, *given))
        raise OSError("no name is looked up here")

    client = server.client("administrator")
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with listening() as ear:
        for to in (
            f"http://127.0.0.1:{ear.port}/", f"http://inside.example:{ear.port}/", "http://169.254.169.254/latest/meta-data/",
            f"gopher://127.0.0.1:{ear.port}/_x", "file:///etc/passwd", f"//127.0.0.1:{ear.port}/",
        ):  # fmt: skip
            headers = {"Referer": to, "X-Forwarded-Host": to, "Forwarded": f"host={to}", "X-Original-URL": to}
            base = f"/api/v1/corpora/{CORPUS}"
            answers = [
                client.get(f"{base}/query", params={"query": to}, headers=headers),
                client.post(f"{base}/verify", json={"text": f"See {to}, ![a]({to}). The plan is at {to}."}),
                client.get(f"{base}/crosswalk", params={"framework": to}),
                client.get(f"{base}/crosswalk", params={"framework_corpus": to}),
                client.get("/api/v1/corpora/" + to),
                client.get(f"{base}/documents/{to}"),
                client.post(f"{base}/documents", files={"files": (to, b"# A\n")}),
                client.get("/explorer/sign-in", params={"next": to}),
            ]
            assert all(each.status_code < 500 for each in answers)
            assert "root:" not in "".join(each.text for each in answers)
            assert f'value="{to}"' not in answers[-1].text
        assert (ear.heard(), looked_up) == (0, [])
