"""What is said of claims that can be read."""

from __future__ import annotations

import pytest

from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.support.assessment import support
from coditect.verify.support.combiner import Combiner

EVIDENCE = [
    "This agreement begins on 1 March 2021 and ends five years later.",
    "The supplier shall notify the customer of a breach of personal data within seventy-two hours.",
    "Northwind Ltd keeps records of each notice for at least ten years.",
    "Either party may terminate on ninety days' written notice.",
    "Fees rise by three percent each January.",
]


def test_support_of_a_quote_is_higher_than_of_another_subject() -> None:
    """A sentence of the evidence is more probable than one whose words it lacks."""
    quote = support(EVIDENCE[1], EVIDENCE)
    other = support("The landlord repairs the roof and the windows at the tenant's request.", EVIDENCE)
    assert quote.probability > 0.5 > other.probability
    assert quote.probability > other.probability + 0.3


@pytest.mark.parametrize(
    ("faithful", "changed"),
    [
        ("Fees rise by three percent each January.", "Fees fall by three percent each January."),
        (
            "The supplier shall notify the customer of a breach of personal data within seventy-two hours.",
            "The supplier shall not notify the customer of a breach of personal data within seventy-two hours.",
        ),
        (
            "Northwind Ltd keeps records of each notice for at least ten years.",
            "Southgate Ltd keeps records of each notice for at least ten years.",
        ),
        (
            "The agreement begins on 1 March 2021 and ends five years later.",
            "The agreement begins on 1 March 2021 and ends nine years later.",
        ),
    ],
)
def test_support_falls_when_a_statement_is_turned_round(faithful: str, changed: str) -> None:
    """An opposite, a negation, another name or another number makes a claim less probable."""
    assert support(changed, EVIDENCE).probability < support(faithful, EVIDENCE).probability


def test_support_parts_are_the_sentences_with_their_evidence() -> None:
    """Each sentence of a claim is a part with its own best evidence and the words that the evidence lacks."""
    first = "Either party may terminate on ninety days' written notice."
    second = "The landlord repairs the leaking roof at once."
    claim = f"{first} {second}"
    found = support(claim, EVIDENCE)
    assert [claim[part.start : part.end] for part in found.parts] == [first.rstrip("."), second.rstrip(".")]
    covered, strange = found.parts
    assert covered.matches[0].text_index == 3
    assert {EVIDENCE[3][a:b] for a, b in covered.matches[0].spans} >= {"terminate", "ninety", "written", "notice"}
    assert covered.coverage == pytest.approx(1.0)
    assert not covered.novel
    assert {claim[a:b] for a, b in strange.novel} >= {"landlord", "repairs", "leaking", "roof"}
    assert strange.probability < covered.probability


def test_support_takes_contradictions_that_were_found_before() -> None:
    """Passing what the rules found gives the same as letting them run."""
    claim = "The supplier shall notify the customer of a breach within ten days."
    found = find_contradictions(claim, EVIDENCE)
    assert found
    assert support(claim, EVIDENCE, contradictions=found) == support(claim, EVIDENCE)
    assert support(claim, EVIDENCE, contradictions=()).features["contradiction_worst"] == 0.0


def test_support_is_the_same_again() -> None:
    """The same claim and evidence give the same verdict, whatever was judged in between."""
    claim = "Northwind keeps records of notices for ten years."
    first = support(claim, EVIDENCE)
    support("Something else is said here.", EVIDENCE[:1])
    assert support(claim, EVIDENCE) == first


def test_support_names_its_weights() -> None:
    """A verdict says which weights gave it."""
    found = support("Fees rise each January.", EVIDENCE)
    combiner = Combiner.load()
    assert (found.version, found.weights_sha256) == (combiner.version, combiner.weights_sha256)
    assert set(found.features) == {*combiner.features, "held", "held_least", "strange_names"}
