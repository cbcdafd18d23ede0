"""Editions that others took the place of: they answer no requirement of today, unless somebody names them."""

from __future__ import annotations

import json
from pathlib import Path

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from coditect import Settings, open_knowledge
from coditect.cli.exit_codes import ExitCode
from coditect.knowledge.report.crosswalk.assembly import compare_with_framework, make_crosswalk
from coditect.knowledge.report.registers.rows import register_rows
from coditect.knowledge.report.registers.selection import RegisterFilters
from coditect.reports.registers.mapping.reading import read_mapping_collection
from coditect.reports.registers.mapping.writing import mapping_collection
from tests.integration.crosswalk.house import run

FORMER = "# Access Policy\n\nVersion: 1.0\n\nUser access rights must be reviewed quarterly.\n"
AT = "2031-05-04T08:00:00Z"
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
        pattern = make_crosswalk(compare_with_framework(framework, view, None, documents=("access-*",)))
        assert pattern.superseded == ("access-1.md",)  # a pattern names no edition
        assert read_mapping_collection(json.loads(json.dumps(mapping_collection(found, AT)))) == found


def test_what_only_a_tracked_change_says_is_marked_where_it_is_cited(corpora: Path) -> None:
    """A register and a crosswalk tell the words that nobody accepted, and a document that holds such says so."""
    folder = corpora / "policies"
    for each in folder.iterdir():
        each.unlink()
    document = docx.Document()
    document.add_paragraph("Badges shall be returned on the last day.")
    change = f'<w:ins {nsdecls("w")} w:id="1" w:author="Ada" w:date="2031-05-04T08:00:00Z"><w:r><w:t>quarterly.</w:t></w:r></w:ins>'
    document.add_paragraph("User access rights must be reviewed ")._p.append(parse_xml(change))
    document.save(str(folder / "access-policy.docx"))
    assert run("ingest", "--corpus-id", "drafts", str(folder)) == ExitCode.OK
    assert run("build", "--corpus-id", "drafts") == ExitCode.OK
    with open_knowledge(Settings()) as knowledge:
        framework, view = knowledge.view("house", None), knowledge.view("drafts", None)
        rows = {row.text: row for row in register_rows(view, RegisterFilters(), "2031-06-01")}
        assert rows["User access rights must be reviewed quarterly."].proposed == "“quarterly.” (Ada, 2031-05-04)"
        assert rows["Badges shall be returned on the last day."].proposed == ""
        assert {row.standing for row in rows.values()} == {"holds tracked changes that nobody accepted"}
        found = make_crosswalk(compare_with_framework(framework, view, None))
        reasons = {each.reason for row in found.rows for each in row.evidence if "reviewed" in each.text}
        assert reasons
        assert all("only proposed, in a tracked change: “quarterly.” (Ada, 2031-05-04)" in each for each in reasons)
