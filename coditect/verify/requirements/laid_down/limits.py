"""Limits on both sides: what must not exceed a figure must be at most that, so that two limits are compared as figures.

"Exposure shall not exceed 1 ppm" and "exposure must not exceed 2 ppm" are both negative, and neither speaks of the other in the
negative: the second one is looser (ADR 151).
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from coditect.language.reading.sentence import read_sentence
from coditect.verify.requirements.figures.counts import is_figure
from coditect.verify.requirements.sides import AskedByPart, SaidByPolicy

__all__ = ["as_limits"]

_EXCEEDS = re.compile(
    r"\A(?P<what>[^.;:]*?[\w)])\s*,?\s+(?:shall|must|may|should|can|will|do(?:es)?)\s*(?:not|never)\s+(?:at\s+any\s+time\s+|ever\s+)?"
    r"(?:exceed|rise\s+above|go\s+above|be\s+(?:more|greater|higher|larger|longer|heavier)\s+than|be\s+(?:above|over))\s+"
    r"(?P<figure>\S.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
_FALLS = re.compile(
    r"\A(?P<what>[^.;:]*?[\w)])\s*,?\s+(?:shall|must|may|should|can|will|do(?:es)?)\s*(?:not|never)\s+(?:at\s+any\s+time\s+|ever\s+)?"
    r"(?:fall\s+below|drop\s+below|go\s+below|be\s+(?:less|lower|smaller|shorter)\s+than|be\s+(?:below|under))\s+(?P<figure>\S.*)\Z",
    re.IGNORECASE | re.DOTALL,
)

_NEAR = 3
"""Words to the figure, at most: "exceed a level of 10 ppm"."""


def as_limits(asked: AskedByPart, said: SaidByPolicy) -> tuple[AskedByPart, SaidByPolicy]:
    """Both sides with "must not exceed" as "must be at most"; as they are where either sets no such limit.

    Args:
        asked: the part.
        said: the sentence.
    """
    ours, own, theirs = _bounded(said.text), _bounded(said.own), _bounded(asked.wording.text)
    if not ours or not theirs or said.force in ("permits", "recommends"):
        return asked, said
    wording = replace(asked.wording, text=theirs, filled="")
    return replace(asked, wording=wording), replace(said, text=ours, own=own or ours, force="binds")


@lru_cache(maxsize=4_096)
def _bounded(text: str) -> str:
    """A limit as what a thing must be; "" where a text sets none."""
    for pattern, bound in ((_EXCEEDS, "at most"), (_FALLS, "at least")):
        found = pattern.match(text)
        if found is not None:
            tokens = read_sentence(found["figure"]).tokens
            if any(is_figure(tokens, n) for n in range(min(len(tokens), _NEAR + 1))):
                return f"{found['what']} must be {bound} {found['figure']}"
    return ""
