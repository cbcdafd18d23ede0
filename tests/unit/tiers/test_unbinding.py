"""Recitals, and words of other laws that an act changes, are no norms of the act; what changes a contract is."""

from __future__ import annotations

from coditect.documents.readers import read_source
from coditect.tiers.extractions.document import NORMATIVE, extraction_records, read_document
from coditect.tiers.extractions.unbinding import binds, unbinding_passages
from tests.unit.tiers.corpora import version_of

ACT = """REGULATION 4711 OF THE GUILDS

Whereas:

(1) Keepers should keep their ropes, and they must not lend them.

HAVE ADOPTED THIS REGULATION:

Article 1

Ropes

1. Keepers shall oil their ropes every week.

Article 2

Changes

In Article 81 of Regulation 99, the following paragraph is added:

‘2. A warden shall publish the ledger’s pages every quarter.’

Article 3

A keeper shall read these rules.
"""
CONTRACT = """Amendment No. 1

2. Clause 2.2 is replaced by the following: “2.2 The Provider shall tell the Customer of each loss within 4 hours.”
"""


def norms(text: str) -> list[str]:
    reading = read_document(read_source(text.encode(), "act.md"))
    return [
        each.source_text
        for each in extraction_records(version_of("act.md", text), reading, "d")
        if each.extraction_kind in NORMATIVE
    ]


def test_only_what_an_act_lays_down_is_a_norm() -> None:
    found = norms(ACT)
    assert [any(word in each for each in found) for word in ("oil", "read these rules")] == [True, True]
    assert not any(word in each for each in found for word in ("lend", "ledger"))


def test_what_a_contract_is_changed_to_binds_the_parties() -> None:
    assert any("within 4 hours" in each for each in norms(CONTRACT))
    assert unbinding_passages(CONTRACT) == []


def test_reasons_without_an_end_and_quotes_that_are_not_closed_are_left_alone() -> None:
    assert unbinding_passages("Whereas:\n\n(1) Keepers must row.\n") == []
    assert unbinding_passages("In Regulation 9 the following is added: ‘2. A warden shall row.\n") == []


def test_a_sentence_is_inside_or_outside() -> None:
    passages = [(10, 20), (40, 60)]
    assert [binds(passages, each) for each in (0, 10, 20, 45, 60)] == [
        True,
        False,
        True,
        False,
        True,
    ]
