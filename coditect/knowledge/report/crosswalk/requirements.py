"""The requirements of a framework, part by part: of an OSCAL catalogue its statements, of any other document its norms."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from coditect.documents.layout import version_source
from coditect.documents.source import Block
from coditect.knowledge.query.filters import matching_documents
from coditect.schemas import DocumentVersion
from coditect.store.view import View
from coditect.verify.requirements.wording import RequirementWording, names_who_alone, read_wording

__all__ = ["Framework", "RequirementPart", "read_framework"]

_NOT_REQUIRED = (
    "guidance",
    "discussion",
    "supplemental",
    "assessment",
    "reference",
    "example",
    "implementation example",
)
"""How headings of parts begin that explain a control and ask nothing."""

_READER = "oscal/1"


@dataclass(frozen=True, slots=True)
class RequirementPart:
    """A part of a requirement, where it stands.

    Attributes:
        requirement_id: of the control or provision.
        part_id: of the part; unique in the framework.
        family: heading above the requirement.
        title: of the requirement.
        document: name.
        text: verbatim.
        start: first code point.
        end: one past the last.
        wording: ready to be compared; of an item with the words that lead to it.
    """

    requirement_id: str
    part_id: str
    family: str
    title: str
    document: str
    text: str
    start: int
    end: int
    wording: RequirementWording


class Framework:
    """The parts of some documents of a corpus, and which requirement each place of them belongs to.

    Attributes:
        parts: in the order of the documents' names and texts.
        by_requirement: the same by (document id, requirement).
    """

    def __init__(self) -> None:
        self.parts: list[RequirementPart] = []
        self.by_requirement: dict[tuple[str, str], list[RequirementPart]] = {}
        self._places: dict[str, tuple[list[int], list[str]]] = {}

    def add(self, document_id: str, parts: list[RequirementPart], places: list[tuple[int, str]]) -> None:
        """Take in the parts of a document, and from which offset on which requirement speaks."""
        self.parts += parts
        for part in parts:
            self.by_requirement.setdefault((document_id, part.requirement_id), []).append(part)
        self._places[document_id] = ([start for start, _ in places], [name for _, name in places])

    @property
    def documents(self) -> frozenset[str]:
        """Ids of its documents."""
        return frozenset(self._places)

    def at(self, document_id: str, offset: int) -> list[RequirementPart]:
        """The parts of the requirement that a place belongs to, guidance and assessment included; none elsewhere."""
        starts, names = self._places.get(document_id, ([], []))
        at = bisect_right(starts, offset) - 1
        return self.by_requirement.get((document_id, names[at]), []) if at >= 0 else []


def read_framework(view: View, names: tuple[str, ...] = ()) -> Framework:
    """Read the requirements of a generation.

    Args:
        view: the framework's corpus.
        names: of its documents, or patterns with ``*``; none: all of them.

    Raises:
        NotFound: no document is called so.
    """
    wanted = matching_documents(view, names) if names else frozenset(view.documents)
    framework = Framework()
    for version in sorted(view.documents.values(), key=lambda each: (each.name, each.document_id)):
        if version.document_id in wanted:
            read = _catalogue if version.reader == _READER else _provisions
            framework.add(version.document_id, *read(view, version))
    return framework


def _catalogue(view: View, version: DocumentVersion) -> tuple[list[RequirementPart], list[tuple[int, str]]]:
    text = view.text_of(version)
    layout = view.store.get_blob(version.corpus_id, version.layout_sha256, version.layout_bytes)
    parts: list[RequirementPart] = []
    places: list[tuple[int, str]] = []
    for family, control, blocks in _controls(text, version_source(version, text, layout).blocks):
        places.append((control.start, control.label))
        title = text[control.start : control.end]
        leads: list[str] = []
        for number, block in enumerate(blocks):
            printed = text[block.start : block.end]
            depth = block.level if block.kind == "list_item" else 0
            leads = [*leads[:depth], *([""] * (depth - len(leads))), printed]
            behind = blocks[number + 1] if number + 1 < len(blocks) else None
            if (
                printed.rstrip().endswith(":")
                and behind is not None
                and behind.kind == "list_item"
                and behind.level > depth
            ):
                continue  # a lead-in is read with each of its items
            told = (read_wording(each).text for each in leads[:-1] if each.rstrip().endswith(":"))
            above = " ".join(each for each in told if not names_who_alone(each))
            wording = read_wording(printed)
            if above:
                own = read_wording(f"{above} {wording.text}")
                full = [read_wording(each).parameters for each in leads[:-1] if each.rstrip().endswith(":")]
                wording = RequirementWording(
                    own.text,
                    (*(name for names in full for name in names), *wording.parameters),
                    wording.asks_how_often,
                    wording.asks_how_long,
                    wording.text,
                )
            if wording.text:
                name = block.label or f"{control.label}.{number + 1}"
                parts.append(
                    RequirementPart(
                        control.label, name, family, title, version.name, printed, block.start, block.end, wording
                    )
                )
    return parts, places


def _controls(text: str, blocks: tuple[Block, ...]) -> Iterator[tuple[str, Block, list[Block]]]:
    """(family, heading of the control, blocks of its statement) of each control of a catalogue that is not withdrawn."""
    family, asks = "", True
    control: Block | None = None
    own: list[Block] = []
    headings: dict[int, str] = {}
    for block in blocks:
        if block.kind != "heading":
            if control is not None and asks:
                own.append(block)
            continue
        title = text[block.start : block.end]
        if title.casefold().startswith(_NOT_REQUIRED) or "_" in block.label:
            asks = False
            continue
        if control is not None and own:
            yield family, control, own
        headings = {level: each for level, each in headings.items() if level < block.level}
        family = headings.get(2, "")
        headings[block.level] = title
        control, own, asks = block, [], True
    if control is not None and own:
        yield family, control, own


def _provisions(view: View, version: DocumentVersion) -> tuple[list[RequirementPart], list[tuple[int, str]]]:
    parts = []
    places = []
    for item in view.each_extraction(version.document_id):
        if item.extraction_kind not in ("obligation", "prohibition"):
            continue
        name = item.locator or item.extraction_id
        places.append((item.char_offset_start, name))
        parts.append(
            RequirementPart(
                name,
                item.extraction_id,
                version.title or version.name,
                item.heading,
                version.name,
                item.source_text,
                item.char_offset_start,
                item.char_offset_end,
                read_wording(item.source_text),
            )
        )
    return parts, places
