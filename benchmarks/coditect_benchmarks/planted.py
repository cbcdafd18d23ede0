"""What of the planted contradictions and gaps of the sample corpus comes to light in claims, and what else is told.

A claim is told where it is published, or possible: what rules alone find and leave to a person. A contradiction is found by a
conflict claim whose quotes hold its texts from at least two of its files; a gap by a conflict or gap claim that quotes one of its
texts, or that names all of its files where the gap is that nothing is said. Run ``python -m coditect_benchmarks.planted``; with
``--folder PATH`` another corpus is built and its claims are listed for reading.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.ingest.intake import ingest
from coditect.knowledge.review.doubts import is_possible, possible_in
from coditect.sample import sample_folder
from coditect.schemas import BuildSettings, Claim
from coditect.store.store import Store
from coditect.store.view import View, open_view

__all__ = ["Report", "measure", "view_of"]

FEWEST_FILES = 2
"""Files whose planted texts a conflict claim must quote."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was found.

    Attributes:
        found: claim text by planted id, "" where none was found.
        unplanned: conflict and gap claims that match nothing planted.
        told: conflict and gap claims.
        filtered: (claim, reason) of everything that was refused.
    """

    found: dict[str, str]
    unplanned: tuple[str, ...]
    told: int
    filtered: tuple[tuple[str, str], ...]

    def count(self, letter: str) -> tuple[int, int]:
        """(found, planted) of the contradictions ("C") or gaps ("G")."""
        own = [text for planted, text in self.found.items() if planted.startswith(letter)]
        return sum(map(bool, own)), len(own)


TELLING = ("conflict", "stricter", "gap", "standing")
"""Kinds of claims that bring something to light."""

SAMPLE_DAY = "2026-09-30"
"""The day as of which the sample corpus is to be read."""


def view_of(folder: Path, paths: Sequence[Path], settings: BuildSettings | None = None) -> View:
    """A corpus built from some paths in a store under ``folder``."""
    store = Store(LmdbEngine(folder / "planted"))
    ingest(store, "planted", list(paths))
    build(store, "planted", settings or BuildSettings(today=SAMPLE_DAY))
    return open_view(store, "planted")


def planted_items() -> list[dict[str, Any]]:
    """What is planted, from the sample's own list."""
    found: list[dict[str, Any]] = json.loads((sample_folder().parent / "planted.json").read_text("utf-8"))["planted"]
    return found


def measure(view: View) -> Report:
    """Match conflict and gap claims with what is planted."""
    claims = [*(view.claims[each] for each in view.summary.claims), *possible_in(view)]
    telling = [claim for claim in claims if claim.claim_kind in TELLING]
    items = planted_items()
    matches = {item["id"]: [claim for claim in telling if _brings_to_light(claim, item, view)] for item in items}
    matched = {claim.claim_id for found in matches.values() for claim in found}
    return Report(
        found={planted: found[0].text if found else "" for planted, found in matches.items()},
        unplanned=tuple(claim.text for claim in telling if claim.claim_id not in matched),
        told=len(telling),
        filtered=tuple(
            (view.claims[e].text, view.verdicts[e].filter_reason)
            for e in view.summary.filtered
            if not is_possible(view.verdicts[e])
        ),
    )


def _plain(text: str) -> str:
    return " ".join(text.split())


def _brings_to_light(claim: Claim, item: dict[str, Any], view: View) -> bool:
    quoted: dict[str, str] = {}
    for name, text in _quotes(claim, view):
        quoted[name] = f"{quoted.get(name, '')} {text}"
    files = {
        anchor["file"] for anchor in item["anchors"] if _plain(anchor["text"]) in _plain(quoted.get(anchor["file"], ""))
    }
    if item["kind"] == "contradiction":
        return claim.claim_kind in ("conflict", "stricter") and len(files) >= FEWEST_FILES
    if "No review interval" in item["topic"]:
        return claim.claim_kind == "gap" and item["files"][0] in claim.recipe.get("result", {}).get("without", ())
    return claim.claim_kind == "gap" and bool(files) and _says(claim, item)


_TELLING = {
    "Document that": "not in the corpus",
    "Section that": "last one",
    "Clause that": "last one",
    "Contract deadline": "deadline",
}
"""Words of a claim on such a gap: a quoted row holds many things."""


def _says(claim: Claim, item: dict[str, Any]) -> bool:
    wanted = next((word for start, word in _TELLING.items() if item["topic"].startswith(start)), "")
    return wanted in claim.text if wanted else not any(word in claim.text for word in ("not in the corpus", "last one"))


def _quotes(claim: Claim, view: View) -> Iterable[tuple[str, str]]:
    sections = {section.section_id: section for section in view.sections}
    for source in claim.citations:
        part = sections[source.section_id].content[source.part]
        if part.citation is not None:
            yield part.citation.document_name, _plain(part.content)


def main() -> None:
    """Print the report, or the claims of another corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, nargs="*", help="another corpus, whose claims are listed")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        view = view_of(Path(folder), arguments.folder or [sample_folder()])
        if arguments.folder:
            print(view.summary.summary_text)
            return
        report = measure(view)
    for planted, text in report.found.items():
        print(f"{planted}  {text or '-- not found'}")
    for letter, name in (("C", "contradictions"), ("G", "gaps")):
        found, planted_count = report.count(letter)
        print(f"{name}: {found} of {planted_count}")
    print(f"\nconflict and gap claims: {report.told}; matching nothing planted: {len(report.unplanned)}")
    print("".join(f"  {text}\n" for text in report.unplanned))
    print(f"filtered: {len(report.filtered)}")
    print("".join(f"  {text}\n    {reason}\n" for text, reason in report.filtered))


if __name__ == "__main__":
    main()
