"""``coditect-verify BUNDLE --key FILE``: reads what is trusted, checks, prints, and says by its exit code what came out."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from zipfile import is_zipfile

from coditect_verify.hops import verify_bundle
from coditect_verify.log import COSIGNATURE, ED25519, Checkpoint, Key, Wrong, must
from coditect_verify.result import Trust, Verification
from coditect_verify.timestamps import are_certificates, can_verify

HOLDS, WRONG, USAGE = 0, 1, 2
EXIT_CODES = "Exit code 0: what was checked holds; 1: something is wrong; 2: the command cannot be carried out."
MANY = frozenset({"section", "quote", "extraction", "chunk", "intake", "text", "file"})
"""Kinds of hops that are counted where they hold: there may be thousands."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and give its exit code."""
    parser = argparse.ArgumentParser("coditect-verify", description=f"Check an evidence bundle offline. {EXIT_CODES}")
    parser.add_argument("bundle", type=Path)
    for name, of in ("--key", "a key of the log"), ("--witness", "a witness' key"), ("--signer", "a person's key"):
        shown = f"{of}, as text (name+id+key) or a file of it; may be repeated"
        parser.add_argument(name, action="append", default=[], type=_key, help=shown)
    parser.add_argument("--quorum", type=int, help="how many of the witnesses must have cosigned; default: all")
    parser.add_argument("--checkpoint", type=_checkpoint, help="a checkpoint of the log that you keep")
    parser.add_argument("--tsa", type=_file, default=b"", help="certificates of the time stamp authority, PEM")
    parser.add_argument("--save-checkpoint", type=Path, help="where to keep the log's checkpoint for the next time")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    try:
        given = parser.parse_args(arguments)
        quorum = len(given.witness) if given.quorum is None else given.quorum
        must(given.key, "give --key: a proof by a checkpoint whose signature nobody checks proves nothing")
        must(given.bundle.is_file(), f"there is no file {given.bundle}")
        must(is_zipfile(given.bundle), f"{given.bundle} is no bundle: nothing was checked")
        least, most = min(1, len(given.witness)), len(given.witness)
        must(least <= quorum <= most, f"--quorum {quorum}: of {most} witnesses from {least} to {most} can be asked for")
        for option, algorithm in {"key": ED25519, "signer": ED25519, "witness": COSIGNATURE}.items():
            keys = getattr(given, option)
            other = next((key.name for key in keys if key.algorithm != algorithm), None)
            must(other is None, f"--{option}: {other} is a key of another kind")
            must(len(keys) == len(set(keys)), f"--{option}: a key is given twice")
        kept = given.checkpoint
        save = given.save_checkpoint
        compared = kept is not None and save and save.is_file() and save.read_bytes() == kept.note.encode()
        must(compared or not save or not save.exists(), f"{save} is there, and not the --checkpoint: give another name")
        must(kept is None or kept.signed_by(given.key), "--checkpoint: no key that you gave with --key signed it")
        must(can_verify() or not given.tsa, "--tsa needs the library of coditect-verify[timestamp]")
        must(not given.tsa or are_certificates(given.tsa), "--tsa: not certificates in PEM")
    except (Wrong, OSError) as error:
        print(f"coditect-verify: {error}", file=sys.stderr)
        return USAGE
    trust = Trust(given.key, given.checkpoint, given.witness, quorum, given.signer, given.tsa)
    found = verify_bundle(given.bundle, trust)
    with suppress(AttributeError):  # a program may have put something else in the place of what is printed to
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    with suppress(BrokenPipeError):  # whoever reads has seen enough
        print(_json(found) if given.format == "json" else _text(found), flush=True)
    if save and found.holds:
        try:
            save.write_text(found.checkpoint, "utf-8")
        except OSError as error:
            print(f"coditect-verify: the checkpoint is not kept: {error}", file=sys.stderr)
            return USAGE
        print(f"The log's checkpoint is kept in {save}.", file=sys.stderr)
    return HOLDS if found.holds else WRONG


def _key(given: str) -> Key:
    """A key that was given as text, or as a file that holds it."""
    path = Path(given)
    must("+" in given or path.is_file(), f"there is no file {given}, nor is it a key as text: name+id+key")
    text = path.read_text("utf-8", "replace") if "+" not in given or path.is_file() else given
    try:
        return Key.parse(text)
    except Wrong as error:
        raise Wrong(f"{error}, in {given}" if given != text else str(error)) from error


def _checkpoint(given: str) -> Checkpoint:
    return Checkpoint.parse(_file(given).decode("utf-8", "replace"), f"the checkpoint in {given}")


def _file(given: str) -> bytes:
    must(Path(given).is_file(), f"there is no file {given}")
    return Path(given).read_bytes()


def _json(found: Verification) -> str:
    told = {name: each for name, each in asdict(found).items() if name not in ("known", "checkpoint")}
    told |= {"holds": found.holds, "causes": list(map(asdict, found.causes)), "not_checked": told.pop("unchecked")}
    return json.dumps(told, ensure_ascii=False, indent=2)


def _plain(line: str) -> str:
    """A line in which nothing of a bundle can begin another one, hide one or turn letters around: such signs are named."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line)


def _text(found: Verification) -> str:
    """The outcome and its causes, each once; what holds, by kind; the order; what was not checked."""
    held = [each for each in found.hops if each.holds]
    verdict = f"WRONG: {len(found.hops) - len(held)} of {len(found.hops)} hops"
    verdict = f"all {len(held)} hops hold" if found.holds else verdict
    left = len(found.unchecked)
    says = f", “{found.says}”" if found.says and not found.holds else ""
    things = f"{left} {'thing was' if left == 1 else 'things were'} not checked"
    lines = [f"{found.subject or 'bundle'}{says}: {verdict}; {things}."]
    lines += [f"WRONG   {each.kind} {each.subject}: {each.detail}" for each in found.causes]
    resting = [f"{each.kind} {each.subject}" for each in found.hops if not each.holds and each not in found.causes]
    shown = ", ".join(resting[:3]) + (", … (--format json has all)" if len(resting) > 3 else "")
    lines += [f"        {len(resting)} more that rest on what is wrong: {shown}"] if resting else []
    for kind in dict.fromkeys(each.kind for each in held):
        hops = [each for each in held if each.kind == kind]
        each_told = [f"holds   {kind} {each.subject}: {each.detail}".removesuffix(": ") for each in hops]
        lines += [f"holds   {kind}: {len(hops)}"] if kind in MANY else each_told
    lines += [f"order   {each}" for each in found.order]
    return "\n".join(map(_plain, [*lines, "Not checked:", *(f"  - {each}" for each in found.unchecked)]))
