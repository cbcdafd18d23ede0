"""Contradictions in conditions and exceptions: dropped, added, turned around."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from coditect.language.reading.binding import verb_of
from coditect.language.reading.conditions import Condition, find_conditions
from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.tables import read_table
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.alignment.predicates import speaks_of
from coditect.verify.contradictions.kinds import DOUBT, Contradiction, contradiction

__all__ = ["find_condition_contradictions"]

_HOLDS = 0.5
_OTHERWISE = "otherwise"
_REMARK = 0.4
_DISREGARDED = 0.95
_FEWEST = 2
_FEWEST_ASSERTED = 2
_NEAR = 4
"""Tokens behind an exception among which the clause on what it excepts begins."""
_ASSERTED = 0.7
_RELATIVES = frozenset(("who", "whose", "which", "that", "whoever"))
_ALIKE = 0.34
_ALIKE_ALONE = 0.2
"""The same where neither side has another condition."""
_SIGNS = {"if": 1, "when": 1, "unless": -1, "despite": 0}
_RESUMING = tuple(f"{each} " for each in read_table("conditions").phrases("resuming"))
_LONGEST_RESUMING = 5
_CONCEDING = frozenset(read_table("conditions").words("conceding"))
_TIMED = frozenset(read_table("conditions").words("timed"))


def find_condition_contradictions(pair: AlignedPair) -> Iterator[Contradiction]:
    """Conditions that the claim drops, adds or turns around.

    Args:
        pair: the claim beside its evidence.
    """
    mine, theirs = find_conditions(pair.claim), find_conditions(pair.evidence)
    yield from _asserted(pair, mine, theirs)
    matched = _matched(pair, mine, theirs)
    for n, condition in enumerate(theirs):
        if n in matched and condition.body:
            if not any(each.key == mine[matched[n]].key and other != n for other, each in enumerate(theirs)):
                yield from _turned(pair, mine[matched[n]], condition)
            yield from _without_part(pair, mine[matched[n]], condition)
        elif condition.body:
            yield from _missing(pair, condition)
    for n, condition in enumerate(mine):
        if n not in matched.values() and condition.body:
            yield from _added(pair, condition, theirs)
            yield from _disregarded(pair, condition)


def _asserted(pair: AlignedPair, mine: list[Condition], theirs: list[Condition]) -> Iterator[Contradiction]:
    """What the claim says outright, and the evidence only as a condition of something else: "unless you comply with it"."""
    own = [n for n in pair.claim.content if n in pair.forth and not any(each.at < n < each.stop for each in mine)]
    for each in theirs:
        if each.key not in ("if", "unless"):
            continue
        inside = [n for n in own if each.at < pair.forth[n] < each.stop]
        if len(own) >= _FEWEST_ASSERTED and len(inside) >= _ASSERTED * len(own):
            token, other = pair.claim.tokens[inside[0]], pair.evidence.tokens[each.at]
            detail = f"the claim says outright what stands behind “{other.low}” in the evidence"
            yield contradiction(pair, "condition", DOUBT, token, other, detail)
            return


def _matched(pair: AlignedPair, mine: list[Condition], theirs: list[Condition]) -> dict[int, int]:
    """Which condition of the evidence is which of the claim, one to one, the most alike first."""
    alone = len(mine) == len(theirs) == 1
    scored = sorted(
        (-common, own.key != other.key, abs(m - n), n, m)
        for n, other in enumerate(theirs)
        for m, own in enumerate(mine)
        if (common := _common(pair, own, other)) >= (_ALIKE_ALONE if alone and own.key == other.key else _ALIKE)
    )
    found: dict[int, int] = {}
    for _, _, _, n, m in scored:
        if n not in found and m not in found.values():
            found[n] = m
    return found


def _both_otherwise(pair: AlignedPair, mine: Condition, theirs: Condition) -> bool:
    """Whether both only leave room for another provision: "unless it says otherwise", "except as otherwise set forth"."""
    return all(
        _OTHERWISE in (token.low for token in reading.tokens[each.at : each.stop + 2])
        for reading, each in ((pair.claim, mine), (pair.evidence, theirs))
    )


def _common(pair: AlignedPair, mine: Condition, theirs: Condition) -> float:
    """The share of two bodies' words that they have in common, of the smaller one."""
    if _both_otherwise(pair, mine, theirs):
        return 1.0
    if not mine.body or not theirs.body:
        return 0.0
    keys = {pair.evidence.tokens[n].key for n in theirs.body}
    hits = sum(pair.forth[n] in theirs.body if n in pair.forth else pair.claim.tokens[n].key in keys for n in mine.body)
    return hits / min(len(mine.body), len(theirs.body))


def _turned(pair: AlignedPair, mine: Condition, theirs: Condition) -> Iterator[Contradiction]:
    said, meant = pair.claim.tokens[mine.at], pair.evidence.tokens[theirs.at]
    behind = [token.low for token in pair.evidence.tokens[theirs.stop : theirs.stop + 4]]
    if "which" in behind and {"case", "event"} & set(behind):
        return  # "unless it conforms, in which case …": the claim may speak of that case
    if theirs.key == "unless" and _is_of_excepted(pair, mine, theirs):
        return
    if mine.key == "despite" and theirs.key in ("if", "when") and _goes_on_still(pair.evidence, theirs):
        return
    if mine.key == theirs.key and ("only" in said.low.split()) != ("only" in meant.low.split()):
        yield contradiction(pair, "quantifier", 0.7, said, meant)
    one, two = _SIGNS[mine.key], _SIGNS[theirs.key]
    differ = one * two < 0 or (0 in (one, two) and mine.key != theirs.key)
    # A negation in one body makes up for the other's introduction: "if not" is "unless".
    if differ and _is_negative(pair.claim, mine) == _is_negative(pair.evidence, theirs):
        yield contradiction(pair, "condition", 1.0 if one * two < 0 else _DISREGARDED, said, meant)


def _is_of_excepted(pair: AlignedPair, mine: Condition, theirs: Condition) -> bool:
    """Whether the evidence tells what holds of what it excepts, and the claim says just that: "except X, which shall be …"."""
    tokens = pair.evidence.tokens
    behind = tokens[theirs.stop : theirs.stop + _NEAR]
    if not any(token.low in _RELATIVES for token in behind) or not any(token.role == "modal" for token in behind):
        return False
    acts = {verb_of(pair.claim, n) for n, token in enumerate(pair.claim.tokens) if token.role == "modal"}
    own = [n for n in pair.claim.content if not mine.at <= n < mine.stop and n in pair.forth and n not in acts]
    return bool(own) and all(pair.forth[n] >= theirs.stop for n in own)


def _without_part(pair: AlignedPair, mine: Condition, theirs: Condition) -> Iterator[Contradiction]:
    """A part of a condition or exception, one of several in a row, that the claim has not, or says outside of it."""
    tokens = pair.evidence.tokens
    if len(theirs.body) < _FEWEST:
        return
    joined = any(token.low in ("and", "or") for token in tokens[theirs.at : theirs.stop + 1])
    for n in theirs.body if joined else ():
        if pair.back.get(n) in mine.body or tokens[n].role != "word":
            continue
        behind = tokens[n + 1] if n + 1 < len(tokens) else None
        alone = behind is not None and (behind.comma or behind.low in ("and", "or"))
        first = n == theirs.body[0] or tokens[n - 1].low in ("and", "or", "a", "an", "any", "the")
        if alone and first:
            detail = f"the claim leaves “{tokens[n].low}” out of what stands behind “{tokens[theirs.at].low}”"
            yield contradiction(pair, "condition", DOUBT, pair.claim.tokens[mine.at], tokens[n], detail)
            return


def _is_negative(reading: SentenceReading, condition: Condition) -> bool:
    return any(token.negates for token in reading.tokens[condition.at + 1 : condition.stop])


def _missing(pair: AlignedPair, theirs: Condition) -> Iterator[Contradiction]:
    if not _governs(pair, theirs) or not (theirs.leads or speaks_of(pair, theirs.at)):
        return
    token = pair.evidence.tokens[theirs.at]
    words = pair.evidence.text[token.start : pair.evidence.tokens[theirs.body[:6][-1]].end]
    said = " ".join(words.split())
    before = [pair.back[n] for n in range(theirs.at) if n in pair.back]
    gap = pair.claim.tokens[before[-1]].end if before else 0
    if _share(pair.evidence, theirs, pair.back) < _HOLDS:
        if _share(pair.evidence, theirs, pair.back) >= _ALIKE and _introduced_otherwise(pair, theirs):
            return
        severity = (
            0.4
            if token.low.split()[0] in _TIMED or token.low.startswith("as soon") or theirs.key == "despite"
            else (0.6 if theirs.key == "when" else 0.9)
        )
        if theirs.key == "when" and theirs.leads and pair.source.statement.composed is not None:
            severity = _REMARK  # what leads into a whole list says when all of it matters
        if severity > DOUBT and _is_alternative(pair.evidence, theirs):
            severity = DOUBT  # the claim may be about another case
        if severity > DOUBT and _is_asserted_of(pair, theirs):
            severity = DOUBT  # "who is still active" for "unless he is no longer active"
        if severity > DOUBT and (_has_other_condition(pair, theirs) or _resumes(pair.claim)):
            severity = DOUBT  # it may be the same in other words
        yield contradiction(pair, "condition", severity, gap, token, f"the claim leaves out “{said}”")
    elif theirs.key in ("unless", "if") and not _introduced_otherwise(pair, theirs) and not _is_said(pair, token):
        detail = f"the claim has the words but not the “{token.low}” of “{said}”"
        yield contradiction(pair, "condition", DOUBT if theirs.key == "unless" else 0.5, gap, token, detail)


def _is_said(pair: AlignedPair, token: Token) -> bool:
    """Whether the claim introduces something by the very word that a condition of the evidence begins with."""
    return any((other.role, other.low) == ("condition", token.low) for other in pair.claim.tokens)


def _is_alternative(reading: SentenceReading, condition: Condition) -> bool:
    """Whether a condition is one of several cases: "or, if sent by courier, … or, if mailed, …"."""
    tokens = reading.tokens
    before, behind = tokens[max(0, condition.at - 1) : condition.at], tokens[condition.stop : condition.stop + 3]
    goes_on = any(token.low == "or" for token in behind) and any(token.role == "condition" for token in behind)
    return goes_on or any(token.low == "or" for token in before)


def _has_other_condition(pair: AlignedPair, theirs: Condition) -> bool:
    """Whether the claim depends on something that the evidence has not: then it may be this condition in other words."""
    own = [each for each in find_conditions(pair.claim) if each.body]
    signs = {_SIGNS[theirs.key], 1 if theirs.key != "unless" else -1}
    return any(_SIGNS[each.key] in signs for each in own)


def _goes_on_still(reading: SentenceReading, condition: Condition) -> bool:
    """Whether a statement concedes a condition: "where it is locked, it is still possible"."""
    return any(token.low in _CONCEDING for token in reading.tokens[condition.stop :])


def _is_asserted_of(pair: AlignedPair, theirs: Condition) -> bool:
    """Whether an exception is of what is not so, and the claim only of whom it is so."""
    denied = theirs.key == "unless" and _is_negative(pair.evidence, theirs)
    own = [token.low for token in pair.claim.tokens]
    said = any(
        pair.claim.tokens[m].key == pair.evidence.tokens[n].key or pair.back.get(n) == m
        for n in theirs.body
        for m, low in enumerate(own)
        if pair.claim.tokens[m].has_substance
    )
    return denied and said and any(low in _RELATIVES for low in own) and not any(t.negates for t in pair.claim.tokens)


def _resumes(reading: SentenceReading) -> bool:
    """Whether a sentence begins with words that take up a condition which the one before it states: "In that case"."""
    return f"{' '.join(word.low for word in reading.words[:_LONGEST_RESUMING])} ".startswith(_RESUMING)


def _introduced_otherwise(pair: AlignedPair, theirs: Condition) -> bool:
    """Whether the claim introduces the words of a condition in a way that no table has: "though not …", "for whoever …"."""
    own = [pair.back[n] for n in theirs.body if n in pair.back]
    if not own:
        return False
    tokens = pair.claim.tokens
    if theirs.key == "unless":
        return any(token.negates for token in tokens[max(0, min(own) - 4) : min(own)])
    near = tokens[max(0, min(own) - 3) : max(own)]
    return any(token.role == "condition" or token.low in _RELATIVES for token in near)


def _share(reading: SentenceReading, condition: Condition, aligned: Mapping[int, int]) -> float:
    """How much of a condition's body the other side has; of words that occur elsewhere only if it has no other."""
    outside = {reading.tokens[n].key for n in reading.content if not condition.at < n < condition.stop}
    own = [n for n in condition.body if reading.tokens[n].key not in outside] or condition.body
    return sum(n in aligned for n in own) / len(own)


def _governs(pair: AlignedPair, condition: Condition) -> bool:
    """Whether the claim states what the condition governs: the clause behind it where it leads, else before it."""
    tokens = pair.evidence.tokens
    if condition.leads:
        modals = [n for n in range(condition.stop, len(tokens)) if tokens[n].role == "modal"]
        modal = modals[0] if modals else condition.stop + 6
        span = range(max(condition.stop, modal - 6), min(len(tokens), modal + 10))
    else:
        low = max(0, condition.at - 24)
        modals = [n for n in range(low, condition.at) if tokens[n].role == "modal"]
        span = range(max(low, modals[-1] - 6) if modals else max(low, condition.at - 14), condition.at)
    body = [n for n in span if tokens[n].has_substance]
    hits = sum(n in pair.back for n in body)
    return bool(body) and hits >= min(2, len(body)) and hits / len(body) >= _ALIKE


def _added(pair: AlignedPair, mine: Condition, theirs: list[Condition]) -> Iterator[Contradiction]:
    tokens = pair.claim.tokens
    token = tokens[mine.at]
    foreign = [n for n in mine.body if n not in pair.forth]
    if len(foreign) / len(mine.body) > _HOLDS:
        unknown = [n for n in foreign if tokens[n].key not in pair.index.inside]
        severity = 0.8 if len(unknown) / len(mine.body) > 0.25 else 0.6
        if mine.key in ("when", "despite"):
            severity -= 0.2
        detail = f"the claim adds a condition: “{token.low} {tokens[mine.body[0]].low} …”"
        yield contradiction(pair, "condition", severity, token, None, detail)
    elif not theirs and mine.key in ("unless", "if") and not _introduced(pair, mine):
        severity = DOUBT if mine.key == "unless" and not _is_demanded(pair, mine) else _REMARK
        yield contradiction(
            pair, "condition", severity, token, None, f"the claim makes a condition of it with “{token.low}”"
        )


def _disregarded(pair: AlignedPair, mine: Condition) -> Iterator[Contradiction]:
    """What does not matter in the claim ("whatever its significance"), and limits in the evidence ("any material contract")."""
    if mine.key != "despite":
        return
    for n in mine.body:
        meant = pair.evidence.tokens[pair.forth[n]] if n in pair.forth else None
        if meant is not None and meant.role == "word" and not _is_of_nothing(pair.evidence, pair.forth[n]):
            token = pair.claim.tokens[mine.at]
            detail = f"the claim says “{token.low}” of what the evidence limits by “{meant.low}”"
            yield contradiction(pair, "condition", DOUBT, token, meant, detail)
            return


def _is_demanded(pair: AlignedPair, mine: Condition) -> bool:
    """Whether a claim denies what is not so, and the evidence demands that it be so: "no entry without a badge"."""
    denied = any(token.negates for token in pair.claim.tokens[: mine.at])
    own = [pair.forth[n] for n in mine.body if n in pair.forth]
    tokens = pair.evidence.tokens
    demands = [n for n, token in enumerate(tokens) if (token.role, token.key) == ("modal", "shall")]
    return denied and bool(own and demands) and demands[0] < min(own) and not any(token.negates for token in tokens)


def _is_of_nothing(reading: SentenceReading, at: int) -> bool:
    """Whether a word says where it stands that there is nothing: "nothing in this section limits …"."""
    return any(token.low == "nothing" for token in reading.tokens[max(0, at - _NEAR) : at])


def _introduced(pair: AlignedPair, mine: Condition) -> bool:
    """Whether the evidence introduces the same words by something of the kind."""
    first = next((pair.forth[n] for n in mine.body if n in pair.forth), None)
    if first is None:
        return True
    before = pair.evidence.tokens[max(0, first - 5) : first]
    return any(token.role in ("condition", "order") or token.negates for token in before)
