"""The sentences of a corpus that an exception is from: cross-references followed, and numbers behind the name of a document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache

from coditect.documents.profile.citations import documents_called
from coditect.knowledge.report.standing import superseded_documents
from coditect.retrieve.lookup.live import LiveIndex
from coditect.retrieve.lookup.references import Resolver
from coditect.schemas import CrossReferenceData, Extraction, ExtractionKind, WaiverTarget
from coditect.store.view import View

__all__ = ["WaiverTargets"]

MOST_TARGETS = 5
"""Sentences that are shown of one provision."""

_NORMS: tuple[ExtractionKind, ...] = ("obligation", "prohibition", "permission", "definition", "proposition")
_NUMBER = re.compile(r"(?<![\w.-])(?P<number>\d{1,4}[A-Z]?(?:\.\d{1,4})*(?:\([a-z0-9]{1,4}\))*)(?![\w-])")
_NAME = re.compile(
    r"(?:the\s+|our\s+|its\s+)?(?P<name>(?:[\w&’'-]+\s+){0,6}?"
    r"(?:policy|standard|procedure|code|rules?|rulebook|handbook|schedule|plan|guideline)s?)\b",
    re.IGNORECASE,
)


class WaiverTargets:
    """Looks provisions up in one generation.

    Args:
        view: the generation.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._resolver = Resolver(view, LiveIndex(view))
        self._statements = lru_cache(64)(self._read_statements)

    def find(
        self, provision: str, references: Sequence[Extraction], document_id: str
    ) -> tuple[tuple[WaiverTarget, ...], str]:
        """(what a provision is in the corpus, or why it was not found; both empty where nothing can be looked up).

        Args:
            provision: as printed.
            references: the cross-references inside its words, in order.
            document_id: of the document that tells of the exception.
        """
        reason = ""
        for each in references:
            found = self._resolver.resolve(each)
            if not found.is_resolved:
                reason = reason or found.reason
                if known := self._in_force(each.read_as(CrossReferenceData).document or "", document_id):
                    number = _NUMBER.search(each.read_as(CrossReferenceData).target or "")
                    return self._numbered(known, number["number"] if number else "")
                continue
            if found.how == "whole document":
                return self._numbered(found.document_id, self._behind(provision, each))
            ids = found.extraction_ids
            items = self._view.items(Extraction, list(ids), [found.document_id] * len(ids)) if ids else []
            if items:
                return tuple(self._target(item) for item in _binding_first(items)[:MOST_TARGETS]), ""
        return self._called(provision, document_id, reason)

    def _behind(self, provision: str, reference: Extraction) -> str:
        """The number that a provision has besides the name of its document: "Access Policy 4.2"."""
        at = provision.find(reference.source_text)
        rest = provision if at < 0 else f"{provision[:at]} {provision[at + len(reference.source_text) :]}"
        number = _NUMBER.search(rest)
        return number["number"] if number else ""

    def _called(self, provision: str, document_id: str, reason: str) -> tuple[tuple[WaiverTarget, ...], str]:
        """A document that is called by its name in other letters: "the encryption standard", "access policy 4.2"."""
        name = _NAME.match(provision)
        if name is not None:
            known = self._known(name["name"], document_id)
            if only := self._in_force(name["name"], document_id):
                number = _NUMBER.search(provision, name.end())
                return self._numbered(only, number["number"] if number else "")
            reason = (
                "several documents have that name" if known else reason or "the corpus has no document of that name"
            )
        elif not reason and _NUMBER.search(provision):
            reason = "no document of the corpus is named with the number"
        return (), reason

    def _known(self, name: str, document_id: str) -> list[str]:
        """The other documents that are called so."""
        return [each for each in documents_called(name, self._view.documents.values()) if each != document_id]

    def _in_force(self, name: str, document_id: str) -> str:
        """The one other document that is called so, or the one of them that no other took the place of; "" where there is none."""
        known = self._known(name, document_id) if name else []
        current = known if len(known) == 1 else [each for each in known if each not in self._superseded]
        return current[0] if len(current) == 1 else ""

    @cached_property
    def _superseded(self) -> frozenset[str]:
        return frozenset(superseded_documents(self._view))

    def _numbered(self, document_id: str, number: str) -> tuple[tuple[WaiverTarget, ...], str]:
        """The sentences under a number of a document; the whole document where there is none, and why."""
        items = [each for each in self._statements(document_id) if number and _under(each.locator, number)]
        if items:
            return tuple(self._target(item) for item in _binding_first(items)[:MOST_TARGETS]), ""
        whole = WaiverTarget(item_id="", document=self._view.documents[document_id].name, document_id=document_id)
        return (whole,), f"the document has no sentence under {number}" if number else ""

    def _read_statements(self, document_id: str) -> tuple[Extraction, ...]:
        return tuple(self._view.each_extraction_of(document_id, _NORMS))

    def _target(self, item: Extraction) -> WaiverTarget:
        return WaiverTarget(
            item_id=item.extraction_id,
            document=self._view.documents[item.document_id].name,
            document_id=item.document_id,
            locator=item.locator,
            text=item.source_text,
            char_start=item.char_offset_start,
            char_end=item.char_offset_end,
        )


def _under(locator: str, number: str) -> bool:
    """Whether a printed path is a number or lies below it: "4.2(a)" below "4.2", "4.20" not."""
    return locator == number or (locator.startswith(number) and not locator[len(number)].isalnum())


def _binding_first(items: Sequence[Extraction]) -> list[Extraction]:
    """What binds before what only states, each in the order of the text, each place once."""
    places: dict[tuple[int, int], Extraction] = {}
    for each in items:
        places.setdefault((each.char_offset_start, each.char_offset_end), each)
    return sorted(places.values(), key=lambda each: each.extraction_kind not in ("obligation", "prohibition"))
