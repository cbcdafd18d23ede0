"""Tags of bulk work, by which the operator of a cluster sees and slows it: of its kind, or of its tenant."""

from __future__ import annotations

import hashlib
from typing import Final

from coditect.errors import UsageError

__all__ = ["LONGEST", "kind_tag", "tenant_tag"]

LONGEST: Final = 16
"""Bytes of a tag: FoundationDB's limit; its client drops a longer one without a word."""

_KIND = "coditect/"
_TENANT = "coditect:"


def kind_tag(kind: str) -> str:
    """The tag of a kind of work: ``coditect/build``.

    Args:
        kind: at most 7 ASCII characters.

    Raises:
        UsageError: it is too long.
    """
    name = f"{_KIND}{kind}"
    if len(name) > LONGEST or not name.isascii():
        raise UsageError("a tag is too long", tag=kind, longest=LONGEST - len(_KIND))
    return name


def tenant_tag(tenant: str) -> str:
    """The tag of a tenant's bulk work: 28 bits of the hash of its name, which may be any text.

    Of 1,000 tenants two have the same with a chance of 0.2 %; then they are slowed together.
    """
    return f"{_TENANT}{hashlib.sha256(tenant.encode()).hexdigest()[: LONGEST - len(_TENANT)]}"
