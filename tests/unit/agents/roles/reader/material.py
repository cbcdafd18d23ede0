"""Passages of invented documents, and answers about them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from coditect.agents.roles.reader.answers import ToldPassage, read_passage
from coditect.agents.roles.reader.passages import ReaderPassage, reader_passages
from coditect.documents.readers import read_source
from coditect.models.llm import LlmAnswer, TextPart, Usage
from coditect.tiers.extractions.document import DocumentReading, read_document
from coditect.tiers.readings.told import ToldNorm
from tests.llm_server.answers_norms import norm

__all__ = ["SHA256", "norm", "passage_of", "reading_of", "tell", "told_norms"]

SHA256 = "a" * 64


def reading_of(text: str, name: str = "rules.md") -> DocumentReading:
    """The reading of a text."""
    return read_document(read_source(text.encode(), name))


def passage_of(text: str, name: str = "rules.md") -> ReaderPassage:
    """A text that is one passage."""
    (passage,) = reader_passages(name, reading_of(text, name))
    return passage


def tell(
    passage: ReaderPassage,
    norms: Sequence[dict[str, Any]] = (),
    definitions: Sequence[dict[str, Any]] = (),
    *,
    suspicious: Sequence[str] = (),
) -> ToldPassage:
    """What an answer amounts to that tells these, each with its line, and nothing of all other lines."""
    numbers = {int(line.label) for line in passage.lines if line.label.isdigit()}
    nothing = sorted(numbers - {each["at"] for each in (*norms, *definitions)})
    value = {"norms": norms, "definitions": definitions, "nothing": nothing, "suspicious": suspicious}
    return read_passage(LlmAnswer(SHA256, "any", (TextPart(json.dumps(value)),), Usage()), passage)


def told_norms(told: ToldPassage) -> list[ToldNorm]:
    """All norms, in the order of their sentences."""
    return [each for _, sentence in sorted(told.sentences.items()) for each in sentence.norms]
