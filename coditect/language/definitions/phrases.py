"""Names that a sentence gives in passing: 'ABC Inc. ("ABC")', 'Security Operations Center (SOC)', "also called X"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.language.definitions.marks import Definiendum, definition_mark
from coditect.language.definitions.terms import QUOTED, without_article, without_the
from coditect.language.marks import Mark
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table
from coditect.schemas.tier1.data import DefinitionForm

__all__ = ["find_called", "find_names", "stands_for"]

_DEFINITIONS = read_table("definitions")
_PAREN = deferred(r"\(([^()]{0,160}?(?:[\"“”]|'')[^()]{1,120}?(?:[\"“”]|'')[^()]{0,80}?)\)")
_PAREN_OK = deferred(rf"\s*(?:[\"“”]|''|(?:or\s+)?(?:{_DEFINITIONS.pattern('opens_a_name')}|“)\b)", re.IGNORECASE)
_PAREN_NOT = deferred(rf"\b(?:{_DEFINITIONS.pattern('gives_no_name')})\b", re.IGNORECASE)
# 'a "callable" time account', 'the "low balance" method': the quoted word is a part of a name, and says what kind.
_MODIFIER = deferred(
    r"\s*(?:an?|the)\s+(?:[\"“”]|'')[^\"“”]{1,60}(?:[\"“”]|'')\s+(?!(?:and|or|as|in|of|for|herein|hereinafter|collectively)\b)[a-z]+(?:\s[a-z]+)?\s*"
)
# '(each a "Later Term", the First Term and all Later Terms, the "Term")': the last name has what it names before it.
_FURTHER = deferred(
    r"[\"”][,;]?\s+(?:and\s+)?(?P<phrase>(?:the|all|any|each)\s[^\"“”();]{3,90}?),\s+(?:collectively,?\s+|together,?\s+)?(?:the|an?|each,?\s+an?)\s+[\"“](?P<q>[^\"“”]{1,60})[\"”]"
)
# 'Section 17 ("Consequences of Termination")' gives the title of the section.
_SECTION = deferred(r"(?:[Ss]ections?|SECTION|[Aa]rticles?|ARTICLE|[Cc]lauses?|[Pp]aragraphs?|§)\s*[\w.()-]{1,12}\s*$")
# What a printed form calls its parts is no term: 'the sixth row ("For our affiliates")'.
_FORM_PART = deferred(rf"\b(?:{_DEFINITIONS.pattern('parts_of_forms')})\s*$", re.IGNORECASE)
# "(January 10, 1995)", "(10%)": what is quoted there is an example.
_DATE_OR_FIGURE = deferred(
    rf"(?:{'|'.join(names[0] for names in read_table('time').groups('months'))})\s+\d.*|\W*\d[\d.,/%-]*", re.IGNORECASE
)
_CALLED = deferred(
    r"\b(?:(?P<called>(?:(?:is|are|be)(?:\s+(?:individually|separately|jointly|collectively|together|hereinafter|hereafter|herein))?|also|often|frequently|commonly|sometimes|generally|hereafter)\s+(?:called|known\s+as|termed|referred\s+to\s+(?:\w+\s+)?as)"
    r"|\b[Ww]e\s+call\s+(?:this|these|it|them|that)|becomes?)\s+(?:an?\s+|the\s+)?|includes?\s+(?:an?|the)\s+(?=[^.;]{1,100}which\s+(?:is|are)\b))"
    r"(?:[\"“”]|'')\s*(?P<q>[^\"“”\n]{1,90}?)\s*,?\s*(?:[\"“”]|'')(?P<more>(?:\s*,?\s*(?:or|and|and/or)\s+(?:(?:individually|separately|jointly|collectively|together)\s+(?:as\s+)?(?:an?\s+|the\s+)?)?(?:[\"“”]|'')[^\"“”\n]{1,60}(?:[\"“”]|''))*)"
)
_PERHAPS = deferred(r"\b(?:may|might|can|could)\s+(?:also\s+)?(?:be\s+)?\Z")
_EACH = deferred(
    r"\b(?:individually|separately|jointly|collectively|together|severally|herein|hereinafter|hereafter)\b"
)
_HEREINAFTER = deferred(
    r"[(,]\s*(?:(?:collectively|individually|jointly),?\s+)?(?:hereinafter|hereafter|herein)(?:\s+\w+){0,2}?\s*"
    r"(?:(?:referred\s+to\s+as|called|known\s+as|designated(?:\s+as)?|the|,)\s*){0,3}(?:the\s+)?"
    r"(?:(?P<q>[\"“”]|'')?(?P<term>[A-Z][\w&.'’-]*(?:\s+[A-Z][\w&.'’-]*){0,5})"
    r"|[\"“](?P<quoted>[a-z][^\"“”()\n]{1,60}?),?[\"”]|(?<=\s)(?P<small>[a-z][\w'’-]*(?:\s[\w'’-]+){0,4})(?=\)))"
)
# "(in this section referred to as "the later day")", "(in this Act called the keeper)".
_IN_THIS = deferred(
    r"\(\s*(?:(?:which|who)\s+(?:is|are)\s+)?in\s+(?:this|these)\s[^()\"“”]{1,40}?\s(?:referred\s+to|called|known|described)(?:\s+as)?\s+(?:an?\s+|the\s+)?[\"“]?"
    r"(?P<term>[A-Za-z][\w'’-]*(?:\s[\w'’-]+){0,5}?),?[\"”]?\s*\)"
)
# "(the Company)" behind the name of one; "(the Board)" behind "directors" says no name of it.
_UNQUOTED = deferred(
    rf"\((?:hereinafter,?\s+)?[Tt]he\s+(?P<term>(?:[A-Z][\w'’-]*\s){{0,2}}(?:{_DEFINITIONS.pattern('named_without_quotes')}))\)"
)
_PROPER = deferred(
    r"(?:[A-Z][\w&.'’-]*|\d{4})(?:\s+(?:of|and|the|for|on|in|&|\(\w+\)|[A-Z][\w&.,'’-]*|\d{4}(?:/\d+)?))*\s+(?:[A-Z][\w&.'’-]*|\d{4}|plc|\(\w+\))\s*\Z"
)
_ACRONYM = deferred(r"\(\s*(?:the\s+)?([A-Z][A-Za-z&/-]{0,3}[A-Z]{1,7}(?:\s[A-Z]{2,5})?)s?\s*\)")
_CLAUSE_START = deferred(
    r".*(?:[;:“”\"]|\n\s*\n|\)\s*,?\s+(?:and|or)?\s|\b(?:by\s+and\s+between|by\s+and\s+among|between|among|entered\s+into\s+by)\s|\.\s+(?=[A-Z][a-z])"
    r"|\((?:[a-z]|[ivx]{1,4}|\d{1,2})\)\s)",
    re.DOTALL,
)
_BEHIND_NAME = deferred(r"\([^()]{0,80}(?:[\"“”]|'')[^()]{1,80}\)\s*,?\s*\Z")
_LEAD = deferred(r"(?:[\s,)]|and\b|or\b|of\b|WHEREAS\b|This\s+(?=[A-Z]))+", re.IGNORECASE)
_COMPANY = deferred(
    rf"\b(?:{read_table('organisations').pattern('legal_forms_of_parties')})\b|[Cc]orporation|CORPORATION|[Cc]ompany"
)
# A long phrase is cut to the noun phrase next to its term.
_DETERMINER = deferred(rf"\s(?=(?:{_DEFINITIONS.pattern('opens_a_noun_phrase')})\s)")
_FINITE = deferred(rf"\b(?:{_DEFINITIONS.pattern('recital_verbs')})\b")
_GOVERNED = deferred(rf"\b(?:{_DEFINITIONS.pattern('governs_a_noun_phrase')})\s+")
_LEFT_OUT = deferred(r"\[[*_ .•]{1,8}\]|_{3,}|\*{3,}")
_EDGES = ' ,\t\n"“”'
_WORD = deferred(r"[\w’']+")
_SMALL = frozenset(read_table("stop_words").words("passed_over_by_initials"))
_MOST_INITIALS = 120
"""Characters before a parenthesis in which the words of its initials stand."""


def find_names(text: str, start: int, end: int) -> list[Mark]:
    """Names and abbreviations in a sentence: in parentheses, and after "hereinafter".

    Args:
        text: the canonical text.
        start: the sentence's first code point.
        end: one past its last.

    Returns:
        Marks over the phrase that is named and its name, those in quotation marks first. Their form is "abbreviation" where
        the name is made of the phrase's initials, else "name".
    """
    if "(" not in text[start:end] and "hereinafter" not in text[start:end]:
        return []
    return [
        *_parentheses(text, start, end),
        *_hereinafter(text, start, end),
        *_in_this(text, start, end),
        *_unquoted(text, start, end),
        *_acronyms(text, start, end),
    ]


def find_called(text: str, start: int, end: int) -> Iterator[Definiendum]:
    """Terms that something "is called" or "becomes" (form "name"), and what a term includes by its own name ("meaning")."""
    for match in _CALLED.finditer(text, start, end):
        aliases = tuple(a.strip(" ,") for a in QUOTED.findall(match["more"]))
        form: DefinitionForm = "meaning" if match[0].startswith("include") else "name"
        if _PERHAPS.search(text, start, match.start()) and _EACH.search(text, match.start() - 14, match.end()) is None:
            continue  # "may also be called"; "may be jointly referred to as" gives the name that follows
        before = None if form == "meaning" else (start, match.start())
        yield Definiendum(start, match.end(), match["q"].strip(" ,."), aliases, 0.8, form, before)


def stands_for(term: str, definition: str) -> bool:
    """Whether a definition is no more than the words of a term's initials: "SOC", "Security Operations Center"."""
    words = re.split(r"[,.;:(]", definition.strip(" *_\n"), maxsplit=1)[0].rstrip()
    return term.isupper() and " " not in term and _initials_start(words, 0, len(words), term) == 0


def _parentheses(text: str, start: int, end: int) -> Iterator[Mark]:
    """Terms in quotes and parentheses behind what they name."""
    for match in _PAREN.finditer(text, start, end):
        inner = match[1]
        if _PAREN_OK.match(inner) is None or _PAREN_NOT.search(inner) or len(QUOTED.sub("", inner)) > 110:
            continue
        if _MODIFIER.fullmatch(inner) or (
            not inner[:1].isalpha() and _SECTION.search(text, max(start, match.start() - 30), match.start())
        ):
            continue
        further = list(_FURTHER.finditer(text, match.start(), match.end()))
        for each in further:
            yield definition_mark(
                each.start("phrase"), each.end("q") + 1, without_the(each["q"]), each["phrase"], (), 0.9, "name"
            )
        of_others = {each["q"] for each in further}
        terms = [without_the(term.strip(" ,.")) for term in QUOTED.findall(inner) if term not in of_others]
        terms = [term for term in terms if _can_name(term)]
        phrase = _phrase_before(text, start, match.start())
        if terms and phrase is not None and not _FORM_PART.search(text, max(phrase, match.start() - 20), match.start()):
            form: DefinitionForm = "name"
            if (
                terms[0][:1].isupper()
                and (initials := _initials_start(text, start, match.start(), terms[0])) is not None
            ):
                phrase, form = initials, "abbreviation"
            definition = text[phrase : match.start()].strip(_EDGES)
            yield definition_mark(phrase, match.end(), terms[0], definition, terms[1:], 0.9, form)


def _can_name(term: str) -> bool:
    """Whether a quoted text can be a name: it has a letter, at most eight words, and is no date."""
    return any(c.isalpha() for c in term) and len(term.split()) <= 8 and _DATE_OR_FIGURE.fullmatch(term) is None


def _hereinafter(text: str, start: int, end: int) -> Iterator[Mark]:
    """Read "hereinafter referred to as X", with or without quotes and parentheses."""
    if (
        text.find("ereinafter", start, end) < 0
        and text.find("ereafter", start, end) < 0
        and text.find("erein ", start, end) < 0
    ):
        return
    for match in _HEREINAFTER.finditer(text, start, end):
        phrase = _phrase_before(text, start, match.start())
        if phrase is None:
            continue
        term = next(name for name in match.group("term", "quoted", "small") if name)
        hi = match.end()
        while hi < end and text[hi] in "\"“”').":
            hi += 1
            if text[hi - 1] == ")":
                break
        hi = match.end() if text[hi - 1] == "." else hi
        definition = text[phrase : match.start()].strip(" ,\n")
        yield definition_mark(phrase, hi, without_article(term.rstrip(".")), definition, (), 0.9, "name")


def _in_this(text: str, start: int, end: int) -> Iterator[Mark]:
    """Read "(in this section referred to as the later day)"."""
    if text.find("in th", start, end) < 0:
        return
    for match in _IN_THIS.finditer(text, start, end):
        phrase = _phrase_before(text, start, match.start())
        if phrase is not None:
            definition = text[phrase : match.start()].strip(_EDGES)
            yield definition_mark(phrase, match.end(), without_article(match["term"]), definition, (), 0.9, "name")


def _unquoted(text: str, start: int, end: int) -> Iterator[Mark]:
    """Names without quotation marks behind a name of its own: "Orrin Mills Limited (the Company)", "Privacy Act 1988 (the Act)"."""
    for match in _UNQUOTED.finditer(text, start, end):
        named = _PROPER.search(text, max(start, match.start() - _MOST_INITIALS), match.start())
        if named is None or match["term"] in named[0].split()[:1]:
            continue
        definition = text[named.start() : match.start()].strip(_EDGES)
        yield definition_mark(named.start(), match.end(), match["term"], definition, (), 0.8, "name")


def _acronyms(text: str, start: int, end: int) -> Iterator[Mark]:
    """Read "Security Operations Center (SOC)": only where the initials match the words before."""
    for match in _ACRONYM.finditer(text, start, end):
        lo = _initials_start(text, start, match.start(), match[1])
        if lo is not None and match.start() - lo <= 100:
            definition = text[lo : match.start()].strip(_EDGES)
            yield definition_mark(lo, match.end(), match[1], definition, (), 0.8, "abbreviation")


def _initials_start(text: str, start: int, at: int, initials: str) -> int | None:
    """Where the words begin whose initials are given, or None where the words before ``at`` have others.

    Words such as "of" may give an initial or none; that they give none is tried first: "Office of Management and Budget".
    """
    letters = [c for c in initials.lower() if c.isalpha()]
    if len(letters) < 2 or not all(word.isupper() for word in initials.split()[1:]):
        return None  # "PRI DSS" are initials, "Keeper of" are words
    base = max(start, at - _MOST_INITIALS)
    words = list(_WORD.finditer(text[base:at]))
    failed: set[tuple[int, int]] = set()

    def first(word: int, left: int) -> int | None:
        """Index of the word that gives the first letter, with ``left`` letters to find in the words up to ``word``."""
        if left == 0:
            return word + 1
        if word < 0 or (word, left) in failed:
            return None
        said = words[word][0].lower()
        found = first(word - 1, left) if said in _SMALL and left < len(letters) else None
        if found is None and said[0] == letters[left - 1]:
            found = first(word - 1, left - 1)
        if found is None:
            failed.add((word, left))
        return found

    index = first(len(words) - 1, len(letters))
    return None if index is None else base + words[index].start()


def _phrase_before(text: str, start: int, at: int) -> int | None:
    """Where the phrase begins that a parenthetical term names, or None when there is none."""
    lo = max(start, at - 300)
    if (behind := _BEHIND_NAME.search(text, lo, at)) is not None:
        return _phrase_before(text, start, behind.start())  # 'Acme Inc. (the "Buyer") (each a "Party")'
    cut = _CLAUSE_START.match(text, lo, at)
    lo = cut.end() if cut and cut.end() < at - 1 else lo
    if lo > start and cut is None:
        lo = text.find(" ", lo, at) + 1 or lo
    lead = _LEAD.match(text, lo, at)
    lo = lead.end() if lead else lo
    if _FINITE.search(text, lo, at) and _COMPANY.search(text, lo, at) is None:
        heads = list(_GOVERNED.finditer(text, lo, at - 2))
        lo = heads[-1].end() if heads else lo
    elif len(text[lo:at].split()) > 12 and _COMPANY.search(text, lo, min(at, lo + 120)) is None:
        determiners = list(_DETERMINER.finditer(text, lo, at - 2))
        lo = determiners[-1].end() if determiners else lo
    # "[***] (the "Field")": what a public copy leaves out has the name all the same.
    return lo if any(c.isalpha() for c in text[lo:at]) or _LEFT_OUT.search(text, lo, at) else None
