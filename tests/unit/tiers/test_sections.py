"""Tier 3: quotes on a topic, and the gate of synthetic text."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.schemas import Section, synthesis_ratio
from coditect.tiers.findings.conflicts.detection import find_conflicts
from coditect.tiers.findings.said.statements import statements_of
from coditect.tiers.findings.telling import AllStatements
from coditect.tiers.sections.composition import MAX_QUOTES, Member, build_section
from coditect.tiers.sections.registers import find_registers
from coditect.tiers.sections.topics import Topic, given_topics
from tests.effort import times
from tests.unit.tiers.corpora import EXCEPTIONS, INCIDENTS, REGISTER, chunks_of, versions_of
from tests.unit.tiers.read_plainly import speaks_to

FILES = {**INCIDENTS, "register.csv": REGISTER, "exceptions.csv": EXCEPTIONS}
CHUNKS = chunks_of(FILES)
SOURCE = AllStatements(statements_of(CHUNKS))
VERSIONS = versions_of(FILES)
NAMES = {document_id: version.name for document_id, version in VERSIONS.items()}


def _members(topic: Topic) -> list[Member]:
    return [Member(chunk, relevance) for chunk in CHUNKS for _, relevance in speaks_to(chunk, (topic,))]


def _section(topic: Topic, members: list[Member], ratio: float = 0.2) -> Section:
    return build_section("small", "step", topic, members, NAMES, ratio)


@settings(deadline=None, max_examples=times(25, least=10))
@given(st.sampled_from(["breach", "backup", "record", "review", "request"]), st.floats(0.0, 1.0))
def test_section_never_exceeds_its_gate(name: str, ratio: float) -> None:
    """Whatever the gate, the section passes it: transitions go until it does, quotes never."""
    (topic,) = given_topics([name])
    section = _section(topic, _members(topic), ratio)
    assert synthesis_ratio(section.content) == section.synthesized_content_ratio <= ratio
    assert section.content == tuple(p for p in section.content if p.type == "extractive") or ratio > 0.0


def test_section_quotes_only_what_speaks_to_its_topic() -> None:
    """Every quote of a section on a topic has a word of the topic, and documents take turns."""
    (topic,) = given_topics(["personal data breach"])
    section = _section(topic, _members(topic))
    quotes = [part for part in section.content if part.citation is not None]
    assert all("breach" in part.content.casefold() for part in quotes)
    assert section.quoted_document_count == 3


def test_section_is_a_function_of_the_set_of_members() -> None:
    """The order in which chunks come changes no byte of a section."""
    (topic,) = given_topics(["breach"])
    members = _members(topic)
    shuffled = members[:]
    random.Random(11).shuffle(shuffled)  # noqa: S311 - no secret
    assert _section(topic, shuffled) == _section(topic, members)


def test_section_of_a_long_topic_has_no_more_quotes_than_its_limit() -> None:
    """However much is said, a section stays readable."""
    files = {f"p{n}.md": f"# P{n}\n\n## 1 Badges\n\n1.1 Staff of floor {n} shall wear badges.\n" for n in range(30)}
    (topic,) = given_topics(["badges"])
    names = {document_id: version.name for document_id, version in versions_of(files).items()}
    members = [Member(chunk, 1.0) for chunk in chunks_of(files)]
    section = build_section("small", "step", topic, members, names, 0.2)
    assert sum(part.citation is not None for part in section.content) == MAX_QUOTES


@pytest.mark.parametrize("kind", ["conflict", "measure", "missing", "open", "uncovered"])
def test_registers_quote_all_that_they_are_for_and_nothing_of_their_own(kind: str) -> None:
    """A register quotes every sentence that shows what it collects, and adds no text."""
    registers = [r for r in find_registers(SOURCE, VERSIONS, find_conflicts(CHUNKS)) if r.kind == kind]
    assert registers or kind == "measure"
    for register in registers:
        members = [Member(c, 1.0) for c in CHUNKS if any(register.admits(c, s) for s in c.selected_sentences)]
        section = _section(register, members)
        places = {(p.citation.document_id, p.citation.char_start) for p in section.content if p.citation is not None}
        assert places == register.disputed or kind == "measure"
        assert section.synthesized_content_ratio == 0.0
