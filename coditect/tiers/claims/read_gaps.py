"""Gaps that a model read: what a claim says of one, and what of it rules can hold against the documents.

That something is nowhere is the model's word, which a judge hears. What the documents themselves say against it, rules tell: a
document of that name, a term that is defined, an owner that is named, a day that has not passed.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping, Sequence
from typing import Any

from coditect.keyspace.terms import definition_term
from coditect.language.matched import as_matched, as_seen
from coditect.language.quantities.dates import find_dates
from coditect.language.quantities.meaning import find_quantities
from coditect.schemas import Restatement
from coditect.tiers.claims.grounds import CitedStatement, Grounds
from coditect.tiers.claims.quoting import around, quoted
from coditect.tiers.claims.versions import BY_RELATION
from coditect.tiers.findings.naming import target_of

__all__ = ["READ_GAPS", "named_day", "restated_gap", "told_gap"]

READ_GAPS = frozenset(
    ("reference", "role", "required", "dated", "open", "empty", "owner", "term", "nobody", "unfinished")
)
"""The kinds of gaps that a model tells."""

_DAY, _MONTH, _YEAR = len("2026-06-30"), len("2026-06"), len("2026")


def named_day(text: str) -> str:
    """The last day that words name, ISO 8601, of a month or a year alone its end; "" where they name none with a year."""
    days = [str(mark.data.get("iso") or "") for mark in find_dates(text, 0, len(text))]
    return max((_whole(day) for day in days if day[:1].isdigit()), default="")


def _whole(day: str) -> str:
    if len(day) == _YEAR:
        return f"{day}-12-31"
    if len(day) == _MONTH:
        return f"{day}-{monthrange(int(day[:_YEAR]), int(day[-2:]))[1]}"
    return day if len(day) == _DAY else ""


def restated_gap(recipe: Mapping[str, Any], cited: Sequence[CitedStatement], grounds: Grounds) -> Restatement:
    """The claim that a gap makes, with a refusal where the documents speak against it.

    Args:
        recipe: its kind and its words.
        cited: the statement that shows it, and behind it another one where there is one.
        grounds: what the generation offers to its claims.
    """
    kind, words, first = str(recipe.get("kind")), str(recipe.get("words", "")), cited[0]
    if kind not in READ_GAPS or not words or words not in first.text:
        return Restatement(refusal="the cited quote does not have the words that it is about")
    text = told_gap(kind, words, first, grounds.wording)
    if len(cited) > 1:
        text = f"{text.removesuffix('.')}; beside {cited[1].name}: {quoted(cited[1].text)}"
    return Restatement(text=text, recipe=dict(recipe), refusal=_against(kind, words, first, grounds))


def told_gap(kind: str, words: str, first: CitedStatement, wording: int) -> str:
    """What is said of a gap that a model read.

    Args:
        kind: one of :data:`READ_GAPS`.
        words: of the statement, which it is about.
        first: the statement that shows it.
        wording: by which it is told.
    """
    return _said(kind, words, first) if wording >= BY_RELATION else _said_before(kind, words, first)


def _said(kind: str, words: str, first: CitedStatement) -> str:
    name, thing, quote = first.name, _thing(words), around(first.text, words)
    match kind:
        case "reference":
            return f"{name} refers to {thing}, which is not there: {quote}"
        case "role":
            return f"{name} has {thing} act, whom no document describes or appoints: {quote}"
        case "required":
            return f"{name} counts on {thing}, of which the documents show nothing: {quote}"
        case "dated":
            return f"{name} says {thing}, which has passed, and no document says what came of it: {quote}"
        case "open":
            return f"{name} leaves open {thing}: {quote}"
        case "empty":
            return f"{name} leaves empty what it has to hold, at {thing}: {quote}"
        case "owner":
            return f"{name} names nobody who owns it: {quote}"
        case "term":
            return f"{name} uses {thing}, which no document explains: {quote}"
        case "nobody":
            asked = "who does it" if _says_when(first.text) else "who does it, or by when,"
            return f"{name} does not say {asked} at {thing}: {quote}"
    return f"{name} announces at {thing} what does not follow: {quote}"


def _said_before(kind: str, words: str, first: CitedStatement) -> str:
    """What was said before wording 17: of a term that has ended, too, that nobody did it; of a monthly task that it has no time."""
    name, thing, quote = first.name, _thing(words), around(first.text, words)
    match kind:
        case "dated":
            return f"{name} says {thing}, which has passed, and no document says that it was done: {quote}"
        case "term":
            return f"{name} uses {thing} in a sense of its own, which no document explains: {quote}"
        case "nobody":
            return f"{name} does not say who does it, or by when, at {thing}: {quote}"
    return _said(kind, words, first)


def _says_when(text: str) -> bool:
    """Whether a statement fixes a time, a day or how often something is done."""
    line = as_matched(text)
    kinds = {mark.data.get("quantity_kind") for mark in find_quantities(line, 0, len(line))}
    return bool(kinds & {"date", "deadline", "duration", "frequency"})


def _thing(words: str) -> str:
    """Words in quotation marks, whole: "30 June 2026" begins with no label."""
    line = " ".join(as_seen(words).split()).replace("“", "‘").replace("”", "’")
    return f"“{line}”"


def _against(kind: str, words: str, first: CitedStatement, grounds: Grounds) -> str:
    """What the documents say against a gap; "" for nothing."""
    if kind == "dated":
        day = named_day(words)
        return "" if day and day < grounds.standings.today else "the day that it names has not passed, or it names none"
    if kind in ("reference", "required") and target_of(words, grounds.source.documents.values()):
        return "a document of the corpus is called so"
    if kind == "owner" and grounds.standings.told(first.document.document_id, "owner"):
        return "the document names an owner"
    if kind == "term" and any(grounds.source.by_term(definition_term(each)) for each in _forms(words)):
        return "it is a defined term of the corpus"
    return ""


def _forms(term: str) -> tuple[str, ...]:
    return term, term.casefold(), term.removesuffix("s"), f"{term}s"
