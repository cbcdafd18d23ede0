"""Clauses that a format marks as headings: what is a whole sentence is text, whatever its style.

Contracts are written with the styles of headings for their numbers: "2.4 The Customer shall pay within 30 days." is a clause, and
so is "### 4.2 The supplier must …". A title says what is spoken of, a sentence says something of it. Stored layouts and offsets
stay as they are: this is how a layout is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from coditect.documents.matched import matched_source
from coditect.documents.source import Block, SourceText
from coditect.documents.structure.labels import LabelCandidate, parse_label
from coditect.language.finite_verbs import FINITE
from coditect.language.matched import MatchedText
from coditect.language.tables import read_table

__all__ = ["LONG", "is_number", "read_as_text", "run_in_title", "with_sentences"]

LONG = 120
"""Code points behind its label above which a heading is text that has a verb, a stop, or mostly words in small letters."""

_WINDOW = 600
"""Code points of a heading that are looked at."""

_SHORTEST_IN_CAPITALS = 60
_MOST_TITLE_WORDS = 10
_HEADINGS = read_table("headings")
_VERBS = frozenset(read_table("base_verbs").words("verbs"))
_ASKED = re.compile(rf"(?:{_HEADINGS.pattern('asked_first')})\b", re.IGNORECASE)
_RELATIVE = re.compile(rf"\b(?:{_HEADINGS.pattern('relative_words')})(?:\s+[\w'’-]+){{0,2}}\s*\Z")
_SHORT_RELATIVE = re.compile(rf"[\w'’”)]\s+(?:{_HEADINGS.pattern('said_of_people')})\s*\Z", re.IGNORECASE)
_JOINED = re.compile(r"\b(?:and|or|but|that|if|when|where|as)\s+\w+\s*\Z")
# "The Customer indemnifies the Supplier": a verb in the present, and what it is done to.
_PRESENT = re.compile(rf"\b(?P<verb>[a-z]{{2,20}}s)\s+(?:{_HEADINGS.pattern('done_to')})\b")
# "This contract ends on 31 May."
_OF_ONE = re.compile(
    rf"(?i:{_HEADINGS.pattern('of_one_thing')})\s+(?:[\w’'-]*[^\Ws]\s+){{1,3}}(?P<verb>[a-z]{{2,20}}s)\s+"
    rf"(?:{_HEADINGS.pattern('done_where')})\b"
)
_STOP = re.compile(r"(?<!\betc)[.:][\"”’)\]*_]{0,3}\Z")
_ITEM_END = re.compile(r"(?:;|,|[;,]\s*(?:and/or|and|or))\Z")
_TITLE = re.compile(r"(?P<title>[A-Z][^.:;?!\n“\"]{2,80}[.:])\s+(?=[A-Z(“\"])")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_EDGE = " \t\xa0.:–—-"


def read_as_text(source: SourceText) -> tuple[SourceText, MatchedText]:
    """The source that patterns are matched on, with sentences as text, and the map from its offsets to the canonical ones.

    Args:
        source: canonical text with its layout.

    Returns:
        As :func:`coditect.documents.matched.matched_source` gives it, with the blocks of :func:`with_sentences`.
    """
    shown, matched = matched_source(source)
    return with_sentences(shown), matched


def with_sentences(source: SourceText) -> SourceText:
    """The source with each heading as a paragraph that is a whole sentence, or a title with a sentence behind it.

    Such a paragraph keeps the level of the heading: its number opens a section. Titles, questions, the title of the document and
    headings to which the format gives a label stay what they are.

    Args:
        source: text with its layout; its blocks alone change, never their places.
    """
    found = [
        index for index, block in enumerate(source.blocks) if block.kind == "heading" and _is_text(source, block, index)
    ]
    if not found:
        return source
    blocks = list(source.blocks)
    for index in found:
        blocks[index] = replace(blocks[index], kind="paragraph")
    return replace(source, blocks=tuple(blocks))


def is_number(label: LabelCandidate) -> bool:
    """Whether a label in front of a sentence cannot be a word of it, as "A" in "A keeper must" could."""
    return not label.label.isalpha()


def run_in_title(text: str, start: int, end: int) -> int:
    """How many code points the title takes, with its stop, that stands in front of a sentence in the same heading; 0 for none.

    Args:
        text: the text as it is read.
        start: first code point behind the label.
        end: one past the heading's last.
    """
    found = _TITLE.match(text, start, min(end, start + _WINDOW))
    if found is None or len(_WORD.findall(found["title"])) > _MOST_TITLE_WORDS or _says(found["title"]):
        return 0
    return len(found["title"])


def _is_text(source: SourceText, block: Block, index: int) -> bool:
    """Whether a heading of the format is text."""
    own = source.text[block.start : min(block.end, block.start + _WINDOW)]
    label = parse_label(own)
    has_number = label is not None and is_number(label)
    words = " ".join(own[label.end if label is not None and has_number else 0 :].split()).lstrip(_EDGE)
    end = source.text[max(block.start, block.end - _WINDOW) : block.end].rstrip()
    if (
        block.label
        or not words
        or end.endswith("?")
        or (not has_number and (index == 0 or own.strip() == source.title))
    ):
        return False
    if _ITEM_END.search(end):
        return True
    if " " not in words:
        return False  # an address
    has_stop = _STOP.search(end) is not None
    if has_stop and words[0].islower():
        return True  # "(c) certify in writing that it has done so."
    title = run_in_title(words, 0, len(words))
    leads_in = title > 0 and end.endswith(":")  # "Effect of Termination. Upon termination:"
    if has_stop and (leads_in or _says(words) or (title > 0 and _says(words[title:].lstrip()))):
        return True
    return block.end - block.start > LONG < len(words) and (_says(words) or _is_running(words))


def _is_running(words: str) -> bool:
    """Whether most words of some length begin with a small letter, as those of titles do not."""
    long = [word for word in _WORD.findall(words) if len(word) > 3]
    small = [word for word in long if word[0].islower()]
    return len(small) * 2 > len(long)


def _says(words: str) -> bool:
    """Whether words hold a main verb in its finite form with something before it that it is said of."""
    if words.isupper():
        if len(words) < _SHORTEST_IN_CAPITALS:
            return False
        words = words.lower()
    first = words.find(",") if _ASKED.match(words) else 1
    return first > 0 and any(at > first and not _is_relative(words, at) for at in _verbs(words))


def _verbs(words: str) -> Iterator[int]:
    """Where verbs begin that are finite as far as closed lists tell."""
    yield from (found.start() for found in FINITE.finditer(words))
    for found in (*_PRESENT.finditer(words), *_OF_ONE.finditer(words)):
        verb = found["verb"]
        if not {verb[:-1], verb.removesuffix("es"), f"{verb.removesuffix('ies')}y"}.isdisjoint(_VERBS):
            yield found.start("verb")


def _is_relative(words: str, at: int) -> bool:
    """Whether the verb at a place is of a relative clause: "Records that are kept", "Things you should know"."""
    before = words[max(0, at - _NEAR) : at]
    if _RELATIVE.search(before):
        return True
    return len(words) <= _SHORT and _SHORT_RELATIVE.search(before) is not None and _JOINED.search(before) is None


_NEAR = 60
_SHORT = 80
