"""The plain format of a labelled set: one JSON object a line with claim, evidence and label."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from coditect.errors import UsageError

__all__ = ["Case", "read", "write"]

_LABELS = {"supported": True, "unsupported": False}


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled claim.

    Attributes:
        claim: what is said.
        evidence: sentences, in order.
        supported: the label; partly supported claims are not supported.
        group: cases that share a document or a question have the same; they are never split over train and test.
        kind: of error or of label, "" where the set has none.
        domain: part of the set, "" where it has none.
    """

    claim: str
    evidence: tuple[str, ...]
    supported: bool
    group: str = ""
    kind: str = ""
    domain: str = ""


def read(path: Path) -> list[Case]:
    """The cases of a JSONL file, one object a line.

    {"claim": text, "evidence": [sentences], "label": "supported" | "unsupported"}, and optionally group, kind and domain.

    Raises:
        UsageError: a line is not in the format.
    """
    cases = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            evidence = row["evidence"]
            if isinstance(evidence, str) or not all(isinstance(each, str) for each in (row["claim"], *evidence)):
                raise TypeError
            case = Case(
                row["claim"],
                tuple(evidence),
                _LABELS[row["label"]],
                str(row.get("group") or number),
                str(row.get("kind") or ""),
                str(row.get("domain") or ""),
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            hint = '{"claim": text, "evidence": [sentences], "label": "supported" or "unsupported"}'
            raise UsageError("a line is no labelled claim", hint=hint, path=str(path), line=number) from error
        cases.append(case)
    return cases


def write(cases: Iterable[Case], path: Path) -> None:
    """Write cases as JSONL, so that :func:`read` gives them back."""
    path.write_text("".join(_lines(cases)), "utf-8")


def _lines(cases: Iterable[Case]) -> Iterator[str]:
    for case in cases:
        row = {
            "claim": case.claim,
            "evidence": list(case.evidence),
            "label": "supported" if case.supported else "unsupported",
            "group": case.group,
            "kind": case.kind,
            "domain": case.domain,
        }
        yield json.dumps(row, ensure_ascii=False) + "\n"
