"""The roles that a language model can play, and what each is told: prompt, answer shape, model, limits.

A role's version is part of the identity of what is derived with it: another prompt or another answer shape is another
derivation. The model is a parameter of the derivation, kept beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from coditect.agents.roles.answers import (
    AssessorAnswer,
    ExaminerAnswer,
    ReaderAnswer,
    ReducerAnswer,
    SelectorAnswer,
    StructuredAnswer,
    TracerAnswer,
    ValidatorAnswer,
    output_schema,
)
from coditect.errors import UsageError
from coditect.models.llm import CacheTtl, Document, Effort, LlmRequest, TextBlock
from coditect.schemas.record import canonical_json, sha256_hex

__all__ = ["HAIKU", "OPUS", "ROLES", "SONNET", "Role", "roles_with", "system_of"]

HAIKU = "claude-haiku-5-5"
SONNET = "claude-sonnet-5-5"
OPUS = "claude-opus-5-5"

_READERS: Mapping[str, str] = {"mapper": "roles/2"}
"""How answers are read, by role, where it is not "roles/1". Raise it when the same answer gives something else."""

_PREFIX = 12


@dataclass(frozen=True, slots=True)
class Role:
    """One agent.

    Attributes:
        name: "reader", "mapper", "contextualiser", "selector", "reducer", "synthesiser", "validator", "examiner",
            "assessor" or "tracer".
        model: as the service names it.
        prompt: the system prompt.
        prompt_sha256: of its UTF-8, 64 hex digits.
        output_schema: JSON Schema of the answer; None for prose. The mapper's comes with the extraction schema.
        max_tokens: of one answer, thinking included, > 0.
        budget_tokens: that all requests of the role may take in one build, check of texts, crosswalk or work list, input
            and output, > 0.
        citations: the answer cites its documents.
        effort: how hard the model thinks; "" leaves it to the service.
    """

    name: str
    model: str
    prompt: str
    prompt_sha256: str
    output_schema: Mapping[str, Any] | None
    max_tokens: int
    budget_tokens: int
    citations: bool = False
    effort: Effort = ""

    @property
    def version(self) -> str:
        """How answers are asked for and read: of the readers, the prompt, and the answer's shape ("prose" without)."""
        shape = sha256_hex(canonical_json(self.output_schema))[:_PREFIX] if self.output_schema is not None else "prose"
        return f"{_READERS.get(self.name, 'roles/1')} {self.name}/{self.prompt_sha256[:_PREFIX]}/{shape}"

    def request(self, *content: TextBlock | Document, system: tuple[TextBlock, ...] = ()) -> LlmRequest:
        """Ask in this role.

        Args:
            content: the turn, first to last; at least one.
            system: instructions; none: the prompt alone, kept by the service.
        """
        return LlmRequest(
            self.model,
            system or system_of(self),
            content,
            self.max_tokens,
            self.output_schema,
            self.citations,
            self.effort,
        )


def _role(
    name: str,
    model: str,
    shape: type[StructuredAnswer] | None,
    *,
    max_tokens: int,
    budget_tokens: int,
    citations: bool = False,
    effort: Effort,
) -> Role:
    prompt = files("coditect.agents.roles").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8").strip()
    asked = output_schema(shape) if shape is not None else None
    return Role(name, model, prompt, sha256_hex(prompt.encode()), asked, max_tokens, budget_tokens, citations, effort)


_MILLION = 1_000_000

ROLES: Mapping[str, Role] = MappingProxyType(
    {
        role.name: role
        for role in (
            _role("reader", SONNET, ReaderAnswer, max_tokens=16_000, budget_tokens=50 * _MILLION, effort="low"),
            _role("mapper", HAIKU, None, max_tokens=16_000, budget_tokens=50 * _MILLION, effort="low"),
            _role("contextualiser", HAIKU, None, max_tokens=1_500, budget_tokens=500 * _MILLION, effort="low"),
            _role("selector", HAIKU, SelectorAnswer, max_tokens=2_000, budget_tokens=20 * _MILLION, effort="low"),
            _role("reducer", SONNET, ReducerAnswer, max_tokens=8_000, budget_tokens=10 * _MILLION, effort="medium"),
            _role(
                "synthesiser",
                SONNET,
                None,
                max_tokens=16_000,
                budget_tokens=5 * _MILLION,
                citations=True,
                effort="medium",
            ),
            _role("validator", OPUS, ValidatorAnswer, max_tokens=6_000, budget_tokens=20 * _MILLION, effort="medium"),
            _role("examiner", OPUS, ExaminerAnswer, max_tokens=8_000, budget_tokens=20 * _MILLION, effort="medium"),
            _role("assessor", SONNET, AssessorAnswer, max_tokens=16_000, budget_tokens=20 * _MILLION, effort="medium"),
            _role("tracer", SONNET, TracerAnswer, max_tokens=16_000, budget_tokens=20 * _MILLION, effort="medium"),
        )
    }
)
"""The roles with their default models, by name; the last three are no roles of builds."""


def roles_with(models: Mapping[str, str]) -> dict[str, Role]:
    """The roles, some with another model.

    Args:
        models: model by role name.

    Raises:
        UsageError: no such role, or an empty model name.
    """
    for name, model in models.items():
        if name not in ROLES:
            raise UsageError("there is no such role", role=name, hint="the roles are " + ", ".join(ROLES))
        if not model.strip():
            raise UsageError("a role needs a model", role=name, hint="e.g. " + ROLES[name].model)
    return {name: replace(role, model=models.get(name, role.model)) for name, role in ROLES.items()}


def system_of(role: Role, *further: str, cache: CacheTtl = "5m") -> tuple[TextBlock, ...]:
    """The system blocks of a role: the prompt, then what further stays the same; kept by the service up to the last."""
    texts = (role.prompt, *further)
    return tuple(TextBlock(text, cache if at == len(texts) - 1 else "") for at, text in enumerate(texts))
