"""Reads a Messages API request as a model would see it: who is asked, and what stands between the fences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

__all__ = ["Fenced", "assessed_pairs", "documents_of", "fenced", "role_of", "schema_of", "sentences_of", "text_of"]

_FENCED = re.compile(
    r'<(?P<tag>[a-z]+)-(?P<code>[0-9a-f]{16})(?P<attributes>(?: [a-z_]+="[^"]*")*)>\n(?P<text>.*?)\n</(?P=tag)-(?P=code)>',
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r'([a-z_]+)="([^"]*)"')
_PAIR = re.compile(r"^(\d+): part (\d+), sentence (\d+)$", re.MULTILINE)
_SENTENCE = re.compile(r"[^\n.!?;]+(?:[.!?;](?!\s)[^\n.!?;]*)*[.!?;]?")
_ROLES = {
    "norms": "reader",
    "items": "mapper",
    "sentences": "selector",
    "duplicates": "reducer",
    "others": "reducer",
    "at_odds": "reducer",
    "gaps": "reducer",
    "findings": "validator",
    "parts": "examiner",
    "verdict": "validator",
    "pairs": "assessor",
    "rests": "tracer",
}


@dataclass(frozen=True, slots=True)
class Fenced:
    """What stands between one pair of tags."""

    tag: str
    attributes: dict[str, str]
    text: str


def content_of(request: dict[str, Any]) -> list[dict[str, Any]]:
    """All blocks of the user's turns."""
    found: list[dict[str, Any]] = []
    for message in request["messages"]:
        content = message["content"]
        found += [{"type": "text", "text": content}] if isinstance(content, str) else content
    return found


def text_of(request: dict[str, Any]) -> str:
    """The text blocks of the user's turns."""
    return "\n".join(block["text"] for block in content_of(request) if block["type"] == "text")


def fenced(request: dict[str, Any], tag: str = "") -> list[Fenced]:
    """Everything between fences, or between those with this tag."""
    found = [
        Fenced(match["tag"], dict(_ATTRIBUTE.findall(match["attributes"])), match["text"])
        for match in _FENCED.finditer(text_of(request))
    ]
    return [each for each in found if tag in ("", each.tag)]


def assessed_pairs(request: dict[str, Any]) -> list[tuple[int, str, str]]:
    """(number, words of the part, words of the sentence) of each pair that an assessor is asked about."""
    parts = [inner["text"] for inner in _FENCED.finditer(fenced(request, "requirement")[0].text)]
    sentences = [
        next(inner["text"] for inner in _FENCED.finditer(each.text) if inner["tag"] == "words")
        for each in fenced(request, "sentence")
    ]
    return [
        (int(match[1]), parts[int(match[2]) - 1], sentences[int(match[3]) - 1])
        for match in _PAIR.finditer(text_of(request))
    ]


def documents_of(request: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """(title, blocks) of each document."""
    found = []
    for block in content_of(request):
        if block["type"] == "document":
            source = block["source"]
            parts = source["content"] if source["type"] == "content" else [{"text": source["data"]}]
            found.append((block.get("title") or "", [part["text"] for part in parts]))
    return found


def schema_of(request: dict[str, Any]) -> dict[str, Any]:
    """JSON Schema of the answer, or {}."""
    found: dict[str, Any] = ((request.get("output_config") or {}).get("format") or {}).get("schema") or {}
    return found


def role_of(request: dict[str, Any]) -> str:
    """The role that a request asks; "" if it is none of ours."""
    for name in schema_of(request).get("properties", {}):
        if name in _ROLES:
            return _ROLES[name]
    if schema_of(request):
        return ""
    if documents_of(request):
        return "synthesiser"
    return "contextualiser" if fenced(request, "passage") else ""


def sentences_of(text: str) -> list[tuple[int, int]]:
    """Rough sentences, trimmed, as spans."""
    spans = []
    for match in _SENTENCE.finditer(text):
        start, end = match.span()
        while start < end and text[start].isspace():
            start += 1
        while start < end and text[end - 1].isspace():
            end -= 1
        if end - start > 12:
            spans.append((start, end))
    return spans
