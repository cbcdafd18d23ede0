"""Priors of sentences in a text that is spoken: a meeting, a hearing, a call written down.

Most of what people say to each other keeps the talk going. Sentences that inform are built like written ones: nouns joined by
articles and prepositions, few pronouns and fillers (Biber 1988; Heylighen and Dewaele 2002), and they use the words that the talk
comes back to. What opens it says what it is about, and so does who announces what comes up ("the next item is the report").
How far a text is speech, its own sentences say: the share of those in which a speaker names himself, greets, thanks or hesitates.
Texts that nobody speaks have none, so what is selected of rules does not change. Measured by
``benchmarks/coditect_benchmarks/calls.py`` (ADR 131).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import exp, log

from coditect.language.matched import as_matched
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = ["speech_share", "spoken_weights"]

_FIRST, _FULL = 0.1, 0.2
"""Share of sentences with a speaker in them from which a text is speech to some part, and wholly. Seen: contracts, policies and
regulations 0 to 0.04, a handbook that ends with a form to sign 0.11, meetings and debates 0.1 to 0.9, edited calls 0 to 0.2."""

_FEWEST = 20
"""Sentences of more than three words under which a text is too short to tell."""

_SHORT = 8
"""Words under which a sentence of a talk is an answer, a call or a beginning that was broken off."""

_BROKEN = 0.05
"""What such a sentence keeps of its weight; a question as well."""

_BUILT = (0.1, 7.5)
_CORE = (0.2, 9.4)
"""From where, and how much in the exponent for each unit, a sentence's build and its share of the talk's words count."""

_MOST = 2.5
"""The exponent is cut here, so that no sentence weighs more than twelve times what another does for how it is built."""

_OPENING = 8.0
"""By how much more the first sentence of the text weighs; the second by half of it, the third by a third."""

_ANNOUNCED = 4.0
"""By how much more a sentence weighs that announces what the talk comes to."""

_TABLE = read_table("speech")
_JOINING, _POINTING, _FILLING, _GREETING, _SELF, _NUMBERED = (
    frozenset(_TABLE.words(name)) for name in ("joining", "pointing", "filling", "greeting", "self", "numbered")
)
_ORDERS, _MATTERS, _AIMS, _TALKS, _GOING, _TURNING = (
    _TABLE.pattern(name) for name in ("orders", "matters", "aims", "talks", "going", "turning")
)
_ANNOUNCING = deferred(
    rf"\b(?:(?:{_ORDERS}) (?:{_MATTERS})\b(?: on (?:the|our|today's) agenda)?(?: \w+){{0,2}} (?:is|are|concerns?|deals?)"
    r"|(?:on|of) (?:the|our|today's) agenda"
    rf"|(?:the|our|today's) (?:agenda|topic|subject|{_TALKS}) (?:\w+ ){{0,3}}(?:is|are|concerns?)"
    rf"|(?:{_AIMS}) of (?:this|the|our|today's) (?:{_TALKS})"
    rf"|(?:we|i)(?:'\w+)? (?:(?:{_GOING}) ){{1,5}}(?:{_TURNING})"
    r"|(?:the|a|joint) (?:joint )?debate on)\b",
    re.IGNORECASE,
)
_MARKS = '.,;:?!"()[]“”'
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u02bc": "'"})


def speech_share(sentences: Sequence[str]) -> float:
    """How far a text is speech, 0 (none of it) to 1.

    Args:
        sentences: the text's; those of three words and fewer (headings, cells, "Yes.") do not count. Of fewer than twenty others
            nothing is told: 0.
    """
    spoken = counted = 0
    for sentence in sentences:
        tokens = _tokens(sentence)
        if len(tokens) > 3:
            counted += 1
            spoken += _has_speaker(tokens)
    share = spoken / counted if counted >= _FEWEST else 0.0
    return min(1.0, max(0.0, (share - _FIRST) / (_FULL - _FIRST)))


def spoken_weights(sentences: Sequence[str], terms: Sequence[Sequence[str]]) -> list[float]:
    """What the prior of each sentence of a text is multiplied with because the text is spoken.

    Args:
        sentences: all of the text's, in its order.
        terms: the :func:`~coditect.language.terms.terms` of each.

    Returns:
        As many, > 0; 1 for every sentence of a text that is no speech (:func:`speech_share`).
    """
    speech = speech_share(sentences)
    if not speech:
        return [1.0] * len(sentences)
    held_by = Counter(term for own in terms for term in set(own))
    most = log(1 + max(held_by.values(), default=1))
    weights = []
    for n, (sentence, own) in enumerate(zip(sentences, terms, strict=True)):
        tokens = [token.strip(_MARKS) for token in _tokens(sentence.casefold())]
        core = (
            sum(log(1 + held_by[term]) for term in sorted(set(own)) if held_by[term] > 1)
            / most
            / max(_SHORT, len(tokens))
        )
        told = _BUILT[1] * (_build(tokens) - _BUILT[0]) + _CORE[1] * (core - _CORE[0])
        weight = exp(min(_MOST, max(-_MOST, told))) * (1.0 + _OPENING / (1 + n))
        if sentence.rstrip().endswith("?") or (len(tokens) < _SHORT and not (n == 0 and _is_title(sentence))):
            weight *= _BROKEN
        if _ANNOUNCING.search(" ".join(_tokens(sentence))):
            weight *= _ANNOUNCED
        weights.append(weight**speech)
    return weights


def _tokens(sentence: str) -> list[str]:
    return as_matched(sentence).translate(_APOSTROPHES).split()


def _is_title(sentence: str) -> bool:
    """Whether the line that opens a text is its title: two words or more that do not end as a sentence does."""
    words = sentence.strip()
    return " " in words and words[-1] not in ".!?:;,…"


def _has_speaker(tokens: Sequence[str]) -> bool:
    """Whether a sentence has a speaker in it; "Annex I applies" has none."""
    for n, token in enumerate(tokens):
        if token == "I":  # noqa: S105 - a pronoun
            before = tokens[n - 1].casefold().strip(_MARKS) if n else ""
            if before not in _NUMBERED and n + 1 < len(tokens) and tokens[n + 1][0].islower():
                return True
        elif (word := token.strip(_MARKS).casefold()) in _GREETING or word in _SELF:
            return True
    return False


def _build(tokens: Sequence[str]) -> float:
    """Words that join nouns less those that point and fill, as a share of all, -1 to 1."""
    joining = sum(token in _JOINING for token in tokens)
    other = sum(token in _POINTING or token in _FILLING for token in tokens)
    return (joining - other) / max(1, len(tokens))
