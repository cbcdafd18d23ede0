"""The material: a mapping, seven standards, procedures and policies, in a store that the product itself has filled."""

from __future__ import annotations

import csv
import hashlib
import json
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from coditect.compose import open_knowledge
from coditect.knowledge.report.crosswalk.framework.tables import ColumnMap, read_columns
from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings
from coditect.settings import Settings

__all__ = [
    "COLUMNS",
    "POLICIES",
    "STANDARDS",
    "Mapping",
    "is_development",
    "log_opening",
    "opened",
    "read_mapping",
    "rows_of",
]

STANDARDS = {
    "HIPAA": "hipaa.json",
    "CSA CCM": "csa-ccm.json",
    "PCI DSS": "pci-dss.json",
    "NIST CSF": "nist-csf/v1.1.json",
    "CMMC ML1": "cmmc-ml1.json",
    "ISO/IEC 27002:2013": "iso-iec-27002-2013.json",
    "CIS Controls v8": "cis-controls/v8.json",
}
"""Those of the mapping whose texts lie beside it, with their files."""

COLUMNS: ColumnMap = read_columns("id=Ref,title=Title,statement=Summary,family=Section")
POLICIES = "policies"

_OPENINGS = Path(__file__).with_name("OPENINGS.md")


@dataclass(frozen=True)
class Mapping:
    """Who implements what.

    Attributes:
        implements: ids of requirements by (procedure, standard).
        policies: ids of the policies that a procedure belongs to.
        procedures: ids of the procedures of a policy.
    """

    implements: dict[tuple[str, str], frozenset[str]]
    policies: dict[str, frozenset[str]]
    procedures: dict[str, frozenset[str]]


def is_development(identity: str) -> bool:
    """Whether a procedure or requirement belongs to the half on which rules are made."""
    return int(hashlib.sha256(identity.encode()).hexdigest(), 16) % 2 == 0


def read_mapping(root: Path) -> Mapping:
    """The mapping, and which policy has which procedures."""
    told = json.loads((root / "standards" / "controls-mapping.json").read_text(encoding="utf-8"))
    implements = {
        (each["id"], said["standard"]): frozenset((*said.get("requirements", ()), *said.get("controls", ())))
        for each in told["procedures"]
        for said in each["implements"]
    }
    policies: dict[str, set[str]] = defaultdict(set)
    procedures = {}
    for policy in json.loads((root / "config.json").read_text(encoding="utf-8"))["policies"]:
        procedures[policy["id"]] = frozenset(policy.get("procedures", ()))
        for procedure in procedures[policy["id"]]:
            policies[procedure].add(policy["id"])
    return Mapping(implements, {name: frozenset(each) for name, each in policies.items()}, procedures)


def rows_of(root: Path, standard: str) -> list[tuple[str, str, str, str]]:
    """(id, title, statement, section) of the requirements of a standard; those that its file gives one id are one."""
    rows: dict[str, tuple[str, str, str, str]] = {}
    for identity, title, statement, section in _requirements(
        json.loads((root / "standards" / STANDARDS[standard]).read_text())
    ):
        before = rows.get(identity)
        said = f"{before[2]} {statement}" if before is not None else statement
        rows[identity] = (identity, before[1] if before is not None else title, said, section)
    return list(rows.values())


def _requirements(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str, str, str]]:  # noqa: ANN401 - any JSON
    if isinstance(node, list):
        for each in node:
            yield from _requirements(each, path)
    elif isinstance(node, dict):
        if "ref" in node:
            yield node["ref"], node.get("title") or "", node.get("summary") or "", " / ".join(filter(None, path))
        for value in node.values():
            if isinstance(value, list):
                yield from _requirements(value, (*path, node.get("title") or ""))


@contextmanager
def opened(root: Path, folder: Path) -> Iterator[Knowledge]:
    """A store with a corpus for each standard, named as it is, and one of the policies and procedures."""
    settings = Settings(store=f"lmdb://{folder / 'store'}", cache=folder / "cache")
    with open_knowledge(settings) as knowledge:
        for standard in STANDARDS:
            path = folder / "standards" / corpus_of(standard) / "requirements.csv"
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file)
                writer.writerow(("Ref", "Title", "Summary", "Section"))
                writer.writerows(rows_of(root, standard))
            knowledge.ingest(corpus_of(standard), [path.parent])
            knowledge.build(corpus_of(standard), BuildSettings())
        knowledge.ingest(POLICIES, [root / "policies", root / "procedures"])
        knowledge.build(POLICIES, BuildSettings())
        yield knowledge


def corpus_of(standard: str) -> str:
    """The name of a standard's corpus."""
    return "".join(letter.lower() if letter.isalnum() else "-" for letter in standard)


def log_opening(part: str, reason: str) -> None:
    """Write down that the half that nobody made rules on is opened, before it is.

    Args:
        part: what is measured on it.
        reason: why.
    """
    command = ["git", "-C", str(_OPENINGS.parent), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    with _OPENINGS.open("a", encoding="utf-8") as file:
        file.write(f"| {datetime.now(UTC):%Y-%m-%d} | {commit} | {part} | {reason} |\n")
