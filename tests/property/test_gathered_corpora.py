"""Whatever is edited: a build that counts what changed, and takes over what is gathered of the rest, is the build of the files."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from coditect.knowledge.building import material, shares
from coditect.knowledge.building.gathered.checking import check_gathered
from coditect.knowledge.building.gathered.corpus import Gathered
from coditect.knowledge.building.shares import shares_made_again
from coditect.knowledge.labour.handed import ReadItems, forgetting, published_as
from coditect.retrieve.local.replica import Replicas
from coditect.schemas import BuildSettings, Item
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.engine.memory import MemoryEngine
from coditect.tiers.findings.conflicts.likeness import detection
from coditect.tiers.findings.conflicts.opposed import candidates
from coditect.tiers.shares import families, sums, times
from coditect.tiers.shares.arrays import Flags
from coditect.tiers.shares.codes import Codes
from coditect.tiers.shares.meeting import held, pairs
from coditect.tiers.shares.meeting.known import KeptFamily, Together
from coditect.tiers.shares.sums import Sums
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all
from tests.effort import FULL
from tests.property.test_changed_corpora import _document, _edited, _sentence, _settings

SEQUENCES = 200 if FULL else 2
EDITS = 20 if FULL else 6

BOUNDS = ((12, 60), (1, 60), (1, 4))
FAMILIES = (
    [(seed, *each) for seed in range(SEQUENCES) for each in BOUNDS]
    if FULL
    else [(seed, *each) for seed, each in enumerate(BOUNDS)]
)
"""By seed, documents of one pair of parties at most, and entries that are few."""

LARGE = 8
AGREEMENTS = 16
"""Documents at the start, so that a change touches a small part."""

PAIRS = (
    *(("Quarn Ltd", "Vessel Bank plc"), ("Ostrel GmbH", "Tarn Foods Inc"), ("Benholm Ltd", "Ridge Power plc")),
    *(("Calder GmbH", "Lowick Rail Ltd"), ("Morven Inc", "Aldgrove Press plc"), ("Stane Ltd", "Weir Textiles GmbH")),
)


@dataclass
class _Trial:
    """A store that gathers, and how often something was taken over.

    Attributes:
        folder: for files and replicas.
        patch: sets from how many documents on shares are kept.
        sums: builds that began from sums.
        told: conflicts of families whose conflicts were those that were kept.
        pairs: pairs of entries that were taken over.
        dropped: pairs that were not, since what they share is common now.
        read: items that an earlier build had read.
        former: the generation that was built last, as a process that lives on has it open.
        items: what was read of it.
    """

    folder: Path
    patch: pytest.MonkeyPatch
    sums: int = 0
    told: int = 0
    pairs: int = 0
    dropped: int = 0
    read: int = 0
    former: View | None = None
    items: Mapping[str, Item] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.store = Store(MemoryEngine())
        self.replicas = Replicas(self.store, self.folder / "cache")
        before = families._as_they_were

        def as_they_were(
            kept: Sequence[tuple[Together, KeptFamily]], crossed: Codes, counted: Sums
        ) -> list[tuple[Together, KeptFamily]]:
            found = before(kept, crossed, counted)
            self.told += sum(len(own.found) for _, own in found)
            return found

        self.patch.setattr(families, "_as_they_were", as_they_were)
        sharing = pairs.still_sharing

        def still_sharing(*given: Any) -> Flags:  # noqa: ANN401 - what it takes
            found = sharing(*given)
            self.pairs += int(found.sum())
            self.dropped += int((~found).sum())
            return found

        self.patch.setattr(held, "still_sharing", still_sharing)

    def compare(self, name: str, documents: dict[str, str], settings: BuildSettings) -> None:
        """Build the documents here and in a clean store, and hold what comes out against each other."""
        self._keep_from(0)
        gathered = Gathered(self.replicas, self.store, CORPUS)
        gathered.handed.former = self.former
        gathered.handed.memory = ReadItems(self.items) if gathered.is_found else None
        ingest_all(self.store, folder_of(self.folder / name, documents), sync=True)
        found = build_all(self.store, settings=settings, gathered=gathered).build_id
        kept = gathered.kept
        if kept is not None:
            self.sums += gathered.is_found
            assert told_by(kept.sums) == told_by(Sums.of(kept.shares)), name
        view = open_view(self.store, CORPUS)
        gathered.put(view)
        self._hand_on(gathered, view)
        self._keep_from(1_000)
        said: list[tuple[str, str]] = []
        check_gathered(
            Gathered(self.replicas, self.store, CORPUS), view, shares_made_again(view), lambda *own: said.append(own)
        )
        assert not said, name
        fresh = Store(MemoryEngine())
        ingest_all(fresh, folder_of(self.folder / f"clean-{name}", documents), sync=True)
        assert found == build_all(fresh, settings=settings).build_id, name

    def _hand_on(self, gathered: Gathered, view: View) -> None:
        """Hold what a build hands on against what is stored, and keep it for the next one."""
        handed = gathered.handed
        assert handed.draft is not None
        handed_on = forgetting(published_as(self.store, handed.draft, view.generation, handed.sections))
        for name in ("manifest", "entries", "documents", "profiles", "sections"):
            assert getattr(handed_on, name) == getattr(view, name), name
            assert list(getattr(handed_on, name)) == list(getattr(view, name)), name
        now = {} if handed.memory is None else handed.memory.now
        self.read += len(now.keys() & self.items.keys())
        for each, item in now.items():
            assert item == view.find(each)
        self.former, self.items = handed_on, now

    def _keep_from(self, count: int) -> None:
        for each in (shares, material):
            self.patch.setattr(each, "KEPT_FROM", count)


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_builds_after_edits_that_gather_are_builds_of_the_files(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After every edit of a random sequence the build has the id of a clean one, and sums are those of all shares."""
    draw = random.Random(seed)  # noqa: S311 - drawn for a test
    documents = {name: text for name, text in DOCUMENTS.items() if draw.random() < 0.7 or name == "access.md"}
    documents |= {f"made-{number}.md": _document(draw) for number in range(LARGE)}
    settings = _settings(draw)
    monkeypatch.setattr(times, "LEAST_SHARE", draw.choice((1, 8, 10_000)))
    monkeypatch.setattr(families, "MOST_TOGETHER", draw.choice((2, 12)))
    trial = _Trial(tmp_path, monkeypatch)
    for number in range(EDITS):
        trial.compare(f"seed-{seed}-edit-{number}", documents, settings)
        _edited(documents, draw)
        if draw.random() < 0.15:
            settings = _settings(draw)
    assert trial.sums, "nothing was taken over, so that nothing was tried"
    assert trial.read, "nothing that was read before was asked for"


@pytest.mark.parametrize(("seed", "most", "few"), FAMILIES)
def test_builds_after_edits_of_agreements_are_builds_of_the_files(
    seed: int, most: int, few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Among agreements of many pairs of parties, of which those of one pair alone are held against each other.

    Families are looked at as wholes, or part by part; and what is rare becomes common and rare again.
    """
    monkeypatch.setattr(families, "MOST_TOGETHER", most)
    if few < candidates.COMMON:
        for module in (candidates, detection, held, pairs, sums):
            for name in {"COMMON", "COMMON_LIMITS"} & vars(module).keys():
                monkeypatch.setattr(module, name, few)
    draw = random.Random(seed)  # noqa: S311 - drawn for a test
    documents = {f"{number}.md": _agreement(draw) for number in range(AGREEMENTS)}
    trial = _Trial(tmp_path, monkeypatch)
    settings = BuildSettings(today="2026-01-01", max_topics=3)
    for number in range(EDITS):
        trial.compare(f"seed-{seed}-edit-{number}", documents, settings)
        name = draw.choice(sorted(documents))
        lines = documents[name].split("\n\n")
        if number % 2:  # the same sentences in another order: no word weighs otherwise
            lines[2:] = draw.sample(lines[2:], len(lines) - 2)
        else:
            lines[draw.randrange(2, len(lines))] = _sentence(draw)
        documents[name] = "\n\n".join(lines)
        if not number % 4:
            documents[f"{draw.randrange(AGREEMENTS + 2)}.md"] = _agreement(draw)
    assert trial.told, "no conflict was taken over, so that nothing was tried"
    if most < 12:
        assert trial.pairs, "no pair of entries was taken over"
    if few < 60:
        assert trial.dropped, "nothing became common"


def _agreement(draw: random.Random) -> str:
    """Between one of few pairs of parties."""
    one, two = draw.choice(PAIRS)
    intro = f"This Agreement is made between {one} (the “Supplier”) and {two} (the “Customer”)."
    lines = [f"{number}. {_sentence(draw)}" for number in range(1, draw.randint(6, 14))]
    return "\n\n".join(("# Supplier Agreement", intro, *lines))


def told_by(sums: Sums) -> object:
    """What sums tell, whatever runs their times lie in."""
    told = []
    for own in (sums.said, sums.words, sums.found):
        codes = sorted({code for run in own.runs for code in run.codes.tolist()})
        told.append([(code, count) for code in codes if (count := own.of(code))])
    return told, sums.statements, sums.requirements, sums.documents
