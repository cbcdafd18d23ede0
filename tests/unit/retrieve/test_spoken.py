"""Everyday words of questions, and the terms that texts have for them."""

from __future__ import annotations

import pytest

from coditect.language.tables import read_table
from coditect.language.terms import STOPWORDS
from coditect.retrieve import spoken
from coditect.retrieve.spoken import Spoken, spoken_beside, spoken_in, wanting
from coditect.retrieve.words import read_words


def _terms(query: str) -> set[str]:
    return {term for each in spoken_in(query) for term in each.terms}


@pytest.mark.parametrize(
    ("query", "term"),
    [
        ("Can one walk away?", "terminate"),
        ("Who walked away from it?", "terminate"),
        ("Must they keep the list of buyers secret?", "confidential"),
        ("May they hand it over to someone else?", "assign"),
        ("How long do they keep my photos?", "retention"),
        ("What if someone gets hurt?", "injury"),
        ("Is washing money a crime?", "money laundering"),
        ("Was the system hacked?", "unauthorized access"),
    ],
)
def test_way_of_speaking_leads_to_the_term(query: str, term: str) -> None:
    """Whatever form its words have, and with a few words between where the cue has dots."""
    assert term in _terms(query)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("What is the date of the agreement?", "a word alone is met as it is written: its stem is that of dating"),
        ('Where does it say "walk away"?', "what is quoted is meant as it stands"),
        ("Must they keep the list of all the buyers in the region secret?", "dots stand for four words at most"),
        ("Who may terminate the agreement?", "a term is no everyday word"),
        ("What is the fine to be paid for a late report?", "a fine is a penalty here"),
        ("Who takes on the risk of loss?", "a risk is taken on, as people are"),
        ("What is the right time limit for an appeal?", "right is no clock"),
        ("", "no words"),
    ],
)
def test_nothing_is_read_into_a_question(query: str, why: str) -> None:
    """The user's words are enough."""
    assert not spoken_in(query), why


def test_longer_way_of_speaking_is_read_and_not_the_one_inside_it() -> None:
    """To move my data is about my data, and not what one has of it."""
    said = [each.said for each in spoken_in("May I take my data with me?")]
    assert said == ["take my data with me"]


def test_line_of_the_table_is_read_once() -> None:
    """Who asks the same in two ways asks it once."""
    assert len(spoken_in("Can they walk away, or pull out of it?")) == 1


def test_words_between_are_not_part_of_the_way_of_speaking() -> None:
    """What stands for the dots goes on telling what is asked."""
    (found,) = spoken_in("Do they keep the list of buyers secret?")
    assert (found.said, found.words) == ("keep the list of buyers secret", ("keep", "secret"))


@pytest.mark.parametrize(("units", "wanted"), [(0, True), (33, True), (34, False)])
def test_terms_are_wanted_where_the_texts_do_not_say_it_themselves(units: int, *, wanted: bool) -> None:
    """Said once for thirty times that a term is used: the texts speak so. Who asks says my, the text says your."""
    question = "Do you share my photos?"
    held = {"disclos": 1_000}
    found = wanting(
        question,
        lambda phrase: units if list(phrase) == ["share", "your"] else 0,
        lambda stem: held.get(stem, 0),
    )
    assert found == (spoken_in(question) if wanted else ())
    assert spoken_in(question)


def test_terms_are_wanted_nowhere_that_has_none_of_them() -> None:
    """They would find nothing, and cost time."""
    assert wanting("Can one walk away?", lambda phrase: 0, lambda stem: 0) == ()


def test_terms_stand_behind_the_words_for_less() -> None:
    """A word that the user said himself keeps its weight."""
    words = read_words("walk away or withdraw")
    found = spoken_beside(words, [Spoken("walk away", ("walk", "away"), ("terminate", "withdraw from it"))], 0.6)
    assert dict(found.weights) == {"walk": 1.0, "away": 1.0, "withdraw": 1.0, "termin": 0.6}
    assert spoken_beside(words, [Spoken("walk away", ("walk", "away"), ("terminate",))], 0.0) is words
    assert spoken_beside(words, (), 0.6) is words


def test_every_line_of_the_table_leads_somewhere_and_is_met() -> None:
    """Each cue is met, and stands in one line of a field; each line has a term with a stem."""
    table = read_table("spoken")
    for field in table.entries:
        seen: set[str] = set()
        for cues, terms in table.mapping(field).items():
            for cue in map(str.strip, cues.split(",")):
                assert cue not in seen, (field, cue)
                seen.add(cue)
                assert cue not in STOPWORDS, cue
                assert spoken_in(cue.replace("...", "this")), (field, cue)
            assert all(term.strip() for term in terms.split(",")), (field, cues)
            assert Spoken("", (), tuple(map(str.strip, terms.split(",")))).stems(), (field, cues)


def test_every_cue_of_several_words_is_found_by_the_stem_of_its_first() -> None:
    """Cues are looked for among those that begin as the stem does: none of the table is passed over, and none stands elsewhere."""
    firsts: dict[str, set[tuple[str, int]]] = {}
    for number, (cues, _) in enumerate(spoken._lines()):
        for cue in cues:
            first, _, rest = cue.partition(" ")
            if rest:
                firsts.setdefault(spoken._key(first.strip("'")), set()).add((cue, number))
    for key, known in firsts.items():
        found = (spoken._cues(beginning).get(key, ()) for beginning in (key[: spoken._SAME], ""))
        assert {each for own in found for each in own} == known
