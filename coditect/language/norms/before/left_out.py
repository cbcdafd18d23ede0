"""The case that a duty leaves out, and what has to be done in it: "except at night, when it must", "in which case it must"."""

from __future__ import annotations

import re
from dataclasses import replace

from coditect.language.marks import Mark, sort_data
from coditect.language.norms.cues import Cue

__all__ = ["of_case"]

_I = re.IGNORECASE
_THAT_CASE = re.compile(r",\s+(?:in\s+which\s+(?:case|event)s?|when(?:ever)?),?\s+[^,;:]{1,80}\Z", _I)
_LEFT_OUT = re.compile(r"(?:(?:except|save)(?:\s+(?:for|that))?|unless|other\s+than)\s+", _I)
_MOST_OF_CASE = 110


def of_case(text: str, mark: Mark, before: Mark, cue: Cue) -> Mark:
    """A norm of the case that the one before it leaves out, with that case: "except at night, when it must", "in which case"."""
    left_out = before.data.get("exception")
    left_out = left_out[-1] if isinstance(left_out, list) else left_out
    if not isinstance(left_out, str) or not _THAT_CASE.search(text, max(0, cue.start - _MOST_OF_CASE), cue.start):
        return mark
    case = _LEFT_OUT.sub("", left_out, count=1)
    return replace(mark, data=sort_data({**mark.data, "condition": case}))
