"""Offsets follow their words into a text whose white space and cells are others; anything else is refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from coditect_benchmarks.gold.records import Unit
from coditect_benchmarks.gold.relocation import Relocation, former_texts
from coditect_benchmarks.gold.sources import Library, digest

FORMER = "Fees\n\nA bank shall  pay 5 7 daily.\nMore."
CURRENT = "Fees\n\nA bank shall pay 5 | 7 daily.\n\nMore.\n"


def _unit(text: str) -> Unit:
    start = text.index("A bank")
    return Unit(
        id="x",
        document="root:fees.txt",
        sha256=digest(text),
        genre="policy",
        family="fees",
        split="dev",
        stratum="must",
        weight=2.0,
        public=True,
        shape="sentence",
        span=(start, text.index("\nMore")),
        path=((0, 4),),
        before=(0, 4),
        after=(text.index("More"), len(text)),
    )


def _library(folder: Path, text: str) -> Library:
    (folder / "fees.txt").write_text(text, "utf-8")
    return Library({"root": folder})


def test_relocation_finds_the_same_words(tmp_path: Path) -> None:
    """Every span holds the words that it held, and what is a number stays one."""
    library = _library(tmp_path, CURRENT)
    text = library.source("root:fees.txt").text
    unit = _unit(FORMER)
    relocation = Relocation(library, {unit.sha256: FORMER})
    moved = relocation.unit(unit)
    assert moved.sha256 == digest(text)
    assert text[slice(*moved.span)] == "A bank shall pay 5 | 7 daily."
    assert [text[slice(*each)] for each in (*moved.path, moved.after)] == ["Fees", "More."]
    start = FORMER.index("5 7")
    said = relocation.moved(unit, {"times": [{"text": [(start, start + 3)]}], "depths": (1, 2)})
    ((first, last),) = said["times"][0]["text"]
    assert text[first:last] == "5 | 7"
    assert said["depths"] == (1, 2)


def test_relocation_refuses_other_words(tmp_path: Path) -> None:
    """A word that changed, or a former text that is not at hand, names the document."""
    library = _library(tmp_path, CURRENT.replace("daily", "weekly"))
    unit = _unit(FORMER)
    with pytest.raises(ValueError, match=r"fees\.txt: more than white space and cells changed"):
        Relocation(library, {unit.sha256: FORMER}).unit(unit)
    with pytest.raises(ValueError, match=r"fees\.txt: its former text .* is not at hand"):
        Relocation(library, {}).unit(unit)


def test_former_texts_are_what_their_names_say(tmp_path: Path) -> None:
    """A file that was changed is told."""
    (tmp_path / f"{digest(FORMER)}.txt").write_bytes(FORMER.encode())
    assert former_texts(tmp_path) == {digest(FORMER): FORMER}
    (tmp_path / f"{digest(FORMER)}.txt").write_bytes(b"other")
    with pytest.raises(ValueError, match="not the text with this sha256"):
        former_texts(tmp_path)
