"""Words of a sentence that say which of the things are meant that a part of a requirement asks about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.reading.sentence import SentenceReading, Token, read_sentence
from coditect.verify.alignment.matching import weight_of
from coditect.verify.requirements.asides import purpose_start
from coditect.verify.requirements.demand import Demand, is_adverb, is_done, is_nominal, is_passive
from coditect.verify.requirements.terms import PLAIN, act_of, listed, listed_words

__all__ = ["Laid", "narrowing", "rides"]

_ATTACH = frozenset(
    ("of", "to", "for", "in", "into", "on", "over", "from", "at", "that", "which", "with", "by", "between", "within")
)

_ATTACH_LAST = frozenset(("of", "to", "for", "in", "on", "over", "that", "which", "within"))
"""What joins to a noun what narrows it; the latter to one that is not the object."""

_PARTS = frozenset(
    ("and", "or", "is", "are", "be", "been", "was", "were", "has", "have", "including", "includes", "include")
)

_ABOUT = frozenset(("on", "in", "about", "of", "regarding", "concerning"))

_OF_PERSONS = frozenset(("personal", "private", "individual"))
"""Words that narrow a noun though their stems are such as tell little."""

_JOINTS = frozenset(("and", "or"))

_IS = frozenset(("is", "are", "be", "was", "were"))

_ARTICLES = frozenset(("the", "a", "an", "its", "their", "our"))

_FRONTED_CASES = frozenset(("following", "after", "upon"))
_FRONTS = frozenset(("for", "during", "within")) | _FRONTED_CASES
"""What opens, in front of a sentence, a case or an event in which alone it holds."""

_CLAUSE = 8
"""Words of a clause that stands between a noun and its verb, at most."""
_RELATIVE = frozenset(("that", "which", "who", "whose"))
_BEGINS = frozenset(("of", "after", "from", "following", "upon"))


@dataclass(frozen=True)
class Laid:
    """A part of a requirement laid beside a sentence, word by word.

    Attributes:
        demand: of the part.
        title: of the requirement; its words narrow nothing.
        sentence: of a document.
        acts: those of the part that the sentence has, as token indexes of the part.
        forth: token index of the part to that of the sentence.
        back: the other way round.
    """

    demand: Demand
    title: str
    sentence: SentenceReading
    acts: Sequence[int]
    forth: Mapping[int, int]
    back: Mapping[int, int]

    @cached_property
    def known(self) -> frozenset[str]:
        """Keys of the words of the part and of the title."""
        return frozenset(read_sentence(self.title).keys | self.demand.reading.keys)

    @property
    def head(self) -> int | None:
        """The part's object, as a token index of the sentence; None where it has none there."""
        return None if self.demand.head is None else self.forth.get(self.demand.head)

    def words(self, at: int, end: int | None = None) -> str:
        """A word of the sentence as it is written, or those up to another one."""
        tokens = self.sentence.tokens
        return self.sentence.text[tokens[at].start : tokens[at if end is None else end].end]

    def is_left(self, at: int) -> bool:
        """Whether a word of the part has no counterpart in the sentence."""
        return at not in self.forth

    def is_foreign(self, at: int) -> bool:
        """Whether a word of the sentence is neither laid beside one of the part nor known."""
        return at not in self.back and self.sentence.tokens[at].key not in self.known


def narrowing(laid: Laid) -> Iterator[str]:
    """The words that narrow what a part asks about: before its object, behind one of its nouns, and what is taught.

    Args:
        laid: the part beside the sentence.
    """
    yield from _narrower(laid)
    yield from _pointed(laid)
    yield from _directed(laid)
    yield from _in_front(laid)
    if laid.head is not None:
        yield from _behind(laid, laid.head, _ATTACH)
    for at in _other_nouns(laid):
        yield from _behind(laid, at, _ATTACH_LAST)
    yield from _taught(laid)


def rides(sentence: SentenceReading, at: int, back: Mapping[int, int]) -> bool:
    """Whether a noun only goes before another one, or is a verb: "remote-access configs", "may access the system".

    Args:
        sentence: of a document.
        at: the noun, as a token index.
        back: token index of the sentence to that of the part.
    """
    tokens = sentence.tokens
    before, token = tokens[at - 1] if at else None, tokens[at]
    if before is not None and (before.role == "modal" or before.low == "to") and is_plain_verb(token.low):
        return True
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    if (
        behind is None
        or sentence.text[token.end : behind.start].strip()
        or behind.role != "word"
        or at + 1 in back
        or not _narrows(behind)
    ):
        return False
    low = behind.low
    return not (low.endswith(("ed", "ing")) or is_adverb(low) or is_plain_verb(low) or _finite(low))


def _narrower(laid: Laid) -> tuple[str, ...]:
    """Words that stand right before the head in the sentence, are not the part's, and are not its title's."""
    if laid.head is None:
        return ()
    sentence, tokens, forth = laid.sentence, laid.sentence.tokens, laid.forth
    found = []
    at = laid.head - 1
    verbs = {forth[act] for act in laid.acts if not is_passive(sentence, forth[act])}
    while at >= 0 and tokens[at].has_substance and not tokens[at + 1].comma and at not in verbs:
        token = tokens[at]
        if laid.is_foreign(at) and (_narrows(token) or token.role == "reference"):
            governed = any(forth[act] < at and not is_passive(sentence, forth[act]) for act in laid.acts)
            if is_done(sentence, at) and not _is_attribute(sentence, at, laid.head, governed=governed):
                break
            found.append(laid.words(at))
        at -= 1
    return tuple(reversed(found))


def _is_attribute(sentence: SentenceReading, at: int, head: int, *, governed: bool = False) -> bool:
    """Whether a word in front of a noun is no act though it has its form: "a communications plan", "restricted data must".

    Args:
        sentence: of a document.
        at: the word, as a token index.
        head: the noun.
        governed: whether an act that is asked stands in front of both: "encrypt restricted data".
    """
    tokens = sentence.tokens
    if is_nominal(tokens[at].low):
        return True
    behind = tokens[head + 1] if head + 1 < len(tokens) else None
    told = behind is not None and (behind.role == "modal" or behind.low in (_PARTS - _JOINTS))
    if not tokens[at].low.endswith("ed"):
        return told and at + 1 == head and behind is not None and behind.low in _IS  # "order data is encrypted"
    return governed or told or (behind is not None and behind.low in _JOINTS)


def _pointed(laid: Laid) -> list[str]:
    """What says in front of the object that those spoken of before are meant, or those of some number: "tier 1 data"."""
    if laid.head is None:
        return []
    tokens = laid.sentence.tokens
    at = laid.head - 1
    while at > 0 and tokens[at].has_substance and tokens[at].role == "word" and not tokens[at + 1].comma:
        at -= 1
    if at >= 0 and tokens[at].low in listed_words("pointing"):
        return [tokens[at].low]
    end = at
    while at > 0 and (tokens[at].role == "number" or tokens[at].low in _JOINTS):
        at -= 1
    if at < end and at >= 0 and tokens[at].low.removesuffix("s") in listed_words("numbered"):
        return [laid.words(at, end)]
    return []


def _directed(laid: Laid) -> list[str]:
    """On what, or between whom, something is done where the part does not say: "performed on third-party code"."""
    found: list[str] = []
    tokens = laid.sentence.tokens
    for act in laid.acts:
        at = laid.forth[act] + 1
        if at >= len(tokens) or tokens[at].low not in listed_words("directed") or tokens[at].comma:
            continue
        if laid.demand.reading.tokens[act].key in listed("teaching"):
            continue  # what somebody is taught is no place
        passed = _ARTICLES | {"and"} if tokens[at].low == "between" else _ARTICLES
        for n in range(at + 1, len(tokens)):
            token = tokens[n]
            if token.comma or token.role in ("modal", "number", "order") or token.key in listed("at_intervals"):
                break
            if token.role == "function" and token.low not in passed:
                break
            if token.has_substance and laid.is_foreign(n) and _narrows(token):
                found.append(laid.words(n))
    return found


def _behind(laid: Laid, at: int, joints: frozenset[str]) -> list[str]:
    """What is attached to a noun with a preposition or a relative, and is not the part's: "access to any server that …".

    Args:
        laid: the part beside the sentence.
        at: the noun, as a token index of the sentence.
        joints: what attaches.
    """
    found: list[str] = []
    demand, sentence = laid.demand, laid.sentence
    tells = any(act_of(demand.reading.tokens[n].key) == act_of("notifi") for n in demand.acts)
    attached = relative = reduced = False
    for n in range(at + 1, len(sentence.tokens)):
        token = sentence.tokens[n]
        if reduced and token.low in _JOINTS:
            continue
        if relative and token.comma and (token.low in listed_words("holding") or token.low in _JOINTS):
            continue  # "that store, process, or transmit"
        if token.comma or token.role in ("modal", "condition", "negation", "number") or token.low in _PARTS:
            break  # a figure opens a bound, which is compared as one: "incidents within 48 hours of their detection"
        if token.low == "to" and tells:
            break  # whom it is told to
        if token.low in joints:
            attached, relative = True, token.low in _RELATIVE
        elif n == at + 1 and _is_reduced(sentence, n):
            attached = relative = reduced = True
        elif token.low in listed_words("holding"):
            attached = relative = True
        elif token.has_substance:
            if not attached or (is_done(sentence, n) and not relative and not _is_existing(sentence, n, joints)):
                break
            if laid.is_foreign(n) and _narrows(token) and not (token.proper and _is_named_by_role(laid, at)):
                found.append(laid.words(n))
    return found


def _is_named_by_role(laid: Laid, at: int) -> bool:
    """Whether a part names by a role whose a thing is, and the sentence has no such word: "the consent of the institution"."""
    tokens, ours = laid.demand.reading.tokens, laid.back.get(at)
    if ours is None or ours + 1 >= len(tokens) or tokens[ours + 1].low not in ("of", "by"):
        return False
    return any(tokens[n].actor and laid.is_left(n) for n in range(ours + 2, min(ours + 4, len(tokens))))


def _in_front(laid: Laid) -> list[str]:
    """What a sentence says in front that it is for, or upon which event, where the part does not: "for urgent changes, …"."""
    tokens = laid.sentence.tokens
    first = next((n for n, each in enumerate(tokens) if each.role == "word" and len(each.low) > 1), 0)
    first = first if first and tokens[first].low in _FRONTED_CASES else 0
    end = next((n for n in range(first + 1, min(len(tokens), first + _CLAUSE)) if tokens[n].comma), None)
    if end is None or tokens[first].low not in _FRONTS or tokens[first + 1].low in ("example", "instance"):
        return []
    return [
        laid.words(n)
        for n in range(first + 1, end)
        if tokens[n].has_substance and laid.is_foreign(n) and _narrows(tokens[n])
    ]


def _other_nouns(laid: Laid) -> list[int]:
    """The ends of a sentence's noun phrases that the part has, beside the object and before what it is for."""
    demand = laid.demand
    start = purpose_start(demand.reading.text)
    ours = {
        at
        for n, at in laid.forth.items()
        if n != demand.head and n not in demand.acts and demand.reading.tokens[n].start < start
        if not _is_unbegun(demand, n)
    }
    return sorted(at for at in ours if at + 1 not in laid.back and not is_done(laid.sentence, at))


def _is_unbegun(demand: Demand, at: int) -> bool:
    """Whether a word of a part is a figure of which it does not say from when it runs; who says so narrows nothing."""
    tokens = demand.reading.tokens
    return tokens[at].role == "number" and (at + 1 == len(tokens) or tokens[at + 1].low not in _BEGINS)


def _is_reduced(sentence: SentenceReading, at: int) -> bool:
    """Whether a participle right behind a noun narrows it, its verb being yet to come: "data stored in the cloud is"."""
    tokens = sentence.tokens
    if not tokens[at].low.endswith("ed") or tokens[at].comma:
        return False
    return any(each.role == "modal" or each.low in _IS for each in tokens[at + 1 : at + _CLAUSE])


def _is_existing(sentence: SentenceReading, at: int, joints: frozenset[str]) -> bool:
    """Whether a participle belongs to the noun behind it: "changes to existing applications"."""
    tokens = sentence.tokens
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    return (
        tokens[at].low.endswith("ing") and tokens[at - 1].low in joints and behind is not None and behind.has_substance
    )


def _taught(laid: Laid) -> list[str]:
    """What somebody is taught or told, where the part leaves that open: "trained on how to report incidents"."""
    found: list[str] = []
    sentence = laid.sentence
    for act in laid.acts:
        at = laid.forth[act]
        behind = sentence.tokens[at + 1].low if at + 1 < len(sentence.tokens) else ""
        if laid.demand.reading.tokens[act].key in listed("teaching") and is_passive(sentence, at) and behind in _ABOUT:
            first = next((n for n in sentence.content if n > at), None)
            if first is not None and first not in laid.back and _narrows(sentence.tokens[first]):
                found.append(laid.words(first))
    return found


def _finite(word: str) -> bool:
    """Whether a word could be a verb in the third person: "the system retains"."""
    return word.endswith("s") and any(is_plain_verb(word.removesuffix(each)) for each in ("s", "es"))


def _narrows(token: Token) -> bool:
    """Whether a word beside a noun says which of its things are meant; "formal" and "regular" tell how something is done."""
    if token.role != "word" or token.low == "one" or token.key in PLAIN or token.key in listed("manner"):
        return False
    if token.low in listed_words("concerned"):
        return False
    return token.actor or weight_of(token) >= 1.0 or token.low in _OF_PERSONS
