"""Sentences of many shapes, and what each reader of the language makes of them, written down.

``python -m tests.unit.language.pinned_sentences`` reads the sentences of ``pinned_sentences.json`` again and writes down what
is read of them now. A sentence is added under the name of a reader, with an empty list. A change of the language's rules shows
there which readings it changes; one that changes what documents give raises the version of the step, as the pins of the sample
corpus say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from coditect.language.coreference import NounPhrase, find_mention, main_subject
from coditect.language.definitions.glossary import find_glossary_line
from coditect.language.definitions.prose import find_definitions
from coditect.language.entities.mentions import find_entities, read_terms
from coditect.language.entities.names import capitalised_names
from coditect.language.marks import Mark
from coditect.language.norms.binding import read_norms
from coditect.language.norms.practices import ANYWHERE
from coditect.language.provisions.composed import ComposedText
from coditect.language.provisions.inline import find_inline
from coditect.language.provisions.leads import lead_role
from coditect.language.quantities.meaning import find_quantities
from coditect.language.reading.actors import find_agency, is_coordinated, is_passive, names_of
from coditect.language.reading.binding import find_stance, governing_modal, is_apart, leads_on, says_only, verb_of
from coditect.language.reading.conditions import find_conditions
from coditect.language.reading.sentence import SentenceReading, split_sentences
from coditect.language.reading.words import read_words
from coditect.language.references.mentions import find_references
from coditect.language.references.targets import find_targets
from coditect.language.terms import terms
from coditect.schemas import CrossReferenceData
from tests.unit.language.numbered import NUMBERED
from tests.unit.language.pinned_texts import alike, matched, names, normal, places, tables

__all__ = ["PINNED", "READERS", "pinned"]

PINNED = Path(__file__).parent / "pinned_sentences.json"

_NOUNS = re.compile(r"[a-z]{4,}")


def _told(marks: Iterable[Mark]) -> list[str]:
    """Marks as lines: kind, place, confidence and what was read."""
    return [
        f"{each.kind} {each.start}-{each.end} {each.confidence:.3f} {json.dumps(each.data, ensure_ascii=False)}"
        for each in marks
    ]


def norms(text: str, *, practice: bool = False, predicate: int = ANYWHERE) -> list[str]:
    """Who must, must not or may do what, with the words of force and their subjects."""
    size = len(text)
    found = read_norms(
        text, 0, size, find_quantities(text, 0, size), capitalised_names(text), practice=practice, predicate=predicate
    )
    return [
        f"{line} | {each.cue.start}-{each.cue.end} {each.subject}"
        for line, each in zip(_told(each.mark for each in found), found, strict=True)
    ]


def within(text: str) -> list[str]:
    """What is read of a sentence between others: those before it, a broken bar, the sentence, another bar, those behind it."""
    before, sentence, behind = text.split("¦")
    text, start, end = before + sentence + behind, len(before), len(before) + len(sentence)
    numbers, places = find_quantities(text, start, end), find_references(text, start, end)
    meanings = find_definitions(text, start, end)
    lines = [find_glossary_line(text, start, end, in_glossary=inside) for inside in (False, True)]
    duties = [each.mark for each in read_norms(text, start, end, numbers, practice=True)]
    entities = find_entities(text, start, end, places, numbers, read_terms(meanings))
    inline = find_inline(text, start, end)
    subject = main_subject(text, start, end)
    found = _told([*duties, *numbers, *places, *meanings, *(line for line in lines if line is not None)])
    return [*found, *map(str, entities), *(str(each) for each in (inline, subject) if each is not None)]


def practices(text: str) -> list[str]:
    """What the present tense of a policy tells, wherever its verb stands, and where it has to stand first."""
    return [*norms(text, practice=True), "at", *norms(text, practice=True, predicate=0)]


def definitions(text: str) -> list[str]:
    """Terms and what they mean, in prose and as a line of a glossary."""
    size = len(text)
    lines = [find_glossary_line(text, 0, size, in_glossary=inside) for inside in (False, True)]
    return _told([*find_definitions(text, 0, size), *(line for line in lines if line is not None)])


def quantities(text: str) -> list[str]:
    """Amounts, periods, dates and the like."""
    return _told(find_quantities(text, 0, len(text)))


def references(text: str) -> list[str]:
    """Places, laws, standards, controls and documents that are referred to."""
    return _told(find_references(text, 0, len(text)))


def targets(text: str) -> list[str]:
    """Where references point that stand in a section of a numbered document: "contract sec_3_1 | see (b)"."""
    place, _, said = text.partition(" | ")
    name, _, here = place.partition(" ")
    found = []
    for mark in find_references(said, 0, len(said)):
        target = find_targets(CrossReferenceData.model_validate(mark.data), here, NUMBERED[name])
        places = f"{' '.join(target.section_ids)} or {' '.join(target.alternatives)}{' exact' * target.is_exact}"
        found.append(f"{mark.data['target']}: {target.reason or places}")
    return found


def entities(text: str) -> list[str]:
    """Who and what is named, with the terms that the sentence itself defines."""
    size = len(text)
    known = read_terms(find_definitions(text, 0, size))
    found = find_entities(text, 0, size, find_references(text, 0, size), find_quantities(text, 0, size), known)
    return [f"{each.kind} {each.start}-{each.end} {each.name}" for each in found]


def tokens(text: str) -> list[str]:
    """Its tokens, its words and its terms."""
    reading = SentenceReading(text)
    said = [
        f"{each.start}-{each.end} {each.low!r} {each.role} {each.key!r} {each.clause}"
        f"{' comma' * each.comma}{' proper' * each.proper}{' actor' * each.actor}{' aside' * each.aside}"
        for each in reading.tokens
    ]
    words = [f"{each.key}:{each.kind.name[:2]}{'-' * each.negates}{'^' * each.opens}" for each in read_words(text)]
    parts = [text[slice(*place)] for place in split_sentences(text, most=4)]
    names = sorted(names_of(reading))
    return [*said, " ".join(words), " ".join(terms(text)), f"{names} {reading.in_capitals} {parts}"]


def bindings(text: str) -> list[str]:
    """How far each clause binds, who acts in it, and on what condition."""
    reading = SentenceReading(text)
    found = [
        f"{each.at} {each.key} {each.body} {'leads' * each.leads} {each.stop}" for each in find_conditions(reading)
    ]
    for at, token in enumerate(reading.tokens):
        only, governing = says_only(token), governing_modal(reading, at)
        found += [f"only {at} {only}"] if only else []
        found += [f"joined {at}"] if is_coordinated(reading.tokens, at) else []
        if token.role == "word" and governing is not None:
            passive, apart = is_passive(reading.tokens, governing, at), is_apart(reading, governing, at)
            acting, acted, first = find_agency(reading, governing, at)
            found.append(f"{governing}>{at} {passive:d}{apart:d} {sorted(acting)} {sorted(acted)} {first}")
        if token.role == "modal":
            found.append(f"{at} {find_stance(reading, at)} {verb_of(reading, at)} {leads_on(reading, at)}")
    return found


def phrases(text: str) -> list[str]:
    """Its subject, and the phrase around each of its nouns."""

    def told(name: str, phrase: NounPhrase | None) -> list[str]:
        return [f"{name}: {text[phrase.start : phrase.end]} {phrase.number} {phrase.kind}"] if phrase else []

    nouns = dict.fromkeys(_NOUNS.findall(text))
    found = told("subject", main_subject(text, 0, len(text)))
    return found + [line for noun in nouns for line in told(noun, find_mention(text, 0, len(text), noun))]


def lists(text: str) -> list[str]:
    """What it is as a lead-in, the list inside of it, and how that reads as one sentence."""
    found: list[str] = [lead_role(text)]
    size = len(text)
    inline = find_inline(text, 0, size)
    if inline is not None:
        lead, items, joined = inline
        for adjunct in (False, True):
            for composed in (
                ComposedText(text, [lead], items, adjunct=adjunct),
                ComposedText(text, [lead], items[:1], items[1:], adjunct=adjunct),
            ):
                spans = composed.spans(2, len(composed.text) - 2)
                places = [composed.place(at) for at in range(0, len(composed.text) + 3, 7)]
                found.append(f"{joined} {composed.text} {composed.places} {composed.starts} {spans} {places}")
    return found


READERS: dict[str, Callable[[str], list[str]]] = {
    "norms": norms,
    "within": within,
    "practices": practices,
    "definitions": definitions,
    "quantities": quantities,
    "references": references,
    "targets": targets,
    "entities": entities,
    "tokens": tokens,
    "bindings": bindings,
    "phrases": phrases,
    "lists": lists,
    "alike": alike,
    "names": names,
    "matched": matched,
    "normal": normal,
    "places": places,
    "tables": tables,
}


def pinned() -> dict[str, dict[str, list[str]]]:
    """What is written down, by reader and sentence."""
    found: dict[str, dict[str, list[str]]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    again = {name: {text: READERS[name](text) for text in told} for name, told in pinned().items()}
    PINNED.write_text(json.dumps(again, indent=0) + "\n", encoding="utf-8")
