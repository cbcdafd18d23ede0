"""Whether an agreement is renewed, by whose will, for how long, and by which notice that is prevented."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.documents.profile.agreements.facts import OTHERS, SELF, AgreementFact, Length, lengths_in, words_pattern
from coditect.language.quantities.numbers import NUMBER, parse_number
from coditect.language.tables import read_table

__all__ = ["ASK", "PREVENT", "read_renewal", "read_renewal_notice"]

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
    r"\b(?:shall|will|may|can)\s+not\s+(?:be\s+)?(?:automatically\s+)?(?:renew|extend)"
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
    for pattern in _CUES:
        for cue in pattern.finditer(text):
            at, end = cue.span("cue")
            if OTHERS.search(text, 0, at) or _OTHER_EXTENSION.search(text, 0, at):
                continue
            if value := _how(text, at, end):
                length = _length(text, at)
                weight = 1 + (value == "automatic") + (length is not None) + titled
                end = max(end, length.end if length else 0)
                yield AgreementFact("renewal", value, at, end, length, _times(text, at), weight=weight)
                return


def _how(text: str, start: int, end: int) -> str:
    """By whose will: "automatic", "option", "agreement", or "" where nothing says so."""
    near = text[max(0, start - 200) : end + 260]
    unless = _UNLESS.search(text, end)
    if _AUTOMATIC.search(near) or (unless and _NOTICING.search(text, unless.end())):
        return "automatic"
    if _AGREEING.search(near):
        return "agreement"
    if _ELECTING.search(near) or re.search(r"\bmay\b", near, _I):
        return "option"
    return "automatic" if re.search(r"\b(?:shall|will|is|are)\b[^.;]{0,40}$", text[:start], _I) else ""


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
    automatic = renewed is not None and _how(text, *renewed.span("cue")) == "automatic"
    for length in lengths_in(text, 0, len(text)):
        around = text[max(0, length.start - _NEAR) : length.end + _NEAR]
        if not _NOTICING.search(around) or not _BEHIND.match(text[length.end : length.end + 80]):
            continue
        unless = renewed is not None and _UNLESS.search(text, renewed.end("cue"), length.start) is not None
        last = _END.search(text, max(0, length.start - 200), length.end + 200) is not None
        if automatic and (unless or last):
            value, weight = PREVENT, 3
        elif last and _AGAINST.search(text) and _RENEWING.search(text):
            value, weight = PREVENT, 2
        elif last and (renewed is not None or _ELECTING.search(text)):
            value, weight = ASK, 1
        else:
            continue
        yield AgreementFact("renewal_notice", value, length.start, length.end, length, weight=weight + titled)
        return
