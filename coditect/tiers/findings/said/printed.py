"""Printed: the words of a document by which a rule that asks what nobody says passes it over, without its statements.

They are a function of the statements of the document, so that they are kept beside what else it gives to the tiers above it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coditect.language.matched import as_matched
from coditect.tiers.findings.said.statements import Statement

__all__ = ["PrintedWords", "line_of_words", "printed_words"]

_PLAIN = re.compile(r"\b[a-z]{3,}\b")
_RUN = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class PrintedWords:
    """What a document prints, as far as rules ask for it by the word.

    Attributes:
        plain: the words of at least three letters that stand somewhere without capitals, one on a line, with empty lines around.
        others: the other runs of letters, in small letters, in the same way.
        headings: its headings, in small letters, each once.
        entities: how many of its chunks name whom, by the name as Tier 2 tells it.
    """

    plain: str
    others: str
    headings: tuple[str, ...]
    entities: Mapping[str, int]

    def may_print(self, words: str) -> bool:
        """Whether some statement may print words of letters side by side, whatever their case; False: none does.

        Args:
            words: in small letters; the first may be the end of a longer word, the last the beginning of one.
        """
        runs = _RUN.findall(words)
        if len(runs) < 2:
            return True
        asked = [f"{runs[0]}\n", *(f"\n{run}\n" for run in runs[1:-1]), f"\n{runs[-1]}"]
        return all(each in self.plain or each in self.others for each in asked)


def printed_words(statements: Sequence[Statement]) -> PrintedWords:
    """What a document prints.

    Args:
        statements: all of it.
    """
    plain = {word for each in statements for word in _PLAIN.findall(each.sentence.text)}
    runs = {run for each in statements for run in _RUN.findall(as_matched(each.sentence.text).casefold())}
    chunks = {each.chunk.chunk_id: each.chunk for each in statements}.values()
    headings = (text for each in chunks for text in (each.heading, *each.headings, *each.parent_chain))
    return PrintedWords(
        _listed(plain),
        _listed(runs - plain),
        tuple(sorted({" ".join(text.casefold().split()) for text in headings})),
        dict(sorted(Counter(name for each in chunks for name in each.entities).items())),
    )


def line_of_words(statement: Statement) -> str:
    """A statement's words in small letters on one line, as words are looked for in it."""
    return " ".join(as_matched(statement.sentence.text).casefold().split())


def _listed(words: set[str]) -> str:
    return "\n".join(("", *sorted(words), ""))
