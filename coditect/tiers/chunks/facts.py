"""Facts: what makes a sentence worth keeping in Tier 2 however little it stands out.

Auditors look for open points, dates that pass, cells that are empty and sections that do not exist; a summary by salience
passes over most of them. What one sentence shows is read from it alone; what only the whole document shows is in :class:`Marks`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from coditect.documents.profile.guess import HEAD
from coditect.documents.profile.labels import guess_dates
from coditect.documents.sentences import Span
from coditect.documents.source import SourceText
from coditect.documents.structure.bare_sections import bare_sections
from coditect.documents.structure.outline import OutlineSection
from coditect.language.patterns.beginnings import quick
from coditect.language.tables import read_table
from coditect.schemas import CrossReferenceData, Extraction
from coditect.tiers.findings.missing import DEFINED_TERM, TERM_BARE, TERM_INSIDE
from coditect.tiers.findings.naming import company_document
from coditect.tiers.findings.required.roles import role_sentences
from coditect.tiers.findings.said.spanning import filled_columns
from coditect.tiers.findings.tables import cells, columns, dates_of, due_at, due_cell, due_lines, empty_columns, is_row

__all__ = ["SHORT_NOTE", "Marks", "marks_of", "missing_parts", "open_point_of", "place_of"]

_OPEN = read_table("open_points")
_PARTS = "(?:Schedule|Annex|Appendix|Exhibit|Attachment)"

OPEN_POINT = quick(
    rf"\b(?:TBD|TBC)\b|\b[Tt]o be (?:{_OPEN.pattern('to_be')})(?=\s*(?:[.|;)\]]|$|None\b))"
    rf"|(?:: |\| )(?:[Nn]ot (?:yet )?(?:{_OPEN.pattern('not_yet')})|[Oo]verdue|[Uu]n(?:assigned|signed))\b"
    rf"|\b(?:{_OPEN.pattern('labels')}): (?:[Nn]one|[Mm]issing|(?<!Status: )[Nn]/[Aa])\b"
    r"|\b[Tt]here (?:is|was|were|are) no (?:record|evidence|documentation)s? (?:of|that|for)\b"
    r"|\b[Nn]o (?:record|evidence|report|documentation)s? (?:was|were|has been|have been|could be)"
    r" (?:received|found|provided|produced|kept|made)\b"
    rf"|\b[Nn]o (?:[\w-]+ ){{1,6}}(?:exists?|(?:is|are) (?:in place|available)) (?:{_OPEN.pattern('so_far')})\b"
    r"|\b(?:did not|could not) (?:settle|decide|agree) who\b"
    rf"|\b(?:{_OPEN.pattern('undecided')})\b"
    rf"|(?:\b(?:[Rr]esponsible|[Oo]wner|[Ww]ho|[Cc]ontact)(?:\s+\w+)?:\s*|\|\s)(?i:{_OPEN.pattern('nobody')})(?=\s*(?:[,;|]|\||$))"
    rf"|{''.join(rf'(?<!(?i:{word}))' for word in _OPEN.words('signing'))}:\s*_{{4,}}"
    r"|\[(?:\u25cf|\u2022|insert\b[^\]]{0,40}|TBD|to come)\]"
)
"""Words that leave something open. "To be agreed by the parties" is a term of a contract; "to be agreed." is none."""

TO_WRITE = re.compile(rf"[\s\[(]*(?:[Tt]o be|[Tt]o)\s+(?:{_OPEN.pattern('to_write')})(?:\s+later)?[\s.\])]*")
"""A whole sentence that stands for what is not written yet."""

DATED = re.compile(rf"\b(?:{_OPEN.pattern('dated')})", re.IGNORECASE)
"""Labels of table cells whose dates say when something was done or is to be done."""

NEARBY = 120
"""Characters behind a reference within which its document may be named: "Section 6.08, Section 6.09 and … of the LSA"."""

FOREIGN = re.compile(
    r"[^.;]{0,20}(?:(?:,|and|or|through|to)\s(?:[^.;]|\.\d){0,80})?\b(?:of|in|under|to)\s+(?:the|such|those|that|an?|said)\s+[_*“\"]*(?!Agreement|Contract)[A-Z]"
)
HERE = re.compile(r"\b(?:[Tt]his|[Ss]uch)\s+\Z")
"""What shows that a place is where the sentence stands, or of a law that was named before: "such chapter 11 case"."""

NUMBERED = re.compile(
    r"\b[A-Z]{2,}[\w-]*(?:\s+[A-Z][\w-]*)*\s+(?:[Nn]o\.?\s*)?\(?\d+\)?,?\s+\Z"
    r"|\b(?:Regulations|Code|Act|Laws?|Statutes?),?\s+\Z"
)
OWNED = re.compile(r"\s+(?:of|in|under)\s+(?:the\s+|our\s+)?")
OWNING = re.compile(r",?\s+")
PLACE = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,3}")
PRINTED_NUMBER = quick(
    r"^[ \t]*(\d{1,3}(?:\.\d{1,3}){0,3})(?=[.)]?[ \t])"
    r"|(?<![\w.,])(?<!ection )(?<!ections )(?<!lause )(?<!lauses )(?<!rticle )(\d{1,3}(?:\.\d{1,3})+)(?=\.?\s+[A-Z\"“(])",
    re.MULTILINE,
)
"""Numbers of sections at the beginning of a line, and dotted ones before a capital letter, where text was reflowed."""

YEAR = re.compile(r"\b(?:19|20)\d\d\b")
TELLING_TIME = re.compile(
    r"\blast\s+[a-z]+(?:ed|en|wn|pt|ld|ne|de)?\b[^.;]{0,60}\b(?:19|20)\d\d\b"
    r"|\b[Tt]his\s+(?:[\w-]+\s+){1,3}(?:ends?|expires?|terminates?|lapses?|runs|remains|is)\b[^.;]{0,60}\b(?:19|20)\d\d\b"
    r"|\breview(?:ed|s)?\b[^.;]{0,40}\b(?:due|by|on|before|date)\b[^.;]{0,40}\b(?:19|20)\d\d\b"
    r"|\b(?:next|last)\s+review\b[^.;]{0,40}\b(?:19|20)\d\d\b"
    r"|\b(?:in force|valid|effective)\s+(?:from|until|to|through|since)\b[^.;]{0,40}\b(?:19|20)\d\d\b"
    r"|\bexpir(?:es|ed|y|ing)\b[^.;]{0,40}\b(?:19|20)\d\d\b"
    r"|\b(?:every|all)\s+(?:positions?|roles?|functions?)\b.{0,60}\b(?:listed|named|shown)\b",
    re.IGNORECASE,
)
"""What was last done when, how long something is in force, when it is to be reviewed, and that a list is complete."""

MOST_CITED = 2
"""Schedules and the like that a sentence cites, above which it is a list of them."""

LONGEST_USE = 400
MOST_UNDEFINED = 5
"""Characters of a sentence that is kept for such a term; and terms of a document that are looked at, at most."""

PART = quick(rf"\b(?P<kind>{_PARTS})\s+(?P<number>\d{{1,2}}|[A-Z])\b(?!\s+(?:of|to)\s+(?:the\s+)?[A-Z])(?![.\d-]*\d)")
PART_TITLE = re.compile(
    rf"^[ \t#*>]*(?P<kind>{_PARTS}|{_PARTS.upper()})\s+(?P<number>\d{{1,2}}|[A-Z])\b(?![.\d-]*\d)"
    rf"|(?P<shouted>{_PARTS.upper()})\s+(?P<label>\d{{1,2}}|[A-Z])\b(?![.\d-]*\d)",
    re.MULTILINE,
)
ATTACHED = re.compile(r"[ae](?<!\w[ae])(?:(?<=a)(?:ttached|nnexed|ppended)|(?<=e)nclosed)\b")
"""A part of a document as it is cited, as it is headed, and the words of a sentence that lists what is attached."""

AROUND_ATTACHED = 1_000
"""Characters of a sentence on either side of such a word that are looked at, at most."""

SHORT_NOTE = 80
"""Characters of a sentence in which "to be agreed" leaves a point open; in longer ones it is a term of an agreement."""


_RELATIVE = re.compile(
    r"\b(?:that|which|who)\s+$|\b(?:if|unless|while|whenever|as\s+long\s+as|(?:during|in|for|throughout)\s+which)\b[^.,;:]*$"
    r"|(?:\A|[.,;:]\s|\d\s)\W*(?:when|where|once|until)\b[^.,;:]*$",
    re.IGNORECASE,
)
_FORM = re.compile(rf"\b(?P<label>{_OPEN.pattern('signing')})\s*:", re.IGNORECASE)
_CHOICE = re.compile(r"\b(?:other|specify)\)?\s*$", re.IGNORECASE)
_CLAUSE_BEFORE = 120
"""Characters before the words that leave a point open within which a clause says that they are a case."""

FEWEST_LABELS = 2
"""Labels of a signature that a sentence holds before its blanks are lines of a form, to be filled by who signs."""


def open_point_of(text: str, span: Span) -> str:
    """The words of a sentence that leave a point open, "" where none do."""
    found = OPEN_POINT.search(text, span.start, span.end) or TO_WRITE.fullmatch(text, span.start, span.end)
    if found is not None and _RELATIVE.search(text, max(span.start, found.start() - _CLAUSE_BEFORE), found.start()):
        return ""  # "a request that has not been decided" is a kind of request; "while the office is vacant" a case
    if found is None or (found.group().startswith("to be") and span.end - span.start > SHORT_NOTE):
        return ""
    if found.group().endswith("____") and _is_form(text, span, found.start()):
        return ""
    return " ".join(found.group().strip(" :|").split())


def _is_form(text: str, span: Span, blank: int) -> bool:
    """Whether a blank is a line to sign on, or a choice to tick, which stay empty until somebody signs."""
    labels = {match["label"].casefold() for match in _FORM.finditer(text, span.start, span.end)}
    return len(labels) >= FEWEST_LABELS or _CHOICE.search(text, max(span.start, blank - 24), blank) is not None


@dataclass(frozen=True, slots=True)
class Marks:
    """What only the whole document tells of a sentence.

    Attributes:
        empty: columns that a table row leaves empty, by the sentence's first code point.
        kept: first code points of other sentences that are kept: headers of such tables, and dated rows.
        numbers: the section numbers that the document prints.
        parts: the schedules, annexes and the like that it prints or says are attached: "schedule 1".
    """

    empty: dict[int, tuple[str, ...]]
    kept: frozenset[int]
    numbers: frozenset[str]
    parts: frozenset[str] = frozenset()


def marks_of(
    source: SourceText,
    sections: Sequence[OutlineSection],
    sentences: Sequence[Span],
    section_at: Callable[[int, int], int],
) -> Marks:
    """What the whole document tells of its sentences.

    Args:
        source: its canonical text with its layout.
        sections: the outline of the document.
        sentences: the sentences of the document.
        section_at: the index of the smallest section that holds a span.
    """
    text, filled = source.text, filled_columns(source.text, source.blocks)
    empty: dict[int, tuple[str, ...]] = {}
    kept: set[int] = set()
    tables: dict[tuple[int, str], list[tuple[int, dict[str, str]]]] = {}
    headers: list[tuple[int, tuple[str, ...]]] = []
    barred: tuple[int, int, int] | None = None
    for span in sentences:
        line = text[span.start : span.end]
        if not is_row(line):
            continue
        row, head = cells(line), columns(line)
        if (named := due_cell(line)) is not None:
            barred = span.start, named[0], len(head)
        elif barred is not None and due_at(line, barred[1], barred[2]):
            kept |= {barred[0], span.start}
        if any(DATED.search(label) and (dates_of(value) or YEAR.search(value)) for label, value in row.items()):
            kept.add(span.start)
        if len(row) > 1:
            row = {**dict.fromkeys(filled.get(span.start, ()), ""), **row}
            place = section_at(span.start, span.end), next(iter(row))
            tables.setdefault(place, []).append((span.start, row))
        elif head:
            headers.append((span.start, head))
    for rows in tables.values():
        for (start, _), missing in zip(rows, empty_columns([row for _, row in rows]), strict=True):
            if missing:
                empty[start] = missing
    lacking = {label for labels in empty.values() for label in labels}
    kept |= {start for start, head in headers if not lacking.isdisjoint(head)}
    kept |= bare_sections(text, sections)
    roles = role_sentences(text)
    kept |= {each.start for each in sentences if any(each.start <= at < each.end for at in roles)} if roles else set()
    kept |= _controlled(text, sentences)
    kept |= _undefined(text, sentences) | {start for start, _ in due_lines(text)}
    kept |= {
        each.start
        for each in sentences
        if each.end - each.start <= LONGEST_USE and _tells_time(text, each.start, each.end)
    }
    numbers = {match[1] or match[2] for match in PRINTED_NUMBER.finditer(text)}
    parts = {_part(match) for match in PART_TITLE.finditer(text)}
    parts |= {_part(match) for word in ATTACHED.finditer(text) for match in PART.finditer(text, *_around(text, word))}
    labels = frozenset(numbers | {section.label for section in sections})
    return Marks(empty, frozenset(kept), labels, frozenset(parts))


def _tells_time(text: str, start: int, end: int) -> bool:
    """Whether a sentence tells when something was done or is to be done again, or that a list is complete."""
    return _TIME_AHEAD.search(text, start, end) is not None and TELLING_TIME.search(text, start, end) is not None


_TIME_AHEAD = re.compile(r"[12lLnNsS\u017f](?:(?<=1)9\d|(?<=2)0\d|(?i:(?<=l)isted|(?<=n)amed|(?<=s)hown))")
"""A year, or what all positions are: what each of these sentences has."""

_TIMELY = ("effective_from", "effective_to", "next_review")
"""Dates of a document that are in force, passed or ahead on some day."""


def _controlled(text: str, sentences: Sequence[Span]) -> set[int]:
    """Where sentences begin that say from when to when the document holds, or when it is to be reviewed."""
    dates = guess_dates(text[:HEAD])
    places = {dates[each].start for each in _TIMELY if each in dates}
    return {each.start for each in sentences if any(each.start <= at < each.end for at in places)}


def _around(text: str, word: re.Match[str]) -> tuple[int, int]:
    """From the full stop or line end before a word to the one behind it, as far as is looked at."""
    first, last = max(0, word.start() - AROUND_ATTACHED), min(len(text), word.end() + AROUND_ATTACHED)
    start = max(text.rfind(".", first, word.start()), text.rfind("\n", first, word.start())) + 1
    ends = [end for end in (text.find(".", word.end(), last), text.find("\n", word.end(), last)) if end >= 0]
    return max(start, first), min(ends, default=last)


def _undefined(text: str, sentences: Sequence[Span]) -> set[int]:
    """First code points of the sentences that are the first to use words with the capitals of a term, which the text never defines.

    A text with many of them has its glossary elsewhere.
    """
    first: dict[str, int] = {}
    for span in sentences:
        if span.end - span.start > LONGEST_USE:
            continue
        match = (
            DEFINED_TERM.match(text, span.start, span.end)
            or TERM_INSIDE.search(text, span.start, span.end)
            or TERM_BARE.match(text, span.start, span.end)
        )
        if match is not None and not is_row(text[span.start : span.end]):
            first.setdefault(" ".join(match["term"].split()), span.start)
    undefined: set[int] = set()
    for term, start in first.items():
        word = re.escape(term)
        # What stands before the term is looked at behind it: so the engine skips from one place of the term to the next.
        quoted, said = rf"(?<=[\"“']{word})s?[\"”']", rf"(?<=\b{word})s?\s+(?:means?|is|are)\b"
        if re.search(rf"{word}(?:{quoted}|{said})", text) is None:
            undefined.add(start)
            if len(undefined) > MOST_UNDEFINED:
                return set()
    return undefined


def _part(match: re.Match[str]) -> str:
    kind, number = match["kind"], match["number"]
    if kind is None:
        kind, number = match["shouted"], match["label"]
    return f"{kind} {number}".casefold()


def missing_parts(text: str, span: Span, parts: frozenset[str]) -> tuple[str, ...]:
    """The schedules and the like that a sentence cites of its own document and that this does not have, though it has others.

    Args:
        text: the document's text.
        span: the sentence.
        parts: those that the document has.
    """
    kinds = {part.partition(" ")[0] for part in parts}
    cited = list(PART.finditer(text, span.start, span.end)) if kinds else []
    if len(cited) > MOST_CITED or any(text[match.end() : match.end() + 1] == ":" for match in cited):
        return ()  # a list of the parts, or the heading of one
    return tuple(
        dict.fromkeys(
            f"{match['kind']} {match['number']}"
            for match in cited
            if match["kind"].casefold() in kinds and _part(match) not in parts
        )
    )


def place_of(text: str, place: Extraction, inside: Sequence[Extraction], numbers: frozenset[str]) -> str:
    """A numbered place of another document, or one of its own that the document does not print; else ""."""
    data = place.read_as(CrossReferenceData)
    if not data.label or not PLACE.fullmatch(data.label):
        return ""
    label = data.label
    if data.target_kind not in ("section", "clause", "article", "paragraph"):
        return ""
    name = company_document(data) or _owner(text, place, inside)
    if name:
        return f"{label}|{name}"
    if NUMBERED.search(text, max(0, place.char_offset_start - NEARBY), place.char_offset_start):
        return ""  # "AAOIFI GSIFI No. (3) paragraphs 9 to 16"
    if FOREIGN.match(text, place.char_offset_end, place.char_offset_end + NEARBY) or HERE.search(
        text, max(0, place.char_offset_start - 12), place.char_offset_start
    ):
        return ""
    if not data.internal or label in numbers:
        return ""
    # Who incorporates the standard contractual clauses fills in "Clause 17" of theirs, without saying so each time.
    is_theirs = text.startswith("Clause", place.char_offset_start) and _incorporates(text)
    return "" if is_theirs else label


@lru_cache(maxsize=4)
def _incorporates(text: str) -> bool:
    """Whether a document speaks of standard contractual clauses, which are numbered by themselves."""
    return _STANDARD_CLAUSES.search(text) is not None


_STANDARD_CLAUSES = re.compile(r"\b(?:Standard Contractual Clauses|Model Clauses|SCCs)\b", re.IGNORECASE)


def _owner(text: str, place: Extraction, inside: Sequence[Extraction]) -> str:
    """The document that is named right before or after a place: "Access Control Policy, section 4.5", "section 9.4 of the …"."""
    for other in inside:
        name = company_document(other.read_as(CrossReferenceData))
        if name and (
            OWNED.fullmatch(text, place.char_offset_end, max(other.char_offset_start, place.char_offset_end))
            or OWNING.fullmatch(text, other.char_offset_end, max(place.char_offset_start, other.char_offset_end))
        ):
            return name
    return ""
