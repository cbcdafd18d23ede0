"""Claims that the checker leaves to a person, read by a language model as well: what is asked, and what its word is worth.

The model never decides alone. It may call a claim supported only with words of the documents for every part, and where no hard rule
of the checker speaks against that (:mod:`coditect.verify.staged.vetoes`); unsupported only with words that contradict. Whatever
else it says is told to the person who decides. Where it does not answer, the checker's word stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.on_request.examiner import ExaminedClaim, examiner_request, read_examination
from coditect.agents.roles.role import Role
from coditect.errors import BudgetExceeded, CoditectError
from coditect.knowledge.model_roles.agency import EXAMINER, Agency, Stage
from coditect.knowledge.model_roles.forecast import account_of
from coditect.knowledge.model_roles.on_request.passages_shown import (
    PassageAround,
    passages_of,
    quoted_statements,
    with_quotes,
)
from coditect.knowledge.progress import Progress, silent
from coditect.models.llm import LlmAnswer, LlmRequest
from coditect.schemas import CheckedSentence, Examination, ExaminerReads, Opinion, TextEvidence, TextLabel, VerdictLabel
from coditect.store.view import View
from coditect.verify.staged.vetoes import QuotedPart, find_vetoes

__all__ = ["AskedSentence", "Examiner", "HeardAnswer", "asked_sentence", "concluded", "unanswered"]

_SETTLED = frozenset(("supported", "unsupported"))
_UNREADABLE = "readable"


@dataclass(frozen=True, slots=True)
class AskedSentence:
    """A sentence that is asked about.

    Attributes:
        number: its place among the sentences of its text, 0-based.
        sentence: as the checker left it.
        passages: that are shown beside it; at least one.
    """

    number: int
    sentence: CheckedSentence
    passages: tuple[PassageAround, ...]

    def request(self, role: Role) -> LlmRequest:
        """What is asked about it."""
        return examiner_request(role, self.sentence.text, [each.shown for each in self.passages])

    def read(self, answer: LlmAnswer) -> HeardAnswer:
        """What an answer says of it.

        Raises:
            Malformed: not of the asked-for shape.
        """
        shown = [each.shown for each in self.passages]
        return HeardAnswer(read_examination(answer, self.sentence.text, shown), answer.request_id)


@dataclass(frozen=True, slots=True)
class HeardAnswer:
    """What the model says of a sentence, and the service's id of its answer."""

    examined: ExaminedClaim
    answer_id: str


class Examiner:
    """Reads sentences of texts. Opened for some texts by :meth:`Knowledge.examiner`, in the thread that checks them."""

    def __init__(self, agency: Agency, reads: ExaminerReads = "waiting") -> None:
        self._agency = agency
        self._reads: ExaminerReads = reads
        self._failures: list[CoditectError] = []
        self._stopped: BudgetExceeded | None = None

    @property
    def reads(self) -> ExaminerReads:
        """Which sentences it reads."""
        return self._reads

    @property
    def failures(self) -> tuple[CoditectError, ...]:
        """Why sentences were not answered, one error each; once the budget is used up, its error for every one that is left."""
        return tuple(self._failures)

    @property
    def version(self) -> str:
        """The version of the role, and the model: as it stands in reports."""
        return self._agency.version_of(EXAMINER)

    def examine(
        self, view: View, sentences: Sequence[CheckedSentence], progress: Progress = silent
    ) -> tuple[CheckedSentence, ...]:
        """Sentences after the model was heard on those that it reads.

        Args:
            view: the generation that they were checked against.
            sentences: of one text, as the checker left them.
            progress: told of answers.
        """
        asked = [
            found
            for number, each in enumerate(sentences)
            if (found := asked_sentence(view, number, each, self._reads)) is not None
        ]
        heard: dict[int, HeardAnswer | CoditectError] = {}
        if self._stopped is None:
            self._ask(asked, heard, progress)
        changed = list(sentences)
        for each in asked:
            said = heard.get(each.number, self._stopped)
            sha256 = each.request(self._agency.roles[EXAMINER]).sha256
            if isinstance(said, HeardAnswer):
                changed[each.number] = concluded(view, each, said, sha256, self.version)
            elif said is not None:
                self._failures.append(said)
                changed[each.number] = unanswered(each, said, sha256)
        return tuple(changed)

    def _ask(
        self, asked: Sequence[AskedSentence], heard: dict[int, HeardAnswer | CoditectError], progress: Progress
    ) -> None:
        role = self._agency.roles[EXAMINER]

        def take(outcome: Outcome[AskedSentence, HeardAnswer]) -> None:
            if outcome.value is not None:
                heard[outcome.item.number] = outcome.value
                self._agency.count_rejected(EXAMINER, filter(None, (outcome.value.examined.downgraded,)))
            elif outcome.error is not None:
                heard[outcome.item.number] = outcome.error

        stage: Stage[AskedSentence, HeardAnswer] = Stage(
            EXAMINER,
            "examiner reads",
            lambda: asked,
            lambda each: each.request(role),
            lambda each, answer: each.read(answer),
        )
        try:
            self._agency.run(stage, take, progress)
        except BudgetExceeded as exceeded:
            self._stopped = exceeded

    def account(self) -> dict[str, Any]:
        """What was asked, got and paid, as JSON; of a forecast what would be."""
        return account_of(self._agency)


def asked_sentence(view: View, number: int, sentence: CheckedSentence, reads: ExaminerReads) -> AskedSentence | None:
    """A sentence with what it is read beside; None where it is not read.

    Nothing is asked of what claims nothing, cannot be read, has no evidence, or of which sources disagree; nor of what stands in
    its evidence word for word.

    Args:
        view: the generation that it was checked against.
        number: its place in its text.
        sentence: as the checker left it.
        reads: which sentences are read.
    """
    wanted = {"needs_review"} if reads == "waiting" else {"needs_review", *_SETTLED}
    if sentence.label not in wanted or not sentence.evidence:
        return None
    if any(each.name == _UNREADABLE for each in sentence.signals):
        return None
    if sentence.label == "supported" and _stands(sentence.text, sentence.evidence):
        return None
    return AskedSentence(number, sentence, passages_of(view, sentence.evidence))


def _stands(text: str, evidence: Sequence[TextEvidence]) -> bool:
    plain = " ".join(text.split()).casefold()
    return any(plain in " ".join((each.composed or each.text).split()).casefold() for each in evidence)


def concluded(view: View, asked: AskedSentence, said: HeardAnswer, request_sha256: str, by: str) -> CheckedSentence:
    """A sentence after the model was heard: the same for the same answer, whenever it is given again.

    Args:
        view: the generation that it was checked against.
        asked: the sentence with its passages.
        said: what the model says.
        request_sha256: of what it was asked.
        by: the version of the role, and the model.
    """
    sentence, found = asked.sentence, said.examined
    evidence, spans = with_quotes(view, asked.passages, found.quotes, sentence.evidence)
    held_back = found.downgraded or _vetoed(asked, found)
    opinion = Opinion(judge="model", who=EXAMINER, version=by, label=found.label, reason=found.reason, quotes=spans)
    label = _label(sentence, "needs_review" if held_back else found.label)
    return sentence.model_copy(
        update={
            "label": label,
            "reason": "" if label == "supported" else _reason(sentence, found, held_back, label),
            "evidence": evidence,
            "checker_label": sentence.checker_label or sentence.label,
            "opinions": (*sentence.opinions, opinion),
            "examination": Examination(
                request_sha256=request_sha256, answer_id=said.answer_id, said=found.given, held_back=held_back
            ),
        }
    )


def unanswered(asked: AskedSentence, error: CoditectError, request_sha256: str) -> CheckedSentence:
    """A sentence that the model did not answer: the checker's word stands, and the report says so."""
    why = f"it did not answer: {error.message}"
    examination = Examination(request_sha256=request_sha256, held_back=why)
    return asked.sentence.model_copy(update={"examination": examination})


def _vetoed(asked: AskedSentence, found: ExaminedClaim) -> str:
    """Why support that quotes its words is not taken, or ""."""
    if found.label != "supported":
        return ""
    parts = [
        QuotedPart(each.start, each.end, quoted_statements(asked.passages, each.quotes, asked.sentence.evidence))
        for each in found.parts
    ]
    vetoes = find_vetoes(asked.sentence.text, parts, asked.sentence.signals)
    return f"a rule speaks against it: {vetoes[0].detail}" if vetoes else ""


def _label(sentence: CheckedSentence, heard: VerdictLabel) -> TextLabel:
    """What the checker, other judges and the model make of a sentence together.

    What waits for a person the model may settle, unless the checker or another judge says otherwise; what is settled stays so
    where the model agrees, and else waits. That it finds no support is no disagreement with a refusal.
    """
    if sentence.label == "needs_review":
        others = {sentence.checker_label, *(each.label for each in sentence.opinions)} - {"needs_review", None}
        return heard if others <= {heard} else "needs_review"
    if sentence.label == "unsupported":
        return "needs_review" if heard == "supported" else "unsupported"
    return "supported" if heard == "supported" else "needs_review"


def _reason(sentence: CheckedSentence, found: ExaminedClaim, held_back: str, label: TextLabel) -> str:
    """What the model says, why that does not count, and what the checker found."""
    said = f"the model finds it {found.given.replace('_', ' ')}: {found.reason}".rstrip(": ")
    told = [said, *([f"not taken, {held_back}"] if held_back else []), *([sentence.reason] if sentence.reason else [])]
    return "; ".join(told)
