"""Lines that only announce a heading: the entries of a table of contents, whatever form it has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from coditect.language.marks import SpanLike

__all__ = ["announced"]

_WORD = re.compile(r"\w+")
_LEAST_WORDS = 3
_LONGEST = 300


def announced(text: str, headings: Iterable[SpanLike], sentences: Sequence[SpanLike]) -> list[SpanLike]:
    """The sentences whose words are those of a heading further down, page numbers aside: they say nothing that it does not.

    Args:
        text: the text as it is read.
        headings: where headings stand, label included.
        sentences: the sentences, in order.
    """
    last: dict[tuple[str, ...], int] = {}
    for heading in headings:
        words = _words(text, heading)
        if len(words) >= _LEAST_WORDS:
            last[words] = max(heading.start, last.get(words, 0))
    found = []
    for sentence in sentences:
        if not last or sentence.end - sentence.start > _LONGEST:
            continue
        words = _words(text, sentence)
        behind = max(last.get(words, 0), last.get(words[:-1], 0) if words and words[-1].isdigit() else 0)
        if behind >= sentence.end:
            found.append(sentence)
    return found


def _words(text: str, place: SpanLike) -> tuple[str, ...]:
    return tuple(_WORD.findall(text[place.start : min(place.end, place.start + _LONGEST)].casefold()))
