"""``python -m coditect_benchmarks.work_list``: which of the planted sentences the work list names, and what it names wrongly.

``--root`` is a copy of the public repository ``cfpb/regulations-xml``. With ``--llm`` a model reads, too, as ``coditect knowledge
changes --llm claude`` has it: the service that the environment names, or a stand-in for it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from coditect.compose import open_knowledge
from coditect.knowledge.cases.comparing import read_work_list, states_compared
from coditect.schemas import BuildSettings, CorpusChanges
from coditect.settings import Settings
from coditect_benchmarks.work_list.planted import (
    AMENDMENTS,
    WORDS,
    PlantedSentence,
    planted_sentences,
    versions_of,
    write_policies,
)

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is named of one part."""
    parser = argparse.ArgumentParser(prog="coditect_benchmarks.work_list", description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--part", choices=sorted(AMENDMENTS), required=True)
    parser.add_argument("--words", choices=WORDS, default="own", help="how near to the regulation's the words are")
    parser.add_argument("--llm", action="store_true", help="a model reads the statements, too")
    parser.add_argument("--rows", action="store_true", help="print each sentence that is missed or named wrongly")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        changes = _changes(given.root, given.part, given.words, Path(folder), llm=given.llm)
    for told in changes.unread:
        print(f"not read: {told}", file=sys.stderr)
    named = {" ".join(each.text.split()) for each in changes.affected if each.kind in ("statement", "reference")}
    sentences = list(planted_sentences(given.part, given.words))
    found = [each for each in sentences if _is_named(each, named)]
    resting = [each for each in sentences if each.label]
    right = [each for each in found if each.label]
    print(
        f"{given.part}: {len(right)} of {len(resting)} named, {len(found) - len(right)} of {len(sentences) - len(resting)} wrongly"
    )
    if given.rows:
        for each in sentences:
            if bool(each.label) != (each in found):
                print("missed" if each.label else "wrongly", each.label, each.text, sep=" | ")
    return 0


def _changes(root: Path, part: str, words: str, folder: Path, *, llm: bool) -> CorpusChanges:
    """The changes of a store in which only the regulation was replaced."""
    policies, regulation = folder / "policies", folder / "regulation" / f"{part}.xml"
    regulation.parent.mkdir()
    write_policies(part, policies, words)
    settings = Settings(store=f"lmdb://{folder / 'store'}", cache=folder / "cache", llm="none")
    with open_knowledge(settings) as knowledge:
        for version in versions_of(root, part):
            regulation.write_bytes(version.read_bytes())
            knowledge.ingest("bank", [policies, regulation.parent])
            knowledge.build("bank", BuildSettings())
    with open_knowledge(settings.model_copy(update={"llm": "claude" if llm else "none"})) as knowledge:
        states = states_compared(knowledge, "bank")
        return read_work_list(knowledge, states)[0] if llm else states.changes


def _is_named(sentence: PlantedSentence, named: set[str]) -> bool:
    """Whether an item of the work list is the sentence, or a part of it."""
    plain = " ".join(sentence.text.split())
    return any(each in plain or plain in each for each in named)


if __name__ == "__main__":
    sys.exit(main())
