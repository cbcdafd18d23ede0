"""What becomes of a sentence that waits because its judges differ, once a model was heard."""

from __future__ import annotations

from typing import cast

import pytest

from coditect.agents.roles.answers import ExaminerVerdict
from coditect.agents.roles.on_request.examiner import ExaminedClaim, PassageQuote
from coditect.knowledge.model_roles.on_request.examiner import AskedSentence, HeardAnswer, concluded
from coditect.knowledge.model_roles.on_request.passages_shown import PassageAround
from coditect.schemas import CheckedSentence, Opinion, TextEvidence, VerdictLabel
from coditect.store.view import View

TEXT = "Every user shall have an account of their own."
SOURCE = TextEvidence(
    item_id="i",
    document_id="d",
    document_name="access.md",
    version_id="v",
    raw_sha256="0" * 64,
    char_start=0,
    char_end=len(TEXT),
    heading="",
    text=TEXT,
)
NO_VIEW = cast("View", None)
"""Nothing is looked up where what is quoted stands in the evidence."""


@pytest.mark.parametrize(
    ("checker", "judge", "model", "label"),
    [
        (None, None, "supported", "supported"),
        (None, None, "unsupported", "unsupported"),
        ("needs_review", "supported", "supported", "supported"),
        ("needs_review", "supported", "unsupported", "needs_review"),
        ("unsupported", "supported", "supported", "needs_review"),
        ("supported", "unsupported", "unsupported", "needs_review"),
    ],
)
def test_what_the_checker_itself_settled_is_not_turned_round_by_a_judge_and_a_model(
    checker: VerdictLabel | None, judge: VerdictLabel | None, model: VerdictLabel, label: VerdictLabel
) -> None:
    """The model settles what waits if nobody says otherwise, the checker as little as another judge."""
    opinions = () if judge is None else (Opinion(judge="entailment", who="e", version="1", label=judge),)
    sentence = CheckedSentence(
        text=TEXT,
        char_start=0,
        char_end=len(TEXT),
        label="needs_review",
        support_score=0.5,
        evidence=(SOURCE,),
        checker_label=checker,
        opinions=opinions,
    )
    asked = AskedSentence(0, sentence, (PassageAround(SOURCE, 0, len(TEXT), TEXT),))
    given: ExaminerVerdict = "supported" if model == "supported" else "contradicted"
    heard = HeardAnswer(ExaminedClaim(model, given, "It says so.", (PassageQuote(0, 0, len(TEXT)),)), "a")
    found = concluded(NO_VIEW, asked, heard, "0" * 64, "roles/1 examiner model")
    assert found.label == label
    assert found.checker_label == (checker or "needs_review")
