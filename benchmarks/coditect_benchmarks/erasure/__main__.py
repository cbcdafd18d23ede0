"""Erase a part of a corpus among builds, reviews, signatures, model answers, caches and backups, and look for what is left.

usage: PYTHONPATH=verifier python -m coditect_benchmarks.erasure [--documents 300] [--erase 40] [--kills 30] [--seed 7] [--cluster fdb:///path]

Documents are generated, of every format that is read. Models' answers are those of the tests' fake service. Kills are SIGKILL to a
process, before or after one of its transactions. Proofs are held by the verifier, a package of its own (verifier/). Prints one
JSON object; exit code 1 where something is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from coditect_benchmarks.erasure.trial import run_trial


def main() -> int:
    """Run, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("documents", 300), ("erase", 40), ("kills", 30), ("seed", 7)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--cluster", default="", help="URL of a FoundationDB cluster; default: LMDB")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="coditect-erasure-") as folder:
        report = run_trial(
            Path(folder),
            chosen.cluster,
            documents=chosen.documents,
            erase=chosen.erase,
            kills=chosen.kills,
            seed=chosen.seed,
        )
    print(json.dumps(report, indent=2))
    return 1 if report["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
