"""The stems of the words that tables list, in a file: ``coditect/language/en/stems.json``.

A process that compares sentences asks for all of them before it compares the first. Run this when a table of words changed, or the
stemmer; what the file lacks is stemmed as any other word, and what another stemmer made is not read.

usage: python tools/stems.py [--check]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import orjson

from coditect.language.reading.stems import IRREGULAR
from coditect.language.tables import read_table
from coditect.language.terms import STEMMED, STOPWORDS, stem_anew, stemmer_sha256

__all__ = ["listed_stems"]

GROUPS = {
    "thesaurus": ("time_units", "frequencies", "families", "synonyms"),
    "plain_words": ("synonyms", "nouns"),
    "wordnet": ("synonyms", "derivations"),
}
AXES = {"oppositions": ("broad", "quantifier", "comparative", "negation", "modality")}


def _listed() -> Iterator[str]:
    """The words of oppositions, families, synonyms and derivations."""
    for table, names in GROUPS.items():
        for name in names:
            for group in read_table(table).groups(name):
                yield from group
    for table, names in AXES.items():
        for name in names:
            for first, second in read_table(table).axes(name):
                yield from (*first, *second)


def listed_stems() -> bytes:
    """The file as it is to be."""
    words = {word.replace("-", "").casefold() for word in _listed()} - STOPWORDS - IRREGULAR.keys()
    stems = {word: stem_anew(word) for word in sorted(words)}
    content = {"stemmer_sha256": stemmer_sha256(), "stems": stems}
    return orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def main() -> int:
    """Write the file, or say whether it is as it would be written."""
    made = listed_stems()
    if "--check" not in sys.argv[1:]:
        STEMMED.write_bytes(made)
        return 0
    return 0 if STEMMED.read_bytes() == made else 1


if __name__ == "__main__":
    sys.exit(main())
