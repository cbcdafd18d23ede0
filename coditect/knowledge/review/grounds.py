"""What a sentence is compared with: statements of a generation, as the checker reads them, of documents that are not superseded.

A document that another one has taken the place of supports nothing and denies nothing any more. What it says is kept apart, so
that a person hears where only it says a sentence. So is what an amendment replaces in an agreement (ADR 145). Whom a contract
calls what is told beside its statements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from coditect.knowledge.query.sources import SourceBuilder
from coditect.knowledge.review.replaced import Replaced, ReplacedStatement
from coditect.language.provisions.composed import ComposedText
from coditect.schemas import Extraction, NormData, ProfileParty, Source, TextEvidence
from coditect.store.view import View
from coditect.tiers.findings.standing import Standings

__all__ = ["EVIDENCE", "Find", "FindGrounds", "SearchedGrounds", "TextGrounds"]

EVIDENCE = 10
"""Statements of the corpus that a sentence is compared with, at most."""

Find = Callable[[str], Sequence[Source]]
"""Statements of the corpus that speak to a sentence, best match first."""


@dataclass(frozen=True, slots=True)
class TextGrounds:
    """What a sentence is compared with.

    Attributes:
        evidence: the statements, best match first.
        former: statements of superseded documents, best match first, each with the name of the document that took its place.
        parties: those whom a document of the evidence calls something, with its id.
        replaced: statements of agreements that an amendment replaces in explicit words, best match first.
        titles: of the documents of the evidence that are known to have one, by their ids.
    """

    evidence: tuple[TextEvidence, ...] = ()
    former: tuple[tuple[TextEvidence, str], ...] = ()
    parties: tuple[tuple[str, ProfileParty], ...] = ()
    replaced: tuple[ReplacedStatement, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)

    def names_of(self, evidence: TextEvidence) -> tuple[str, ...]:
        """What the document of a statement is called: its name in the corpus, and its title where it has one."""
        title = self.titles.get(evidence.document_id, "")
        return (evidence.document_name, title) if title else (evidence.document_name,)


FindGrounds = Callable[[str], TextGrounds]
"""Finds what a sentence is compared with."""


class SearchedGrounds:
    """What a search of a generation finds for sentences."""

    def __init__(self, view: View, find: Find) -> None:
        """Of one generation.

        Args:
            view: the generation.
            find: searches it.
        """
        self._view = view
        self._find = find
        self._replaced = Replaced(view, self._as_evidence)

    def __call__(self, sentence: str) -> TextGrounds:
        """What a sentence is compared with."""
        found = _distinct(self._find(sentence))
        gone = self._successors
        read = self._read([each for each in found if each.document_id not in gone][:EVIDENCE])
        replaced = {each.item_id: told for each in read if (told := self._replaced.of(each)) is not None}
        evidence = [each for each in read if each.item_id not in replaced]
        former = self._read([each for each in found if each.document_id in gone][:EVIDENCE])
        return TextGrounds(
            tuple(evidence),
            tuple((each, gone[each.document_id]) for each in former),
            tuple(
                (document, party)
                for document in dict.fromkeys(each.document_id for each in read)
                if (profile := self._view.profiles.get(document)) is not None
                for party in profile.parties
                if party.called
            ),
            tuple(replaced.values()),
            {
                document: profile.title.value
                for document in dict.fromkeys(each.document_id for each in read)
                if (profile := self._view.profiles.get(document)) is not None and profile.title is not None
            },
        )

    @cached_property
    def _successors(self) -> dict[str, str]:
        """The names of the documents that took the place of others, by the ids of these."""
        view = self._view
        replaced = Standings(view.documents, view.profiles, view.manifest.settings.today or "").replaced
        return {former: view.documents[successor].name for former, successor in replaced.items()}

    def _as_evidence(self, item: Extraction) -> TextEvidence:
        return self._read([SourceBuilder(self._view).extraction(item)])[0]

    def _read(self, sources: Sequence[Source]) -> list[TextEvidence]:
        """Sources as the checker reads them; items of lists with their lead-ins and what follows the lists."""
        items = self._view.items(Extraction, [each.item_id for each in sources], [each.document_id for each in sources])
        return [
            TextEvidence(
                item_id=source.item_id,
                document_id=source.document_id,
                document_name=source.document_name,
                version_id=source.version_id,
                raw_sha256=source.raw_sha256,
                char_start=source.char_offset_start or 0,
                char_end=source.char_offset_end or 0,
                page=source.page,
                heading=source.heading,
                text=source.text,
                composed=_composed(self._view, item),
                locator=source.locator,
            )
            for source, item in zip(sources, items, strict=True)
        ]


def _distinct(sources: Sequence[Source]) -> list[Source]:
    """Sources without those that stand inside others, and without those that have no place in a file."""
    kept: list[Source] = []
    for source in sorted(sources, key=lambda each: -len(each.text)):
        if not any(_inside(source, other) for other in kept):
            kept.append(source)
    chosen = {id(each) for each in kept}
    return [each for each in sources if id(each) in chosen and each.char_offset_end is not None]


def _composed(view: View, item: Extraction) -> str:
    """The statement of which an item of a list is a part; "" of what stands for itself."""
    spans = item.tier1_data.spans if isinstance(item.tier1_data, NormData) else None
    if not spans:
        return ""
    places = [(span.start, span.end) for span in spans]
    return ComposedText(view.text(item.document_id), places[:-1], places[-1:]).text


def _inside(one: Source, other: Source) -> bool:
    if one.document_id != other.document_id or one.char_offset_start is None or other.char_offset_start is None:
        return False
    return other.char_offset_start <= one.char_offset_start and (one.char_offset_end or 0) <= (
        other.char_offset_end or 0
    )
