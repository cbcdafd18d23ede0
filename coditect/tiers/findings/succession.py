"""Which document takes the place of which: what one says that it supersedes, and editions of one title that follow each other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TypeVar

from coditect.documents.profile.citations import file_stem
from coditect.language.tables import read_table
from coditect.language.terms import terms
from coditect.schemas import DocumentVersion, Profile, ProfileFact
from coditect.tiers.findings.naming import names_of, stems_of

__all__ = ["Succession", "Successions"]

Key = TypeVar("Key", bound=Hashable)

_SERIAL = frozenset(("record", "contract"))
"""Roles of documents that are called alike without being versions of each other: the minutes of two months, two leases."""

_WHEN = re.compile(
    rf"\b(?:{read_table('time').pattern('month_forms')}|\d[\d./-]*|v(?:er(?:sion)?)?\.?\s*\d[\d.]*|rev(?:ision)?\.?\s*\d*|edition|draft|final|consolidated)\b",
    re.IGNORECASE,
)
_EDITION = re.compile(r"\b(?:version|edition|revision|rev\.?|ver\.?|v)\s*\.?\s*(\d[\d.]*)", re.IGNORECASE)

_NAME = re.compile(r"[^\W_]+")
_STATES = frozenset(terms(" ".join(read_table("documents").words("states"))))
"""What file names say of what became of a document, or who keeps which copy, and not of its matter."""

_SHORTEST = 3
"""Letters of a word of a file name that says of what the document is; fewer are a mark ("a.md", "v2b")."""

FEWEST_WORDS = 2
"""Content words of a title that two versions of a document must have in common, if nothing else says that they are such."""


@dataclass(frozen=True, slots=True)
class Succession:
    """A document that another one has taken the place of.

    Attributes:
        former: the document that is superseded, by id.
        successor: the one that supersedes it, by id.
        facts: what this rests on, by document: what the successor says it supersedes, or the dates or editions of both.
    """

    former: str
    successor: str
    facts: tuple[tuple[str, ProfileFact], ...]


@dataclass(frozen=True)
class Successions:
    """What takes the place of which of some documents.

    Attributes:
        documents: their versions, by document id.
        profiles: what is known of each, by document id.
        parties: those of each as they are compared, by document id.
    """

    documents: Mapping[str, DocumentVersion]
    profiles: Mapping[str, Profile]
    parties: Mapping[str, frozenset[str]]

    @cached_property
    def all(self) -> tuple[Succession, ...]:
        """What takes the place of which document on whatever day; of one document what counts first stands first."""
        stated = [
            Succession(former, successor, ((successor, fact),))
            for successor in sorted(self.profiles)
            for fact in self.profiles[successor].supersedes
            for former in self._meant(successor, fact.value)
        ]
        return (*stated, *self._called_alike())

    def _meant(self, successor: str, value: str) -> list[str]:
        """The documents that "supersedes X" means: by name, by title, or the edition of the document's own title."""
        wanted = frozenset(terms(_EDITION.sub(" ", value)))
        edition = _EDITION.search(value)
        number = edition[1].rstrip(".") if edition else ""
        own = self._title_words(successor)
        alike = {*self._by_name.get(value, ()), *self._by_words.get(wanted, ())}
        meant = []
        for other in sorted(alike | set(self._by_title.get(own, ()) if number else ())):
            if other == successor:
                continue
            called = self._title_words(other)
            same_name = value == self.documents[other].name
            same_title = bool(wanted) and other in self._by_words.get(wanted, ())
            same_edition = bool(number) and called == own and called and _same(self._told(other, "edition"), number)
            if (
                same_name
                or (same_title and (not number or _same(self._told(other, "edition"), number)))
                or same_edition
            ):
                meant.append(other)
        return meant

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """The documents by their names."""
        return _grouped((version.name, each) for each, version in self.documents.items())

    @cached_property
    def _by_words(self) -> dict[frozenset[str], set[str]]:
        """The documents by the words of everything that they are called."""
        found: dict[frozenset[str], set[str]] = defaultdict(set)
        for each in self.documents:
            for name in self._names(each):
                found[stems_of(name)].add(each)
        return found

    @cached_property
    def _by_title(self) -> dict[frozenset[str], list[str]]:
        """The documents by the words of their titles without dates and the like."""
        return _grouped((self._title_words(each), each) for each in self.documents)

    def _names(self, document_id: str) -> list[str]:
        return [*names_of(self.documents[document_id]), self._told(document_id, "title")]

    def _title_words(self, document_id: str) -> frozenset[str]:
        """The words of a document's title without dates, editions and the like."""
        if document_id not in self._words_of_titles:
            title = self._told(document_id, "title") or self.documents[document_id].title
            self._words_of_titles[document_id] = stems_of(_WHEN.sub(" ", title))
        return self._words_of_titles[document_id]

    @cached_property
    def _words_of_titles(self) -> dict[str, frozenset[str]]:
        return {}

    def _called_alike(self) -> Sequence[Succession]:
        """Documents of one title and role whose dates or editions follow each other."""
        alike: dict[tuple[str, frozenset[str]], list[str]] = {}
        for document_id in sorted(self.profiles):
            role, words = self._told(document_id, "role"), self._title_words(document_id)
            if role and role not in _SERIAL and len(words) >= FEWEST_WORDS:
                alike.setdefault((role, words), []).append(document_id)
        found = []
        for group in alike.values():
            for one, other in combinations(group, 2):
                if self._are_named_apart(one, other):
                    continue
                ours, theirs = (self.parties.get(each, frozenset()) for each in (one, other))
                if ours and theirs and not ours & theirs:
                    continue
                for name in ("effective_from", "date", "edition"):
                    a, b = self._told(one, name), self._told(other, name)
                    if a and b and a != b:
                        former, successor = (one, other) if _follows(a, b) else (other, one)
                        facts = tuple((each, fact) for each in (former, successor) if (fact := self._fact(each, name)))
                        found.append(Succession(former, successor, facts))
                        break
        # Of three versions the first two are superseded by the last.
        found.sort(key=lambda each: (each.former, self._age(each.successor)), reverse=True)
        return found

    def _are_named_apart(self, one: str, other: str) -> bool:
        """Whether the files of two documents name each a matter of its own, so that their common title is that of a series.

        "07 Secure development policy" and "08 Supplier policy" that both begin with "Information Security" are; "leave-2023" and
        "leave-2025", "old/leave" and "leave-current", "POL-7" and "leave" are not.
        """
        ours, theirs = (self._words_of_files(each) for each in (one, other))
        shared = self._title_words(one) | (ours & theirs)
        return bool(ours - shared) and bool(theirs - shared)

    def _words_of_files(self, document_id: str) -> frozenset[str]:
        """The words of a document's file name without dates, editions and what became of it."""
        name = " ".join(_NAME.findall(file_stem(self.documents[document_id].name)))
        return frozenset(each for each in stems_of(_WHEN.sub(" ", name)) if len(each) >= _SHORTEST) - _STATES

    def _age(self, document_id: str) -> tuple[str, tuple[int, ...]]:
        return self._told(document_id, "effective_from") or self._told(document_id, "date"), _numbers(
            self._told(document_id, "edition")
        )

    def _told(self, document_id: str, name: str) -> str:
        profile = self.profiles.get(document_id)
        return "" if profile is None else profile.told(name)

    def _fact(self, document_id: str, name: str) -> ProfileFact | None:
        fact = getattr(self.profiles[document_id], name)
        return fact if isinstance(fact, ProfileFact) else None


def _grouped(pairs: Iterable[tuple[Key, str]]) -> dict[Key, list[str]]:
    found: dict[Key, list[str]] = defaultdict(list)
    for key, each in pairs:
        found[key].append(each)
    return found


def _numbers(edition: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d{1,9}", edition))


def _same(edition: str, number: str) -> bool:
    """Whether two editions are one: "2" is "2.0"."""
    ours, theirs = _numbers(edition), _numbers(number)
    length = max(len(ours), len(theirs))
    return bool(ours and theirs) and ours + (0,) * (length - len(ours)) == theirs + (0,) * (length - len(theirs))


def _follows(former: str, later: str) -> bool:
    """Whether the second of two dates, or editions, follows the first."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", former):
        return former < later
    return (_numbers(former), former) < (_numbers(later), later)
