"""A part of a requirement, and all parts of a framework by where they stand."""

from __future__ import annotations

from dataclasses import dataclass

from coditect.errors import UsageError
from coditect.schemas.crosswalk import FrameworkColumns
from coditect.verify.requirements.wording import RequirementWording

__all__ = ["Framework", "RequirementPart"]


@dataclass(frozen=True, slots=True)
class RequirementPart:
    """A part of a requirement, where it stands.

    Attributes:
        requirement_id: of the control or provision.
        part_id: of the part; unique in its document.
        family: heading above the requirement.
        title: of the requirement.
        document: name.
        text: verbatim.
        start: first code point.
        end: one past the last.
        wording: ready to be compared; of an item with the words that lead to it.
        read_with: the paragraph whose words it is read with, since it only says when or how what that asks is done; else "".
        tells_itself: whether it says what it is about without its title: the sentence of a regulation does, "encrypt it" does not.
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
    tells_itself: bool = False
    read_with: str = ""

    @property
    def matter(self) -> str:
        """The title that somebody who answers has to speak of; "" where the words tell it themselves."""
        return "" if self.tells_itself else self.title


class Framework:
    """The parts of some documents of a corpus.

    Attributes:
        parts: in the order of the documents' names and texts.
        by_requirement: the same by (document id, requirement), in the same order.
        documents: ids of the documents.
        columns: what its tables were read by.
    """

    def __init__(self) -> None:
        self.parts: list[RequirementPart] = []
        self.by_requirement: dict[tuple[str, str], list[RequirementPart]] = {}
        self.documents: set[str] = set()
        self.columns: list[FrameworkColumns] = []

    def add(self, document_id: str, parts: list[RequirementPart]) -> None:
        """Take in the parts of a document.

        Raises:
            UsageError: two parts of it have one id, so that nobody could tell them apart.
        """
        seen: dict[str, RequirementPart] = {}
        for part in parts:
            other = seen.setdefault(part.part_id, part)
            if other is not part:
                raise UsageError(
                    "two requirements of the framework have one id",
                    id=part.part_id,
                    document=part.document,
                    first=_shown(other),
                    second=_shown(part),
                    hint="Give each its own id in the source, ingest and build again.",
                )
            self.by_requirement.setdefault((document_id, part.requirement_id), []).append(part)
        self.parts += parts
        self.documents.add(document_id)


def _shown(part: RequirementPart) -> str:
    return f"characters {part.start}-{part.end}: {part.text[:60]}"
