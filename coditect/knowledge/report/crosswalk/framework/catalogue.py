"""The requirements of an OSCAL catalogue: the parts of each control's statement, items with the words that lead to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from coditect.documents.layout import version_source
from coditect.documents.source import Block
from coditect.errors import UsageError
from coditect.knowledge.report.crosswalk.framework.parts import RequirementPart
from coditect.schemas import DocumentVersion
from coditect.store.view import View
from coditect.verify.requirements.wording import RequirementWording, names_who_alone, read_wording

__all__ = ["CATALOGUE_READER", "catalogue_parts"]

CATALOGUE_READER = "oscal/"
"""How the name of the reader of OSCAL catalogues begins."""

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


def catalogue_parts(view: View, version: DocumentVersion) -> list[RequirementPart]:
    """The parts of a catalogue, in the order of its text.

    Raises:
        UsageError: two controls have one id.
    """
    text = view.text_of(version)
    layout = view.store.get_blob(version.corpus_id, version.layout_sha256, version.layout_bytes)
    parts: list[RequirementPart] = []
    controls: dict[str, str] = {}
    for family, control, blocks in _controls(text, version_source(version, text, layout).blocks):
        title = text[control.start : control.end]
        if control.label in controls:
            raise UsageError(
                "two controls of the catalogue have one id",
                id=control.label,
                document=version.name,
                first=controls[control.label],
                second=title,
                hint="Give each its own id in the catalogue, ingest and build again.",
            )
        controls[control.label] = title
        parts += _of_control(text, family, control, _whole(blocks), version.name)
    return parts


def _whole(blocks: list[Block]) -> list[Block]:
    """The same with the paragraphs of one part joined: they have its one id."""
    joined: list[Block] = []
    for block in blocks:
        if joined and block.label and block.label == joined[-1].label and block.kind == "paragraph":
            joined[-1] = replace(joined[-1], end=block.end)
        else:
            joined.append(block)
    return joined


def _of_control(
    text: str, family: str, control: Block, blocks: list[Block], document: str
) -> Iterator[RequirementPart]:
    title = text[control.start : control.end]
    leads: list[str] = []
    for number, block in enumerate(blocks):
        printed = text[block.start : block.end]
        depth = block.level if block.kind == "list_item" else 0
        leads = [*leads[:depth], *([""] * (depth - len(leads))), printed]
        behind = blocks[number + 1] if number + 1 < len(blocks) else None
        leads_on = behind is not None and behind.kind == "list_item" and behind.level > depth
        if leads_on and printed.rstrip().endswith(":"):
            continue  # a lead-in is read with each of its items
        wording = _led(printed, leads[:-1])
        if wording.text:
            name = block.label or f"{control.label}.{number + 1}"
            yield RequirementPart(
                control.label, name, family, title, document, printed, block.start, block.end, wording
            )


def _led(printed: str, leads: list[str]) -> RequirementWording:
    """A part with the lead-ins above it, unless these say only who is asked."""
    opening = [read_wording(each) for each in leads if each.rstrip().endswith(":")]
    above = " ".join(each.text for each in opening if not names_who_alone(each.text))
    wording = read_wording(printed)
    if not above:
        return wording
    return replace(
        wording,
        text=read_wording(f"{above} {wording.text}").text,
        filled=f"{above} {wording.filled}" if wording.filled else "",
        parameters=(*(name for each in opening for name in each.parameters), *wording.parameters),
        item=wording.text,
        choices=(*(each for lead in opening for each in lead.choices), *wording.choices),
        required=(*(name for each in opening for name in each.required), *wording.required),
    )


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
        if title.casefold().startswith(_NOT_REQUIRED) or (control is not None and _is_part(block, control, title)):
            asks = not title.casefold().startswith(_NOT_REQUIRED) and block.label.endswith(title)
            continue
        if control is not None and own:
            yield family, control, own
        headings = {level: each for level, each in headings.items() if level < block.level}
        family = headings.get(2, "")
        headings[block.level] = title
        control, own, asks = block, [], True
    if control is not None and own:
        yield family, control, own


def _is_part(heading: Block, control: Block, title: str) -> bool:
    """Whether a heading opens a part of a control: its id continues the control's, or ends with what is printed ("SR-03.09.01")."""
    named = "_" in heading.label and heading.label.endswith(title) and heading.level > control.level
    return named or heading.label.startswith(f"{control.label}_")
