"""What the fake model answers where it reads norms: the simplest reading of a modal verb, or what a test has it tell."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.llm_server.answers_reading import fenced

__all__ = ["lines_of", "norm", "reader", "reader_telling"]

Reply = dict[str, Any]

_LINE = re.compile(r"^(?P<label>c?\d+)\| (?P<text>.*)$", re.MULTILINE)
_MODAL = re.compile(r"\b(?P<holder>[^.,;:]+?) (?P<cue>(?:shall|must|may)(?: not)?) (?P<action>[^.,;:]+)")
_BIDDING = re.compile(r"\b(?:ignore|disregard)\b[^.\n]*\binstructions?\b[^.\n]*\.?", re.IGNORECASE)
_NUMBER = re.compile(r"\A\W*\(?\w{1,3}[.)]\s+")


def lines_of(request: dict[str, Any]) -> list[tuple[str, str]]:
    """(label, text) of each line that a reader is shown."""
    return [
        (match["label"], match["text"]) for each in fenced(request, "passage") for match in _LINE.finditer(each.text)
    ]


def norm(kind: str, action: str, **parts: Any) -> dict[str, Any]:  # noqa: ANN401 - any part of an answer
    """A norm of an answer, without its line; what is not given is empty."""
    empty: dict[str, Any] = {"further": [], "holder": "", "cue": [], "subject": "", "times": []}
    return {**empty, "conditions": [], "exceptions": [], "kind": kind, "action": [action], **parts}


def reader(request: dict[str, Any]) -> Reply:
    """A norm for each modal verb, with the words before and behind it."""
    norms, nothing = [], []
    for label, text in lines_of(request):
        found = _MODAL.search(_NUMBER.sub("", text))
        if not label.isdigit():
            continue
        if found is None:
            nothing.append(int(label))
            continue
        kind = "prohibition" if " not" in found["cue"] else "permission" if found["cue"] == "may" else "obligation"
        told = norm(kind, found["action"], holder=found["holder"], cue=[found["cue"]])
        norms.append({"at": int(label), **told})
    addressed = [match.group() for _, text in lines_of(request) for match in _BIDDING.finditer(text)]
    return _said({"norms": norms, "definitions": [], "nothing": nothing, "suspicious": addressed})


def reader_telling(
    told: Mapping[str, Sequence[dict[str, Any]]], *, over: Sequence[str] = ()
) -> Callable[[dict[str, Any]], Reply]:
    """A model that tells given norms of the lines that hold given words, and nothing of the others.

    Args:
        told: norms by words of their line.
        over: words of lines that it passes over.
    """

    def respond(request: dict[str, Any]) -> Reply:
        norms, nothing = [], []
        for label, text in lines_of(request):
            if not label.isdigit() or any(words in text for words in over):
                continue
            own = [each for words, some in told.items() if words in text for each in some]
            norms += [{"at": int(label), **each} for each in own]
            nothing += [] if own else [int(label)]
        return _said({"norms": norms, "definitions": [], "nothing": nothing, "suspicious": []})

    return respond


def _said(value: object) -> Reply:
    block = {"type": "text", "text": json.dumps(value, ensure_ascii=False), "citations": None}
    return {"blocks": [block], "stop_reason": "end_turn"}
