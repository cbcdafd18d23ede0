"""Whether a sentence gives a framework's words and not a house's: behind a label, under one, or as a numbered criterion (ADR 101).

"Control Requirement: Screen individuals prior to authorizing access" says what a catalogue asks; what the house does stands below.
A label that could be a house's own ("Requirement: …") counts as a framework's only under a heading that numbers a control. A paper
that leaves a framework's parameters open, as the framework prints them, gives the framework's words throughout (ADR 122).
"""

from __future__ import annotations

import re
from functools import cache

from coditect.language.tables import read_table, worded
from coditect.verify.requirements.sides import AskedByPart, SaidByPolicy

__all__ = ["gives_open_parameters", "is_numbered_criterion", "repeats_framework"]

_NUMBER = r"(?:[A-Z]{2}(?:\.[A-Z]{2})?-\d+(?:\(\d+\))?|CC\d+\.\d+|A\.\d+\.\d+|164\.\d+(?:\([\da-z]+\))*)"
"""Numbers of controls as NIST, the AICPA, ISO/IEC and HIPAA print them: "AC-2(1)", "PR.DS-1", "CC7.5", "A.8.1", "164.312(b)"."""

_NUMBERED = re.compile(
    rf"(?<![\w.-]){_NUMBER}(?![\w-])|\((?:0?3)\.\d{{1,2}}\.\d{{1,2}}(?:\s*[-–,]\s*0?3\.\d{{1,2}}\.\d{{1,2}})*\)\W*\Z"
)
"""Those, and that of SP 800-171 in brackets behind a heading; elsewhere it could be a section's: "Change restrictions (3.4.5)"."""

_ROW = re.compile(rf"\W*{_NUMBER}[*_\s]*(?::|\||[–—]|\s-\s)")

_OPEN = re.compile(
    r"\[[^\[\]\n]{0,40}\b(?:assignment|selection)\b[^\[\]\n]*[\[\]]|\borgani[sz]ation-defined\b", re.IGNORECASE
)
"""A parameter as catalogues print it: "[Assignment: organization-defined frequency]", "[FedRAMP Assignment: at least monthly]"."""

_SEVERAL = 3
_RARELY = 200
"""Open parameters, at least, and words for each, at most, of a paper that gives a framework's words: catalogues have 30 to 90 words
for each; in a house's own paper, filled in by hand, one or two may be left over."""

_standards = worded("voice", r"(?<![\w-])(?:«standards»)(?![\w-])")


def repeats_framework(asked: AskedByPart, said: SaidByPolicy) -> bool:
    """Whether a sentence stands behind a label, or right under a heading, that announces a framework's words.

    Args:
        asked: the part.
        said: the sentence, with its headings.
    """
    path = said.around.rpartition(". ")[0].split(" / ")
    if _titles().match(path[-1]) is not None:
        return True
    for text in (said.own, said.text):
        found = _labels().match(text)
        if found is not None and (found["whose"] or _numbers_control(asked, (*path, found[0]))):
            return True
    return False


def gives_open_parameters(text: str) -> bool:
    """Whether a document prints parameters as a catalogue leaves them open, again and again: it gives the catalogue's words.

    Args:
        text: of the whole document.
    """
    found = sum(1 for _ in _OPEN.finditer(text))
    return found >= _SEVERAL and len(text.split()) <= _RARELY * found


def is_numbered_criterion(said: SaidByPolicy) -> bool:
    """Whether a sentence is a standard's criterion with its number, under the standard's name: "CC7.5: Actions are taken"."""
    return _ROW.match(said.own) is not None and _standards().search(said.around) is not None


def _numbers_control(asked: AskedByPart, texts: tuple[str, ...]) -> bool:
    number = asked.number if re.search(r"\d", asked.number) else ""
    return any(_NUMBERED.search(each) or (number and number.casefold() in each.casefold()) for each in texts)


@cache
def _labels() -> re.Pattern[str]:
    number = r"(?:\s+[\w.()-]*\d[\w.()-]*|\s*\([^)]*\))?"
    return re.compile(rf"\W*(?:\d+[.)]\s+)?{_named()}{number}[*_\s]*(?::|\||[–—]|\s-\s)\s*", re.IGNORECASE)


@cache
def _titles() -> re.Pattern[str]:
    return re.compile(rf"[\W\d]*(?={_whose()}){_named()}\W*\Z", re.IGNORECASE)


def _named() -> str:
    return rf"(?P<whose>(?:{_whose()}\s+(?:[\d.:-]+\s+)?)*)(?:{read_table('voice').pattern('what_is_asked')})"


def _whose() -> str:
    table = read_table("voice")
    return rf"(?:{table.pattern('whose_words')}|{table.pattern('standards')})"
