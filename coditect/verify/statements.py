"""The checks of a requirement: it keeps the substance, the conditions, the negations and the strength of its quote."""

from __future__ import annotations

import re

from coditect.language.matched import as_matched
from coditect.language.reading.negation import NEGATION
from coditect.language.terms import terms
from coditect.schemas import Signal
from coditect.verify.checks import Case, Quote, named, plain, signal

__all__ = ["assertion", "stands", "statement"]

QUALIFIER_DROPPED = 0.4
NEGATION_CHANGED = 0.8
MODALITY_CHANGED = 0.6

_QUALIFIER = re.compile(
    r"\b(?:unless|except|provided that|provided, however|subject to|if|only when|only if|other than|to the extent|in the event)\b",
    re.IGNORECASE,
)
_MANDATORY = re.compile(r"\b(?:shall|must|(?:is|are) required to|agrees? to|undertakes? to)\b", re.IGNORECASE)
_OPTIONAL = re.compile(r"\b(?:may|should|can|(?:is|are) (?:allowed|permitted) to)\b", re.IGNORECASE)
_PERIOD_END = re.compile(r"[;:]\s")


def statement(case: Case) -> list[Signal]:
    """A requirement keeps the substance, the conditions, the negations and the strength of its quote."""
    said, source = as_matched(assertion(case)[1]), " ".join(as_matched(case.quotes[0].text).split())
    ours, whole = plain(said), plain(source)
    have = frozenset(terms(source))
    strange = [term for term in terms(said) if term not in have]
    share = len(strange) / max(len(terms(said)), 1)
    kept = {m.group() for m in _QUALIFIER.finditer(ours)}
    dropped = [m.group().casefold() for m in _QUALIFIER.finditer(source) if m.group().casefold() not in kept]
    return [
        signal(
            "contained",
            not strange,
            f"not in the evidence: {', '.join(strange[:5])}",
            round(min(1.0, 0.4 + 2 * share), 4),
        ),
        signal(
            "qualified",
            not dropped,
            f"a condition or exception is left out: {', '.join(dict.fromkeys(dropped))}",
            QUALIFIER_DROPPED,
        ),
        signal("negation", not _turned(ours, whole), "a negation was dropped or added", NEGATION_CHANGED),
        signal("modality", _as_strong(said, source), "the claim does not bind as its source does", MODALITY_CHANGED),
    ]


def assertion(case: Case) -> tuple[int, str]:
    """What a claim says itself, and where that begins in it.

    Without the name of its document and the marks of quotation around the whole; names of documents inside it are blanked, so
    that places keep.
    """
    text, start = case.claim.text, 0
    for name in (f"{quote.name}: " for quote in case.quotes[:1]):
        if text.startswith(name):
            start = len(name)
    if text[start : start + 1] == "“" and text.count("“") == 1:
        start += 1
        text = text.rstrip(" …”")
    for name in named(text[start:], case.names):
        text = text[:start] + text[start:].replace(name, " " * len(name))
    return start, text[start:]


def stands(said: str, quote: Quote) -> bool:
    """Whether words stand in a quote, in one piece; white space, case and forms of quotation marks aside."""
    return bool(said.strip()) and plain(said) in plain(quote.text)


def _turned(said: str, source: str) -> bool:
    """Whether a negation went or came; of a part of the source, whether one stands before it in the same clause."""
    at = source.find(said)
    if at < 0:
        return len(NEGATION.findall(said)) != len(NEGATION.findall(source))
    before = source[:at]
    cut = max((match.end() for match in _PERIOD_END.finditer(before)), default=0)
    return NEGATION.search(before[cut:]) is not None


def _as_strong(said: str, source: str) -> bool:
    """What binds in the claim binds in the source, and what is only allowed there is not made a duty, nor the reverse."""
    binds, allows = (bool(pattern.search(said)) for pattern in (_MANDATORY, _OPTIONAL))
    source_binds, source_allows = (bool(pattern.search(source)) for pattern in (_MANDATORY, _OPTIONAL))
    return binds <= source_binds and allows <= source_allows and (binds or not source_binds or allows)
