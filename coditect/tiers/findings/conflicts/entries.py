"""Entries: what a statement fixes or asks, one by one, in a form in which those of two documents can be held against each other.

An entry is a measure (how often, how soon, how long, how many, which version), a stance on an act (must, must not, may, need
not), or who approves something. What is compared with what is decided in :mod:`coditect.tiers.findings.conflicts.matters`.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from coditect.language.matched import as_matched
from coditect.language.tables import read_table
from coditect.language.terms import stem, terms
from coditect.schemas import Measure, SelectedSentence
from coditect.tiers.findings.conflicts.approvals import APPROVAL, approval_of
from coditect.tiers.findings.conflicts.tallies import tallies_of
from coditect.tiers.findings.measures import canonical, head_of
from coditect.tiers.findings.statements import Statement, clause_of, content_words, features, measured

__all__ = ["AGAINST", "FORBIDDING", "LONGEST_DUTY", "OPTIONAL", "Entry", "entries_of", "is_version", "weights"]

_VERSIONS = read_table("versions")
_VERSIONED = frozenset(_VERSIONS.words("named"))
_TIMES_A_YEAR = read_table("time").mapping("times_a_year")
_INTERVAL = re.compile(
    rf"\b(?:{'|'.join(sorted(map(re.escape, _TIMES_A_YEAR), key=len, reverse=True))})\b", re.IGNORECASE
)
_NAME = re.compile(r"(?P<name>[A-Z]+) ?(?P<mark>v?)")
_BEFORE_VERSION = re.compile(rf"\b(?:{_VERSIONS.pattern('before')})\W+$", re.IGNORECASE)
_BEHIND_VERSION = re.compile(rf"\W*(?:{_VERSIONS.pattern('behind')})\b", re.IGNORECASE)


AGAINST = (
    frozenset(("must", "must not")),
    frozenset(("must", "need not")),
    frozenset(("must not", "may")),
    frozenset(("must not", "need not")),
)
"""Stances that cannot both be followed, or of which one makes the other idle."""

OPTIONAL = re.compile(r"\b(?:is|are) (?:optional|voluntary|not (?:required|mandatory))\b|\bneed not\b")
_DENIED = re.compile(rf"\b(?:{read_table('modality').pattern('denied')})\b", re.IGNORECASE)
FEWEST_WORDS = 2
"""Content words beside the approval that say what is approved, at least."""

LONGEST_DUTY = 400
"""Characters of a sentence above which what it requires and permits cannot be told apart by its words."""

_APPROVING = frozenset(terms("approve approval authorise authorize consent written writing need reject refuse decline"))
FORBIDDING = re.compile(
    r"\b(?:must|shall|has to|have to|will)\s+(?:forbid|prohibit|preclude|bar|prevent)\s+"
    r"(?:the\s+|an?\s+|any\s+)?(?:[\w’'-]+\s+){1,4}?"
    r"(?:to|from)\s+(?P<verb>[a-z-]+)",
    re.IGNORECASE,
)
"""A duty to forbid somebody something: what is forbidden is the act behind "to" or "from"."""

_WHEN_FIRST = re.compile(
    rf"\W*(?:\d[\d.]*\W+)?(?:{read_table('conditions').pattern('when')}|{read_table('conditions').pattern('if')}|after|before)\b[^,]{{1,120}},\s",
    re.IGNORECASE,
)
"""When or if it is, before what a sentence asks."""
_RULED_OUT = re.compile(
    r"\b(?:not|never|no|nobody|none|neither|nor|cannot|without|only)\b|n[’']t\b|(?<!to )\b(?:prohibit|forbid|bann|preclud|barr)",
    re.IGNORECASE,
)
"""What a sentence that rules something out has; "cages to prohibit access" says what they are for."""

_KEEPING = tuple(canonical(head) for head in ("retain", "delet"))


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
        verb: the verb as printed; of a duty to forbid something "forbid", of other stances "".
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


def entries_of(statements: Iterable[Statement]) -> list[Entry]:
    """Every entry of some statements: what each of them fixes, then their stances, then who approves."""
    statements = list(statements)
    telling = [each for each in statements if each.sentence.measures or each.sentence.duties]
    approving = [entry for statement in statements for entry in (*_approvals(statement), *_tallies(statement))]
    return [*(entry for statement in telling for entry in _measures(statement)), *_duties(telling), *approving]


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


def _comparable(measure: Measure) -> tuple[str, str]:
    """What is kept for a year is deleted after a year: both say how long."""
    if measure.kind in ("duration", "deadline") and measure.head in _KEEPING:
        return "duration", _KEEPING[0]
    return measure.kind, measure.head


def _stances(sentence: SelectedSentence) -> dict[str, tuple[str, str]]:
    """(stance, strength) by verb of what a sentence asks, for verbs that it uses once.

    "May" alone permits, which only a prohibition contradicts; where the sentence says that something is optional, it contradicts
    a duty as well, and its stance is "need not".
    """
    text = as_matched(sentence.text)
    if not sentence.duties or len(text) > LONGEST_DUTY:
        return {}
    denied = _DENIED.search(text) is not None
    forbidding = FORBIDDING.search(text)
    if forbidding is not None:
        return {head_of(forbidding["verb"])[0] or canonical(stem(forbidding["verb"])): ("must not", "mandatory")}
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for duty in sentence.duties:
        stance = {"permission": "may", "prohibition": "must not"}.get(duty.kind, "must")
        if stance == "must not" and not _RULED_OUT.search(text):
            continue
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
    """Prohibitions, permissions, and the duties of verbs that another document rules out or leaves open."""
    stances = [_stances(statement.sentence) for statement in statements]
    values: dict[str, set[str]] = defaultdict(set)
    for found in stances:
        for head, (stance, _) in found.items():
            values[head].add(stance)
    disputed = {head for head, each in values.items() if any(against <= each for against in AGAINST)}
    entries = []
    for statement, found in zip(statements, stances, strict=True):
        text = statement.sentence.text
        for head, (stance, strength) in sorted(found.items()):
            if head in disputed or stance != "must":
                words = [word for word in content_words(text) if word != head]
                lead = words[0] if words else ""
                verb = "forbid" if FORBIDDING.search(text) else ""
                entries.append(Entry(statement, "modality", head, text, stance, strength, features(words), lead, verb))
    return entries


def _tallies(statement: Statement) -> list[Entry]:
    """How many persons or papers what a statement speaks of needs."""
    found = []
    for head, says, value in tallies_of(statement.sentence.text):
        words = [word for word in content_words(statement.sentence.text) if word != head]
        found.append(
            Entry(statement, "count", head, says, value, "stated", features(words), words[0] if words else "", head)
        )
    return found


def _approvals(statement: Statement) -> list[Entry]:
    """Who has to approve what a statement speaks of."""
    found = approval_of(statement.sentence.text)
    if found is None:
        return []
    who, roles = found
    line = " ".join(as_matched(statement.sentence.text).split())
    said = _WHEN_FIRST.sub("", line).replace(who, " ")
    words = [word for word in content_words(said) if word not in _APPROVING]
    if len(words) < FEWEST_WORDS:
        return []
    value = " + ".join(sorted(" ".join(sorted(stems)) for stems in roles))
    lead = words[0] if words else ""
    return [Entry(statement, APPROVAL, canonical("approv"), who, value, "stated", features(words), lead, "approve")]


def weights(entries: Iterable[Entry]) -> dict[str, float]:
    """How much a shared word says: the logarithm of how rare it is among statements, each sentence counted once."""
    counts: Counter[str] = Counter()
    places = set()
    for entry in entries:
        if entry.statement.place not in places:
            places.add(entry.statement.place)
            counts.update(entry.words)
    return {word: math.log(1.0 + len(places) / count) for word, count in counts.items()}
