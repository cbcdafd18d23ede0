"""Entries: what a statement fixes or asks, one by one, in a form in which those of two documents can be held against each other.

An entry is a measure (how often, how soon, how long, how many, which version), a stance on an act (must, must not, may, need
not, or that it is not done), who approves or answers for something, a figure (an amount, a size, a day, a time of notice), a
definition, or a place. What is compared with what is decided in :mod:`coditect.tiers.findings.conflicts.matters`.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from coditect.language.matched import as_matched
from coditect.language.patterns.beginnings import quick
from coditect.language.reading.stems import canonical_stem
from coditect.language.tables import read_table
from coditect.language.terms import stem, terms
from coditect.schemas import Measure, SelectedSentence
from coditect.tiers.findings.conflicts.approvals import APPROVAL, deciders_of
from coditect.tiers.findings.conflicts.assertions.checks import checks_of
from coditect.tiers.findings.conflicts.assertions.definitions import definition_told
from coditect.tiers.findings.conflicts.assertions.limits import KEPT, LIMIT, limits_of
from coditect.tiers.findings.conflicts.assertions.places import place_of
from coditect.tiers.findings.conflicts.assertions.rows import acts_around, maps_standards, rows_told, timed_cell
from coditect.tiers.findings.conflicts.assertions.tallies import tallies_of
from coditect.tiers.findings.conflicts.figures import WORKING, figures_of
from coditect.tiers.findings.conflicts.lines import Assertion, generalised
from coditect.tiers.findings.conflicts.stances import HAVING, is_having, stances_of
from coditect.tiers.findings.measures import canonical, head_of
from coditect.tiers.findings.said.statements import Statement, clause_of, content_words, features, measured
from coditect.tiers.findings.tables import is_row

__all__ = [
    "AGAINST",
    "LONGEST_DUTY",
    "OPTIONAL",
    "Entry",
    "ReadEntries",
    "deadlines_of",
    "entries_of",
    "forbidding_in",
    "is_version",
    "read_entries",
    "tells",
    "weights",
]

_VERSIONS = read_table("versions")
_VERSIONED = frozenset(_VERSIONS.words("named"))
_TIMES_A_YEAR = read_table("time").mapping("times_a_year")
_INTERVAL = re.compile(
    rf"\b(?:{'|'.join(sorted(map(re.escape, _TIMES_A_YEAR), key=len, reverse=True))})\b", re.IGNORECASE
)
_NAME = re.compile(r"(?P<name>[A-Z]+) ?(?P<mark>v?)")
_CODE = re.compile(r"[A-Z]+0\d")
"""What no version begins with: "DSS05.04" is a number of a framework."""

_BEFORE_VERSION = re.compile(rf"\b(?:{_VERSIONS.pattern('before')})\W+$", re.IGNORECASE)
_BEHIND_VERSION = re.compile(rf"\W*(?:{_VERSIONS.pattern('behind')})\b", re.IGNORECASE)


AGAINST = (
    frozenset(("must", "must not")),
    frozenset(("must", "need not")),
    frozenset(("must not", "may")),
    frozenset(("must not", "need not")),
    frozenset(("must", "does not")),
    frozenset(("does not", "may")),
)
"""Stances that cannot both be followed, or of which one makes the other idle."""

OPTIONAL = quick(r"\b(?:is|are) (?:optional|voluntary|not (?:required|mandatory))\b|\bneed not\b")
_DENIED = quick(rf"\b(?:{read_table('modality').pattern('denied')})\b", re.IGNORECASE)
FEWEST_WORDS = 2
"""Content words beside the approval that say what is approved, at least."""

LONGEST_DUTY = 400
"""Characters of a sentence above which what it requires and permits cannot be told apart by its words."""

_APPROVING = frozenset(terms("approve approval authorise authorize consent written writing need reject refuse decline"))
_FORBIDDING = re.compile(
    r"\b(?:must|shall|has to|have to|will)\s+(?:forbid|prohibit|preclude|bar|prevent)\s+"
    r"(?:the\s+|an?\s+|any\s+)?(?:[\w’'-]+\s+){1,4}?"
    r"(?:to|from)\s+(?P<verb>[a-z-]+)",
    re.IGNORECASE,
)
"""A duty to forbid somebody something: what is forbidden is the act behind "to" or "from"."""
_FORBIDS = re.compile(r"[fFpPbB](?i:(?<=f)orbid|(?<=p)rohibit|(?<=p)reclude|(?<=b)ar\s|(?<=p)revent)")
"""The verbs of such a duty."""

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

_MATTERS = read_table("matters")
_KEEPING = frozenset(canonical_stem(stem(word)) for name in ("keeps", "deletes") for word in _MATTERS.words(name))
_RETAINED = canonical("retain")
_WORKING = re.compile(rf"\b(?:{read_table('time').pattern('business_days')})\b", re.IGNORECASE)


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


@dataclass(frozen=True, slots=True)
class ReadEntries:
    """What some statements fix and ask, each read by itself: of a document it is the same in every corpus.

    Attributes:
        measured: the measures that they fix.
        stances: what they ask, by verb, told or not: a duty is told where another statement disputes it.
        told: who decides, figures, places, definitions, and numbers of persons and papers.
        limits: their limits, by whatever verb.
    """

    measured: tuple[Entry, ...] = ()
    stances: tuple[Entry, ...] = ()
    told: tuple[Entry, ...] = ()
    limits: tuple[Entry, ...] = ()


def read_entries(statements: Iterable[Statement]) -> ReadEntries:
    """Every entry of some statements, of whatever corpus they are."""
    known = [each for each in statements if not maps_standards(each.sentence.text)]
    stances = [(each, _all_stances(each.sentence)) for each in known]
    return ReadEntries(
        tuple(entry for each in known if each.sentence.measures for entry in _measures(each)),
        tuple(entry for each, found in stances for entry in _duties(each, found)),
        *_told_and_limits(known),
    )


def entries_of(statements: Iterable[Statement]) -> list[Entry]:
    """Every entry of some statements: what each of them fixes, then their stances, then who approves."""
    known = [each for each in statements if not maps_standards(each.sentence.text)]
    stances = [(each, _all_stances(each.sentence)) for each in known]
    disputed = _disputed((head, stance) for _, found in stances for head, (stance, _) in found.items())
    told, limits = _told_and_limits(known)
    return [
        *(entry for each in known if each.sentence.measures for entry in _measures(each)),
        *(entry for each, found in stances for entry in _duties(each, found, disputed)),
        *told,
        *limits,
    ]


def deadlines_of(statements: Iterable[Statement]) -> list[Entry]:
    """Those of :func:`entries_of` that fix by when, but for limits: nothing else is read of the sentences."""
    known = [each for each in statements if not maps_standards(each.sentence.text)]
    fixed = [entry for each in known if each.sentence.measures for entry in _measures(each)]
    rows = [entry for each in known for told in rows_told(each) for entry in _entry(each, told)]
    return [each for each in (*fixed, *rows) if each.kind == "deadline" and each.head != LIMIT]


def _told_and_limits(statements: Sequence[Statement]) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    told = tuple(entry for each in statements for entry in (*_told(each), *_tallies(each)))
    return told, tuple(entry for each in statements for entry in _limits(each))


def _disputed(stances: Iterable[tuple[str, str]]) -> set[str]:
    """The verbs, of all stances by verb, that one statement requires and another rules out or leaves open."""
    values: dict[str, set[str]] = defaultdict(set)
    for head, stance in stances:
        values[head].add(stance)
    return {head for head, each in values.items() if any(against <= each for against in AGAINST)}


def forbidding_in(text: str) -> re.Match[str] | None:
    """The duty to forbid somebody something that a sentence tells; its group "verb" is what is forbidden.

    Args:
        text: a sentence.
    """
    return None if _FORBIDS.search(text) is None else _FORBIDDING.search(text)


def tells(text: str) -> bool:
    """Whether a sentence says something that others may rule out, beside what Tier 1 measures and reads of its duties.

    Args:
        text: a sentence.
    """
    # Most sentences tell nothing of these; those that tell something most often tell a place or a limit.
    one = place_of(text) or timed_cell(text) or limits_of(text) or stances_of(text) or figures_of(text)
    return bool(one or deciders_of(text) or tallies_of(text) or any(told.value for told in definition_told(text)))


def _measures(statement: Statement) -> list[Entry]:
    """Measures of kinds that a sentence fixes once: where it fixes two, it is not plain which one is meant."""
    measures = statement.sentence.measures
    counts = Counter((m.kind, m.head) for m in {(m.kind, m.head, m.value): m for m in measures}.values())
    found = []
    for m in {(m.kind, m.head): m for m in measures}.values():
        if counts[m.kind, m.head] == 1 and not _is_ambiguous(statement.sentence, m):
            kind, head = _comparable(m)
            words, lead = measured(statement.sentence.text, m)
            value = m.value * WORKING if kind in ("deadline", "duration") and _WORKING.search(m.text) else m.value
            found.append(Entry(statement, kind, head, m.text, round(value, 4), m.strength, words, lead, m.verb))
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
    if at < 0 or named is None or _CODE.match(printed):
        return False
    marked = named["mark"] or _BEFORE_VERSION.search(line, 0, at) or _BEHIND_VERSION.match(line, at + len(printed))
    return named["name"] in _VERSIONED or bool(marked)


def _comparable(measure: Measure) -> tuple[str, str]:
    """What is kept for a year is deleted after a year: both say how long."""
    if measure.kind in ("duration", "deadline") and canonical_stem(measure.head) in _KEEPING:
        return "duration", _RETAINED
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
    forbidding = forbidding_in(text)
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


def _duties(
    statement: Statement, stances: Mapping[str, tuple[str, str]], disputed: Collection[str] | None = None
) -> list[Entry]:
    """Prohibitions, permissions, and the duties of verbs that another document rules out or leaves open; of all verbs for None."""
    text = statement.sentence.text
    entries = []
    for head, (stance, strength) in sorted(stances.items()):
        if disputed is None or head in disputed or stance != "must":
            words = [word for word in content_words(generalised(text)) if word != head]
            lead = words[0] if words else ""
            verb = "forbid" if forbidding_in(text) else ""
            entries.append(Entry(statement, "modality", head, text, stance, strength, features(words), lead, verb))
    return entries


_PUTS = frozenset(canonical_stem(stem(word)) for word in _MATTERS.words("puts"))
_PUT = "put"


def _all_stances(sentence: SelectedSentence) -> dict[str, tuple[str, str]]:
    """The stances of a sentence by verb, those that no modal verb tells with them, and by what several verbs have in common."""
    found = _stances(sentence)
    for told in stances_of(sentence.text):
        found.setdefault(told.head, (str(told.value), "mandatory"))
    for head, stance in list(found.items()):
        if is_having(head):
            found.setdefault(HAVING, stance)
        if canonical_stem(head) in _PUTS:
            found.setdefault(_PUT, stance)
    return found


def _tallies(statement: Statement) -> list[Entry]:
    """How many persons or papers what a statement speaks of needs."""
    found = []
    for head, says, value in tallies_of(statement.sentence.text):
        words = [word for word in content_words(statement.sentence.text) if word != head and word not in terms(says)]
        found.append(
            Entry(statement, "count", head, says, value, "stated", features(words), words[0] if words else "", head)
        )
    return found


def _told(statement: Statement) -> list[Entry]:
    """Who decides, and the figures, places and definitions that a statement tells."""
    text = statement.sentence.text
    row = rows_told(statement)
    checks = () if statement.sentence.measures else checks_of(text)
    found = [*deciders_of(text), *figures_of(text), *place_of(text), *definition_told(text), *checks, *row]
    return [entry for each in found for entry in _entry(statement, each)]


def _limits(statement: Statement) -> list[Entry]:
    """The limits of a statement, by whatever verb; their verb is what they are of."""
    text = statement.sentence.text
    found = []
    for limit in limits_of(text):
        left_out = frozenset(terms(limit.says)) if limit.kind != "count" else frozenset()
        words = [word for word in content_words(generalised(_BESIDE.sub(" ", text))) if word not in left_out]
        kind, of = limit.kind, limit.of
        if kind == "deadline" and is_row(text) and not _KEPT_IN_ROWS.isdisjoint(acts_around(statement)):
            kind, of = "duration", KEPT
        strength = "mandatory" if _WORDED.search(text) else "stated"
        if words:
            found.append(
                Entry(statement, kind, LIMIT, limit.says, limit.value, strength, features(words), words[0], of)
            )
    return found


_BESIDE = re.compile(r"\((?:for|e\.g\.|i\.e\.|such as)\b[^()]*\)|\b(?:[a-z]+ )?executives?\b|\bC[A-Z]{1,2}O\b")
"""Asides in brackets, and chiefs and executives, who are told of many things."""

_KEPT_IN_ROWS = frozenset(canonical(stem(word)) for word in read_table("limits").words("keeping"))
_WORDED = re.compile(rf"\b(?:{read_table('limits').pattern('binding')})\b", re.IGNORECASE)


def _entry(statement: Statement, told: Assertion) -> list[Entry]:
    said = _WHEN_FIRST.sub("", told.rest) if told.kind == APPROVAL else told.rest
    left_out = {told.head, *terms(told.verb), *(_APPROVING if told.kind == APPROVAL else ())}
    words = [word for word in content_words(generalised(said)) if word not in left_out]
    if len(words) < (FEWEST_WORDS if told.kind == APPROVAL and told.verb == "approve" else 1):
        return []
    head = canonical(told.head) if told.kind == APPROVAL else told.head
    return [Entry(statement, told.kind, head, told.says, told.value, "stated", features(words), words[0], told.verb)]


def weights(entries: Iterable[Entry]) -> dict[str, float]:
    """How much a shared word says: the logarithm of how rare it is among statements, each sentence counted once."""
    counts: Counter[str] = Counter()
    places = set()
    for entry in entries:
        if entry.statement.place not in places:
            places.add(entry.statement.place)
            counts.update(entry.words)
    return {word: math.log(1.0 + len(places) / count) for word, count in counts.items()}
