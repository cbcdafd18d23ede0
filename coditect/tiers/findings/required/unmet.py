"""What is required and, by what the documents hold, not met: a duty that nobody takes up, a role without a holder, a check too old.

* *unanswered*: something that a licence or another short rule has the house do again and again, of which no other document speaks;
* *unappointed*: a role that answers for something and is not in the list of those who hold the roles of the house;
* *expired*: a row of a table in plain text whose date of expiry, or by which something is due, has passed;
* *lapsed*: something that was last done longer ago than the interval at which it has to be done.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from coditect.language.patterns.deferred import deferred
from coditect.language.quantities.dates import find_dates
from coditect.language.reading.equivalents import can_stand_for
from coditect.language.tables import read_table
from coditect.language.terms import terms
from coditect.schemas import DocumentVersion
from coditect.tiers.findings.conflicts.approvals import ROLE, deciders_of
from coditect.tiers.findings.conflicts.lines import line_of
from coditect.tiers.findings.measures import SELF
from coditect.tiers.findings.open_points import GRACE, Gap
from coditect.tiers.findings.said.statements import Statement, content_words, sentence_stems
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.tables import DatedColumn, columns, dated_column, due_at, due_cell, due_in
from coditect.tiers.findings.telling import LiveStatements

__all__ = ["UNMET", "find_unmet", "tells_last", "tells_often"]

UNMET = ("unanswered", "unappointed", "lapsed", "expired")
"""The kinds of gaps that are found here."""

FEWEST_HOUSE = 3
MOST_DUTIES = 60
FEWEST_HOLDERS = 4
"""Documents of a house before one is missed among them; duties of a rule above which it is no licence; roles that a list of
appointments holds at least."""

_MUST = deferred(
    r"^\W*(?:\d[\d.]*\W+)?(?P<thing>(?:The|An?|Each|Every|All)\s[^,;:]{4,100}?)\s+(?:must|shall|has\s+to|have\s+to)\s+be\b"
)
_ACTORS = frozenset(
    terms("licensee operator provider house company firm holder permit licence license person persons staff")
)
_LISTED = deferred(
    r"\b(?:positions?|roles?|functions?|offices?|responsibilit(?:y|ies))\b.{0,60}\b(?:holder|held\s+by|name|appointed|appointee|incumbent)\b"
    r"|\b(?:every|all)\s+(?:positions?|roles?|functions?)\b.{0,60}\b(?:listed|named|shown)\b|\bappointments?\b",
    re.IGNORECASE,
)
_TITLE = deferred(r"(?:the\s+)?(?P<role>[A-Z][\w-]+(?:\s+(?:of\s+|for\s+|and\s+)?[A-Z][\w-]+){1,4})", re.IGNORECASE)
_LAST = deferred(
    r"\blast\s+(?P<act>[a-z]+(?:ed|en|wn|pt|ld|ne|de))\s+(?:\w+\s+){0,2}?(?:on|in)\s+$"
    r"|\blast\s+(?P<noun>[a-z]+(?:\s+[a-z]+){0,2})\s+(?:was|took\s+place|were|was\s+held|was\s+carried\s+out|dates\s+from|is\s+dated)\s+(?:\w+\s+){0,3}?(?:on|in|of)?\s*$",
    re.IGNORECASE,
)
_HOURS_OF_YEAR = 8766.0
_LAST_OF = {4: "-12-31", 7: "-28"}
"""What makes a day of a year or a month alone: the last that it may be, or nearly."""


def find_unmet(
    live: LiveStatements, documents: Mapping[str, DocumentVersion], standings: Standings
) -> dict[str, list[Gap]]:
    """What is required and not met, by kind; a function of the set of statements, documents and standings.

    Args:
        live: the statements of the corpus.
        documents: its documents by id.
        standings: which force they have.
    """
    return {
        "unanswered": _unanswered(live, documents, standings),
        "unappointed": _unappointed(live, standings),
        "lapsed": _lapsed(live.telling, standings),
        "expired": _expired(live.telling, standings),
    }


def tells_last(statement: Statement) -> bool:
    """Whether a statement says when something was last done."""
    return _last_done(statement) is not None


def tells_often(statement: Statement) -> bool:
    """Whether a statement says how often something is done."""
    return any(measure.kind == "frequency" for measure in statement.sentence.measures)


def _unanswered(live: LiveStatements, documents: Mapping[str, DocumentVersion], standings: Standings) -> list[Gap]:
    house = [
        d for d in documents if standings.is_normative(d) and not standings.is_outside(d) and not standings.is_past(d)
    ]
    if len(house) < FEWEST_HOUSE or not any(standings.role(each) == "rule" for each in documents):
        return []
    duties: dict[str, list[Statement]] = defaultdict(list)
    for statement in live.among(each for each in documents if standings.role(each) == "rule"):
        if "obligation" in statement.sentence.kinds:
            duties[statement.place[0]].append(statement)
    found = []
    for rule, own in duties.items():
        if len(own) > MOST_DUTIES or not any(standings.are_comparable(rule, each) for each in house):
            continue
        asked = [(statement, subject) for statement in own if (subject := _subject_of(statement)) is not None]
        said = _words_of_others(live.every, documents, rule) if asked else []
        for statement, (thing, stems) in asked:
            if not _is_spoken_of(stems, said):
                found.append(Gap("unanswered", (statement.place,), {"thing": thing, "of": str(len(house))}))
    return found


def _subject_of(statement: Statement) -> tuple[str, tuple[str, ...]] | None:
    """(as printed, stems) of what has to be done with it at intervals; None where the sentence asks for nothing of the kind."""
    if not any(m.kind == "frequency" for m in statement.sentence.measures):
        return None
    match = _MUST.match(line_of(statement.sentence.text))
    if match is None:
        return None
    stems = tuple(word for word in content_words(match["thing"]) if word not in _ACTORS)
    thing = re.sub(r"^(?:The|An?|Each|Every|All)\s+", "", match["thing"])
    return (thing, stems) if stems else None


def _words_of_others(
    statements: Iterable[Statement], documents: Mapping[str, DocumentVersion], rule: str
) -> list[frozenset[str]]:
    said = [
        frozenset(sentence_stems(" ".join((s.sentence.text, s.chunk.heading, *s.chunk.headings))))
        | frozenset(s.chunk.key_terms)
        for s in statements
        if s.place[0] != rule
    ]
    return [*said, *(frozenset(terms(version.title)) for d, version in documents.items() if d != rule)]


def _is_spoken_of(subject: tuple[str, ...], said: Iterable[frozenset[str]]) -> bool:
    """Whether anybody else says the first noun of a subject, or two of its words together."""
    for words in said:
        shared = [each for each in subject if each in words or any(can_stand_for(each, word) for word in words)]
        if subject[0] in shared or len(shared) > 1:
            return True
    return False


def _unappointed(live: LiveStatements, standings: Standings) -> list[Gap]:
    """Roles that are named as answering for something, and are not among those that a list of appointments holds."""
    if not any(standings.role(each) == "record" for each in standings.profiles):
        return []
    holders: dict[str, set[str]] = defaultdict(set)
    listing: dict[str, Statement] = {}
    for statement in live.among(each for each in live.documents if standings.role(each) == "record"):
        document_id = statement.place[0]
        holders[document_id] |= set(statement.chunk.entities) | {line_of(statement.sentence.text).casefold()}
        if _LISTED.search(line_of(statement.sentence.text)):
            listing.setdefault(document_id, statement)
    if not listing:
        return []
    known = {name for _, printed in live.printed for name in printed.entities}
    answering: dict[str, Statement] = {}
    for statement in live.among(d for d in live.documents if standings.is_normative(d) and not standings.is_outside(d)):
        for told in deciders_of(statement.sentence.text):
            match = _TITLE.fullmatch(told.says.strip()) if told.kind == ROLE else None
            if match is not None and match["role"][0].isupper():
                answering.setdefault(" ".join(match["role"].split()), statement)
    found = []
    for document_id, statement in sorted(listing.items(), key=lambda pair: pair[1].order):
        listed = holders[document_id]
        roles = {role for role in known if any(role in each for each in listed)} & _roles(known)
        if len(roles) < FEWEST_HOLDERS:
            continue
        for role in sorted(answering):
            key = role.casefold()
            if key in known and not any(key in each for each in listed):
                found.append(Gap("unappointed", (answering[role].place, statement.place), {"role": role}))
    return found


_PERSONS = deferred(rf"(?:{read_table('agents').pattern('persons')})$", re.IGNORECASE)


def _roles(names: Iterable[str]) -> set[str]:
    return {name for name in names if " " in name and (_PERSONS.search(name) or name.startswith(("head of", "chief")))}


def _lapsed(statements: Sequence[Statement], standings: Standings) -> list[Gap]:
    """What was last done longer ago than its interval allows: by a duty on the same thing, of whatever document binds the house."""
    if not standings.today:
        return []
    duties = [
        (statement, measure, frozenset(content_words(statement.sentence.text)))
        for statement in statements
        for measure in statement.sentence.measures
        if measure.kind == "frequency" and measure.strength in ("mandatory", "stated") and measure.head != SELF
    ]
    found = []
    for statement in statements:
        done = _last_done(statement)
        if done is None:
            continue
        says, day, act = done
        own = frozenset(content_words(statement.sentence.text)) - {act}
        title = (
            frozenset(terms(standings.documents[statement.place[0]].title))
            if statement.place[0] in standings.documents
            else frozenset()
        )
        age = (date.fromisoformat(standings.today) - date.fromisoformat(day)).days * 24.0
        for duty, measure, words in duties:
            mine = statement.place[0] == duty.place[0]
            if not (mine or standings.are_comparable(statement.place[0], duty.place[0])):
                continue
            acts = act == measure.head or can_stand_for(act, measure.head)
            things = words - {measure.head} - frozenset(terms(measure.text))
            if acts and age > GRACE * _HOURS_OF_YEAR / measure.value and _is_same_thing(things, own, title, mine=mine):
                words_told = {"says": says, "often": measure.text, "due": day}
                found.append(Gap("lapsed", (statement.place, duty.place), words_told))
                break
    return found


def _is_same_thing(duty: frozenset[str], own: frozenset[str], title: frozenset[str], *, mine: bool) -> bool:
    """Whether what was last done is what has to be: by the words of its sentence, or, as "the plan", of its document's title."""
    shared = {word for word in duty if word in own or any(can_stand_for(word, each) for each in own)}
    if not shared:
        return False
    return mine or len(shared) > 1 or bool(title and len(title & duty) > 1)


def _last_done(statement: Statement) -> tuple[str, str, str] | None:
    """(as printed, day, stem of the act) of what a sentence says was last done when; None where it says nothing of the kind."""
    line = line_of(statement.sentence.text)
    if " last " not in f" {line.casefold()}":
        return None
    for mark in find_dates(line, 0, len(line)):
        iso = str(mark.data.get("iso") or "")
        before = next((m for m in _LAST.finditer(line[: mark.start])), None)
        if before is None or not iso or iso.startswith("-"):
            continue
        day = iso + _LAST_OF.get(len(iso), "")
        act = terms((before["act"] or before["noun"]).split()[-1])
        if act and len(day) == len("2026-01-01"):
            return line[before.start() : mark.end], day, act[0]
    return None


_SETTLED = deferred(rf"\b(?:{read_table('open_points').pattern('settled')})\b", re.IGNORECASE)


def _expired(statements: Sequence[Statement], standings: Standings) -> list[Gap]:
    """Rows of tables whose due date has passed; each with the line of labels above it."""
    found = []
    barred: tuple[Statement, tuple[int, str], int] | None = None
    above: tuple[Statement, DatedColumn] | None = None
    for statement in statements if standings.today else ():
        text = statement.sentence.text
        if " | " in text:
            if (named := due_cell(text)) is not None:
                barred = statement, named, len(columns(text))
            elif barred is not None and barred[0].place[0] == statement.place[0]:
                due = due_at(text, barred[1][0], barred[2])
                if due and due < standings.today and _SETTLED.search(text) is None:
                    found.append(
                        Gap("expired", (statement.place, barred[0].place), {"label": barred[1][1], "due": due})
                    )
            continue
        column = dated_column(text)
        if column is not None:
            above = statement, column
        elif above is not None and above[0].place[0] == statement.place[0]:
            due = due_in(text, above[1])
            if due and due < standings.today and _SETTLED.search(text) is None:
                words = {"label": above[1].label, "due": due}
                found.append(Gap("expired", (statement.place, above[0].place), words))
    return found
