"""Settings: from the environment (prefix ``CODITECT_``), overridden by the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from platformdirs import user_cache_path, user_data_path
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationInfo, field_validator, model_validator

from coditect.documents.limits import MOST_EXTRACTIONS
from coditect.errors import SchemaError, without_credentials
from coditect.schemas.passage import BoundaryMethod, PassageSettings

__all__ = ["Settings"]

PREFIX = "CODITECT_"

TESTS_PREFIX = "CODITECT_TEST_"
"""What this package's own tests are told (``tests/places.py``): no settings, and no mistakes."""

_OTHER_API_KEY = "ANTHROPIC_API_KEY"
"""The name under which the service itself looks for its key: CODITECT_API_KEY comes first."""


class Settings(BaseModel):
    """What a run can be told, by arguments or by environment variables ``CODITECT_…``; arguments come first.

    A name that is no setting is an error, as an argument and as an environment variable: a mistyped ``CODITECT_TENNANT`` would
    otherwise quietly write to the default tenant.

    Raises:
        SchemaError: an argument or a variable ``CODITECT_…`` that is no setting; names the nearest that is.
        pydantic.ValidationError: a value is not of its kind.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    store: str = Field(
        default_factory=lambda: f"lmdb://{user_data_path('coditect') / 'store'}",
        description="Where the store is: lmdb:///folder or fdb:///fdb.cluster.",
    )
    tenant: str = Field(
        default="default", min_length=1, pattern=r"\S", description="The tenant whose data is read and written."
    )
    cache: Path = Field(
        default_factory=lambda: user_cache_path("coditect"),
        description="Where search replicas lie; may be deleted at any time.",
    )
    log_key: Path | None = Field(
        default=None,
        description="The file with the key that signs the log's checkpoints, as 'coditect keys new' writes it; unset: events are "
        "logged, and nothing is proven.",
    )
    sign_key: Path | None = Field(
        default=None,
        description="The file with the key of a person, as 'coditect keys new --person' writes it, that signs decisions; unset: "
        "they are unsigned.",
    )
    principal: str = Field(
        default="",
        max_length=200,
        description="Who runs this, a person or a service, for the audit trail. Set: the log says under a pseudonym who did what, "
        "and reads are logged, too; unset: neither.",
    )
    erasures: Path | None = Field(
        default=None,
        description="A list of erasures beside the backups, as 'coditect knowledge erasures --output' writes it: what it names is "
        "erased before a store is used, and what is erased is added to it.",
    )
    quotas: Path | None = Field(
        default=None,
        description="What the operator grants tenants, a YAML file: documents, bytes, builds, requests, jobs; unset: no limits.",
    )
    jobs: int | None = Field(
        default=None, ge=1, description="Processes for reading and deriving; unset: one for each core."
    )
    read_memory_mb: int = Field(
        default=512, ge=128, le=1_048_576, description="Memory that the reading of one file may take, MiB."
    )
    read_time_s: float = Field(
        default=60.0,
        ge=1,
        le=86_400,
        description="Processor seconds that the reading of one file may take; and ten times as many of the clock.",
    )
    document_extractions: int = Field(
        default=MOST_EXTRACTIONS,
        ge=1_000,
        le=100_000_000,
        description="Extractions of one document, at most; one that holds more is a failure, and the others are built.",
    )
    executor: Literal["local", "ray"] = Field(
        default="local", description="Who derives documents: processes of this machine, or a Ray cluster (extra [ray])."
    )
    ray_address: str = Field(
        default="", description="Address of the Ray cluster: auto, or HOST:PORT; empty: one is started on this machine."
    )
    hierarchical_chunks_enabled: bool = Field(default=True, description="Cut documents into parent-child passages.")
    hierarchical_chunk_levels: tuple[int, ...] = Field(
        default=(256, 512, 1024, 2048),
        description="Tokens of a passage at each level, at most: 1 to 6 numbers, strictly increasing, 16 to 32768.",
    )
    hierarchical_overlap_ratio: float = Field(
        default=0.0, ge=0.0, le=0.5, description="Share of a passage that the next one of its level repeats."
    )
    hierarchical_boundaries: BoundaryMethod = Field(
        default="sentence",
        description="Where passages end: semantic, sentence or fixed.",
    )
    hierarchical_embedding_level: int = Field(
        default=0, ge=0, le=5, description="The level of passages that is searched; 0 is the smallest."
    )
    small_to_big_return_level: int | None = Field(
        default=None,
        ge=0,
        le=5,
        description="The level that small-to-big retrieval returns, not below the one that is searched; unset: 2, or the largest.",
    )
    min_propositions: int = Field(default=1, ge=0, le=100, description="A smallest passage with fewer lists none.")
    max_propositions: int = Field(default=10, ge=1, le=100, description="Propositions of a smallest passage, at most.")
    embedder: str = Field(
        default="wordllama", description="What gives vectors: wordllama, none, or the folder of a model (extra [gpu])."
    )
    token_vectors: bool = Field(
        default=True,
        description="Read the best passages word for word by the embedder, too, where it gives vectors of tokens; they take about "
        "2.5 kB a passage. Of shipped cards all-MiniLM-L6-v2 does.",
    )
    reranker: str = Field(
        default="none", description="What reorders the best hits: none, or the folder of a model (extra [gpu])."
    )
    entailment: str = Field(
        default="none",
        description="One more judge of checked texts: none, or the folder of an NLI model or cross-encoder (extra [gpu]).",
    )
    device: str | None = Field(
        default=None, description="Where models run: cpu, cuda, cuda:0; unset: a GPU if there is one."
    )
    llm: Literal["none", "claude"] = Field(
        default="none", description="Which language model plays roles in a build: none, or claude (extra [claude])."
    )
    api_key: SecretStr | None = Field(default=None, description="Key of the model's service.")
    llm_base_url: str = Field(default="", description="Address of the model's service; empty: its own.")
    llm_timeout_s: float = Field(default=120.0, gt=0, description="Longest silence of the service, seconds.")
    llm_callers: tuple[Literal["reader", "analyst", "reviewer", "auditor", "administrator"], ...] = Field(
        default=("analyst", "reviewer", "administrator"),
        description="Roles of callers, over HTTP and MCP, that may spend the model's budget: texts and crosswalks that it reads, "
        "and builds where it plays roles; none: nobody. What else a role may do stays as it is.",
    )
    assistants_llm: bool = Field(
        default=False,
        description="Whether assistants (MCP) may have texts that they verify read by the language model, too, within budget_usd "
        "or budget_tokens for each text; it is sent them, and passages of the corpus.",
    )
    agents: tuple[str, ...] = Field(
        default=("mapper", "selector", "contextualiser", "reducer", "synthesiser", "validator"),
        description="The roles that the model plays; rules play the others.",
    )
    agent_models: dict[str, str] = Field(
        default_factory=dict, description="Other models for roles: validator=claude-opus-5-5,mapper=…"
    )
    agent_concurrency: int = Field(default=10, ge=1, le=50, description="Calls of the model at a time, at most.")
    conflict_pairs: int = Field(
        default=500,
        ge=0,
        le=5_000,
        description="Pairs of sentences, at most, that the reducer reads for conflicts where a corpus is too large to be read "
        "whole; 0: it reads no sentences.",
    )
    extraction_schema: Path | None = Field(
        default=None, description="What the mapper looks for, as YAML or JSON Schema; unset: the schema of the package."
    )
    batch: bool = Field(default=False, description="Ask in batches: half the price, answers within a day.")
    budget_tokens: int | None = Field(
        default=None, ge=1, description="Tokens that the roles of a build may take, input and output, at most."
    )
    budget_usd: float | None = Field(
        default=None, gt=0, description="Dollars that the roles of a build may cost, at most."
    )
    count_tokens: Literal["local", "service"] = Field(
        default="local",
        description="Who counts the input of a dry run: this machine, by an estimate, or the service, which is sent the text.",
    )
    prices: Path | None = Field(default=None, description="A price file to use instead of the package's.")
    qdrant: str = Field(
        default="",
        description="A Qdrant that is searched instead of the local replicas (extra [qdrant]): http://HOST:6333, or a folder; "
        "empty: none.",
    )
    qdrant_api_key: SecretStr | None = Field(default=None, description="Key of the Qdrant server.")
    log_level: str = Field(default="WARNING", description="DEBUG, INFO, WARNING or ERROR; logs go to stderr.")

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        """Names and values for people and logs: addresses without what authenticates in them."""
        for name, value in super().__repr_args__():
            yield name, without_credentials(value) if isinstance(value, str) else value

    def kept_places(self) -> tuple[Path, ...]:
        """Files and folders of this machine that the program keeps, and that no report or archive may replace or lie in."""
        found = [self.cache.expanduser() / "replicas"]
        for scheme in ("lmdb://", "fdb://"):
            if self.store.startswith(scheme):
                found.append(Path(self.store.removeprefix(scheme)).expanduser())
        if self.qdrant and "://" not in self.qdrant and self.qdrant != ":memory:":
            found.append(Path(self.qdrant).expanduser())
        return tuple(found)

    @model_validator(mode="before")
    @classmethod
    def _with_environment(cls, values: dict[str, Any]) -> dict[str, Any]:
        """The arguments, and for what they leave out the environment's variables; a key of the service has a second name there."""
        _require_known("not a setting", values, cls.model_fields)
        variables = {name.upper(): value for name, value in os.environ.items()}
        given = [each for each in variables if each.startswith(PREFIX) and not each.startswith(TESTS_PREFIX)]
        _require_known("this environment variable is no setting", given, map(str.upper, cls.model_fields), PREFIX)
        found = {name.removeprefix(PREFIX).lower(): variables[name] for name in given}
        if _OTHER_API_KEY in variables:
            found.setdefault("api_key", variables[_OTHER_API_KEY])
        return {**found, **values}

    @field_validator("hierarchical_chunk_levels")
    @classmethod
    def _increasing(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        return PassageSettings(chunk_levels=value).chunk_levels

    @field_validator("hierarchical_embedding_level", "small_to_big_return_level")
    @classmethod
    def _one_of_them(cls, value: int | None, info: ValidationInfo) -> int | None:
        levels = info.data.get("hierarchical_chunk_levels", ())
        least = info.data.get("hierarchical_embedding_level", 0)
        if levels and value is not None and not least <= value < len(levels):
            raise ValueError(
                f"there are levels {least} to {len(levels) - 1} here: {', '.join(map(str, levels))} tokens"
            )
        return value

    @field_validator("max_propositions")
    @classmethod
    def _not_below(cls, value: int, info: ValidationInfo) -> int:
        if value < info.data.get("min_propositions", 0):
            raise ValueError("it is less than min_propositions")
        return value

    @field_validator("agents", "llm_callers", mode="before")
    @classmethod
    def _names(cls, value: Any) -> Any:  # noqa: ANN401 - whatever the environment holds
        """mapper,validator, as the environment and the command line write it."""
        return [each.strip() for each in value.split(",") if each.strip()] if isinstance(value, str) else value

    @field_validator("agent_models", mode="before")
    @classmethod
    def _pairs(cls, value: Any) -> Any:  # noqa: ANN401 - whatever the environment holds
        """validator=MODEL,mapper=MODEL, as the environment and the command line write it."""
        if not isinstance(value, str):
            return value
        pairs = [each.partition("=") for each in value.split(",") if each.strip()]
        if not all(equals for _, equals, _ in pairs):
            raise ValueError("write ROLE=MODEL,ROLE=MODEL")
        return {name.strip(): model.strip() for name, _, model in pairs}

    @field_validator("hierarchical_chunk_levels", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:  # noqa: ANN401 - whatever the environment holds
        """256,512,1024,2048, as the environment and the command line write it."""
        return [each.strip() for each in value.split(",")] if isinstance(value, str) else value


def _require_known(message: str, names: Iterable[str], known: Iterable[str], prefix: str = "") -> None:
    """Every name must be a known one.

    Raises:
        SchemaError: one is not; names the nearest that is.
    """
    there = sorted(known)
    for name in sorted(names):
        plain = name.removeprefix(prefix)
        if plain not in there:
            import difflib  # only what is misspelled needs it

            near = difflib.get_close_matches(plain, there, n=1)
            hint = f"Did you mean {prefix}{near[0]}?" if near else "The settings are listed in docs/api.md."
            raise SchemaError(message, name=name, hint=hint)
