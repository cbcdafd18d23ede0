"""Settings: from the environment (prefix ``CODITECT_``), overridden by the command line."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_cache_path, user_data_path
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

__all__ = ["Settings"]


class Settings(BaseSettings):
    """What a run can be told. No behaviour."""

    model_config = SettingsConfigDict(env_prefix="CODITECT_", frozen=True, extra="ignore")

    store: str = Field(
        default_factory=lambda: f"lmdb://{user_data_path('coditect') / 'store'}",
        description="Where the store is: lmdb:///folder or fdb:///fdb.cluster.",
    )
    tenant: str = Field(default="default", min_length=1, pattern=r"\S", description="Whose data.")
    cache: Path = Field(
        default_factory=lambda: user_cache_path("coditect"),
        description="Where search replicas lie; may be deleted at any time.",
    )
    jobs: int | None = Field(
        default=None, ge=1, description="Processes for reading and deriving; unset: one for each core."
    )
    log_level: str = Field(default="WARNING", description="DEBUG, INFO, WARNING or ERROR; logs go to stderr.")
