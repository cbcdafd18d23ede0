"""What is read of an exception from a sentence or a row: who is excused from what, by whom, since when and until when."""

from __future__ import annotations

import re
from dataclasses import dataclass

from coditect.documents.profile.agreements.facts import Length
from coditect.language.tables import read_table
from coditect.schemas import WaiverDecision, WaiverKind

__all__ = ["KIND_OF", "NOUN", "TABLE", "WaiverFact", "whole"]

TABLE = read_table("waivers")
KIND_OF: dict[str, WaiverKind] = dict(TABLE.mapping("kinds").items())  # type: ignore[arg-type]

_LONGER_FIRST = sorted(KIND_OF, key=lambda each: (-len(each), each))
NOUN = rf"(?:{'|'.join(each.replace(' ', '[ ]') for each in _LONGER_FIRST)})".replace("[ ]", r"\s+")
"""A noun for being excused, in any number."""


@dataclass(frozen=True, slots=True)
class WaiverFact:
    """One exception that a sentence or a row tells of, or a rule about all of them. Empty fields say nothing.

    Attributes:
        kind: what it is called.
        decision: what became of it; "rule" is no exception, it says how long exceptions hold, or who grants them.
        holder: who or what is excused, as printed.
        provision: from what, as printed.
        by: who granted it, as printed.
        granted: when, ISO 8601.
        begins: from when it holds, ISO 8601.
        until: its last day, ISO 8601, as printed.
        is_open: whether the text says that it has no end.
        length: how long it holds, where that is said.
        condition: what it is subject to, and what is done instead, as printed.
        reference: the number that a register has for it, as printed.
        start: first code point of the words that say it, in the sentence.
        end: one past the last.
    """

    kind: WaiverKind
    decision: WaiverDecision = "granted"
    holder: str = ""
    provision: str = ""
    by: str = ""
    granted: str = ""
    begins: str = ""
    until: str = ""
    is_open: bool = False
    length: Length | None = None
    condition: str = ""
    reference: str = ""
    start: int = 0
    end: int = 0


def whole(entry: str) -> re.Pattern[str]:
    """The phrases of an entry of the table of waivers, whole, in any case."""
    return re.compile(rf"(?<![\w-])(?:{TABLE.pattern(entry)})(?![\w-])", re.IGNORECASE)
