from __future__ import annotations

import pytest
from coditect_benchmarks.parsing.dependency import DependencyParser, Parses, RevisedRules

from .material import TEXT, place, task

spacy = pytest.importorskip("spacy", reason="the parse is an experiment; its library is not among what tests need")


@pytest.fixture(scope="module")
def parses() -> Parses:
    """The parse of some installed English model."""
    for name in spacy.util.get_installed_models():
        if name.startswith("en"):
            return Parses.load(name)
    pytest.skip("no English model is installed")


def test_parse_bounds_the_parts_of_a_clause(parses: Parses) -> None:
    """The subject of the modal verb is the holder, and the adverbial clause the condition."""
    (clause,) = DependencyParser(parses).parse(task())
    assert clause.holder == place("the keeper")
    assert clause.conditions == (place("If a key is lost"),)
    assert TEXT[slice(*clause.action[0])].startswith("inform the owner")


def test_parse_leaves_out_relative_clauses(parses: Parses) -> None:
    """ "A key that must be kept" binds nobody by itself."""
    assert DependencyParser(parses).parse(task("He lost the key that must be kept in the safe.")) == []
    assert RevisedRules(parses, "holder").parse(task()) == []
