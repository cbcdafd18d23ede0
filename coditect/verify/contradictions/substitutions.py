"""Contradictions in single words: another one in the same place, a limiting one left out, another event that time counts from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coditect.language.reading.binding import find_stance, verb_of
from coditect.language.reading.equivalents import can_stand_for
from coditect.language.reading.oppositions import families
from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.tables import read_table
from coditect.verify.alignment.matching import weight_of
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.contradictions.kinds import DOUBT, Contradiction, contradiction
from coditect.verify.contradictions.polarity import denies

__all__ = ["find_events", "find_exchanged_units", "find_substitutions", "find_widened"]

_NEAR = 0.7
"""Share of a claim's content words that must have a counterpart for another word in a place to tell anything."""
_MOST_EVENT = 10
_OPENING = "("
_FIRST = 2
"""Words of an event that name it."""
_JUDGING = frozenset(read_table("predicates").words("judging"))
_FROM = ("of", "from", "after", "before", "following", "on", "upon", "prior", "since", "when", "ahead")


def find_substitutions(pair: AlignedPair) -> Iterator[Contradiction]:
    """Words of the claim in whose place the evidence has another, which no table knows to say the same.

    Args:
        pair: the claim beside its evidence.
    """
    if pair.closeness() < _NEAR:
        return
    tokens, theirs = pair.claim.tokens, pair.evidence.tokens
    for n, token in enumerate(tokens):
        if token.role != "word" or n in pair.forth or weight_of(token) < 1.0:
            continue
        left, right = pair.anchors(n, 1)
        if left is None or right is None or not 0 < right - left <= 6:
            continue
        inside = [k for k in range(left + 1, right) if theirs[k].role == "word" and k not in pair.back]
        if len(inside) != 1 or weight_of(theirs[inside[0]]) < 1.0:
            continue
        other = theirs[inside[0]]
        if denies(other) or any(denies(each) for each in tokens[max(0, n - 2) : n]):
            continue  # "cannot drive" may stand for "is unavailable"
        if _takes_for(pair.claim, n) and _takes_for(pair.evidence, inside[0]):
            continue  # "held invalid", "determined to be invalid"
        elsewhere = _is_elsewhere(pair, token.key)
        detail = f"where the claim says “{token.low}”, the evidence says “{other.low}”"
        yield contradiction(pair, "substitution", 0.8 if elsewhere else 0.6, token, other, detail)


def _takes_for(reading: SentenceReading, at: int) -> bool:
    """Whether a verb of judgement says for what something is taken: an adjective follows, or "to be"; "holds shares" does not."""
    behind = [token.low for token in reading.tokens[at + 1 : at + 3]]
    if reading.tokens[at].low not in _JUDGING or not behind:
        return False
    return behind == ["to", "be"] or (reading.tokens[at + 1].role == "word" and not behind[0].endswith("s"))


def _is_elsewhere(pair: AlignedPair, key: str) -> bool:
    """Whether another statement of the evidence has a word, in whatever form, and this one has not: then it says something else."""
    own = pair.evidence.keys
    if any(can_stand_for(key, other) for other in own):
        return False
    return any(can_stand_for(key, other) for other in pair.index.inside if other not in own and not other.isdigit())


def find_exchanged_units(pair: AlignedPair) -> Iterator[Contradiction]:
    """Words next to the same word that exclude each other as members of one family: "per quarter", "per month".

    Args:
        pair: the claim beside its evidence.
    """
    tokens, theirs = pair.claim.tokens, pair.evidence.tokens
    for n, token in enumerate(tokens[1:], 1):
        left, _ = pair.anchors(n, 1)
        k = next((m for m in pair.evidence.content if left is not None and m > left), None)
        if token.role != "word" or n in pair.forth or k is None or k in pair.back:
            continue
        if set(families().get(token.key, ())) & set(families().get(theirs[k].key, ())):
            yield contradiction(pair, "unit", 0.9, token, theirs[k])


def find_widened(pair: AlignedPair) -> Iterator[Contradiction]:
    """What the claim says of all, and the evidence only of those that a word before the noun picks out: "material contracts".

    Args:
        pair: the claim beside its evidence.
    """
    tokens, theirs = pair.claim.tokens, pair.evidence.tokens
    subject = next((n for n, token in enumerate(tokens) if token.role in ("modal", "condition")), 0)
    for n, token in enumerate(tokens):
        is_all = token.role == "quantifier" and token.key == "all"
        is_bare = _is_bare(pair, n)
        if not is_all and not is_bare and not (n == 0 and subject and token.low in ("a", "an", "no")):
            continue
        behind = range(n, n + 1) if is_bare else range(n + 1, min(len(tokens), n + 4))
        at = next((m for m in behind if tokens[m].has_substance), None)
        if at is None or at not in pair.forth:
            continue
        k = pair.forth[at] - 1
        if k < 0 or theirs[k].role != "word" or k in pair.back or weight_of(theirs[k]) < 1.0:
            continue
        if theirs[k].comma and (k or not is_bare):
            continue
        if theirs[k].low.endswith(("'s", "s'")) or not theirs[k].low.isalpha() or theirs[k].low == "per":
            continue  # whose it is, and not of which kind; a mark or a distributive word picks out nothing
        joint = theirs[k - 1].low if _is_coordinated(theirs, k) else ""
        if theirs[k + 1].comma or joint == "and" or (joint and not is_all):
            continue  # one of several in a row, maybe all there are: "war, flood", "ordinary and sponsored members"
        if _OPENING in pair.evidence.text[theirs[k].end : theirs[k + 1].start]:
            continue  # a bracket parts them: "the place of purchase (card receipts are not taken)"
        if theirs[k].proper and theirs[k + 1].proper and tokens[at].proper:
            continue  # a name, which the claim has for short: "a Student Senator", "a Senator"
        if any(m != pair.forth[at] and theirs[m].key == theirs[k + 1].key for m in pair.evidence.content):
            continue  # the evidence has it again, without the word that picks out
        named = tokens[at].low if is_bare else f"{token.low} {tokens[at].low}"
        detail = f"the claim says it of “{named}”, the evidence only of “{theirs[k].low}” ones"
        yield contradiction(pair, "quantifier", DOUBT if joint or is_bare else 0.7, token, theirs[k], detail)


def _is_bare(pair: AlignedPair, n: int) -> bool:
    """Whether a word, the subject or the object of what may be done or not, is a plural of any kind: "may bring dogs"."""
    tokens = pair.claim.tokens
    modal = next((m for m, token in enumerate(tokens) if token.role == "modal"), None)
    if modal is None or tokens[modal].key == "recommended" or tokens[n].role != "word" or n not in pair.forth:
        return False
    if not _is_plural(tokens[n].low) or not _is_plural(pair.evidence.tokens[pair.forth[n]].low):
        return False
    verb = verb_of(pair.claim, modal)
    is_object = verb is not None and n == verb + 1 and find_stance(pair.claim, modal).key in ("may", "shall not")
    return (n == 0 and modal == 1) or is_object


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _is_coordinated(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word is the last of several that are joined, which may together be all there are."""
    return at > 1 and tokens[at - 1].low in ("and", "or") and tokens[at - 2].role == "word"


def find_events(pair: AlignedPair) -> Iterator[Contradiction]:
    """Periods that both sides have, but counted from different events: "of its receipt", "of its issue".

    Args:
        pair: the claim beside its evidence.
    """
    tokens, theirs = pair.claim.tokens, pair.evidence.tokens
    for n, token in enumerate(tokens):
        if token.role != "number" or token.key[0] != "t" or n not in pair.forth:
            continue
        mine, other = _event(pair.claim, n), _event(pair.evidence, pair.forth[n])
        if not mine or not other:
            continue
        strange = [m for m in mine[:_FIRST] if m not in pair.forth and weight_of(tokens[m]) >= 1.0]
        lost = [k for k in other if k not in pair.back and weight_of(theirs[k]) >= 1.0]
        if strange and lost:
            said, meant = tokens[strange[0]], theirs[lost[0]]
            detail = f"the claim counts “{token.low}” from “{said.low}”, the evidence from “{meant.low}”"
            yield contradiction(pair, "condition", DOUBT, said, meant, detail)


def _event(reading: SentenceReading, at: int) -> list[int]:
    """The words of substance of the event that a period is counted from; none where none follows it."""
    tokens = reading.tokens
    found: list[int] = []
    if at + 1 >= len(tokens) or not any(token.low.split()[0] in _FROM for token in tokens[at + 1 : at + 3]):
        return []
    for n in range(at + 1, min(len(tokens), at + 1 + 2 * _MOST_EVENT)):
        token = tokens[n]
        if (
            token.clause != tokens[at].clause
            or (token.comma and found)
            or token.role == "modal"
            or token.low == "and"
            or len(found) >= _MOST_EVENT
        ):
            break
        if token.has_substance:
            found.append(n)
    return found
