"""Checks the claims of a published mapping: each gets a verdict from the words of both sides, and the words."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import PurePosixPath

from coditect.knowledge.report.crosswalk.assembly import FrameworkComparison, best_first
from coditect.knowledge.report.crosswalk.claimed.files import PublishedClaim
from coditect.knowledge.report.crosswalk.evidence import METHOD
from coditect.knowledge.report.crosswalk.framework.parts import Framework, RequirementPart
from coditect.knowledge.report.crosswalk.nearness import Scores, nearest, speaks_to
from coditect.schemas.crosswalk import CheckedClaim, ClaimVerdict, CrosswalkEvidence, CrosswalkLabel, MappingCheck
from coditect.store.view import View

__all__ = ["check_claims"]

_VERDICTS: dict[CrosswalkLabel, ClaimVerdict] = {
    "meets": "supported",
    "stricter": "supported",
    "partly": "partly",
    "looser": "partly",
    "contradicts": "contradicted",
    "mentions": "mentioned",
}

_GAP = "no-relationship"
"""What a mapping says where two sides have nothing in common."""

_ENHANCEMENT = re.compile(r"\((\d+)\)")
_ZEROS = re.compile(r"(?<=[-.])0+(?=\d)")


def check_claims(compared: FrameworkComparison, claims: Sequence[PublishedClaim], source: str) -> MappingCheck:
    """Check claims.

    Args:
        compared: the documents, compared with the framework.
        claims: of the mapping.
        source: name of its file.
    """
    desk = _Desk(compared)
    checked = tuple(desk.check(each) for each in claims)
    return MappingCheck(
        source=source,
        framework_corpus=compared.framework_view.corpus_id,
        framework_generation=compared.framework_view.generation,
        corpus_id=compared.view.corpus_id,
        generation=compared.view.generation,
        method=METHOD,
        verdicts=dict(sorted(Counter(each.verdict for each in checked).items())),
        claims=checked,
    )


class _Desk:
    """Looks up both sides of claims, and what was found of them."""

    def __init__(self, compared: FrameworkComparison) -> None:
        self._compared = compared
        self._scores: dict[str, tuple[Scores, dict[int, int]]] = {}
        self._requirements = _by_name(compared.framework)
        self._documents = _documents(compared.view, compared.documents)
        self._evidence: dict[tuple[str, int], list[CrosswalkEvidence]] = defaultdict(list)
        self._items: dict[str, str] = {}
        for part, found in compared.evidence.items():
            for each in found:
                self._evidence[each.document, part].append(each)
                self._items[each.item_id] = each.document

    def check(self, claim: PublishedClaim) -> CheckedClaim:
        """The verdict of one claim."""
        first, second = claim.ends
        if self._requirement(second) is None and self._requirement(first) is not None:
            first, second = second, first
        number, document = self._requirement(second), self._document(first)
        told = CheckedClaim(
            document=first,
            requirement=second,
            relationship=claim.relationship,
            verdict="cannot be checked",
            reason="the framework has no such requirement" if number is None else "the corpus has no such document",
        )
        if (
            number is not None
            and document is None
            and claim.relationship == _GAP
            and first == self._compared.view.corpus_id
        ):
            return self._checked_gap(told, number)
        if number is None or document is None:
            return told
        return self._checked(told, number, document)

    def _checked_gap(self, told: CheckedClaim, number: int) -> CheckedClaim:
        """The verdict of a line that says of the whole corpus that nothing in it speaks to a requirement, as gaps are exported."""
        parts = list(self._compared.framework.by_requirement.values())[number]
        numbers = {id(part): at for at, part in enumerate(self._compared.framework.parts)}
        asked = [part for part in parts if _plain(part.part_id) == _plain(told.requirement)] or parts
        found = [(part, each) for part in asked for each in self._compared.evidence.get(numbers[id(part)], ())]
        found.sort(key=lambda each: best_first(each[1]))
        known = {"requirement_id": parts[0].requirement_id, "parts": len(asked)}
        if not found:
            reason = "no sentence of the corpus speaks to it, as the mapping says"
            return told.model_copy(update={**known, "verdict": "no evidence", "reason": reason})
        part, best = found[0]
        said = {"part_id": part.part_id, "part_text": part.text, "part_start": part.start, "part_end": part.end}
        spoken = {"parts_spoken_to": len({each.part_id for each, _ in found}), "found_document": best.document}
        update = {**known, **said, **spoken, "verdict": _VERDICTS[best.label], "reason": best.reason, "evidence": best}
        return told.model_copy(update=update)

    def _checked(self, told: CheckedClaim, number: int, document: str) -> CheckedClaim:
        view = self._compared.view
        parts = list(self._compared.framework.by_requirement.values())[number]
        numbers = {id(part): at for at, part in enumerate(self._compared.framework.parts)}
        name = view.documents[document].name
        found = [(part, each) for part in parts for each in self._evidence.get((name, numbers[id(part)]), ())]
        found.sort(key=lambda each: best_first(each[1]))
        scores, ranks = self._nearness(document)
        common = {
            "found_document": name,
            "requirement_id": parts[0].requirement_id,
            "parts": len(parts),
            "parts_spoken_to": len({part.part_id for part, _ in found}),
            "document_probability": round(float(speaks_to(scores)[number]), 4),
            "rank": ranks[number],
        }
        if not found:
            reason = (
                f"no sentence speaks to it; by nearness to the document it is number {ranks[number]} of {len(ranks)}"
            )
            return told.model_copy(update={**common, "verdict": "no evidence", "reason": reason})
        part, best = found[0]
        return told.model_copy(
            update={
                **common,
                "verdict": _VERDICTS[best.label],
                "reason": best.reason,
                "part_id": part.part_id,
                "part_text": part.text,
                "part_start": part.start,
                "part_end": part.end,
                "evidence": best,
            }
        )

    def _requirement(self, name: str) -> int | None:
        return self._requirements.get(_plain(name))

    def _document(self, name: str) -> str | None:
        """A document by its name, its last part, or a sentence of it by its id."""
        return self._documents.get(self._items.get(name, name).casefold())

    def _nearness(self, document_id: str) -> tuple[Scores, dict[int, int]]:
        """Scores of all requirements for a document, and the rank of each, from 1."""
        if document_id not in self._scores:
            scores = self._compared.inquiry.nearness(document_id)
            ranks = {number: rank for rank, number in enumerate(nearest(scores, len(scores)), 1)}
            self._scores[document_id] = scores, ranks
        return self._scores[document_id]


def _by_name(framework: Framework) -> dict[str, int]:
    """Numbers of requirements by their ids, their parts' ids and the labels that open their titles; none that is ambiguous."""
    found: dict[str, set[int]] = defaultdict(set)
    for number, parts in enumerate(framework.by_requirement.values()):
        for name in _names(parts):
            found[_plain(name)].add(number)
    return {name: next(iter(numbers)) for name, numbers in found.items() if len(numbers) == 1}


def _names(parts: Sequence[RequirementPart]) -> set[str]:
    return {parts[0].requirement_id, parts[0].title.split(" ")[0], *(part.part_id for part in parts)} - {""}


def _plain(name: str) -> str:
    """An id without what differs between editions: "AC-2 (1)", "ac-02(01)" and "ac-2.1" are one."""
    plain = _ENHANCEMENT.sub(r".\1", re.sub(r"\s+", "", name.casefold()))
    return _ZEROS.sub("", plain)


def _documents(view: View, ids: Sequence[str]) -> dict[str, str]:
    """Ids of documents by whatever names exactly one of them: the whole name, the last part, and that without its endings."""
    found: dict[str, set[str]] = defaultdict(set)
    for each in ids:
        name = view.documents[each].name
        last = PurePosixPath(name).name
        for known in {name, last, last.split(".", 1)[0], PurePosixPath(name).stem}:
            found[known.casefold()].add(each)
    return {name: next(iter(each)) for name, each in found.items() if len(each) == 1}
