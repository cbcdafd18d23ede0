"""Whom a contract binds, guessed from its preamble: "between Acme Inc., a Delaware corporation (the “Supplier”), and …".

A preamble begins behind "between", "among" or "by", and ends where the recitals or the agreement begin. A party is a name in
capitals at its beginning or behind an "and" that stands outside of parentheses; what is said of it in small letters, and what it is
called in parentheses, follows it. Of several preambles (a cover page repeats them) the one that tells most is taken.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from coditect.documents.profile.guess import Guess
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = ["guess_parties", "party_key"]

_PROFILES = read_table("profiles")
_ORGANISATIONS = read_table("organisations")
_MORE_FORMS = r"S\.?[RApr]\.?[LAl]\.?|B\.?V|K\.?K|Oy|AB|A/S|Sdn|Bhd|Pte|Trust|Bank|N\.?A"
_FORM = rf"(?:{_ORGANISATIONS.pattern('legal_forms')}|{_MORE_FORMS})\b\.?"
_ANCHOR = deferred(
    r"\b(?:between|among(?:st)?|entered\s+into\s+by|made\s+by)\b(?!\s+(?:the\s+parties|other(?:s|\s+things?)?)\b)[\s:,-]*"
    r"|^\W*parties\s*:\s*",
    re.IGNORECASE | re.MULTILINE,
)
_END = deferred(
    rf"\b(?:{_PROFILES.pattern('preamble_ends')})\b|\n[ \t]*\n[ \t]*(?:\d+\.|[A-Z][a-z]+ing\b)", re.IGNORECASE
)
_LISTED = deferred(
    r"^[ \t]*(?:Party|The)\s+(?P<letter>[A-D1-4])\b\s*(?:\((?P<called>[^()\n]{2,40})\))?\s*[:：]\s*(?P<name>[^\n,(]{3,80})",
    re.MULTILINE,
)
_ITEM = r"\(?(?:\d|[ivx]{1,4}|[a-h])[.)]\s*"
_HAND = r"(?:on\s+the\s+(?:one|other)\s+(?:hand|part),?\s+)?"
_JOINT = deferred(
    rf"(?:[,;)]\s*|\s+)(?:and|And|AND)[\s,:-]+{_HAND}(?:by\s+(?:and\s+)?)?(?:between\s+)?(?:{_ITEM})?(?=[A-Z“\"])"
    rf"|;\s+(?:{_ITEM})?(?=[A-Z])|[,;]\s+\((?:\d|[ivx]{{1,4}}|[a-h])\)\s+(?=[A-Z])|\n\s*(?:\(?\d[.)]\s+)(?=[A-Z])"
    r"|[”\"][^()“\"]{0,40}\),\s+(?=[A-Z])"
)
_NUMBERED = deferred(rf"\s*{_HAND}(?:{_ITEM})?")
_NAME = deferred(
    rf"(?:(?:[Tt]he|THE)\s+)?(?:(?=[A-Z\d“])[“\"]?[A-Z\d][\w.&'’/*-]*|[a-z][\w.-]*(?=,\s*{_FORM}))"
    rf"(?:\s*,\s*{_FORM}|\s+(?:of|the|de|du|la|for|und|et|d/b/a|OF|THE|FOR)(?=\s+(?:[a-z]{{2,3}}\s+)?[A-Z])|\s+&|\s+\([A-Z][A-Za-z]+\)|\s+(?!AND\b)[A-Z\d][\w.&'’/*-]*)*"
)
_CALLED = deferred(
    r"\((?P<all>[^()]{0,160}?[“\"'‘](?P<term>[^“”\"'‘’()]{1,48})[”\"'’][^()]{0,120})\)|\(\s*(?P<bare>[A-Z]{2,8})\s*\)"
    r"|\b(?:referred\s+to\s+as|called)\s*:?\s+(?:the\s+)?[“\"'‘](?P<quoted>[^“”\"'‘’()]{1,48})[”\"'’]"
)
_ROLES = frozenset(_PROFILES.words("party_roles"))
_OFFICES = frozenset(_PROFILES.words("offices"))
_OFFICE = deferred(
    r"(?:its|the|their|his|her)\s+$|\brepresented\s+(?:herein\s+)?by\s+[^.;()“”\"]{0,120}$", re.IGNORECASE
)
_REMARK = deferred(r"[a-z][\w-]*(?:\s+[a-z][\w-]*){2,}")
_NO_PARTY = frozenset(_PROFILES.words("no_parties"))
_ALL_FORM = deferred(_FORM)
_AND = deferred(r"\s+(?:and|And|AND)\s+(?:the\s+)?")
_PLAIN_AND = deferred(r"[a-z][^,;)]*\w\s+and\s+$")
_OWNS = ("'s", "’s")
_SENTENCE_END = deferred(r"[a-z]{4,}\.\s+[A-Z]")
_SPACE = deferred(r"\s+")
_TRAILING = deferred(r"[\s,;:.“”\"*-]+$")
_LEADING_ARTICLE = deferred(r"^(?:the|THE|The)\s+")
_FORMS_FOLDED = frozenset(re.sub(r"\W", "", form).casefold() for form in _ORGANISATIONS.words("legal_forms"))
_FORMS_FOLDED -= {"holdings"}  # a company and its holding company are two

FURTHEST_NAME = 300
"""Characters behind "between" within which the first party is named: "between you and us" names nobody, whatever comes later."""

LONGEST_PREAMBLE = 2_200
"""Characters behind "between" within which parties are named."""

MOST_ANCHORS = 8
"""Places of a document at which a preamble may begin."""

MOST_PARTIES = 8
WITHIN = 9_000
"""Characters from the beginning within which a preamble begins."""

SHORTEST_NAME = 3
LONGEST_NAME = 110


@dataclass(frozen=True, slots=True)
class _Named:
    """A party that a preamble names: its name as printed, where that stands, and what it is called."""

    name: str
    start: int
    end: int
    called: str


def guess_parties(head: str) -> tuple[Guess, ...]:
    """The parties that the beginning of a text names, in its order; () where it names fewer than two.

    Args:
        head: the beginning of the text.
    """
    best: list[_Named] = []
    for found in (*(_preamble(head, anchor.end()) for anchor in _anchors(head)), _listed(head)):
        if len(found) > 1 and _worth(found) > _worth(best):
            best = found
    return tuple(
        Guess(each.name, "text", head[each.start : each.end], each.start, each.end, each.called) for each in best
    )


@lru_cache(maxsize=1 << 14)
def party_key(name: str) -> str:
    """A party's name as it is compared: without case, punctuation, articles and legal forms."""
    words = [re.sub(r"\W", "", word).casefold() for word in name.split()]
    kept = [word for word in words if word and word not in _FORMS_FOLDED and word not in ("the", "and")]
    return " ".join(kept or words)


def _anchors(head: str) -> list[re.Match[str]]:
    return list(_ANCHOR.finditer(head, 0, WITHIN))[:MOST_ANCHORS]


def _worth(found: list[_Named]) -> tuple[int, int, int]:
    """How well a preamble tells its parties: those that it calls something, then those with a legal form."""
    named = [each for each in found if each.called]
    forms = [each for each in found if _ALL_FORM.search(each.name)]
    return min(len(named), 2), min(len(forms), 2), -len(found) if len(found) > MOST_PARTIES else 0


def _is_description(head: str, last: _Named, each: _Named) -> bool:
    """Whether a name belongs to what is said of the party before it: "Acme Ltd, registered in England and Wales (the “Buyer”)"."""
    between = head[last.end : each.start]
    plain = _PLAIN_AND.search(between)
    return plain is not None and not last.called and bool(each.called) and _is_company(last) and not _is_company(each)


def _is_company(named: _Named) -> bool:
    return _ALL_FORM.search(named.name) is not None


def _listed(head: str) -> list[_Named]:
    """Parties on lines of their own: "Party A (Shipper): ZTO Express Co., Ltd."."""
    return [
        _Named(
            _clean(match["name"]),
            match.start("name"),
            match.start("name") + len(match["name"].rstrip()),
            match["called"] or f"Party {match['letter']}",
        )
        for match in _LISTED.finditer(head, 0, WITHIN)
        if match["letter"].isalpha() and "Party" in match[0]
    ]


def _preamble(head: str, begin: int) -> list[_Named]:
    again = _ANCHOR.search(head, begin + 1)  # a cover page, and then the preamble itself
    limit = min(len(head), begin + LONGEST_PREAMBLE, again.start() if again else len(head))
    stop = _END.search(head, begin + 10, limit)
    end = stop.start() if stop else limit
    starts = [begin, *(joint.end() for joint in _joints(head, begin, end) if not _is_signer(head, joint.end(), end))]
    found: list[_Named] = []
    for at, after in zip(starts, [*starts[1:], end], strict=True):
        party = _party(head, at, after)
        if party is not None and party_key(party.name) not in {party_key(each.name) for each in found}:
            found.append(party)
    return _kept(head, found)[:MOST_PARTIES] if found and found[0].start - begin <= FURTHEST_NAME else []


def _kept(head: str, found: list[_Named]) -> list[_Named]:
    """The parties among what may be names: joined where an "and" stood inside of a name, and without what another is called."""
    joined: list[_Named] = []
    for each in found:
        last = joined[-1] if joined else None
        bare = last is not None and not last.called and not _ALL_FORM.search(last.name)
        if last is not None and bare and len(found) > 2 and _AND.fullmatch(head, last.end, each.start):
            whole = _clean(head[last.start : each.end])
            joined[-1] = _Named(whole, last.start, each.end, each.called)
        elif last is not None and _is_description(head, last, each):
            joined[-1] = _Named(last.name, last.start, last.end, each.called)
        else:
            joined.append(each)
    called = {party_key(each.called) for each in joined if each.called}
    kept = [
        each for each in joined if each.called or (party_key(each.name) not in called and not each.name.endswith(_OWNS))
    ]
    if sum(bool(each.called) for each in kept) > 1:
        kept = [each for each in kept if each.called or _ALL_FORM.search(each.name)]
    return kept


def _joints(head: str, begin: int, end: int) -> list[re.Match[str]]:
    """Where a further party may begin: behind an "and" or a semicolon outside of parentheses."""
    depth, at, found = 0, begin, []
    for joint in _JOINT.finditer(head, begin, end):
        depth += head.count("(", at, joint.start()) - head.count(")", at, joint.start())
        at = joint.start()
        inside = max(depth, 0) - joint[0].count(")") + joint[0].count("(") * (joint[0][:1] not in ",;")
        if inside <= 0:
            found.append(joint)
    return found


def _party(head: str, at: int, end: int) -> _Named | None:
    number = _NUMBERED.match(head, at, end)
    begin = number.end() if number else at
    match = _NAME.match(head, begin, end)
    if match is None:
        return None
    if _is_role(match[0]) or _is_office(head, begin, match[0]):
        return None
    form = list(_ALL_FORM.finditer(match[0]))
    printed = match[0][: form[-1].end()] if form and form[-1].end() > len(match[0]) // 2 else match[0]
    name = _clean(printed)
    words = [word.strip(".,'’").casefold() for word in name.split()]
    if not SHORTEST_NAME <= len(name) <= LONGEST_NAME or not words or words[0] in _NO_PARTY or words[-1] in _NO_PARTY:
        return None
    if _SENTENCE_END.search(_ALL_FORM.sub("", name)):
        return None
    first = begin + match[0].index(name.split()[0])
    span = first, first + len(head[first : begin + len(printed)].rstrip(' ,;:“”"\n'))
    called = _CALLED.search(head, span[1], end)
    term = _called(called) if called else ""
    if not term and not form and len(words) < 2 and not name.isupper():
        return None
    return _Named(name, *span, term)


def _is_role(name: str) -> bool:
    """Whether a name only says what part somebody has: "Consultant", "the Software Publisher", "End User's"."""
    words = [word for word in re.split(r"[\s-]+", _clean(name).casefold()) if word != "the"]
    return bool(words) and all(re.sub(r"(?:['’]s?|s['’]|s)$", "", word) in _ROLES or word in _ROLES for word in words)


def _is_office(head: str, at: int, name: str) -> bool:
    """Whether it is somebody in an office, who signs for a party: "its Chief Technology Officer A. Example"."""
    words = [word.strip(".,").casefold() for word in name.split()]
    if not words or words[0] not in _OFFICES:
        return False
    titled = any(word in _OFFICES for word in words[1:3]) and not _ALL_FORM.search(name)
    return titled or _OFFICE.search(head, max(0, at - 160), at) is not None


def _is_signer(head: str, at: int, end: int) -> bool:
    """Whether what a further party would begin with is the office of somebody who signs for the one before."""
    name = _NAME.match(head, at, end)
    return name is not None and _is_office(head, at, name[0])


def _called(match: re.Match[str]) -> str:
    term = (match["term"] or match["bare"] or match["quoted"] or "").strip(" ,.")
    if _REMARK.fullmatch(term):
        return ""
    return "" if term.split() and term.split()[-1].casefold() in _NO_PARTY else _LEADING_ARTICLE.sub("", term)


def _clean(printed: str) -> str:
    """A name on one line, without an article before it and punctuation behind it; the stop of a legal form stays."""
    line = _LEADING_ARTICLE.sub("", _SPACE.sub(" ", printed).strip(' “"*'))
    cut = _TRAILING.sub("", line)
    return f"{cut}." if line[len(cut) :].startswith(".") and _ALL_FORM.search(cut[-12:]) else cut
