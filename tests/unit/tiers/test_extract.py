"""The orchestration: coverage, order, verbatim spans, headings, lists, entities, limits."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.language.entities.names import entity_name
from coditect.schemas import PropositionData
from coditect.schemas.tier1.data import DATA_MODELS
from coditect.tiers.extractions.rules import EXTRACTOR, RuleExtraction, extract_each
from tests.effort import times


@dataclass(frozen=True, slots=True)
class Span:
    """A sentence or heading."""

    start: int
    end: int


def _spans(text: str) -> list[Span]:
    """Each line as a sentence."""
    return [Span(m.start(), m.end()) for m in re.finditer(r"[^\n]+", text)]


def _extract(text: str) -> tuple[RuleExtraction, ...]:
    """Findings with each line as a sentence."""
    return _found(text, _spans(text))


def _found(text: str, sentences: Sequence[Span], headings: Sequence[Span] = ()) -> tuple[RuleExtraction, ...]:
    """All findings of a document, in order."""
    return tuple(finding for each in extract_each(text, sentences, headings) for finding in each)


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ("next review: 2026-05-01", ["proposition", "quantity"]),
        ("Valid until 2026-05-01", ["proposition", "quantity"]),
        ("version: 2026", []),
        ("Effective date: 2026-05-01", []),
        ("Friday 2026-05-01", []),
    ],
)
def test_a_line_that_says_by_when_a_document_is_read_again_says_something(line: str, kinds: list[str]) -> None:
    """However short it is: what is overdue has to be cited; other lines of two words say nothing by themselves."""
    assert sorted(each.kind for each in _extract(line)) == kinds


WORDS = [
    "Supplier", "the", "shall", "may", "not", "within", "30", "days", "$5,000", '("Fee")', '"Term"', "means",
    "Section", "4.2(a)", "if", "unless", "and", ",", ";", ":", "(a)", "(b)", "must", "be", "encrypted", "by",
    "NIST", "SP", "800-53", "AC-2", "annually", "every", "(", ")", "\n", "that", "which", "no", "will",
    "requires", "Act", "Inc.", "May", "2026", "“", "”", "one", "hundred", "%", "of", "{{name}}", "\u00a0", "é",
    "😀", "prior", "to",
]  # fmt: skip


@settings(max_examples=times(300, least=10))
@given(st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join))
def test_findings_are_verbatim_ordered_distinct_and_json(text: str) -> None:
    """Whatever the words, spans are trimmed, in order and distinct, and data has the known fields of its kind alone."""
    spans = _spans(text)
    found = _found(text, spans)
    assert found == _found(text, spans)
    assert [(f.start, f.end, f.kind) for f in found] == sorted((f.start, f.end, f.kind) for f in found)
    for index, finding in enumerate(found):
        quote = text[finding.start : finding.end]
        assert quote
        assert quote == quote.strip()
        assert any(s.start <= finding.start and finding.end <= s.end for s in spans)
        assert type(finding.data) is DATA_MODELS[finding.kind]
        assert finding.data.more == {}
        assert type(finding.data).model_validate_json(json.dumps(finding.data.fields())) == finding.data
        assert 0 <= finding.confidence <= 1
        assert round(finding.confidence, 2) == finding.confidence
        assert finding not in found[:index]
        assert len(finding.entities) <= 12
        for mention in finding.entities:
            assert finding.start <= mention.start < mention.end <= finding.end
            assert text[mention.start : mention.end] == mention.text
            assert mention.name == entity_name(mention.text)
        if finding.kind == "quantity":
            assert finding.data.fields()["text"] == quote


@settings(max_examples=times(100, least=10))
@given(st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join))
def test_every_sentence_with_three_words_is_covered(text: str) -> None:
    """A sentence that says anything has a finding over all of it."""
    whole = {(f.start, f.end) for f in _extract(text)}
    for line in re.finditer(r"[^\n]+", text):
        quote = line[0].strip(" \u00a0")
        if len(re.findall(r"[^\W\d_][\w'’-]*", quote)) >= 3 and "...." not in quote:
            start = text.index(quote, line.start())
            assert (start, start + len(quote)) in whole


@pytest.mark.parametrize(
    "line", ["12", "- 3 -", "Page 4", "* * *", "4.2 Payment Terms ........ 17", "", "____________", "$ 4"]
)
def test_line_that_says_nothing_gives_nothing(line: str) -> None:
    """Page numbers, separators and contents lines are no sentences."""
    assert [f for f in _extract(line) if f.kind == "proposition"] == []


def test_plain_sentence_is_a_certain_proposition() -> None:
    """A sentence that binds and defines nothing stands for itself."""
    (finding,) = _extract("The archive is a room in the cellar.")
    assert (finding.kind, finding.confidence, finding.data) == (
        "proposition",
        1.0,
        PropositionData(subject="The archive"),
    )


def test_heading_gives_no_proposition() -> None:
    """Headings state nothing, and their own number refers to nothing."""
    text = "Section 4 Protection of Personal Data\nSupplier shall keep data safe."
    spans = _spans(text)
    assert {f.kind for f in _found(text, spans, spans[:1])} == {"obligation"}


def test_list_items_inherit_the_modal_of_their_lead() -> None:
    """Items behind "policy requires that:" and "must not:" bind although they have no modal themselves."""
    text = (
        "Northwind policy requires that:\n(a) Disks are encrypted at rest.\n(b) Access must be logged.\n"
        "Employees must not:\n(a) share their passwords"
    )
    found = {text[f.start : f.end]: f for f in _extract(text) if f.kind != "proposition"}
    assert found["(a) Disks are encrypted at rest."].data.fields()["modality"] == "requires"
    assert found["(b) Access must be logged."].data.fields()["modality"] == "must"
    share = found["(a) share their passwords"]
    assert (share.kind, share.data.fields()["actor"], share.data.fields()["action"]) == (
        "prohibition",
        "Employees",
        "share their passwords",
    )


def test_lead_ends_with_its_list() -> None:
    """A paragraph that is no item does not inherit."""
    text = "Employees must not:\n(a) share their passwords\n\nThe office is in Bonn today."
    assert [f.kind for f in _extract(text)][-1] == "proposition"


def test_entities_are_typed_and_named() -> None:
    """Parties, roles, terms, laws, controls, money and addresses are told apart and share one key per name."""
    text = (
        'Northwind Traders Ltd. ("Northwind") and Contoso LLC ("Contoso") have agreed.\n'
        '"Customer Data" means all data.\n'
        "Northwind shall tell the Security Officer at ciso@example.org under HIPAA and AC-2 about Customer Data "
        "or pay $5,000."
    )
    last = [f for f in _extract(text) if f.kind == "obligation"][-1]
    assert [(m.kind, m.name) for m in last.entities] == [
        ("organization", "northwind"),
        ("person_role", "security officer"),
        ("email", "ciso@example.org"),
        ("statute", "hipaa"),
        ("control", "ac-2"),
        ("defined_term", "customer data"),
        ("money", "$5,000"),
    ]


def test_entity_name_is_one_key_for_all_spellings() -> None:
    """Case, white space and the article do not matter."""
    assert entity_name("The  Security\nOfficer") == entity_name("security officer") == "security officer"
    assert len(entity_name("x" * 500)) == 120


def test_very_long_sentence_takes_the_cheap_path() -> None:
    """Over 5,000 characters a sentence gives a proposition and the quantities of its first 5,000."""
    text = "Supplier shall answer within 72 hours and " + "so on and " * 600 + "within 9 days"
    found = _extract(text)
    assert {f.kind for f in found} == {"proposition", "quantity"}
    assert [f.data.fields()["text"] for f in found if f.kind == "quantity"] == ["72 hours"]


@pytest.mark.parametrize(
    "unit",
    [
        "(",
        '"',
        "Aa ",
        "1 ",
        "1,111",
        "shall ",
        "Section 1, ",
        "The Act of ",
        "by the ",
        '("x" ',
        "a" + " " * 90,
        "one hundred and ",
    ],
)
def test_hostile_repetition_does_not_hang(unit: str) -> None:
    """No pattern backtracks without bound: 5,000 characters of anything cost seconds, not hours."""
    text = ("The thing " + unit * 5000)[:5000]
    began = time.process_time()
    _found(text, [Span(0, len(text))])
    assert time.process_time() - began < 10.0


def test_extractor_is_versioned() -> None:
    """What derives from these rules can name them."""
    assert EXTRACTOR == "rules/21"
