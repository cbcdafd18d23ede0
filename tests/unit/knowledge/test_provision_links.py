"""How probable it is that a sentence rests on a provision: in other words, under a heading, and of nothing at all."""

from __future__ import annotations

import pytest

from coditect.knowledge.report.changes.links import LinkedProvision, ProvisionLinks, StandingSentence, section_of
from coditect.models.wordllama.embedder import WordLlamaEmbedder

PROVISIONS = [
    LinkedProvision("An owl house shall feed each owl twice a night.", "Feeding", "1"),
    LinkedProvision("An owl house shall keep a register of all owls for five years.", "Records", "2"),
    LinkedProvision("An owl house shall notify the warden of a lost owl within 72 hours.", "Losses", "3"),
    LinkedProvision("Visitors shall not use lamps in the owl house after sunset.", "Visitors", "4"),
]


@pytest.mark.parametrize(
    ("place", "section"),
    [
        ("1016-3-b-1", "1016-3"),
        ("1016-3-b-Interp-2", "1016-3"),
        ("§ 1016.3(b)(2)", "§ 1016.3"),
        ("4.2.1", "4"),
        ("Article 5(1)", "Article 5"),
        ("ac-2_smt.a", "ac-2"),
        ("", ""),
    ],
)
def test_section_of_a_place(place: str, section: str) -> None:
    """What a provision belongs to: its section, with the interpretations of it."""
    assert section_of(place) == section


def test_a_sentence_in_other_words_rests_on_its_provision() -> None:
    """By meaning and words together; shares of a sentence sum to 1."""
    links = ProvisionLinks(PROVISIONS, WordLlamaEmbedder())
    shares = links.shares([StandingSentence("If an owl escapes, the warden gets word within three days.", "Escapes")])
    assert int(shares[0].argmax()) == 2
    assert shares[0].sum() == pytest.approx(1.0, abs=1e-4)


def test_a_sentence_on_other_matters_rests_on_nothing() -> None:
    """What no provision comes near to speaks of none of the documents, with an embedder and without."""
    sentence = StandingSentence("Travel costs are claimed within a month.", "Office")
    for embedder in (WordLlamaEmbedder(), None):
        assert ProvisionLinks(PROVISIONS, embedder).shares([sentence])[0].sum() == 0.0


def test_no_sentences_have_no_shares() -> None:
    """A document that states nothing."""
    assert ProvisionLinks(PROVISIONS, None).shares([]).shape == (0, 4)
