"""The validator reads findings of rules, and gaps that the reducer tells: is each true, and is it of use to an auditor?

"True" without words of the finding's own evidence, or beside text that speaks to a model, is not taken; nor is anything said of a
finding twice or of one that was not asked about. What is not taken waits for a person.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from coditect.agents.roles.answers import FindingsAnswer, FindingVerdict, ToldFindingVerdict, output_schema, parsed
from coditect.agents.roles.at_odds.pairs import AskedStatement
from coditect.agents.roles.fences import Fence, addresses_model, one_line
from coditect.agents.roles.missing.gaps import listed_documents
from coditect.agents.roles.quotes import LEAST_QUOTED, LONGEST_REASON, find_words, letters_in
from coditect.agents.roles.role import Role
from coditect.models.llm import LlmAnswer, LlmRequest, TextBlock
from coditect.schemas.record import canonical_json, sha256_hex

__all__ = [
    "AskedFinding",
    "FindingReading",
    "FindingReadings",
    "ShownEvidence",
    "findings_request",
    "findings_role",
    "read_findings",
]


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """A quote of a finding.

    Attributes:
        statement: the quote, with document, title, role and heading.
        before: what stands before it in its document.
        after: what stands behind it.
    """

    statement: AskedStatement
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class AskedFinding:
    """A finding as the validator is shown it.

    Attributes:
        claim: its sentence.
        evidence: its quotes; at least one.
        elsewhere: (document, words around) of other places that have the words which it is about.
    """

    claim: str
    evidence: tuple[ShownEvidence, ...]
    elsewhere: tuple[tuple[str, str], ...] = ()

    @property
    def texts(self) -> list[str]:
        """Everything of it that others wrote."""
        around = [each for one in self.evidence for each in (one.before, one.statement.text, one.after)]
        return [self.claim, *around, *(text for _, text in self.elsewhere)]


@dataclass(frozen=True, slots=True)
class FindingReading:
    """What is said of one finding.

    Attributes:
        verdict: whether it is so.
        useful: whether somebody wants to be told.
        reason: the model's, on one line, at most 500 code points; synthetic.
        quote: (index of the quote, first, last code point) of the words that decide; None where none were given.
    """

    verdict: FindingVerdict
    useful: bool
    reason: str
    quote: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class FindingReadings:
    """What one answer says of its findings.

    Attributes:
        readings: of each finding in its order; None where what was said of it cannot be taken, or nothing was.
        rejections: why parts of the answer were not taken.
    """

    readings: tuple[FindingReading | None, ...]
    rejections: tuple[str, ...] = ()


@cache
def _prompt() -> str:
    return files("coditect.agents.roles").joinpath("prompts", "findings.md").read_text(encoding="utf-8").strip()


def findings_role(validator: Role) -> Role:
    """The validator as it reads findings: its model and limits, another prompt and answer; called "findings"."""
    prompt, shape = _prompt(), output_schema(FindingsAnswer)
    digest = sha256_hex(prompt.encode())
    return replace(validator, name="findings", prompt=prompt, prompt_sha256=digest, output_schema=shape)


def findings_request(
    role: Role, findings: Sequence[AskedFinding], documents: Sequence[tuple[str, str]], today: str
) -> LlmRequest:
    """Ask whether findings are true and of use.

    Args:
        role: of :func:`findings_role`.
        findings: numbered from 1 in this order.
        documents: (name, title) of all documents of the corpus.
        today: the day by which their dates are held; "" where none is known.
    """
    lines = "\n".join(canonical_json({"n": n, **_body(each)}).decode() for n, each in enumerate(findings, 1))
    names = listed_documents(documents)
    if today:
        names += "\n" + canonical_json({"today": today}).decode()
    fence = Fence.around((names, lines))
    shown = "\n\n".join((fence.wrap("documents", names), fence.wrap("findings", lines)))
    return role.request(TextBlock(f"{shown}\n\nCheck the {len(findings)} findings."))


def _body(finding: AskedFinding) -> dict[str, Any]:
    evidence = [
        {**one.statement.body, **{name: text for name, text in (("before", one.before), ("after", one.after)) if text}}
        for one in finding.evidence
    ]
    elsewhere = [{"document": name, "text": text} for name, text in finding.elsewhere]
    return {"claim": finding.claim, "evidence": evidence, "elsewhere": elsewhere}


def read_findings(answer: LlmAnswer, findings: Sequence[AskedFinding]) -> FindingReadings:
    """What an answer says, less what cannot be taken at its word.

    Args:
        answer: what came back to the request.
        findings: of the request, in its order.

    Raises:
        Malformed: not of the asked-for shape.
    """
    told = parsed(answer, FindingsAnswer, "validator").findings
    spoken = Counter(each.n for each in told)
    rejections = ["a number that no finding has" for n in spoken if not 1 <= n <= len(findings)]
    readings: dict[int, FindingReading] = {}
    for raw in told:
        if not 1 <= raw.n <= len(findings):
            continue
        reading, problem = _reading(raw, findings[raw.n - 1])
        if reading is None:
            rejections.append(problem)
        else:
            readings[raw.n] = reading
    for n in range(1, len(findings) + 1):
        if spoken[n] != 1:
            readings.pop(n, None)
            rejections.append("a finding is told of twice" if spoken[n] else "a finding is not told of")
    return FindingReadings(tuple(readings.get(n) for n in range(1, len(findings) + 1)), tuple(rejections))


def _reading(raw: ToldFindingVerdict, finding: AskedFinding) -> tuple[FindingReading | None, str]:
    """(what is said of a finding, "") or (None, why it is not taken)."""
    reason = one_line(raw.reason, LONGEST_REASON)
    if raw.verdict != "true":
        return FindingReading(raw.verdict, raw.useful, reason), ""
    texts = [one.statement.text for one in finding.evidence]
    found = ((index, place) for index, text in enumerate(texts) if (place := find_words(raw.words, text)) is not None)
    quote = next(((index, *place) for index, place in found), None)
    if quote is None:
        return None, "finding: words that its evidence does not have"
    index, start, end = quote
    if letters_in(texts[index][start:end]) < min(LEAST_QUOTED, letters_in(texts[index])):
        return None, "finding: words that say too little"
    if any(addresses_model(each) for each in finding.texts):
        return None, "finding: what it rests on speaks to a model"
    return FindingReading("true", raw.useful, reason, quote), ""
