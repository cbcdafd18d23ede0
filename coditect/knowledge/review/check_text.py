"""Checking what somebody else wrote: each sentence is searched for in a corpus, and compared with what is found there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from coditect.documents.readers import read_source
from coditect.errors import UsageError
from coditect.knowledge.progress import Progress, silent
from coditect.language.matched import as_matched
from coditect.models.port import Entailment
from coditect.schemas import (
    CheckedSentence,
    Opinion,
    Signal,
    Source,
    SupportFigures,
    TextEvidence,
    TextReport,
    VerdictLabel,
)
from coditect.store.calibrations import calibrations_of
from coditect.store.view import View
from coditect.tiers.extractions.document import DocumentReading, read_document
from coditect.verify.checker import CHECKER
from coditect.verify.judges import entailment_opinion, joint_label
from coditect.verify.staged.calibration import SHIPPED
from coditect.verify.staged.stages import Assessment, assess, refuse_unreadable
from coditect.verify.support.combiner import Combiner

__all__ = ["EVIDENCE", "MOST_SENTENCES", "STATEMENTS", "Find", "check_sentences", "check_text", "worst_label"]

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

_WORST: tuple[VerdictLabel, ...] = ("unsupported", "needs_review", "supported")


def check_text(
    view: View,
    find: Find,
    text: str | bytes,
    name: str = "",
    *,
    minimum_support: float | None = None,
    entailment: Entailment | None = None,
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
    sentences = check_sentences(reading, find, minimum, entailment=entailment, figures=figures, progress=progress)
    combiner = Combiner.load()
    return TextReport(
        corpus_id=view.corpus_id,
        generation=view.generation,
        build_id=view.manifest.build_id,
        name=name,
        text=reading.matched.verbatim,
        label=worst_label(sentences),
        minimum_support=minimum,
        checker=CHECKER,
        weights_version=f"{combiner.version} {figures.version}",
        weights_sha256=combiner.weights_sha256,
        sentences=sentences,
    )


def check_sentences(
    reading: DocumentReading,
    find: Find,
    minimum: float,
    *,
    entailment: Entailment | None = None,
    figures: SupportFigures = SHIPPED,
    progress: Progress = silent,
) -> tuple[CheckedSentence, ...]:
    """Check each sentence of a text against what a search finds for it.

    Args:
        reading: the text.
        find: searches.
        minimum: probability from which a sentence is supported, 0..1.
        entailment: one more judge; disagreement with it needs review.
        figures: that the probability of support is calibrated with.
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
            checked = _checked(sentence, start, find, minimum, entailment, figures)
        sentences.append(checked)
        progress("sentences", done, len(spans))
    return tuple(sentences)


def worst_label(sentences: Sequence[CheckedSentence]) -> VerdictLabel:
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
    text: str, start: int, find: Find, minimum: float, entailment: Entailment | None, figures: SupportFigures
) -> CheckedSentence:
    evidence: tuple[TextEvidence, ...] = ()
    refused = refuse_unreadable(text, figures)
    if refused is None:
        evidence = tuple(_distinct(find(text[:LONGEST_QUERY])))[:EVIDENCE]
    quotes = [each.text for each in evidence]
    found = refused or assess(text, quotes, minimum, figures=figures)
    opinions: tuple[Opinion, ...] = ()
    if entailment is not None and quotes and not found.unreadable:
        entailed = entailment.entails(as_matched(text), [as_matched(quote) for quote in quotes])
        opinions = (entailment_opinion(entailed, quotes, entailment.model_id),)
    label = joint_label(found.label, opinions)
    return CheckedSentence(
        text=text,
        char_start=start,
        char_end=start + len(text),
        label=label,
        support_score=found.score,
        reason="" if label == "supported" else _reason(found, opinions),
        signals=found.signals,
        evidence=evidence,
        checker_label=found.label if opinions else None,
        opinions=opinions,
    )


def _distinct(sources: Sequence[Source]) -> Iterator[TextEvidence]:
    """Evidence without what stands inside other evidence."""
    kept: list[Source] = []
    for source in sorted(sources, key=lambda each: -len(each.text)):
        if not any(_inside(source, other) for other in kept):
            kept.append(source)
    chosen = {id(each) for each in kept}
    for source in sources:
        start, end = source.char_offset_start, source.char_offset_end
        if id(source) in chosen and start is not None and end is not None:
            yield TextEvidence(
                item_id=source.item_id,
                document_id=source.document_id,
                document_name=source.document_name,
                version_id=source.version_id,
                raw_sha256=source.raw_sha256,
                char_start=start,
                char_end=end,
                page=source.page,
                heading=source.heading,
                text=source.text,
            )


def _inside(one: Source, other: Source) -> bool:
    if one.document_id != other.document_id or one.char_offset_start is None or other.char_offset_start is None:
        return False
    return other.char_offset_start <= one.char_offset_start and (one.char_offset_end or 0) <= (
        other.char_offset_end or 0
    )


def _reason(found: Assessment, opinions: Sequence[Opinion]) -> str:
    signals: Sequence[Signal] = found.signals
    said = [signal.detail for signal in signals if not signal.passed]
    said += [f"{each.who} says {each.label.replace('_', ' ')}" for each in opinions if each.label != found.label]
    return "; ".join(said)
