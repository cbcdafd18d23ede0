"""Where a word of a claim belongs in the evidence."""

from __future__ import annotations

from coditect.language.reading.sentence import read_sentence
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.support.context import locate


def test_neighbours_point_to_the_first_sentence_as_to_any_other() -> None:
    """The strength is the share of the neighbours' weight that is there, whichever sentence it is."""
    said = "The processor shall notify the controller."
    claim = read_sentence("The processor shall notify the supervisor.").words
    first, second = (
        locate(claim, EvidenceIndex(texts)) for texts in ([said, "Records are kept."], ["Records are kept.", said])
    )
    assert {each.sentence for each in first} == {0}
    assert {each.sentence for each in second} == {1}
    assert [each.strength for each in first] == [each.strength for each in second]
    assert max(each.strength for each in first) > 0.9


def test_words_without_neighbours_in_the_evidence_point_nowhere() -> None:
    """No sentence, no strength."""
    claim = read_sentence("The processor shall notify the supervisor.").words
    assert {(each.sentence, each.strength) for each in locate(claim, EvidenceIndex(["Grass is green."]))} == {(-1, 0.0)}
