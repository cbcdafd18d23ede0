"""The calibrations of a corpus, and which of them is in force.

Nothing here fits: what was fitted and who switched to it are records, found by scanning their tables. Of several switches the one
that no other follows is in force; of two that do not know of each other, signed at the same moment, the one with the greater id.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from coditect.store.store import Store

if TYPE_CHECKING:
    from coditect.schemas import Calibration, CalibrationSwitch, SupportFigures

# The records are imported where there are some: few corpora have them, and a question need not wait for them.

__all__ = ["Calibrations", "calibration_in_force", "calibrations_of"]


@dataclass(frozen=True, slots=True)
class Calibrations:
    """What was fitted for a corpus, and what of it is in force.

    Attributes:
        proposals: every calibration by id.
        switches: oldest first.
        in_force: the one that is read; None for the shipped figures.
    """

    proposals: Mapping[str, Calibration]
    switches: tuple[CalibrationSwitch, ...]
    in_force: Calibration | None

    @property
    def checker(self) -> SupportFigures | None:
        """The checker's figures in force; None for the shipped ones."""
        return None if self.in_force is None else self.in_force.checker

    @property
    def checkers(self) -> dict[str, SupportFigures]:
        """The checker's figures of every calibration, by version."""
        return {each.checker.version: each.checker for each in self.proposals.values() if each.checker is not None}

    @property
    def build_parameters(self) -> dict[str, str]:
        """What the identity of a summary has of them: the checker's figures, and the switch that put them in force.

        The switch, so that a build names who decided how it was judged, also after a way back, and so that its loss is noticed.
        Nothing where nobody ever switched to figures of the checker: gate and fusion have no say in a build.
        """
        followed = (self.proposals.get(each.calibration_id) for each in self.switches)
        if not any(each is not None and each.checker is not None for each in followed):
            return {}
        version = "shipped" if self.checker is None else self.checker.version
        return {"calibration": version, "calibration_switch": self.switches[-1].switch_id}


def calibrations_of(store: Store, corpus_id: str) -> Calibrations:
    """Every calibration and switch of a corpus.

    Raises:
        Corrupt: a stored record was changed; names it.
    """
    from coditect.schemas import Calibration

    proposals = {each.calibration_id: each for _, each in store.scan("calibrations", Calibration, corpus_id)}
    switches = _switches(store, corpus_id)
    current = _last(switches)
    return Calibrations(proposals, switches, proposals.get(current))


def calibration_in_force(store: Store, corpus_id: str) -> Calibration | None:
    """The calibration that questions are answered with; None for the shipped figures. Two short reads, mostly of nothing.

    Raises:
        Corrupt: a stored record was changed; names it.
    """
    if not any(store.pages(*store.keys.bounds("switches", corpus_id), limit=1)):
        return None
    current = _last(_switches(store, corpus_id))
    if not current:
        return None
    from coditect.schemas import Calibration

    return store.get("calibrations", Calibration, corpus_id, current)


def _switches(store: Store, corpus_id: str) -> tuple[CalibrationSwitch, ...]:
    """In the order in which they were made: each after those that it follows."""
    from coditect.schemas import CalibrationSwitch

    left = sorted(
        (each for _, each in store.scan("switches", CalibrationSwitch, corpus_id)), key=lambda s: (s.at, s.switch_id)
    )
    ordered: list[CalibrationSwitch] = []
    while left:
        waiting = {each.switch_id for each in left}
        ready = [each for each in left if waiting.isdisjoint(each.follows)] or left
        ordered += ready
        left = [each for each in left if each not in ready]
    return tuple(ordered)


def _last(switches: tuple[CalibrationSwitch, ...]) -> str:
    """The calibration that the last switch put in force; "" for the shipped figures."""
    return switches[-1].calibration_id if switches else ""
