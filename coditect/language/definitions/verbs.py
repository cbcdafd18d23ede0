"""Verbs of meaning: '"X" means', 'X refers to', '"X" is defined in', 'the term X does not include'."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.language.definitions.marks import Definiendum
from coditect.language.definitions.terms import QUOTED, is_no_term, is_phrase, names_of, without_article, without_the
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table
from coditect.schemas.tier1.data import DefinitionForm

__all__ = ["find_bare", "find_quoted", "find_under_title", "find_used"]

_DEFINITIONS = read_table("definitions")
_QUOTED = r"(?:[\"“”]|'')\s*(?P<{0}>[^\"“”\n]{{1,90}}?)\s*,?\s*(?:[\"“”]|'')"
_VERB = (
    r"(?:,\s*(?:as\s+used\s+\w+[^,]{0,80},[\"”]?|when\s+used[^,]{0,60},|(?:also|hereafter|hereinafter)\s+(?:called|known\s+as|referred\s+to\s+as)\s[^,]{1,60},|(?:with\s+respect\s+to|in\s+(?:relation|connection)\s+(?:to|with)|in\s+respect\s+of|referred\s+to\s+in|for\s+(?:the\s+)?purposes?\s+of|of\s|(?:except|unless)\s)[^.;:\"“”]{1,220}?,(?=\s*(?:(?:also|each|only)\s)?(?:means?|includes?|refers?|(?:has|have|shall|will|does|do)\s)))\s*|,\s+(?=(?:means|includes)\s)|\s+which\s+(?=means\s))?\s*"
    r"(?:(?:(?:shall|will)\s+)?(?:each\s+|also\s+|only\s+)?(?:mean|refer\s+to|(?:have|bear)\s+the\s+(?:same\s+)?meanings?|be\s+equal\s+to)"
    r"|(?:each\s+|also\s+|only\s+)?(?:means|(?<=\t)Means|refers\s+(?:only\s+)?to|(?:has|have|bears?)\s+(?:(?:the|its|their)\s+(?:same\s+|ordinary\s+|usual\s+)?(?:respective\s+)?|a\s+corresponding\s+)meanings?"
    r"|(?:is|are|(?:shall|will)\s+be)\s+defined\s+(?:as|in|to\s+mean|by|under)|(?:shall\s+be|is|are)\s+(?:deemed|taken)\s+to\s+mean|(?:shall\s+be|is\s+to\s+be|are\s+to\s+be)\s+(?:construed|read|interpreted)\s+(?:as|to\s+mean)|denotes?|signif(?:y|ies)))\b[,:]?"
)
_IN_VERBS = ("ean", "refer", "equal", "efined", "construed", "read", "interpreted", "denote", "signif")
"""Letters of which every verb of meaning has some: a sentence without all of them defines nothing by one."""

_HOLDS = (
    r"(?:(?:does|do|shall)\s+not\s+include|(?:also\s+|only\s+)?(?:includes?|excludes?)"
    r"|shall\s+(?:be\s+deemed\s+to\s+)?(?:also\s+)?(?:include|exclude))\b"
)
# What a term is said of: "berth, in relation to a ferry, includes", "cause for this purpose includes".
_RELATED = (
    r"(?:(?:when\s+)?used\s|in\s+(?:relation|respect)\s|with\s+respect\s|of\s+(?:an?|the|any)\s|(?:except|unless)\s)"
)
_TERM = quick(rf"(?:\b[Tt]he\s+(?:terms?|words?|phrases?|expressions?)\s+)?{_QUOTED.format('q')}")
# 'We use the word "channel" for any account', 'uses "quay" to mean'.
_USED = deferred(
    rf"\b(?:use|uses|used)\s+(?:here\s+)?(?P<named>(?:the|these)\s+(?:terms?|words?|phrases?|expressions?)\s+)?{_QUOTED.format('q')}\s+"
    r"(?P<verb>to\s+(?:mean|refer\s+to|describe|denote|designate|stand\s+for)|as\s+(?:a\s+)?(?:short|shorthand)\s+for|for)\s+"
)
_BY = deferred(
    rf"(?:[Bb]y|[Ww]hen(?:ever)?\s+we\s+(?:say|write|speak\s+of|refer\s+to|use))\s+(?:the\s+(?:term|word|expression)\s+)?{_QUOTED.format('q')},?\s+"
    r"(?:we|this\s+\w+|it)\s+means?\s+"
)
_MORE = deferred(
    r"\s{0,20}(?:\([^()]{1,80}\)"
    r"|(?P<joint>,?\s{0,20}(?:(?:or|and)\s{0,20})?)(?:[\"“”]|'')[^\"“”\n]{1,60}(?:[\"“”]|''))"
)
_MOST_NAMES = 30
_DEFINES = deferred(
    rf"(?:(?P<verb>(?:\s+(?:of|as|in|when)\s[^\"“”.;:]{{1,110}}?\s(?=(?:(?:shall|will)\s+)?means?\b))?{_VERB})|(?P<be>\s+(?:is|are|(?:shall|will)\s+be)\s+(?=(?:the|any|an?|each|all|\d+|limited\s+to|any(?:one|body|thing)|(?:some|every)(?:one|body|thing)|those|one)\s)|\s*[:=](?!\S)|\s+[–—-]\s+)"
    rf"|(?P<holds>(?:,\s+{_RELATED}[^.;:\"“”]{{1,160}}?,)?\s+{_HOLDS}))"
)
# Without quotes only at the start, or after "the term", so that "this means that" is never a definition.
_BARE = deferred(
    r"(?:(?:\s|[*#>•_-]|\d{1,3}(?:\.\d{1,3}){0,4}[.)]?\s|\([A-Za-z0-9]{1,5}\))*)"
    r"(?:(?:(?:For|for|As\s+used|In|As|When\s+used|Except)\s+(?:the\s+)?(?:purposes?\s+of\s+)?[^,.;]{1,120},(?:[^,.;:]{1,80}:)?"
    r"|For\s+(?:the\s+)?purposes?\s+of\s+th(?:is|ese)\s+\w+(?=\s+[A-Z]))\s*(?:the\s+term\s+)?|[Tt]he\s+term\s+)?"
    r"(?:[*_]{1,3})?(?P<term>[A-Za-z][\w'’/&.-]*(?:[ \t\n]+(?:\([^()\n]{1,30}\)|[\w'’/&-]+)){0,7}?)(?:[*_]{1,3}|[\"”])?"
    rf"\s*(?P<verb>{_VERB})"
)
# "In this Part, berth, in relation to a ferry, includes": what is set apart says what the term is used of.
_BARE_RELATED = deferred(
    r"(?:\s|[*#>•_-]|\d{1,3}(?:\.\d{1,3}){0,4}[.)]?\s|\([A-Za-z0-9]{1,5}\))*"
    r"(?:(?:For|In|As\s+used\s+in)\s+(?:the\s+)?(?:purposes?\s+of\s+)?[^,.;]{1,120},\s+)?(?:[Tt]he\s+(?:term|word|expression)\s+)?"
    rf"(?P<term>[A-Za-z][\w'’/-]*(?:\s[\w'’/-]+){{0,5}}?)(?P<verb>(?:,\s+{_RELATED}[^.;:]{{1,160}}?,|\s+for\s+th(?:is|ese|at)\s+purposes?,?)\s+{_HOLDS})"
)
_BARE_TERM = deferred(r"\b[Tt]he\s+term\s+(?P<term>[a-z][\w-]*(?:\s+[\w-]+){0,6}?)" + f"(?P<verb>{_VERB})")
_BARE_HOLDS = deferred(
    r"[\W\d]*(?:\(?[a-z]{1,4}[).]\s+)?(?:For\s+(?:the\s+)?purposes?\s+of\s+[^,.;]{1,120},\s*)?[Tt]he\s+(?:term|word|expression)\s+(?P<term>[A-Za-z][\w-]*(?:\s+[\w-]+){0,6}?)"
    rf"(?P<verb>(?:,\s[^,.;]{{1,80}},)?\s+{_HOLDS})"
)
# "The term of the lease includes the winter": how long it lasts.
_OF_SOMETHING = deferred(r"(?:of|for|in|under|to)\s")
_UNDER_TITLE = deferred(
    r"[\W\d]*(?:\(?[a-z]{1,4}[).]\s+)?[Tt](?:he|his)\s+(?:term|word|phrase|expression)"
    rf"(?P<verb>{_VERB}|\s+{_HOLDS})"
)
# "A, B and C have the meanings given in": each has its own.
_MEANINGS = deferred(r"\bhave\s+the\s+(?:same\s+)?(?:respective\s+)?meanings\b")
_MEANING = deferred(r"\bhave\s+the\s+(?:same\s+)?meaning\b")
_AND = deferred(r"\band\b")
_NAME = r"[A-Za-z][\w'’/&-]*(?:[ \t\n][\w'’/&-]+){0,5}?"
_SEVERAL = deferred(
    r"(?:\s|[*#>•_-]|\d{1,3}(?:\.\d{1,3}){0,4}[.)]?\s|\([A-Za-z0-9]{1,5}\))*"
    r"(?:(?:In|For\s+(?:the\s+)?purposes?\s+of|As\s+used\s+in)\s[^,.;]{1,80},\s+)?(?:[Tt]he\s+(?:terms|words|expressions)\s+)?"
    rf"(?P<terms>{_NAME}(?:,\s+{_NAME}){{0,9}},?\s+and\s+{_NAME})\s+(?:shall\s+)?(?P<verb>have\s+the\s+(?:same\s+)?(?:respective\s+)?meanings?\b)"
)
_LABEL = deferred(r"[\s*_#•-]*(?:(?:\([A-Za-z0-9]{1,5}\)|\d[\d.]*(?:\([A-Za-z0-9]{1,5}\))*)\s+)*")
_TITLE = deferred(rf"(?:{_DEFINITIONS.pattern('title_is_no_term')})$", re.IGNORECASE)
# "Necessary to effect, administer, or enforce a transaction means that", "Person who refers business means any broker".
_LONG = deferred(
    r"(?:\s|[*#>•_-]|\d{1,3}(?:\.\d{1,3}){0,4}[.)]?\s|\([A-Za-z0-9]{1,5}\))*"
    r"(?P<term>[A-Z][\w'’-]*(?:,?\s[\w'’-]+){2,12}?)\s+(?P<verb>means)(?:[:,]|\s+(?=(?:that|the|any|an?|each|all|every|one|those|[\w-]+['’]s)\s))"
)
# "means" the noun: "a reasonable means of", "through audible means, such as".
_MEANS_NOUN = deferred(r"means\s+(?:of|by\s+which|through\s+which|whereby|\w+ed\s+(?:by|on|in|at|to|for|under))\b")
# "The alarm means that you must leave" says what follows from it.
_FOLLOWS = deferred(r"\s+that\s+(?:you|we|they|he|she|it|nobody|everybody|everyone|no\s+one|all\s)")
_MEANS_ADJECTIVE = deferred(rf"\b(?:{_DEFINITIONS.pattern('describes_a_means')})$", re.IGNORECASE)
# Where a definition stands, when it does not stand here.
_PLACE = rf"(?:§|(?:{_DEFINITIONS.pattern('places_of_meaning')})\b|[Pp]arts?\s\d|\d+\s+(?:C\.?F\.?R|U\.?S\.?C))"
_DEFINED_IN = deferred(r"defined\s+(?:in|by|under)[,:]?$")
_HAS_MEANING = deferred(r"meanings?[,:]?$")
_MEANING_HERE = deferred(rf"\W*$|\s*:|\s*of\b(?!.{{0,100}}{_PLACE})", re.DOTALL)
_ELSEWHERE = deferred(
    r"\s*(?:the\s+same\s+(?:thing\s+)?as\b|(?:as\s+)?(?:that\s+term\s+is\s+)?(?:defined|set\s+(?:forth|out)|specified|provided|stated)\s+(?:in|by|under)\b"
    r"|the\s+(?:meaning|definition)s?\s+(?:given|set|assigned|ascribed|provided|specified|in|under|of\s+(?:that|such|the)\s+term)\b)"
)
_NEAR_PLACE = deferred(rf"[^.;]{{0,60}}?{_PLACE}")
_OPERATOR = deferred(r"[-+*/×÷−–^]")
_FORMULA_WORD = deferred(r"\b[Ff]ormulas?\b")
_NEAR_FORMULA = 1_500
"""Characters before a sentence in which the formula stands whose variables it explains."""
_WHERE = deferred(r"\bwhere,?\s+$", re.IGNORECASE)
_OPENING = deferred(
    r"[\s\W\d]*(?:\(?[a-z]{1,4}[).]\s+)?(?:For\s+(?:the\s+)?purposes?\s+of\s+[^,.;]{1,120},\s*)?(?:The\s+|the\s+|An?\s+)?"
)
_SINGLE_QUOTED = deferred(r"(?:the\s+)?(?:term\s+)?['’‘]([^'’‘]+)['’]$")
_HERE = deferred(
    r"[\s\W\d]*(?:In|For|Under|Throughout)\s+(?:the\s+purposes?\s+of\s+)?th(?:is|ese)\s(?:[^,.;\"“”]{1,40},|\w+)\s+(?:the\s+|an?\s+)?"
)
_IN_PARENTHESES = deferred(r"\s*\((?!(?:and|or|\d+)\))([^()]{1,60})\)")
_CAPITAL_TERM = deferred(r"You|We|Us|Term|Article|Section|(?:[A-Z][\w-]*\s)?(?:\w+\s)?(?:[Tt]erms|[Ww]ords)")
_ONE_TERM = deferred(r"(?<=\w)\s+(?:terms|words)\Z")
_RELATIVE = deferred(r",|\s(?:who|that|which)\s")


def find_quoted(text: str, start: int, end: int) -> Iterator[Definiendum]:
    """Find the terms in quotation marks that a verb of meaning follows.

    Args:
        text: the canonical text.
        start: the sentence's first code point.
        end: one past its last.
    """
    at = start
    while (quoted := _TERM.search(text, at, end)) is not None:
        found = _defines(text, quoted.end(), end)
        if found is None:
            at = quoted.start("q")
            continue
        verb, aliases, joined = found
        at = verb.end()
        if _says_what_it_is(text, start, quoted, verb):
            term = without_the(quoted["q"].strip(" ,"))
            form = _form(text, verb["verb"] or verb["holds"] or "", verb.end())
            if verb["be"] and _is_variable(text, start, term):
                form = "variable"
            apart = bool(aliases) and _have_their_own(text, quoted.end(), verb)
            yield Definiendum(
                quoted.start(), verb.end(), term, aliases, 0.95, form, apart=apart, joined=() if apart else joined
            )


def find_used(text: str, start: int, end: int) -> Iterator[Definiendum]:
    """Find the terms that somebody says that he uses for something (confidence 0.8); arguments as in :func:`find_quoted`."""
    for match in _BY.finditer(text, start, end):
        yield Definiendum(match.start(), match.end(), match["q"].strip(" ,"), (), 0.8, "meaning")
    for match in _USED.finditer(text, start, end):
        if match["named"] or match["verb"] != "for":
            yield Definiendum(match.start("q") - 1, match.end(), match["q"].strip(" ,"), (), 0.8, "meaning")


def _have_their_own(text: str, names_end: int, verb: re.Match[str]) -> bool:
    """Whether several names have a meaning each: '"A" and "B" have the meaning given in', '"A" or "B" have the meanings'."""
    words = verb["verb"] or ""
    joined = _AND.search(text, names_end, verb.start()) is not None
    return _MEANINGS.search(words) is not None or (joined and _MEANING.search(words) is not None)


def _defines(text: str, at: int, end: int) -> tuple[re.Match[str], tuple[str, ...], tuple[str, ...]] | None:
    """The verb behind a quoted term, the other names between, '(the "Y")', 'or "Z"', ', "Y" and "Z"', and those that are joined."""
    names: list[str] = []
    joined: list[str] = []
    places = [(at, 0)]
    for _ in range(_MOST_NAMES):
        more = _MORE.match(text, at, end)
        if more is None:
            break
        at = more.end()
        read = [name.strip(" ,") for name in QUOTED.findall(more[0])]
        names += read
        joined += read if more["joint"] is not None else []
        # A comma alone joins only what "and" or "or" follows.
        if more["joint"] is None or more["joint"].strip(" ,\n\t"):
            places.append((at, len(names)))
    for place, count in reversed(places):
        verb = _DEFINES.match(text, place, end)
        if verb is not None:
            return verb, tuple(names[:count]), tuple(name for name in joined if name in names[:count])
    return None


def _says_what_it_is(text: str, start: int, quoted: re.Match[str], verb: re.Match[str]) -> bool:
    """Whether a quoted term with its verb defines something here."""
    is_first = _OPENING.fullmatch(text, start, quoted.start()) is not None
    if verb["be"]:
        return (
            is_first or _HERE.fullmatch(text, start, quoted.start()) is not None
        )  # '"X" is the Y' defines only where the sentence begins with it
    if verb["holds"]:
        return _holds(text, start, quoted, is_first=is_first)
    # 'loans where "no cost" refers only to fees' says what the words cover in that case
    is_aside = _WHERE.search(text, max(start, quoted.start() - 10), quoted.start()) is not None
    return not (is_aside and verb["verb"].lstrip().startswith("refer"))


def find_bare(text: str, start: int, end: int) -> Definiendum | None:
    """A term without quotes, at the start of its sentence or after "the term"; arguments as in :func:`find_quoted`."""
    may_define = any(text.find(word, start, end) >= 0 for word in _IN_VERBS)
    match = (_BARE.match(text, start, end) or _BARE_TERM.search(text, start, end)) if may_define else None
    hit = _bare_hit(text, start, match) if match else None
    if may_define and (several := _several(text, start, end)) is not None:
        return several
    if may_define and hit is None and (match := _LONG.match(text, start, min(end, start + 200))) is not None:
        term = match["term"]
        is_noun = is_phrase(term) or _MEANS_ADJECTIVE.search(term)
        if not is_noun and re.search(r"\b(?:shall|must|will|may|not|means)\b", term) is None and _RELATIVE.search(term):
            hit = Definiendum(start, match.end(), term, (), 0.85, "meaning")
    holds = hit is None and (text.find("nclude", start, end) >= 0 or text.find("xclude", start, end) >= 0)
    match = (_BARE_HOLDS.match(text, start, end) or _BARE_RELATED.match(text, start, end)) if holds else None
    term = without_article(match["term"]) if match is not None else ""
    if match is not None and not (is_no_term(term) or is_phrase(term) or _OF_SOMETHING.match(term)):
        term, aliases = names_of(term, (), plural=False)
        hit = Definiendum(start, match.end(), term, aliases, 0.85, _form(text, match["verb"], match.end()))
    return hit


def _several(text: str, start: int, end: int) -> Definiendum | None:
    """Terms without quotes in a row that have their meanings elsewhere."""
    match = _SEVERAL.match(text, start, min(end, start + 600))
    if match is None:
        return None
    terms = [without_article(" ".join(each.split())) for each in re.split(r",?\s+and\s+|,\s+", match["terms"])]
    if any(is_no_term(each) or is_phrase(each) for each in terms):
        return None
    form = _form(text, match["verb"], match.end())
    return Definiendum(match.start("terms"), match.end(), terms[0], tuple(terms[1:]), 0.85, form, apart=True)


def find_under_title(text: str, start: int, end: int) -> Definiendum | None:
    """Read "The term means" right below a title that is the term; arguments as in :func:`find_quoted`."""
    match = _UNDER_TITLE.match(text, start, end)
    before = text[max(0, start - 120) : start]
    above = before.rstrip().rpartition("\n")[2]
    if match is None or not before.endswith("\n") or above.endswith((".", ";", ":", ",")):
        return None
    label = _LABEL.match(above)
    term = above[label.end() if label else 0 :].rstrip(" -–—*_")
    if not 0 < len(term.split()) <= 8 or is_no_term(term) or is_phrase(term) or _TITLE.search(term):
        return None
    term, aliases = names_of(term, (), plural=False)
    return Definiendum(start, match.end(), term, aliases, 0.8, _form(text, match["verb"], match.end()))


def _form(text: str, verb: str, verb_end: int) -> DefinitionForm:
    """How a verb defines, with what follows it."""
    verb = verb.rstrip()
    if verb.endswith(("include", "includes")):
        return "exclusion" if re.search(r"\bnot\s", verb) else "inclusion"
    if verb.endswith(("exclude", "excludes")):
        return "exclusion"
    if _HAS_MEANING.search(verb):
        return "meaning" if _MEANING_HERE.match(text, verb_end) else "reference"
    is_elsewhere = _DEFINED_IN.search(verb) or _ELSEWHERE.match(text, verb_end, verb_end + 120)
    return "reference" if is_elsewhere else "meaning"


def _is_variable(text: str, start: int, term: str) -> bool:
    """Whether a formula just above has the term in it, or the words just above speak of one."""
    before = text[max(0, start - _NEAR_FORMULA) : start]
    if _FORMULA_WORD.search(before, max(0, len(before) - 250)):
        return True
    named = re.compile(rf"(?<!\w){re.escape(term)}(?!\w)")
    formulas = (line for line in before.split("\n") if "=" in line and _OPERATOR.search(line))
    return any(named.search(line) for line in formulas)


def _holds(text: str, start: int, quoted: re.Match[str], *, is_first: bool) -> bool:
    """Whether "X" includes Y says what X is: after "the term", or where the sentence or its main clause begins with it."""
    if quoted[0][:1] not in "\"“”'":
        return True
    before = text[start : quoted.start()]
    return is_first or (
        re.search(r"(?:,|;|[,;]?\s+and)\s+(?:an?\s+|the\s+)?$", before) is not None
        and re.match(r"\W*(?:\(?\w{1,5}[).]\s+|\d{1,4}[A-Z]?\s+)?(?:For|As|In|Except|Unless)\b", before) is not None
    )


def _bare_hit(text: str, start: int, match: re.Match[str]) -> Definiendum | None:
    """What an unquoted term and its verb define, or None where they say something else."""
    raw = match["term"].strip(" *_\t\n")
    term = without_article(raw)
    verb = match["verb"].strip(" ,:\n")
    inner = _IN_PARENTHESES.findall(term)
    term = _SINGLE_QUOTED.sub(r"\1", " ".join(_IN_PARENTHESES.sub("", term).split()))
    is_capital = verb == "means" and raw[:1].isupper()
    # "fair terms has the same meaning": one term, whatever it is made of; "these terms have the meanings" speaks of others.
    named = _ONE_TERM.sub("", term) if verb.startswith("has") else term
    if len(term) < 2 or (is_no_term(named) and not (is_capital and _CAPITAL_TERM.fullmatch(term))):
        return None
    noun_at = match.end() - len(verb) - (match[0].endswith((",", ":")))
    if is_phrase(term) or (
        verb == "means" and (_is_noun(text, max(noun_at, 0), term) or _MEANS_ADJECTIVE.search(term))
    ):
        return None
    if verb == "means" and raw != term and _FOLLOWS.match(text, match.end()):
        return None
    if _MEANS_ADJECTIVE.search(term) and term.lower().endswith((" or", " and")):
        return None
    if _DEFINED_IN.search(verb) and _NEAR_PLACE.match(text, match.end()) is None:
        return None  # "Roles are defined by the Office": somebody defines them, this text does not
    term, aliases = names_of(term, inner, plural=verb.endswith("mean"))
    return Definiendum(start, match.end(), term, aliases, 0.85, _form(text, verb, match.end()))


def _is_noun(text: str, at: int, term: str) -> bool:
    """Whether "means" is the noun: "means of"; not in "approved means approved by the keeper", which says the term again."""
    return (
        _MEANS_NOUN.match(text, at) is not None
        and re.match(rf"means\s+{re.escape(term)}\b", text[at : at + 120]) is None
    )
