"""``python -m coditect_benchmarks.work_list.nearest``: how many planted sentences a model would read where a corpus is too large.

All planted policies are one corpus. For each set its amended and removed provisions go in parts as in the product, and beside
each the nearest statements are taken, up to a number of code points; a planted sentence is found where it stands beside the part
that has the provision that it rests on. No model is asked.

``--root`` is a copy of the public repository ``cfpb/regulations-xml``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from coditect.agents.roles.at_odds.pairs import AskedStatement
from coditect.agents.roles.on_request.tracer import AskedChange
from coditect.knowledge.report.changes.asked import CHANGES_CHARS, PlacedStatement, StatementRanks, parts_of, size_of
from coditect.knowledge.report.changes.impact import around, led_items
from coditect.models.catalogue import open_embedder
from coditect.tiers.changes.classification import differences
from coditect_benchmarks.changes import _Version
from coditect_benchmarks.work_list.curve import _sentences
from coditect_benchmarks.work_list.planted import AMENDMENTS, planted_sentences, policy_texts, versions_of

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one line for each set and number of code points."""
    parser = argparse.ArgumentParser(prog="coditect_benchmarks.work_list.nearest", description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--parts", required=True, help="sets, with commas between them")
    parser.add_argument("--chars", default="10000,20000,40000,60000", help="of the statements of a request")
    parser.add_argument("--embedder", default="wordllama", help="as in CODITECT_EMBEDDER")
    given = parser.parse_args(arguments)
    statements = [each for part in AMENDMENTS for each in _statements(part)]
    ranks = StatementRanks(statements, open_embedder(given.embedder))
    sizes = [size_of(each.shown.heading, each.shown.text) for each in statements]
    print(f"{len(statements)} statements, {sum(sizes)} code points")
    for part in given.parts.split(","):
        orders = list(_orders(given.root, part, ranks))
        for limit in map(int, given.chars.split(",")):
            found, all_of = _found(part, orders, statements, sizes, limit)
            print(
                f"{part}: nearest {limit} code points beside each of {len(orders)} parts: {found} of {all_of}",
                flush=True,
            )
    return 0


def _statements(part: str) -> Iterator[PlacedStatement]:
    for name, text in policy_texts(part):
        for each in _sentences(name, text):
            yield PlacedStatement(
                name, "", "", (0, 1), AskedStatement(f"{part}/{name}", "", "", each.heading, each.text)
            )


def _orders(root: Path, part: str, ranks: StatementRanks) -> Iterator[tuple[set[str], list[int]]]:
    """(places of the provisions of a part of the changes, all statements, the nearest first)."""
    old, new = map(_Version, versions_of(root, part))
    found, _ = differences(old.provisions, new.provisions, old.read_inside, new.read_inside)
    rested = [d for d in found if d.old is not None and d.old.kind != "heading" and d.kind in ("amended", "removed")]
    led: dict[int, list[str]] = {}
    places: dict[int, set[str]] = {}
    leads = led_items(old.provisions, {d.old.index for d in rested if d.old is not None and d.kind == "amended"})
    for item, lead in leads.items():
        led.setdefault(lead, []).append(old.provisions[item].text)
        places.setdefault(lead, set()).add(old.provisions[item].place)
    shown = []
    for each in rested:
        assert each.old is not None
        before = "\n".join((each.old.text, *led.get(each.old.index, ())))
        after = each.new.text if each.new is not None else ""
        places.setdefault(each.old.index, set()).add(each.old.place)
        shown.append(
            (places[each.old.index], AskedChange(each.old.place, around(old.provisions, each.old)[:300], before, after))
        )
    for some in parts_of([size_of(*each.body.values()) for _, each in shown], CHANGES_CHARS):
        yield set().union(*(shown[at][0] for at in some)), ranks.nearest([shown[at][1] for at in some])


def _found(
    part: str,
    orders: Sequence[tuple[set[str], list[int]]],
    statements: Sequence[PlacedStatement],
    sizes: Sequence[int],
    limit: int,
) -> tuple[int, int]:
    """How many planted sentences stand near enough beside the part of the changes that they rest on, and of how many."""
    read: list[tuple[set[str], list[str]]] = []
    for places, order in orders:
        room, texts = limit, []
        for at in order:
            room -= sizes[at]
            if room < 0:
                break
            texts.append(" ".join(statements[at].shown.text.split()))
        read.append((places, texts))
    planted = [each for each in planted_sentences(part) if each.label]
    found = sum(
        any(
            each.label in places and any(text in each.text or each.text in text for text in texts)
            for places, texts in read
        )
        for each in planted
    )
    return found, len(planted)


if __name__ == "__main__":
    sys.exit(main())
