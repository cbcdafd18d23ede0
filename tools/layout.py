"""The page that explains the layout, drawn from the tree: one figure and one line for each room.

What a room is for is the first sentence of its package's docstring, and the arrows are those that import-linter checks, so neither
can say something else than the code. ``tools/contracts.py`` writes the page and compares it.
"""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

__all__ = ["layout_page", "rooms"]

_HEAD = """# The layout

Written by `make contracts` from the tree, and compared with it by `make check`: what a room is for is the docstring of its
package, and the arrows are those that import-linter checks. Why it is so: [ADR 21](../adr/0021-rooms.md).

A file becomes text (`documents`), its sentences are read (`language`), tiers are made of them (`tiers`) and checked (`verify`),
everything is kept (`store`), found again (`retrieve`), and the use cases put these together (`knowledge`). A room of `knowledge`
orchestrates, a lower room decides: `knowledge/query` asks `retrieve`, `knowledge/review` asks `verify`, `knowledge/building` asks
`tiers`, `knowledge/calibration` changes what `verify` weighs by. `cli` and `reports` only show what was decided.

A room is a Python package; every path here begins below `coditect/`. The folders `agents/`, `cli/` and `schemas/` at the root of
the checkout are something else: the published contracts, written from the code.

A room may import what stands below it, never what stands above it or beside it on the same line. Only `compose` and `wiring`
name concrete engines and models; everything else sees their ports.

| what you want to change | where |
|---|---|
| a word: a negation, a modal, a unit, an opposite | `language/en`, a table |
| how an amount, a deadline or a frequency is read | `language/quantities` |
| who must do what, unless what | `language/norms` |
| how a lead-in and its items are read as one norm | `language/provisions` (where a list's items end: `documents/structure`) |
| how a file format is read | `documents/readers` |
| what a document is, whom it binds and since when | `documents/profile`; as a manifest says: `knowledge/ingest` |
| which sentences and rows tell of an exception | `documents/profile/waivers`; how it stands on a day: `knowledge/report` |
| what Tier 2 selects, what a section quotes, what a claim says | `tiers/chunks`, `tiers/sections`, `tiers/claims` |
| when two documents conflict, or one is stricter; what is missing or overdue | `tiers/findings` |
| when a claim is contradicted by its own evidence, or how probable its support is | `verify/contradictions`, `verify/support` |
| when a claim is published and when it is withheld | `knowledge/building` |
| what a person's decision means for the next build | `knowledge/review`, and `tiers/decisions` for extractions |
| what `coditect knowledge verify` does with a text | `knowledge/review`; its words: `cli`, `reports` |
| what is found, and in which order | `retrieve/local` (`retrieve/qdrant` for a Qdrant) |
| when an answer is withheld, since the corpus does not speak of it | `retrieve/gate` |
| where a cross-reference leads | `retrieve/lookup` |
| how a report looks | `reports` |
| a hash, a tile, a checkpoint or a proof of the log | `transparency` |
| a key, or how a value is sealed | `keyspace` |
| how a record of an earlier release is read | `schemas`; whole stores of a former format: `knowledge/archive` |
| what a model is told, and what it costs | `agents/roles`, `agents/asking` |
| a command | `cli` |
"""

_ALONE = ("settings", "telemetry", "sample", "testing")
"""Rooms that stand beside the others; the contract leaves them out."""


def rooms(root: Path) -> dict[str, str]:
    """Every package below ``coditect`` by its dotted path without that name, with what it is for, in the order of their names.

    Args:
        root: the checkout.
    """
    package = root / "coditect"
    found = {}
    for init in sorted(package.rglob("__init__.py")):
        name = ".".join(init.parent.relative_to(package).parts)
        if name:
            found[name] = _first_sentence(init)
    return found


def layout_page(root: Path) -> str:
    """The page, as Markdown.

    Args:
        root: the checkout.
    """
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each["containers"] == ["coditect"])
    lines = [_HEAD, "```", *_figure(layers), "```", "", "| room | what it is for | modules |", "|---|---|---|"]
    purposes = rooms(root)
    order = [room for layer in layers for room in layer.split(" | ")] + list(_ALONE)
    for top in order:
        module = root / "coditect" / f"{top}.py"
        if module.exists():
            lines.append(f"| **{top}.py** | {_first_sentence(module)} | |")
        lines += [_row(root, name, purposes[name]) for name in purposes if name == top or name.startswith(f"{top}.")]
    return "\n".join(lines) + "\n"


def _figure(layers: list[str]) -> list[str]:
    width = max(len(layer) for layer in layers) + 4
    lines = []
    for number, layer in enumerate(layers):
        lines += [
            layer.replace("|", "·").center(width).rstrip(),
            *(["↓".center(width).rstrip()] if layers[number + 1 :] else []),
        ]
    return lines


def _row(root: Path, name: str, purpose: str) -> str:
    folder = root / "coditect" / Path(*name.split("."))
    modules = sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")
    data = sorted(path.name + "/" for path in folder.iterdir() if path.is_dir() and _is_data(path))
    depth = "&nbsp;" * (4 * name.count("."))
    shown = f"{depth}`{name.rpartition('.')[2]}/`"
    return f"| {f'**{shown}**' if '.' not in name else shown} | {purpose} | {', '.join([*modules, *data])} |"


def _is_data(folder: Path) -> bool:
    """Whether a folder holds files and no Python."""
    return folder.name != "__pycache__" and not (folder / "__init__.py").exists() and any(folder.iterdir())


def _first_sentence(module: Path) -> str:
    """The first line of a module's docstring.

    Raises:
        ValueError: it has none: a room that does not say what it is for.
    """
    said = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8")))
    if not said:
        raise ValueError(f"{module} does not say what it is for")
    return " ".join(said.split("\n\n")[0].split()).replace("|", "\\|")
