"""Pairs of documents of a few sentences, and whether any two of what these fix are held against each other, written down.

``python -m tests.unit.tiers.pinned_matters`` writes the file anew. The documents were put together as those of
:mod:`tests.unit.tiers.pinned_corpora` were. What decides whether two statements are about one matter, and which is the stricter,
is told of every pair by itself: of whole conflicts only the last word would show.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from coditect.knowledge.derivation.profiles import profile_of
from coditect.tiers.findings.conflicts.apart.qualifiers import differ_in_qualifiers, share_enough
from coditect.tiers.findings.conflicts.entries import Entry, entries_of, read_entries, weights
from coditect.tiers.findings.conflicts.likeness.measures import Likeness
from coditect.tiers.findings.conflicts.matters import are_parted, likeness_needed
from coditect.tiers.findings.conflicts.parties import binds_other_party
from coditect.tiers.findings.conflicts.strictness import differ, direction_of, invites_more, is_binding, relation_of
from coditect.tiers.findings.conflicts.subjects import subject_of
from coditect.tiers.findings.said.statements import statements_of
from coditect.tiers.findings.standing import Standings
from tests.unit.tiers.corpora import TODAY, chunks_of, versions_of
from tests.unit.tiers.read_plainly import merged

__all__ = ["PINNED", "pinned", "told"]

PINNED = Path(__file__).parent / "pinned_matters.json"

MOST_PAIRS = 250


def told(files: dict[str, str]) -> list[str]:
    """What the sentences of some documents fix, and of each two of one kind what decides between them."""
    versions = versions_of(files)
    profiles = {d: profile_of(v, files[v.name], None, "derivation_0") for d, v in versions.items()}
    standings = Standings(versions, profiles, TODAY)
    statements = sorted(statements_of(chunks_of(files)), key=lambda each: each.order)
    entries = entries_of(statements)
    weight = weights(entries)
    lines = [_entry(each, standings) for each in entries]
    lines.append(f"as read one by one: {merged([read_entries(statements)]) == entries:d}")
    pairs = [(a, b) for a, b in combinations(range(len(entries)), 2) if entries[a].kind == entries[b].kind]
    return [*lines, *(f"{a} {b} {_pair(entries[a], entries[b], standings, weight)}" for a, b in pairs[:MOST_PAIRS])]


def _entry(entry: Entry, standings: Standings) -> str:
    flags = f"{is_binding(entry, standings):d}{invites_more(entry):d}{binds_other_party(entry, standings):d}"
    place = f"{entry.statement.place[1]} {entry.kind} {entry.head} “{entry.says}” {entry.value} {entry.strength}"
    return f"{place} {entry.lead} {entry.verb} {flags} {direction_of(entry)} {sorted(entry.words)}"


def _pair(first: Entry, second: Entry, standings: Standings, weight: Mapping[str, float]) -> str:
    flags = [are_parted(first, second, standings), are_parted(first, second), differ(first, second, standings)]
    flags += [differ(first, second, Standings()), differ_in_qualifiers(first, second), share_enough(first, second)]
    alike = Likeness(first, second, weight)
    measures = f"{alike.share:.4f} {alike.words} {alike.pairs} {alike.soft} {alike.same_number:d} {alike.same_count:d}"
    relation = relation_of([first, second], standings)
    told_flags = "".join(f"{flag:d}" for flag in flags)
    return f"{likeness_needed(first, second)} {told_flags} {relation} {measures} “{subject_of(first, second)}”"


def pinned() -> list[dict[str, Any]]:
    """What is written down: documents in ``files``, and what is ``told``."""
    found: list[dict[str, Any]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


def write(corpora: Iterable[dict[str, str]]) -> None:
    """Write down what is told of some documents now."""
    rows = ({"files": files, "told": told(files)} for files in corpora)
    PINNED.write_text(
        "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n", encoding="utf-8"
    )


if __name__ == "__main__":
    write([row["files"] for row in pinned()])
