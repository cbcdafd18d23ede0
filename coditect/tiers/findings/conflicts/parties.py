"""Whom a sentence of an agreement binds: the house, or the other party."""

from __future__ import annotations

import re

from coditect.documents.profile.parties import party_key
from coditect.language.tables import read_table
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.lines import line_of
from coditect.tiers.findings.standing import Standings

__all__ = ["binds_other_party"]

_MATTERS = read_table("matters")
_BEFORE = re.compile(
    r"^(?P<who>.{3,160}?)\s+(?:shall|must|will|may|has\s+to|agrees\s+to|undertakes\s+to|is\s+to|keeps?|restores?|provides?)\b"
)
_PRESENT = re.compile(r"^\W*(?:\d[\d.]*\W+)?(?P<who>(?:The\s+)?[A-Z][\w’'-]+)\s+(?:\w+ly\s+)?[a-z]{3,}s\b")
_PROVIDER = re.compile(rf"\b(?:{_MATTERS.pattern('providers')})\b", re.IGNORECASE)
_CUSTOMER = re.compile(rf"\b(?:{_MATTERS.pattern('customers')})\b", re.IGNORECASE)


def binds_other_party(entry: Entry, standings: Standings) -> bool:
    """Whether a statement of an agreement binds the party that is not the house; False for statements of other documents.

    Args:
        entry: what it fixes.
        standings: who the house is, as most agreements tell.
    """
    document_id = entry.statement.place[0]
    if not standings.is_contract(document_id):
        return False
    line = line_of(entry.statement.sentence.text)
    found = _BEFORE.match(line) or _PRESENT.match(line)
    if found is None:
        return False
    who = found["who"]
    profile = standings.profiles.get(document_id)
    for party in profile.parties if profile and standings.house else ():
        names = [each for each in (party.called, party.value.split()[0]) if each]
        if any(name in who for name in names) and len(standings.parties(document_id)) > len(standings.house):
            return party_key(party.value) not in standings.house
    return _PROVIDER.search(who) is not None and _CUSTOMER.search(who) is None
