"""What a share says its statements tell: rules that are given these alone find what they find among all statements."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from coditect.knowledge.building.material import Material
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import document_order
from coditect.store.view import View
from coditect.tiers.findings.absent import absent_documents
from coditect.tiers.findings.conflicts.detection import find_conflicts
from coditect.tiers.findings.gaps import find_gaps, gaps_in
from coditect.tiers.findings.missing import find_missing
from coditect.tiers.findings.open_points import newest_event
from coditect.tiers.findings.said.statements import statements_of
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.telling import AllStatements
from coditect.tiers.sections.registers import find_registers
from tests.unit.tiers.corpora import EXCEPTIONS, INCIDENTS, REGISTER, view_of
from tests.unit.tiers.pinned_corpora import pinned

AGREEMENT = """# {name} Supply Agreement

This Agreement is made between Quarn Ltd (the “Supplier”) and Vessel Bank plc (the “Customer”) as of 4 May 2025.

## 1 Service

1.1 The Supplier shall notify the Customer of a breach within {hours} hours, as section 9.4 and Schedule {letter} provide.

1.2 The Supplier shall follow the Security Policy and the Vendor Code of Conduct under the General Data Protection Regulation.

1.3 “Service Data” means all data. Key Personnel shall not leave. [TBD: the fees]

1.4 The Safety Officer, whose tasks are set out in the manual, shall test the alarms quarterly.

1.5 The alarms were last tested on 3 May 2024.

## 2 Payment

2.1 The Customer shall pay within 30 days. See IT-09 of section 7.

## 3 Term

3.1 This Agreement runs for two years.

## 4 Notices

4.1 Notices shall be in writing.

## 5 Law

5.1 The law of England governs this Agreement.
"""
AGREEMENTS = {
    f"{name.casefold()}.md": AGREEMENT.format(name=name, hours=hours, letter=letter)
    for name, hours, letter in (("Arvo", 24, "A"), ("Benn", 48, "B"), ("Corl", 72, "C"), ("Dast", 24, "D"))
}
LIST = """CERTIFICATES

Holder   Certificate                    Expires     Remark
Gannet   Pollution Prevention           2024-09-14  no survey booked
Petrel   Safety Management              2027-01-02  renewed
"""
CORPORA = {
    "agreements": AGREEMENTS,
    "agreements and a list": {**AGREEMENTS, "list.txt": LIST},
    "incidents": {**INCIDENTS, "register.csv": REGISTER, "exceptions.csv": EXCEPTIONS},
    **{f"pinned {number}": row["files"] for number, row in enumerate(pinned()[:16])},
}


def _places(view: View) -> Iterable[tuple[str, int]]:
    return ((chunk.document_id, s.char_start) for chunk in view.all_chunks() for s in chunk.selected_sentences)


@pytest.mark.parametrize("corpus", CORPORA)
def test_findings_among_what_tells_something_are_those_among_all(corpus: str, tmp_path: Path) -> None:
    """Gaps, conflicts and registers; on a day, on an earlier one, and where nobody knows what day it is."""
    view = view_of(tmp_path / "files", CORPORA[corpus])
    chunks = list(view.all_chunks())
    statements = statements_of(chunks)
    for today in ("2026-09-30", "2024-06-01", ""):
        standings = Standings(view.documents, view.profiles, today)
        material = Material(view)
        material.standings = standings
        absent = absent_documents(LiveIndex(view).outward_references, view.documents, view.profiles.values())
        assert list(material.absent.values()) == list(absent)
        expected = find_gaps(chunks, view.documents, standings, absent)
        assert gaps_in(material.statements, view.documents, standings, absent) == expected
        assert material.missing == find_missing(statements, view.documents, standings)
        assert material.newest == newest_event(statements)
        assert material.conflicts == find_conflicts(chunks, standings)
        everything = AllStatements(statements)
        assert material.self_names == everything.self_names
        assert all(material.statements.numbers(each) == everything.numbers(each) for each in view.documents)
        assert {repr(each) for each in material.statements.named} == {repr(each) for each in everything.named}
        assert set(material.statements.defined) == set(everything.defined)
        assert sorted(map(repr, material.statements.measures)) == sorted(map(repr, everything.measures))
        found = find_registers(material.statements, view.documents, (), standings, absent)
        assert found == find_registers(everything, view.documents, (), standings, absent)
        for register in found:
            speakers = [
                (material.shares[each.document].document_id, material.shares[each.document].chunks[each.chunk])
                for each in material.statements.speakers(register)
            ]
            admitted = [
                (chunk.document_id, chunk.chunk_id)
                for chunk in chunks
                if any(register.admits(chunk, sentence) for sentence in chunk.selected_sentences)
            ]
            assert speakers == admitted


def test_statements_of_agreements_that_tell_nothing_are_not_read(tmp_path: Path) -> None:
    """Of four agreements some statements tell no rule anything, and what is told in each is found."""
    view = view_of(tmp_path / "files", AGREEMENTS)
    material = Material(view)
    assert 0 < len(material.statements.telling) < len(list(_places(view)))
    gaps = gaps_in(material.statements, view.documents, material.standings, material.absent.values())
    assert {kind for kind, found in gaps.items() if found} >= {"document", "place", "open"}
    ordered = [(document_order(s.place[0]), s.place[1]) for s in material.statements.telling]
    assert ordered == sorted(ordered)
