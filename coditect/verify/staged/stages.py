"""The two stages that words are checked by: hard contradictions first, then the probability of support.

Stage 1 compares the claim with its evidence by rules (:mod:`coditect.verify.contradictions.rules`): what contradicts it cannot be
published, whatever else speaks for it. Stage 2 asks how probable it is that the evidence says it
(:mod:`coditect.verify.support.assessment`),
given that stage 1 found nothing. A second reader that only counts must agree with both
(:mod:`coditect.verify.staged.second_reading`), or a person decides, who is told where each word of the claim stands for one of
the evidence (:mod:`coditect.verify.staged.rewriting`). None needs a model service, and the same claim and evidence give the same
answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from coditect.language.matched import MatchedText, as_matched
from coditect.language.reading.attributions import find_statement_start
from coditect.language.reading.words import Word, WordKind, read_words
from coditect.schemas import EvidenceSpan, Signal, SupportFigures, VerdictLabel, sha256_hex
from coditect.verify.contradictions.rules import Contradiction
from coditect.verify.staged.calibration import SERIOUS, SHIPPED, calibrated
from coditect.verify.staged.comparison import HARD, Comparison, compare
from coditect.verify.staged.forbidden import find_forbidden
from coditect.verify.staged.rewriting import rewritten, told
from coditect.verify.staged.second_reading import read_again, tell_doubt
from coditect.verify.support.assessment import Support
from coditect.verify.support.combiner import Combiner
from coditect.verify.support.guard import LONGEST_CLAIM, unreadable
from coditect.verify.support.meaning import Meaning

__all__ = [
    "HARD",
    "READINGS_SHA256",
    "SERIOUS",
    "WEIGHTS_SHA256",
    "Assessment",
    "assess",
    "claim_start",
    "refuse_unreadable",
]

WEIGHTS_SHA256 = sha256_hex((files("coditect.verify.support") / "weights" / "words.json").read_bytes())
"""SHA-256 of the shipped weights that stage 2 reads, hex."""

READINGS_SHA256 = sha256_hex((files("coditect.verify.learned") / "weights" / "readings.json").read_bytes())
"""SHA-256 of the shipped weights of the classifier of readings, hex."""

FEWEST_WORDS = 2
"""Words of substance in a statement, at least; one more where there is nothing but such words."""

_UNREADABLE: Mapping[str, tuple[VerdictLabel, str]] = {
    "empty": ("unsupported", "it says nothing"),
    "too long": ("unsupported", "it is a document, not a claim"),
    "markup": ("unsupported", "it is markup more than words"),
    "language": ("needs_review", "it is not in English, which is all that this checker reads"),
    "instruction": ("unsupported", "it speaks to the checker instead of making a claim"),
    "fragment": ("needs_review", "it is no statement"),
    "no evidence": ("unsupported", "there is no evidence to compare it with"),
}


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the two stages say of a text.

    Attributes:
        label: what the checker makes of the text.
        score: probability of support, 0..1, capped by what contradicts it.
        signals: what helps a person to decide, every contradiction, then the support with the sentences that it rests on.
        unreadable: why it could not be checked, or "".
        doubt: what speaks against a text that is not supported where no signal but the probability says so; else "".
        weights_version: the version of the weights with the embedder that they were fitted with, and of stage 2's calibration.
        weights_sha256: SHA-256 of the file of these weights, hex.
    """

    label: VerdictLabel
    score: float
    signals: tuple[Signal, ...]
    unreadable: str
    weights_version: str
    weights_sha256: str
    doubt: str = ""


def assess(
    text: str,
    quotes: Sequence[str],
    minimum_support: float,
    *,
    offset: int = 0,
    figures: SupportFigures = SHIPPED,
    meaning: Meaning | None = None,
) -> Assessment:
    """Check words against quotes.

    Args:
        text: one or a few sentences.
        quotes: the evidence, each one sentence or a few.
        minimum_support: probability from which it is supported, 0..1.
        offset: where the text begins in the claim; spans count from the claim's beginning.
        figures: that the probability of support is calibrated with.
        meaning: an embedder with its weights; without one only words are compared.

    Returns:
        What both stages say of the words as they are read, without characters that print nothing; its places are those of the
        text and of the quotes as given.
    """
    said, cited = MatchedText(text), [MatchedText(quote) for quote in quotes]
    found = _assess(said.text, [quote.text for quote in cited], minimum_support, offset, figures, meaning)
    if all(each.is_verbatim for each in (said, *cited)):
        return found
    return replace(found, signals=tuple(_placed(each, said, cited, offset) for each in found.signals))


def _assess(
    text: str,
    quotes: Sequence[str],
    minimum_support: float,
    offset: int,
    figures: SupportFigures,
    meaning: Meaning | None,
) -> Assessment:
    refused = refuse_unreadable(text, figures, meaning)
    if refused is not None:
        return refused
    start = claim_start(text, quotes)
    text, offset = text[start:], offset + start
    compared = compare(text, quotes, offset, meaning)
    supported, worst, foreign = compared.supported, compared.worst, compared.foreign
    signals = [*(_contradiction(each, offset) for each in compared.found), *((foreign,) if foreign else ())]
    versions = f"{supported.version} {figures.version}", supported.weights_sha256
    if supported.unreadable:
        signals.append(_unreadable(supported.unreadable))
        label = "unsupported" if worst >= HARD else _UNREADABLE[supported.unreadable][0]
        return Assessment(label, 0.0, tuple(signals), supported.unreadable, *versions)
    probability, score = ruled_score(compared, figures)
    label = compared.label(score, minimum_support)
    again = read_again(compared, label, score, minimum_support)
    sure = again.score if again.label == "supported" != label else None
    signals.append(_support(supported, probability, minimum_support, offset, sure))
    signals += [again.signal] if again.signal is not None else []
    proof = rewritten(compared, again)
    signals = [told(proof, offset, len(text)), *signals] if proof is not None else signals
    bare = again.label != "supported" and all(each.passed or each.name == "support" for each in signals)
    doubt = tell_doubt(compared) if bare else ""
    forbidden = find_forbidden(text, compared.index) if again.label == "needs_review" else None
    if forbidden is not None:
        signals = [_contradiction(forbidden, offset), *signals]
        return Assessment("unsupported", 0.0, tuple(signals), "", *versions)
    return Assessment(again.label, again.score, tuple(signals), "", *versions, doubt)


def ruled_label(
    text: str, quotes: Sequence[str], minimum_support: float, figures: SupportFigures = SHIPPED
) -> VerdictLabel:
    """What the two stages say of a text without the second reader.

    Args:
        text: one or a few sentences.
        quotes: the evidence, each one sentence or a few.
        minimum_support: probability from which it is supported, 0..1.
        figures: that the probability of support is calibrated with.
    """
    refused = refuse_unreadable(text, figures)
    if refused is not None:
        return refused.label
    text, quotes = as_matched(text), [as_matched(quote) for quote in quotes]
    compared = compare(text[claim_start(text, quotes) :], quotes)
    if compared.supported.unreadable:
        return _UNREADABLE[compared.supported.unreadable][0]
    return compared.label(ruled_score(compared, figures)[1], minimum_support)


def ruled_score(compared: Comparison, figures: SupportFigures = SHIPPED) -> tuple[float, float]:
    """The probability of support of a text that can be read, and the same capped by what contradicts it, 0..1.

    Args:
        compared: the text beside its evidence.
        figures: that the probability is calibrated with.
    """
    probability = calibrated(compared.supported, compared.worst, figures)
    worst = compared.worst
    return probability, round(min(probability, 1.0 - worst) if worst >= SERIOUS else probability, 4)


def claim_start(text: str, quotes: Sequence[str]) -> int:
    """Where what a text claims begins, behind words that only say that a document says it; 0 where too little would be left.

    Args:
        text: one or a few sentences, as they are matched.
        quotes: the evidence, as it is matched.
    """
    start = find_statement_start(text, quotes)
    return 0 if start and refuse_unreadable(text[start:]) is not None else start


def refuse_unreadable(
    text: str, figures: SupportFigures = SHIPPED, meaning: Meaning | None = None
) -> Assessment | None:
    """What is said of a text that cannot be checked, whatever the evidence; None where it can."""
    text = as_matched(text)
    said = read_words(text[: LONGEST_CLAIM + 1])
    reason = unreadable(text, said) or ("fragment" if _is_fragment(said) else "")
    if not reason:
        return None
    combiner = Combiner.load() if meaning is None else meaning.combiner
    version = f"{combiner.name} {figures.version}"
    return Assessment(_UNREADABLE[reason][0], 0.0, (_unreadable(reason),), reason, version, combiner.weights_sha256)


def _placed(signal: Signal, said: MatchedText, cited: Sequence[MatchedText], offset: int) -> Signal:
    """A signal with its places in the words as they were given."""
    update: dict[str, object] = {}
    if signal.claim_start is not None and signal.claim_end is not None:
        start, end = said.span(signal.claim_start - offset, signal.claim_end - offset)
        update |= {"claim_start": offset + start, "claim_end": offset + end}
    spans = []
    for each in signal.evidence:
        start, end = cited[each.quote].span(each.char_start, each.char_end)
        spans.append(each.model_copy(update={"char_start": start, "char_end": end}))
    return signal.model_copy(update={**update, "evidence": tuple(spans)})


def _is_fragment(said: Sequence[Word]) -> bool:
    """Whether words are too few for a statement, or only name things."""
    content = sum(word.kind != WordKind.FUNCTION for word in said)
    return content < FEWEST_WORDS or (content == len(said) and content <= FEWEST_WORDS + 1)


def _contradiction(found: Contradiction, offset: int) -> Signal:
    """A contradiction with its words on both sides; where one side lacks them, only the other's."""
    (start, end), (begin, stop) = found.claim_span, found.evidence_span
    serious = found.severity >= SERIOUS
    return Signal(
        name=f"contradiction_{found.kind}",
        passed=not serious,
        detail=found.detail,
        weight=round(found.severity, 4) if serious else 0.0,
        claim_start=offset + start,
        claim_end=offset + end,
        evidence=(EvidenceSpan(quote=found.evidence_index, char_start=begin, char_end=stop),) if stop > begin else (),
    )


def _unreadable(reason: str) -> Signal:
    return Signal(name="readable", passed=False, detail=f"it cannot be checked: {_UNREADABLE[reason][1]}", weight=1.0)


def _support(found: Support, probability: float, minimum: float, offset: int, sure: float | None) -> Signal:
    """The probability, with the words of the evidence that the claim has as well, at most three sentences of each part.

    Args:
        found: what the statistics say.
        probability: by the rules and the words, 0..1.
        minimum: from which the text is supported.
        offset: where the text begins in its claim.
        sure: the support score by the second reading alone, where that decided; None where it did not.
    """
    spans = dict.fromkeys(
        (match.text_index, *span) for part in found.parts for match in part.matches for span in match.spans
    )
    detail = f"{probability:.0%} probable that the evidence says it"
    if sure is not None:
        detail = f"{detail} by its words, {sure:.0%} by a second reading, which finds nothing against it"
    passed = sure is not None or probability >= minimum
    begin = min((part.start for part in found.parts), default=0)
    end = max((part.end for part in found.parts), default=0)
    return Signal(
        name="support",
        passed=passed,
        detail=detail,
        weight=0.0 if passed else round(1.0 - probability, 4),
        claim_start=offset + begin,
        claim_end=offset + end,
        evidence=tuple(
            EvidenceSpan(quote=quote, char_start=start, char_end=stop) for quote, start, stop in sorted(spans)
        ),
    )
