"""Tokens of the HTTP API, as they are kept."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from coditect.schemas.record import Record

__all__ = ["AccessToken"]


class AccessToken(Record):
    """Something that became of a token of the HTTP API: what an act of the log says in its details."""

    record_kind: ClassVar[str] = "access_token"
    schema_version: ClassVar[int] = 1

    public_id: str = Field(pattern=r"^[0-9a-f]{16}$", description="The public part of the token.")
    change: Literal["made", "revoked"]
    name: str = Field(min_length=1, max_length=200, description="Of the person or service that shows it.")
    role: Literal["reader", "analyst", "reviewer", "auditor", "administrator"]
    corpora: tuple[str, ...] = Field(default=(), description="Ids of the corpora that it opens; none: all.")
    secret_sha256: str = Field(
        default="", pattern=r"^([0-9a-f]{64})?$", description="Of the secret part, which is kept nowhere."
    )
    at: str = Field(description="When, RFC 3339, UTC.")
    until: str = Field(default="", description="When it ends by itself, RFC 3339, UTC; of a token that was made.")
    reason: str = Field(default="", max_length=2000, description="Of a revocation.")
