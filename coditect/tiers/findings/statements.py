"""Statements: selected sentences of different documents, as what they fix or ask and the words that say about what.

Two statements are compared by the content words that they share, weighted by how rare these are among all statements of
the corpus. In a table row only the cell that states something counts: owners and dates of two controls are alike for no reason.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from coditect.language.matched import as_matched
from coditect.language.tables import read_table
from coditect.language.terms import terms
from coditect.schemas import Chunk, Measure, SelectedSentence, document_order
from coditect.tiers.findings.measures import canonical
from coditect.tiers.findings.tables import cells

__all__ = [
    "Entry",
    "Statement",
    "clause_of",
    "content_words",
    "entries_of",
    "features",
    "is_version",
    "measured",
    "sentence_stems",
    "similarity",
    "statements_of",
    "weights",
]

_TOPICS = read_table("topics")
_DULL = frozenset(terms(" ".join(_TOPICS.words("dull"))))
"""Words that say how binding or how long, not about what."""

_VERSIONS = read_table("versions")
_VERSIONED = frozenset(_VERSIONS.words("named"))
_TIMES_A_YEAR = read_table("time").mapping("times_a_year")
_INTERVAL = re.compile(
    rf"\b(?:{'|'.join(sorted(map(re.escape, _TIMES_A_YEAR), key=len, reverse=True))})\b", re.IGNORECASE
)
_NAME = re.compile(r"(?P<name>[A-Z]+) ?(?P<mark>v?)")
_BEFORE_VERSION = re.compile(rf"\b(?:{_VERSIONS.pattern('before')})\W+$", re.IGNORECASE)
_BEHIND_VERSION = re.compile(rf"\W*(?:{_VERSIONS.pattern('behind')})\b", re.IGNORECASE)

_ROLE = re.compile(
    rf"\b(?:[A-Z][\w-]+ (?:(?:and|of) )?){{0,4}}(?:{_TOPICS.pattern('roles')})s?\b|\bHeads? of [A-Z]\w+(?: [A-Z]\w+)*"
)
"""Who acts or is told; two duties of the same officer are not about the same thing."""

_CLAUSE = re.compile(
    r"(?<=[a-z\d)”\"]);\s|(?<=[a-z\d)”\"]),\s(?=(?:and|but)\s(?:it|they|he|she|the|a|an|must|shall|may)\b)"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A selected sentence together with the chunk that it stands in."""

    chunk: Chunk
    sentence: SelectedSentence

    @property
    def place(self) -> tuple[str, int]:
        """Where the sentence stands: document id, first code point."""
        return self.chunk.document_id, self.sentence.char_start

    @property
    def order(self) -> tuple[str, int]:
        """What statements are put in order by: as :attr:`place`, and the same in every corpus."""
        return document_order(self.chunk.document_id), self.sentence.char_start


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a statement fixes or asks.

    Attributes:
        statement: the sentence that says it.
        kind: the kind of the measure, or "modality".
        head: what it is a measure of; the verb's stem for duties.
        says: the measure as printed; the clause for duties.
        value: the measure's value; "must", "must not", "may" or "need not" for duties.
        strength: of the measure, see :class:`~coditect.schemas.chunk.Measure`.
        words: content words of the clause besides the head, and pairs of neighbours.
        lead: the first content word; "" where there is none.
        verb: the verb as printed; "" for duties.
    """

    statement: Statement
    kind: str
    head: str
    says: str
    value: float | str
    strength: str
    words: frozenset[str]
    lead: str
    verb: str = ""


def statements_of(chunks: Iterable[Chunk]) -> list[Statement]:
    """Every selected sentence of some chunks, in their order."""
    return [Statement(chunk, sentence) for chunk in chunks for sentence in chunk.selected_sentences]


def entries_of(statements: Iterable[Statement]) -> list[Entry]:
    """Every entry of some statements: what each of them fixes, then the duties on which these statements are at odds."""
    telling = [each for each in statements if each.sentence.measures or each.sentence.duties]
    return [*(entry for statement in telling for entry in _measures(statement)), *_duties(telling)]


def _measures(statement: Statement) -> list[Entry]:
    """Measures of kinds that a sentence fixes once: where it fixes two, it is not plain which one is meant."""
    measures = statement.sentence.measures
    counts = Counter((m.kind, m.head) for m in {(m.kind, m.head, m.value): m for m in measures}.values())
    found = []
    for m in {(m.kind, m.head): m for m in measures}.values():
        if counts[m.kind, m.head] == 1 and not _is_ambiguous(statement.sentence, m):
            kind, head = _comparable(m)
            words, lead = measured(statement.sentence.text, m)
            found.append(Entry(statement, kind, head, m.text, m.value, m.strength, words, lead, m.verb))
    return found


def _is_ambiguous(sentence: SelectedSentence, measure: Measure) -> bool:
    """Whether the clause of an interval names another one that was not read: "annual awareness and monthly security training"."""
    if measure.kind != "frequency":
        return False
    named = {_TIMES_A_YEAR[word.casefold()] for word in _INTERVAL.findall(clause_of(sentence.text, measure.text))}
    return len(named) > len({each.value for each in sentence.measures if each.kind == "frequency"})


def is_version(text: str, printed: str) -> bool:
    """Whether a name with a number is a version ("TLS 1.2"), and not the number of a rule or a section ("GEN 2.4").

    It is where the name is one that is cited with versions, or where the words around it say so.

    Args:
        text: the sentence.
        printed: name and number as they stand in it.
    """
    line = " ".join(as_matched(text).split())
    at = line.find(printed)
    named = _NAME.match(printed)
    if at < 0 or named is None:
        return False
    marked = named["mark"] or _BEFORE_VERSION.search(line, 0, at) or _BEHIND_VERSION.match(line, at + len(printed))
    return named["name"] in _VERSIONED or bool(marked)


def measured(text: str, measure: Measure) -> tuple[frozenset[str], str]:
    """(features, first content word) of the clause of a sentence that fixes a measure."""
    words = content_words(clause_of(text, measure.text), measure)
    return features(words), words[0] if words else ""


def _comparable(measure: Measure) -> tuple[str, str]:
    """What is kept for a year is deleted after a year: both say how long."""
    if measure.kind in ("duration", "deadline") and measure.head in _KEEPING:
        return "duration", _KEEPING[0]
    return measure.kind, measure.head


AGAINST = (
    frozenset(("must", "must not")),
    frozenset(("must", "need not")),
    frozenset(("must not", "may")),
    frozenset(("must not", "need not")),
)
"""Stances that cannot both be followed, or of which one makes the other idle."""

OPTIONAL = re.compile(r"\b(?:is|are) (?:optional|voluntary|not (?:required|mandatory))\b|\bneed not\b")
_DENIED = re.compile(rf"\b(?:{read_table('modality').pattern('denied')})\b", re.IGNORECASE)
LONGEST_DUTY = 400
"""Characters of a sentence above which what it requires and permits cannot be told apart by its words."""

_KEEPING = tuple(canonical(head) for head in ("retain", "delet"))


def _stances(sentence: SelectedSentence) -> dict[str, tuple[str, str]]:
    """(stance, strength) by verb of what a sentence asks, for verbs that it uses once.

    "May" alone permits, which only a prohibition contradicts; where the sentence says that something is optional, it contradicts
    a duty as well, and its stance is "need not".
    """
    text = as_matched(sentence.text)
    if not sentence.duties or len(text) > LONGEST_DUTY:
        return {}
    denied = _DENIED.search(text) is not None
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for duty in sentence.duties:
        stance = {"permission": "may", "prohibition": "must not"}.get(duty.kind, "must")
        if stance == "may" and OPTIONAL.search(text):
            stance = "need not"
        # "Neither party may", "may only": a negation beside a duty or a permission turns it around, or may.
        if (
            duty.head
            and (stance == "must not" or not denied)
            and (duty.strength == "mandatory" or stance in ("may", "need not"))
        ):
            found[duty.head].add((stance, duty.strength))
    return {head: next(iter(each)) for head, each in found.items() if len(each) == 1}


def _duties(statements: Sequence[Statement]) -> list[Entry]:
    """Duties on which documents can be at odds: those of verbs that one document asks for and another rules out."""
    stances = [_stances(statement.sentence) for statement in statements]
    values: dict[str, set[str]] = defaultdict(set)
    for found in stances:
        for head, (stance, _) in found.items():
            values[head].add(stance)
    disputed = {head for head, each in values.items() if any(against <= each for against in AGAINST)}
    entries = []
    for statement, found in zip(statements, stances, strict=True):
        text = statement.sentence.text
        for head in sorted(disputed.intersection(found)):
            stance, strength = found[head]
            words = [word for word in content_words(text) if word != head]
            lead = words[0] if words else ""
            entries.append(Entry(statement, "modality", head, text, stance, strength, features(words), lead))
    return entries


def clause_of(text: str, says: str) -> str:
    """The part of a sentence that holds some of its words: the cell of a table row, else the clause."""
    text = as_matched(text)
    row = cells(text)
    if len(row) > 1:
        return next((value for value in row.values() if says in " ".join(value.split())), text)
    parts = _CLAUSE.split(text)
    return next((part for part in parts if says in " ".join(part.split())), text)


def content_words(text: str, measure: Measure | None = None) -> tuple[str, ...]:
    """Stems of a text that say what it is about, in order; those of a measure in it, and of roles, are left out."""
    inside = frozenset() if measure is None else frozenset({measure.head, *terms(measure.text), *terms(measure.verb)})
    text = as_matched(text)
    found = terms(_ROLE.sub(" ", text)) if _ROLE.search(text) else sentence_stems(text)
    return tuple(w for w in found if w not in _DULL and w not in inside and not w[0].isdigit())


@lru_cache(maxsize=1 << 15)
def sentence_stems(text: str) -> tuple[str, ...]:
    """:func:`~coditect.language.terms.terms`, remembered: conflicts, topics and sections ask for the same sentences."""
    return terms(text)


def features(words: Sequence[str]) -> frozenset[str]:
    """The words and the pairs of neighbours: "data breach" says more than "data" and "breach"."""
    return frozenset(words) | {f"{a} {b}" for a, b in pairwise(words) if a != b}


def weights(entries: Iterable[Entry]) -> dict[str, float]:
    """How much a shared word says: the logarithm of how rare it is among statements, each sentence counted once."""
    counts: Counter[str] = Counter()
    places = set()
    for entry in entries:
        if entry.statement.place not in places:
            places.add(entry.statement.place)
            counts.update(entry.words)
    return {word: math.log(1.0 + len(places) / count) for word, count in counts.items()}


def similarity(first: frozenset[str], second: frozenset[str], weight: Mapping[str, float]) -> float:
    """How much two sets of words are about the same, 0..1: the mean of overlap by the smaller and overlap by both."""
    shared = math.fsum(sorted(weight.get(word, 0.0) for word in first & second))
    a = math.fsum(sorted(weight.get(word, 0.0) for word in first))
    b = math.fsum(sorted(weight.get(word, 0.0) for word in second))
    return round(0.5 * shared / min(a, b) + shared / (a + b), 4) if shared else 0.0
