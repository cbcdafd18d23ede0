"""Services that the operator named, and that lead elsewhere: their word is not followed, and the key goes nowhere with it."""

from __future__ import annotations

import base64
import json
import socket
from pathlib import Path
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey

from coditect.errors import CoditectError, ModelError, Unavailable, UsageError
from coditect.models.claude.service import ClaudeLlm
from coditect.server.access.oidc import IdentityProvider, ProviderSettings
from coditect.transparency.exchange import exchange
from tests.integration.outbound.listening import certified, leading, listening
from tests.llm_server import llm_server
from tests.llm_server.batches import Batches
from tests.unit.models.claude.requests import KEY, prose

SIGNER = RSAKey.generate_key(2048, parameters={"kid": "one"})
KEYS = json.dumps({"keys": [SIGNER.as_dict(private=False)]}).encode()
LINK_LOCAL = "http://169.254.169.254/latest/meta-data/"


def provider(keys: str) -> IdentityProvider:
    """A provider whose keys are somewhere."""
    return IdentityProvider(ProviderSettings("https://id.example", "coditect", keys))


def test_keys_of_a_provider_come_from_its_own_address_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over HTTPS with a certificate that is trusted; whoever leads elsewhere gives no keys, whatever the scheme."""
    certificate = certified(tmp_path / "own.pem")
    with leading("", certificate, body=KEYS) as good:
        with pytest.raises(UsageError, match="cannot be read"):
            provider(good)  # nobody vouches for it
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert provider(good) is not None
    keys = tmp_path / "keys.json"
    keys.write_bytes(KEYS)
    with listening() as ear:
        for to in (f"http://127.0.0.1:{ear.port}/", f"https://127.0.0.1:{ear.port}/", LINK_LOCAL, keys.as_uri()):
            with leading(to, certificate) as address, pytest.raises(UsageError, match="cannot be read"):
                provider(address)
        assert ear.heard() == 0


@pytest.mark.parametrize("scheme", ["http", "ftp", "gopher", "HTTPS+unix", "file", "data"])
def test_keys_of_a_provider_are_a_file_or_behind_https(scheme: str, tmp_path: Path) -> None:
    """Nothing else is asked, not even where a file of keys lies behind the address."""
    (tmp_path / "keys.json").write_bytes(KEYS)
    with listening() as ear:
        for where in (f"{scheme}://127.0.0.1:{ear.port}/keys.json", f"{scheme}://{tmp_path}/keys.json"):
            with pytest.raises(UsageError, match="cannot be read"):
                provider(where)
        assert ear.heard() == 0


@pytest.mark.parametrize("header", ["jku", "x5u", "jwk", "x5c", "kid"])
def test_a_token_cannot_say_where_its_key_is(header: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by an address nor by bringing it along; no name is looked up for it (RFC 8725, 3.10)."""
    (tmp_path / "keys.json").write_bytes(KEYS)
    known, other = provider(str(tmp_path / "keys.json")), RSAKey.generate_key(2048)
    looked_up: list[object] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *given, **_: looked_up.append(given))
    with listening() as ear:
        address = f"http://inside.example:{ear.port}/keys.json"
        brought: dict[str, Any] = {
            "jku": address,
            "x5u": address,
            "jwk": other.as_dict(private=False),
            "x5c": [base64.b64encode(b"certificate").decode()],
            "kid": f"../../{address}",
        }
        head = {"alg": "RS256", "kid": "one", header: brought[header]}
        said = {
            "iss": "https://id.example", "aud": "coditect", "sub": "u", "exp": 2**33,
            "coditect_role": "reader", "coditect_corpora": ["*"],
        }  # fmt: skip
        assert known.caller(jwt.encode(head, said, other, algorithms=["RS256"])) is None
        assert known.caller(jwt.encode({"alg": "RS256", "kid": "one"}, said, SIGNER)) is not None
        assert (ear.heard(), looked_up) == (0, [])


def test_witnesses_and_time_stamp_authorities_lead_nowhere(tmp_path: Path) -> None:
    """The answer that redirects is the answer; other schemes are refused before anything is asked."""
    with listening() as ear:
        for to in (
            f"http://127.0.0.1:{ear.port}/",
            LINK_LOCAL,
            "file:///etc/hostname",
            f"gopher://127.0.0.1:{ear.port}/",
        ):
            with leading(to) as address:
                assert exchange(address, b"x", "text/plain", 100) == (302, b"")
        for scheme in ("file", "gopher", "ftp", "dict", "data", "jar"):
            with pytest.raises(UsageError, match="not a URL of HTTP"):
                exchange(f"{scheme}://127.0.0.1:{ear.port}/", b"x", "text/plain", 100)
        assert ear.heard() == 0


async def test_a_model_service_that_leads_elsewhere_is_not_followed() -> None:
    """Nothing is sent on: the question holds words of documents, and the request the key."""
    with listening() as ear:
        for to in (f"http://127.0.0.1:{ear.port}/v1/messages", LINK_LOCAL):
            with leading(to) as address:
                claude = ClaudeLlm(KEY, address, timeout_s=2.0)
                with pytest.raises(ModelError):
                    await claude.complete(prose("Hello."))
                await claude.close()
        assert ear.heard() == 0


async def test_results_of_a_batch_are_fetched_from_the_same_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their address stands in an answer; another host, port or scheme there gets neither a connection nor the key."""
    described = Batches._described
    with listening() as ear, llm_server() as server:
        for elsewhere in (
            f"http://127.0.0.1:{ear.port}/r",
            f"https://127.0.0.1:{ear.port}/r",
            f"http://localhost:{ear.port}/r",
        ):

            def led(self: Batches, batch: Any, base_url: str, to: str = elsewhere) -> dict[str, Any]:  # noqa: ANN401
                return {**described(self, batch, base_url), "processing_status": "ended", "results_url": to}

            monkeypatch.setattr(Batches, "_described", led)
            claude = ClaudeLlm(KEY, server.base_url, timeout_s=5.0)
            request = prose("Hello.")
            batch = await claude.batches.submit([request])
            with pytest.raises(ModelError, match="another address"):
                await claude.batches.results(batch, {request.sha256: request})
            await claude.close()
        assert ear.heard() == 0


def test_a_vector_store_that_leads_elsewhere_is_not_followed() -> None:
    """It is told as one that does not answer."""
    pytest.importorskip("qdrant_client")
    from coditect.retrieve.qdrant.connection import answering, open_client

    with listening() as ear:
        with leading(f"http://127.0.0.1:{ear.port}/") as address:
            client = open_client(address)
            with pytest.raises(Unavailable), answering(address):
                client.get_collections()
            client.close()
        assert ear.heard() == 0


@pytest.mark.parametrize("place", ["file:///etc", "gopher://127.0.0.1:1/", "ftp://127.0.0.1/", "javascript:1"])
def test_other_schemes_are_no_service(place: str) -> None:
    """Of a model; a vector store takes such a name for that of a folder, and asks nobody."""
    with pytest.raises(CoditectError):
        ClaudeLlm(KEY, place)
    from coditect.retrieve.qdrant.connection import is_server

    assert not is_server(place)
