"""Editions that others took the place of: they answer no requirement of today, unless somebody names them."""

from __future__ import annotations

from pathlib import Path

from coditect import Settings, open_knowledge
from coditect.cli.exit_codes import ExitCode
from coditect.knowledge.report.crosswalk.assembly import compare_with_framework, make_crosswalk
from tests.integration.crosswalk.house import run

FORMER = "# Access Policy\n\nVersion: 1.0\n\nUser access rights must be reviewed quarterly.\n"
TODAY = "# Access Policy\n\nVersion: 2.0\n\nUser access rights must be reviewed every two years.\n"
MANIFEST = "documents:\n  - document: access-2.md\n    supersedes: [access-1.md]\n"


def test_a_superseded_edition_is_not_compared_and_that_is_told(corpora: Path) -> None:
    folder = corpora / "policies"
    for each in folder.iterdir():
        each.unlink()
    for name, text in (("access-1.md", FORMER), ("access-2.md", TODAY), ("corpus.yaml", MANIFEST)):
        (folder / name).write_text(text)
    assert run("ingest", "--corpus-id", "editions", str(folder)) == ExitCode.OK
    assert run("build", "--corpus-id", "editions") == ExitCode.OK
    with open_knowledge(Settings()) as knowledge:
        framework, view = knowledge.view("house", None), knowledge.view("editions", None)
        found = make_crosswalk(compare_with_framework(framework, view, None))
        assert found.superseded == ("access-1.md",)
        assert {each.document for row in found.rows for each in row.evidence} == {"access-2.md"}
        named = make_crosswalk(compare_with_framework(framework, view, None, documents=("access-1.md",)))
        assert named.superseded == ()
        assert {each.document for row in named.rows for each in row.evidence} == {"access-1.md"}
