"""Which of the quotes of an answer speak to its question, and whether they say the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from coditect.language.quantities.meaning import find_quantities
from coditect.retrieve.gate.words import asking_stems
from coditect.retrieve.words import read_words, stems
from coditect.schemas import Extraction, Hit, NormData
from coditect.store.view import View

__all__ = ["StatedValues", "speaking"]

_TIMES = {"deadline": "hours", "duration": "hours", "frequency": "per_year"}
"""What a time is compared by, by the kind of quantity."""


def speaking(question: str, hits: Sequence[Hit]) -> list[Hit]:
    """The hits that speak to a question: the first, and those with most of its words.

    How probable it is that a sentence answers is known of large corpora only, so words in common decide of the others.

    Args:
        question: as it was asked.
        hits: statements, best first.
    """
    asked = _asked(question)
    return [hit for rank, hit in enumerate(hits) if rank == 0 or _shared(asked, hit) > len(asked) / 2]


def _asked(question: str) -> frozenset[str]:
    return frozenset(read_words(question).weights) - asking_stems()


def _shared(asked: frozenset[str], hit: Hit) -> int:
    return len(asked.intersection(stems(hit.item.text)))


@dataclass(frozen=True, slots=True)
class _Value:
    """A value that a statement gives: what is comparable with it, how much it is, and its words."""

    matter: tuple[str, ...]
    amount: float
    words: str


class StatedValues:
    """The values that the statements of a generation give.

    Args:
        view: the generation.
    """

    def __init__(self, view: View) -> None:
        self._view = view

    def differing(self, question: str, hits: Sequence[Hit]) -> tuple[str, Hit] | None:
        """Where statements give different values for one act, or count one thing differently: (in words, the other one); or None.

        A time is held against the first one's where the statement has as many words of the question: "each provider annually" does
        not differ from "critical providers twice a year" where critical ones are asked about. What is counted tells by itself what
        is meant: "at least 8 characters" answers "the minimum length" without a word of it; in another document, since one document
        counts several things.

        Args:
            question: as it was asked.
            hits: statements, best first; the others are held against the first.
        """
        if not hits:
            return None
        asked = _asked(question)
        first = {each.matter: each for each in self._values(hits[0])}
        for other in hits[1:]:
            shared = _shared(asked, other)
            theirs: dict[tuple[str, ...], list[_Value]] = {}
            for each in self._values(other):
                elsewhere = other.item.document_id != hits[0].item.document_id
                if shared >= _shared(asked, hits[0]) if each.matter[0] in _TIMES else shared and elsewhere:
                    theirs.setdefault(each.matter, []).append(each)
            for matter, own in first.items():
                told = theirs.get(matter, [])
                if told and all(each.amount != own.amount for each in told):
                    said = (
                        f"the words give different values: \u201c{own.words}\u201d in {hits[0].item.document_name}"
                        f" and \u201c{told[0].words}\u201d in {other.item.document_name}"
                    )
                    return said, other
        return None

    def _values(self, hit: Hit) -> Iterator[_Value]:
        item = self._view.find(hit.item.item_id)
        if not isinstance(item, Extraction):
            return
        act = _verb(item)
        text = hit.item.text
        for mark in find_quantities(text, 0, len(text)):
            kind, words = str(mark.data["quantity_kind"]), text[mark.start : mark.end]
            if kind in _TIMES and act:
                yield _Value((kind, act), _number(mark.data.get(_TIMES[kind])), words)
            elif kind == "count":
                yield _Value((kind, str(mark.data.get("unit", ""))), _number(mark.data.get("value")), words)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _verb(item: Extraction) -> str:
    """The stem of what is to be done; "" where nothing is."""
    if item.extraction_kind not in ("obligation", "prohibition", "permission"):
        return ""
    words: Iterable[str] = (item.read_as(NormData).action or "").split()
    return next((stem for word in words if word != "be" for stem in stems(word)), "")
