"""Names of persons as they are printed: two names that look alike on paper are of one person, or one of them is refused.

A register of keys is read by people (21 CFR 11.100(b)). An accent of its own beside a letter, a second blank, a sign that is not
printed or a letter of another alphabet makes another string and the same print; two such names must not pass for two persons.
"""

from __future__ import annotations

import unicodedata

from coditect.errors import UsageError

__all__ = ["folded", "printed"]

_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK")
"""Those that share the shapes of letters."""

_JOINERS = "\u200c\u200d"
"""Signs that are not printed and change how the letters beside them are: names in Persian and in Indian scripts have them."""


def printed(name: str) -> str:
    """A name in one spelling: composed letters, one blank between words.

    Args:
        name: as it was given.

    Raises:
        UsageError: it has signs that are not printed, or a word of letters of several alphabets.
    """
    composed = " ".join(unicodedata.normalize("NFC", name).split())
    if not all(each.isprintable() or each in _JOINERS for each in composed):
        raise UsageError(
            "a name has signs that are not printed",
            name=ascii(composed),
            hint="Type it anew: what is copied may carry signs that nobody sees.",
        )
    for word in composed.split():
        alphabets = {unicodedata.name(each, "").partition(" ")[0] for each in word if each.isalpha()}
        if len(alphabets.intersection(_ALPHABETS)) > 1:
            raise UsageError(
                "a name has letters of several alphabets in one word",
                name=ascii(composed),
                hint="Some of them look alike. Write each word of a name in one alphabet.",
            )
    return composed


def folded(name: str) -> str:
    """What two spellings of one name have in common: compared, never shown."""
    shown = (each for each in unicodedata.normalize("NFKC", name) if unicodedata.category(each) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", "".join(shown).casefold()).split())
