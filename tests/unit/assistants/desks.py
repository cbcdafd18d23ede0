"""A desk over a knowledge that is told what to answer, and notes what it was asked."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from coditect.assistants.desk import AssistantDesk
from coditect.errors import NotFound
from coditect.schemas import Source
from coditect.server.access.callers import Caller, Role

__all__ = ["desk_of", "step", "version_of"]


def version_of(name: str, length: int) -> Any:  # noqa: ANN401 - a double
    """A version of a document, of so many characters."""
    return SimpleNamespace(name=name, document_id=f"{name}-id", version_id=f"{name}-v1", text_length=length)


def step(name: str, *sources: Source, **fields: Any) -> Source:  # noqa: ANN401 - of a record
    """An item that stands in a document at a place of its own, unless its fields say otherwise."""
    given = {"item_id": name, "tier": 1, "kind": "obligation", "text": name, "version_id": f"v-{name}",
             "char_offset_start": 0, "char_offset_end": len(name)}  # fmt: skip
    return Source(**{**given, **fields}, sources=sources)


def desk_of(role: Role = "analyst", corpora: tuple[str, ...] = (), **answers: Any) -> AssistantDesk:  # noqa: ANN401 - doubles
    """A desk over the corpora c and d, both of generation 3; ``asked`` of its knowledge has what use cases were given.

    Args:
        role: of who asks.
        corpora: that may be asked; none: all.
        answers: ``texts`` by the names of documents, ``profiles`` by ids, and what use cases answer, by their names.
    """
    asked: Any = []
    texts: dict[str, str] = answers.pop("texts", {})
    view = SimpleNamespace(
        corpus_id="c",
        generation=3,
        profiles=answers.pop("profiles", {}),
        documents={f"{name}-id": version_of(name, len(text)) for name, text in texts.items()},
        text_of=lambda version: texts[version.name],
    )

    def corpus(name: str) -> None:
        if name not in ("c", "d"):
            raise NotFound("no such corpus")

    def use_case(name: str) -> Any:  # noqa: ANN401 - a double
        def called(*given: object, **named: object) -> object:
            asked.append((name, given, named))
            return answers[name]

        return called

    listed = [SimpleNamespace(corpus_id=name, name=name.upper(), generation=3, document_count=2) for name in "cd"]
    knowledge = SimpleNamespace(
        asked=asked,
        store=SimpleNamespace(corpus=corpus, corpora=lambda: listed),
        view=lambda _corpus, generation=None: asked.append(("view", generation)) or view,
        note_read=lambda *given: asked.append(("read", *given)),
        **{name: use_case(name) for name in answers},
    )
    caller = Caller("Ada", "t", role, frozenset(corpora) or None)
    return AssistantDesk(knowledge, caller, Path("nowhere"))  # type: ignore[arg-type]
