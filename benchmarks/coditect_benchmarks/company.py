"""What of conflicts and gaps that somebody planted in a company's documents is told, and which look-alikes are told wrongly.

usage: python -m coditect_benchmarks.company --folder DOCUMENTS --planted LIST.json --today DAY [--json FILE] [--all]
       [--possible N] [--embedder MODEL]

The list is a JSON object with "conflicts", "not_conflicts" and "gaps"; each item has an "id", a "kind" and "passages", objects with
a "file" of the folder and a "quote" from it; a conflict may have further passages in "also". A conflict is found where one
published claim of the kind "conflict" quotes passages of two of its files; a gap where a claim on something missing quotes or names
one of its passages; of these the sentence is printed, since words alone do not show that it says what is meant. A look-alike is
told wrongly where a claim of the kind "conflict" quotes both of its passages and nothing of a planted conflict beside them.

With --possible the first so many pairs of ``coditect knowledge conflicts`` are held against the list, too: at which place each
planted conflict and each look-alike stands in it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.ingest.intake import ingest
from coditect.knowledge.report.registers.conflicts import conflict_rows
from coditect.schemas import BuildSettings, Claim, ConflictRow
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect_benchmarks.retrieval.embedders import embedder_of

__all__ = ["Told", "match", "places_in", "read_claims"]

MISSING = ("gap", "standing")
"""Kinds of claims that tell of something missing or late."""

CUTS = (5, 10, 20, 30, 50)
"""Lengths of the list of possible conflicts that are reported."""

SHORTEST = 20
"""Characters of a planted passage that is looked for inside a quote; a shorter one has to be printed in the claim itself."""


@dataclass(frozen=True, slots=True)
class Told:
    """A published claim with what it quotes.

    Attributes:
        kind: of the claim.
        severity: of the claim.
        text: what it says.
        quotes: (document name, words) of each quote, white space as one blank.
    """

    kind: str
    severity: str
    text: str
    quotes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Matched:
    """What of a list is told.

    Attributes:
        found: claims by planted conflict or gap, none where it is not told.
        wrong: claims by look-alike that is told as a conflict.
        others: claims on conflicts and gaps that match nothing planted.
    """

    found: Mapping[str, tuple[Told, ...]]
    wrong: Mapping[str, tuple[Told, ...]]
    others: tuple[Told, ...]


def read_claims(view: View) -> list[Told]:
    """The published claims of a generation, in their order."""
    sections = {section.section_id: section for section in view.sections}
    return [_told(view.claims[each], sections) for each in view.summary.claims]


def _told(claim: Claim, sections: Mapping[str, Any]) -> Told:
    parts = [sections[source.section_id].content[source.part] for source in claim.citations]
    quotes = tuple((part.citation.document_name, _plain(part.content)) for part in parts if part.citation is not None)
    return Told(claim.claim_kind, str(claim.severity or ""), claim.text, quotes)


def match(claims: Sequence[Told], planted: Mapping[str, Any]) -> Matched:
    """Hold claims against a list of what was planted."""
    conflicts = [each for each in claims if each.kind == "conflict"]
    missing = [each for each in claims if each.kind in MISSING]
    found: dict[str, tuple[Told, ...]] = {}
    for item in planted["conflicts"]:
        passages = [*item["passages"], *item.get("also", ())]
        found[item["id"]] = tuple(
            each
            for each in conflicts
            if _says_both(_quoted(each, passages), passages) and not _is_only(each, passages, planted)
        )
    real = [each for own in found.values() for each in own]
    wrong = {
        item["id"]: tuple(
            each
            for each in conflicts
            if each not in real and len(_quoted(each, item["passages"])) == len(item["passages"])
        )
        for item in planted["not_conflicts"]
    }
    for item in planted["gaps"]:
        found[item["id"]] = tuple(each for each in missing if _quoted(each, item["passages"]))
    matched = [each for own in (*found.values(), *wrong.values()) for each in own]
    return Matched(found, wrong, tuple(each for each in (*conflicts, *missing) if each not in matched))


def places_in(rows: Sequence[ConflictRow], items: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """At which place of a list of possible conflicts, from 1, each planted item stands whose passages are both of a pair.

    Args:
        rows: the list.
        items: planted conflicts or look-alikes.
    """
    pairs = [
        [(each.first.document, _plain(each.first.text)), (each.second.document, _plain(each.second.text))]
        for each in rows
    ]
    found = {}
    for item in items:
        passages = [(each["file"], _plain(each["quote"])) for each in (*item["passages"], *item.get("also", ()))]
        for place, sides in enumerate(pairs, 1):
            held = [_stands_in(passages, side) for side in sides]
            if all(held) and len({file for own in held for file in own}) > 1:
                found[item["id"]] = place
                break
    return found


def _says_both(quoted: Collection[tuple[str, str]], passages: Sequence[Mapping[str, str]]) -> bool:
    """Whether passages of two documents are quoted, or both of one that is at odds with itself."""
    return len({file for file, _ in quoted}) > 1 or (len({each["file"] for each in passages}) == 1 and len(quoted) > 1)


def _stands_in(passages: Iterable[tuple[str, str]], side: tuple[str, str]) -> set[str]:
    """The files of passages that a side of a pair is, wholly or in part."""
    document, text = side
    return {
        file
        for file, words in passages
        if file == document and (words in text or (len(text) >= SHORTEST and text in words))
    }


def _is_only(claim: Told, passages: Iterable[Mapping[str, str]], planted: Mapping[str, Any]) -> bool:
    """Whether all that a claim quotes of some passages is what a look-alike has, too."""
    own = _quoted(claim, passages)
    return any(own <= _quoted(claim, item["passages"]) for item in planted["not_conflicts"])


def _quoted(claim: Told, passages: Iterable[Mapping[str, str]]) -> set[tuple[str, str]]:
    """The passages, as (file, words), that a claim quotes wholly or in part."""
    found = set()
    for passage in passages:
        words = _plain(passage["quote"])
        for document, quote in claim.quotes:
            same = words in quote or (len(quote) >= SHORTEST and quote in words)
            if document == passage["file"] and same and (len(words) >= SHORTEST or words in claim.text):
                found.add((document, words))
    return found


def _plain(text: str) -> str:
    return " ".join(text.split())


def _report(planted: Mapping[str, Any], matched: Matched) -> str:
    lines = []
    for name in ("conflicts", "gaps"):
        told = 0
        for item in planted[name]:
            own = matched.found[item["id"]]
            told += bool(own)
            lines.append(f"{item['id']}  {item['kind']}: {own[0].text if own else '-- not told'}")
        lines.append(f"{name}: {told} of {len(planted[name])} told\n")
    for item in planted["not_conflicts"]:
        lines += [f"{item['id']}  {item['kind']}, wrongly: {each.text}" for each in matched.wrong[item["id"]]]
    wrong = sum(map(bool, matched.wrong.values()))
    lines.append(f"look-alikes told as conflicts: {wrong} of {len(planted['not_conflicts'])}\n")
    lines.append(f"not planted: {len(matched.others)}")
    lines += [f"  {each.kind}, {each.severity}: {each.text}" for each in matched.others]
    return "\n".join(lines)


def _possible(rows: Sequence[ConflictRow], planted: Mapping[str, Any]) -> Iterator[str]:
    for name in ("conflicts", "not_conflicts"):
        items = planted[name]
        places = places_in(rows, items)
        yield f"\n{name.replace('_', ' ')} among the first {len(rows)} possible conflicts: {len(places)} of {len(items)}"
        cuts = ", ".join(f"{sum(each <= cut for each in places.values())} @{cut}" for cut in CUTS)
        yield f"  {cuts}"
        for item in items:
            if item["id"] in places:
                yield f"  {places[item['id']]:>3}  {item['id']}  {item['kind']}"


def main() -> None:
    """Build, match and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="the company's documents")
    parser.add_argument("--planted", type=Path, required=True, help="what was planted in them")
    parser.add_argument("--today", required=True, help="the day on which they are read, YYYY-MM-DD")
    parser.add_argument("--json", type=Path, help="write ids and claims here, too")
    parser.add_argument("--all", action="store_true", help="print all claims as well")
    parser.add_argument(
        "--possible", type=int, metavar="N", help="hold the first N possible conflicts against the list, too"
    )
    parser.add_argument(
        "--embedder", default="wordllama", help="of possible conflicts: wordllama, or the folder of a model"
    )
    options = parser.parse_args()
    planted = json.loads(options.planted.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        store = Store(LmdbEngine(Path(folder)))
        ingest(store, "company", [options.folder])
        build(store, "company", BuildSettings(today=options.today))
        view = open_view(store, "company")
        claims = read_claims(view)
        rows = (
            conflict_rows(view, embedder_of(options.embedder), options.today, most=options.possible)
            if options.possible
            else []
        )
    matched = match(claims, planted)
    print(_report(planted, matched))
    if options.possible:
        print("\n".join(_possible(rows, planted)))
    if options.all:
        print("\n".join(f"{each.kind}, {each.severity}: {each.text}" for each in claims))
    if options.json:
        found = {key: [each.text for each in own] for key, own in {**matched.found, **matched.wrong}.items()}
        told = {"told": found, "others": [each.text for each in matched.others]}
        options.json.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
