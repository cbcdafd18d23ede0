"""Contradictions in who does what to whom, and in names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from coditect.verify.contradictions.alignment import Pair
from coditect.verify.contradictions.kinds import Contradiction
from coditect.verify.contradictions.modality import governing
from coditect.verify.contradictions.reading import Reading, Token
from coditect.verify.contradictions.words import GENERIC_NAMES

__all__ = ["find_entities", "find_roles"]

_TIGHT = 0.6
"""Share of a claim's content words that its evidence must have for an unknown name to be more than a remark."""
_PREPOSITIONS = frozenset(
    ("of", "to", "for", "from", "with", "against", "between", "on", "in", "at", "under", "into", "than", "about", "per")
)
_GENERAL = frozenset(("party", "affiliate", "agent", "company", "corporation"))


def find_roles(pair: Pair) -> Iterator[Contradiction]:
    """Actors that stand in each other's place.

    Args:
        pair: the claim beside its evidence.
    """
    flagged = False
    for modal, token in enumerate(pair.claim.tokens):
        if token.role != "modal" or flagged or (modal and pair.claim.tokens[modal - 1].role == "modal"):
            continue
        verb = next(
            (
                n
                for n in range(modal + 1, min(len(pair.claim.tokens), modal + 6))
                if n in pair.forth and not pair.claim.tokens[n].actor and not pair.claim.tokens[n].low.endswith("ly")
            ),
            None,
        )
        if verb is None:
            continue
        counter = governing(pair.evidence, pair.forth[verb])
        if counter is None:
            continue
        while counter and pair.evidence.tokens[counter - 1].role == "modal":
            counter -= 1
        for found in _agents_differ(pair, modal, verb, counter, pair.forth[verb]):
            flagged = True
            yield found
    if not flagged:
        yield from _exchanged(pair)


def _agents(reading: Reading, modal: int, verb: int) -> tuple[set[str], set[str], int]:
    """Who acts and who is acted upon, as stems, and where the first of them stands."""
    tokens = reading.tokens
    before = _subject(reading, modal)
    passive = any(token.low in ("be", "been", "being") for token in tokens[modal + 1 : verb]) or _ends_in_be(
        tokens[modal]
    )
    at = before[0] if before else modal
    names = {tokens[n].key for n in before}
    if not passive:
        return names, set(), at
    by: set[str] = set()
    for n in range(verb + 1, min(len(tokens), verb + 12)):
        if tokens[n].role == "by":
            for m in range(n + 1, min(len(tokens), n + 6)):
                if tokens[m].actor or tokens[m].proper:
                    by.add(tokens[m].key)
                elif tokens[m].role not in ("function", "quantifier") or tokens[m].low in _PREPOSITIONS:
                    break
            break
        if tokens[n].role in ("modal", "condition") or tokens[n].clause != tokens[verb].clause:
            break
    return by, names, at


def _ends_in_be(token: Token) -> bool:
    return token.low.endswith(" be")


def _subject(reading: Reading, modal: int) -> list[int]:
    """The actors in the noun phrase before a modal expression, those behind a preposition left out."""
    tokens = reading.tokens
    found: list[int] = []
    for n in range(modal - 1, max(-1, modal - 12), -1):
        token = tokens[n]
        if token.role in ("modal", "condition", "order", "by") or token.clause != tokens[modal].clause:
            break
        if token.role == "function" and token.low in _PREPOSITIONS:
            found = []
            continue
        if token.role == "function" and token.low in ("which", "that", "who", "whom"):
            continue
        joined = bool(found) and _coordinated(tokens, found[-1])
        whole = bool(found) and tokens[found[-1]].actor and not joined
        named = not whole and _is_named(reading, n, found[-1] if found else modal)
        if not token.aside and (_is_actor(tokens, n) or named):
            found.append(n)
        if token.comma and found:
            break
        if token.comma and modal - n > 1 and not found:
            continue
    return found[::-1]


def _coordinated(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word is one of two that "and" or "or" join, so that their order says nothing."""
    return any(token.low in ("and", "or") for token in (*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2]))


def _is_actor(tokens: Sequence[Token], at: int) -> bool:
    """Whether an actor's noun stands for itself, and not before another: a "Company Default" does not act."""
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    return tokens[at].actor and not (behind and behind.role == "word" and behind.proper and not behind.actor)


def _is_named(reading: Reading, at: int, modal: int) -> bool:
    """Whether a word is part of a name that acts: capitalised, right before the verb or the rest of the name."""
    token = reading.tokens[at]
    if token.role != "word" or not reading.text[token.start].isupper() or _in_capitals(reading):
        return False
    return at == modal - 1 or (at == modal - 2 and reading.tokens[at + 1].low in ("and", "or"))


def _agents_differ(pair: Pair, modal: int, verb: int, counter: int, other: int) -> Iterator[Contradiction]:
    mine, patient, at = _agents(pair.claim, modal, verb)
    theirs, acted, there = _agents(pair.evidence, counter, other)
    span, where = pair.claim_span(pair.claim.tokens[at]), pair.evidence_span(pair.evidence.tokens[there])
    if mine and theirs:
        if mine & theirs or (mine | theirs) & {"it", "they", "we", "you", "us"}:
            return
        if _abbreviates(pair.claim.tokens[at : at + 1], pair.claim.text, (pair.evidence.text,)) or _abbreviates(
            pair.evidence.tokens[there : there + 1], pair.evidence.text, (pair.claim.text,)
        ):
            return
        known = {token.key for token in pair.evidence.tokens}
        swapped = bool(mine & known)
        severity = 0.9 if swapped else (0.5 if mine <= _GENERAL or theirs <= _GENERAL else 0.7)
        detail = f"in the claim “{_name(pair.claim, at)}” is to act, in the evidence “{_name(pair.evidence, there)}”"
        yield Contradiction("role", severity, span, pair.index, where, detail)
    elif patient and theirs and patient & theirs and not acted:
        detail = f"in the claim “{_name(pair.claim, at)}” is acted upon, in the evidence it acts"
        yield Contradiction("role", 0.8, span, pair.index, where, detail)
    elif mine and acted and mine & acted and not theirs:
        detail = f"in the claim “{_name(pair.claim, at)}” acts, in the evidence it is acted upon"
        yield Contradiction("role", 0.8, span, pair.index, where, detail)


def _name(reading: Reading, at: int) -> str:
    token = reading.tokens[at]
    return reading.text[token.start : token.end]


def _exchanged(pair: Pair) -> Iterator[Contradiction]:
    """An actor in a place that the evidence gives to another."""
    own, theirs = pair.claim.tokens, pair.evidence.tokens
    if sum(token.role == "by" for token in own) != sum(token.role == "by" for token in theirs):
        return  # active against passive: who acts may stand at either end
    names = _names(pair.claim) & _names(pair.evidence)
    for n, token in enumerate(own):
        if token.role != "word" or not (token.actor or token.key in names):
            continue
        if not token.actor and any(other.key in names for other in (*own[max(0, n - 1) : n], *own[n + 1 : n + 2])):
            continue  # part of a longer name, whose words may stand in another order
        if _coordinated(own, n):
            continue
        left, right = _neighbours(pair, n, names)
        if left is None or right is None or not 0 < right - left <= 6:
            continue
        inside = [other for other in theirs[left + 1 : right] if other.role == "word"]
        inside = [other for other in inside if other.actor or other.key in names]
        if inside and all(other.key != token.key for other in inside):
            swapped = token.key in pair.evidence.keys and inside[0].key in pair.claim.keys
            if not swapped and (token.key in _GENERAL or inside[0].key in _GENERAL):
                continue
            detail = f"where the claim says “{_name(pair.claim, n)}”, the evidence says “{inside[0].low}”"
            yield Contradiction("role", 0.9, pair.claim_span(token), pair.index, pair.evidence_span(inside[0]), detail)
            return


def _names(reading: Reading) -> frozenset[str]:
    """Keys of the capitalised words, those that name nothing by themselves left out."""
    if _in_capitals(reading):
        return frozenset()
    return frozenset(
        token.key
        for token in reading.tokens
        if token.role == "word" and reading.text[token.start].isupper() and token.key not in GENERIC_NAMES
    )


def _neighbours(pair: Pair, at: int, names: frozenset[str]) -> tuple[int | None, int | None]:
    """The counterparts of the nearest content words that are neither actors nor names, one on each side."""
    found: list[int | None] = []
    for step in (-1, 1):
        n, value = at + step, None
        while 0 <= n < len(pair.claim.tokens):
            token = pair.claim.tokens[n]
            if token.role in ("word", "number", "reference") and not token.actor and token.key not in names:
                value = pair.forth.get(n)
                break
            n += step
        else:
            # Nothing but actors at the beginning of the claim: then the evidence is read from its beginning.
            value = -1 if step < 0 else None
        found.append(value)
    return found[0], found[1]


def find_entities(pair: Pair, sentences: Sequence[str]) -> Iterator[Contradiction]:
    """Names in the claim that no evidence has.

    Args:
        pair: the claim beside its evidence.
        sentences: all sentences of the evidence.
    """
    tokens = pair.claim.tokens
    if not any(token.proper for token in tokens) or _in_capitals(pair.claim):
        return
    close = pair.closeness() >= _TIGHT
    n = 0
    while n < len(tokens):
        stop = n
        while stop < len(tokens) and _is_name(tokens[stop]) and not (stop > n and tokens[stop].comma):
            stop += 1
        if stop == n:
            n += 1
            continue
        run = tokens[n:stop]
        strange = [token for token in run if not _known(token, pair, sentences)]
        strange = [t for t in strange if not _abbreviates([t], pair.claim.text, sentences)]
        if strange and not any(_abbreviates(each, pair.claim.text, sentences) for each in (run, strange)):
            name = pair.claim.text[run[0].start : run[-1].end]
            severity = 0.8 if len(strange) == len(run) or len(strange) > 1 else 0.6
            span = (pair.offset + run[0].start, pair.offset + run[-1].end)
            detail = f"“{name}” is not in the evidence"
            yield Contradiction("entity", severity if close else 0.4, span, pair.index, (0, 0), detail)
        n = stop


def _is_name(token: Token) -> bool:
    return token.role == "word" and token.proper


def _known(token: Token, pair: Pair, sentences: Sequence[str]) -> bool:
    """Whether a word of a name says nothing by itself or stands in the evidence, be it in another form ("Italian")."""
    if token.key in GENERIC_NAMES or token.key in pair.others or token.key in pair.evidence.keys:
        return True
    root = token.low[: max(4, len(token.low) - 3)]
    return any(root in sentence.casefold() for sentence in sentences)


def _abbreviates(run: Sequence[Token], own: str, sentences: Sequence[str]) -> bool:
    """Whether a name is the initials of words of other sentences or of its own, or theirs are its initials."""
    texts = (*sentences, own)
    if len(run) == 1:
        initials = [c for c in run[0].low if c.isalpha()]
        if not 2 <= len(initials) <= 6:
            return False
        pattern = re.compile(r"\b" + r"[\w'’]*[\s/-]+(?:(?:of|and|the|for|in|on)\s+)?".join(initials), re.IGNORECASE)
        return any(pattern.search(text) for text in texts)
    short = "".join(token.low[0] for token in run)
    return any(re.search(rf"\b{re.escape(short)}s?\b", text, re.IGNORECASE) for text in sentences)


def _in_capitals(reading: Reading) -> bool:
    """Whether capitals prove nothing here: most letters are some, or most words of a headline begin with one."""
    letters = [c for c in reading.text[:400] if c.isalpha()]
    if letters and sum(c.isupper() for c in letters) > 0.5 * len(letters):
        return True
    words = [token for token in reading.tokens[1:] if token.role == "word"]
    return len(words) > 3 and sum(token.proper for token in words) > 0.6 * len(words)
