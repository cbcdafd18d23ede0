"""Tier 4 measured: contradicting edits that would be published, citations that lead to their words, truths that are filtered.

usage: python -m coditect_benchmarks.tier4 --data ../shared/data [--only contracts] [--told N] [--json FILE] [--show N]

Each corpus is built, every published claim is edited in every way that applies, and the edited claim is checked with the evidence
of the original, as the build would. The hallucination rate is the share of edits that would be published.
Then held-out edits of single sentences are checked as claims in other words, which a language model writes.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.ingest.intake import ingest
from coditect.schemas import BuildSettings
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect_benchmarks.tier4.measure import measure
from coditect_benchmarks.tier4.told import told

CORPORA = {"contracts": "contracts/docs", "policies": "policies", "pdf": "pdf", "nist": "nist", "cfpb": "cfpb"}


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", choices=CORPORA, action="append")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--told", type=int, default=2000, help="edits to make for claims in other words; 0: none")
    parser.add_argument("--show", type=int, default=0, help="print this many edits that would be published")
    options = parser.parse_args()
    results = {}
    for name in options.only or ("contracts", "policies"):
        with tempfile.TemporaryDirectory() as folder:
            store = Store(LmdbEngine(Path(folder)))
            ingest(store, name, [options.data / CORPORA[name]])
            build(store, name, BuildSettings())
            result = measure(open_view(store, name))
        results[name] = result.row()
        print(f"\n{name}")
        for key, value in results[name].items():
            if key != "by_kind":
                print(f"  {key:30} {value:.4f}" if isinstance(value, float) else f"  {key:30} {value}")
        for kind, (published, number) in results[name]["by_kind"].items():
            print(f"    {kind:36} {published:4} of {number:5} published")
        for each in result.missed[: options.show]:
            print(f"  ! {each}")
    if options.told:
        results["told in other words"] = told(options.data, options.told).row()
        print("\ntold in other words, held-out edits: published, left to a person, refused")
        for kind, row in results["told in other words"]["kinds"].items():
            shares = "  ".join(f"{row[label]:6.1%}" for label in ("supported", "needs_review", "unsupported"))
            print(f"  {kind:48} {row['pairs']:5}  {shares}")
        print(f"  {results['told in other words']['claims_per_s']} claims/s")
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
