"""Score places: ``python -m coditect_benchmarks.places --markup uslm --layout plain --layout html FILE...``."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from coditect_benchmarks.places.layouts import LAYOUTS
from coditect_benchmarks.places.markup import akoma, dita, formex, uslm
from coditect_benchmarks.places.measuring import ask
from coditect_benchmarks.places.numbering import NUMBERINGS, renumbered
from coditect_benchmarks.places.provisions import Document, Provision, excerpts

_MOST = 60_000
_READERS: dict[str, Callable[[bytes], tuple[Provision, ...]]] = {"akoma": akoma, "formex": formex, "uslm": uslm}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print how many sentences, norms and definitions of each layout are cited as the markup has them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "files", nargs="+", type=Path, help="files of one kind of markup; those of dita are one document"
    )
    parser.add_argument("--markup", choices=[*sorted(_READERS), "dita"], required=True)
    parser.add_argument("--layout", action="append", choices=sorted(LAYOUTS), help="all where none is named")
    parser.add_argument("--numbering", choices=sorted(NUMBERINGS), help="print with other numbers than the publisher's")
    parser.add_argument("--misses", action="store_true", help="print each wrong place")
    given = parser.parse_args(arguments)
    documents = [excerpts(each, _MOST) for each in _documents(given.markup, given.files)]
    if given.numbering:
        documents = [renumbered(each, given.numbering) for each in documents]
    for name in given.layout or sorted(LAYOUTS):
        counts: Counter[tuple[str, bool]] = Counter()
        for document in documents:
            for each in ask(document, LAYOUTS[name])[1]:
                counts[each.kind, each.is_right] += 1
                if given.misses and not each.is_right:
                    print(f"{document.name}: {each.wanted} read as {each.read!r}: {each.said!r}")
        shares = (f"{kind} {counts[kind, True]} of {counts[kind, True] + counts[kind, False]}" for kind in _KINDS)
        print(f"{name}: {', '.join(shares)}")


_KINDS = ("sentence", "norm", "definition")


def _documents(markup: str, files: Sequence[Path]) -> list[Document]:
    if markup != "dita":
        return [Document(file.stem, markup, _READERS[markup](file.read_bytes())) for file in files]
    sections = [section for file in files if (section := dita(file.read_bytes())) is not None]
    return [Document("dita", markup, tuple(sections))]


if __name__ == "__main__":
    main()
