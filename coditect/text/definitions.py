"""Definitions: '"X" means ...', 'X refers to ...', 'ABC Inc. ("ABC")', 'Security Operations Center (SOC)'."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.text.marks import JsonValue, Mark, sort_data, trim

__all__ = ["find_definitions", "find_glossary_line"]

_QUOTED = r"(?:[\"“”]|'')\s*(?P<{0}>[^\"“”\n]{{1,90}}?)\s*,?\s*(?:[\"“”]|'')"
_QUOTE = re.compile(r"(?:[\"“”]|'')\s*([^\"“”]{1,90}?)\s*,?\s*(?:[\"“”]|'')")
_VERB = (
    r"(?:,\s*(?:as\s+used\s+\w+[^,]{0,60},|when\s+used[^,]{0,60},|(?:with\s+respect\s+to|in\s+(?:relation|connection)\s+(?:to|with)|for\s+(?:the\s+)?purposes?\s+of)[^,]{1,120},)\s*)?\s*"
    r"(?:(?:(?:shall|will)\s+)?(?:each\s+|also\s+|only\s+)?(?:mean|refer\s+to|have\s+the\s+(?:same\s+)?meanings?)"
    r"|(?:each\s+|also\s+|only\s+)?(?:means|refers\s+(?:only\s+)?to|(?:has|have)\s+the\s+(?:same\s+)?(?:respective\s+)?meanings?"
    r"|(?:is|are)\s+defined\s+(?:as|in|to\s+mean|by|under)|(?:shall\s+be|is)\s+deemed\s+to\s+mean|denotes?|signif(?:y|ies)))\b[,:]?"
)
_MEANS = re.compile(
    rf"(?:\b[Tt]he\s+(?:terms?|words?|phrases?|expressions?)\s+)?{_QUOTED.format('q')}"
    rf"(?P<alias>(?:\s*(?:\([^()]{{1,80}}\)|,?\s*(?:or|and)\s*(?:[\"“”]|'')[^\"“”\n]{{1,60}}(?:[\"“”]|''))){{0,3}})"
    rf"(?:{_VERB}|(?P<be>\s+(?:is|are)\s+(?=(?:the|any|an?|each|all)\s))|\s+(?:includes?|shall\s+include)\b|\s*[:=](?!\S)|\s+[–—-]\s+)"
)
# Without quotes only at the start, or after "the term", so that "this means that" is never a definition.
_BARE = re.compile(
    r"(?:(?:\s|[*#>•_-]|\d{1,3}(?:\.\d{1,3}){0,4}[.)]?\s|\([A-Za-z0-9]{1,5}\))*)"
    r"(?:(?:For|for|As\s+used|In|As|When\s+used)\s+(?:the\s+)?(?:purposes?\s+of\s+)?[^,.;]{1,120},\s*(?:the\s+term\s+)?|[Tt]he\s+term\s+)?"
    r"(?:[*_]{1,3})?(?P<term>[A-Za-z][\w'’/&.-]*(?:[ \t\n]+(?:\([^()\n]{1,30}\)|[\w'’/&-]+)){0,7}?)(?:[*_]{1,3})?"
    rf"\s*(?P<verb>{_VERB})"
)
_BARE_TERM = re.compile(r"\b[Tt]he\s+term\s+(?P<term>[a-z][\w-]*(?:\s+[\w-]+){0,6}?)" + _VERB)
_NO_TERM = re.compile(
    r"(?:this|it|that|which|what|who|they|there|these|those|we|you|he|she|no|not|nothing|such|same|each|any|all|and|or|but|if"
    r"|by|section|paragraph|article|term|terms|the\s+term|capitalized\s+terms|the\s+following|following)$"
    r"|.*\b(?:shall|must|will|may|can|is|are|was|were|has|have|by|that|which|if|not|unless|terms|words|used|hereof|he|she|we|they|you|it|what)\b",
    re.IGNORECASE,
)
_PAREN = re.compile(r"\(([^()]{0,160}?(?:[\"“”]|'')[^()]{1,120}?(?:[\"“”]|'')[^()]{0,80}?)\)")
_PAREN_OK = re.compile(
    r"\s*(?:[\"“”]|''|(?:or\s+)?(?:the|this|each|an?|individually|collectively|together|hereinafter|hereafter|herein|referred|such|all"
    r"|any|also|as\s+amended|as\s+such|the\s+foregoing|said|in\s+each\s+case|jointly|sometimes|or|our|we|“|with)\b)",
    re.IGNORECASE,
)
_PAREN_NOT = re.compile(
    r"\b(?:defined\s+(?:in|below|above|herein)|see|e\.g\.|meaning|marked|entitled|titled|labell?ed)\b", re.IGNORECASE
)
_HEREINAFTER = re.compile(
    r"[(,]\s*(?:(?:collectively|individually|jointly),?\s+)?(?:hereinafter|hereafter|herein)(?:\s+\w+){0,2}?\s*"
    r"(?:(?:referred\s+to\s+as|called|known\s+as|designated(?:\s+as)?|the|,)\s*){0,3}(?:the\s+)?"
    r"(?P<q>[\"“”]|'')?(?P<term>[A-Z][\w&.'’-]*(?:\s+[A-Z][\w&.'’-]*){0,5})"
)
_ACRONYM = re.compile(r"\(\s*(?:the\s+)?([A-Z][A-Za-z&/-]{0,3}[A-Z]{1,7})s?\s*\)")
_CLAUSE_START = re.compile(
    r".*(?:[;:“”\"]|\n\s*\n|\)\s*,?\s+(?:and|or)?\s|\b(?:by\s+and\s+between|by\s+and\s+among|between|among|entered\s+into\s+by)\s|\.\s+(?=[A-Z][a-z])"
    r"|\((?:[a-z]|[ivx]{1,4}|\d{1,2})\)\s)",
    re.DOTALL,
)
_LEAD = re.compile(r"(?:\s|,|and\b|or\b|WHEREAS\b|This\s+(?=[A-Z]))+", re.IGNORECASE)
_COMPANY = re.compile(
    r"\b(?:Inc|INC|Corp|LLC|L\.L\.C|Ltd|LTD|LLP|L\.P|GmbH|AG|S\.A|PLC|N\.V|Co)\b|[Cc]orporation|CORPORATION|[Cc]ompany"
)
# A long phrase is cut to the noun phrase next to its term.
_DETERMINER = re.compile(r"\s(?=(?:an?|the|any|all|such|its|their|this|these|those|certain|each|our)\s)")
_FINITE = re.compile(r"\b(?:shall|will|may|must|is|are|has|have|was|were|agrees?|wish(?:es)?|desires?)\b")
_GOVERNED = re.compile(r"\b(?:for|by|to|in|with|as|on|from|under|is|are|be|pay|provide|enter(?:ed)?\s+into)\s+")
_ITEM_END = re.compile(r"[;,]?\s*(?:and\s+|or\s+)?(?:\((?:[a-z]|[ivx]{1,4}|\d{1,2})\)\s*)?(?:and\s+|or\s+)?$")
_GLOSSARY = re.compile(
    r"\s*(?:[-*•]\s+)?(?:\*\*|__)?(?P<term>[A-Z][\w&'’/ ().-]{1,58}?)"
    r"(?P<b1>\*\*|__)?\s*(?P<sep>:|[–—]|\s-\s)\s*(?P<b2>\*\*|__)?\s*(?=\S)"
)
_SMALL = frozenset(["of", "the", "and", "for", "in", "to", "a", "an", "on", "with", "by", "or"])


def find_definitions(text: str, start: int, end: int) -> list[Mark]:
    """Every definition in a sentence, in order.

    Args:
        text: the canonical text.
        start: the sentence's first code point.
        end: one past its last; at most a few thousand beyond ``start``.

    Returns:
        Marks of kind "definition". A sentence that defines one term is covered whole, one that defines several is cut
        between them; parenthetical terms cover the phrase they name and their parenthesis. Confidence: 0.95 quoted with
        a verb, 0.9 quoted in parentheses, 0.85 unquoted with a verb, 0.8 acronyms.
    """
    found = _means(text, start, end)
    if "(" in text[start:end] or "hereinafter" in text[start:end]:
        spans = [(mark.start, mark.end) for mark in found]
        terms = {str(mark.data["term"]) for mark in found}
        for mark in [*_parentheses(text, start, end), *_hereinafter(text, start, end), *_acronyms(text, start, end)]:
            if (mark.start, mark.end) not in spans and str(mark.data["term"]) not in terms:
                spans.append((mark.start, mark.end))
                terms.add(str(mark.data["term"]))
                found.append(mark)
    return sorted(found, key=lambda m: (m.start, m.end))


def _means(text: str, start: int, end: int) -> list[Mark]:
    """Definitions with a verb of meaning."""
    hits: list[tuple[int, int, str, list[str], float]] = []
    sentence_has = text.find
    if any(sentence_has(q, start, end) >= 0 for q in ('"', "“", "”", "''")):
        for match in _MEANS.finditer(text, start, end):
            if match["be"] and re.fullmatch(r"[\s\W\d]*(?:[Tt]he\s+)?", text[start : match.start()]) is None:
                continue  # '"X" is the Y' defines only where the sentence begins with it
            aliases = [a.strip() for a in _QUOTE.findall(match["alias"] or "")]
            hits.append((match.start(), match.end(), match["q"].strip(" ,"), aliases, 0.95))
    if not hits:
        bare = _BARE.match(text, start, end) or _BARE_TERM.search(text, start, end)
        if bare:
            term = re.sub(r"^(?:an?|the)\s+", "", bare["term"].strip(" *_\t\n"), flags=re.IGNORECASE)
            if _NO_TERM.match(term) is None and len(term) > 1:
                # "X or Y means", "X and Y mean": each is a name of its own.
                several = " or " in term or bare[0].rstrip(" ,:").endswith("mean")
                parts = re.split(r"\s+(?:or|and)\s+", term) if several else []
                hits.append((start, bare.end(), term, parts if len(parts) == 2 else [], 0.85))
    marks = []
    for number, (at, verb_end, term, aliases, confidence) in enumerate(hits):
        hi = hits[number + 1][0] if number + 1 < len(hits) else end
        cut = _ITEM_END.search(text, verb_end, hi) if hi < end else None
        lo, hi = trim(text, start if len(hits) == 1 else at, cut.start() if cut else hi)
        body = trim(text, verb_end, hi)
        definition = text[body[0] : body[1]].lstrip(" ,:–—-")
        opens_list = text[lo:hi].rstrip(" *").endswith((":", "means", "mean"))  # what it means follows as a list
        if (len(definition) >= 3 or opens_list) and any(c.isalpha() for c in term):
            marks.append(_mark(lo, hi, term, definition, aliases, confidence))
    return marks


def _parentheses(text: str, start: int, end: int) -> Iterator[Mark]:
    """Terms in quotes and parentheses behind what they name."""
    for match in _PAREN.finditer(text, start, end):
        inner = match[1]
        if _PAREN_OK.match(inner) is None or _PAREN_NOT.search(inner) or len(_QUOTE.sub("", inner)) > 110:
            continue
        terms = [term.strip(" ,.") for term in _QUOTE.findall(inner)]
        terms = [term for term in terms if term and any(c.isalpha() for c in term) and len(term.split()) <= 8]
        phrase = _phrase_before(text, start, match.start())
        if terms and phrase is not None:
            definition = text[phrase : match.start()].rstrip(" ,")
            yield _mark(phrase, match.end(), terms[0], definition.strip(), terms[1:], 0.9)


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
        hi = match.end()
        while hi < end and text[hi] in "\"“”').":
            hi += 1
            if text[hi - 1] == ")":
                break
        hi = match.end() if text[hi - 1] == "." else hi
        definition = text[phrase : match.start()].strip(" ,\n")
        yield _mark(phrase, hi, match["term"].rstrip("."), definition, [], 0.9)


def _acronyms(text: str, start: int, end: int) -> Iterator[Mark]:
    """Read "Security Operations Center (SOC)": only where the initials match the words before."""
    for match in _ACRONYM.finditer(text, start, end):
        letters = [c for c in match[1].lower() if c.isalpha()]
        words = list(re.finditer(r"[\w’']+", text[max(start, match.start() - 120) : match.start()]))
        base = max(start, match.start() - 120)
        at, left = len(words), list(letters)
        while left and at > 0:
            at -= 1
            word = words[at][0].lower()
            if word[0] == left[-1]:
                left.pop()
            elif word not in _SMALL:
                break
        if left or len(letters) < 2 or at >= len(words):
            continue
        lo = base + words[at].start()
        if match.start() - lo <= 100:
            yield _mark(lo, match.end(), match[1], text[lo : match.start()].strip(), [], 0.8)


def _phrase_before(text: str, start: int, at: int) -> int | None:
    """Where the phrase begins that a parenthetical term names, or None when there is none."""
    lo = max(start, at - 300)
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
    return lo if any(c.isalpha() for c in text[lo:at]) else None


def find_glossary_line(text: str, start: int, end: int, *, in_glossary: bool) -> Mark | None:
    """A line such as "Term: definition".

    Args:
        text: the canonical text.
        start: the sentence's first code point.
        end: one past its last.
        in_glossary: whether the heading above says that definitions follow; elsewhere the term must be bold.

    Returns:
        A mark of kind "definition" (confidence 0.8 in a glossary, else 0.7), or None.
    """
    match = _GLOSSARY.match(text, start, min(end, start + 80))
    if match is None or not (in_glossary or match["b1"] or match["b2"]):
        return None
    term = match["term"].strip()
    lo, hi = trim(text, match.end(), end)
    if len(term.split()) > 6 or len(text[lo:hi].split()) < 3 or _NO_TERM.match(term):
        return None
    return _mark(*trim(text, start, end), term, text[lo:hi], [], 0.8 if in_glossary else 0.7)


def _mark(start: int, end: int, term: str, definition: str, aliases: list[str], confidence: float) -> Mark:
    """A definition as a mark."""
    data: dict[str, JsonValue | None] = {"term": term, "definition": definition, "aliases": list(aliases)}
    return Mark("definition", start, end, sort_data(data), confidence)
