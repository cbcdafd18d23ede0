"""The planted sentences: a bank's policies in its own words, each sentence with the provision that it rests on.

A paragraph begins with ``{LABEL}``, the label of the amended or removed provision that its sentence rests on, or with ``{}`` where
it rests on what stayed as it was, or on no provision at all. The marks are taken away before the product reads the policies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "AMENDMENTS",
    "WORDS",
    "PlantedSentence",
    "planted_sentences",
    "policy_texts",
    "versions_of",
    "write_policies",
]

AMENDMENTS = {
    "1002": ("2016-16301", "2017-20417_20180101"),
    "1003": ("2016-30731", "2017-18284_20180101"),
    "1005": ("2012-19702", "2013-10604"),
    "1010": ("2011-31713", "2016-10715"),
    "1024": ("2015-18239", "2016-18901_20171019"),
    "1005-remittances": ("2012-16245", "2012-19702"),
    "1005-third-parties": ("2012-19702", "2013-10604"),
    "1024-servicing": ("2013-24521", "2013-28210"),
}
"""Of each set the versions between which policies are affected; a set is named by its part of the regulation, and begins with it.

1005-remittances and 1024-servicing were written for the reading by a model (ADR 119) and opened once; 1005 is for reports, too.
1005-third-parties has the amendment of 1005, in both words; who wrote it saw neither the product's rules nor another set on this
part; it was opened once, on 2026-11-29. The others are developed on by now.
"""

WORDS = ("own", "close")
"""A bank's own words, or such as are close to the regulation's; the latter are there for some parts only."""

_FOLDER = Path(__file__).with_name("policies")
_MARK = re.compile(r"^\{(?P<label>[^}]*)\} ", re.MULTILINE)


@dataclass(frozen=True)
class PlantedSentence:
    """A sentence of a policy.

    Attributes:
        document: name of its file.
        text: the sentence.
        label: of the changed provision that it rests on; "" for none.
    """

    document: str
    text: str
    label: str


def planted_sentences(part: str, words: str = "own") -> Iterator[PlantedSentence]:
    """The sentences of the policies on a part.

    Args:
        part: its number.
        words: one of :data:`WORDS`.
    """
    for path in _files(part, words):
        for line in path.read_text(encoding="utf-8").splitlines():
            mark = _MARK.match(line)
            if mark is not None:
                yield PlantedSentence(path.name, line[mark.end() :].strip(), mark["label"])


def write_policies(part: str, folder: Path, words: str = "own") -> None:
    """Write the policies on a part without their marks."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in policy_texts(part, words):
        (folder / name).write_text(text, encoding="utf-8")


def policy_texts(part: str, words: str = "own") -> Iterator[tuple[str, str]]:
    """The names of the files on a part, and what they say without the marks."""
    for path in _files(part, words):
        yield path.name, _MARK.sub("", path.read_text(encoding="utf-8"))


def versions_of(root: Path, part: str) -> tuple[Path, Path]:
    """The files of the two versions of a set.

    Args:
        root: a copy of the public repository.
        part: the set, one of :data:`AMENDMENTS`.
    """
    before, after = (root / "regulation" / part.partition("-")[0] / f"{each}.xml" for each in AMENDMENTS[part])
    return before, after


def _files(part: str, words: str) -> list[Path]:
    return sorted((_FOLDER / (f"part_{part}" if words == "own" else f"part_{part}_{words}")).glob("*.md"))
