"""Edits of documents that no earlier draw of edits took any from: what of them would be published, by kind, genre and document.

usage: python -m coditect_benchmarks.tier4.fresh --data ../shared/data --reason "..." --json FILE
       [--rulebooks FOLDER] [--against FILE] [--seed N]

A draw that was looked at chooses changes, so a change that was chosen by one draw is judged by another: other seeds, and documents
that neither :mod:`coditect_benchmarks.tier4.told` nor the training of the second reader took a sentence from. Every run writes a
line into ``OPENINGS.md`` first. The file of figures holds names and labels, no text.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from coditect.verify.staged.stages import assess
from coditect_benchmarks.claims.edited import trained_documents
from coditect_benchmarks.edits.pairs import EditPair, generate
from coditect_benchmarks.edits.source import documents
from coditect_benchmarks.gold.scoring import wilson
from coditect_benchmarks.retrieval.adapters_rulebooks import DEVELOPMENT
from coditect_benchmarks.tier4.calibrate import mixed
from coditect_benchmarks.tier4.told import MINIMUM
from coditect_benchmarks.verification.figures import Estimate, bootstrap

__all__ = ["FreshVerdict", "differences", "draw", "shares"]

SEED = 47
COUNT = 2000
"""Edits of each genre, of both families of templates."""
_TOLD = 2000
"""Edits that the draw before this one made (``tier4 --told``)."""
_OPENINGS = Path(__file__).with_name("OPENINGS.md")

Key: TypeAlias = tuple[str, str, str, str, int]


@dataclass(frozen=True, slots=True)
class FreshVerdict:
    """What became of one edit.

    Attributes:
        genre: of the document.
        document: the file's name.
        label: "contradicted", "faithful", "absent" (faithful, its source not among the evidence) or "exchanged" (a subject with the
            predicate of another sentence).
        kind: of the edit.
        number: of this kind in the draw, so that two runs can be compared case by case.
        verdict: supported, needs_review or unsupported.
    """

    genre: str
    document: str
    label: str
    kind: str
    number: int
    verdict: str

    @property
    def key(self) -> Key:
        """Names the edit in every run of the draw."""
        return self.genre, self.document, self.label, self.kind, self.number


def genres(data: Path, rulebooks: Path | None) -> dict[str, list[Path]]:
    """The files that are drawn from, by genre: none that edits were drawn from before.

    Args:
        data: the folder of real material.
        rulebooks: the texts of regulatory rulebooks; only those for development are read.
    """
    known = documents(data)
    taken = {pair.document for pair in generate(known, _TOLD)} | trained_documents(data)
    rest = [path for path in known if path.name not in taken]
    return {
        "contracts": [path for path in rest if path.suffix == ".txt"],
        "regulations": [path for path in rest if path.suffix == ".xml"],
        "policies": sorted((data / "policies").rglob("*.md*")),
        "controls": sorted(path for path in (data / "nist").glob("NIST*") if path.suffix in (".json", ".xml")),
        "filings": sorted((data / "pdf").glob("*.pdf")),
        "rulebooks": sorted(
            path for path in (rulebooks or data / "-").glob("*.txt") if path.stem in DEVELOPMENT.values()
        ),
    }


def draw(
    files: Mapping[str, Sequence[Path]], seed: int, count: int = COUNT
) -> Iterator[tuple[str, str, str, EditPair]]:
    """Genre, label, claim and the edit that it is made of.

    Args:
        files: by genre.
        seed: of the choice.
        count: edits of each genre; fewer come where the sentences do not give more.
    """
    for genre, paths in files.items():
        for pair in generate(paths, count, seed):
            yield genre, pair.label, pair.claim, pair
            if pair.label == "faithful":
                yield genre, "absent", pair.claim, pair
                others = tuple(each for each in pair.evidence if each != pair.source)
                for claim in mixed(pair.source, others):
                    yield genre, "exchanged", claim, pair


def _judged(cases: Iterator[tuple[str, str, str, EditPair]]) -> Iterator[FreshVerdict]:
    for number, (genre, label, claim, pair) in enumerate(cases):
        evidence = pair.evidence
        if label == "absent":
            evidence = tuple(each for each in evidence if each != pair.source)
        kind = pair.kind if label in ("contradicted", "faithful") else label
        yield FreshVerdict(genre, pair.document, label, kind, number, assess(claim, evidence, MINIMUM).label)


def _all(indices: npt.NDArray[np.int64], values: npt.NDArray[np.float64]) -> float:
    return float(values[indices].mean())


def _resampled(values: Sequence[float], groups: Sequence[str]) -> Estimate:
    given = np.array(values, dtype=np.float64)
    return bootstrap(lambda drawn: _all(drawn, given), np.array(groups))


def shares(found: Sequence[FreshVerdict], by: Callable[[FreshVerdict], str]) -> Iterator[str]:
    """A line for each group of each label: how many, shares of the three verdicts, and two intervals of the supported."""
    for label, name in sorted({(each.label, by(each)) for each in found}):
        same = [each for each in found if (each.label, by(each)) == (label, name)]
        given = [float(each.verdict == "supported") for each in same]
        low, high = wilson(int(sum(given)), len(given)) or (0.0, 1.0)
        drawn = _resampled(given, [each.document for each in same])
        rest = "  ".join(f"{sum(each.verdict == one for each in same):5}" for one in ("needs_review", "unsupported"))
        yield (
            f"{label:13}{name:22}{len(same):6}{int(sum(given)):6}  {rest}  {sum(given) / len(given):6.1%} "
            f"({low:.1%} to {high:.1%}; by document {drawn.low:.1%} to {drawn.high:.1%})"
        )


def differences(before: Sequence[FreshVerdict], after: Sequence[FreshVerdict]) -> Iterator[str]:
    """Of each label how the share of supported edits changed, on the same edits, with documents resampled."""
    old = {each.key: each for each in before}
    for label in sorted({each.label for each in after}):
        same = [(old[each.key], each) for each in after if each.label == label]
        change = [float(b.verdict == "supported") - float(a.verdict == "supported") for a, b in same]
        drawn = _resampled(change, [b.document for _, b in same])
        more, fewer = sum(each > 0 for each in change), sum(each < 0 for each in change)
        yield (
            f"{label:13}{len(same):6}  supported now {more}, no longer {fewer}: "
            f"{100 * drawn.value:+.2f} points ({100 * drawn.low:+.2f} to {100 * drawn.high:+.2f})"
        )


def main() -> None:
    """Log, draw, check and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rulebooks", type=Path)
    parser.add_argument("--reason", required=True, help="why the draw is opened; written into OPENINGS.md")
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--against", type=Path, help="the file of an earlier run on the same draw")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    _log(options.reason, options.seed)
    found = list(_judged(draw(genres(options.data, options.rulebooks), options.seed)))
    options.json.write_text("".join(f"{json.dumps(asdict(each))}\n" for each in found))
    for title, by in (
        ("", lambda _: "all"),
        ("by genre", lambda each: each.genre),
        ("by kind", lambda each: each.kind),
    ):
        print(f"\n{title}: supported, left, refused", *shares(found, by), sep="\n")
    if options.against:
        before = [FreshVerdict(**json.loads(line)) for line in options.against.read_text().splitlines()]
        print("\nagainst the earlier run", *differences(before, found), sep="\n")


def _log(reason: str, seed: int) -> None:
    command = ["git", "-C", str(_OPENINGS.parent), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    with _OPENINGS.open("a", encoding="utf-8") as file:
        file.write(f"| {datetime.now(UTC):%Y-%m-%d} | {commit} | {seed} | {reason} |\n")


if __name__ == "__main__":
    main()
