"""The pieces of one normative clause: action, condition, exception, actor, deadline and frequency."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coditect.language.marks import JsonValue, Mark, sort_data, trim
from coditect.language.norms.actors import Subject, by_agent
from coditect.language.norms.modality import Cue
from coditect.language.tables import read_table

__all__ = ["NEGATIVE", "PARTICIPLE", "read_norm"]

_I = re.IGNORECASE
_CLAUSES, _VERBS = read_table("clauses"), read_table("verbs")
_MAX_ACTION = 400

_CONDITION = (
    rf"(?:{_CLAUSES.pattern('conditions')}|provided(?:,?\s*(?:however|further)?,?)\s+that"
    r"|once(?!\s+(?:per|an?|each|every|in|during|or)\b))"
)
_EXCEPTION = (
    rf"(?:{_CLAUSES.pattern('exceptions')}|except(?:\s+(?:as|for|that|where|when|to\s+the\s+extent|in|with|if|pursuant))?"
    r"|but\s+not(?!\s+limited)|without\s+the\s+(?:prior\s+)?(?:express\s+)?(?:written\s+)?(?:consent|approval|permission))"
)
_LEADING = re.compile(
    rf"[\s\W\d]*(?:(?P<exc>{_EXCEPTION})|(?P<cond>{_CONDITION}|{_CLAUSES.pattern('leading_times')}))\b",
    _I,
)
_TRAILING = re.compile(
    rf"(?<!\bthan)(?:,\s*|\s+)(?:(?P<exc>{_EXCEPTION})|(?P<cond>{_CONDITION}|after\s+which|until))\b", _I
)
_SOON = re.compile(rf"\b(?:{read_table('time').pattern('promptness')})\b", _I)
PARTICIPLE = re.compile(
    r"\s*(?:\w+ly\s+)?(?:be|been)\s+(?:(?:\w+ly|also|either|first|not|both|so)\s+){0,2}"
    rf"(?P<v>\w{{2,}}(?:ed|en|wn)|{_VERBS.pattern('irregular_participles')})\b",
    _I,
)
# Participles that are adjectives: "shall be limited to" is no act of anybody.
_ADJECTIVE = frozenset(_VERBS.words("participial_adjectives"))
NEGATIVE = re.compile(r"(?:no|none\s+of(?:\s+the)?)\s+", _I)
# "shall, at its own expense, repair": the verb stands behind the second comma.
_ASIDE = re.compile(rf",\s*(?:(?:{_CLAUSES.pattern('asides')})\b[^,;]{{0,160}},\s*)?(?=\w)", _I)
_TO_ACT = re.compile(r"\s*to\s+(?=[a-z])")
_WHOLE = ("prohibited", "is required")


def read_norm(
    text: str,
    sentence: tuple[int, int],
    cue: Cue,
    subject: Subject,
    action: tuple[int, int],
    quantities: Sequence[Mark],
) -> Mark | None:
    """Take one normative clause apart into its actor, action, conditions and limits.

    Args:
        text: the canonical text.
        sentence: the span that the finding covers.
        cue: the clause's modal expression.
        subject: the subject of the clause.
        action: where the action lies.
        quantities: the sentence's quantities; those inside the clause count.

    Returns:
        The finding, or None when there is no action.
    """
    lo, hi = trim(text, *action, punctuation=True)
    aside = _ASIDE.match(text, lo, hi)
    lo = aside.end() if aside else lo
    hi = _drop_tail(text, lo, hi)
    if (
        cue.modality in _WHOLE
        and not text[max(cue.start, cue.end - 5) : cue.end].endswith("from")
        and subject.start < cue.start
    ):
        # "Use of shared accounts is prohibited": what is said of stands before the cue, and is all there is.
        act = _TO_ACT.match(text, cue.end, hi) if text[subject.start : subject.end].strip().lower() == "it" else None
        lo = act.end() if act else subject.start
        cue, subject = replace(cue, end=lo), replace(subject, start=lo, end=lo)
    data, passive = _Parts(text, sentence, cue, subject, lo, hi).read()
    if "action" not in data:
        return None
    clause = trim(
        text, subject.clause if subject.clause > cue.end else min(subject.clause, cue.start), max(hi, cue.end)
    )
    data["clause"] = {"end": clause[1], "start": clause[0]}
    data["modality"] = cue.modality
    data["strength"] = cue.strength
    near = [q for q in quantities if clause[0] <= q.start and q.end <= clause[1]]
    data["deadline"] = _deadline(text, clause, near)
    data["frequency"] = _frequency(near)
    confidence = cue.confidence + (0.04 if "actor" in data else 0.0)
    confidence -= 0.1 if "actor" not in data and not passive else 0.0
    confidence -= 0.05 if sentence[1] - sentence[0] > 800 else 0.0
    return Mark(cue.kind, *sentence, sort_data(data), round(min(0.97, max(0.3, confidence)), 2))


def _drop_tail(text: str, lo: int, hi: int) -> int:
    """Drop a conjunction or a list marker that belongs to what follows."""
    tail = re.search(r"(?:[,;\s]+(?:and|or|but|\(\w{1,4}\)))+\s*$|[\s,;:.*]+$", text[lo:hi])
    return lo + tail.start() if tail else hi


@dataclass(frozen=True, slots=True)
class _Parts:
    """Reads the verbatim pieces of one clause."""

    text: str
    sentence: tuple[int, int]
    cue: Cue
    subject: Subject
    lo: int
    hi: int

    def read(self) -> tuple[dict[str, JsonValue | None], bool]:
        """The verbatim pieces by name, and whether the clause is passive."""
        text, data = self.text, {}  # type: tuple[str, dict[str, JsonValue | None]]
        stop = self.hi
        trailing = _TRAILING.search(text, min(self.lo + 2, self.hi), self.hi)
        if trailing:
            stop = trailing.start()
            self._tails(data, stop)
        action = trim(text, self.lo, min(stop, self.lo + _MAX_ACTION), punctuation=True)
        if action[1] - action[0] >= 2:
            if action[1] - action[0] == _MAX_ACTION:
                action = action[0], max(text.rfind(" ", *action), action[0] + 1)
            data["action"] = text[action[0] : action[1]]
        self._leading(data)
        name = trim(text, self.subject.start, self.subject.end, punctuation=True)
        negative = NEGATIVE.match(text, *name)
        name = (negative.end(), name[1]) if negative else name
        participle = PARTICIPLE.match(text, self.cue.end, self.hi)
        passive = participle is not None and participle["v"].lower() not in _ADJECTIVE
        if passive and participle is not None:
            agent = by_agent(text, participle.end(), stop)
            data["actor"] = text[agent[0] : agent[1]] if agent else None
            data["object"] = text[name[0] : name[1]] or None
        else:
            data["actor"] = text[name[0] : name[1]] or None
        if data["actor"] is None:
            del data["actor"]
        return data, passive

    def _tails(self, data: dict[str, JsonValue | None], at: int) -> None:
        """Conditions and exceptions behind the action, one of each kind."""
        while match := _TRAILING.search(self.text, at, self.hi):
            after = _TRAILING.search(self.text, match.end(), self.hi)
            stop = after.start() if after else self.hi
            key = "exception" if match["exc"] else "condition"
            lo, hi = trim(
                self.text, match.start("exc") if match["exc"] else match.start("cond"), stop, punctuation=True
            )
            hi = lo + _closed(self.text[lo:hi])
            if len(self.text[lo:hi].split()) >= 2:
                data.setdefault(key, self.text[lo:hi])
            at = stop
            if after is None:
                return

    def _leading(self, data: dict[str, JsonValue | None]) -> None:
        """A condition or exception before the subject."""
        stop = self.subject.start if self.subject.start < self.subject.end else self.cue.start
        match = _LEADING.match(self.text, self.subject.clause, max(stop, self.subject.clause))
        if match is None or self.subject.role == "inherited" or self.subject.clause > self.cue.start:
            return
        key = "exception" if match["exc"] else "condition"
        lo = match.start("exc") if match["exc"] else match.start("cond")
        lo, hi = trim(self.text, lo, stop, punctuation=True)
        words = re.sub(r",?\s+(?:then|and)$", "", self.text[lo:hi])
        if len(words.split()) >= 2:
            data[key] = words


def _closed(words: str) -> int:
    """How many characters stand before a parenthesis that closes what these words did not open."""
    depth = 0
    for index, char in enumerate(words):
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return index
    return len(words)


def _deadline(text: str, clause: tuple[int, int], near: Sequence[Mark]) -> dict[str, JsonValue] | None:
    """The first time limit of the clause, in numbers or in words such as "promptly"."""
    for mark in near:
        kind = mark.data.get("quantity_kind")
        if kind != "deadline" and not (kind == "date" and mark.data.get("comparator") == "before"):
            continue
        keys = ("hours", "days", "months", "years", "comparator", "relation", "business_days", "iso", "text")
        picked: dict[str, JsonValue | None] = {key: mark.data.get(key) for key in keys}
        return sort_data({**picked, "start": mark.start, "end": mark.end})
    soon = _SOON.search(text, *clause)
    if soon:
        return sort_data({"comparator": "promptly", "text": soon[0], "start": soon.start(), "end": soon.end()})
    return None


def _frequency(near: Sequence[Mark]) -> dict[str, JsonValue] | None:
    """The first frequency of the clause."""
    for mark in near:
        if mark.data.get("quantity_kind") == "frequency":
            keys = ("per_year", "months", "comparator", "text")
            return sort_data({**{key: mark.data.get(key) for key in keys}, "start": mark.start, "end": mark.end})
    return None
