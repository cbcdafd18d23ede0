"""Contradictions in how far a clause binds: shall, may, should, need not, must not, in whatever words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from coditect.verify.contradictions.alignment import Pair
from coditect.verify.contradictions.kinds import Contradiction, Kind
from coditect.verify.contradictions.reading import Reading, Token

__all__ = ["find_lost_modality", "find_modality", "governing", "says_only"]

_BACK = 22
_NEEDED = re.compile(r"\b(?:required|obligated|obliged|need|needs|needed|necessary)\b")
_RIGHTS = frozenset(("right", "rights", "authority", "option", "discretion", "power", "privilege"))
_ONLY = re.compile(r"\b(?:only|solely|exclusively)\b")
_ADVERBS = frozenset(
    (
        "never", "in no event", "in no case", "under no circumstances", "under no circumstance", "in no circumstances",
        "on no account", "at no point", "in no instance", "at no time", "in no way", "nor",
    )
)  # fmt: skip
_BEFORE = _ADVERBS | {"no", "neither", "none", "nobody", "no one", "nothing"}
"""Negations before a modal expression that turn it."""
_BEHIND = _ADVERBS | {"not", "refrain from"}
"""Negations behind it that do."""
_GRADES: dict[frozenset[str], float] = {
    frozenset(("shall", "may")): 1.0,
    frozenset(("shall", "recommended")): 0.8,
    frozenset(("may", "recommended")): 0.7,
    frozenset(("shall", "free")): 1.0,
    frozenset(("may", "free")): 0.3,
    frozenset(("recommended", "free")): 0.6,
    frozenset(("shall not", "recommended not")): 0.7,
    frozenset(("shall not", "free")): 0.9,
}
_WORDS = {
    "shall": "must",
    "may": "may",
    "recommended": "should",
    "free": "need not",
    "shall not": "must not",
    "recommended not": "should not",
}
_TURNED = {
    "shall": "shall not",
    "may": "shall not",
    "recommended": "recommended not",
    "shall not": "shall",
    "recommended not": "recommended",
    "free": "shall",
}


def governing(reading: Reading, at: int) -> int | None:
    """The modal expression that governs the verb at a token, or None.

    The last one before it in its clause, no more than 22 tokens away.

    Args:
        reading: the sentence.
        at: token index of the verb.
    """
    tokens = reading.tokens
    clause = tokens[at].clause
    for n in range(at - 1, max(-1, at - _BACK), -1):
        if tokens[n].role == "modal":
            return n
        if tokens[n].clause != clause and at - n > 6:
            return None
    return None


def _verb(reading: Reading, modal: int) -> int | None:
    """The first word of meaning after a modal expression."""
    tokens = reading.tokens
    for n in range(modal + 1, min(len(tokens), modal + 7)):
        token = tokens[n]
        if token.role == "word" and not token.low.endswith("ly"):
            return n
        if token.role == "modal":
            return None
    return None


def _stance(reading: Reading, modal: int) -> tuple[str, list[int]]:
    """How a modal expression binds, negated subjects ("no party may") and adverbs ("shall in no event") taken in."""
    tokens = reading.tokens
    value, used = tokens[modal].key, []
    if modal and tokens[modal - 1].role == "modal":
        return _composed(tokens[modal - 1].key, tokens[modal]), [modal - 1]
    if value == "shall" and _has_right(tokens, modal):
        value = "may"
    for n in range(modal - 1, max(-1, modal - 9), -1):
        token = tokens[n]
        if (
            token.role in ("modal", "condition")
            or token.clause != tokens[modal].clause
            or (token.comma and modal - n > 6)
        ):
            break
        if token.role == "negation" and token.low in _BEFORE:
            if _conditional(reading, n, modal):
                break
            needless = value == "shall" and _NEEDED.search(tokens[modal].low)
            value, used = "free" if needless else _TURNED.get(value, value), [n]
            break
    for n in range(modal + 1, min(len(tokens), modal + 4)):
        token = tokens[n]
        if token.role == "negation" and token.low in _BEHIND:
            value, used = _TURNED.get(value, value), [*used, n]
            break
        if token.role == "word" and not token.low.endswith("ly"):
            break
    return value, used


def _composed(outer: str, inner: Token) -> str:
    """How two modal expressions in a row bind: "should be required to", "shall not be restricted from"."""
    if outer.endswith("not"):
        if inner.key.endswith("not"):
            return "may"
        return "free" if _NEEDED.search(inner.low) else _TURNED.get(inner.key, inner.key)
    return outer if inner.key == "shall" and outer in ("may", "recommended") else inner.key


def _has_right(tokens: Sequence[Token], modal: int) -> bool:
    """Whether "have the right" and the like follow: a permission, whatever the verb before it."""
    if modal + 1 >= len(tokens) or tokens[modal + 1].low not in ("have", "has", "retain", "reserve"):
        return False
    return any(token.low in _RIGHTS for token in tokens[modal + 2 : modal + 9])


def find_lost_modality(pair: Pair, used: set[tuple[str, int]]) -> Iterator[Contradiction]:
    """Binding words of the evidence in whose place the claim has others that no table knows: "is merely asked to".

    A plain statement ("the tenant pays") in place of a duty is none.

    Args:
        pair: the claim beside its evidence.
        used: the modal expressions that were compared, as ("claim" or "evidence", index).
    """
    tokens = pair.claim.tokens
    for modal, token in enumerate(pair.evidence.tokens):
        if token.role != "modal" or ("evidence", modal) in used or _leads_on(pair.evidence, modal):
            continue
        verb = _verb(pair.evidence, modal)
        at = pair.back.get(verb) if verb is not None else None
        if verb is None or at is None or verb - modal > 3 or governing(pair.claim, at) is not None:
            continue
        left = next((pair.back[n] for n in range(modal - 1, max(-1, modal - 6), -1) if n in pair.back), None)
        if left is None or not 3 <= at - left <= 9:
            continue
        detail = f"where the evidence says “{token.low}” ({_WORDS[token.key]}), the claim says something else"
        span = pair.offset + tokens[left + 1].start, pair.offset + tokens[at - 1].end
        yield Contradiction("modality", 0.7, span, pair.index, pair.evidence_span(token), detail)


def _conditional(reading: Reading, negation: int, modal: int) -> bool:
    """Whether a negation belongs to a condition that a comma parts from what the modal expression governs."""
    tokens = reading.tokens
    if not any(tokens[n].comma for n in range(negation + 1, modal + 1)):
        return False
    for n in range(negation - 1, -1, -1):
        if tokens[n].role == "modal" or tokens[n].clause != tokens[modal].clause:
            return False
        if tokens[n].role == "condition":
            return True
    return False


def find_modality(pair: Pair, used: set[tuple[str, int]]) -> Iterator[Contradiction]:
    """Verbs that bind otherwise than in the evidence.

    Args:
        pair: the claim beside its evidence.
        used: filled with the negations that the modal expressions have taken in, as ("claim" or "evidence", index).
    """
    for modal, token in enumerate(pair.claim.tokens):
        if token.role != "modal" or _leads_on(pair.claim, modal):
            continue
        said, mine = _stance(pair.claim, modal)
        counter = _counterpart(pair, modal)
        if counter is None:
            continue
        while _leads_on(pair.evidence, counter):
            counter += 1
        meant, theirs = _stance(pair.evidence, counter)
        used.update(("claim", n) for n in mine)
        used.update(("evidence", n) for n in theirs)
        used.update((("claim", modal), ("evidence", counter)))
        other = pair.evidence.tokens[counter]
        if said == meant:
            yield from _only_said(pair, modal, counter)
            continue
        flips = said.endswith("not") != meant.endswith("not") and "free" not in (said, meant)
        severity = 1.0 if flips else _GRADES.get(frozenset((said, meant)), 0.5)
        kind: Kind = "negation" if flips else "modality"
        detail = f"the claim says “{token.low}” ({_WORDS[said]}), the evidence “{other.low}” ({_WORDS[meant]})"
        yield Contradiction(kind, severity, pair.claim_span(token), pair.index, pair.evidence_span(other), detail)


def _leads_on(reading: Reading, modal: int) -> bool:
    """Whether another modal expression follows at once and has the say: "must" in "must have the right to"."""
    return modal + 1 < len(reading.tokens) and reading.tokens[modal + 1].role == "modal"


def _only_said(pair: Pair, modal: int, counter: int) -> Iterator[Contradiction]:
    """Whether one modal expression has "solely" in it: "is solely responsible for"."""
    token, other = pair.claim.tokens[modal], pair.evidence.tokens[counter]
    added, dropped = _ONLY.search(token.low), _ONLY.search(other.low)
    if added and not _only_near(pair.evidence, counter):
        detail = f"the claim adds “{added[0]}”"
    elif dropped and not _only_near(pair.claim, modal):
        detail = f"the claim leaves out “{dropped[0]}”"
    else:
        return
    yield Contradiction("quantifier", 0.7, pair.claim_span(token), pair.index, pair.evidence_span(other), detail)


def _only_near(reading: Reading, modal: int) -> bool:
    """Whether "only" or the like stands in a modal expression or right behind it."""
    return any(says_only(token) for token in reading.tokens[max(0, modal - 1) : modal + 4])


def says_only(token: Token) -> bool:
    """Whether a token says "only" in any way.

    Args:
        token: of either side.
    """
    return token.key == "only" or (token.role in ("condition", "modal") and bool(_ONLY.search(token.low)))


def _counterpart(pair: Pair, modal: int) -> int | None:
    """The modal expression of the evidence that governs what the claim's governs."""
    verb = _verb(pair.claim, modal)
    if verb is None or verb not in pair.forth:
        return _by_slot(pair, modal)
    return governing(pair.evidence, pair.forth[verb])


def _by_slot(pair: Pair, modal: int) -> int | None:
    """The modal expression in the place where the claim's stands, where the verb has no counterpart."""
    slot = pair.slot(modal, 4)
    found = [n for n in slot if pair.evidence.tokens[n].role == "modal"]
    return found[0] if len(found) == 1 else None
