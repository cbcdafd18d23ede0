"""What "only" picks out, wherever it stands: "only processed for these purposes", "processed for these purposes only"."""

from __future__ import annotations

from coditect.language.reading.binding import says_only
from coditect.language.reading.sentence import SentenceReading, Token
from coditect.verify.alignment.pairs import AlignedPair

__all__ = ["find_moved_focus", "is_focus_kept"]

_LONGEST = 4
"""Words of substance right before an "only" at the end of a phrase that it may pick out."""
_SAYING = ("quantifier", "modal")
_JOINING = ("and", "or", "but")
_NOT_INSIDE = ("condition", "order", "modal", "by", "comparator")


def is_focus_kept(seen: AlignedPair, n: int) -> bool:
    """Whether the other side has an "only" that picks out the same words, one of both behind them and the other in front.

    Args:
        seen: the pair, with the side that has the word as its claim.
        n: its token index.
    """
    if not says_only(seen.claim.tokens[n]):
        return False
    turned = seen.turned()
    return any(
        _picks_out_same(seen, n, k) or _picks_out_same(turned, k, n)
        for k, token in enumerate(seen.evidence.tokens)
        if token.role in _SAYING and says_only(token)
    )


def find_moved_focus(seen: AlignedPair, n: int) -> Token | None:
    """The only "only" of the other side, where one of both picks out a phrase that it ends, and the other one what it begins.

    "Only staff may smoke outside" is not "staff may smoke outside only".

    Args:
        seen: the pair, with the side that has the word as its claim.
        n: its token index.
    """
    others = [k for k, token in enumerate(seen.evidence.tokens) if token.role == "quantifier" and says_only(token)]
    if len(others) != 1 or seen.claim.tokens[n].role != "quantifier":
        return None
    moved = _picks_out_another(seen, n, others[0]) or _picks_out_another(seen.turned(), others[0], n)
    return seen.evidence.tokens[others[0]] if moved else None


def _picks_out_another(seen: AlignedPair, behind: int, front: int) -> bool:
    """Whether what stands before one "only" is nothing of what the other side's picks out for certain in front of it."""
    there = {seen.forth[n] for n in _picked_before(seen.claim, behind) if n in seen.forth}
    first = next((k for k in seen.evidence.content if k > front), None)
    if not there or first is None or first not in seen.back or not _is_bound_to_next(seen.evidence, front):
        return False
    return first not in there and not _picked_before(seen.evidence, front)


def _picks_out_same(seen: AlignedPair, behind: int, front: int) -> bool:
    """Whether what stands before one "only" is what the other side's stands in front of."""
    picked = _picked_before(seen.claim, behind)
    there = {seen.forth[n] for n in picked if n in seen.forth}
    if not there or len(there) * 2 < len(picked):
        return False
    tokens = seen.evidence.tokens
    inside = [k for k in there if k > front and tokens[k].clause == tokens[front].clause]
    if len(inside) != len(there):
        return False
    first = next((k for k in seen.evidence.content if k > front), None)
    return first in there or not _is_bound_to_next(seen.evidence, front)


def _picked_before(reading: SentenceReading, n: int) -> list[int]:
    """The words of substance of the phrase that an "only" at its end picks out; none where it stands in front of what it does."""
    tokens = reading.tokens
    after = tokens[n + 1] if n + 1 < len(tokens) else None
    goes_on = after is not None and not after.comma and after.low not in _JOINING and after.role != "condition"
    if tokens[n].role == "modal" or goes_on:
        return []
    found: list[int] = []
    for m in range(n - 1, -1, -1):
        token = tokens[m]
        if token.role in _NOT_INSIDE or len(found) >= _LONGEST or tokens[m + 1].comma:
            break
        if token.has_substance:
            found.append(m)
        elif found:
            break
    return found


def _is_bound_to_next(reading: SentenceReading, n: int) -> bool:
    """Whether an "only" in front picks out just what follows it: a subject ("only staff may"), or a phrase ("only for trials").

    Before a verb it does not say which of the words behind it.
    """
    tokens = reading.tokens
    if tokens[n].role == "modal":
        return False
    opens = not any(token.has_substance and token.clause == tokens[n].clause for token in tokens[:n])
    after = tokens[n + 1] if n + 1 < len(tokens) else None
    return opens or after is None or after.role != "word"
