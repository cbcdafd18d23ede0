"""The label of an item as the subject of its words of force: "Other suppliers: must be assessed every two years"."""

from __future__ import annotations

import re

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.norms.before.segments import Subject

__all__ = ["labelled"]

_I = re.IGNORECASE
# "Other suppliers: must be assessed": the label of an item is what its words of force are said of.
_LABEL = re.compile(r"[\W\d]*(?P<np>[A-Z][\w’'/&-]*(?:\s+[\w’'/&()-]+){0,5}?)[*_]*:[*_\s]*\Z")
_NO_LABEL = re.compile(
    r"(?:notes?|nb|important|caution|warning|example|exceptions?|conditions?|requirements?|rules?|\w+ing)", _I
)
_MOST_OF_LABEL = 80


def labelled(text: str, lo: int, clause: int, found: Subject) -> Subject:
    """A subject that is left out behind the label of its item: "Other suppliers: must be assessed every two years"."""
    if (
        found.role != "main"
        or found.start < found.end
        or clause - lo > _MOST_OF_LABEL
        or text.count(":", lo, clause) != 1
    ):
        return found
    label = _LABEL.match(text[lo:clause])
    if label is None or _NO_LABEL.fullmatch(label["np"]) or has_finite_verb(text, lo, clause):
        return found
    start = lo + label.start("np")
    return Subject(start, lo + label.end("np"), start, "main")
