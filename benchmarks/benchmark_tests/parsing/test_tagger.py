from __future__ import annotations

from coditect_benchmarks.parsing.candidates import bare_clauses, opening_word
from coditect_benchmarks.parsing.features import Sentence
from coditect_benchmarks.parsing.tagger import Tagger, clauses_seen, labels_of

from .material import TEXT, norm, place, task


def test_labels_tell_each_word_its_part() -> None:
    """The trigger of a deadline that is also the condition is labelled as both."""
    here = task()
    sentence = Sentence(here.text, here.starts)
    told = dict(zip(sentence.words, labels_of(here, sentence, norm()), strict=True))
    assert told["If"] == "C"
    assert told["lost"] == "CT"
    assert told["keeper"] == "H"
    assert told["must"] == "O"
    assert told["inform"] == "A"
    assert told["within"] == "D"


def test_bare_clause_takes_all_behind_the_cue_but_times() -> None:
    """A modal expression gives a clause whose action is what stands behind it, its deadline aside."""
    (clause,) = bare_clauses(task())
    assert clause.cue == place("must")
    assert clause.action == (place("inform the owner"),)
    assert [(phrase.kind, TEXT[slice(*phrase.text)]) for phrase in clause.times] == [("deadline", "within 5 days")]


def test_opening_word_is_a_candidate_only_without_modal_expression() -> None:
    """ "Encrypt all keys." may be an imperative; a sentence with "must" is not asked."""
    opening = opening_word(task("Encrypt all keys."))
    assert opening is not None
    assert opening.cue == (0, 0)
    assert opening_word(task()) is None


def test_tagger_reads_again_what_it_was_taught() -> None:
    """Taught one sentence many times, it gives back all its parts."""
    tasks = [task() for _ in range(4)]
    gold = {id(clause): norm() for each in tasks for clause in clauses_seen(each, False)}
    tagger = Tagger.learn(tasks, gold, on_rules=False, strength=0.1)
    (clause,) = tagger.parse(task())
    assert clause.kind == "obligation"
    assert clause.holder == place("the keeper")
    assert clause.action == (place("inform the owner"),)
    assert clause.conditions == (place("If a key is lost"),)
    assert [phrase.trigger for phrase in clause.times] == [place("a key is lost")]
