"""What documents are called, by themselves and by each other, and the numbers of their sections."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain

from coditect.documents.profile.citations import file_stem
from coditect.language.matched import as_matched
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table
from coditect.language.terms import terms
from coditect.schemas import Chunk, CrossReferenceData, DocumentVersion, Profile

__all__ = [
    "NAMING_VERSION",
    "KnownNames",
    "also_called",
    "beyond",
    "called_so",
    "company_document",
    "is_agreement",
    "is_named_in_contract",
    "is_normative",
    "is_of_another",
    "is_specific",
    "known_names",
    "names_of",
    "numbers_of",
    "one_called",
    "resolves",
    "speaks_of",
    "target_of",
]

NAMING_VERSION = "naming/3"
"""Of the rules for which names of documents a sentence speaks of; kept shares hold what they found."""

_DOCUMENTS = read_table("documents")
_SPLIT = deferred(r"[\W_]+")
_COMPANY = deferred(
    rf"\b(?:{read_table('laws').pattern('company_documents')}|Code of (?:Business )?(?:Conduct|Ethics))\b"
    r"(?: and (?:Procedures?|Standards?|Guidelines?))?$"
)
_CONTRACTUAL = deferred(rf"\b(?:{_DOCUMENTS.pattern('named_in_contracts')})$")
_PUBLIC = deferred(rf"\b(?:{_DOCUMENTS.pattern('public', space=' ')})\b")
"""Names of standards and features that nobody expects among a company's documents."""

_OF_THE_FOLDER = frozenset(("readme", "index", "contents", "changelog"))
"""Names of files that tell what lies beside them, whatever their title says."""

_NORMATIVE = frozenset(terms(" ".join(_DOCUMENTS.words("rules"))))
_AGREEMENT = frozenset(terms(" ".join(_DOCUMENTS.words("agreements"))))
_KINDS = frozenset(terms(" ".join(_DOCUMENTS.words("kinds"))))
_RULES = frozenset(terms("rule rules rulebook module sourcebook"))
_UNSPECIFIC = frozenset(terms(" ".join(_DOCUMENTS.words("unspecific"))))
_SHORT_NAME = 3
_DETERMINED = deferred(
    rf"(?:\b(?:{_DOCUMENTS.pattern('determiners')})\s+(?:(?!(?:{_DOCUMENTS.pattern('any_of_many')})\b)[a-z][\w-]*\s+){{0,2}}|\b(?:{_DOCUMENTS.pattern('lead_to_names')})\s+[\"“*_]*"
    r"|[’']s\s+|\}\}\s*|\]\(?)[\"“*_\[]*\Z",
    re.IGNORECASE,
)
_IN_A_ROW = deferred(r"(?:,|,?\s+and|,?\s+or)\s+\Z")
_OF_A_ROW = deferred(rf"\b(?:{_DOCUMENTS.pattern('determiners')})\s+[A-Z][^.;,]{{0,80}}\Z")
_TO_BE_MADE = deferred(
    rf"\b(?:{_DOCUMENTS.pattern('made')})\s+(?:(?!(?:as|in|with|under|by|per|to|from|of|for)\b)[\w’'-]+\s+){{0,4}}\Z",
    re.IGNORECASE,
)
_CUT_BEFORE = deferred(
    rf"(?:\d|\b(?!(?i:{_DOCUMENTS.pattern('determiners')}|{_DOCUMENTS.pattern('lead_to_names')})\s)[A-Z][\w&-]*)(?:\s+(?:for|of|[Nn]ot\s+[Tt]o))?\s+\Z"
)
_CUT_BEHIND = deferred(
    r"\s+(?:of|for)\s+[A-Z]|.{0,40}\b(?:[Ee]xhibit|[Aa]ppendix|[Aa]nnex|[Ss]chedule|[Aa]ttach|[Hh]ereto)"
)
_GOES_ON = deferred(rf"[\"”*_\])]*\s+(?:{_DOCUMENTS.pattern('verbs_of_documents')})\b")
_POSSESSOR = deferred(r"^(?:[\w.&-]+\s+){0,3}[\w.&-]+[’']s?\s+")
_WHOM_IT_IS_FOR = deferred(
    rf"^(?:[\w.&-]+\s+){{0,3}}(?:[\w-]+s[’']|(?:{_DOCUMENTS.pattern('irregular_plurals')})[’']s)\s+"
    rf"(?!(?:{_DOCUMENTS.pattern('agreements')})\b)",
    re.IGNORECASE,
)
_NUMBER = deferred(r"\s*(?:§\s*)?(\d{1,3}(?:\.\d{1,3}){0,3})(?![\d.]*[\w%])")
_LEADING = frozenset(_DOCUMENTS.words("before_names"))

NEAR = 5
"""Sections behind the last one at which a reference still means this document; "section 365" is of some law."""

MOST_TOP = 5
"""Top-level sections that a document must have before a number behind the last is missed."""


def company_document(data: CrossReferenceData) -> str:
    """The company document that a cross-reference names ("Access Control Policy"), "" for places, laws and control ids.

    Args:
        data: what was read from a cross-reference.
    """
    name = " ".join((data.document or "").split())
    if data.internal is not False or not _COMPANY.search(name) or _PUBLIC.search(name):
        return ""
    words = name.split()
    while words and words[0].casefold() in _LEADING:
        words = words[1:]
    return " ".join(words) if len(words) > 1 else ""


def speaks_of(text: str, name: str) -> bool:
    """Whether a sentence speaks of one certain document by a name, rather than of such documents, or of words in capitals.

    "The Access Control Policy", "see our Backup Standard" are such; "a Client Agreement", "Technology Standards" as a heading,
    "shall establish a Contingency Plan", what is attached, and what is only a part of a longer name are not.

    Args:
        text: the sentence.
        name: as it is printed there.
    """
    line = " ".join(as_matched(text).split())
    places = [match.span() for match in re.finditer(re.escape(name), line)]
    return any(_is_spoken_of(line[:start], line[end:]) for start, end in places)


def _is_spoken_of(before: str, behind: str) -> bool:
    """Whether a name between two halves of a sentence is spoken of as one certain document."""
    if _CUT_BEHIND.match(behind) or _TO_BE_MADE.search(before):
        return False
    if re.search(r"\w", before) is None:
        return _GOES_ON.match(behind) is not None
    row = _IN_A_ROW.search(before)
    if row is not None and _COMPANY.search(before[: row.start()].rstrip(" ,")) and _OF_A_ROW.search(before):
        return True
    return _DETERMINED.search(before) is not None and _CUT_BEFORE.search(before) is None


def is_named_in_contract(name: str) -> bool:
    """Whether a name in a contract is that of another document; its plans, standards and procedures are terms of its own."""
    return _CONTRACTUAL.search(name) is not None


def is_specific(name: str) -> bool:
    """Whether a name says which document is meant, and not only of which kind it is ("Restated Agreement", "Trust's Agreement").

    Whose a document is, does not say which one it is; for whom it is ("Children's Policy") does, but for parties to an agreement.
    """
    plain = name if _WHOM_IT_IS_FOR.match(name) else _POSSESSOR.sub("", name)
    return not frozenset(terms(plain)) <= _KINDS | _UNSPECIFIC


def names_of(version: DocumentVersion) -> tuple[str, ...]:
    """What a document is called: its title, and its file name without folder and suffix."""
    return _called(version.title, version.name)


@lru_cache(maxsize=1 << 15)
def _called(title: str, name: str) -> tuple[str, ...]:
    """Remembered: of every document several rules ask for it."""
    stem = " ".join(_SPLIT.split(file_stem(name)))
    return tuple(each for each in (title, stem) if each.strip())


@lru_cache(maxsize=1 << 15)
def stems_of(name: str) -> frozenset[str]:
    """The stems of a name, remembered: of every document several rules ask for them."""
    return frozenset(terms(name))


class KnownNames:
    """Names of documents as their stems, found by a stem of theirs, so that of many names few are looked at.

    Args:
        names: the stems of each.
    """

    def __init__(self, names: Iterable[frozenset[str]]) -> None:
        self._by_stem: dict[str, list[frozenset[str]]] = defaultdict(list)
        for name in dict.fromkeys(names):
            for each in name:
                self._by_stem[each].append(name)

    def holding(self, stems: frozenset[str]) -> list[frozenset[str]]:
        """The names that hold all of some stems; none for no stems."""
        rarest = min((self._by_stem.get(each, []) for each in stems), key=len, default=[])
        return [name for name in rarest if stems <= name]


def known_names(versions: Iterable[DocumentVersion], others: Iterable[frozenset[str]] = ()) -> KnownNames:
    """The stems of every name of every document, and of others that are known."""
    return KnownNames(chain((stems_of(name) for version in versions for name in names_of(version)), others))


def also_called(profiles: Iterable[Profile]) -> Iterator[frozenset[str]]:
    """The stems of the other names by which documents say that they are known: "This part, known as Regulation B"."""
    return (stems_of(fact.value) for profile in profiles for fact in profile.also_called)


def resolves(name: str, known: KnownNames) -> bool:
    """Whether a named document is in the corpus: all content words of the name stand in a document's name.

    What kind of document it is ("Policy") need not stand there where the document's name says no other: the Access Policy
    may lie in access.md, the Access Standard does not lie in access-procedure.md.
    """
    wanted = stems_of(name)
    rules = wanted - _RULES
    if len(rules) == 1 and rules != wanted and any(len(have) <= _SHORT_NAME for have in known.holding(rules)):
        return True  # "Fund Rules" of FUNDS_VER08
    if not wanted or known.holding(wanted):
        return True
    return any(not have & _KINDS for have in known.holding(wanted - _KINDS))


def target_of(name: str, versions: Iterable[DocumentVersion]) -> str:
    """The id of the one document that is called exactly so, up to stems and order; "" for none or several."""
    return one_called(name, called_so(versions))


def called_so(versions: Iterable[DocumentVersion]) -> dict[frozenset[str], set[str]]:
    """The ids of documents by the stems of each of their names."""
    found: dict[frozenset[str], set[str]] = defaultdict(set)
    for version in versions:
        for name in names_of(version):
            found[stems_of(name)].add(version.document_id)
    return found


def one_called(name: str, called: Mapping[frozenset[str], set[str]]) -> str:
    """The same as :func:`target_of`, among the documents of :func:`called_so`."""
    found = called.get(stems_of(name), set())
    return next(iter(found)) if len(found) == 1 else ""


def is_normative(version: DocumentVersion) -> bool:
    """Whether a document calls itself a policy, standard, procedure or guideline, in its title or file name.

    The base of figures on what such documents fix for themselves, such as their review interval.
    """
    if file_stem(version.name).casefold() in _OF_THE_FOLDER:
        return False
    return any(not _NORMATIVE.isdisjoint(terms(name)) for name in names_of(version)) and not is_agreement(version)


def is_agreement(version: DocumentVersion) -> bool:
    """Whether a document calls itself an agreement, contract or addendum, in its title or file name."""
    return any(not _AGREEMENT.isdisjoint(terms(name)) for name in names_of(version))


def numbers_of(chunks: Iterable[Chunk]) -> frozenset[str]:
    """The section numbers of a document ("9", "9.3"), read from its outline, headings and numbered sentences."""
    found: set[str] = set()
    for chunk in chunks:
        printed = [chunk.heading, *chunk.headings, *chunk.parent_chain]
        printed += [section.removeprefix("sec_").replace("_", ".") for section in chunk.section_ids]
        printed += [as_matched(sentence.text) for sentence in chunk.selected_sentences]
        found |= {match[1] for text in printed if (match := _NUMBER.match(text))}
    return frozenset(found | {number.split(".", 1)[0] for number in found})


def is_of_another(label: str, line: str) -> bool:
    """Whether a line names a part nowhere but behind another document, or a part of one: "Part 1026, Appendix J";
    or where its label goes on.

    Args:
        label: the part: "Appendix J".
        line: a sentence on one line.
    """
    found = [match.span() for match in re.finditer(rf"\b{re.escape(label)}\b", line, re.IGNORECASE)]
    return bool(found) and all(_OF_ANOTHER.search(line[:at]) or _GOES_ON_BEHIND.match(line[end:]) for at, end in found)


_OF_ANOTHER = deferred(
    r"\b(?<!this )(?:parts?|CFR|titles?|chapters?|regulations?|act|directive|rules?)\s+"
    r"(?:[\w.§()-]*\d[\w.()-]*|(?-i:[A-Z]{1,2})),?\s+(?:and\s+)?(?:its\s+)?\Z",
    re.IGNORECASE,
)
_GOES_ON_BEHIND = deferred(r"\s\d")
"""What is behind a label that is cut: "Exhibit A 1" is Exhibit A-1."""


def beyond(label: str, numbers: frozenset[str]) -> str:
    """The last number before which a referred place should stand, where it stands behind it; "" where it may exist.

    "9.4" is beyond "9.3" where 9.1 and 9.3 are known and nothing later in 9; "15.2" is beyond "13" where the document's
    sections end with 13. A number inside a gap is not missed: not every clause is read.
    """
    if label in numbers:
        return ""
    above, _, last = label.rpartition(".")
    if above and above in numbers:
        prefix = above + "."
        siblings = sorted({int(n[len(prefix) :].split(".", 1)[0]) for n in numbers if n.startswith(prefix)})
        return f"{prefix}{siblings[-1]}" if len(siblings) > 1 and int(last) > siblings[-1] else ""
    tops = sorted({int(number) for number in numbers if "." not in number})
    # Numbers that begin a line by chance leave holes; an outline has few.
    dense = len(tops) >= MOST_TOP and tops[-1] <= 1.25 * len(tops)
    behind = int(label.split(".", 1)[0]) - (tops[-1] if tops else 0)
    return str(tops[-1]) if dense and 0 < behind <= NEAR else ""
