"""What a tenant has of what can be granted, and what it may still take in."""

from __future__ import annotations

from dataclasses import replace

from coditect.errors import OverQuota
from coditect.schemas import DocumentVersion, Intake
from coditect.schemas.quota import Quota, TenantUsage
from coditect.store.store import Store
from coditect.store.work import REGISTRAR, Registrar, work_of_tenant

__all__ = ["Allowance", "registrar_for", "size_of", "usage_of"]

_WAY_OUT = "Withdraw or erase what is not needed, or ask the operator for more ('coditect store quota' shows both)."


def size_of(version: DocumentVersion) -> int:
    """Bytes that a version of a document counts: its file, its text and its layout."""
    return version.raw_bytes + version.text_bytes + version.layout_bytes


def usage_of(store: Store, registrar: Registrar = REGISTRAR) -> TenantUsage:
    """What a tenant has: read from the rows themselves, so that it is right after kills, erasures and imports.

    Args:
        store: the tenant's store.
        registrar: tells which builds live.
    """
    documents = sum(record.status == "present" for _, record in store.scan("intake", Intake))
    size = sum(size_of(version) for _, version in store.scan("documents", DocumentVersion))
    works = store.engine.read(lambda transaction: work_of_tenant(transaction, store))
    builds = sum(work.what == "build" and registrar.alive(work) for work in works)
    return TenantUsage(documents=documents, bytes=size, builds=builds)


def registrar_for(quota: Quota) -> Registrar:
    """By what a tenant's builds are registered: as many at one time as it was granted."""
    return REGISTRAR if quota.builds is None else replace(REGISTRAR, most={"build": quota.builds})


class Allowance:
    """What an intake may still take in. What others take in at the same time is not known to it.

    Args:
        quota: what the tenant was granted.
        usage: what it has.
    """

    def __init__(self, quota: Quota, usage: TenantUsage) -> None:
        self._quota = quota
        self._documents = usage.documents
        self._bytes = usage.bytes

    @classmethod
    def of(cls, store: Store, quota: Quota) -> Allowance:
        """Of a tenant as it is now; nothing is counted where nothing is limited."""
        limited = quota.documents is not None or quota.bytes is not None
        return cls(quota, usage_of(store) if limited else TenantUsage(documents=0, bytes=0, builds=0))

    def require(self, size_bytes: int, *, is_new: bool) -> None:
        """Whether so many bytes more may be taken in; nothing is counted yet.

        Args:
            size_bytes: at least so many; of a file that is not read yet, its length.
            is_new: whether a document comes that is not present.

        Raises:
            OverQuota: the quota of documents or of bytes does not allow it.
        """
        most = self._quota.documents
        if is_new and most is not None and self._documents >= most:
            raise OverQuota("the tenant has as many documents as it was granted", documents=most, hint=_WAY_OUT)
        granted = self._quota.bytes
        if granted is not None and self._bytes + size_bytes > granted:
            raise OverQuota(
                "the tenant would have more bytes than it was granted",
                bytes=int(granted),
                taken=self._bytes,
                more=size_bytes,
                hint=_WAY_OUT,
            )

    def take(self, size_bytes: int, *, is_new: bool) -> None:
        """Count what is taken in.

        Raises:
            OverQuota: as :meth:`require`.
        """
        self.require(size_bytes, is_new=is_new)
        self._documents += is_new
        self._bytes += size_bytes

    def give_back(self) -> None:
        """Count a document that was withdrawn; its bytes are kept."""
        self._documents -= 1
