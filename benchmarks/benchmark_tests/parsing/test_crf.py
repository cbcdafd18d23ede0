from __future__ import annotations

from coditect_benchmarks.parsing.crf import fit

SENTENCES = [[["w=the"], ["w=keeper"], ["w=must"], ["w=go"]], [["w=the"], ["w=owner"], ["w=must"], ["w=stay"]]] * 3
LABELS = [["H", "H", "O", "A"]] * 6


def test_crf_labels_what_it_has_learnt() -> None:
    """Words that were seen get their labels, and an unknown one that of its place between its neighbours."""
    model = fit(SENTENCES, LABELS, strength=0.1)
    assert model.label([["w=the"], ["w=owner"], ["w=must"], ["w=go"]]) == ["H", "H", "O", "A"]
    assert model.label([["w=the"], ["w=stranger"], ["w=must"], ["w=go"]]) == ["H", "H", "O", "A"]
    assert model.label([]) == []


def test_crf_of_the_same_sentences_has_the_same_weights() -> None:
    """Nothing of the fit is left to chance."""
    first, second = fit(SENTENCES, LABELS), fit(SENTENCES, LABELS)
    assert first.features == second.features
    assert first.weights.tobytes() == second.weights.tobytes()


def test_crf_follows_a_favoured_label_as_far_as_it_is_trusted() -> None:
    """A label that another parser gives wins over the learnt one once it is trusted enough."""
    model = fit(SENTENCES, LABELS, strength=0.1)
    sentence = [["w=the"], ["w=owner"], ["w=must"], ["w=go"]]
    assert model.label(sentence, ["O"] * 4, 0.0) == ["H", "H", "O", "A"]
    assert model.label(sentence, ["O"] * 4, 50.0) == ["O"] * 4
