"""Candidate units of documents of our own, with what stands around them, written down.

``python -m benchmark_tests.gold.pinned_segments`` writes ``pinned_segments.json`` anew. The gold is labelled unit by unit,
so whatever changes here makes units that nobody has labelled.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from coditect_benchmarks.gold.sampling import stratum_of
from coditect_benchmarks.gold.segments import find_segments, read_lines_of
from coditect_benchmarks.gold.surroundings import text_after, text_before, trace_path

from coditect.documents.readers import read_source

__all__ = ["DOCUMENTS", "PINNED", "pinned", "units"]

PINNED = Path(__file__).parent / "pinned_segments.json"

RULEBOOK = """CUSTODY RULES

4.1.(1)\tThe custodian must:
(a)\tkeep each key; and
(b)\tif it loses one:
(i)\ttell the client; and
(ii)\treplace it,
within ten days.
4.1.(2)\tThis does not apply to No. 7 keys. Keys may be copied. No.
Guidance\tA key should be kept dry.
Vault\tMeans a room without windows, which
the custodian locks.
Schedule 2\tForms of keys
4.2.(1)\tA member shall:
(h)\tpay; and
(i)\tvote; and
(j)\tlisten.
A member may leave (see Rule 4).
(c) A guest will listen. The guest is free to go.
Purpose:
1. Keys are counted
2. Doors are counted
aa) twice a week, by the porter
bb) once a month
(A) Upper case items follow here;
(B) and here:
(I) one roman item
(II) another roman item
(IV) a third one that skips a number
"""

BULLETS = """# Handbook

Staff should follow these rules:

- lock the door,
- close the window:
    - in the hall,
    - in the cellar.
- switch off the light.

## Leave

An employee is entitled to leave. He or she must ask e.g. the head of the team, i.e. Dr. Smith. Mr. J. Doe decides.

Nothing here requires an answer

1. First comes the request.
2. Then comes the answer:
   1. yes or
   2. no.

### Records

Records are kept for 3.5 years. "They are secret." (Ask first.) 7. This is odd! Is it? Yes.

The owner of the house will, unless somebody else has been named for it before the end of
the year, open the gate. Any other
Gate stays shut;
and so does the door.

Leave Requests And Answers

Part 3\tDoors of the house
• a loose bullet
• another loose bullet
The following applies –
• a bullet that is led in
(ii) a roman two that begins nothing
"""

CONTRACT = (
    """AGREEMENT between A. Smith Ltd. and Borealis Inc. of the first part

1. The Seller shall, and the Buyer agrees to, do the following—
(a) deliver the goods to the port of Leith;
(b) insure them for U.S. Customers, Nos. 3 to 5; and
(c) give notice. Such notice is sent by post.
2. The Buyer may refuse goods, or
(a) accept them; or
(b) return them
at the cost of the Seller.
3. Long provisions follow: """
    + "the goods are heavy and the road is long, " * 31
    + """so there.
4. The Seller warrants that each of the following holds:
(a) """
    + "the goods are new and have never been used by anybody at all before, " * 20
    + """
(b) """
    + "the goods are whole and have never been broken by anybody at all before, " * 20
    + """
5. Short one.
6. A paragraph with words before it. """
    + "This sentence is here to fill the space before the next one in the text. " * 9
    + """The last sentence must be found. """
    + "And more of the same follows here so that the text after it is long. " * 6
    + """
x. An odd letter. See section 4 and paragraph B.
"""
)

DOCUMENTS = {"rulebook.txt": RULEBOOK, "handbook.md": BULLETS, "contract.txt": CONTRACT}


def units(name: str) -> dict[str, list[Any]]:
    """The lines of a document, and its units with their stratum and surroundings; words for short stretches, places for long."""
    source = read_source(DOCUMENTS[name].encode(), name)
    text = source.text
    lines = read_lines_of(source)
    found = []
    for segment in find_segments(text, lines):
        words = text[segment.start : segment.end]
        unit = [segment.start, segment.end, words[:30], segment.line, segment.depth, segment.tail]
        stratum = stratum_of(text, segment, lines[segment.line])
        around = [text_before(text, lines, segment), text_after(text, lines, segment)]
        found.append([*unit, stratum, list(trace_path(lines, segment)), *around])
    told = [[line.start, line.end, line.label, line.marks, line.kind, line.level] for line in lines]
    as_read: dict[str, list[Any]] = json.loads(json.dumps({"lines": told, "units": found}))
    return as_read


def pinned() -> dict[str, dict[str, list[Any]]]:
    """What was written down."""
    found: dict[str, dict[str, list[Any]]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


def _as_json(everything: dict[str, dict[str, list[Any]]]) -> str:
    """One unit a line."""
    parts = []
    for name, said in everything.items():
        rows = [
            f' "{kind}": [\n  ' + ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in listed) + "\n ]"
            for kind, listed in said.items()
        ]
        parts.append(f'"{name}": {{\n' + ",\n".join(rows) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    PINNED.write_text(_as_json({name: units(name) for name in DOCUMENTS}), encoding="utf-8")
