"""Which documents bind the same people, which of them prevails, and which has taken the place of which.

Two documents can only be at odds where both bind somebody at the same time. Who that is, roles and parties tell:

* a *contract* binds its parties, so two contracts are at odds only where they have two parties in common;
* *laws*, *rules* and *guidance* bind whom their author means, each its own circle: among themselves they are compared only where a
  manifest gives them a common party; beside a policy below them they are;
* *policies*, *standards* and *procedures* bind the house that issues them, and what is known of no role is taken for one of these;
  beside a contract they are compared where the house is a party to it: a party of both where the policy's are known, else the party
  of most contracts of the corpus;
* *records* bind nobody: they say what is done, and are held against what binds the house.

Documents that are superseded or have expired are compared with nothing, nor are two that never bind at one time, nor an agreement
with its amendment, which says what holds instead. An edition that
is not yet in force has taken the place of none: until its day the former one binds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from coditect.documents.profile.agreements.titles import amended_key, title_key
from coditect.documents.profile.parties import party_key
from coditect.language.tables import read_table
from coditect.schemas import DocumentVersion, Profile
from coditect.tiers.findings.naming import is_agreement, is_normative
from coditect.tiers.findings.succession import Succession, Successions

__all__ = ["NO_STANDINGS", "Standings"]

RANKS = {"law": 5, "rule": 4, "contract": 3, "guidance": 2, "standard": 1, "policy": 1, "procedure": 1, "record": 0}
"""What prevails over what; the documents of a house are equals."""

_UNKNOWN_RANK = 1
_PLACES = {"policy": 2, "standard": 2, "procedure": 1, "guidance": 0}
_OUTSIDE = frozenset(("law", "rule", "guidance"))
_NORMATIVE = frozenset(("policy", "standard", "procedure"))
_CONTROLLED = ("owner", "next_review", "effective_from")
_PUBLISHED = re.compile(rf"\b(?:{read_table('profiles').pattern('publishers')})\b")
_OWN_FORMS = re.compile(rf"\b(?:{read_table('profiles').pattern('own_forms')})\b", re.IGNORECASE)
_OWN_RULES = re.compile(rf"\b(?:{read_table('profiles').pattern('own_rules')})\b", re.IGNORECASE)
_OF_A_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_EXPLAINING = re.compile(rf"\b(?:{read_table('profiles').pattern('explaining')})\b", re.IGNORECASE)
_AUTHORITY = re.compile(rf"\b(?:{read_table('agents').pattern('bodies')})\b", re.IGNORECASE)
_OWN_PEOPLE = re.compile(rf"\b(?:{read_table('profiles').pattern('own_people')})\b", re.IGNORECASE)

FEWEST_NORMATIVE = 3
"""Policies, standards and procedures of a corpus, from which on its guides and lists of questions are taken for the house's own."""


@dataclass(frozen=True)
class Standings:
    """The documents of a corpus by whom they bind, and when.

    Attributes:
        documents: their versions, by document id.
        profiles: what is known of each, by document id; documents without a profile may be anything.
        today: the day against which their dates are held, ISO 8601; "" for none.
    """

    documents: Mapping[str, DocumentVersion] = field(default_factory=dict)
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    today: str = ""

    def told(self, document_id: str, name: str) -> str:
        """A fact of a document by its field's name; "" where it is not known."""
        profile = self.profiles.get(document_id)
        return "" if profile is None else profile.told(name)

    @property
    def day(self) -> str:
        """The day against which due dates are held; "" where documents have no profiles, so that nobody knows what day it is.

        Of a build that keeps no day none of the documents' dates had passed: any day before all of them says the same.
        """
        return self.today or (date.min.isoformat() if self.profiles else "")

    def role(self, document_id: str) -> str:
        """The role of a document; "" where it is not known."""
        return self._roles.get(document_id, "")

    @cached_property
    def _roles(self) -> dict[str, str]:
        return {document_id: profile.told("role") for document_id, profile in self.profiles.items()}

    def rank(self, document_id: str) -> int:
        """How a document's force compares: the greater prevails."""
        if self.is_own_guidance(document_id) or self.is_own_rule(document_id):
            return _UNKNOWN_RANK
        return RANKS.get(self.role(document_id), _UNKNOWN_RANK)

    def place(self, document_id: str) -> int:
        """How a document of the house stands to its others: a policy above a procedure, and a procedure above what explains it."""
        own = _PLACES.get(self.role(document_id), 1)
        return min(own, 1) if _EXPLAINING.search(self._called(document_id)) else own

    def is_normative(self, document_id: str) -> bool:
        """Whether a document is a policy, standard or procedure; one of no known role, whether it calls itself so."""
        return self._kept("normative", document_id, self._is_normative)

    def _is_normative(self, document_id: str) -> bool:
        role, version = self.role(document_id), self.documents.get(document_id)
        return role in _NORMATIVE if role else version is not None and is_normative(version)

    @cached_property
    def normative(self) -> frozenset[str]:
        """The policies, standards and procedures among the documents, by id."""
        return frozenset(filter(self.is_normative, self.documents))

    @cached_property
    def agreements(self) -> frozenset[str]:
        """The contracts among the documents that are not superseded, those of no known role that call themselves so included."""
        return frozenset(d for d in self.documents if self.is_contract(d) and d not in self.superseded)

    def is_contract(self, document_id: str) -> bool:
        """Whether a document is a contract; one of no known role, whether it calls itself so."""
        return self._kept("contract", document_id, self._is_contract)

    def _is_contract(self, document_id: str) -> bool:
        role, version = self.role(document_id), self.documents.get(document_id)
        return role == "contract" if role else version is not None and is_agreement(version)

    def is_outside(self, document_id: str) -> bool:
        """Whether a document is a law, a rule, or guidance or a standard of others: what it names is not of the house."""
        return self._kept("outside", document_id, self._is_outside)

    def _is_outside(self, document_id: str) -> bool:
        role = self.role(document_id)
        if role in ("contract", "record"):
            return False
        if role not in _OUTSIDE:
            return not any(self.told(document_id, name) for name in _CONTROLLED) and self._is_published(document_id)
        return not (self.is_own_guidance(document_id) or self.is_own_rule(document_id))

    def is_own_rule(self, document_id: str) -> bool:
        """Whether what calls itself regulations, a directive, rules or by-laws is a house's, and not a legislator's.

        It is where the corpus is that of a house, and the title names neither a body, nor a publisher, nor a year, as laws do.
        """
        if not self.is_of_house or self.role(document_id) not in ("law", "rule"):
            return False
        called = self._called(document_id)
        named = _AUTHORITY.search(called) or self._is_published(document_id) or _OF_A_YEAR.search(called)
        return _OWN_RULES.search(called) is not None and not named

    def _is_published(self, document_id: str) -> bool:
        """Whether a standard is one that an institute publishes, as its name tells: "NIST SP 800-53", "ISO 27001"."""
        version = self.documents.get(document_id)
        return (
            version is not None and _PUBLISHED.search(f"{version.name} {version.title}".replace("_", " ")) is not None
        )

    def is_own_guidance(self, document_id: str) -> bool:
        """Whether a document is guidance of the house for its own people, as its owner or its title tells."""
        if self.role(document_id) != "guidance":
            return False
        title = self._called(document_id)
        if self.told(document_id, "owner") or _OWN_PEOPLE.search(title):
            return True
        # Among the documents of a house, a guide or a list of questions is the house's, unless a body of others is named.
        return (
            self.is_of_house
            and _OWN_FORMS.search(title) is not None
            and not (_AUTHORITY.search(title) or self._is_published(document_id))
        )

    @cached_property
    def is_of_house(self) -> bool:
        """Whether the corpus holds policies, standards or procedures enough to be that of a house."""
        return sum(self.role(each) in _NORMATIVE for each in self.profiles) >= FEWEST_NORMATIVE

    def _called(self, document_id: str) -> str:
        """The title and the name of a document, in words."""
        name = self.documents[document_id].name if document_id in self.documents else ""
        title = self.documents[document_id].title if document_id in self.documents else ""
        return re.sub(r"[_-]", " ", f"{self.told(document_id, 'title') or title} {name}")

    def parties(self, document_id: str) -> frozenset[str]:
        """The parties of a document as they are compared; empty where none is known."""
        return self._parties.get(document_id, frozenset())

    @cached_property
    def _parties(self) -> dict[str, frozenset[str]]:
        return {
            document_id: frozenset(party_key(party.value) for party in profile.parties)
            for document_id, profile in self.profiles.items()
        }

    def is_past(self, document_id: str) -> bool:
        """Whether a document binds nobody any more: superseded, or expired by today."""
        return self._kept("past", document_id, self._is_past)

    def _is_past(self, document_id: str) -> bool:
        ends = self.told(document_id, "effective_to")
        return document_id in self.superseded or bool(self.today and ends and ends < self.today)

    def _kept(self, what: str, document_id: str, decide: Callable[[str], bool]) -> bool:
        """What is decided of a document once, and asked for each of its statements."""
        known = self._decided
        key = what, document_id
        if key not in known:
            known[key] = decide(document_id)
        return known[key]

    @cached_property
    def _decided(self) -> dict[tuple[str, str], bool]:
        return {}

    def are_comparable(self, first: str, second: str) -> bool:
        """Whether two documents bind the same people, at some time that is not over."""
        if first == second:
            return False
        one, other = self.like(first), self.like(second)
        pair = (one, other) if one < other else (other, one)
        known = self._compared.get(pair)
        if known is None:
            known = self._compared[pair] = self._are_comparable(first, second)
        return known

    @cached_property
    def _compared(self) -> dict[tuple[str, str], bool]:
        """Answers that were given, by the documents that stand for others: statements are compared by the thousand."""
        return {}

    def like(self, document_id: str) -> str:
        """The document that stands for all that bind whom this one binds, when it does; any other is comparable with all of them or
        with none.
        """
        found = self._standing_for.get(document_id)
        if found is None:
            found = self._standing_for[document_id] = self._first.setdefault(self._binding(document_id), document_id)
        return found

    @cached_property
    def _standing_for(self) -> dict[str, str]:
        return {}

    @cached_property
    def _first(self) -> dict[tuple[object, ...], str]:
        return {}

    def _binding(self, document_id: str) -> tuple[object, ...]:
        """Everything of a document by which it is compared with others (:meth:`_are_comparable`)."""
        told = (self.told(document_id, "effective_from"), self.told(document_id, "effective_to")) if self._ends else ()
        return (
            self.profiles.get(document_id) is not None,
            self.role(document_id),
            self.parties(document_id),
            self.is_outside(document_id),
            self.is_past(document_id),
            told,
            document_id if document_id in self._of_editions else "",
        )

    @cached_property
    def _ends(self) -> bool:
        """Whether any document ends; where none does, each is in force with each other one some day."""
        return any(self.told(each, "effective_to") for each in self.profiles)

    @cached_property
    def _of_editions(self) -> frozenset[str]:
        return frozenset(each for pair in self._editions for each in pair)

    def bound_with(self, other: str) -> tuple[str, ...]:
        """The parties, one of whom every contract has that may bind one person with a document that is none.

        "-" stands for contracts of which no party is known, "" for all contracts.
        """
        if self.is_outside(other):
            return () if self.role(other) == "guidance" else ("",)
        if own := self.parties(other):
            return tuple(own)
        if self.house:
            return *self.house, *(("-",) if self.is_of_house else ())
        return ("",) if len(self.contracts) == 1 else ("-",) if self.is_of_house else ()

    def _are_comparable(self, first: str, second: str) -> bool:
        if first == second or not (self.profiles.get(first) or self.profiles.get(second)):
            return first != second
        if self.is_past(first) or self.is_past(second) or not self._overlap(first, second):
            return False
        if frozenset((first, second)) in self._editions:
            return False  # the day of the later one is the last of the former, and an amendment says what holds instead
        roles = {self.role(first), self.role(second)}
        if roles == {"contract"}:
            return len(self.parties(first) & self.parties(second)) > 1
        if roles == {"record"}:
            return False
        if self.is_outside(first) and self.is_outside(second):
            return bool(self.parties(first) & self.parties(second))
        if "contract" in roles:
            contract, other = (first, second) if self.role(first) == "contract" else (second, first)
            return self._binds_house(contract, other)
        ours, theirs = self.parties(first), self.parties(second)
        return not (ours and theirs) or bool(ours & theirs)

    def _binds_house(self, contract: str, other: str) -> bool:
        """Whether a contract and another document bind one person."""
        if self.is_outside(other):
            return self.role(other) != "guidance"
        own = self.parties(other)
        if own:
            return bool(own & self.parties(contract))
        if not self.parties(contract) and self.is_of_house:
            return (
                True  # whose agreement a house keeps beside its rules is the house's, whatever its preamble looks like
            )
        return bool(self.house & self.parties(contract)) if self.house else len(self.contracts) == 1

    @cached_property
    def contracts(self) -> tuple[str, ...]:
        """The contracts that are not superseded, by id."""
        return tuple(d for d in sorted(self.profiles) if self.role(d) == "contract" and d not in self.superseded)

    @cached_property
    def house(self) -> frozenset[str]:
        """The parties of more than half of the contracts, and of two at least: of one contract both, of strangers' contracts none.

        Not of all contracts, since one guess may be wrong.
        """
        known = [found for contract in self.contracts if (found := self.parties(contract))]
        times = Counter(party for found in known for party in found)
        enough = max(len(known) // 2 + 1, min(2, len(known)))
        return frozenset(party for party, count in times.items() if count >= enough)

    def _overlap(self, first: str, second: str) -> bool:
        """Whether there is a day on which both are in force, as far as is known."""
        begins = max(self.told(each, "effective_from") for each in (first, second))
        ends = [found for each in (first, second) if (found := self.told(each, "effective_to"))]
        return not ends or begins <= min(ends)

    @cached_property
    def superseded(self) -> dict[str, Succession]:
        """What has taken the place of which document by today, by the id of the former one."""
        found: dict[str, Succession] = {}
        for succession in self._successions:
            if not self._is_to_come(succession.successor):
                found.setdefault(succession.former, succession)
        return found

    @cached_property
    def replaced(self) -> dict[str, str]:
        """Which document that is here has taken the place of which by today, by the id of the former one.

        Documents that take each other's place, in a circle, are all left out: nobody can tell which of them is in force.
        """
        after = {former: each.successor for former, each in self.superseded.items() if each.successor in self.documents}
        return {former: successor for former, successor in after.items() if not _comes_back(former, after)}

    @cached_property
    def _successions(self) -> tuple[Succession, ...]:
        """What takes the place of which document on whatever day."""
        return Successions(self.documents, self.profiles, self._parties).all

    @cached_property
    def _editions(self) -> frozenset[frozenset[str]]:
        """Pairs of documents one of which takes the place of the other, or of some of its words."""
        successions = (frozenset((each.former, each.successor)) for each in self._successions)
        return frozenset((*successions, *self._amendments()))

    def _amendments(self) -> Iterator[frozenset[str]]:
        """Each document that by its title amends an agreement, with that; two of their parties are the same, as far as known."""
        titles = {each: self.told(each, "title") or version.title for each, version in self.documents.items()}
        amending = {each: key for each, title in titles.items() if (key := amended_key(title))}
        if not amending:
            return
        amended: dict[str, list[str]] = {}
        for each, title in titles.items():
            amended.setdefault(title_key(title), []).append(each)
        for each, key in amending.items():
            for other in amended.get(key, ()):
                ours, theirs = self.parties(each), self.parties(other)
                if other != each and len(ours & theirs) >= min(2, len(ours), len(theirs)):
                    yield frozenset((each, other))

    def _is_to_come(self, document_id: str) -> bool:
        """Whether a document is not yet in force; on no day in particular none is."""
        return bool(self.today) and self.today < self.told(document_id, "effective_from")


def _comes_back(document_id: str, after: Mapping[str, str]) -> bool:
    """Whether the line of successors of a document leads to one that it has come by already."""
    seen = {document_id}
    while (document_id := after.get(document_id, "")) not in seen:
        if not document_id:
            return False
        seen.add(document_id)
    return True


NO_STANDINGS = Standings()
"""Nothing is known of any document: all of them may bind the same people."""
