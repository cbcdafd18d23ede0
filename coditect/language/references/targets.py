"""Where a cross-reference points: its label, matched against the section ids of a document.

Section ids carry the printed labels from the outside in ("sec_1013_4_d_2", "sec_exhibit_a_3", "sec_article_v_5_1"), so that a
label is found by its parts. A number names its place outright; "(b)" is read from where it stands: beside the part of the
reader's own path that is of its kind, a letter beside a letter, outermost where the text says "of this section", innermost for
clauses and definitions. Nothing here reads a store.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from coditect.language.tables import read_table
from coditect.schemas.tier1.data import CrossReferenceData

__all__ = ["ReferenceTarget", "Sections", "find_targets", "label_parts", "parts_of", "regulation_parts"]

_PARTS_OF_DOCUMENTS = read_table("divisions")
_PART = re.compile(r"[0-9a-z]+")
_WORD = re.compile(r"[a-z]{3,}")
_COMMENT = re.compile(r"(?P<of>\d{1,5}[a-z]?(?:\([0-9a-z]{1,5}\))+)-(?P<comment>\d{1,3}(?:\.[a-z]+)*)", re.IGNORECASE)
_REGULATION = re.compile(
    r"\d{1,2} ?C\.?\s?F\.?\s?R\.?\s*(?:[Pp]arts?|§{1,2}|[Ss]ections?)?\s*(?P<place>\d{1,4}(?:[.(].*)?)"
)
_ROMAN = re.compile(r"[ivxlc]+")
_DIVISIONS = frozenset(_PARTS_OF_DOCUMENTS.words("headed"))
_CONTAINERS = frozenset(_PARTS_OF_DOCUMENTS.words("containers"))
_KIND_WORDS = {
    "exhibit": _PARTS_OF_DOCUMENTS.words("like_exhibits"),
    "appendix": _PARTS_OF_DOCUMENTS.words("like_appendices"),
    "schedule": ("schedule",),
    "article": ("article",),
}
_NEAREST = frozenset(_PARTS_OF_DOCUMENTS.words("nearest"))
"""What "(b) of this …" may say for the list at hand; of anything else it is the outermost list."""
_MOST_IN_RANGE = 200
_SHARED = 0.9
"""Share of a document's sections that begin with its own number."""


@dataclass(frozen=True, slots=True)
class ReferenceTarget:
    """Where a reference points in one document.

    Attributes:
        section_ids: the target; of a range ("§§ 5 through 7") all that it spans, the named end last; empty if unresolved.
        alternatives: other sections that the words fit as well, in document order.
        reason: why ``section_ids`` is empty, or "" .
        is_exact: whether the whole label was matched; else the target is the smallest section around it.
    """

    section_ids: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    reason: str = ""
    is_exact: bool = True

    @property
    def section_id(self) -> str:
        """The section that is named, "" if unresolved."""
        return self.section_ids[-1] if self.section_ids else ""


class Sections:
    """The sections of one document, to be looked up by the parts of their ids.

    Args:
        printed: printed "label heading" by section id, "" where unknown, in document order.
    """

    def __init__(self, printed: Mapping[str, str]) -> None:
        self._printed = printed
        self._ids: dict[tuple[str, ...], str] = {}
        self._by_last: dict[str, list[tuple[str, ...]]] = {}
        for section_id in printed:
            parts = parts_of(section_id)
            if parts and parts not in self._ids:
                self._ids[parts] = section_id
                self._by_last.setdefault(parts[-1], []).append(parts)
        first = Counter(parts[0] for parts in self._ids).most_common(1)
        # Every section of part 1013 begins with 1013; its text says "4(a)" and means 1013.4(a).
        shared = bool(first) and first[0][0].isdigit() and first[0][1] > _SHARED * len(self._ids) and len(self._ids) > 1
        self.number: tuple[str, ...] = (first[0][0],) if shared else ()

    def at(self, parts: tuple[str, ...]) -> str:
        """The section whose id has exactly these parts, or ""."""
        return self._ids.get(parts, "")

    def titled(self, parts: tuple[str, ...]) -> list[tuple[str, ...]]:
        """The paths that are a number and a heading in words: "sec_4_why_we_use_data" for "4"."""
        size = len(parts)
        return [
            path
            for path in self._ids
            if len(path) > size
            and path[:size] == parts
            and _WORD.match(path[size])
            and not _ROMAN.fullmatch(path[size])
        ]

    def ending(self, parts: tuple[str, ...]) -> list[tuple[str, ...]]:
        """The paths that end with these parts, in document order."""
        return [path for path in self._by_last.get(parts[-1], ()) if path[-len(parts) :] == parts]

    def headed(self, words: Iterable[str], label: str) -> list[str]:
        """Sections whose printed heading begins with a word and a label: "Appendix B to Part 12"."""
        heads = tuple(f"{word} {label}".casefold() for word in words)
        return [
            each
            for each, heading in self._printed.items()
            if heading.casefold().startswith(heads) and not heading[len(min(heads, key=len)) :][:1].isalnum()
        ]

    def is_container(self, path: tuple[str, ...]) -> bool:
        """Whether a path leads to an appendix or the like, by its id or its heading."""
        if not path:
            return False
        heading = self._printed.get(self.at(path), "").casefold()
        return len(path) > 1 and (path[-2] in _CONTAINERS or heading.startswith(tuple(_CONTAINERS)))

    def commentary(self, path: tuple[str, ...], rest: tuple[str, ...]) -> str:
        """The section for comments on a place ("sec_2_b_interp_1"): a word stands between the place and the comment's number."""
        last = rest[-1:] or ()
        candidates = self._by_last.get(last[0], []) if last else [p for p in self._ids if len(p) == len(path) + 1]
        for other in candidates:
            at = len(path)
            is_below = len(other) == at + 1 + len(rest) and other[:at] == path and other[at + 1 :] == rest
            if is_below and _WORD.fullmatch(other[at]) and not _ROMAN.fullmatch(other[at]):
                return self._ids[other]
        return ""

    def between(self, first: tuple[str, ...], last: tuple[str, ...]) -> tuple[str, ...]:
        """The sections beside each other from one path to another, both included; only the last if they are not siblings."""
        if first[:-1] != last[:-1] or self.at(first) == "":
            return (self.at(last),)
        inside = False
        found: list[str] = []
        for path, section_id in self._ids.items():
            inside = inside or path == first
            if inside and len(path) == len(last) and path[:-1] == last[:-1]:
                found.append(section_id)
            if path == last:
                break
        return (
            tuple(found) if found and found[-1] == self.at(last) and len(found) <= _MOST_IN_RANGE else (self.at(last),)
        )


def parts_of(section_id: str) -> tuple[str, ...]:
    """The parts of a section id: "sec_1013_4_d" → ("1013", "4", "d")."""
    return tuple(part for part in section_id.removeprefix("sec_").split("_") if part)


def label_parts(label: str) -> tuple[str, ...]:
    """The parts of a printed label: "1026.19(e)(1)(iii)" → ("1026", "19", "e", "1", "iii")."""
    return tuple(_PART.findall(label.lower()))


def regulation_parts(label: str) -> tuple[str, ...]:
    """The parts of a number in the Code of Federal Regulations: "12 CFR 1003.1(a)" → ("1003", "1", "a"); () for other labels."""
    match = _REGULATION.fullmatch(label)
    return label_parts(match["place"]) if match else ()


def find_targets(data: CrossReferenceData, section_id: str, sections: Sections) -> ReferenceTarget:
    """Where a cross-reference points, if it is in this document.

    Args:
        data: what was read from the reference.
        section_id: of the section that the reference stands in; "" when it stands in another document.
        sections: of the document that is searched.

    Returns:
        The target; unresolved where the words name another document, or a place that this one does not have.
    """
    label = data.label or ""
    regulation = regulation_parts(label)
    parts = regulation or label_parts(label)
    if not parts:
        return ReferenceTarget(reason="the reference has no number")
    current = parts_of(section_id)
    if regulation or data.target_kind == "control" or (data.document and section_id):
        # "§ 1002.2 of Regulation B" may stand in that regulation itself.
        is_own = parts[:1] == sections.number and len(parts) > 1
        paths = [parts] if is_own or regulation or data.target_kind == "control" else []
    elif data.about == "comment" or _COMMENT.fullmatch(label):
        return _comment(label, sections)
    elif label.startswith("("):
        paths = list(_relative(data, parts, label, current, sections))
    else:
        paths = list(_absolute(data, parts, label, current, sections))
    paths = [path for path in dict.fromkeys(paths) if sections.at(path)]
    if not paths and data.document and section_id and not regulation:
        return ReferenceTarget(reason="the place is in another document")
    if not paths:
        return _around(parts, sections, is_absolute=label[0] != "(" and data.target_kind != "article")
    if data.about == "commentary" and (comments := sections.commentary(paths[0], ())):
        return ReferenceTarget((comments,))
    alternatives = tuple(sections.at(path) for path in paths[1:])
    if start := data.range_from:
        first = (*paths[0][: len(paths[0]) - len(label_parts(start))], *label_parts(start))
        return ReferenceTarget(sections.between(first, paths[0]), alternatives)
    return ReferenceTarget((sections.at(paths[0]),), alternatives)


def _absolute(
    data: CrossReferenceData, parts: tuple[str, ...], label: str, current: tuple[str, ...], sections: Sections
) -> Iterator[tuple[str, ...]]:
    """Paths that a number or letter may mean, the likeliest first."""
    kind = data.target_kind or ""
    head = (data.target or "").split(" ")[0].casefold().rstrip("s.")
    within = data.within or ""
    words = _KIND_WORDS.get(kind, (head,) if head in _DIVISIONS else ())
    for word in words:
        yield (word, *parts)
    if head in _DIVISIONS and not within.startswith(tuple(_CONTAINERS)):
        yield from (parts_of(each) for each in sections.headed((head,), label))
        if parts[0].isalpha():
            return  # "Subpart A" is no "(a)"
    container, _, letter = within.partition(" ")
    if container in _CONTAINERS:
        holds = label_parts(letter)
        for path in sections.ending(parts):
            above = path[: -len(parts)]
            if sections.is_container(above) and (not holds or above[-len(holds) :] == holds):
                yield path
    if kind in ("exhibit", "appendix", "schedule"):
        # Under the document's own number: appendix B of part 1003 is 1003-B.
        yield (*sections.number, *parts)
        yield (*sections.number, "".join(parts))
        yield from (parts_of(each) for each in sections.headed(words, label))
        return
    if kind in ("paragraph", "clause") and len(parts) == 1:
        yield from _ladder(parts, current, sections)
    if within not in ("agreement", "contract", "part"):
        for depth in range(len(current), 1, -1):
            if sections.is_container(current[:depth]):
                yield (*current[:depth], *parts)
    yield parts
    yield (*sections.number, *parts)
    if parts[-1].isdigit():
        yield from sections.titled(parts)[:1]
    if len(parts) > 1 or not words:
        ending = sections.ending(parts)
        depth = min(map(len, ending), default=0)
        if len(parts) > 1 or data.target_kind == "article":
            yield from (path for path in ending if len(path) == depth)


def _ladder(parts: tuple[str, ...], current: tuple[str, ...], sections: Sections) -> Iterator[tuple[str, ...]]:
    """Paths from the innermost list around a place outwards."""
    for depth in range(len(current), -1, -1):
        if sections.at((*current[:depth], *parts)):
            yield (*current[:depth], *parts)


def _relative(
    data: CrossReferenceData, parts: tuple[str, ...], label: str, current: tuple[str, ...], sections: Sections
) -> Iterator[tuple[str, ...]]:
    """Paths that "(b)(1)" may mean where it stands: beside what is of its kind on the way here, or below."""
    found = list(_ladder(parts, current, sections))
    numbers = next((at for at, part in enumerate(current) if not part.isdigit()), len(current))
    beside = [
        path
        for path in found
        if (at := len(path) - len(parts)) < len(current) and _alike(current[at], parts[0]) and at >= min(numbers, 2)
    ]
    within = data.within or ""
    kind = data.target_kind or ""
    nearest = within in _NEAREST or (not within and kind == "clause") or label[1:2].isupper()
    yield from beside if nearest else reversed(beside)
    yield from found


def _alike(one: str, other: str) -> bool:
    """Whether two parts of labels can be of one list: numbers, letters, or roman numerals."""
    if one.isdigit() or other.isdigit():
        return one.isdigit() and other.isdigit()
    letters = len(set(one)) == 1 and len(set(other)) == 1 and len(one) <= 2 and len(other) <= 2
    return letters or (_ROMAN.fullmatch(one) is not None and _ROMAN.fullmatch(other) is not None)


def _comment(label: str, sections: Sections) -> ReferenceTarget:
    """The section that holds an official comment: "comment 19(e)-3"."""
    of, _, comment = label.partition("-")
    place, rest = label_parts(of), label_parts(comment)
    for path in ((*sections.number, *place), place):
        if found := sections.commentary(path, rest):
            return ReferenceTarget((found,))
    return ReferenceTarget(reason="no such comment")


def _around(parts: tuple[str, ...], sections: Sections, *, is_absolute: bool) -> ReferenceTarget:
    """The smallest section around a place that is no section of its own."""
    if is_absolute:
        for depth in range(len(parts) - 1, 1, -1):
            if found := sections.at(parts[:depth]):
                return ReferenceTarget((found,), is_exact=False)
    return ReferenceTarget(reason="no such section")
