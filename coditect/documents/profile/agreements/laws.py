"""Whose law an agreement is under, and where its data may be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.documents.profile.agreements.facts import BLANK, RECITAL, AgreementFact, words_pattern
from coditect.language.tables import read_table

__all__ = ["read_data_location", "read_governing_law"]

_I = re.IGNORECASE
_PLACES = read_table("places")
_KNOWN = rf"(?:{_PLACES.pattern('countries')}|{_PLACES.pattern('states')})(?!\w)"
_NAME = r"(?-i:[A-Z][\w’'.-]*(?:\s+(?:of\s+(?:the\s+)?|and\s+|the\s+)?[A-Z][\w’'.-]*){0,5})"
_BLANK = r"\[\s*(?:\*\s*)+\]|\[\s*[•●._…]+\s*\]|_{3,}"
_DIVISION = (
    r"(?:(?:the\s+)?(?:(?:sovereign\s+)?state|commonwealth|province|district|canton|territory|country|nation)\s+of\s+(?:the\s+)?"
    r"|the\s+(?:state\s+)?)?"
)
_PLACE = rf"{_DIVISION}(?P<place>(?:{_KNOWN})|{_BLANK}|{_NAME})"
_LAWS = (
    r"\b(?:laws?|legislation|jurisdiction)"
    r"(?:\s+(?:and|or)\s+(?:rules?|regulations?|decisions|jurisdiction|provisions|statutes)){0,3}"
)
_OF = r"\s+(?:applicable\s+in|in\s+(?:force|effect)\s+in|in|of|from|and\s+of)\s+"
_GOVERNING = r"\b(?:govern\w*|constru\w*|interpret\w*|controlled|enforced|determined)\b"
_GOVERNED = re.compile(rf"{_GOVERNING}[^.;]{{0,140}}?{_LAWS}{_OF}{_PLACE}", _I)
_APPLIED = re.compile(
    r"\b(?:pursuant\s+to|in\s+accordance\s+with|under|by)\s+(?:and\s+[\w ]{3,30}\s+)?(?:the\s+)?(?:\w+\s+){0,2}?"
    rf"{_LAWS}{_OF}{_PLACE}",
    _I,
)
_ADJECTIVE = re.compile(
    rf"{_GOVERNING}[^.;]{{0,80}}?\b(?:by|with|under|to)\s+(?:the\s+)?(?P<place>{_NAME})(?:\s+state)?(?:['’]s?)?\s+laws?\b",
    _I,
)
_LEADING = re.compile(
    rf"(?:{_LAWS}\s+of\s+{_DIVISION}(?P<place>(?:{_KNOWN})|{_NAME})|(?P<adjective>{_NAME})\s+law)\s*(?:\([^()]*\)\s*)?"
    r"(?:\w+ly\s+)?(?:shall\s+|will\s+)?(?:governs?|appl(?:y|ies)|controls?)\b",
    _I,
)
_LABEL = re.compile(rf"^\W*(?:governing|applicable)\s+law\s*[:.|–—-]+\s*(?:the\s+)?(?:laws?\s+of\s+)?{_PLACE}", _I)
_GOVERN = re.compile(r"\bgovern", _I)
_STOP = re.compile(
    r"[,.]?\s+(?:and|or|without|excluding|except|as|applicable|regardless|irrespective|not|but|shall|will|with|which|that"
    r"|u\.?s\.?a|usa|in|for|to|is|are|govern\w*|law|laws)\b.*",
    re.DOTALL | re.IGNORECASE,
)
_THIS = re.compile(
    rf"\b(?:{read_table('agreements').pattern('kinds')}|amendment|validity|terms|parties|hereof|hereunder|legal\s+relations"
    r"|provisions|plan|note|guarant\w+|order|interpretation)\b",
    _I,
)
_NOT_NAMES = frozenset(
    ("Law", "Laws", "Agreement", "Applicable", "Member", "Section", "Article", "Act", "Contract", "Order", "Governing")
)

_DATA, _KEEPING, _PROHIBITING = (words_pattern(each) for each in ("data", "keeping", "prohibiting"))
_MAY = re.compile(r"\b(?:may|can|permitted|allowed|free)\b", _I)
_KEPT_THERE = re.compile(
    rf"\b(?:shall|must|will|may|undertakes?\s+to|agrees?\s+to|is\s+to|are\s+to)\b[^.;:]{{0,40}}?\b(?:{read_table('agreements').pattern('keeping')})\b"
    r"[^.;:]{0,40}$",
    _I,
)
"""In front of a place: somebody is to keep something there, or may."""

_SHORT = 90
_OF_A_COUNTRY = re.compile(r"(?:an|ish|ese|ch|iss|ek|eli|i)\Z")
"""How adjectives of countries end; "local", "federal" and "tax" do not."""

_ALONE = re.compile(r"\W*(?:\d+(?:\.\d+)*\W+)?")
"""In front of the law that applies where a sentence says nothing else."""

_NEAR = 120
_REGION = re.compile(
    r"\b(?P<how>only\s+in|solely\s+in|exclusively\s+in|outside(?:\s+of)?|within|inside|in)\s+(?:the\s+)?"
    rf"(?P<place>(?:[Tt]erritory\s+of\s+)?(?:the\s+)?(?:{_KNOWN}|Member\s+States?(?:\s+of\s+the\s+(?:EU|European\s+Union))?))(?!\w)"
)
_ALSO = re.compile(rf"\s+(?:and|or)\s+(?:in\s+|within\s+)?(?:the\s+)?(?P<place>{_KNOWN})")


def read_governing_law(text: str, heading: str) -> Iterator[AgreementFact]:
    """The law that governs the agreement: the place whose law it is; at most one reading.

    Args:
        text: the sentence.
        heading: what it stands under.
    """
    titled = re.search(r"\b(?:law|jurisdiction)", heading, _I) is not None
    if not titled and not _THIS.search(text) and not _THIS.search(heading) and not _says_nothing_else(text):
        return
    for pattern in (
        (_GOVERNED, _LEADING, _ADJECTIVE, _LABEL, _APPLIED) if titled else (_GOVERNED, _LEADING, _ADJECTIVE, _LABEL)
    ):
        for found in pattern.finditer(text):
            name = "place" if found.groupdict().get("place") else "adjective"
            if place := _place(found[name]):
                weight = 2 + titled + (_GOVERN.search(found[0]) is not None)
                yield AgreementFact("governing_law", place, found.start(), found.end(name), weight=weight)
                return


def _says_nothing_else(text: str) -> bool:
    """Whether a sentence only says which country's law applies: "3. Austrian law applies."."""
    found = _LEADING.search(text) if len(text) <= _SHORT else None
    return (
        found is not None
        and (found["place"] is not None or _OF_A_COUNTRY.search(found["adjective"]) is not None)
        and _ALONE.fullmatch(text, 0, found.start()) is not None
        and not text[found.end() :].strip(" .;")
    )


def _place(printed: str) -> str:
    """The name of a place, in capitals and small letters, without what follows it; "" where it is no name."""
    name = " ".join(printed.split())
    if re.fullmatch(_BLANK, name):
        return BLANK
    known = re.match(_KNOWN, name, _I)
    name = known[0] if known is not None else _STOP.sub("", name).strip(" .,’'")
    if name.isupper() and len(name.replace(".", "")) > 3:
        name = name.title().replace(" Of ", " of ").replace(" And ", " and ")
    return "" if len(name) < 2 or not name[0].isupper() or name.split()[0] in _NOT_NAMES else name


def read_data_location(text: str, heading: str) -> Iterator[AgreementFact]:
    """Where data may be kept or processed; at most one reading.

    Args:
        text: the sentence.
        heading: what it stands under.
    """
    del heading
    if RECITAL.match(text):
        return
    for found in _REGION.finditer(text):
        before = text[max(0, found.start() - _NEAR) : found.start()]
        data, keeping = _DATA.search(before), _KEEPING.search(before)
        if data is None or keeping is None:
            continue
        how, place = " ".join(found["how"].casefold().split()), " ".join(found["place"].split()).removeprefix("the ")
        prohibited = _PROHIBITING.search(before) is not None
        if how.startswith("outside"):
            value = f"not outside {place}" if prohibited else f"also outside {place}" if _MAY.search(before) else ""
        else:
            value = f"not in {place}" if prohibited else f"in {place}"
        if value:
            more = _ALSO.match(text, found.end())
            if more is not None and not value.startswith("not "):
                value += f" and {' '.join(more['place'].split()).removeprefix('the ')}"
            is_said = _KEPT_THERE.search(before) is not None
            yield AgreementFact("data_location", value, found.start(), found.end(), weight=1 + prohibited + is_said)
            return
