"""What a model is asked of a crosswalk: requirement by requirement, the pairs that rules call met or nearly.

Only sentences that a row shows are asked about, so that a row has the same sentences whoever reads it, and what a person decided of
it counts in either. What a veto forbids to be met is not asked about, and what rules find to contradict stays that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from coditect.agents.roles.on_request.assessor import AskedPart, AssessorQuestion, ShownSentence
from coditect.knowledge.report.crosswalk.assembly import FrameworkComparison, best_first
from coditect.knowledge.report.crosswalk.evidence import rarity_in
from coditect.knowledge.report.crosswalk.framework.parts import RequirementPart
from coditect.knowledge.report.crosswalk.statements import PolicySentence, statements_of
from coditect.schemas.crosswalk import Crosswalk, CrosswalkEvidence, CrosswalkLabel
from coditect.verify.requirements.laid_down.vetoes import veto
from coditect.verify.requirements.measures import Rarity
from coditect.verify.requirements.sides import AskedByPart
from coditect.verify.requirements.wording import without_number

__all__ = ["MOST_PAIRS", "NEAREST", "AskedRequirement", "questions_of"]

NEAREST = 3
"""Sentences beside a part that rules do not call met and that are read all the same, the nearest first, at most."""

MOST_PAIRS = 16
"""Pairs of one request, at most; a requirement that has more is asked about in several."""

_BEFORE = 300
_BEHIND = 200
"""Code points around a sentence that are shown with it, at most."""

_HEADINGS = 3
"""Headings above a sentence that are shown with it, the nearest."""

_MET: frozenset[CrosswalkLabel] = frozenset(("meets", "stricter", "looser"))

HALF = 0.5
"""Share of a part that a sentence has to say to be read where rules find that it only mentions it: it lacks the act otherwise."""

_START = re.compile(r"(?:[.!?;:]\s+|\n\s*)")
_KEPT_DOCUMENTS = 4
"""Documents whose statements are kept at a time."""


@dataclass(frozen=True, slots=True)
class AskedRequirement:
    """A question, and what it is about.

    Attributes:
        question: as the assessor sees it.
        requirement_id: that the framework gives.
        rows: numbers of the rows that are asked about, in order.
        pairs: (number of the row, the evidence as rules have it) of each pair of the question, in its order.
    """

    question: AssessorQuestion
    requirement_id: str
    rows: tuple[int, ...]
    pairs: tuple[tuple[int, CrosswalkEvidence], ...]


def questions_of(compared: FrameworkComparison, found: Crosswalk) -> Iterator[AskedRequirement]:
    """What is asked, in the order of the framework.

    Args:
        compared: the comparison.
        found: its crosswalk as rules make it.
    """
    reader = _Reader(compared)
    numbers = {id(part): number for number, part in enumerate(compared.framework.parts)}
    for parts in compared.framework.by_requirement.values():
        pairs: list[tuple[int, CrosswalkEvidence]] = []
        for part in parts:
            own = reader.chosen(part, found.rows[numbers[id(part)]].evidence)
            if pairs and len(pairs) + len(own) > MOST_PAIRS:
                yield reader.asked(parts, pairs)
                pairs = []
            pairs += [(numbers[id(part)], each) for each in own]
        if pairs:
            yield reader.asked(parts, pairs)


class _Reader:
    """Chooses pairs and shows their sentences."""

    def __init__(self, compared: FrameworkComparison) -> None:
        self._compared = compared
        self._rarity: Rarity = rarity_in(compared.framework)
        self._documents = {compared.view.documents[each].version_id: each for each in compared.documents}
        self._statements = lru_cache(maxsize=_KEPT_DOCUMENTS)(self._read)

    def _read(self, document_id: str) -> dict[str, PolicySentence]:
        return {each.item.extraction_id: each for each in statements_of(self._compared.view, document_id)}

    def _statement(self, evidence: CrosswalkEvidence) -> PolicySentence:
        return self._statements(self._documents[evidence.version_id])[evidence.item_id]

    def chosen(self, part: RequirementPart, shown: Sequence[CrosswalkEvidence]) -> list[CrosswalkEvidence]:
        """The sentences of a row that are asked about, those that rules call met first."""
        asked = AskedByPart(part.wording, part.matter, part.requirement_id)
        ordered = sorted(shown, key=best_first)
        met = [each for each in ordered if each.label in _MET]
        near = (
            each
            for each in ordered
            if (each.label == "partly" or (each.label == "mentions" and each.held >= HALF))
            and not veto(asked, self._statement(each).said, self._rarity)
        )
        return [*met, *islice(near, NEAREST)]

    def asked(
        self, parts: Sequence[RequirementPart], pairs: Sequence[tuple[int, CrosswalkEvidence]]
    ) -> AskedRequirement:
        """A question about some pairs of a requirement."""
        every = self._compared.framework.parts
        rows = tuple(dict.fromkeys(number for number, _ in pairs))
        places = {(each.version_id, each.item_id): each for _, each in pairs}
        order = list(places)
        question = AssessorQuestion(
            parts[0].requirement_id,
            parts[0].title,
            parts[0].family,
            parts[0].document,
            tuple(_asked_part(every[number]) for number in rows),
            tuple(self._shown(each) for each in places.values()),
            tuple((rows.index(number), order.index((each.version_id, each.item_id))) for number, each in pairs),
        )
        return AskedRequirement(question, parts[0].requirement_id, rows, tuple(pairs))

    def _shown(self, evidence: CrosswalkEvidence) -> ShownSentence:
        view = self._compared.view
        document_id = self._documents[evidence.version_id]
        version = view.documents[document_id]
        text = view.text_of(version)
        statement = self._statement(evidence)
        profile = view.profiles.get(document_id)
        role = profile.role if profile is not None else None
        return ShownSentence(
            document=version.name,
            text=evidence.composed or evidence.text,
            title=version.title or "",
            kind="" if role is None else str(role.value),
            headings=" / ".join(statement.headings.split(" / ")[-_HEADINGS:]),
            before=_before(text[max(0, evidence.char_start - _BEFORE) : evidence.char_start]),
            behind=_behind(text[evidence.char_end : evidence.char_end + _BEHIND]),
        )


def _asked_part(part: RequirementPart) -> AskedPart:
    """A part as it is printed, an item of a list behind the words that lead to it."""
    wording = part.wording
    lead = wording.text.removesuffix(wording.item).rstrip() if wording.item else ""
    text = f"{lead} {without_number(part.text)}" if lead else part.text
    return AskedPart(part.part_id, text, wording.parameters)


def _before(text: str) -> str:
    """What stands in front of a sentence, from the beginning of a sentence or a line on where it was cut."""
    start = _START.search(text) if len(text) == _BEFORE else None
    return text[start.end() if start is not None else 0 :].strip()


def _behind(text: str) -> str:
    """What stands behind a sentence, up to the last end of a sentence or a line where it was cut."""
    ends = list(_START.finditer(text)) if len(text) == _BEHIND else []
    return text[: ends[-1].start() + 1 if ends else len(text)].strip()
