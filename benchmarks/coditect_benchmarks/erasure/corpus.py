"""A corpus in use: taken in, built twice, answered by models, decided on and signed by persons, asked, reported and exported."""

from __future__ import annotations

import random
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from coditect import render_html
from coditect.compose import open_knowledge
from coditect.errors import CoditectError
from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings, ModelAnswer
from coditect.transparency.custody.key_files import new_key
from coditect_benchmarks.erasure.documents import WRITERS, write_documents
from coditect_benchmarks.erasure.needles import Needles, fragments_of
from coditect_benchmarks.erasure.places import Places
from tests.llm_server import llm_process

__all__ = ["CORPUS", "Lived", "live"]

CORPUS = "policies"
_DECISIONS = 20
_PACKED = (".docx", ".pdf", ".xlsm", ".xlsx")


@dataclass(frozen=True, slots=True)
class Lived:
    """What there is before anything is erased.

    Attributes:
        gone: names of what is going to be erased.
        kept: names of the others.
        needles: the words, and some bytes, that only what goes has.
        archive: an export of before.
        checkpoint: of the log, kept by somebody else.
        counts: what is in use, by kind.
    """

    gone: list[str]
    kept: list[str]
    needles: Needles
    archive: Path
    checkpoint: bytes
    counts: dict[str, int]


def live(places: Places, store: str, *, documents: int, erase: int, seed: int) -> Lived:
    """Make a corpus, and use it in every way that writes words somewhere.

    Args:
        places: where stores lie.
        store: the name of the store.
        documents: in it.
        erase: of those that are going to be erased, of every format as far as they go.
        seed: of what is random.
    """
    folder = places.root / "documents"
    written = write_documents(folder, documents, seed)
    gone = _of_every_format(sorted(written), erase, seed)
    second = folder / gone[0]
    first = second.read_bytes()
    second.write_bytes(
        WRITERS[second.suffix]([*written[gone[0]][1:], "The lamp zenqua korenba tal vorlum par is lit at dusk."])
    )
    with open_knowledge(places.settings(store)) as knowledge:
        knowledge.ingest(CORPUS, [folder])
        knowledge.build(CORPUS, BuildSettings())
        second.write_bytes(first)  # the document that goes has two versions, one of them only in an old generation
        knowledge.ingest(CORPUS, [folder])
    with llm_process(places.root / "calls.jsonl") as server:
        asking = {"llm": "claude", "api_key": "sk-of-benchmarks", "llm_base_url": server.base_url}
        with open_knowledge(places.settings(store, **asking)) as knowledge:
            knowledge.build(CORPUS, BuildSettings())
    (places.root / "calls.jsonl").unlink()  # what the service keeps is the service's
    with open_knowledge(places.settings(store)) as knowledge, nullcontext():
        counts = _use(knowledge, written, gone)
        counts["generations"] = knowledge.store.corpus(CORPUS).generation
        counts["answers"] = sum(1 for _ in knowledge.store.scan("answers", ModelAnswer, CORPUS))
        archive = places.root / "exports" / "before.jsonl"
        archive.parent.mkdir()
        with archive.open("wb") as file:
            knowledge.export(CORPUS, file)
        texts = _texts(knowledge)
        checkpoint = (knowledge.checkpoint() or "").encode()
    raw = {name: (folder / name).read_bytes() for name in written}
    needles = Needles(
        (text for name, text in texts if name in gone),
        # With markup between them, the words of a file make runs that its text does not have.
        (
            *(text for name, text in texts if name not in gone),
            *(raw[n].decode("utf-8", "replace") for n in raw if n not in gone),
        ),
        fragments_of(
            (raw[name] for name in gone if name.endswith(_PACKED)), (raw[name] for name in raw if name not in gone)
        ),
    )
    return Lived(gone, sorted(set(written) - set(gone)), needles, archive, checkpoint, counts)


def _of_every_format(names: list[str], count: int, seed: int) -> list[str]:
    """So many names, chosen by chance, the formats as often as each other."""
    rng = random.Random(seed)  # noqa: S311 - reproducible test data
    by_format: dict[str, list[str]] = {}
    for name in names:
        by_format.setdefault(Path(name).suffix, []).append(name)
    for each in by_format.values():
        rng.shuffle(each)
    rounds = zip(*(each + [""] * len(names) for _, each in sorted(by_format.items())), strict=False)
    return sorted([name for each in rounds for name in each if name][:count])


def _use(knowledge: Knowledge, written: dict[str, list[str]], gone: list[str]) -> dict[str, int]:
    """Decide, sign, mark, ask and report. How often, by kind."""
    counts = dict.fromkeys(("decisions", "signed decisions", "signatures", "marks", "questions", "reports"), 0)
    key = new_key("reviewer@example.com")
    knowledge.register_key(key, person="R. Viewer", role="reviewer")
    view = knowledge.view(CORPUS)
    for n, item in enumerate(list(view.claims)[:_DECISIONS]):
        with suppress(CoditectError):
            signer = key if n % 2 else None
            knowledge.review(CORPUS, item, decision="accept", by="R. Viewer", meaning="read", signer=signer)
            counts["signed decisions" if n % 2 else "decisions"] += 1
    by_name = {version.name: document for document, version in view.documents.items()}
    for name in (*gone[:5], *sorted(set(written) - set(gone))[:5]):
        document, sentence = by_name[name], written[name][0]
        found = next((each for each in view.extractions(document)), None)
        if found is not None:
            meaning = f"checked: {sentence}"  # a person may repeat the words
            knowledge.review(
                CORPUS, found.extraction_id, decision="accept", by="R. Viewer", meaning=meaning, signer=key
            )
            knowledge.sign(CORPUS, found.extraction_id, key, meaning="seen")
            knowledge.mark(CORPUS, sentence, found.extraction_id, relevant=True, by="R. Viewer")
            counts["signed decisions"] += 1
            counts["signatures"] += 1
            counts["marks"] += 1
        for tier in ("section", "extraction", "corpus"):
            knowledge.query(CORPUS, sentence, tier=tier)
            counts["questions"] += 1
    page = render_html(knowledge.report(CORPUS))
    data = page if isinstance(page, bytes) else page.encode()
    knowledge.sign_report(CORPUS, data, key, meaning="approved")
    counts["signatures"] += 1
    counts["reports"] += 1
    return counts


def _texts(knowledge: Knowledge) -> list[tuple[str, str]]:
    """(name, text) of every version of every generation."""
    found: dict[str, tuple[str, str]] = {}
    for number in range(1, knowledge.store.corpus(CORPUS).generation + 1):
        view = knowledge.view(CORPUS, number)
        found |= {each.version_id: (each.name, view.text_of(each)) for each in view.documents.values()}
    return list(found.values())
