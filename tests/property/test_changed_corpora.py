"""Whatever is edited: a build after it is the build of the files as they are, though it reads the shares of what did not change."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from coditect.integrity.validate import validate
from coditect.knowledge.building import shares
from coditect.schemas import BuildSettings, Derivation
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all
from tests.effort import FULL

SEQUENCES = 200 if FULL else 4
EDITS = 20 if FULL else 8

ROLES = ("Records Manager", "Quality Manager", "Payroll Officer", "Incident Coordinator", "Contract Administrator")
WHO = (
    *("The supplier", "Each manager", "The security team", "The customer", "The head of security", "Employees"),
    *(f"The {role}" for role in ROLES),
)
BINDING = ("shall", "must", "shall not", "may", "need not")
ACTS = (
    "review the access rights of staff every {n} days",
    "notify the customer of an incident within {n} hours",
    "keep the records of access reviews for {n} years",
    "encrypt customer data at rest",
    "disable the account of a leaver within {n} hours",
    "use subcontractors without consent",
    "pay each invoice within {n} days, as set out in section {n} of the Payment Policy",
    "report a breach to the regulator under the General Data Protection Regulation",
    "give access to a Sensitive Sample within {n} hours",
    "label each sample and each shipment",
    "maintain a written plan for the recovery of systems",
    "maintain a register of shipments",
)
HEADINGS = ("Access reviews", "Incident notification", "Retention of records", "Payment terms", "Data protection")
PARTIES = ("Quarn Ltd", "Vessel Bank plc", "Ostrel GmbH")


def _sentence(draw: random.Random) -> str:
    return f"{draw.choice(WHO)} {draw.choice(BINDING)} {draw.choice(ACTS).format(n=draw.randint(2, 90))}."


def _document(draw: random.Random) -> str:
    """A policy, or a contract between two of the parties."""
    one, two = draw.sample(PARTIES, 2)
    kind = draw.choice(("Security Policy", "Supplier Agreement", "Retention Standard"))
    intro = f"This Agreement is made between {one} (the “Supplier”) and {two} (the “Customer”).\n\n"
    parts = [f"# {draw.choice(HEADINGS)} {kind}\n\n{intro if 'Agreement' in kind else ''}"]
    for number in range(1, draw.randint(2, 4)):
        lines = "\n\n".join(f"{number}.{n} {_sentence(draw)}" for n in range(1, draw.randint(2, 5)))
        parts.append(f"## {number} {draw.choice(HEADINGS)}\n\n{lines}\n\n")
    return "".join(parts)


def _edited(documents: dict[str, str], draw: random.Random) -> None:
    """Add, change, remove or rename a document."""
    names = sorted(documents)
    match draw.choice(("add", "change", "change", "change", "remove", "rename", "copy")):
        case "add":
            documents[f"{draw.randint(1, 99)}.md"] = _document(draw)
        case "remove" if len(names) > 2:
            del documents[draw.choice(names)]
        case "rename":
            documents[f"renamed-{draw.randint(1, 99)}.md"] = documents.pop(draw.choice(names))
        case "copy":
            documents[f"copy-{draw.randint(1, 99)}.md"] = documents[draw.choice(names)]
        case _:
            name = draw.choice(names)
            lines = documents[name].split("\n\n")
            at = draw.randrange(1, len(lines) + 1)
            lines[at : at + draw.randint(0, 1)] = [_sentence(draw)]
            documents[name] = "\n\n".join(lines)


def _settings(draw: random.Random) -> BuildSettings:
    return BuildSettings(
        today=draw.choice(("2026-01-01", "2026-09-30")),
        topics=draw.choice(((), (), ("access reviews", "payment terms"))),
        max_topics=draw.choice((3, 24)),
    )


def _built(store: Store, folder: Path, documents: dict[str, str], settings: BuildSettings) -> str:
    ingest_all(store, folder_of(folder, documents), sync=True)
    return build_all(store, settings=settings).build_id


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_builds_after_edits_are_builds_of_the_files(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After every edit of a random sequence the build has the id that a store has which never held anything else."""
    draw = random.Random(seed)  # noqa: S311 - drawn for a test
    documents = {name: text for name, text in DOCUMENTS.items() if draw.random() < 0.7 or name == "access.md"}
    documents |= {f"made-{number}.md": _document(draw) for number in range(3)}
    settings = _settings(draw)
    store = Store(MemoryEngine())
    for number in range(EDITS):
        monkeypatch.setattr(shares, "KEPT_FROM", 0)
        found = _built(store, tmp_path / f"now-{number}", documents, settings)
        assert [step for _, step in store.scan("derivations", Derivation, CORPUS) if step.stage == "share"]
        monkeypatch.setattr(shares, "KEPT_FROM", 1_000)
        clean = _built(Store(MemoryEngine()), tmp_path / f"clean-{number}", documents, settings)
        assert found == clean, f"seed {seed}, edit {number}"
        _edited(documents, draw)
        if draw.random() < 0.15:
            settings = _settings(draw)
    assert not validate(store, CORPUS).findings
