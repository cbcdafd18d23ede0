"""What tools share: the types of their arguments, and how errors are told to an assistant. Needs the extra "mcp"."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, ParamSpec, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from coditect.assistants.desk import AssistantDesk
from coditect.errors import CoditectError

__all__ = ["READING", "CorpusId", "Cursor", "DeskFor", "Generation", "Rows", "answering", "told_to_assistants"]

P = ParamSpec("P")
R = TypeVar("R")

DeskFor = Callable[[Context[Any, Any]], AssistantDesk]
"""The desk of whoever asks."""

READING = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

CorpusId = Annotated[str, Field(min_length=1, max_length=200, description="From the tool 'corpora'.")]
Generation = Annotated[
    int | None, Field(ge=1, le=2**53, description="The generation that answers; without it the current one.")
]
Cursor = Annotated[str, Field(max_length=20, description="next_cursor of the page before; empty for the first page.")]
Rows = Annotated[int, Field(ge=1, le=50, description="Rows of a page.")]


def answering(function: Callable[P, R]) -> Callable[P, R]:
    """A tool whose known errors reach the assistant with the way out."""

    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except CoditectError as error:
            raise ToolError(told_to_assistants(error)) from error

    return called


_HIDDEN = frozenset(("store", "tenant", "path", "folder", "file"))
"""What errors know of this machine."""


_CLAUSE = re.compile(r"(?<=[.;])\s+")
_COMMAND = re.compile(r"\bcoditect\s+[a-z]|(?<![\w-])--[a-z]")
"""What only somebody at a command line can do."""


def told_to_assistants(error: CoditectError) -> str:
    """What is wrong, and what an assistant can do about it."""
    told = "; ".join(f"{name} {value}" for name, value in error.context.items() if name not in _HIDDEN)
    said = error.message + (f" ({told})" if told else "")
    return f"{said}{'' if said.endswith(('.', '?')) else '.'} {_way_out(error.hint or '')}".strip()


def _way_out(hint: str) -> str:
    """What a hint says that an assistant can do: without commands and their options."""
    kept = " ".join(each for each in _CLAUSE.split(hint) if _COMMAND.search(each) is None)
    return kept[:-1] + "." if kept.endswith(";") else kept
