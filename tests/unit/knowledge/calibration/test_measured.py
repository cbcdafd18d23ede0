"""What is measured of a marked hit for the fusion."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.errors import Corrupt
from coditect.knowledge.calibration import marked
from coditect.knowledge.calibration.marked import MarkedHit, _measured
from coditect.retrieve.gate.relevance import FEATURES
from coditect.retrieve.port import Answer, Found, Part

WORDS = Part("lexical", 1, 5.0, 1.0, 0.7)


@pytest.fixture(autouse=True)
def items(monkeypatch: pytest.MonkeyPatch) -> None:
    """Items without words, and a gate that sees nothing in them."""
    stored = [SimpleNamespace(item_id="i")]
    monkeypatch.setattr(marked, "items_of", lambda view, tier, found: stored)
    monkeypatch.setattr(marked, "heading_of", lambda item: "")
    monkeypatch.setattr(marked, "text_of", lambda opened, item: "")
    monkeypatch.setattr(marked, "features", lambda *_: dict.fromkeys(FEATURES, 0.0))


def _hit(*parts: Part, judged: str = "i") -> MarkedHit:
    found = Found(judged, "d", 1.0, parts)
    made: Any = SimpleNamespace(judged_id=judged)
    opened: Any = SimpleNamespace(view=None)
    (hit,) = _measured(opened, "keys", "extraction", Answer((found,)), [made], {judged: found})
    return hit


@pytest.mark.parametrize(("off", "summed"), [(0.0, True), (9e-7, True), (1e-6, False), (0.1, False), (-1e-6, False)])
def test_parts_are_measured_where_the_score_is_their_weighted_sum(off: float, summed: bool) -> None:
    """To less than a millionth: what is fused by another rule has no weight that could be fitted."""
    dense = Part("dense", 1, 0.5, 0.0, off)
    hit = _hit(WORDS, dense)
    assert (hit.words, hit.cosine) == ((0.7, 0.5) if summed else (None, None))


def test_part_that_did_not_find_the_hit_contributes_nothing() -> None:
    """Of words; without a cosine nothing can be said of either."""
    weighted = Part("dense", 1, 0.5, 2.0, 1.0)
    assert (_hit(weighted).words, _hit(weighted).cosine) == (0.0, 0.5)
    assert (_hit(WORDS).words, _hit(WORDS).cosine) == (None, None)


def test_hit_of_another_item_than_was_marked_is_corrupt() -> None:
    """The replica is of another store."""
    with pytest.raises(Corrupt, match="does not fit"):
        _hit(WORDS, judged="other")
