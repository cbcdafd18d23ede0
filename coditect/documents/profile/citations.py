"""References that lead out of their document: what is cited, and by which names a document may be cited itself."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import accumulate

from coditect.language.matched import as_matched
from coditect.language.tables import read_table
from coditect.language.terms import terms
from coditect.schemas import CrossReferenceData, DocumentVersion, Extraction

__all__ = [
    "OutwardReference",
    "code_of",
    "codes_of",
    "documents_called",
    "file_stem",
    "initials_of",
    "outward_references",
]

_TITLES = read_table("laws")
_WORDS = re.compile(r"[\W_]+")
_SUFFIXES = re.compile(r"(?:\.[A-Za-z][A-Za-z0-9]{0,7}){1,3}\Z")  # "plan.md.tmpl"; "EX-10.2_Lease" has none
_CODE = re.compile(r"(?P<code>[A-Z]{2,7})(?: (?:Rulebook|Rules?|Module|Sourcebook|Handbook|Guidelines?))?")
_INITIAL = re.compile(r"\b[A-Z]")
_SHORTEST_INITIALS = 3
_UNITED_STATES_CODE = re.compile(r"(?P<title>\d{1,2})\s+U\.?\s?S\.?\s?C\b\.?[^\d]*(?P<place>.*)", re.DOTALL)
_REGULATIONS = re.compile(r"(?P<title>\d{1,2}) ?C")


@cache
def _kinds() -> frozenset[str]:
    """Terms that say of which kind a document is: a name of nothing but these does not say which one."""
    words = (*_TITLES.words("document_heads"), *read_table("documents").words("kinds"), "notice", "order", "manual")
    return frozenset(terms(" ".join(words)))


@dataclass(frozen=True, slots=True)
class OutwardReference:
    """A cross-reference that names another document.

    Attributes:
        extraction_id: the Tier 1 item.
        document_id: the document that it stands in.
        start: its first code point there.
        name: what it names, as citations of one document are put together: "FSMR", "12 CFR Part 1002", "GDPR".
        place: the place in it, as printed; "" where the whole document is meant.
        is_titled: whether it is known by its title alone ("Access Control Policy"), which reads like other words in capitals.
    """

    extraction_id: str
    document_id: str
    start: int
    name: str
    place: str
    is_titled: bool


def outward_references(extractions: Iterable[Extraction]) -> Iterator[OutwardReference]:
    """The references of some extractions that name another document; identifiers of controls name none."""
    for each in extractions:
        if each.extraction_kind != "cross_reference":
            continue
        data = each.read_as(CrossReferenceData)
        name, place = _named(data)
        if name:
            titled = data.target_kind in ("policy", "document", "standard") and not place and _is_in_words(name)
            yield OutwardReference(
                each.extraction_id, each.document_id, each.char_offset_start, name, place, is_titled=titled
            )


def _named(data: CrossReferenceData) -> tuple[str, str]:
    """(the document, the place in it) that a reference names; ("", "") where it names none."""
    from coditect.language.references.targets import regulation_parts  # patterns that a question has no use for

    printed, label = " ".join((data.document or "").split()), data.label or ""
    if not printed or data.target_kind == "control":
        return "", ""
    if parts := regulation_parts(printed):
        title = _REGULATIONS.match(printed)
        return f"{title['title'] if title else ''} CFR Part {parts[0]}".strip(), ".".join(parts[1:2])
    if code := _UNITED_STATES_CODE.fullmatch(printed):
        return f"{code['title']} U.S.C.", " ".join(code["place"].split())
    name = code_of(printed) or printed.removeprefix("the ").removeprefix("The ")
    if not code_of(printed) and not frozenset(terms(name)) - _kinds():
        return "", ""
    return name, "" if label == printed else label


def _is_in_words(name: str) -> bool:
    """Whether a name is words alone: "Access Control Standard", and not "ISO 27001"."""
    return not any(char.isdigit() for char in name) and not code_of(name.split(" ", 1)[0])


def code_of(name: str) -> str:
    """The code that a name is: "PRU" of "PRU" and of "PRU Rulebook"; "" of names in words."""
    found = _CODE.fullmatch(name)
    return "" if found is None else found["code"]


def codes_of(version: DocumentVersion) -> frozenset[str]:
    """The codes that a document may be cited by: what its file's name begins with (AML_VER09.txt), the initials of its title."""
    return _coded(version.title, version.name)


def file_stem(name: str) -> str:
    """The name of a file without its folder and its suffixes: "plans/backup.md.tmpl" → "backup"."""
    return _SUFFIXES.sub("", name.rsplit("/", 1)[-1])


def initials_of(title: str) -> str:
    """The capitals that the words of a title begin with; "" where they are too few, or the title is all capitals."""
    initials = "".join(_INITIAL.findall(title)) if title.upper() != title else ""
    return initials if len(initials) >= _SHORTEST_INITIALS else ""


@lru_cache(maxsize=100_000)
def _called(title: str, name: str) -> tuple[str, tuple[frozenset[str], frozenset[str]]]:
    """A document's title in plain spaces, and the content words of its title and of its file's name; asked for every reference."""
    words = " ".join(_WORDS.split(file_stem(name)))
    return " ".join(as_matched(title).split()), (frozenset(terms(title)), frozenset(terms(words)))


@lru_cache(maxsize=100_000)
def _coded(title: str, name: str) -> frozenset[str]:
    first, *rest = [word for word in _WORDS.split(file_stem(name)) if word] or [""]
    found = set()
    if code_of(first) and not (rest and rest[0].isalpha() and rest[0].isupper()):
        found.add(first)
    return frozenset(found | ({initials_of(as_matched(title))} - {""}))


def documents_called(name: str, versions: Iterable[DocumentVersion], *, exactly: bool = False) -> list[str]:
    """Ids of the documents that a name means, by their titles, file names and codes.

    Args:
        name: as printed: "Access Control Policy", "PRU Rulebook".
        versions: the documents.
        exactly: whether a document whose name says more is none: the regulation under an act is not the act.

    Returns:
        Those that are cited by this code; else those with the same content words; else, where the name has two or more of them,
        those whose names have all of the words; else those whose titles hold a name with a letter or number ("Regulation B");
        in the order given.
    """
    return DocumentNames(versions).called(name, exactly=exactly)


class DocumentNames:
    """What documents are called, so that many names can be looked up among many documents.

    Args:
        versions: the documents.
    """

    def __init__(self, versions: Iterable[DocumentVersion]) -> None:
        self._ids: list[str] = []
        self._titles: list[str] = []
        self._names: list[tuple[frozenset[str], frozenset[str]]] = []
        self._by_code: dict[str, list[str]] = defaultdict(list)
        self._by_names: dict[frozenset[str], list[int]] = defaultdict(list)
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for number, version in enumerate(versions):
            title, names = _called(version.title, version.name)
            self._ids.append(version.document_id)
            self._titles.append(title)
            self._names.append(names)
            for code in codes_of(version):
                self._by_code[code].append(version.document_id)
            for each in frozenset(names):
                self._by_names[each].append(number)
            for word in names[0] | names[1]:
                self._by_word[word].append(number)

    @cached_property
    def _all_titles(self) -> tuple[str, list[int]]:
        """(all titles, each on its own line, which no phrase goes beyond; the place behind each)."""
        lines = [f"{title}\n" for title in self._titles]
        return "".join(lines), list(accumulate(map(len, lines)))

    def called(self, name: str, *, exactly: bool = False) -> list[str]:
        """Ids of the documents that a name means. See :func:`documents_called`."""
        wanted, code = frozenset(terms(name)), code_of(name)
        if code and code in self._by_code:
            return list(self._by_code[code])
        if not wanted:
            return []
        if re.search(r"\s(?:[A-Z]{1,2}|\d+)$", name) is not None:
            phrase = re.compile(rf"\b{re.escape(' '.join(name.split()))}\b", re.IGNORECASE)
            text, ends = self._all_titles
            found = dict.fromkeys(bisect_right(ends, match.start()) for match in phrase.finditer(text))
            return [self._ids[number] for number in found]
        same = self._by_names.get(wanted, [])
        if same or len(wanted) < 2 or exactly:
            return [self._ids[number] for number in same]
        rarest = min((self._by_word.get(word, []) for word in sorted(wanted)), key=len)
        return [self._ids[number] for number in rarest if any(wanted < each for each in self._names[number])]
