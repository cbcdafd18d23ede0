"""Two small documents of our own with labelled sentences, for the tests of the gold read with a model."""

from __future__ import annotations

from pathlib import Path

from coditect_benchmarks.gold.records import Label, Span, Unit, write_lines
from coditect_benchmarks.gold.sources import digest
from coditect_benchmarks.gold.store import GoldUnit

from coditect.documents.readers import read_source

KEEPER = "The keeper shall lock the gate within 5 days."
GUEST = "A guest may not feed the goats."
TEXTS = {
    "gates.txt": f"Gate Rules\n\n{KEEPER} The gate is old.\n",
    "goats.txt": f"Goat Rules\n\n{GUEST} Goats eat hay.\n",
}


def labelled(name: str, words: str, genre: str = "rulebook", family: str = "rules", **norm: object) -> GoldUnit:
    """A unit of dev: some words of a document, with one norm or, without parts, a fact."""
    text = read_source(TEXTS[name].encode(), name).text
    start = text.index(words)

    def span(part: str) -> Span:
        at = text.index(part, start)
        return at, at + len(part)

    unit = Unit(
        id=f"{name}-{start}", document=f"own:{name}", sha256=digest(text), genre=genre, family=family, split="dev",
        stratum="must", weight=1.0, public=True, shape="sentence", span=(start, start + len(words)), path=(),
        before=(0, 0), after=(0, 0),
    )  # fmt: skip
    if not norm:
        return GoldUnit(unit=unit, label=Label[Span](id=unit.id, statement="fact"))
    parts = {each: [span(str(quote))] for each, quote in norm.items() if each not in ("kind", "polarity")}
    told = {"force": "mandatory", "text": [unit.span], **parts, "kind": norm["kind"], "polarity": norm["polarity"]}
    if "times" in told:
        told["times"] = [{"kind": "deadline", "text": told["times"]}]
    return GoldUnit(unit=unit, label=Label[Span].model_validate({"id": unit.id, "norms": [told]}))


def gold() -> list[GoldUnit]:
    """Two norms and a fact."""
    return [
        labelled(
            "gates.txt", KEEPER, kind="obligation", polarity="positive", holder="The keeper", cue="shall",
            action="lock the gate", times="within 5 days",
        ),
        labelled("gates.txt", "The gate is old."),
        labelled(
            "goats.txt", GUEST, kind="prohibition", polarity="negative", holder="A guest", cue="may not",
            action="feed the goats",
        ),
    ]  # fmt: skip


def written(folder: Path) -> Path:
    """A folder with the documents and the gold."""
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, "utf-8")
    write_lines(folder / "dev.jsonl", gold())
    return folder
