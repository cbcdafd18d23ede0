"""A checked text as one HTML page: each sentence coloured by its label, with what it was compared with on a click.

The page needs nothing else and runs no script; everything that comes from the text or from documents is escaped. The same report
gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise

from jinja2 import Environment

from coditect.reports.claims import check_meaning
from coditect.reports.pages import page_environment
from coditect.schemas import CheckedSentence, Signal, TextEvidence, TextReport

__all__ = ["Piece", "marked", "render_text_report"]

LABELS = {
    "supported": ("supported", "The corpus says it."),
    "unsupported": ("unsupported", "The corpus says something else, or nothing of the kind."),
    "sources_disagree": ("sources disagree", "One document of the corpus says it, and another denies it."),
    "needs_review": ("needs review", "A person has to decide: the evidence speaks for it, but not clearly enough."),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text.

    Attributes:
        text: the words of the stretch, verbatim.
        mark: "against" where it contradicts, "for" where both sides have it, else "".
    """

    text: str
    mark: str


@dataclass(frozen=True, slots=True)
class _Found:
    """A statement of the corpus in the page.

    Attributes:
        source: the statement, and where it stands.
        pieces: its text, cut where signals begin and end.
        decisive: whether a signal goes by it.
    """

    source: TextEvidence
    pieces: tuple[Piece, ...]
    decisive: bool


@dataclass(frozen=True, slots=True)
class _Shown:
    """A sentence, or what stands between two, in the page.

    Attributes:
        before: the text from the last sentence to this one.
        number: the number of the sentence, counted from 1.
        sentence: the sentence as it was checked.
        said: its text, cut where signals begin and end.
        evidence: what it was compared with, what decides first.
    """

    before: str
    number: int
    sentence: CheckedSentence
    said: tuple[Piece, ...]
    evidence: tuple[_Found, ...]


def render_text_report(report: TextReport) -> str:
    """The whole document.

    Returns:
        HTML5 as text, to be written as UTF-8.
    """
    shown = list(_shown(report))
    end = report.sentences[-1].char_end if report.sentences else 0
    return (
        _environment()
        .get_template("verify.html.j2")
        .render(report=report, shown=shown, after=report.text[end:], labels=LABELS, counts=report.counts())
    )


def _shown(report: TextReport) -> Iterator[_Shown]:
    at = 0
    for number, sentence in enumerate(report.sentences, 1):
        said = [(s.claim_start or 0, s.claim_end or 0, "against") for s in sentence.signals if _contradicts(s)]
        yield _Shown(
            report.text[at : sentence.char_start],
            number,
            sentence,
            marked(sentence.text, said),
            tuple(_found(sentence)),
        )
        at = sentence.char_end


def _found(sentence: CheckedSentence) -> list[_Found]:
    """The evidence of a sentence: what contradicts it first, then what it shares most words with."""
    rows = []
    for number, source in enumerate(sentence.evidence):
        spans = list(_spans(sentence.signals, number))
        against = any(mark == "against" for _, _, mark in spans)
        rows.append(
            (
                not against,
                -len(spans),
                number,
                _Found(source, marked(source.composed or source.text, spans), bool(spans)),
            )
        )
    return [found for *_, found in sorted(rows, key=lambda row: row[:3])]


def _contradicts(signal: Signal) -> bool:
    return not signal.passed and signal.name.startswith(("contradiction_", "sources_disagree"))


def _spans(signals: Sequence[Signal], quote: int) -> Iterator[tuple[int, int, str]]:
    for signal in signals:
        mark = "against" if _contradicts(signal) else "for"
        # Of two sources that disagree the first one says it.
        agrees = signal.evidence[0].quote if signal.name == "sources_disagree" else None
        for span in signal.evidence:
            if span.quote == quote:
                yield span.char_start, span.char_end, "for" if quote == agrees else mark


def marked(text: str, spans: Sequence[tuple[int, int, str]]) -> tuple[Piece, ...]:
    """A text cut where marks begin and end; joined, the pieces are the text. "against" wins where marks overlap.

    Args:
        text: any text.
        spans: (start, end, mark), code points, half-open; what lies outside the text is left out.
    """
    ends = (0, len(text))
    inside = [(_within(start, *ends), _within(end, *ends), mark) for start, end, mark in spans]
    edges = sorted({*ends, *(edge for start, end, _ in inside for edge in (start, end))})
    cut = []
    for left, right in pairwise(edges):
        marks = {mark for start, end, mark in inside if start <= left and right <= end}
        cut.append((min(marks, default=""), text[left:right]))
    return tuple(
        Piece("".join(each for _, each in same), mark) for mark, same in groupby(cut, key=lambda piece: piece[0])
    )


def _within(place: int, first: int, last: int) -> int:
    return min(max(place, first), last)


@cache
def _environment() -> Environment:
    return page_environment({"check_meaning": check_meaning})
