"""Differences that a rule sees, and that the other side may make up for in words that no rule matches.

A rule compares a negation with a negation and a figure with a figure. "Nothing more than the first name" is "the first name only",
"no laptop before" is "all laptops, until". Where the other side limits or counts as well, by other means, the rule cannot tell
whether both come to the same: then its word is a doubt, and a reader who quotes the words may settle it. Where the other side has
nothing of the kind, nothing can make up for the difference, and the rule's word stands (ADR 121).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.reading.negation import is_negator
from coditect.language.reading.sentence import Token, read_sentence, split_sentences
from coditect.language.tables import read_table
from coditect.schemas import EvidenceSpan, Signal
from coditect.verify.contradictions.kinds import DOUBT
from coditect.verify.contradictions.places import speaks_of_itself
from coditect.verify.staged.comparison import HARD

__all__ = ["is_told_otherwise"]

_NEGATION = read_table("negation")
_WITHOUT_NEGATOR = frozenset((*_NEGATION.words("otherwise"), *_NEGATION.words("outlawing")))
_BEFORE_OUT = frozenset(_NEGATION.words("out"))
_COUNTING = frozenset(read_table("numbers").words("counting"))
_ANYBODY = frozenset(read_table("actors").words("anybody"))
_FIGURES = ("contradiction_number", "contradiction_duration")
_CONNECTIVES = ("and", "or")
_LEAVING_OPEN = frozenset(read_table("modality").words("leaving_open"))
_RECEIVING = frozenset(read_table("modality").words("receiving"))
_GIVING = frozenset(read_table("modality").words("giving"))
_CHOOSING = frozenset(read_table("modality").words("choosing"))
_DEMANDS = ("shall", "shall not")
_EXCEPTING = (("condition", "unless"), ("comparator", "more"), ("comparator", "at most"), ("order", "before"))
_UNTIL = ("until", "till", "but", "more")
_WORDS = re.compile(r"[A-Za-z]{2,}")
_NEAR = 4
"""Tokens from the beginning of a condition among which its subject stands, or behind a verb among which its particle does."""


def is_told_otherwise(signal: Signal, text: str, said: str, statements: Sequence[str]) -> bool:
    """Whether what a rule misses on one side may stand there in other words.

    Args:
        signal: what it found of the claim beside the statements.
        text: the claim.
        said: those of its words that the statements are quoted for.
        statements: whole.
    """
    if signal.name == "contradiction_reference":
        return _is_named_by_itself(text[signal.claim_start : signal.claim_end], statements)
    if signal.weight >= HARD:
        return False
    if signal.name in _FIGURES:
        return signal.weight <= DOUBT and (bool(signal.evidence) or _has(statements, _counts))
    if signal.name == "contradiction_modality":
        return _is_advised(signal, text, statements) or (
            signal.weight <= DOUBT
            and (
                _is_plainly_said(signal, said, statements)
                or _is_left_to_choice(signal, text, said, statements)
                or _is_expected(text[signal.claim_start :], signal, statements)
            )
        )
    if signal.name == "contradiction_negation":
        if signal.claim_start == signal.claim_end:
            return _has((said,), _limits, statements) or _stays_out(said)
        return _denies_twice(said) or _has(tuple(_beside(signal, statements)), _limits, (said,))
    if signal.name == "contradiction_quantifier":
        return _is_limited_too(text[signal.claim_start : signal.claim_end], said, statements)
    return signal.name == "contradiction_condition" and _is_of_anybody(text[signal.claim_start :])


def _is_named_by_itself(word: str, statements: Sequence[str]) -> bool:
    """Whether statements speak of their own document as "this part", which the claim may call by its name; a number is no name."""
    return not any(map(str.isdigit, word)) and any(map(speaks_of_itself, statements))


def _is_plainly_said(signal: Signal, said: str, statements: Sequence[str]) -> bool:
    """Whether a claim says as a fact what statements demand or forbid, without a word that leaves it open: "is switched off"."""
    asked = (token for text in _beside(signal, statements) for token in _tokens(text) if token.role == "modal")
    is_open = any(token.role == "modal" or token.low in _LEAVING_OPEN for token in _tokens(said))
    return not is_open and any(token.key in _DEMANDS for token in asked)


def _is_left_to_choice(signal: Signal, text: str, said: str, statements: Sequence[str]) -> bool:
    """Whether a claim leaves to somebody's choice what statements allow, and demands nothing: "voters decide for themselves"."""
    allowed = any(token.key == "may" for each in _beside(signal, statements) for token in _tokens(each))
    instead = text[signal.claim_start : signal.claim_end]
    is_demanded = any(token.role == "modal" for each in (instead, said) for token in _tokens(each))
    return allowed and not is_demanded and any(token.low in _CHOOSING for token in _tokens(instead))


def _is_advised(signal: Signal, text: str, statements: Sequence[str]) -> bool:
    """Whether a claim recommends what statements tell their reader to do in the plain form of a verb, of which no word says how
    far it binds.
    """
    is_advice = any(
        (token.role, token.key) == ("modal", "recommended") and start + token.start == signal.claim_start
        for start, end in split_sentences(text)
        for token in read_sentence(text[start:end]).tokens
    )
    return is_advice and any(_is_imperative(statements[each.quote], each) for each in signal.evidence)


def _is_imperative(statement: str, place: EvidenceSpan) -> bool:
    """Whether a sentence begins with a verb in its plain form, behind a label or adverbs at most: "Contractually require"."""
    start = next((start for start, end in split_sentences(statement) if start <= place.char_start < end), 0)
    before = _WORDS.findall(statement[start : place.char_start])
    verb = statement[place.char_start : place.char_end].strip()
    return is_plain_verb(verb) and all(word.endswith("ly") for word in before)


def _is_expected(claim: str, signal: Signal, statements: Sequence[str]) -> bool:
    """Whether a claim tells who is given something what to expect: "you should have an answer", "they must respond to you"."""
    behind = [token.low for token in _tokens(claim)][:_NEAR]
    is_given = any(token.low in _GIVING for each in _beside(signal, statements) for token in _tokens(each))
    return is_given and "should" in behind[:1] and any(word in _RECEIVING for word in behind[1:])


def _stays_out(said: str) -> bool:
    """Whether words deny by a verb and "out": "has to sit that vote out"."""
    low = [token.low for token in _tokens(said)]
    return any(word in _BEFORE_OUT and "out" in low[n + 1 : n + 1 + _NEAR] for n, word in enumerate(low))


def _denies_twice(said: str) -> bool:
    """Whether words deny what is not done in time, or not so: "no laptop before it is encrypted" demands something."""
    tokens = tuple(_tokens(said))
    denied = next((n for n, token in enumerate(tokens) if token.negates), len(tokens))
    return any(_excepts(token) for token in tokens[denied + 1 :])


def _excepts(token: Token) -> bool:
    return (token.role, token.key) in _EXCEPTING or token.low in _UNTIL


def _is_limited_too(word: str, said: str, statements: Sequence[str]) -> bool:
    """Whether statements limit by other words what a claim limits by "only", or exclude each of what it excludes by "or"."""
    if word.casefold() in _CONNECTIVES:
        return _has((said,), _limits) and _has(statements, _limits, (said,))
    is_limit = any(token.key == "only" for token in read_sentence(word).tokens)
    return is_limit and _has(statements, _limits, (said,))


def _is_of_anybody(text: str) -> bool:
    """Whether a condition only tells of whom it is: "if someone leaves it idle" for "that is left idle"."""
    tokens = read_sentence(text).tokens[:_NEAR]
    is_condition = bool(tokens) and (tokens[0].role, tokens[0].key) in (("condition", "if"), ("condition", "when"))
    return is_condition and any(token.low in _ANYBODY for token in tokens)


def _beside(signal: Signal, statements: Sequence[str]) -> Iterator[str]:
    """The sentences of statements that a signal was found in."""
    for each in signal.evidence:
        statement = statements[each.quote]
        for start, end in split_sentences(statement):
            if start <= each.char_start < end:
                yield statement[start:end]


def _has(texts: Iterable[str], test: Callable[[Token], bool], others: Iterable[str] = ()) -> bool:
    """Whether texts have a word that passes a test, and that others do not have as well."""
    known = {token.low for text in others for token in _tokens(text)}
    return any(test(token) and token.low not in known for text in texts for token in _tokens(text))


def _tokens(text: str) -> Iterator[Token]:
    return (token for start, end in split_sentences(text) for token in read_sentence(text[start:end]).tokens)


def _counts(token: Token) -> bool:
    """Whether a token is a figure, or a word that tells one."""
    return token.role == "number" or token.low in _COUNTING


def _limits(token: Token) -> bool:
    """Whether a token denies, or limits what is said without denying it."""
    if token.negates or (token.role, token.key) in (("modal", "free"), ("condition", "unless"), ("quantifier", "only")):
        return True
    if token.role in ("comparator", "order") or token.low in _WITHOUT_NEGATOR:
        return True
    return token.role == "word" and is_negator(token.low, approximate=True, implicit=True, excluding=True)
