"""What is cited, used or required and not there, as far as the documents themselves tell.

* *code*: a document that is cited by its number ("IT-09"), in a series of which the corpus holds others;
* *part*: a schedule, annex or the like of a document that prints others of its kind, but not this one;
* *term*: words with the capitals of a defined term ("a Critical Lot") that no document defines;
* *unprovided*: a plan, register or the like that a law, a rule or a licence requires, of which no document of the house speaks;
* *ownerless*: a policy, standard or procedure that names no owner, where nearly all others do;
* *undescribed*: a role that acts once and is named nowhere else (:mod:`coditect.tiers.findings.required.roles`);
* what is required and not met: see :mod:`coditect.tiers.findings.required.unmet`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from coditect.documents.profile.citations import file_stem
from coditect.language.matched import as_matched
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred
from coditect.language.reading.equivalents import can_stand_for
from coditect.language.tables import read_table
from coditect.language.terms import terms
from coditect.schemas import DocumentVersion
from coditect.tiers.findings.naming import is_of_another
from coditect.tiers.findings.open_points import Gap
from coditect.tiers.findings.required.roles import find_undescribed
from coditect.tiers.findings.required.unmet import UNMET, find_unmet
from coditect.tiers.findings.said.statements import Statement, sentence_stems
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.telling import AllStatements, LiveStatements, StatementSource

__all__ = [
    "DEFINED_TERM",
    "MISSING",
    "TERM_BARE",
    "TERM_INSIDE",
    "find_missing",
    "missing_in",
    "requires_document",
    "tells_code",
    "tells_term",
]

MISSING = ("code", "part", "term", "unprovided", "ownerless", "undescribed", *UNMET)
"""The kinds of gaps that are found here."""

FEWEST_CODED = 2
FEWEST_OWNED = 4
MOST_OWNED = 0.75
"""Documents that must have a code before there is a series; that name an owner before one misses it; and their share."""

FEWEST_HOUSE = 3
"""Policies, standards and procedures that a corpus must hold before it is said that none of them provides for something."""

_DOCUMENTS, _AGENTS = read_table("documents"), read_table("agents")
_CODE = deferred(r"(?<![\w-])(?P<series>[A-Z]{2,6})-(?P<number>\d{1,4})(?![\w-])")
_TITLE = deferred(r"(?:,\s+|\s+\(?)(?P<title>[A-Z][\w-]+(?:\s+(?:(?:and|of|for)\s+)?[A-Z][\w-]+){1,5})")
_KIND = rf"(?:{_DOCUMENTS.pattern('required')})"
_REQUIRED = quick(
    rf"\b(?:{_DOCUMENTS.pattern('required_by')})\s+(?:and\s+\w+\s+)?(?:an?|the|its)\s+"
    rf"(?P<thing>(?:(?!(?:for|of|to|that|which|and|or|in)\b)[\w-]+\s+){{1,4}}?{_KIND})\b"
    r"(?P<about>\s+(?:for|of|on|about|concerning)\s+[^,;.:]{4,90})?",
    re.IGNORECASE,
)
_REQUIRED_PASSIVE = deferred(
    rf"(?:^\W*(?:\d[\d.]*\W+)?|[;,]\s+)(?:an?|the|its)\s+(?P<thing>(?:(?!(?:for|of|to|that|which|and|or|in)\b)[\w-]+\s+){{1,4}}?{_KIND})\b[^.;]{{0,60}}?"
    rf"\b(?:must|shall|has\s+to)\s+be\s+(?:{_DOCUMENTS.pattern('required_by')}|kept|drawn\s+up|written|in\s+place|available)\b",
    re.IGNORECASE,
)
_PLAIN = frozenset(terms(" ".join(_DOCUMENTS.words("plain_adjectives"))))
_KINDS = frozenset(terms(" ".join((*_DOCUMENTS.words("required"), *_DOCUMENTS.words("kinds")))))
DEFINED_TERM = deferred(
    r"\W*(?:\d[\d.]*\W+)?(?:(?:[Ff]or|[Ii]n|[Ww]ith|[Oo]n|[Bb]efore|[Aa]fter|[Ww]hen|[Ww]here|[Ii]f|[Uu]nless)\s+)?"
    r"(?:[Aa]n?|[Aa]ny|[Ee]ach|[Ee]very|[Nn]o)\s+(?P<term>(?:[A-Z][a-z]+[\s-]){1,2}(?P<head>[A-Z][a-z]+))\b(?!\s+[A-Z])"
)
"""Words with the capitals of a defined term, behind a determiner that no name has, where a sentence says for what it holds."""
TERM_INSIDE = deferred(
    r"\b(?:of|to|for|on|in|with|is|as|by|than)\s+(?:an?|any|each|every)\s+(?P<term>(?:[A-Z][a-z]+[\s-]){1,2}(?P<head>[A-Z][a-z]+))\b(?!\s+[A-Z])"
)
"""The same inside of a sentence: "access to the results of a Sensitive Assay"."""

TERM_BARE = deferred(
    r"\W*(?:\d[\d.]*\W+)?(?!(?:The|Each|All|Any|Every|No|An?|Such|Both|Some|This|These|Those|Its|Their|Our|Your)\b)"
    r"(?P<term>[A-Z][a-z]+\s(?P<head>[A-Z][a-z]+))\s+(?:shall|must|may)\b"
)
"""The same at the beginning of a sentence without a determiner, as of what cannot be counted: "Key Personnel shall not leave"."""

_AS_DEFINED = deferred(r"\bas\s+defined\s+in\b", re.IGNORECASE)
_APPOINTED = deferred(
    r"\b(?:shall|must)\s+(?:appoint|designate|nominate)\s+an?\s+(?P<role>[A-Z][a-z]+(?:\s+[A-Z][a-z]+){1,3})\b"
)
"""Somebody whom a licence or a policy wants to be appointed."""

_DUTY = quick(r"\b(?:must|shall)\b")
_NOBODY = deferred(
    rf"(?:{_AGENTS.pattern('persons')}|{_AGENTS.pattern('bodies')}|{_AGENTS.pattern('agent_nouns')})", re.IGNORECASE
)
_COLLECTIVES = frozenset(read_table("acts").words("collectives"))


def find_missing(
    statements: Iterable[Statement], documents: Mapping[str, DocumentVersion], standings: Standings
) -> dict[str, list[Gap]]:
    """What is missing, by kind; a function of the set of statements, documents and standings.

    Args:
        statements: Tier 2 of the corpus.
        documents: its documents by id.
        standings: which force they have.
    """
    return missing_in(AllStatements(statements), documents, standings)


def missing_in(
    source: StatementSource, documents: Mapping[str, DocumentVersion], standings: Standings
) -> dict[str, list[Gap]]:
    """The same by what the statements of the corpus tell."""
    live = LiveStatements(source, standings)
    return {
        "code": _codes(live.telling, documents),
        "part": _parts(live),
        "term": _terms(live, standings),
        "unprovided": _unprovided(live, documents, standings),
        "ownerless": _ownerless(live, standings),
        "undescribed": find_undescribed(live, standings),
        **find_unmet(live, documents, standings),
    }


def tells_code(statement: Statement) -> bool:
    """Whether a statement prints what may be the number of a document."""
    return _CODE.search(as_matched(statement.sentence.text)) is not None


def tells_term(statement: Statement) -> bool:
    """Whether a statement prints what may be a defined term."""
    line = _line(statement)
    return (TERM_BARE.match(line) or DEFINED_TERM.match(line) or TERM_INSIDE.search(line)) is not None


def _line(statement: Statement) -> str:
    return " ".join(as_matched(statement.sentence.text).split())


def _codes(statements: Sequence[Statement], documents: Mapping[str, DocumentVersion]) -> list[Gap]:
    own = {code for version in documents.values() for code in _coded(version.name, version.title)}
    series = {code.partition("-")[0] for code in own}
    found: dict[str, Gap] = {}
    for statement in statements if len(own) >= FEWEST_CODED else ():
        if _CODE.search(as_matched(statement.sentence.text)) is None:
            continue
        line = _line(statement)
        for match in _CODE.finditer(line):
            if match["series"] in series and match[0] not in own:
                title = _TITLE.match(line, match.end())
                words = {"code": match[0], **({"title": title["title"]} if title else {})}
                found.setdefault(match[0], Gap("code", (statement.place,), words))
    return [found[code] for code in sorted(found)]


@lru_cache(maxsize=1 << 15)
def _coded(name: str, title: str) -> frozenset[str]:
    """What may be numbers of documents in the name and the title of one; remembered, as every build asks for those of all."""
    stem = file_stem(name)
    return frozenset(match[0] for called in (stem, title, stem.replace("_", " ")) for match in _CODE.finditer(called))


def _parts(live: LiveStatements) -> list[Gap]:
    found: dict[tuple[str, str], Gap] = {}
    for statement in live.telling:
        for place in statement.sentence.places:
            if place[0].isalpha() and "|" not in place and not is_of_another(place, _line(statement)):
                key = statement.place[0], place
                found.setdefault(key, Gap("part", (statement.place,), {"label": place}))
    in_romans = {key: re.compile(rf"{re.escape(roman)}\b") for key in found if (roman := _in_romans(key[1]))}
    for document_id in dict.fromkeys(document_id for document_id, _ in in_romans):
        printed = live.source.printed(document_id)
        lines = [" ".join(line.casefold().split()) for line in (*printed.headings, *printed.plain.splitlines())]
        for key, begins in in_romans.items():
            if key[0] == document_id and any(map(begins.match, lines)):
                found.pop(key, None)
    return list(found.values())


_ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")


def _in_romans(label: str) -> str:
    """A label with its number in the other numerals, in small letters: "Annex 1" is "annex i"; "" where it has none of a few."""
    kind, _, number = label.casefold().rpartition(" ")
    return f"{kind} {_ROMANS[int(number) - 1]}" if number.isdecimal() and 0 < int(number) <= len(_ROMANS) else ""


def _terms(live: LiveStatements, standings: Standings) -> list[Gap]:
    """Terms of the house's documents; whether one is defined somewhere after all, the index tells when it is told."""
    used = _used_terms(live, standings)
    wanted = {word for term, own in used.items() if not all(e.is_enough for e in own) for word in _plain_forms(term)}
    lines = {word: f"\n{word}\n" for word in wanted}
    plain: set[str] = set()
    headings: set[str] = set()  # many documents have the same
    for _, printed in live.printed if used else ():
        plain |= {word for word in wanted - plain if lines[word] in printed.plain}
        headings.update(printed.headings)
    told: dict[str, _Used] = {}
    for term in sorted(used):
        is_word = not plain.isdisjoint(_plain_forms(term))
        first = next((each for each in used[term] if each.is_enough or is_word), None)
        if first is not None:
            told[term] = first
    every = "\n".join(headings)  # terms and headings are lines without breaks
    return [Gap("term", (used.place,), {"term": term}) for term, used in told.items() if term.casefold() not in every]


@dataclass(frozen=True, slots=True)
class _Used:
    """A sentence that uses a term.

    Attributes:
        place: where it stands.
        is_enough: whether it counts though nobody prints the words of the term without capitals.
    """

    place: tuple[str, int]
    is_enough: bool


def _used_terms(live: LiveStatements, standings: Standings) -> dict[str, list[_Used]]:
    """The sentences that use what may be a term, in order, by the term."""
    found: dict[str, list[_Used]] = {}
    house = [d for d in standings.profiles if standings.is_normative(d) and not standings.is_past(d)]
    # Where agreements are as many as the house's documents, they are a collection, and what they define is not at hand.
    is_of_house = FEWEST_HOUSE <= len(house) >= len(standings.contracts)
    agreements = frozenset(standings.contracts) if is_of_house else frozenset()
    for statement in live.telling:
        document_id = statement.place[0]
        is_contract = document_id in agreements
        if not is_contract and (
            standings.role(document_id) not in ("policy", "standard", "procedure") or standings.is_outside(document_id)
        ):
            continue
        line = _line(statement)
        if is_contract:
            match = TERM_BARE.match(line)
            if match is not None and _names_party(match["term"], standings, document_id):
                continue
        else:
            match = DEFINED_TERM.match(line) or (TERM_INSIDE.search(line) if _DUTY.search(line) else None)
        is_label = match is not None and line[match.end("term") :].startswith(":")  # what follows explains it
        if match is not None and not is_label and " | " not in line and not _names_somebody(match["head"]):
            is_enough = is_contract or _AS_DEFINED.search(line) is not None
            found.setdefault(match["term"], []).append(_Used(statement.place, is_enough))
    return found


def _names_somebody(head: str) -> bool:
    """Whether the last word of what may be a term says that it is a person, a body or a document."""
    is_nobody = _NOBODY.fullmatch(head) is not None and head.casefold() not in _COLLECTIVES
    return is_nobody or not _KINDS.isdisjoint(terms(head))


def _plain_forms(term: str) -> set[str]:
    """The words by which a term is known to be made of ordinary ones: its last and its first, in small letters."""
    head = re.split(r"[\s-]", term)[-1].casefold()
    return {head, head.removesuffix("s"), term.split()[0].casefold()}


def _names_party(term: str, standings: Standings, document_id: str) -> bool:
    """Whether capitalised words are of a party's name, or of what it is called."""
    profile = standings.profiles.get(document_id)
    words = frozenset(term.split())
    parties = profile.parties if profile else ()
    return any(not words.isdisjoint(f"{each.value} {each.called}".split()) for each in parties)


def _unprovided(live: LiveStatements, documents: Mapping[str, DocumentVersion], standings: Standings) -> list[Gap]:
    house = {
        d for d in documents if standings.is_normative(d) and not standings.is_outside(d) and not standings.is_past(d)
    }
    if len(house) < FEWEST_HOUSE:
        return []
    binding = {d for d in documents if standings.role(d) in ("law", "rule")}
    # What a policy requires shows elsewhere only where there are papers that could show it: a register, minutes, an agreement.
    shown = any(standings.role(d) in ("record", "contract") for d in documents)
    demanding = binding | ({d for d in house if standings.role(d) == "policy"} if shown else set())
    said = _Said(live, documents, binding)
    found: dict[str, Gap] = {}
    for statement in live.among(sorted(d for d in demanding if any(standings.are_comparable(d, e) for e in house))):
        own = statement.place[0]
        if "obligation" not in statement.sentence.kinds:
            continue
        line = _line(statement)
        for match in (*_REQUIRED.finditer(line), *_REQUIRED_PASSIVE.finditer(line)):
            subject, thing = _required_thing(match)
            if subject and not (
                any(_speaks(each, subject) for each in said.words_beside(own))
                and _is_printed(match, subject, said.texts_beside(own))
            ):
                told = {"thing": thing, "of": str(len(house - {own}))}
                found.setdefault(thing.casefold(), Gap("unprovided", (statement.place,), told))
        for match in _APPOINTED.finditer(line):
            role = match["role"]
            named = any(role.casefold() in text for d, texts in said.texts.items() if d != own for text in texts)
            if not named and not any(role.casefold() in version.title.casefold() for version in documents.values()):
                told = {"thing": role, "of": str(len(house - {own}))}
                found.setdefault(role.casefold(), Gap("unprovided", (statement.place,), told))
    return [found[thing] for thing in sorted(found)]


@dataclass(frozen=True)
class _Said:
    """What all statements say, read if something is required.

    Attributes:
        live: the statements of the corpus.
        documents: its documents by id.
        binding: those of them that bind the house, and provide for nothing.
    """

    live: LiveStatements
    documents: Mapping[str, DocumentVersion]
    binding: set[str]

    @cached_property
    def texts(self) -> dict[str, list[str]]:
        """The statements in small letters, by document."""
        found: dict[str, list[str]] = {}
        for statement in self.live.every:
            found.setdefault(statement.place[0], []).append(statement.sentence.text.casefold())
        return found

    @cached_property
    def words(self) -> dict[str, list[frozenset[str]]]:
        """The stems of each statement with its headings and telling terms, and of each document's title, by document."""
        found: dict[str, list[frozenset[str]]] = {}
        for statement in self.live.every:
            text = " ".join((statement.sentence.text, statement.chunk.heading, *statement.chunk.headings))
            words = frozenset(sentence_stems(text)) | frozenset(statement.chunk.key_terms)
            found.setdefault(statement.place[0], []).append(words)
        for d, version in self.documents.items():
            found.setdefault(d, []).append(frozenset(terms(f"{version.title} {file_stem(version.name)}")))
        return found

    def words_beside(self, own: str) -> Iterator[frozenset[str]]:
        """The words of the documents that may provide for what one of them requires."""
        return (words for d, each in self.words.items() if d not in self.binding and d != own for words in each)

    def texts_beside(self, own: str) -> Iterator[str]:
        """The statements of the same."""
        return (text for d, each in self.texts.items() if d not in self.binding and d != own for text in each)


def requires_document(text: str) -> bool:
    """Whether a sentence requires a plan, a register or the like to be had.

    Args:
        text: a sentence.
    """
    if _DUTY.search(text) is None:
        return False
    line = " ".join(as_matched(text).split())
    return (_REQUIRED.search(line) or _REQUIRED_PASSIVE.search(line)) is not None


def _required_thing(match: re.Match[str]) -> tuple[frozenset[str], str]:
    """(stems that say what it is about, as printed) of what is required: "a written plan" is told by what it is for."""
    subject = frozenset(terms(match["thing"])) - _KINDS - _PLAIN
    about = match.groupdict().get("about")
    if subject or not about:
        return subject, match["thing"]
    stems = frozenset(terms(about)) - _KINDS - _PLAIN
    return (stems, f"{match['thing']}{about}") if len(stems) >= FEWEST_ABOUT else (frozenset(), "")


FEWEST_ABOUT = 3
"""Words of what a plan is for, at least, where it has no name of its own."""

MOST_ABOUT = 0.75
"""Share of the words of a longer subject by which somebody speaks of it."""


def _is_printed(match: re.Match[str], subject: frozenset[str], texts: Iterable[str]) -> bool:
    """Whether the one word that says what is required is meant where its stem is printed: "successful" is no "succession"."""
    if len(subject) > 1:
        return True
    words = (each for each in re.findall(r"[a-z]+", match["thing"].casefold()) if subject.issuperset(terms(each)))
    word = next((each for each in words if terms(each)), "")
    forms = {
        each
        for text in texts
        for each in re.findall(r"[a-z]+", text)
        if terms(each) and subject.issuperset(terms(each))
    }
    return not forms or any(each.startswith(word[: max(4, len(word) - 2)]) for each in forms)


def _speaks(words: frozenset[str], subject: frozenset[str]) -> bool:
    """Whether a statement has the words of a subject, or ones that can stand for them: of a long one three in four."""
    said = sum(each in words or any(can_stand_for(each, word) for word in words) for each in subject)
    return said >= (len(subject) if len(subject) < FEWEST_ABOUT else MOST_ABOUT * len(subject))


def _ownerless(live: LiveStatements, standings: Standings) -> list[Gap]:
    house = [
        d
        for d in standings.profiles
        if standings.role(d) in ("policy", "standard", "procedure")
        and not standings.is_past(d)
        and not standings.is_outside(d)
    ]
    owned = [d for d in house if standings.told(d, "owner")]
    if len(owned) < FEWEST_OWNED or len(owned) < MOST_OWNED * len(house):
        return []
    words = {"owned": str(len(owned)), "of": str(len(house))}
    first = [statements[0] for d in house if d not in owned and (statements := live.of_document(d))]
    return [Gap("ownerless", (each.place,), words) for each in sorted(first, key=lambda each: each.order)]
