"""What a claim allows and a statement forbids outright, be it another one than that which the claim mostly rests on.

"Shared accounts may be used by administrators" has most of its words from who else may use them; that they "are prohibited" stands
in another statement. A prohibition without a condition or an exception, of which a claim has every word, refuses it, unless a
statement permits something by half of the words that the claim has beside the prohibition's: that may be the exception.
"""

from __future__ import annotations

from collections.abc import Iterator

from coditect.language.reading.binding import verb_of
from coditect.language.reading.conditions import Condition, find_conditions
from coditect.language.reading.sentence import SentenceReading, Token, read_sentence, split_sentences
from coditect.language.tables import read_table
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.alignment.matching import weight_of
from coditect.verify.alignment.pairs import AlignedPair, pair_with
from coditect.verify.contradictions.kinds import Contradiction, contradiction
from coditect.verify.contradictions.norms import Norm, norms_of

__all__ = ["find_forbidden"]

_EXERCISING = frozenset(read_table("modality").words("exercising"))
_EXCEPTIVE = ("unless", "despite")
_OTHERWISE = frozenset(read_table("negation").words("otherwise"))
_FEWEST = 2
_MOST = 60
"""Sentences of the evidence that are read."""


def find_forbidden(text: str, index: EvidenceIndex) -> Contradiction | None:
    """The first permission of a text that a statement of the evidence forbids outright.

    Args:
        text: one or a few sentences, as they are matched.
        index: the evidence.
    """
    for start, end in split_sentences(text):
        reading = read_sentence(text[start:end])
        allowed = [norm for norm in norms_of(reading) if norm.force == "may" and not norm.denies]
        if not allowed or any(token.negates for token in reading.tokens):
            continue
        for number in range(min(len(index.sentences), _MOST)):
            pair = pair_with(reading, start, index, number)
            for norm in _outright(pair):
                found = next((each for each in allowed if _is_same_act(pair, each, norm)), None)
                if found is not None and not _is_permitted_elsewhere(pair):
                    token, other = reading.tokens[found.cue], pair.evidence.tokens[norm.cue]
                    detail = (
                        f"the claim says “{token.low}” (may), and it is forbidden outright: “{_told(pair.evidence)}”"
                    )
                    return contradiction(pair, "negation", 1.0, token, other, detail)
    return None


def _outright(pair: AlignedPair) -> Iterator[Norm]:
    """The prohibitions of the evidence's sentence that depend on nothing that the claim has not, and count and except nothing."""
    reading = pair.evidence
    norms = [norm for norm in norms_of(reading) if norm.force == "shall not" and not norm.denies]
    if not norms or not all(_has_condition(pair, each) for each in find_conditions(reading)):
        return
    cues = {norm.cue for norm in norms}
    if not any(_limits(token) for n, token in enumerate(reading.tokens) if n and n not in cues):  # a label stands first
        yield from (norm for norm in norms if len(_of_act(reading, norm)) >= _FEWEST)


def _has_condition(pair: AlignedPair, condition: Condition) -> bool:
    """Whether the claim is of the case under which something is forbidden: "that are subject to a legal hold"."""
    return condition.key not in _EXCEPTIVE and bool(condition.body) and all(n in pair.back for n in condition.body)


def _limits(token: Token) -> bool:
    """Whether a word takes something out of a prohibition: "more than 20", "for other purposes", "before the audit", "only"."""
    is_limit = token.role in ("comparator", "order", "number", "quantifier")
    return is_limit or token.key == "only" or token.low in _OTHERWISE


def _of_act(reading: SentenceReading, norm: Norm) -> list[int]:
    """The words of substance of what is forbidden, labels before it left out."""
    return [n for n in norm.tokens if n != norm.cue and reading.tokens[n].role == "word" and not _is_label(reading, n)]


def _is_label(reading: SentenceReading, at: int) -> bool:
    return reading.tokens[at].low.isdigit() or len(reading.tokens[at].low) == 1


def _is_same_act(pair: AlignedPair, allowed: Norm, forbidden: Norm) -> bool:
    """Whether a claim has every word of what is forbidden in what it allows, and allows that very act."""
    words = _of_act(pair.evidence, forbidden)
    if not all(pair.back.get(n) in allowed.tokens for n in words):
        return False
    verb = verb_of(pair.claim, allowed.cue)
    if verb is None:
        return False
    behind = [n for n in words if n > forbidden.cue]
    if behind:
        return pair.forth.get(verb) in behind
    return pair.claim.tokens[verb].low in _EXERCISING


def _is_permitted_elsewhere(pair: AlignedPair) -> bool:
    """Whether a statement that permits or excepts something has half of the claim's words that the prohibition has not."""
    extra = {
        token.key
        for n, token in enumerate(pair.claim.tokens)
        if token.has_substance and n not in pair.forth and weight_of(token) >= 1.0 and token.low not in _EXERCISING
    }
    return bool(extra) and any(
        2 * len(extra & {token.key for token in sentence.reading.tokens}) >= len(extra) and _permits(sentence.reading)
        for sentence in pair.index.sentences[:_MOST]
        if sentence is not pair.source
    )


def _permits(reading: SentenceReading) -> bool:
    if any(token.role == "condition" and token.key in _EXCEPTIVE for token in reading.tokens):
        return True
    return any(norm.force in ("may", "free") for norm in norms_of(reading))


def _told(reading: SentenceReading) -> str:
    return " ".join(reading.text.split())[:160]
