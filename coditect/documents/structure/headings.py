"""Lines of running text: headings behind a label, headings in capitals, tables of contents, wrapped references.

Every look at the text is bounded, so that a line of fifty million characters costs no more than its labels.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from coditect.documents.structure.labels import LabelCandidate, parse_label
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.places import line_matches
from coditect.language.tables import read_table

__all__ = [
    "HEADING_CHARS",
    "capital_lines",
    "contents_regions",
    "ends_in_page_number",
    "heading_after",
    "is_contents_entry",
    "may_start",
    "term_lines",
]

HEADING_CHARS = 200
"""Longest heading text that is kept, in code points."""

_SPACES = " \t\xa0"
_WINDOW = 260
_HEADINGS = read_table("headings")
_SMALL = frozenset((*read_table("stop_words").words("small_in_titles"), "&", "/", "-", "–", "—"))
_WORD = re.compile(r"[^\s]+")
# A run-in heading ends with its sentence mark, a dash, or a wide gap. "U.S. Taxes." keeps its initials together.
_RUN_IN_END = re.compile(r"(?<![. ][A-Z])[.:](?=[\s\"”’)]|\Z)|[ \t\xa0]{2,}|\t| [-–—]{1,2} |(?<=\w)[-–—]{2}|\.?[–—]")
# The title that an act prints behind a section's number, in small letters: "79. Limitation of suits.—No court shall".
_MARGIN_TITLE = re.compile(r"[A-Z][^.;:()\n]{2,180}\.(?:[—–]|-{1,2})(?=[\s\d¹²³]{0,4}[A-Z(\[\"“])")
_DOT_LEADERS = quick(r"\.{4,}|(?:\. ){3,}|…{2,}|_{4,}\s*[0-9]")
_PAGE_NUMBER_TAIL = re.compile(
    r"(?:[ \t\xa0]{2,}|\t|(?<=[.…_ ]))[ \t\xa0]*(?:[0-9]{1,3}|[ivx]{1,5}|[A-Z]-[0-9]{1,3})\Z"
)
_CONTENTS_TITLE = re.compile(
    rf"(?:\A|\n)[ \t\xa0]*(?:{_HEADINGS.pattern('contents_titles', space=' ')})[ \t\xa0:]*(?=\n|  |\Z)", re.IGNORECASE
)
_REFERENCE_TAIL = re.compile(rf"\A(?:{_HEADINGS.pattern('behind_references')})\b")
_REFERENCE_HEAD = re.compile(rf"(?:\b(?:{_HEADINGS.pattern('before_references')})|,)\Z", re.IGNORECASE)
# What stands behind the first of several provisions that a sentence names: "(c) through (f)", "(a) and (b)".
_RANGE = re.compile(r"(?:through|to|and|or)\s+\(\w{1,5}\)")
_TITLED = re.compile(r"\([A-Z][^()\n]{2,80}\)\s+(?!(?:and|or|of|the|to|for|in|as)\b)[a-z]{2}")
# What an appendix belongs to, and then its title: "Appendix A to Part 7—Forms", "Supplement I to Part 7".
_OF_A_PART = re.compile(
    r"[ \t\xa0]{1,4}to (?:this )?(?:(?:Subpart|Part|Title|Chapter|Section|§{1,2})[ \xa0]{0,2}[\w.]{1,12}(?: of )?){1,3}"
    r"[ \t\xa0]*(?:[—–:-]|\n|\Z)"
)
# What a title says of itself in brackets, in whatever case: "Encryption (Not required)", "Logging [optional]".
_REMARK = re.compile(r"(?<=\w) [(\[][A-Za-z]+ [a-z]+[)\]]\Z|(?<=\w) [(\[][a-z]+[)\]]\Z")
_CELL = re.compile(
    r"[ \t\xa0.]*([A-Z][^\n\t]{2,120}?)"
    + "".join(f"(?<!{re.escape(word)})" for word in _HEADINGS.words("before_a_number"))
    + r" [0-9]{1,3}(?=\n|  |\t|\Z)"
)
_TERM_LINE = re.compile(
    r"\n[ \t\xa0]{0,40}(?P<term>[\"“‘*_]{0,3}[A-Za-z][\w'’/&-]*(?:[ ,][\w'’/&()-]+){0,8}?[\"”’*_]{0,3},?\s"
    r"(?:means?|(?:has|have)\sthe\s(?:same\s)?meanings?|(?P<includes>includes?|(?:does|do)\snot\sinclude))(?:[,:—–]|\s))"
)
_BEHIND_NUMBER = re.compile(r"\s{0,40}\d{1,3}(?:\.\d{1,3})+\.?[ \t\xa0]{1,20}")
_CAPITAL_LINE = re.compile(r"(?:(?<=\n)|\A)[ \t\xa0]{0,160}+([^a-z\n]{4,200}?)[ \t\xa0]{0,160}(?=\n|\Z)")
_LETTER = re.compile(r"[^\W\d_]")


def _line_end(text: str, start: int, end: int) -> int:
    stop = min(end, start + _WINDOW)
    found = text.find("\n", start, stop)
    return stop if found < 0 else found


def _is_heading_phrase(phrase: str) -> bool:
    """Whether every word that carries meaning starts with a capital or a digit, and there is at least one letter."""
    words = _WORD.findall(phrase)
    if not words or len(words) > 16 or len(phrase) > HEADING_CHARS:
        return False
    capital = 0
    for word in words:
        core = word.strip("\"'“”‘’()[],;*")
        if not core or core in _SMALL:
            continue
        if core[0].isalpha() and not core[0].isupper():
            return False
        capital += core[0].isalpha()
    first = next((c for c in phrase if c.isalnum()), "a")
    return capital > 0 and (first.isupper() or first.isdigit())


def heading_after(text: str, start: int, end: int, *, next_line: bool) -> tuple[str, int]:
    """The heading that follows a label, and where the body begins.

    Args:
        text: the canonical text.
        start: one past the label.
        end: one past what may belong to the clause.
        next_line: whether a bare label may take the following short line as its heading ("ARTICLE V", then its title).
    Returns:
        the heading, white space collapsed, "" if there is none; first code point after label and heading, <= end.
    """
    while start < end and text[start] in " \t\xa0.:–—-":
        start += 1
    stop = _line_end(text, start, end)
    if start >= stop and next_line:
        return _next_line_heading(text, start, end)
    rest = text[start:stop].rstrip()
    margin = _MARGIN_TITLE.match(rest)
    if margin is not None:
        return " ".join(margin[0].rstrip(".—–-").split())[:HEADING_CHARS], after_space(text, start + margin.end(), end)
    whole_line = stop < start + _WINDOW or stop == end
    ends = _RUN_IN_END.search(rest)
    phrase = rest[: ends.start()] if ends else rest
    if not phrase or not (ends or whole_line) or not _is_heading_phrase(_REMARK.sub("", phrase)):
        return "", after_space(text, start, end)
    if ends is None and (rest[-1] in ";,:" or len(rest) > 120):
        return "", after_space(text, start, end)
    if ends is not None and (
        phrase.rstrip()[-1] in ";," or any(phrase.count(o) > phrase.count(c) for o, c in ("[]", "()"))
    ):
        return "", after_space(text, start, end)
    if ends is not None and not ends.group().strip() and rest[ends.end() : ends.end() + 1].islower():
        return "", after_space(text, start, end)  # the gap is a former line end inside a sentence
    taken = ends.end() if ends else len(rest)
    return " ".join(phrase.split()), after_space(text, start + taken, end)


def _next_line_heading(text: str, start: int, end: int) -> tuple[str, int]:
    begin = after_space(text, start, min(end, start + 20))
    stop = _line_end(text, begin, end)
    line = text[begin:stop].strip()
    if 0 < len(line) <= 100 and line[-1] not in ";,:" and _is_heading_phrase(line.rstrip(".")) and "." not in line[:-1]:
        return " ".join(line.rstrip(".").split()), after_space(text, stop, end)
    return "", begin


def after_space(text: str, start: int, end: int | None = None) -> int:
    """The first offset from ``start`` on that is not white space, at most ``end``."""
    end = len(text) if end is None else end
    while start < end and text[start].isspace():
        start += 1
    return start


def is_contents_entry(text: str, start: int, end: int) -> bool:
    """Whether the line or cell that starts here ends in dot leaders or in a page number set apart: a contents entry."""
    stop = _line_end(text, start, end)
    line = text[start:stop].rstrip()
    if _DOT_LEADERS.search(line):
        return True
    if stop - start < _WINDOW and _PAGE_NUMBER_TAIL.search(line[-40:]) is not None and len(line) < 160:
        return (line[-1].isdigit() and line[-2:-1] not in _SPACES) or "  " in line or "\t" in line
    cells = re.split(r"[ \t\xa0]{2,}|\t", line, maxsplit=4)
    return len(cells) > 2 and any(c.isdigit() and len(c) < 4 for c in cells[1:3]) and cells[-1] != ""


def ends_in_page_number(text: str, start: int) -> bool:
    """Whether the line or cell that starts here is a short heading with a number at its end."""
    found = _CELL.match(text, start)
    return found is not None and _is_heading_phrase(found.group(1))


def contents_regions(text: str) -> list[tuple[int, int]]:
    """Spans of tables of contents: from their title up to the first line of prose, or to the label that repeats."""
    regions: list[tuple[int, int]] = []
    for found in _CONTENTS_TITLE.finditer(text):
        start = found.end()
        if regions and start < regions[-1][1]:
            continue
        end = _contents_end(text, start)
        regions.append((start, end))
    return regions


def _contents_end(text: str, start: int) -> int:
    first = ""
    position = start
    limit = min(len(text), start + 60_000)
    while position < limit:
        stop = text.find("\n", position, limit)
        stop = limit if stop < 0 else stop
        line = " ".join(text[position : min(stop, position + 400)].split())
        numbered = line[-1:].isdigit()
        if len(line) > 200 or (len(line) > 90 and not numbered):
            return position
        head = " ".join(line.lower().rstrip("0123456789").split()[:2]).rstrip(".")
        if line and any(c.isdigit() or c.isupper() for c in line):
            if first and head == first and not numbered:
                return position
            first = first or head
        position = stop + 1
    return limit


def may_start(text: str, candidate: LabelCandidate, line_floor: int, *, is_marked: bool = False) -> str:
    """How well a clause could start here, judged by its neighbours on the page alone.

    Args:
        text: the canonical text.
        candidate: the label.
        line_floor: first code point of the stretch that it stands in.
        is_marked: whether the format says that a paragraph or an item begins here, so that no line runs on into it.

    Returns:
        "no" for references, quantities and wrapped lines; "weak" if only the exact successor of a clause before it may
        stand here; "good" otherwise.
    """
    after = text[candidate.end : candidate.end + 60]
    style = candidate.readings[0].style
    tail = after.lstrip(" \t\xa0")
    is_keyword = candidate.readings[0].rank <= 4
    if not tail or tail[0] == "\n":
        if candidate.place != "line" or (not is_keyword and _is_bare(text, candidate.end)):
            return "no"  # a column of numbers, torn from its text
        return "good" if is_keyword else "weak"
    if after[0] in ",;%/)]”’" or tail[0] in ",;" or (after[0] == "." and after[1:2].isalnum()):
        return "no"
    if (tail[0].isdigit() and candidate.label[-1:].isdigit()) or (candidate.label[0] == "(" and _RANGE.match(tail)):
        return "no"
    if (
        is_keyword
        and candidate.place == "gap"
        and _BEHIND_NUMBER.fullmatch(text, text.rfind("\n", 0, candidate.start) + 1, candidate.start)
    ):
        return "no"  # "2.2.1   Principle 1   Integrity" is cited by its number
    is_open = candidate.place != "line" or (candidate.label[0].isalpha() and text[candidate.end - 1] not in ".:")
    if candidate.place == "line" and candidate.readings[0].rank == 0 and _OF_A_PART.match(text, candidate.end):
        return "good"
    if is_keyword and (_REFERENCE_TAIL.match(tail) or (tail[0].islower() and is_open) or _TITLED.match(tail)):
        return "no"  # "Section 4 recommends", "Section 4 (Keys) does not apply"
    is_wrapped = not is_marked and _is_wrapped(text, candidate.start, line_floor)
    if candidate.place == "inline":
        ready = tail[0].isupper() or tail[0] in '"“[('
        return "weak" if ready and not is_wrapped else "no"
    if is_wrapped:
        return "no"
    if tail[0].islower() and (style in ("1.", "a.", "i.", "A.", "I.") or style.startswith("dotted")):
        return "weak"
    if candidate.place == "gap" and tail[0].islower() and not style.startswith("("):
        return "weak"
    return "good"


def term_lines(text: str, start: int, end: int) -> Iterator[tuple[int, bool]]:
    """Where a line begins with the definition of a term that has no label, and whether its verb can only define.

    "Keeper means a person who" defines; "A keeper includes a firm" does so among definitions.
    """
    for found in _TERM_LINE.finditer(text, start, end):
        before = text[max(0, found.start() - 3) : found.start() + 1].rstrip()[-1:]
        if before in ".;:)]" or text[found.start() - 1 : found.start()] == "\n":
            yield found.start("term"), found["includes"] is None


def _is_bare(text: str, end: int) -> bool:
    """Whether nothing, or only the next label, follows."""
    following = after_space(text, end, min(len(text), end + 90))
    label = parse_label(text[following : following + 40])
    return following == len(text) or (label is not None and label.readings[0].rank > 4 and label.label[:1] != "(")


def _is_wrapped(text: str, start: int, floor: int) -> bool:
    """Whether the line before runs on into this one, or the words before the gap introduce a reference."""
    before = text[max(floor, start - 80) : start]
    head = before.rstrip()
    found = _REFERENCE_HEAD.search(head[-16:])
    if found is None:
        return False
    is_apart = before[len(head) :].count("\n") >= 2
    if found.group() == "," or (is_apart and text.startswith("(", start)):
        return not is_apart  # "a vessel that", and its first item behind a blank line
    if found.group().lower() in ("and", "or"):  # "...; and" introduces the next item of a list
        return not is_apart and head[: -len(found.group())].rstrip()[-1:] not in ";,.:"
    return True


def capital_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of lines in capitals that stand as headings; lines that repeat (page headers) are left out.

    Of lines with nothing between them only the last is a heading: what comes before are banners and title pages. A
    heading that goes on in the very next line is one span.
    """
    spans: list[tuple[int, int]] = []
    for found in line_matches(_CAPITAL_LINE, text, start, end):
        line = found.group(1)
        if line[-1] in ",;:-" or len(line) > 120 or line[0] in '_-=*[(<"/$.&':
            continue
        letters = len(_LETTER.findall(line))
        if letters >= 4 and letters * 2 > len(line) and "  " not in line and "__" not in line and "\t" not in line:
            spans.append((found.start(1), found.end(1)))
    seen = Counter(text[a:b] for a, b in spans)
    kept: list[tuple[int, int]] = []
    for start_of_line, end_of_line in spans:
        if seen[text[start_of_line:end_of_line]] > 1:
            continue
        begin = start_of_line
        gap = text[kept[-1][1] : begin] if kept and begin - kept[-1][1] < 12 else "x"
        if not gap.strip():
            before, _ = kept.pop()
            begin = before if gap.count("\n") == 1 else begin
        kept.append((begin, end_of_line))
    return iter(kept)
