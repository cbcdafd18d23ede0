"""Callers and what they may do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

__all__ = ["PERMISSIONS", "ROLES", "Caller", "ModelUse", "Permission", "Role"]

Role = Literal["reader", "analyst", "reviewer", "auditor", "administrator"]
"""As what a caller comes. Every role reads; see :data:`PERMISSIONS` for the rest."""

ROLES: tuple[Role, ...] = get_args(Role)

Permission = Literal["read", "analyse", "ingest", "review", "audit", "administer"]
"""What a request needs.

- ``read``: search and read documents, items, registers, changes, reports.
- ``analyse``: check texts, make crosswalks, mark answers.
- ``ingest``: take documents in and build.
- ``review``: decide of claims and extractions.
- ``audit``: validate, read the audit trail and the log, make proofs.
- ``administer``: everything else.
"""

_READER: frozenset[Permission] = frozenset(("read",))

PERMISSIONS: Mapping[Role, frozenset[Permission]] = {
    "reader": _READER,
    "analyst": _READER | {"analyse", "ingest"},
    "reviewer": _READER | {"analyse", "review"},
    "auditor": _READER | {"audit"},
    "administrator": frozenset(get_args(Permission)),
}
"""What each role may do, in the corpora that the caller has."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who asks.

    Attributes:
        name: of the person or service, for the audit trail.
        tenant: whose data.
        role: as what.
        corpora: the corpora that the caller may know of; None: all.
        public_id: of the token that was shown, or ""; what rates are counted by.
        session: whether a browser's cookie was shown instead of a header: then changes need its token against forgery.
        until_s: when what an identity provider said of the caller ends, seconds since 1970; None: what the register of tokens says.
    """

    name: str
    tenant: str
    role: Role
    corpora: frozenset[str] | None = None
    public_id: str = ""
    session: bool = False
    until_s: float | None = field(default=None, compare=False)

    def may(self, permission: Permission) -> bool:
        """Whether the role allows something."""
        return permission in PERMISSIONS[self.role]

    def knows(self, corpus_id: str) -> bool:
        """Whether the caller may know of a corpus."""
        return self.corpora is None or corpus_id in self.corpora


@dataclass(frozen=True, slots=True)
class ModelUse:
    """Who may spend the budget of the operator's language model, and on what.

    Attributes:
        roles: whose requests may.
        in_builds: whether it plays roles in builds, so that each of them spends.
        by_assistants: whether assistants may have texts read.
    """

    roles: frozenset[Role] = frozenset()
    in_builds: bool = False
    by_assistants: bool = False

    def why_not(self, caller: Caller) -> str:
        """Why a caller may not spend, or ""."""
        if caller.role in self.roles:
            return ""
        return (
            f"The role {caller.role} may not spend the language model's budget here; the operator says which roles may."
        )
