"""Lines of a glossary: "Term: definition", "X (XY) is the association of", "X. See section 3"."""

from __future__ import annotations

import re

from coditect.language.definitions.columns import has_cells
from coditect.language.definitions.marks import definition_mark
from coditect.language.definitions.phrases import stands_for
from coditect.language.definitions.terms import is_no_term, is_phrase, without_article
from coditect.language.finite_verbs import has_finite_verb
from coditect.language.marks import Mark, begins_line, trim
from coditect.language.patterns.beginnings import quick
from coditect.language.tables import read_table
from coditect.schemas.tier1.data import DefinitionForm

__all__ = [
    "find_glossary_line",
    "form_of_line",
    "heads_glossary",
    "leads_in",
    "no_entry",
    "run_in_term",
    "short_form",
    "title_of_glossary",
]

_DEFINITIONS = read_table("definitions")
_GLOSSARY = re.compile(
    r"\s*(?:[-*•]\s+)?(?:\*\*|__)?(?P<term>[A-Z][\w&'’/ ().-]{1,58}?)"
    r"(?P<b1>\*\*|__)?\s*(?P<sep>:|[–—]|\s[-=]\s)\s*(?P<b2>\*\*|__)?\s*(?=\S)"
)
# Of a glossary's line, the number in front of its term is none of it: "1.2 Site: the land", "(b) Yard – the land".
_NUMBER = re.compile(r"\s*(?:[-*•]\s+)?(?:\([A-Za-z0-9]{1,5}\)|\d{1,3}(?:\.\d{1,3}){0,3}\.?)\s+(?=[A-Z*_])")
_GLOSSARY_SENTENCE = re.compile(
    r"\s*(?:[-*•]\s+|\([A-Za-z0-9]{1,5}\)\s+|\d{1,3}(?:\.\d{1,3}){0,3}\.?\s+)*(?P<term>[A-Z][\w'’-]*(?:\s[\w'’-]+){0,7}?)(?:\s+\((?:(?P<short>[A-Z][A-Za-z&/-]{1,9})|[a-z][^()]{1,60})\))?"
    r"(?P<verb>\s+(?:is|are)\s+(?=(?:an?|the|any|each)\s)|\s+are\s+(?=(?!(?:not|also|as|in|on|at|to|for|under|only|subject|free|due|given|set|made|kept|held|shown|found)\b)[a-z][\w-]*(?<!ed)(?<!ing)(?<!en)(?<!ly)\s+[a-z])|\s+(?:(?:do(?:es)?\s+not\s+include|includes?|excludes?)|occurs\s+when|has\s+the)(?:\s+|(?=\s*:))|\.\s+(?=See\s)|:\s*$)"
)
_SHORT = re.compile(r"(?P<term>[^()]{2,}?)\s+\((?P<short>[A-Z][A-Za-z&/-]{1,9})\)")
_SPELLED_OUT = re.compile(r"(?P<term>[A-Z][A-Za-z&/-]{1,9})\s+\((?P<short>[A-Za-z][^()]{3,60})\)")
_ELSEWHERE = re.compile(
    r"\W*(?:(?:[Hh]as|[Hh]ave)\s+the\s+(?:same\s+)?meanings?\s+\w+\s|(?:as\s+|is\s+|are\s+)?defined\s+(?:in|by|under)\b|[Ss]ee\b|[Aa]s\s+defined\s+(?:in|by|under)\b)"
)
_HOLDS = re.compile(r"\s*(?:(?P<not>do(?:es)?\s+not\s+include|excludes?)|[Ii]ncludes?)\b")
_NO_GLOSSARY = re.compile(
    rf"\b(?:{_DEFINITIONS.pattern('ends_no_term')})$|^(?:{_DEFINITIONS.pattern('begins_no_entry')})\b", re.IGNORECASE
)
# "Definitions", "Article 3 Definitions", "Annex A – Glossary", "Terms used in this code".
_TITLE = re.compile(
    rf"\W*(?:(?:{_DEFINITIONS.pattern('parts_with_glossaries')})\s*[\w.-]{{1,8}}\s*[.:)–—-]?\s+|\(?(?P<number>\d[\d.]*)\)?\s+|[A-Z][.)]\s+)?"
    rf"(?:{_DEFINITIONS.pattern('titles_alone')})(?:\s+(?:used\s+)?(?:in|of|for)\s[^.:;]{{2,40}})?\W*",
    re.IGNORECASE,
)
# Behind a term a sentence begins: a capital letter, and it is no name, since small letters follow.
_RUN_IN = re.compile(
    rf"(?P<term>[A-Z][\w'’/&-]*(?:\s(?:\([A-Z][A-Za-z]{{1,8}}\)|\w[\w'’/&-]*)){{0,5}}?)(?<!\b(?:of|in))(?<!\b(?:the|and|for))\s+"
    rf"(?=(?:{_DEFINITIONS.pattern('opens_a_meaning')})\s+[a-z])"
)
_LEAST_WORDS = 3
_MOST_TERM_WORDS = 6
_WORDS = r"(?:words|terms|expressions|phrases|definitions|abbreviations|abbreviated\s+terms|acronyms)"
# "The following terms apply" are conditions; "the following terms and definitions apply" opens a glossary.
_LEADS_IN = quick(
    rf"\bfollowing\s+(?:[a-z]+\s+)?{_WORDS}(?:,?\s+(?:and|or)\s+{_WORDS})*\s+(?:(?:shall|will)\s+)?(?:have|has|mean|bear|(?:are|be)\s+(?:used|defined|explained))\b"
    rf"|\bfollowing\s+(?:{_WORDS}\s+(?:and|or)\s+)?(?:definitions|abbreviations|acronyms)(?:\s+(?:and|or)\s+{_WORDS})?\s+(?:shall\s+|will\s+)?apply\b"
    rf"|\b{_WORDS}\s+(?:that\s+are\s+)?used\s+(?:in|throughout)\s+th(?:is|ese)\s+\w+\s+(?:(?:shall|will)\s+)?(?:have|are\s+defined|mean|bear)\b(?!\s+the\s+(?:same\s+)?meanings?\s+(?:given|set|ascribed|assigned)\s+(?:to|in|forth)\b)"
    r"|\bmeanings?\s+(?:set|given|stated|shown)\s+(?:out\s+)?(?:beside|opposite|against|next\s+to|alongside|below)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(rf"\b(?:{_DEFINITIONS.pattern('titles')})\b", re.IGNORECASE)
# Behind a term and its full stop: "Mooring. The placement of a line".
_NOUN_PHRASE = re.compile(
    r"[ \t\xa0]{1,3}(?:The|An?|Any|Each|Every|All|One|Those|That)\s+(?!(?:shall|must|may)\b)[a-z][^.;:\n]*?"
    r"(?=(?P<clause>\b(?:that|which|who|whose|whom|where|when|by|in|on|to|for|of)\b)|[.;:,]|\Z|\n)"
)
_LONGEST_TITLE = 200
_LONGEST_LEAD_IN = 260


def heads_glossary(text: str, start: int, end: int) -> bool:
    """Whether a heading says that definitions follow: "Definitions and scope"."""
    return _HEADING.search(text, start, min(end, start + _LONGEST_TITLE)) is not None


def title_of_glossary(words: str) -> re.Match[str] | None:
    """The whole of a line that is the title of a glossary; its group "number" is None where it has none."""
    return _TITLE.fullmatch(words)


def leads_in(text: str, start: int, end: int) -> bool:
    """Whether a sentence says that definitions follow: "The following expressions have the meanings set beside them:"."""
    return _LEADS_IN.search(text, start, min(end, start + _LONGEST_LEAD_IN)) is not None


def find_glossary_line(text: str, start: int, end: int, *, in_glossary: bool) -> Mark | None:
    """A line such as "Term: definition".

    Args:
        text: the canonical text.
        start: the sentence's first code point.
        end: one past its last.
        in_glossary: whether the heading above says that definitions follow; elsewhere the term must be bold.

    Returns:
        A mark of kind "definition" (confidence 0.8 in a glossary, else 0.7; 0.75 where a glossary's sentence has a verb), or
        None. Its form is "meaning", or "reference", "inclusion" or "abbreviation" where the line says so.
    """
    if has_cells(text, start, end):
        return None  # a row is read by its cells
    if in_glossary and (found := _glossary_sentence(text, start, end) or _run_in(text, start, end)) is not None:
        return found
    number = _NUMBER.match(text, start, end) if in_glossary else None
    begin = start if number is None else number.end()
    match = _GLOSSARY.match(text, begin, min(end, begin + 80))
    if match is None or not (in_glossary or ((match["b1"] or match["b2"]) and "=" not in match["sep"])):
        return None
    term, short = short_form(match["term"].strip())
    lo, hi = trim(text, match.end(), end)
    form = form_of_line(term, text[lo:hi])
    is_short = len(text[lo:hi].split()) < _LEAST_WORDS and form not in ("abbreviation", "reference")
    if len(term.split()) > _MOST_TERM_WORDS or is_short or is_no_term(term) or _NO_GLOSSARY.search(term):
        return None
    return definition_mark(*trim(text, start, end), term, text[lo:hi], short, 0.8 if in_glossary else 0.7, form)


def run_in_term(text: str, start: int, end: int) -> str:
    """The term that a sentence of few words names, behind which a noun phrase says in the same line what it is; "" for none.

    "Mooring. The placement of a line on a bollard." and no "Scope. The rules apply to boats."
    """
    words = text[start:end].strip(" *_")
    if not words.endswith(".") or len(words.split()) > _MOST_TERM_WORDS or not words[:1].isupper():
        return ""
    phrase = _NOUN_PHRASE.match(text, end, end + _LONGEST_TITLE)
    if phrase is None or has_finite_verb(text, end, phrase.end()) or "\n" in text[start:end].strip():
        return ""
    term = words[:-1].strip(" *_")
    return "" if is_no_term(term) or is_phrase(term) or no_entry(term) else term


def short_form(term: str) -> tuple[str, tuple[str, ...]]:
    """A line's term and its short form: "Protected Health Information (PHI)"; and what it stands for: "PHI (protected ...)"."""
    match = _SHORT.fullmatch(term)
    if match is None:
        match = _SPELLED_OUT.fullmatch(term)
        match = match if match is not None and stands_for(match["term"], match["short"]) else None
    return (match["term"], (match["short"],)) if match else (term, ())


def _glossary_sentence(text: str, start: int, end: int) -> Mark | None:
    """In a glossary: "X (XY) is the association of", "X includes", "X occurs when", "X. See section 3", "X:" above a list."""
    if not begins_line(text, start):
        return None  # only what begins its paragraph names its term
    match = _GLOSSARY_SENTENCE.match(text, start, min(end, start + 160))
    term = without_article(match["term"]) if match is not None else ""
    if match is None or is_no_term(term) or is_phrase(term) or _NO_GLOSSARY.search(term):
        return None
    lo, hi = trim(text, match.end(), end)
    aliases = [match["short"]] if match["short"] else []
    form: DefinitionForm = form_of_line(term, text[match.start("verb") : hi])
    return definition_mark(*trim(text, start, end), term, text[lo:hi].lstrip(" :"), aliases, 0.75, form)


def _run_in(text: str, start: int, end: int) -> Mark | None:
    """In a glossary: "Asset Anything that has value", the term set apart by its type, of which the text keeps a capital letter."""
    if not begins_line(text, start):
        return None
    match = _RUN_IN.match(text, start, min(end, start + 120))
    if match is None or is_no_term(match["term"]) or is_phrase(match["term"]) or no_entry(match["term"]):
        return None
    term, short = short_form(match["term"])
    lo, hi = trim(text, match.end(), end)
    if len(text[lo:hi].split()) < _LEAST_WORDS:
        return None
    return definition_mark(*trim(text, start, end), term, text[lo:hi], short, 0.75, form_of_line(term, text[lo:hi]))


def no_entry(term: str) -> bool:
    """Whether words before a colon or in a first cell are no term: sources, notes, what ends in "means"."""
    return _NO_GLOSSARY.search(term) is not None


def form_of_line(term: str, definition: str) -> DefinitionForm:
    """How a glossary's line defines: "SOC: Security Operations Center" says what initials stand for."""
    if _ELSEWHERE.match(definition):
        return "reference"
    if (holds := _HOLDS.match(definition)) is not None:
        return "exclusion" if holds["not"] else "inclusion"
    return "abbreviation" if stands_for(term, definition) else "meaning"
