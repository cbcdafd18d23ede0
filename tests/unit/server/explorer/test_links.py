"""Addresses of the explorer: they say what they mean, whatever a corpus is called."""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.server.explorer.links import PageLinks, corpus_of, segment_of


@given(st.text(min_size=1, max_size=40))
def test_a_corpus_id_comes_back_from_its_segment(corpus_id: str) -> None:
    """Whatever characters it has, also after the decoding that a server does."""
    try:
        corpus_id.encode()
    except UnicodeEncodeError:  # a lone surrogate is no corpus id
        return
    assert corpus_of(unquote(segment_of(corpus_id))) == corpus_id


@pytest.mark.parametrize("corpus_id", ["../etc", "..", ".", "a/b", "a\\b", "%2e%2e", "~2F", "x?y#z", "<script>"])
def test_a_segment_is_one_segment(corpus_id: str) -> None:
    """Nothing that a browser or a proxy reads as a step, a query or markup."""
    segment = segment_of(corpus_id)
    assert not set(segment) & set('/\\?#<>"')
    assert unquote(segment).strip(".")
    assert urlsplit(f"http://host/c/{segment}/x").path.count("/") == 3


def test_an_address_leaves_out_what_is_empty_and_keeps_the_generation() -> None:
    """None, "" and () are no parameters; a tuple is repeated; the generation goes along."""
    links = PageLinks("/explorer", "policies", 3)
    address = links.to("search", q="a & b", tier="", page=None, marks=("x", "y"), gate=False, timed=True)
    parts = urlsplit(address)
    assert parts.path == "/explorer/c/policies/search"
    assert parse_qs(parts.query) == {"q": ["a & b"], "marks": ["x", "y"], "timed": ["yes"], "as_of": ["3"]}
    assert "as_of" not in links.at(None).to()


def test_a_place_names_its_version_and_its_span() -> None:
    """The address of some words is made of a content id and code points, and jumps to them."""
    assert PageLinks("", "c").place("version_1", 10, 20) == "/c/c/documents/version_1?span=10-20#here"
