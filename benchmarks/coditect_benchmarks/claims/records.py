"""Written claims as JSON lines: the claim, the passage that decides it, whether it is true of the passage, and its kind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["WrittenClaim", "read_claims"]

_TRUE = frozenset(("true", "supported", "yes", "entailed"))
_FALSE = frozenset(("false", "unsupported", "contradicted", "refuted", "no", "not_stated"))


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    """A claim with the evidence that decides it.

    Attributes:
        claim_id: names it in lists of misses.
        text: what is said, one sentence or a few.
        evidence: the passage, verbatim.
        is_true: whether the passage says it.
        kind: of falsehood or of faithful rewriting, as its writer calls it.
        document: the path or name of the document that the passage stands in; "" where the writer did not say.
        family: the family of texts that the document is of; "" where the writer did not say.
    """

    claim_id: str
    text: str
    evidence: str
    is_true: bool
    kind: str
    document: str = ""
    family: str = ""


def read_claims(path: Path) -> list[WrittenClaim]:
    """The claims of a file, in order.

    Raises:
        ValueError: a line lacks the claim, its evidence or its label; the line is named.
    """
    return list(_read(path.read_text(encoding="utf-8").splitlines()))


def _read(lines: list[str]) -> Iterator[WrittenClaim]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row = json.loads(line)
        try:
            yield WrittenClaim(
                claim_id=str(row.get("id", number)),
                text=row["claim"],
                evidence=row["evidence"],
                is_true=_label(row["label"]),
                kind=str(row.get("kind", "")),
                document=str(row.get("document", "")),
                family=str(row.get("family", "")),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"line {number} is no claim: {error}") from error


def _label(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    if isinstance(value, bool):
        return value
    said = str(value).strip().casefold()
    if said not in _TRUE | _FALSE:
        raise ValueError(f"{value!r} is neither true nor false")
    return said in _TRUE
