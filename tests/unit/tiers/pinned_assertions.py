"""Single sentences, and what each recogniser of requirements tells of them, written down.

``python -m tests.unit.tiers.pinned_assertions`` writes the file anew. The sentences were put together at random out of invented
pieces; long ones stand on both sides of the longest that is read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from coditect.tiers.claims.phrases import is_partial
from coditect.tiers.claims.quoting import quoted
from coditect.tiers.findings.conflicts.approvals import approvers_in, deciders_of
from coditect.tiers.findings.conflicts.assertions.definitions import definition_told
from coditect.tiers.findings.conflicts.assertions.limits import bound_of, limits_of
from coditect.tiers.findings.conflicts.assertions.places import place_of
from coditect.tiers.findings.conflicts.assertions.rows import timed_cell
from coditect.tiers.findings.conflicts.assertions.tallies import tallies_of
from coditect.tiers.findings.conflicts.entries import tells
from coditect.tiers.findings.conflicts.figures import figures_of
from coditect.tiers.findings.conflicts.lines import Assertion, generalised, line_of
from coditect.tiers.findings.conflicts.stances import stances_of
from coditect.tiers.findings.measures import head_of
from coditect.tiers.findings.missing import requires_document
from coditect.tiers.findings.required.roles import role_sentences
from coditect.tiers.findings.said.statements import content_words
from coditect.tiers.findings.tables import (
    cells,
    columns,
    dated_column,
    dates_of,
    due_at,
    due_cell,
    due_cells,
    due_in,
    due_lines,
)
from coditect.tiers.findings.timeliness import due_days

__all__ = ["PINNED", "pinned", "told"]

PINNED = Path(__file__).parent / "pinned_assertions.json"

Recogniser = Callable[[str], Iterable[Assertion]]
_ASSERTING: tuple[Recogniser, ...] = (deciders_of, figures_of, stances_of, place_of, definition_told)


def told(text: str) -> list[str]:
    """What the recognisers tell of a text, one line for each that tells anything."""
    return [
        line for line in (*_requirements(text), *_tables(text)) if not line.endswith((" ()", " None", " []", " {}"))
    ]


def _requirements(text: str) -> Iterator[str]:
    yield f"tells {tells(text):d} requires {requires_document(text):d} partial {is_partial(text):d} {head_of(text)}"
    for recogniser in _ASSERTING:
        yield f"{recogniser.__name__} {tuple(map(_assertion, recogniser(text)))}"
    for limit in limits_of(text):
        bound = bound_of(line_of(text), limit.at, limit.says)
        yield f"limit {limit.kind} {limit.of} “{limit.says}” {limit.value} {limit.at} {bound}"
    yield f"tallies {tallies_of(text)}"
    yield f"approvers {sorted(map(sorted, approvers_in(text)))}"
    yield f"roles {sorted(role_sentences(text))}"
    yield f"words {' '.join(content_words(generalised(text)))}"
    yield f"quoted {quoted(text, 60)}"


def _assertion(each: Assertion) -> str:
    return f"{each.kind}|{each.head}|{each.says}|{each.value}|{each.verb}|{each.rest}"


def _tables(text: str) -> Iterator[str]:
    yield f"timed {timed_cell(text)}"
    yield f"cells {cells(text)}"
    yield f"columns {columns(text)}"
    yield f"dates {dates_of(text)}"
    yield f"due days {due_days(text)}"
    yield f"due cells {list(due_cells(text))}"
    yield f"due lines {list(due_lines(text))}"
    first, *others = text.split("\n")
    column, cell = dated_column(first), due_cell(first)
    yield f"columns of dates {column} {cell}"
    for line in others:
        yield f"due {due_in(line, column) if column is not None else ''} {due_at(line, cell[0], 3) if cell is not None else ''}"


def pinned() -> list[tuple[str, list[str]]]:
    """What is written down: a text, and what is told of it."""
    return [(text, lines) for text, lines in json.loads(PINNED.read_text(encoding="utf-8"))]


def write(texts: Iterable[str]) -> None:
    """Write down what is told of some texts now."""
    lines = ",\n".join(json.dumps((text, told(text)), ensure_ascii=False) for text in texts)
    PINNED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    write([text for text, _ in pinned()])
