"""Lists as programs get them: of documents, and of what an item was derived from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field

from coditect.schemas.profile import Profile
from coditect.schemas.query import Source
from coditect.schemas.record import Record

__all__ = ["DocumentListing", "DrillDown", "ListedDocument"]


class ListedDocument(Record):
    """A document of a generation: what it is called, what is known of it, and what its dates say on a day.

    It can be read as the JSON that it came from, too: ``each["name"]``, ``each.get("profile")``, ``dict(each)``.
    """

    name: str = Field(description="In the corpus.")
    document_id: str
    version_id: str
    standing: tuple[str, ...] = Field(
        default=(), description="'superseded by …', 'not in force before …', 'in force until …', 'overdue: …'."
    )
    profile: Profile | None = Field(
        default=None,
        description="Role, title, dates, owner, parties; null where the generation is of a former release.",
    )

    @property
    def role(self) -> str:
        """What it is: law, rule, policy, contract …; "" where that is not known."""
        return "" if self.profile is None else self.profile.told("role")

    def keys(self) -> Iterator[str]:
        """Names of the fields, as of the JSON."""
        return iter(self._json())

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 - any JSON value
        """A field as JSON has it; ``default`` where there is none."""
        return self._json().get(name, default)

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - any JSON value
        """A field as JSON has it."""
        return self._json()[name]

    def __contains__(self, name: object) -> bool:
        """Whether there is such a field."""
        return name in self._json()

    def _json(self) -> dict[str, Any]:
        profile = None if self.profile is None else self.profile.model_dump(mode="json", exclude_none=True)
        return {**self.model_dump(mode="json", exclude={"profile"}), "profile": profile}


class DocumentListing(Record):
    """The documents of a generation, by name, or a page of them."""

    corpus_id: str
    generation: int
    today: str = Field(description="The day that dates were held against, ISO 8601.")
    documents: tuple[ListedDocument, ...]
    erased_documents: int = Field(
        default=0, ge=0, description="Documents of it that were erased since, and are not listed."
    )


class DrillDown(Record):
    """An item, and the items one tier below it. An extraction is the end: it stands in the file at its offsets."""

    format: Literal["drilldown/2"] = Field(
        default="drilldown/2", description="Of answers that hold the item itself; former ones named none."
    )
    item_id: str
    item: Source | None = Field(
        default=None,
        description="The item itself: its words, where they stand, and the hash of the file; without its sources.",
    )
    sources: tuple[Source, ...] = Field(default=(), description="The items one tier below; none below an extraction.")
