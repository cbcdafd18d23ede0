"""Check a file of labels: every record is of the format, of a unit of the pack, once, and every quote stands where it has to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from coditect_benchmarks.gold.records import NEGATIVE, Label, Norm, PackUnit, Span, Unit
from coditect_benchmarks.gold.resolution import UnresolvedQuote, resolve

__all__ = ["Findings", "check_file", "place_pack_unit"]


@dataclass(frozen=True, slots=True)
class Findings:
    """What a check found: ``errors`` have to be mended, ``questions`` only looked at; ``missing`` are ids without a label."""

    labels: tuple[Label[str], ...]
    errors: tuple[str, ...]
    questions: tuple[str, ...]
    missing: tuple[str, ...]


def place_pack_unit(shown: PackUnit) -> tuple[str, Unit]:
    """A text of its own made of what an annotator sees, and where the unit lies in it: a check needs no other source."""
    parts = [*shown.path, shown.before, shown.text, shown.after]
    spans: list[Span] = []
    text = ""
    for part in parts:
        spans.append((len(text), len(text) + len(part)))
        text += part + "\n"
    return text, Unit(
        id=shown.id,
        document=shown.document,
        sha256="",
        genre=shown.genre,
        family="",
        split="training",
        stratum="",
        weight=1.0,
        public=False,
        shape="sentence",
        span=spans[-2],
        path=tuple(spans[:-3]),
        before=spans[-3],
        after=spans[-1],
    )


def check_file(file: Path, pack: Mapping[str, PackUnit]) -> Findings:
    """Check the labels of one file against the pack that they are of."""
    labels: dict[str, Label[str]] = {}
    errors: list[str] = []
    questions: list[str] = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            label = Label[str].model_validate_json(line)
            if label.id not in pack:
                raise ValueError(f"{label.id} is not in the pack")
            if label.id in labels:
                raise ValueError(f"{label.id} is labelled twice")
            labels[label.id] = label
            text, unit = place_pack_unit(pack[label.id])
            questions += [f"line {number}: {label.id}: {q}" for q in _questions(resolve(text, unit, label))]
        except UnresolvedQuote as error:
            errors.append(f"line {number}: {label.id}: {error}")
        except ValueError as error:
            errors.append(f"line {number}: {' '.join(str(error).split())}")
    return Findings(tuple(labels.values()), tuple(errors), tuple(questions), tuple(i for i in pack if i not in labels))


def _questions(label: Label[Span]) -> list[str]:
    asked = []
    for number, norm in enumerate(label.norms):
        where = f"norms[{number}]"
        if (norm.polarity == "negative") != (norm.kind in NEGATIVE):
            asked.append(f"{where}: {norm.kind} with polarity {norm.polarity}?")
        if norm.force == "optional" and norm.kind in ("obligation", "prohibition"):
            asked.append(f"{where}: {norm.kind} with force optional?")
        outside = [name for name in ("action", "object", "cue") if not _inside(norm, name)]
        if outside:
            asked.append(f"{where}: {', '.join(outside)} outside the norm's text?")
    if label.list and len(label.list.items) < 2:
        asked.append("list: one item only?")
    return asked


def _inside(norm: Norm[Span], name: str) -> bool:
    return all(any(a <= s[0] and s[1] <= b for a, b in norm.text) for s in getattr(norm, name))
