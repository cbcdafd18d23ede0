"""What a sentence weighs before its neighbours are looked at: duties in rules, figures in reports."""

from __future__ import annotations

import pytest

from coditect.language.terms import terms
from coditect.tiers.chunks.selection import SelectionParameters, SentenceCandidate, select
from coditect.tiers.chunks.weights import DUTY_WEIGHT, binding_share, duty_weight, figure_weight

REPORTED = terms("Net revenue rose to 481 million.")
STATED = terms("Net revenue stands at 481 million.")
WORDY = terms(
    "Looking back, colleagues across every region, function and brand pulled together through storms, strikes, shortages, "
    "lockdowns and delays, and net revenue rose to 481 million."
)


def test_duty_weight_tells_duties_from_descriptions() -> None:
    """A sentence with a duty, a permission or a prohibition weighs more than one without."""
    assert duty_weight(terms("The vendor shall report.")) == DUTY_WEIGHT
    assert duty_weight(terms("You cannot resell it.")) == DUTY_WEIGHT
    assert duty_weight(terms("Obligations end here.")) == DUTY_WEIGHT
    assert duty_weight(terms("The office lies in the old town.")) == 1.0


def test_binding_share_counts_sentences_and_not_cells() -> None:
    """Headings and cells of a few words say nothing about what a document is."""
    duty = terms("The vendor shall report every incident to the customer.")
    told = terms("The river rose above the bridge during the night.")
    cell = terms("Must, daily")
    assert binding_share([duty, told]) == 0.5
    assert binding_share([duty, told, cell, cell]) == 0.5
    assert binding_share([duty, told, told, told]) == 0.25
    assert binding_share([cell]) == 0.0
    assert binding_share([["vendor", "shall", "report"]]) == 0.0  # three words are a cell, four a sentence
    assert binding_share([["vendor", "shall", "report", "incident"]]) == 1.0


def test_figure_weight_rises_with_figures_up_to_four() -> None:
    """Each figure makes a sentence worth more, a table read aloud no more than its first four."""
    weights = [figure_weight(count, STATED, 0.0) for count in range(7)]
    assert weights[0] == 1.0
    assert weights[0] < weights[1] < weights[2] < weights[3] < weights[4] == weights[5] == weights[6]


def test_figure_weight_prefers_change_and_brevity() -> None:
    """What changed weighs more than what is, and the same figure among many words less; words of change alone weigh nothing."""
    assert figure_weight(1, REPORTED, 0.0) > figure_weight(1, STATED, 0.0)
    assert figure_weight(1, REPORTED, 0.0) > figure_weight(1, WORDY, 0.0) > 1.0
    assert figure_weight(0, REPORTED, 0.0) == 1.0


NEUTRAL = [
    "net",
    "revenue",
    "stand",
    "segment",
    "office",
    "river",
    "bridge",
    "town",
    "house",
    "street",
    "garden",
    "wall",
]


@pytest.mark.parametrize(
    ("figures", "terms_of", "binding", "weight"),
    [
        (1, NEUTRAL, 0.0, 5.0),
        (2, NEUTRAL, 0.0, 9.0),
        (4, NEUTRAL, 0.0, 17.0),
        (5, NEUTRAL, 0.0, 17.0),
        (1, NEUTRAL[:3], 0.0, 5.0),
        (1, NEUTRAL, 0.25, 3.0),
        (1, NEUTRAL * 2, 0.0, 1 + 4 / 2**0.75),
        (1, [*NEUTRAL[:11], *terms("rose")], 0.0, 9.0),
    ],
)
def test_figure_weight_is_four_for_each_figure_in_a_dozen_words(
    figures: int, terms_of: list[str], binding: float, weight: float
) -> None:
    """Up to twelve words the room is one; a word of change is one figure more; half of it where a quarter of the document binds."""
    assert figure_weight(figures, terms_of, binding) == pytest.approx(weight)


@pytest.mark.parametrize(("binding", "more"), [(0.0, True), (0.2, True), (0.49, True), (0.5, False), (0.9, False)])
def test_figure_weight_counts_only_where_little_binds(binding: float, more: bool) -> None:
    """In a contract or a regulation, where half of the sentences bind, figures weigh nothing of their own."""
    assert (figure_weight(2, REPORTED, binding) > 1.0) is more
    assert figure_weight(2, REPORTED, 0.2) < figure_weight(2, REPORTED, 0.0)


def test_selection_of_a_report_takes_the_figures() -> None:
    """Of remarks at a meeting the sentence is chosen that says what changed by how much, wherever it stands."""
    sentences = [
        "Thank you all for joining us this morning.",
        "Our teams are energised, and our teams are proud of what our teams achieved.",
        "Net revenue rose 11% to $481 million.",
        "Our teams will keep listening to customers in all of our markets.",
    ]
    text, words = " ".join(sentences), [terms(each) for each in sentences]
    counts, starts = (0, 0, 2, 0), [text.index(each) for each in sentences]
    weights = [figure_weight(count, own, binding_share(words)) for count, own in zip(counts, words, strict=True)]
    offered = [
        SentenceCandidate(start, start + len(each), weight)
        for start, each, weight in zip(starts, sentences, weights, strict=True)
    ]
    plain = [SentenceCandidate(each.start, each.end) for each in offered]
    one = SelectionParameters(max_sentences=1)
    chosen, before = (select(text, each, one, terms_of=words)[0].start for each in (offered, plain))
    assert chosen == starts[2] != before
