"""How probable it is that a sentence rests on a provision: in other words, under a heading, and of nothing at all."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from coditect.knowledge.report.changes import links as module
from coditect.knowledge.report.changes.links import (
    LinkedProvision,
    ProvisionLinks,
    StandingSentence,
    meanings_of,
    section_of,
)
from coditect.knowledge.report.rankings import Scores
from coditect.models.port import FloatArray
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


def test_sentences_that_were_embedded_before_have_the_same_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the bit, in one batch and in several; nothing but the provisions is embedded then."""
    embedded: list[str] = []

    class Counting(WordLlamaEmbedder):
        def embed(self, texts: Sequence[str], *, query: bool = False) -> FloatArray:
            embedded.extend(texts)
            return super().embed(texts, query=query)

    sentences = [StandingSentence(f"{each.text} It counts.", f"{n % 3}") for n, each in enumerate(PROVISIONS * 3)]
    for size in (256, 4):
        monkeypatch.setattr(module, "_BATCH", size)
        meanings = meanings_of(sentences, Counting())
        links = ProvisionLinks(PROVISIONS, Counting())
        embedded.clear()
        found = links.shares(sentences, meanings)
        assert embedded == []
        assert (found == links.shares(sentences)).all()
        assert len(embedded) >= 2 * len(sentences)


def test_no_sentences_have_no_shares() -> None:
    """A document that states nothing."""
    assert ProvisionLinks(PROVISIONS, None).shares([]).shape == (0, 4)


REPORTS = [
    LinkedProvision("Keepers shall report each meal that an owl leaves.", "", "1-meals"),
    LinkedProvision("Meals are weighed.", "", "1-meals"),
    LinkedProvision("Keepers shall report each lost owl.", "", "2-losses"),
    LinkedProvision("A search begins on the same night.", "", "2-losses"),
]


def test_sentences_under_one_heading_speak_of_one_section() -> None:
    """What a sentence leaves open, the others under its heading tell; those under another heading do not."""
    open_, other = "Keepers report it to the office.", "The search for it begins before the night is over."
    links = ProvisionLinks(REPORTS, WordLlamaEmbedder())
    alone = links._beside(*_scored(links, [StandingSentence(open_, "A"), StandingSentence(other, "B")], [1, 1]))
    together = links._beside(*_scored(links, [StandingSentence(open_, "A"), StandingSentence(other, "A")], [2]))
    assert (together[0, 2] - together[0, 0]) > (alone[0, 2] - alone[0, 0])


def _scored(links: ProvisionLinks, sentences: list[StandingSentence], sizes: list[int]) -> tuple[Scores, list[int]]:
    return links._scores(sentences)[0], sizes


def test_shares_do_not_depend_on_the_order_of_headings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor on how many sentences are ranked at once, as long as a heading's stay together."""
    sentences = [
        StandingSentence(each.text.replace("shall", "must"), f"{number % 2}") for number, each in enumerate(REPORTS)
    ]
    links = ProvisionLinks(REPORTS, WordLlamaEmbedder())
    shares = links.shares(sentences)
    assert links.shares(sentences[::-1])[::-1] == pytest.approx(shares, abs=2e-6)
    monkeypatch.setattr(module, "_BATCH", 2)
    assert links.shares(sentences) == pytest.approx(shares, abs=2e-6)


def test_heading_with_many_sentences_is_taken_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sentence once, in batches of no more than so many."""
    monkeypatch.setattr(module, "_BATCH", 3)
    sentences = [StandingSentence("x", heading) for heading in "aaaaabbc"]
    batches = list(module._batches(sentences))
    assert batches == [[[0, 1, 2]], [[3, 4]], [[5, 6], [7]]]


def test_nothing_rests_on_a_heading() -> None:
    """It says nothing by itself, but it is around what stands below it; where all are headings they are ranked."""
    heading = LinkedProvision("Losses of owls.", "", "3", is_heading=True)
    sentence = StandingSentence("Losses of owls: notify the warden of a lost owl within three days.", "Owls")
    for embedder in (WordLlamaEmbedder(), None):
        shares = ProvisionLinks([heading, *PROVISIONS], embedder, WordLlamaEmbedder()).shares([sentence])[0]
        assert shares[0] == 0.0
        assert int(shares.argmax()) == 3
    assert ProvisionLinks([heading], WordLlamaEmbedder()).shares([sentence])[0].tolist() == [1.0]


def test_words_are_compared_one_by_one() -> None:
    """A sentence that shares no word with its provision finds it by the nearest word for each of its own."""
    provisions = [
        LinkedProvision("The licensee shall retain invoices for six years.", "", "1"),
        LinkedProvision("The licensee shall inspect each vessel before departure.", "", "2"),
    ]
    sentence = StandingSentence("Ships are examined by our crew prior to leaving.", "")
    alone = ProvisionLinks(provisions, None).shares([sentence])[0]
    compared = ProvisionLinks(provisions, None, WordLlamaEmbedder())._scores([sentence])[0][0]
    assert alone.tolist() == [0.0, 0.0]
    assert compared[1] > compared[0]
