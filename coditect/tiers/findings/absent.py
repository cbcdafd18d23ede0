"""Documents that a corpus refers to and does not hold: laws, rulebooks and standards, each with what of it is cited how often.

Company documents that are known by their title alone ("Access Control Policy") are gaps of their own
(:mod:`coditect.tiers.findings.gaps`): a name in capitals is a document only where it is spoken of as one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from coditect.documents.profile.citations import DocumentNames, OutwardReference, code_of, initials_of
from coditect.schemas import DocumentVersion, Profile
from coditect.tiers.findings.naming import KnownNames, also_called, known_names, resolves, stems_of

__all__ = ["AbsentDocument", "absent_documents"]


@dataclass(frozen=True, slots=True)
class AbsentDocument:
    """A document that is referred to and is not in the corpus.

    Attributes:
        name: what it is called, as most references print it.
        references: all of them, by document and place.
        sections: (place in it, how often it is cited), the most cited first; references to the whole document are not among them.
        documents: ids of the documents that refer to it, those that do so most often first.
    """

    name: str
    references: tuple[OutwardReference, ...]
    sections: tuple[tuple[str, int], ...]
    documents: tuple[str, ...]


def absent_documents(
    references: Iterable[OutwardReference], documents: Mapping[str, DocumentVersion], profiles: Iterable[Profile]
) -> tuple[AbsentDocument, ...]:
    """The documents that references name and no document is, the most cited first.

    Args:
        references: of the whole corpus.
        documents: its documents, by id.
        profiles: what is known of them: by which other names each says that it is known.
    """
    others = frozenset(also_called(profiles))
    by_name: dict[str, list[OutwardReference]] = defaultdict(list)
    for each in references:
        if not each.is_titled:
            by_name[each.name.casefold()].append(each)
    for name in sorted(by_name):
        # "section 2 of the Financial Services and Markets Regulations", and "section 19 of FSMR".
        code = initials_of(by_name[name][0].name).casefold()
        if code != name and code in by_name and code_of(by_name[code][0].name):
            by_name[code] += by_name.pop(name)
    known, names = known_names(documents.values()), DocumentNames(documents.values())
    called = {each: version.name for each, version in documents.items()}
    parts = {
        word
        for version in documents.values()
        for word in " ".join((version.name, version.title)).replace("_", " ").split()
    }
    found = [
        _absent(own, called)
        for own in by_name.values()
        if stems_of(own[0].name) not in others and not _is_there(own[0].name, parts, known, names)
    ]
    return tuple(sorted(found, key=lambda each: (-len(each.references), each.name)))


def _is_there(name: str, words: Collection[str], known: KnownNames, names: DocumentNames) -> bool:
    """Whether a document of the corpus is called so.

    Args:
        name: as a reference prints it.
        words: everything between two spaces in names and titles of documents.
        known: the stems of their names.
        names: the same, as references name them.
    """
    part = name.partition(" CFR Part ")[2]
    if part:
        return part in words
    return bool(names.called(name)) or (not code_of(name) and resolves(name, known))


def _absent(own: list[OutwardReference], called: Mapping[str, str]) -> AbsentDocument:
    names, places = Counter(each.name for each in own), Counter(each.place for each in own if each.place)
    citing = Counter(each.document_id for each in own)
    return AbsentDocument(
        name=min(names, key=lambda name: (-names[name], name)),
        references=tuple(sorted(own, key=lambda each: (called.get(each.document_id, ""), each.start))),
        sections=tuple(sorted(places.items(), key=lambda pair: (-pair[1], _natural(pair[0])))),
        documents=tuple(sorted(citing, key=lambda each: (-citing[each], called.get(each, "")))),
    )


def _natural(place: str) -> tuple[tuple[int, str], ...]:
    """A place by its numbers: 9 before 10."""
    parts = "".join(char if char.isalnum() else " " for char in place).split()
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in parts)
