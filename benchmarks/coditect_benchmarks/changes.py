"""Changes between dated versions of CFR parts, held against the official amendments.

Run ``python -m coditect_benchmarks.changes score --root FOLDER --parts 1002,1016,1024``. The folder is a copy of the public
repository ``cfpb/regulations-xml``: ``regulation/PART/DOCUMENT.xml`` are the versions, ``notice/PART/DOCUMENT.xml`` the amendments
that made each of them, with the labels that they add, modify, delete and move. Rules were developed on parts with an even number;
those with an odd one are for reports.

What is counted are labels. An amendment restates paragraphs that it does not change, so a label is expected where a notice names
it (or what stands above it) and the words of the two versions differ there. What differs and is named by no notice is told apart,
since those who edited the files by hand corrected some things without one.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from coditect.documents.readers.limits import ReadLimits
from coditect.documents.readers.regulatory.regml import read
from coditect.schemas import ChangeKind, DocumentVersion, Extraction
from coditect.tiers.changes.classification import Difference, differences
from coditect.tiers.changes.provisions import Provision, provisions_of
from coditect.tiers.extractions.document import DocumentReading, extraction_records, read_document
from coditect_benchmarks.gold.scoring import wilson

_LABEL = re.compile(r"\d{4}-")
_OWN = frozenset(("title", "subject", "content", "header", "appendixTitle", "interpTitle"))
_LABELLED = frozenset(
    ("section", "paragraph", "interpSection", "interpParagraph", "appendixSection", "appendix", "subpart")
)


@dataclass(frozen=True)
class Amendment:
    """A notice: from which version to which, and the labels that it names with what is done to them."""

    part: str
    left: str
    right: str
    labels: frozenset[tuple[str, str]]


def amendments(root: Path, part: str) -> Iterator[Amendment]:
    """The notices of a part, by their documents' names."""
    for path in sorted((root / "notice" / part).glob("*.xml")):
        tree = etree.parse(path).getroot()
        changeset = tree.find("{*}changeset")
        if changeset is None:
            continue
        labels = set()
        for change in changeset.iter("{*}change"):
            labels.add((change.get("label", ""), change.get("operation", "")))
            labels |= {(each.get("label"), change.get("operation", "")) for each in change.iter() if each.get("label")}
        left = _version(root / "regulation" / part, changeset.get("leftDocumentNumber", ""), path.stem)
        yield Amendment(part, left, path.stem, frozenset(labels))


def _version(folder: Path, number: str, right: str) -> str:
    """The file of a document's number; of one that comes into force by steps the last step before the right side's."""
    steps = sorted(
        each.stem for each in folder.glob(f"{number}_*.xml") if each.stem < right or not right.startswith(number)
    )
    return number if (folder / f"{number}.xml").is_file() or not steps else steps[-1]


def own_words(path: Path) -> dict[str, str]:
    """The words of each labelled element, without those of labelled elements inside it."""
    found: dict[str, str] = {}
    for element in etree.parse(path).getroot().iter("{*}*"):
        name = etree.QName(element).localname
        if element.get("label") and name in _LABELLED:
            parts = [_words(child) for child in element if etree.QName(child).localname in _OWN]
            found[element.get("label", "")] = " ".join(" ".join(parts).split())
    return found


def _words(element: etree._Element) -> str:
    """The words of an element, without labelled ones inside it."""
    parts = [element.text or ""]
    for child in element:
        if not child.get("label") or etree.QName(child).localname not in _LABELLED:
            parts.append(_words(child))
        parts.append(child.tail or "")
    return "".join(parts)


class _Version:
    """A version of a part as the product reads it."""

    def __init__(self, path: Path) -> None:
        self.source = read(path.read_bytes(), path.name, ReadLimits())
        self.reading: DocumentReading = read_document(self.source)
        self.provisions = provisions_of(self.reading)
        self._extractions: list[Extraction] | None = None

    def read_inside(self, provision: Provision) -> list[Extraction]:
        """Tier 1 inside a provision; made once it is asked for."""
        if self._extractions is None:
            version = DocumentVersion.create(
                corpus_id="changes", document_id="document_0", name="part.xml", title=self.source.title,
                media_type=self.source.media_type, raw_sha256="0" * 64, raw_bytes=0, text_sha256="0" * 64, text_bytes=0,
                text_length=len(self.source.text), layout_sha256="0" * 64, layout_bytes=0, page_count=0, reader=self.source.reader,
            )  # fmt: skip
            self._extractions = list(extraction_records(version, self.reading, "derivation_0"))
        return [e for e in self._extractions if provision.start <= e.char_offset_start < provision.end]


def _labels_of(difference: Difference) -> set[str]:
    """The labels that a difference is told at."""
    sides = [difference.old, difference.new]
    sides += [side for pair in difference.carried for side in pair]
    return {each.place for each in sides if each is not None and _LABEL.match(each.place)}


@dataclass(frozen=True)
class Scored:
    """What was told of one amendment.

    Attributes:
        amendment: part and both versions.
        official: labels that the notice names, or what stands above them, and whose words differ.
        differing: all labels whose words differ.
        told: labels at which a change is told, with its kinds.
        kinds: how many changes there are of each kind.
        moved_duties: what was moved or renumbered and is told to ask something else; must be none.
        unchanged: provisions that are as they were.
    """

    amendment: str
    official: frozenset[str]
    differing: frozenset[str]
    told: dict[str, list[ChangeKind]]
    kinds: dict[str, int]
    moved_duties: int
    unchanged: int


def score(root: Path, amendment: Amendment) -> Scored:
    """Labels told, expected and in common, for one amendment."""
    left, right = (root / "regulation" / amendment.part / f"{each}.xml" for each in (amendment.left, amendment.right))
    old, new = _Version(left), _Version(right)
    found, unchanged = differences(old.provisions, new.provisions, old.read_inside, new.read_inside)
    before, after = own_words(left), own_words(right)
    differing = frozenset(each for each in {*before, *after} if before.get(each) != after.get(each))
    named = {label for label, _ in amendment.labels}
    told: dict[str, set[ChangeKind]] = defaultdict(set)
    for difference in found:
        for label in _labels_of(difference):
            told[label].add(difference.kind)
    return Scored(
        amendment=f"{amendment.part} {amendment.left} -> {amendment.right}",
        official=frozenset(each for each in differing if each in named or _stands_below(each, named)),
        differing=differing,
        told={label: sorted(kinds) for label, kinds in sorted(told.items())},
        kinds=dict(Counter(each.kind for each in found)),
        moved_duties=sum(each.kind in ("moved", "renumbered") and each.duty == "changed" for each in found),
        unchanged=unchanged,
    )


def _stands_below(label: str, named: set[str]) -> bool:
    return any(label.startswith(f"{each}-") for each in named)


def main(arguments: list[str] | None = None) -> int:
    """Score the amendments of some parts, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=("score",))
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--parts", required=True, help="with commas between them")
    parser.add_argument("--misses", type=Path, help="where what was not told, and what was told wrongly, is written")
    given = parser.parse_args(arguments)
    rows = []
    for part in given.parts.split(","):
        for amendment in amendments(given.root, part):
            sides = (given.root / "regulation" / part / f"{each}.xml" for each in (amendment.left, amendment.right))
            if not all(path.is_file() for path in sides):
                told = f"{amendment.part} {amendment.left} -> {amendment.right}"
                print(f"left out: {told}: a version is not there", file=sys.stderr)
                continue
            rows.append(score(given.root, amendment))
            _print(rows[-1])
    _total(rows)
    if given.misses:
        given.misses.write_text("".join(json.dumps(_missed(row), sort_keys=True) + "\n" for row in rows))
    return 0


def _missed(row: Scored) -> dict[str, object]:
    return {
        "amendment": row.amendment,
        "not told": sorted(row.official - set(row.told)),
        "told wrongly": {label: row.told[label] for label in sorted(set(row.told) - row.differing)},
    }


def _print(row: Scored) -> None:
    told = set(row.told)
    print(
        f"{row.amendment}: official and differing {len(row.official)}, differing {len(row.differing)}, told {len(told)}; "
        f"recall {len(row.official & told)}/{len(row.official)}, right {len(told & row.differing)}/{len(told)}; "
        f"{row.kinds}, unchanged {row.unchanged}, moved with a changed duty {row.moved_duties}",
        flush=True,
    )


def _total(rows: list[Scored]) -> None:
    recall = sum(len(r.official & set(r.told)) for r in rows), sum(len(r.official) for r in rows)
    precision = sum(len(set(r.told) & r.differing) for r in rows), sum(len(r.told) for r in rows)
    for name, (right, whole) in (("recall", recall), ("precision", precision)):
        interval = wilson(right, whole)
        if interval is not None:
            print(f"{name} {right}/{whole} = {right / whole:.3f} ({interval[0]:.3f} to {interval[1]:.3f})")


if __name__ == "__main__":
    sys.exit(main())
