"""Names of persons: what looks alike on paper is one name, or is refused."""

from __future__ import annotations

import pytest

from coditect.errors import UsageError
from coditect.transparency.persons.names import folded, printed


@pytest.mark.parametrize("name", ["\u00c1nna Reviewer", "A\u0301nna Reviewer", "  \u00c1nna\t Reviewer\u2003"])
def test_a_name_has_one_spelling(name: str) -> None:
    """Letters with their accents, and one blank."""
    assert printed(name) == "\u00c1nna Reviewer"


@pytest.mark.parametrize("name", ["Anna\u200b Auditor", "Anna\u202e Auditor", "An\u00adna", "Anna\x1b[1A", "Anna\x00"])
def test_signs_that_are_not_printed_are_refused(name: str) -> None:
    """Nobody who reads the register sees them."""
    with pytest.raises(UsageError, match="not printed"):
        printed(name)


@pytest.mark.parametrize("name", ["\u0410nna Auditor", "Anna Audit\u03bfr"])
def test_letters_of_several_alphabets_in_one_word_are_refused(name: str) -> None:
    """A Cyrillic A, and a Greek o."""
    with pytest.raises(UsageError, match="several alphabets"):
        printed(name)


@pytest.mark.parametrize(
    "name",
    [
        "Jos\u00e9 O\u2019Neill-Garc\u00eda",
        "\u0410\u043d\u043d\u0430 Smith",
        "\u5c71\u7530 \u592a\u90ce",
        "\u0646\u06cc\u06a9\u200c\u0646\u0627\u0645",
    ],
)
def test_names_of_people_stay_as_they_are(name: str) -> None:
    """In any script, and in two where each word has its own."""
    assert printed(name) == name


@pytest.mark.parametrize(
    "name", ["anna auditor", "ANNA  AUDITOR", "Anna\u200b Auditor", "\uff21nna Auditor", "Anna\u00a0Auditor"]
)
def test_spellings_of_one_name_are_folded_into_one(name: str) -> None:
    """Records of before may have them, and so may whoever writes rows."""
    assert folded(name) == folded("Anna Auditor")
    assert folded(name) != folded("\u00c1nna Auditor")
