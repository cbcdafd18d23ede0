"""Acts that a paper gives to somebody without a verb of force: "Action: L. Brandt to update the letter by 15 December".

A name and an infinitive are a whole sentence in minutes and lists of actions. By when it is due, or the word "Action" in front,
tells it from a title ("Committee to meet in spring").
"""

from __future__ import annotations

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.norms.actors.agents import is_agent
from coditect.language.norms.cues import Cue
from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.norms.limits.adjuncts import divide
from coditect.language.norms.subjects import Subject
from coditect.language.patterns.deferred import deferred

__all__ = ["find_assigned"]

_ASSIGNED = deferred(
    r"[\W\d]*(?P<action>Actions?(?:\s+(?:item|point))?\s*[:–—-]\s*)?(?P<who>(?:[Tt]he\s+)?(?:[A-Z]\.\s?){0,2}[A-Z][\w’'-]*(?:\s+(?:and|of|the|[A-Z&][\w’'-]*)){0,6})"
    r"\s+(?P<to>to)\s+(?P<verb>[a-z]+)\s"
)
_PERSON = deferred(r"(?:[A-Z]\.\s?){1,2}[A-Z][\w’'-]+")


def find_assigned(text: str, start: int, end: int, names: frozenset[str] = frozenset()) -> tuple[Cue, Subject] | None:
    """The duty that a sentence gives to somebody by an infinitive, as its cue ("to") and its subject; None for any other.

    Args:
        text: the text.
        start: first code point of the sentence.
        end: one past its last.
        names: words that the document writes with a capital wherever they stand.
    """
    found = _ASSIGNED.match(text, start, end)
    if found is None or not is_plain_verb(found["verb"]):
        return None
    who = found["who"]
    if not (_PERSON.fullmatch(who) or is_agent(who, opens=True, names=names)):
        return None
    pieces, limits = divide(text, found.end("to"), end, denied=False)
    due = any(each.kind == "deadline" for each in limits)
    if not (found["action"] or due) or any(has_finite_verb(text, *piece) for piece in pieces):
        return None
    cue = Cue(found.start("to"), found.end("to"), "obligation", "to", "mandatory", 0.65)
    return cue, Subject(*found.span("who"), found.start("who"), "main")
