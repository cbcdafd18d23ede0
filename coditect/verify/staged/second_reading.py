"""What a second reader makes of a text, and of what the rules say of it: where they differ, a person decides.

Rules find reasons, but on texts that nobody tuned them to they miss some. The classifier of readings
(:mod:`coditect.verify.learned`) counts instead. Even a contradiction that rules are certain of refutes only where it refuses the
text, too: the two percent of a claim may be a case of "above one percent". What is its evidence told again in the same words is not
asked about. Where the rules find nothing and only miss words, as in a paraphrase, it may be sure enough alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from coditect.schemas import Signal, VerdictLabel
from coditect.verify.learned.classifier import ReadingClassifier
from coditect.verify.learned.readings import find_strange_words
from coditect.verify.staged.comparison import REFUTED, Comparison

__all__ = ["SecondReading", "read_again", "tell_doubt"]

_MOST_WORDS = 4

SURE = 0.92
"""Probability from which the classifier supports alone what the rules leave open for want of words (ADR 88)."""

MOSTLY = 0.6
"""Share of what each sentence says that must have a counterpart for that: where half is strange, nobody is sure."""

_SAID = {
    "rule_": "the rules doubt it",
    "strange": "it says more than the evidence",
    "novel": "it says more than the evidence",
    "named": "it says more than the evidence",
    "held": "it says more than the evidence",
    "covered": "it says more than the evidence",
    "log_odds": "too few of its words stand together in the evidence",
    "kept": "it leaves out much of the statement",
    "left": "it leaves out words of the statement",
    "crossed": "its words stand in another order in the evidence",
    "lead_moved": "it begins with what is not the subject in the evidence",
    "voice": "who acts and who is acted upon may have changed places",
    "denials": "one side denies more often",
    "negat": "one side denies more often",
    "affirmed": "one side denies more often",
    "force": "the two bind in different ways",
    "conditions": "conditions or exceptions differ",
    "quantifiers": "of how many it is said differs",
    "only": "what is limited by “only” differs",
    "comparators": "bounds differ",
    "orders": "what comes before and after differs",
    "joined": "“and” and “or” differ",
    "opposites": "it has an opposite of what the evidence says",
    "poles": "it has an opposite of what the evidence says",
}
_COPIED = "it nearly copies the evidence, and differs in a word or two"


@dataclass(frozen=True, slots=True)
class SecondReading:
    """What both readers say together.

    Attributes:
        label: of the rules, or needs_review where the classifier does not agree; unsupported where it refuses what they leave open,
            supported where it is sure of what they leave open for want of words.
        score: probability of support on the scale of the threshold, 0..1.
        signal: what the classifier says, where it changed the label; None where it did not.
    """

    label: VerdictLabel
    score: float
    signal: Signal | None = None


def read_again(compared: Comparison, label: VerdictLabel, score: float, minimum: float) -> SecondReading:
    """Let the classifier of readings join the rules.

    Args:
        compared: the text beside its evidence.
        label: what the rules say.
        score: probability of support by the rules, 0..1.
        minimum: probability from which a text is supported, 0..1.

    Returns:
        With a score of at least ``minimum`` where it is supported.
    """
    if compared.is_restated:
        return SecondReading(label, score)
    classifier = ReadingClassifier.load()
    probability = classifier.probability(compared.measures)
    sure = round(classifier.scaled(probability, SURE), 4)
    if label == "needs_review" and sure >= minimum and compared.is_open_for_words(MOSTLY):
        return SecondReading("supported", sure)
    scaled = round(classifier.scaled(probability), 4)
    joint = _joint(label, scaled < minimum, probability <= classifier.refuses_to)
    if joint == label:
        return SecondReading(label, min(score, scaled) if label == "supported" else score)
    capped = max(score, min(REFUTED, minimum)) if label == "unsupported" else min(score, scaled)
    return SecondReading(joint, capped, _signal(compared, classifier, joint, probability, minimum))


def tell_doubt(compared: Comparison) -> str:
    """What speaks most against a text that is not supported, in words: what the statement nearest to it does not say.

    Args:
        compared: the text beside its evidence.
    """
    strange = _phrases(compared.text, find_strange_words(compared.text, compared.index))
    if not strange:
        return _why(compared, ReadingClassifier.load(), strange)
    more = len(strange) - _MOST_WORDS
    said = ", ".join(f"“{compared.text[start:end]}”" for start, end in strange[:_MOST_WORDS])
    return f"the statement nearest to it says nothing of {said}{f' and {more} more' if more > 0 else ''}"


def _phrases(text: str, words: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Words with nothing between them as one."""
    joined: list[tuple[int, int]] = []
    for start, end in words:
        if joined and text[joined[-1][1] : start].isspace():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _joint(label: VerdictLabel, withholds: bool, refuses: bool) -> VerdictLabel:
    if label == "supported":
        return "needs_review" if withholds else label
    return "unsupported" if refuses else "needs_review"


def _signal(
    compared: Comparison, classifier: ReadingClassifier, joint: VerdictLabel, probability: float, minimum: float
) -> Signal:
    """What the classifier says, in a sentence, with the words of the claim that have no counterpart."""
    strange = find_strange_words(compared.text, compared.index)
    if joint == "needs_review" and probability > classifier.refuses_to and classifier.scaled(probability) >= minimum:
        why = "the readings agree apart from that"
    else:
        why = _why(compared, classifier, strange)
    detail = f"a second reading finds it {probability:.0%} probable: {why}"
    return Signal(name="second_reading", passed=False, detail=detail, weight=round(1.0 - probability, 4))


def _why(compared: Comparison, classifier: ReadingClassifier, strange: list[tuple[int, int]]) -> str:
    """What speaks most against a text: its words that the evidence lacks, and the measure that counts most."""
    said = [f"“{compared.text[start:end]}”" for start, end in strange[:_MOST_WORDS]]
    told = f"{', '.join(said)} {'is' if len(said) == 1 else 'are'} not said by the statement" if said else ""
    for name in classifier.against(compared.measures):
        reason = next((text for prefix, text in _SAID.items() if name.startswith(prefix)), _COPIED)
        if not (told and reason.startswith("it says more")):
            return f"{told}; {reason}" if told else reason
    return told or "too little speaks for it"
