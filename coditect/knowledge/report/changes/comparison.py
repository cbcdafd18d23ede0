"""What changed between two generations of a corpus, or between two documents of one, provision by provision."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from coditect.documents.layout import page_of, version_source
from coditect.documents.source import PageSpan
from coditect.errors import NotFound
from coditect.knowledge.query.filters import matching_documents
from coditect.schemas import (
    CarriedProvision,
    ChangedSide,
    DocumentChanges,
    DocumentVersion,
    DutyClass,
    Extraction,
    ProvisionChange,
)
from coditect.store.view import View
from coditect.tiers.changes.classification import Difference, differences
from coditect.tiers.changes.duties import DUTY_CLASSES, duties_in
from coditect.tiers.changes.provisions import Provision, provisions_of
from coditect.tiers.extractions.document import DocumentReading, read_document

__all__ = ["ReadVersion", "compare_documents", "document_named", "in_order", "paired_documents"]


@dataclass(eq=False)
class ReadVersion:
    """A version of a document, read again from its stored text; nothing is read before it is asked for.

    Attributes:
        view: the generation that holds it.
        version: the record.
    """

    view: View
    version: DocumentVersion

    @cached_property
    def reading(self) -> DocumentReading:
        """Its text, outline and sentences."""
        layout = self.view.store.get_blob(self.version.corpus_id, self.version.layout_sha256, self.version.layout_bytes)
        return read_document(version_source(self.version, self.view.text_of(self.version), layout))

    @cached_property
    def pages(self) -> tuple[PageSpan, ...]:
        """Its page map; empty for formats without pages."""
        return self.reading.source.pages

    @cached_property
    def provisions(self) -> tuple[Provision, ...]:
        """Its provisions, in order."""
        return provisions_of(self.reading)

    @cached_property
    def _extractions(self) -> tuple[list[int], list[Extraction]]:
        ordered = sorted(self.view.extractions(self.version.document_id), key=lambda each: each.char_offset_start)
        return [each.char_offset_start for each in ordered], ordered

    @property
    def duties(self) -> int:
        """How many duties are read in it, whole."""
        return duties_in(self.view.each_extraction(self.version.document_id))

    def inside(self, provision: Provision) -> Sequence[Extraction]:
        """Tier 1 that begins inside a provision."""
        _, start, end = self.reading.quote(provision.start, provision.end)
        starts, ordered = self._extractions
        return ordered[bisect_left(starts, start) : bisect_left(starts, end)]

    def side(self, provision: Provision) -> ChangedSide:
        """A provision with its verbatim text and where it stands."""
        text, start, end = self.reading.quote(provision.start, provision.end)
        return ChangedSide(
            version_id=self.version.version_id,
            place=provision.place,
            cited=provision.cited,
            heading=provision.heading,
            text=text.strip() or text,
            char_start=start + len(text) - len(text.lstrip()) if text.strip() else start,
            char_end=end - (len(text) - len(text.rstrip())) if text.strip() else end,
            page=page_of(self.pages, start) if self.pages else None,
            extraction_ids=tuple(each.extraction_id for each in self.inside(provision)),
        )


def document_named(view: View, name: str) -> DocumentVersion:
    """The document of a generation that is called so.

    Raises:
        NotFound: there is none; the hint names some.
    """
    found = [view.documents[each] for each in matching_documents(view, (name,))]
    if len(found) == 1:
        return found[0]
    raise NotFound(
        "several documents are called so" if found else "no document is called so",
        document=name,
        hint="Give one name: " + ", ".join(sorted(each.name for each in found)[:5]) if found else None,
    )


def paired_documents(
    before: View, after: View, names: Sequence[str] = ()
) -> Iterator[tuple[DocumentVersion | None, DocumentVersion | None]]:
    """Which document of a generation is which of another, by name; by equal text where a name is gone and another one came.

    Args:
        before: the earlier generation.
        after: the later one.
        names: restricts to documents that are called so in either, or whose names a pattern with * fits.

    Raises:
        NotFound: a name is of no document of either.
    """
    wanted: set[str] | None = None
    if names:
        wanted = set()
        for name in names:
            found = {each for view in (before, after) for each in _matching(view, name)}
            if not found:
                raise NotFound(
                    "no document is called so in either generation",
                    document=name,
                    hint="'coditect knowledge documents' lists them; a pattern may have *.",
                )
            wanted |= found
    old, new = before.documents, after.documents
    gone = {each.text_sha256: each for key, each in sorted(old.items()) if key not in new}
    renamed = {
        key: gone.pop(each.text_sha256)
        for key, each in sorted(new.items())
        if key not in old and each.text_sha256 in gone
    }
    former = {each.document_id for each in renamed.values()}
    pairs = [(old.get(key) or renamed.get(key), new.get(key)) for key in {*old, *new} - former]
    for a, b in sorted(pairs, key=lambda pair: _named(*pair)):
        if wanted is None or {each.document_id for each in (a, b) if each is not None} & wanted:
            yield a, b


def _named(old: DocumentVersion | None, new: DocumentVersion | None) -> tuple[str, str]:
    """What documents are put in order by: the later name, then the id."""
    there = new or old
    return (there.name, there.document_id) if there is not None else ("", "")


def _matching(view: View, name: str) -> frozenset[str]:
    try:
        return matching_documents(view, (name,))
    except NotFound:
        return frozenset()


def compare_documents(old: ReadVersion | None, new: ReadVersion | None, first: int) -> DocumentChanges:
    """What happened to a document; one that came or went has all its provisions as one line.

    Args:
        old: its earlier version; None for one that was added.
        new: its later version; None for one that was removed.
        first: the number of its first change.
    """
    if old is None or new is None:
        there = new or old
        assert there is not None  # noqa: S101 - one of two
        status: DutyClass = "added" if old is None else "removed"
        count = there.duties
        return DocumentChanges(document=there.version.name, status=status, duties={status: count} if count else {})
    found, unchanged = differences(old.provisions, new.provisions, old.inside, new.inside)
    told: Counter[DutyClass] = Counter()
    for each in found:
        told.update(each.duties)
    return DocumentChanges(
        document=new.version.name,
        former=old.version.name if old.version.name != new.version.name else "",
        status="changed",
        unchanged=unchanged,
        changes=tuple(_change(number, each, old, new) for number, each in enumerate(found, first)),
        duties=in_order(told),
    )


def _change(number: int, difference: Difference, old: ReadVersion, new: ReadVersion) -> ProvisionChange:
    return ProvisionChange(
        number=number,
        kind=difference.kind,
        duty=difference.duty,
        before=old.side(difference.old) if difference.old is not None else None,
        after=new.side(difference.new) if difference.new is not None else None,
        words=difference.words,
        fields=difference.fields,
        carried=tuple(
            CarriedProvision(
                before=a.place, after=b.place, extraction_ids=tuple(each.extraction_id for each in new.inside(b))
            )
            for a, b in difference.carried
        ),
        weight=difference.weight,
        duties=in_order(difference.duties),
    )


def in_order(told: Mapping[DutyClass, int]) -> dict[DutyClass, int]:
    """Numbers of duties in the order in which they are told, without those that are 0."""
    return {name: told[name] for name in DUTY_CLASSES if told.get(name)}
