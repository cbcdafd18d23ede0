"""Contradictions in how far a clause binds: shall, may, should, need not, must not, in whatever words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from coditect.language.reading.binding import find_stance, governing_modal, is_apart, leads_on, says_only, verb_of
from coditect.language.reading.sentence import SentenceReading
from coditect.language.tables import read_table
from coditect.verify.alignment.focus import is_focus_kept
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.alignment.predicates import speaks_of
from coditect.verify.contradictions.kinds import DOUBT, Contradiction, contradiction
from coditect.verify.contradictions.numbers import is_bound_kept

__all__ = ["Compared", "find_lost_modality", "find_modality"]

Compared = set[tuple[str, int]]
"""Token indexes that the comparison of binding expressions has used up, as ("claim" or "evidence", index)."""

_PURPOSE = 6
_INTENTS = frozenset(read_table("modality").words("intents"))
_MAKING = frozenset(read_table("modality").words("making"))
_REQUIRING = ("require", "oblige", "compel", "force")
_DETERMINERS = ("the", "a", "an", "its", "their", "his", "her", "this")
_NOMINAL = ("tion", "sion", "ment")
"""Endings of nouns that name an act."""
_INSIDE = frozenset(("that", "why", "whether", "how", "who", "which"))
"""Words that open a clause inside of another."""
_DENIED = {"shall": "shall not", "recommended": "recommended not"}
"""How one binds who must bring about that something is not."""
_GRADES: dict[frozenset[str], float] = {
    frozenset(("shall", "may")): 1.0,
    frozenset(("shall", "recommended")): DOUBT,
    frozenset(("may", "recommended")): 0.7,
    frozenset(("shall", "free")): 1.0,
    frozenset(("may", "free")): 0.3,
    frozenset(("recommended", "free")): 0.6,
    frozenset(("shall not", "recommended not")): 0.7,
    frozenset(("shall not", "free")): 0.9,
}
_SAID = {
    "shall": "must", "may": "may", "recommended": "should", "free": "need not", "shall not": "must not",
    "recommended not": "should not",
}  # fmt: skip


def find_modality(pair: AlignedPair, compared: Compared) -> Iterator[Contradiction]:
    """Verbs that bind otherwise than in the evidence.

    Args:
        pair: the claim beside its evidence.
        compared: filled with the binding expressions, and the negations that they have taken in.
    """
    for modal, token in enumerate(pair.claim.tokens):
        if token.role != "modal" or leads_on(pair.claim, modal):
            continue
        counter = _counterpart(pair, modal)
        if counter is None or _tells_purpose(pair.claim, modal):
            continue
        while leads_on(pair.evidence, counter):
            counter += 1
        mine, theirs = find_stance(pair.claim, modal), find_stance(pair.evidence, counter)
        if _is_denied_inside(pair, modal, counter):
            theirs = theirs._replace(key=_DENIED.get(theirs.key, theirs.key))
        compared.update(("claim", n) for n in (*mine.used, modal))
        compared.update(("evidence", n) for n in (*theirs.used, counter))
        if mine.key == theirs.key:
            yield from _only_said(pair, modal, counter)
        else:
            found = _differing(pair, modal, counter, mine.key, theirs.key)
            is_same_act = verb_of(pair.claim, modal) in pair.forth
            yield found if is_same_act else replace(found, severity=min(found.severity, DOUBT))


def _is_named(pair: AlignedPair, verb: int) -> bool:
    """Whether the evidence names the act of the claim's verb by a noun, which nothing binds: "shall be open for examination"."""
    at = pair.forth[verb]
    mine, theirs = pair.claim.tokens[verb].low, pair.evidence.tokens[at].low
    if theirs.endswith(_NOMINAL) and not mine.endswith(_NOMINAL):
        return True
    return _is_determined(pair.evidence, at) and not _is_determined(pair.claim, verb)


def _is_determined(reading: SentenceReading, at: int) -> bool:
    """Whether a word is a noun behind a determiner and at most one other word: "the specific use to which"."""
    tokens = reading.tokens
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    near = tokens[at - 1 : at] if tokens[at - 1].low in _DETERMINERS else tokens[max(0, at - 2) : at - 1]
    named = bool(near) and near[0].low in _DETERMINERS
    return named and (behind is None or behind.comma or behind.role in ("function", "by", "condition", "order"))


def _is_denied_inside(pair: AlignedPair, modal: int, counter: int) -> bool:
    """Whether a negation of its own turns the clause of the evidence that has the claim's verb: "must ensure that it is not"."""
    verb = verb_of(pair.claim, modal)
    at = pair.forth.get(verb, counter) if verb is not None else counter
    between = pair.evidence.tokens[counter + 1 : at]
    opens = next((n for n, token in enumerate(between) if token.low in _INSIDE), None)
    return opens is not None and sum(token.negates for token in between[opens:]) % 2 == 1


def _tells_purpose(reading: SentenceReading, modal: int) -> bool:
    """Whether a word of possibility stands in a clause of purpose, and allows nothing: "so that it can be read"."""
    before = [token.low for token in reading.tokens[max(0, modal - _PURPOSE) : modal]]
    return reading.tokens[modal].key == "may" and "that" in before and bool({"so", "order"} & set(before))


def _counterpart(pair: AlignedPair, modal: int) -> int | None:
    """The binding expression of the evidence that governs what the claim's governs, or stands in its place."""
    verb = verb_of(pair.claim, modal)
    if verb is not None and verb in pair.forth:
        if _is_named(pair, verb):
            return None
        found_at = _of_relative(pair, modal)
        if found_at is not None:
            return found_at
        found_at = governing_modal(pair.evidence, pair.forth[verb])
        return None if found_at is not None and is_apart(pair.evidence, found_at, pair.forth[verb]) else found_at
    found = [n for n in pair.slot(modal, 4) if pair.evidence.tokens[n].role == "modal"]
    return found[0] if len(found) == 1 else None


def _of_relative(pair: AlignedPair, modal: int) -> int | None:
    """The only binding expression of the evidence that, as the claim's, stands right behind a relative, and is as strong."""
    if not _follows_relative(pair.claim, modal):
        return None
    key = pair.claim.tokens[modal].key
    others = pair.evidence.tokens
    found = [n for n, token in enumerate(others) if token.role == "modal" and _follows_relative(pair.evidence, n)]
    return found[0] if len(found) == 1 and others[found[0]].key == key else None


def _follows_relative(reading: SentenceReading, modal: int) -> bool:
    return modal > 1 and reading.tokens[modal - 1].low in _INSIDE


def _differing(pair: AlignedPair, modal: int, counter: int, said: str, meant: str) -> Contradiction:
    token, other = pair.claim.tokens[modal], pair.evidence.tokens[counter]
    detail = f"the claim says “{token.low}” ({_SAID[said]}), the evidence “{other.low}” ({_SAID[meant]})"
    if said.endswith("not") != meant.endswith("not") and "free" not in (said, meant):
        return contradiction(pair, "negation", 1.0, token, other, detail)
    return contradiction(pair, "modality", _GRADES.get(frozenset((said, meant)), 0.5), token, other, detail)


def _only_said(pair: AlignedPair, modal: int, counter: int) -> Iterator[Contradiction]:
    """Whether one binding expression has "solely" in it: "is solely responsible for"."""
    token, other = pair.claim.tokens[modal], pair.evidence.tokens[counter]
    added, dropped = says_only(token), says_only(other)
    if (added and is_focus_kept(pair, modal)) or (dropped and is_focus_kept(pair.turned(), counter)):
        return
    if added and not _only_near(pair.evidence, counter):
        yield contradiction(pair, "quantifier", 0.7, token, other, f"the claim adds “{added}”")
    elif dropped and not _only_near(pair.claim, modal) and not is_bound_kept(pair, counter):
        yield contradiction(pair, "quantifier", 0.7, token, other, f"the claim leaves out “{dropped}”")


def _only_near(reading: SentenceReading, modal: int) -> bool:
    """Whether "only" or the like stands in a binding expression or right behind it."""
    return any(says_only(token) for token in reading.tokens[max(0, modal - 1) : modal + 4])


def _is_intent(reading: SentenceReading, modal: int) -> bool:
    """Whether a binding word stands in what somebody intends: "the intention that the remaining provisions shall …"."""
    before = [token.low for token in reading.tokens[max(0, modal - _PURPOSE) : modal]]
    return any(word in _INTENTS and "that" in before[n + 1 : n + 2] for n, word in enumerate(before))


def _is_made_to(pair: AlignedPair, modal: int, left: int, at: int) -> bool:
    """Whether a claim says that somebody makes others do what the evidence says that they require of them: "makes them sign"."""
    requires = pair.evidence.tokens[modal].low.startswith(_REQUIRING)
    return requires and any(token.low in _MAKING for token in pair.claim.tokens[left + 1 : at])


def find_lost_modality(pair: AlignedPair, compared: Compared) -> Iterator[Contradiction]:
    """Binding words of the evidence in whose place the claim has others that no table knows: "is merely asked to".

    A plain statement ("the tenant pays") in place of a duty is none.

    Args:
        pair: the claim beside its evidence.
        compared: the binding expressions that were compared.
    """
    tokens = pair.claim.tokens
    for modal, token in enumerate(pair.evidence.tokens):
        if token.role != "modal" or ("evidence", modal) in compared or leads_on(pair.evidence, modal):
            continue
        if not speaks_of(pair, modal):
            continue
        verb = verb_of(pair.evidence, modal)
        at = pair.back.get(verb) if verb is not None else None
        if verb is None or at is None or verb - modal > 3 or governing_modal(pair.claim, at) is not None:
            continue
        if any(other.low.startswith(token.low.split()[-1][:6]) for other in tokens if other.role == "word"):
            continue  # the claim has the same word, in a form that does not bind by itself: "expects that"
        if _is_intent(pair.evidence, modal):
            continue  # "it is our intention that the rest shall stay in effect" binds nobody
        left = next((pair.back[n] for n in range(modal - 1, max(-1, modal - 6), -1) if n in pair.back), None)
        if left is not None and 3 <= at - left <= 9 and not _is_made_to(pair, modal, left, at):
            detail = f"where the evidence says “{token.low}” ({_SAID[token.key]}), the claim says something else"
            instead = replace(tokens[left + 1], end=tokens[at - 1].end)
            yield contradiction(pair, "modality", DOUBT, instead, token, detail)
