"""The table as a page: ``python -m tests.integration.insiders.table`` writes ``docs/insiders.md``."""

from __future__ import annotations

from pathlib import Path

from tests.integration.insiders.bundles import MOVED
from tests.integration.insiders.kinds import ARCHIVES, BUNDLES, KINDS

__all__ = ["page"]

PAGE = Path(__file__).parents[3] / "docs" / "insiders.md"

COLUMNS = ("own", "own+key", "kept", "witness", "deep", "bundle")

HEAD = """# What is found of an insider

Written by `python -m tests.integration.insiders.table` from the table that `tests/integration/insiders` tries, row by row and both
ways: what a row does not name must not find the attack. The insider can write every row of the store, and computes every id, hash
and commitment above a change again. Why it is so: ADR [50](../adr/0050-a-transparency-log.md),
[52](../adr/0052-an-audit-trail-and-persons-who-sign.md), [53](../adr/0053-evidence-bundles-and-a-verifier.md),
[54](../adr/0054-erasure-holds-and-retention.md).

* **own**: `validate --log`, with the newest checkpoint that the store itself has.
* **own, log rewritten**: the same, after the insider has rewritten the log as well, and signed it with the log's key.
* **kept**: `validate --checkpoint FILE`, with a checkpoint that somebody kept, after all that. On a machine with the log's key,
  `validate --log` takes what the key remembers, which is such a checkpoint. What is only *appended* to the log contradicts nothing:
  it stands behind what was kept, and the audit trail shows it.
* **witness**: one that cosigned the kept checkpoint refuses to cosign the log after all that.
* **deep**: `validate --deep`, where rules can compute what was attacked.
* **digest**: `validate --log` names the corpus digest of the archive that the corpus came with: not the one that the export said.
* **bundle**: the verifier refuses a bundle, or none is made.

A blank cell: not found by it; a dot: not asked.
"""

RULE = "| attack | own | own, log rewritten | kept | witness | deep | bundle | |\n|---|---|---|---|---|---|---|---|"


def page() -> str:
    """The page's text."""
    lines = [HEAD]
    family = ""
    for kind in KINDS:
        if kind.family != family:
            family = kind.family
            count = sum(each.family == family for each in KINDS)
            lines += [f"## {family[0].upper()}{family[1:]} ({count})\n"]
            lines.append(RULE)
        cells = [_cell(kind.finds, kind.looks, kind.rewrites, each) for each in COLUMNS]
        remark = "told beside findings" if "remark" in kind.finds else ""
        lines.append(f"| {kind.name} | {' | '.join(cells)} | {remark} |")
        if kind is KINDS[-1] or KINDS[KINDS.index(kind) + 1].family != family:
            lines.append("")
    lines += [f"## {BUNDLES[0].upper()}{BUNDLES[1:]} ({len(MOVED)})\n"]
    lines += [
        "The verifier finds each; sixteen more, one for each hop, are in `verifier/verifier_tests/test_tampered.py`.\n"
    ]
    lines += [f"* {_words(each.__name__)}" for each in MOVED]
    lines += ["", f"## Archives ({len(ARCHIVES)})\n", "| attack | found by |", "|---|---|"]
    lines += [f"| {_words(name)} | {', '.join(found)} |" for name, found in ARCHIVES.items()]
    return "\n".join(lines) + "\n"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _cell(finds: frozenset[str], looks: tuple[str, ...], rewrites: bool, column: str) -> str:
    if column in ("deep", "bundle") and column not in looks:
        return "·"
    if column == "own+key" and not rewrites:
        return "·"
    return "x" if column in finds else ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
