"""What can be a term, and what its names are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.language.tables import read_table

__all__ = ["QUOTED", "is_no_term", "is_phrase", "names_of", "without_article", "without_the"]

QUOTED = re.compile(r"(?:[\"“”]|'')\s*([^\"“”]{1,90}?)\s*,?\s*(?:[\"“”]|'')")
"""Words in quotation marks."""

_DEFINITIONS = read_table("definitions")
# "by-law", "on-site check", "drive-by": a word at a hyphen is a part of the term.
_STARTS_NO_TERM = re.compile(rf"(?:{_DEFINITIONS.pattern('begins_no_term')})\b(?![-‐‑])", re.IGNORECASE)
_NO_TERM = re.compile(
    rf"(?:{_DEFINITIONS.pattern('no_terms')})$|.*(?<!-)\b(?:{_DEFINITIONS.pattern('not_inside_terms')})\b(?![-‐‑])",
    re.IGNORECASE,
)
_THE = re.compile(r"^[Tt]he\s+(?=[A-Z])")
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)


def is_no_term(words: str) -> bool:
    """Whether words can be no term: pronouns, and anything with a verb or a relative clause in it."""
    return _NO_TERM.match(words) is not None


def is_phrase(words: str) -> bool:
    """Whether words begin like an adverbial or a subordinate clause, not like a term."""
    return _STARTS_NO_TERM.match(words) is not None


def without_article(words: str) -> str:
    """The words without a leading article."""
    return _ARTICLE.sub("", words)


def without_the(words: str) -> str:
    """A quoted term without the article inside its quotation marks: "the Effective Date"."""
    return _THE.sub("", words)


def names_of(term: str, inner: Sequence[str], *, plural: bool) -> tuple[str, tuple[str, ...]]:
    """Term and aliases of "X or Y", of "X and Y" where the verb is in the plural, and of "X (also Y)".

    Args:
        term: as it stands before its verb, without article and parentheses.
        inner: what stood in parentheses behind it.
        plural: whether its verb is in the plural.
    """
    aliases = []
    for inside in inner:
        names = re.sub(r"^(?:also|hereafter|hereinafter|or|the)\s+(?:called\s+|the\s+)?", "", inside)
        if names != inside or names.isupper():
            aliases += re.split(r"\s+or\s+", names)
    parts = re.split(r"\s+or\s+", term)
    if len(parts) == 2:
        # "administrative or clerical tasks" share their noun: the first word alone is no name.
        shared = len(parts[0].split()) == 1 and len(parts[1].split()) > 1 and not parts[1][:1].isupper()
        if all(word[:1].isupper() for part in parts for word in part.split()):
            term, parts = parts[0], parts[1:]  # "Harbour Office or Office": two names, both told by their capitals
        aliases += parts[1:] if shared else parts
    elif plural and len(parts := re.split(r"\s+and\s+", term)) == 2:
        term, aliases = parts[0], [*parts[1:], *aliases]
    return term, tuple(dict.fromkeys(alias for alias in aliases if alias != term))
