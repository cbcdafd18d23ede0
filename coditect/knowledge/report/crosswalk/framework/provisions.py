"""The requirements of a regulation or any other text: its duties and prohibitions, each under the titles that stand above it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import replace

from coditect.documents.layout import version_source
from coditect.documents.structure.series.worded_headings import with_sentences
from coditect.knowledge.report.crosswalk.framework.joined import asks_nothing, joined_parts
from coditect.knowledge.report.crosswalk.framework.parts import RequirementPart
from coditect.knowledge.report.crosswalk.speaking import is_binding
from coditect.language.reading.sentence import read_sentence
from coditect.schemas import DocumentVersion, Extraction, NormData
from coditect.store.view import View
from coditect.verify.requirements.wording import read_wording

__all__ = ["provision_parts"]

_NAMED = re.compile(r"[^\W\d_]{3}")
"""A heading that names a matter, and is not a number alone such as "(A)"."""

_NUMBER = re.compile(r"[0-9()]")

_ENOUGH = 3
"""Words from which a duty tells itself what it is about: the heading above many duties is a title of none of them."""

_JOINED = re.compile(r"(?:and|or|but)\s+", re.IGNORECASE)
"""What joins a clause to the one before it."""

_SUBJECT = re.compile(
    r"\W*(?:\(?\w{1,4}[.)]\s+)*(?P<subject>[^,;:]{2,120}?)\s+(?P<modal>shall|must|should|will)\s+be\s", re.IGNORECASE
)
"""What a passive with a binding word is said of, at the beginning of a sentence."""

_BEGINS_BOUND = re.compile(r"(?:shall|must|should|will|may)\s+(?:not\s+)?be\b", re.IGNORECASE)
_BEGINS_DONE = re.compile(
    r"(?:\w+ly\s+)?\w+(?:ed|pt|lt|nt|wn|en|ld|de|ut)\b(?!\s+(?:shall|must|will|is|are)\b)", re.IGNORECASE
)
"""How the second half of a passive begins: with its binding word, or with a participle."""

_ACTS = re.compile(
    r"\s*(?:shall|must|should|will|may|(?:is|are) (?:required|obliged) to|ha(?:s|ve) to)\s+(?:not\s+)?(?!be\b)\w",
    re.IGNORECASE,
)
"""What follows on the name of who has to act, and not on the name of what is done to: there "be" follows."""


def provision_parts(view: View, version: DocumentVersion) -> list[RequirementPart]:
    """The duties, prohibitions and limits ("may only") of a document, in the order of its text.

    Of a sentence that lays down several duties each clause is a part of its own. A requirement is named by its whole path of
    printed numbers ("§ 1016.3(b)(2)(i)(A)"), and titled by the nearest heading above it that names a matter: the label of a
    paragraph alone says nothing of it. A lead-in that has no act of its own asks nothing, and what only says when something of
    another paragraph is done is read with that one.
    """
    text = view.text_of(version)
    layout = view.store.get_blob(version.corpus_id, version.layout_sha256, version.layout_bytes)
    starts: list[int] = []
    above: list[list[str]] = []
    path: list[tuple[int, str]] = []
    for block in with_sentences(version_source(version, text, layout)).blocks:
        if block.kind == "heading":
            path = [*(each for each in path if each[0] < block.level), (block.level, text[block.start : block.end])]
            starts.append(block.start)
            above.append([" ".join(title.split()) for _, title in path if _NAMED.search(title)])
    found = (item for item in view.each_extraction(version.document_id) if is_binding(item))
    items = [item for item in found if not asks_nothing(item.source_text)]
    duties = Counter(map(_place, items))
    parts = []
    for item in items:
        at = bisect_right(starts, item.char_offset_start) - 1
        place = _clause(item, text) if duties[_place(item)] > 1 else _place(item)
        parts.append(_part(version, item, text, place, above[at] if at >= 0 else []))
    return joined_parts(parts)


def _place(item: Extraction) -> tuple[int, int]:
    return item.char_offset_start, item.char_offset_end


def _clause(item: Extraction, text: str) -> tuple[int, int]:
    """Where one duty of a sentence that lays down several stands; where that is not known the sentence."""
    norm = item.tier1_data
    if not isinstance(norm, NormData) or norm.clause is None:
        return _place(item)
    joined = _JOINED.match(text, norm.clause.start, norm.clause.end)
    return (joined.end() if joined else norm.clause.start), norm.clause.end


def _part(
    version: DocumentVersion, item: Extraction, text: str, place: tuple[int, int], headings: list[str]
) -> RequirementPart:
    said = text[slice(*place)] if place != _place(item) else item.source_text
    whole = _with_its_subject(said, item.source_text) if place != _place(item) else said
    wording = read_wording(_without_number(_without_actor(whole, item), item.locator))
    if isinstance(item.tier1_data, NormData) and item.tier1_data.actor:
        wording = replace(wording, bound=item.tier1_data.actor)
    own = item.heading if _NAMED.search(item.heading) else ""
    title = headings[-1] if headings else own
    return RequirementPart(
        requirement_id=item.locator or item.extraction_id,
        part_id=item.extraction_id,
        family=headings[-2] if len(headings) > 1 else version.title or version.name,
        title=f"{title} / {own}" if own and own not in title else title,
        document=version.name,
        text=said,
        start=place[0],
        end=place[1],
        wording=wording,
        tells_itself=len(read_sentence(wording.text).content) >= _ENOUGH,
    )


def _with_its_subject(clause: str, sentence: str) -> str:
    """The second half of a passive with what it is said of: "records must be kept and maintained for five years"."""
    found = _SUBJECT.match(sentence)
    if found is None or clause in sentence[: found.end()]:
        return clause
    if _BEGINS_BOUND.match(clause):  # "shall not be used for other purposes"
        return f"{found['subject']} {clause}"
    if _BEGINS_DONE.match(clause):  # "maintained for at least five years"
        return f"{found['subject']} {found['modal']} be {clause}"
    return clause


def _without_actor(text: str, item: Extraction) -> str:
    """The words of a duty without the name of whom it binds, which the documents of those who are bound do not repeat."""
    norm = item.tier1_data
    if not isinstance(norm, NormData) or not norm.actor:
        return text
    named = re.search(re.escape(norm.actor), text, re.IGNORECASE)
    if named is None or len(text[: named.start()].split()) > 1 or not _ACTS.match(text, named.end()):
        return text
    return text[: named.start()] + text[named.end() :].lstrip()


def _without_number(text: str, locator: str) -> str:
    """The same without the number that is printed before it, which no other document repeats."""
    printed = text.split(maxsplit=1)
    is_number = len(printed) == 2 and bool(number := printed[0].rstrip(".")) and _NUMBER.search(number) is not None
    return printed[1] if is_number and locator.endswith(number) else text
