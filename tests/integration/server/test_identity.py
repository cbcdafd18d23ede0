"""Callers of an identity provider: its signed tokens, and everything that only looks like one."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey

from coditect.errors import UsageError
from coditect.server.access.callers import Caller
from coditect.server.access.gatekeeper import Keeper
from coditect.server.access.oidc import KEYS_S, LEEWAY_S, IdentityProvider, ProviderSettings
from coditect.server.access.sessions import Sessions
from coditect.server.problems import Problem

ISSUER, AUDIENCE = "https://id.example", "coditect"
KEY = RSAKey.generate_key(2048, parameters={"kid": "one"})
OTHER = RSAKey.generate_key(2048, parameters={"kid": "one"})


@pytest.fixture
def provider(tmp_path: Path) -> IdentityProvider:
    """A provider whose keys lie in a file."""
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps({"keys": [KEY.as_dict(private=False)]}))
    return IdentityProvider(ProviderSettings(ISSUER, AUDIENCE, str(keys), tenant="t"))


def claims(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any claim
    """What a good token says."""
    now = int(time.time())
    good = {"iss": ISSUER, "aud": AUDIENCE, "sub": "u1", "exp": now + 600, "iat": now}
    said = {**good, "coditect_role": "reviewer", "coditect_corpora": ["a", "b"], "email": "ada@example.com", **changes}
    return {name: value for name, value in said.items() if value is not None}


def signed(said: dict[str, Any], key: Any = KEY, algorithm: str = "RS256") -> str:  # noqa: ANN401 - any key
    """A token."""
    return jwt.encode({"alg": algorithm, "kid": "one"}, said, key, algorithms=[algorithm])


def test_a_token_of_the_provider_opens_what_it_lists(provider: IdentityProvider) -> None:
    """By e-mail or subject, in the role and the corpora that the provider says; a star opens all."""
    assert provider.caller(signed(claims())) == Caller("ada@example.com", "t", "reviewer", frozenset(("a", "b")))
    star = provider.caller(signed(claims(coditect_corpora=["*"], email=None)))
    assert star == Caller("u1", "t", "reviewer", None)
    late = provider.caller(signed(claims(exp=int(time.time()) - LEEWAY_S // 2)))
    assert late is not None
    assert provider.caller(signed(claims(aud=["x", AUDIENCE]))) is not None


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://evil.example"},
        {"aud": "somebody else"},
        {"exp": 1},
        {"exp": None},
        {"sub": None},
        {"iss": None},
        {"nbf": 2**33},
        {"coditect_role": "king"},
        {"coditect_role": None},
        {"coditect_role": ["administrator"]},
        {"coditect_corpora": None},
        {"coditect_corpora": "a"},
        {"coditect_corpora": [1]},
    ],
)
def test_a_token_that_is_not_for_us_opens_nothing(provider: IdentityProvider, changes: dict[str, Any]) -> None:
    """Another issuer or audience, out of its time, or without a role and corpora that we know."""
    assert provider.caller(signed(claims(**changes))) is None


def test_tokens_that_somebody_else_signed_open_nothing(provider: IdentityProvider) -> None:
    """Another key, no signature, a secret in its place, a changed body."""
    good = signed(claims())
    head, body, signature = good.split(".")
    secret = OctKey.import_key("a secret that is long enough for it")
    none = base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode()
    changed = base64.urlsafe_b64encode(json.dumps(claims(coditect_role="administrator")).encode()).rstrip(b"=").decode()
    wrong = [
        signed(claims(), OTHER), f"{none}.{body}.", f"{none}.{body}.{signature}", f"{head}.{changed}.{signature}",
        f"{head}.{body}.",
        signed(claims(), secret, "HS256"), signed(claims(), ECKey.generate_key("P-256"), "ES256"), good[:-4], "a.b.c", "..", "",
    ]  # fmt: skip
    assert [provider.caller(each) for each in wrong] == [None] * len(wrong)


def test_keys_are_read_again_and_kept_where_the_provider_does_not_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A new key holds after a while; a file that is gone, or nonsense, changes nothing."""
    keys, now = tmp_path / "keys.json", {"s": 0.0}
    keys.write_text(json.dumps({"keys": [KEY.as_dict(private=False)]}))
    provider = IdentityProvider(ProviderSettings(ISSUER, AUDIENCE, str(keys)), lambda: now["s"])
    keys.write_text(json.dumps({"keys": [OTHER.as_dict(private=False)]}))
    assert provider.caller(signed(claims(), OTHER)) is None
    now["s"] = KEYS_S + 1
    assert provider.caller(signed(claims(), OTHER)) is not None
    keys.write_text("nonsense")
    now["s"] = 2 * KEYS_S + 3
    assert provider.caller(signed(claims(), OTHER)) is not None
    assert "the keys of before hold on" in caplog.text
    with pytest.raises(UsageError, match="cannot be read"):
        IdentityProvider(ProviderSettings(ISSUER, AUDIENCE, str(keys)))


def test_a_session_ends_with_the_token_that_it_began_with(provider: IdentityProvider) -> None:
    """A browser is signed in no longer than the provider vouches for its user."""
    now = {"s": time.time()}
    keeper = Keeper({}, Sessions(), provider=provider, clock_s=lambda: now["s"])
    begun = keeper.begin_session(signed(claims(exp=int(now["s"]) + 100)), "127.0.0.1")
    assert begun is not None
    assert keeper.by_session(begun[0]) is not None
    now["s"] += 100 + LEEWAY_S + 1
    assert keeper.by_session(begun[0]) is None


def test_twenty_failed_attempts_a_minute_are_all_of_an_address(provider: IdentityProvider) -> None:
    """Then it is told to wait; others are not, and a good token is taken even there, so that nobody is locked out."""
    keeper = Keeper({}, Sessions(), provider=provider)
    for _ in range(20):
        assert keeper.begin_session("no token", "192.0.2.7") is None
    with pytest.raises(Problem, match="too many attempts"):
        keeper.begin_session("no token", "192.0.2.7")
    assert keeper.begin_session("no token", "192.0.2.8") is None
    assert keeper.begin_session(signed(claims()), "192.0.2.7") is not None
