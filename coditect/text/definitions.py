"""Definitions: '"X" means ...', 'X refers to ...', 'ABC Inc. ("ABC")', 'Security Operations Center (SOC)'."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coditect.text.marks import JsonValue, Mark, sort_data, trim

__all__ = ["find_definitions", "find_glossary_line"]

_QUOTED = r"(?:[\"“”]|'')\s*(?P<{0}>[^\"“”\n]{{1,90}}?)\s*,?\s*(?:[\"“”]|'')"
_QUOTE = re.compile(r"(?:[\"“”]|'')\s*([^\"“”]{1,90}?)\s*,?\s*(?:[\"“”]|'')")
_VERB = (
    r"(?:,\s*(?:as\s+used\s+\w+[^,]{0,80},[\"”]?|when\s+used[^,]{0,60},|(?:also|hereafter|hereinafter)\s+(?:called|known\s+as|referred\s+to\s+as)\s[^,]{1,60},|(?:with\s+respect\s+to|in\s+(?:relation|connection)\s+(?:to|with)|for\s+(?:the\s+)?purposes?\s+of)[^,]{1,120},)\s*)?\s*"
    r"(?:(?:(?:shall|will)\s+)?(?:each\s+|also\s+|only\s+)?(?:mean|refer\s+to|have\s+the\s+(?:same\s+)?meanings?)"
    r"|(?:each\s+|also\s+|only\s+)?(?:means|refers\s+(?:only\s+)?to|(?:has|have)\s+the\s+(?:same\s+)?(?:respective\s+)?meanings?"
    r"|(?:is|are)\s+defined\s+(?:as|in|to\s+mean|by|under)|(?:shall\s+be|is)\s+deemed\s+to\s+mean|denotes?|signif(?:y|ies)))\b[,:]?"
)
_MEANS = re.compile(
    rf"(?:\b[Tt]he\s+(?:terms?|words?|phrases?|expressions?)\s+)?{_QUOTED.format('q')}"
    rf"(?P<alias>(?:\s*(?:\([^()]{{1,80}}\)|,?\s*(?:or|and)\s*(?:[\"“”]|'')[^\"“”\n]{{1,60}}(?:[\"“”]|''))){{0,3}})"
    rf"(?:{_VERB}|(?P<be>\s+(?:is|are)\s+(?=(?:the|any|an?|each|all|\d+)\s)|\s*[:=](?!\S)|\s+[–—-]\s+)"
    r"|(?P<holds>\s+(?:(?:does|do|shall)\s+not\s+include|includes?|shall\s+include)\b))"
)
# Without quotes only at the start, or after "the term", so that "this means that" is never a definition.
_BARE = re.compile(
    r"(?:(?:\s|[*#>•_-]|\d{1,3}(?:\.\d{1,3}){0,4}[.)]?\s|\([A-Za-z0-9]{1,5}\))*)"
    r"(?:(?:(?:For|for|As\s+used|In|As|When\s+used|Except)\s+(?:the\s+)?(?:purposes?\s+of\s+)?[^,.;]{1,120},(?:[^,.;:]{1,80}:)?"
    r"|For\s+(?:the\s+)?purposes?\s+of\s+th(?:is|ese)\s+\w+(?=\s+[A-Z]))\s*(?:the\s+term\s+)?|[Tt]he\s+term\s+)?"
    r"(?:[*_]{1,3})?(?P<term>[A-Za-z][\w'’/&.-]*(?:[ \t\n]+(?:\([^()\n]{1,30}\)|[\w'’/&-]+)){0,7}?)(?:[*_]{1,3})?"
    rf"\s*(?P<verb>{_VERB})"
)
_BARE_TERM = re.compile(r"\b[Tt]he\s+term\s+(?P<term>[a-z][\w-]*(?:\s+[\w-]+){0,6}?)" + _VERB)
# "Necessary to effect, administer, or enforce a transaction means that", "Person who refers business means any broker".
_LONG = re.compile(
    r"(?:\s|[*#>•_-]|\d{1,3}(?:\.\d{1,3}){0,4}[.)]?\s|\([A-Za-z0-9]{1,5}\))*"
    r"(?P<term>[A-Z][\w'’-]*(?:,?\s[\w'’-]+){2,12}?)\s+(?P<verb>means)(?:[:,]|\s+(?=(?:that|the|any|an?|each|all|every|one|those|[\w-]+['’]s)\s))"
)
_STARTS_NO_TERM = re.compile(
    r"(?:in|by|on|at|to|for|from|with|without|through|if|when|where|whose|because|unless|while|as|of|under|after|before|this|that|these|those)\b",
    re.IGNORECASE,
)
# "means" the noun: "a reasonable means of", "through audible means, such as".
_MEANS_NOUN = re.compile(r"means\s+(?:of|by\s+which|through\s+which|whereby|\w+ed\s+(?:by|on|in|at|to|for|under))\b")
_MEANS_ADJECTIVE = re.compile(
    r"\b(?:an?|the|any|other|all|no|only|such|same|and|or|of|reasonable|electronic|audible|video|written|available|alternative|appropriate"
    r"|effective|technical|technological|physical|mechanical|similar|various|different|several|legal|lawful|practical|possible|necessary|automated)$",
    re.IGNORECASE,
)
_NO_TERM = re.compile(
    r"(?:the|an?|this|it|that|which|what|who|they|there|these|those|we|you|he|she|no|not|nothing|such|same|each|any|all|and|or|but|if"
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
    r"\b(?:such\s+as|in\s+the\s+case\s+of|defined\s+(?:in|below|above|herein)|see|e\.g\.|meaning|marked|entitled|titled|labell?ed)\b",
    re.IGNORECASE,
)
# What a printed form calls its parts is no term: 'the sixth row ("For our affiliates")'.
_FORM_PART = re.compile(r"\b(?:row|column|table|heading|caption|box|line|page|field|questions?)\s*$", re.IGNORECASE)
_CALLED = re.compile(
    r"\b(?:(?P<called>(?:is|are|be|also|often|frequently|commonly|sometimes|generally|hereafter)\s+(?:called|known\s+as|termed|referred\s+to\s+(?:\w+\s+)?as)"
    r"|becomes?)\s+(?:an?\s+|the\s+)?|includes?\s+(?:an?|the)\s+(?=[^.;]{1,100}which\s+(?:is|are)\b))"
    rf"{_QUOTED.format('q')}(?P<more>(?:\s*,?\s*(?:or|and)\s+(?:[\"“”]|'')[^\"“”\n]{{1,60}}(?:[\"“”]|''))*)"
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
_GLOSSARY_SENTENCE = re.compile(
    r"\s*(?:[-*•]\s+|\([A-Za-z0-9]{1,5}\)\s+|\d{1,3}(?:\.\d{1,3}){0,3}\.?\s+)*(?P<term>[A-Z][\w'’-]*(?:\s[\w'’-]+){0,7}?)(?:\s+\((?P<short>[A-Z][A-Za-z&/-]{1,9})\))?"
    r"(?P<verb>\s+(?:is|are)\s+(?=(?:an?|the|any|each)\s)|\s+(?:includes?|occurs\s+when|has\s+the)\s+|\.\s+(?=See\s)|:\s*$)"
)
_SMALL = frozenset(["of", "the", "and", "for", "in", "to", "a", "an", "on", "with", "by", "or"])


_OPENING = re.compile(r"[\s\W\d]*(?:\(?[a-z]{1,4}[).]\s+)?(?:The\s+|the\s+|An?\s+)?")
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_IN_PARENTHESES = re.compile(r"\s*\((?!(?:and|or|\d+)\))([^()]{1,60})\)")
_CAPITAL_TERM = re.compile(r"You|We|Us|Term|Article|Section|(?:[A-Z][\w-]*\s)?(?:\w+\s)?(?:[Tt]erms|[Ww]ords)")
_NO_GLOSSARY = re.compile(
    r"\b(?:who|whose|and|or|means?|following|purposes?|definitions?)$|^(?:terms?|definitions?)\b", re.IGNORECASE
)
_RELATIVE = re.compile(r",|\s(?:who|that|which)\s")


@dataclass(frozen=True, slots=True)
class _Hit:
    """A term with its verb, before it is known where its definition ends."""

    start: int
    verb_end: int
    term: str
    aliases: list[str]
    confidence: float

    def at_quote(self, text: str, other: _Hit) -> bool:
        """Whether this verb comes before the quoted term of another: 'Control, as used in "affiliate", means'."""
        return other.start > self.verb_end or (self.start < other.start < self.verb_end <= other.verb_end)


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
        terms = {str(name) for mark in found for name in (mark.data["term"], *_listed(mark.data.get("aliases")))}
        for mark in [*_parentheses(text, start, end), *_hereinafter(text, start, end), *_acronyms(text, start, end)]:
            if (mark.start, mark.end) not in spans and str(mark.data["term"]) not in terms:
                spans.append((mark.start, mark.end))
                terms.add(str(mark.data["term"]))
                found.append(mark)
    return sorted(found, key=lambda m: (m.start, m.end))


def _listed(value: JsonValue) -> Sequence[JsonValue]:
    """A list in a mark's data, or an empty one."""
    return value if isinstance(value, list) else ()


def _means(text: str, start: int, end: int) -> list[Mark]:
    """Definitions with a verb of meaning."""
    hits: list[_Hit] = []
    quoted = any(text.find(quote, start, end) >= 0 for quote in ('"', "“", "”", "''"))
    if quoted:
        hits = [_Hit(*hit) for hit in _quoted(text, start, end)]
    bare = _bare(text, start, end)
    if bare is not None and (not hits or bare.at_quote(text, hits[0])):
        hits = [bare]
    if quoted and not hits:
        hits = list(_called(text, start, end))
    marks = []
    for number, hit in enumerate(hits):
        at, verb_end, term, aliases, confidence = hit.start, hit.verb_end, hit.term, hit.aliases, hit.confidence
        hi = hits[number + 1].start if number + 1 < len(hits) else end
        cut = _ITEM_END.search(text, verb_end, hi) if hi < end else None
        lo, hi = trim(text, start if len(hits) == 1 else at, cut.start() if cut else hi)
        body = trim(text, verb_end, hi)
        definition = text[body[0] : body[1]].lstrip(" ,:–—-")
        opens_list = text[lo:hi].rstrip(" *").endswith((":", "means", "mean"))  # what it means follows as a list
        if (len(definition) >= 3 or opens_list) and any(c.isalpha() for c in term):
            marks.append(_mark(lo, hi, term, definition, aliases, confidence))
    return marks


def _quoted(text: str, start: int, end: int) -> Iterator[tuple[int, int, str, list[str], float]]:
    """Quoted terms with a verb."""
    for match in _MEANS.finditer(text, start, end):
        if match["be"] and _OPENING.fullmatch(text, start, match.start()) is None:
            continue  # '"X" is the Y' defines only where the sentence begins with it
        if match["holds"] and not _holds(text, start, match):
            continue
        aliases = [a.strip(" ,") for a in _QUOTE.findall(match["alias"] or "")]
        yield match.start(), match.end(), match["q"].strip(" ,"), aliases, 0.95


def _holds(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether "X" includes Y says what X is: after "the term", or where the sentence or its main clause begins with it."""
    if match[0][:1] not in "\"“”'":
        return True
    return _OPENING.fullmatch(text, start, match.start()) is not None or (
        re.search(r",\s+(?:an?\s+|the\s+)?$", text[start : match.start()]) is not None
        and re.match(r"\W*(?:\(?\w{1,5}[).]\s+)?(?:For|As|In)\b", text[start : match.start()]) is not None
    )


def _bare(text: str, start: int, end: int) -> _Hit | None:
    """A term without quotes."""
    match = _BARE.match(text, start, end) or _BARE_TERM.search(text, start, end)
    hit = _bare_hit(text, start, match) if match else None
    if hit is None and (match := _LONG.match(text, start, min(end, start + 200))) is not None:
        term = match["term"]
        is_noun = _STARTS_NO_TERM.match(term) or _MEANS_ADJECTIVE.search(term)
        if not is_noun and re.search(r"\b(?:shall|must|will|may|not|means)\b", term) is None and _RELATIVE.search(term):
            hit = _Hit(start, match.end(), term, [], 0.85)
    return hit


def _bare_hit(text: str, start: int, match: re.Match[str]) -> _Hit | None:
    """What an unquoted term and its verb define, or None where they say something else."""
    raw = match["term"].strip(" *_\t\n")
    term = _ARTICLE.sub("", raw)
    verb = match.groupdict().get("verb") or ""
    inner = _IN_PARENTHESES.findall(term)
    term = _IN_PARENTHESES.sub("", term)
    term = re.sub(r"\s+", " ", term).strip()
    is_capital = verb.strip(" ,:") == "means" and raw[:1].isupper()
    if len(term) < 2 or (_NO_TERM.match(term) and not (is_capital and _CAPITAL_TERM.fullmatch(term))):
        return None
    noun_at = match.end() - len(verb.strip(" ,:")) - (match[0].endswith((",", ":")))
    if verb.strip(" ,:") == "means" and (
        _MEANS_NOUN.match(text, max(noun_at, 0)) or _MEANS_ADJECTIVE.search(term) or _STARTS_NO_TERM.match(term)
    ):
        return None
    if _MEANS_ADJECTIVE.search(term) and term.lower().endswith((" or", " and")):
        return None
    return _Hit(start, match.end(), *_names(term, inner, plural=match[0].rstrip(" ,:").endswith("mean")), 0.85)


def _names(term: str, inner: Sequence[str], *, plural: bool) -> tuple[str, list[str]]:
    """Term and aliases of "X or Y", of "X and Y" where the verb is in the plural, and of "X (also Y)"."""
    aliases = []
    for inside in inner:
        names = re.sub(r"^(?:also|hereafter|hereinafter|or|the)\s+(?:called\s+|the\s+)?", "", inside)
        if names != inside or names.isupper():
            aliases += re.split(r"\s+or\s+", names)
    parts = re.split(r"\s+or\s+", term)
    if len(parts) == 2:
        # "administrative or clerical tasks" share their noun: the first word alone is no name.
        shared = len(parts[0].split()) == 1 and len(parts[1].split()) > 1 and not parts[1][:1].isupper()
        aliases += parts[1:] if shared else parts
    elif plural and len(parts := re.split(r"\s+and\s+", term)) == 2:
        term, aliases = parts[0], [*parts[1:], *aliases]
    return term, list(dict.fromkeys(alias for alias in aliases if alias != term))


def _called(text: str, start: int, end: int) -> Iterator[_Hit]:
    """Terms that something "is called", and what a term includes by its own name."""
    for match in _CALLED.finditer(text, start, end):
        aliases = [a.strip(" ,") for a in _QUOTE.findall(match["more"])]
        yield _Hit(start, match.end(), match["q"].strip(" ,"), aliases, 0.8)


def _parentheses(text: str, start: int, end: int) -> Iterator[Mark]:
    """Terms in quotes and parentheses behind what they name."""
    for match in _PAREN.finditer(text, start, end):
        inner = match[1]
        if _PAREN_OK.match(inner) is None or _PAREN_NOT.search(inner) or len(_QUOTE.sub("", inner)) > 110:
            continue
        terms = [term.strip(" ,.") for term in _QUOTE.findall(inner)]
        terms = [term for term in terms if term and any(c.isalpha() for c in term) and len(term.split()) <= 8]
        phrase = _phrase_before(text, start, match.start())
        if terms and phrase is not None and not _FORM_PART.search(text, max(phrase, match.start() - 20), match.start()):
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
    if in_glossary and (found := _glossary_sentence(text, start, end)) is not None:
        return found
    match = _GLOSSARY.match(text, start, min(end, start + 80))
    if match is None or not (in_glossary or match["b1"] or match["b2"]):
        return None
    term = match["term"].strip()
    lo, hi = trim(text, match.end(), end)
    if len(term.split()) > 6 or len(text[lo:hi].split()) < 3 or _NO_TERM.match(term) or _NO_GLOSSARY.search(term):
        return None
    return _mark(*trim(text, start, end), term, text[lo:hi], [], 0.8 if in_glossary else 0.7)


def _glossary_sentence(text: str, start: int, end: int) -> Mark | None:
    """In a glossary: "X (XY) is the association of", "X includes", "X occurs when", "X. See section 3", "X:" above a list."""
    if start > 0 and text[start - 1] != "\n":
        return None  # only what begins its paragraph names its term
    match = _GLOSSARY_SENTENCE.match(text, start, min(end, start + 160))
    term = _ARTICLE.sub("", match["term"]) if match is not None else ""
    if match is None or _NO_TERM.match(term) or _STARTS_NO_TERM.match(term) or _NO_GLOSSARY.search(term):
        return None
    lo, hi = trim(text, match.end(), end)
    aliases = [match["short"]] if match["short"] else []
    return _mark(*trim(text, start, end), term, text[lo:hi], aliases, 0.75)


def _mark(start: int, end: int, term: str, definition: str, aliases: list[str], confidence: float) -> Mark:
    """A definition as a mark."""
    data: dict[str, JsonValue | None] = {"term": term, "definition": definition, "aliases": list(aliases)}
    return Mark("definition", start, end, sort_data(data), confidence)
