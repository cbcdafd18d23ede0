"""Verdicts of a kept report given again: the checker is asked again, the model is not: its answer stands in the store.

A report is what is kept of a checked text; the store holds nothing of the text but what a model answered about it, under the hash
of the request. The request is made again from the generation, so that an answer counts only where it answers just that.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from coditect.agents.roles.role import ROLES, Role
from coditect.errors import CoditectError, Conflict, Unavailable
from coditect.knowledge.model_roles.agency import EXAMINER
from coditect.knowledge.model_roles.on_request.examiner import asked_sentence, concluded
from coditect.knowledge.progress import Progress, silent
from coditect.knowledge.review.check_text import check_sentence
from coditect.knowledge.review.grounds import Find
from coditect.models.port import Entailment
from coditect.schemas import CheckedSentence, Drift, DriftCause, ModelAnswer, ReplayReport, TextLabel, TextReport
from coditect.store.acts.calibrations import calibrations_of
from coditect.store.answers.records import llm_answer
from coditect.store.view import View
from coditect.verify.checker import CHECKER
from coditect.verify.staged.calibration import SHIPPED
from coditect.verify.support.combiner import Combiner
from coditect.verify.support.meaning import Meaning

__all__ = ["FindAnswer", "replay_report"]

FindAnswer = Callable[[str], ModelAnswer | None]
"""What the store keeps under the hash of a request."""

CheckAgain = Callable[[CheckedSentence], CheckedSentence]
"""The checker's word on the sentence that another one is of."""


def replay_report(
    view: View,
    report: TextReport,
    find: Find,
    find_answer: FindAnswer,
    *,
    entailment: Entailment | None = None,
    meaning: Meaning | None = None,
    progress: Progress = silent,
) -> ReplayReport:
    """Give every verdict of a kept report again, and say which come out differently.

    Args:
        view: the generation that the report names.
        report: as it was kept.
        find: searches the generation.
        find_answer: finds what a model answered.
        entailment: one more judge, asked about what it was asked about then.
        meaning: an embedder with its weights; without one only words are compared.
        progress: told as sentences are done.
    """
    begin = time.perf_counter()
    combiner = Combiner.load() if meaning is None else meaning.combiner
    figures = calibrations_of(view.store, view.corpus_id).checker or SHIPPED
    weights_version = f"{combiner.name} {figures.version}"

    def check(kept: CheckedSentence) -> CheckedSentence:
        judge = entailment if any(each.judge == "entailment" for each in kept.opinions) else None
        start, least = kept.char_start, report.minimum_support
        return check_sentence(view, find, kept.text, start, least, entailment=judge, meaning=meaning)

    claiming = [number for number, each in enumerate(report.sentences) if each.label is not None]
    drift: list[Drift] = []
    for done, number in enumerate(claiming, 1):
        found = _drift(view, report, number, check, find_answer, weights_version)
        drift += [found] if found is not None else []
        progress("verdicts", done, len(claiming))
    return ReplayReport(
        corpus_id=report.corpus_id,
        generation=report.generation,
        build_id=report.build_id,
        checker=CHECKER,
        weights_version=weights_version,
        weights_sha256=combiner.weights_sha256,
        replayed=len(claiming),
        identical=len(claiming) - len(drift),
        drift=tuple(drift),
        seconds=round(time.perf_counter() - begin, 3),
    )


def _drift(
    view: View, report: TextReport, number: int, check: CheckAgain, find: FindAnswer, weights_version: str
) -> Drift | None:
    """What differs between the kept verdict of a sentence and the one that it gets today; None where nothing does."""
    kept = report.sentences[number]
    try:
        fresh = check(kept)
        lost = ""
        if kept.examination is not None:
            fresh, lost = _heard(view, report, number, fresh, find)
    except (Conflict, Unavailable):  # of a store that does not answer: it says nothing of the verdict
        raise
    except CoditectError as error:
        return _told(report, kept, None, "no verdict", str(error))
    if lost:
        return _told(report, kept, fresh, "answer", lost)
    # What a report of a former release does not tell, as a locator or a doubt, is no drift.
    former = report.format != TextReport.model_fields["format"].default
    if fresh == kept or (former and _verdict(fresh) == _verdict(kept)):
        return None
    cause: DriftCause = "evidence"
    if report.checker != CHECKER:
        cause = "checker"
    elif report.weights_version != weights_version:
        cause = "weights"
    return _told(report, kept, fresh, cause, fresh.reason)


def _heard(
    view: View, report: TextReport, number: int, fresh: CheckedSentence, find: FindAnswer
) -> tuple[CheckedSentence, str]:
    """A sentence after what the model answered once was heard again; or why it cannot be."""
    kept = report.sentences[number].examination
    assert kept is not None  # noqa: S101 - only such sentences come here
    if kept.said is None:  # it did not answer then, and nobody asks now
        return fresh.model_copy(update={"examination": kept}), ""
    asked = asked_sentence(view, number, fresh, report.reads)
    role = _role(report.examiner)
    if asked is None or role is None or asked.request(role).sha256 != kept.request_sha256:
        return fresh, "the model would be asked something else today, or nothing"
    stored = find(kept.request_sha256)
    if stored is None:
        return fresh, "what the model answered is not stored: it was erased, or given in another store"
    said = asked.read(llm_answer(stored))
    return concluded(view, asked, said, kept.request_sha256, report.examiner), ""


def _role(version: str) -> Role | None:
    """The examiner with the model that a report names; None where its prompt or readers are not those of today."""
    own, _, model = version.rpartition(" ")
    role = replace(ROLES[EXAMINER], model=model)
    return role if role.version == own else None


def _verdict(sentence: CheckedSentence) -> tuple[TextLabel | None, float]:
    return sentence.label, sentence.support_score


def _told(
    report: TextReport, kept: CheckedSentence, fresh: CheckedSentence | None, cause: DriftCause, detail: str
) -> Drift:
    return Drift(
        claim_id=f"{report.name or 'claim'}:{kept.char_start}-{kept.char_end}",
        verdict_id="" if kept.examination is None else kept.examination.request_sha256,
        text=kept.text,
        cause=cause,
        changed=fresh is None or _verdict(fresh) != _verdict(kept),
        old_label=kept.label,
        new_label=None if fresh is None else fresh.label,
        old_score=kept.support_score,
        new_score=None if fresh is None else fresh.support_score,
        detail=detail,
    )
