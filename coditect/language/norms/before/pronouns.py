"""Whom a pronoun means that is the holder of a norm: the holder of the norm before it, where their numbers agree."""

from __future__ import annotations

import re

from coditect.language.marks import Mark
from coditect.language.tables import read_table

__all__ = ["PRONOUN_FIRST", "told_by_pronoun"]

_I = re.IGNORECASE
_ONE = re.compile(r"it|he|she|he\s+or\s+she|she\s+or\s+he|he/she", _I)
_MANY = re.compile(r"they", _I)
_PRONOUN = re.compile(rf"{_ONE.pattern}|{_MANY.pattern}|we|you|i|this|that|these|those|each|who|which|one|both|all", _I)
PRONOUN_FIRST = re.compile(rf"[\W\d]*(?P<pronoun>{_ONE.pattern}|{_MANY.pattern})\s", _I)
"""A sentence that begins with a pronoun, as its subject may."""

_BEHIND_HEAD = re.compile(rf"\s(?:{read_table('noun_phrases').pattern('behind_heads')}|[a-z]{{3,}}ed)\s|,")
_PLURAL = re.compile(r"(?:[A-Za-z]{2,}(?<!s)(?<!u)s|staff|personnel|people|members)\Z", _I)
_SEVERAL = re.compile(r"\s(?:and|or)\s")


def told_by_pronoun(mark: Mark, before: Mark) -> str | None:
    """The holder that a pronoun means, or None where the holder is named or the numbers differ.

    Args:
        mark: a norm.
        before: the norm right before it, in the same sentence or the one before.
    """
    holder, named = mark.data.get("actor"), before.data.get("actor")
    if not isinstance(holder, str) or not isinstance(named, str) or _PRONOUN.fullmatch(named.strip()):
        return None
    head = _BEHIND_HEAD.split(named, maxsplit=1)[0].strip(" ,")
    many = _PLURAL.search(head) is not None or " and " in head
    if _ONE.fullmatch(holder):
        return None if many or _SEVERAL.search(head) else named
    return named if _MANY.fullmatch(holder) and many else None
