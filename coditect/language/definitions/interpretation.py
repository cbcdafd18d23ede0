"""Rules of interpretation: "a reference to a person includes a firm", "a fee does not include tax"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from coditect.language.definitions.marks import Definiendum, definition_mark
from coditect.language.definitions.terms import is_no_term, is_phrase, without_article
from coditect.language.marks import Mark, trim
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table
from coditect.schemas.tier1.data import DefinitionForm

__all__ = ["find_beside", "find_held", "find_interpreted", "find_item", "find_more", "term_above_items"]

_DEFINITIONS = read_table("definitions")
_REFERENCE = deferred(
    r"\breferences?\s+(?:in\s+(?:this|these|the)\s[^,.;:\"“”]{1,60}?\s)?to\s+(?:an?\s+|the\s+)?[\"“”'‘’]?(?P<term>[\w$%&-]+(?:\s+[\w$%&-]+){0,5}?)[\"“”'‘’]?"
    r"(?:,?\s+in\s+(?:this|these|the)\s[^,.;:\"“”]{1,60}?,?(?=\s))?(?:\s+or\s+[\"“”'‘’](?P<or>[^\"“”'‘’]{1,60})[\"“”'‘’])?"
    r"(?P<verb>\s+(?:(?:shall|will)\s+)?(?:includes?|means?|(?:is|are|be)\s+(?:an?\s+)?references?\s+to|(?:is|are|be)\s+(?:construed|read)\s+as))\b",
    re.IGNORECASE,
)
# "When this Rule refers to a provision, this means every type of it".
_WHEN_REFERRED = deferred(
    r"\b(?:[Ww]hen(?:ever)?|[Ww]here(?:ver)?)\s+(?:this|these|the)\s[^,.;:\"“”]{1,60}?\srefers?\s+to\s+(?:an?\s+|the\s+)?[\"“”'‘’]?(?P<term>[\w$%&-]+(?:\s+[\w$%&-]+){0,5}?)[\"“”'‘’]?"
    r",\s+(?:this|that|it)(?P<verb>\s+(?:also\s+)?(?:means?|includes?))\b"
)
# Only what opens its sentence, behind a number or a purpose, and what it leaves out: "does not include" says of no act.
_LEFT_OUT = deferred(
    r"[\s\W\d]*(?:[Ff]or\s+(?:the\s+)?purposes?\s+of\s+[^,.;]{1,100},\s*)?(?P<term>(?:(?:The|the|An?|an?)\s+)?[A-Za-z][\w'’-]*(?:\s[\w'’-]+){0,5}?)"
    r"(?P<verb>\s+(?:does|do|shall)\s+not\s+include)\b"
)
# "A key document includes letters and forms, but does not include drafts": what belongs to it, and what does not.
_BOUNDED = deferred(
    r"[\s\W\d]*(?:[Ff]or\s+(?:the\s+)?purposes?\s+of\s+[^,.;]{1,100},\s*)?(?:The|An?|the|an?)\s+(?P<term>[A-Za-z][\w'’-]*(?:\s[\w'’-]+){0,5}?)"
    r"(?P<verb>\s+includes?)\b(?=[^.;]{1,400}\bbut\s+(?:does\s+not\s+include|excludes)\b)"
)
_BESIDE = deferred(
    r"\W*(?!(?:[Tt]he|[Aa]n?|[Ee]ach|[Tt]his|[Tt]hese|[Oo]ur|[Ii]t)\s)(?P<term>[A-Za-z][\w'’/-]*(?:\s[\w'’/-]+){0,5}?)(?:,\s(?:in\s+(?:relation|respect)|with\s+respect|of|for)\s[^.;:]{1,120}?,)?"
    r"(?P<verb>\s+(?:includes?|does\s+not\s+include)(?=\s|[–—:]|$)|(?:,\s(?:in\s+(?:relation|respect)|with\s+respect|of|for)\s[^.;:]{1,80})?\s?[:—–]\s*see\s)"
)
# "For the purposes of (1), an interim period is the period covering".
_FOR_PURPOSES = deferred(
    r"[\s\W\d]*(?:[A-Z][\w.()]*\s+)?(?:[\w.()]*\d[\w.()]*\s+)?[Ff]or\s+(?:(?:the\s+)?purposes?\s+of\s+[^,.;]{1,100}|(?:this|these|that)\s+purposes?),\s*(?:[Tt]he|[Aa]n?)\s+(?P<term>[A-Za-z][\w'’/-]*(?:\s(?!is\b|are\b)[\w'’/-]+){0,5}?)"
    r"(?P<verb>\s+(?:is|are))\s+(?=(?:the|an?|any|each)\s)"
)
# "A person is “connected” with a firm if": what makes it one.
_MADE_BY = deferred(
    r"[\s\W\d]*(?:\(?[a-z]{1,4}[).]\s+)?(?:[Ff]or\s+(?:the\s+)?purposes?\s+of\s+[^,.;]{1,100},\s*)?(?:[Aa]n?|[Tt]he|[Aa]ny)\s+[\w'’-]+(?:\s[\w'’-]+){0,8}?"
    r"\s(?:is|are)\s+(?:an?\s+)?[\"“”](?P<term>[^\"“”\n]{2,60})[\"“”](?:\s+(?:with|to|of|by|in|for)\s[^.;:,\"“”]{1,80}?)?(?P<verb>,?\s+(?:only\s+)?(?:if|where|when)(?:,|\b))"
)
# "harbour court—" above "(a) means a court; and" and "(b) includes its judge".
_ABOVE_ITEMS = deferred(
    r"\W*(?P<term>[A-Za-z][\w'’/-]*(?:\s[\w'’/-]+){0,7}?)[\"“”*_]{0,3}(?:,\s(?:in\s(?:relation|respect)|with\s+respect|of|for)\s[^.;:\n]{1,120}?)?,?\s?[—–:-]\s*"
    r"(?=\n\s*\(\w{1,3}\)\s+(?:means?|includes?|has|have|does\s+not\s+include)\s)"
)
_ITEM = deferred(
    r"\s*\(\w{1,3}\)\s+(?:also\s+)?(?P<verb>means?|(?:has|have)\s+the\s+(?:same\s+)?meanings?|includes?|does\s+not\s+include)(?:[,:—–]|\s)"
)
# Behind a definition: "The term includes a warden", "It does not include a guard".
_MORE = deferred(
    r"\W*(?:(?:[Tt]he|[Tt]his|[Ss]uch)\s+(?:terms?|words?|expressions?|definition)|(?P<it>It))\s+(?:(?:shall|will)\s+)?"
    r"(?P<verb>(?:also\s+|specifically\s+|expressly\s+)?(?:includes?|excludes?|(?:does|do)\s+not\s+(?:also\s+)?include|not\s+include))\b[,:]?"
    r"(?:\s+but\s+(?:is|are)\s+not\s+limited\s+to\b:?)?"
)
_HELD = deferred(
    r"(?:[\W\d]|\(?[a-z]{1,3}[.)]\s)*(?:The\s+)?(?P<term>[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*){0,4})\s+(?:shall\s+)?(?P<verb>(?:also\s+)?(?:includes?|(?:does|do)\s+not\s+include|excludes?))\b[:,]?"
)
# "Legal Keeper includes any of the following", "A small gift is one that costs less": what belongs to it, and what it is.
_ANY_OF = deferred(
    r"(?:[\W\d]|[A-Za-z][.)]\s)*(?:(?:The|An?)\s+)?(?P<term>[A-Z][\w'’-]*(?:\s[\w'’-]+){0,4}?)(?P<verb>\s+includes?)\s+(?:any|all|one\s+or\s+more)\s+of\s+the\s+following\b"
)
_IS_ONE = deferred(
    r"[\s\W\d]*(?:\(?[a-z]{1,4}[).]\s+)?An?\s+(?P<term>[A-Za-z][\w'’-]*(?:\s(?!is\b|are\b)[\w'’-]+){0,5}?)(?P<verb>\s+is)\s+(?=(?:one|anyone|anything)\s+(?:that|who|which)\b)"
)
# "References to any agreement are to it as amended" says how all of them are read, and names none.
_ANY = deferred(r"(?:any|all|each|every|such|this|that)\s", re.IGNORECASE)
_NO_TERM = deferred(rf"(?:{_DEFINITIONS.pattern('begins_no_entry')})\b", re.IGNORECASE)


def find_beside(text: str, start: int, end: int) -> Definiendum | None:
    """The term of a line that stands among definitions: "keeper includes a warden"; arguments as in :func:`find_interpreted`."""
    match = _BESIDE.match(text, start, end)
    if match is None or is_no_term(match["term"]) or is_phrase(match["term"]) or _NO_TERM.match(match["term"]):
        return None
    verb = match["verb"]
    form: DefinitionForm = "reference" if "see" in verb else "exclusion" if "not" in verb else "inclusion"
    return Definiendum(match.start("term"), match.end(), match["term"], (), 0.8, form)


def find_interpreted(text: str, start: int, end: int) -> Definiendum | None:
    """The term of a rule of interpretation.

    Args:
        text: the canonical text.
        start: the sentence's first code point.
        end: one past its last.

    Returns:
        The term with its verb (confidence 0.8), or None.
    """
    match = next((found for found in _candidates(text, start, end) if found is not None), None)
    if match is None:
        return None
    term = without_article(match["term"].strip())
    if is_no_term(term) or is_phrase(term) or _NO_TERM.match(term) or _ANY.match(term):
        return None
    aliases = (match["or"],) if "or" in match.re.groupindex and match["or"] else ()
    form: DefinitionForm = "meaning"
    if "not" in match["verb"]:
        form = "exclusion"
    elif match["verb"].rstrip().lower().endswith(("include", "includes")):
        form = "inclusion"
    return Definiendum(match.start("term"), match.end(), term, aliases, 0.8, form, joined=aliases)


def _candidates(text: str, start: int, end: int) -> Iterator[re.Match[str] | None]:
    """What the rules match, the first first; each is tried only where the word stands that it cannot do without."""

    def has(words: str) -> bool:
        return text.find(words, start, end) >= 0

    if has("eference") or has("EFERENCE"):
        yield _REFERENCE.search(text, start, end)
    if has("refer"):
        yield _WHEN_REFERRED.search(text, start, end)
    holds = has("nclude")
    if holds:
        yield _BOUNDED.match(text, start, end)
        yield _LEFT_OUT.match(text, start, end)
    if has("purpose"):
        yield _FOR_PURPOSES.match(text, start, end)
    if holds and has("following"):
        yield _ANY_OF.match(text, start, end)
    if (has('"') or has("“")) and (has(" if") or has(" where") or has(" when")):
        yield _MADE_BY.match(text, start, end)
    if has(" is one ") or has(" is any"):
        yield _IS_ONE.match(text, start, end)


def term_above_items(text: str, start: int, end: int) -> str:
    """The term of a line above items that say what it means: "berth, in relation to a ferry,—" above "(a) means"; else ""."""
    match = _ABOVE_ITEMS.match(text, start, min(len(text), end + 40))
    if match is None or match.end() < end or is_no_term(match["term"]) or is_phrase(match["term"]):
        return ""
    return without_article(match["term"])


def find_item(text: str, start: int, end: int, term: str) -> Mark | None:
    """What an item says of the term above it (confidence 0.85): "(a) means", "(b) includes"; None where it says nothing of it."""
    match = _ITEM.match(text, start, end)
    if match is None:
        return None
    lo, hi = trim(text, match.end(), end)
    return definition_mark(*trim(text, start, end), term, text[lo:hi], (), 0.85, _form_of(match["verb"]))


def find_more(text: str, start: int, end: int, definitions: Sequence[Mark]) -> Iterator[Mark]:
    """What a sentence adds to the terms that the one before defines (confidence 0.8), one mark a term."""
    match = _MORE.match(text, start, end)
    is_next = not text[definitions[-1].end : start].strip() if definitions else False
    if match is None or (match["it"] and not is_next):
        return  # "It" is what the sentence before speaks of
    lo, hi = trim(text, match.end(), end)
    for each in definitions:
        names = each.data.get("aliases")
        aliases = [str(name) for name in names] if isinstance(names, list) else []
        yield definition_mark(
            *trim(text, start, end), str(each.data["term"]), text[lo:hi], aliases, 0.8, _form_of(match["verb"])
        )


def find_held(text: str, start: int, end: int, defined: Set[str]) -> Mark | None:
    """What a sentence says that a defined term includes or leaves out (confidence 0.75): "The Security Measures include"."""
    match = _HELD.match(text, start, end)
    if match is None or match["term"] not in defined:
        return None
    lo, hi = trim(text, match.end(), end)
    return definition_mark(*trim(text, start, end), match["term"], text[lo:hi], (), 0.75, _form_of(match["verb"]))


def _form_of(verb: str) -> DefinitionForm:
    """How a verb defines that may include, leave out, refer elsewhere or mean."""
    if "not" in verb or "exclude" in verb:
        return "exclusion"
    return "inclusion" if "include" in verb else "reference" if "meaning" in verb else "meaning"
