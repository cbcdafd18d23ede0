"""Answers of the use cases that hold texts against each other: checks, crosswalks and changes."""

from __future__ import annotations

from collections.abc import Sequence

from coditect.assistants.answers import ChangeFound, ChangesAnswer, CrosswalkAnswer, CrosswalkLine, SentenceChecked
from coditect.assistants.citing import Citing
from coditect.assistants.fencing import fenced
from coditect.assistants.paging import page_after
from coditect.schemas import CheckedSentence, CorpusChanges, Crosswalk

__all__ = ["changes_answer", "checked_sentence", "crosswalk_answer"]

MOST_COMPARED = 3
"""Statements that are shown with a sentence or a part of a requirement."""


def checked_sentence(sentence: CheckedSentence, citing: Citing) -> SentenceChecked:
    """A sentence of a checked text; where sources disagree, both that do are among its citations."""
    shown = list(sentence.evidence[:MOST_COMPARED])
    if sentence.disagreement is not None:
        both = (sentence.disagreement.supporting, sentence.disagreement.refuting)
        shown = [sentence.evidence[each] for each in both]
    reason = sentence.disagreement.detail if sentence.disagreement is not None else sentence.reason
    read = sentence.examination
    return SentenceChecked(
        text=sentence.text,
        label=sentence.label,
        reason=reason,
        model_says="" if read is None else read.said or "",
        held_back="" if read is None else read.held_back,
        citations=tuple(citing.of_text_evidence(each) for each in shown),
    )


def crosswalk_answer(
    found: Crosswalk, citing: Citing, labels: Sequence[str], cursor: str, limit: int
) -> CrosswalkAnswer:
    """A page of a crosswalk.

    Args:
        found: all of it.
        citing: of the documents' generation.
        labels: only parts with these; none: all.
        cursor: of the page before.
        limit: parts of a page.
    """
    counts: dict[str, int] = {}
    for row in found.rows:
        counts[row.label] = counts.get(row.label, 0) + 1
    chosen = [row for row in found.rows if not labels or row.label in labels]
    page, following = page_after(chosen, cursor, limit)
    return CrosswalkAnswer(
        corpus_id=found.corpus_id,
        generation=found.generation,
        parts=len(chosen),
        labels=counts,
        columns=tuple(fenced(each.remark.replace("--columns", "'columns'")) for each in found.columns),
        superseded=tuple(fenced(each) for each in found.superseded),
        lines=tuple(
            CrosswalkLine(
                requirement_id=row.requirement_id,
                part_id=row.part_id,
                text=fenced(row.text),
                label=row.label,
                reason=row.evidence[0].reason if row.evidence else "",
                decided_by="" if row.decided is None else row.decided.by,
                look_again="" if row.earlier is None else fenced(row.earlier.remark),
                citations=tuple(citing.of_crosswalk(each) for each in row.evidence[:MOST_COMPARED]),
            )
            for row in page
        ),
        next_cursor=following,
    )


def changes_answer(found: CorpusChanges, cursor: str, limit: int) -> ChangesAnswer:
    """A page of changes, the heaviest first, then by document and number."""
    old, new = Citing(found.corpus_id, found.before), Citing(found.corpus_id, found.after)
    every = [(document, change) for document in found.documents for change in document.changes]
    every.sort(key=lambda each: (-each[1].weight, each[0].document, each[1].number))
    page, following = page_after(every, cursor, limit)
    return ChangesAnswer(
        corpus_id=found.corpus_id,
        before=found.before,
        after=found.after,
        changes=tuple(
            ChangeFound(
                document=document.document,
                kind=change.kind,
                duty=change.duty,
                before=None
                if change.before is None
                else old.of_side(document.former or document.document, change.before),
                after=None if change.after is None else new.of_side(document.document, change.after),
                differs=tuple(each.field for each in change.fields),
            )
            for document, change in page
        ),
        total=len(every),
        affected=len(found.affected),
        next_cursor=following,
    )
