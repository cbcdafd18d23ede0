"""coditect knowledge: a compliance knowledge store whose every sentence can be traced, proven and re-checked.

    from coditect import HierarchicalKnowledgeStore, Settings, open_knowledge

    with open_knowledge(Settings()) as knowledge:
        store = HierarchicalKnowledgeStore(knowledge)
        result = await store.query("policies", "incident reporting")

Names are loaded when they are first used: importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coditect.compose import open_knowledge
    from coditect.errors import CoditectError
    from coditect.knowledge.async_store import HierarchicalKnowledgeStore, ValidationAgent
    from coditect.knowledge.service import Knowledge
    from coditect.schemas import BuildSettings, KnowledgeTier
    from coditect.settings import Settings

__all__ = [
    "BuildSettings",
    "CoditectError",
    "HierarchicalKnowledgeStore",
    "Knowledge",
    "KnowledgeTier",
    "Settings",
    "ValidationAgent",
    "__version__",
    "open_knowledge",
]

__version__ = "0.1.0"

_HOMES = {
    "BuildSettings": "coditect.schemas",
    "CoditectError": "coditect.errors",
    "HierarchicalKnowledgeStore": "coditect.knowledge.async_store",
    "Knowledge": "coditect.knowledge.service",
    "KnowledgeTier": "coditect.schemas",
    "Settings": "coditect.settings",
    "ValidationAgent": "coditect.knowledge.async_store",
    "open_knowledge": "coditect.compose",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name is
    """Load a public name."""
    if name not in _HOMES:
        raise AttributeError(f"module 'coditect' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
