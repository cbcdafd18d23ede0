"""What must hold once documents are erased: no word of them anywhere, and every proof of everything else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coditect_verify import Trust, verify_bundle
from coditect_verify.log import Checkpoint, Key

from coditect import render_html
from coditect.compose import open_knowledge
from coditect.knowledge.service import Knowledge
from coditect.transparency.proofs import verify_log_proof
from coditect_benchmarks.erasure.corpus import CORPUS
from coditect_benchmarks.erasure.needles import Needles
from coditect_benchmarks.erasure.places import Places

__all__ = ["clean_generations", "exported", "found_in", "proofs"]


def found_in(places: Places, store: str, needles: Needles, further: Sequence[Path] = ()) -> dict[str, int]:
    """Where words are: rows by table, files of the store and of its cache, and whatever else is named. Nobody has it open."""
    with open_knowledge(places.settings(store)) as knowledge:
        found = {f"rows of {table}": count for table, count in needles.in_rows(knowledge.store).items()}
    for folder in (places.folder(store), places.cache(store), *further):
        found |= needles.in_folder(folder)
    return found


def clean_generations(knowledge: Knowledge, checkpoint: bytes) -> dict[int, list[str]]:
    """What validation finds in each generation, held against a checkpoint that was kept; nothing, where it is clean."""
    found: dict[int, list[str]] = {}
    for number in range(1, knowledge.store.corpus(CORPUS).generation + 1):
        report = knowledge.validate(CORPUS, as_of=number, kept=checkpoint)
        found[number] = [f"{each.record}: {each.message}" for each in report.findings]
    return found


def exported(knowledge: Knowledge, folder: Path) -> None:
    """Write everything that leaves a store: archive, report, audit trail, files of the log, list of erasures."""
    folder.mkdir()
    with (folder / "after.jsonl").open("wb") as file:
        knowledge.export(CORPUS, file)
    (folder / "report.html").write_text(render_html(knowledge.report(CORPUS)), "utf-8")
    (folder / "audit.jsonl").write_text("\n".join(each.model_dump_json() for each in knowledge.audit()), "utf-8")
    for path, data in knowledge.log_files():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def proofs(knowledge: Knowledge, kept: Sequence[str], checkpoint: bytes, folder: Path) -> dict[str, Any]:
    """Prove every entry of the log, and verify an evidence bundle of every document, section and claim that is left.

    Args:
        knowledge: the store.
        kept: names of the documents that were not erased.
        checkpoint: of before, kept by somebody else.
        folder: for the bundles.

    Returns:
        How many were verified, by kind, and what did not.
    """
    signer = knowledge.log_signer
    assert signer is not None
    knowledge.checkpoint()
    wrong: list[str] = []
    entries = 0
    for index, entry in knowledge.log_entries():
        verify_log_proof(knowledge.log_proof(index), entry, [signer.key])
        entries += 1
    trust = Trust(
        log_keys=[Key.parse(str(signer.key))],
        kept=Checkpoint.parse(checkpoint.decode()),
        witnesses=[],
        quorum=0,
        people=[],
        authority=b"",
    )
    folder.mkdir()
    view = knowledge.view(CORPUS)
    items = [("document", name) for name in kept]
    items += [("section", each.section_id) for each in view.sections]
    items += [("claim", each) for each in view.summary.claims]
    items.append(("report", ""))
    hops = 0
    for n, (subject, item) in enumerate(items):
        path = folder / f"{n}.bundle"
        with path.open("wb") as file:
            knowledge.prove(CORPUS, subject, item, file, kept=checkpoint)  # type: ignore[arg-type]
        found = verify_bundle(path, trust)
        hops += len(found.hops)
        wrong += [f"{subject} {item}: {each.kind} {each.detail}" for each in found.hops if not each.holds]
        if subject != "report":
            path.unlink()
    kinds = [subject for subject, _ in items]
    counts = {kind: kinds.count(kind) for kind in ("document", "section", "claim", "report")}
    return {"log entries": entries, "bundles": counts, "hops": hops, "wrong": wrong}
