"""Words of a rewrite that its source has otherwise than as words, or the statements around it: whom "it" means, which notice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from coditect.language.tables import read_table
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.rewrites.force import says_so
from coditect.verify.rewrites.lexicon import sets_of
from coditect.verify.rewrites.matching import WordMatch
from coditect.verify.rewrites.reading import ReadStatement, say

__all__ = ["is_known", "statements_near"]

_BEFORE, _BEHIND = 4, 2
_TABLE = read_table("interchangeable")
_HEREIN = frozenset(_TABLE.words("herein"))
_DOCUMENTS = frozenset(_TABLE.words("documents"))
_PRONOUNS = frozenset(("it", "they", "he", "she", "them", "this", "these", "those", "such", "its", "their"))


def statements_near(index: EvidenceIndex, number: int) -> tuple[ReadStatement, ...]:
    """The statements around one of the evidence, those before it first.

    Args:
        index: the evidence.
        number: which of its statements.
    """
    stop = min(number + _BEHIND + 1, len(index.sentences))
    those = [n for n in range(max(0, number - _BEFORE), stop) if n != number]
    return tuple(say(index.sentences[n].reading.text) for n in those)


@cache
def _relations() -> Mapping[str, tuple[str, ...]]:
    """A preposition to the turns of its lines."""
    found: dict[str, tuple[str, ...]] = {}
    for head, rest in _TABLE.pairs("relations"):
        phrases = (head, *(each.strip() for each in rest.split(";")))
        for phrase in phrases:
            if " " not in phrase:
                found[phrase] = (*found.get(phrase, ()), *(each for each in phrases if " " in each))
    return found


def is_known(pair: WordMatch, i: int, near: Sequence[ReadStatement]) -> bool:
    """Whether a word of a claim without a counterpart is borne out all the same.

    It stands in a binding expression or a fixed turn of the source ("it is important that"), or says what one says ("acceptable"
    for "may be used", "in a row" for "five consecutive years"), or relates as a turn of the source does; it names the document
    that "herein" means; it names whom a pronoun of the source means; or it tells which notice is meant, as statements around do.

    Args:
        pair: a sentence of the claim beside a statement of the evidence.
        i: the word.
        near: the statements around, those before it first.
    """
    low = pair.claim.tokens[i].low
    words = pair.source.reading.words
    if says_so(pair, i) or any(word.low == low for word in words):
        return True
    text = pair.source.reading.text.casefold()
    if low in _relations() and any(f"{turn} " in text for turn in _relations()[low]):
        return True
    if low in _DOCUMENTS and any(word.low in _HEREIN for word in words):
        return True
    sets = frozenset().union(*(bundle.sets for bundle in pair.claim.bundles if i in bundle.tokens))
    if sets and any(not sets.isdisjoint(sets_of(word.key)) for word in words):
        return True
    return bool(near) and (_is_antecedent(pair, i, near) or _tells_which(pair, i, near))


def _is_antecedent(pair: WordMatch, i: int, near: Sequence[ReadStatement]) -> bool:
    """Whether a word belongs to the claim's subject, the source has a pronoun for its own, and a statement around has the word."""
    source = pair.source.tokens
    start = next(
        (n for n, token in enumerate(source) if token.low in _PRONOUNS and not any(c < n for c in pair.source.content)),
        None,
    )
    if start is None or source[start].low in ("its", "their"):
        return False
    verb = next((n for n, token in enumerate(pair.claim.tokens) if token.role == "modal"), 0)
    key = pair.claim.tokens[i].key
    return i < verb and any(token.key == key for said in near[:_BEFORE] for token in said.tokens)


def _tells_which(pair: WordMatch, i: int, near: Sequence[ReadStatement]) -> bool:
    """Whether a word stands right before a noun, in a statement around as well, and the noun of the source has no other there."""
    behind = next((n for n in pair.claim.content if n > i), None)
    if behind != i + 1:
        return False
    for j in pair.forth.get(behind, ())[:1]:
        if j - 1 in pair.source.place and j - 1 not in pair.back:
            return False
    pairs = (pair.claim.tokens[i].key, pair.claim.tokens[behind].key)
    return any(
        (said.tokens[n].key, said.tokens[n + 1].key) == pairs
        for said in near
        for n in said.content
        if n + 1 in said.place
    )
