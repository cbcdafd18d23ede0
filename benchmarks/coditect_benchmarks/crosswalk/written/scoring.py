"""The written pairs, the documents that they make, and what a crosswalk says of each."""

from __future__ import annotations

import csv
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from coditect.compose import open_knowledge
from coditect.knowledge.report.crosswalk.assembly import best_first, compare_with_framework
from coditect.knowledge.service import Knowledge
from coditect.models.wordllama.embedder import WordLlamaEmbedder
from coditect.schemas import BuildSettings
from coditect.schemas.crosswalk import CrosswalkEvidence
from coditect.settings import Settings

__all__ = ["FAMILIES", "LOUD", "WrittenPair", "looked_at", "read_written", "told_of"]

FAMILIES = ("law", "table")
LOUD = frozenset(("meets", "looser", "stricter", "contradicts"))
"""Labels by which somebody acts; a wrong one of these is worse than a quiet one."""

_QUIET = frozenset(("partly", "mentions", "no evidence"))
_SEED = 20
_FILE = Path(__file__).with_name("pairs.txt")


@dataclass(frozen=True, slots=True)
class WrittenPair:
    """A requirement and what a house says.

    Attributes:
        number: in the file, from 0.
        family: a law in paragraphs, or a table of controls.
        name: what it tries.
        right: labels that are right.
        title: of the requirement.
        paragraphs: of the requirement; the last one is judged.
        paper: title of the house's document.
        says: its sentence.
    """

    number: int
    family: str
    name: str
    right: frozenset[str]
    title: str
    paragraphs: tuple[str, ...]
    paper: str
    says: str

    @property
    def document(self) -> str:
        """Name of the house's document."""
        return f"paper-{self.number:02}.md"

    @property
    def requirement(self) -> str:
        """The paragraph that is judged."""
        return self.paragraphs[-1]


def read_written() -> list[WrittenPair]:
    """The pairs, in the order of the file."""
    lines = [each for each in _FILE.read_text("utf-8").splitlines() if each.strip() and not each.startswith("#")]
    return [_pair(number, line) for number, line in enumerate(lines)]


def _pair(number: int, line: str) -> WrittenPair:
    family, name, right, title, asked, paper, says = (part.strip() for part in line.split(" || "))
    labels = _QUIET if right == "quiet" else frozenset(right.split("|"))
    return WrittenPair(number, family, name, labels, title, tuple(asked.split("\\n")), paper, says)


def looked_at(pairs: Sequence[WrittenPair]) -> frozenset[int]:
    """Numbers of the pairs that whoever writes rules may look at: half of each family, drawn by seed."""
    draw = random.Random(_SEED)  # noqa: S311 - a sample, no secret
    found: set[int] = set()
    for family in FAMILIES:
        own = [each.number for each in pairs if each.family == family]
        found.update(draw.sample(own, len(own) // 2))
    return frozenset(found)


def told_of(pairs: Sequence[WrittenPair], folder: Path) -> dict[int, CrosswalkEvidence | None]:
    """The best evidence of each pair's own document for its requirement, by number; None where there is none.

    Each family is one framework, compared with all papers of the house at once, as a desk does it.

    Args:
        pairs: of the file.
        folder: an empty one, for documents and store.

    Raises:
        LookupError: a requirement is no row of its framework.
    """
    found: dict[int, CrosswalkEvidence | None] = {}
    with open_knowledge(Settings(store=f"lmdb://{folder / 'store'}", cache=folder / "cache")) as knowledge:
        for family in FAMILIES:
            own = [each for each in pairs if each.family == family]
            if own:
                _written(own, family, folder)
                for corpus in (family, f"{family}-house"):
                    knowledge.ingest(corpus, [folder / corpus])
                    knowledge.build(corpus, BuildSettings())
                found |= _compared(own, family, knowledge)
    return found


def _compared(own: Sequence[WrittenPair], family: str, knowledge: Knowledge) -> dict[int, CrosswalkEvidence | None]:
    view, house = knowledge.view(family, None), knowledge.view(f"{family}-house", None)
    compared = compare_with_framework(view, house, WordLlamaEmbedder())
    rows = defaultdict(list)
    for number, part in enumerate(compared.framework.parts):
        rows[part.title.partition(" / ")[0]].append((number, part.text))
    found: dict[int, CrosswalkEvidence | None] = {}
    for each in own:
        # Of a sentence that lays down several duties each clause is a row.
        numbers = [number for number, text in rows[each.title] if text in each.requirement]
        if not numbers:
            raise LookupError(f"no row of the framework is “{each.requirement}” under “{each.title}”")
        said = [one for n in numbers for one in compared.evidence.get(n, []) if one.document == each.document]
        found[each.number] = min(said, key=best_first, default=None)
    return found


def _written(own: Sequence[WrittenPair], family: str, folder: Path) -> None:
    """The documents of a family: one law or one table, and a paper of the house for each pair."""
    framework, house = folder / family, folder / f"{family}-house"
    framework.mkdir(parents=True)
    house.mkdir(parents=True)
    if family == "law":
        sections = [f"## {each.title}\n\n" + "\n\n".join(each.paragraphs) + "\n" for each in own]
        (framework / "part-7.md").write_text("# Part 7 Waterworks\n\n" + "\n".join(sections), "utf-8")
    else:
        with (framework / "controls.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("Control ID", "Title", "Requirement"))
            writer.writerows((f"C-{each.number:02}", each.title, each.requirement) for each in own)
    for each in own:
        (house / each.document).write_text(f"# {each.paper}\n\n## 1 Rules\n\n1.1 {each.says}\n", "utf-8")
