"""A side of a conflict taken apart: of what it is, who does it, what it depends on and takes out, whether it leaves itself open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from coditect.language.matched import as_matched
from coditect.language.patterns.deferred import deferred
from coditect.language.reading.stems import canonical_stem
from coditect.language.tables import read_table
from coditect.language.terms import stem, terms
from coditect.tiers.findings.conflicts.assertions.limits import LIMIT
from coditect.tiers.findings.conflicts.assertions.rows import ROW
from coditect.tiers.findings.conflicts.lines import generalised
from coditect.tiers.findings.conflicts.opposed.told import Side, StatementConflict
from coditect.tiers.findings.measures import canonical
from coditect.tiers.findings.said.statements import Statement, clause_of, content_words
from coditect.tiers.findings.tables import is_row

__all__ = ["KEEPING", "SideRead", "key", "read_side"]

_ACTS, _CONDITIONS, _MATTERS = (read_table(each) for each in ("acts", "conditions", "matters"))
_FITTING = r"(?:possible|practicable|appropriate|needed|necessary|required|feasible|reasonable|applicable)"
_HEDGED = deferred(
    rf"\b(?:{read_table('modality').pattern('leaving_open')}|target|objective|e\.g\.|for\s+example|such\s+as|"
    rf"(?:where|if|when|as|wherever|whenever)\s+{_FITTING})\b",
    re.IGNORECASE,
)
_EXCEPTS = deferred(rf"\b(?:{_CONDITIONS.pattern('unless')})\b(?P<rest>[^,.;:|]*)", re.IGNORECASE)
_DEPENDS = deferred(
    rf"\b(?:{_CONDITIONS.pattern('if')}|{_CONDITIONS.pattern('when')}|after|before|following|prior\s+to|from|since)\b"
    r"(?P<rest>[^,.;:|]*)",
    re.IGNORECASE,
)
_COUNTED_FROM = deferred(r"\A\W*of\b(?P<rest>[^,.;:|]*)", re.IGNORECASE)
_PURPOSE = deferred(
    rf"\b(?:{_ACTS.pattern('purposes')}|to\s+(?:verify|confirm|check|make\s+sure|maintain|assess|determine|identify|reduce|protect))\b[^.;|]*",
    re.IGNORECASE,
)
_BESIDES = deferred(r",\s+(?:\w+ly\s+)?(?!including|excluding)[a-z]{2,}ing\b[^.;|]*", re.IGNORECASE)
"""What is done with it, too: ", confirming each person's roles"."""

_DOER = deferred(
    r"\bby\s+(?:the\s+|an?\s+|its\s+|their\s+|each\s+)?"
    r"(?P<who>[\w’'-]+(?:\s+(?:of\s+)?(?!within|at|on|in|to|for\b)[\w’'-]+){0,4})",
    re.IGNORECASE,
)
_ACTS_HIMSELF = deferred(
    r"\A(?P<who>[^,.;:|]{2,80}?)\s+(?:must|shall|will|ha(?:s|ve)\s+to|(?:is|are)\s+required\s+to)\s+(?!be\b|not\s+be\b)",
    re.IGNORECASE,
)
_ACTIVE = deferred(
    r"\A[^,.;:|]{2,80}?\s+(?:must|shall|will|may|ha(?:s|ve)\s+to|(?:is|are)\s+required\s+to)\s+(?!(?:(?:not|never)\s+)?be\b)",
    re.IGNORECASE,
)
_BANNED = deferred(
    r"\b(?:is|are)\s+(?:\w+ly\s+)?(?:prohibited|forbidden|banned|not\s+(?:\w+ly\s+)?(?:permitted|allowed))\s*\.?\s*\Z",
    re.IGNORECASE,
)
_LABEL = deferred(r"\A\W*(?:\d[\d.]*\W+|\(?[a-z\d]{1,3}\)\s+)?")


@lru_cache(maxsize=1 << 14)
def key(word: str) -> str:
    """What a stem is compared by: verbs of one meaning and forms of one word have one.

    Args:
        word: a stem.
    """
    return canonical(canonical_stem(word))


KEEPING = frozenset(key(stem(word)) for name in ("keeps", "deletes") for word in _MATTERS.words(name))
"""How long a thing is kept is told by both: kept for a year, deleted after a year."""

_MADE = frozenset(
    map(stem, ("entry", "record", "made", "make", "created", "creation", "recording", "recorded", "date"))
)
_NUMBERS = read_table("numbers")
_DULL = frozenset(
    key(stem(word))
    for word in (
        *_NUMBERS.mapping("units"),
        *_NUMBERS.mapping("tens"),
        *_ACTS.words("light_verbs"),
        *_MATTERS.words("plain_modifiers"),
        *read_table("negation").words("negators"),
        "review",
        "least",
        "basis",
        "period",
    )
)


@dataclass(frozen=True, slots=True)
class SideRead:
    """A side as it is compared; words are keys (:func:`key`).

    Attributes:
        side: the side.
        line: what it says, without the value, and without who does it, what it depends on, and what it is for.
        core: its content words beside the act.
        depends: the content words of what it depends on; None where it depends on nothing.
        excepts: the content words of what it takes out.
        holder: the words for who acts; none where nobody is named.
        around: words of its heading, and of the other cells of its row.
        hedged: whether it leaves itself open.
        acts: what is done.
    """

    side: Side
    line: str
    core: frozenset[str]
    depends: frozenset[str] | None
    excepts: frozenset[str]
    holder: frozenset[str]
    around: frozenset[str]
    hedged: bool
    acts: frozenset[str]


def read_side(conflict: StatementConflict, side: Side) -> SideRead:
    """A side of a conflict taken apart.

    Args:
        conflict: what it is a side of.
        side: one of its sides.
    """
    is_stance = conflict.kind == "modality"
    text = side.statement.sentence.text
    whole = " ".join(as_matched(text if is_stance else clause_of(text, side.says)).split())
    says = "" if is_stance else " ".join(side.says.split())
    before, _, behind = whole.partition(says) if says and says in whole else (whole, "", "")
    counted = _COUNTED_FROM.match(behind)
    depends = [counted["rest"]] if counted else []
    line = generalised(_LABEL.sub("", f"{before} {behind[counted.end() :] if counted else behind}"))
    line = _BESIDES.sub(" ", _PURPOSE.sub(" ", _BANNED.sub(" ", line) if is_stance else line))
    line, excepts = _without(_EXCEPTS, line, "rest")
    line, more = _without(_DEPENDS, line, "rest")
    # Who acts himself does it "by e-mail"; what is done is done "by the clerk".
    line, who = (line, list[str]()) if _ACTIVE.match(line) else _without(_DOER, line, "who")
    if acting := _ACTS_HIMSELF.match(line):
        who, line = [acting["who"]], line[acting.end("who") :]
    acts = _acts(conflict, side.statement, says)
    core = _keys([line]) - acts - _DULL - (KEEPING if acts <= KEEPING else frozenset())
    return SideRead(
        side=side,
        line=line,
        core=core,
        depends=_depending([*depends, *more], conflict.kind),
        excepts=_keys(excepts),
        holder=frozenset(key(word) for each in who for word in terms(each)),
        around=_around(side.statement),
        hedged=_HEDGED.search(_PURPOSE.sub(" ", whole)) is not None,
        acts=acts,
    )


def _without(pattern: re.Pattern[str], line: str, group: str) -> tuple[str, list[str]]:
    """A line without what a pattern finds in it, and that."""
    return pattern.sub(" ", line), [match[group] for match in pattern.finditer(line)]


def _keys(phrases: Sequence[str]) -> frozenset[str]:
    return frozenset(key(word) for each in phrases for word in content_words(each))


def _depending(phrases: Sequence[str], kind: str) -> frozenset[str] | None:
    """What a side depends on; how long a thing is kept runs from when it was made, said or not."""
    words = _keys(phrases)
    return None if not phrases or (kind == "duration" and words <= _MADE) else words


def _acts(conflict: StatementConflict, statement: Statement, says: str) -> frozenset[str]:
    measured = {each.head for each in statement.sentence.measures if says and each.text == says}
    if conflict.kind == "modality" or not measured:
        measured |= {conflict.head} - {LIMIT, ROW}
    return frozenset(map(key, measured))


def _around(statement: Statement) -> frozenset[str]:
    chunk, text = statement.chunk, statement.sentence.text
    said = " ".join((chunk.heading, *chunk.headings[-1:], text if is_row(text) else ""))
    return frozenset(map(key, terms(said)))
