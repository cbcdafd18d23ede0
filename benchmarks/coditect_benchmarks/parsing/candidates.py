"""Every modal expression of a sentence as a clause that may bind somebody, for parsers that decide by themselves which do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from coditect.language.norms.modality import find_cues
from coditect.language.quantities.meaning import find_quantities
from coditect_benchmarks.parsing.clauses import Clause, Place, TimePhrase
from coditect_benchmarks.parsing.tasks import Task

__all__ = ["bare_clauses", "opening_word", "without"]

_STOP = re.compile(r";|(?<=[a-z)\d])\.(?:\s|$)")
_WORD = re.compile(r"[A-Za-z][a-z]+(?=\s)")
_LAST = re.compile(r"[\s,;](?:and|or|but)\Z")
_OPENS_TIME = re.compile(
    r"\b(?:within|in|by|before|at\s+least|(?:not|no)\s+later\s+than|every|once|on)\s+\Z", re.IGNORECASE
)
_EDGE = " \t\n\r,;:.–—-"


def bare_clauses(task: Task) -> Iterator[Clause]:
    """A clause for each modal expression that speaks at this sentence: no holder, all behind it as its action, times as quantities.

    Of the words that only lead to the sentence, the last expression alone: the sentence completes it.
    """
    text = task.text
    if text.rstrip().endswith("?"):
        return
    cues = find_cues(text, 0, len(text))
    leading = [cue for cue in cues if cue.start < task.own[0]]
    start = 0
    for cue in [*leading[-1:], *(cue for cue in cues if cue.start >= task.own[0])]:
        start = max((stop.start() for stop in _STOP.finditer(text, start, cue.start)), default=start)
        stop = _STOP.search(text, max(cue.end, task.own[0]))
        end = stop.start() if stop else len(text)
        freed = cue.kind == "permission" and cue.modality.endswith(("not required to", "need not"))
        yield _bare(text, "exemption" if freed else cue.kind, (cue.start, cue.end), (start, end))


def opening_word(task: Task) -> Clause | None:
    """The word that opens a sentence without modal expression, as a clause of its own: perhaps an imperative."""
    text = task.text
    word = _WORD.search(text, *task.own)
    if word is None or word.start() - task.own[0] > 12 or find_cues(text, 0, len(text)):
        return None
    stop = _STOP.search(text, word.end())
    end = stop.start() if stop else len(text)
    return _bare(text, "obligation", (word.start(), word.start()), (word.start(), end))


def _bare(text: str, kind: str, cue: Place, whole: Place) -> Clause:
    times = []
    for mark in find_quantities(text, *whole):
        told = str(mark.data.get("quantity_kind"))
        if told in ("deadline", "frequency"):
            opener = _OPENS_TIME.search(text, max(whole[0], mark.start - 20), mark.start)
            times.append(TimePhrase(told, (opener.start() if opener else mark.start, mark.end)))
    clause = Clause(kind, cue, None, (), (), tuple(times), whole)
    return replace(clause, action=without(text, (cue[1], whole[1]), [time.text for time in times]))


def without(text: str, place: Place, cuts: Sequence[Place]) -> tuple[Place, ...]:
    """What is left of a stretch of text without some others, marks at its edges aside."""
    pieces, at = [], place[0]
    for start, end in sorted(cuts):
        if start >= place[1] or end <= at:
            continue
        pieces.append((at, start))
        at = max(at, end)
    pieces.append((at, place[1]))
    return tuple(p for p in (_trim(text, *piece) for piece in pieces) if p[1] - p[0] > 2)


def _trim(text: str, start: int, end: int) -> Place:
    while start < end and text[start] in _EDGE:
        start += 1
    while end > start and text[end - 1] in _EDGE:
        end -= 1
    last = _LAST.search(text, start, end)
    return _trim(text, start, last.start()) if last else (start, end)
