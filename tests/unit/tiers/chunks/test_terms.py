"""What counts as a term, and what is left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.language.terms import MODAL_TERMS, STOPWORDS, stem, terms


@pytest.mark.parametrize("word", ["shall", "must", "may", "not", "should", "will", "no", "never", "unless", "without"])
def test_terms_modal_and_negating_words_are_kept(word: str) -> None:
    """A word that carries duty or negation is never a stop word."""
    assert word not in STOPWORDS
    assert terms(f"They {word} do it") == (word,)


def test_terms_modal_terms_survive_tokenising() -> None:
    """Every modal term is one that terms() can return."""
    assert {term for modal in MODAL_TERMS for term in terms(modal)} == MODAL_TERMS


def test_terms_inflections_share_a_stem() -> None:
    """Forms of one word give one term, in the order of the text and as often as they occur."""
    assert terms("Notify, notified: NOTIFIES notifying") == (stem("notify"),) * 4


def test_terms_hyphens_split_and_numbers_stay_whole() -> None:
    """A hyphenated word is two terms; a clause number or an amount is one."""
    assert terms("non-compliance under 14.2.3 costs $1,000.50 per 10.5kg.") == (
        "non",
        stem("compliance"),
        "under",
        "14.2.3",
        "cost",
        "1000.50",
        "per",
        "10.5",
        "kg",
    )


@pytest.mark.parametrize("text", ["don't", "don’t", "cannot", "can't", "WON’T", "isn't"])
def test_terms_contracted_negation_is_not(text: str) -> None:
    """A negation is the term "not", however it is written."""
    assert terms(text) == ("not",)


@pytest.mark.parametrize("text", ["vendor's", "vendor’s", "Vendor", "ven\u00addors"])
def test_terms_possessive_and_soft_hyphen_do_not_matter(text: str) -> None:
    """A possessive ending, a typographic apostrophe or a soft hyphen makes no other term."""
    assert terms(text) == (stem("vendor"),)


@pytest.mark.parametrize("text", ["", " \n", "§ — …", "of the and"])
def test_terms_text_without_content_gives_none(text: str) -> None:
    """Stop words and punctuation alone give no terms."""
    assert terms(text) == ()


def test_stem_stop_word_is_stemmed() -> None:
    """stem() answers for every word, stop words too."""
    assert (stem(""), stem("Having"), stem("The")) == ("", "have", "the")


@given(st.text(max_size=200))
def test_terms_any_text_gives_clean_terms(text: str) -> None:
    """Terms are never empty, never hold white space, and the same text gives the same terms again."""
    found = terms(text)
    assert found == terms(text)
    assert all(term and not any(c.isspace() for c in term) for term in found)


@given(st.lists(st.sampled_from(["Vendor", "shall", "report", "3.2", "the", "breach's", "72"]), max_size=20))
def test_terms_are_those_of_the_parts(words: list[str]) -> None:
    """A text's terms are its words' terms, one after the other."""
    assert terms(" ".join(words)) == tuple(term for word in words for term in terms(word))
