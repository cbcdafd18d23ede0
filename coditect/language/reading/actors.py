"""Who acts in a clause and who is acted upon, by the nouns and names around its verb."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.reading.stems import GENERIC_NAMES

__all__ = ["VerbParticipants", "find_agency", "is_coordinated", "is_label", "is_passive", "names_of"]

_PREPOSITIONS = frozenset(
    ("of", "to", "for", "from", "with", "against", "between", "on", "in", "at", "under", "into", "than", "about", "per")
)
_RELATIVE = ("which", "that", "who", "whom")
_PRONOUNS = ("it", "he", "she", "they")
_BE = ("be", "been", "being")
_ARTICLES = ("a", "an", "the", "its", "their")
_REACH = 12


class VerbParticipants(NamedTuple):
    """Who does what a verb says, and to whom.

    Attributes:
        acting: keys of who acts.
        acted_upon: keys of who is acted upon, of a passive verb.
        at: token index of the first of them, or of the binding expression where there is none.
    """

    acting: frozenset[str]
    acted_upon: frozenset[str]
    at: int


def find_agency(reading: SentenceReading, modal: int, verb: int) -> VerbParticipants:
    """Who acts in the clause of a verb.

    Args:
        reading: the sentence.
        modal: token index of the binding expression that governs the verb.
        verb: token index of the verb.
    """
    tokens = reading.tokens
    subject = _subject(reading, modal)
    at = subject[0] if subject else modal
    names = frozenset(tokens[n].key for n in subject)
    passive = is_passive(tokens, modal, verb)
    return (
        VerbParticipants(_behind_by(tokens, verb), names, at) if passive else VerbParticipants(names, frozenset(), at)
    )


def is_passive(tokens: Sequence[Token], modal: int, verb: int) -> bool:
    """Whether something is done to the subject: a form of "to be" leads to the verb, and not to a noun with its article.

    Args:
        tokens: of the sentence.
        modal: index of the binding expression that governs the verb.
        verb: index of the verb.
    """
    at = modal if tokens[modal].low.split()[-1] in _BE else None
    at = next((n for n in range(modal + 1, verb) if tokens[n].low in _BE), at)
    return at is not None and not any(token.low in _ARTICLES for token in tokens[at + 1 : verb])


def is_label(token: Token) -> bool:
    """Whether a word is a single letter, which labels something and neither acts nor is a name: "(c)", "form F-7", "Part B"."""
    return len(token.low) == 1


def names_of(reading: SentenceReading) -> frozenset[str]:
    """Keys of the capitalised words, those that name nothing by themselves left out; none where capitals prove nothing."""
    if reading.in_capitals:
        return frozenset()
    return frozenset(
        token.key
        for token in reading.tokens
        if token.role == "word"
        and reading.text[token.start].isupper()
        and token.key not in GENERIC_NAMES
        and not is_label(token)
    )


def is_coordinated(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word is one of two that "and" or "or" join, so that their order says nothing."""
    return any(token.low in ("and", "or") for token in (*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2]))


def _behind_by(tokens: Sequence[Token], verb: int) -> frozenset[str]:
    """The actors behind "by" in the clause of a passive verb."""
    for n in range(verb + 1, min(len(tokens), verb + _REACH)):
        if tokens[n].role == "by":
            found = set()
            for token in tokens[n + 1 : n + 6]:
                if token.actor or token.proper:
                    found.add(token.key)
                elif token.role not in ("function", "quantifier") or token.low in _PREPOSITIONS:
                    break
            return frozenset(found)
        if tokens[n].role in ("modal", "condition") or tokens[n].clause != tokens[verb].clause:
            break
    return frozenset()


def _subject(reading: SentenceReading, modal: int) -> list[int]:
    """The actors in the noun phrase before a binding expression, those behind a preposition left out."""
    tokens = reading.tokens
    found: list[int] = []
    for n in range(modal - 1, max(-1, modal - _REACH), -1):
        token = tokens[n]
        if token.role in ("modal", "condition", "order") or token.clause != tokens[modal].clause:
            break
        if token.role == "by" or (token.role == "function" and token.low in (*_PREPOSITIONS, *_RELATIVE)):
            found = []  # they stand inside of a phrase or a clause that says more of the subject
            continue
        if token.low in _PRONOUNS and not found:
            return []  # whom it stands for, the clause does not tell
        whole = bool(found) and tokens[found[-1]].actor and not is_coordinated(tokens, found[-1])
        named = not whole and _is_named(reading, n, found[-1] if found else modal)
        if not token.aside and (_acts(tokens, n) or named):
            found.append(n)
        if token.comma and found:
            break
    return found[::-1]


def _acts(tokens: Sequence[Token], at: int) -> bool:
    """Whether an actor's noun stands for itself, and not before another: a "Company Default" does not act."""
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    return tokens[at].actor and not (behind and behind.role == "word" and behind.proper and not behind.actor)


def _is_named(reading: SentenceReading, at: int, next_at: int) -> bool:
    """Whether a word is part of a name that acts: capitalised, right before the verb or the rest of the name."""
    token = reading.tokens[at]
    if token.role != "word" or not reading.text[token.start].isupper() or reading.in_capitals or is_label(token):
        return False
    return at == next_at - 1 or (at == next_at - 2 and reading.tokens[at + 1].low in ("and", "or"))
