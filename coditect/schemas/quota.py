"""What an operator grants each tenant of a store: a file beside the deployment, which no tenant can change."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ByteSize, ConfigDict, Field

__all__ = ["NO_QUOTA", "Quota", "QuotaFile", "QuotaReport", "TenantUsage"]


class Quota(BaseModel):
    """Most of each that a tenant may have; what is left out is not limited."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    documents: int | None = Field(
        default=None, strict=True, ge=0, description="Documents that are present, of all corpora together."
    )
    bytes: ByteSize | None = Field(
        default=None,
        description="Bytes of files, their texts and layouts, in all versions that are kept: a number, or '20 GB'. What is derived "
        "of them does not count.",
    )
    builds: int | None = Field(
        default=None, strict=True, ge=1, description="Builds at one time, by any number of programs and machines."
    )
    requests: str | None = Field(
        default=None,
        pattern=r"^[1-9]\d{0,8}/(second|minute|hour|day)$",
        description="Requests to a server by all callers together: '6000/minute'. Each server counts its own.",
    )
    jobs: int | None = Field(default=None, strict=True, ge=1, description="Jobs of a server that wait at one time.")

    own_tag: bool | None = Field(
        default=None,
        description="Whether bulk work on FoundationDB has a tag of the tenant in place of its kind's, so that an operator can "
        "slow this tenant alone: for a few tenants of many, since a cluster watches ten tags by itself.",
    )

    def over(self, other: Quota) -> Quota:
        """This quota, and where it says nothing the other's."""
        return other.model_copy(update=self.model_dump(exclude_none=True))


NO_QUOTA = Quota.model_construct()
"""Nothing is limited. Constructed, since there is nothing to check, and checking takes its time when a process starts."""


class QuotaFile(BaseModel):
    """The file: a quota for everybody, and for single tenants what is granted them instead."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    version: Literal[1] = Field(description="Of the file's format.")
    default: Quota = Field(default=NO_QUOTA, description="Of every tenant, where it is not granted something else.")
    tenants: dict[str, Quota] = Field(default={}, description="By the tenant's name.")

    def of(self, tenant: str) -> Quota:
        """What is granted a tenant."""
        return self.tenants.get(tenant, NO_QUOTA).over(self.default)


class TenantUsage(BaseModel):
    """What a tenant has of what can be granted."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    documents: int = Field(ge=0, description="Documents that are present, of all corpora together.")
    bytes: int = Field(ge=0, description="Bytes of files, their texts and layouts, in all versions that are kept.")
    builds: int = Field(ge=0, description="Builds under way.")


class QuotaReport(BaseModel):
    """What a tenant was granted, what it has, and by which tag an operator of a cluster sees its bulk work."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    tenant: str
    quota: Quota
    usage: TenantUsage
    tag: str = Field(
        description="That its bulk work on FoundationDB has where it has one of its own: for 'fdbcli --exec \"quota set TAG …\"'."
    )
