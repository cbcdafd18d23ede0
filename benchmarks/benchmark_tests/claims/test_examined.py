"""Claims against a corpus of their passages, alone and with a model that the stand-in plays."""

from __future__ import annotations

from pathlib import Path

from coditect_benchmarks.claims.examined import as_table, examine, opened_corpus, write_documents
from coditect_benchmarks.claims.records import WrittenClaim
from coditect_benchmarks.stand_in.folder import StandInFolder
from coditect_benchmarks.stand_in.server import stand_in_server
from coditect_benchmarks.stand_in.sheets import take_answers, write_sheets

from benchmark_tests.stand_in.material import written_lines

PASSAGE = "Every user shall have an account of their own. Administrators shall use a second factor."
CLAIM = "Each user has to possess an account of their own."
ABSENT = "The moon is green and belongs to administrators."
CLAIMS = (
    WrittenClaim("1t", CLAIM, PASSAGE, is_true=True, kind="synonym", family="invented policy"),
    WrittenClaim("1f", ABSENT, PASSAGE, is_true=False, kind="added", family="invented policy"),
)


def test_passages_stand_once_in_the_document_of_their_family(tmp_path: Path) -> None:
    """Two claims of one passage have it once."""
    write_documents(CLAIMS, tmp_path)
    (document,) = tmp_path.iterdir()
    assert document.name == "invented-policy.md"
    assert document.read_text(encoding="utf-8").count(PASSAGE) == 1


def test_what_a_model_answers_settles_what_waits_and_is_counted(tmp_path: Path) -> None:
    """First nothing is answered, and all is as the checker has it; then the true claim is supported by its words."""
    write_documents(CLAIMS, tmp_path / "in")
    folder = StandInFolder(tmp_path / "f")
    with stand_in_server(folder) as server:
        with opened_corpus(tmp_path / "in", tmp_path / "first", server.base_url) as knowledge:
            first, account = examine(knowledge, CLAIMS)
        assert [each.waiting.label for each in first] == [each.alone.label for each in first] == ["needs_review"] * 2
        assert account["total"]["failed"] == len(folder.asked()) == 2
        (sheet,) = write_sheets(folder, 1, tmp_path / "sheets")
        quote = {"evidence": 1, "text": "Every user shall have an account of their own."}
        lines = []
        for n, each in folder.asked().items():
            own = CLAIM in each.user
            part = {
                "words": CLAIM if own else ABSENT,
                "quotes": [quote] if own else [],
                "finding": "stated" if own else "not_stated",
            }
            said = {"parts": [part], "reason": "So it is.", "verdict": "supported" if own else "not_stated"}
            lines.append({"n": n, "answer": said})
        assert take_answers(folder, sheet, written_lines(tmp_path / "a.jsonl", *lines)).missing == ()
        with opened_corpus(tmp_path / "in", tmp_path / "second", server.base_url) as knowledge:
            second, account = examine(knowledge, CLAIMS)
    assert [each.waiting.label for each in second] == ["supported", "needs_review"]
    assert account["total"]["failed"] == 0
    table = as_table(second)
    assert "waiting | true | 1 (100.0%" in table
    assert "true | supported | counts" in table
