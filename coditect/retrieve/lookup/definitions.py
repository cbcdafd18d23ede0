"""Definitions of a term: of the term itself or of another form of it, those first that tell most of what it means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set

from coditect.keyspace.terms import definition_term
from coditect.language.definitions.marks import FORMS
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import DefinitionData, Extraction

__all__ = ["defined", "definitions_of", "form_rank", "own_definitions", "variants"]

_FORM_RANKS = {form: rank for rank, form in enumerate(FORMS)}


def form_rank(definition: Extraction) -> int:
    """Where a definition stands among those of its term: 0 says what the term means, more says less.

    The order of :data:`coditect.language.definitions.marks.FORMS`. Definitions that do not say how they define, such as a model's,
    count as meanings.
    """
    form = definition.read_as(DefinitionData).form
    return _FORM_RANKS[form] if form else 0


def defined(index: LiveIndex, term: str, document_id: str = "") -> list[Extraction]:
    """Find the definitions of a term.

    Args:
        index: of the generation.
        term: in any case; an article before it is passed over.
        document_id: of the document that asks: its definitions come first.

    Returns:
        Definitions of the term itself, or where there are none of its singular, plural and hyphenated forms; those of the
        asking document first, then by document; in each those first that tell most of what the term means
        (:func:`form_rank`), then in document order.
    """
    found: list[Extraction] = []
    for names in variants(term):
        seen: dict[str, Extraction] = {}
        for name in names:
            seen.update((item.extraction_id, item) for item in index.by_term(definition_term(name)))
        found = own_definitions(list(seen.values()), {definition_term(name) for name in names})
        if found:
            break
    return sorted(
        found,
        key=lambda e: (
            e.document_id != document_id, e.document_id, form_rank(e), e.char_offset_start, e.char_offset_end,
        ),
    )  # fmt: skip


def definitions_of(index: LiveIndex, term: str) -> Sequence[tuple[int, Extraction]]:
    """The definitions of an index term itself, those first that tell most of what it means, each with its :func:`form_rank`.

    Args:
        index: of the generation; it keeps them for the next question.
        term: as :func:`coditect.keyspace.terms.definition_term` gives it.
    """
    return index.kept_of_term(term, _ranked)


def _ranked(term: str, found: Sequence[Extraction]) -> Sequence[tuple[int, Extraction]]:
    ranked = [(form_rank(each), each) for each in own_definitions(found, {term})]
    return tuple(sorted(ranked, key=lambda each: each[0]))


def own_definitions(found: Sequence[Extraction], asked: Set[str]) -> list[Extraction]:
    """Definitions without those of another name in a sentence that also defines the name that is asked: '"A" or "B" means'.

    Args:
        found: definitions of a name, or of a term that has it as another name.
        asked: index terms of the name.
    """
    is_own = [definition_term(each.read_as(DefinitionData).term or "") in asked for each in found]
    if all(is_own):
        return list(found)
    places: dict[str, list[tuple[int, int]]] = {}
    for each, own in zip(found, is_own, strict=True):
        if own:
            places.setdefault(each.version_id, []).append((each.char_offset_start, each.char_offset_end))
    return [each for each, own in zip(found, is_own, strict=True) if own or not _lies_in(each, places)]


def _lies_in(definition: Extraction, places: Mapping[str, Sequence[tuple[int, int]]]) -> bool:
    """Whether a definition shares characters with a place of its version."""
    start, end = definition.char_offset_start, definition.char_offset_end
    return any(start < after and first < end for first, after in places.get(definition.version_id, ()))


def variants(term: str) -> list[list[str]]:
    """Forms of a term to look for, the exact ones first: ["the Data Subjects", "Data Subjects"], ["data subject", …]."""
    plain = " ".join(term.split()).strip("\"“”'.,;:?! ")
    bare = re.sub(r"^(?:an?|the)\s+", "", plain, flags=re.IGNORECASE)
    exact = list(dict.fromkeys(each for each in (plain, bare) if each))
    head, _, last = bare.rpartition(" ")
    head = f"{head} " if head else ""
    forms = [f"{head}{form}" for form in _numbers(last)]
    forms += [other for each in (bare, *forms) for other in (each.replace("-", " "), each.replace(" ", "-"))]
    others = [form for form in dict.fromkeys(forms) if form and form not in exact]
    return [exact, others] if exact else []


def _numbers(word: str) -> list[str]:
    """The other number of a noun, as far as English spelling tells."""
    lower = word.casefold()
    if lower.endswith("ies") and len(word) > 4:
        return [word[:-3] + "y"]
    if lower.endswith(("ses", "xes", "zes", "ches", "shes")):
        return [word[:-2], word[:-1]]
    if lower.endswith("s") and not lower.endswith("ss"):
        return [word[:-1]]
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return [word[:-1] + "ies", word + "s"]
    return [word + "es"] if lower.endswith(("s", "x", "z", "ch", "sh")) else [word + "s"]
