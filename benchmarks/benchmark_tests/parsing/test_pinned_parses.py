"""The dependency parser bounds the parts of clauses as it did, on parses of our own."""

from __future__ import annotations

import pytest
from coditect_benchmarks.parsing.candidates import bare_clauses, without
from coditect_benchmarks.parsing.clauses import Clause
from coditect_benchmarks.parsing.dependency import Parses, revise

from .material import task
from .parses import doc_of
from .pinned_parses import DOCS, everything, pinned


def test_parses_are_read_as_was_written_down() -> None:
    """Clauses, their parts and the hints of every sentence; see :mod:`.pinned_parses`."""
    found, before = everything(), pinned()
    assert list(found) == list(before)
    for text, said in found.items():
        assert said == before[text], text


def test_parse_of_a_sentence_is_made_once_and_its_words_are_counted() -> None:
    """What it costs is told for each sentence once."""
    asked: list[str] = []
    text = next(iter(DOCS))

    def pipeline(sentence: str) -> object:
        asked.append(sentence)
        return DOCS[sentence]

    parses = Parses(pipeline)
    assert (parses.seconds, parses.words) == (0.0, 0)
    assert parses.of(text) is parses.of(text) is DOCS[text]
    assert asked == [text]
    assert parses.words == len(text.split())


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("The porter must lock the gate; he may rest.", ["The porter must lock the gate", "; he may rest"]),
        ("The porter must lock the gate and may rest.", ["The porter must lock the gate and may rest"] * 2),
        ("Must the porter lock the gate?", []),
    ],
)
def test_candidate_reaches_from_stop_to_stop(text: str, clauses: list[str]) -> None:
    """What two modal expressions share lies in the clauses of both; a question binds nobody."""
    assert [text[slice(*clause.whole)] for clause in bare_clauses(task(text))] == clauses


@pytest.mark.parametrize(
    ("cuts", "left"),
    [
        ([], ["pay the rent, within 5 days, in cash"]),
        (["within 5 days"], ["pay the rent", "in cash"]),
        (["pay the rent, within"], ["5 days, in cash"]),
        (["in cash and"], ["pay the rent, within 5 days"]),
        (["within 5 days", "the rent"], ["pay", "in cash"]),
        (["pay the rent, within 5 days, in cash and"], []),
        (["pay the rent, within 5 days, in cash a"], []),
        (["pay the rent, within 5 days, in cash"], ["and"]),
        (["I must"], ["pay the rent, within 5 days, in cash"]),
    ],
)
def test_stretch_without_some_others(cuts: list[str], left: list[str]) -> None:
    """Marks and connectives at the edges of what is left go, and so does what is too short to be anything."""
    text = "I must pay the rent, within 5 days, in cash and"
    place = (text.index("pay"), len(text))
    found = without(text, place, [(text.index(cut), text.index(cut) + len(cut)) for cut in cuts])
    assert [text[slice(*each)] for each in found] == left


@pytest.mark.parametrize(
    ("tree", "cue", "holder"),
    [
        ("Nor/cc/4/CC may/aux/4/MD tenants/nsubj/4/NNS sublet/ROOT/0/VB ./punct/4/.", "Nor may tenants", "tenants"),
        ("Nor/cc/4/CC may/aux/4/MD tenants/nsubj/4/NNS sublet/ROOT/0/VB ./punct/4/.", "tenants sublet", "tenants"),
        ("Nor/cc/4/CC may/aux/4/MD tenants/nsubj/4/NNS sublet/ROOT/0/VB ./punct/4/.", "sublet", "tenants"),
        ("The/det/2/DT member/nsubj/5/NN shall/aux/5/MD absent/amod/2/JJ vote/ROOT/0/VB", "shall", "The member "),
    ],
)
def test_holder_ends_where_the_words_of_force_begin_if_it_begins_before_them(tree: str, cue: str, holder: str) -> None:
    """One that begins with these words or among them is whole."""
    doc = doc_of(tree)
    begin = doc.text.index(cue)
    clause = Clause("permission", (begin, begin + len(cue)), None, (), (), (), (0, len(doc.text)))
    found = revise(doc, clause).holder
    assert found is not None
    assert doc.text[slice(*found)] == holder
