"""Numbered sections that have a heading and nothing below it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from coditect.documents.structure.outline import OutlineSection
from coditect.language.tables import read_table

__all__ = ["bare_sections"]

MOST_BESIDE = 3
"""How many sections have text, for each beside them that has none."""

_RULES = " \t\r\n-=_*~#|"


def bare_sections(text: str, sections: Sequence[OutlineSection]) -> frozenset[int]:
    """Where the numbered sections begin that have a heading and nothing below it, neither text nor sections of their own.

    Sections beside them have text: where many have none, their headings are what they say. The last section of a document is none
    of them, since what belongs to it may stand in a file beside it; nor is a sentence, or a step that says what to do.

    Args:
        text: the canonical text.
        sections: its outline, in document order.
    """
    parents = {section.parent for section in sections}
    empty = [
        index
        for index, section in enumerate(sections[:-1])
        if index not in parents and not text[section.body_start : section.end].strip(_RULES)
    ]
    written = Counter(section.parent for index, section in enumerate(sections) if section.label and index not in empty)
    bare = Counter(sections[index].parent for index in empty)
    return frozenset(
        section.start
        for index in empty
        if (section := sections[index]).label[:1].isdigit()
        and _is_name(section.heading)
        and written[section.parent] >= MOST_BESIDE * bare[section.parent]
    )


_LEFT_EMPTY = re.compile(rf"\b(?:{read_table('open_points').pattern('left_empty')})\b", re.IGNORECASE)
_VERBS = frozenset(read_table("base_verbs").words("verbs"))
_STEPS = _VERBS - frozenset(read_table("base_verbs").words("also_nouns"))
_STEP = re.compile(r"(?P<verb>[a-z]+)(?:/|\s+(?:to|an?|the|all|any|each|every|your|that|whether|if)\b)", re.IGNORECASE)
"""How a step begins whose verb may be a noun, too: "Move to the next phase"."""


def _is_name(heading: str) -> bool:
    """Whether a heading names what a section is about, and neither says it nor says that there is nothing."""
    if not heading or heading.endswith((".", ":", ";", ",")) or _LEFT_EMPTY.search(heading):
        return False
    step = _STEP.match(heading)
    if step is not None and step["verb"].casefold() in _VERBS:
        return False
    return re.split(r"\W", heading, maxsplit=1)[0].casefold() not in _STEPS
