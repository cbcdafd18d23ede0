"""Mentions of organisations, roles, defined terms, laws, standards, controls, systems, places and addresses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from coditect.language.entities.names import entity_name
from coditect.language.marks import Mark
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = ["EntityKind", "EntityMention", "Terms", "find_entities", "read_terms"]

EntityKind = Literal[
    "organization", "person_role", "defined_term", "document", "statute", "control", "system", "place", "email", "url",
    "money", "standard",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class EntityMention:
    """A name in a text.

    Attributes:
        start: first code point.
        end: one past the last.
        text: the name as it is printed.
        kind: what kind of thing it names.
        name: the index key: case folded, white space collapsed, leading article dropped, at most 120 characters.
    """

    start: int
    end: int
    text: str
    kind: EntityKind
    name: str


_ORGANISATIONS, _PLACES = read_table("organisations"), read_table("places")
_ORG_SUFFIX = f"(?:{_ORGANISATIONS.pattern('legal_forms')})"
_ORG = deferred(
    rf"\b[A-Z0-9][\w&.'’/-]*(?:\s+(?:of|and|for|&)\s+[A-Z][\w&.'’/-]*|\s+[A-Z&][\w&.'’/-]*){{0,6}}?,?\s+{_ORG_SUFFIX}(?:\.|\b)(?:,?\s+(?:Inc|Ltd|LLC)\.?)?"
    rf"|\b(?:[A-Z][\w.]+\s+(?:and\s+)?){{0,4}}(?:{_ORGANISATIONS.pattern('public_bodies')})"
    r"(?:\s+(?:of|for|on)\s+(?:the\s+)?[A-Z]\w+(?:(?:\s+and|\s+of)?\s+[A-Z]\w+){0,4})?"
    rf"|\b(?:{_ORGANISATIONS.pattern('offices')})\s+of\s+(?:the\s+)?[A-Z]\w+(?:(?:\s+and|\s+of|\s+the)*\s+[A-Z]\w+){{0,4}}"
)
_PARTY = deferred(rf"(?:[Tt]he\s+)?[A-Z0-9][^,;()]{{0,80}}?,?\s{_ORG_SUFFIX}(?:\.|\b)")
_ROLE = quick(
    rf"\b(?:(?:[A-Z][\w&-]+\s+){{0,4}}(?:{_ORGANISATIONS.pattern('role_heads')})s?\b"
    rf"|(?:{_ORGANISATIONS.pattern('party_roles')})s?\b"
    rf"|(?:{_ORGANISATIONS.pattern('roles_in_small_letters')})\b"
    rf"|(?<!\w)(?:{_ORGANISATIONS.pattern('groups_of_people')})\b)"
)
_NET = deferred(
    r"(?P<email>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6})|(?P<url>\b(?:https?://|www\.)[^\s<>()\"”’\]]{3,200})"
)
_SYSTEM = quick(rf"\b(?:{read_table('products').pattern('systems')})\b")
_STATES = _PLACES.pattern("states")
_COUNTRIES = _PLACES.pattern("countries")
_PLACE = deferred(
    rf"\b(?:(?:{_PLACES.pattern('divisions')})\s+of\s+)?(?:{_COUNTRIES}|{_STATES}|{_PLACES.pattern('cities')})(?!\w)"
)
# Literal beginnings, so that the engine skips ahead; the exact patterns run only where one of these occurs.
_PLACE_HINT = quick(f"{_COUNTRIES}|{_STATES}|{_PLACES.pattern('cities')}")
_ROLE_HINT = quick(
    "|".join(
        _ORGANISATIONS.pattern(entry)
        for entry in ("role_heads", "party_roles", "roles_in_small_letters", "groups_of_people")
    )
)
_CAPITALISED = deferred(r"\b[A-Z][\w'’&-]*(?:\s+(?:(?:of|and|for|the|to|in)\s+)?[A-Z][\w'’&-]*){0,7}")
_ORG_HINT = quick(
    rf"(?:{_ORGANISATIONS.pattern('legal_forms')})\b|{_ORGANISATIONS.pattern('public_bodies')}|{_ORGANISATIONS.pattern('offices')}"
)
_BY_TARGET: dict[str, EntityKind] = {
    "statute": "statute", "regulation": "statute", "standard": "standard", "control": "control", "policy": "document",
    "document": "document",
}  # fmt: skip
_PIECES = deferred(r"\S+")
_BAD_ORG = deferred(rf"(?:{_ORGANISATIONS.pattern('no_names')})\s+(?=\S)")
# Terms so general that their mentions tell an index nothing.
_DULL = frozenset(_ORGANISATIONS.phrases("dull_terms"))


@dataclass(frozen=True, slots=True)
class Terms:
    """The capitalised terms that a document defines.

    Attributes:
        kinds: what each names, by index key.
        firsts: the first word of each key without a plural or possessive ending; spares most look-ups.
    """

    kinds: Mapping[str, EntityKind]
    firsts: frozenset[str]


def read_terms(definitions: Iterable[Mark]) -> Terms:
    """The capitalised terms that a document defines, by index key.

    A term that names a company in its definition ('Acme Inc. ("Acme")') is an organisation.

    Args:
        definitions: marks of kind "definition".
    """
    terms: dict[str, EntityKind] = {}
    for mark in definitions:
        names = [mark.data["term"], *(mark.data.get("aliases") or ())]  # type: ignore[misc]
        definition = str(mark.data.get("definition", ""))
        party = mark.confidence == 0.9 and _PARTY.match(definition) is not None
        for name in names:
            key = entity_name(str(name))
            if str(name)[:1].isupper() and 2 <= len(key) <= 80 and key not in _DULL:
                kind: EntityKind = "organization" if party and name == names[0] else "defined_term"
                if _ROLE.fullmatch(str(name)):
                    kind = "person_role"
                terms.setdefault(key, kind)
    return Terms(terms, frozenset(_first(key) for key in terms))


def _first(phrase: str) -> str:
    """The first word of a phrase, without the endings that a mention may add to it."""
    return phrase.split(maxsplit=1)[0].casefold().rstrip("'’s")


def find_entities(
    text: str,
    start: int,
    end: int,
    references: Sequence[Mark],
    quantities: Sequence[Mark],
    terms: Terms,
) -> list[EntityMention]:
    """The mentions in a sentence, in order, not overlapping; of two that overlap the longer one stays.

    Args:
        text: the canonical text.
        start: the sentence's first code point.
        end: one past its last; at most a few thousand beyond ``start``.
        references: the sentence's cross-references; those to laws, standards, controls and documents are mentions.
        quantities: the sentence's quantities; amounts are mentions of money.
        terms: what :func:`read_terms` found in the whole document.
    """
    found: list[tuple[int, int, EntityKind]] = []
    for mark in references:
        kind = _BY_TARGET.get(str(mark.data["target_kind"]))
        if kind is not None and not mark.data["internal"]:
            found.append((mark.start, mark.end, kind))
    found += [(m.start, m.end, "money") for m in quantities if m.data["quantity_kind"] == "amount"]
    if text.find("@", start, end) >= 0 or text.find("www.", start, end) >= 0 or text.find("http", start, end) >= 0:
        found += [(*m.span(), "email" if m["email"] else "url") for m in _NET.finditer(text, start, end)]
    if _ORG_HINT.search(text, start, end):
        found += _organisations(text, start, end)
    if _ROLE_HINT.search(text, start, end):
        found += [(*m.span(), "person_role") for m in _ROLE.finditer(text, start, end)]
    if _PLACE_HINT.search(text, start, end):
        found += [(*m.span(), "place") for m in _PLACE.finditer(text, start, end)]
    found += [(*m.span(), "system") for m in _SYSTEM.finditer(text, start, end)]
    if terms.kinds:
        found += _defined(text, start, end, terms)
    kept: list[tuple[int, int, EntityKind]] = []
    for item in sorted(found, key=lambda f: (f[0] - f[1], f[0], f[2])):
        if all(item[1] <= other[0] or item[0] >= other[1] for other in kept):
            kept.append(item)
    return [_mention(text, *item) for item in sorted(kept)]


def _organisations(text: str, start: int, end: int) -> Iterable[tuple[int, int, EntityKind]]:
    """Company names by their legal form, and public bodies by their head noun; a bare "Company" is neither."""
    for match in _ORG.finditer(text, start, end):
        lo, hi = match.span()
        while bad := _BAD_ORG.match(text, lo, hi):
            lo = bad.end()
        if len(text[lo:hi].split()) >= 2:
            yield lo, hi, "organization"


def _defined(text: str, start: int, end: int, terms: Terms) -> Iterable[tuple[int, int, EntityKind]]:
    """Capitalised runs that are defined terms, the longest first at each word."""
    for run in _CAPITALISED.finditer(text, start, end):
        words = [(m.start() + run.start(), m.end() + run.start()) for m in _PIECES.finditer(run[0])]
        at = 0
        while at < len(words):
            known = _first(text[slice(*words[at])]) in terms.firsts
            for last in range(len(words), at if known else len(words), -1):
                kind = _lookup(text[words[at][0] : words[last - 1][1]], terms.kinds)
                if kind is not None:
                    yield words[at][0], words[last - 1][1], kind
                    at = last - 1
                    break
            at += 1


def _lookup(phrase: str, terms: Mapping[str, EntityKind]) -> EntityKind | None:
    """The kind of a defined term, in the singular or the plural."""
    key = entity_name(phrase)
    return terms.get(key) or (terms.get(key[:-1]) if key.endswith("s") else terms.get(key + "s"))


def _mention(text: str, start: int, end: int, kind: EntityKind) -> EntityMention:
    """A mention of ``text[start:end]``."""
    return EntityMention(start, end, text[start:end], kind, entity_name(text[start:end]))
