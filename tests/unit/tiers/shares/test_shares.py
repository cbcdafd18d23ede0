"""Shares of documents: what is kept of one is what is read of it, in the format that this release writes."""

from __future__ import annotations

import random
from dataclasses import fields
from itertools import combinations
from pathlib import Path

import pytest

from coditect.documents.profile.citations import OutwardReference
from coditect.errors import Corrupt
from coditect.knowledge.building.shares import SHARES_VERSION
from coditect.knowledge.derivation.profiles import profile_of
from coditect.tiers.findings.conflicts.entries import Entry, ReadEntries, entries_of, merged, read_entries
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.statements import Statement, statements_of
from coditect.tiers.sections.topics import find_topics, topics_in
from coditect.tiers.sections.wording import document_words
from coditect.tiers.shares.packing import packed, unpacked
from coditect.tiers.shares.share import Share
from tests.unit.tiers.corpora import chunks_of, versions_of

FILES = {
    "access.md": "# Access Policy\n\n## 1 Access reviews\n\n1.1 Managers shall run access reviews every 90 days.\n\n"
    "1.2 Managers must approve remote access to the archive. Employees shall not share passwords.\n",
    "leavers.md": "# Leavers Standard\n\n## 1 Access reviews\n\n1.1 Managers must run access reviews every 30 days.\n\n"
    "1.2 Managers must not approve remote access to the archive. See the Incident Policy.\n",
    "paper.txt": "MEMO\n\nNothing here binds anybody.\n",
}

GOLDEN = Path(__file__).parent / "share-1.json"
"""The share of ``access.md``, as release 0.2.0 writes it."""


def _parts() -> dict[str, tuple[Share, list[Statement]]]:
    found = {}
    for name in FILES:
        chunks = [chunk for chunk in chunks_of(FILES) if chunk.document_id == _id_of(name)]
        statements = statements_of(chunks)
        reference = OutwardReference("extraction_1", _id_of(name), 7, "Incident Policy", "section 2", is_titled=True)
        found[name] = Share(read_entries(statements), (reference,), document_words(chunks)), statements
    return found


def _id_of(name: str) -> str:
    return next(each for each, version in versions_of(FILES).items() if version.name == name)


def test_share_is_read_as_it_was_kept() -> None:
    """Entries, references and words are the same, of documents that say something and of one that does not."""
    for name, (share, statements) in _parts().items():
        assert unpacked(packed(share, statements), _id_of(name), statements) == share


def test_entries_of_shares_are_those_of_all_statements() -> None:
    """Put together, what was read of each document is what is read of all of them: a duty counts where another disputes it."""
    parts = [share.entries for share, _ in _parts().values()]
    statements = [each for _, own in _parts().values() for each in own]
    together = merged(parts)
    assert together == entries_of(statements)
    assert {each.kind for each in together} >= {"frequency", "modality"}
    assert ("approv", "must") in {(each.head, each.value) for each in together}
    assert ("approv", "must") not in {(each.head, each.value) for each in merged(parts[:1])}


def test_topics_of_shares_are_those_of_all_chunks() -> None:
    """In whatever order the documents come."""
    words = [share.words for share, _ in _parts().values()]
    random.Random(3).shuffle(words)  # noqa: S311 - no secret
    assert topics_in(words, 24) == find_topics(chunks_of(FILES), 24) != ()


def test_share_has_a_place_for_every_field_of_an_entry() -> None:
    """Who adds a field to entries has to keep it, too, and to raise the format."""
    names = ("statement", "kind", "head", "says", "value", "strength", "words", "lead", "verb")
    assert tuple(each.name for each in fields(Entry)) == names
    assert tuple(each.name for each in fields(ReadEntries)) == ("measured", "stances", "told", "limits")


def test_format_of_shares_is_that_of_the_golden_copy() -> None:
    """A share is written byte for byte as it was when its format was numbered."""
    share, statements = _parts()["access.md"]
    data = packed(share, statements)
    assert data == GOLDEN.read_bytes().rstrip(b"\n"), (
        "raise FORMAT in coditect/tiers/shares/packing.py, and keep the former copy"
    )
    assert SHARES_VERSION.startswith("share/1 ")


@pytest.mark.parametrize("harm", [b"", b"{}", b"[1]", b'{"format":"share/0"}', b'{"format":"share/1","words":[]}'])
def test_damaged_share_is_told_with_its_document(harm: bytes) -> None:
    """It is no defect of the program, and the error names the document."""
    with pytest.raises(Corrupt) as told:
        unpacked(harm, "document_1", [])
    assert "document_1" in str(told.value)


def test_comparable_documents_among_many_are_those_of_every_two() -> None:
    """Contracts are found by the parties that they have in common, and everything else is held against everything."""
    parties = ("Quarn Ltd", "Vessel Bank plc", "Ostrel GmbH", "Mellow SA")
    files = {
        f"{one[:2]}-{two[:2]}-{n}.md": f"# Supply Agreement {n}\n\nThis Agreement is made between {one} (the “Supplier”) and "
        f"{two} (the “Customer”).\n\n1.1 The Supplier shall pay monthly.\n"
        for one, two in combinations(parties, 2)
        for n in range(2)
    }
    files |= {f"{n}.md": f"# Payment Policy {n}\n\n1.1 Staff shall pay monthly.\n" for n in "ab"}
    versions = versions_of(files)
    profiles = {d: profile_of(v, files[v.name], None, "derivation_0") for d, v in versions.items()}
    for known in (Standings(versions, profiles), Standings(versions), Standings()):
        found = known.comparable_among(list(versions))
        assert found == {one: {other for other in versions if known.are_comparable(one, other)} for one in versions}
    assert sum(map(len, Standings(versions, profiles).comparable_among(list(versions)).values())) > len(versions) // 2
