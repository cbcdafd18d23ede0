"""Content words of English compliance text: tokenised, stop words removed, stemmed.

One definition for everything that compares sentences by their words (tiers 2 to 4, verification), so that a term in
one tier is the same term in the next. Modal and negating words are terms: "shall", "may" and "not" decide what a
clause means, and a comparison that cannot see them calls a prohibition the duplicate of a permission.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

import orjson
from snowballstemmer import basestemmer, english_stemmer
from snowballstemmer.english_stemmer import EnglishStemmer

from coditect.language.matched import as_matched
from coditect.language.tables import read_table

__all__ = ["MODAL_TERMS", "STEMMED", "STOPWORDS", "know_listed_stems", "stem", "stem_anew", "stemmer_sha256", "terms"]

STOPWORDS: frozenset[str] = frozenset(read_table("stop_words").words("function_words"))

_MODALITY = read_table("modality")
MODAL_TERMS: frozenset[str] = frozenset((*_MODALITY.words("modal_terms"), *_MODALITY.words("turning_terms")))
"""Terms, as :func:`terms` returns them, that turn a sentence's duty around: two sentences that differ in one are never
the same sentence."""

# A number keeps its inner points and commas ("14.2.3", "1,000.50"); a word keeps one inner apostrophe for the stemmer.
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:'[^\W_]+)?")
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u02bc": "'"})
_CACHED_WORDS = 200_000


def stem_anew(word: str) -> str:
    """The stem of a word, whether it is known or not; "" for a stop word.

    Args:
        word: casefolded, with plain apostrophes.
    """
    if word in STOPWORDS:
        return ""
    if word[0].isdigit():
        return word.replace(",", "")[:_LONGEST_WORD]
    if word == "cannot" or word.endswith("n't"):
        return "not"
    base = word.partition("'")[0]
    if base in STOPWORDS:
        return ""
    # The pure Python stemmer is named outright: snowballstemmer.stemmer() would take PyStemmer where that happens to
    # be installed, whose Snowball version may differ. It holds the word in the instance, so threads must not share it.
    # Nobody writes such words, but files hold base64; the stemmer takes a second for a million characters.
    return str(EnglishStemmer().stemWord(base)) if len(base) <= _LONGEST_WORD else base[:_LONGEST_WORD]


_LONGEST_WORD = 64


@cache
def _stem_of_stop_word(word: str) -> str:
    """There are few, but phrases of tables are full of them: a process that compares sentences asks ten thousand times."""
    return str(EnglishStemmer().stemWord(word))


class _Stems(dict[str, str]):
    """Word to stem, filled on demand; emptied when full, so that a long-lived process stays small."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _CACHED_WORDS:
            self.clear()
        found = self[word] = stem_anew(word)
        return found


_STEMS = _Stems()

STEMMED = Path(__file__).parent / "en" / "stems.json"
"""The stems of words that tables list, as ``tools/stems.py`` writes them."""


def stemmer_sha256() -> str:
    """The SHA-256 of the code of the stemmer that is installed."""
    digest = sha256()
    for module in (english_stemmer, basestemmer):
        digest.update(Path(module.__file__).read_bytes())
    return digest.hexdigest()


@cache
def know_listed_stems() -> None:
    """Know the stems of the words that tables list, which a process that compares sentences asks by the thousand.

    They are read from a file; where another release of the stemmer made it, each word is stemmed as any other.
    """
    with suppress(OSError):  # a stemmer that is no file cannot be told
        found = orjson.loads(STEMMED.read_bytes())
        if found["stemmer_sha256"] == stemmer_sha256():
            _STEMS.update(found["stems"])


def stem(word: str) -> str:
    """The Snowball English stem of one word.

    Args:
        word: one word, any case. A contraction with "n't" gives "not"; a possessive loses its "'s"; a number loses its
            thousands separators.

    Returns:
        The stem, casefolded; "" for the empty string. Unlike in :func:`terms`, a stop word is stemmed like any other.
    Source: Porter 2 ("Snowball English"), from the snowballstemmer package.
    """
    folded = as_matched(word).translate(_APOSTROPHES).casefold()
    if folded in STOPWORDS:
        return _stem_of_stop_word(folded)
    return _STEMS[folded] if folded else ""


def terms(text: str) -> tuple[str, ...]:
    """The content words of a text, casefolded and stemmed, in order, repeated as often as they occur.

    Words are runs of letters or digits; hyphens split ("non-compliance" is two terms); dotted and comma-grouped numbers
    stay whole ("14.2.3", and "1,000" becomes "1000"). Stop words go, modal and negating words stay, "don't" becomes
    "not".

    Args:
        text: any text, best in NFC.

    Returns:
        The terms; empty when the text has only stop words, punctuation or nothing.
    """
    folded = text.casefold()
    if not folded.isascii():
        folded = as_matched(folded).translate(_APOSTROPHES)
    stems = _STEMS
    return tuple([found for word in _WORD.findall(folded) if (found := stems[word])])
