"""Clauses inside of clauses: content clauses, and subordinate clauses whose verb is yet to come."""

from __future__ import annotations

import re

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.patterns.beginnings import quick
from coditect.language.tables import read_table

__all__ = ["find_content_clause", "find_open_subordinate", "follows_noun", "is_purpose", "last_match"]

_I = re.IGNORECASE
_CLAUSES, _LEADS = read_table("clauses"), read_table("lead_ins")
_OPENER = quick(
    rf"\b(?P<word>{_CLAUSES.pattern('openers')}|in\s+the\s+event(?=\s+(?:an?|any|the|all|either|it|they)\b))\b", _I
)
_COMPLEMENT = quick(
    rf"\b(?:{_LEADS.pattern('clause_takers')}|{_CLAUSES.pattern('content_predicates')})(?:\s+(?:to|with)\s+(?:the\s+|each\s+)?[A-Z]\w*(?:\s+[A-Z]\w*)?)?\s+that\s+",
    _I,
)
_NOUN_THAT = re.compile(r"\b(?:the|an?|any|all|each|such|no|those|or)\s+(?:[\w’'-]+\s+){0,3}[\w’'-]+\s+that\s*\Z", _I)
# "so that we may obtain payment": a purpose, and no duty or leave of anybody.
_PURPOSE = re.compile(r"\b(?:so|such|in\s+order)\s+that\s*\Z", _I)
_DOING = re.compile(r"\s+(?:\w+ly\s+)?[a-z]+ing\b")
_ADVERBIAL = ("where", "when", "if", "as")
# "where appropriate", "if any": a clause without a verb of its own.
_VERBLESS = re.compile(rf"\s*(?:(?!any\b)(?:{_CLAUSES.pattern('verbless')})|any(?=\s*[,;.)]|\s*\Z)|so\b)")
# A party does what such a verb says by saying it: it is the verb of its clause wherever it stands.
_PERFORMED = re.compile(r"(?:undertakes?|covenants?|promises?|warrants?|agrees?)\b", _I)
_STATES = frozenset(read_table("practices").words("states"))
_OF_PARTICIPLES = ("when", "while", "if", "once", "unless", "until", "where")
_ON_SUBJECTS = ("who", "which", "that")
_OF_THAT = re.compile(r"\b(?:for|of|on|to|with|by|from|at|under|during|within|before|after|about|against)\s+\Z", _I)
_PLAIN_VERB = re.compile(r"\s+(?:\w+ly\s+)?(?P<verb>[a-z]+)(?=[\s,])")
_PRONOUN_VERB = re.compile(r"\s+(?:you|we|they|I)\s+(?:\w+ly\s+)?(?P<verb>[a-z]+)(?=[\s,])")
_MOST_VERBLESS = 14
_LEXICAL_VERB = re.compile(
    rf"\s+(?:(?:\w+ly|otherwise|already|first|so)\s+)?(?:[a-z]{{2,}}(?:s|ed)|{read_table('verbs').pattern('irregular_pasts')})\b"
)


def last_match(pattern: re.Pattern[str], text: str, lo: int, hi: int) -> re.Match[str] | None:
    """The last match of a pattern in a stretch of text, or None."""
    matches = list(pattern.finditer(text, lo, hi))
    return matches[-1] if matches else None


def follows_noun(text: str, lo: int, hi: int) -> bool:
    """Whether a stretch ends with "that" behind a noun, so that a relative clause begins: "the service that"."""
    return _NOUN_THAT.search(text, lo, hi) is not None


def is_purpose(text: str, lo: int, hi: int) -> bool:
    """Whether a stretch ends with "so that" or "in order that", which begins a purpose."""
    return _PURPOSE.search(text, max(lo, hi - 24), hi) is not None


def find_content_clause(text: str, lo: int, hi: int, *, with_verb: bool = True) -> int | None:
    """Where the last clause begins that is the complement of another: "The principle is that, where ..., the bank".

    Args:
        text: the text.
        lo: first code point.
        hi: one past the last.
        with_verb: whether a finite verb must stand before it, outside of parentheses.
    """
    for match in reversed(list(_COMPLEMENT.finditer(text, lo, hi))):
        if (
            not with_verb
            or _PERFORMED.match(text, match.start(), match.end())
            or (has_finite_verb(text, lo, match.end()) and _is_outside(text, lo, match.start()))
        ):
            return match.end()
    return None


def find_open_subordinate(text: str, lo: int, hi: int) -> tuple[str, int] | None:
    """The last subordinate clause that has no finite verb yet, as its first word and where that ends.

    Args:
        text: the text.
        lo: where the clause around begins.
        hi: where its modal expression begins.
    """
    for match in reversed(_outside(text, lo, hi)):
        word = match["word"].lower()
        if word == "that" and _OF_THAT.search(text, lo, match.start()):
            continue  # "an election for that position is"
        if has_finite_verb(text, match.end(), hi) or _LEXICAL_VERB.match(text[match.end() : hi]):
            continue
        plain = _PLAIN_VERB.match(text, match.end(), hi)
        if word in _ON_SUBJECTS and plain is not None and (is_plain_verb(plain["verb"]) or plain["verb"] in _STATES):
            continue  # "employees who travel are"
        by = _PRONOUN_VERB.match(text, match.end(), hi) if word in ("that", "which", "whom") else None
        if by is not None and is_plain_verb(by["verb"]):
            continue  # "the content that you post shall": the relative clause has its verb
        if word in _OF_PARTICIPLES and _DOING.match(text, match.end(), hi):
            continue  # "When submitting a claim a receipt must be included": an adjunct without a verb of its own
        if word in _ADVERBIAL and _VERBLESS.match(text[match.end() : match.end() + _MOST_VERBLESS]):
            continue
        return word, match.end()
    return None


def _outside(text: str, lo: int, hi: int) -> list[re.Match[str]]:
    """The words that may begin a subordinate clause, outside of parentheses; in one pass."""
    found, depth, at = [], 0, lo
    for match in _OPENER.finditer(text, lo, hi):
        depth += text.count("(", at, match.start()) - text.count(")", at, match.start())
        at = match.start()
        if depth == 0:
            found.append(match)
    return found


def _is_outside(text: str, lo: int, at: int) -> bool:
    """Whether as many parentheses close as open before a place."""
    return text.count("(", lo, at) == text.count(")", lo, at)
