"""Checking what somebody else wrote: each sentence is searched for in a corpus, and compared with what is found there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from coditect.documents.readers import read_source
from coditect.errors import UsageError
from coditect.knowledge.progress import Progress, silent
from coditect.language.matched import as_matched
from coditect.language.provisions.composed import ComposedText
from coditect.models.port import Entailment
from coditect.schemas import (
    CheckedSentence,
    Disagreement,
    EvidenceSpan,
    ExaminerReads,
    Extraction,
    NormData,
    Opinion,
    Signal,
    Source,
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
    "FindEvidence",
    "check_sentence",
    "check_sentences",
    "check_text",
    "worst_label",
]

EVIDENCE = 10
"""Statements of the corpus that a sentence is compared with, at most."""

MOST_SENTENCES = 2000
"""Sentences of a text, at most."""

STATEMENTS = ("obligation", "prohibition", "permission", "definition", "proposition")
"""Kinds of Tier 1 items that are whole statements."""

LONGEST_QUERY = 1000
"""Code points of a sentence that are searched for."""

Find = Callable[[str], Sequence[Source]]
"""Statements of the corpus that speak to a sentence, best match first; of the kinds in :data:`STATEMENTS`."""

FindEvidence = Callable[[str], Sequence[TextEvidence]]
"""The same, each as the checker reads it."""


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

    def search(sentence: str) -> list[TextEvidence]:
        return _evidence(view, _distinct(find(sentence))[:EVIDENCE])

    sentences = check_sentences(
        reading, search, minimum, entailment=entailment, figures=figures, meaning=meaning, progress=progress
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

    def search(sentence: str) -> list[TextEvidence]:
        return _evidence(view, _distinct(find(sentence))[:EVIDENCE])

    return _checked(text, start, search, minimum, entailment, figures, meaning)


def check_sentences(
    reading: DocumentReading,
    find: FindEvidence,
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
    find: FindEvidence,
    minimum: float,
    entailment: Entailment | None,
    figures: SupportFigures,
    meaning: Meaning | None,
) -> CheckedSentence:
    evidence: tuple[TextEvidence, ...] = ()
    refused = refuse_unreadable(text, figures, meaning)
    if refused is None:
        evidence = tuple(find(text[:LONGEST_QUERY]))
    quotes = [each.composed or each.text for each in evidence]
    found = refused or assess(text, quotes, minimum, figures=figures, meaning=meaning)
    opinions: tuple[Opinion, ...] = ()
    if entailment is not None and quotes and not found.unreadable:
        entailed = entailment.entails(as_matched(text), [as_matched(quote) for quote in quotes])
        opinions = (entailment_opinion(entailed, quotes, entailment.model_id),)
    label: TextLabel = joint_label(found.label, opinions)
    signals, reason = found.signals, "" if label == "supported" else _reason(found, opinions)
    conflict = None
    if not found.unreadable:
        sources = [each.document_id for each in evidence]
        conflict = find_disagreement(text, quotes, sources, minimum, figures)
    if conflict is not None:
        label, reason = "sources_disagree", _told(conflict, evidence)
        signals = (*signals, _conflict_signal(conflict, quotes))
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


def _told(conflict: SourceConflict, evidence: Sequence[TextEvidence]) -> str:
    """A disagreement in a sentence that names both documents."""
    one, other = (evidence[number].document_name for number in (conflict.supporting, conflict.refuting))
    return f"“{one}” says it, “{other}” does not: {conflict.detail}"


def _conflict_signal(conflict: SourceConflict, quotes: Sequence[str]) -> Signal:
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
        claim_start=start,
        claim_end=end,
        evidence=(supporting, refuting),
    )


def _distinct(sources: Sequence[Source]) -> list[Source]:
    """Sources without those that stand inside others, and without those that have no place in a file."""
    kept: list[Source] = []
    for source in sorted(sources, key=lambda each: -len(each.text)):
        if not any(_inside(source, other) for other in kept):
            kept.append(source)
    chosen = {id(each) for each in kept}
    return [each for each in sources if id(each) in chosen and each.char_offset_end is not None]


def _evidence(view: View, sources: Sequence[Source]) -> list[TextEvidence]:
    """Sources as the checker reads them; items of lists with their lead-ins and what follows the lists."""
    items = view.items(Extraction, [each.item_id for each in sources], [each.document_id for each in sources])
    return [
        TextEvidence(
            item_id=source.item_id,
            document_id=source.document_id,
            document_name=source.document_name,
            version_id=source.version_id,
            raw_sha256=source.raw_sha256,
            char_start=source.char_offset_start or 0,
            char_end=source.char_offset_end or 0,
            page=source.page,
            heading=source.heading,
            text=source.text,
            composed=_composed(view, item),
            locator=source.locator,
        )
        for source, item in zip(sources, items, strict=True)
    ]


def _composed(view: View, item: Extraction) -> str:
    """The statement of which an item of a list is a part; "" of what stands for itself."""
    spans = item.tier1_data.spans if isinstance(item.tier1_data, NormData) else None
    if not spans:
        return ""
    places = [(span.start, span.end) for span in spans]
    return ComposedText(view.text(item.document_id), places[:-1], places[-1:]).text


def _inside(one: Source, other: Source) -> bool:
    if one.document_id != other.document_id or one.char_offset_start is None or other.char_offset_start is None:
        return False
    return other.char_offset_start <= one.char_offset_start and (one.char_offset_end or 0) <= (
        other.char_offset_end or 0
    )


def _reason(found: Assessment, opinions: Sequence[Opinion]) -> str:
    signals: Sequence[Signal] = found.signals
    said = [signal.detail for signal in signals if not signal.passed]
    if found.doubt:
        said.append(found.doubt)
    said += [f"{each.who} says {each.label.replace('_', ' ')}" for each in opinions if each.label != found.label]
    return "; ".join(said)
