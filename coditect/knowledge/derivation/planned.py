"""What a build plans for documents, and what of it stays from build to build in a process that lives on.

The ids of what is derived of a document are hashes of what it is made of and how. A document that is planned as it was planned at
the last build has those that it is published under, so that neither they nor its profile's are worked out again, and its rows are
not looked up: the build before did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from coditect.knowledge.derivation.plan import ChunkPlan, DocumentPlan, PassagePlan, practising_role
from coditect.schemas import BuildSettings, DocumentVersion, Intake, Review, TreeEntry

__all__ = ["NOTHING_PLANNED", "PlannedDocuments", "plan_each"]


@dataclass(frozen=True, slots=True)
class PlannedDocuments:
    """What a build by rules planned, for the next one of the same process.

    Attributes:
        documents: those of the generation that it published, by document id.
        intake: what it read of the corpus' intake (:class:`~coditect.store.read_rows.ReadRows`).
    """

    documents: Mapping[str, DocumentPlan]
    intake: Mapping[bytes, tuple[bytes, Intake]]


NOTHING_PLANNED = PlannedDocuments({}, {})
"""Where no build went before, or models played a part in it."""


def plan_each(
    present: Sequence[tuple[Intake, DocumentVersion]],
    settings: BuildSettings,
    cut: PassagePlan | None,
    decided: Mapping[str, tuple[Review, ...]],
    planned: Mapping[str, DocumentPlan],
    published: Mapping[str, TreeEntry],
) -> list[DocumentPlan]:
    """How each document is derived, in order.

    Args:
        present: versions of documents, each with what its intake says.
        settings: the user's choices.
        cut: how documents are cut into passages where nobody decided anything of them; None: they are not.
        decided: what persons decided of extractions, by the name of the document.
        planned: documents of the last build of this process, by id.
        published: how these are listed in the generation that it published, by id.
    """
    plain = ChunkPlan(settings.extraction_method), cut
    plans = []
    for record, version in present:
        own, stated = decided.get(version.name, ()), practising_role(record.declared)
        chunks, passages = plain
        if own or stated:
            chunks = replace(chunks, decisions=own, stated_role=stated)
            passages = cut and replace(cut, decisions=own, stated_role=stated)
        before = planned.get(version.document_id)
        is_as_before = (
            before is not None
            and before.version is version
            and before.is_derived_alone
            and (before.chunks, before.passages, before.declared) == (chunks, passages, record.declared)
        )
        if before is not None and is_as_before:
            plans.append(before.listed_as(published.get(version.document_id)))
        else:
            plans.append(DocumentPlan(version, chunks, passages, declared=record.declared))
    return plans
