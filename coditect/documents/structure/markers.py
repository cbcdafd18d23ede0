"""What stands before the words of a provision or an item: markers of lists, numbers with their whole path, codes, bullets."""

from __future__ import annotations

import re

from coditect.language.norms.actors.agents import known_to_act
from coditect.language.patterns.deferred import deferred

__all__ = [
    "BULLETS",
    "CHAIN",
    "MARKER",
    "PATH",
    "is_bullet",
    "is_initial",
    "item_marker",
    "marker_styles",
    "printed_label",
]

MARKER = re.compile(
    r"[\s*]*(?:(?P<open>\()?(?P<mark>(?:[a-z]{1,2}|[ivxl]{1,7}|[A-Z]|\d{1,2})(?P<between>(?<=\d)[A-Z]{1,2}(?=[).])|(?<=[a-z])[A-Z](?=\))|(?<=\([a-z\d])[.-]\d{1,2}(?=\)))?)(?P<close>[).])"
    r"|(?P<decimal>\d{1,3}(?:\.\d{1,3})+)\.?|(?P<bullet>[•·▪●*–-]))(?=\s)\s*(?=[^\s\W_]|[\"“'(\[{$€£])"
)
"""What stands before an item of a list: "(a)", "1.", "4.2", a bullet."""

# A label with its whole path ("4.2.1", "PART 5.13.2.1.(2)", "§ 12(b)"): it numbers a provision, and is none of its words.
PATH = re.compile(
    r"[\s*]*(?:(?:(?:part|rule|section|article|chapter|schedule|clause|annex|appendix|app|step)\s+|§+\s*)?[A-Z]{0,4}\d{1,4}[A-Z]{0,2}(?:[.-](?:chapter\s+)?\d{1,4}[A-Z]{0,2})*(?:\.[a-z]{1,2}(?:\.\d{1,2})?)?\.?"
    r"(?:(?:(?<=\.)|(?<=\)))(?:guidance|note)(?:\.?\d{1,3})?\.?)?"
    r"(?:[—–-]{1,2}\s?(?=\(\w))?(?:\s?\(\w{1,5}\))*[.:)]?|\((?:[a-z]{1,2}|[ivxl]{1,7}|[A-Z]|\d{1,3})\)|[a-z]\))[\s\u200e]+(?=[^\s\d])"
    r"|\(\d{1,2}\)(?=(?-i:[A-Z])[a-z])",  # "(1)The Board", as some acts are set
    re.IGNORECASE,
)
# The name of a rulebook's part before the number of its rule: "AML 4.5.1". Elsewhere it is a reference, or an amount.
_MODULE = re.compile(r"[A-Z]{2,5}[ \t\xa0]{1,2}(?=\d+[A-Z]?\.\d+[A-Z]?\.\d)")
# A provision that a sentence speaks of: "Rule 12.5.1 requires a report" is no sentence of that rule.
_NAMED = re.compile(
    r"[\s*]*(?:part|rule|section|article|chapter|schedule|clause|annex|appendix|app|step|§+)\s*"
    r"[A-Z]{0,4}\d[\w.-]*(?:\s?\(\w{1,5}\))*[ \xa0]+(?-i:[a-z]{2})",
    re.IGNORECASE,
)
# The label of an item that the format tells to be one: "a Prevent access" prints it without a sign behind it.
_MOST_DIGITS = 3  # of a bare number at the beginning of a line that is no year
# A number that counts what stands behind it, or begins a citation: "50 percent of it", "10 U.S.C. 3801".
_COUNTS = re.compile(r"\s*\d+[ \t\xa0]+(?:[a-z]|(?:[A-Z]\.){2})")
_BARE_LABEL = re.compile(r"(?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})[ \t\xa0]+(?=[A-Z])")
# The code of a requirement: "SR-03.01.02", "PR.AC-1:", "A.5.1.1"; a name with a number ("AES-256") goes on in a small letter.
_CODE = re.compile(
    r"[\s*]*(?:[A-Z]{1,5}[.-]){1,3}\d{1,3}(?:[.-][A-Z\d]{1,3}|[.-][a-z]{1,2}(?![a-z]))*(?:\(\w{1,3}\))*[.:)]?"
    r"[ \t\xa0]+(?=[A-Z\[({“\"])"
)
# Of an item that the format tells to be one, a label with several parts is one whatever stands behind it: "03.01.e.01 24 hours".
_PARTED = re.compile(
    r"(?:(?:[A-Z]{1,6}[.-])*\d{1,3}(?:[.-][A-Za-z\d]{1,3}){2,}(?:\(\w{1,3}\))*"
    r"|(?:[A-Z]{1,6}[.-])+\d{1,3}(?:[.-][A-Za-z\d]{1,3})+)[.:)]?[ \t\xa0]+(?=\S)"
)
CHAIN = re.compile(r"\d{1,2}[a-z]\d{1,2}(?:[a-z]\d{0,2})?[).][ \t\xa0]+(?=[A-Z\[(“\"])")
"""Numbers and letters in turn, which hold those of the provision above: "2a1)" inside of "2a)"."""

# What stands before the tab that sets a number apart: "PART 5.13A.4.1", "9.15.3.Guidance.1", "Part 2.Chapter 1.5A.(2)".
_TABBED = re.compile(r"(?=[^\t\n]{0,120}\d)[^\t\n;!?]{1,120}\t\s*(?=\S)")
_UNITS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = {
    f"{'x' * tens}{unit}": 10 * tens + place for tens in range(4) for place, unit in enumerate(_UNITS) if tens or unit
}
BULLETS = frozenset("•·▪●*–-")
"""Signs before the items of a list that has no order."""
# "R. Okafor shall": an initial, a surname and a verb.
_SURNAME = deferred(
    r"[ \t\xa0]{0,3}(?:[A-Z]\.[ \t\xa0]?)?(?P<name>[A-Z][a-z’'-]+(?:[A-Z][a-z]+)?)"
    r"[ \t\xa0]+(?:shall|will|must|may|should|to|is|has|and|[a-z]+s)[ \t\xa0\n]"
)


def is_bullet(style: str) -> bool:
    """Whether the items of a list have no order that would show where they belong."""
    return style.startswith("block") or style in BULLETS


def item_marker(text: str, start: int, end: int) -> re.Match[str] | None:
    """What stands before an item; None for the initial of a name: "R. Okafor shall"."""
    found = MARKER.match(text, start, end)
    named = (
        found and found["close"] == "." and not found["open"] and is_initial(text, found["mark"], found.end("close"))
    )
    return None if named else found


def is_initial(text: str, letter: str, at: int) -> bool:
    """Whether a letter with a full stop is that of a name: a surname and a verb follow, and no label stands beside it in a list.

    "A. Tenant shall" begins with who is bound by his role; of "A. Brandt shall" and "B. Acme shall" both are labels. A surname may
    sound like one who acts ("R. Okafor", "T. Baker"): only the first letter of a list can stand alone.

    Args:
        text: the text.
        letter: as it is printed.
        at: one past its full stop.
    """
    if len(letter) != 1 or not letter.isupper() or text[at - 1 : at] != ".":
        return False
    named = _SURNAME.match(text, at)
    if named is None or (letter == "A" and known_to_act(named["name"]) is True):
        return False
    beside = "".join(chr(ord(letter) + step) for step in (-1, 1))
    return re.search(rf"^[ \t]*[{re.escape(beside)}]\.[ \t]", text, re.MULTILINE) is None


def printed_label(text: str, start: int, end: int, *, is_block: bool, is_section: bool) -> re.Match[str] | None:
    """The number of a provision with which a sentence begins, and which is none of its words.

    Args:
        text: the text as it is read.
        start: the sentence's first code point.
        end: one past its last.
        is_block: whether the format says that it is an item.
        is_section: whether a section of the outline begins with it; elsewhere a bare number may be a year or a figure.
    """
    module = _MODULE.match(text, start, end) if is_section else None
    if module is not None:
        return PATH.match(text, module.end(), end)
    named = _NAMED.match(text, start, end)
    if named is not None:
        return None
    patterns = (_TABBED, PATH, _CODE, CHAIN, *((_PARTED, _BARE_LABEL) if is_block else ()))
    label = next((found for each in patterns if (found := each.match(text, start, end))), None)
    number = label[0].strip() if label is not None and not (is_block or is_section) else ""
    if not number.isdigit():
        return label
    is_figure = len(number) > _MOST_DIGITS or text[max(0, start - 1) : start] not in ("", "\n")
    return None if is_figure or _COUNTS.match(text, start, end) else label


def marker_styles(marker: re.Match[str] | None) -> list[tuple[str, float]]:
    """What a marker may be: its style and its place in a sequence; 0 where the style does not count."""
    if marker is None:
        return []
    if marker["bullet"]:
        return [(marker["bullet"], 0)]
    if marker["decimal"]:
        head, _, tail = marker["decimal"].rpartition(".")
        return [(f"decimal {head}", int(tail))]
    mark, frame = marker["mark"], f"{marker['open'] or ''}x{marker['close']}"
    if between := marker["between"]:
        # "(1A)", "(d.1)": of the list of "(1)" and "(d)", in whose row it takes no place
        mark = mark.removesuffix(between)
        place = ord(between[-1]) - ord("A") + 1 if between[-1].isalpha() else int(between[1:])
        return [(style, ordinal + place / 100) for style, ordinal in _ordered(mark, frame)]
    return _ordered(mark, frame)


def _ordered(mark: str, frame: str) -> list[tuple[str, float]]:
    """The styles of a letter, numeral or number between its signs, with its place in each."""
    if mark.isdigit():
        return [(f"number {frame}", int(mark))]
    found: list[tuple[str, float]] = []
    if mark in _ROMAN:
        found.append((f"roman {frame}", _ROMAN[mark]))
    if len(mark) == 1:
        found.append((f"letter {frame} {mark.isupper()}", ord(mark.lower()) - ord("a") + 1))
    elif mark[0] == mark[1:2]:
        found.append((f"letter {frame} False", ord(mark[0]) - ord("a") + 27))
    return found
