"""What the reducer tells of a whole draft, conflicts and gaps together: where its words stand, and what depends on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from coditect.schemas import canonical_json, sha256_hex
from coditect.store.view import View
from coditect.tiers.sections.topics import Topic

if TYPE_CHECKING:
    from coditect.knowledge.model_roles.at_odds.named import PlacedPair
    from coditect.knowledge.model_roles.at_odds.sentences import ReportedPair, ReportedSide
    from coditect.knowledge.model_roles.missing.told import PlacedGap
    from coditect.knowledge.model_roles.missing.whole import ReportedGap

__all__ = ["NOTHING_PLACED", "NOTHING_TOLD", "PlacedTellings", "ToldOfAll"]


@dataclass(frozen=True, slots=True)
class PlacedTellings:
    """The same by the sentences of Tier 2.

    Attributes:
        pairs: sentences that are at odds.
        gaps: what is missing.
    """

    pairs: tuple[PlacedPair, ...] = ()
    gaps: tuple[PlacedGap, ...] = ()

    @property
    def parameters(self) -> dict[str, str]:
        """What a summary's identity has of it; nothing where nothing is told."""
        told: dict[str, Sequence[PlacedPair] | Sequence[PlacedGap]] = {"pairs": self.pairs, "gaps": self.gaps}
        return {name: sha256_hex(canonical_json([astuple(e) for e in own])) for name, own in told.items() if own}

    def registers(self, view: View) -> list[Topic]:
        """The registers of Tier 3 that quote it."""
        if not self.pairs and not self.gaps:
            return []  # of a build by rules, which loads no roles
        from coditect.knowledge.model_roles.at_odds.conflicts import registers_of
        from coditect.knowledge.model_roles.missing.told import gap_registers

        return [*registers_of(self.pairs, view), *gap_registers(self.gaps, view)]


@dataclass(frozen=True, slots=True)
class ToldOfAll:
    """What the reducer tells of a draft.

    Attributes:
        pairs: sentences that are at odds.
        gaps: what is missing.
    """

    pairs: tuple[ReportedPair, ...] = ()
    gaps: tuple[ReportedGap, ...] = ()

    @property
    def sides(self) -> list[ReportedSide]:
        """All words that it names."""
        pairs, gaps = (each.sides for each in self.pairs), (each.sides for each in self.gaps)
        return [side for sides in (*pairs, *gaps) for side in sides]

    @property
    def days(self) -> tuple[str, ...]:
        """The days on which something falls due or ends, by what it tells."""
        from coditect.tiers.claims.read_gaps import named_day

        return tuple(day for each in self.gaps if each.kind == "dated" and (day := named_day(each.words)))

    def placed(self, view: View) -> PlacedTellings:
        """It by the sentences of Tier 2 of a draft."""
        if not self.pairs and not self.gaps:
            return NOTHING_PLACED
        from coditect.knowledge.model_roles.at_odds.named import placed
        from coditect.knowledge.model_roles.missing.told import placed_gaps

        return PlacedTellings(tuple(placed(view, self.pairs)), tuple(placed_gaps(view, self.gaps)))


NOTHING_TOLD = ToldOfAll()
NOTHING_PLACED = PlacedTellings()
