"""Callers whom an identity provider vouches for: signed tokens of OpenID Connect, checked against its published keys."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.request import build_opener

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from coditect.errors import UsageError
from coditect.server.access.callers import ROLES, Caller
from coditect.transparency.exchange import NoRedirects

__all__ = ["ALGORITHMS", "KEYS_S", "LEEWAY_S", "IdentityProvider", "ProviderSettings"]

log = logging.getLogger(__name__)

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""Signatures by a key that only the provider has; none that the server could make itself."""

KEYS_S = 300.0
"""Seconds for which the provider's keys are kept."""

LEEWAY_S = 60
"""Seconds by which clocks may differ."""

_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """What is configured of an identity provider.

    Attributes:
        issuer: as its tokens name it.
        audience: as whom its tokens name this server.
        keys: where its keys are (a JWK set): a file, or an https address.
        role_claim: the claim that names the role.
        corpora_claim: the claim that lists the corpora; a token without it opens none.
        tenant: whose data its callers see.
    """

    issuer: str
    audience: str
    keys: str
    role_claim: str = "coditect_role"
    corpora_claim: str = "coditect_corpora"
    tenant: str = "default"


class IdentityProvider:
    """Checks the tokens of one provider. Safe for threads.

    Args:
        settings: which.
        now_s: seconds that only grow.

    Raises:
        UsageError: the keys cannot be read.
    """

    def __init__(self, settings: ProviderSettings, now_s: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._now_s = now_s
        self._lock = Lock()
        self._keys = self._read_keys()
        self._read_s = now_s()

    def caller(self, token: str) -> Caller | None:
        """The caller that a token vouches for; None where it is not the provider's, not for us, or has expired."""
        registry = jwt.JWTClaimsRegistry(
            leeway=LEEWAY_S,
            iss={"essential": True, "value": self._settings.issuer},
            aud={"essential": True, "value": self._settings.audience},
            exp={"essential": True},
            sub={"essential": True},
        )
        try:
            claims = jwt.decode(token, self._current_keys(), algorithms=ALGORITHMS).claims
            registry.validate(claims)
        except (JoseError, ValueError, TypeError, KeyError):
            return None
        return self._caller(claims)

    def _caller(self, claims: Mapping[str, Any]) -> Caller | None:
        role = claims.get(self._settings.role_claim)
        corpora = claims.get(self._settings.corpora_claim)
        if role not in ROLES or not isinstance(corpora, list) or not all(isinstance(each, str) for each in corpora):
            return None
        name = str(claims.get("email") or claims["sub"])[:200]
        opened = None if "*" in corpora else frozenset(corpora)
        until_s = float(claims["exp"]) + LEEWAY_S
        return Caller(name=name, tenant=self._settings.tenant, role=role, corpora=opened, until_s=until_s)

    def _current_keys(self) -> KeySet:
        with self._lock:
            if self._now_s() - self._read_s > KEYS_S:
                self._read_s = self._now_s()
                try:
                    self._keys = self._read_keys()
                except UsageError as error:  # the provider does not answer: what was known goes on
                    log.warning("the keys of before hold on: %s", error)
            return self._keys

    def _read_keys(self) -> KeySet:
        where = self._settings.keys
        try:
            if where.startswith("https://"):
                # The operator named this address, and whoever answers there names no other one.
                with build_opener(NoRedirects).open(where, timeout=10) as answer:
                    raw = answer.read(_LARGEST)
            else:
                raw = Path(where).read_bytes()
            return KeySet.import_key_set(json.loads(raw))
        except (OSError, ValueError, JoseError, KeyError, TypeError) as error:
            raise UsageError("the identity provider's keys cannot be read", keys=where, reason=str(error)) from error
