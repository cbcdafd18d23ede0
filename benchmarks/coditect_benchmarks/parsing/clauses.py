"""The clauses of a sentence, each with its parts as places of the sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from coditect.language.marks import Mark
from coditect_benchmarks.gold.readings import _places

__all__ = ["Clause", "Place", "TimePhrase", "clause_of_mark"]

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TimePhrase:
    """A deadline or a frequency; ``trigger`` is the event that it is counted from."""

    kind: str
    text: Place
    trigger: Place | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """One norm of a sentence; all places are code points of the sentence.

    Attributes:
        kind: obligation, prohibition, permission, power, right or exemption.
        cue: the words of force; empty of an imperative.
        holder: who is bound, freed or empowered; None where nobody is named.
        action: what is to be done, in pieces where a time or a condition stands between.
        conditions: with the exceptions.
        times: deadlines and frequencies.
        whole: from the first of its words to the last.
    """

    kind: str
    cue: Place
    holder: Place | None
    action: tuple[Place, ...]
    conditions: tuple[Place, ...]
    times: tuple[TimePhrase, ...]
    whole: Place


def clause_of_mark(text: str, mark: Mark, cue: Place) -> Clause:
    """The clause that a finding of the rules tells in words.

    Args:
        text: the sentence.
        mark: the finding.
        cue: where its words of force stand.
    """
    data: dict[str, Any] = dict(mark.data)
    whole = data["clause"]["start"], data["clause"]["end"]
    anywhere = [whole, (0, len(text))]
    kind = data.get("position", mark.kind)
    if kind == "permission" and str(data.get("modality", "")).endswith(("not required to", "need not")):
        kind = "exemption"
    # Behind the cue, unless it stands before it: "use of shared accounts is prohibited".
    action = tuple(_places(text, data.get("action"), [(cue[1], max(whole[1], cue[1])), *anywhere]))
    after = action[0][1] if action else cue[1]
    conditions: list[Place] = []
    for name in ("condition", "exception"):
        value = data.get(name) or ()
        for words in (value,) if isinstance(value, str) else value:
            conditions += _places(text, words, [(after, max(whole[1], after)), *anywhere])
    times = []
    for name in ("deadline", "frequency"):
        part = data.get(name)
        if isinstance(part, dict):
            trigger = next(iter(_places(text, part.get("trigger"), anywhere)), None)
            times.append(TimePhrase(name, (part["start"], part["end"]), trigger))
    holder = next(iter(_places(text, data.get("actor"), anywhere)), None)
    return Clause(kind, cue, holder, action, tuple(conditions), tuple(times), whole)
