"""Rules of interpretation: "a reference to a person includes a firm", "a fee does not include tax"."""

from __future__ import annotations

import re

from coditect.language.definitions.marks import Definiendum
from coditect.language.definitions.terms import is_no_term, is_phrase, without_article
from coditect.language.tables import read_table
from coditect.schemas.tier1.data import DefinitionForm

__all__ = ["find_beside", "find_interpreted"]

_DEFINITIONS = read_table("definitions")
_REFERENCE = re.compile(
    r"\breferences?\s+to\s+(?:an?\s+|the\s+)?[\"“”'‘’]?(?P<term>[\w$%&-]+(?:\s+[\w$%&-]+){0,5}?)[\"“”'‘’]?"
    r"(?:\s+or\s+[\"“”'‘’](?P<or>[^\"“”'‘’]{1,60})[\"“”'‘’])?"
    r"(?P<verb>\s+(?:(?:shall|will)\s+)?(?:includes?|means?|(?:is|are|be)\s+(?:an?\s+)?references?\s+to|(?:is|are|be)\s+(?:construed|read)\s+as))\b",
    re.IGNORECASE,
)
# Only what opens its sentence, behind a number or a purpose, and what it leaves out: "does not include" says of no act.
_LEFT_OUT = re.compile(
    r"[\s\W\d]*(?:[Ff]or\s+(?:the\s+)?purposes?\s+of\s+[^,.;]{1,100},\s*)?(?P<term>(?:(?:The|the|An?|an?)\s+)?[A-Za-z][\w'’-]*(?:\s[\w'’-]+){0,5}?)"
    r"(?P<verb>\s+(?:does|do|shall)\s+not\s+include)\b"
)
# "A key document includes letters and forms, but does not include drafts": what belongs to it, and what does not.
_BOUNDED = re.compile(
    r"[\s\W\d]*(?:[Ff]or\s+(?:the\s+)?purposes?\s+of\s+[^,.;]{1,100},\s*)?(?:The|An?|the|an?)\s+(?P<term>[A-Za-z][\w'’-]*(?:\s[\w'’-]+){0,5}?)"
    r"(?P<verb>\s+includes?)\b(?=[^.;]{1,400}\bbut\s+(?:does\s+not\s+include|excludes)\b)"
)
_BESIDE = re.compile(
    r"\W*(?!(?:[Tt]he|[Aa]n?|[Ee]ach|[Tt]his|[Tt]hese|[Oo]ur|[Ii]t)\s)(?P<term>[A-Za-z][\w'’-]*(?:\s[\w'’-]+){0,5}?)(?P<verb>\s+(?:includes?|does\s+not\s+include))\s"
)
# "For the purposes of (1), an interim period is the period covering".
_FOR_PURPOSES = re.compile(
    r"[\s\W\d]*(?:[A-Z][\w.()]*\s+)?(?:[\w.()]*\d[\w.()]*\s+)?[Ff]or\s+(?:the\s+)?purposes?\s+of\s+[^,.;]{1,100},\s*(?:[Tt]he|[Aa]n?)\s+(?P<term>[A-Za-z][\w'’-]*(?:\s(?!is\b|are\b)[\w'’-]+){0,5}?)"
    r"(?P<verb>\s+(?:is|are))\s+(?=(?:the|an?|any|each)\s)"
)
_NO_TERM = re.compile(rf"(?:{_DEFINITIONS.pattern('begins_no_entry')})\b", re.IGNORECASE)


def find_beside(text: str, start: int, end: int) -> Definiendum | None:
    """The term of a line that stands among definitions: "keeper includes a warden"; arguments as in :func:`find_interpreted`."""
    match = _BESIDE.match(text, start, end)
    if match is None or is_no_term(match["term"]) or is_phrase(match["term"]) or _NO_TERM.match(match["term"]):
        return None
    form: DefinitionForm = "exclusion" if "not" in match["verb"] else "inclusion"
    return Definiendum(match.start("term"), match.end(), match["term"], (), 0.8, form)


def find_interpreted(text: str, start: int, end: int) -> Definiendum | None:
    """The term of a rule of interpretation.

    Args:
        text: the canonical text.
        start: the sentence's first code point.
        end: one past its last.

    Returns:
        The term with its verb (confidence 0.8), or None.
    """
    match = (
        _REFERENCE.search(text, start, end)
        or _BOUNDED.match(text, start, end)
        or _LEFT_OUT.match(text, start, end)
        or _FOR_PURPOSES.match(text, start, end)
    )
    if match is None:
        return None
    term = without_article(match["term"].strip())
    if is_no_term(term) or is_phrase(term) or _NO_TERM.match(term):
        return None
    aliases = (match["or"],) if "or" in match.re.groupindex and match["or"] else ()
    form: DefinitionForm = "meaning"
    if "not" in match["verb"]:
        form = "exclusion"
    elif match["verb"].rstrip().lower().endswith(("include", "includes")):
        form = "inclusion"
    return Definiendum(match.start("term"), match.end(), term, aliases, 0.8, form)
