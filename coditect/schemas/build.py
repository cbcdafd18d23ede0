"""Builds: what was derived from what, which items make up a generation, and the pointer to the current one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, JsonValue

from coditect.errors import Corrupt
from coditect.schemas.chunk import ExtractionMethod
from coditect.schemas.passage import PassageSettings
from coditect.schemas.record import (
    FIRST_DIGEST_DIGITS,
    TAG_DIGITS,
    CorpusItem,
    Item,
    Record,
    canonical_json,
    content_id,
    record_name,
    sha256_hex,
    tag_of,
)

__all__ = [
    "OF_BLOBS",
    "AgentSettings",
    "BuildSettings",
    "Corpus",
    "Derivation",
    "FeedEntry",
    "FeedEvent",
    "Generation",
    "LeftOut",
    "Manifest",
    "Stage",
    "Tree",
    "TreeEntry",
    "commitment_to",
    "derivation_id_for",
    "first_derivation_id",
    "outputs_digest",
]

Stage = Literal["extractions", "chunks", "passages", "profile", "section", "summary", "vectors", "share"]

OF_BLOBS: frozenset[Stage] = frozenset(("vectors", "share"))
"""Stages whose outputs are no items: each is the SHA-256 of a blob, a colon, and its length."""

MOST_TOLD_BYTES = 2_000
"""Longer settings stand in the log by their SHA-256: a schema of extractions, hundreds of topics."""


def derivation_id_for(
    corpus_id: str, stage: Stage, inputs: tuple[str, ...], method: str, parameters: dict[str, Any], code_version: str
) -> str:
    """The id of a derivation, known before it is made: if it is stored, it need not be made again."""
    key = [stage, inputs, method, parameters, code_version]
    return content_id("derivation", tag_of(corpus_id), canonical_json(key))


def first_derivation_id(derivation_id: str) -> str:
    """The id that release 0.1.0 gave to the step that has this id now."""
    kept = len("derivation_") + TAG_DIGITS + FIRST_DIGEST_DIGITS
    return derivation_id[:kept]


def outputs_digest(outputs: Mapping[str, bytes]) -> str:
    """What a step commits to: SHA-256 over the SHA-256 of the stored bytes of each output, in the order of their ids.

    Args:
        outputs: SHA-256 of its bytes by id of an item, 32 bytes each.
    """
    return hashlib.sha256(b"".join(outputs[each] for each in sorted(outputs))).hexdigest()


class Derivation(Record):
    """A finished step: its inputs, how it was made, and the ids of what came out, in order.

    Stored after all its outputs are; its presence is the promise that they are there.
    """

    record_kind: ClassVar[str] = "derivation"

    derivation_id: str
    corpus_id: str
    stage: Stage
    inputs: tuple[str, ...]
    method: str
    parameters: dict[str, Any]
    code_version: str
    outputs: tuple[str, ...]
    outputs_sha256: str = Field(
        default="",
        description="SHA-256 over the SHA-256 of the stored bytes of each output, in the order of their ids. Empty where release "
        "0.1.0 finished the step, and where the outputs are hashes themselves.",
    )

    @classmethod
    def create(
        cls,
        corpus_id: str,
        stage: Stage,
        inputs: tuple[str, ...],
        method: str,
        parameters: dict[str, Any],
        code_version: str,
        outputs: tuple[str, ...] = (),
    ) -> Self:
        """Make a derivation and give it its id, which :func:`derivation_id_for` gives, too, and which no output changes."""
        return cls(
            derivation_id=derivation_id_for(corpus_id, stage, inputs, method, parameters, code_version),
            corpus_id=corpus_id,
            stage=stage,
            inputs=inputs,
            method=method,
            parameters=parameters,
            code_version=code_version,
            outputs=outputs,
        )

    def computed_id(self) -> str:
        """The id that these inputs must have, if the step is finished now."""
        return derivation_id_for(
            self.corpus_id, self.stage, self.inputs, self.method, self.parameters, self.code_version
        )

    def giving(self, outputs: Iterable[Item]) -> Self:
        """The step with what came out of it, and its commitment to that."""
        hashed = {item.item_id: hashlib.sha256(item.payload()).digest() for item in outputs}
        return self.model_copy(update={"outputs": tuple(hashed), "outputs_sha256": outputs_digest(hashed)})

    @property
    def commitment(self) -> bytes:
        """SHA-256 over what the step is and what came out of it, 32 bytes; the same whatever release reads the record."""
        return hashlib.sha256(canonical_json([self.derivation_id, self.outputs, self.outputs_sha256])).digest()

    @classmethod
    def parse(cls, payload: bytes, item_id: str = "") -> Self:
        """The derivation in ``payload``. Raises as :meth:`Record.parse`, and Corrupt if its id is not the hash of its inputs."""
        step = super().parse(payload, item_id)
        wanted = step.computed_id()
        # Release 0.1.0 kept fewer digits.
        if step.derivation_id != (wanted if record_name(payload)[0] else first_derivation_id(wanted)):
            raise Corrupt(
                "the derivation's id is not the hash of its inputs", check="hash", derivation_id=step.derivation_id
            )
        return step


def commitment_to(steps: Iterable[bytes]) -> str:
    """What a generation commits to of finished steps: SHA-256 over the commitments of each, in order."""
    return hashlib.sha256(b"".join(steps)).hexdigest()


class TreeEntry(Record):
    """One document of a generation, and its derivations."""

    document_id: str
    version_id: str
    extractions: tuple[str, ...] = Field(description="Derivation ids of its Tier 1; a build has one.")
    chunks: tuple[str, ...] = Field(description="Derivation ids of its Tier 2; a build has one.")
    passages: tuple[str, ...] = Field(
        default=(), description="Derivation ids of its passages; a build has one, or none."
    )
    profile: tuple[str, ...] = Field(default=(), description="Derivation ids of its profile; a build has one.")
    derivations_sha256: str = Field(
        default="",
        description="Commits to these derivations with their outputs, in the order of the fields above: SHA-256 over one SHA-256 "
        "of each. Empty in what release 0.1.0 built.",
    )

    @property
    def steps(self) -> tuple[str, ...]:
        """Its derivations, in the order in which it commits to them."""
        return (*self.extractions, *self.chunks, *self.passages, *self.profile)


class Tree(CorpusItem):
    """The documents of a generation whose ids share two hex digits; unchanged ones are shared by generations."""

    record_kind: ClassVar[str] = "tree"
    id_field: ClassVar[str] = "tree_id"

    tree_id: str
    entries: tuple[TreeEntry, ...] = Field(description="Ordered by document id.")


class AgentSettings(Record):
    """Which roles a language model plays in a build, and as what."""

    roles: dict[str, str] = Field(
        description="Version by role: its prompt, schema and model. Roles that are not here are played by rules, or by nobody."
    )
    extraction_schema: dict[str, Any] = Field(
        default_factory=dict, description="What the mapper looks for, as the user wrote it; empty: the default schema."
    )


class BuildSettings(Record):
    """What the user chose for a build."""

    extraction_method: ExtractionMethod = "textrank"
    max_synthesis_ratio: float = Field(default=0.2, ge=0.0, le=1.0)
    topics: tuple[str, ...] = Field(default=(), description="Empty: topics are found.")
    max_topics: int = Field(default=24, ge=1, le=500)
    minimum_support: float = Field(default=0.7, ge=0.0, le=1.0)
    passages: PassageSettings | None = Field(
        default=None,
        description="How documents are cut into passages. None: they are not; left out: as the settings of the run say.",
    )
    agents: AgentSettings | None = Field(default=None, description="None: rules alone.")
    today: str | None = Field(
        default=None,
        pattern=r"^\d{4}-\d{2}-\d{2}$",
        description="The day against which the documents' own dates are held; None asks the clock. A build keeps the last day, up "
        "to this one, on which one of these dates came or passed: on all days until the next it says the same. None where none "
        "did.",
    )


class LeftOut(Record):
    """What the corpus has at the time of a build, and the generation has not. What was withdrawn before is history, not state."""

    failed: int = Field(ge=0, description="Files that could not be taken in, or not be built.")
    repeated: int = Field(ge=0, description="Documents with the bytes of another one, which stands for both.")
    sha256: str = Field(description="Of their names, hashes and reasons as canonical JSON.")


class Manifest(CorpusItem):
    """A whole hierarchy: every item of it is reached from here. Two equal builds have equal manifests."""

    record_kind: ClassVar[str] = "build"
    id_field: ClassVar[str] = "build_id"

    build_id: str
    settings: BuildSettings
    code_versions: dict[str, str]
    trees: dict[str, str] = Field(description="Tree id by the two hex digits that its documents' tags share.")
    sections: tuple[tuple[str, str], ...] = Field(
        description="(derivation id, section id), in the order of the report."
    )
    summary_derivation: str
    summary_id: str
    derivations_sha256: str = Field(
        default="",
        description="Commits to the derivations of the sections and of the summary with their outputs, as that of a document "
        "does to its own.",
    )
    left_out: LeftOut | None = Field(default=None, description="None in what release 0.1.0 built.")
    counts: dict[str, int] = Field(description="documents, extractions, chunks, sections, claims, filtered_claims.")

    @property
    def steps(self) -> tuple[str, ...]:
        """Its derivations of tiers 3 and 4, in the order in which it commits to them."""
        return (*(derivation for derivation, _ in self.sections), self.summary_derivation)

    @property
    def configuration(self) -> dict[str, JsonValue]:
        """What results depend on beside the documents and what persons decided, by name; long values by their SHA-256.

        The day against which dates are held is left out: it changes by itself, and stands in the manifest.
        """
        values = self.settings.model_dump(mode="json", exclude={"today"})
        values["code_versions"] = dict(self.code_versions)
        found: dict[str, JsonValue] = {}
        for name, value in values.items():
            data = canonical_json(value)
            found[name] = value if len(data) <= MOST_TOLD_BYTES else {"sha256": sha256_hex(data)}
        return found


class Generation(Record):
    """A numbered state of a corpus that readers have seen, or see now."""

    record_kind: ClassVar[str] = "generation"

    corpus_id: str
    generation: int = Field(ge=1)
    build_id: str
    parent_build_id: str = ""
    created_at: str = Field(description="RFC 3339, UTC.")
    tool_version: str
    derived: dict[str, int] = Field(description="Items made by this build, by tier.")
    reused: dict[str, int] = Field(description="Items that were there already, by tier.")


class Corpus(Record):
    """The corpus record: the pointer that a build flips."""

    record_kind: ClassVar[str] = "corpus"

    corpus_id: str
    name: str = ""
    created_at: str
    generation: int = Field(default=0, ge=0, description="0 before the first build.")
    build_id: str = ""
    document_count: int = Field(default=0, ge=0)
    tier4_summary: str = Field(default="", description="Id of the corpus summary.")
    tier4_generated_at: str = ""


class FeedEvent(Record):
    """What a replica follows."""

    record_kind: ClassVar[str] = "event"

    corpus_id: str
    event: Literal["ingested", "generation"]
    generation: int = 0
    build_id: str = ""
    parent_build_id: str = ""
    at: str
    counts: dict[str, int] = Field(default_factory=dict)


class FeedEntry(Record):
    """An event of a corpus, and where it stands in its feed."""

    cursor: str = Field(description="Of the feed; ask for what is behind it. Another store has others.")
    event: FeedEvent
