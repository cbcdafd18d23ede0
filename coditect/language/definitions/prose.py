"""Definitions: '"X" means ...', 'X refers to ...', 'ABC Inc. ("ABC")', 'Security Operations Center (SOC)'.

Every definition says by which form of words it defines (:data:`coditect.schemas.tier1.data.DefinitionForm`), so that a
glossary can tell what a document defines from what it abbreviates. The rule that makes a mark sets its form.
"""

from __future__ import annotations

import re

from coditect.language.definitions.interpretation import find_beside, find_interpreted
from coditect.language.definitions.marks import Definiendum, definition_mark
from coditect.language.definitions.phrases import find_called, find_names
from coditect.language.definitions.verbs import find_bare, find_quoted, find_under_title, find_used
from coditect.language.marks import Mark, trim

__all__ = ["find_definition_beside", "find_definitions", "names_in"]

_ITEM_END = re.compile(r"[;,]?\s*(?:and\s+|or\s+)?(?:\((?:[a-z]|[ivx]{1,4}|\d{1,2})\)\s*)?(?:and\s+|or\s+)?$")
_AUXILIARY = re.compile(r",?\s+(?:(?:shall|will|must|may)\b\s*)?(?:also\s+)?(?:be\s*)?\Z|\A[\W\d]*(?=\w)")
_SINGLE_MARK = re.compile("[‘']")
# ‘personal data’ means: single quotation marks around a term; a plain apostrophe is one only where a verb of meaning follows.
_SINGLE_QUOTED = re.compile(
    r"(?<!\w)(?:‘|'(?=[^'\n]{1,60}'(?:\s+or\s+'[^'\n]{1,60}')?\s+(?:means?|includes?|refers?|shall\s+mean|(?:has|have)\s+the)\b)"
    r"|(?<=\(the\s)'(?=[^'\n]{1,60}'\))|(?<=\(our\s)'(?=[^'\n]{1,60}'\))|(?<=(?:Limited|Company)\s\()'(?=[^'\n]{1,60}'\)))([A-Za-z][^‘’'“”\n]{0,60})(?:’|')(?!\w)"
)
_QUOTES = ('"', "“", "”", "''")


def find_definitions(text: str, start: int, end: int) -> list[Mark]:
    """Every definition in a sentence, in order.

    Args:
        text: the canonical text.
        start: the sentence's first code point.
        end: one past its last; at most a few thousand beyond ``start``.

    Returns:
        Marks of kind "definition" with ``term``, ``form``, and where there are any ``definition`` and ``aliases``. A
        sentence that defines one term is covered whole, one that defines several is cut between them; parenthetical terms
        cover the phrase they name and their parenthesis. Confidence: 0.95 quoted with a verb, 0.9 quoted in parentheses,
        0.85 unquoted with a verb, 0.8 "is called", acronyms, and terms that stand in the title above.
    """
    if _SINGLE_MARK.search(text, start, end):
        shown, marked = text[start:end], _SINGLE_QUOTED.sub(r"“\1”", text[start:end])
        if marked != shown:  # as many code points, so only the place in the text differs
            return [_moved(mark, shown, marked, start) for mark in find_definitions(marked, 0, len(marked))]
    found = _with_verb(text, start, end)
    spans = {(mark.start, mark.end) for mark in found}
    terms = {name for mark in found for name in names_in(mark)}
    for mark in find_names(text, start, end):
        if (mark.start, mark.end) not in spans and mark.data["term"] not in terms:
            spans.add((mark.start, mark.end))
            terms.add(str(mark.data["term"]))
            found.append(mark)
    return sorted(found, key=lambda m: (m.start, m.end))


def find_definition_beside(text: str, start: int, end: int) -> Mark | None:
    """What a line defines that stands right behind a definition; arguments as in :func:`find_definitions`."""
    hit = find_beside(text, start, end)
    if hit is None:
        return None
    lo, hi = trim(text, hit.verb_end, end)
    meaning = text[lo:hi].strip(" —–-:")  # "" where it follows as a list
    return definition_mark(*trim(text, start, end), hit.term, meaning, hit.aliases, hit.confidence, hit.form)


def _moved(mark: Mark, shown: str, marked: str, by: int) -> Mark:
    """A mark of a sentence with its place in the text, and its definition as the text has it."""
    data = dict(mark.data)
    meaning = str(data.get("definition") or "")  # none where it follows as a list
    if meaning and (at := marked.find(meaning)) >= 0:
        data["definition"] = shown[at : at + len(meaning)]
    return Mark(mark.kind, mark.start + by, mark.end + by, data, mark.confidence)


def names_in(mark: Mark) -> list[str]:
    """The term and aliases of a definition."""
    aliases = mark.data.get("aliases")
    return [str(name) for name in (mark.data["term"], *(aliases if isinstance(aliases, list) else ()))]


def _with_verb(text: str, start: int, end: int) -> list[Mark]:
    """The definitions of a sentence that are made by a verb of meaning ("means", "refers to")."""
    hits = _hits(text, start, end)
    marks = []
    for number, hit in enumerate(hits):
        hi = hits[number + 1].start if number + 1 < len(hits) else end
        hi = hi if hit.meant is None else max(hi, hit.verb_end)
        cut = _ITEM_END.search(text, hit.verb_end, hi) if hi < end else None
        lo, hi = trim(text, start if len(hits) == 1 else hit.start, cut.start() if cut else hi)
        body = trim(text, hit.verb_end, hi)
        definition = text[body[0] : body[1]].lstrip(" ,:–—-")
        if len(definition) < 3 and hit.meant is not None:
            meant = trim(text, *hit.meant)
            definition = _AUXILIARY.sub("", text[meant[0] : meant[1]])
        opens_list = (
            text[lo:hi].rstrip(" *—–-").endswith((":", "means", "mean", "Means"))
        )  # what it means follows as a list
        if (len(definition) >= 3 or opens_list) and any(c.isalpha() for c in hit.term):
            aliases = () if hit.apart else hit.aliases
            marks.append(definition_mark(lo, hi, hit.term, definition, aliases, hit.confidence, hit.form))
            for term in hit.aliases if hit.apart else hit.joined:
                at = text.find(term, hit.start, hit.verb_end)
                at -= text[at - 1 : at] in _QUOTES
                others = () if hit.apart else [each for each in (hit.term, *hit.aliases) if each != term]
                marks.append(definition_mark(max(lo, at), hi, term, definition, others, hit.confidence, hit.form))
    return marks


def _hits(text: str, start: int, end: int) -> list[Definiendum]:
    """The terms of a sentence with their verbs: quoted, else one without quotes, else called so, else in the title above."""
    is_quoted = any(text.find(quote, start, end) >= 0 for quote in _QUOTES)
    hits = list(find_quoted(text, start, end)) if is_quoted else []
    bare = find_bare(text, start, end)
    if bare is not None and (not hits or bare.at_quote(hits[0])):
        hits = [bare]
    if is_quoted and not hits:
        hits = list(find_called(text, start, end)) or list(find_used(text, start, end))
    if not hits and (hit := find_under_title(text, start, end) or find_interpreted(text, start, end)) is not None:
        hits = [hit]
    return hits
