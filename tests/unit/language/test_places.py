"""Patterns that are tried at few places find what they find when they are tried everywhere."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from coditect.language.definitions import verbs
from coditect.language.norms.limits import act_ends
from coditect.language.norms.subjects import _HARD, _HARD_AHEAD
from coditect.language.patterns.places import label_matches, line_matches
from coditect.language.provisions import inline
from coditect.tiers.findings.conflicts import entries

LINE = re.compile(r"(?:\A|(?<=\n))[ \t]{0,4}(?P<label>[0-9]+)[.:]?(?P<rest>[ \n]?)")
LABEL = re.compile(r"(?:^|\||(?<=[.;])\s)[ \t*_#>-]*(?P<label>owner|due)\b\s*", re.IGNORECASE | re.MULTILINE)
PIECES = ("\n", "\n\n", " ", "|", ".", ";", ". ", ";\n", "1", "22:", "3.", "owner", "Due ", "* ", "x", "\u2028", "\xa0")
WORDS = (
    *(
        " and",
        ", and",
        " but",
        ", but",
        ",",
        ";",
        ":",
        " -",
        " –",
        "--",
        "(",
        ")",
        "(a)",
        "(2)",
        " two",
        " seventeen",
        "\t",
    ),
    *(
        " it being agreed",
        " provided that",
        " except that",
        " which",
        " such",
        " the clerk",
        " is",
        " shall",
        " will not",
    ),
    *(
        " must",
        " prohibit",
        " forbid",
        " bar",
        " staff",
        " to",
        " from",
        " enter",
        " Inc",
        ". The",
        ".",
        "\n",
        "\n\n",
        " ",
    ),
)


def _found(matches: object) -> list[tuple[object, ...]]:
    return [(each.span(), each.groups()) for each in matches]  # type: ignore[attr-defined]


def _texts(pieces: tuple[str, ...]) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(pieces), max_size=24).map("".join)


@given(_texts(PIECES), st.integers(0, 12), st.integers(0, 60))
@example("1\n2", 2, 3)
@example("a\n1", 0, 3)
def test_lines_are_matched_as_everywhere(text: str, start: int, end: int) -> None:
    """A pattern of lines gives the matches, in the same order, that it gives when it is tried at every character."""
    end = min(end, len(text))
    start = min(start, end)
    assert _found(line_matches(LINE, text, start, end)) == _found(LINE.finditer(text, start, end))


@given(_texts(PIECES), st.one_of(st.none(), st.integers(0, 60)))
@example("a.\nowner| due", None)
def test_labels_are_matched_as_everywhere(text: str, end: int | None) -> None:
    """A pattern of labels gives the matches, in the same order, that it gives when it is tried at every character."""
    everywhere = LABEL.finditer(text) if end is None else LABEL.finditer(text, 0, end)
    assert _found(label_matches(LABEL, text, end)) == _found(everywhere)


@given(_texts(WORDS), st.integers(0, 12))
@example(" , and the clerk is", 0)
@example(" it being agreed", 0)
def test_clauses_behind_an_act_are_matched_as_everywhere(text: str, start: int) -> None:
    """Where a clause of its own can begin is told by a comma or a joint, but for one that few texts have."""
    start = min(start, len(text))
    every = act_ends._OTHER_CLAUSE.finditer(text, start, len(text))
    assert _found(act_ends._clauses(text, start, len(text))) == _found(every)


@given(_texts(WORDS), st.integers(0, 12))
@example("Inc. The", 4)
def test_ends_of_clauses_have_the_sign_that_is_looked_for(text: str, start: int) -> None:
    """A text without the signs that are looked for first holds no end of a clause."""
    start = min(start, len(text))
    if _HARD_AHEAD.search(text, max(0, start - 1)) is None:
        assert _HARD.search(text, start) is None


@given(_texts(WORDS), st.integers(0, 12))
@example(" two (2)", 0)
@example("\ttwo\n (2)", 1)
def test_numbers_in_words_before_markers_are_found_as_everywhere(text: str, start: int) -> None:
    """What stands before a marker is a number in words if the whole text before it, searched, says so."""
    for at in range(min(start, len(text)), len(text) + 1):
        everywhere = inline._IN_WORDS.search(text, start, at) is not None
        assert inline._is_in_words(text, start, at) is everywhere


@given(_texts(WORDS))
@example("must bar staff from entry")
@example("MUST FORBID the staff to ENTER")
def test_duties_to_forbid_are_found_as_without_a_look_at_their_verbs(text: str) -> None:
    """A sentence that has none of the verbs tells no duty to forbid."""
    found, everywhere = entries.forbidding_in(text), entries._FORBIDDING.search(text)
    assert (found and found.span()) == (everywhere and everywhere.span())


def test_examples_reach_what_is_matched() -> None:
    """The texts above are such that something is found in many of them: a comparison of nothing with nothing shows nothing."""
    assert _found(line_matches(LINE, "1\n22:\n3.", 0, 8))
    assert _found(label_matches(LABEL, "a. owner| Due "))
    assert _found(act_ends._clauses(", and the clerk is", 0, 18))
    assert inline._is_in_words("of two (2)", 0, 7)
    assert entries.forbidding_in("must forbid the staff to enter")


@pytest.mark.parametrize(
    "verb",
    [
        *(
            "means",
            "shall mean",
            "refers to",
            "has the meaning",
            "bears the same meaning",
            "shall be equal to",
            "denotes",
        ),
        *(
            "is defined as",
            "are deemed to mean",
            "is to be read as",
            "shall be construed as",
            "is to be interpreted as",
        ),
        *("signifies", "\tMeans"),
    ],
)
def test_verbs_of_meaning_have_the_letters_that_are_looked_for(verb: str) -> None:
    """A sentence without these letters is not asked for a definition without quotes."""
    assert re.search(verbs._VERB, verb)
    assert any(word in verb for word in verbs._IN_VERBS)
