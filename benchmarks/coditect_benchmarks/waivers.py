"""Whether the register of exceptions reads who is excused from what, and passes over what only sounds like it.

usage: python -m coditect_benchmarks.waivers [--texts FOLDER ...] [--json FILE]

Two sets, both labelled by who wrote the rules (ADR 80). ``waivers_gold.json`` was written before the rules: sentences and rows
with what they say, and look-alikes. ``waivers_read.json`` has the labels of sentences of real texts, without the texts: CUAD's
contracts, handbooks, policies, by-laws and minutes of public repositories, and the exemption orders among Canada's regulations
(remissions of money left out), drawn with a seed among the sentences that have a word for it. Of each it has the half that its
file's name decides, its place, the SHA-1 of its words, and a label: "granted", "rule" (in the half "report" alone), "unclear",
which counts nowhere, or "none". ``--texts`` names folders in which the files lie, as text, Markdown or Justice Canada's XML;
sentences that are not found are left out and counted. The half "report" was read and labelled before anything was run on it; the
figures of that first run are in ADR 80, and what it showed was mended since.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lxml import etree

from coditect.documents.profile.waivers.facts import WaiverFact
from coditect.documents.profile.waivers.rows import RegisterLine, read_rows
from coditect.documents.profile.waivers.sentence import waiver_fact

__all__ = ["FIELDS", "main", "read_gold", "score_read", "score_written", "sentences_of"]

FOLDER = Path(__file__).parent
FIELDS = ("kind", "holder", "provision", "by", "granted", "until", "length", "condition")
_NAMES = frozenset(("holder", "provision", "by", "condition"))
_ARTICLE = re.compile(r"^(?:the|our)\s+")
_SENTENCE = re.compile(r"(?<=[.;:!?])\s+(?=[A-Z(\"“*#\-•])|\n\s*\n|\n(?=\s*[-*•|#\d])")
_ORDER = re.compile(r"(?<=[.;])\s+(?=[A-Z(])")


def read_gold() -> dict[str, list[dict[str, Any]]]:
    """What was written before the rules: ``granted`` and ``look_alikes``."""
    found: dict[str, list[dict[str, Any]]] = json.loads((FOLDER / "waivers_gold.json").read_text("utf-8"))
    return found


def score_written(gold: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """How many of the exceptions are read, how many fields of these are right, and how many look-alikes are told.

    A row counts twice: with its labels printed in it, and below them. A name is right where it holds the label or the label it,
    articles aside; an end that has to be counted from another day is right where its length is.
    """
    right: Counter[str] = Counter()
    found = asked = invented = alike = 0
    for each in gold["granted"]:
        for fact in _read(each):
            asked += 1
            if fact is not None:
                found += 1
                right.update(field for field in FIELDS if _is_right(field, fact, each))
    for each in gold["look_alikes"]:
        for fact in _read(each):
            alike += 1
            invented += fact is not None and fact.decision != "rule"
    return {"asked": asked, "found": found, "right": dict(right), "look_alikes": alike, "invented": invented}


def _read(each: Mapping[str, Any]) -> Iterator[WaiverFact | None]:
    if "row" not in each:
        fact = waiver_fact(each["text"])
        yield fact
        return
    head, row = each["header"], each["row"]
    labelled = " | ".join(f"{label}: {cell}" for label, cell in zip(head, row, strict=True) if cell)
    for printed in (labelled, " | ".join(row)):
        rows = read_rows([RegisterLine(" | ".join(head), ""), RegisterLine(printed, "")])
        yield next((fact for fact, _, _ in rows), None)


def _is_right(field: str, fact: WaiverFact, gold: Mapping[str, Any]) -> bool:
    told = str(getattr(fact, field) or "")
    if field == "until":
        told = fact.until or ("open" if fact.is_open else "")
        return bool(told == gold["until"] or (not told and fact.length is not None))
    if field not in _NAMES:
        return bool(told == gold[field])
    ours, theirs = (_ARTICLE.sub("", each.casefold().strip()) for each in (told, gold[field]))
    return ours == theirs or bool(ours and theirs and (ours in theirs or theirs in ours))


def sentences_of(file: Path) -> Iterator[str]:
    """The sentences of a file, white space collapsed; of Justice Canada's XML those of its sections."""
    if file.suffix == ".xml":
        for section in etree.parse(file).iterfind(".//Body//Section"):
            words = " ".join(" ".join("".join(map(str, each.itertext())).split()) for each in section.iter("Text"))
            yield from (" ".join(each.split()) for each in _ORDER.split(words.strip()))
        return
    yield from (" ".join(each.split()) for each in _SENTENCE.split(file.read_text("utf-8", errors="replace")))


def score_read(labels: Sequence[Sequence[str]], folders: Sequence[Path], half: str) -> dict[str, int]:
    """How many labelled exceptions of real texts are read, how many are told of other sentences, and how many rules are read."""
    wanted = {digest: label for side, _, digest, label in labels if side == half}
    texts: dict[str, str] = {}
    for folder in folders:
        for file in sorted(each for suffix in (".txt", ".md", ".xml") for each in folder.rglob(f"*{suffix}")):
            for sentence in sentences_of(file):
                digest = hashlib.sha1(sentence.encode(), usedforsecurity=False).hexdigest()[:16]
                if digest in wanted:
                    texts.setdefault(digest, sentence)
    counts: Counter[str] = Counter(absent=len(wanted) - len(texts))
    for digest, sentence in texts.items():
        label, fact = wanted[digest], waiver_fact(sentence)
        counts[f"labelled {label}"] += 1
        counts[f"{label} told as {'nothing' if fact is None else fact.decision}"] += 1
    return dict(sorted(counts.items()))


def main(argv: Sequence[str] | None = None) -> None:
    """Count, and print; see the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, nargs="*", default=[], help="folders of the files that were read")
    parser.add_argument("--json", type=Path, help="write the counts there, too")
    given = parser.parse_args(argv)
    told: dict[str, Any] = {"written": score_written(read_gold())}
    if given.texts:
        labels = json.loads((FOLDER / "waivers_read.json").read_text("utf-8"))
        told |= {half: score_read(labels, given.texts, half) for half in ("develop", "report")}
    print(json.dumps(told, indent=1))
    if given.json:
        given.json.write_text(json.dumps(told, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
