"""Checked texts and replays as text for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from coditect.cli.console import BAD, FAINT, GOOD, TITLE, WARN, Screen, counted
from coditect.cli.terminal import one_line
from coditect.schemas import REWRITE, CheckedSentence, ReplayReport, TextEvidence, TextReport, hint_of, quoted_by_model

if TYPE_CHECKING:
    from coditect.knowledge.service import Knowledge

__all__ = ["tell_unweighed", "write_replay", "write_report", "write_sentences"]

_STYLES = {"supported": GOOD, "unsupported": BAD, "needs_review": WARN, "sources_disagree": BAD}

SHOWN_EVIDENCE = 2
"""Statements of the corpus that are shown of a sentence; JSON and HTML have all."""


def write_report(report: TextReport) -> None:
    """Every sentence with its verdict, what speaks against it, and the statements that it was compared with first."""
    page = Screen()
    counts = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in report.counts().items() if number)
    page.line((report.name or "Claim", TITLE), f" against {report.corpus_id}, generation {report.generation}: {counts}")
    write_sentences(page, report.sentences)
    page.line()
    page.line((f"{report.checker}, weights {report.weights_version}, {report.weights_sha256[:12]}", FAINT))


def write_sentences(page: Screen, sentences: Iterable[CheckedSentence]) -> None:
    """Sentences that claim something, each with its verdict, the reason, and what it was held against."""
    for sentence in sentences:
        if sentence.label is None:
            continue
        page.line()
        label = sentence.label.replace("_", " ")
        page.line((label, _STYLES[sentence.label]), f"  {sentence.support_score:.2f}")
        page.block(2, sentence.text)
        if sentence.reason:
            page.block(4, (sentence.reason, FAINT))
        if sentence.label == "supported" and (said := _said(sentence)):
            page.block(4, (f"read by a model: {said}", FAINT))
        if hint := hint_of(sentence.signals):
            page.block(4, f"to help decide: {hint}")
        _write_evidence(page, sentence)


def _write_evidence(page: Screen, sentence: CheckedSentence) -> None:
    if sentence.disagreement is not None:
        for said, number in (
            ("says it", sentence.disagreement.supporting),
            ("denies it", sentence.disagreement.refuting),
        ):
            _write_statement(page, sentence.evidence[number], said)
        return
    against = [span.quote for signal in sentence.signals if not signal.passed for span in signal.evidence]
    spoken = [span.quote for signal in sentence.signals for span in signal.evidence]
    by_words = sorted(dict.fromkeys(spoken), key=lambda quote: -spoken.count(quote))
    contradicting = (
        against if any(s.name.startswith("contradiction_") and not s.passed for s in sentence.signals) else []
    )
    hinted = [span.quote for signal in sentence.signals if signal.name == REWRITE for span in signal.evidence]
    quoted = list(quoted_by_model(sentence))
    for number in list(dict.fromkeys([*quoted, *contradicting[:1], *hinted, *by_words]))[:SHOWN_EVIDENCE]:
        _write_statement(page, sentence.evidence[number])


def _said(sentence: CheckedSentence) -> str:
    """What a language model says of a sentence, in its words."""
    return next((each.reason for each in sentence.opinions if each.judge == "model"), "")


def _write_statement(page: Screen, each: TextEvidence, said: str = "") -> None:
    """A statement with where it stands; of a list's item the whole that it is a part of."""
    where = f"{one_line(each.document_name)}:{each.char_start}-{each.char_end}" + (
        f", page {each.page}" if each.page else ""
    )
    page.block(4, *((f"{said}: ",) if said else ()), f"“{each.composed or each.text}” ", (where, FAINT))


def tell_unweighed(knowledge: Knowledge) -> None:
    """Say on the error stream that an embedder is configured, and that no weights of the checker were fitted with it."""
    model = knowledge.unweighed_model()
    if model:
        click.echo(f"No weights of the checker were fitted with {model}: it compares words alone.", err=True)


def write_replay(report: ReplayReport) -> None:
    """How many verdicts are identical, and each that is not, with both outcomes."""
    page = Screen()
    outcome = ("no drift", GOOD) if not report.drift else (f"{len(report.drift)} drifted", BAD)
    page.line(
        (f"Corpus {report.corpus_id}", TITLE),
        f", generation {report.generation}: {counted(report.replayed, 'verdict')}, {report.identical} identical, ",
        outcome,
    )
    for each in report.drift:
        page.line()
        old, new = (f"{label or 'none'} {'-' if score is None else format(score, '.4f')}" for label, score in (
            (each.old_label, each.old_score), (each.new_label, each.new_score)))  # fmt: skip
        page.line((each.cause, BAD if each.changed else WARN), f"  {old} -> {new}  ", (each.claim_id, FAINT))
        page.block(2, each.text)
        if each.detail:
            page.block(4, (each.detail, FAINT))
    page.line()
    page.line(
        (
            f"{report.checker}, weights {report.weights_version}, {report.weights_sha256[:12]}; {report.seconds:.2f} s",
            FAINT,
        )
    )
