"""Documents that ask less of themselves than another asks of every document of their kind."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.language.matched import as_matched
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.opposed.told import MOST_SIDES, StatementConflict, by_document, side_of
from coditect.tiers.findings.measures import EVERY
from coditect.tiers.findings.standing import Standings

__all__ = ["frameworks"]

_NOUN = re.compile(
    r"\b(?:this|every|each|all)\s+(?:[\w-]+\s+){0,3}?(?P<noun>polic|standard|procedure|guideline|handbook|charter|plan)\w*",
    re.IGNORECASE,
)


def frameworks(general: Sequence[Entry], own: Sequence[Entry], standings: Standings) -> list[StatementConflict]:
    """Documents that review themselves less often than another asks of every document of their kind."""
    found = []
    for rule in sorted(general, key=by_document):
        less = [
            entry
            for entry in sorted(own, key=by_document)
            if isinstance(entry.value, float)
            and isinstance(rule.value, float)
            and entry.value < rule.value
            and standings.are_comparable(entry.statement.chunk.document_id, rule.statement.chunk.document_id)
            and _noun(entry) == _noun(rule) != ""
        ]
        first: dict[str, Entry] = {}
        for entry in less:
            first.setdefault(entry.statement.chunk.document_id, entry)
        if first:
            sides = (side_of(rule), *(side_of(entry) for entry in list(first.values())[: MOST_SIDES - 1]))
            found.append(StatementConflict("frequency", EVERY, rule.verb, _subject(rule), sides, 1.0))
    return found


def _noun(entry: Entry) -> str:
    match = _NOUN.search(as_matched(entry.statement.sentence.text))
    return match["noun"].casefold() if match else ""


def _subject(entry: Entry) -> str:
    match = _NOUN.search(as_matched(entry.statement.sentence.text))
    return " ".join(match.group().split()) if match else ""
