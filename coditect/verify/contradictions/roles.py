"""Contradictions in who does what to whom, and in names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from coditect.language.reading.actors import find_agency, is_coordinated, names_of
from coditect.language.reading.binding import governing_modal, is_apart
from coditect.language.reading.equivalents import can_stand_for
from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.reading.stems import GENERIC_NAMES, canonical_stems
from coditect.language.tables import read_table
from coditect.verify.alignment.matching import weight_of
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.contradictions.kinds import DOUBT, Contradiction, contradiction
from coditect.verify.contradictions.parties import find_exchanged_parties

__all__ = ["find_entities", "find_roles"]

_TIGHT = 0.6
"""Share of a claim's content words that its evidence must have for an unknown name to be more than a remark."""
_GENERAL = frozenset(read_table("actors").words("general"))
_PRONOUNS = frozenset((*read_table("actors").words("pronouns"), "it"))
_GENERIC = frozenset(canonical_stems(read_table("actors").words("generic")))
_SOURCES = frozenset(canonical_stems(read_table("predicates").words("sources")))
_LONGEST_SUBJECT = 16
_HEAD_BEFORE = 3
_JOINING = r"[\w'’]*[\s/-]+(?:(?:of|and|the|for|in|on)\s+)?"


def find_roles(pair: AlignedPair) -> Iterator[Contradiction]:
    """Actors that stand in each other's place.

    Args:
        pair: the claim beside its evidence.
    """
    for modal, token in enumerate(pair.claim.tokens):
        if token.role != "modal" or (modal and pair.claim.tokens[modal - 1].role == "modal"):
            continue
        verb = _shared_verb(pair, modal)
        counter = governing_modal(pair.evidence, pair.forth[verb]) if verb is not None else None
        if verb is None or counter is None or is_apart(pair.evidence, counter, pair.forth[verb]):
            continue
        while counter and pair.evidence.tokens[counter - 1].role == "modal":
            counter -= 1
        found = _agents_differ(pair, modal, verb, counter)
        if found is not None:
            yield found
            return
    found = _agents_behind_by(pair) or find_exchanged_parties(pair)
    if found is not None:
        yield found
        return
    yield from _exchanged(pair)


def _agents_behind_by(pair: AlignedPair) -> Contradiction | None:
    """Passives on both sides of which somebody else is the agent: "by the provider itself" for "by the firm itself"."""
    mine, theirs = (
        [n for n, token in enumerate(reading.tokens) if token.role == "by"] for reading in (pair.claim, pair.evidence)
    )
    if len(mine) != 1 or len(theirs) != 1:
        return None
    if _is_another_act(pair, mine[0], theirs[0]):
        return None
    own, other = _agent_behind(pair.claim, mine[0]), _agent_behind(pair.evidence, theirs[0])
    if not own or not other or not (_is_agent(pair.claim, own) and _is_agent(pair.evidence, other)):
        return None
    keys = {pair.claim.tokens[n].key for n in own} & (_GENERIC | _PRONOUNS)
    if keys or any(pair.forth.get(n) in other for n in own):
        return None
    if any(pair.evidence.tokens[n].key == pair.claim.tokens[m].key for n in other for m in own):
        return None
    token, rival = pair.claim.tokens[own[0]], pair.evidence.tokens[other[0]]
    detail = f"in the claim it is done by “{_written(pair.claim, token)}”, in the evidence by “{_written(pair.evidence, rival)}”"
    return contradiction(pair, "role", 0.9, token, rival, detail)


def _is_another_act(pair: AlignedPair, mine: int, theirs: int) -> bool:
    """Whether what is done "by" somebody in the claim is done in another place of the evidence: "charged by", "time spent by"."""
    counter = pair.forth.get(mine - 1)
    return counter is not None and counter != theirs - 1 and pair.evidence.tokens[theirs - 1].role == "word"


def _agents(reading: SentenceReading) -> list[int]:
    """The words "by" behind which somebody acts; "as required by law" says nothing of who does what."""
    by = (n for n, token in enumerate(reading.tokens) if token.role == "by")
    return [n for n in by if not _is_source(reading, n)]


def _is_source(reading: SentenceReading, by: int) -> bool:
    """Whether nothing behind "by" acts: a law, a date, a means."""
    behind = _agent_behind(reading, by)
    return not behind or all(reading.tokens[n].key in _SOURCES for n in behind)


def _agent_behind(reading: SentenceReading, by: int) -> list[int]:
    """The words of substance of the noun phrase behind "by"."""
    found: list[int] = []
    for n in range(by + 1, min(len(reading.tokens), by + 7)):
        token = reading.tokens[n]
        if token.role == "word" and not token.comma:
            found.append(n)
        elif found or token.role not in ("function", "quantifier"):
            break
    return found


def _is_agent(reading: SentenceReading, at: Sequence[int]) -> bool:
    return any(reading.tokens[n].actor or reading.tokens[n].proper for n in at)


def _shared_verb(pair: AlignedPair, modal: int) -> int | None:
    """The verb behind a binding expression, if the evidence has it as well; words that say little are passed over."""
    for n, token in enumerate(pair.claim.tokens[modal + 1 : modal + 6], modal + 1):
        if token.role != "word" or token.low.endswith("ly"):
            continue
        if token.actor:
            return None
        if n in pair.forth:
            return n
        if weight_of(token) >= 1.0 or token.proper:
            return None
    return None


def _agents_differ(pair: AlignedPair, modal: int, verb: int, counter: int) -> Contradiction | None:
    mine, theirs = find_agency(pair.claim, modal, verb), find_agency(pair.evidence, counter, pair.forth[verb])
    token, other = pair.claim.tokens[mine.at], pair.evidence.tokens[theirs.at]
    name = _written(pair.claim, token)
    if mine.acting and theirs.acting:
        both = mine.acting | theirs.acting
        if mine.acting & theirs.acting or both & _PRONOUNS or mine.acting & _GENERIC:
            return None
        if mine.acting & _coordinated(pair.evidence, counter) or _are_the_same(mine.acting, theirs.acting):
            return None
        if _abbreviates([token], (pair.evidence.text, pair.claim.text)):
            return None
        if _abbreviates([other], (pair.claim.text, pair.evidence.text)):
            return None
        swapped = any(each.key in mine.acting for each in pair.evidence.tokens)
        severity = 0.9 if swapped else (0.5 if mine.acting <= _GENERAL or theirs.acting <= _GENERAL else 0.7)
        detail = f"in the claim “{name}” is to act, in the evidence “{_written(pair.evidence, other)}”"
        return contradiction(pair, "role", severity, token, other, detail)
    if mine.acted_upon & theirs.acting and not theirs.acted_upon:
        detail = f"in the claim “{name}” is acted upon, in the evidence it acts"
        return contradiction(pair, "role", DOUBT, token, other, detail)
    if mine.acting & theirs.acted_upon:
        detail = f"in the claim “{name}” acts, in the evidence it is acted upon"
        return contradiction(pair, "role", DOUBT, token, other, detail)
    return None


def _are_the_same(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether a word for who acts can stand for one of the other side: "staff", "employees"."""
    return any(can_stand_for(one, other) for one in mine for other in theirs)


def _coordinated(reading: SentenceReading, modal: int) -> frozenset[str]:
    """Keys of all words that stand in a coordinated subject before a binding expression: "SRP and any sponsors shall"."""
    tokens = reading.tokens
    found: list[str] = []
    joined = False
    for n in range(modal - 1, max(-1, modal - _LONGEST_SUBJECT), -1):
        token = tokens[n]
        if token.role in ("modal", "condition") or token.clause != tokens[modal].clause:
            break
        joined = joined or token.low in ("and", "or")
        found.append(token.key)
    return frozenset(found) if joined else frozenset()


def _written(reading: SentenceReading, token: Token) -> str:
    return reading.text[token.start : token.end]


def _exchanged(pair: AlignedPair) -> Iterator[Contradiction]:
    """An actor in a place that the evidence gives to another."""
    own, theirs = pair.claim.tokens, pair.evidence.tokens
    if len(_agents(pair.claim)) != len(_agents(pair.evidence)):
        return  # active against passive: who acts may stand at either end
    names = names_of(pair.claim) & names_of(pair.evidence)
    for n, token in enumerate(own):
        if token.role != "word" or not (token.actor or token.key in names) or is_coordinated(own, n):
            continue
        if not token.actor and any(other.key in names for other in (*own[max(0, n - 1) : n], *own[n + 1 : n + 2])):
            continue  # part of a longer name, whose words may stand in another order
        left, right = _neighbour(pair, n, -1, names), _neighbour(pair, n, 1, names)
        if left is None or right is None or not 0 < right - left <= 6:
            continue
        slot = [other for other in theirs[left + 1 : right] if other.role == "word"]
        inside = [other for other in slot if other.actor or other.key in names]
        if not inside or any(other.key == token.key for other in inside):
            continue
        if any(each.key == inside[0].key for each in own[max(0, n - _HEAD_BEFORE) : n - 1]) and own[n - 1].low == "of":
            continue  # "the secretary of Altspace": it says whose the actor is
        of = (
            {each.key for each in own[n + 2 : n + 2 + _HEAD_BEFORE]}
            if own[n + 1 : n + 2] and own[n + 1].low == "of"
            else ()
        )
        if any(other.key in of and _heads_compound(theirs, other, token.key) for other in inside):
            continue  # "the company platform's customer", "a customer of the company platform"
        swapped = token.key in pair.evidence.keys and inside[0].key in pair.claim.keys
        if swapped or (token.key not in _GENERAL and inside[0].key not in _GENERAL):
            detail = f"where the claim says “{_written(pair.claim, token)}”, the evidence says “{inside[0].low}”"
            yield contradiction(pair, "role", 0.9, token, inside[0], detail)
            return


def _heads_compound(tokens: Sequence[Token], first: Token, key: str) -> bool:
    """Whether only words of one noun phrase stand between a word and one of a key behind it: "company platform customer"."""
    at = tokens.index(first)
    for token in tokens[at + 1 : at + 1 + _HEAD_BEFORE]:
        if token.role != "word" or token.comma:
            return False
        if token.key == key:
            return True
    return False


def _neighbour(pair: AlignedPair, at: int, step: int, names: frozenset[str]) -> int | None:
    """The counterpart of the nearest content word on one side that is neither an actor nor a name, or None.

    Where nothing but actors stands before, the evidence is read from its beginning: -1.
    """
    n = at + step
    while 0 <= n < len(pair.claim.tokens):
        token = pair.claim.tokens[n]
        if token.has_substance and not token.actor and token.key not in names:
            return pair.forth.get(n)
        n += step
    return -1 if step < 0 else None


def find_entities(pair: AlignedPair) -> Iterator[Contradiction]:
    """Names in the claim that no evidence has.

    Args:
        pair: the claim beside its evidence.
    """
    if pair.claim.in_capitals:
        return
    close = pair.closeness() >= _TIGHT
    texts = (pair.index.folded, pair.claim.text)
    for run in _name_runs(pair.claim.tokens):
        strange = [token for token in run if not _known(token, pair) and not _abbreviates([token], texts)]
        if not strange or any(len(each) > 1 and _abbreviates(each, texts) for each in (run, strange)):
            continue
        whole = replace(run[0], end=run[-1].end)
        severity = 0.9 if _has_rival(pair, run[0]) else 0.6
        detail = f"“{_written(pair.claim, whole)}” is not in the evidence"
        yield contradiction(pair, "entity", severity if close else 0.4, whole, None, detail)


def _has_rival(pair: AlignedPair, token: Token) -> bool:
    """Whether the evidence has another name in the place of a name, which the claim does not have."""
    at = pair.claim.tokens.index(token)
    inside = (pair.evidence.tokens[n] for n in pair.slot(at, 4) if n not in pair.back)
    return any(other.role == "word" and other.proper for other in inside)


def _name_runs(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Names: capitalised words in a row without a stop between."""
    run: list[Token] = []
    for token in tokens:
        named = token.role == "word" and token.proper
        if run and (not named or token.comma):
            yield run
            run = []
        if named:
            run.append(token)
    if run:
        yield run


def _known(token: Token, pair: AlignedPair) -> bool:
    """Whether a word of a name says nothing by itself or stands in the evidence, be it in another form ("Italian")."""
    if token.key in GENERIC_NAMES or token.key in pair.index.inside or token.key in pair.evidence.keys:
        return True
    return token.low[: max(4, len(token.low) - 3)] in pair.index.folded


def _abbreviates(run: Sequence[Token], texts: Sequence[str]) -> bool:
    """Whether a name is the initials of words of the texts, or an abbreviation in the texts is its initials."""
    if len(run) == 1:
        initials = [c for c in run[0].low if c.isalpha()]
        if not 2 <= len(initials) <= 6:
            return False
        pattern = rf"\b{_JOINING.join(initials)}"
    else:
        pattern = rf"\b{re.escape(''.join(token.low[0] for token in run))}s?\b"
    return any(re.search(pattern, text, re.IGNORECASE) for text in texts)
