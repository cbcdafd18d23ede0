"""Priors of sentences in the selection, by what they say: what binds in texts that bind, figures in texts that report.

An auditor reads a contract for its duties, and the minutes of a meeting or the report of a quarter for its figures: what they are,
how they changed, what is expected. Which of the two a document is, its own sentences say (:func:`binding_share`). Measured by
``benchmarks/coditect_benchmarks/calls.py`` and ``selection.py`` (ADR 0013).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coditect.language.tables import read_table
from coditect.language.terms import stem

__all__ = ["DUTY_WEIGHT", "FIGURES", "binding_share", "duty_weight", "figure_weight"]

DUTY_WEIGHT = 1.6
"""Prior of a sentence that states a duty, a permission, a prohibition or their end; others have 1."""

FIGURES = frozenset(("amount", "percentage"))
"""Kinds of quantities that are figures of a report; times and dates say when, counts are too often none."""

_FIGURE_WEIGHT = 4.0
"""What each figure adds to the prior of a sentence of a usual length, in a document that binds nobody."""

_MOST_FIGURES = 4
"""Figures of a sentence that count: a table read aloud says no more than its first lines."""

_USUAL_TERMS = 12
"""Terms (content words) of a sentence of a usual length; what stands among more words weighs less, as it takes more room."""

_LENGTH_EXPONENT = 0.75

_BINDING = 0.5
"""Share of sentences that bind from which a document is one of rules. Seen: contracts and regulations 0.5 and more, minutes and
calls up to 0.2."""

_WORDS = read_table("modality").words("duty_terms")
_DUTY_TERMS = frozenset(stem(word) for word in _WORDS)
_CHANGE = read_table("change")
_CHANGE_TERMS = frozenset(
    stem(word) for name in ("change", "comparison", "expectation") for word in _CHANGE.words(name)
)


def duty_weight(sentence_terms: Sequence[str]) -> float:
    """The prior of a sentence by its words.

    Args:
        sentence_terms: its :func:`~coditect.language.terms.terms`.

    Returns:
        :data:`DUTY_WEIGHT` if a term is about duty, permission, prohibition, liability, an end or a meaning, else 1.
    """
    return 1.0 if _DUTY_TERMS.isdisjoint(sentence_terms) else DUTY_WEIGHT


def binding_share(sentences: Iterable[Sequence[str]]) -> float:
    """The share of a document's sentences that speak of duties, 0..1; 0 for a document without sentences.

    Args:
        sentences: the :func:`~coditect.language.terms.terms` of each; those of three terms and fewer (headings, cells) do not
            count.
    """
    worded = [words for words in sentences if len(words) > 3]
    return sum(duty_weight(words) > 1.0 for words in worded) / len(worded) if worded else 0.0


def figure_weight(figures: int, sentence_terms: Sequence[str], binding: float) -> float:
    """The prior of a sentence by the figures that it states.

    Args:
        figures: amounts and percentages in it (:data:`FIGURES`), >= 0.
        sentence_terms: its terms.
        binding: the document's :func:`binding_share`.

    Returns:
        1 without figures and in documents of rules, more with each figure, with a word of change, comparison or expectation, and
        the fewer words there are around them.
    """
    reports = max(0.0, 1.0 - binding / _BINDING)
    if not figures or not reports:
        return 1.0
    told = min(figures, _MOST_FIGURES) + (not _CHANGE_TERMS.isdisjoint(sentence_terms))
    room: float = max(1.0, len(sentence_terms) / _USUAL_TERMS) ** _LENGTH_EXPONENT
    return 1.0 + reports * _FIGURE_WEIGHT * told / room
