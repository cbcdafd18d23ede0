"""Documents that nobody would write: what cannot be proven is not stored, and one document costs one document."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from coditect.errors import QuoteNotFound
from coditect.integrity.validate import validate
from coditect.knowledge.derivation.corpus import present_versions
from coditect.knowledge.report.status import corpus_status
from coditect.models.port import IntArray, ModelSources, Tokenizer
from coditect.models.wordllama.embedder import WordLlamaTokenizer
from coditect.schemas import Extraction, Failure
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.tiers.evidence import require_extraction
from coditect.tiers.extractions import document as tiers
from coditect.tiers.extractions.rules import extract_each
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all

BOMB = "The clerk shall sign the unlucky form within 3 days.\n"


def _failures(store: Store) -> dict[str, Failure]:
    return {record.name: record for _, record in store.scan("failures", Failure, CORPUS)}


@pytest.mark.parametrize("change", [{"source_text": "Managers may review"}, {"char_offset_start": 1}])
def test_an_extraction_that_is_not_the_documents_text_is_refused(built: Store, change: dict[str, Any]) -> None:
    """The text stands in the document at its offsets, or the extraction does not stand at all."""
    view = open_view(built, CORPUS)
    document_id = next(iter(view.entries))
    genuine = view.extractions(document_id)[0]
    require_extraction(view.text(document_id), genuine)
    with pytest.raises(QuoteNotFound):
        require_extraction(view.text(document_id), genuine.model_copy(update=change))


def test_build_with_an_extractor_that_misquotes_stores_nothing_of_that_document(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule that is off by one costs the document, by name, with the reason; the others are built. A later build is told."""
    ingest_all(memory, folder_of(tmp_path, {**DOCUMENTS, "bomb.md": BOMB}))

    def shifted(text: str, *rest: Any, **more: Any) -> Any:  # noqa: ANN401 - what extract_each takes and gives
        found = extract_each(text, *rest, **more)
        if "unlucky" not in text:
            return found
        return ([replace(finding, end=len(text) + 1) for finding in each] for each in found)

    monkeypatch.setattr(tiers, "extract_each", shifted)
    report = build_all(memory)
    assert [failure.name for failure in report.failures] == ["bomb.md"]
    assert report.partial
    assert {f.error for f in _failures(memory).values()} == {"QuoteNotFound"}
    assert all(version.name != "bomb.md" for version in open_view(memory, CORPUS).documents.values())
    assert all("unlucky" not in e.source_text for _, e in memory.scan("extractions", Extraction, CORPUS))
    assert validate(memory, CORPUS).findings == ()
    assert corpus_status(memory, CORPUS)[0].pending == 1
    assert ingest_all(memory, tmp_path).count("unchanged") == len(DOCUMENTS) + 1
    assert list(_failures(memory)) == ["bomb.md"], "the bytes are the same, so is the failure"
    monkeypatch.undo()
    assert build_all(memory).counts["documents"] == len(DOCUMENTS) + 1
    assert _failures(memory) == {}


@pytest.mark.parametrize("slip", [IndexError("x"), RecursionError("x"), TypeError("x"), MemoryError(), ValueError("x")])
def test_build_with_a_rule_that_slips_costs_one_document(
    slip: Exception, memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the rules raise by mistake on one document."""
    ingest_all(memory, folder_of(tmp_path, {**DOCUMENTS, "bomb.md": BOMB}))

    def bomb(text: str, *rest: Any, **more: Any) -> Any:  # noqa: ANN401 - what extract_each takes and gives
        if "unlucky" in text:
            raise slip
        return extract_each(text, *rest, **more)

    monkeypatch.setattr(tiers, "extract_each", bomb)
    report = build_all(memory)
    assert [(f.name, type(slip).__name__ in f.message) for f in report.failures] == [("bomb.md", True)]
    assert report.counts["documents"] == len(DOCUMENTS)


@pytest.mark.parametrize("jobs", [1, 2])
def test_build_of_documents_beyond_the_limit_costs_those_documents(jobs: int, memory: Store, tmp_path: Path) -> None:
    """Too many statements, or too many sentences without any: a failure by name, with the way out, whoever derives it."""
    many = "".join(f"The clerk shall sign form {n}.\n\n" for n in range(600))
    none = "".join(f"{n} {n}.\n\n" for n in range(1_000))
    ingest_all(memory, folder_of(tmp_path, {**DOCUMENTS, "many.md": many, "none.md": none}))
    report = build_all(memory, jobs=jobs, document_extractions=450)
    failures = {failure.name: failure for failure in report.failures}
    assert failures.keys() == {"many.md", "none.md"}
    assert "limit=450" in failures["many.md"].message
    assert "limit=450" not in failures["none.md"].message
    assert all("CODITECT_DOCUMENT_EXTRACTIONS" in failure.hint for failure in report.failures)
    assert report.partial
    assert report.counts["documents"] == len(DOCUMENTS)
    assert build_all(memory).counts["documents"] == len(DOCUMENTS) + 2, "a later build that allows more"


def test_build_whose_worker_dies_names_the_document(memory: Store, tmp_path: Path) -> None:
    """A process that the system ends, as it does where memory is short, costs the document that it was at."""
    ingest_all(memory, folder_of(tmp_path, DOCUMENTS))
    victim = next(version for version in present_versions(memory, CORPUS) if version.name == "access.md")
    report = build_all(memory, jobs=2, models=ModelSources(tokenizer=partial(_deadly, victim.text_length)))
    assert [(failure.name, failure.message) for failure in report.failures] == [
        ("access.md", "the process that derived the document died")
    ]
    assert report.partial
    assert report.counts["documents"] == len(DOCUMENTS) - 1


def _deadly(length: int) -> Tokenizer:
    """A tokenizer that ends the process in which it meets a text of this length."""
    return _Deadly(length)


class _Deadly(WordLlamaTokenizer):
    def __init__(self, length: int) -> None:
        super().__init__()
        self._fatal = length

    def starts(self, text: str) -> IntArray:
        """End the process, or find where tokens begin."""
        if len(text) == self._fatal:
            os._exit(9)
        return super().starts(text)


STRANGE = {
    "huge numbers": "The clerk shall reply within 99999999999999999999999999 days and pay USD 9999999999999999999999999.",
    "nothing": "The clerk shall reply within 0 hours. Access is reviewed 0 times a year. Version 0 applies to all of us.",
    "small": "The clerk shall reply within 0.0000000000001 hours, or 1e-400 days, or within 1/0 days of that day.",
    "negative": "The clerk shall reply within -5 days. Reviews shall be done every -3 months by the whole staff.",
    "no day": "The clerk shall reply by 31 February 2024, 99/99/9999, 0000-00-00 and 2024-13-45 at the latest.",
    "digits": "The clerk shall keep " + "9" * 5_000 + " days of records.",
    "other digits": "The clerk shall reply within ٣٤ days and ５ hours and ² days and 𝟙𝟚 hours of the day.",
    "quotes": '"' * 501 + " means x. “" * 200,
    "nested": "The clerk shall " + "(if " * 1_000 + "x" + ")" * 1_000 + " reply.",
    "references": "See Section " + "1.2(a)(i)(A)" * 300 + " of the policy for it.",
    "direction": "\u202eThe clerk shall reply within 3 days of it.\u202c\u200b\u2060 ",
    "marks": "The cle\u0301" + "\u0301" * 500 + "rk shall reply within 3 days.",
    "list": "The clerk shall:\n" + "".join(f"({chr(97 + n % 26)}) do thing {n};\n" for n in range(300)),
    "spaces": "The clerk shall" + " " * 20_000 + "reply within 3 days.",
    "lines": "The clerk shall" + "\n" * 20_000 + "reply within 3 days.",
    "long word": "The clerk shall sign " + "x" * 150_000 + " within 3 days.",
    "shall": "shall " * 3_000,
    "names": "".join(f"Acme Holding {n} Ltd, " for n in range(300)) + "shall pay.",
}


def test_build_of_strange_documents_leaves_none_out_and_is_clean(memory: Store, tmp_path: Path) -> None:
    """Numbers out of range, days that are none, marks without letters, words without end: all built, all proven."""
    ingest_all(memory, folder_of(tmp_path, {f"{name}.txt": text + "\n" for name, text in STRANGE.items()}))
    report = build_all(memory)
    assert report.failures == []
    assert report.counts["documents"] == len(STRANGE)
    assert validate(memory, CORPUS).findings == ()


_BIG = """
import sys, time
from pathlib import Path
from coditect.store.store import Store
from coditect.telemetry import configure_logging
from tests.corpora import build_all, ingest_all
from tests.places import open_at
if __name__ == "__main__":
    configure_logging("WARNING")
    store = Store(open_at(Path(sys.argv[1]) / "store"))
    begin = time.process_time()
    assert ingest_all(store, Path(sys.argv[1]) / "files").count("failed") == 3
    counts = build_all(store).counts
    status = Path("/proc/self/status").read_text()  # getrusage counts what the parent had when it forked
    peak_kb = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])
    print(counts["documents"], int(time.process_time() - begin), peak_kb // 1024)
"""
"""In a process of its own, because what a process once took stays in its peak."""


def _big(tmp_path: Path, documents: dict[str, str]) -> tuple[int, int, int]:
    """(documents, seconds of processor time, MB of memory) of an ingest and build."""
    folder_of(tmp_path / "files", {**documents, "good.md": DOCUMENTS["access.md"]})
    done = subprocess.run(
        [sys.executable, "-c", _BIG, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    documents_built, seconds, megabytes = map(int, done.stdout.split())
    return documents_built, seconds, megabytes


@pytest.mark.slow
def test_build_of_files_without_end_stays_within_time_and_memory(tmp_path: Path) -> None:
    """Lines of 50 MB and a hundred thousand headings are refused in under a minute and 1.5 GB; the good file is built."""
    documents = {
        "word.md": "x" * 50_000_000,
        "base64.txt": "The key shall be kept: " + "QUJDRA+/" * 6_250_000,
        "headings.md": "".join(f"# Heading {n}\n" for n in range(100_000)),
    }
    built, seconds, megabytes = _big(tmp_path, documents)
    assert built == 1
    assert seconds < 60
    assert megabytes < 1_500


def test_build_time_grows_in_proportion_to_the_document(tmp_path: Path, memory: Store) -> None:
    """Four times the headings and sentences take four times as long, not sixteen times."""

    def seconds(count: int) -> float:
        text = "".join(
            f"# Heading {n}\n\nThe officer shall review item {n} every {n % 30 + 1} days.\n\n" for n in range(count)
        )
        folder = folder_of(tmp_path / str(count), {f"{count}.md": text})
        begin = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        ingest_all(memory, folder, corpus=str(count))
        build_all(memory, corpus=str(count))
        return resource.getrusage(resource.RUSAGE_SELF).ru_utime - begin

    seconds(50)  # what is loaded once
    assert seconds(1_000) < 8 * seconds(250)
