"""Verb forms that make a statement, as far as closed lists tell them."""

from __future__ import annotations

import re

from coditect.language.tables import read_table

__all__ = ["FINITE", "has_finite_verb"]

_VERBS = read_table("verbs")

_AUXILIARY = re.compile(
    rf"\b(?:{_VERBS.pattern('modal_auxiliaries')}|need\s+not|{_VERBS.pattern('primary_auxiliaries')})\b"
)
# Forms that are verbs wherever they stand behind a noun phrase; "records", "reports", "requests" and their like are not here.
_LEXICAL = re.compile(rf"\b(?:{_VERBS.pattern('finite_forms')})\b")
FINITE = re.compile(f"{_AUXILIARY.pattern}|{_LEXICAL.pattern}")
"""A finite verb form behind a noun phrase."""


def has_finite_verb(text: str, start: int, end: int) -> bool:
    """Whether a stretch of text holds a verb form that makes a statement, as far as closed lists tell."""
    return FINITE.search(text, start, end) is not None
