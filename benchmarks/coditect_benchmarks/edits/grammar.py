"""What the edits share: where a main clause's modal stands, agreement, numbers in words, sentence ends."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias

__all__ = [
    "ACTOR",
    "Edit",
    "Family",
    "be",
    "capitalised",
    "first_main",
    "in_words",
    "lowered",
    "main_matches",
    "replaced",
    "swap_first",
    "table",
]

Family: TypeAlias = Literal["dev", "heldout"]
Edit: TypeAlias = Callable[[str, random.Random, Family], "str | None"]

_SUBORDINATE = re.compile(
    r"\b(?:if|unless|when|whenever|where|which|that|who|whose|whether|as|than|event|until|extent|what|how)\b[^,;]*$",
    re.I,
)
_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ACTOR = (
    r"(?:Licensor|Licensee|Lessor|Lessee|Landlord|Tenant|Seller|Buyer|Purchaser|Vendor|Supplier"
    r"|Customer|Client|Provider|Contractor"
    r"|Consultant|Distributor|Manufacturer|Reseller|Franchisor|Franchisee|Company|Bank|Agent"
    r"|Executive|Employee|Developer|Sponsor"
    r"|Publisher|Operator|Owner|Affiliate|Recipient|creditor|consumer|servicer|bank|card issuer"
    r"|financial institution|borrower|lender"
    r"|applicant|Bureau|remittance transfer provider|mortgage broker|loan originator)"
)


def main_matches(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    """Matches that stand in a main clause: no "if", "which" or "that" governs them."""
    return [match for match in pattern.finditer(text) if not _SUBORDINATE.search(text[: match.start()])]


def first_main(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first of them."""
    return next(iter(main_matches(pattern, text)), None)


def replaced(text: str, match: re.Match[str], words: str) -> str:
    """The text with a match exchanged, white space tidied, its capital kept."""
    if match.start() == 0 and words:
        words = words[0].upper() + words[1:]
    out = text[: match.start()] + words + text[match.end() :]
    return capitalised(re.sub(r"\s+([,.;])", r"\1", " ".join(out.split())))


def capitalised(text: str) -> str:
    """With a capital first letter."""
    return text[:1].upper() + text[1:]


def lowered(text: str) -> str:
    """With a small first letter where the first word is no name: an article, a pronoun, a preposition."""
    first = re.match(
        r"(?:The|A|An|Each|Any|All|No|Neither|Either|If|Upon|In|At|For|On|This|These|Such|Every|Both"
        r"|Except|Subject|When|Within|Unless|It|Notwithstanding|During|After|Prior|Before|To|Under|We|You"
        r"|They|Such|Where|Only|Other|Its|Their|As|By|With|Without|From|Following|Until|Nothing)\b",
        text,
    )
    return text[:1].lower() + text[1:] if first else text


def be(text: str, at: int) -> str:
    """ "is" or "are" after the words before ``at``."""
    words = text[:at].rstrip(" ,").split()
    last = words[-1].strip('“”"(),').casefold() if words else ""
    if " and " in " ".join(words[-4:]) and not {"each", "either", "any", "every", "no", "neither"} & {
        w.casefold() for w in words[:3]
    }:
        return "are"
    singular = last.endswith(("ss", "us", "is")) or last in ("licensee's",)
    return (
        "are"
        if last in ("they", "you", "we", "parties", "employees") or (last.endswith("s") and not singular)
        else "is"
    )


def in_words(value: int) -> str:
    """A whole number from 0 to 999 in English words."""
    if value < 20:
        return _ONES[value]
    if value < 100:
        tens, ones = divmod(value, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    hundreds, rest = divmod(value, 100)
    return f"{_ONES[hundreds]} hundred" + (f" {in_words(rest)}" if rest else "")


Row: TypeAlias = "tuple[str, str]"


def table(rows: Iterable[Row]) -> list[tuple[re.Pattern[str], str]]:
    """Compiled patterns with what takes their place."""
    return [(re.compile(pattern), words) for pattern, words in rows]


def swap_first(rows: list[tuple[re.Pattern[str], str]], text: str, rng: random.Random, *, main: bool) -> str | None:
    """The text after the first applicable row of a shuffled table; "{be}" agrees with what stands before."""
    order = list(rows)
    rng.shuffle(order)
    for pattern, words in order:
        match = first_main(pattern, text) if main else pattern.search(text)
        if match:
            return replaced(text, match, match.expand(words.replace("{be}", be(text, match.start()))))
    return None
