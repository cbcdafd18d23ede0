"""Command line: score the checker on written claims, alone or with a language model, and train its classifier of readings on some.

usage: python -m coditect_benchmarks.claims score --claims FILE [--json FILE] [--misses]
       python -m coditect_benchmarks.claims examine --claims FILE --base-url URL [--documents FOLDER] [--work FOLDER] [--misses]
       python -m coditect_benchmarks.claims train --claims FILE [FILE ...] --unseen FILE [FILE ...] [--data FOLDER] [--out FILE]

The claims are JSON lines with "claim", "evidence", "label" (true or false) and "kind"; see ``records.py``.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from coditect_benchmarks.claims.edited import edited_claims
from coditect_benchmarks.claims.examined import Examined, as_table, examine, opened_corpus, write_documents
from coditect_benchmarks.claims.measuring import digest_of, family_of, measure_claims
from coditect_benchmarks.claims.records import read_claims
from coditect_benchmarks.claims.scoring import Judged, as_json, as_text, judge_by_overlap, judge_claims
from coditect_benchmarks.claims.training import as_weights
from coditect_benchmarks.claims.training_report import training_text


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; 0, or 2 where the file is no file of claims."""
    parser = argparse.ArgumentParser(prog="python -m coditect_benchmarks.claims", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    score = commands.add_parser("score", help="check every claim against its passage, and print the tables")
    score.add_argument("--claims", type=Path, required=True, metavar="FILE")
    score.add_argument("--json", type=Path, metavar="FILE", help="write the figures here as well")
    score.add_argument("--misses", action="store_true", help="print each claim that was not settled rightly, and why")
    _add_examining(commands.add_parser("examine", help="check claims against a corpus, without a model and with one"))
    _add_training(commands.add_parser("train", help="fit the classifier of readings, and print families held out"))
    options = parser.parse_args(arguments)
    chosen = {"train": _train, "examine": _examine, "score": _score}
    return chosen[options.command](options)


def _add_examining(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--claims", type=Path, required=True, metavar="FILE")
    parser.add_argument("--base-url", required=True, metavar="URL", help="where the model's interface is")
    parser.add_argument("--documents", type=Path, metavar="FOLDER", help="the corpus; else the claims' own passages")
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="where its store is kept")
    parser.add_argument("--misses", action="store_true", help="print what a model settled wrongly")


def _examine(options: argparse.Namespace) -> int:
    try:
        claims = read_claims(options.claims)
    except (OSError, ValueError) as error:
        print(f"{options.claims}: {error}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="coditect-claims-") as made:
        work = options.work or Path(made)
        documents = options.documents or work / "documents"
        if options.documents is None:
            write_documents(claims, documents)
        with opened_corpus(documents, work, options.base_url) as knowledge:
            found, account = examine(knowledge, claims)
    print(as_table(found))
    total = account["total"]
    print(f"asked {total['sent']}, from the store {total['reused']}, failed {total['failed']}")
    if options.misses:
        _show_settled_wrongly(found)
    return 0


def _show_settled_wrongly(found: Sequence[Examined]) -> None:
    for each in found:
        label = each.waiting.label
        if label != each.alone.label and label != ("supported" if each.claim.is_true else "unsupported"):
            print(
                f"{each.claim.claim_id} {each.claim.kind}: {'true' if each.claim.is_true else 'false'}, called {label}"
            )
            print(f"  claim:    {each.claim.text}\n  evidence: {' '.join(each.claim.evidence.split())}")
            for sentence in each.waiting.sentences:
                print(f"  - {sentence.label}: {sentence.reason or [opinion.reason for opinion in sentence.opinions]}")


def _score(options: argparse.Namespace) -> int:
    try:
        claims = read_claims(options.claims)
    except (OSError, ValueError) as error:
        print(f"{options.claims}: {error}", file=sys.stderr)
        return 2
    began = time.process_time()
    judged = judge_claims(claims)
    seconds = time.process_time() - began
    peer, threshold = judge_by_overlap(claims)
    if options.misses:
        for each in judged:
            if each.label != ("supported" if each.claim.is_true else "unsupported"):
                _show(each)
    print(as_text(judged, peer, threshold))
    print(f"{len(claims)} claims, {1000 * seconds / max(len(claims), 1):.1f} ms each on one core")
    if options.json:
        options.json.write_text(json.dumps(as_json(judged, peer), indent=2) + "\n", encoding="utf-8")
    return 0


def _add_training(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--claims", type=Path, nargs="+", required=True, help="claims that rules were developed on")
    parser.add_argument("--unseen", type=Path, nargs="+", required=True, help="claims that no rule was developed on")
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="with contracts and cfpb, whose sentences are edited"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the weights here")


def _train(options: argparse.Namespace) -> int:
    """Measure, hold families out, and write the weights."""
    try:
        seen, unseen = ([c for path in paths for c in read_claims(path)] for paths in (options.claims, options.unseen))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    edited = edited_claims(options.data) if options.data else []
    fresh = {family_of(each) for each in unseen}
    claims = measure_claims([*seen, *unseen, *edited])
    print("\n".join(training_text([*seen, *unseen], claims, fresh)))
    if options.out:
        provenance = {
            "claims": len(seen) + len(unseen) + len(edited),
            "claims_sha256": digest_of([*seen, *unseen, *edited]),
            "command": "python -m coditect_benchmarks.claims train",
            "no_rule_developed_on": sorted(fresh),
        }
        options.out.write_bytes(as_weights(claims, fresh, provenance))
    return 0


def _show(judged: Judged) -> None:
    claim = judged.claim
    print(f"{claim.claim_id} {claim.kind}: {'true' if claim.is_true else 'false'}, called {judged.label}")
    print(f"  claim:    {claim.text}\n  evidence: {' '.join(claim.evidence.split())}")
    for sentence in judged.sentences:
        print(f"  - {sentence.label} {sentence.support_score:.2f}: {sentence.reason}")


if __name__ == "__main__":
    sys.exit(main())
