"""What a part of a requirement asks: its acts, the head of what they are done to, and which of its words make one term."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from coditect.language.norms.imperatives import find_imperative, is_plain_verb
from coditect.language.reading.sentence import SentenceReading, Token, read_sentence
from coditect.language.reading.stems import canonical_stems
from coditect.language.tables import read_table
from coditect.verify.requirements.figures.counts import is_figure

__all__ = ["Demand", "holder_of", "is_adverb", "is_done", "is_nominal", "is_passive", "read_demand"]

_BE = frozenset(("be", "is", "are", "been", "being", "was", "were"))
_JOINTS = frozenset(("and", "or", "and/or"))
_BEFORE_VERBS = _BE | frozenset(("to", "not", "has", "have", "had", "will", "they", "we", "it", "who", "which", "that"))
_BEFORE_NOUNS = frozenset(
    ("the", "a", "an", "of", "for", "in", "on", "at", "with", "from", "this", "these", "those", "its", "their", "any", "all",
     "each", "every", "such", "our", "no", "your")
)  # fmt: skip
_OPENS_OBJECT = frozenset(
    (
        "the",
        "a",
        "an",
        "all",
        "any",
        "each",
        "every",
        "its",
        "their",
        "this",
        "these",
        "those",
        "such",
        "our",
        "both",
        "whether",
    )
)
_IN_PLACE = re.compile(r"\s*(?:(?:is|are|be|being)\s+in\s+(?:place|force|use))?\s*[.;]?\s*", re.IGNORECASE)
_OF = frozenset(("of", "the", "a", "an", "its", "their"))
_FOLLOWS = _OPENS_OBJECT | _JOINTS
_ADJECTIVAL = (
    "ate",
    "ive",
    "ous",
    "able",
    "ible",
    "ful",
    "ical",
    "nical",
    "ary",
    "ough",
    "ernal",
    "less",
    "ed",
    "ic",
    "ely",
)
"""Endings of words that are joined in front of a noun."""

_PREDICATES = frozenset(
    ("separate", "secure", "complete", "correct", "available", "current", "accurate", "unique", "aware")
)
"""Adjectives that tell behind "is" what is asked, as a participle does: "the environments are separate"."""

_NO_ADVERBS = frozenset(
    ("supply", "reply", "family", "assembly", "anomaly", "ally", "apply", "rely", "comply", "multiply", "only")
)
_NOMINAL = ("tion", "sion", "ment", "ance", "ence", "sis", "ity", "al", "ure")
_LIGHT_VERBS = frozenset(
    canonical_stems(
        ("perform", "conduct", "carry", "undergo", "complete", "provide", "require", "execute", "do", "undertake")
    )
)
"""With these a noun tells the act: "conduct a review"."""


@dataclass(frozen=True, slots=True)
class Demand:
    """A part of a requirement, taken apart; numbers are token indexes of the reading.

    Attributes:
        reading: of its words.
        acts: what is to be done: "review" and "update"; none where it only names a thing.
        head: of what it is done to, or of what is named; None where nothing is.
        terms: runs of words that make one term: "risk assessment results", "confidentiality of information".
        is_there: whether it asks only that a process, a plan or the like is there: "change control processes are in place".
        is_measured: whether it asks only that a thing is so large or so many: "passwords have at least 12 characters".
    """

    reading: SentenceReading
    acts: tuple[int, ...]
    head: int | None
    terms: tuple[tuple[int, ...], ...]
    is_there: bool = False
    is_measured: bool = False

    @property
    def telling(self) -> tuple[int, ...]:
        """The words of substance, without those that only say that a thing has a figure: "consist of", "long"."""
        if not self.is_measured:
            return tuple(self.reading.content)
        return tuple(n for n in self.reading.content if self.reading.tokens[n].low not in _measuring())


@lru_cache(maxsize=4_096)
def read_demand(text: str) -> Demand:
    """Take the words of a part apart; the last 4,096 are remembered."""
    reading = read_sentence(text)
    tokens = reading.tokens
    acts = _led_on(tokens, _imperative(tokens) or _behind_adjunct(text, tokens))
    if acts:
        return Demand(reading, acts, _head_behind(tokens, acts[-1]), tuple(_terms(reading, acts)))
    measured = _measured(tokens)
    if measured is not None:
        return Demand(reading, (), measured, tuple(_terms(reading, ())), is_measured=True)
    start = _case_end(tokens)
    acts = _led_on(tokens, _predicate(tokens, start))
    if acts:
        subject = [n for n in reading.content if start <= n < acts[0]]
        passive = acts[0] > 0 and any(tokens[n].low in _BE for n in range(max(0, acts[0] - 3), acts[0]))
        head = _head_from(tokens, subject[0]) if passive and subject else _head_behind(tokens, acts[-1])
        return Demand(reading, acts, head, tuple(_terms(reading, acts)))
    head = _head_behind(tokens, -1)
    is_there = head is not None and tokens[head].key in _standing() and _only_is(text, tokens, head)
    return Demand(reading, (), head, tuple(_terms(reading, ())), is_there)


@cache
def _standing() -> frozenset[str]:
    return frozenset(canonical_stems(read_table("acts").words("standing")))


@cache
def _measuring() -> frozenset[str]:
    return frozenset((*read_table("acts").words("having"), *read_table("acts").words("dimensions")))


def _measured(tokens: Sequence[Token]) -> int | None:
    """The head of what has to have a figure, where a part asks no more: "passwords (must consist of at least 12 characters)"."""
    for n, token in enumerate(tokens):
        if token.role != "modal" and token.low not in _BE and token.low not in ("has", "have"):
            continue
        subject = [at for at in range(n) if tokens[at].has_substance]
        at = n + 1
        while at < len(tokens) and (not tokens[at].has_substance or tokens[at].low in _measuring()):
            at += 1
        if not subject or at == len(tokens) or not is_figure(tokens, at) or any(each.negates for each in tokens[n:at]):
            return None
        return _head_from(tokens, subject[0])
    return None


def _only_is(text: str, tokens: Sequence[Token], head: int) -> bool:
    """Whether nothing is said of a thing, or only that it is in place."""
    return _IN_PLACE.fullmatch(text[tokens[head].end :]) is not None


def holder_of(demand: Demand) -> int | None:
    """The head of what the object is on or in: "data on removable media"; None where that is not said."""
    tokens = demand.reading.tokens
    if demand.head is None or demand.head + 2 >= len(tokens) or tokens[demand.head + 1].low not in ("on", "in"):
        return None
    return _head_behind(tokens, demand.head + 1)


def is_nominal(word: str) -> bool:
    """Whether a word has the ending of a noun that tells an act: "destruction", "review" has not."""
    return word.removesuffix("s").endswith(_NOMINAL) and not is_plain_verb(word)


def is_adverb(word: str) -> bool:
    """Whether a word has the ending of an adverb: "regularly"; "supply" and "anomaly" have it and are none."""
    return word.endswith("ly") and word not in _NO_ADVERBS


def is_passive(reading: SentenceReading, at: int) -> bool:
    """Whether a verb of a sentence is a passive: "are analyzed"; what it is done to may stand far in front of it."""
    tokens = reading.tokens
    if not _is_past(tokens[at].low):
        return False
    if tokens[at].low.partition(" ")[0] in _BE:  # "is required"
        return True
    while at > 1 and (tokens[at - 1].low in _JOINTS or tokens[at].comma):  # "are designed and implemented"
        before = at - 2 if tokens[at - 1].low in _JOINTS else at - 1
        if not _is_past(tokens[before].low):
            break
        at = before
    if any(each.low in _BE for each in tokens[max(0, at - 2) : at]):
        return True
    kept = any(each.low in _KEEPS for each in tokens[max(0, at - _KEPT_WITHIN) : at])
    return kept and tokens[at - 1].has_substance  # "keep containers closed"


_KEEPS = frozenset(("keep", "keeps", "keeping", "leave", "leaves", "hold", "holds"))
_KEPT_WITHIN = 5
"""Words that leave a thing as it has been made, and how near to the participle they stand, in words."""


def _is_past(word: str) -> bool:
    """Whether a word could be a participle of the past: "analyzed", "carried out", "told"."""
    return (
        word.endswith("ed") or word.partition(" ")[0].endswith("ed") or word in read_table("acts").words("participles")
    )


def is_done(reading: SentenceReading, at: int) -> bool:
    """Whether a word of a sentence is used as a verb, or as a noun that tells an act: "is reviewed", "performs a review"."""
    tokens = reading.tokens
    token, before = tokens[at], tokens[at - 1] if at else None
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    if at and reading.text[token.start - 1] == "-":
        return False  # "key-encrypting keys"
    if is_nominal(token.low):
        if token.low == "information" or _goes_before(reading, at):
            return False
        return not token.proper and any(each.key in _LIGHT_VERBS and not is_nominal(each.low) for each in tokens)
    if before is None or all(each.low.isdigit() or len(each.low) == 1 for each in tokens[:at]):  # it follows a label
        if _is_subject(tokens, at):
            return False  # "audit logs shall be kept"
        return is_plain_verb(token.low) or token.low.endswith("ing") or _tells_of_it(token.low)
    if before.low == "to" and at > 1 and tokens[at - 2].key in _trying():
        return False  # what somebody attempts has not come about
    if before.low == "to":
        return is_plain_verb(token.low)  # "access to systems"
    if before.role == "modal" or before.low in _BEFORE_VERBS or before.low.endswith("ly"):
        return True
    if token.low.endswith("ed"):
        return not (before.low in _BEFORE_NOUNS and behind is not None and behind.has_substance)
    if token.low.endswith("ing"):
        return before.low not in ("the", "a", "an") and (
            behind is None or behind.low in _OPENS_OBJECT or behind.has_substance
        )
    if before.low in _BEFORE_NOUNS:
        return bool(behind is not None and behind.low == "of" and any(each.key in _LIGHT_VERBS for each in tokens))
    opens = behind is not None and behind.low in _OPENS_OBJECT
    is_only = behind is not None and not any(each.role == "modal" or each.low in _BE for each in tokens)
    if is_only and tokens[0].low in _OPENS_OBJECT and _tells_of_it(token.low) and behind and behind.has_substance:
        return before.role == "word"  # "the foreman inspects scaffolds": no other word could be the verb
    if token.low.endswith("s") and not token.low.endswith("ss"):
        return opens or before.actor or (before.proper and behind is not None and behind.has_substance)
    joined = token.comma or before.low in _JOINTS
    return is_plain_verb(token.low) and (opens or joined)


def _goes_before(reading: SentenceReading, at: int) -> bool:
    """Whether a noun that tells an act only says what another thing is for: "malware detection alerts"."""
    token, behind = reading.tokens[at], reading.tokens[at + 1] if at + 1 < len(reading.tokens) else None
    if behind is None or behind.role != "word" or reading.text[token.end : behind.start].strip():
        return False
    if behind.low.endswith(("ed", "ing")) or is_adverb(behind.low):
        return False
    return behind.low not in read_table("acts").words("same_as_act")


@cache
def _trying() -> frozenset[str]:
    return frozenset(canonical_stems(read_table("acts").words("trying")))


def _imperative(tokens: Sequence[Token]) -> tuple[int, ...]:
    """The verbs that a part begins with: "Develop, document, and disseminate"."""
    first = next((n for n, each in enumerate(tokens) if each.has_substance and not is_adverb(each.low)), None)
    if first is None or any(each.role == "modal" or each.low in _BEFORE_NOUNS for each in tokens[:first]):
        return ()
    behind = tokens[first + 1] if first + 1 < len(tokens) else None
    if behind is not None and (behind.low in _BE or behind.low == "of"):
        return ()
    if _is_named(tokens, first) or _is_subject(tokens, first):
        return ()
    if is_plain_verb(tokens[first].low):
        return (first, *_joined(tokens, first, is_plain_verb))
    if _tells_of_it(tokens[first].low) and behind is not None and (behind.has_substance or behind.low in _FOLLOWS):
        return (first, *_joined(tokens, first, _tells_of_it))
    return ()


def _behind_adjunct(text: str, tokens: Sequence[Token]) -> tuple[int, ...]:
    """The verbs behind an adjunct that a part begins with: "On a regular basis, review logs"."""
    found = find_imperative(text, 0, len(text))
    first = next((n for n, each in enumerate(tokens) if found is not None and each.start == found[0]), None)
    return (first, *_joined(tokens, first, is_plain_verb)) if first else ()


def _is_named(tokens: Sequence[Token], first: int) -> bool:
    """Whether a part begins with a name and not with an act: "Change control procedures (are in place)"."""
    head = _head_from(tokens, first)
    if head - first < 2 or tokens[head].key not in _standing():
        return False
    return head + 1 == len(tokens) or tokens[head + 1].low in _BE


def _is_subject(tokens: Sequence[Token], first: int) -> bool:
    """Whether a part begins with who or what has to, though the word could be a verb: "Secure areas shall be protected"."""
    end = _head_from(tokens, first) + 1
    return end < len(tokens) and end - first > 1 and tokens[end].role == "modal"


def _tells_of_it(word: str) -> bool:
    """Whether a word is a verb in the third person: "reviews", behind "the organization:"."""
    return word.endswith("s") and any(is_plain_verb(word.removesuffix(each)) for each in ("s", "es"))


def _case_end(tokens: Sequence[Token]) -> int:
    """Where the case ends that a part begins with, where its duty follows: "When staff are exposed, controls shall be used"."""
    if not any(each.role == "condition" for each in tokens[:2]):
        return 0
    end = next((n + 1 for n in range(1, len(tokens)) if tokens[n].comma), 0)
    return end if any(each.role == "modal" for each in tokens[end:]) else 0


def _predicate(tokens: Sequence[Token], start: int = 0) -> tuple[int, ...]:
    """The verbs behind a modal or behind "is", from a place on: "shall be defined, approved and published"."""
    for n, token in enumerate(tokens):
        if n < start:
            continue
        if token.role != "modal" and token.low not in _BE:
            continue
        at = n + 1
        while at < len(tokens) and (
            tokens[at].low in _BE or not tokens[at].has_substance or tokens[at].low.endswith("ly")
        ):
            at += 1
        if at >= len(tokens):
            continue
        if (
            _is_participle(tokens[at].low)
            or tokens[at].low in _PREDICATES
            or (token.role == "modal" and is_plain_verb(tokens[at].low))
        ):
            return (at, *_joined(tokens, at, _is_participle if _is_participle(tokens[at].low) else is_plain_verb))
        if token.role == "modal":
            return (at,)
    return ()


def _is_participle(word: str) -> bool:
    return word.endswith(("ed", "en"))


def _joined(tokens: Sequence[Token], first: int, is_verb: Callable[[str], bool]) -> Iterator[int]:
    """Verbs that are joined to the first by commas and "and"."""
    n = first + 1
    while n < len(tokens):
        token = tokens[n]
        if token.low in _JOINTS or token.low.endswith("ly"):
            n += 1
        elif token.has_substance and (token.comma or tokens[n - 1].low in _JOINTS) and is_verb(token.low):
            yield n
            n += 1
        else:
            return


def _head_behind(tokens: Sequence[Token], at: int) -> int | None:
    """The head of the first noun phrase behind a place; what somebody is told or given follows on who that is."""
    first = next((n for n in range(at + 1, len(tokens)) if tokens[n].has_substance and not _is_how(tokens, n)), None)
    if first is None:
        return None
    head = _head_from(tokens, first)
    goes_on = head + 2 < len(tokens) and not tokens[head].comma and tokens[head + 1].low in _OPENS_OBJECT
    if at >= 0 and tokens[at + 1].low == "to" and goes_on:  # "report to the Agency any death"
        return _head_behind(tokens, head)
    return head


def _led_on(tokens: Sequence[Token], acts: tuple[int, ...]) -> tuple[int, ...]:
    """The verbs with what somebody is made or allowed to do: "require individuals to waive their rights" is done to rights."""
    if not acts or tokens[acts[-1]].key not in _leading():
        return acts
    at = acts[-1] + 1
    while at < len(tokens) and (tokens[at].actor or not tokens[at].has_substance) and tokens[at].low != "to":
        at += 1
    led = at > acts[-1] + 1 and at + 1 < len(tokens) and tokens[at].low == "to" and is_plain_verb(tokens[at + 1].low)
    return (*acts, at + 1) if led else acts


@cache
def _leading() -> frozenset[str]:
    return frozenset(canonical_stems(read_table("acts").words("leading_on")))


def _is_how(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word only tells how or when something is done, another following: "promptly", "within 30 days"."""
    return at + 1 < len(tokens) and is_adverb(tokens[at].low)


def _head_from(tokens: Sequence[Token], first: int) -> int:
    """The last of the words of substance that follow each other from a place on."""
    n = first
    while n + 1 < len(tokens) and tokens[n + 1].role == "word" and not tokens[n + 1].comma:
        if is_adverb(tokens[n + 1].low):
            break
        n += 1
    joined = n == first and n + 3 < len(tokens) and tokens[n + 1].low in _JOINTS and tokens[n + 3].role == "word"
    if joined and tokens[n].low.endswith(_ADJECTIVAL) and tokens[n + 2].low.endswith(_ADJECTIVAL):
        return _head_from(tokens, n + 2)  # "an accurate and thorough assessment"
    return n


def _terms(reading: SentenceReading, acts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Runs of words that nothing but "of" and an article parts."""
    tokens = reading.tokens
    content = [n for n in reading.content if tokens[n].role == "word"]
    run: list[int] = []
    for n in content:
        inner = [tokens[at].low for at in range(run[-1] + 1, n)] if run else []
        joins = not inner or (inner[0] == "of" and all(each in _OF for each in inner))
        if not run or not joins or tokens[n].comma or run[-1] in acts:
            if len(run) > 1:
                yield tuple(run)
            run = []
        run.append(n)
    if len(run) > 1:
        yield tuple(run)
