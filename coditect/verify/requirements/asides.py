"""What a requirement says beside what it asks: explanations, examples, and what it is all for."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from coditect.language.tables import read_table, worded

__all__ = ["case_spans", "purpose_start", "restates_its_object", "without_asides"]

_SENTENCE_END = re.compile(r"(?<=[a-z)\]”\"]\.)\s+(?=[A-Z])")
_BINDS = re.compile(r"\b(?:must|shall|should)\b", re.IGNORECASE)
_EXPLAINS = re.compile(
    r"\b(?:may|might|can|could|examples?|e\.g\.|helps?\s+(?:to\s+)?(?:prevent|ensure|identify|reduce)|is\s+intended\s+to)\b",
    re.IGNORECASE,
)
_EXAMPLES = re.compile(r"\s*\((?:e\.g\.|for example|such as)[^()]*\)|,?\s*\bsuch as\b[^.;:]*(?=[.;]|$)", re.IGNORECASE)
_REFERENCES = re.compile(
    r",?\s*\b(?:(?:required|described|specified|set\s+forth|provided|referred\s+to)\s+(?:by|in|under)|under|of|pursuant\s+to)\s+"
    r"(?:(?:paragraphs?|sections?|§+|clauses?)\s*[\d(][\w.()§-]*|\d{2,3}\.\d+[\w.()-]*|this\s+(?:section|subpart|part|chapter|paragraph))"
    r"(?:\s+of\s+this\s+(?:section|subpart|part|chapter))?",
    re.IGNORECASE,
)
"""Where else in a regulation something stands, which no policy repeats: "required by paragraph (a) of this section"."""
_LAWS_OWN = re.compile(
    r"\s+(?:subject\s+to|imposed\s+by|applicable\s+under)\s+(?:the\s+act|this\s+(?:part|act|subpart|section|chapter|regulation))"
    r"(?:\s+(?:and|or)\s+(?:the\s+act|this\s+(?:part|act|subpart|section|chapter|regulation)))?",
    re.IGNORECASE,
)
"""A law's words for itself: "the requirements imposed by the Act and this part"."""
_RUNS_FROM = re.compile(
    r"(?<=years|onths|weeks|.days|hours)\s+(?:from|after|following)\s+the\s+(?:date|day|time)\b"
    r"(?:(?!,|\b(?:and|must|shall|should|will)\b)[^.;])*(?:,?\s+whichever\s+is\s+(?:the\s+)?(?:later|longer))?(?=[.;]|\Z)",
    re.IGNORECASE,
)
"""From when a length of time runs, behind its figure, as the last words; a house says it in its own words, or leaves it out."""
_OWN = re.compile(
    r"\s*\b(?:used|owned|operated|within|of|in)\s+(?:by\s+)?(?:the|an|its)\s+(?:organization|organisation|entity)\b(?!['’])",
    re.IGNORECASE,
)
"""Whose a thing is, which goes without saying in the papers of a house."""

_purposes = worded("acts", r"\b(?:«purposes»)\b")


@lru_cache(maxsize=4_096)
def without_asides(text: str) -> str:
    """The words of a requirement without its examples, references, and sentences that only explain.

    A sentence behind the first that binds nobody, and says what may be done, what would be an example, or what the thing helps
    with, asks nothing. Nor does the place of another provision.

    Args:
        text: without label and open parameters.
    """
    first, *others = _SENTENCE_END.split(text)
    kept = [first, *(each for each in others if _BINDS.search(each) or not _EXPLAINS.search(each))]
    plain = _EXAMPLES.sub("", " ".join(kept))
    for pattern in (_REFERENCES, _LAWS_OWN, _RUNS_FROM, _OWN):
        plain = pattern.sub("", plain)
    return plain


_CASES = re.compile(
    r"\A\W*for\s+(?:[^,;.]|(?<=\d),(?=\d{3}))*(?=,)|"
    r"\b(?:following|in\s+the\s+event\s+of|in\s+case\s+of|if|when|whenever|where|whose|who|which)\b[^,;.]*"
    r"(?:,\s*(?:(?:or|and)\s+)?(?:(?:is|are|was|were|has|have)\b|\w+ed\b(?!\s+\w+\s+(?:shall|must|will)\b))[^,;.]*)*",
    re.IGNORECASE,
)
"""In which case something is asked, or of which of its kind; a sentence that says it of all says no less."""


@lru_cache(maxsize=4_096)
def case_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where a requirement says in which case, or of which of their kind, something is asked: (start, end) in the text.

    Args:
        text: of a requirement.
    """
    return tuple(found.span() for found in _CASES.finditer(text))


def purpose_start(text: str) -> int:
    """Where the words begin that say what it is all for ("to ensure that …"); the length of the text where there are none.

    Args:
        text: of a requirement.
    """
    found = _purposes().search(text)
    return found.start() if found is not None and found.start() > 0 else len(text)


def restates_its_object(condition: str, named: str) -> bool:
    """Whether a condition says only that what is asked about is there: "if an incident is detected, it must be responded to".

    Args:
        condition: a sentence that begins with a condition.
        named: the noun that is asked about, as it stands in the sentence.
    """
    found = _there().match(condition)
    what = (found["what"] or found["what_of"]) if found is not None else ""
    return named.casefold() in what.casefold().split()


@cache
def _there() -> re.Pattern[str]:
    comes = read_table("acts").pattern("coming_about")
    label, what = r"\W*(?:\w{1,2}[.)]\s+)?", r"(?:an?\s+|any\s+|the\s+)?(?P<what{}>[\w/-]+(?:\s+[\w/-]+){{0,4}}?)"
    return re.compile(
        rf"{label}(?:(?:if|when|whenever|once)\s+{what.format('')}\s+(?:(?:is|are|was|were|has been|have been)\s+)?(?:{comes})\s*,"
        rf"|(?:in the event of|in case of|upon)\s+{what.format('_of')}\s*,)",
        re.IGNORECASE,
    )
