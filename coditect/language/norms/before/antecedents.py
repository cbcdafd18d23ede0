"""Whom a relative clause behind a comma is about: "the request to the authority, which shall decide" is about the authority."""

from __future__ import annotations

from dataclasses import replace

from coditect.language.norms.actors.agents import is_agent
from coditect.language.norms.before.segments import Subject
from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = ["nearest_agent"]

_LAST = deferred(
    r".*\s(?:to|by|with|from|before)\s+(?P<np>(?:the|an?|its|their|each|any)\s+(?:[\w’'-]+\s+){0,3}?[\w’'-]+)"
)
_WHICH = deferred(r",\s+(?:which|who)\s+(?:shall|must)\s+(?P<verb>[a-z]+)\b")
_OF_THINGS = frozenset(read_table("effects").words("possibilities")) | frozenset(
    (
        "be",
        "have",
        "include",
        "contain",
        "state",
        "specify",
        "describe",
        "identify",
        "set",
        "list",
        "exceed",
        "bear",
        "comply",
        "apply",
    )
)


def nearest_agent(text: str, subject: Subject, names: frozenset[str]) -> Subject:
    """The subject of a relative clause, made who stands last in it where the thing in front of it can do no such act.

    Args:
        text: the text.
        subject: as it was found.
        names: words that the document writes with a capital wherever they stand.
    """
    which = _WHICH.match(text, subject.end) if subject.role == "relative" else None
    if which is None or which["verb"] in _OF_THINGS or not is_plain_verb(which["verb"]):
        return subject
    name = text[subject.start : subject.end]
    last = _LAST.fullmatch(name)
    if last is None or is_agent(name, opens=False, names=names) or not is_agent(last["np"], opens=False, names=names):
        return subject
    return replace(subject, start=subject.start + last.start("np"))
