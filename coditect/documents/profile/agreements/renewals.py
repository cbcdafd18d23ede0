"""Whether an agreement is renewed, by whose will, for how long, and by which notice that is prevented."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.documents.profile.agreements.facts import (
    ENDING_BY_ITSELF,
    OTHERS,
    SELF,
    AgreementFact,
    Length,
    lengths_in,
    words_pattern,
)
from coditect.language.quantities.dates import find_dates
from coditect.language.quantities.numbers import NUMBER, parse_number
from coditect.language.tables import read_table

__all__ = ["ASK", "GOES_ON", "PREVENT", "TO_END", "read_renewal", "read_renewal_notice"]

_I = re.IGNORECASE
_TIMES = read_table("agreements").pattern("times")
_RENEWING, _AUTOMATIC = words_pattern("renewing"), words_pattern("automatically")
_ELECTING, _AGREEING, _NOTICING = (words_pattern(each) for each in ("electing", "agreeing", "noticing"))
_WHAT = rf"(?:{SELF}|(?:{_TIMES}|initial\s+period|renewal\s+period)[”\"]?|\bit\b)"
_VERB = (
    r"(?:renew(?:ed|s|able)?|extended|extends|prolonged|roll(?:ed|s)?\s+over|continues?\s+automatically|automatically\s+continues?"
    r"|(?<=automatically\s)(?:extend|renewing))"
)
_OBJECT = rf"(?:{SELF}|(?:the|its|such|said)\s+(?:[\w-]+\s+){{0,2}}?(?:{_TIMES}))(?![\w-])"
_CUES = (
    re.compile(
        rf"\b{_WHAT}(?:\s*\([^()]{{0,80}}\))?[^.;]{{0,70}}?\b(?:shall|will|may|can|is|are|be|to|and)\b\s+(?:[\w-]+,?\s+){{0,4}}?"
        rf"(?:be\s+)?(?:\w+ly\s+)?(?P<cue>{_VERB})\b",
        _I,
    ),
    re.compile(rf"\b{_WHAT}\s+(?:\w+ly\s+)?(?P<cue>renews|is\s+renewed)\b", _I),
    re.compile(rf"\b(?P<cue>renew|extend|extending|renewing|prolong|renews)\s+{_OBJECT}", _I),
    re.compile(rf"\b(?P<cue>renewals?|extensions?)\s+of\s+{_OBJECT}", _I),
    re.compile(
        r"\b(?:automatic(?:\s+annual|\s+\w+ly)?|tacit|option(?:s|al)?\s+(?:to|of|for)(?:\s+an?)?)\s+"
        r"(?P<cue>renewals?|extensions?|renew|extend)\b",
        _I,
    ),
    re.compile(
        rf"\b(?P<cue>renewable|extendable|extendible)\b(?=[^.;]{{0,80}}\b(?:{_TIMES}|periods?|years?|months?)\b)", _I
    ),
)
"""An agreement or its term that is renewed; renewing it; its renewal; an option of renewal; a renewable term."""
_OTHER_EXTENSION = re.compile(r"\b(?:unless|until|if|as)\s+(?:\w+\s+)?$|\bany\s+$|\band\s+any\b[^,;]{0,30}$", _I)
_NO = re.compile(
    r"\b(?:shall|will|may|can|do|does)\s+not\s+(?:be\s+)?(?:automatically\s+)?(?:renew|extend)"
    r"|\b(?:neither|no)\s+party\s+(?:shall|will|is|has)\b[^.;]{0,60}?\b(?:obligation|obliged|obligated|required)\s+to\s+(?:renew|extend)"
    r"|\bno\s+(?:right|option|obligation)\s+(?:of|to|for)\s+(?:\w+\s+)?(?:renew|exten)|\bnon-renewable|\bnot\s+(?:be\s+)?renewable",
    _I,
)
_TIMES_OVER = re.compile(
    rf"\b(?P<n>{NUMBER}|an?)\s+(?:(?:additional|further|successive|consecutive|more|subsequent|renewal|extension)\s*){{1,3}}"
    r"(?P<rest>[^.;]{0,40})",
    _I,
)
_PERIODS = re.compile(r"\b(?:periods?|terms?|times|occasions)\b", _I)
_ENDLESS = re.compile(
    r"\b(?:successive|consecutive|each|every|subsequent|year[\s-]to[\s-]year|annually|yearly|evergreen)\b", _I
)
_ADVERB = {"annually": (1.0, "year"), "yearly": (1.0, "year"), "annual": (1.0, "year"), "monthly": (1.0, "month"),
           "year-to-year": (1.0, "year"), "month-to-month": (1.0, "month")}  # fmt: skip
_PERIODIC = re.compile(rf"\b(?:{'|'.join(_ADVERB)}|year\s+to\s+year|month\s+to\s+month)\b", _I)
_UNLESS = re.compile(
    r"\b(?:unless|until|except\s+(?:if|where)|if\s+neither|if\s+no\s+party|absent|in\s+the\s+absence\s+of"
    r"|provided\s+(?:that\s+)?(?:neither|either|no))\b",
    _I,
)
_BEHIND = re.compile(
    r"^['’]?s?['’]?\s*(?:calendar\s+|business\s+|working\s+)?(?:(?!unless|until|if\b)\w+\s+){0,5}?"
    r"(?:notice|prior|before|in\s+advance|advance|preceding|written|notification)\b",
    _I,
)
_END = re.compile(
    r"\b(?:end|expir\w+|anniversary|conclusion|termination\s+date)\b[^.;]{0,60}?"
    rf"\b(?:{_TIMES}|periods?|{SELF}|thereof|hereof|renewals?)\b|\brenewal\s+date",
    _I,
)
_AGAINST = re.compile(
    r"\bnon-?\s?renew|\bnot\s+(?:to\s+)?(?:be\s+)?(?:renew|extend)|\bintent(?:ion)?\s+(?:not\s+to|to\s+terminat)|\bterminat|\bcancel",
    _I,
)
_INSURED = re.compile(r"\b(?:insur\w+|polic(?:y|ies)|coverage)\b", _I)
_NEAR = 140
_ENDING_BY_ITSELF = re.compile(ENDING_BY_ITSELF, _I)
_WITHIN = r"(?:(?!\b(?:renew|exten|period|term\b|year|month)\w*)[^.;])"
_GOING_ON = re.compile(
    rf"(?:\b(?:thereafter|after\s+(?:that|which)|at\s+the\s+end\s+of\s+which)\b{_WITHIN}{{0,120}}?"
    r"\b(?P<on>continue[sd]?|remains?\s+in\s+(?:full\s+)?(?:force|effect)|(?=until))"
    r"|\b(?P<by>automatically\s+continue[sd]?|continue[sd]?\s+automatically))"
    rf"{_WITHIN}{{0,80}}?\b(?:unless\s+and\s+)?until\s+(?:(?:it|this\s+\w+|the\s+\w+)\s+is\s+)?(?:otherwise\s+)?"
    r"(?:terminated|cancel|(?:either|any|one|a)\s+(?:of\s+the\s+)?part(?:y|ies)\b[^.;]{0,60}?\b(?:giv|serv|notif|terminat|notice|cancel|end))",
    _I,
)
"""An agreement that goes on behind its fixed term, without an end, until somebody ends it."""

_FIXED = re.compile(r"\b(?:initial|until|through|years?|months?|expir\w*|end(?:s|ing)?|anniversary)\b", _I)
"""In front of "thereafter": that a fixed term comes first."""

_UNTIL_A_DAY = re.compile(
    r"[^.;,]{0,40}?\s(?:until|to|through)\s+(?:and\s+including\s+)?(?=(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\b|(?-i:[A-Z])\w+\s+\d|\d{4}-)",
    _I,
)
"""Behind "is extended": a new last day, so that this is no renewal by itself."""

_UNLESS_AGREED = re.compile(
    r"\b(?:unless|until)\s+(?:both\s+|all\s+)?(?:of\s+)?the\s+parties\b[^.;]{0,60}?\bagree\w*\b[^.;]{0,40}$", _I
)
_THING = re.compile(r"\b(?-i:(?P<what>[A-Z][\w-]+)\s+)$")
_OWN_TERMS = re.compile(
    rf"(?:initial|original|renewal|extended|extension|primary|basic|current|first|second|subsequent|additional|fixed|minimum"
    rf"|full|entire|the|this|its|said|such|any|if|and|services?|consulting|{read_table('agreements').pattern('kinds')})",
    _I,
)
"""What the term of an agreement is called; another name with a capital is of something else: "the Profiling Term"."""

GOES_ON = "until ended"
"""Of a renewal: it goes on until somebody ends it."""

TO_END = "to end it"

PREVENT = "to prevent it"
ASK = "to ask for it"


def read_renewal(text: str, heading: str) -> Iterator[AgreementFact]:
    """Whether and how the agreement is renewed, as a sentence says it; at most one reading.

    Args:
        text: the sentence.
        heading: what it stands under.
    """
    titled = re.search(r"\b(?:renew|exten|term\b|duration)", heading, _I) is not None
    if none := _NO.search(text):
        if re.search(_WHAT, text, _I):
            yield AgreementFact("renewal", "none", none.start(), none.end(), weight=2 + titled)
        return
    if on := _goes_on(text):
        yield AgreementFact("renewal", GOES_ON, on.start(), on.end(), weight=3 + titled)
        return
    for pattern in _CUES:
        for cue in pattern.finditer(text):
            at, end = cue.span("cue")
            if _UNTIL_A_DAY.match(text, end) and any(find_dates(text, end, len(text))) and not _by_itself(text):
                continue
            if OTHERS.search(text, 0, at) or _OTHER_EXTENSION.search(text, 0, at):
                continue
            if value := _how(text, at, end):
                length = _length(text, at)
                weight = 1 + (value == "automatic") + (length is not None) + titled - _is_of_another(text, cue)
                weight += _UNLESS_AGREED.search(text, max(0, at - 160), at) is not None
                end = max(end, length.end if length else 0)
                yield AgreementFact("renewal", value, at, end, length, _times(text, at), weight=weight)
                return


def _goes_on(text: str) -> re.Match[str] | None:
    """Where it says that the agreement goes on behind its term until somebody ends it."""
    found = _GOING_ON.search(text)
    if found is None or OTHERS.search(text, 0, found.end()) or not re.search(_WHAT, text, _I):
        return None
    ahead = text[: found.start()]
    fixed = found["by"] is not None or not ahead.strip(" .\n\t()0123456789") or _FIXED.search(ahead) is not None
    return found if fixed and _RENEWING.search(ahead) is None else None


def _is_of_another(text: str, cue: re.Match[str]) -> bool:
    """Whether what is renewed is the term of something else by its name."""
    for term in re.finditer(rf"\b(?:{_TIMES})\b", text[cue.start() : cue.end()], _I):
        named = _THING.search(text, 0, cue.start() + term.start())
        return named is not None and _OWN_TERMS.fullmatch(named["what"]) is None
    return False


def _how(text: str, start: int, end: int) -> str:
    """By whose will: "automatic", "option", "agreement", or "" where nothing says so."""
    near = text[max(0, start - 200) : end + 260]
    unless = _UNLESS.search(text, end)
    if _by_itself(near) or (unless and _NOTICING.search(text, unless.end())):
        return "automatic"
    if _AGREEING.search(near):
        return "agreement"
    if _ELECTING.search(near) or re.search(r"\bmay\b", near, _I):
        return "option"
    return "automatic" if re.search(r"\b(?:shall|will|is|are)\b[^.;]{0,40}$", text[:start], _I) else ""


def _by_itself(near: str) -> bool:
    """Whether something is automatic but an end."""
    return any(_ENDING_BY_ITSELF.match(near, each.start()) is None for each in _AUTOMATIC.finditer(near))


def _length(text: str, at: int) -> Length | None:
    for length in lengths_in(text, at, len(text)):
        if not _BEHIND.match(text[length.end : length.end + 60]) or re.match(
            r"\s+(?:renewal\s+|extension\s+)?(?:periods?|terms?)\b", text[length.end :], _I
        ):
            return length
    if adverb := _PERIODIC.search(text, max(0, at - 40), at + 120):
        value, unit = _ADVERB["-".join(adverb[0].casefold().split())]
        return Length(value, unit, adverb.start(), adverb.end())
    return None


def _times(text: str, at: int) -> int | None:
    """How often the agreement may be renewed: of "one (1) additional term of two years" once; None where that is open."""
    if re.search(r"\bonly\s+(?:be\s+renewed\s+)?once\b", text[at:], _I):
        return 1
    found = _TIMES_OVER.search(text, at)
    if found is None or _ENDLESS.search(text, at, found.start("rest")) or not _PERIODS.search(found["rest"]):
        return None
    said = found["n"].casefold()
    number = 1.0 if said in ("a", "an") else parse_number(found["n"])
    return int(number) if number and number < 100 else None


def read_renewal_notice(text: str, heading: str) -> Iterator[AgreementFact]:
    """How long before its end notice is to be given, lest the agreement be renewed or so that it is; at most one reading.

    Args:
        text: the sentence.
        heading: what it stands under.
    """
    if not _NOTICING.search(text) or _INSURED.search(text) or OTHERS.search(text):
        return
    titled = re.search(r"\b(?:renew|exten|term\b|duration)", heading, _I) is not None
    renewed = next((cue for pattern in _CUES for cue in pattern.finditer(text)), None)
    goes_on = _goes_on(text)
    automatic = renewed is not None and _how(text, *renewed.span("cue")) == "automatic"
    for length in lengths_in(text, 0, len(text)):
        around = text[max(0, length.start - _NEAR) : length.end + _NEAR]
        if not _NOTICING.search(around) or not _BEHIND.match(text[length.end : length.end + 80]):
            continue
        unless = renewed is not None and _UNLESS.search(text, renewed.end("cue"), length.start) is not None
        last = _END.search(text, max(0, length.start - 200), length.end + 200) is not None
        if goes_on is not None and goes_on.end("on" if goes_on["on"] is not None else "by") < length.start:
            value, weight = TO_END, 3
        elif automatic and (unless or last):
            value, weight = PREVENT, 3
        elif last and _AGAINST.search(text) and _RENEWING.search(text):
            value, weight = PREVENT, 2
        elif last and (renewed is not None or _ELECTING.search(text)):
            value, weight = ASK, 1
        else:
            continue
        yield AgreementFact("renewal_notice", value, length.start, length.end, length, weight=weight + titled)
        return
