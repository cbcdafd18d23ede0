"""Who acts and what stands beside what: the subject of a rewrite through active and passive, and the words of its noun phrases."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from coditect.language.finite_verbs import FINITE
from coditect.language.tables import read_table
from coditect.verify.alignment.predicates import predicates_of
from coditect.verify.rewrites.force import binds, is_imperative, modal_of, modals, next_content
from coditect.verify.rewrites.lexicon import is_quality
from coditect.verify.rewrites.matching import WordMatch
from coditect.verify.rewrites.negation import is_whole
from coditect.verify.rewrites.reading import ReadStatement

__all__ = ["roles_differ", "turned_about"]

_TABLE = read_table("interchangeable")
_FINITE = frozenset(read_table("predicates").words("finite"))
_BE = frozenset(("be", "been", "is", "are", "was", "were", "being"))
_NEAR = 2
_LETTING = ("requir", "permit", "allow", "enabl", "oblig", "prohibit")
_PARTICIPLES = ("ed", "en", "wn", "pt", "nt", "old", "eld", "ade", "ut", "ught", "aid", "und", "one", "lt", "set", "un")
_RELATIVES = frozenset(("that", "which", "who"))
_PRONOUNS = frozenset(("you", "we", "i"))
_GOING_ON = frozenset(_TABLE.words("going_on"))
_RELATING = frozenset(_TABLE.words("relating"))
_DETERMINING = frozenset(_TABLE.words("determining"))
_GIVEN = frozenset(_TABLE.words("giving"))
_LOOSELY = frozenset(("of", "to", "for", "from", "with", "on", "against"))
_PERSONS = frozenset(("we", "you", "i"))
_EMPTY = frozenset(_TABLE.words("light_participles"))
_OPENING = frozenset(_TABLE.words("opening"))


def roles_differ(pair: WordMatch) -> Iterator[str]:
    """Words of a claim that stand in another part, or beside another word, than in its source.

    Args:
        pair: a sentence of the claim beside a statement of the evidence.
    """
    yield from _subjects(pair)
    yield from _moved(pair)
    yield from _acting(pair)
    yield from turned_about(pair)
    yield from _hanging(pair)
    yield from _persons(pair)


def _verb(said: ReadStatement, before: int | None = None) -> int | None:
    """A binding expression or a finite form outside of conditions: the first one, or the last before a word, or the next."""
    inside = said.conditional
    every = [n for n, token in enumerate(said.tokens) if binds(said, n) or token.low in _FINITE or _is_lexical(said, n)]
    verbs = [n for n in every if n not in inside] or every
    verbs = [n for n in verbs if not (n and said.tokens[n - 1].low in _RELATIVES)] or verbs
    if before is None:
        return next(iter(verbs), None)
    clause = said.tokens[before].clause
    verbs = [n for n in verbs if said.tokens[n].clause == clause]
    earlier = [n for n in verbs if n <= before]
    if not earlier:
        return next(iter(verbs), None)
    last = earlier[-1]
    return max((n for n in earlier if binds(said, n) and not _between(said, n, last)), default=last)


def _is_lexical(said: ReadStatement, n: int) -> bool:
    """Whether a token is a verb of the closed list, behind a noun or a pronoun."""
    if not n or said.tokens[n].role != "word" or FINITE.fullmatch(said.tokens[n].low) is None:
        return False
    return n - 1 in said.place or said.tokens[n - 1].low in _PERSONS


def _persons(pair: WordMatch) -> Iterator[str]:
    """A claim of "we" or "you" whose verb belongs to somebody else in the source."""
    verb = _verb(pair.claim)
    spoken = [token.low for token in pair.claim.tokens[:verb] if token.low in _PERSONS] if verb is not None else []
    own = [i for i in pair.claim.content if verb is not None and i >= verb and i in pair.forth]
    if not spoken or not own or is_imperative(pair.source):
        return
    at = pair.forth[own[0]][0]
    there = _verb(pair.source, at)
    end = min(at, there) if there is not None else at
    before = [token.low for token in pair.source.tokens[:end] if token.low in _PERSONS]
    if not before or before[-1] != spoken[-1]:
        yield f"person: {spoken[-1]}"


def _between(said: ReadStatement, lo: int, hi: int) -> bool:
    return any(lo < n < hi for n in said.content)


def _passive(said: ReadStatement, verb: int) -> bool | None:
    """Whether a verb is in the passive; None where an empty participle leaves it open ("must be made in writing")."""
    for n in range(verb, min(verb + 4, len(said.tokens))):
        if said.tokens[n].low.split()[-1] in _BE:
            rest = (
                k for k in range(n + 1, min(n + 5, len(said.tokens)))
                if said.tokens[k].role != "negation" and not said.tokens[k].low.endswith("ly") and said.tokens[k].low != "also"
            )  # fmt: skip
            behind = next(rest, None)
            if behind is None or said.tokens[behind].role != "word":
                return False
            low = said.tokens[behind].low
            if low.split()[0] in _EMPTY:
                return None
            return low.endswith(_PARTICIPLES) and (True if behind in said.place else None)
    return False


def _subject(said: ReadStatement, verb: int) -> list[int]:
    """Words of content before a verb that are its subject; of a coordinated predicate those of the one it belongs to."""
    inside = said.conditional
    for each in predicates_of(said.reading):
        if each.start <= verb < each.stop:
            own = [n for n in said.content if each.start <= n < verb]
            if not own and each.subject:
                return [n for n in each.subject if n in said.place]
    clause = said.tokens[verb].clause
    start = 0
    if said.tokens[0].low in _OPENING:
        start = next((n for n in range(1, verb) if said.tokens[n].comma), 0)
    last = max((n for n in range(1, verb) if said.tokens[n].comma), default=0)
    listed = any(token.low in ("and", "or") for token in said.tokens[last:verb])
    if said.tokens[last].low not in _GOING_ON and not listed and any(last <= n < verb for n in said.content):
        start = max(start, last)
    return [n for n in said.content if start <= n < verb and n not in inside and said.tokens[n].clause == clause]


def _subjects(pair: WordMatch) -> Iterator[str]:
    verb = _verb(pair.claim)
    if verb is None or is_whole(pair.claim, verb):
        return
    behind = [i for i in pair.claim.content if i > verb and i in pair.forth]
    own = [i for i in _subject(pair.claim, verb) if i in pair.forth]
    if not behind or not own:
        return
    if is_imperative(pair.source):
        told = pair.source.content[:1]
        head = _head(pair.claim, own)
        active = not any(token.low in _BE for token in pair.claim.tokens[verb : verb + 3])
        if active and pair.forth[behind[0]][0] in told:
            yield f"subject: {pair.claim.tokens[head].low}"
        return
    there = _verb(pair.source, pair.forth[behind[0]][0])
    if there is None:
        return
    subject = set(_subject(pair.source, there))
    if not subject:
        spoken = there > 0 and pair.source.tokens[there - 1].low in _PRONOUNS
        head = _head(pair.claim, _subject(pair.claim, verb))
        if spoken and head in pair.forth and _passive(pair.claim, verb) == _passive(pair.source, there):
            yield f"subject: {pair.claim.tokens[head].low}"
        return
    last = max(subject)
    if any(word in pair.source.tokens[there].low for word in _LETTING):
        subject |= {n for n in pair.source.content if there < n < pair.forth[behind[0]][0]}
    keys = {pair.source.tokens[n].key for n in subject}
    here_passive, there_passive = _passive(pair.claim, verb), _passive(pair.source, there)
    if here_passive is None or there_passive is None:
        return
    head = _head(pair.claim, own)
    inside = any(j in subject or pair.source.tokens[j].key in keys for j in pair.forth[head])
    given = any(t.low == "to" for j in pair.forth[head] for t in pair.source.tokens[max(0, j - 6) : j])
    if here_passive == there_passive and not inside and not (here_passive and given):
        yield f"subject: {pair.claim.tokens[head].low}"
    if here_passive != there_passive and inside and len(subject) <= 4:
        yield f"subject turned: {pair.claim.tokens[head].low}"
    if here_passive == there_passive:
        yield from _swapped(pair, own, last)


def _head(said: ReadStatement, own: list[int]) -> int:
    """The last word of the first noun phrase of a subject."""
    head = own[0]
    for n in own[1:]:
        if n != head + 1:
            break
        head = n
    return head


def _swapped(pair: WordMatch, own: list[int], last: int) -> Iterator[str]:
    """A subject whose verb belongs to another word in the source: one of a condition, or the other one of two who act."""
    inside = pair.claim.conditional
    nearest = own[-1]
    rivals = pair.back.get(last, ())
    same = any(pair.source.tokens[j].key == pair.source.tokens[last].key for j in pair.forth[nearest])
    if rivals and not same and all(i in inside for i in rivals):
        yield f"subject swapped: {pair.claim.tokens[nearest].low} {pair.source.tokens[last].low}"
    acting = [i for i in own if pair.claim.tokens[i].actor or pair.claim.tokens[i].proper]
    for a, b in pairwise(acting):
        between = {token.low for token in pair.claim.tokens[a + 1 : b]}
        one, other = pair.forth[a][0], pair.forth[b][0]
        if b - a > 1 and not between & {"and", "or", "of", "'s"} and other < one <= last:
            yield f"subject swapped: {pair.claim.tokens[a].low} {pair.claim.tokens[b].low}"


def _acting(pair: WordMatch) -> Iterator[str]:
    """Somebody right before a binding expression where the source has somebody else there, both in the active."""
    for n in modals(pair.claim):
        behind = [i for i in next_content(pair.claim, n) if i in pair.forth]
        if not behind or n - 1 not in pair.forth:
            continue
        there = modal_of(pair.source, pair.forth[behind[0]][0])
        if there is None or there - 1 not in pair.source.place or there > pair.forth[behind[0]][0]:
            continue
        mine, theirs = pair.claim.tokens[n - 1], pair.source.tokens[there - 1]
        if not all(token.actor or token.proper for token in (mine, theirs)) or there - 1 in pair.forth[n - 1]:
            continue
        if (
            mine.key != theirs.key
            and there - 1 in pair.back
            and _passive(pair.claim, n) == _passive(pair.source, there)
        ):
            yield f"acting: {mine.low} {theirs.low}"


def _relator(said: ReadStatement, at: int) -> str:
    """What a noun phrase hangs on: the preposition or "that" before it, or "" where it is a subject or an object."""
    for n in range(at - 1, -1, -1):
        token = said.tokens[n]
        if token.low in _RELATING:
            return token.low
        if (token.comma and n < at - 1) or token.role in ("modal", "condition", "negation"):
            return ""
        if n not in said.place and token.low not in _DETERMINING and token.role != "quantifier":
            return ""
    return ""


def _ends_phrase(pair: WordMatch, i: int) -> bool:
    """Whether a word is the last one of its noun phrase, as far as that shows."""
    token = pair.claim.tokens[i]
    if i + 1 not in pair.claim.place or token.actor or token.proper:
        return True
    return i + 1 in pair.forth and pair.forth[i + 1][0] != pair.forth[i][0] + 1


def _hanging(pair: WordMatch) -> Iterator[str]:
    """Somebody who acts in the claim and is acted upon, or on whose behalf it is done, in the source; or the reverse."""
    lows = {token.low for token in pair.claim.tokens}
    for i in pair.claim.content:
        token = pair.claim.tokens[i]
        if i not in pair.forth or not token.actor or i in pair.claim.conditional:
            continue
        mine = _relator(pair.claim, i)
        theirs = {
            _relator(pair.source, j)
            for j, other in enumerate(pair.source.tokens)
            if j in pair.forth[i] or other.key == pair.source.tokens[pair.forth[i][0]].key
        }
        if mine == "by" and not theirs & {"by", "", "of", "from", "that"}:
            yield f"hanging: by {token.low}"
        moved = mine in ("to", "for", "from") and mine not in theirs and not (theirs & _LOOSELY) and "" in theirs
        if moved and not (mine == "to" and lows & _GIVEN):
            yield f"hanging: {mine} {token.low}"


def turned_about(pair: WordMatch) -> Iterator[str]:
    """Two nouns that have changed places: each hangs on what the other one hangs on in the source."""
    given = any(token.low in _GIVEN for token in pair.claim.tokens)
    placed = []
    for i in pair.claim.content:
        if i in pair.forth and _ends_phrase(pair, i) and not is_quality(pair.claim.tokens[i].key):
            placed.append((i, _relator(pair.claim, i), _relator(pair.source, pair.forth[i][0])))
    for a, mine, theirs in placed:
        for b, other, others in placed:
            if a < b and mine != theirs and mine == others and theirs == other and "" in (mine, theirs):
                if "by" in (mine, theirs) or (given and "to" in (mine, theirs)):
                    continue
                yield f"turned about: {pair.claim.tokens[a].low} {pair.claim.tokens[b].low}"
                return


def _moved(pair: WordMatch) -> Iterator[str]:
    """A word that stands before another noun than in the source, while the one that stands there went elsewhere: "foreign fund of
    a domestic manager".
    """
    place = pair.claim.place
    for a, b in pairwise(pair.claim.content):
        if b != a + 1 or a not in pair.forth or b not in pair.forth or pair.claim.tokens[b].comma:
            continue
        before, behind = pair.forth[b][0] - 1, pair.forth[a][0] + 1
        if pair.forth[a][0] == before or pair.source.tokens[before].key == pair.claim.tokens[a].key:
            continue
        gone = pair.back.get(before, ()) if before in pair.source.place else ()
        left = pair.back.get(behind, ()) if behind in pair.source.place else ()
        far = gone and all(abs(place.get(i, -9) - place[b]) > _NEAR for i in gone)
        if far and left and all(pair.claim.tokens[i].key != pair.claim.tokens[b].key for i in left):
            yield f"moved: {pair.claim.tokens[a].low} {pair.claim.tokens[b].low}"
