"""A corpus' own calibration: what it is fitted on, what was fitted, who switched to it, and what that would change."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from coditect.schemas.figures import FusionFigures, GateFigures
from coditect.schemas.query import Granularity
from coditect.schemas.record import CorpusItem, Record
from coditect.schemas.signature import SALT, SALT_PATTERN
from coditect.schemas.verdict import VerdictLabel

__all__ = [
    "FITTED",
    "Calibration",
    "CalibrationPart",
    "CalibrationReport",
    "CalibrationState",
    "CalibrationSwitch",
    "FittedPart",
    "Interval",
    "MarkChange",
    "RelevanceMark",
    "ReliabilityBin",
    "SupportFigures",
    "VerdictChange",
]

FITTED = "reviews/"
"""What the version of figures that were fitted on reviews begins with."""

CalibrationPart = Literal["checker", "gate", "fusion"]


class SupportFigures(Record):
    """The logistic regression that gives the checker's probability of support, once the rules found no contradiction."""

    version: str = Field(
        min_length=1,
        pattern=r"^\S+$",
        description="Named by every verdict that they gave. Of fitted ones 'reviews/' and the first digits of their SHA-256.",
    )
    intercept: float
    coefficients: dict[str, float] = Field(
        description="By measure, as :mod:`coditect.verify.staged.calibration` lists them."
    )


class RelevanceMark(CorpusItem):
    """Somebody's word on whether an item answers a question, stored once and never changed."""

    record_kind: ClassVar[str] = "mark"
    id_field: ClassVar[str] = "mark_id"

    mark_id: str
    query: str = Field(min_length=1, description="The question, as it was asked.")
    tier: Granularity = Field(description="The granularity that was to answer.")
    judged_id: str = Field(min_length=1, description="The item that was judged.")
    documents: tuple[str, ...] = Field(description="Ids of the documents that the item rests on.")
    relevant: bool
    by: str = Field(min_length=1, max_length=200, description="Who judged.")
    at: str = Field(description="When, RFC 3339, UTC.")
    follows: tuple[str, ...] = Field(
        default=(), description="Marks of the same question and item that this one replaces; they stay readable."
    )
    salt: str | None = Field(default=None, pattern=SALT_PATTERN, description=SALT)


class Interval(Record):
    """A measure with its 95 % interval, bootstrapped over documents."""

    value: float
    low: float
    high: float


class ReliabilityBin(Record):
    """Cases with about the same stated probability."""

    cases: int = Field(ge=1)
    stated: float = Field(ge=0.0, le=1.0, description="Mean probability.")
    observed: float = Field(ge=0.0, le=1.0, description="Share that people decided for.")


class FittedPart(Record):
    """What fitting one part gave, on cases that the fit did not see."""

    part: CalibrationPart
    cases: int = Field(ge=0, description="Decisions that could be used.")
    positive: int = Field(ge=0, description="Of these, decided for.")
    documents: int = Field(ge=0, description="That they rest on.")
    left_out: dict[str, int] = Field(default_factory=dict, description="Decisions that could not be used, by reason.")
    needs: str = Field(default="", description="What is missing before this part can be fitted; empty where it was.")
    before: Interval | None = Field(default=None, description="AUROC of the shipped figures.")
    after: Interval | None = Field(default=None, description="AUROC of fitted ones, on documents held out.")
    difference: Interval | None = Field(default=None, description="After less before, on the same cases.")
    log_loss_before: float | None = None
    log_loss_after: float | None = None
    improves: bool = Field(
        default=False,
        description="Whether the whole interval of the difference lies above 0, and that of fitted figures above chance.",
    )
    reliability_before: tuple[ReliabilityBin, ...] = ()
    reliability_after: tuple[ReliabilityBin, ...] = ()


class Calibration(CorpusItem):
    """Fitted figures as a proposal: nothing reads them until somebody switches to them. Numbers and ids, no texts."""

    record_kind: ClassVar[str] = "calibration"
    id_field: ClassVar[str] = "calibration_id"

    calibration_id: str
    checker: SupportFigures | None = Field(default=None, description="Absent: the shipped ones stay.")
    gate: GateFigures | None = None
    fusion: FusionFigures | None = None
    embedder: str = Field(
        default="", description="Model that gate and fusion are for; empty for search by words alone."
    )
    fitted: tuple[FittedPart, ...] = Field(description="Every part that was looked at, with its figures.")
    reviews: tuple[str, ...] = Field(description="Ids of the reviews that it was made of.")
    marks: tuple[str, ...] = Field(description="Ids of the relevance marks that it was made of.")
    parent: str = Field(default="", description="The calibration in force when it was made; empty for the shipped one.")
    generation: int = Field(ge=1, description="That the marks were measured in.")
    build_id: str
    code_version: str
    seed: int


class CalibrationSwitch(CorpusItem):
    """Somebody's decision to use a calibration, or the shipped figures again; stored once and never changed."""

    record_kind: ClassVar[str] = "switch"
    id_field: ClassVar[str] = "switch_id"

    switch_id: str
    calibration_id: str = Field(default="", description="From now on in force; empty: the shipped figures.")
    # 21 CFR 11.50(a): the printed name of the signer, when, and the meaning of the signature.
    by: str = Field(min_length=1, max_length=200, description="Who decided.")
    at: str = Field(description="When, RFC 3339, UTC.")
    meaning: str = Field(min_length=1, max_length=2000, description="What the signature says.")
    follows: tuple[str, ...] = Field(default=(), description="The switches that this one replaces.")
    salt: str | None = Field(default=None, pattern=SALT_PATTERN, description=SALT)


class VerdictChange(Record):
    """A claim whose verdict would be another one."""

    claim_id: str
    text: str
    old_label: VerdictLabel
    new_label: VerdictLabel
    old_score: float = Field(ge=0.0, le=1.0)
    new_score: float = Field(ge=0.0, le=1.0)


class MarkChange(Record):
    """A marked item that the relevance gate would treat otherwise."""

    query: str
    item_id: str
    relevant: bool = Field(description="What people say.")
    old_probability: float = Field(ge=0.0, le=1.0)
    new_probability: float = Field(ge=0.0, le=1.0)
    old_shown: bool
    new_shown: bool


class CalibrationReport(Record):
    """What a calibration would change, before anything is switched."""

    format: Literal["calibration-report/1"] = "calibration-report/1"
    corpus_id: str
    generation: int = Field(ge=1)
    build_id: str
    in_force: str = Field(description="The calibration in force; empty for the shipped figures.")
    proposal: str = Field(description="Id of the proposal that was stored; empty where nothing improves.")
    parts: tuple[FittedPart, ...]
    judged_again: int = Field(ge=0, description="Verdicts of this generation that the checker's figures have a say in.")
    directions: dict[str, int] = Field(description="Changed verdicts by 'old label -> new label'.")
    changes: tuple[VerdictChange, ...]
    mark_changes: tuple[MarkChange, ...] = ()


class CalibrationState(Record):
    """The calibrations of a corpus, and who switched to which."""

    corpus_id: str
    in_force: str = Field(description="Id of the calibration in force; empty for the shipped figures.")
    proposals: tuple[Calibration, ...]
    switches: tuple[CalibrationSwitch, ...] = Field(description="Oldest first.")
