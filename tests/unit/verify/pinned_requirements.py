"""Parts of requirements beside sentences of documents, and what is decided of them and why, written down.

``python -m tests.unit.verify.pinned_requirements`` writes the file anew. Both were put together at random out of invented pieces
(an act, what it is done to, how often, who is asked), and those kept in which a rule decides at one of its limits. Where a decision
comes out otherwise, a crosswalk does, so its version says so.
"""

from __future__ import annotations

import json
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

from coditect.language.reading.sentence import read_sentence
from coditect.verify.requirements.decision import AskedByPart, SaidByPolicy, decide
from coditect.verify.requirements.demand import is_done, is_nominal, is_passive, read_demand
from coditect.verify.requirements.figures.bounds import bounds_of, compare_bounds
from coditect.verify.requirements.measures import measure
from coditect.verify.requirements.parameters import unfilled
from coditect.verify.requirements.terms import as_compared
from coditect.verify.requirements.wording import names_who_alone, read_wording

__all__ = ["PINNED", "pinned", "told"]

PINNED = Path(__file__).parent / "pinned_requirements.json"


def told(part: str, title: str, said: SaidByPolicy) -> list[str]:
    """What a part asks, what a sentence has in common with it, and what is decided, one line each."""
    wording = read_wording(part)
    text, around = as_compared(said.text), as_compared(said.around)
    demand, sentence = read_demand(as_compared(wording.text)), read_sentence(text)
    common = measure(demand, as_compared(title), sentence, around, _rarity)
    verbs = [
        [n for n in sentence.content if test(sentence, n)]
        for test in (is_done, is_passive, lambda reading, n: is_nominal(reading.tokens[n].low))
    ]
    decision = decide(AskedByPart(wording, title), said, _rarity)
    lines = [
        repr(wording),
        f"asks {demand.acts} of {demand.head}, terms {demand.terms}",
        f"does {verbs[0]}, passive {verbs[1]}, nominal {verbs[2]}, names who alone {names_who_alone(said.own):d}",
        f"bounds {bounds_of(said.text)} {compare_bounds(bounds_of(part), bounds_of(said.text))}",
    ]
    if common is not None:
        rounded = replace(common, **{name: round(getattr(common, name), 4) for name in _SHARES})
        lines += [f"common {astuple(rounded)}", f"open {unfilled(wording, said.text, common.forth)}"]
    if decision is None:
        return [*lines, "does not speak to it"]
    return [*lines, f"{decision.label} {decision.held:.3f} {decision.reason}"]


_SHARES = ("held", "told", "acts", "terms", "context", "spread")


def _rarity(key: str) -> float:
    """Some stems tell less than others, whatever they are."""
    return 1.0 if len(key) % 3 else 0.5


def pinned() -> list[dict[str, Any]]:
    """What is written down: ``part``, ``title``, the fields of what is ``said``, and ``told``."""
    found: list[dict[str, Any]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


def write(cases: list[tuple[str, str, SaidByPolicy]]) -> None:
    """Write down what is decided of some parts and sentences now."""
    rows = (
        {"part": part, "title": title, "said": astuple(said), "told": told(part, title, said)}
        for part, title, said in cases
    )
    PINNED.write_text(
        "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n", encoding="utf-8"
    )


if __name__ == "__main__":
    write([(row["part"], row["title"], SaidByPolicy(*row["said"])) for row in pinned()])
