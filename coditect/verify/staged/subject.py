"""A subject with somebody else's predicate: every word stands in the evidence, but nobody says that of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coditect.language.norms.modality import find_cues
from coditect.language.tables import read_table
from coditect.language.terms import terms
from coditect.schemas import EvidenceSpan, Signal

__all__ = ["foreign_subject"]

_PASSIVE = re.compile(r"\W*(?:\w+ly\s+)?(?:not\s+)?be\b", re.IGNORECASE)
_PRONOUN = re.compile(
    r"(?:\W*(?:it|they|he|she|we|you|this|these|those|such|each|both|neither|either|nothing)\b)", re.I
)
_LABEL = re.compile(r"^\W*(?:\(?[a-z\d]{1,4}[).]|\d+(?:\.\d+)*[.)]?)\s+", re.I)
_EARLIER = re.compile(r".*[,;:]\s", re.DOTALL)
_CONDITIONAL = re.compile(r"\W*(?:only\s+)?(?:if|where|when|unless|until|on|upon|in|after|before)\b", re.IGNORECASE)
"""What a condition or an adjunct in front begins with: no subject stands there."""
_EXCEPTION = re.compile(r"\b(?:unless|except|excepting|save|other than|apart from)\b", re.IGNORECASE)
_ONLY = frozenset(terms("only"))
_GENERIC = frozenset(each for word in read_table("actors").words("generic") for each in terms(word))
_NEARLY_ALL = 0.8
_FEWEST = 3
_MUCH = 0.6
"""Share of a predicate that the evidence must have of the claim's subject for the subject to be no stranger."""
_READ = 600
_MOST = 4


@dataclass(frozen=True, slots=True)
class _Duty:
    """What stands around a binding word of the evidence.

    Attributes:
        quote: index of the quote that it stands in.
        end: where what stands before it ends, a code point of the quote.
        open: whether a pronoun stands for its subject.
        passive: whether something is done to its subject.
        subject: terms before it.
        predicate: terms behind it.
    """

    quote: int
    end: int
    open: bool
    passive: bool
    subject: frozenset[str]
    predicate: frozenset[str]


def _duties(number: int, quote: str) -> Iterator[_Duty]:
    """What stands around the first :data:`_MOST` binding words among the first :data:`_READ` code points of a quote."""
    read = quote[:_READ]
    for cue in find_cues(read, 0, len(read))[:_MOST]:
        before = read[: cue.start]
        pronoun = _PRONOUN.match(_LABEL.sub("", before)) or _PRONOUN.match(_clause(before))
        yield _Duty(
            number,
            cue.start,
            pronoun is not None,
            _PASSIVE.match(read, cue.end) is not None,
            frozenset(terms(before)),
            frozenset(terms(read[cue.end :])),
        )


def _clause(before: str) -> str:
    """What stands behind the last comma."""
    return re.split(r"[,;:]\s", before)[-1]


def foreign_subject(text: str, quotes: Sequence[str], weight: float, offset: int = 0) -> Signal | None:
    """Where the evidence that has the claim's predicate has it of somebody else.

    Args:
        text: one sentence; what comes behind its first binding word is its predicate.
        quotes: the evidence.
        weight: how much the signal takes off the score, 0..1.
        offset: where the text begins in the claim.
    Returns:
        None where nothing is wrong, or where it cannot be told: no binding word, a short predicate, a pronoun on either side.
    """
    cues = find_cues(text, 0, min(len(text), _READ))
    if not cues:
        return None
    cue = cues[0]
    begin = _EARLIER.match(text, 0, cue.start)
    start = begin.end() if begin else 0
    ours, theirs = (
        frozenset(terms(text[start : cue.start])),
        frozenset(terms(text[cue.end : cue.end + _READ])),
    )
    if (
        _CONDITIONAL.match(text[start : cue.start])
        or ours <= _GENERIC
        or len(theirs) < _FEWEST
        or _PRONOUN.match(text[start : cue.start])
    ):
        return None
    passive = _PASSIVE.match(text, cue.end) is not None
    duties = [duty for number, quote in enumerate(quotes) for duty in _duties(number, quote) if duty.passive == passive]
    held = [(len(theirs & duty.predicate) / len(theirs), duty) for duty in duties]
    share = max((each for each, _ in held), default=0.0)
    near = [duty for each, duty in held if each >= max(_NEARLY_ALL, share - 0.1)]
    own = (duty for each, duty in held if each >= min(_MUCH, share))
    if not near or any(duty.open for duty in near) or any(ours & duty.subject for duty in own):
        return None
    best = next(duty for each, duty in held if each == share)
    if _is_excepted(ours, quotes[best.quote][best.end : _READ]):
        return None
    said = " ".join(text[start : cue.start].split())
    return Signal(
        name="contradiction_role",
        passed=False,
        detail=f"the evidence says this, but not of “{said[:80]}”",
        weight=weight,
        claim_start=offset + start,
        claim_end=offset + cue.start,
        evidence=(EvidenceSpan(quote=best.quote, char_start=0, char_end=best.end),),
    )


def _is_excepted(ours: frozenset[str], predicate: str) -> bool:
    """Whether the subject is what alone a predicate takes out: "only gifts may" for "must not, unless it is a gift"."""
    found = _EXCEPTION.search(predicate)
    own = ours - _ONLY
    return own != ours and found is not None and own <= frozenset(terms(predicate[found.end() :]))
