"""Checking what somebody else wrote: each sentence is searched for in a corpus, and compared with what is found there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from coditect.documents.readers import read_source
from coditect.errors import UsageError
from coditect.knowledge.progress import Progress, silent
from coditect.knowledge.review.called import assess_as_called
from coditect.knowledge.review.grounds import EVIDENCE, Find, FindGrounds, SearchedGrounds, TextGrounds
from coditect.knowledge.review.replaced import ReplacedStatement, Settled, settle
from coditect.language.matched import as_matched
from coditect.language.reading.item_labels import find_item_start
from coditect.models.port import Entailment
from coditect.schemas import (
    CheckedSentence,
    Disagreement,
    EvidenceSpan,
    ExaminerReads,
    Opinion,
    Signal,
    SupportFigures,
    TextEvidence,
    TextLabel,
    TextReport,
)
from coditect.store.acts.calibrations import calibrations_of
from coditect.store.view import View
from coditect.tiers.extractions.document import DocumentReading, read_document
from coditect.verify.checker import CHECKER
from coditect.verify.judges import entailment_opinion, joint_label
from coditect.verify.staged.calibration import SHIPPED
from coditect.verify.staged.named_source import assess_as_named
from coditect.verify.staged.sources import SourceConflict, find_disagreement
from coditect.verify.staged.stages import Assessment, assess, refuse_unreadable
from coditect.verify.support.combiner import Combiner
from coditect.verify.support.meaning import Meaning

__all__ = [
    "EVIDENCE",
    "MOST_SENTENCES",
    "STATEMENTS",
    "Examines",
    "Find",
    "check_sentence",
    "check_sentences",
    "check_text",
    "worst_label",
]

MOST_SENTENCES = 2000
"""Sentences of a text, at most."""

STATEMENTS = ("obligation", "prohibition", "permission", "definition", "proposition")
"""Kinds of Tier 1 items that are whole statements."""

LONGEST_QUERY = 1000
"""Code points of a sentence that are searched for."""


class Examines(Protocol):
    """Reads what the checker leaves to a person."""

    @property
    def version(self) -> str:
        """Who reads."""
        ...

    @property
    def reads(self) -> ExaminerReads:
        """What."""
        ...

    def examine(
        self, view: View, sentences: Sequence[CheckedSentence], progress: Progress = silent
    ) -> tuple[CheckedSentence, ...]:
        """The sentences of a text after that."""
        ...


_WORST: tuple[TextLabel, ...] = ("unsupported", "sources_disagree", "needs_review", "supported")


def check_text(
    view: View,
    find: Find,
    text: str | bytes,
    name: str = "",
    *,
    minimum_support: float | None = None,
    entailment: Entailment | None = None,
    meaning: Meaning | None = None,
    examiner: Examines | None = None,
    progress: Progress = silent,
) -> TextReport:
    """Check a text against a generation.

    Args:
        view: the generation.
        find: searches it.
        text: one claim or several as plain text, or a file's bytes in any format that documents may have.
        name: of the file, which tells its format; without one it is plain text.
        minimum_support: probability from which a sentence is supported, 0..1; None: as the generation was built with.
        entailment: one more judge; disagreement with it needs review.
        meaning: an embedder with the weights that were fitted with it; without one only words are compared.
        examiner: a language model, which reads what waits for a person; None: nobody does.
        progress: told as sentences are done.
    Returns:
        Every sentence in order.

    Raises:
        ReadError: the file cannot be read, or holds nothing.
        UsageError: more than 2,000 sentences.
        ModelError: the judge failed.
    """
    minimum = view.summary.minimum_support if minimum_support is None else minimum_support
    reading = read_document(read_source(_encoded(text), name or "claim.txt"))
    figures = calibrations_of(view.store, view.corpus_id).checker or SHIPPED
    grounds = SearchedGrounds(view, find)
    sentences = check_sentences(
        reading, grounds, minimum, entailment=entailment, figures=figures, meaning=meaning, progress=progress
    )
    if examiner is not None:
        sentences = examiner.examine(view, sentences, progress)
    combiner = Combiner.load() if meaning is None else meaning.combiner
    return TextReport(
        corpus_id=view.corpus_id,
        generation=view.generation,
        build_id=view.manifest.build_id,
        name=name,
        text=reading.matched.verbatim,
        label=worst_label(sentences),
        minimum_support=minimum,
        checker=CHECKER,
        weights_version=f"{combiner.name} {figures.version}",
        weights_sha256=combiner.weights_sha256,
        examiner="" if examiner is None else examiner.version,
        reads="waiting" if examiner is None else examiner.reads,
        sentences=sentences,
    )


def check_sentence(
    view: View,
    find: Find,
    text: str,
    start: int,
    minimum: float,
    *,
    entailment: Entailment | None = None,
    meaning: Meaning | None = None,
) -> CheckedSentence:
    """Check one sentence that claims something against a generation, as :func:`check_text` does.

    Args:
        view: the generation.
        find: searches it.
        text: the sentence.
        start: where it begins in its text.
        minimum: probability from which it is supported, 0..1.
        entailment: one more judge; disagreement with it needs review.
        meaning: an embedder with its weights; without one only words are compared.

    Raises:
        ModelError: the judge failed.
    """
    figures = calibrations_of(view.store, view.corpus_id).checker or SHIPPED
    return _checked(text, start, SearchedGrounds(view, find), minimum, entailment, figures, meaning)


def check_sentences(
    reading: DocumentReading,
    find: FindGrounds,
    minimum: float,
    *,
    entailment: Entailment | None = None,
    figures: SupportFigures = SHIPPED,
    meaning: Meaning | None = None,
    progress: Progress = silent,
) -> tuple[CheckedSentence, ...]:
    """Check each sentence of a text against what a search finds for it.

    Args:
        reading: the text.
        find: searches.
        minimum: probability from which a sentence is supported, 0..1.
        entailment: one more judge; disagreement with it needs review.
        figures: that the probability of support is calibrated with.
        meaning: an embedder with its weights; without one only words are compared.
        progress: told as sentences are done.

    Returns:
        Every sentence in order; headings and questions claim nothing, and have no label.

    Raises:
        UsageError: more than 2,000 sentences.
        ModelError: the judge failed.
    """
    spans = [span for span in reading.sentences if span.end > span.start]
    if len(spans) > MOST_SENTENCES:
        raise UsageError(
            "a text is too long to be checked in one piece", hint="Split it.", sentences=len(spans), most=MOST_SENTENCES
        )
    headings = set(_headings(reading))
    sentences = []
    for done, span in enumerate(spans, 1):
        sentence, start, end = reading.quote(span.start, span.end)
        if (span.start, span.end) in headings or sentence.rstrip().endswith("?"):
            checked = CheckedSentence(
                text=sentence,
                char_start=start,
                char_end=end,
                label=None,
                support_score=0.0,
                reason="it claims nothing",
            )
        else:
            checked = _checked(sentence, start, find, minimum, entailment, figures, meaning)
        sentences.append(checked)
        progress("sentences", done, len(spans))
    return tuple(sentences)


def worst_label(sentences: Sequence[CheckedSentence]) -> TextLabel:
    """The label of the worst sentence; needs_review where no sentence claims anything."""
    labels = {sentence.label for sentence in sentences}
    return next((label for label in _WORST if label in labels), "needs_review")


def _encoded(text: str | bytes) -> bytes:
    if isinstance(text, bytes):
        return text
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise UsageError("the text holds half characters", hint="Give it as it was before it was decoded.") from error


def _headings(reading: DocumentReading) -> Iterator[tuple[int, int]]:
    """Where headings stand."""
    places = [(block.start, block.end) for block in reading.source.blocks if block.kind == "heading"]
    for span in reading.sentences:
        if any(start <= span.start and span.end <= end for start, end in places):
            yield span.start, span.end


def _checked(
    text: str,
    start: int,
    find: FindGrounds,
    minimum: float,
    entailment: Entailment | None,
    figures: SupportFigures,
    meaning: Meaning | None,
) -> CheckedSentence:
    begin = find_item_start(text)
    said = text[begin:]
    refused = refuse_unreadable(said, figures, meaning)
    grounds = TextGrounds() if refused is not None else find(said[:LONGEST_QUERY])
    settled = settle(said, grounds.replaced, minimum, figures, meaning) if grounds.replaced else Settled()
    grounds = replace(grounds, evidence=(*settled.standing, *grounds.evidence))
    evidence = grounds.evidence
    quotes = [each.composed or each.text for each in evidence]
    found = refused or assess(said, quotes, minimum, offset=begin, figures=figures, meaning=meaning)
    names = [grounds.names_of(each) for each in evidence]
    named = assess_as_named(said, quotes, names, found, minimum, figures=figures, meaning=meaning)
    found = named or assess_as_called(said, grounds, found, minimum, figures, meaning)
    opinions: tuple[Opinion, ...] = ()
    if entailment is not None and quotes and not found.unreadable:
        entailed = entailment.entails(as_matched(said), [as_matched(quote) for quote in quotes])
        opinions = (entailment_opinion(entailed, quotes, entailment.model_id),)
    label: TextLabel = joint_label(found.label, opinions)
    signals, reason = found.signals, "" if label == "supported" else _reason(found, opinions)
    conflict = None
    if not found.unreadable and named is None:
        sources = [each.document_id for each in evidence]
        conflict = find_disagreement(said, quotes, sources, minimum, figures)
    if conflict is not None:
        label, reason = "sources_disagree", _told(conflict, evidence)
        signals = (*signals, _conflict_signal(conflict, quotes, begin))
    elif label != "supported" and settled.former is not None:
        evidence, conflict = _beside(settled.former, evidence)
        label, reason = "sources_disagree", _told_of_replaced(settled.former)
        signals = (*signals, _conflict_signal(conflict, [each.composed or each.text for each in evidence], begin))
    elif label != "supported" and settled.amended is not None:
        evidence, _ = _beside(settled.amended, evidence)
        label, reason = "needs_review", _told_of_amended(settled.amended)
    elif label != "supported" and (former := _said_before(said, grounds, minimum, figures, meaning)):
        reason = f"{reason}; {former}" if reason else former
    return CheckedSentence(
        text=text,
        char_start=start,
        char_end=start + len(text),
        label=label,
        support_score=found.score,
        reason=reason,
        signals=signals,
        evidence=evidence,
        checker_label=found.label if opinions else None,
        opinions=opinions,
        disagreement=conflict
        and Disagreement(supporting=conflict.supporting, refuting=conflict.refuting, detail=conflict.detail),
    )


def _said_before(
    text: str, grounds: TextGrounds, minimum: float, figures: SupportFigures, meaning: Meaning | None
) -> str:
    """That a superseded document says a sentence, in words for people; "" where none does."""
    for each, successor in grounds.former:
        if assess(text, [each.composed or each.text], minimum, figures=figures, meaning=meaning).label == "supported":
            return f"“{each.document_name}” says it, which “{successor}” supersedes"
    return ""


def _beside(
    replaced: ReplacedStatement, evidence: tuple[TextEvidence, ...]
) -> tuple[tuple[TextEvidence, ...], SourceConflict]:
    """(the evidence with a replaced statement and what replaces it, how these two stand to each other)."""
    held = {each.item_id for each in evidence}
    evidence = (*evidence, *(each for each in (replaced.statement, replaced.amending) if each.item_id not in held))
    places = {each.item_id: number for number, each in enumerate(evidence)}
    one, other = (places[each.item_id] for each in (replaced.statement, replaced.amending))
    whole = (0, len(replaced.amending.composed or replaced.amending.text))
    return evidence, SourceConflict(one, other, replaced.told, (0, 0), whole)


def _told_of_replaced(replaced: ReplacedStatement) -> str:
    """That only a statement that is not in force any more says a sentence."""
    statement = replaced.statement
    return f"“{statement.document_name}” says it in {statement.locator}, {replaced.told}"


def _told_of_amended(replaced: ReplacedStatement) -> str:
    """That a statement says a sentence if words of it are taken as replaced, which a person is to do."""
    statement = replaced.statement
    return (
        f"it is {statement.locator} of “{statement.document_name}” with words {replaced.told}; a person is to read both"
    )


def _told(conflict: SourceConflict, evidence: Sequence[TextEvidence]) -> str:
    """A disagreement in a sentence that names both documents."""
    one, other = (evidence[number].document_name for number in (conflict.supporting, conflict.refuting))
    return f"“{one}” says it, “{other}” does not: {conflict.detail}"


def _conflict_signal(conflict: SourceConflict, quotes: Sequence[str], offset: int) -> Signal:
    """A disagreement with the words of both sides."""
    start, end = conflict.claim_span
    begin, stop = conflict.refuting_span
    supporting = EvidenceSpan(quote=conflict.supporting, char_start=0, char_end=len(quotes[conflict.supporting]))
    refuting = EvidenceSpan(quote=conflict.refuting, char_start=begin, char_end=stop)
    return Signal(
        name="sources_disagree",
        passed=False,
        detail=conflict.detail,
        weight=1.0,
        claim_start=offset + start,
        claim_end=offset + end,
        evidence=(supporting, refuting),
    )


def _reason(found: Assessment, opinions: Sequence[Opinion]) -> str:
    signals: Sequence[Signal] = found.signals
    said = [signal.detail for signal in signals if not signal.passed]
    if found.doubt:
        said.append(found.doubt)
    said += [f"{each.who} says {each.label.replace('_', ' ')}" for each in opinions if each.label != found.label]
    return "; ".join(said)
