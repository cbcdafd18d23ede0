"""``coditect-verify BUNDLE --key FILE``: reads what is trusted, checks, prints, and says by its exit code what came out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from coditect_verify.hops import Trust, Verification, verify_bundle
from coditect_verify.log import Checkpoint, Key, Wrong, must

__all__ = ["main"]

HOLDS, WRONG, USAGE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Returns:
        0: what was checked holds (read what was not checked); 1: something is wrong; 2: the command cannot be carried out.
    """
    parser = argparse.ArgumentParser(
        prog="coditect-verify",
        description="Check an evidence bundle offline. Exit code 0: what was checked holds; 1: something is wrong; 2: usage.",
    )
    parser.add_argument("bundle", type=Path)
    parser.add_argument(
        "--key", action="append", default=[], help="a key of the log, as text (name+id+key) or a file of it"
    )
    parser.add_argument("--checkpoint", type=Path, help="a checkpoint of the log that you keep")
    parser.add_argument("--witness", action="append", default=[], help="a witness' key; may be repeated")
    parser.add_argument("--quorum", type=int, help="how many of the witnesses must have cosigned; default: all")
    parser.add_argument("--signer", action="append", default=[], help="a person's key; may be repeated")
    parser.add_argument("--tsa", type=Path, help="certificates of the time stamp authority, PEM")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    given = parser.parse_args(arguments)
    try:
        trust = Trust(
            log_keys=[_key(each) for each in given.key],
            kept=Checkpoint.parse(given.checkpoint.read_text("utf-8")) if given.checkpoint else None,
            witnesses=[_key(each) for each in given.witness],
            quorum=len(given.witness) if given.quorum is None else given.quorum,
            people=[_key(each) for each in given.signer],
            authority=given.tsa.read_bytes() if given.tsa else b"",
        )
        must(trust.log_keys, "give --key: a proof by a checkpoint whose signature nobody checks proves nothing")
        must(given.bundle.is_file(), f"there is no file {given.bundle}")
        must(trust.quorum <= len(trust.witnesses), "--quorum asks for more witnesses than were given")
    except (Wrong, OSError, UnicodeDecodeError) as error:
        print(f"coditect-verify: {error}", file=sys.stderr)
        return USAGE
    found = verify_bundle(given.bundle, trust)
    print(_json(found) if given.format == "json" else _text(found))
    return HOLDS if found.holds else WRONG


def _key(given: str) -> Key:
    """A key that was given as text, or as a file that holds it."""
    path = Path(given)
    return Key.parse(path.read_text("utf-8") if "+" not in given or path.is_file() else given)


def _json(found: Verification) -> str:
    told = {"holds": found.holds, **asdict(found)}
    told["not_checked"] = told.pop("unchecked")
    return json.dumps(told, ensure_ascii=False, indent=2)


def _text(found: Verification) -> str:
    verdict = f"{len(found.hops)} hops hold" if found.holds else f"WRONG: {len(found.causes)} of {len(found.hops)} hops"
    lines = [f"{found.subject or 'bundle'}: {verdict}; {len(found.unchecked)} things were not checked."]
    lines += dict.fromkeys(f"  because of {each.kind} {each.subject}: {each.detail}" for each in found.causes)
    for each in found.hops:
        lines += ["", f"{'holds' if each.holds else 'WRONG':6}{each.kind:16}{each.subject}"]
        lines += [f"{'':22}{each.detail}"] if each.detail else []
    lines += ["", *(f"order   {each}" for each in found.order)]
    return "\n".join([*lines, "", "Not checked:", *(f"  - {each}" for each in found.unchecked)])
