"""Glossaries whose terms are headings: "Definitions", and below it "Captain", "Coxswain", each above what it means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from coditect.documents.structure.outline import OutlineSection
from coditect.language.definitions.entries import can_mean, term_alone
from coditect.language.definitions.glossary import title_of_glossary

__all__ = ["headed_terms"]

_LEAST_TERMS = 2
_AROUND = ' *_"“”–—-'


def headed_terms(text: str, sections: Sequence[OutlineSection]) -> Mapping[int, str]:
    """The terms that are headings below the heading of a glossary, by where their sections begin.

    Of the sections right below it, most must be a term with a text that can be what it means, and no duty: then each of these is.
    A letter of the alphabet between them ("A", "B") has sections of its own, which are looked at in its stead.

    Args:
        text: the canonical text.
        sections: its outline, in document order.
    """
    below: dict[int, list[int]] = defaultdict(list)
    for index, section in enumerate(sections[1:], 1):
        below[section.parent].append(index)
    found: dict[int, str] = {}
    for index, section in enumerate(sections):
        if section.heading and title_of_glossary(section.heading):
            inside = [index]
            for each in inside:  # an entry's number may stand in a list: "(a) Depot: the place where"
                found.update(_terms(text, sections, below, below[each]))
                inside.extend(below[each])
    return found


def _terms(
    text: str, sections: Sequence[OutlineSection], below: Mapping[int, Sequence[int]], children: Sequence[int]
) -> dict[int, str]:
    letters = [index for index in children if len(sections[index].heading) == 1]
    listed = [each for index in letters for each in below[index]] + [each for each in children if each not in letters]
    terms: dict[int, str] = {}
    for index in listed:
        section = sections[index]
        body = text[section.body_start : section.end].strip().partition("\n")[0]
        if term_alone(section.heading) and can_mean(body):
            terms[section.start] = section.heading.strip(_AROUND)
    return terms if len(terms) >= _LEAST_TERMS and 2 * len(terms) > len(listed) else {}
