"""Who acts and what stands beside what: the subject of a rewrite through active and passive, and the words of its noun phrases."""

from __future__ import annotations

from collections.abc import Iterator

from coditect.language.reading.conditions import find_conditions
from coditect.verify.rewrites.matching import Match
from coditect.verify.rewrites.operators import binds, modal_of
from coditect.verify.rewrites.reading import Said

__all__ = ["roles_differ"]

_BE = frozenset(("be", "been", "is", "are", "was", "were", "being"))
_APART = 6
_LETTING = ("requir", "permit", "allow", "enabl", "oblig", "prohibit")
_PARTICIPLES = ("ed", "en", "wn", "pt", "nt", "old", "eld", "ade", "ut", "ught", "aid", "und", "one", "lt", "set", "un")
_OPENING = frozenset("on in at for to upon from during by with within under after before because through as of".split())


def roles_differ(pair: Match) -> Iterator[str]:
    """Words of a claim that stand in another part, or beside another word, than in its source.

    Args:
        pair: a sentence of the claim beside a statement of the evidence.
    """
    yield from _subjects(pair)
    yield from _phrases(pair)


def _verb(said: Said) -> int | None:
    """The token that ends the main subject: a binding expression or a finite form, outside of conditions."""
    inside = {n for each in find_conditions(said.reading) for n in range(each.at, each.stop)}
    for n, token in enumerate(said.tokens):
        if n not in inside and (binds(said, n) or token.low in _BE):
            return n
    return None


def _passive(said: Said, verb: int) -> bool:
    for n in range(verb, min(verb + 4, len(said.tokens))):
        if said.tokens[n].low.split()[-1] in _BE:
            rest = (t for t in said.tokens[n + 1 : n + 5] if t.role != "negation" and not t.low.endswith("ly") and t.low != "also")
            behind = next(rest, None)
            return behind is not None and behind.role == "word" and behind.low.endswith(_PARTICIPLES)
    return False


def _subject(said: Said, verb: int) -> list[int]:
    inside = {n for each in find_conditions(said.reading) for n in range(each.at, each.stop)}
    clause = said.tokens[verb].clause
    start = 0
    if said.tokens[0].low in _OPENING:
        start = next((n for n in range(1, verb) if said.tokens[n].comma), 0)
    return [n for n in said.content if start <= n < verb and n not in inside and said.tokens[n].clause == clause]


def _subjects(pair: Match) -> Iterator[str]:
    verb = _verb(pair.claim)
    if verb is None:
        return
    behind = [i for i in pair.claim.content if i > verb and i in pair.forth]
    own = [i for i in _subject(pair.claim, verb) if i in pair.forth]
    if not behind or not own:
        return
    there = modal_of(pair.source, pair.forth[behind[0]][0])
    there = _verb(pair.source) if there is None else there
    if there is None:
        return
    subject = set(_subject(pair.source, there))
    if not subject:
        return
    if any(word in pair.source.tokens[there].low for word in _LETTING):
        subject |= {n for n in pair.source.content if there < n < pair.forth[behind[0]][0]}
    keys = {pair.source.tokens[n].key for n in subject}
    here_passive, there_passive = _passive(pair.claim, verb), _passive(pair.source, there)
    head = next((i for i in own if pair.claim.tokens[i].actor), own[0])
    inside = any(j in subject or pair.source.tokens[j].key in keys for j in pair.forth[head])
    given = any(t.low == "to" for j in pair.forth[head] for t in pair.source.tokens[max(0, j - 6) : j])
    if here_passive == there_passive and not inside and not (here_passive and given):
        yield f"subject: {pair.claim.tokens[head].low}"
    if here_passive != there_passive and inside and len(subject) <= 4:
        yield f"subject turned: {pair.claim.tokens[head].low}"


def _phrases(pair: Match) -> Iterator[str]:
    place = pair.source.place
    content = pair.claim.content
    for a, b in zip(content, content[1:], strict=False):
        if b != a + 1 or a not in pair.forth or b not in pair.forth or pair.claim.tokens[b].comma:
            continue
        if set(pair.forth[a]) & set(pair.forth[b]):
            continue
        apart = min(abs(place.get(j, j) - place.get(k, k)) for j in pair.forth[a] for k in pair.forth[b])
        if apart > _APART:
            yield f"apart: {pair.claim.tokens[a].low} {pair.claim.tokens[b].low}"
