"""What a build plans for each document: which derivations of it are wanted, and the ids that they will have.

The ids are hashes of what is made of what, and how. A document that is planned as it was at the last build of a process that lives
on has those that it is published under: neither they nor its profile's are worked out again, and its rows are not looked up, which
the build before did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from coditect.errors import UsageError
from coditect.models.port import Embedder, ModelSources, Tokenizer
from coditect.schemas import (
    BuildSettings,
    DeclaredProfile,
    Derivation,
    DocumentVersion,
    Extraction,
    ExtractionMethod,
    Intake,
    PassageSettings,
    Review,
    Stage,
    TreeEntry,
    derivation_id_for,
)
from coditect.tiers.chunks.summaries import CHUNKS_VERSION
from coditect.tiers.extractions.document import EXTRACTIONS_VERSION, STATED
from coditect.tiers.passages import PASSAGES_VERSION
from coditect.tiers.readings.told import READINGS_VERSION, ReadBy, ToldDocument

__all__ = [
    "NOTHING_PLANNED",
    "ChunkPlan",
    "DocumentPlan",
    "PassagePlan",
    "PlannedDocuments",
    "extractions_step",
    "passage_plan",
    "plan_each",
    "practising_role",
]

_Made = tuple[Stage, tuple[str, ...], str, dict[str, Any], str]
"""Of a step: its stage, what it is made of, how, by which parameters, and by which version of the code."""


@dataclass(frozen=True, slots=True)
class PassagePlan:
    """How passages are cut in this build; sent to worker processes.

    Attributes:
        settings: the user's choices.
        tokenizer_id: names the tokenizer that counts their tokens.
        tokenizer: opens that tokenizer.
        embedder_id: names the embedder that finds their borders; "" unless they are semantic.
        embedder: opens that embedder.
        decisions: what persons decided of the document's extractions.
        read_by: who reads its norms beside the rules; None: nobody.
        stated_role: as :attr:`ChunkPlan.stated_role`.
    """

    settings: PassageSettings
    tokenizer_id: str
    tokenizer: Callable[[], Tokenizer]
    embedder_id: str = ""
    embedder: Callable[[], Embedder | None] | None = None
    decisions: tuple[Review, ...] = ()
    read_by: ReadBy | None = None
    stated_role: str = ""

    @property
    def parameters(self) -> dict[str, object]:
        """What a passage depends on, beside the document."""
        return {
            **self.settings.model_dump(mode="json"),
            "tokenizer": self.tokenizer_id,
            **({"embedder": self.embedder_id} if self.embedder_id else {}),
        }

    def step_for(self, version: DocumentVersion) -> Derivation:
        """The step that cuts a document version, without its outputs."""
        return Derivation.create(version.corpus_id, *self._made(version))

    def id_for(self, version: DocumentVersion, extractions: str) -> str:
        """The id of that step, by the id of the step of its Tier 1 (:func:`extractions_id`)."""
        return derivation_id_for(version.corpus_id, *self._made_of(extractions))

    def _made(self, version: DocumentVersion) -> _Made:
        return self._made_of(extractions_id(version, self.decisions, self.read_by, self.stated_role))

    def _made_of(self, extractions: str) -> _Made:
        return "passages", (extractions,), self.settings.boundaries, self.parameters, PASSAGES_VERSION


@dataclass(frozen=True, slots=True)
class ChunkPlan:
    """How Tier 2 of a document is made in this build.

    Attributes:
        method: how sentences are chosen.
        mapped: extractions that a model found, beside those of the rules.
        mapped_id: the derivation that they are outputs of; "" where no model was asked.
        selections: sentences that a model chose; see :func:`coditect.tiers.chunks.summaries.chunk_records`.
        selector: version of the role that chose them; "" where none did.
        decisions: what persons decided of the document's extractions; parameters of its Tier 1.
        read_by: who reads its norms beside the rules; a parameter of its Tier 1. None: nobody.
        told: what that is, where Tier 1 or what is made of it is still to be made.
        stated_role: the role that a manifest states, where it makes the present tense tell duties; a parameter of its Tier 1.
    """

    method: ExtractionMethod
    mapped: tuple[Extraction, ...] = ()
    mapped_id: str = ""
    selections: Mapping[int, tuple[int, ...]] | None = None
    selector: str = ""
    decisions: tuple[Review, ...] = ()
    read_by: ReadBy | None = None
    told: ToldDocument | None = None
    stated_role: str = ""

    @property
    def parameters(self) -> dict[str, str]:
        """What a chunk depends on, beside Tier 1 and the method."""
        return {"selector": self.selector} if self.selector else {}

    def inputs_of(self, extractions: str) -> tuple[str, ...]:
        """The derivations of Tier 1 that it selects from, by the id of that of the rules (:func:`extractions_id`)."""
        return (extractions, self.mapped_id) if self.mapped_id else (extractions,)

    def step_for(self, version: DocumentVersion) -> Derivation:
        """The step that makes Tier 2 of a document version, without its outputs."""
        return Derivation.create(version.corpus_id, *self._made(version))

    def id_for(self, version: DocumentVersion, extractions: str) -> str:
        """The id of that step, by the id of the step of its Tier 1 (:func:`extractions_id`)."""
        return derivation_id_for(version.corpus_id, *self._made_of(extractions))

    def tier1_step(self, version: DocumentVersion) -> Derivation:
        """The step that makes Tier 1 of a document version beside what the mapper finds, without its outputs."""
        return extractions_step(version, self.decisions, self.read_by, self.stated_role)

    def tier1_id(self, version: DocumentVersion) -> str:
        """The id of that step."""
        return extractions_id(version, self.decisions, self.read_by, self.stated_role)

    def _made(self, version: DocumentVersion) -> _Made:
        return self._made_of(self.tier1_id(version))

    def _made_of(self, extractions: str) -> _Made:
        return "chunks", self.inputs_of(extractions), self.method, dict(self.parameters), CHUNKS_VERSION


def extractions_step(
    version: DocumentVersion, decisions: Sequence[Review] = (), read_by: ReadBy | None = None, stated_role: str = ""
) -> Derivation:
    """The step by which rules make Tier 1 of a document version, and what persons decided of it is applied, without its outputs.

    Args:
        version: the document version.
        decisions: what persons decided.
        read_by: the model whose reading takes the place of the rules' where it is sound; None: none.
        stated_role: the role that a manifest states, where it makes the present tense tell duties; "" for none.
    """
    return Derivation.create(version.corpus_id, *_extractions(version, decisions, read_by, stated_role))


def extractions_id(
    version: DocumentVersion, decisions: Sequence[Review] = (), read_by: ReadBy | None = None, stated_role: str = ""
) -> str:
    """The id of :func:`extractions_step`, which costs a tenth of the step."""
    return derivation_id_for(version.corpus_id, *_extractions(version, decisions, read_by, stated_role))


def practising_role(declared: DeclaredProfile | None) -> str:
    """The role that a manifest states, where it makes the present tense of a document tell duties; "" elsewhere."""
    return declared.role if declared is not None and declared.role is not None and declared.role in STATED else ""


def _extractions(
    version: DocumentVersion, decisions: Sequence[Review], read_by: ReadBy | None, stated_role: str
) -> _Made:
    parameters: dict[str, Any] = {"reviews": sorted(each.review_id for each in decisions)} if decisions else {}
    parameters |= {"stated_role": stated_role} if stated_role else {}
    if read_by is None:
        return "extractions", (version.version_id,), "rules", parameters, EXTRACTIONS_VERSION
    parameters |= {"role": read_by.version, "model": read_by.model}
    return "extractions", (version.version_id,), read_by.role, parameters, f"{EXTRACTIONS_VERSION} {READINGS_VERSION}"


@dataclass(slots=True)
class DocumentPlan:
    """One document of a build. What models do of it is filled in before and after its derivation.

    Attributes:
        version: the document version.
        chunks: how its Tier 2 is made.
        passages: how it is cut into passages; None: it is not.
        situated_id: the derivation of its passages with a context by a model; "" where there is none.
        named_id: the derivation of the sentences of Tier 2 that a model named beside those chosen; "" where there is none.
        former: the ids of those of its steps that a former release finished, by stage.
        declared: what a manifest states of it; None where none does.
        listed: how the current generation lists it, where that was built from this plan; None elsewhere.
    """

    version: DocumentVersion
    chunks: ChunkPlan
    passages: PassagePlan | None
    situated_id: str = ""
    named_id: str = ""
    former: dict[Stage, str] = field(default_factory=dict)
    declared: DeclaredProfile | None = None
    listed: TreeEntry | None = None
    _entered: tuple[tuple[object, ...], tuple[str, ...], TreeEntry] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    @property
    def steps(self) -> dict[Stage, str]:
        """The derivations that are made of its text alone, by stage."""
        return self._planned(self.chunks.tier1_id(self.version)) | self.former

    def _planned(self, own: str) -> dict[Stage, str]:
        """The same without former ids, by that of the step of its Tier 1, which all others are made of."""
        steps: dict[Stage, str] = {"extractions": own, "chunks": self.chunks.id_for(self.version, own)}
        if self.passages is not None:
            steps["passages"] = self.passages.id_for(self.version, own)
        return steps

    @property
    def entry(self) -> TreeEntry:
        """The document as the generation lists it, made once for what is planned."""
        if self.listed is not None:
            return self.listed
        plans, rest = (self.chunks, self.passages), (self.situated_id, self.named_id, *self.former.values())
        known = self._entered
        if known is None or known[1] != rest or any(a is not b for a, b in zip(known[0], plans, strict=True)):
            self._entered = known = plans, rest, self._entry
        return known[2]

    @property
    def _entry(self) -> TreeEntry:
        own = self.chunks.tier1_id(self.version)
        steps = self._planned(own) | self.former
        passages, entered = self.situated_id or steps.get("passages", ""), steps["extractions"]
        return TreeEntry(
            document_id=self.version.document_id,
            version_id=self.version.version_id,
            extractions=tuple(entered if each == own else each for each in self.chunks.inputs_of(own)),
            chunks=(steps["chunks"], *([self.named_id] if self.named_id else [])),
            passages=(passages,) if passages else (),
        )

    @property
    def is_derived_alone(self) -> bool:
        """Whether rules alone make it, as this release does."""
        return not (self.situated_id or self.named_id or self.former or self.chunks.mapped_id or self.chunks.read_by)

    def listed_as(self, entry: TreeEntry | None) -> DocumentPlan:
        """The same plan of a document that stays as it is.

        Args:
            entry: how the current generation lists it, which was built from this plan; None where it does not.
        """
        return self if entry is self.listed else replace(self, listed=entry)

    def read_with(self, read_by: ReadBy | None) -> None:
        """Plan that a model reads the norms beside the rules, or give up on that."""
        self.listed = None
        self.chunks = replace(self.chunks, read_by=read_by, told=None)
        self.passages = self.passages and replace(self.passages, read_by=read_by)

    def select_by_rules(self) -> None:
        """Give up on a model's selection: its Tier 2 is made by TextRank."""
        self.listed = None
        self.chunks = replace(self.chunks, method="textrank", selections=None, selector="")


def passage_plan(settings: BuildSettings, models: ModelSources) -> PassagePlan | None:
    """How documents are cut into passages in a build; None where they are not.

    Raises:
        UsageError: borders are to be found by meaning, and there is no embedder.
    """
    if settings.passages is None or models.tokenizer is None:
        return None
    tokenizer_id = models.tokenizer().tokenizer_id
    if settings.passages.boundaries != "semantic":
        return PassagePlan(settings.passages, tokenizer_id, models.tokenizer)
    embedder = models.embedder() if models.embedder is not None else None
    if embedder is None:
        raise UsageError(
            "semantic borders need an embedder", hint="Configure one (CODITECT_EMBEDDER), or cut at sentences."
        )
    return PassagePlan(settings.passages, tokenizer_id, models.tokenizer, embedder.card.model_id, models.embedder)


@dataclass(frozen=True, slots=True)
class PlannedDocuments:
    """What a build by rules planned, for the next one of the same process.

    Attributes:
        documents: those of the generation that it published, by document id.
        intake: what it read of the corpus' intake (:class:`~coditect.store.rows.ReadRows`).
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
