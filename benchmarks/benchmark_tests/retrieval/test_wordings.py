"""Questions in other wordings."""

from __future__ import annotations

from coditect_benchmarks.retrieval.formats import Document, Gold, Query, RetrievalSet
from coditect_benchmarks.retrieval.wordings import in_wording, keywords, mistyped, other_words

ASKED = "Is there a non-compete clause in this contract?"
QUERY = Query(f"Consider the LEASE (Acme; B); {ASKED}", (Gold("a", 0, 4),), bare=ASKED)


def test_keywords_are_the_words_that_tell() -> None:
    """In order, without function words and those that only ask."""
    assert keywords("What is the notice period required to end it?") == "notice period required end"


def test_slips_are_the_same_for_the_same_text() -> None:
    """A quarter of the long words, their first letters right."""
    text = "Which insurance requirements does the licensee fulfil throughout?"
    changed = mistyped(text)
    assert changed == mistyped(text) != text
    assert [word[0] for word in changed.split()] == [word[0] for word in text.split()]


def test_short_words_have_no_slips() -> None:
    """There is nothing to slip on."""
    assert mistyped("Who pays?") == "Who pays?"


def test_other_words_keep_the_name_of_the_contract() -> None:
    """Only what is asked is said otherwise."""
    other = other_words(QUERY)
    assert other is not None
    assert other.text == "Consider the LEASE (Acme; B); May they run a rival business?"
    assert other.gold == QUERY.gold


def test_wordings_of_a_set_leave_what_names_the_document() -> None:
    """The words that find the contract are as they were."""
    data = RetrievalSet("contracts", (Document("a", "", "Lease"),), (QUERY,))
    found = in_wording(data, "keywords")
    assert found is not None
    assert found.queries[0].text == "Consider the LEASE (Acme; B); non-compete clause contract"


def test_set_without_such_questions_has_no_such_wording() -> None:
    """Paraphrases were written for contracts alone."""
    data = RetrievalSet("x", (Document("a", "", "Lease"),), (Query("How long?", (Gold("a"),)),))
    assert in_wording(data, "other words") is None
