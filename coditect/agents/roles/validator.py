"""The validator (Tier 4): a second model that sees only a claim and its evidence, and has to quote what it goes by.

Of statements that were read together it is also shown what stands around each, which often says for whom it holds: five conflicts
of twelve were withheld for want of it (ADR 130). Words around a quote may be relied on, and are not quoted.

A verdict without words of the evidence, or with words that are not there, is no verdict: it becomes ``needs_review``, as does
support that rests on text which speaks to the checker instead of to people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coditect.agents.roles.answers import ValidatorAnswer, VerdictLabel, parsed
from coditect.agents.roles.fences import Fence, addresses_model, one_line
from coditect.agents.roles.quotes import LEAST_QUOTED, LONGEST_REASON, find_quotes, letters_in
from coditect.agents.roles.role import Role
from coditect.models.llm import LlmAnswer, LlmRequest, TextBlock

__all__ = ["EvidencePiece", "EvidenceQuote", "Judgement", "read_judgement", "validator_request"]


@dataclass(frozen=True, slots=True)
class EvidencePiece:
    """A quote that the claim cites.

    Attributes:
        document_name: the document that it stands in.
        text: its words, verbatim.
        before: what stands before it there; "" where it is not shown.
        after: what stands behind it.
    """

    document_name: str
    text: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class EvidenceQuote:
    """Words of a piece of evidence that decide.

    Attributes:
        evidence: index of the piece, 0-based.
        start: first code point in its text.
        end: one past the last.
        text: as it stands there.
    """

    evidence: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the validator says.

    Attributes:
        verdict: "supported", "unsupported" or "needs_review".
        reason: the model's, on one line, at most 500 code points; synthetic.
        quotes: that were found in the evidence.
        given: the model's own verdict.
        downgraded: why it was not taken as given, or "".
    """

    verdict: VerdictLabel
    reason: str
    quotes: tuple[EvidenceQuote, ...]
    given: VerdictLabel
    downgraded: str = ""


def validator_request(role: Role, claim: str, evidence: Sequence[EvidencePiece]) -> LlmRequest:
    """Ask whether a claim is supported.

    Args:
        role: the validator, with its model and limits.
        claim: one sentence.
        evidence: the quotes that it cites, numbered from 1 in this order; at least one.
    """
    shown = (text for each in evidence for text in (each.document_name, each.text, each.before, each.after) if text)
    fence = Fence.around((claim, *shown))
    pieces = []
    for n, piece in enumerate(evidence, 1):
        around = [fence.wrap("before", piece.before, n=n)] if piece.before else []
        around.append(fence.wrap("evidence", piece.text, n=n, document=piece.document_name))
        around += [fence.wrap("after", piece.after, n=n)] if piece.after else []
        pieces.append("\n".join(around))
    asked = "\n\n".join((*pieces, fence.wrap("claim", claim), "Is the claim supported by the evidence?"))
    return role.request(TextBlock(asked))


def read_judgement(answer: LlmAnswer, claim: str, evidence: Sequence[EvidencePiece]) -> Judgement:
    """The verdict of an answer, as far as its quotes bear it.

    Args:
        answer: what came back to the request.
        claim: what the request asked about.
        evidence: what the request showed, in its order.

    Raises:
        Malformed: not of the asked-for shape.
    """
    found = parsed(answer, ValidatorAnswer, "validator")
    texts = [each.text for each in evidence]
    places, problem = find_quotes(((raw.evidence, raw.text) for raw in found.quotes), texts, "evidence")
    quotes = [EvidenceQuote(index, start, end, texts[index][start:end]) for index, start, end in places]
    if not problem and found.verdict == "supported":
        problem = _unbelievable(claim, quotes, evidence)
    reason = one_line(found.reason, LONGEST_REASON)
    verdict: VerdictLabel = "needs_review" if problem else found.verdict
    return Judgement(verdict, reason, tuple(quotes), found.verdict, problem)


def _unbelievable(claim: str, quotes: Sequence[EvidenceQuote], evidence: Sequence[EvidencePiece]) -> str:
    """Why support cannot be taken at its word, or ""."""
    if not quotes:
        return "supported without a quote"
    shown = {quote.evidence: letters_in(evidence[quote.evidence].text) for quote in quotes}
    if not any(letters_in(quote.text) >= min(LEAST_QUOTED, shown[quote.evidence]) for quote in quotes):
        return "supported by a quote that says too little"
    around = (text for each in evidence for text in (each.text, each.before, each.after))
    if any(addresses_model(text) for text in (claim, *around)):
        return "the claim or its evidence speaks to a model"
    return ""
