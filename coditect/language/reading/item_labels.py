"""The number or the mark in front of a point of a list: it says where a sentence stands in its text, and nothing of the matter.

"4. Accounts are disabled within 48 hours." claims of accounts what the same words claim without the "4.". What may be part of a
sentence stays: amounts and days ("2.5 million customers", "12. March", "1.5 hours"), and initials ("A. Smith").
"""

from __future__ import annotations

import re

from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = ["find_item_start"]

_TIME, _NUMBERS, _MONEY = (read_table(name) for name in ("time", "numbers", "money"))
_AMOUNT = (
    rf"(?!(?:{_TIME.pattern('units')}|{_TIME.pattern('kinds_of_days')}|{_TIME.pattern('month_forms')}|per|percent"
    rf"|{'|'.join(_NUMBERS.mapping('scales'))}|{_MONEY.pattern('codes')}|{_MONEY.pattern('name_forms')})\b)"
)
# "2.5 Gbps", "2.4 GHz", "5.5 Volts": signs and names of units that begin with a capital.
_UNIT = (
    r"(?!(?-i:[KMGTP]?i?(?:bits?|bps|bytes?|Bps|B|b|Hz|Wh?|V|A|J|Pa|N|C|F)|Volts?|Watts?|Amp(?:ere)?s?|Hertz|Pascals?|Celsius|Kelvin)"
    r"(?:/[a-z]+)?(?![\w-]))"
)
_ROMAN = r"(?=[ivxlc])x{0,3}(?:ix|iv|v?i{0,3})"
_CAPITAL = r"(?=[\"“”‘’'(\[]*(?-i:[A-Z]))"
_LABEL = deferred(
    r"\s*(?:[-–—•*▪◦‣·]\s+)?(?:"
    rf"(?:\(\d{{1,3}}\)|\d{{1,3}}\)|\[\d{{1,3}}\])\s+{_AMOUNT}"  # (1) 1) [1]
    rf"|\d{{1,3}}(?:\.\d{{1,3}}){{0,4}}\.\s+{_AMOUNT}"  # 1. 1.2.
    rf"|[1-3]?\d(?:\.\d{{1,2}}){{1,4}}\s+{_AMOUNT}{_UNIT}{_CAPITAL}(?!(?-i:[A-Z]{{2}}))"  # 1.2
    rf"|(?:\((?:[a-z]|{_ROMAN})\)|(?:[a-z]|{_ROMAN})\))\s+"  # (a) (iv) a) iv)
    rf"|(?-i:[a-z]|{_ROMAN})\.\s+{_CAPITAL}"  # a. iv.
    r"|[A-Z]{1,4}\.\s+(?=(?:the|an?|all|each|every|any|no)\s)"  # A. IV.
    rf"|(?:item|point|no\.?|nr\.?|#)\s?\d{{1,3}}(?:[.:)]|\s[-–—])\s+{_AMOUNT}"  # Point 3: #3)
    r")(?=\S)",
    re.IGNORECASE,
)


def find_item_start(text: str) -> int:
    """Where a sentence begins behind the label of the point that it stands in, a code point of the text; 0 where it has none.

    Args:
        text: one sentence, as it stands in its text.
    """
    found = _LABEL.match(text)
    return found.end() if found and len(text) - found.end() > 1 else 0
