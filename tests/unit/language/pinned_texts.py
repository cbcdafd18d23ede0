"""What is read of words, of whole texts and of tables of words, as lines that can be written down."""

from __future__ import annotations

from coditect.errors import SchemaError
from coditect.language.entities.names import capitalised_names
from coditect.language.matched import MatchedText, as_matched, describe_invisible
from coditect.language.quotes.normal import normal_text
from coditect.language.quotes.places import Location, locate
from coditect.language.reading.equivalents import can_stand_for, has_equivalent, kinship
from coditect.language.reading.oppositions import opposite_kind, poles
from coditect.language.tables import KINDS, parse_table
from coditect.language.terms import stem, terms

__all__ = ["alike", "matched", "names", "normal", "places", "tables"]


def alike(text: str) -> list[str]:
    """Which of its words can stand for which, or are opposites."""
    words = terms(text)
    found = [" ".join(map(stem, text.split()))]
    found += [f"{one} {len(kinship(one))} {[sign for _, sign in poles().get(one, ())]}" for one in words]
    found += [
        f"{one}/{other} {can_stand_for(one, other):d} {opposite_kind(one, other)}"
        for one in words
        for other in words
        if one <= other
    ]
    return [*found, *(f"{one} {has_equivalent(one, frozenset(words) - {one}):d}" for one in words)]


def names(text: str) -> list[str]:
    """Which of its common words it makes names of."""
    return sorted(capitalised_names(text))


def matched(text: str) -> list[str]:
    """The text as its words are matched, the way back, and what is told of what prints nothing."""
    found = MatchedText(text)
    size = len(found.text) + 1
    return [
        found.text,
        as_matched(text),
        f"{found.is_verbatim} {[found.start(at) for at in range(size)]} {[found.end(at) for at in range(size)]}",
        f"{[found.position(at) for at in range(len(text) + 1)]} {[found.span(at, at) for at in range(size)]}",
        *describe_invisible(text),
    ]


def normal(text: str) -> list[str]:
    """The text as quotes are compared, with the offsets both ways."""
    found = normal_text(text)
    size = range(len(found.text) + 1)
    offsets = [found.start(at) for at in size], [found.end(at) for at in size]
    return [found.text, f"{offsets} {[found.position(at) for at in range(len(text) + 1)]}"]


def places(text: str) -> list[str]:
    """Where a quote stands: the quote, the text, what stands before it and behind it, and the offsets that it lies in."""
    quote, within, before, after, *rest = text.split("|")
    inside = (int(rest[0]), int(rest[1])) if len(rest) > 1 else None
    found = locate(quote, within, before=before, after=after, within=inside)
    return [str(found), within[found.start : found.end] if isinstance(found, Location) else ""]


def tables(text: str) -> list[str]:
    """A table of words as it is read by each of its ways, or why it is none."""
    try:
        table = parse_table(text, "words")
    except SchemaError as error:
        return [str(error)]
    found = []
    for entry in (*table.entries, "none"):
        ways = (table.words, table.phrases, table.pattern, table.groups, table.pairs, table.axes, table.mapping)
        for way in ways:
            try:
                found.append(f"{entry} {way.__name__} {way(entry)}")
            except SchemaError:
                continue
    return [f"{table.name} {table.about} {table.source} {len(KINDS)}", *found]
